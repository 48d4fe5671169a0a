//! Policies: what a player has made up his mind to do.

use std::ops::Range;

use super::number::Condition;
use crate::terms::SectionNumber;

/// What a player does who follows it. What it does not say is left to him.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Its name.
    pub name: String,
    /// Taken when nobody says otherwise.
    pub is_default: bool,
    /// Its rules, in the order in which they are tried.
    pub rules: Vec<PolicyRule>,
}

/// A rule of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyRule {
    /// What it says.
    pub kind: PolicyKind,
    /// The section in which it holds; everywhere without one.
    pub section: Option<SectionNumber>,
    /// The event in which it holds.
    pub event: Option<usize>,
    /// When it holds.
    pub when: Condition,
    /// Where it stands in the file of its policy.
    pub span: Range<usize>,
}

/// What a rule of a policy says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicyKind {
    /// This answer is given.
    Always(String),
    /// This answer is not given where there is another.
    Never(String),
    /// The answer that leads to this section is given.
    Goto(SectionNumber),
    /// Each answer is equally likely.
    Random,
    /// The first answer that is listed is given.
    First,
    /// The last answer that is listed is given.
    Last,
}
