//! Rows: states that are alike but for one small number, said together.

use std::hash::Hash;
use std::ops::Range;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::turn::{Turn, Weights};
use crate::model::hash_of;
use crate::support::id;

/// A next state by its row and its position there; the row is a number that [`RowTurns::row`] gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InRow {
    /// Which row.
    pub row: u32,
    /// Where in the row, from 0.
    pub position: u32,
}

/// A next state of states that are said [together](RowTurns::together).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Next {
    /// That of the first of them.
    pub first: InRow,
    /// Whether it moves along: each of the others has one that is as much farther in its row as that state is in its own.
    /// Otherwise they all have the same.
    pub moves: bool,
}

impl From<InRow> for Next {
    fn from(first: InRow) -> Self {
        Self { first, moves: false }
    }
}

impl Next {
    /// What it is for a state that is so much farther than the first.
    #[must_use]
    pub fn after(self, distance: u32) -> Self {
        let position = self.first.position + if self.moves { distance } else { 0 };
        Self { first: InRow { position, ..self.first }, ..self }
    }
}

/// What several states of one row say of themselves: a [`Turn`] each, or one for several that say the same. Reused for all
/// rows, so saying it allocates nothing once its buffers have grown.
#[derive(Debug)]
pub struct RowTurns<S, A = ()> {
    /// The rows to which the choices lead, each once.
    rows: Vec<S>,
    hashes: Vec<u64>,
    known: HashTable<u32>,
    /// What was said, in that order, of which states.
    said: Vec<Range<usize>>,
    /// The turn of each; more of them are kept for later.
    turns: Vec<Turn<Next, A>>,
    /// For games that say a state alone.
    alone: Turn<S, A>,
    /// Where what was said begins or ends, in order.
    bounds: Vec<usize>,
    /// For what was said whether next states that move along can come to others, where that has been asked.
    meet: Vec<Option<bool>>,
}

/// How much had been said of a row: see [`RowTurns::mark`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    said: usize,
    /// How many choices the last turn had.
    choices: usize,
}

/// Choices that were said of states of a row, to be said [again](RowTurns::again) of those of another row.
#[derive(Debug)]
pub struct Said<A = ()> {
    /// Of which states, and how many of the choices of `turn` were said until then.
    places: Vec<(Range<usize>, usize)>,
    turn: Turn<Next, A>,
}

impl<A> Said<A> {
    /// To how many next states the choices lead.
    pub fn outcomes(&self) -> usize {
        self.turn.states.len()
    }
}

/// States of a row about which the same was said, and which turn that is.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) states: Range<usize>,
    pub(crate) turn: usize,
}

/// Up to here a row is found by going through all.
const FEW: usize = 8;

impl<S, A> Default for RowTurns<S, A> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            hashes: Vec::new(),
            known: HashTable::new(),
            said: Vec::new(),
            turns: Vec::new(),
            alone: Turn::new(),
            bounds: Vec::new(),
            meet: Vec::new(),
        }
    }
}

