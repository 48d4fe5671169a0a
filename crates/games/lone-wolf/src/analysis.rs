//! An exact analysis of one fight.
//!
//! The engine solves a fight with two ordered payoffs: survival first, victory second.

use std::collections::BTreeMap;
use std::fmt;

use budget::Stopped;
use dashu_int::UBig;
use mdp::{
    ExploreError, ExploreOptions, Rational, Solution, SolveError, SolveOptions, StateSpace, exact_visit_probabilities,
    explore, nearest, solve,
};

use crate::fight::{Fight, LEAVE, State};

/// A solved fight.
///
/// If the hero may leave he does so where that maximises his probability of survival, by victory or by leaving, and
/// with equal survival his probability of victory.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The chance to win.
    pub win: Rational,
    /// The chance to die.
    pub death: Rational,
    /// The chance to leave alive.
    pub evaded: Rational,
    /// The probability of winning with each remaining ENDURANCE; they sum to `win`.
    pub endurance_left: Vec<(u8, Rational)>,
    /// The course of the fight, from round 1 on.
    pub rounds: Vec<Round>,
    /// The decision in all situations that can occur under this policy and be survived, in the order of rounds, the
    /// hero's ENDURANCE, the enemy's.
    pub situations: Vec<Situation>,
    /// How many states the fight has.
    pub states: u64,
}

/// The fight after a round: the floating-point numbers nearest to the exact ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// The hero's mean ENDURANCE; 0 for the dead, and constant after a victory or after leaving.
    pub mean_endurance: f64,
    /// The enemy's, likewise; the loss in the round in which the hero leaves does not count.
    pub mean_enemy_endurance: f64,
    /// The chance that the fight is over.
    pub over: f64,
}

/// A situation in which the hero may leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Situation {
    /// The next round, from 1.
    pub round: u32,
    /// Whether the same applies to all later rounds.
    pub and_later: bool,
    /// The hero's ENDURANCE.
    pub hero: u8,
    /// The enemy's ENDURANCE.
    pub enemy: u8,
    /// Whether to leave; otherwise to fight.
    pub leave: bool,
}

impl Situation {
    /// Groups situations by round and the hero's ENDURANCE, if they are in order, as [`Analysis::situations`] are.
    pub fn groups(situations: &[Self]) -> impl Iterator<Item = &[Self]> {
        situations.chunk_by(|a, b| (a.round, a.hero) == (b.round, b.hero))
    }
}

/// Why a fight could not be analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnalysisError {
    /// It can go on for ever: neither side can lose ENDURANCE any more.
    Endless,
    /// The exploration failed.
    Explore(ExploreError),
    /// The solution failed.
    Solve(SolveError),
}

