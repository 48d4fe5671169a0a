//! The meaning of names in expressions, and errors about them.

use std::ops::Range;

use crate::book::Number;

/// The meaning of names.
pub(crate) trait Names {
    /// The item with this name.
    fn item(&self, name: &str) -> Option<usize>;
    /// The weapon with this name.
    fn weapon(&self, _name: &str) -> Option<usize> {
        None
    }
    /// The flag with this name.
    fn flag(&self, name: &str) -> Option<usize>;
    /// The counter with this name.
    fn counter(&self, name: &str) -> Option<usize>;
    /// The local name of this section.
    fn local(&self, name: &str) -> Option<usize>;
    /// All names, for suggestions.
    fn known(&self) -> Vec<String>;
    /// Whether the names are those of a system of rules.
    fn is_system(&self) -> bool {
        false
    }
    /// The number with this name in a system of rules.
    fn number(&self, _name: &str) -> Option<Number> {
        None
    }
    /// The error and the suggestion for a name that is only valid elsewhere.
    fn elsewhere(&self, _name: &str) -> Option<(String, String)> {
        None
    }
    /// Whether the number with this name is a flag.
    fn is_flag(&self, _name: &str) -> bool {
        false
    }
    /// The ranks, the lowest first.
    fn ranks(&self) -> &[String] {
        &[]
    }
    /// The table with this name.
    fn table(&self, _name: &str) -> Option<usize> {
        None
    }
    /// The values of the reading with this name, and its index.
    fn reading(&self, _name: &str) -> Option<(usize, Vec<String>)> {
        None
    }
}

/// An error in an expression, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// Whether it is an unknown name.
    pub unknown: bool,
    pub at: Range<usize>,
    pub message: String,
    pub help: Option<String>,
}
