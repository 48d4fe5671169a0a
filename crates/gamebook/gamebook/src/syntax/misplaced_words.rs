//! Suggestions for words in the wrong place.

/// A word in a section under a system of rules.
pub(super) fn in_systems(word: &str) -> Option<String> {
    Some(match word {
        "when" => "it stands in the braces of a roll: `roll 2d6 as=r { when 2 6 { ... }; else { ... }; }`".into(),
        "yes" | "no" => "it stands in the braces of a test: `test lucky { yes { ... }; no { ... }; }`".into(),
        "after" => "it stands in the braces of a `test` at the head of the file".into(),
        "enemy" | "local" | "on" | "ally" | "escape" | "order" | "before-round" | "end-of-round" | "defeat" => {
            "it stands in the braces of a `fight`".into()
        }
        "plus" => "it stands in the braces of a roll: `roll d10 { plus 2 if=\"hunting\"; ... }`".into(),
        "round" | "others" | "on-escape" | "wield" => "it stands in the braces of the `fight-system`".into(),
        "full" | "half" => "write what comes back: `stamina full`".into(),
        "elif" | "elseif" | "elsif" => "write `else-if \"condition\" { ... }`".into(),
        "pick" => "that is Lone Wolf's: write `roll d10 { ... }`".into(),
        "endurance" => "that is Lone Wolf's: declare `stat endurance vital=#true`".into(),
        "eat" | "shop" | "one-round" => {
            format!("that is Lone Wolf's: say what it does by `define {word} {{ ... }}` at the head, `use {word}` here")
        }
        _ => return None,
    })
}

/// A word in a section of a Lone Wolf book.
pub(super) fn in_lone_wolf(word: &str) -> Option<String> {
    Some(match word {
        "elif" | "elseif" | "elsif" => "write `else-if \"condition\" { ... }`".into(),
        "roll" => "numbers are picked: `pick { when 0 4 { ... }; else { ... }; }`".into(),
        "bonus" | "mock" | "defeat" | "stop" | "mindforce" | "double-damage" => {
            "it stands in the braces of a `fight`".into()
        }
        "let" | "test" | "use" | "draw" | "event" | "raise" | "resume" => {
            "only books with a system of rules of their own say this: see docs/systems.md".into()
        }
        _ => return None,
    })
}
