//! The states and words that are known so far, and how they grow.

use std::hash::Hash;
use std::sync::Arc;

use budget::{Budget, Progress, Stage};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rayon::prelude::*;

use super::error::{ExploreError, with_state};
use super::piece::{KnownWeights, Piece};
use super::shared_nodes::SharedNodes;
use crate::distribution::Distribution;
use crate::game::Game;
use crate::model::{Code, FINAL, LOW, REWARD, StateId};
use crate::order::{self, order};
use crate::places::id;
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
    states: Vec<G::State>,
    index: HashTable<StateId>,
    code: Code,
    nodes: SharedNodes,
    shared_weights: KnownWeights,
    starts: Vec<Distribution<StateId>>,
}

impl<'a, G: Game> Explorer<'a, G> {
    pub(super) fn new(game: &'a G, budget: &'a Budget<'a>) -> Self {
        Self {
            game,
            budget,
            states: Vec::new(),
            index: HashTable::new(),
            code: Code { offsets: vec![0], ..Code::default() },
            nodes: SharedNodes::default(),
            shared_weights: KnownWeights::default(),
            starts: Vec::new(),
        }
    }

    pub(super) fn enter_starts(&mut self) -> Result<(), ExploreError> {
        let starts = self.game.starts();
        if starts.is_empty() {
            return Err(ExploreError::NoStart);
        }
        for start in starts {
            let numbers = start.map(|state| number(&mut self.states, &mut self.index, state.clone(), hash_of(state)));
            self.starts.push(numbers.merge());
        }
        Ok(())
    }

    fn expanded(&self) -> usize {
        self.code.offsets.len() - 1
    }

