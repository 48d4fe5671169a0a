//! Simulated plays of a book that is too large to be solved: by a policy that was learned, not by best play.

use std::sync::atomic::{AtomicU64, Ordering};

use budget::{Budget, Stage, Stopped};
use mdp::Dice;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::solve_error::SolveBookError;
use crate::machine::{Action, Machine, Move};
use crate::passes::steps_to_victory;
use crate::program::{Edges, Place, State};

/// What simulated plays came to, by a policy that was learned from others before. It proves nothing: who plays best wins
/// at least as often as who plays by this policy, and how often that is, is known within an error.
///
/// The policy looks at which question it is, with the flags and Special Items that it was split by, in which quarter of what
/// he has at the start the hero's life is, and how often play has come to the question (once, twice, up to four times, up to
/// eight, ...); there it takes of the answers that can be given the one that had won most
/// often. Who comes back to a situation before anything was rolled answers at random there. It was learned in as many plays
/// as are then made, the first of them at random, later ones ever more by what had been learned; as long as few are won, a
/// play that came near a victory counts for a little.
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
    /// How many plays won.
    pub won: u64,
    /// How many were made.
    pub plays: u64,
    /// How many of them were given up after too many steps; they count as lost.
    pub unfinished: u64,
}

impl Sample {
    /// What is [likely](Self::likely) is wrong less than once in so many samples.
    pub const OFF_ONCE_IN: f64 = 10_000.0;

