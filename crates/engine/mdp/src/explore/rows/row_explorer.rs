//! The rows discovered so far, their states and words, and how they grow.

use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

use budget::{Budget, Progress, Stage};
use rayon::prelude::*;

use super::discovered_rows::DiscoveredRows;
use super::frontier::Frontier;
use super::row_set::RowSet;
use super::row_space::RowSpace;
use super::sections::Sections;
use super::worker::{Block, Known, NewRow, RowOf, Worker};
use crate::explore::ExploreError;
use crate::explore::chunk::KnownWeights;
use crate::explore::error::with_state;
use crate::explore::explorer::BATCH_WORDS;
use crate::explore::limits::Reach;
use crate::explore::rows::frontier;
use crate::game::{InRow, RowGame};
use crate::model::{Code, Distribution, MOVES, StateSpace, hash_of};
use crate::order;
use crate::order::emitted::{Emitted, Fresh, Lanes, Numbered, Numbers};
use crate::order::{RowGraph, order_rows};

/// One thread expands fewer states than this sooner than others wake up.
const FEW_TO_EXPAND: usize = 1 << 8;
/// One thread joins the results for fewer states than this sooner than others wake up.
const FEW_TO_JOIN: usize = 1 << 10;
/// States that are expanded between two checks of the limits.
const BATCH: usize = 1 << 12;

/// What the exploration is to result in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A model whose states are stored one by one.
    States,
    /// A model whose states are stored by rows.
    Rows,
    /// The discovered states, and no model.
    Discovered,
}

/// Consecutive blocks of one worker that fit into the limit on words.
struct Fitting {
    writer: usize,
    blocks: Range<usize>,
}

/// The boundary between two ranks.
pub(super) struct Between {
    /// How many states were expanded.
    pub expanded: usize,
    /// Whether half of all state numbers are in use.
    pub half_full: bool,
    /// The rank of the states expanded last, and that of the next ones.
    pub last: u32,
    pub next: u32,
}

/// Explores a game whose states form rows. The states of a row are expanded together, row by row in the order of their
/// ranks, and those with equal choices become one block of words.
pub(super) struct RowExplorer<'a, G: RowGame> {
    game: &'a G,
    budget: &'a Budget<'a>,
    wanted: Wanted,
    discovered: DiscoveredRows<G::State>,
    frontier: Frontier,
    emitted: Emitted,
    /// How many states were expanded before those in `emitted`.
    forgotten: usize,
    /// The weights, payoffs and rewards to which recorded words refer.
    tables: Code,
    shared_weights: KnownWeights,
    /// An upper bound of the number of pairs of expanded rows and successor rows.
    led: u64,
    /// Words that all threads may record between two checks of the limits, in addition to those of the last row.
    most_words: usize,
    starts: Vec<Distribution<u32>>,
}

impl<'a, G: RowGame> RowExplorer<'a, G> {
    pub(super) fn new(game: &'a G, budget: &'a Budget<'a>, wanted: Wanted) -> Self {
        Self {
            game,
            budget,
            wanted,
            discovered: DiscoveredRows::new(game.row_length().max(1)),
            frontier: Frontier::new(game.row_length().max(1)),
            emitted: Emitted::new(),
            forgotten: 0,
            tables: Code::default(),
            shared_weights: KnownWeights::default(),
            led: 0,
            most_words: BATCH_WORDS,
            starts: Vec::new(),
        }
    }

    /// Explores all states that can be reached from those that `enter` adds.
    pub(super) fn explored(
        game: &'a G,
        budget: &'a Budget<'a>,
        wanted: Wanted,
        threads: usize,
        enter: impl FnOnce(&mut Self) -> Result<(), ExploreError>,
    ) -> Result<Self, ExploreError> {
        let mut explorer = Self::new(game, budget, wanted);
        let result = enter(&mut explorer).and_then(|()| explorer.expand(threads, &mut |_| false));
        game.exploration_finished();
        result.map(|()| explorer)
    }

