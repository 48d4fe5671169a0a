//! The states and words that are known so far, and how they grow.

use std::convert::Infallible;
use std::hash::Hash;
use std::sync::{Arc, OnceLock};

use budget::{Budget, Progress, Stage};
use rayon::prelude::*;

use super::agenda::{self, Agenda};
use super::error::{ExploreError, with_state};
use super::found::Found;
use super::piece::{KnownWeights, NewRow, Open, Piece, RowOf, RowPiece};
use super::shared_nodes::SharedNodes;
use crate::distribution::Distribution;
use crate::game::{Game, Turn};
use crate::model::{CHANCE, Code, FINAL, LOW, REWARD, StateId};
use crate::order::{self, order};
use crate::places::id;
use crate::row::InRow;
use crate::space::{StateSpace, hash_of};

/// The states that have numbers: the last number means none.
const MOST_STATES: u64 = (1 << 32) - 2;
/// States that a thread expands between two looks at the limits. Many enough to make joining cheap,
/// few enough to keep all threads at work.
const BATCH: usize = 1 << 13;
/// Words that all threads may find between two looks at the limits, if the states to come are like
/// those before.
const BATCH_WORDS: usize = 1 << 22;
/// Words that one thread alone finds before it appends them: few enough to stay in the cache.
const PIECE_WORDS: usize = 1 << 12;

pub(super) struct Explorer<'a, G: Game> {
    game: &'a G,
    budget: &'a Budget<'a>,
    found: Found<G::State>,
    code: Code,
    nodes: SharedNodes,
    shared_weights: KnownWeights,
    starts: Vec<Distribution<StateId>>,
    /// The states in the order in which they were told, where that is not the order of their numbers.
    told: Vec<StateId>,
}

impl<'a, G: Game> Explorer<'a, G> {
    pub(super) fn new(game: &'a G, budget: &'a Budget<'a>) -> Self {
        Self {
            game,
            budget,
            found: Found::new(game.row_length()),
            code: Code { offsets: vec![0], ..Code::default() },
            nodes: SharedNodes::default(),
            shared_weights: KnownWeights::default(),
            starts: Vec::new(),
            told: Vec::new(),
        }
    }

    pub(super) fn enter_starts(&mut self) -> Result<(), ExploreError> {
        let starts = self.game.starts();
        if starts.is_empty() {
            return Err(ExploreError::NoStart);
        }
        for start in starts {
            let numbers = start.map(|state| {
                let (row, position) = self.game.row_of(state);
                let row = self.found.row(row.clone(), hash_of(&row));
                self.found.number(InRow { row, position })
            });
            self.starts.push(numbers.merge());
        }
        Ok(())
    }

    fn expanded(&self) -> usize {
        self.code.offsets.len() - 1
    }

    /// Tells all states; where states have rows, until `ends` says so: before the first state of a larger rank it is asked
    /// with the number of states, the rank of the last and that of the next.
    pub(super) fn expand(
        &mut self,
        threads: usize,
        ends: &mut dyn FnMut(usize, u32, u32) -> bool,
    ) -> Result<(), ExploreError> {
        match threads {
            _ if self.found.has_rows() => self.expand_rows(threads, ends),
            1 => self.expand_alone(),
            _ => self.expand_together(threads),
        }
    }

    /// The same work as [`expand_together`](Self::expand_together) without joining: with one
    /// thread a new state can have its number at once.
    fn expand_alone(&mut self) -> Result<(), ExploreError> {
        let mut piece: Piece<Infallible> = Piece::default();
        let mut turn = Turn::new();
        while self.expanded() < self.found.states() {
            self.check_limits(Stage::Exploring)?;
            let last = self.found.states().min(self.expanded() + self.batch(1));
            let most_words = self.code.words.len() + BATCH_WORDS;
            while self.expanded() < last && self.code.words.len() < most_words {
                let first = self.expanded();
                piece.clear();
                for expanded in first..last {
                    if piece.words.len() > PIECE_WORDS {
                        break;
                    }
                    turn.clear();
                    self.game.rules(&self.found.rows()[expanded], &mut turn);
                    let Self { found, code, shared_weights, .. } = self;
                    piece.encode(&turn, code, shared_weights, |state: &G::State, hash| {
                        Ok(found.row(state.clone(), hash))
                    });
                }
                for place in 0..piece.ends.len() {
                    self.join(&mut piece, place, |_, never| match *never {})?;
                }
            }
        }
        Ok(())
    }

    /// How many states to expand before the next look at the limits: fewer when they have many
    /// outcomes.
    fn batch(&self, threads: usize) -> usize {
        let words = self.code.words.len() / self.expanded().max(1) + 1;
        (BATCH_WORDS / words).clamp(1, threads * BATCH)
    }

