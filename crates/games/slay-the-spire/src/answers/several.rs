//! Several fights, one of which will be met.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use budget::{Budget, Stopped};
use mdp::{Rational, nearest};
use rayon::prelude::*;

use super::report_interval::leaving_time;
use super::solve::{Counts, Fight, FightOptions, Solved, solve_with};
use super::worth::{ExactEnds, Interval, Simulated, Worth};
use crate::numbers::index::index;
use crate::numbers::rounding::up;
use crate::rules::RulesError;
use crate::rules::setup::{Foe, Hero};
use crate::search::payoff::Objective;

/// The longest that a fight usually takes to report its results when its time is up.
const MOMENT: Duration = Duration::from_millis(800);

/// The value of meeting one of these groups; exactly too, if that is wanted and fits. Every thread solves a fight, and
/// time that one fight does not need is available to later ones.
///
/// # Errors
/// When a fight is not modelled.
pub fn solve_several(
    hero: &Hero,
    encounters: &[(Rational, Vec<Foe>)],
    healths: &[i16],
    objective: Objective,
    options: FightOptions,
    budget: &Budget<'_>,
) -> Result<Solved, RulesError> {
    Ok(mixed(&solve_parts(hero, encounters, healths, objective, options, budget)?))
}

/// The same, fight by fight with its share.
pub(crate) fn solve_parts(
    hero: &Hero,
    encounters: &[(Rational, Vec<Foe>)],
    healths: &[i16],
    objective: Objective,
    options: FightOptions,
    budget: &Budget<'_>,
) -> Result<Vec<(Rational, Solved)>, RulesError> {
    let threads = index(rayon::current_num_threads());
    let waiting = AtomicU32::new(index(encounters.len()));
    // A fight whose time is up still takes a moment to report its results.
    let late = budget.limits().max_time.map_or(0.0, |time| (MOMENT.as_secs_f64() / time.as_secs_f64()).min(0.5));
    let several = budget.part(if encounters.len() > 1 { 1.0 - late } else { 1.0 });
    let solve = |(share, foes): &(Rational, Vec<Foe>)| {
        let waiting = waiting.fetch_sub(1, Ordering::Relaxed);
        let budget = several.part(f64::from(threads) / f64::from(waiting));
        // The memory of a fight is needed by later ones.
        let options = FightOptions { ends: options.ends && waiting <= threads, ..options };
        let solved = leaving_time(&budget, |search, rest| {
            solve_with(Fight { hero, foes, healths, objective }, options, search, rest)
        });
        Ok((share.clone(), solved?))
    };
    // One by one: otherwise threads would be given neighbours, which take equally long.
    encounters.par_iter().with_max_len(1).map(solve).collect()
}

/// The value of meeting one enemy with each of its possible healths.
///
/// # Errors
/// When there is not exactly one enemy, or the fight is not modelled.
pub fn solve_each_health_of_the_enemy(
    hero: &Hero,
    encounters: &[(Rational, Vec<Foe>)],
    health: i16,
    objective: Objective,
    options: FightOptions,
    budget: &Budget<'_>,
) -> Result<Vec<(u16, Solved)>, RulesError> {
    let [(share, foes)] = encounters else { return Err(RulesError::Other(ONE_ENEMY.into())) };
    let [foe] = &foes[..] else { return Err(RulesError::Other(ONE_ENEMY.into())) };
    let each = foe.health.clone().map(|own| {
        let met = [(share.clone(), vec![Foe { health: own..=own, ..foe.clone() }])];
        Ok((own, solve_several(hero, &met, &[health], objective, options, budget)?))
    });
    each.collect()
}

/// Why several enemies are not reported one by one.
const ONE_ENEMY: &str = "values by the enemy's health need a fight against one enemy";

/// Several solved fights as one.
pub(crate) fn mixed(parts: &[(Rational, Solved)]) -> Solved {
    if let [(_, only)] = parts {
        return only.clone();
    }
    let count = parts.first().map_or(0, |(_, solved)| solved.worths.len());
    let worths = (0..count).map(|index| {
        let each: Vec<Part<'_>> = parts
            .iter()
            .map(|(share, solved)| Part { share, worth: &solved.worths[index], complete: solved.stopped.is_none() })
            .collect();
        mix(&each)
    });
    let total = parts.iter().fold(Counts::default(), |sum, (_, solved)| sum.and(solved.counts));
    let stopped: Option<Stopped> = parts.iter().find_map(|(_, solved)| solved.stopped);
    Solved { worths: worths.collect(), counts: total, stopped }
}

