//! What can be seen of a section without playing it.

use std::collections::BTreeSet;

use crate::book::{Book, Fight, Node, NodeKind, Section, SectionNumber};

/// A section's structure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The sections to which it leads, in order.
    pub targets: BTreeSet<SectionNumber>,
    /// Whether the hero can die (or fail) in it as the author says, fights apart.
    pub deadly: bool,
    /// Whether it can end in victory.
    pub victory: bool,
    /// The enemies: name, COMBAT SKILL, ENDURANCE.
    pub enemies: Vec<(String, i32, u8)>,
}

impl Section {
    /// Its structure.
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
    /// let outline = |section| book.sections[&section].outline();
    /// assert_eq!(outline(1).targets.into_iter().collect::<Vec<_>>(), [2, 3]);
    /// assert!(outline(2).deadly && outline(3).victory);
    /// assert_eq!(outline(2).enemies, [("Wolf".to_string(), 12, 8)]);
    /// # Ok::<(), gamebook::Problems>(())
    /// ```
    pub fn outline(&self) -> Outline {
        let mut outline = Outline::default();
        for_each(&self.body, &mut |node| match &node.kind {
            NodeKind::Goto(section) => {
                outline.targets.insert(*section);
            }
            NodeKind::Death(_) => outline.deadly = true,
            NodeKind::Victory => outline.victory = true,
            NodeKind::Fight(fight) | NodeKind::OneRound { fight, .. } => {
                let enemies = fight.enemies.iter();
                outline.enemies.extend(enemies.map(|enemy| (enemy.name.clone(), enemy.skill, enemy.endurance)));
            }
            _ => {}
        });
        outline
    }
}

impl Book {
    /// The same book for a player who has made up his mind: wherever `section` asks him and a choice leads to `to`
    /// at once, the others are not there. `None` when no choice of that section leads there.
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

/// Calls `visit` with every node, those within others included.
fn for_each(nodes: &[Node], visit: &mut impl FnMut(&Node)) {
    let mut open: Vec<&Node> = nodes.iter().rev().collect();
    while let Some(node) = open.pop() {
        visit(node);
        open.extend(inner(&node.kind).into_iter().flatten());
    }
}

/// The nodes within a node.
fn inner(kind: &NodeKind) -> Vec<&[Node]> {
    match kind {
        NodeKind::If(branches, otherwise) => {
            branches.iter().map(|(_, body, _)| &body[..]).chain([&otherwise[..]]).collect()
        }
        NodeKind::Choices(choices) => choices.iter().map(|choice| &choice.body[..]).collect(),
        NodeKind::Pick(pick) => pick.cases.iter().map(|(_, body, _)| &body[..]).collect(),
        NodeKind::Repeat(body) => vec![body],
        NodeKind::Fight(fight) => ways_out(fight),
        NodeKind::OneRound { fight, worse, equal, better } => {
            ways_out(fight).into_iter().chain([&worse[..], &equal[..], &better[..]]).collect()
        }
        _ => Vec::new(),
    }
}

fn ways_out(fight: &Fight) -> Vec<&[Node]> {
    let evade = fight.evade.as_ref().map(|(_, body)| &body[..]);
    let defeat = fight.defeat.as_ref().map(|(_, body)| &body[..]);
    let stop = fight.stop.as_ref().map(|(_, body)| &body[..]);
    [evade, fight.mock.as_deref(), defeat, stop, fight.first_wound.as_deref()].into_iter().flatten().collect()
}

/// Leaves of each group of choices with one that leads `to` only those; says whether there was one.
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
            _ => {}
        }
    }
    insisted
}
