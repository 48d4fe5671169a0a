//! The state of a fight, and the actions in it.

use std::fmt;

use crate::rules::MOST_ENEMIES;
use crate::strategy::Outcome;

/// Everything that the rest of a fight depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The hero's stamina.
    pub hero: u16,
    /// The hero's luck.
    pub luck: u16,
    /// Every enemy's stamina; 0 for the dead and for those that never were.
    pub enemies: [u16; MOST_ENEMIES],
    /// How many rounds each enemy has won in a row, where that matters.
    pub rows: [u8; MOST_ENEMIES],
    /// The next phase.
    pub phase: Phase,
}

/// The next phase of a fight. Enemies are numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// A round begins.
    Round,
    /// The hero has wounded `target`: use luck?
    Won {
        /// The wounded enemy.
        target: u8,
    },
    /// The hero, who fights `target`, has been wounded by `enemy`: use luck?
    Lost {
        /// The enemy whom the hero has chosen.
        target: u8,
        /// The enemy that has wounded the hero.
        enemy: u8,
    },
    /// The enemies after `enemy` have yet to roll in this round.
    Others {
        /// The enemy whom the hero has chosen.
        target: u8,
        /// The last enemy that has rolled.
        enemy: u8,
    },
    /// The hero has turned to run, and is wounded: use luck?
    Escaping,
    /// The fight is over.
    Over(End),
}

/// How a fight ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// All enemies are dead.
    Won,
    /// The hero has run away.
    Escaped,
    /// The hero's stamina is used up.
    NoStamina,
    /// An enemy has won its row of rounds.
    SuddenDeath,
    /// Killed by a chance that a round or a lost round carries.
    InstantDeath,
}

/// A moment at which a player may use luck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Whether the hero has wounded or is wounded (an escape counts as wounded).
    pub outcome: Outcome,
    /// The hero's luck before a test.
    pub luck: u32,
    /// The hero's stamina before the wound.
    pub hero_stamina: u32,
    /// The stamina of the enemy who is wounded or wounds, before the wound; for an escape, of the
    /// first enemy alive.
    pub enemy_stamina: u32,
}

/// How luck and the enemy to fight are decided.
#[derive(Clone, Copy)]
pub enum Player<'a> {
    /// Freely: every choice is open.
    Free,
    /// By a rule: luck is used where it returns true; of several enemies the first is fought; no escape.
    Rule(&'a (dyn Fn(Moment) -> bool + Sync)),
}

/// An action in a fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Fight the only enemy for a round.
    Fight,
    /// Fight one of several enemies for a round, counted from 0.
    FightEnemy(u8),
    /// Escape.
    Escape,
    /// Do not test luck after a wound.
    KeepLuck,
    /// Test luck after a wound.
    UseLuck,
    /// The enemies whom the hero does not fight attack: there is no choice.
    OthersAttack,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fight => f.write_str("fight"),
            Self::FightEnemy(enemy) => write!(f, "fight enemy {}", u32::from(*enemy) + 1),
            Self::Escape => f.write_str("escape"),
            Self::KeepLuck => f.write_str("keep luck"),
            Self::UseLuck => f.write_str("use luck"),
            Self::OthersAttack => f.write_str("the others attack"),
        }
    }
}

/// Stamina or luck as states store it.
pub(crate) fn points(number: u32) -> u16 {
    u16::try_from(number).expect("a fight has at most 1000 points of anything")
}

/// The hero is dead; nothing else matters.
pub(crate) fn over(end: End) -> State {
    State { hero: 0, luck: 0, enemies: [0; MOST_ENEMIES], rows: [0; MOST_ENEMIES], phase: Phase::Over(end) }
}
