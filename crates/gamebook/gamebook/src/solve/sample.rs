//! Simulation of books that are too large to be solved, under a learned policy.

use std::sync::atomic::{AtomicU64, Ordering};

use budget::{Budget, Stage, Stopped};
use mdp::Dice;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::solve_error::SolveBookError;
use crate::machine::{Action, Machine, Move};
use crate::passes::steps_to_victory;
use crate::program::{Edges, Label, State};

/// The results of simulated plays under a policy that was learned from earlier plays. They prove nothing about optimal play,
/// except that it wins at least as often as this policy, whose probability of winning is known within a statistical error.
///
/// The policy is keyed by the question (with the flags and special items by which it was specialized), the quarter of the
/// hero's initial health that is left, and how often play has reached the question (once, twice, up to four times, up to eight,
/// ...). It takes the possible answer that has won most often. If a state recurs before anything was rolled, the answer is
/// random. As many plays are used for learning as are then evaluated: the first at random, later ones increasingly by what was
/// learned. While few plays win, a lost play that came near a victory counts for a little.
///
/// ```
/// use budget::Budget;
/// use gamebook::{Question, Sample, read};
///
/// let text = r#"
///     book "Doors" format=1 system="none"
///     start 1
///     section 1 { choice "left" { roll d6 as=r { when "r = 1" { victory; }; else { death; }; }; }; choice "right" { goto 2; }; }
///     section 2 { roll d6 as=r { when "r = 1" { death; }; else { victory; }; }; }
/// "#;
/// let (book, _) = read(text)?;
/// let machine = Question::new(&book).machine(&book, &Budget::unlimited())?;
/// let sample = Sample::new(&machine, 10_000, 1, &Budget::unlimited())?;
/// let (least, most) = sample.likely();
/// assert!(least < 5.0 / 6.0 && 5.0 / 6.0 < most);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The number of plays that won.
    pub won: u64,
    /// The number of plays.
    pub plays: u64,
    /// The number of plays that were given up after too many steps; they count as lost.
    pub unfinished: u64,
}

impl Sample {
    /// The interval of [`likely`](Self::likely) is wrong in less than one of this many samples.
    pub const OFF_ONCE_IN: f64 = 10_000.0;

    /// Learns a policy in this many plays and evaluates it in as many. The result depends on `seed`, not on the number of
    /// threads.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(machine: &Machine, plays: u64, seed: u64, budget: &Budget<'_>) -> Result<Self, SolveBookError> {
        let learned = learn(machine, plays, seed, budget)?;
        let (won, unfinished, done) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        (0..plays).into_par_iter().try_for_each(|play| {
            let mut dice = Dice::new(seed, plays + play);
            let choose = |asked: &PolicyKey, moves: &[Move], _: &mut Dice| learned.best(*asked, moves).0;
            match play_once(machine, &mut dice, choose, budget)? {
                Some(true) => won.fetch_add(1, Ordering::Relaxed),
                Some(false) => 0,
                None => unfinished.fetch_add(1, Ordering::Relaxed),
            };
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            budget.step(Stage::Simulating, plays + done, plays - done)
        })?;
        Ok(Self { won: won.into_inner(), plays, unfinished: unfinished.into_inner() })
    }

    /// The share of plays that won; 0 without plays.
    pub fn win(&self) -> f64 {
        count(self.won) / count(self.plays.max(1))
    }

    /// A confidence interval for the policy's probability of winning, valid even if few plays or nearly all won. (Chernoff's
    /// bound: Hoeffding 1963, theorem 1, equation 2.1, for either side.)
    pub fn likely(&self) -> (f64, f64) {
        let (won, lost) = (count(self.won), count(self.plays - self.won));
        let share = self.win();
        let part = |plays: f64, seen: f64, own: f64| if plays > 0.0 { plays * (seen / own).ln() } else { 0.0 };
        let most = (2.0 * Self::OFF_ONCE_IN).ln();
        let is_off = |own: f64| part(won, share, own) + part(lost, 1.0 - share, 1.0 - own) > most;
        (end(share, 0.0, is_off), end(share, 1.0, is_off))
    }

    /// The standard error of [`win`](Self::win). If all plays or none won, as if one more had ended otherwise.
    pub fn standard_error(&self) -> f64 {
        let plays = count(self.plays.max(1));
        let share = self.win().clamp(1.0 / (plays + 1.0), plays / (plays + 1.0));
        (share * (1.0 - share) / plays).sqrt()
    }
}

/// The end of a confidence interval, by bisection to a billionth: the first number from `seen` towards `farthest` that is
/// rejected.
fn end(seen: f64, farthest: f64, is_off: impl Fn(f64) -> bool) -> f64 {
    let (mut near, mut far) = (seen, farthest);
    while (far - near).abs() > 1e-9 {
        let middle = f64::midpoint(near, far);
        *(if is_off(middle) { &mut far } else { &mut near }) = middle;
    }
    far
}

/// A number of plays as a float: exact below 2^53.
fn count(plays: u64) -> f64 {
    mdp::nearest(&plays.into())
}

/// A longer play is given up.
const MOST_STEPS: u32 = 10_000;

/// After this many answers without a roll, answers become random, in case play loops.
const LONG: usize = 100;

/// The key of the policy.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct PolicyKey {
    place: Label,
    /// The quarter of the initial health that is left.
    life: u8,
    /// How often play has reached the question, as a rounded-up power of two.
    times: u8,
}

/// The results of answers by the policy's key.
#[derive(Default)]
struct Learned(FxHashMap<(PolicyKey, Action), Worth>);

/// How often an answer was given and its moving average of results.
#[derive(Clone, Copy, Default)]
struct Worth {
    given: u8,
    mean: f32,
}

