//! What the books of a series share whose rules are a system: the numbers on the hero's sheet, by their names.

use kdl::KdlNode;

use super::Reader;
use crate::book::Book;
use crate::entries::{name_span, shown_name};
use crate::rules::{Variable, VariableKind};

impl Reader<'_> {
    /// Everything that heroes of these books have, in the order in which each of them is to know it. What two books call by
    /// one name must be one thing.
    pub(super) fn shared_variables(&mut self, named: &[(&KdlNode, String)], books: &[Book]) -> Vec<Variable> {
        let mut all: Vec<Variable> = Vec::new();
        for ((node, _), book) in named.iter().zip(books) {
            for own in book.system.iter().flat_map(|system| &system.variables) {
                let Some(other) = all.iter().find(|other| other.name == own.name) else {
                    all.push(own.clone());
                    continue;
                };
                let name = shown_name(&own.name);
                let (what, other_what) = (kind_name(own.kind), kind_name(other.kind));
                let message = if own.kind != other.kind {
                    format!("`{name}` is {what} in this book, and {other_what} in one before it")
                } else if (own.least, own.most) != (other.least, other.most) {
                    let (own, other) = ((own.least, own.most), (other.least, other.most));
                    format!(
                        "`{name}` is {} to {} in this book, and {} to {} in one before it",
                        own.0, own.1, other.0, other.1
                    )
                } else if own.initial.is_some() != other.initial.is_some() {
                    format!("`{name}` has an initial value in one of two books only")
                } else {
                    continue;
                };
                self.error(
                    name_span(node),
                    message,
                    "let both books say the same of it, or call one of them otherwise",
                );
            }
        }
        let elsewhere = |own: Variable| Variable {
            kind: VariableKind::Elsewhere,
            vital: false,
            initial: None,
            start: 0.clamp(own.least, own.most),
            from: None,
            container: None,
            ..own
        };
        all.into_iter().map(elsewhere).collect()
    }
}

/// What something on the sheet is, in words.
fn kind_name(kind: VariableKind) -> &'static str {
    match kind {
        VariableKind::Stat => "a stat",
        VariableKind::Initial => "an initial value",
        VariableKind::Counter => "a counter",
        VariableKind::Flag => "a flag",
        VariableKind::Item => "an item",
        VariableKind::Elsewhere => "something of another book",
    }
}
