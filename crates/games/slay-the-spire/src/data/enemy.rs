//! The enemies of Act 1: health and moves by ascension, as data. Which move follows which stands in
//! [`next_moves`](super::moves).

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::name::{self, UnknownName};

/// A number that grows with the ascension: pairs of an ascension and the number from there on.
pub type Steps = &'static [(u8, u8)];

/// The same for healths.
pub type Healths = &'static [(u8, u16)];

/// The value at this ascension.
pub(crate) fn at<T: Copy + Default>(steps: &[(u8, T)], ascension: u8) -> T {
    steps.iter().rev().find(|(from, _)| *from <= ascension).map(|(_, value)| *value).unwrap_or_default()
}

/// What a move does, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// An attack: (damage, times).
    Hit(Steps, u8),
    /// An attack with the strength of this louse's bite.
    Bite,
    /// Block.
    Block(Steps),
    /// Strength.
    Strength(Steps),
    /// Weak on the player.
    Weak(Steps),
    /// Frail on the player.
    Frail(Steps),
    /// Vulnerable on the player.
    Vulnerable(Steps),
    /// The player loses this much dexterity and strength.
    Siphon(Steps),
    /// No attacks in the player's next turn.
    Entangle,
    /// Copies of a card come to the discard pile.
    Create(&'static str, Steps),
    /// Strength at the end of each later round.
    Ritual,
    /// From now on strength for each skill that is played.
    Enrage,
    /// Block for a random other enemy; for itself when alone.
    Protect(Steps),
    /// One more turn asleep.
    Sleep,
    /// It is gone.
    Escape,
    /// Two smaller ones replace it, from the left.
    Split(Kind, Kind),
    /// It measures the player's health, which determines the strength of its next attack.
    Measure,
    /// Six hits, with the measured strength.
    Divide,
    /// Burns come to the discard pile, upgraded ones once the fire has grown.
    Burn(Steps),
    /// The fire grows: all Burns of the piles are upgraded, and three upgraded ones come to the discard pile.
    Inferno,
    /// It closes: attacking it hurts the player.
    Close,
    /// It opens again, and shifts later than the last time.
    Open,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveData {
    /// The name in files.
    pub name: &'static str,
    /// What it does.
    pub acts: &'static [Act],
}

impl MoveData {
    /// Whether the player sees that an attack is intended.
    pub fn is_attack(&self) -> bool {
        self.acts.iter().any(|act| matches!(act, Act::Hit(..) | Act::Bite | Act::Divide))
    }

    /// Whether the enemy splits.
    pub(crate) fn is_split(&self) -> bool {
        matches!(self.acts, [Act::Split(..)])
    }
}

/// The data of an enemy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnemyData {
    /// The name in arguments and files.
    pub name: &'static str,
    /// The lowest health.
    pub lowest: Healths,
    /// The highest health.
    pub highest: Healths,
    /// The lowest and highest Curl Up; empty except for louses.
    pub curl_up: [Steps; 2],
    /// Its moves.
    pub moves: &'static [MoveData],
}

const fn quick(name: &'static str, acts: &'static [Act]) -> MoveData {
    MoveData { name, acts }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $data:expr;)*) => {
        /// A kind of enemy.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Kind { $($(#[$doc])* $kind,)* }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];
        }

        const DATA: &[EnemyData] = &[$($data,)*];
    };
}

use Act as A;

const fn enemy(name: &'static str, lowest: Healths, highest: Healths, moves: &'static [MoveData]) -> EnemyData {
    EnemyData { name, lowest, highest, curl_up: [&[], &[]], moves }
}

/// Moves that Hexaghost makes more than once in its cycle of seven.
const SEAR: &[Act] = &[A::Hit(&[(0, 6)], 1), A::Burn(&[(0, 1), (19, 2)])];
const TACKLE: &[Act] = &[A::Hit(&[(0, 5), (4, 6)], 2)];

const LOUSE_CURLS: [Steps; 2] = [&[(0, 3), (7, 4), (17, 9)], &[(0, 7), (7, 8), (17, 12)]];

