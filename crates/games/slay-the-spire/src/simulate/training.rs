//! How the simulated way to play gets its parameters: by playing, in worlds that judge nothing.

use budget::{Budget, Stopped};
use rayon::prelude::*;

use super::estimate::{Estimate, features, width};
use super::policy::{Begin, Played, Policy};
use super::regression::LeastSquares;
use super::stakes::Stakes;
use crate::data::enemy::Kind;
use crate::rules::fate::scrambled;

/// Of the fights of the last round as many as this part are played in each round, each by what was learned in those before.
const ROUNDS: [u64; 4] = [15, 6, 3, 1];
/// How much large weights count as errors.
const RIDGE: f64 = 3.0;

/// A fight by all that is asked of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begun<'a> {
    pub begin: Begin<'a>,
    pub kinds: &'a [Kind],
    pub health: i16,
    /// Decides all worlds.
    pub seed: u64,
    /// So many fights are played in the last round.
    pub fights: u64,
}

/// The number of a world: those of different purposes have nothing in common.
pub(crate) fn world(seed: u64, purpose: u64, nth: u64) -> u64 {
    scrambled(scrambled(scrambled(seed) ^ purpose) ^ nth)
}

/// Learns from fights that are played. Where there is no time for all of them it is what was learned by then.
pub(crate) fn train(policy: &mut Policy<'_>, begun: Begun<'_>, budget: &Budget<'_>) -> Result<(), Stopped> {
    let rules = policy.rules;
    policy.immortal = true;
    policy.stakes = Stakes::telling(rules, begun.kinds);
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
        // How far it is off, and how lucky each turn was.
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