impl Worth {
    /// Older plays were made by another policy, so their weight fades.
    const REMEMBERED: u8 = 200;

    fn learn(&mut self, earned: f32) {
        self.given += u8::from(self.given < Self::REMEMBERED);
        self.mean += (1.0 / f32::from(self.given)) * (earned - self.mean);
    }
}

/// The distance to a victory, in steps, saturating.
struct Progress {
    steps: Vec<u16>,
    first: u16,
    nearest: u16,
}

impl Progress {
    /// The result counted for a lost play that came as near as possible.
    const MOST: f32 = 0.1;

    fn new(machine: &Machine, budget: &Budget<'_>) -> Result<Self, Stopped> {
        let steps = steps_to_victory(&machine.program, &Edges::successors(&machine.program).turned(budget)?, budget)?;
        let steps: Vec<u16> = steps.into_iter().map(|steps| u16::try_from(steps).unwrap_or(u16::MAX)).collect();
        let first = steps.get(machine.first().place() as usize).copied().unwrap_or(0);
        Ok(Self { steps, first, nearest: first })
    }

    fn visit(&mut self, place: Label) {
        self.nearest = self.nearest.min(self.steps.get(place as usize).copied().unwrap_or(u16::MAX));
    }

    /// The result counted for a lost play; resets for the next one.
    fn lost(&mut self) -> f32 {
        let nearest = std::mem::replace(&mut self.nearest, self.first);
        let left = f32::from(nearest) / f32::from(self.first.max(1));
        Self::MOST * (1.0 - left.min(1.0)).powi(2)
    }
}

impl Learned {
    /// The answer with the best average, the first of equals, and that average; 0 for answers never given.
    fn best(&self, asked: PolicyKey, moves: &[Move]) -> (usize, f32) {
        let (mut best, mut most) = (0, -1.0);
        for (place, answer) in moves.iter().enumerate() {
            let worth = self.0.get(&(asked, answer.action)).map_or(0.0, |worth| worth.mean);
            if worth > most {
                (best, most) = (place, worth);
            }
        }
        (best, most)
    }
}

/// Learns in this many plays. The first fifth is played at random; random answers then become rare.
fn learn(machine: &Machine, plays: u64, seed: u64, budget: &Budget<'_>) -> Result<Learned, SolveBookError> {
    // The percentage of random answers in each fifth of the plays. With fewer at the end, books with a long way to victory were
    // learned worse.
    const RANDOM: [u64; 5] = [100, 50, 20, 10, 3];
    let mut learned = Learned::default();
    let mut progress = Progress::new(machine, budget)?;
    let mut given: Vec<(PolicyKey, Action)> = Vec::new();
    for play in 0..plays {
        budget.step(Stage::Simulating, play, 2 * plays - play)?;
        budget.memory((learned.0.capacity() * size_of::<((PolicyKey, Action), Worth)>()) as u64)?;
        let random = usize::try_from(5 * play / plays).ok().and_then(|fifth| RANDOM.get(fifth)).map_or(0, |own| *own);
        given.clear();
        let mut dice = Dice::new(seed, play);
        let choose = |asked: &PolicyKey, moves: &[Move], dice: &mut Dice| {
            progress.visit(asked.place);
            let own = match learned.best(*asked, moves) {
                (best, worth) if worth > 0.0 && dice.number(100) >= random => best,
                _ => any(moves, dice),
            };
            let key = (*asked, moves[own].action);
            if !given.contains(&key) {
                given.push(key);
            }
            own
        };
        let won = play_once(machine, &mut dice, choose, budget)? == Some(true);
        let lost = progress.lost();
        for key in &given {
            learned.0.entry(*key).or_default().learn(if won { 1.0 } else { lost });
        }
    }
    Ok(learned)
}

/// A uniformly random answer.
fn any(moves: &[Move], dice: &mut Dice) -> usize {
    usize::try_from(dice.number(moves.len() as u64)).unwrap_or(0)
}

/// Plays once; returns whether it was won, `None` if it was given up.
fn play_once(
    machine: &Machine,
    dice: &mut Dice,
    mut choose: impl FnMut(&PolicyKey, &[Move], &mut Dice) -> usize,
    budget: &Budget<'_>,
) -> Result<Option<bool>, Stopped> {
    let (mut moves, mut buffer) = (Vec::new(), Vec::new());
    let mut state = machine.first();
    // States visited since the last roll.
    let mut since: Vec<State> = Vec::new();
    let mut visits: FxHashMap<Label, u32> = FxHashMap::default();
    for _ in 0..MOST_STEPS {
        if Machine::end(&state).is_some() {
            return Ok(Some(Machine::is_won(&state)));
        }
        budget.look()?;
        let next = if let Some(next) = machine.drawn(&state, dice) {
            since.clear();
            next
        } else {
            moves.clear();
            machine.moves(&state, usize::MAX, &mut moves);
            if moves.is_empty() {
                // No decision and no chance: a step that goes on, or play is stuck.
                let mut stepped = state;
                if !machine.step(&mut stepped) {
                    return Ok(Some(false));
                }
                stepped
            } else {
                let again = since.len() >= LONG || since.contains(&state);
                since.push(state);
                let visited = visits.entry(state.place()).or_default();
                *visited += 1;
                let times = u8::try_from(visited.next_power_of_two().trailing_zeros()).unwrap_or(u8::MAX);
                let asked = PolicyKey { place: state.place(), life: machine.quarter_of_life(&state), times };
                let own = if again { any(&moves, dice) } else { choose(&asked, &moves, dice) };
                moves[own].state
            }
        };
        state = machine.advance(&next, &mut buffer);
    }
    Ok(None)
}
