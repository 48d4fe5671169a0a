//! The states discovered so far, their words, and how they grow.

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use budget::{Budget, Progress, Stage};
use rayon::prelude::*;

use super::chunk::{KnownWeights, Piece};
use super::discovered::Discovered;
use super::error::{ExploreError, with_state};
use super::limits::Reach;
use super::shared_nodes::SharedNodes;
use crate::game::{Game, Turn};
use crate::model::{Code, Distribution, MOST_STATES, StateId, StateSpace, hash_of};
use crate::order;
use crate::order::order;
use crate::support::id;

/// States that a thread expands between two checks of the limits: enough to make joining cheap, few enough to keep all
/// threads busy.
const BATCH: usize = 1 << 13;
/// Words that all threads may record between two checks of the limits, if the next states are like those before.
pub(super) const BATCH_WORDS: usize = 1 << 22;
/// Words that a single thread records before it appends them: few enough to stay in the cache.
const PIECE_WORDS: usize = 1 << 12;
/// A single thread expands what takes less time than this sooner than others wake up and fill their caches.
const SOON: Duration = Duration::from_millis(1);

/// The buffers with which a thread expands states; `N` is a state without a number.
type WorkerBuffers<N, S, A> = (Piece<N>, Turn<S, A>);
/// The same where threads work in parallel: each state comes with its hash.
type Piecewise<S, A> = WorkerBuffers<(S, u64), S, A>;

pub(super) struct Explorer<'a, G: Game> {
    game: &'a G,
    budget: &'a Budget<'a>,
    discovered: Discovered<G::State>,
    code: Code,
    nodes: SharedNodes,
    shared_weights: KnownWeights,
    starts: Vec<Distribution<StateId>>,
}

impl<'a, G: Game> Explorer<'a, G> {
    fn new(game: &'a G, budget: &'a Budget<'a>) -> Self {
        Self {
            game,
            budget,
            discovered: Discovered::default(),
            code: Code { offsets: vec![0], ..Code::default() },
            nodes: SharedNodes::default(),
            shared_weights: KnownWeights::default(),
            starts: Vec::new(),
        }
    }

    /// Explores all that can be reached from the starts.
    pub(super) fn explored(game: &'a G, budget: &'a Budget<'a>, threads: usize) -> Result<Self, ExploreError> {
        let mut explorer = Self::new(game, budget);
        let result = explorer.enter_starts().and_then(|()| explorer.expand(threads));
        game.exploration_finished();
        result.map(|()| explorer)
    }

    fn enter_starts(&mut self) -> Result<(), ExploreError> {
        let starts = self.game.starts();
        if starts.is_empty() {
            return Err(ExploreError::NoStart);
        }
        for start in starts {
            let numbers = start.map(|state| self.discovered.number(state.clone(), hash_of(state)));
            self.starts.push(numbers.merge());
        }
        Ok(())
    }

    fn expanded(&self) -> usize {
        self.code.offsets.len() - 1
    }

    /// Expands all states. One thread expands small frontiers alone: their time is estimated from the last batch.
    fn expand(&mut self, threads: usize) -> Result<(), ExploreError> {
        let mut alone = WorkerBuffers::default();
        let mut pieces: Vec<Piecewise<_, _>> = (0..4 * threads).map(|_| WorkerBuffers::default()).collect();
        let (mut last_count, mut spent) = (1, Duration::ZERO);
        while self.expanded() < self.discovered.len() {
            self.check_limits(Stage::Exploring)?;
            let (began, before) = (Instant::now(), self.expanded());
            let waiting = self.discovered.len() - before;
            if threads == 1 || waiting as u128 * spent.as_nanos() < last_count as u128 * SOON.as_nanos() {
                self.expand_alone(&mut alone)?;
                spent = began.elapsed();
            } else {
                self.expand_together(threads, &mut pieces)?;
                spent = began.elapsed() * id(threads);
            }
            last_count = self.expanded() - before;
        }
        Ok(())
    }

    /// Expands states of the frontier up to the next check of the limits. Does the same as
    /// [`expand_together`](Self::expand_together) without joining: with one thread a new state gets its number at once.
    fn expand_alone(
        &mut self,
        (piece, turn): &mut WorkerBuffers<Infallible, G::State, G::Action>,
    ) -> Result<(), ExploreError> {
        let last = self.discovered.len().min(self.expanded() + self.batch(1));
        let most_words = self.code.words.len() + BATCH_WORDS;
        while self.expanded() < last && self.code.words.len() < most_words {
            let first = self.expanded();
            piece.clear();
            for expanded in first..last {
                if piece.words.len() > PIECE_WORDS {
                    break;
                }
                turn.clear();
                self.game.rules(&self.discovered.all()[expanded], turn);
                let Self { discovered, code, shared_weights, .. } = self;
                piece.encode(turn, code, shared_weights, |_, state: &G::State, hash| {
                    Ok(discovered.number(state.clone(), hash))
                });
            }
            for index in 0..piece.ends.len() {
                self.join(piece, index, |_, never| match *never {})?;
            }
        }
        Ok(())
    }

