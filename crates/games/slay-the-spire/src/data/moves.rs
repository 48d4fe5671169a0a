//! The first move of an enemy, and the probabilities of the next ones.

use super::enemy::{Kind, Move, MoveData};

/// Moves with their weights.
pub type Moves = Vec<(u32, Move)>;

/// What an enemy remembers of its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Past {
    /// The last move.
    pub last: Move,
    /// How often in a row it was made, where the rule depends on it: 1, or 2 for more.
    pub run: u8,
    /// Other memory on which the rule depends: see [`Enemy::memory`](crate::Enemy).
    pub memory: u8,
}

/// The first move. Sentries begin differently, depending on their place from the left.
pub fn first_moves(kind: Kind, ascension: u8, place: usize) -> Moves {
    match kind {
        Kind::RedLouse | Kind::GreenLouse => vec![(75, 0), (25, 1)],
        Kind::AcidSlimeS if ascension >= 17 => vec![(1, 1)],
        Kind::AcidSlimeS => vec![(1, 0), (1, 1)],
        Kind::AcidSlimeM if ascension >= 17 => vec![(40, 0), (40, 1), (20, 2)],
        Kind::AcidSlimeL if ascension >= 17 => vec![(40, 0), (30, 1), (30, 2)],
        Kind::AcidSlimeM | Kind::AcidSlimeL => vec![(30, 0), (40, 1), (30, 2)],
        Kind::SpikeSlimeM | Kind::SpikeSlimeL => vec![(30, 0), (70, 1)],
        Kind::BlueSlaver | Kind::FungiBeast => vec![(60, 0), (40, 1)],
        Kind::Sentry => vec![(1, u8::from(place % 2 == 1))],
        _ => vec![(1, 0)],
    }
}

/// Whether the rule depends on how often in a row this move was made.
pub fn counts_run(kind: Kind, ascension: u8, last: Move, memory: u8) -> bool {
    let high = ascension >= 17;
    match (kind, last) {
        (
            Kind::RedLouse
            | Kind::GreenLouse
            | Kind::AcidSlimeM
            | Kind::AcidSlimeL
            | Kind::SpikeSlimeM
            | Kind::SpikeSlimeL
            | Kind::BlueSlaver
            | Kind::FungiBeast
            | Kind::GremlinWizard,
            0,
        )
        | (Kind::JawWorm | Kind::GremlinNob, 1)
        | (Kind::Lagavulin, 2) => true,
        (
            Kind::RedLouse
            | Kind::GreenLouse
            | Kind::SpikeSlimeM
            | Kind::SpikeSlimeL
            | Kind::BlueSlaver
            | Kind::RedSlaver,
            1,
        )
        | (Kind::AcidSlimeM | Kind::AcidSlimeL, 2) => !high,
        (Kind::AcidSlimeM | Kind::AcidSlimeL, 1) => high,
        // Stab follows Stab only after Entangle.
        (Kind::RedSlaver, 0) => memory != 0,
        _ => false,
    }
}

/// How far runs are counted: the wizard charges up to three times.
pub fn longest_run(kind: Kind) -> u8 {
    if kind == Kind::GremlinWizard { 3 } else { 2 }
}