    /// Makes each of these states a start.
    pub(super) fn enter_rows(&mut self, starts: &RowSet<G::State>)
    where
        G::State: Ord,
    {
        let mut new = Vec::new();
        let mut known = None;
        for (row, position) in starts.iter() {
            let number = match known {
                Some((last, number)) if std::ptr::eq(last, row) => number,
                _ => self.discovered.row(row.clone(), hash_of(row)),
            };
            known = Some((row, number));
            self.discovered.slots.reach(InRow { row: number, position }, &mut new);
        }
        self.frontier.learn(self.game, &self.discovered);
        self.frontier.add(new);
    }

    pub(super) fn enter_starts(&mut self) -> Result<(), ExploreError> {
        let starts = self.game.starts();
        if starts.is_empty() {
            return Err(ExploreError::NoStart);
        }
        let mut new = Vec::new();
        for start in starts {
            let slots = start.map(|state| {
                let (row, position) = self.game.row_of(state);
                let row = self.discovered.row(row.clone(), hash_of(&row));
                let state = InRow { row, position };
                self.discovered.slots.reach(state, &mut new);
                self.discovered.slots.slot(state)
            });
            self.starts.push(slots.merge());
        }
        self.frontier.learn(self.game, &self.discovered);
        self.frontier.add(new);
        Ok(())
    }

    /// Expands all states, until `ends`, which is asked before the first state of a larger rank, returns true.
    pub(super) fn expand(&mut self, threads: usize, ends: &mut dyn FnMut(Between) -> bool) -> Result<(), ExploreError> {
        let mut workers: Vec<Worker<G::State, G::Action>> = (0..threads).map(|_| Worker::default()).collect();
        let mut batch = Vec::new();
        let mut new = Vec::new();
        let mut last = None;
        while let Some(next) = self.frontier.rank_of_next() {
            let between =
                |last| Between { expanded: self.count(), half_full: self.discovered.slots.is_half_full(), last, next };
            if last.is_some_and(|last| last < next && ends(between(last))) {
                break;
            }
            last = Some(next);
            self.frontier.next(self.batch(), &mut batch);
            if self.wanted == Wanted::Discovered {
                self.forget_emitted();
            }
            self.check_limits(Stage::Exploring)?;
            let used = if batch.len() < FEW_TO_EXPAND { 1 } else { threads };
            let expanded = self.expand_batch(&batch, &mut workers[..used], &mut new)?;
            self.frontier.learn(self.game, &self.discovered);
            self.frontier.add(batch[expanded..].iter().map(|state| self.discovered.slots.alone(*state)));
            self.frontier.add(new.drain(..));
        }
        Ok(())
    }

    /// Expands the states of a batch, as many as fit, and returns their number. Newly discovered states are added to
    /// `new`.
    fn expand_batch(
        &mut self,
        batch: &[InRow],
        workers: &mut [Worker<G::State, G::Action>],
        new: &mut Vec<Fresh>,
    ) -> Result<usize, ExploreError> {
        let pieces = frontier::pieces(batch, Sections::pieces(workers.len()));
        for (writer, worker) in workers.iter_mut().enumerate() {
            worker.append_to(self.emitted.runs.lend(writer));
        }
        let Self { game, discovered, tables, shared_weights, most_words, .. } = self;
        let known = Known { discovered, tables, shared_weights };
        let expand_piece = |worker: &mut Worker<_, _>, piece, most_words| {
            worker.expand(*game, batch, piece, &known, most_words);
        };
        let sections = Sections::new(pieces.len(), workers.len());
        let own_words = most_words.div_ceil(workers.len());
        let expand_all = |(own, worker): (usize, &mut Worker<_, _>)| {
            while worker.words.recorded() <= own_words
                && let Some(piece) = sections.take(own)
            {
                expand_piece(worker, pieces[piece].clone(), own_words);
            }
        };
        match &mut *workers {
            [alone] => expand_all((0, alone)),
            several => several.par_iter_mut().enumerate().for_each(expand_all),
        }
        // Expand what was left out by threads that recorded more than their share of the words.
        let mut begun: Vec<_> = workers.iter().flat_map(Worker::expanded_pieces).collect();
        begun.sort_unstable();
        let mut begun = begun.into_iter().peekable();
        let mut words = 0;
        for piece in &pieces {
            let own_piece = begun.next_if(|(first, ..)| *first == piece.start);
            let (_, end, own) = own_piece.unwrap_or((piece.start, piece.start, 0));
            words += own;
            if words > *most_words {
                break;
            }
            if end < piece.end {
                let before = workers[0].words.recorded();
                expand_piece(&mut workers[0], end..piece.end, before + *most_words - words);
                words += workers[0].words.recorded() - before;
            }
        }
        let fitting = fitting(batch, workers, *most_words);
        let expanded = fitting.last().map_or(0, |last| workers[last.writer].blocks[last.blocks.end - 1].states.end);
        self.join(batch, &fitting, workers, new)?;
        for (writer, worker) in workers.iter_mut().enumerate() {
            let last = fitting.iter().filter(|own| own.writer == writer).map(|own| own.blocks.end).max();
            self.emitted.runs.take_back(writer, worker.words.words_of(last.unwrap_or(0)));
        }
        Ok(expanded)
    }

