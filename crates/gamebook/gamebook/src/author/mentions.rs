//! The subjects of a section, for searching.

use std::collections::BTreeSet;

use crate::book::{
    Asked, Battle, Book, Condition, Fight, Node, NodeKind, Number, Roll, RollCase, Rule, Target, Thing, VariableKind,
    VariableRef, every_node, every_question,
};
use crate::terms::SectionNumber;

/// A subject of a section.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mention {
    /// Its kind.
    pub kind: MentionKind,
    /// Its name, or the author's words.
    pub text: String,
}

/// The kinds of subjects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MentionKind {
    /// An enemy.
    Enemy,
    /// A choice, in the author's words.
    Choice,
    /// Something to be had there: given, found, or sold.
    Gain,
    /// Something to be lost there: taken, used up, or bought.
    Loss,
    /// Something required there: an item, a discipline.
    Demand,
    /// Something that the book records or tests: a flag, a counter.
    Note,
    /// A death, in the author's words.
    Death,
}

impl Book {
    /// The subjects of a section, without duplicates, by kind and name. Empty if there is no such section.
    ///
    /// ```
    /// use gamebook::MentionKind::{Choice, Death, Demand, Gain};
    ///
    /// let text = r#"
    ///     book "Ford" format=1 rules="lone-wolf"
    ///     start 1
    ///     goal 2
    ///     hero { combat-skill 15; endurance 25; }
    ///     items { backpack-item rope; special map; }
    ///     section 1 {
    ///         take { rope; }
    ///         choice "cross" { require "has map"; goto 2; }
    ///         choice "wait" { death "cold"; }
    ///     }
    ///     section 2 { victory; }
    /// "#;
    /// let (book, _) = gamebook::read(text)?;
    /// let mentions = book.mentions(1);
    /// let found: Vec<_> = mentions.iter().map(|own| (own.kind, own.text.as_str())).collect();
    /// assert_eq!(found, [(Choice, "cross"), (Choice, "wait"), (Gain, "rope"), (Demand, "map"), (Death, "cold")]);
    /// # Ok::<(), gamebook::Problems>(())
    /// ```
    pub fn mentions(&self, section: SectionNumber) -> Vec<Mention> {
        let mut found = Finder { book: self, found: BTreeSet::new(), used: BTreeSet::new() };
        if let Some(section) = self.sections.get(&section) {
            found.body(&section.body);
        }
        found.found.into_iter().collect()
    }
}

struct Finder<'b> {
    book: &'b Book,
    found: BTreeSet<Mention>,
    /// The definitions visited so far.
    used: BTreeSet<usize>,
}

impl<'b> Finder<'b> {
    fn add(&mut self, kind: MentionKind, text: &str) {
        if !text.is_empty() {
            self.found.insert(Mention { kind, text: text.to_owned() });
        }
    }

    fn body(&mut self, body: &'b [Node]) {
        every_node(body, &mut |node| self.node(&node.kind));
    }

    fn node(&mut self, kind: &'b NodeKind) {
        every_question(kind, &mut |asked| match asked {
            Asked::Condition(condition) => self.condition(condition),
            Asked::Number(number) => self.number(number),
        });
        match kind {
            NodeKind::Choices(choices) => {
                for choice in choices {
                    self.add(MentionKind::Choice, &choice.label);
                }
            }
            NodeKind::Gain(thing, _) => self.thing(MentionKind::Gain, *thing),
            NodeKind::Lose(thing, _) => self.thing(MentionKind::Loss, *thing),
            NodeKind::LoseAll { gold, items } => {
                let gold = gold.then_some(Thing::Gold);
                let lost = items.iter().map(|item| Thing::Item(*item)).chain(gold);
                lost.for_each(|thing| self.thing(MentionKind::Loss, thing));
            }
            NodeKind::Take { lines, .. } => {
                for (thing, _) in lines {
                    self.thing(MentionKind::Gain, *thing);
                }
            }
            NodeKind::Shop(trades) => {
                for trade in trades {
                    let kind = if trade.buy { MentionKind::Gain } else { MentionKind::Loss };
                    self.thing(kind, Thing::Item(trade.item));
                }
            }
            NodeKind::Flag(flag, _) => self.add(MentionKind::Note, &self.book.flags[*flag]),
            NodeKind::Counter(counter, _) => self.add(MentionKind::Note, &self.book.counters[*counter].name),
            NodeKind::Death(label) => self.add(MentionKind::Death, label),
            NodeKind::Fight(fight) | NodeKind::OneRound { fight, .. } => self.fight(fight),
            NodeKind::Rule(rule) => self.rule(rule),
            _ => {}
        }
    }

