//! The situations of a story, those first that a reader who answers at random comes to most likely, as far as limits allow.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use budget::{Budget, Progress, Reason, Stage, Stopped};
use mdp::{Distribution, Game, GameError, SolveOptions, Solved, Turn, Weight, solve_game_with};
use rustc_hash::FxHashMap;

use crate::game::{InkGame, State};

/// The share of the time that exploring may take.
const EXPLORING: f64 = 0.6;

/// One choice, by numbers of states.
#[derive(Debug)]
pub(crate) struct ToldMove {
    text: Option<String>,
    /// Where it leads, with weights.
    outcomes: Vec<(u32, u128)>,
}

/// What one state was told of.
#[derive(Debug)]
pub(crate) enum Told {
    /// Nothing: limits came before.
    Open,
    /// Play has ended.
    Over,
    /// The choices with their texts, and where each leads, with weights.
    Moves(Vec<ToldMove>),
}

/// The states of a story that were found.
#[derive(Debug)]
pub(crate) struct Explored {
    pub(crate) states: Vec<State>,
    pub(crate) told: Vec<Told>,
    /// From which state by which choice each was found, for the way to it.
    found: Vec<Option<(u32, u32)>>,
    /// Why some are open.
    pub(crate) stopped: Option<Stopped>,
}

/// A state that waits to be told, the likelier and the older first.
#[derive(PartialEq)]
struct Waiting {
    likely: f64,
    state: u32,
}

impl Eq for Waiting {}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.likely.total_cmp(&other.likely).then(other.state.cmp(&self.state))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Explored {
    /// Explores until everything is told or the budget says stop. Of the time that there is some is left for solving.
    pub(crate) fn of(game: &InkGame, budget: &Budget<'_>) -> Self {
        let budget = &budget.part(EXPLORING);
        let mut explored =
            Self { states: vec![State::Start], told: vec![Told::Open], found: vec![None], stopped: None };
        let mut numbers = FxHashMap::from_iter([(State::Start, 0)]);
        let mut open = BinaryHeap::from([Waiting { likely: 1.0, state: 0 }]);
        let mut bytes = 0;
        while let Some(Waiting { likely, state }) = open.pop() {
            if let Err(stopped) = explored.check(budget, open.len(), bytes + game.bytes()) {
                explored.stopped = Some(stopped);
                break;
            }
            let mut moves = Vec::new();
            let told = game.moves(&explored.states[state as usize]);
            let share = likely * part(1, told.len() as u128);
            for (choice, told) in (0..).zip(told) {
                let total = told.outcomes.iter().fold(0u128, |all, (_, weight)| all.saturating_add(*weight));
                let mut outcomes = Vec::with_capacity(told.outcomes.len());
                for (next, weight) in told.outcomes {
                    let number = *numbers.entry(next).or_insert_with_key(|next| {
                        bytes += bytes_of(next);
                        explored.push(next.clone(), (state, choice), share * part(weight, total), &mut open)
                    });
                    outcomes.push((number, weight));
                }
                bytes += 64 + 32 * outcomes.len() as u64;
                moves.push(ToldMove { text: told.text, outcomes });
            }
            explored.told[state as usize] = if moves.is_empty() { Told::Over } else { Told::Moves(moves) };
        }
        explored
    }

