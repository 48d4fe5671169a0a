//! Solves fights by search, and simulates those that the search does not finish.

use std::time::Duration;

use budget::{Budget, Reason, Stopped};
use mdp::{Rational, nearest};

use super::json::number;
use super::several::{mixed, solve_parts};
use super::simulated_plays::SimulatedGain;
use super::solve::{FightOptions, Solved};
use crate::data::enemy::Kind;
use crate::numbers::chance::Chance;
use crate::rules::setup::{Foe, Hero};
use crate::rules::state::State;
use crate::rules::{Rules, RulesError};
use crate::search::payoff::{Objective, Payoff};
use crate::simulate::compare::Compared;
use crate::simulate::policy::Begin;
use crate::simulate::sampled::{Sampled, Side, Simulating};

/// The time for the search if there is no limit on time, but a requested precision.
const SEARCH_TIME: Duration = Duration::from_secs(20);
/// The share of the rest for training.
const LEARNING: f64 = 0.3;
/// When the means are known to this share of the precision, more samples help little.
const NEARLY: f64 = 0.3;
/// The share of the rest after which the results are reported.
const SAMPLING: f64 = 0.95;

/// The answer of [`solve_several`](crate::solve_several), with simulated values for the first health where the search
/// was stopped. If these reach the requested precision, the run counts as complete.
///
/// # Errors
/// When a fight is not modelled.
///
/// ```
/// use budget::{Budget, Limits};
/// use slay_the_spire::{FightOptions, Encounters, Foe, Hero, Objective, Simulating, solve_or_simulate};
///
/// let encounters: Encounters = vec![(mdp::ratio(1, 1), vec![Foe::of("jaw-worm".parse()?, 0)])];
/// let few = Budget::new(Limits { max_memory: 1, ..Limits::NONE });
/// let simulating = Simulating { samples: Some(200), training: 150, ..Simulating::default() };
/// let (hero, asked) = (Hero::new(0), FightOptions::default());
/// let solved = solve_or_simulate((&hero, &encounters), &[80], Objective::Health, asked, simulating, &few)?;
/// let (proved, simulated) = (solved.worths[0].value, solved.worths[0].simulated.unwrap().value);
/// assert!(proved.lower <= simulated.lower && simulated.lower <= 74.94 && 74.95 <= simulated.upper);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_or_simulate(
    (hero, encounters): (&Hero, &[(Rational, Vec<Foe>)]),
    healths: &[i16],
    objective: Objective,
    options: FightOptions,
    simulating: Simulating,
    budget: &Budget<'_>,
) -> Result<Solved, RulesError> {
    let options = FightOptions { ends: false, ..options };
    let searching = simulating.searching(budget, objective, SEARCH_TIME);
    let mut parts = solve_parts(hero, encounters, healths, objective, options, &searching)?;
    let open: Vec<usize> = (0..parts.len()).filter(|part| is_open(parts[*part].1.stopped)).collect();
    if open.is_empty() || objective.is_cost() {
        return Ok(mixed(&parts));
    }
    let health = healths.first().copied().unwrap_or(hero.max_health);
    let fights = open.iter().map(|part| Fight::new(hero, &encounters[*part].1, health, objective));
    let fights = fights.collect::<Result<Vec<_>, _>>()?;
    let sampled = fights.iter().zip(&open).map(|(fight, part)| {
        let mut sampled = fight.sampled(health, simulating);
        sampled.proved = parts[*part].1.worths[0].value;
        (nearest(&parts[*part].0), sampled)
    });
    let mut sampling = Sampling::new(sampled.collect(), simulating.error);
    // The total width that the search has left open.
    let solved: f64 = (0..parts.len())
        .filter(|part| !open.contains(part))
        .map(|part| nearest(&parts[part].0) * parts[part].1.worths[0].value.width())
        .sum();
    let enough = simulating.precision.map(|precision| precision - solved);
    let precise = sampling.run(enough, &simulating.within(budget)).is_ok()
        && enough.is_some_and(|enough| sampling.width() <= enough);
    for ((_, sampled), part) in sampling.fights.iter().zip(&open) {
        let solved = &mut parts[*part].1;
        let is_begun = sampled.count(Side::Below) + sampled.count(Side::Above) > 0;
        solved.worths[0].simulated = is_begun.then(|| sampled.simulated(sampling.error));
        if precise {
            solved.stopped = None;
        }
    }
    Ok(mixed(&parts))
}

/// Whether the search stopped for a reason that does not stop a simulation.
pub(crate) fn is_open(stopped: Option<Stopped>) -> bool {
    stopped.is_some_and(|stopped| stopped.reason != Reason::Interrupted)
}

