//! The rows that are known so far, their states and words, and how they grow.

use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

use budget::{Budget, Progress, Stage};
use rayon::prelude::*;

use super::agenda::{self, Agenda};
use super::error::{ExploreError, with_state};
use super::explorer::BATCH_WORDS;
use super::found_rows::FoundRows;
use super::limits::Reach;
use super::piece::KnownWeights;
use super::row_piece::{NewRow, RowOf, RowPiece};
use super::row_space::RowSpace;
use crate::distribution::Distribution;
use crate::game::Game;
use crate::model::{Code, MOVES};
use crate::order::{self, RowGraph, order_rows};
use crate::row::InRow;
use crate::row_set::RowSet;
use crate::space::{StateSpace, hash_of};
use crate::told::{Lanes, Numbered, Numbers, Told};

/// Fewer states are told sooner by one thread than others wake up.
const FEW: usize = 1 << 10;
/// States that are told between two looks at the limits.
const BATCH: usize = 1 << 13;

/// What becomes of what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A model whose states are kept one by one.
    States,
    /// A model whose states are kept by rows.
    Rows,
    /// What was found, and no model.
    Found,
}

/// Between two ranks.
pub(super) struct Between {
    /// How many states were told.
    pub told: usize,
    /// Whether half of all states have been found that can be told apart.
    pub half_full: bool,
    /// The rank of the state that was told last, and that of the next.
    pub last: u32,
    pub next: u32,
}

/// Explores a game whose states have rows: states of a row are told together, row by row in the order of their ranks, and
/// those that say the same are one block of words.
pub(super) struct RowExplorer<'a, G: Game> {
    game: &'a G,
    budget: &'a Budget<'a>,
    wanted: Wanted,
    found: FoundRows<G::State>,
    agenda: Agenda,
    told: Told,
    /// How many states were told before those.
    forgotten: usize,
    /// What they say is about these weights, payoffs, rewards.
    tables: Code,
    shared_weights: KnownWeights,
    /// To how many rows the rows lead that were told, at most.
    led: u64,
    starts: Vec<Distribution<u32>>,
}

impl<'a, G: Game> RowExplorer<'a, G> {
    pub(super) fn new(game: &'a G, budget: &'a Budget<'a>, wanted: Wanted) -> Self {
        Self {
            game,
            budget,
            wanted,
            found: FoundRows::new(game.row_length().max(1)),
            agenda: Agenda::new(game.row_length().max(1)),
            told: Told::new(),
            forgotten: 0,
            tables: Code::default(),
            shared_weights: KnownWeights::default(),
            led: 0,
            starts: Vec::new(),
        }
    }

    /// Explores all that can be reached from what `enter` enters.
    pub(super) fn explored(
        game: &'a G,
        budget: &'a Budget<'a>,
        wanted: Wanted,
        threads: usize,
        enter: impl FnOnce(&mut Self) -> Result<(), ExploreError>,
    ) -> Result<Self, ExploreError> {
        let mut explorer = Self::new(game, budget, wanted);
        enter(&mut explorer)?;
        explorer.expand(threads, &mut |_| false)?;
        Ok(explorer)
    }

