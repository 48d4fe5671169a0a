//! Simulated plays of a reader who chooses at random: estimates for a story that is not explored to its end.

use std::collections::BTreeMap;

use budget::{Budget, Stage};
use mdp::Dice;

use crate::game::{Ending, InkGame, State, destination};
use crate::runner::StepLimits;
use crate::story::Story;

/// Plays with more choices are given up.
const MOST_CHOICES: u32 = 2_000;

/// What happened in simulated plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simulated {
    /// How many plays there were.
    pub plays: u64,
    /// The seed that determines them.
    pub seed: u64,
    /// How many came to each ending, the won ones first.
    pub endings: Vec<(Ending, u64)>,
    /// How many came to each knot and stitch, in the order of the story.
    pub knots: Vec<(String, u64)>,
    /// How many broke off.
    pub broken: u64,
    /// How many were given up after 2,000 choices.
    pub unfinished: u64,
}

impl Simulated {
    /// How many plays won.
    pub fn won(&self) -> u64 {
        self.endings.iter().filter(|(ending, _)| ending.won).map(|(_, plays)| plays).sum()
    }
}

impl Story {
    /// Plays the story so many times, or as often as the budget allows, with choices and chance at random. The plays
    /// depend on `seed` alone.
    ///
    /// ```
    /// let story = ink::Story::compile("* heads\n  # win\n  -> END\n* tails -> END\n", "coin.ink", |_| Err("none".into()))?;
    /// let simulated = story.simulated(1_000, 1, ink::StepLimits::default(), &budget::Budget::default());
    /// assert_eq!(simulated.plays, 1_000);
    /// assert!((400..600).contains(&simulated.won()));
    /// # Ok::<(), ink::SourceError>(())
    /// ```
    pub fn simulated(&self, plays: u64, seed: u64, limits: StepLimits, budget: &Budget<'_>) -> Simulated {
        let game = InkGame::new(self, limits);
        let mut simulated = Simulated { seed, ..Simulated::default() };
        let mut endings: BTreeMap<(bool, Ending), u64> = BTreeMap::new();
        let mut visits = vec![0; self.knots().count()];
        for play in 0..plays {
            let mut passed = vec![false; visits.len()];
            let mut dice = Dice::new(seed, play);
            let Some(end) = play_once(&game, &mut dice, budget, &mut passed) else { break };
            simulated.plays += 1;
            if let Some(ending) = game.ending(&end) {
                *endings.entry((!ending.won, ending)).or_default() += 1;
            } else if game.fault(&end).is_some() {
                simulated.broken += 1;
            } else {
                simulated.unfinished += 1;
            }
            for (count, passed) in visits.iter_mut().zip(passed) {
                *count += u64::from(passed);
            }
            if budget.step(Stage::Simulating, simulated.plays, plays - simulated.plays).is_err() {
                break;
            }
        }
        simulated.endings = endings.into_iter().map(|((_, ending), plays)| (ending, plays)).collect();
        simulated.knots = self.knots().map(str::to_owned).zip(visits).collect();
        simulated
    }
}

/// The last state of a play, and which knots it passed; `None` if the budget stopped it.
fn play_once(game: &InkGame, dice: &mut Dice, budget: &Budget<'_>, passed: &mut [bool]) -> Option<State> {
    let mut state = State::Start;
    for _ in 0..=MOST_CHOICES {
        let choices = game.choices(&state).len() as u64;
        if choices == 0 && state != State::Start {
            return Some(state);
        }
        budget.look().ok()?;
        let choice = usize::try_from(dice.number(choices)).unwrap_or(0);
        let next = game.rolled(&state, choice, dice);
        for knot in game.passed(&next) {
            passed[knot as usize] = true;
        }
        state = destination(next);
    }
    Some(state)
}