kinds! {
    /// Cultist.
    Cultist enemy("cultist", &[(0, 48), (7, 50)], &[(0, 54), (7, 56)], &[
        quick("incantation", &[A::Ritual]),
        quick("dark-strike", &[A::Hit(&[(0, 6)], 1)]),
    ]);
    /// Jaw Worm.
    JawWorm enemy("jaw-worm", &[(0, 40), (7, 42)], &[(0, 44), (7, 46)], &[
        quick("chomp", &[A::Hit(&[(0, 11), (2, 12)], 1)]),
        quick("thrash", &[A::Hit(&[(0, 7)], 1), A::Block(&[(0, 5)])]),
        quick("bellow", &[A::Strength(&[(0, 3), (2, 4), (17, 5)]), A::Block(&[(0, 6), (17, 9)])]),
    ]);
    /// Red Louse.
    RedLouse EnemyData { curl_up: LOUSE_CURLS, ..enemy("red-louse", &[(0, 10), (7, 11)], &[(0, 15), (7, 16)], &[
        quick("bite", &[A::Bite]),
        quick("grow", &[A::Strength(&[(0, 3), (17, 4)])]),
    ]) };
    /// Green Louse.
    GreenLouse EnemyData { curl_up: LOUSE_CURLS, ..enemy("green-louse", &[(0, 11), (7, 12)], &[(0, 17), (7, 18)], &[
        quick("bite", &[A::Bite]),
        quick("spit-web", &[A::Weak(&[(0, 2)])]),
    ]) };
    /// Acid Slime, small.
    AcidSlimeS enemy("acid-slime-s", &[(0, 8), (7, 9)], &[(0, 12), (7, 13)], &[
        quick("tackle", &[A::Hit(&[(0, 3), (2, 4)], 1)]),
        quick("lick", &[A::Weak(&[(0, 1)])]),
    ]);
    /// Spike Slime, small.
    SpikeSlimeS enemy("spike-slime-s", &[(0, 10), (7, 11)], &[(0, 14), (7, 15)], &[
        quick("tackle", &[A::Hit(&[(0, 5), (2, 6)], 1)]),
    ]);
    /// Acid Slime, medium.
    AcidSlimeM enemy("acid-slime-m", &[(0, 28), (7, 29)], &[(0, 32), (7, 34)], &[
        quick("corrosive-spit", &[A::Hit(&[(0, 7), (2, 8)], 1), A::Create("slimed", &[(0, 1)])]),
        quick("tackle", &[A::Hit(&[(0, 10), (2, 12)], 1)]),
        quick("lick", &[A::Weak(&[(0, 1)])]),
    ]);
    /// Spike Slime, medium.
    SpikeSlimeM enemy("spike-slime-m", &[(0, 28), (7, 29)], &[(0, 32), (7, 34)], &[
        quick("flame-tackle", &[A::Hit(&[(0, 8), (2, 10)], 1), A::Create("slimed", &[(0, 1)])]),
        quick("lick", &[A::Frail(&[(0, 1)])]),
    ]);
    /// Acid Slime, large.
    AcidSlimeL enemy("acid-slime-l", &[(0, 65), (7, 68)], &[(0, 69), (7, 72)], &[
        quick("corrosive-spit", &[A::Hit(&[(0, 11), (2, 12)], 1), A::Create("slimed", &[(0, 2)])]),
        quick("tackle", &[A::Hit(&[(0, 16), (2, 18)], 1)]),
        quick("lick", &[A::Weak(&[(0, 2)])]),
        quick("split", &[A::Split(Kind::AcidSlimeM, Kind::AcidSlimeM)]),
    ]);
    /// Spike Slime, large.
    SpikeSlimeL enemy("spike-slime-l", &[(0, 64), (7, 67)], &[(0, 70), (7, 73)], &[
        quick("flame-tackle", &[A::Hit(&[(0, 16), (2, 18)], 1), A::Create("slimed", &[(0, 2)])]),
        quick("lick", &[A::Frail(&[(0, 2), (17, 3)])]),
        quick("split", &[A::Split(Kind::SpikeSlimeM, Kind::SpikeSlimeM)]),
    ]);
    /// Blue Slaver.
    BlueSlaver enemy("blue-slaver", &[(0, 46), (7, 48)], &[(0, 50), (7, 52)], &[
        quick("stab", &[A::Hit(&[(0, 12), (2, 13)], 1)]),
        quick("rake", &[A::Hit(&[(0, 7), (2, 8)], 1), A::Weak(&[(0, 1), (17, 2)])]),
    ]);
    /// Red Slaver.
    RedSlaver enemy("red-slaver", &[(0, 46), (7, 48)], &[(0, 50), (7, 52)], &[
        quick("stab", &[A::Hit(&[(0, 13), (2, 14)], 1)]),
        quick("scrape", &[A::Hit(&[(0, 8), (2, 9)], 1), A::Vulnerable(&[(0, 1), (17, 2)])]),
        quick("entangle", &[A::Entangle]),
    ]);
    /// Looter. Its gold has no value here.
    Looter enemy("looter", &[(0, 44), (7, 46)], &[(0, 48), (7, 50)], &[
        quick("mug-(first)", &[A::Hit(&[(0, 10), (2, 11)], 1)]),
        quick("mug-(second)", &[A::Hit(&[(0, 10), (2, 11)], 1)]),
        quick("lunge", &[A::Hit(&[(0, 12), (2, 14)], 1)]),
        quick("smoke-bomb", &[A::Block(&[(0, 6)])]),
        quick("escape", &[A::Escape]),
    ]);
    /// Fungi Beast.
    FungiBeast enemy("fungi-beast", &[(0, 22), (7, 24)], &[(0, 28)], &[
        quick("bite", &[A::Hit(&[(0, 6)], 1)]),
        quick("grow", &[A::Strength(&[(0, 3), (2, 4), (17, 5)])]),
    ]);
    /// Mad Gremlin.
    MadGremlin enemy("mad-gremlin", &[(0, 20), (7, 21)], &[(0, 24), (7, 25)], &[
        quick("scratch", &[A::Hit(&[(0, 4), (2, 5)], 1)]),
    ]);
    /// Sneaky Gremlin.
    SneakyGremlin enemy("sneaky-gremlin", &[(0, 10), (7, 11)], &[(0, 14), (7, 15)], &[
        quick("puncture", &[A::Hit(&[(0, 9), (2, 10)], 1)]),
    ]);
    /// Fat Gremlin.
    FatGremlin enemy("fat-gremlin", &[(0, 13), (7, 14)], &[(0, 17), (7, 18)], &[
        quick("smash", &[A::Hit(&[(0, 4), (2, 5)], 1), A::Weak(&[(0, 1)]), A::Frail(&[(0, 0), (17, 1)])]),
    ]);
    /// Shield Gremlin.
    ShieldGremlin enemy("shield-gremlin", &[(0, 12), (7, 13)], &[(0, 15), (7, 17)], &[
        quick("protect", &[A::Protect(&[(0, 7), (7, 8), (17, 11)])]),
        quick("shield-bash", &[A::Hit(&[(0, 6), (2, 8)], 1)]),
    ]);
    /// Gremlin Wizard.
    GremlinWizard enemy("gremlin-wizard", &[(0, 21), (7, 22)], &[(0, 25), (7, 26)], &[
        quick("charging", &[]),
        quick("ultimate-blast", &[A::Hit(&[(0, 25), (2, 30)], 1)]),
    ]);
    /// Gremlin Nob.
    GremlinNob enemy("gremlin-nob", &[(0, 82), (8, 85)], &[(0, 86), (8, 90)], &[
        quick("bellow", &[A::Enrage]),
        quick("rush", &[A::Hit(&[(0, 14), (3, 16)], 1)]),
        quick("skull-bash", &[A::Hit(&[(0, 6), (3, 8)], 1), A::Vulnerable(&[(0, 2)])]),
    ]);
    /// Lagavulin, asleep at first.
    Lagavulin enemy("lagavulin", &[(0, 109), (8, 112)], &[(0, 111), (8, 115)], &[
        quick("sleep", &[A::Sleep]),
        quick("stunned", &[]),
        quick("attack", &[A::Hit(&[(0, 18), (3, 20)], 1)]),
        quick("siphon-soul", &[A::Siphon(&[(0, 1), (18, 2)])]),
    ]);
    /// Sentry.
    Sentry enemy("sentry", &[(0, 38), (8, 39)], &[(0, 42), (8, 45)], &[
        quick("bolt", &[A::Create("dazed", &[(0, 2), (18, 3)])]),
        quick("beam", &[A::Hit(&[(0, 9), (3, 10)], 1)]),
    ]);
    /// Slime Boss.
    SlimeBoss enemy("slime-boss", &[(0, 140), (9, 150)], &[(0, 140), (9, 150)], &[
        quick("goop-spray", &[A::Create("slimed", &[(0, 3), (19, 5)])]),
        quick("preparing", &[]),
        quick("slam", &[A::Hit(&[(0, 35), (4, 38)], 1)]),
        quick("split", &[A::Split(Kind::SpikeSlimeL, Kind::AcidSlimeL)]),
    ]);
    /// The Guardian.
    TheGuardian enemy("the-guardian", &[(0, 240), (9, 250)], &[(0, 240), (9, 250)], &[
        quick("charging-up", &[A::Block(&[(0, 9)])]),
        quick("fierce-bash", &[A::Hit(&[(0, 32), (4, 36)], 1)]),
        quick("vent-steam", &[A::Weak(&[(0, 2)]), A::Vulnerable(&[(0, 2)])]),
        quick("whirlwind", &[A::Hit(&[(0, 5)], 4)]),
        quick("defensive-mode", &[A::Close]),
        quick("roll-attack", &[A::Hit(&[(0, 9), (4, 10)], 1)]),
        quick("twin-slam", &[A::Hit(&[(0, 8)], 2), A::Open]),
    ]);
    /// Hexaghost.
    Hexaghost enemy("hexaghost", &[(0, 250), (9, 264)], &[(0, 250), (9, 264)], &[
        quick("activate", &[A::Measure]),
        quick("divider", &[A::Divide]),
        quick("sear-(first)", SEAR),
        quick("tackle-(first)", TACKLE),
        quick("sear-(second)", SEAR),
        quick("inflame", &[A::Strength(&[(0, 2), (19, 3)]), A::Block(&[(0, 12)])]),
        quick("tackle-(second)", TACKLE),
        quick("sear-(third)", SEAR),
        quick("inferno", &[A::Hit(&[(0, 2), (4, 3)], 6), A::Inferno]),
    ]);
}

