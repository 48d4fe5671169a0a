//! What names in an expression may stand for, and what is wrong with one.

use std::ops::Range;

use crate::book::Number;

/// What a name may stand for.
pub(crate) trait Names {
    /// The item of this name.
    fn item(&self, name: &str) -> Option<usize>;
    /// The weapon of this name.
    fn weapon(&self, _name: &str) -> Option<usize> {
        None
    }
    /// The flag of this name.
    fn flag(&self, name: &str) -> Option<usize>;
    /// The counter of this name.
    fn counter(&self, name: &str) -> Option<usize>;
    /// The name bound in this section.
    fn local(&self, name: &str) -> Option<usize>;
    /// Everything that a misspelt name could have been.
    fn known(&self) -> Vec<String>;
    /// Whether all names are those of a system of rules of its own.
    fn is_system(&self) -> bool {
        false
    }
    /// The number of this name in a system of rules of its own.
    fn number(&self, _name: &str) -> Option<Number> {
        None
    }
    /// What is to be said of a name that means something, but not here.
    fn elsewhere(&self, _name: &str) -> Option<(String, String)> {
        None
    }
    /// Whether the number of this name is a yes or no.
    fn is_flag(&self, _name: &str) -> bool {
        false
    }
    /// The ranks, the lowest first.
    fn ranks(&self) -> &[String] {
        &[]
    }
    /// The table of this name.
    fn table(&self, _name: &str) -> Option<usize> {
        None
    }
    /// The readings of this name, and which has this value.
    fn reading(&self, _name: &str) -> Option<(usize, Vec<String>)> {
        None
    }
}

/// What is wrong with an expression, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// A name that is not declared.
    pub unknown: bool,
    pub at: Range<usize>,
    pub message: String,
    pub help: Option<String>,
}
