//! Key deadlocks: items that can only be got by heroes who have them already.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use budget::Stopped;

use super::key::Key;
use super::walks::Who;
use crate::book::{
    Asked, Book, Condition, HeroQuantity, Node, NodeKind, Number, Rule, Target, VariableKind, VariableRef, every_node,
    every_question, is_loss,
};
use crate::solve::Question;
use crate::syntax::Problem;
use crate::terms::SectionNumber;

/// How many sections that require a key are named.
const NAMED: usize = 5;

/// Where the sections of a book give and require keys.
pub(super) struct Keys {
    /// The first place that gives each key.
    given: BTreeMap<Key, Range<usize>>,
    asked: BTreeMap<Key, BTreeSet<SectionNumber>>,
    /// Keys that are taken away somewhere, and may be given back.
    taken: BTreeSet<Key>,
}

/// Finds the keys that heroes get who start with any amount of the first keys and without the second.
pub(super) type FindKeys<'g> = dyn Fn(&BTreeSet<Key>, &BTreeSet<Key>) -> FoundKeys + 'g;

/// The keys that heroes get; `None` if the book is too large.
pub(super) type FoundKeys = Result<Option<BTreeSet<Key>>, Stopped>;

impl Keys {
    pub(super) fn new(book: &Book) -> Self {
        let mut keys = Self { given: BTreeMap::new(), asked: BTreeMap::new(), taken: BTreeSet::new() };
        for (number, section) in &book.sections {
            every_node(&section.body, &mut |node| keys.node(book, *number, node));
        }
        keys
    }

    /// The keys that are given and required, except those that the hero starts with and those that the book takes away, since
    /// these can be given back.
    fn barring(&self, book: &Book, question: &Question) -> BTreeSet<Key> {
        let chosen = book.creation.chosen.iter().flat_map(|own| own.bundles.iter().flatten());
        let chosen = chosen.filter_map(|(quantity, _)| match quantity {
            HeroQuantity::Item(item) => Some(Key::Item(*item)),
            HeroQuantity::Variable(own) => Some(Key::Own(*own)),
            _ => None,
        });
        let items = book.fixed.iter().chain(&question.hero.items).map(|(item, _)| Key::Item(*item));
        let variables = book.system.iter().flat_map(|system| system.variables.iter().enumerate());
        let has = variables.filter(|(own, variable)| question.value_of(*own).unwrap_or(variable.start) > 0);
        let brought: BTreeSet<Key> = items.chain(chosen).chain(has.map(|(own, _)| Key::Own(own))).collect();
        let bars = |key: &&Key| self.asked.contains_key(key) && !brought.contains(key) && !self.taken.contains(key);
        self.given.keys().filter(bars).copied().collect()
    }

    fn node(&mut self, book: &Book, section: SectionNumber, node: &Node) {
        every_question(&node.kind, &mut |asked| {
            if let Asked::Condition(condition) = asked {
                self.condition(book, section, condition);
            }
        });
        let mut gives = |key: Option<Key>, span: &Range<usize>| {
            if let Some(key) = key {
                self.given.entry(key).or_insert_with(|| span.clone());
            }
        };
        match &node.kind {
            NodeKind::Gain(thing, _) => gives(Key::of(*thing), &node.span),
            NodeKind::Flag(flag, true) => gives(Some(Key::Flag(*flag)), &node.span),
            NodeKind::Take { lines, .. } => lines.iter().for_each(|(thing, _)| gives(Key::of(*thing), &node.span)),
            NodeKind::Shop(trades) => {
                let sold = trades.iter().filter(|trade| trade.buy);
                sold.for_each(|trade| gives(Some(Key::Item(trade.item)), &trade.span));
            }
            NodeKind::Lose(thing, _) => self.taken.extend(Key::of(*thing)),
            NodeKind::LoseAll { items, .. } => self.taken.extend(items.iter().map(|item| Key::Item(*item))),
            NodeKind::GiveUp { kind, .. } => {
                let items = (0..book.items.len()).filter(|item| book.items[*item].kind == *kind);
                self.taken.extend(items.map(Key::Item));
            }
            NodeKind::Flag(flag, false) => drop(self.taken.insert(Key::Flag(*flag))),
            NodeKind::Rule(rule) => match &**rule {
                Rule::Gain(own, _) => gives(Some(Key::Own(*own)), &node.span),
                Rule::Take { lines, .. } => lines.iter().for_each(|(own, _)| gives(Some(Key::Own(*own)), &node.span)),
                Rule::Set(Target::Variable(VariableRef::Own(own)), Number::Constant(1..)) => {
                    gives(kept(book, *own), &node.span);
                }
                Rule::Change(Target::Variable(VariableRef::Own(own)), number) if !is_loss(number) => {
                    gives(kept(book, *own), &node.span);
                }
                Rule::Change(Target::Variable(VariableRef::Own(own)), _)
                | Rule::Set(Target::Variable(VariableRef::Own(own)), _) => self.taken.extend(kept(book, *own)),
                _ => {}
            },
            _ => {}
        }
    }