/// The number of a move among those of its kind.
pub type Move = u8;

impl Kind {
    /// Its data.
    pub fn data(self) -> &'static EnemyData {
        &DATA[self as usize]
    }

    /// The range of healths with which it can begin.
    pub fn health(self, ascension: u8) -> RangeInclusive<u16> {
        let data = self.data();
        at(data.lowest, ascension)..=at(data.highest, ascension)
    }

    /// The range of its Curl Up; 0 except for louses.
    pub fn curl_up(self, ascension: u8) -> RangeInclusive<u8> {
        let [lowest, highest] = self.data().curl_up;
        at(lowest, ascension)..=at(highest, ascension)
    }

    /// The range of a louse's bite.
    pub fn bites(self, ascension: u8) -> RangeInclusive<u8> {
        if ascension >= 2 { 6..=8 } else { 5..=7 }
    }

    /// Whether it is a louse.
    pub fn is_louse(self) -> bool {
        matches!(self, Self::RedLouse | Self::GreenLouse)
    }

    /// Whether it is an elite.
    pub fn is_elite(self) -> bool {
        matches!(self, Self::GremlinNob | Self::Lagavulin | Self::Sentry)
    }

    /// Whether it is the boss of the act.
    pub fn is_boss(self) -> bool {
        matches!(self, Self::SlimeBoss | Self::TheGuardian | Self::Hexaghost)
    }

    /// Whether it splits in two at half its health.
    pub fn splits(self) -> bool {
        self.halves().is_some()
    }

    /// The two into which it splits at half its health.
    pub fn halves(self) -> Option<[Self; 2]> {
        self.data().moves.iter().flat_map(|data| data.acts).find_map(|act| match act {
            Act::Split(left, right) => Some([*left, *right]),
            _ => None,
        })
    }

    /// The largest number of enemies that it can become by splitting.
    pub(crate) fn becomes(self) -> usize {
        self.halves().map_or(1, |halves| halves.into_iter().map(Self::becomes).sum())
    }

    /// How much health the Guardian loses before it shifts, after this many shifts.
    pub(crate) fn mode_shift(ascension: u8, shifted: u8) -> u8 {
        let first: u8 = at(&[(0, 30), (9, 35), (19, 40)], ascension);
        first.saturating_add(shifted.saturating_mul(10))
    }

    /// The damage of the Guardian's Sharp Hide for each attack that is played.
    pub(crate) fn sharp_hide(ascension: u8) -> u8 {
        at(&[(0, 3), (19, 4)], ascension)
    }

    /// Strength for each skill, once it is enraged.
    pub(crate) fn enrage(ascension: u8) -> i16 {
        if ascension >= 18 { 3 } else { 2 }
    }

    /// Strength for each attack that takes health.
    pub(crate) fn anger(self, ascension: u8) -> i16 {
        match self {
            Self::MadGremlin if ascension >= 17 => 2,
            Self::MadGremlin => 1,
            _ => 0,
        }
    }

    /// Strength of each later round, after the Incantation.
    pub(crate) fn ritual(ascension: u8) -> i16 {
        match ascension {
            0..2 => 3,
            2..17 => 4,
            17.. => 5,
        }
    }

    /// The number of the move with this name.
    pub(crate) fn move_called(self, name: &str) -> Option<Move> {
        let name = name::normal(name);
        let index = self.data().moves.iter().position(|data| data.name == name)?;
        u8::try_from(index).ok()
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.data().name)
    }
}

impl FromStr for Kind {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let name = name::normal(text);
        // Both names are in use.
        let name = if name == "guardian" { "the-guardian".into() } else { name };
        let names = DATA.iter().map(|data| data.name);
        let found = Self::ALL.iter().find(|kind| kind.data().name == name);
        found.copied().ok_or_else(|| UnknownName::new("enemy", &name, names))
    }
}
