//! Knots and stitches, what stands in them, and where diverts lead.

use std::collections::{BTreeMap, BTreeSet};

use crate::story::LONGEST_PASSAGE;

/// What stands in a knot.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// A line that is said or done.
    Line {
        line: usize,
        text: String,
    },
    /// A block in braces over several lines, without its braces.
    Block {
        line: usize,
        text: String,
    },
    /// What is not read.
    Todo {
        line: usize,
        what: String,
    },
    Choice {
        line: usize,
        depth: usize,
        once: bool,
        label: Option<String>,
        text: String,
    },
    Gather {
        depth: usize,
        label: Option<String>,
    },
}

impl Item {
    /// The name by which a divert can lead to it.
    pub(super) fn label(&self) -> Option<&str> {
        match self {
            Self::Choice { label, .. } | Self::Gather { label, .. } => label.as_deref(),
            _ => None,
        }
    }
}

/// A knot or stitch: what stands in it.
#[derive(Debug)]
pub(super) struct Knot {
    /// `knot`, or `knot.stitch`.
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) items: Vec<Item>,
    pub(super) is_function: bool,
    /// Where play goes on that comes into it: its first stitch, where it says nothing itself.
    pub(super) into: Option<String>,
}

/// Where a divert can lead.
#[derive(Debug, Default)]
pub(super) struct Targets {
    names: BTreeSet<String>,
    /// All of them that end so.
    by_last: BTreeMap<String, Vec<String>>,
}

impl Targets {
    pub(super) fn add(&mut self, knot: &Knot) {
        let labels = knot.items.iter().filter_map(|item| item.label().map(|label| format!("{}.{label}", knot.name)));
        for name in std::iter::once(knot.name.clone()).chain(labels) {
            let last = name.rsplit('.').next().unwrap_or(&name).to_string();
            self.by_last.entry(last).or_default().push(name.clone());
            self.names.insert(name);
        }
    }

    /// The passage that a name means in a knot or stitch, where it can mean one only: a name by itself is that of a knot, or
    /// of something in the same knot.
    pub(super) fn find(&self, name: &str, within: &str) -> Option<String> {
        let knot = |own: &str| own.split('.').next().unwrap_or(own).to_string();
        let outer = knot(within);
        if name.contains('.') {
            let mut found =
                [format!("{outer}.{name}"), name.to_string()].into_iter().filter(|own| self.names.contains(own));
            return found.next().filter(|_| found.next().is_none());
        }
        let is_seen = |own: &&String| own.as_str() == name || knot(own) == outer;
        let mut found = self.by_last.get(name).into_iter().flatten().filter(is_seen);
        found.next().filter(|_| found.next().is_none()).cloned()
    }
}

/// What begins the name of a variable that notes that a choice was taken.
pub(super) const TAKEN: &str = "taken ";

/// A passage that may not be longer than others.
pub(super) fn is_short(text: &str) -> bool {
    text.len() <= LONGEST_PASSAGE
}