/// The results of a comparison for one of several options; any of them is wrong with at most this probability.
pub(crate) fn simulated_gain(compared: &Compared, error: f64) -> SimulatedGain {
    SimulatedGain {
        value: number(compared.value),
        gain: number(compared.gain),
        played_gain: number(compared.played),
        mean: compared.mean,
        rank: compared.rank,
        wrong_in_less_than: error,
    }
}

/// A fight that is simulated.
pub(crate) struct Fight {
    pub rules: Rules,
    pub payoff: Payoff,
    pub kinds: Vec<Kind>,
    pub starts: Vec<(Chance, State)>,
}

impl Fight {
    pub(crate) fn new(hero: &Hero, foes: &[Foe], health: i16, objective: Objective) -> Result<Self, RulesError> {
        let rules = hero.rules(foes)?.beginning_with(health);
        let (payoff, starts) = (Payoff::new(objective, &rules)?, hero.starts(&rules, foes));
        Ok(Self { payoff, starts, kinds: foes.iter().map(|foe| foe.kind).collect(), rules })
    }

    /// The fight without any samples yet.
    pub(crate) fn sampled(&self, health: i16, simulating: Simulating) -> Sampled<'_> {
        Sampled::new((&self.rules, &self.payoff), (Begin::Fight(&self.starts), &self.kinds), health, simulating)
    }
}

/// Several simulated fights, each with its probability.
struct Sampling<'a> {
    fights: Vec<(f64, Sampled<'a>)>,
    /// The distance of the mean of each from its bound, from below and from above.
    open: Vec<[f64; 2]>,
    widths: Vec<f64>,
    /// The probability with which each bound may be wrong.
    error: f64,
}

impl<'a> Sampling<'a> {
    fn new(fights: Vec<(f64, Sampled<'a>)>, error: f64) -> Self {
        let bounds = f64::from(u32::try_from(2 * fights.len().max(1)).unwrap_or(u32::MAX));
        let widths = fights.iter().map(|(_, sampled)| sampled.proved.width()).collect();
        Self { open: vec![[f64::INFINITY; 2]; fights.len()], widths, fights, error: error / bounds }
    }

    /// The width of the overall interval.
    fn width(&self) -> f64 {
        self.fights.iter().zip(&self.widths).map(|((share, _), width)| share * width).sum()
    }

    /// Samples until the interval is narrow enough, or there are enough samples.
    fn run(&mut self, enough: Option<f64>, budget: &Budget<'_>) -> Result<(), Stopped> {
        let rest = budget.part(SAMPLING);
        for fight in 0..self.fights.len() {
            let left = f64::from(u32::try_from(self.fights.len() - fight).unwrap_or(u32::MAX));
            // If the time is over, the policy learned so far is used.
            let _ = self.fights[fight].1.train(&rest.part(LEARNING / left));
        }
        while enough.is_none_or(|enough| self.width() > enough) {
            let Some((fight, side)) = self.next() else { break };
            let sampled = self.fights[fight].1.sample(side, &rest);
            self.look(fight);
            sampled?;
            if enough.is_some_and(|enough| self.is_hopeless(enough)) {
                break;
            }
        }
        Ok(())
    }

    /// Whether even many more samples would leave the interval wider: the difference between the means is the value of
    /// foresight plus what the policy lacks.
    fn is_hopeless(&self, enough: f64) -> bool {
        let open: f64 = self.fights.iter().zip(&self.open).map(|((share, _), open)| share * (open[0] + open[1])).sum();
        self.width() - open > enough && open < NEARLY * enough
    }

    /// The fight and side where more samples narrow the interval most for their time.
    fn next(&self) -> Option<(usize, Side)> {
        // Of several that are equally open the last one: a fight takes less time than a world.
        let sides = (0..self.fights.len()).flat_map(|fight| [(fight, Side::Above), (fight, Side::Below)]);
        let gain = |(fight, side): &(usize, Side)| {
            let (share, sampled) = &self.fights[*fight];
            share * self.open[*fight][*side as usize] / sampled.took[*side as usize].as_secs_f64().max(1e-6)
        };
        let open = sides.filter(|(fight, side)| !self.fights[*fight].1.is_full(*side));
        open.max_by(|one, other| gain(one).total_cmp(&gain(other)))
    }

    /// Updates the bounds of a fight.
    fn look(&mut self, fight: usize) {
        let sampled = &self.fights[fight].1;
        self.widths[fight] = sampled.bounds(self.error).width();
        self.open[fight] = [Side::Below, Side::Above].map(|side| sampled.open(side, self.error));
    }
}
