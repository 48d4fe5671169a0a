//! The rows that are known so far, their states and words, and how they grow.

use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

use budget::{Budget, Progress, Stage};
use rayon::prelude::*;

use super::discovered_rows::FoundRows;
use super::frontier::Agenda;
use super::row_set::RowSet;
use super::row_space::RowSpace;
use super::sections::Sections;
use super::worker::{Block, Known, NewRow, RowOf, Teller};
use crate::explore::ExploreError;
use crate::explore::chunk::KnownWeights;
use crate::explore::error::with_state;
use crate::explore::explorer::BATCH_WORDS;
use crate::explore::limits::Reach;
use crate::explore::rows::frontier;
use crate::game::{InRow, RowGame};
use crate::model::{Code, Distribution, MOVES, StateSpace, hash_of};
use crate::order;
use crate::order::emitted::{Fresh, Lanes, Numbered, Numbers, Told};
use crate::order::{RowGraph, order_rows};

/// Fewer states are told sooner by one thread than others wake up.
const FEW_TO_TELL: usize = 1 << 8;
/// Of fewer states what was told is joined sooner by one thread.
const FEW_TO_JOIN: usize = 1 << 10;
/// States that are told between two looks at the limits.
const BATCH: usize = 1 << 12;

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

/// Blocks one after another of one teller.
struct Fitting {
    writer: usize,
    blocks: Range<usize>,
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
pub(super) struct RowExplorer<'a, G: RowGame> {
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
    /// Words that all threads may find between two looks at the limits, beside those of the last row.
    most_words: usize,
    starts: Vec<Distribution<u32>>,
}

