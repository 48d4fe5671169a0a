//! Enemies of a message: what they intend, and what they remember of their moves.

use super::message::{Monster, PowerEntry, Reading};
use crate::data::enemy::Kind;
use crate::request::position::EnemyFile;

/// The moves of Hexaghost from the third turn on, which come again every seven turns.
const CYCLE: [(i16, &str); 7] = [
    (4, "sear-(first)"),
    (2, "tackle-(first)"),
    (4, "sear-(second)"),
    (3, "inflame"),
    (2, "tackle-(second)"),
    (4, "sear-(third)"),
    (6, "inferno"),
];

/// The kind with this identifier, and its moves with their identifiers.
fn kind(id: &str) -> Option<(Kind, &'static [(i16, &'static str)])> {
    Some(match id {
        "Cultist" => (Kind::Cultist, &[(1, "dark-strike"), (3, "incantation")]),
        "JawWorm" => (Kind::JawWorm, &[(1, "chomp"), (2, "bellow"), (3, "thrash")]),
        "FuzzyLouseNormal" => (Kind::RedLouse, &[(3, "bite"), (4, "grow")]),
        "FuzzyLouseDefensive" => (Kind::GreenLouse, &[(3, "bite"), (4, "spit-web")]),
        "AcidSlime_S" => (Kind::AcidSlimeS, &[(1, "tackle"), (2, "lick")]),
        "SpikeSlime_S" => (Kind::SpikeSlimeS, &[(1, "tackle")]),
        "AcidSlime_M" => (Kind::AcidSlimeM, &[(1, "corrosive-spit"), (2, "tackle"), (4, "lick")]),
        "SpikeSlime_M" => (Kind::SpikeSlimeM, &[(1, "flame-tackle"), (4, "lick")]),
        "AcidSlime_L" => (Kind::AcidSlimeL, &[(1, "corrosive-spit"), (2, "tackle"), (3, "split"), (4, "lick")]),
        "SpikeSlime_L" => (Kind::SpikeSlimeL, &[(1, "flame-tackle"), (3, "split"), (4, "lick")]),
        "SlaverBlue" => (Kind::BlueSlaver, &[(1, "stab"), (4, "rake")]),
        "SlaverRed" => (Kind::RedSlaver, &[(1, "stab"), (2, "entangle"), (3, "scrape")]),
        "Looter" => (Kind::Looter, &[(1, "mug"), (2, "smoke-bomb"), (3, "escape"), (4, "lunge")]),
        "FungiBeast" => (Kind::FungiBeast, &[(1, "bite"), (2, "grow")]),
        "GremlinWarrior" => (Kind::MadGremlin, &[(1, "scratch")]),
        "GremlinThief" => (Kind::SneakyGremlin, &[(1, "puncture")]),
        "GremlinFat" => (Kind::FatGremlin, &[(2, "smash")]),
        "GremlinTsundere" => (Kind::ShieldGremlin, &[(1, "protect"), (2, "shield-bash")]),
        "GremlinWizard" => (Kind::GremlinWizard, &[(1, "ultimate-blast"), (2, "charging")]),
        "GremlinNob" => (Kind::GremlinNob, &[(1, "rush"), (2, "skull-bash"), (3, "bellow")]),
        "Lagavulin" => {
            (Kind::Lagavulin, &[(1, "siphon-soul"), (3, "attack"), (4, "stunned"), (5, "sleep"), (6, "stunned")])
        }
        "Sentry" => (Kind::Sentry, &[(3, "bolt"), (4, "beam")]),
        "SlimeBoss" => (Kind::SlimeBoss, &[(1, "slam"), (2, "preparing"), (3, "split"), (4, "goop-spray")]),
        "TheGuardian" => (
            Kind::TheGuardian,
            &[
                (1, "defensive-mode"),
                (2, "fierce-bash"),
                (3, "roll-attack"),
                (4, "twin-slam"),
                (5, "whirlwind"),
                (6, "charging-up"),
                (7, "vent-steam"),
            ],
        ),
        "Hexaghost" => (
            Kind::Hexaghost,
            &[(1, "divider"), (2, "tackle"), (3, "inflame"), (4, "sear"), (5, "activate"), (6, "inferno")],
        ),
        _ => return None,
    })
}

