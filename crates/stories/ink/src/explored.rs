//! Explores the situations of a story, in the order of their probability for a reader who chooses at random, within the
//! limits.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use budget::{Budget, Progress, Reason, Stage, Stopped};
use mdp::{Distribution, Game, GameError, SolveOptions, Solved, Turn, Weight, solve_game_with};
use rustc_hash::FxHashMap;

use crate::game::{InkGame, State};

/// The share of the time for exploration.
const EXPLORING: f64 = 0.6;

/// One choice, by numbers of states.
#[derive(Debug)]
pub(crate) struct ExpandedMove {
    text: Option<String>,
    /// Its targets, with weights.
    outcomes: Vec<(u32, u128)>,
}

/// The result of expanding a state.
#[derive(Debug)]
pub(crate) enum Expansion {
    /// Not expanded: a limit came first.
    Open,
    /// Play has ended.
    Over,
    /// The choices with their texts, and the targets of each, with weights.
    Moves(Vec<ExpandedMove>),
}

/// The discovered states of a story.
#[derive(Debug)]
pub(crate) struct Explored {
    pub(crate) states: Vec<State>,
    pub(crate) expansions: Vec<Expansion>,
    /// The predecessor of each state and its choice, for the path to it.
    found: Vec<Option<(u32, u32)>>,
    /// Why some are not expanded.
    pub(crate) stopped: Option<Stopped>,
    /// Whether some are not followed.
    pub(crate) cut: bool,
}

/// A state of the frontier; more likely ones first, then older ones.
#[derive(PartialEq)]
struct FrontierState {
    likely: f64,
    state: u32,
}

impl Eq for FrontierState {}

impl Ord for FrontierState {
    fn cmp(&self, other: &Self) -> Ordering {
        self.likely.total_cmp(&other.likely).then(other.state.cmp(&self.state))
    }
}

impl PartialOrd for FrontierState {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Explored {
    /// Explores from the beginning until all states are expanded or the budget stops the run. Some of the available time
    /// is left for solving.
    pub(crate) fn of(game: &InkGame, budget: &Budget<'_>) -> Self {
        Self::from(game, State::Start, budget)
    }

    /// The same from another state, which becomes number 0.
    pub(crate) fn from(game: &InkGame, first: State, budget: &Budget<'_>) -> Self {
        let budget = &budget.part(EXPLORING);
        let mut explored = Self {
            states: vec![first.clone()],
            expansions: vec![Expansion::Open],
            found: vec![None],
            stopped: None,
            cut: false,
        };
        let mut numbers = FxHashMap::from_iter([(first, 0)]);
        let mut open = BinaryHeap::from([FrontierState { likely: 1.0, state: 0 }]);
        let mut bytes = 0;
        while let Some(FrontierState { likely, state }) = open.pop() {
            if let Err(stopped) = explored.check(budget, open.len(), bytes + game.bytes()) {
                explored.stopped = Some(stopped);
                break;
            }
            let mut moves = Vec::new();
            let found_moves = game.moves(&explored.states[state as usize]);
            let share = likely * part(1, found_moves.len() as u128);
            for (choice, own) in (0..).zip(found_moves) {
                let total = own.outcomes.iter().fold(0u128, |all, (_, weight)| all.saturating_add(*weight));
                let mut outcomes = Vec::with_capacity(own.outcomes.len());
                for (next, weight) in own.outcomes {
                    let number = *numbers.entry(next).or_insert_with_key(|next| {
                        bytes += bytes_of(next);
                        explored.push(next.clone(), (state, choice), share * part(weight, total), &mut open)
                    });
                    outcomes.push((number, weight));
                }
                bytes += 64 + 32 * outcomes.len() as u64;
                moves.push(ExpandedMove { text: own.text, outcomes });
            }
            explored.expansions[state as usize] =
                if moves.is_empty() { Expansion::Over } else { Expansion::Moves(moves) };
        }
        explored
    }

    /// The values for a reader if unexplored states are lost, and if they are won, if there are any. The explored part
    /// is also solved if states, memory or the whole time ran out during exploration.
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
        let most = if self.stopped.is_some() || self.cut { Some(solve(1)?) } else { None };
        Ok((solve(0)?, most))
    }

