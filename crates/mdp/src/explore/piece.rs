//! What one thread finds in a piece of the states that wait.

use std::hash::Hash;

use dashu_int::UBig;
use rustc_hash::FxHashMap;

use super::error::ExploreError;
use super::found::Found;
use super::merge::Scratch;
use crate::distribution::SharedWeights;
use crate::game::{Game, Turn, Weights};
use crate::model::{CHANCE, Code, FINAL, REWARD, StateId};
use crate::places::id;
use crate::rational::Rational;
use crate::row::{InRow, RowTurns};
use crate::space::hash_of;
use crate::weights::{CERTAIN, TooManyWeights, WeightTable, WeightsId};

/// The numbers of weights that the game shares among its choices, by where they are in memory.
/// Copies are kept, so that nothing else can come to the same place.
#[derive(Default)]
pub(super) struct KnownWeights(FxHashMap<usize, (WeightsId, SharedWeights)>);

impl KnownWeights {
    #[inline]
    pub(super) fn get(&self, weights: &SharedWeights) -> Option<WeightsId> {
        self.0.get(&weights.address()).map(|(id, _)| *id)
    }

    pub(super) fn intern(
        &mut self,
        weights: &SharedWeights,
        table: &mut WeightTable,
    ) -> Result<WeightsId, TooManyWeights> {
        if let Some(id) = self.get(weights) {
            return Ok(id);
        }
        let id = table.intern_large(weights.weights())?;
        self.0.insert(weights.address(), (id, weights.clone()));
        Ok(id)
    }
}

/// What a word waits for; `N` is a state without a number.
pub(super) enum Open<N> {
    State(N),
    Weights(Vec<u64>),
    LargeWeights(Vec<UBig>),
    SharedWeights(SharedWeights),
    Payoff(Vec<Rational>),
    Reward(Rational),
    /// The rules contradict themselves.
    Error(ExploreError),
}

/// A row that has no number yet, with its hash; or the number that it has got.
pub(super) enum NewRow<S> {
    Open(S, u64),
    Known(u32),
}

/// The row of a state without a number.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowOf {
    /// It has been found.
    Known(u32),
    /// It is new: a place in [`RowPiece::new_rows`].
    New(u32),
}

/// What one thread found in a piece: words in which some numbers are still open.
pub(super) struct Piece<N> {
    pub(super) words: Vec<u32>,
    /// What is open, each with the word to put its number in.
    pub(super) open: Vec<(u32, Open<N>)>,
    /// Where each state's words end, and what is open in them.
    pub(super) ends: Vec<(u32, u32)>,
    scratch: Scratch,
}

impl<N> Default for Piece<N> {
    fn default() -> Self {
        Self { words: Vec::new(), open: Vec::new(), ends: Vec::new(), scratch: Scratch::default() }
    }
}