    /// Play begins in each of these states.
    pub(super) fn enter_rows(&mut self, starts: &RowSet<G::State>)
    where
        G::State: Ord,
    {
        let mut new = Vec::new();
        let mut known = None;
        for (row, position) in starts.iter() {
            let number = match known {
                Some((last, number)) if std::ptr::eq(last, row) => number,
                _ => self.found.row(row.clone(), hash_of(row)),
            };
            known = Some((row, number));
            let place = InRow { row: number, position };
            if self.found.slots.reach(place) {
                new.push(place);
            }
        }
        self.agenda.learn(self.game, &self.found);
        self.agenda.add(&new);
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
                let row = self.found.row(row.clone(), hash_of(&row));
                let place = InRow { row, position };
                let slot = self.found.slots.slot(place);
                if self.found.slots.reach(place) {
                    new.push(place);
                }
                slot
            });
            self.starts.push(slots.merge());
        }
        self.agenda.learn(self.game, &self.found);
        self.agenda.add(&new);
        Ok(())
    }

    /// Tells all states, until `ends` says so, which is asked before the first state of a larger rank.
    pub(super) fn expand(&mut self, threads: usize, ends: &mut dyn FnMut(Between) -> bool) -> Result<(), ExploreError> {
        /// Pieces for each thread, so that none waits long for the others.
        const PIECES: usize = 4;
        let count = if threads == 1 { 1 } else { PIECES * threads };
        let mut pieces: Vec<RowPiece<G::State, G::Action>> = (0..count).map(|_| RowPiece::default()).collect();
        let mut batch = Vec::new();
        let mut new = Vec::new();
        let mut last = None;
        while let Some(next) = self.agenda.rank_of_next() {
            let between = |last| Between { told: self.count(), half_full: self.found.slots.is_half_full(), last, next };
            if last.is_some_and(|last| last < next && ends(between(last))) {
                break;
            }
            last = Some(next);
            self.agenda.next(self.batch(), &mut batch);
            if self.wanted == Wanted::Found {
                self.forget_told();
            }
            self.check_limits(Stage::Exploring)?;
            let chunks = agenda::pieces(&batch, if batch.len() < FEW { 1 } else { count });
            let (game, found, tables, shared) = (self.game, &self.found, &self.tables, &self.shared_weights);
            for (writer, piece) in pieces[..chunks.len()].iter_mut().enumerate() {
                piece.piece.append_to(self.told.runs.lend(writer));
            }
            let expand = |(piece, chunk): (&mut RowPiece<_, _>, &Range<usize>)| {
                piece.expand(game, &batch[chunk.clone()], found, tables, shared, BATCH_WORDS);
            };
            match (&mut pieces[..], &chunks[..]) {
                ([piece, ..], [chunk]) => expand((piece, chunk)),
                (pieces, chunks) => pieces.par_iter_mut().zip(chunks).for_each(expand),
            }
            let most_words = self.told.runs.words() + BATCH_WORDS;
            let mut told = 0;
            let mut is_full = false;
            new.clear();
            for (writer, (piece, chunk)) in pieces.iter_mut().zip(&chunks).enumerate() {
                let mut taken = 0;
                while !is_full && taken < piece.blocks.len() {
                    let states = &batch[chunk.clone()][piece.blocks[taken].clone()];
                    // What does not fit comes later: how far this comes does not depend on the number of threads.
                    if self.told.runs.words() > most_words && told > 0 && batch[told - 1].row != states[0].row {
                        break;
                    }
                    self.join(writer, piece, taken, states, &mut new)?;
                    told += states.len();
                    taken += 1;
                }
                is_full |= told < chunk.end;
                self.told.runs.take_back(writer, piece.piece.words_of(taken));
            }
            self.agenda.learn(self.game, &self.found);
            self.agenda.add(&batch[told..]);
            self.agenda.add(&new);
        }
        Ok(())
    }

    /// How many states were told.
    fn count(&self) -> usize {
        self.forgotten + self.told.states()
    }

    /// Forgets what the states said that were told.
    fn forget_told(&mut self) {
        self.forgotten = self.count();
        self.told.clear();
    }

    /// How many states to tell before the next look at the limits: fewer when they have many outcomes.
    fn batch(&self) -> usize {
        let words = self.told.runs.words() / self.told.states().max(1) + 1;
        (BATCH_WORDS / words).clamp(1, BATCH)
    }

    /// Gives what is open in the words of a block its slots. States that are found first are `new`.
    fn join(
        &mut self,
        writer: usize,
        piece: &mut RowPiece<G::State, G::Action>,
        place: usize,
        states: &[InRow],
        new: &mut Vec<InRow>,
    ) -> Result<(), ExploreError> {
        let Self { game, found, told, tables, shared_weights, led, .. } = self;
        *led += u64::from(piece.led[place]);
        let RowPiece { piece, new_rows, .. } = piece;
        let first = states[0];
        let lanes = Lanes::of(states.iter().map(|state| state.position));
        let words = piece.close(place, tables, shared_weights, |target| {
            let row = number_of(target.row, new_rows, found);
            let own = InRow { row, position: target.position };
            let slot = found.slots.slot(own);
            if target.moves {
                found.slots.reach_all(own, &lanes, new);
                return slot | MOVES;
            }
            if found.slots.reach(own) {
                new.push(own);
            }
            slot
        });
        let words = words
            .map_err(|error| with_state(error, &game.in_row(&found.rows()[first.row as usize], first.position)))?;
        told.runs.push(writer, words);
        told.push(states.iter().map(|state| found.slots.slot(*state)));
        Ok(())
    }

    fn memory(&self) -> u64 {
        (self.found.bytes() + self.agenda.bytes()) as u64 + self.told.bytes() + self.tables.bytes()
    }

    /// What it takes to finish from here without finding another state.
    fn memory_to_order(&self) -> u64 {
        /// When it was told, in which block, and where its words begin.
        const TOLD: u64 = 4 + 1 + 8;
        /// For each row where it begins, its place, and what a search keeps of it; and for each to which it leads, which may
        /// be there twice.
        const ROW: u64 = 5 * 8;
        const LED: u64 = 2 * 8;
        if self.wanted == Wanted::Found {
            return 0;
        }
        let states = self.found.slots.states() as u64;
        let words = self.told.runs.words() as u64 * 4;
        let ordering = states * (TOLD + order::BYTES_PER_STATE_OF_ROWS) + 2 * words;
        let rows = self.found.rows().len() as u64 * ROW + self.led.min(words / 4) * LED;
        let named = if self.wanted == Wanted::States { size_of::<G::State>() + size_of::<InRow>() } else { 0 };
        (ordering + rows).max(states * named as u64)
    }

    fn check_limits(&self, stage: Stage) -> Result<(), ExploreError> {
        let done = self.found.slots.states() as u64;
        let waiting = (self.found.slots.states() - self.count()) as u64;
        let reach = Reach {
            progress: Progress { stage, done, waiting, memory: self.memory() },
            too_large: self.found.slots.is_too_large(),
            largest: self.told.runs.largest().max(self.found.largest()) as u64,
            to_order: self.memory_to_order(),
        };
        reach.check(self.budget)
    }

    pub(super) fn into_found(self) -> FoundRows<G::State> {
        self.found
    }

    /// The states by rows.
    pub(super) fn finish_rows(self) -> Result<RowSpace<G::State>, ExploreError> {
        self.check_limits(Stage::Ordering)?;
        let Self { found, told, tables, starts, budget, .. } = self;
        let (numbers, rows) = Numbers::new(&found.slots, told.first_slots());
        let numbered = Numbered::new(&told, &found.slots, &numbers);
        let rows = RowGraph::new(&numbered, rows, &tables);
        let held = (found.bytes() + rows.bytes()) as u64 + numbered.bytes() + tables.bytes();
        let (model, new) = order_rows(tables, &numbered, rows, held, budget)?;
        drop(told);
        Ok(RowSpace::new(found, numbers, new, Arc::new(model), starts))
    }

    pub(super) fn finish(mut self) -> Result<StateSpace<G::State>, ExploreError> {
        let game = self.game;
        self.found.forget_numbers();
        Ok(self.finish_rows()?.one_by_one(game))
    }
}

/// The number of a row; of a new one, the number that it gets.
fn number_of<S: Clone + Eq + Hash>(row: RowOf, new_rows: &mut [NewRow<S>], found: &mut FoundRows<S>) -> u32 {
    let new = match row {
        RowOf::Known(row) => return row,
        RowOf::New(new) => &mut new_rows[new as usize],
    };
    let row = match std::mem::replace(new, NewRow::Known(0)) {
        NewRow::Known(row) => row,
        NewRow::Open(row, hash) => found.row(row, hash),
    };
    *new = NewRow::Known(row);
    row
}
