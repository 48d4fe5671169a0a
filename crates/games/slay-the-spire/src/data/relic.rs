//! The relics.

use std::fmt;
use std::str::FromStr;

use super::name::{self, UnknownName};

macro_rules! relics {
    ($($(#[$doc:meta])* $relic:ident $name:literal;)*) => {
        /// A relic.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Relic { $($(#[$doc])* $relic,)* }

        impl Relic {
            /// Every relic that is modelled, with its name.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$relic, $name),)*];
        }
    };
}

relics! {
    /// The first attack of the fight does 8 more with every hit.
    Akabeko "akabeko";
    /// 10 block in turn 1.
    Anchor "anchor";
    /// 2 energy in turn 1. (In the game only in the first fight after a rest.)
    AncientTeaSet "ancient-tea-set";
    /// A turn without an attack: 1 energy in the next.
    ArtOfWar "art-of-war";
    /// 1 Vulnerable on every enemy at the start.
    BagOfMarbles "bag-of-marbles";
    /// 2 more cards in turn 1.
    BagOfPreparation "bag-of-preparation";
    /// 2 health at the start.
    BloodVial "blood-vial";
    /// Thorns 3.
    BronzeScales "bronze-scales";
    /// 6 health after the fight.
    BurningBlood "burning-blood";
    /// The first loss of health of the fight draws 3 cards.
    CentennialPuzzle "centennial-puzzle";
    /// 1 strength for each curse of the deck.
    DuVuDoll "du-vu-doll";
    /// 1 energy and a card for each enemy that dies while others live.
    GremlinHorn "gremlin-horn";
    /// Every third turn 1 energy; counted from the start of the fight.
    HappyFlower "happy-flower";
    /// 14 block in turn 2.
    HornCleat "horn-cleat";
    /// A card for every tenth card that is played; counted from the start of the fight.
    InkBottle "ink-bottle";
    /// 1 dexterity for every third attack of a turn.
    Kunai "kunai";
    /// 1 energy in turn 1.
    Lantern "lantern";
    /// 5 damage to all enemies for every third skill of a turn.
    LetterOpener "letter-opener";
    /// 12 health after the fight if at most half is left.
    MeatOnTheBone "meat-on-the-bone";
    /// 3 damage to all enemies at the start of every turn.
    MercuryHourglass "mercury-hourglass";
    /// 1 energy for every tenth attack; counted from the start of the fight.
    Nunchaku "nunchaku";
    /// Vulnerable adds a quarter to attacks on the player, not a half.
    OddMushroom "odd-mushroom";
    /// 1 dexterity.
    OddlySmoothStone "oddly-smooth-stone";
    /// 6 block at the end of a turn without block.
    Orichalcum "orichalcum";
    /// 4 block for every third attack of a turn.
    OrnamentalFan "ornamental-fan";
    /// Vulnerable adds three quarters to attacks on enemies, not a half.
    PaperPhrog "paper-phrog";
    /// Every tenth attack is double; counted from the start of the fight.
    PenNib "pen-nib";
    /// Elites have a quarter less health.
    PreservedInsect "preserved-insect";
    /// 3 strength at no more than half of the maximum health.
    RedSkull "red-skull";
    /// 3 block next turn for each loss of health.
    SelfFormingClay "self-forming-clay";
    /// 1 strength for every third attack of a turn.
    Shuriken "shuriken";
    /// Strikes do 3 more.
    StrikeDummy "strike-dummy";
    /// Attacks that would take 1 to 4 health take 5.
    TheBoot "the-boot";
    /// 5 health for every potion.
    ToyOrnithopter "toy-ornithopter";
    /// 1 strength.
    Vajra "vajra";
}

/// Relics of the game that are not modelled, and why; relics without effect in fights are not listed.
pub const LEFT_OUT: &[(&str, &str)] = &[
    ("sundial", "it counts shuffles"),
    ("calipers", "it keeps a part of the block"),
    ("ice-cream", "it keeps energy"),
    ("lizard-tail", "it undoes death"),
];

impl fmt::Display for Relic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Self::ALL[*self as usize].1)
    }
}

impl FromStr for Relic {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let name = name::normal(text);
        if let Some((left_out, why)) = LEFT_OUT.iter().find(|(left_out, _)| *left_out == name) {
            return Err(UnknownName::left_out("relic", left_out, why));
        }
        let found = Self::ALL.iter().find(|(_, known)| *known == name);
        let names = Self::ALL.iter().map(|(_, known)| *known);
        found.map(|(relic, _)| *relic).ok_or_else(|| UnknownName::new("relic", &name, names))
    }
}

/// A set of relics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Relics(u64);

impl Relics {
    /// Whether the relic is in it.
    pub fn has(self, relic: Relic) -> bool {
        self.0 >> relic as u8 & 1 == 1
    }

    /// The set with one more.
    #[must_use]
    pub fn with(self, relic: Relic) -> Self {
        Self(self.0 | 1 << relic as u8)
    }

    /// The set without one.
    #[must_use]
    pub fn without(self, relic: Relic) -> Self {
        Self(self.0 & !(1 << relic as u8))
    }

    /// Every relic of the set.
    pub fn iter(self) -> impl Iterator<Item = Relic> {
        Relic::ALL.iter().map(|(relic, _)| *relic).filter(move |relic| self.has(*relic))
    }
}

impl FromIterator<Relic> for Relics {
    fn from_iter<I: IntoIterator<Item = Relic>>(relics: I) -> Self {
        relics.into_iter().fold(Self::default(), Self::with)
    }
}