/// The value of one of several fights, and the share with which it is met.
struct Part<'s> {
    share: &'s Rational,
    worth: &'s Worth,
    /// Whether nothing stopped the search: then other ends are impossible.
    complete: bool,
}

impl Part<'_> {
    /// The chance to end with this health.
    fn ending_with(&self, health: i16) -> Interval {
        let ends = &self.worth.final_health;
        if let Some((_, chance)) = ends.iter().find(|(known, _)| *known == health) {
            return *chance;
        }
        let found: f64 = ends.iter().map(|(_, chance)| chance.lower).sum();
        let rest = if self.complete { 0.0 } else { up((1.0 - found).max(0.0), ends.len()).min(1.0) };
        Interval { lower: 0.0, upper: rest }
    }
}

/// The exact ends of one of several fights, where they are known for all of them.
fn exact_ends(parts: &[Part<'_>]) -> Option<ExactEnds> {
    let mut healths: BTreeMap<i16, Rational> = BTreeMap::new();
    for part in parts {
        for (health, chance) in &part.worth.exact_ends.as_ref()?.final_health {
            *healths.entry(*health).or_default() += part.share * chance;
        }
    }
    Some(ExactEnds::new(healths))
}

/// The simulated values of some of the fights, combined with the proved ones of the others.
fn simulated(parts: &[Part<'_>]) -> Option<Simulated> {
    let all = || parts.iter().filter_map(|part| part.worth.simulated);
    let first = all().next()?;
    let mean = |of_simulated: fn(Simulated) -> f64, of_solved: fn(Interval) -> f64| {
        let each = parts.iter().map(|part| {
            let own = part.worth.simulated.map_or_else(|| of_solved(part.worth.value), of_simulated);
            nearest(part.share) * own
        });
        each.sum::<f64>()
    };
    let value = parts.iter().fold(Interval::ZERO, |sum, part| {
        sum.plus(nearest(part.share), part.worth.simulated.map_or(part.worth.value, |simulated| simulated.value))
    });
    Some(Simulated {
        value,
        played: mean(|simulated| simulated.played, |proved| proved.lower),
        plays: all().map(|simulated| simulated.plays).sum(),
        foreseen: mean(|simulated| simulated.foreseen, |proved| proved.upper),
        worlds: all().map(|simulated| simulated.worlds).sum(),
        error: first.error,
    })
}

fn mix(parts: &[Part<'_>]) -> Worth {
    // The whole is exact when all of its parts are.
    let exact = parts.iter().try_fold(Rational::ZERO, |sum, part| Some(sum + part.share * part.worth.exact.as_ref()?));
    let exact_ends = exact_ends(parts);
    let simulated = simulated(parts);
    let shares: Vec<f64> = parts.iter().map(|part| nearest(part.share)).collect();
    let parts = || shares.iter().copied().zip(parts);
    // Between the least and the most of the parts, whatever rounding does to their sum.
    let sum = |number: &dyn Fn(&Part<'_>) -> Interval| {
        let (mut sum, mut least, mut most) = (Interval::ZERO, f64::INFINITY, f64::NEG_INFINITY);
        for (share, part) in parts() {
            let own = number(part);
            (sum, least, most) = (sum.plus(share, own), least.min(own.lower), most.max(own.upper));
        }
        sum.within(least, most)
    };
    let has_health = parts().all(|(_, part)| part.worth.expected_health.is_some());
    let health = |part: &Part<'_>| part.worth.expected_health.unwrap_or(Interval::ZERO);
    let known: BTreeSet<i16> =
        parts().flat_map(|(_, part)| part.worth.final_health.iter().map(|(health, _)| *health)).collect();
    Worth {
        health: parts().next().map_or(0, |(_, part)| part.worth.health),
        objective: parts().next().map_or(Objective::Health, |(_, part)| part.worth.objective),
        value: sum(&|part| part.worth.value),
        exact,
        exact_ends,
        expected_health: has_health.then(|| sum(&health)),
        survival: sum(&|part| part.worth.survival),
        simulated,
        final_health: known.into_iter().map(|health| (health, sum(&|part| part.ending_with(health)))).collect(),
        turns: parts().map(|(share, part)| share * part.worth.turns).sum(),
    }
}

#[cfg(test)]
mod tests;
