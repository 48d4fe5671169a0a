//! Training of the simulated policy: by playing in worlds that are not used for evaluation.

use budget::{Budget, Stopped};
use rayon::prelude::*;

use super::estimate::{Estimate, features, width};
use super::policy::{Begin, Played, Policy};
use super::regression::LeastSquares;
use super::stakes::Stakes;
use crate::data::enemy::Kind;
use crate::rules::fate::scrambled;

/// The number of fights of the last round is divided by these numbers for each round; each round uses what was learned
/// before.
const ROUNDS: [u64; 4] = [15, 6, 3, 1];
/// The penalty of large weights.
const RIDGE: f64 = 3.0;

/// A fight with its objective and beginning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begun<'a> {
    pub begin: Begin<'a>,
    pub kinds: &'a [Kind],
    pub health: i16,
    /// Determines all worlds.
    pub seed: u64,
    /// The number of fights of the last round.
    pub fights: u64,
}

/// The number of a world: worlds of different purposes are independent.
pub(crate) fn world(seed: u64, purpose: u64, nth: u64) -> u64 {
    scrambled(scrambled(scrambled(seed) ^ purpose) ^ nth)
}

/// Trains the policy in simulated fights. When time runs out it keeps what was learned by then.
pub(crate) fn train(policy: &mut Policy<'_>, begun: Begun<'_>, budget: &Budget<'_>) -> Result<(), Stopped> {
    let rules = policy.rules;
    policy.immortal = true;
    policy.stakes = Stakes::distinguishing(rules, begun.kinds);
    let plain = policy.stakes.clone();
    let mut trained = Ok(());
    let mut fights: Vec<Played> = Vec::new();
    for (round, part) in (1..).zip(ROUNDS) {
        let played: Result<Vec<Played>, Stopped> = (0..begun.fights / part)
            .into_par_iter()
            .map(|nth| {
                budget.check()?;
                Ok(policy.play(begun.begin, world(begun.seed, round, nth), begun.health))
            })
            .collect();
        match played {
            Ok(played) => fights = if round > 2 { [fights, played].concat() } else { played },
            Err(stopped) => {
                trained = Err(stopped);
                break;
            }
        }
        let mut squares = LeastSquares::new(width(rules));
        let samples: Vec<(Vec<f64>, f64)> = fights
            .iter()
            .flat_map(|fight| {
                let mut rest = 0.0;
                let each = fight.turns.iter().rev().map(move |turn| {
                    rest += turn.loss;
                    (features(rules, &turn.before), rest)
                });
                each.collect::<Vec<_>>()
            })
            .collect();
        for (features, cost) in &samples {
            squares.add(features, *cost);
        }
        let estimate = Estimate::by(squares.weights(RIDGE));
        // The error of the estimate, and the luck of each turn.
        let (mut off, mut sure) = (0.0, 0.0);
        let mut luck = LeastSquares::new(plain.width());
        for fight in &fights {
            let mut rest = 0.0;
            for turn in fight.turns.iter().rev() {
                rest += turn.loss;
                let cost = estimate.cost(rules, &turn.before);
                (off, sure) = (off + (rest - cost).powi(2), sure + cost.max(0.5));
                let after = turn.after.as_ref().map_or(0.0, |after| estimate.cost(rules, after));
                luck.add(&turn.luck, cost - turn.loss - after);
            }
        }
        policy.estimate = estimate.with_spread((off / sure.max(1.0)).sqrt().clamp(0.3, 5.0));
        policy.stakes = plain.clone().with_weights(luck.weights(RIDGE));
    }
    policy.immortal = false;
    trained
}