/// An enemy of a message as a position has it; nothing where it is not modelled, which `reading` lists.
pub(super) fn monster(own: &Monster, ascension: u8, turn: u16, reading: &mut Reading) -> Option<EnemyFile> {
    let shown = own.name.as_deref().unwrap_or(&own.id).escape_debug().to_string();
    let Some((kind, moves)) = kind(&own.id) else {
        reading.outside(format!("the enemy {shown}"));
        return None;
    };
    let intent = own.move_id.and_then(|id| moves.iter().find(|(own, _)| *own == id)).map(|(_, name)| *name);
    let Some(intent) = intent else {
        let what = own.move_id.map_or_else(|| "no move that can be seen".into(), |id| format!("the move {id}"));
        reading.outside(format!("{what} of {shown}"));
        return None;
    };
    let mut file = EnemyFile {
        kind: kind.to_string(),
        hp: own.current_hp,
        max_hp: own.max_hp,
        intent: intent.into(),
        run: own.run(),
        block: own.block,
        ..EnemyFile::default()
    };
    powers(own, kind, &shown, &mut file, reading);
    remembers(own, kind, ascension, turn, &mut file, reading);
    Some(file)
}

/// The powers of an enemy.
fn powers(own: &Monster, kind: Kind, shown: &str, file: &mut EnemyFile, reading: &mut Reading) {
    for PowerEntry { id, amount, .. } in &own.powers {
        let small = u8::try_from((*amount).clamp(0, 255)).unwrap_or(u8::MAX);
        match id.as_str() {
            "Strength" => file.strength = i16::try_from(*amount).unwrap_or(999),
            "Vulnerable" => file.vulnerable = small,
            "Weakened" => file.weak = small,
            "Artifact" => file.artifact = small,
            "Curl Up" => file.curl_up = small,
            "Mode Shift" => file.mode_shift = Some(small),
            "Anger" if kind == Kind::GremlinNob => file.enraged = 1,
            // What the kind always has, or what follows from its intent.
            "Ritual" if kind == Kind::Cultist => {}
            "Angry" if kind == Kind::MadGremlin => {}
            "Spore Cloud" if kind == Kind::FungiBeast => {}
            "Thievery" if kind == Kind::Looter => {}
            "Metallicize" if kind == Kind::Lagavulin => {}
            "Sharp Hide" if kind == Kind::TheGuardian => {}
            "Split" if kind.splits() => {}
            _ => reading.outside(format!("the power {} of {shown}", id.escape_debug())),
        }
    }
}

/// What an enemy remembers, as far as the turn and its last moves say it.
fn remembers(own: &Monster, kind: Kind, ascension: u8, turn: u16, file: &mut EnemyFile, reading: &mut Reading) {
    let damage = own.move_base_damage.and_then(|damage| u8::try_from(damage).ok()).filter(|damage| *damage > 0);
    let small = |turns: u16| u8::try_from(turns).unwrap_or(u8::MAX);
    match kind {
        Kind::RedLouse | Kind::GreenLouse if file.intent == "bite" => file.bite = damage,
        Kind::RedLouse | Kind::GreenLouse if own.has_made(3) => {
            reading.assume("the strength of a louse's bite that was seen before is not known");
        }
        Kind::RedSlaver => {
            file.entangle_used = u8::from(own.has_made(2) && file.intent != "entangle");
            if file.entangle_used == 0 && turn > 3 {
                reading.assume("the Red Slaver has not used Entangle yet");
            }
        }
        // It mugs twice before anything else.
        Kind::Looter if file.intent == "mug" => {
            file.intent = if own.last_move_id == Some(1) { "mug-(second)" } else { "mug-(first)" }.into();
        }
        Kind::Lagavulin if file.intent == "sleep" => file.slept = Some(small(turn.saturating_sub(1))),
        // It charges for two turns before the first blast.
        Kind::GremlinWizard => file.blasted = u8::from(turn > 3),
        Kind::TheGuardian => {
            let first = Kind::mode_shift(ascension, 0);
            let more = file.mode_shift.unwrap_or(first).saturating_sub(first);
            file.shifted = more.div_ceil(10);
            if turn > 1 {
                reading.assume(format!("the Guardian has opened again {} times", file.shifted));
            }
        }
        Kind::Hexaghost if file.intent == "divider" => file.divider = damage,
        Kind::Hexaghost if file.intent != "activate" => {
            let (id, name) = CYCLE[usize::from(turn.saturating_sub(3)) % CYCLE.len()];
            if Some(id) == own.move_id {
                file.intent = name.into();
            } else {
                reading.outside(format!("Hexaghost's {} in turn {turn}", file.intent));
            }
            file.burns_upgraded = u8::from(turn > 9);
        }
        _ => {}
    }
}