    fn condition(&mut self, book: &Book, section: SectionNumber, condition: &Condition) {
        let mut asks = |key: Key| {
            self.asked.entry(key).or_default().insert(section);
        };
        condition.visit(&mut |part| {
            if let Condition::Flag(flag) = part {
                asks(Key::Flag(*flag));
            }
        });
        condition.visit_numbers(&mut |number| match number {
            Number::Item(item) => asks(Key::Item(*item)),
            Number::Variable(VariableRef::Own(own)) => kept(book, *own).into_iter().for_each(&mut asks),
            _ => {}
        });
    }

    /// Warnings about keys that only their owners can get.
    pub(super) fn behind_themselves(
        &self,
        book: &Book,
        question: &Question,
        who: Who,
        gets: &FindKeys<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Stopped> {
        let keys = self.barring(book, question);
        if keys.is_empty() {
            return Ok(());
        }
        let gets = |without: &BTreeSet<Key>| gets(&keys, without);
        // Keys that cannot be got even with all others have other warnings.
        let Some(got) = gets(&BTreeSet::new())? else { return Ok(()) };
        let locked = locked(keys.intersection(&got).copied().collect(), &gets)?;
        let mut among = BTreeSet::new();
        for key in locked {
            let alone = BTreeSet::from([key]);
            match gets(&alone)? {
                Some(got) if !got.contains(&key) => problems.extend(self.problem(book, &alone, who)),
                _ => drop(among.insert(key)),
            }
        }
        // Keys that are only behind such a gate are not to blame.
        problems.extend(self.problem(book, &self::locked(among, &gets)?, who));
        Ok(())
    }

    fn problem(&self, book: &Book, keys: &BTreeSet<Key>, who: Who) -> Option<Problem> {
        let span = keys.iter().filter_map(|key| self.given.get(key)).min_by_key(|span| span.start)?.clone();
        let names: Vec<String> = keys.iter().map(|key| format!("`{}`", key.name(book))).collect();
        let mut who = match who {
            Who::Anyone => "only a hero who has it already can get it".to_string(),
            Who::This => "this hero can get it only if he has it already".to_string(),
        };
        let message = match &names[..] {
            [name] => format!("{name} lies behind its own gate: {who}"),
            names => {
                who = who.replace("has it", "has one of them").replace("get it", "get one of them");
                format!("{} lie behind each other's gates: {who}", names.join(" and "))
            }
        };
        let asked: BTreeSet<SectionNumber> =
            keys.iter().filter_map(|key| self.asked.get(key)).flatten().copied().collect();
        let mut sections: Vec<String> = asked.iter().take(NAMED).map(|own| book.section_text(*own)).collect();
        if asked.len() > NAMED {
            sections.push("...".into());
        }
        let what = if names.len() == 1 { "it" } else { "one of them" };
        let sections = sections.join(", ");
        let place = if asked.len() == 1 { "section" } else { "sections" };
        Some(
            Problem::warning(span, message)
                .help(format!("let {what} be got before it is asked for in {place} {sections}")),
        )
    }
}

/// The largest subset of some keys in which each can only be got with another of them.
fn locked(mut keys: BTreeSet<Key>, gets: &dyn Fn(&BTreeSet<Key>) -> FoundKeys) -> Result<BTreeSet<Key>, Stopped> {
    while !keys.is_empty() {
        let Some(got) = gets(&keys)? else { return Ok(BTreeSet::new()) };
        let left: BTreeSet<Key> = keys.difference(&got).copied().collect();
        if left == keys {
            break;
        }
        keys = left;
    }
    Ok(keys)
}

/// The key that a variable of a system of rules is, if it is one.
fn kept(book: &Book, own: usize) -> Option<Key> {
    let kind = book.system.as_ref().map(|system| system.variables[own].kind);
    matches!(kind, Some(VariableKind::Item | VariableKind::Flag)).then_some(Key::Own(own))
}
