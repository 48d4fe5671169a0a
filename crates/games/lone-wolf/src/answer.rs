//! The answer about a fight, as JSON.

use mdp::{Number, Rational};
use serde::Serialize;

use crate::analysis::{Analysis, Round, Situation};
use crate::fight::Fight;

impl Situation {
    /// The enemy's ENDURANCE at which the hero leaves in a [group](Self::groups) of situations, as text: ranges within
    /// the possible values, or `any`; empty: never.
    pub fn enemies_to_run_from(row: &[Self]) -> String {
        if row.iter().all(|now| now.leave) {
            return "any".into();
        }
        let ranges = row.chunk_by(|a, b| a.leave == b.leave).filter(|range| range[0].leave);
        let ranges = ranges.filter_map(|range| {
            let (first, last) = (range.first()?.enemy, range.last()?.enemy);
            let open = row.last().is_some_and(|now| now.enemy == last);
            Some(match (first == last, open) {
                (_, true) => format!("{first} and more"),
                (true, false) => first.to_string(),
                (false, false) => format!("{first}-{last}"),
            })
        });
        ranges.collect::<Vec<_>>().join(", ")
    }
}

/// The answer about a fight.
#[derive(Clone, Debug, Serialize)]
pub struct FightAnswer {
    format: u32,
    combat_ratio: i32,
    win: Number,
    death: Number,
    evaded: Number,
    endurance_left: Vec<LeftJson>,
    rounds: Vec<RoundJson>,
    run_when: Vec<RunJson>,
    states: u64,
}

#[derive(Clone, Debug, Serialize)]
struct LeftJson {
    endurance: u8,
    probability: Number,
}

#[derive(Clone, Debug, Serialize)]
struct RoundJson {
    round: usize,
    mean_endurance: f64,
    mean_enemy_endurance: f64,
    over: f64,
}

#[derive(Clone, Debug, Serialize)]
struct RunJson {
    round: u32,
    and_later: bool,
    endurance: u8,
    enemy_endurance: Vec<u8>,
    /// The same as text, within the possible values.
    enemy: String,
}

impl FightAnswer {
    /// The answer about an analysed fight.
    pub fn new(fight: &Fight<'_>, analysis: &Analysis) -> Self {
        let left = |(endurance, probability): &(u8, Rational)| LeftJson {
            endurance: *endurance,
            probability: probability.into(),
        };
        let run_when = Situation::groups(&analysis.situations).filter_map(|situations| {
            let Situation { round, and_later, hero, .. } = *situations.first()?;
            let enemy_endurance: Vec<u8> = situations.iter().filter(|now| now.leave).map(|now| now.enemy).collect();
            let runs = !enemy_endurance.is_empty();
            let enemy = Situation::enemies_to_run_from(situations);
            runs.then_some(RunJson { round, and_later, endurance: hero, enemy_endurance, enemy })
        });
        let round = |(round, after): (usize, &Round)| RoundJson {
            round,
            mean_endurance: after.mean_endurance,
            mean_enemy_endurance: after.mean_enemy_endurance,
            over: after.over,
        };
        Self {
            format: 1,
            combat_ratio: fight.conditions.ratio,
            win: (&analysis.win).into(),
            death: (&analysis.death).into(),
            evaded: (&analysis.evaded).into(),
            endurance_left: analysis.endurance_left.iter().map(left).collect(),
            rounds: (1..).zip(&analysis.rounds).map(round).collect(),
            run_when: run_when.collect(),
            states: analysis.states,
        }
    }
}