    fn expand_together(&mut self, threads: usize) -> Result<(), ExploreError> {
        type Own<S, A> = (Piece<(S, u64)>, Turn<S, A>);
        let mut pieces: Vec<Own<G::State, G::Action>> = (0..4 * threads).map(|_| Own::default()).collect();
        while self.expanded() < self.found.states() {
            self.check_limits(Stage::Exploring)?;
            let first = self.expanded();
            let last = self.found.states().min(first + self.batch(threads));
            let size = (last - first).div_ceil(pieces.len());
            let most_words = BATCH_WORDS / pieces.len();
            let (game, found, code, shared) = (self.game, &self.found, &self.code, &self.shared_weights);
            pieces.par_iter_mut().zip(found.rows()[first..last].par_chunks(size)).for_each(|((piece, turn), chunk)| {
                piece.clear();
                for state in chunk {
                    // The states are no longer like those before: the rest comes later.
                    if piece.words.len() > most_words {
                        break;
                    }
                    turn.clear();
                    game.rules(state, turn);
                    piece.encode(turn, code, shared, |state: &G::State, hash| {
                        found.known_row(state, hash).ok_or_else(|| (state.clone(), hash))
                    });
                }
            });
            let used = (last - first).div_ceil(size);
            for (place, (piece, _)) in pieces[..used].iter_mut().enumerate() {
                let expected = size.min(last - first - place * size);
                for place in 0..piece.ends.len() {
                    self.join(piece, place, |found, (state, hash)| found.row(state.clone(), *hash))?;
                }
                if piece.ends.len() < expected {
                    break;
                }
            }
        }
        Ok(())
    }

