//! The answer about one fight as JSON, for all programs.

use mdp::{Number, Rational};
use serde::Serialize;

use crate::analysis::Analysis;
use crate::decision::Question;
use crate::rules::Objective;

/// The answer about a fight, `"format": 1`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FightAnswer {
    format: u32,
    objective: String,
    /// The value of the objective.
    win: Number,
    /// The same if luck is never used.
    win_without_luck: Number,
    on_lost_round: &'static str,
    on_won_round: &'static str,
    /// The probability of winning, with any remainder.
    probability_to_win: Number,
    expected_stamina_left: Number,
    expected_luck_left: Number,
    deaths: Deaths,
    escaped: Number,
    if_round_lost: Values,
    if_round_won: Values,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    opening: Vec<OpeningChoice>,
    rounds: Rounds,
    states: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Deaths {
    stamina: Number,
    sudden: Number,
    instant: Number,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Values {
    #[serde(skip_serializing_if = "Option::is_none")]
    keep: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    use_luck: Option<Number>,
}

impl From<&Question> for Values {
    fn from(question: &Question) -> Self {
        Self { keep: question.keep.as_ref().map(Number::from), use_luck: question.use_luck.as_ref().map(Number::from) }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct OpeningChoice {
    choice: String,
    value: Number,
    best: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Rounds {
    /// The mean number of rounds that are not drawn.
    mean: f64,
    distribution: Vec<Round>,
    /// The chance that the fight lasts longer than listed.
    longer: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Round {
    rounds: usize,
    probability: f64,
}

impl FightAnswer {
    /// The answer, from the analysed fight and its value without luck.
    pub fn new(objective: &Objective, analysis: &Analysis, without_luck: &Rational) -> Self {
        let ends = &analysis.ends;
        let round = |(rounds, probability): (usize, &f64)| Round { rounds, probability: *probability };
        Self {
            format: 1,
            objective: objective.name(),
            win: (&analysis.value).into(),
            win_without_luck: without_luck.into(),
            on_lost_round: analysis.on_lost_round.decision.name(),
            on_won_round: analysis.on_won_round.decision.name(),
            probability_to_win: (&ends.won).into(),
            expected_stamina_left: (&analysis.expected_stamina_left).into(),
            expected_luck_left: (&analysis.expected_luck_left).into(),
            deaths: Deaths {
                stamina: (&ends.no_stamina).into(),
                sudden: (&ends.sudden_death).into(),
                instant: (&ends.instant_death).into(),
            },
            escaped: (&ends.escaped).into(),
            if_round_lost: (&analysis.on_lost_round).into(),
            if_round_won: (&analysis.on_won_round).into(),
            opening: analysis
                .opening
                .iter()
                .map(|o| OpeningChoice { choice: o.name.clone(), value: (&o.value).into(), best: o.best })
                .collect(),
            rounds: Rounds {
                mean: analysis.mean_rounds(),
                distribution: analysis.rounds.iter().enumerate().filter(|(_, p)| **p > 0.0).map(round).collect(),
                longer: analysis.longer,
            },
            states: analysis.states,
        }
    }
}
