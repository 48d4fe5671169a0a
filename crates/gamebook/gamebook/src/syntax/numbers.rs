//! Parsing numbers and conditions, and binding names in a section.

use std::ops::Range;

use kdl::{KdlEntry, KdlNode};

use super::expression::{self, Names, Wrong};
use super::kdl::{arguments, entry_span, integer, is_newline, shown, shown_name, string};
use super::problem::{Problem, did_you_mean};
use super::reader::Reader;
use crate::book::{Condition, Number};

/// The most names bound in a section.
const MOST_LOCALS: usize = 8;

/// The most parts of an expression in a system of rules.
const MOST_PARTS: usize = 10_000;

impl Reader<'_> {
    /// The condition of a node that has nothing else before its braces.
    pub(super) fn condition_of(&mut self, node: &KdlNode, has_braces: bool, usage: &str) -> Option<Condition> {
        let entries = node.entries();
        let text = match (entries.first(), entries.last()) {
            (Some(first), Some(last)) if entries.len() > 1 => {
                let span = entry_span(first).start..entry_span(last).end;
                self.text.get(span.clone()).map(|text| (text, span))
            }
            _ => None,
        };
        if let Some((text, span)) = text.filter(|(text, _)| !text.contains(|own| own == '"' || is_newline(own))) {
            let braces = if has_braces { " { ... }" } else { "" };
            let help = format!("write `{} \"{}\"{braces}`", node.name().value(), shown_name(text.trim()));
            self.error(span, "a condition stands in quotes", help);
            return None;
        }
        self.shape(node, 1..=1, &[], has_braces, usage);
        arguments(node).next().and_then(|entry| self.condition(entry))
    }

    /// The span in the file of an error in an expression.
    fn inside(&self, entry: &KdlEntry, at: &Range<usize>) -> Range<usize> {
        let whole = entry_span(entry);
        let Some(source) = self.text.get(whole.clone()) else { return whole };
        let text = entry.value().as_string().unwrap_or_default();
        // For a plain quoted string, positions in the value are positions in the file.
        match source.find('"') {
            Some(quote) if source.get(quote + 1..quote + 1 + text.len()) == Some(text) => {
                let start = whole.start + quote + 1;
                start + at.start..start + at.end.max(at.start)
            }
            _ => whole,
        }
    }

    /// Sums of a contest are only valid within its pick.
    fn not_of_a_contest(&mut self, entry: &KdlEntry, locals: &[usize]) -> bool {
        let Some(local) = locals.iter().find(|local| self.contest.contains(local)) else { return true };
        let name = self.locals[*local].clone();
        self.error(
            entry_span(entry),
            format!("`{name}` is a sum of a contest: only its own pick can ask for it"),
            "a pick of one sum, `pick as=NAME`, keeps its total until the section is left",
        );
        false
    }

    pub(super) fn condition(&mut self, entry: &KdlEntry) -> Option<Condition> {
        let text = string(&mut self.problems, entry, "a condition")?;
        let read = expression::condition(text, self);
        match read {
            Ok(condition) => {
                if !self.fought && !self.is_system() && mentions_fight(&condition) {
                    self.error(
                        entry_span(entry),
                        "there is no fight before this in the section",
                        "`rounds` and `wounded` speak of the last fight",
                    );
                }
                if self.is_system() {
                    let parts = condition.parts(&self.own().system.values);
                    return self.is_small(entry, parts).then_some(condition);
                }
                let (mut locals, mut compared) = (Vec::new(), Vec::new());
                condition.visit_numbers(&mut |number| locals.extend(local_of(number)));
                condition.visit(&mut |part| {
                    if let Condition::Compare(_, left, right) = part {
                        compared.extend([left.clone(), right.clone()]);
                    }
                });
                for number in compared {
                    self.range(entry, &number)?;
                }
                self.not_of_a_contest(entry, &locals).then_some(condition)
            }
            Err(wrong) => self.wrong(entry, wrong),
        }
    }

    /// Reports an error in an expression.
    fn wrong<T>(&mut self, entry: &KdlEntry, wrong: Wrong) -> Option<T> {
        if !wrong.unknown || !self.missing.head {
            let problem = Problem::error(self.inside(entry, &wrong.at), wrong.message);
            self.problems.push(Problem { help: wrong.help, ..problem });
        }
        None
    }

    pub(super) fn number(&mut self, entry: &KdlEntry) -> Option<Number> {
        if entry.value().as_integer().is_some() {
            let most = if self.is_system() { 9999 } else { 1000 };
            return integer(&mut self.problems, entry, -most..=most, "this").map(Number::Constant);
        }
        let text = string(&mut self.problems, entry, "a number that depends on the game")?;
        match expression::number(text, self) {
            Ok(number) if self.is_system() => {
                let parts = number.parts(&self.own().system.values);
                self.is_small(entry, parts).then_some(number)
            }
            Ok(number) => {
                let mut locals = Vec::new();
                number.visit(&mut |number| locals.extend(local_of(number)));
                self.range(entry, &number)?;
                self.not_of_a_contest(entry, &locals).then_some(number)
            }
            Err(wrong) => self.wrong(entry, wrong),
        }
    }

    /// Checks the size of an expression after expansion.
    fn is_small(&mut self, entry: &KdlEntry, parts: usize) -> bool {
        let is_small = parts <= MOST_PARTS;
        if !is_small {
            let help =
                format!("up to {MOST_PARTS} are possible, with those of its values; a condition in `if` counts twice");
            self.error(entry_span(entry), "this expression is made of too many numbers", help);
        }
        is_small
    }

    /// The second argument; 1 by default.
    pub(super) fn second_number(&mut self, node: &KdlNode) -> Option<Number> {
        match arguments(node).nth(1) {
            Some(entry) => self.number(entry),
            None => Some(Number::Constant(1)),
        }
    }

    pub(super) fn local(&mut self, name: &str, span: Range<usize>) -> Option<usize> {
        if let Some(place) = Names::local(self, name) {
            if self.chosen.iter().any(|(chosen, _)| *chosen == place) {
                self.error(span, format!("`{name}` is the number of a choice around this"), "choose another name");
                return None;
            }
            self.contest.retain(|other| *other != place);
            return Some(place);
        }
        if self.locals.len() >= MOST_LOCALS {
            self.error(span, format!("more than {MOST_LOCALS} names are bound in this section"), "use names again");
            return None;
        }
        if self.declared.contains_key(name) {
            self.error(span, format!("`{name}` is declared at the head of the book"), "choose another name");
            return None;
        }
        let before = self.problems.len();
        // A local name must be valid, but is not declared for the whole book.
        if self.declare(name, span) {
            self.declared.remove(name);
            self.locals.push(name.into());
        }
        (self.problems.len() == before).then(|| self.locals.len() - 1)
    }

    pub(super) fn no_such<T>(&mut self, entry: &KdlEntry, what: &str) -> Option<T> {
        if self.missing.head {
            return None;
        }
        let name = entry.value().as_string().unwrap_or_default().to_string();
        let known = self.known();
        let help = did_you_mean(&name, known.iter().map(String::as_str))
            .unwrap_or_else(|| "declare it at the head of the book".into());
        self.error(entry_span(entry), format!("`{}` is not the name of {what}", shown(entry)), help);
        None
    }
}

pub(super) fn local_of(number: &Number) -> Option<usize> {
    if let Number::Local(local) = number { Some(*local) } else { None }
}

fn mentions_fight(condition: &Condition) -> bool {
    fn number(of: &Number) -> bool {
        match of {
            Number::Rounds => true,
            Number::Operation(_, left, right) => number(left) || number(right),
            _ => false,
        }
    }
    match condition {
        Condition::Wounded => true,
        Condition::Compare(_, left, right) => number(left) || number(right),
        Condition::Not(inner) => mentions_fight(inner),
        Condition::And(left, right) | Condition::Or(left, right) => mentions_fight(left) || mentions_fight(right),
        _ => false,
    }
}