impl<S: Clone + Eq + Hash, A> RowTurns<S, A> {
    /// Forgets everything, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.hashes.clear();
        self.known.clear();
        self.said.clear();
    }

    /// The number of a row to which choices lead, as [`InRow`] wants it.
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
    /// When [`row`](Self::row) has not given it.
    pub fn named(&self, row: u32) -> &S {
        &self.rows[row as usize]
    }

    /// Adds to what the states say that were asked for at these places, which follow each other: all of them have these
    /// choices after those that were said of them before. What is said so is worked out, stored and solved once for all of
    /// them.
    ///
    /// ```
    /// use mdp::rows::{InRow, Next, RowGame, RowTurns, explore};
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
    ///             let next = |position| Next { first: InRow { row, position }, moves: true };
    ///             turns.together(alone..positions.len()).uniform([next(*health), next(health - 1)]);
    ///         }
    ///     }
    /// }
    ///
    /// let counts = explore(&Dungeon, &ExploreOptions::default())?.model().counts();
    /// assert!(counts.transitions > 35_000 && counts.outcomes < 5_000);
    /// # Ok::<(), mdp::ExploreError>(())
    /// ```
    pub fn together(&mut self, places: Range<usize>) -> &mut Turn<Next, A> {
        if self.said.last() == Some(&places) {
            return &mut self.turns[self.said.len() - 1];
        }
        let turn = self.said.len();
        self.said.push(places);
        self.cleared(turn)
    }

    /// How much has been said so far.
    pub fn mark(&self) -> Mark {
        let choices = self.turns[..self.said.len()].last().map_or(0, |turn| turn.choices.len());
        Mark { said: self.said.len(), choices }
    }

    /// The choices that were said since then, to be said again with other rows. `rows` are all those to which they lead;
    /// nothing where they lead elsewhere, too, or more was said than choices without rewards.
    pub fn since(&self, mark: Mark, rows: &[u32]) -> Option<Said<A>> {
        let first = mark.said.saturating_sub(1);
        let mut own = Said { places: Vec::new(), turn: Turn::new() };
        for (at, (places, turn)) in (first..).zip(self.said.iter().zip(&self.turns).skip(first)) {
            let choices = if at < mark.said { mark.choices } else { 0 }..turn.choices.len();
            let leads_elsewhere = |next: &Next| !rows.contains(&next.first.row);
            let others = turn.states_of(choices.clone()).iter().any(leads_elsewhere);
            if others || !turn.payoff.is_empty() || !turn.rewards.is_empty() {
                return None;
            }
            own.turn.append_choices(turn, choices, |next| {
                let place = rows.iter().position(|row| *row == next.first.row);
                Next { first: InRow { row: place.map_or(0, id), ..next.first }, ..*next }
            });
            own.places.push((places.clone(), own.turn.choices.len()));
        }
        Some(own)
    }

    /// Says choices again, with these rows in place of those with which they were said first.
    ///
    /// ```
    /// use mdp::Weight;
    /// use mdp::rows::{InRow, Next, RowTurns};
    ///
    /// // A stake of ten is won or lost alike with a sword and with an axe.
    /// let mut turns: RowTurns<(&str, u8)> = RowTurns::default();
    /// let mark = turns.mark();
    /// let rows = [turns.row(&("sword", 30)), turns.row(&("sword", 10))];
    /// let [won, lost] = rows.map(|row| Next::from(InRow { row, position: 0 }));
    /// turns.together(0..1).chance([(won, Weight(4)), (lost, Weight(6))]);
    /// let said = turns.since(mark, &rows).expect("nothing but choices was said");
    ///
    /// let mut turns: RowTurns<(&str, u8)> = RowTurns::default();
    /// let rows = [turns.row(&("axe", 30)), turns.row(&("axe", 10))];
    /// turns.again(&said, &rows);
    /// assert_eq!(said.outcomes(), 2);
    /// ```
    ///
    /// # Panics
    /// When these are fewer.
    pub fn again(&mut self, said: &Said<A>, rows: &[u32]) {
        let mut begin = 0;
        for (places, end) in &said.places {
            let choices = std::mem::replace(&mut begin, *end)..*end;
            if !choices.is_empty() {
                self.together(places.clone()).append_choices(&said.turn, choices, |next| Next {
                    first: InRow { row: rows[next.first.row as usize], ..next.first },
                    ..*next
                });
            }
        }
    }

    /// Adds to what the state says that was asked for at this place what is said with states, not rows. `row_of` splits a
    /// state into its row and its position.
    pub fn alone(&mut self, place: usize, rules: impl FnOnce(&mut Turn<S, A>), row_of: impl Fn(&S) -> (S, u32)) {
        let mut alone = std::mem::take(&mut self.alone);
        alone.clear();
        rules(&mut alone);
        let number = self.said.len();
        self.said.push(place..place + 1);
        let mut turn = std::mem::take(self.cleared(number));
        turn.append(&alone, |state| {
            let (row, position) = row_of(state);
            InRow { row: self.row(&row), position }.into()
        });
        self.turns[number] = turn;
        self.alone = alone;
    }

    /// The turn with a number, empty.
    fn cleared(&mut self, number: usize) -> &mut Turn<Next, A> {
        if self.turns.len() <= number {
            self.turns.resize_with(number + 1, Turn::new);
        }
        self.turns[number].clear();
        &mut self.turns[number]
    }

    /// What was said of the states at these positions, as groups that have all in common.
    pub(crate) fn groups(&mut self, positions: &[u32], groups: &mut Vec<Group>) {
        groups.clear();
        let Self { said, bounds, meet, .. } = self;
        bounds.clear();
        bounds.extend(said.iter().flat_map(|said| [said.start, said.end]).chain([positions.len()]));
        bounds.sort_unstable();
        meet.clear();
        meet.resize(said.len(), None);
        let mut number = said.len();
        let (mut from, mut bound) = (0, 0);
        while from < positions.len() {
            // The last of them is the end of all.
            while self.bounds[bound] <= from {
                bound += 1;
            }
            let mut states = from..self.bounds[bound];
            let mut of = (0..).zip(&self.said).filter(|(_, said)| said.contains(&states.start));
            let mut meet = |turn: usize| {
                let own: &Turn<Next, A> = &self.turns[turn];
                *self.meet[turn].get_or_insert_with(|| !never_meet(own, &own.states))
            };
            if states.len() > 1 && of.clone().any(|(turn, _)| meet(turn)) {
                states.end = from + 1;
            }
            from = states.end;
            if let (Some((turn, said)), None) = (of.next(), of.next())
                && *said == states
                && (states.len() > 1 || self.turns[turn].states.iter().all(|next| !next.moves))
            {
                groups.push(Group { states, turn });
                continue;
            }
            let mut whole = std::mem::take(self.cleared(number));
            for (said, turn) in self.said.iter().zip(&self.turns) {
                if said.contains(&states.start) {
                    let distance = positions[states.start] - positions[said.start];
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

    /// The rows to which the choices lead, by their numbers, with their hashes.
    pub(crate) fn rows(&self) -> impl ExactSizeIterator<Item = (&S, u64)> {
        self.rows.iter().zip(self.hashes.iter().copied())
    }

    /// What was said of a group.
    pub(crate) fn turn(&self, group: &Group) -> &Turn<Next, A> {
        &self.turns[group.turn]
    }
}

/// Whether no next state of a choice that moves along can come to one that does not.
pub(crate) fn never_meet<S, A>(turn: &Turn<S, A>, next: &[Next]) -> bool {
    let mut begin = 0;
    turn.choices.iter().all(|choice| {
        let own = &next[std::mem::replace(&mut begin, choice.states)..choice.states];
        let rows = |moves: bool| own.iter().filter(move |next| next.moves == moves).map(|next| next.first.row);
        choice.weights == Weights::Certain || rows(true).all(|row| rows(false).all(|other| row != other))
    })
}

#[cfg(test)]
mod tests;
