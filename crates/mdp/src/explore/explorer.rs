//! The states and words that are known so far, and how they grow.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use budget::{Budget, Progress, Stage};
use rayon::prelude::*;

use super::error::{ExploreError, with_state};
use super::found::Found;
use super::limits::Reach;
use super::piece::{KnownWeights, Piece};
use super::sections::Sections;
use super::shared_nodes::SharedNodes;
use crate::distribution::Distribution;
use crate::game::{Game, Turn};
use crate::model::{Code, MOST_STATES, StateId};
use crate::order::{self, order};
use crate::places::id;
use crate::pool::call_others;
use crate::space::{StateSpace, hash_of};

/// States that a thread expands between two looks at the limits. Many enough to make joining cheap,
/// few enough to keep all threads at work.
const BATCH: usize = 1 << 13;
/// Words that all threads may find between two looks at the limits, if the states to come are like
/// those before.
pub(super) const BATCH_WORDS: usize = 1 << 22;
/// Words that one thread alone finds before it appends them: few enough to stay in the cache.
const PIECE_WORDS: usize = 1 << 12;

/// Fewer states are told sooner by one thread than others wake up.
const FEW: usize = 1 << 9;

/// What one thread alone needs to tell states.
struct Alone<S, A> {
    piece: Piece<Infallible>,
    turn: Turn<S, A>,
}

impl<S, A> Default for Alone<S, A> {
    fn default() -> Self {
        Self { piece: Piece::default(), turn: Turn::default() }
    }
}

/// What one of several threads found in the pieces that it took.
struct Teller<S, A> {
    piece: Piece<(S, u64)>,
    turn: Turn<S, A>,
    /// The first state of each piece, and which of those that were told its states are.
    pieces: Vec<(usize, Range<usize>)>,
}

impl<S, A> Default for Teller<S, A> {
    fn default() -> Self {
        Self { piece: Piece::default(), turn: Turn::default(), pieces: Vec::new() }
    }
}

