//! Several fights, of which one will be met.

use budget::{Budget, Stopped};
use mdp::{Rational, nearest};
use rayon::prelude::*;

use super::patience::{leaving_time, reason};
use super::payoff::Objective;
use super::rules::RulesError;
use super::setup::{Foe, Hero};
use super::solve::{Asked, Counts, Interval, Solved, Worth, solve_with};

/// Groups of enemies with the shares in which they are met.
pub type Encounters = Vec<(Rational, Vec<Foe>)>;

/// What it is worth to meet one of these groups; exactly too, if that is wanted and fits. Every thread solves a fight.
///
/// # Errors
/// When a fight is not modelled.
pub fn solve_several(
    hero: &Hero,
    encounters: &[(Rational, Vec<Foe>)],
    healths: &[i16],
    objective: Objective,
    asked: Asked,
    budget: &Budget<'_>,
) -> Result<Solved, RulesError> {
    let parts: Result<Vec<(Rational, Solved)>, RulesError> = leaving_time(budget, |search, rest| {
        let solve = |(share, foes): &(Rational, Vec<Foe>)| {
            Ok((share.clone(), solve_with(hero, foes, healths, objective, asked, search, rest)?))
        };
        encounters.par_iter().with_max_len(1).map(solve).collect()
    });
    let mut solved = mixed(&parts?);
    solved.stopped = solved.stopped.map(|stopped| reason(budget, stopped));
    Ok(solved)
}

/// Several solved fights as one.
pub(crate) fn mixed(parts: &[(Rational, Solved)]) -> Solved {
    if let [(_, only)] = parts {
        return only.clone();
    }
    // A part that was stopped at once says nothing.
    let count = parts.iter().map(|(_, solved)| solved.worths.len()).min().unwrap_or(0);
    let worths = (0..count).map(|index| {
        let each: Vec<(&Rational, &Worth)> =
            parts.iter().map(|(share, solved)| (share, &solved.worths[index])).collect();
        mix(&each)
    });
    let total = parts.iter().fold(Counts::default(), |sum, (_, solved)| sum.and(solved.counts));
    let stopped: Option<Stopped> = parts.iter().find_map(|(_, solved)| solved.stopped);
    Solved { worths: worths.collect(), counts: total, stopped }
}

fn mix(parts: &[(&Rational, &Worth)]) -> Worth {
    // The whole is exact when all of its parts are.
    let exact = parts.iter().try_fold(Rational::ZERO, |sum, (share, worth)| Some(sum + *share * worth.exact.as_ref()?));
    let parts: Vec<(f64, &Worth)> = parts.iter().map(|(share, worth)| (nearest(share), *worth)).collect();
    let sum = |number: fn(&Worth) -> Interval| {
        parts.iter().fold(Interval::ZERO, |sum, (share, worth)| sum.plus(*share, number(worth)))
    };
    let mut final_health: std::collections::BTreeMap<i16, Interval> = std::collections::BTreeMap::new();
    for (share, worth) in &parts {
        for (health, chance) in &worth.final_health {
            let known = final_health.entry(*health).or_insert(Interval::ZERO);
            *known = known.plus(*share, *chance);
        }
    }
    let chance = |interval: Interval| Interval { lower: interval.lower.max(0.0), upper: interval.upper.min(1.0) };
    Worth {
        health: parts.first().map_or(0, |(_, worth)| worth.health),
        value: sum(|worth| worth.value),
        exact,
        expected_health: parts
            .iter()
            .try_fold(Interval::ZERO, |sum, (share, worth)| Some(sum.plus(*share, worth.expected_health?))),
        survival: chance(sum(|worth| worth.survival)),
        final_health: final_health.into_iter().map(|(health, share)| (health, chance(share))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use mdp::ratio;

    use super::*;

    #[test]
    fn one_thread_and_four_find_the_same() {
        let met = |kind: &str, part: i64| (ratio(part, 6), vec![Foe::of(kind.parse().unwrap(), 0)]);
        let encounters = [met("cultist", 1), met("looter", 2), met("jaw-worm", 3)];
        let solve = || {
            let budget = Budget::unlimited();
            solve_several(&Hero::new(0), &encounters, &[80, 20], Objective::Health, Asked::default(), &budget).unwrap()
        };
        let on = |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(solve);
        assert_eq!(on(1), on(4));
    }
}