    /// The same work as [`expand_together`](Self::expand_together) without joining: with one
    /// thread a new state can have its number at once.
    pub(super) fn expand_alone(&mut self) -> Result<(), ExploreError> {
        let mut piece = Piece::default();
        while self.expanded() < self.states.len() {
            self.check_limits(Stage::Exploring)?;
            let last = self.states.len().min(self.expanded() + self.batch(1));
            let most_words = self.code.words.len() + BATCH_WORDS;
            while self.expanded() < last && self.code.words.len() < most_words {
                let first = self.expanded();
                piece.clear();
                for expanded in first..last {
                    if piece.words.len() > PIECE_WORDS {
                        break;
                    }
                    piece.turn.clear();
                    self.game.rules(&self.states[expanded], &mut piece.turn);
                    let Self { states, index, code, shared_weights, .. } = self;
                    let encoded =
                        piece.encode(code, shared_weights, |state, hash, _| number(states, index, state, hash));
                    encoded.map_err(|error| with_state(error, &self.states[expanded]))?;
                }
                self.join(&mut piece, first)?;
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

    pub(super) fn expand_together(&mut self, threads: usize) -> Result<(), ExploreError> {
        let mut pieces: Vec<Piece<G::State, G::Action>> = (0..4 * threads).map(|_| Piece::default()).collect();
        while self.expanded() < self.states.len() {
            self.check_limits(Stage::Exploring)?;
            let first = self.expanded();
            let last = self.states.len().min(first + self.batch(threads));
            let size = (last - first).div_ceil(pieces.len());
            let most_words = BATCH_WORDS / pieces.len();
            let (game, states, index) = (self.game, &self.states, &self.index);
            let (code, shared) = (&self.code, &self.shared_weights);
            pieces.par_iter_mut().zip(states[first..last].par_chunks(size)).for_each(|(piece, chunk)| {
                piece.clear();
                for state in chunk {
                    // The states are no longer like those before: the rest comes later.
                    if piece.words.len() > most_words {
                        piece.unfinished = true;
                        break;
                    }
                    if let Err(error) = piece.expand(game, state, states, index, code, shared) {
                        piece.error = Some(error);
                        break;
                    }
                }
            });
            let used = (last - first).div_ceil(size);
            for (place, piece) in pieces[..used].iter_mut().enumerate() {
                self.join(piece, first + place * size)?;
                if piece.unfinished {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Gives what a piece left open its numbers and appends its words.
    fn join(&mut self, piece: &mut Piece<G::State, G::Action>, first: usize) -> Result<(), ExploreError> {
        for (state, hash, word) in piece.new_states.drain(..) {
            piece.words[word as usize] = number(&mut self.states, &mut self.index, state, hash);
        }
        for (weights, word) in piece.new_weights.drain(..) {
            piece.words[word as usize] = self.code.weights.intern(&weights)?;
        }
        for (weights, word) in piece.new_large_weights.drain(..) {
            piece.words[word as usize] = self.code.weights.intern_large(&weights)?;
        }
        for (weights, word) in piece.new_shared_weights.drain(..) {
            piece.words[word as usize] = self.shared_weights.intern(&weights, &mut self.code.weights)?;
        }
        for (payoff, word) in piece.new_payoffs.drain(..) {
            let expected = self.code.payoffs.lists().first().map_or(payoff.len(), Vec::len);
            if payoff.len() != expected {
                return Err(ExploreError::UnequalPayoffs { expected, found: payoff.len() });
            }
            let id = self.code.payoffs.intern(&payoff);
            if id > LOW {
                return Err(ExploreError::TooLarge);
            }
            piece.words[word as usize] = FINAL | id;
        }
        for (reward, word) in piece.new_rewards.drain(..) {
            let id = self.code.rewards.intern(&reward);
            if id > LOW {
                return Err(ExploreError::TooLarge);
            }
            piece.words[word as usize] = REWARD | id;
        }
        let mut begin = 0;
        for (place, end) in piece.ends.iter().enumerate() {
            let run = &piece.words[begin as usize..*end as usize];
            self.nodes.append(id(first + place), run, &mut self.code)?;
            self.code.offsets.push(self.code.words.len() as u64);
            begin = *end;
        }
        piece.error.take().map_or(Ok(()), Err)
    }

    fn memory(&self) -> u64 {
        (self.states.capacity() * size_of::<G::State>() + self.index.allocation_size()) as u64
            + self.code.bytes()
            + self.nodes.bytes()
    }

    /// What it takes to finish from here without finding another state.
    fn memory_to_order(&self) -> u64 {
        let states = self.states.len() as u64;
        let renumbering = states * (order::BYTES_PER_STATE + 8) + self.code.words.len() as u64 * 4;
        renumbering.max(states * size_of::<G::State>() as u64)
    }

    fn progress(&self, stage: Stage) -> Progress {
        Progress {
            stage,
            done: self.states.len() as u64,
            waiting: (self.states.len() - self.expanded()) as u64,
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
        let growth = if stage == Stage::Exploring {
            words.max(self.states.capacity() * size_of::<G::State>()).max(self.index.allocation_size()) as u64
        } else {
            0
        };
        // What the whole process uses may be more than what is counted here.
        self.budget.more_memory(if stage == Stage::Exploring { growth } else { self.memory_to_order() })?;
        Ok(self.budget.memory(progress.memory + self.memory_to_order().max(growth))?)
    }

    pub(super) fn finish(mut self) -> Result<StateSpace<G::State>, ExploreError> {
        self.nodes = SharedNodes::default();
        self.code.words.shrink_to_fit();
        self.check_limits(Stage::Ordering)?;
        let Self { mut states, mut index, code, mut starts, budget, .. } = self;
        let (model, numbers) = order(code, budget)?;
        if let Some(numbers) = numbers {
            states = order::inverse(&numbers).into_iter().map(|old| states[old as usize].clone()).collect();
            for number in &mut index {
                *number = numbers[*number as usize];
            }
            for start in &mut starts {
                *start = start.map(|state| numbers[*state as usize]);
            }
        }
        Ok(StateSpace { states, index, model: Arc::new(model), starts })
    }
}

/// The number of a state, the next free one if it is new.
#[inline]
fn number<S: Clone + Eq + Hash>(states: &mut Vec<S>, index: &mut HashTable<StateId>, state: S, hash: u64) -> StateId {
    if index.len() == index.capacity() {
        // Filled anew in the order of the states: faster than moving the entries of the old table,
        // and never both in memory.
        *index = HashTable::new();
        *index = HashTable::with_capacity(2 * states.len().max(1 << 10));
        for (number, state) in (0..).zip(states.iter()) {
            index.insert_unique(hash_of(state), number, |known| hash_of(&states[*known as usize]));
        }
    }
    match index.entry(hash, |known| states[*known as usize] == state, |known| hash_of(&states[*known as usize])) {
        Entry::Occupied(known) => *known.get(),
        Entry::Vacant(free) => {
            // The limit on states is looked at long before the numbers run out.
            let new = id(states.len());
            free.insert(new);
            states.push(state);
            new
        }
    }
}