pub(super) struct Explorer<'a, G: Game> {
    game: &'a G,
    budget: &'a Budget<'a>,
    found: Found<G::State>,
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
            found: Found::default(),
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
            let numbers = start.map(|state| self.found.number(state.clone(), hash_of(state)));
            self.starts.push(numbers.merge());
        }
        Ok(())
    }

    fn expanded(&self) -> usize {
        self.code.offsets.len() - 1
    }

    /// Tells all states.
    pub(super) fn expand(&mut self, threads: usize) -> Result<(), ExploreError> {
        let mut alone = Alone::default();
        let mut tellers: Vec<Teller<G::State, G::Action>> = (0..threads).map(|_| Teller::default()).collect();
        while self.expanded() < self.found.len() {
            self.check_limits(Stage::Exploring)?;
            let last = self.found.len().min(self.expanded() + self.batch(threads));
            if threads == 1 || last - self.expanded() < FEW {
                self.expand_alone(last, &mut alone)?;
            } else {
                self.expand_together(last, &mut tellers)?;
            }
        }
        Ok(())
    }

    /// Tells the states up to one, as many as there is room for. With one thread a new state can have its number at once.
    fn expand_alone(&mut self, last: usize, own: &mut Alone<G::State, G::Action>) -> Result<(), ExploreError> {
        let Alone { piece, turn } = own;
        let most_words = self.code.words.len() + BATCH_WORDS;
        while self.expanded() < last && self.code.words.len() < most_words {
            let first = self.expanded();
            piece.clear();
            for expanded in first..last {
                if piece.words.len() > PIECE_WORDS {
                    break;
                }
                turn.clear();
                self.game.rules(&self.found.all()[expanded], turn);
                let Self { found, code, shared_weights, .. } = self;
                piece.encode(turn, code, shared_weights, |_, state: &G::State, hash| {
                    Ok(found.number(state.clone(), hash))
                });
            }
            for place in 0..piece.ends.len() {
                self.join(piece, place, |_, never| match *never {})?;
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

    /// The same on several threads, which take pieces of the states one after another.
    fn expand_together(
        &mut self,
        last: usize,
        tellers: &mut [Teller<G::State, G::Action>],
    ) -> Result<(), ExploreError> {
        call_others();
        let first = self.expanded();
        let size = (last - first).div_ceil(Sections::pieces(tellers.len()));
        let most_words = BATCH_WORDS / tellers.len();
        let (game, found, code, shared) = (self.game, &self.found, &self.code, &self.shared_weights);
        let sections = Sections::new((last - first).div_ceil(size), tellers.len());
        tellers.par_iter_mut().enumerate().for_each(|(own, Teller { piece, turn, pieces })| {
            piece.clear();
            pieces.clear();
            while piece.words.len() <= most_words
                && let Some(taken) = sections.take(own)
            {
                let begin = first + size * taken;
                let place = piece.ends.len();
                for state in &found.all()[begin..last.min(begin + size)] {
                    // The states are no longer like those before: the rest comes later.
                    if piece.words.len() > most_words {
                        break;
                    }
                    turn.clear();
                    game.rules(state, turn);
                    piece.encode(turn, code, shared, |_, state: &G::State, hash| {
                        found.known(state, hash).ok_or_else(|| (state.clone(), hash))
                    });
                }
                pieces.push((begin, place..piece.ends.len()));
            }
        });
        let mut order: Vec<(usize, usize, Range<usize>)> = Vec::new();
        for (teller, own) in tellers.iter().enumerate() {
            order.extend(own.pieces.iter().map(|(begin, places)| (*begin, teller, places.clone())));
        }
        order.sort_unstable_by_key(|(begin, ..)| *begin);
        for (begin, teller, places) in order {
            if begin > self.expanded() {
                break;
            }
            for place in places {
                self.join(&mut tellers[teller].piece, place, |found, (state, hash)| {
                    found.number(state.clone(), *hash)
                })?;
            }
        }
        Ok(())
    }

    /// Gives what is open in a state's words its numbers, and appends them. `number` finds that of a state.
    fn join<N>(
        &mut self,
        piece: &mut Piece<N>,
        place: usize,
        number: impl Fn(&mut Found<G::State>, &N) -> StateId,
    ) -> Result<(), ExploreError> {
        let state = self.expanded();
        let Self { found, code, nodes, shared_weights, .. } = self;
        let words = piece.close(place, code, shared_weights, |open| number(found, open));
        let words = words.map_err(|error| with_state(error, &self.found.all()[state]))?;
        nodes.append(id(state), &piece.words[words], code)?;
        code.offsets.push(code.words.len() as u64);
        Ok(())
    }

    fn memory(&self) -> u64 {
        self.found.bytes() as u64 + self.code.bytes() + self.nodes.bytes()
    }

    /// What it takes to finish from here without finding another state.
    fn memory_to_order(&self) -> u64 {
        let states = self.found.len() as u64;
        let renumbering = states * (order::BYTES_PER_STATE + 8) + self.code.words.len() as u64 * 4;
        renumbering.max(states * size_of::<G::State>() as u64)
    }

    fn progress(&self, stage: Stage) -> Progress {
        Progress {
            stage,
            done: self.found.len() as u64,
            waiting: (self.found.len() - self.expanded()) as u64,
            memory: self.memory(),
        }
    }

    fn check_limits(&self, stage: Stage) -> Result<(), ExploreError> {
        let progress = self.progress(stage);
        let reach = Reach {
            progress,
            too_large: progress.done > MOST_STATES.into(),
            largest: (self.code.words.capacity() * 4).max(self.found.largest()) as u64,
            to_order: self.memory_to_order(),
        };
        reach.check(self.budget)
    }

    pub(super) fn finish(mut self) -> Result<StateSpace<G::State>, ExploreError> {
        self.nodes = SharedNodes::default();
        self.code.words.shrink_to_fit();
        self.check_limits(Stage::Ordering)?;
        let held = self.memory();
        let Self { found, code, mut starts, budget, .. } = self;
        let (model, numbers) = order(code, held, budget)?;
        if let Some(numbers) = &numbers {
            for start in &mut starts {
                *start = start.map(|state| numbers[*state as usize]);
            }
        }
        let numbers = numbers.as_deref().map(|numbers| (numbers, order::inverse(numbers)));
        let (states, index) = found.in_order(numbers);
        Ok(StateSpace { states, index: OnceLock::from(index), model: Arc::new(model), starts })
    }
}
