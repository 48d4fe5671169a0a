//! The words with which something at the head of a file can begin.

/// What a book with the rules of Lone Wolf says at its head.
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

/// What a system of rules says at its head.
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

/// What only a book says there, not a file of rules.
pub(super) const BOOK: [&str; 7] = ["book", "start", "goal", "edition", "kinder", "section", "stub"];

/// What only a file of rules says there.
pub(super) const SYSTEM: &str = "system";

/// Whether something at the head of a file, of whatever rules, can begin with this line.
pub(super) fn begins(line: &str) -> bool {
    let words = LONE_WOLF.iter().chain(&BOOK).chain(&DECLARES).chain([&SYSTEM]);
    // What can stand in a section as well may begin a line there.
    let mut words = words.filter(|word| !NODES.contains(word));
    words.any(|word| line.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '{'])))
}

/// What can stand in a section or a block.
pub(super) const NODES: [&str; 42] = [
    "draw", "goto", "if", "else-if", "else", "choice", "require", "death", "victory", "repeat", "again", "set",
    "clear", "raise", "let", "roll", "when", "test", "use", "fight", "enemy", "event", "resume", "gain", "lose",
    "take", "yes", "no", "after", "on", "local", "ally", "escape", "order", "full", "text", "todo", "lose-all",
    "give-up", "stop", "defeat", "plus",
];

/// What such a file says.
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