    /// Learns a policy for a game in so many plays, and makes as many by it. What they come to depends on `seed`, not on
    /// the number of threads.
    ///
    /// # Errors
    /// When the budget says stop.
    pub fn new(machine: &Machine, plays: u64, seed: u64, budget: &Budget<'_>) -> Result<Self, SolveBookError> {
        let learned = learn(machine, plays, seed, budget)?;
        let (won, unfinished, done) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        (0..plays).into_par_iter().try_for_each(|play| {
            let mut dice = Dice::new(seed, plays + play);
            let choose = |asked: &Asked, moves: &[Move], _: &mut Dice| learned.best(*asked, moves).0;
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

    /// The share of the plays that won, 0 without plays.
    pub fn win(&self) -> f64 {
        count(self.won) / count(self.plays.max(1))
    }

    /// Between what the policy's probability to win is: also where few plays won, or nearly all, and standard errors say too
    /// little. (Chernoff's bound: Hoeffding 1963, theorem 1, equation 2.1, for either side.)
    pub fn likely(&self) -> (f64, f64) {
        let (won, lost) = (count(self.won), count(self.plays - self.won));
        let share = self.win();
        let part = |plays: f64, seen: f64, own: f64| if plays > 0.0 { plays * (seen / own).ln() } else { 0.0 };
        let most = (2.0 * Self::OFF_ONCE_IN).ln();
        let is_off = |own: f64| part(won, share, own) + part(lost, 1.0 - share, 1.0 - own) > most;
        (end(share, 0.0, is_off), end(share, 1.0, is_off))
    }

    /// The standard error of [`win`](Self::win). Where all plays or none won, as if one more had ended otherwise.
    pub fn standard_error(&self) -> f64 {
        let plays = count(self.plays.max(1));
        let share = self.win().clamp(1.0 / (plays + 1.0), plays / (plays + 1.0));
        (share * (1.0 - share) / plays).sqrt()
    }
}

/// Where on the way from what was seen to what is farthest from it something is off: the first number found to be, no farther
/// than a billionth.
fn end(seen: f64, farthest: f64, is_off: impl Fn(f64) -> bool) -> f64 {
    let (mut near, mut far) = (seen, farthest);
    while (far - near).abs() > 1e-9 {
        let middle = f64::midpoint(near, far);
        *(if is_off(middle) { &mut far } else { &mut near }) = middle;
    }
    far
}

/// A number of plays to compute with: exact below 2^53.
fn count(plays: u64) -> f64 {
    mdp::nearest(&plays.into())
}

/// A play that is longer is given up.
const MOST_STEPS: u32 = 10_000;

/// After so many answers without a roll play is said to go round.
const LONG: usize = 100;

/// What the policy looks at where it is asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Asked {
    place: Place,
    /// In which quarter the hero's life is.
    life: u8,
    /// How often play has come to the question, as the power of two that it needs.
    times: u8,
}

/// What answers have been worth, by what the policy looks at.
#[derive(Default)]
struct Learned(FxHashMap<(Asked, Action), Worth>);

/// How often an answer was given, and what came of it; of what is long ago less.
#[derive(Clone, Copy, Default)]
struct Worth {
    given: u8,
    mean: f32,
}

impl Worth {
    /// Plays of long ago were made by another policy.
    const REMEMBERED: u8 = 200;

    fn learn(&mut self, earned: f32) {
        self.given += u8::from(self.given < Self::REMEMBERED);
        self.mean += (1.0 / f32::from(self.given)) * (earned - self.mean);
    }
}

/// How near to a victory play came, in steps; what is farther than can be counted is as far as that.
struct Progress {
    steps: Vec<u16>,
    first: u16,
    nearest: u16,
}

impl Progress {
    /// What a play counts for that came as near as can be and was lost.
    const MOST: f32 = 0.1;

    fn new(machine: &Machine, budget: &Budget<'_>) -> Result<Self, Stopped> {
        let steps = steps_to_victory(&machine.program, &Edges::successors(&machine.program).turned(budget)?, budget)?;
        let steps: Vec<u16> = steps.into_iter().map(|steps| u16::try_from(steps).unwrap_or(u16::MAX)).collect();
        let first = steps.get(machine.first().place() as usize).copied().unwrap_or(0);
        Ok(Self { steps, first, nearest: first })
    }

    fn comes_by(&mut self, place: Place) {
        self.nearest = self.nearest.min(self.steps.get(place as usize).copied().unwrap_or(u16::MAX));
    }

    /// What a lost play counts for; the next one begins.
    fn lost(&mut self) -> f32 {
        let nearest = std::mem::replace(&mut self.nearest, self.first);
        let left = f32::from(nearest) / f32::from(self.first.max(1));
        Self::MOST * (1.0 - left.min(1.0)).powi(2)
    }
}

impl Learned {
    /// Of which of these answers most came, the first of several, and how much; of one that was never given nothing.
    fn best(&self, asked: Asked, moves: &[Move]) -> (usize, f32) {
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

/// Learns in so many plays. The first fifth of them is played at random; from then on answers at random become rare.
fn learn(machine: &Machine, plays: u64, seed: u64, budget: &Budget<'_>) -> Result<Learned, SolveBookError> {
    // As many of a hundred answers are given at random in each fifth of the plays. With fewer in the end, books with a long
    // way to a victory were learned worse.
    const RANDOM: [u64; 5] = [100, 50, 20, 10, 3];
    let mut learned = Learned::default();
    let mut progress = Progress::new(machine, budget)?;
    let mut given: Vec<(Asked, Action)> = Vec::new();
    for play in 0..plays {
        budget.step(Stage::Simulating, play, 2 * plays - play)?;
        budget.memory((learned.0.capacity() * size_of::<((Asked, Action), Worth)>()) as u64)?;
        let random = usize::try_from(5 * play / plays).ok().and_then(|fifth| RANDOM.get(fifth)).map_or(0, |own| *own);
        given.clear();
        let mut dice = Dice::new(seed, play);
        let choose = |asked: &Asked, moves: &[Move], dice: &mut Dice| {
            progress.comes_by(asked.place);
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

/// One of these answers, each as likely.
fn any(moves: &[Move], dice: &mut Dice) -> usize {
    usize::try_from(dice.number(moves.len() as u64)).unwrap_or(0)
}

/// Plays once; whether it was won, `None` where it was given up.
fn play_once(
    machine: &Machine,
    dice: &mut Dice,
    mut choose: impl FnMut(&Asked, &[Move], &mut Dice) -> usize,
    budget: &Budget<'_>,
) -> Result<Option<bool>, Stopped> {
    let (mut moves, mut buffer) = (Vec::new(), Vec::new());
    let mut state = machine.first();
    // Where play has been since something was rolled.
    let mut since: Vec<State> = Vec::new();
    let mut visits: FxHashMap<Place, u32> = FxHashMap::default();
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
                // Nobody is asked, and nothing can come up: steps that go on, or play is stuck.
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
                let asked = Asked { place: state.place(), life: machine.quarter_of_life(&state), times };
                let own = if again { any(&moves, dice) } else { choose(&asked, &moves, dice) };
                moves[own].state
            }
        };
        state = machine.advance(&next, &mut buffer);
    }
    Ok(None)
}
