//! Fights solved as far as a search comes, and simulated where it does not come through.

use std::time::Duration;

use budget::{Budget, Reason, Stopped};
use mdp::{Rational, nearest};

use super::json::number;
use super::several::{mixed, solve_parts};
use super::simulated_plays::SimulatedGain;
use super::solve::{Asked, Solved};
use crate::data::enemy::Kind;
use crate::numbers::chance::Chance;
use crate::rules::setup::{Foe, Hero};
use crate::rules::state::State;
use crate::rules::{Rules, RulesError};
use crate::search::payoff::{Objective, Payoff};
use crate::simulate::compare::Compared;
use crate::simulate::policy::Begin;
use crate::simulate::sampled::{Sampled, Side, Simulating};

/// The share of a limit on time that the search has.
const SEARCH: f64 = 0.4;
/// How long it may take where there is no such limit, but a precision that is enough.
const PATIENCE: Duration = Duration::from_secs(20);
/// The share of the rest in which to learn to play.
const LEARNING: f64 = 0.3;
/// When the means are known to such a share of a precision, more samples bring little.
const NEARLY: f64 = 0.3;
/// The share of the rest after which what was found is told.
const SAMPLING: f64 = 0.95;

/// What [`solve_several`](crate::solve_several) tells, and what was simulated where the search was stopped: for the first
/// health. Where that is as precise as was asked for, the run counts as whole.
///
/// # Errors
/// When a fight is not modelled.
///
/// ```
/// use budget::{Budget, Limits};
/// use slay_the_spire::{Asked, Encounters, Foe, Hero, Objective, Simulating, solve_or_simulate};
///
/// let encounters: Encounters = vec![(mdp::ratio(1, 1), vec![Foe::of("jaw-worm".parse()?, 0)])];
/// let few = Budget::new(Limits { max_memory: 1, ..Limits::NONE });
/// let simulating = Simulating { samples: Some(200), training: 150, ..Simulating::default() };
/// let (hero, asked) = (Hero::new(0), Asked::default());
/// let solved = solve_or_simulate((&hero, &encounters), &[80], Objective::Health, asked, simulating, &few)?;
/// let (proved, simulated) = (solved.worths[0].value, solved.worths[0].simulated.unwrap().value);
/// assert!(proved.lower <= simulated.lower && simulated.lower <= 74.94 && 74.95 <= simulated.upper);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_or_simulate(
    (hero, encounters): (&Hero, &[(Rational, Vec<Foe>)]),
    healths: &[i16],
    objective: Objective,
    asked: Asked,
    simulating: Simulating,
    budget: &Budget<'_>,
) -> Result<Solved, RulesError> {
    let asked = Asked { ends: false, ..asked };
    let searching = simulating.searching(budget, SEARCH, PATIENCE);
    let mut parts = solve_parts(hero, encounters, healths, objective, asked, &searching)?;
    let open: Vec<usize> = (0..parts.len()).filter(|part| is_open(parts[*part].1.stopped)).collect();
    if open.is_empty() || objective == Objective::Loss {
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
    // What the search has left open of the whole is as wide as it is.
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

/// Whether a search was stopped by what does not stop a simulation.
pub(crate) fn is_open(stopped: Option<Stopped>) -> bool {
    stopped.is_some_and(|stopped| stopped.reason != Reason::Interrupted)
}

/// What a comparison found of one of several things to do; all of it is wrong with this probability at most.
pub(crate) fn simulated_gain(compared: &Compared, error: f64) -> SimulatedGain {
    SimulatedGain {
        value: number(compared.value),
        gain: number(compared.gain),
        played_gain: number(compared.played),
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

    /// The fight of which nothing was simulated yet.
    pub(crate) fn sampled(&self, health: i16, simulating: Simulating) -> Sampled<'_> {
        Sampled::new((&self.rules, &self.payoff), (Begin::Fight(&self.starts), &self.kinds), health, simulating)
    }
}

/// Several fights that are simulated, each with the share with which it is met.
struct Sampling<'a> {
    fights: Vec<(f64, Sampled<'a>)>,
    /// How far the mean of each is from its bound, from below and from above.
    open: Vec<[f64; 2]>,
    widths: Vec<f64>,
    /// How likely each bound may be wrong.
    error: f64,
}

impl<'a> Sampling<'a> {
    fn new(fights: Vec<(f64, Sampled<'a>)>, error: f64) -> Self {
        let bounds = f64::from(u32::try_from(2 * fights.len().max(1)).unwrap_or(u32::MAX));
        let widths = fights.iter().map(|(_, sampled)| sampled.proved.width()).collect();
        Self { open: vec![[f64::INFINITY; 2]; fights.len()], widths, fights, error: error / bounds }
    }

    /// How wide the interval of the whole is.
    fn width(&self) -> f64 {
        self.fights.iter().zip(&self.widths).map(|((share, _), width)| share * width).sum()
    }

    /// Samples until the interval is narrow enough, or there are as many samples as may be.
    fn run(&mut self, enough: Option<f64>, budget: &Budget<'_>) -> Result<(), Stopped> {
        let rest = budget.part(SAMPLING);
        for fight in 0..self.fights.len() {
            let left = f64::from(u32::try_from(self.fights.len() - fight).unwrap_or(u32::MAX));
            // What was learned by then will do.
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

    /// Whether even many more samples would leave the interval wider: what is between the means is what foresight is worth and
    /// the way to play lacks.
    fn is_hopeless(&self, enough: f64) -> bool {
        let open: f64 = self.fights.iter().zip(&self.open).map(|((share, _), open)| share * (open[0] + open[1])).sum();
        self.width() - open > enough && open < NEARLY * enough
    }

    /// Where more samples narrow the whole most for the time that they take.
    fn next(&self) -> Option<(usize, Side)> {
        let sides = (0..self.fights.len()).flat_map(|fight| [(fight, Side::Below), (fight, Side::Above)]);
        let gain = |(fight, side): &(usize, Side)| {
            let (share, sampled) = &self.fights[*fight];
            share * self.open[*fight][*side as usize] / sampled.took[*side as usize].as_secs_f64().max(1e-6)
        };
        let open = sides.filter(|(fight, side)| !self.fights[*fight].1.is_full(*side));
        open.max_by(|one, other| gain(one).total_cmp(&gain(other)))
    }

    /// Brings the bounds of a fight up to date.
    fn look(&mut self, fight: usize) {
        let sampled = &self.fights[fight].1;
        self.widths[fight] = sampled.bounds(self.error).width();
        self.open[fight] = [Side::Below, Side::Above].map(|side| sampled.open(side, self.error));
    }
}
