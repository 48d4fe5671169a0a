//! Rows: states that differ in one small number only, and whose rules are recorded together.

use std::hash::Hash;
use std::ops::Range;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::turn::{Turn, Weights};
use crate::model::hash_of;
use crate::support::id;

/// A state by its row and its position there; the row is a number that [`RowTurns::row`] returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InRow {
    /// Which row.
    pub row: u32,
    /// The position in the row, from 0.
    pub position: u32,
}

/// A successor of several states whose rules are recorded [together](RowTurns::together).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RowTarget {
    /// The successor of the first of these states.
    pub first: InRow,
    /// Whether it moves along: the successor of a state that is `d` positions after the first one is then `d` positions
    /// after `first`. Otherwise all these states have the same successor.
    pub moves: bool,
}

impl From<InRow> for RowTarget {
    fn from(first: InRow) -> Self {
        Self { first, moves: false }
    }
}

impl RowTarget {
    /// The successor of a state that is this far after the first.
    #[must_use]
    pub fn after(self, distance: u32) -> Self {
        let position = self.first.position + if self.moves { distance } else { 0 };
        Self { first: InRow { position, ..self.first }, ..self }
    }
}

/// The rules of several states of one row: a [`Turn`] each, or one for several states with the same choices. Reused for
/// all rows, so recording allocates nothing once its buffers have grown.
#[derive(Debug)]
pub struct RowTurns<S, A = ()> {
    /// The successor rows, each once.
    rows: Vec<S>,
    hashes: Vec<u64>,
    known: HashTable<u32>,
    /// The positions of the states to which each turn applies, in the order of recording.
    recorded: Vec<Range<usize>>,
    /// The turn of each; more of them are kept for reuse.
    turns: Vec<Turn<RowTarget, A>>,
    /// For games that record a state alone.
    alone: Turn<S, A>,
    /// Where a recorded range of states begins or ends, sorted.
    bounds: Vec<usize>,
    /// For each turn whether successors that move along can coincide with others, where that has been computed.
    meet: Vec<Option<bool>>,
}

/// A position in the recording of a row: see [`RowTurns::checkpoint`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    recorded: usize,
    /// How many choices the last turn had.
    choices: usize,
}

/// Choices recorded for states of one row, to be [replayed](RowTurns::again) for another row.
#[derive(Debug)]
pub struct RecordedRow<A = ()> {
    /// The states, and how many of the choices of `turn` were recorded up to them.
    ranges: Vec<(Range<usize>, usize)>,
    turn: Turn<RowTarget, A>,
}

impl<A> RecordedRow<A> {
    /// How many successors the choices have in all.
    pub fn outcomes(&self) -> usize {
        self.turn.states.len()
    }
}

/// States of a row with one turn, and the number of that turn.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) states: Range<usize>,
    pub(crate) turn: usize,
}

/// Up to this many rows are looked up by linear search.
const FEW: usize = 8;

impl<S, A> Default for RowTurns<S, A> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            hashes: Vec::new(),
            known: HashTable::new(),
            recorded: Vec::new(),
            turns: Vec::new(),
            alone: Turn::new(),
            bounds: Vec::new(),
            meet: Vec::new(),
        }
    }
}

