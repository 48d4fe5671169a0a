//! Policies: decisions that a player has made in advance.

use std::ops::Range;

use super::number::Condition;
use crate::terms::SectionNumber;

/// A policy. What it leaves open is up to the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Its name.
    pub name: String,
    /// Whether it is followed by default.
    pub is_default: bool,
    /// Its rules, in the order in which they are tried.
    pub rules: Vec<PolicyRule>,
}

/// A rule of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyRule {
    /// Its effect.
    pub kind: PolicyKind,
    /// The section in which it applies; `None` for everywhere.
    pub section: Option<SectionNumber>,
    /// The event in which it applies.
    pub event: Option<usize>,
    /// The condition under which it applies.
    pub when: Condition,
    /// Its span in the file of the policy.
    pub span: Range<usize>,
}

/// The effect of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicyKind {
    /// Gives this answer.
    Always(String),
    /// Never gives this answer if there is another.
    Never(String),
    /// Gives the answer that leads to this section.
    Goto(SectionNumber),
    /// Gives each answer with equal probability.
    Random,
    /// Gives the first answer.
    First,
    /// Gives the last answer.
    Last,
}
