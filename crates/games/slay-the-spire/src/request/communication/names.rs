//! What `CommunicationMod` calls cards, powers and relics.

use crate::data::card::Card;
use crate::data::relic::Relic;

/// Relics of the game that change nothing between the first play of a fight and its end.
const WITHOUT_EFFECT: &[&str] = &[
    "Astrolabe",
    "Black Star",
    "Bottled Flame",
    "Bottled Lightning",
    "Bottled Tornado",
    "Calling Bell",
    "Cauldron",
    "Ceramic Fish",
    "Circlet",
    "ClockworkSouvenir",
    "CultistMask",
    "Darkstone Periapt",
    "DollysMirror",
    "Dream Catcher",
    "Empty Cage",
    "Enchiridion",
    "Eternal Feather",
    "FaceOfCleric",
    "Frozen Egg 2",
    "Girya",
    "Golden Idol",
    "GremlinMask",
    "Juzu Bracelet",
    "Lee's Waffle",
    "Mango",
    "Matryoshka",
    "MawBank",
    "MealTicket",
    "Membership Card",
    "Molten Egg 2",
    "MutagenicStrength",
    "NeowsBlessing",
    "NlothsMask",
    "Old Coin",
    "Omamori",
    "Orrery",
    "Pandora's Box",
    "Peace Pipe",
    "Pear",
    "Potion Belt",
    "Prayer Wheel",
    "PrismaticShard",
    "Question Card",
    "Red Mask",
    "Regal Pillow",
    "Shovel",
    "Singing Bowl",
    "Sling",
    "SmilingMask",
    "Spirit Poop",
    "SsserpentHead",
    "Strawberry",
    "The Courier",
    "Thread and Needle",
    "Tiny Chest",
    "Tiny House",
    "Toxic Egg 2",
    "War Paint",
    "Whetstone",
    "White Beast Statue",
    "WingedGreaves",
];

/// Whether a relic changes nothing between the first play of a fight and its end. Versions of the game write identifiers with
/// and without blanks.
pub(in crate::request) fn is_without_effect(id: &str) -> bool {
    WITHOUT_EFFECT.iter().any(|known| letters(known) == letters(id))
}

/// Those of them that act when a fight begins, or when it ends.
const AT_THE_START: &[&str] = &[
    "Bottled Flame",
    "Bottled Lightning",
    "Bottled Tornado",
    "ClockworkSouvenir",
    "Enchiridion",
    "FaceOfCleric",
    "Girya",
    "GremlinMask",
    "MutagenicStrength",
    "NeowsBlessing",
    "Red Mask",
    "Sling",
    "Thread and Needle",
];

/// Whether a relic acts when a fight begins or when it ends, though not within it.
pub(in crate::request) fn acts_at_the_start(id: &str) -> bool {
    AT_THE_START.iter().any(|known| letters(known) == letters(id))
}

/// A name without blanks and signs, in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase()
}

/// The relic with this identifier or name, if it is modelled.
pub(in crate::request) fn relic(id: &str) -> Option<Relic> {
    let own = match letters(id).as_str() {
        "boot" => "theboot".to_owned(),
        "paperfrog" => "paperphrog".into(),
        other => other.to_owned(),
    };
    Relic::ALL.iter().find(|(_, name)| letters(name) == own).map(|(relic, _)| *relic)
}

/// What a power of the player is in a position.
pub(super) enum PowerName {
    Strength,
    Dexterity,
    /// The damage that Akabeko adds to the first attack.
    Vigor,
    /// So much of a power.
    Amount(&'static str),
    /// A power that is there or not.
    On(&'static str),
    /// Its cost in health is a number of its own.
    Combust,
    /// What it shows follows from something else.
    Ignored,
}

/// The player's power with this identifier, if it is modelled.
pub(super) fn player_power(id: &str) -> Option<PowerName> {
    use PowerName::{Amount, Combust, Dexterity, Ignored, On, Strength, Vigor};
    Some(match id {
        "Strength" => Strength,
        "Dexterity" => Dexterity,
        "Vigor" => Vigor,
        "Combust" => Combust,
        // The relic's counter says it.
        "Pen Nib" => Ignored,
        "Vulnerable" => Amount("vulnerable"),
        "Weakened" => Amount("weak"),
        "Frail" => Amount("frail"),
        "Flex" => Amount("strength-to-be-lost"),
        "DexLoss" => Amount("dexterity-to-be-lost"),
        "Artifact" => Amount("artifact"),
        "Metallicize" => Amount("metallicize"),
        "Plated Armor" => Amount("plated-armor"),
        "Thorns" => Amount("thorns"),
        "Flame Barrier" => Amount("flame-barrier"),
        "Ritual" => Amount("ritual"),
        "Regeneration" => Amount("regeneration"),
        "Dark Embrace" => Amount("dark-embrace"),
        "Evolve" => Amount("evolve"),
        "Feel No Pain" => Amount("feel-no-pain"),
        "Fire Breathing" => Amount("fire-breathing"),
        "Rage" => Amount("rage"),
        "Rupture" => Amount("rupture"),
        "Berserk" => Amount("berserk"),
        "Brutality" => Amount("brutality"),
        "Demon Form" => Amount("demon-form"),
        "Double Tap" => Amount("double-tap"),
        "Juggernaut" => Amount("juggernaut"),
        "Energized" | "EnergizedBlue" => Amount("energy-next-turn"),
        "Next Turn Block" => Amount("block-next-turn"),
        "Draw Card" => Amount("cards-next-turn"),
        "Entangled" => On("entangled"),
        "No Draw" => On("no-draw"),
        "Barricade" => On("barricade"),
        "Corruption" => On("corruption"),
        _ => return None,
    })
}

/// The card with this identifier and name.
pub(in crate::request) fn card(id: &str, name: Option<&str>, upgrades: u8) -> Result<Card, String> {
    let plus = if upgrades > 0 { "+" } else { "" };
    let plain = |text: &str| {
        let text = text.trim_end_matches(|c: char| c == '+' || c.is_ascii_digit());
        format!("{}{plus}", text.strip_suffix("_R").unwrap_or(text))
    };
    let shown = name.unwrap_or(id).escape_debug().to_string();
    if upgrades > 1 {
        return Err(format!("the card {shown}, upgraded {upgrades} times"));
    }
    let found = [Some(id), name].into_iter().flatten().find_map(|text| plain(text).parse::<Card>().ok());
    // Some identifiers have no blanks.
    let alike = || {
        Card::all().find(|card| letters(card.data().name) == letters(id) && card.to_string() == plain(card.data().name))
    };
    found.or_else(alike).ok_or_else(|| format!("the card {shown}"))
}