    /// What it is worth to a reader if nothing is won where nothing was explored, and if all is, where there is such a place.
    /// What was explored is solved also where states, memory or all of the time ended exploring.
    pub(crate) fn solved<'a>(
        &'a self,
        game: &'a InkGame,
        reader: Reader,
        exact: bool,
        budget: &Budget<'_>,
    ) -> Result<BothEnds<'a>, GameError> {
        let fresh = Budget::default();
        let has_time = match self.stopped.map(|stopped| stopped.reason) {
            None => true,
            Some(Reason::Time { .. }) => budget.check().is_ok(),
            Some(_) => false,
        };
        let options = SolveOptions::default().with_exact(exact).with_budget(if has_time { budget } else { &fresh });
        let solve = |open_pays| solve_game_with(Played { explored: self, game, reader, open_pays }, &options);
        let most = if self.stopped.is_some() { Some(solve(1)?) } else { None };
        Ok((solve(0)?, most))
    }

    fn push(&mut self, state: State, found: (u32, u32), likely: f64, open: &mut BinaryHeap<Waiting>) -> u32 {
        let number = u32::try_from(self.states.len()).expect("memory ends before that");
        self.states.push(state);
        self.told.push(Told::Open);
        self.found.push(Some(found));
        open.push(Waiting { likely, state: number });
        number
    }

    fn check(&self, budget: &Budget<'_>, waiting: usize, bytes: u64) -> Result<(), Stopped> {
        let done = self.states.len() as u64;
        budget.states(done)?;
        budget.memory(bytes)?;
        let stage = Stage::Exploring;
        // A state takes so long that the clock may be asked each time.
        budget.advance(Progress { stage, done, waiting: waiting as u64, memory: bytes })
    }

    /// The texts of the choices on the way by which a state was found.
    pub(crate) fn way(&self, mut state: u32) -> Vec<String> {
        let mut way = Vec::new();
        while let Some((from, choice)) = self.found[state as usize] {
            if let Told::Moves(moves) = &self.told[from as usize] {
                way.extend(moves[choice as usize].text.clone());
            }
            state = from;
        }
        way.reverse();
        way
    }

    /// Where a choice leads that the player makes in a state, with weights; nothing where there is no such choice.
    pub(crate) fn move_of(&self, state: u32, choice: u32) -> Option<&[(u32, u128)]> {
        let Told::Moves(moves) = &self.told[state as usize] else { return None };
        let told = moves.get(choice as usize)?;
        told.text.as_ref().map(|_| &told.outcomes[..])
    }

    /// Where a state leads in which nobody is asked.
    pub(crate) fn forced_move(&self, state: u32) -> Option<&[(u32, u128)]> {
        match &self.told[state as usize] {
            Told::Moves(moves) => moves.iter().find(|told| told.text.is_none()).map(|told| &told.outcomes[..]),
            Told::Open | Told::Over => None,
        }
    }

    /// How many states ask for a choice.
    pub(crate) fn situations(&self) -> usize {
        self.states.iter().filter(|state| matches!(state, State::Waiting(_))).count()
    }
}

/// A part of a whole, rounded: as precise as needed to say what comes first.
pub(crate) fn part(part: u128, whole: u128) -> f64 {
    let shift = (u128::BITS - whole.leading_zeros()).saturating_sub(u32::BITS);
    let rounded = |number: u128| f64::from(u32::try_from(number >> shift).unwrap_or(u32::MAX));
    rounded(part) / rounded(whole.max(1))
}

fn bytes_of(state: &State) -> u64 {
    match state {
        State::Waiting(situation) => 200 + situation.bytes(),
        State::Passing(_, next) => 200 + bytes_of(next),
        State::Start | State::Ended(_) | State::Broken(_) => 200,
    }
}

/// Who reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// Chooses the best.
    Best,
    /// Chooses at random, every choice with the same probability.
    Random,
}

/// What was explored, solved with the least and with the most that can come where nothing was explored; without the latter where
/// there is no such place.
pub(crate) type BothEnds<'a> = (Solved<Played<'a>>, Option<Solved<Played<'a>>>);

/// What was explored as a game of numbered states.
#[derive(Debug)]
pub(crate) struct Played<'a> {
    explored: &'a Explored,
    game: &'a InkGame,
    reader: Reader,
    open_pays: u8,
}

impl Game for Played<'_> {
    type State = u32;
    type Action = String;

    fn starts(&self) -> Vec<Distribution<u32>> {
        vec![Distribution::certain(0)]
    }

    fn rules(&self, state: &u32, turn: &mut Turn<u32, String>) {
        let moves = match &self.explored.told[*state as usize] {
            Told::Open => return turn.end(self.open_pays),
            Told::Over => {
                let ending = self.game.ending(&self.explored.states[*state as usize]);
                return turn.end(u8::from(ending.is_some_and(|ending| ending.won)));
            }
            Told::Moves(moves) => moves,
        };
        let outcomes = |told: &ToldMove| {
            Distribution::weighted(told.outcomes.iter().map(|(state, weight)| (*state, Weight(*weight))))
        };
        let distributions: Result<Vec<_>, _> = moves.iter().map(outcomes).collect();
        // Then the engine says that nothing can happen.
        let Ok(distributions) = distributions else { return turn.chance([]) };
        match self.reader {
            Reader::Best => {
                for (told, distribution) in moves.iter().zip(distributions) {
                    if let Some(text) = &told.text {
                        turn.choice_with(|| text.clone());
                    }
                    turn.chance_from(&distribution);
                }
            }
            Reader::Random => match Distribution::uniform(distributions) {
                Ok(any) => turn.chance_from(&any.and_then(Clone::clone).merge()),
                Err(_) => turn.chance([]),
            },
        }
    }
}
