//! The structure of a section as written.

use std::collections::BTreeSet;

use crate::book::{Book, Node, NodeKind, Number, Rule, every_node};
use crate::terms::SectionNumber;

/// The structure of a section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The sections to which it leads, in order.
    pub targets: BTreeSet<SectionNumber>,
    /// Whether the hero can die (or fail) in it, apart from fights.
    pub deadly: bool,
    /// The deaths, in the author's words.
    pub deaths: Vec<String>,
    /// Whether it can end in victory.
    pub victory: bool,
    /// The enemies under Lone Wolf's rules: name, COMBAT SKILL, ENDURANCE.
    pub enemies: Vec<(String, i32, u8)>,
    /// All enemies, in words.
    pub fights: Vec<String>,
}

impl Book {
    /// The structure of a section.
    ///
    /// ```
    /// let text = r#"
    ///     book "Fork" format=1 rules="lone-wolf"
    ///     start 1
    ///     goal 3
    ///     hero { combat-skill 15; endurance 25; }
    ///     section 1 { choice "left" { goto 2; }; choice "right" { goto 3; }; }
    ///     section 2 { fight "Wolf" skill=12 endurance=8; death "lost"; }
    ///     section 3 { victory; }
    /// "#;
    /// let (book, _) = gamebook::read(text)?;
    /// let outline = |section| book.outline(section);
    /// assert_eq!(outline(1).targets.into_iter().collect::<Vec<_>>(), [2, 3]);
    /// assert!(outline(2).deadly && outline(3).victory);
    /// assert_eq!(outline(2).deaths, ["lost"]);
    /// assert_eq!(outline(2).enemies, [("Wolf".to_string(), 12, 8)]);
    /// assert_eq!(outline(2).fights, ["Wolf, combat skill 12, endurance 8"]);
    /// # Ok::<(), gamebook::Problems>(())
    /// ```
    pub fn outline(&self, section: SectionNumber) -> Outline {
        let mut outline = Outline::default();
        if let Some(section) = self.sections.get(&section) {
            self.outline_of(&section.body, &mut outline);
        }
        outline
    }

    fn outline_of(&self, body: &[Node], outline: &mut Outline) {
        every_node(body, &mut |node| match &node.kind {
            NodeKind::Goto(section) => {
                outline.targets.insert(*section);
            }
            NodeKind::Death(label) => {
                outline.deadly = true;
                if !label.is_empty() && !outline.deaths.contains(label) {
                    outline.deaths.push(label.clone());
                }
            }
            NodeKind::Victory => outline.victory = true,
            NodeKind::Fight(fight) | NodeKind::OneRound { fight, .. } => {
                for enemy in &fight.enemies {
                    outline.enemies.push((enemy.name.clone(), enemy.skill, enemy.endurance));
                    let (name, skill, endurance) = (&enemy.name, enemy.skill, enemy.endurance);
                    outline.fights.push(format!("{name}, combat skill {skill}, endurance {endurance}"));
                }
            }
            NodeKind::Rule(rule) => {
                let Some(system) = &self.system else { return };
                match &**rule {
                    Rule::Use { define, .. } => self.outline_of(&system.defines[*define].body, outline),
                    Rule::Battle(battle) => outline.fights.extend(battle.enemies.iter().map(|(name, numbers)| {
                        let known = system.enemy_stats.iter().zip(numbers).filter_map(|(stat, number)| match number {
                            Number::Constant(number) => Some(format!(", {} {number}", stat.name)),
                            _ => None,
                        });
                        known.fold(name.clone(), |text, stat| text + &stat)
                    })),
                    _ => {}
                }
            }
            _ => {}
        });
    }
}

impl Book {
    /// The book for a player who has decided: wherever a choice in `section` leads directly `to` a section, the alternatives
    /// are removed. `None` if no choice of that section leads there.
    ///
    /// ```
    /// # use gamebook::{Question, Solved, read};
    /// let text = r#"
    ///     book "Doors" format=1 rules="lone-wolf"
    ///     start 1
    ///     goal 4
    ///     hero { combat-skill 15; endurance 25; }
    ///     section 1 { choice "left" { goto 2; }; choice "right" { goto 4; }; }
    ///     section 2 { pick { when 0 4 { goto 4; }; else { death "a pit"; }; }; }
    ///     section 4 { victory; }
    /// "#;
    /// let (book, _) = read(text)?;
    /// let left = book.insisting(1, 2).ok_or("no such choice")?;
    /// let solved = Solved::new(&left, &Question::new(&left), &mdp::ExploreOptions::default())?;
    /// assert_eq!(solved.win().decimal(), 0.5);
    /// assert!(book.insisting(1, 3).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn insisting(&self, section: SectionNumber, to: SectionNumber) -> Option<Self> {
        let mut book = self.clone();
        let insisted = insist(&mut book.sections.get_mut(&section)?.body, to);
        insisted.then_some(book)
    }
}

/// Removes the alternatives of choices that lead `to` a section; returns whether there were such choices.
fn insist(nodes: &mut [Node], to: SectionNumber) -> bool {
    let mut insisted = false;
    for node in nodes {
        match &mut node.kind {
            NodeKind::Choices(choices) => {
                let leads =
                    |body: &[Node]| body.iter().any(|node| matches!(node.kind, NodeKind::Goto(goal) if goal == to));
                if choices.iter().any(|choice| leads(&choice.body)) {
                    choices.retain(|choice| leads(&choice.body));
                    insisted = true;
                } else {
                    for choice in choices {
                        insisted |= insist(&mut choice.body, to);
                    }
                }
            }
            NodeKind::If(branches, otherwise) => {
                for body in branches.iter_mut().map(|(_, body, _)| body).chain([otherwise]) {
                    insisted |= insist(body, to);
                }
            }
            NodeKind::Pick(pick) => {
                for (_, body, _) in &mut pick.cases {
                    insisted |= insist(body, to);
                }
            }
            NodeKind::Repeat(body) => insisted |= insist(body, to),
            NodeKind::Rule(rule) => rule.bodies_mut(&mut |body| insisted |= insist(body, to)),
            _ => {}
        }
    }
    insisted
}