    /// The same with states of a row told together, row by row in the order of their ranks: so states do not get their
    /// numbers in the order in which they are told.
    fn expand_rows(
        &mut self,
        threads: usize,
        ends: &mut dyn FnMut(usize, u32, u32) -> bool,
    ) -> Result<(), ExploreError> {
        /// Pieces for each thread, so that none waits long for the others.
        const PIECES: usize = 4;
        let count = if threads == 1 { 1 } else { PIECES * threads };
        let mut pieces: Vec<RowPiece<G::State, G::Action>> = (0..count).map(|_| RowPiece::default()).collect();
        let mut agenda = Agenda::default();
        agenda.add_found(self.game, &self.found);
        let mut batch = Vec::new();
        let mut last = None;
        while let Some(next) = agenda.rank_of_next() {
            if last.is_some_and(|last| last < next && ends(self.found.states(), last, next)) {
                break;
            }
            last = Some(next);
            agenda.next(&self.found, self.batch(1), &mut batch);
            self.check_limits(Stage::Exploring)?;
            let chunks = agenda::pieces(&self.found, &batch, count);
            let (game, found, code, shared) = (self.game, &self.found, &self.code, &self.shared_weights);
            pieces.par_iter_mut().zip(chunks.par_iter()).for_each(|(piece, chunk)| {
                piece.expand(game, &batch[chunk.clone()], found, code, shared, BATCH_WORDS);
            });
            let most_words = self.code.words.len() + BATCH_WORDS;
            let mut told = 0;
            'pieces: for (RowPiece { piece, new_rows, .. }, chunk) in pieces.iter_mut().zip(&chunks) {
                let states = piece.ends.len();
                for place in 0..states {
                    // What does not fit comes later: how far this comes does not depend on the number of threads.
                    if self.code.words.len() > most_words {
                        break 'pieces;
                    }
                    self.told.push(batch[told]);
                    told += 1;
                    self.join(piece, place, |found, (row, position)| {
                        let row = number_of(*row, new_rows, found);
                        found.number(InRow { row, position: *position })
                    })?;
                }
                if states < chunk.len() {
                    break;
                }
            }
            agenda.put_back(&self.found, &batch[told..]);
            agenda.add_found(self.game, &self.found);
        }
        Ok(())
    }

    /// Gives what is open in a state's words its numbers, and appends them. `number` finds that of a state.
    fn join<N>(
        &mut self,
        piece: &mut Piece<N>,
        place: usize,
        mut number: impl FnMut(&mut Found<G::State>, &N) -> StateId,
    ) -> Result<(), ExploreError> {
        let ((begin, end), (first, last)) = piece.run(place);
        let expanded = id(self.expanded());
        let own = self.told.last().copied().unwrap_or(expanded);
        for (word, open) in &piece.open[first..last] {
            piece.words[*word as usize] = match open {
                Open::State(state) => number(&mut self.found, state),
                Open::Weights(weights) => CHANCE | self.code.weights.intern(weights)?,
                Open::LargeWeights(weights) => CHANCE | self.code.weights.intern_large(weights)?,
                Open::SharedWeights(weights) => CHANCE | self.shared_weights.intern(weights, &mut self.code.weights)?,
                Open::Payoff(payoff) => {
                    let expected = self.code.payoffs.lists().first().map_or(payoff.len(), Vec::len);
                    if payoff.len() != expected {
                        return Err(ExploreError::UnequalPayoffs { expected, found: payoff.len() });
                    }
                    FINAL | fits(self.code.payoffs.intern(payoff))?
                }
                Open::Reward(reward) => REWARD | fits(self.code.rewards.intern(reward))?,
                Open::Error(error) => {
                    let InRow { row, position } = self.found.place(own);
                    let state = self.game.in_row(&self.found.rows()[row as usize], position);
                    return Err(with_state(error.clone(), &state));
                }
            };
        }
        self.nodes.append(expanded, &piece.words[begin..end], &mut self.code)?;
        self.code.offsets.push(self.code.words.len() as u64);
        Ok(())
    }

    /// Numbers states in the order in which they were told.
    fn number_as_told(&mut self) {
        let told = std::mem::take(&mut self.told);
        if told.is_empty() {
            return;
        }
        let numbers = order::inverse(&told);
        self.code.rename(&numbers);
        self.found.put_in_order(&told);
        for start in &mut self.starts {
            *start = start.map(|state| numbers[*state as usize]);
        }
    }

    fn memory(&self) -> u64 {
        (self.found.bytes() + 2 * self.told.capacity() * size_of::<StateId>()) as u64
            + self.code.bytes()
            + self.nodes.bytes()
    }

    /// What it takes to finish from here without finding another state.
    fn memory_to_order(&self) -> u64 {
        let states = self.found.states() as u64;
        let renumbering = states * (order::BYTES_PER_STATE + 8) + self.code.words.len() as u64 * 4;
        renumbering.max(states * size_of::<G::State>() as u64)
    }

    fn progress(&self, stage: Stage) -> Progress {
        Progress {
            stage,
            done: self.found.states() as u64,
            waiting: (self.found.states() - self.expanded()) as u64,
            memory: self.memory(),
        }
    }

    fn check_limits(&self, stage: Stage) -> Result<(), ExploreError> {
        let progress = self.progress(stage);
        self.budget.advance(progress)?;
        self.budget.states(progress.done)?;
        if progress.done > MOST_STATES {
            return Err(ExploreError::TooLarge);
        }
        // Growing doubles an array: the largest step that can come before the next look.
        let words = self.code.words.capacity() * 4;
        let growth = if stage == Stage::Exploring { words.max(self.found.largest()) as u64 } else { 0 };
        // What the whole process uses may be more than what is counted here.
        self.budget.more_memory(if stage == Stage::Exploring { growth } else { self.memory_to_order() })?;
        Ok(self.budget.memory(progress.memory + self.memory_to_order().max(growth))?)
    }

    pub(super) fn into_found(self) -> Found<G::State> {
        self.found
    }

    pub(super) fn finish(mut self) -> Result<StateSpace<G::State>, ExploreError> {
        self.nodes = SharedNodes::default();
        self.code.words.shrink_to_fit();
        self.found.forget_numbers();
        self.number_as_told();
        self.check_limits(Stage::Ordering)?;
        let held = self.memory();
        let Self { game, found, code, mut starts, budget, .. } = self;
        let (model, numbers) = order(code, held, budget)?;
        if let Some(numbers) = &numbers {
            for start in &mut starts {
                *start = start.map(|state| numbers[*state as usize]);
            }
        }
        let numbers = numbers.as_deref().map(|numbers| (numbers, order::inverse(numbers)));
        let (states, index) = found.in_order(numbers, |row, position| game.in_row(row, position));
        Ok(StateSpace {
            states,
            index: index.map_or_else(OnceLock::new, OnceLock::from),
            model: Arc::new(model),
            starts,
        })
    }
}

/// The number of a row; of a new one, the number that it gets.
fn number_of<S: Clone + Eq + Hash>(row: RowOf, new_rows: &mut [NewRow<S>], found: &mut Found<S>) -> u32 {
    let new = match row {
        RowOf::Known(row) => return row,
        RowOf::New(new) => &mut new_rows[new as usize],
    };
    let row = match new {
        NewRow::Known(row) => *row,
        NewRow::Open(row, hash) => found.row(row.clone(), *hash),
    };
    *new = NewRow::Known(row);
    row
}

/// A number in a word that has room for its kind.
fn fits(id: u32) -> Result<u32, ExploreError> {
    if id > LOW { Err(ExploreError::TooLarge) } else { Ok(id) }
}
