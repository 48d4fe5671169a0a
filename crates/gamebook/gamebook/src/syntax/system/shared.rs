//! The shared sheet of a series of books with a system of rules: variables of the same name are one.

use kdl::KdlNode;

use crate::book::{Traits, Variable, VariableKind};
use crate::syntax::inherited::Alone;
use crate::syntax::kdl::{name_span, shown_name};
use crate::syntax::reader::Reader;

impl Reader<'_> {
    /// The variables of heroes of these books, in the order common to all of them. Names used by two books must mean the same.
    pub(crate) fn shared_variables(&mut self, named: &[(&KdlNode, String)], books: &[Alone<'_>]) -> Vec<Variable> {
        let mut all: Vec<Variable> = Vec::new();
        for (place, ((node, _), Alone { book, .. })) in named.iter().zip(books).enumerate() {
            for own in book.system.iter().flat_map(|system| &system.variables) {
                let Some(other) = all.iter().find(|other| other.name == own.name) else {
                    all.push(own.clone());
                    continue;
                };
                if is_same(own, other) {
                    continue;
                }
                let name = shown_name(&own.name);
                let declares = |book: &Alone<'_>| book.declares(&own.name);
                let before = books[..place].iter().rev().find_map(declares);
                // A system of rules declares for all its books.
                let lines: Vec<String> = before.into_iter().chain(declares(&books[place])).collect();
                let message = match &lines[..] {
                    [] => format!("`{name}` means different things in two books"),
                    lines => format!("`{name}` means different things in two books: {}", lines.join(", ")),
                };
                let help = "let both books declare it alike, or rename it in one of them";
                self.error(name_span(node), message, help);
            }
        }
        let elsewhere = |own: Variable| Variable {
            kind: VariableKind::Elsewhere,
            vital: false,
            initial: None,
            start: 0.clamp(own.least, own.most),
            from: None,
            container: None,
            traits: Traits::default(),
            ..own
        };
        all.into_iter().map(elsewhere).collect()
    }
}

/// Whether two books mean the same by a variable. Its initial value and its container may differ.
fn is_same(own: &Variable, other: &Variable) -> bool {
    (own.kind, own.least, own.most, own.vital, own.initial.is_some(), &own.traits)
        == (other.kind, other.least, other.most, other.vital, other.initial.is_some(), &other.traits)
}