impl<S: Clone + Eq + Hash, A> RowTurns<S, A> {
    /// Clears everything, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.hashes.clear();
        self.known.clear();
        self.recorded.clear();
    }

    /// The number of a successor row, for use in [`InRow`].
    pub fn row(&mut self, row: &S) -> u32 {
        let hash = hash_of(row);
        let Self { rows, hashes, known, .. } = self;
        if rows.len() <= FEW {
            if let Some(known) = (0..).zip(&*hashes).find(|(at, own)| **own == hash && rows[*at as usize] == *row) {
                return known.0;
            }
            if rows.len() == FEW {
                for (at, hash) in (0..).zip(&*hashes) {
                    known.insert_unique(*hash, at, |other| hashes[*other as usize]);
                }
            }
        }
        let new = id(rows.len());
        if rows.len() >= FEW {
            let same = |other: &u32| hashes[*other as usize] == hash && rows[*other as usize] == *row;
            match known.entry(hash, same, |other| hashes[*other as usize]) {
                Entry::Occupied(known) => return *known.get(),
                Entry::Vacant(free) => {
                    free.insert(new);
                }
            }
        }
        rows.push(row.clone());
        hashes.push(hash);
        new
    }

    /// The row with a number.
    ///
    /// # Panics
    /// When [`row`](Self::row) has not returned it.
    pub fn named(&self, row: u32) -> &S {
        &self.rows[row as usize]
    }

    /// Adds choices to the states at these consecutive indices of the requested positions: all of them have these
    /// choices, after those recorded for them before. Such choices are computed, stored and solved once for all of the
    /// states.
    ///
    /// ```
    /// use mdp::rows::{InRow, RowTarget, RowGame, RowTurns, explore};
    /// use mdp::{Distribution, ExploreOptions, Game, Turn};
    ///
    /// /// A thousand rooms, in each of which a coin decides whether one of 20 points of health is lost.
    /// struct Dungeon;
    ///
    /// impl Game for Dungeon {
    ///     type State = (u16, u8);
    ///     type Action = ();
    ///     fn starts(&self) -> Vec<Distribution<(u16, u8)>> {
    ///         vec![Distribution::certain((0, 20))]
    ///     }
    ///     fn rules(&self, (room, health): &(u16, u8), turn: &mut Turn<(u16, u8)>) {
    ///         match (*room, *health) {
    ///             (_, 0) => turn.end(0),
    ///             (1000, _) => turn.end(1),
    ///             (room, health) => turn.uniform([(room + 1, health), (room + 1, health - 1)]),
    ///         }
    ///     }
    /// }
    ///
    /// impl RowGame for Dungeon {
    ///     fn row_length(&self) -> u32 {
    ///         21
    ///     }
    ///     fn row_of(&self, (room, health): &(u16, u8)) -> ((u16, u8), u32) {
    ///         ((*room, 0), u32::from(*health))
    ///     }
    ///     fn in_row(&self, (room, _): &(u16, u8), position: u32) -> (u16, u8) {
    ///         (*room, position as u8)
    ///     }
    ///     fn rank(&self, (room, _): &(u16, u8)) -> u32 {
    ///         u32::from(*room)
    ///     }
    ///     fn rules_of_row(&self, (room, _): &(u16, u8), positions: &[u32], turns: &mut RowTurns<(u16, u8)>) {
    ///         // Whose play is over says so alone.
    ///         let over = |health: &u32| *room == 1000 || *health == 0;
    ///         let alone = positions.partition_point(over);
    ///         for (place, health) in positions[..alone].iter().enumerate() {
    ///             turns.alone(place, |turn| self.rules(&(*room, *health as u8), turn), |state| self.row_of(state));
    ///         }
    ///         if let Some(health) = positions.get(alone) {
    ///             let row = turns.row(&(room + 1, 0));
    ///             let next = |position| RowTarget { first: InRow { row, position }, moves: true };
    ///             turns.together(alone..positions.len()).uniform([next(*health), next(health - 1)]);
    ///         }
    ///     }
    /// }
    ///
    /// let counts = explore(&Dungeon, &ExploreOptions::default())?.model().counts();
    /// assert!(counts.transitions > 35_000 && counts.outcomes < 5_000);
    /// # Ok::<(), mdp::ExploreError>(())
    /// ```
    pub fn together(&mut self, ranges: Range<usize>) -> &mut Turn<RowTarget, A> {
        if self.recorded.last() == Some(&ranges) {
            return &mut self.turns[self.recorded.len() - 1];
        }
        let turn = self.recorded.len();
        self.recorded.push(ranges);
        self.cleared(turn)
    }

    /// The current position in the recording.
    pub fn checkpoint(&self) -> Checkpoint {
        let choices = self.turns[..self.recorded.len()].last().map_or(0, |turn| turn.choices.len());
        Checkpoint { recorded: self.recorded.len(), choices }
    }

    /// The choices recorded since then, to be replayed with other rows. `rows` are all their successor rows; `None` if
    /// they lead elsewhere, too, or if anything but choices without rewards was recorded.
    pub fn since(&self, checkpoint: Checkpoint, rows: &[u32]) -> Option<RecordedRow<A>> {
        let first = checkpoint.recorded.saturating_sub(1);
        let mut own = RecordedRow { ranges: Vec::new(), turn: Turn::new() };
        for (at, (ranges, turn)) in (first..).zip(self.recorded.iter().zip(&self.turns).skip(first)) {
            let choices = if at < checkpoint.recorded { checkpoint.choices } else { 0 }..turn.choices.len();
            let leads_elsewhere = |next: &RowTarget| !rows.contains(&next.first.row);
            let others = turn.states_of(choices.clone()).iter().any(leads_elsewhere);
            if others || !turn.payoff.is_empty() || !turn.rewards.is_empty() {
                return None;
            }
            own.turn.append_choices(turn, choices, |next| {
                let index = rows.iter().position(|row| *row == next.first.row);
                RowTarget { first: InRow { row: index.map_or(0, id), ..next.first }, ..*next }
            });
            own.ranges.push((ranges.clone(), own.turn.choices.len()));
        }
        Some(own)
    }

    /// Replays recorded choices, with these rows in place of the original ones.
    ///
    /// ```
    /// use mdp::Weight;
    /// use mdp::rows::{InRow, RowTarget, RowTurns};
    ///
    /// // A stake of ten is won or lost alike with a sword and with an axe.
    /// let mut turns: RowTurns<(&str, u8)> = RowTurns::default();
    /// let checkpoint = turns.checkpoint();
    /// let rows = [turns.row(&("sword", 30)), turns.row(&("sword", 10))];
    /// let [won, lost] = rows.map(|row| RowTarget::from(InRow { row, position: 0 }));
    /// turns.together(0..1).chance([(won, Weight(4)), (lost, Weight(6))]);
    /// let recorded = turns.since(checkpoint, &rows).expect("nothing but choices was recorded");
    ///
    /// let mut turns: RowTurns<(&str, u8)> = RowTurns::default();
    /// let rows = [turns.row(&("axe", 30)), turns.row(&("axe", 10))];
    /// turns.again(&recorded, &rows);
    /// assert_eq!(recorded.outcomes(), 2);
    /// ```
    ///
    /// # Panics
    /// When there are fewer rows than originally.
    pub fn again(&mut self, recorded: &RecordedRow<A>, rows: &[u32]) {
        let mut begin = 0;
        for (ranges, end) in &recorded.ranges {
            let choices = std::mem::replace(&mut begin, *end)..*end;
            if !choices.is_empty() {
                self.together(ranges.clone()).append_choices(&recorded.turn, choices, |next| RowTarget {
                    first: InRow { row: rows[next.first.row as usize], ..next.first },
                    ..*next
                });
            }
        }
    }

    /// Adds to the state at this index of the requested positions what `rules` records with states in place of rows.
    /// `row_of` splits a state into its row and its position.
    pub fn alone(&mut self, index: usize, rules: impl FnOnce(&mut Turn<S, A>), row_of: impl Fn(&S) -> (S, u32)) {
        let mut alone = std::mem::take(&mut self.alone);
        alone.clear();
        rules(&mut alone);
        let number = self.recorded.len();
        self.recorded.push(index..index + 1);
        let mut turn = std::mem::take(self.cleared(number));
        turn.append(&alone, |state| {
            let (row, position) = row_of(state);
            InRow { row: self.row(&row), position }.into()
        });
        self.turns[number] = turn;
        self.alone = alone;
    }

    /// The turn with a number, cleared.
    fn cleared(&mut self, number: usize) -> &mut Turn<RowTarget, A> {
        if self.turns.len() <= number {
            self.turns.resize_with(number + 1, Turn::new);
        }
        self.turns[number].clear();
        &mut self.turns[number]
    }

    /// The rules of the states at these positions, as groups with equal rules.
    pub(crate) fn groups(&mut self, positions: &[u32], groups: &mut Vec<Group>) {
        groups.clear();
        let Self { recorded, bounds, meet, .. } = self;
        bounds.clear();
        bounds.extend(recorded.iter().flat_map(|recorded| [recorded.start, recorded.end]).chain([positions.len()]));
        bounds.sort_unstable();
        meet.clear();
        meet.resize(recorded.len(), None);
        let mut number = recorded.len();
        let (mut from, mut bound) = (0, 0);
        while from < positions.len() {
            // The last bound is the end of all positions.
            while self.bounds[bound] <= from {
                bound += 1;
            }
            let mut states = from..self.bounds[bound];
            let mut of = (0..).zip(&self.recorded).filter(|(_, recorded)| recorded.contains(&states.start));
            let mut meet = |turn: usize| {
                let own: &Turn<RowTarget, A> = &self.turns[turn];
                *self.meet[turn].get_or_insert_with(|| !never_meet(own, &own.states))
            };
            if states.len() > 1 && of.clone().any(|(turn, _)| meet(turn)) {
                states.end = from + 1;
            }
            from = states.end;
            if let (Some((turn, recorded)), None) = (of.next(), of.next())
                && *recorded == states
                && (states.len() > 1 || self.turns[turn].states.iter().all(|next| !next.moves))
            {
                groups.push(Group { states, turn });
                continue;
            }
            let mut whole = std::mem::take(self.cleared(number));
            for (recorded, turn) in self.recorded.iter().zip(&self.turns) {
                if recorded.contains(&states.start) {
                    let distance = positions[states.start] - positions[recorded.start];
                    whole.append(turn, |next| {
                        let next = next.after(distance);
                        if states.len() == 1 { next.first.into() } else { next }
                    });
                }
            }
            self.turns[number] = whole;
            groups.push(Group { states, turn: number });
            number += 1;
        }
    }

    /// The successor rows, by their numbers, with their hashes.
    pub(crate) fn rows(&self) -> impl ExactSizeIterator<Item = (&S, u64)> {
        self.rows.iter().zip(self.hashes.iter().copied())
    }

    /// The turn of a group.
    pub(crate) fn turn(&self, group: &Group) -> &Turn<RowTarget, A> {
        &self.turns[group.turn]
    }
}

/// Whether no successor of a choice that moves along can coincide with one that does not.
pub(crate) fn never_meet<S, A>(turn: &Turn<S, A>, next: &[RowTarget]) -> bool {
    let mut begin = 0;
    turn.choices.iter().all(|choice| {
        let own = &next[std::mem::replace(&mut begin, choice.states)..choice.states];
        let rows = |moves: bool| own.iter().filter(move |next| next.moves == moves).map(|next| next.first.row);
        choice.weights == Weights::Certain || rows(true).all(|row| rows(false).all(|other| row != other))
    })
}

#[cfg(test)]
mod tests;