impl<'a, G: RowGame> RowExplorer<'a, G> {
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
            most_words: BATCH_WORDS,
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
        let told = enter(&mut explorer).and_then(|()| explorer.expand(threads, &mut |_| false));
        game.end_of_telling();
        told.map(|()| explorer)
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
            self.found.slots.reach(InRow { row: number, position }, &mut new);
        }
        self.agenda.learn(self.game, &self.found);
        self.agenda.add(new);
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
                self.found.slots.reach(place, &mut new);
                self.found.slots.slot(place)
            });
            self.starts.push(slots.merge());
        }
        self.agenda.learn(self.game, &self.found);
        self.agenda.add(new);
        Ok(())
    }

    /// Tells all states, until `ends` says so, which is asked before the first state of a larger rank.
    pub(super) fn expand(&mut self, threads: usize, ends: &mut dyn FnMut(Between) -> bool) -> Result<(), ExploreError> {
        let mut tellers: Vec<Teller<G::State, G::Action>> = (0..threads).map(|_| Teller::default()).collect();
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
            let used = if batch.len() < FEW_TO_TELL { 1 } else { threads };
            let told = self.tell(&batch, &mut tellers[..used], &mut new)?;
            self.agenda.learn(self.game, &self.found);
            self.agenda.add(batch[told..].iter().map(|state| self.found.slots.alone(*state)));
            self.agenda.add(new.drain(..));
        }
        Ok(())
    }

    /// Tells the states of a batch, as many as there is room for: how many. States that are found first are `new`.
    fn tell(
        &mut self,
        batch: &[InRow],
        tellers: &mut [Teller<G::State, G::Action>],
        new: &mut Vec<Fresh>,
    ) -> Result<usize, ExploreError> {
        let pieces = frontier::pieces(batch, Sections::pieces(tellers.len()));
        for (writer, teller) in tellers.iter_mut().enumerate() {
            teller.append_to(self.told.runs.lend(writer));
        }
        let Self { game, found, tables, shared_weights, most_words, .. } = self;
        let known = Known { found, tables, shared_weights };
        let tell = |teller: &mut Teller<_, _>, piece, most_words| {
            teller.tell(*game, batch, piece, &known, most_words);
        };
        let sections = Sections::new(pieces.len(), tellers.len());
        let own_words = most_words.div_ceil(tellers.len());
        let tell_all = |(own, teller): (usize, &mut Teller<_, _>)| {
            while teller.words.found() <= own_words
                && let Some(piece) = sections.take(own)
            {
                tell(teller, pieces[piece].clone(), own_words);
            }
        };
        match &mut *tellers {
            [alone] => tell_all((0, alone)),
            several => several.par_iter_mut().enumerate().for_each(tell_all),
        }
        // What threads have left out that found more than their share of the words.
        let mut told: Vec<_> = tellers.iter().flat_map(Teller::told).collect();
        told.sort_unstable();
        let mut told = told.into_iter().peekable();
        let mut words = 0;
        for piece in &pieces {
            let begun = told.next_if(|(first, ..)| *first == piece.start);
            let (_, end, own) = begun.unwrap_or((piece.start, piece.start, 0));
            words += own;
            if words > *most_words {
                break;
            }
            if end < piece.end {
                let before = tellers[0].words.found();
                tell(&mut tellers[0], end..piece.end, before + *most_words - words);
                words += tellers[0].words.found() - before;
            }
        }
        let fitting = fitting(batch, tellers, *most_words);
        let told = fitting.last().map_or(0, |last| tellers[last.writer].blocks[last.blocks.end - 1].states.end);
        self.join(batch, &fitting, tellers, new)?;
        for (writer, teller) in tellers.iter_mut().enumerate() {
            let last = fitting.iter().filter(|own| own.writer == writer).map(|own| own.blocks.end).max();
            self.told.runs.take_back(writer, teller.words.words_of(last.unwrap_or(0)));
        }
        Ok(told)
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
        (self.most_words / words).clamp(1, BATCH)
    }

    /// Gives what is open in the words of blocks its slots. States that are found first are `new`.
    fn join(
        &mut self,
        batch: &[InRow],
        fitting: &[Fitting],
        tellers: &mut [Teller<G::State, G::Action>],
        new: &mut Vec<Fresh>,
    ) -> Result<(), ExploreError> {
        let Self { game, found, told, tables, shared_weights, led, .. } = self;
        let numbering = found.slots.numbering();
        let open = tellers.iter_mut().map(|own| ((&mut own.words, &mut own.new_rows), &own.blocks[..]));
        let (mut open, blocks): (Vec<_>, Vec<_>) = open.unzip();
        let blocks = &blocks;
        let mut note = || {
            for Fitting { writer, blocks: own } in fitting {
                for Block { states, words, led: own } in &blocks[*writer][own.clone()] {
                    *led += u64::from(*own);
                    told.runs.push(*writer, words.clone());
                    told.push(batch[states.clone()].iter().map(|state| numbering.slot(*state)));
                }
            }
        };
        let mut close = || {
            for Fitting { writer, blocks: own } in fitting {
                let (words, new_rows) = &mut open[*writer];
                for place in own.clone() {
                    let states = &batch[blocks[*writer][place].states.clone()];
                    let lanes = Lanes::of(states.iter().map(|state| state.position));
                    let closed = words.close(place, tables, shared_weights, |target| {
                        let row = number_of(target.row, new_rows, found);
                        let own = InRow { row, position: target.position };
                        let slot = found.slots.slot(own);
                        if target.moves {
                            found.slots.reach_all(own, &lanes, new);
                            return slot | MOVES;
                        }
                        found.slots.reach(own, new);
                        slot
                    });
                    let InRow { row, position } = states[0];
                    closed.map_err(|error| with_state(error, &game.in_row(&found.rows()[row as usize], position)))?;
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
        let ordering = states * (TOLD + order::BYTES_PER_NODE) + 2 * words;
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
            largest: self.told.largest().max(self.found.largest()) as u64,
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
        let Self { found, agenda, told, tables, starts, budget, .. } = self;
        drop(agenda);
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

/// The blocks that were told, in the order of their states. What does not fit comes later: how far this comes does not depend on
/// the number of threads.
fn fitting<S, A>(batch: &[InRow], tellers: &[Teller<S, A>], most_words: usize) -> Vec<Fitting> {
    let of_teller = |(writer, teller): (usize, _)| {
        let Teller { pieces, blocks, .. }: &Teller<S, A> = teller;
        pieces.iter().map(move |piece| (piece.first, writer, blocks, piece.blocks.clone()))
    };
    let mut told: Vec<_> = tellers.iter().enumerate().flat_map(of_teller).collect();
    told.sort_unstable_by_key(|(first, ..)| *first);
    let mut all = Vec::with_capacity(told.len());
    let (mut next, mut words) = (0, 0);
    for (first, writer, said, blocks) in told {
        if first > next {
            break;
        }
        let begins_row = |state: usize| state > 0 && batch[state - 1].row != batch[state].row;
        let mut own = blocks.start..blocks.start;
        for Block { states, words: told, .. } in &said[blocks] {
            if words > most_words && begins_row(states.start) {
                break;
            }
            next = states.end;
            words += told.len();
            own.end += 1;
        }
        if !own.is_empty() {
            all.push(Fitting { writer, blocks: own });
        }
    }
    all
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

#[cfg(test)]
mod tests;
