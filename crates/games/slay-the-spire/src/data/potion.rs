//! The potions.

use std::fmt;
use std::str::FromStr;

use super::card::{Effect, Number};
use super::name::{self, UnknownName};
use super::power::Power;

/// What a potion does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drink {
    /// Damage to the target, which is not an attack.
    Damage(u8),
    /// Damage to all enemies, which is not an attack.
    DamageAll(u8),
    /// Block, unaffected by dexterity and Frail.
    Block(u8),
    /// Dexterity.
    Dexterity(u8),
    /// Dexterity until the end of the turn.
    DexterityThisTurn(u8),
    /// Heals this percentage of the maximum health.
    Heal(u8),
    /// The maximum health grows, and the health with it.
    MaxHealth(u8),
    /// All of the hand is upgraded.
    UpgradeHand,
    /// An effect that a card also has.
    As(Effect),
}

/// The data of a potion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PotionData {
    /// The name in arguments and files.
    pub name: &'static str,
    /// What it does.
    pub does: Drink,
}

const fn both(number: u8) -> Number {
    [number, number]
}

/// Every potion that is modelled.
pub const POTIONS: &[PotionData] = &[
    PotionData { name: "block", does: Drink::Block(12) },
    PotionData { name: "fire", does: Drink::Damage(20) },
    PotionData { name: "explosive", does: Drink::DamageAll(10) },
    PotionData { name: "strength", does: Drink::As(Effect::Strength(both(2))) },
    PotionData { name: "dexterity", does: Drink::Dexterity(2) },
    PotionData { name: "flex", does: Drink::As(Effect::StrengthThisTurn(both(5))) },
    PotionData { name: "speed", does: Drink::DexterityThisTurn(5) },
    PotionData { name: "energy", does: Drink::As(Effect::Energy(both(2))) },
    PotionData { name: "swift", does: Drink::As(Effect::Draw(both(3))) },
    PotionData { name: "fear", does: Drink::As(Effect::Vulnerable(both(3))) },
    PotionData { name: "weak", does: Drink::As(Effect::Weak(both(3))) },
    PotionData { name: "blood", does: Drink::Heal(20) },
    PotionData { name: "blessing-of-the-forge", does: Drink::UpgradeHand },
    PotionData { name: "ancient", does: Drink::As(Effect::Gain(Power::Artifact, both(1))) },
    PotionData { name: "regen", does: Drink::As(Effect::Gain(Power::Regeneration, both(5))) },
    PotionData { name: "essence-of-steel", does: Drink::As(Effect::Gain(Power::PlatedArmor, both(4))) },
    PotionData { name: "liquid-bronze", does: Drink::As(Effect::Gain(Power::Thorns, both(3))) },
    PotionData { name: "cultist", does: Drink::As(Effect::Gain(Power::Ritual, both(1))) },
    PotionData { name: "fruit-juice", does: Drink::MaxHealth(5) },
    PotionData { name: "heart-of-iron", does: Drink::As(Effect::Gain(Power::Metallicize, both(6))) },
];

/// Potions of the game that are not modelled, and why.
pub const LEFT_OUT: &[(&str, &str)] = &[
    ("attack", "it brings cards from outside"),
    ("skill", "it brings cards from outside"),
    ("power", "it brings cards from outside"),
    ("colorless", "it brings cards from outside"),
    ("duplication", "it plays a card twice"),
    ("distilled-chaos", "it plays cards of the draw pile at random targets"),
    ("elixir", "it exhausts any cards of the hand"),
    ("gamblers-brew", "it discards any cards of the hand"),
    ("liquid-memories", "it makes a card cost nothing for a turn"),
    ("fairy-in-a-bottle", "it undoes death"),
    ("smoke-bomb", "it leaves the fight"),
    ("ghost-in-a-jar", "it limits damage to 1"),
    ("snecko-oil", "it makes costs random"),
    ("entropic-brew", "it brings potions from outside"),
];

/// A potion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Potion(u8);

impl Potion {
    /// Every potion.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..).take(POTIONS.len()).map(Self)
    }

    /// Its data.
    pub fn data(self) -> &'static PotionData {
        &POTIONS[usize::from(self.0)]
    }

    /// Whether it is thrown at one enemy.
    pub fn is_targeted(self) -> bool {
        matches!(self.data().does, Drink::Damage(_) | Drink::As(Effect::Vulnerable(_) | Effect::Weak(_)))
    }
}

impl fmt::Display for Potion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.data().name)
    }
}

impl FromStr for Potion {
    type Err = UnknownName;

    /// The word potion may follow: `fear` and `fear potion` are the same.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let normal = name::normal(text);
        let name = normal.strip_suffix("-potion").unwrap_or(&normal);
        if let Some((left_out, why)) = LEFT_OUT.iter().find(|(left_out, _)| *left_out == name) {
            return Err(UnknownName::left_out("potion", left_out, why));
        }
        let found = Self::all().find(|potion| potion.data().name == name);
        found.ok_or_else(|| UnknownName::new("potion", name, POTIONS.iter().map(|data| data.name)))
    }
}
