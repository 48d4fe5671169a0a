//! The words with which something at the head of a file can begin.

use kdl::KdlNode;

use super::steps::NODES;
use super::{Reader, kai};
use crate::entries::{name_span, shown_name};
use crate::problem::did_you_mean;

/// What a book with the rules of Lone Wolf says at its head.
pub(super) const LONE_WOLF: [&str; 14] = [
    "book",
    "start",
    "goal",
    "hero",
    "items",
    "flags",
    "counter",
    "reading",
    "policy",
    "kinder",
    "combat-table",
    "on-enter",
    "section",
    "stub",
];
/// What a system of rules says at its head.
pub(super) const DECLARES: [&str; 18] = [
    "stat",
    "counter",
    "flags",
    "item",
    "container",
    "test",
    "define",
    "enemy-stat",
    "fight-system",
    "action",
    "on-enter",
    "on-leave",
    "on-death",
    "before-fight",
    "after-fight",
    "reading",
    "policy",
    "hero",
];
/// What only a book says there, not a file of rules.
pub(super) const BOOK: [&str; 6] = ["book", "start", "goal", "kinder", "section", "stub"];

/// What only a file of rules says there.
pub(super) const SYSTEM: &str = "system";

impl Reader<'_> {
    /// Nodes that mean nothing at the head of a file.
    pub(super) fn heads(&mut self, nodes: &[KdlNode], known: &[&str], what: &str) {
        for node in nodes {
            if self.problems.is_full() {
                break;
            }
            let name = node.name().value();
            if !known.contains(&name) {
                let help = if known.contains(&SYSTEM) && !known.contains(&name) && kai::HEADS.contains(&name) {
                    "a file that says how its rules differ from Lone Wolf's begins `system \"my-kai\" format=1 \
                     like=\"lone-wolf\"`"
                        .into()
                } else {
                    did_you_mean(name, known.iter().copied())
                        .unwrap_or_else(|| format!("{what} has {}", known.join(", ")))
                };
                self.error(
                    name_span(node),
                    format!("`{}` means nothing at the head of {what}", shown_name(name)),
                    help,
                );
            }
        }
    }
}

/// Whether something at the head of a file, of whatever rules, can begin with this line.
pub(super) fn begins(line: &str) -> bool {
    let words = LONE_WOLF.iter().chain(&BOOK).chain(&DECLARES).chain([&SYSTEM]);
    // What can stand in a section as well may begin a line there.
    let mut words = words.filter(|word| !NODES.contains(word));
    words.any(|word| line.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '{'])))
}
