//! Tests of the mechanics that our language has no word for, in labels of our own.

use crate::xml::Element;

/// The longest value in a message, in characters.
const MOST: usize = 60;

/// Which test it is: `a test of the discipline divination`.
pub(super) fn test_named(rule: &Element) -> String {
    let parts: Vec<String> =
        rule.attributes().filter(|(name, _)| *name != "not").map(|(name, value)| asked(name, value)).collect();
    if parts.is_empty() { "a test that asks for nothing".into() } else { format!("a test of {}", parts.join(" or ")) }
}

fn asked(attribute: &str, value: &str) -> String {
    let value: String = value.chars().take(MOST).collect();
    let either = |of: &dyn Fn(&str) -> String| value.split('|').map(of).collect::<Vec<_>>().join(" or ");
    match attribute {
        "hasDiscipline" => format!("the discipline {}", either(&|id| discipline(id).into())),
        "hasCircle" => format!("the lore-circle {}", either(&|id| id.trim_start_matches("circle").to_lowercase())),
        "hasWeaponskillWith" => format!("Weaponskill or Weaponmastery in {}", either(&|id| id.into())),
        "hasWeaponType" => format!("a weapon of the kind {}", either(&|id| id.into())),
        "currentWeapon" | "hasCurrentWeapon" => format!("the weapon in hand ({})", either(&|id| id.into())),
        "canUseBow" => "a bow with arrows".into(),
        "hasObject" => format!("the item {}", either(&|id| id.into())),
        "objectOnSection" | "pickedSomethingOnSection" | "soldSomethingOnSection" => {
            format!("what lies here or was taken ({attribute} {value})")
        }
        "sectionVisited" => format!("sections that were visited ({value})"),
        "combatsWon" | "combatsActive" => format!("how a fight stands ({attribute} {value})"),
        "expression" => format!("a number ({value})"),
        other => format!("`{} {value}`", other.chars().take(MOST).collect::<String>()),
    }
}

/// The name of a discipline by its short one.
fn discipline(id: &str) -> &str {
    match id {
        "wpnmstry" => "Weaponmastery",
        "anmlctrl" => "Animal Control",
        "curing" => "Curing",
        "invsblty" => "Invisibility",
        "hntmstry" => "Huntmastery",
        "pthmnshp" => "Pathsmanship",
        "psisurge" => "Psi-surge",
        "psiscrn" => "Psi-screen",
        "nexus" => "Nexus",
        "dvnation" => "Divination",
        own => own,
    }
}
