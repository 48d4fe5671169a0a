//! The words that can begin a node at the top level.

/// The top-level nodes of a Lone Wolf book.
pub(super) const LONE_WOLF: [&str; 15] = [
    "book",
    "start",
    "goal",
    "hero",
    "items",
    "flags",
    "counter",
    "reading",
    "edition",
    "policy",
    "kinder",
    "combat-table",
    "on-enter",
    "section",
    "stub",
];

/// The top-level nodes of a system of rules.
pub(super) const DECLARES: [&str; 27] = [
    "stat",
    "counter",
    "flags",
    "item",
    "items",
    "item-stat",
    "kind",
    "container",
    "skill",
    "circle",
    "learns",
    "ranks",
    "table",
    "value",
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

/// The top-level nodes of a book only.
pub(super) const BOOK: [&str; 7] = ["book", "start", "goal", "edition", "kinder", "section", "stub"];

/// The top-level node of a file of rules only.
pub(super) const SYSTEM: &str = "system";

/// Whether a top-level node can begin with this line, under any rules.
pub(super) fn begins(line: &str) -> bool {
    let words = LONE_WOLF.iter().chain(&BOOK).chain(&DECLARES).chain([&SYSTEM]);
    // Words that can also occur in a section are excluded.
    let mut words = words.filter(|word| !NODES.contains(word));
    words.any(|word| line.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '{'])))
}

/// The nodes of a section or a block.
pub(super) const NODES: [&str; 42] = [
    "draw", "goto", "if", "else-if", "else", "choice", "require", "death", "victory", "repeat", "again", "set",
    "clear", "raise", "let", "roll", "when", "test", "use", "fight", "enemy", "event", "resume", "gain", "lose",
    "take", "yes", "no", "after", "on", "local", "ally", "escape", "order", "full", "text", "todo", "lose-all",
    "give-up", "stop", "defeat", "plus",
];

/// The nodes of a file of Lone Wolf's parameters.
pub(super) const KAI: [&str; 12] = [
    "system",
    "combat-skill",
    "endurance",
    "learns",
    "gold",
    "weapons",
    "backpack",
    "hunger",
    "unarmed",
    "discipline",
    "ranks",
    "combat-table",
];