impl<N> Piece<N> {
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.open.clear();
        self.ends.clear();
    }

    /// Where the words of the state at a place begin and end, and what is open in them.
    pub(super) fn run(&self, place: usize) -> ((usize, usize), (usize, usize)) {
        let (words, open) = self.ends[place];
        let (first_word, first_open) = place.checked_sub(1).map_or((0, 0), |before| self.ends[before]);
        ((first_word as usize, words as usize), (first_open as usize, open as usize))
    }

    /// Turns what was said of a state into words. `resolve` gives a next state its number, or says what it is.
    pub(super) fn encode<S: Eq + Hash, A>(
        &mut self,
        turn: &Turn<S, A>,
        code: &Code,
        shared: &KnownWeights,
        resolve: impl FnMut(&S, u64) -> Result<StateId, N>,
    ) {
        if let Err(error) = self.try_encode(turn, code, shared, resolve) {
            self.open.push((0, Open::Error(error)));
        }
        self.ends.push((id(self.words.len()), id(self.open.len())));
    }

    fn try_encode<S: Eq + Hash, A>(
        &mut self,
        turn: &Turn<S, A>,
        code: &Code,
        shared: &KnownWeights,
        mut resolve: impl FnMut(&S, u64) -> Result<StateId, N>,
    ) -> Result<(), ExploreError> {
        let Self { words, open, scratch, .. } = self;
        match (turn.payoff.is_empty(), turn.choices.is_empty()) {
            (true, true) => return Err(ExploreError::NoRules { state: String::new() }),
            (false, false) => return Err(ExploreError::OverAndNotOver { state: String::new() }),
            (false, true) if !turn.rewards.is_empty() => {
                return Err(ExploreError::BadReward { state: String::new() });
            }
            (false, true) => {
                match code.payoffs.find(&turn.payoff) {
                    Some(id) => words.push(FINAL | id),
                    None => {
                        open.push((id(words.len()), Open::Payoff(turn.payoff.clone())));
                        words.push(FINAL);
                    }
                }
                return Ok(());
            }
            (true, false) => {}
        }
        if turn.empty_chance {
            return Err(ExploreError::NothingCanHappen { state: String::new() });
        }
        if turn.unequal {
            return Err(ExploreError::UnequalOutcomes { state: String::new() });
        }
        let mut next = |state: &S, hash: u64, words: &mut Vec<u32>, open: &mut Vec<(u32, Open<N>)>| {
            let number = resolve(state, hash).unwrap_or_else(|new| {
                open.push((id(words.len()), Open::State(new)));
                0
            });
            words.push(number);
        };
        let mut begin = 0;
        let mut rewards = turn.rewards.iter().peekable();
        for (number, choice) in turn.choices.iter().enumerate() {
            let states = &turn.states[begin..choice.states];
            begin = choice.states;
            if let Some((_, reward)) = rewards.next_if(|(of, _)| *of == number) {
                if *reward < Rational::ZERO || rewards.next_if(|(of, _)| *of == number).is_some() {
                    return Err(ExploreError::BadReward { state: String::new() });
                }
                if let Some(id) = code.rewards.find(reward) {
                    words.push(REWARD | id);
                } else {
                    open.push((id(words.len()), Open::Reward(reward.clone())));
                    words.push(REWARD);
                }
            }
            if let [state] = states {
                words.push(CHANCE | CERTAIN);
                next(state, hash_of(state), words, open);
                continue;
            }
            scratch.merge(states, choice.weights, turn);
            let header = id(words.len());
            words.push(CHANCE | CERTAIN);
            if scratch.kept.len() > 1 {
                if let (Weights::Shared(place), true) = (choice.weights, scratch.large.is_empty()) {
                    let weights = &turn.shared[place];
                    match shared.get(weights) {
                        Some(id) => words[header as usize] = CHANCE | id,
                        None => open.push((header, Open::SharedWeights(weights.clone()))),
                    }
                } else if !scratch.large.is_empty() {
                    open.push((header, Open::LargeWeights(scratch.large.clone())));
                } else if let Some(id) = code.weights.find(&scratch.weights) {
                    words[header as usize] = CHANCE | id;
                } else {
                    open.push((header, Open::Weights(scratch.weights.clone())));
                }
            }
            for kept in &scratch.kept {
                next(&states[*kept as usize], scratch.hashes[*kept as usize], words, open);
            }
        }
        if rewards.next().is_some() {
            return Err(ExploreError::BadReward { state: String::new() });
        }
        Ok(())
    }
}

/// What one thread found in a piece of rows.
pub(super) struct RowPiece<S, A> {
    pub(super) piece: Piece<(RowOf, u32)>,
    pub(super) new_rows: Vec<NewRow<S>>,
    turns: RowTurns<S, A>,
    /// The numbers of the rows to which the row at hand leads.
    rows: Vec<RowOf>,
    positions: Vec<u32>,
}

impl<S, A> Default for RowPiece<S, A> {
    fn default() -> Self {
        Self {
            piece: Piece::default(),
            new_rows: Vec::new(),
            turns: RowTurns::default(),
            rows: Vec::new(),
            positions: Vec::new(),
        }
    }
}

impl<S: Clone + Eq + Hash, A> RowPiece<S, A> {
    /// Turns states into words, one after another; those of a row stand together. Stops when there are more than so many.
    pub(super) fn expand<G: Game<State = S, Action = A>>(
        &mut self,
        game: &G,
        states: &[StateId],
        found: &Found<S>,
        code: &Code,
        shared: &KnownWeights,
        most_words: usize,
    ) {
        self.piece.clear();
        self.new_rows.clear();
        for row in states.chunk_by(|left, right| found.place(*left).row == found.place(*right).row) {
            if self.piece.words.len() > most_words {
                break;
            }
            self.positions.clear();
            self.positions.extend(row.iter().map(|state| found.place(*state).position));
            self.turns.clear(row.len());
            game.rules_of_row(&found.rows()[found.place(row[0]).row as usize], &self.positions, &mut self.turns);
            self.rows.clear();
            for (next, hash) in self.turns.rows() {
                self.rows.push(match found.known_row(next, hash) {
                    Some(known) => RowOf::Known(known),
                    None => {
                        self.new_rows.push(NewRow::Open(next.clone(), hash));
                        RowOf::New(id(self.new_rows.len() - 1))
                    }
                });
            }
            for place in 0..row.len() {
                self.piece.encode(self.turns.said(place), code, shared, |next: &InRow, _| {
                    let row = self.rows[next.row as usize];
                    let known = match row {
                        RowOf::Known(row) => found.known(InRow { row, position: next.position }),
                        RowOf::New(_) => None,
                    };
                    known.ok_or((row, next.position))
                });
            }
        }
    }
}