    fn push(&mut self, state: State, found: (u32, u32), likely: f64, open: &mut BinaryHeap<FrontierState>) -> u32 {
        let number = u32::try_from(self.states.len()).expect("memory ends before that");
        if state == State::Cut {
            self.cut = true;
        } else {
            open.push(FrontierState { likely, state: number });
        }
        self.states.push(state);
        self.expansions.push(Expansion::Open);
        self.found.push(Some(found));
        number
    }

    fn check(&self, budget: &Budget<'_>, waiting: usize, bytes: u64) -> Result<(), Stopped> {
        let done = self.states.len() as u64;
        budget.states(done)?;
        budget.memory(bytes)?;
        let stage = Stage::Exploring;
        // Expanding a state takes so long that the clock can be checked each time.
        budget.advance(Progress { stage, done, waiting: waiting as u64, memory: bytes })
    }

    /// The texts of the choices on the path by which a state was discovered.
    pub(crate) fn way(&self, mut state: u32) -> Vec<String> {
        let mut way = Vec::new();
        while let Some((from, choice)) = self.found[state as usize] {
            if let Expansion::Moves(moves) = &self.expansions[from as usize] {
                way.extend(moves[choice as usize].text.clone());
            }
            state = from;
        }
        way.reverse();
        way
    }

    /// The targets of a player's choice in a state, with weights; `None` if there is no such choice.
    pub(crate) fn move_of(&self, state: u32, choice: u32) -> Option<&[(u32, u128)]> {
        let Expansion::Moves(moves) = &self.expansions[state as usize] else { return None };
        let own = moves.get(choice as usize)?;
        own.text.as_ref().map(|_| &own.outcomes[..])
    }

    /// The targets of a state without a choice.
    pub(crate) fn forced_move(&self, state: u32) -> Option<&[(u32, u128)]> {
        match &self.expansions[state as usize] {
            Expansion::Moves(moves) => moves.iter().find(|own| own.text.is_none()).map(|own| &own.outcomes[..]),
            Expansion::Open | Expansion::Over => None,
        }
    }

    /// How many states ask for a choice.
    pub(crate) fn situations(&self) -> usize {
        self.states.iter().filter(|state| matches!(state, State::Asking(_))).count()
    }
}

/// A share of a whole, rounded: precise enough to order states.
pub(crate) fn part(part: u128, whole: u128) -> f64 {
    let shift = (u128::BITS - whole.leading_zeros()).saturating_sub(u32::BITS);
    let rounded = |number: u128| f64::from(u32::try_from(number >> shift).unwrap_or(u32::MAX));
    rounded(part) / rounded(whole.max(1))
}

fn bytes_of(state: &State) -> u64 {
    match state {
        State::Asking(situation) => 200 + situation.bytes(),
        State::Passing(_, next) => 200 + bytes_of(next),
        State::Start | State::Ended(_) | State::Broken(_) | State::Cut => 200,
    }
}

/// The kinds of readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// Chooses the best.
    Best,
    /// Chooses at random, every choice with the same probability.
    Random,
}

/// The explored part, solved with the least and with the largest values of unexplored states; without the latter if
/// there are none.
pub(crate) type BothEnds<'a> = (Solved<Played<'a>>, Option<Solved<Played<'a>>>);

/// The explored part as a game of numbered states.
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
        let moves = match &self.explored.expansions[*state as usize] {
            Expansion::Open => return turn.end(self.open_pays),
            Expansion::Over => {
                let ending = self.game.ending(&self.explored.states[*state as usize]);
                return turn.end(u8::from(ending.is_some_and(|ending| ending.won)));
            }
            Expansion::Moves(moves) => moves,
        };
        let outcomes = |own: &ExpandedMove| {
            Distribution::weighted(own.outcomes.iter().map(|(state, weight)| (*state, Weight(*weight))))
        };
        let distributions: Result<Vec<_>, _> = moves.iter().map(outcomes).collect();
        // The engine then reports a choice without outcomes.
        let Ok(distributions) = distributions else { return turn.chance([]) };
        match self.reader {
            Reader::Best => {
                for (own, distribution) in moves.iter().zip(distributions) {
                    if let Some(text) = &own.text {
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
