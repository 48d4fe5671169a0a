//! States of a row that go together, by what they have in common: not one by one.

use std::ops::Range;

use mdp::rows::{InRow, RowTarget};

use crate::passes::Depends;
use crate::program::State;

/// States of the row at hand that follow each other and have gone the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LaneGroup {
    /// Which of the states that are told.
    pub from: u32,
    pub to: u32,
    /// The position where the first of them is now.
    pub position: u32,
    /// The others are as much farther as in the row at hand; else they are all at that position.
    pub moves: bool,
}

/// Where a group comes to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Led {
    pub from: u32,
    pub to: u32,
    pub next: RowTarget,
}

impl LaneGroup {
    /// All states that are told.
    pub(super) fn of_all(own: &[u32]) -> Option<Self> {
        let to = u32::try_from(own.len()).ok()?;
        own.first().map(|position| Self { from: 0, to, position: *position, moves: true })
    }

    /// The position where one of its states is; `own` are those in the row at hand.
    #[inline]
    pub(super) fn at(&self, own: &[u32], state: u32) -> u32 {
        self.position + if self.moves { own[state as usize] - own[self.from as usize] } else { 0 }
    }

    /// The group where its position is kept, or is forgotten.
    pub(super) fn kept(self, keeps: bool) -> Self {
        if keeps { self } else { Self { position: 0, moves: false, ..self } }
    }

    /// Where it comes to if it is in the row with this number.
    pub(super) fn led(&self, row: u32) -> Led {
        let Self { from, to, position, moves } = *self;
        Led { from, to, next: RowTarget { first: InRow { row, position }, moves } }
    }
}

/// Adds a state, with those before it if it goes on with them.
#[inline]
pub(super) fn join(groups: &mut Vec<LaneGroup>, own: &[u32], state: u32, position: u32) {
    if let Some(last) = groups.last_mut().filter(|last| last.to == state) {
        let alone = last.to == last.from + 1;
        let moved = last.position + own[state as usize] - own[last.from as usize];
        if (alone || last.moves) && position == moved || (alone || !last.moves) && position == last.position {
            last.moves = position == moved;
            last.to += 1;
            return;
        }
    }
    groups.push(LaneGroup { from: state, to: state + 1, position, moves: false });
}

/// Who settles, by the rows in which they do.
#[derive(Debug, Default)]
pub(super) struct Stops {
    /// On what it depends where they do.
    pub depends: Depends,
    /// More are kept for later.
    rows: Vec<(State, Vec<LaneGroup>)>,
    count: usize,
}

impl Stops {
    /// Forgets all, keeps the memory.
    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.depends = Depends::default();
    }

    /// The place of a row, the next free one if it is new.
    pub(super) fn of(&mut self, row: &State) -> usize {
        self.rows[..self.count].iter().position(|(own, _)| own == row).unwrap_or_else(|| {
            if self.rows.len() == self.count {
                self.rows.push(<(State, Vec<LaneGroup>)>::default());
            }
            let (own, groups) = &mut self.rows[self.count];
            *own = *row;
            groups.clear();
            self.count += 1;
            self.count - 1
        })
    }

    /// Who is in the row at a place.
    pub(super) fn groups(&mut self, place: usize) -> &mut Vec<LaneGroup> {
        &mut self.rows[place].1
    }

    /// All rows, and who is there.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&State, &[LaneGroup])> {
        self.rows[..self.count].iter().map(|(row, groups)| (row, &groups[..]))
    }
}

/// States one after another by where they come to, as far as that is alike.
pub(super) fn led_alike(own: &[u32], states: Range<u32>, next: impl Fn(u32) -> InRow) -> Vec<Led> {
    let mut led: Vec<(u32, Vec<LaneGroup>)> = Vec::new();
    for state in states {
        let InRow { row, position } = next(state);
        match led.last_mut().filter(|(known, _)| *known == row) {
            Some((_, groups)) => join(groups, own, state, position),
            None => {
                let mut groups = Vec::new();
                join(&mut groups, own, state, position);
                led.push((row, groups));
            }
        }
    }
    led.iter().flat_map(|(row, groups)| groups.iter().map(|group| group.led(*row))).collect()
}