    /// How many states were expanded.
    fn count(&self) -> usize {
        self.forgotten + self.emitted.states()
    }

    /// Drops the words of the expanded states.
    fn forget_emitted(&mut self) {
        self.forgotten = self.count();
        self.emitted.clear();
    }

    /// How many states to expand before the next check of the limits: fewer when they have many outcomes.
    fn batch(&self) -> usize {
        let words = self.emitted.runs.words() / self.emitted.states().max(1) + 1;
        (self.most_words / words).clamp(1, BATCH)
    }

    /// Fills in the slots that are open in the words of blocks. Newly discovered states are added to `new`.
    fn join(
        &mut self,
        batch: &[InRow],
        fitting: &[Fitting],
        workers: &mut [Worker<G::State, G::Action>],
        new: &mut Vec<Fresh>,
    ) -> Result<(), ExploreError> {
        let Self { game, discovered, emitted, tables, shared_weights, led, .. } = self;
        let numbering = discovered.slots.numbering();
        let open = workers.iter_mut().map(|own| ((&mut own.words, &mut own.new_rows), &own.blocks[..]));
        let (mut open, blocks): (Vec<_>, Vec<_>) = open.unzip();
        let blocks = &blocks;
        let mut note = || {
            for Fitting { writer, blocks: own } in fitting {
                for Block { states, words, led: own } in &blocks[*writer][own.clone()] {
                    *led += u64::from(*own);
                    emitted.runs.push(*writer, words.clone());
                    emitted.push(batch[states.clone()].iter().map(|state| numbering.slot(*state)));
                }
            }
        };
        let mut close = || {
            for Fitting { writer, blocks: own } in fitting {
                let (words, new_rows) = &mut open[*writer];
                for index in own.clone() {
                    let states = &batch[blocks[*writer][index].states.clone()];
                    let lanes = Lanes::of(states.iter().map(|state| state.position));
                    let closed = words.close(index, tables, shared_weights, |target| {
                        let row = number_of(target.row, new_rows, discovered);
                        let own = InRow { row, position: target.position };
                        let slot = discovered.slots.slot(own);
                        if target.moves {
                            discovered.slots.reach_all(own, &lanes, new);
                            return slot | MOVES;
                        }
                        discovered.slots.reach(own, new);
                        slot
                    });
                    let InRow { row, position } = states[0];
                    closed
                        .map_err(|error| with_state(error, &game.in_row(&discovered.rows()[row as usize], position)))?;
                }
            }
            Ok(())
        };
        if batch.len() < FEW_TO_JOIN {
            note();
            return close();
        }
        rayon::join(close, note).0
    }

    fn memory(&self) -> u64 {
        (self.discovered.bytes() + self.frontier.bytes()) as u64 + self.emitted.bytes() + self.tables.bytes()
    }