impl fmt::Display for AnalysisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Endless => crate::EndlessFight::ForEver.fmt(f),
            Self::Explore(error) => error.fmt(f),
            Self::Solve(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AnalysisError {}

impl AnalysisError {
    /// Why the run was stopped, if it was.
    pub fn stopped(&self) -> Option<&Stopped> {
        match self {
            Self::Explore(ExploreError::Stopped(stopped))
            | Self::Solve(SolveError::Stopped(stopped) | SolveError::StoppedWithBounds { stopped, .. }) => {
                Some(stopped)
            }
            _ => None,
        }
    }
}

/// Rounds are followed until [`Round::over`] is 1 as a floating-point number, and no further than this.
pub const MOST_ROUNDS_FOLLOWED: u32 = 1000;

/// Solves a fight exactly.
///
/// # Errors
/// When the fight can go on for ever, when it exceeds the limits of `options`, or when its budget stops the run.
///
/// ```
/// use lone_wolf::{CombatTable, Conditions, Fight, analyse};
///
/// let conditions = Conditions { ratio: -5, ..Conditions::default() };
/// let fight = Fight { table: CombatTable::standard(), conditions, hero: 20, enemy: 12, evade_from: None };
/// let plain = analyse(&fight, &mdp::ExploreOptions::default())?;
/// assert_eq!(plain.win, mdp::ratio(21_807, 25_000));
///
/// // If he may run he lives more often.
/// let careful = analyse(&Fight { evade_from: Some(2), ..fight }, &mdp::ExploreOptions::default())?;
/// assert!(careful.win < plain.win && careful.win + careful.evaded > plain.win);
/// # Ok::<(), lone_wolf::AnalysisError>(())
/// ```
pub fn analyse(fight: &Fight<'_>, options: &ExploreOptions<'_>) -> Result<Analysis, AnalysisError> {
    let space = explore(fight, options).map_err(AnalysisError::Explore)?;
    let solution =
        solve(space.model(), &SolveOptions::from(*options).with_exact(true)).map_err(AnalysisError::Solve)?;
    let visit_probabilities =
        exact_visit_probabilities(&solution, &space.starts()[0], options.budget).map_err(AnalysisError::Solve)?;

    let [mut win, mut death, mut evaded] = [Rational::ZERO, Rational::ZERO, Rational::ZERO];
    let mut left: BTreeMap<u8, Rational> = BTreeMap::new();
    for (id, probability) in visit_probabilities.finished() {
        let probability = probability.into_exact().unwrap_or(Rational::ZERO);
        match space.state(id) {
            State { hero: 0, .. } => death += probability,
            State { evaded: true, .. } => evaded += probability,
            State { hero, .. } => {
                win += &probability;
                *left.entry(*hero).or_insert(Rational::ZERO) += probability;
            }
        }
    }
    if &win + &death + &evaded != Rational::ONE {
        return Err(AnalysisError::Endless);
    }

    let solved = Solved { fight, space: &space, solution: &solution };
    let situation = |id| {
        let state = space.state(id);
        let can_leave = state.hero > 0 && state.enemy > 0 && !state.evaded && fight.may_leave(state.fought);
        let survives = || solution.value(id).exact.is_some_and(|value| value > Rational::ZERO);
        (can_leave && survives()).then(|| Situation {
            round: state.fought + 1,
            and_later: state.fought == fight.steady_after(),
            hero: state.hero,
            enemy: state.enemy,
            leave: solved.leaves(*state),
        })
    };
    let mut situations: Vec<Situation> = visit_probabilities.states().iter().filter_map(|id| situation(*id)).collect();
    situations.sort_unstable();
    Ok(Analysis {
        win,
        death,
        evaded,
        endurance_left: left.into_iter().collect(),
        rounds: solved.rounds(),
        situations,
        states: space.model().counts().states,
    })
}

struct Solved<'a> {
    fight: &'a Fight<'a>,
    space: &'a StateSpace<State>,
    solution: &'a Solution,
}

impl Solved<'_> {
    /// Whether the hero leaves in the next round.
    fn leaves(&self, state: State) -> bool {
        let choice = || self.space.number_of(&state).and_then(|id| self.solution.policy().choice(id));
        self.fight.may_leave(state.fought) && choice() == Some(LEAVE)
    }

    /// Follows the distribution of situations from round to round.
    fn rounds(&self) -> Vec<Round> {
        let fight = self.fight;
        let mut rounds = Vec::new();
        if fight.hero == 0 || fight.enemy == 0 {
            return rounds;
        }
        // Of `total` plays this many continue with these ENDURANCES...
        let mut open = BTreeMap::from([((fight.hero, fight.enemy), UBig::ONE)]);
        let mut total = UBig::ONE;
        // ... and of those that are over, this is the sum of each side's ENDURANCE.
        let [mut hero_kept, mut enemy_kept] = [UBig::ZERO, UBig::ZERO];
        for fought in 0..MOST_ROUNDS_FOLLOWED {
            let losses = fight.conditions.round(fight.table, fought + 1);
            for number in [&mut total, &mut hero_kept, &mut enemy_kept] {
                *number *= losses.len();
            }
            let mut next: BTreeMap<(u8, u8), UBig> = BTreeMap::new();
            for ((hero, enemy), plays) in &open {
                let leaves = self.leaves(fight.after(fought, *hero, *enemy, false));
                for loss in losses {
                    let hero = hero.saturating_sub(loss.hero);
                    let enemy = if leaves { *enemy } else { enemy.saturating_sub(loss.enemy) };
                    if leaves || hero == 0 || enemy == 0 {
                        hero_kept += plays * hero;
                        enemy_kept += plays * enemy;
                    } else {
                        *next.entry((hero, enemy)).or_insert(UBig::ZERO) += plays;
                    }
                }
            }
            open = next;
            let mean = |kept: &UBig, of: fn(&(u8, u8)) -> u8| {
                let sum = open.iter().fold(kept.clone(), |sum, (pair, plays)| sum + plays * of(pair));
                nearest(&Rational::from_parts(sum.into(), total.clone()))
            };
            let over = &total - open.values().sum::<UBig>();
            let round = Round {
                mean_endurance: mean(&hero_kept, |pair| pair.0),
                mean_enemy_endurance: mean(&enemy_kept, |pair| pair.1),
                over: nearest(&Rational::from_parts(over.into(), total.clone())),
            };
            rounds.push(round);
            if round.over == 1.0 {
                break;
            }
        }
        rounds
    }
}
