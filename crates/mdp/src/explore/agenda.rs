//! Which rows are told next.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::hash::Hash;
use std::ops::Range;

use super::found::Found;
use crate::game::Game;
use crate::model::StateId;
use crate::places::id;

/// The states that have not been told, by the ranks of their rows.
#[derive(Default)]
pub(super) struct Agenda {
    waiting: BTreeMap<u32, Vec<StateId>>,
    /// The rank of each row.
    ranks: Vec<u32>,
    /// How many of the states have been added.
    added: StateId,
}

impl Agenda {
    /// Adds the states that have been found since the last time.
    pub(super) fn add_found<G: Game>(&mut self, game: &G, found: &Found<G::State>) {
        let new = &found.rows()[self.ranks.len()..];
        self.ranks.extend(new.iter().map(|row| game.rank(row)));
        let states = id(found.states());
        // Those that follow each other are often of one rank.
        let mut from = self.added;
        while from < states {
            let rank = self.rank(found, from);
            let to = (from..states).find(|state| self.rank(found, *state) != rank).unwrap_or(states);
            self.waiting.entry(rank).or_default().extend(from..to);
            from = to;
        }
        self.added = states;
    }

    fn rank<S: Clone + Eq + Hash>(&self, found: &Found<S>, state: StateId) -> u32 {
        self.ranks[found.place(state).row as usize]
    }

    /// Puts states back that were to be told.
    pub(super) fn put_back<S: Clone + Eq + Hash>(&mut self, found: &Found<S>, states: &[StateId]) {
        if let Some(first) = states.first() {
            self.waiting.entry(self.rank(found, *first)).or_default().extend(states);
        }
    }

    /// The rank of the states that are told next, if there are any.
    pub(super) fn rank_of_next(&self) -> Option<u32> {
        self.waiting.first_key_value().map(|(rank, _)| *rank)
    }

    /// Takes the states that are told next, about so many and all of one rank: those of a row stand together.
    pub(super) fn next<S: Clone + Eq + Hash>(&mut self, found: &Found<S>, about: usize, batch: &mut Vec<StateId>) {
        batch.clear();
        let Some(mut first) = self.waiting.first_entry() else { return };
        let waiting = first.get_mut();
        // The first stand last.
        waiting.sort_unstable_by_key(|state| Reverse(found.place(*state)));
        let row = |place: usize| found.place(waiting[place]).row;
        let mut begin = waiting.len().saturating_sub(about.max(1));
        while begin > 0 && row(begin - 1) == row(begin) {
            begin -= 1;
        }
        batch.extend(waiting.drain(begin..).rev());
        if waiting.is_empty() {
            first.remove();
        }
    }
}

/// Cuts a batch into about so many pieces, rows whole.
pub(super) fn pieces<S: Clone + Eq + Hash>(found: &Found<S>, batch: &[StateId], pieces: usize) -> Vec<Range<usize>> {
    let size = batch.len().div_ceil(pieces);
    let row = |place: usize| found.place(batch[place]).row;
    let mut chunks = Vec::with_capacity(pieces);
    let mut from = 0;
    while from < batch.len() {
        let mut to = batch.len().min(from + size);
        while to < batch.len() && row(to) == row(to - 1) {
            to += 1;
        }
        chunks.push(from..to);
        from = to;
    }
    chunks
}