    /// The memory needed to finish from here without discovering another state.
    fn memory_to_order(&self) -> u64 {
        /// Bytes of a state: its position in the order of expansion, its block, and where its words begin.
        const EMITTED: u64 = 4 + 1 + 8;
        /// Bytes of a row: where it begins, its position, and what a search stores for it; and of each successor row,
        /// which may be stored twice.
        const ROW: u64 = 5 * 8;
        const LED: u64 = 2 * 8;
        if self.wanted == Wanted::Discovered {
            return 0;
        }
        let states = self.discovered.slots.states() as u64;
        let words = self.emitted.runs.words() as u64 * 4;
        let ordering = states * (EMITTED + order::BYTES_PER_NODE) + 2 * words;
        let rows = self.discovered.rows().len() as u64 * ROW + self.led.min(words / 4) * LED;
        let named = if self.wanted == Wanted::States { size_of::<G::State>() + size_of::<InRow>() } else { 0 };
        (ordering + rows).max(states * named as u64)
    }

    fn check_limits(&self, stage: Stage) -> Result<(), ExploreError> {
        let done = self.discovered.slots.states() as u64;
        let waiting = (self.discovered.slots.states() - self.count()) as u64;
        let reach = Reach {
            progress: Progress { stage, done, waiting, memory: self.memory() },
            too_large: self.discovered.slots.is_too_large(),
            largest: self.emitted.largest().max(self.discovered.largest()) as u64,
            to_order: self.memory_to_order(),
        };
        reach.check(self.budget)
    }

    pub(super) fn into_discovered(self) -> DiscoveredRows<G::State> {
        self.discovered
    }

    /// The states by rows.
    pub(super) fn finish_rows(self) -> Result<RowSpace<G::State>, ExploreError> {
        self.check_limits(Stage::Ordering)?;
        let Self { discovered, frontier, emitted, tables, starts, budget, .. } = self;
        drop(frontier);
        let (numbers, rows) = Numbers::new(&discovered.slots, emitted.first_slots());
        let numbered = Numbered::new(&emitted, &discovered.slots, &numbers);
        let rows = RowGraph::new(&numbered, rows, &tables);
        let held = (discovered.bytes() + rows.bytes()) as u64 + numbered.bytes() + tables.bytes();
        let (model, new) = order_rows(tables, &numbered, rows, held, budget)?;
        drop(emitted);
        Ok(RowSpace::new(discovered, numbers, new, Arc::new(model), starts))
    }

    pub(super) fn finish(mut self) -> Result<StateSpace<G::State>, ExploreError> {
        let game = self.game;
        self.discovered.forget_numbers();
        Ok(self.finish_rows()?.one_by_one(game))
    }
}

/// The blocks that fit into the limit on words, in the order of their states; the rest comes later. How many fit does
/// not depend on the number of threads.
fn fitting<S, A>(batch: &[InRow], workers: &[Worker<S, A>], most_words: usize) -> Vec<Fitting> {
    let of_worker = |(writer, worker): (usize, _)| {
        let Worker { pieces, blocks, .. }: &Worker<S, A> = worker;
        pieces.iter().map(move |piece| (piece.first, writer, blocks, piece.blocks.clone()))
    };
    let mut pieces: Vec<_> = workers.iter().enumerate().flat_map(of_worker).collect();
    pieces.sort_unstable_by_key(|(first, ..)| *first);
    let mut all = Vec::with_capacity(pieces.len());
    let (mut next, mut words) = (0, 0);
    for (first, writer, all_blocks, blocks) in pieces {
        if first > next {
            break;
        }
        let begins_row = |state: usize| state > 0 && batch[state - 1].row != batch[state].row;
        let mut own = blocks.start..blocks.start;
        for Block { states, words: block_words, .. } in &all_blocks[blocks] {
            if words > most_words && begins_row(states.start) {
                break;
            }
            next = states.end;
            words += block_words.len();
            own.end += 1;
        }
        if !own.is_empty() {
            all.push(Fitting { writer, blocks: own });
        }
    }
    all
}

/// The number of a row, which is assigned here if the row is new.
fn number_of<S: Clone + Eq + Hash>(row: RowOf, new_rows: &mut [NewRow<S>], discovered: &mut DiscoveredRows<S>) -> u32 {
    let new = match row {
        RowOf::Known(row) => return row,
        RowOf::New(new) => &mut new_rows[new as usize],
    };
    let row = match std::mem::replace(new, NewRow::Known(0)) {
        NewRow::Known(row) => row,
        NewRow::Open(row, hash) => discovered.row(row, hash),
    };
    *new = NewRow::Known(row);
    row
}

#[cfg(test)]
mod tests;