    fn fight(&mut self, fight: &Fight) {
        fight.enemies.iter().for_each(|enemy| self.add(MentionKind::Enemy, &enemy.name));
        if let Some(weapon) = fight.only_weapon {
            self.thing(MentionKind::Demand, Thing::Item(weapon));
        }
    }

    /// A node of a system of rules.
    fn rule(&mut self, rule: &'b Rule) {
        match rule {
            Rule::Use { define, .. } => {
                // A second use adds nothing.
                if self.used.insert(*define)
                    && let Some(system) = &self.book.system
                {
                    self.body(&system.defines[*define].body);
                }
            }
            Rule::Battle(battle) => self.battle(battle),
            Rule::Gain(own, _) => self.variable(MentionKind::Gain, *own),
            Rule::Take { lines, .. } => lines.iter().for_each(|(own, _)| self.variable(MentionKind::Gain, *own)),
            Rule::Set(Target::Variable(VariableRef::Own(own)), number) => {
                let kind = if *number == Number::Constant(0) { MentionKind::Loss } else { MentionKind::Gain };
                self.variable(kind, *own);
                self.number(number);
            }
            Rule::Change(Target::Variable(VariableRef::Own(own)), number) => {
                let kind = if number.is_less() { MentionKind::Loss } else { MentionKind::Gain };
                self.variable(kind, *own);
                self.number(number);
            }
            Rule::Roll(Roll { cases, .. }) => {
                for (case, ..) in cases {
                    if let RollCase::When(condition) = case {
                        self.condition(condition);
                    }
                }
            }
            _ => {}
        }
    }

    fn battle(&mut self, battle: &Battle) {
        battle.enemies.iter().for_each(|(name, _)| self.add(MentionKind::Enemy, name));
        if let Some((condition, _)) = &battle.escape {
            self.condition(condition);
        }
    }

    fn thing(&mut self, kind: MentionKind, thing: Thing) {
        match thing {
            Thing::Gold => self.add(kind, "gold"),
            Thing::Item(item) => self.add(kind, &self.book.items[item].name),
        }
    }

    /// A variable on the hero's sheet; only items, flags and counters are subjects.
    fn variable(&mut self, kind: MentionKind, own: usize) {
        let Some(variable) = self.book.system.as_ref().and_then(|system| system.variables.get(own)) else { return };
        match variable.kind {
            VariableKind::Item => self.add(kind, &variable.name),
            VariableKind::Flag | VariableKind::Counter => self.add(MentionKind::Note, &variable.name),
            VariableKind::Skill | VariableKind::SkillIn | VariableKind::Circle => {
                self.add(MentionKind::Demand, &variable.name);
            }
            VariableKind::Stat | VariableKind::Initial | VariableKind::Elsewhere => {}
        }
    }

    fn condition(&mut self, condition: &Condition) {
        condition.visit(&mut |part| match part {
            Condition::Flag(flag) => self.add(MentionKind::Note, &self.book.flags[*flag]),
            Condition::Discipline(discipline) => self.add(MentionKind::Demand, &discipline.to_string()),
            _ => {}
        });
        condition.visit_numbers(&mut |number| self.part(number));
    }

    fn number(&mut self, number: &Number) {
        number.visit(&mut |part| self.part(part));
    }

    fn part(&mut self, part: &Number) {
        match part {
            Number::Item(item) => self.thing(MentionKind::Demand, Thing::Item(*item)),
            Number::Counter(counter) => self.add(MentionKind::Note, &self.book.counters[*counter].name),
            Number::Variable(VariableRef::Own(own)) => self.variable(MentionKind::Demand, *own),
            _ => {}
        }
    }
}

impl Number {
    /// Whether it is written as a negative number.
    fn is_less(&self) -> bool {
        match self {
            Self::Constant(number) => *number < 0,
            Self::Operation(crate::terms::Operator::Minus, left, right) => {
                **left == Self::Constant(0) && **right != Self::Constant(0)
            }
            _ => false,
        }
    }
}