    /// How many states to expand before the next check of the limits: fewer when they have many outcomes.
    fn batch(&self, threads: usize) -> usize {
        let words = self.code.words.len() / self.expanded().max(1) + 1;
        (BATCH_WORDS / words).clamp(1, threads * BATCH)
    }

    /// Expands states of the frontier up to the next check of the limits, in pieces that threads share.
    fn expand_together(
        &mut self,
        threads: usize,
        pieces: &mut [Piecewise<G::State, G::Action>],
    ) -> Result<(), ExploreError> {
        let first = self.expanded();
        let last = self.discovered.len().min(first + self.batch(threads));
        let size = (last - first).div_ceil(pieces.len());
        let most_words = BATCH_WORDS / pieces.len();
        let (game, discovered, code, shared) = (self.game, &self.discovered, &self.code, &self.shared_weights);
        pieces.par_iter_mut().zip(discovered.all()[first..last].par_chunks(size)).for_each(|((piece, turn), chunk)| {
            piece.clear();
            for state in chunk {
                // The states have more outcomes than those before: the rest is left for the next batch.
                if piece.words.len() > most_words {
                    break;
                }
                turn.clear();
                game.rules(state, turn);
                piece.encode(turn, code, shared, |_, state: &G::State, hash| {
                    discovered.known(state, hash).ok_or_else(|| (state.clone(), hash))
                });
            }
        });
        let used = (last - first).div_ceil(size);
        for (number, (piece, _)) in pieces[..used].iter_mut().enumerate() {
            let expected = size.min(last - first - number * size);
            for index in 0..piece.ends.len() {
                self.join(piece, index, |discovered, (state, hash)| discovered.number(state.clone(), *hash))?;
            }
            if piece.ends.len() < expected {
                break;
            }
        }
        Ok(())
    }

    /// Fills in the open words of a state and appends them. `number` gives the number of a state.
    fn join<N>(
        &mut self,
        piece: &mut Piece<N>,
        index: usize,
        number: impl Fn(&mut Discovered<G::State>, &N) -> StateId,
    ) -> Result<(), ExploreError> {
        let state = self.expanded();
        let Self { discovered, code, nodes, shared_weights, .. } = self;
        let words = piece.close(index, code, shared_weights, |open| number(discovered, open));
        let words = words.map_err(|error| with_state(error, &self.discovered.all()[state]))?;
        nodes.append(id(state), &piece.words[words], code)?;
        code.offsets.push(code.words.len() as u64);
        Ok(())
    }

    fn memory(&self) -> u64 {
        self.discovered.bytes() as u64 + self.code.bytes() + self.nodes.bytes()
    }

    /// The memory needed to finish from here without discovering another state.
    fn memory_to_order(&self) -> u64 {
        let states = self.discovered.len() as u64;
        let renumbering = states * (order::BYTES_PER_STATE + 8) + self.code.words.len() as u64 * 4;
        renumbering.max(states * size_of::<G::State>() as u64)
    }

    fn progress(&self, stage: Stage) -> Progress {
        Progress {
            stage,
            done: self.discovered.len() as u64,
            waiting: (self.discovered.len() - self.expanded()) as u64,
            memory: self.memory(),
        }
    }

    fn check_limits(&self, stage: Stage) -> Result<(), ExploreError> {
        let progress = self.progress(stage);
        let reach = Reach {
            progress,
            too_large: progress.done > MOST_STATES.into(),
            largest: (self.code.words.capacity() * 4).max(self.discovered.largest()) as u64,
            to_order: self.memory_to_order(),
        };
        reach.check(self.budget)
    }

    pub(super) fn finish(mut self) -> Result<StateSpace<G::State>, ExploreError> {
        self.nodes = SharedNodes::default();
        self.code.words.shrink_to_fit();
        self.check_limits(Stage::Ordering)?;
        let held = self.memory();
        let Self { discovered, code, mut starts, budget, .. } = self;
        let (model, numbers) = order(code, held, budget)?;
        if let Some(numbers) = &numbers {
            for start in &mut starts {
                *start = start.map(|state| numbers[*state as usize]);
            }
        }
        let numbers = numbers.as_deref().map(|numbers| (numbers, order::inverse(numbers)));
        let (states, index) = discovered.in_order(numbers);
        Ok(StateSpace { states, index: OnceLock::from(index), model: Arc::new(model), starts })
    }
}