/// The moves that can follow a move.
pub fn next_moves(kind: Kind, ascension: u8, past: Past) -> Moves {
    let high = ascension >= 17;
    let Past { last, run, memory } = past;
    let twice = run >= 2;
    match kind {
        // It was made to split in its own turn: the split itself is still to come.
        _ if kind.data().moves.get(usize::from(last)).is_some_and(MoveData::is_split) => vec![(1, last)],
        Kind::SlimeBoss => vec![(1, (last + 1) % 3)],
        Kind::TheGuardian => vec![(1, guardian(last, run > 0))],
        Kind::Hexaghost => vec![(1, if last == 8 { 2 } else { last + 1 })],
        Kind::Cultist => vec![(1, 1)],
        Kind::JawWorm => match (last, twice) {
            (0, _) => vec![(189, 2), (131, 1)],
            (2, _) => vec![(1093, 0), (1407, 1)],
            (_, false) => vec![(25, 0), (30, 1), (45, 2)],
            (_, true) => vec![(3571, 0), (6429, 2)],
        },
        Kind::RedLouse | Kind::GreenLouse => two_moves([75, 25], last, if last == 1 { twice || high } else { twice }),
        Kind::SpikeSlimeM | Kind::SpikeSlimeL => {
            two_moves([30, 70], last, if last == 1 { twice || high } else { twice })
        }
        Kind::BlueSlaver => two_moves([60, 40], last, if last == 1 { twice || high } else { twice }),
        Kind::FungiBeast => two_moves([60, 40], last, last == 1 || twice),
        Kind::AcidSlimeS | Kind::Sentry => vec![(1, 1 - last)],
        Kind::AcidSlimeM | Kind::AcidSlimeL => acid_slime(kind, high, last, twice),
        Kind::RedSlaver => red_slaver(high, last, twice, memory != 0),
        Kind::Looter => match last {
            0 => vec![(1, 1)],
            1 => vec![(1, 3), (1, 2)],
            2 => vec![(1, 3)],
            _ => vec![(1, 4)],
        },
        Kind::SpikeSlimeS | Kind::MadGremlin | Kind::SneakyGremlin | Kind::FatGremlin => vec![(1, 0)],
        Kind::ShieldGremlin => vec![(1, u8::from(last == 1 || memory != 0))],
        Kind::GremlinWizard => {
            // Two turns of charging before the first blast, three before every other one.
            let charges = if memory == 0 { 2 } else { 3 };
            let blasts = if last == 1 { high } else { run >= charges };
            vec![(1, u8::from(blasts))]
        }
        Kind::GremlinNob if ascension >= 18 => match (last, twice) {
            (1, false) | (2, _) => vec![(1, 1)],
            _ => vec![(1, 2)],
        },
        Kind::GremlinNob if last == 1 && twice => vec![(1, 2)],
        Kind::GremlinNob => vec![(67, 1), (33, 2)],
        Kind::Lagavulin => match (last, twice) {
            (0, _) if memory > 0 => vec![(1, 0)],
            (2, true) => vec![(1, 3)],
            _ => vec![(1, 2)],
        },
    }
}

/// The Guardian cycles through four moves, and after closing through two more before the last of them.
fn guardian(last: Move, closed: bool) -> Move {
    match last {
        // It shifted in its own turn: closing is still to come.
        4 if !closed => 4,
        3 => 0,
        6 => 3,
        _ => last + 1,
    }
}

/// Two moves with these weights; when the last one is barred, only the other.
fn two_moves(weights: [u32; 2], last: Move, barred: bool) -> Moves {
    if barred { vec![(1, 1 - last)] } else { vec![(weights[0], 0), (weights[1], 1)] }
}

fn acid_slime(kind: Kind, high: bool, last: Move, twice: bool) -> Moves {
    match (kind, high, last, twice) {
        (_, false, 0, true) => vec![(55, 1), (45, 2)],
        (_, false, 1, _) => vec![(46, 0), (54, 2)],
        (_, false, 2, true) => vec![(42, 0), (58, 1)],
        (_, false, _, _) => vec![(30, 0), (40, 1), (30, 2)],
        (Kind::AcidSlimeM, true, 0, true) => vec![(60, 1), (40, 2)],
        (Kind::AcidSlimeM, true, 1, true) => vec![(60, 0), (40, 2)],
        (Kind::AcidSlimeM, true, 2, _) => vec![(48, 0), (52, 1)],
        (Kind::AcidSlimeM, true, _, _) => vec![(40, 0), (40, 1), (20, 2)],
        (_, true, 0, true) => vec![(54, 1), (46, 2)],
        (_, true, 1, true) => vec![(58, 0), (42, 2)],
        (_, true, 2, _) => vec![(52, 0), (48, 1)],
        (_, true, _, _) => vec![(40, 0), (30, 1), (30, 2)],
    }
}

fn red_slaver(high: bool, last: Move, twice: bool, entangled: bool) -> Moves {
    let scraped_enough = last == 1 && (twice || high);
    if !entangled {
        let other = u8::from(!scraped_enough);
        return vec![(25, 2), (75, other)];
    }
    if last == 0 && twice {
        vec![(1, 1)]
    } else if scraped_enough {
        vec![(1, 0)]
    } else {
        vec![(45, 0), (55, 1)]
    }
}
