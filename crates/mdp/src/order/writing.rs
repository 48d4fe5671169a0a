//! How states of rows are written into a stream, block by block.

use budget::{Budget, Stopped};
use rayon::prelude::*;

use super::look;
use super::search::UNKNOWN;
use crate::blocks::BlockWriter;
use crate::model::StateId;
use crate::places::id;
use crate::pool::FEW_STATES;
use crate::told::{Numbered, Together};

/// States that were told, and their numbers in a stream.
pub(super) struct Stream<'a> {
    told: &'a Numbered<'a>,
    /// Of each row the number of its first state, if its states follow each other: few numbers, which stay at hand.
    rows: Vec<StateId>,
    /// The number of each state, if it is another one than when it was told.
    numbers: Option<&'a [StateId]>,
}

impl<'a> Stream<'a> {
    /// States keep the numbers that they have.
    pub(super) fn as_told(told: &'a Numbered<'a>) -> Self {
        let rows = (0..id(told.rows())).map(|row| told.states(row).start).collect();
        Self { told, rows, numbers: None }
    }

    /// States have these numbers.
    pub(super) fn renumbered(told: &'a Numbered<'a>, numbers: &'a [StateId]) -> Self {
        let first = |row: u32| {
            let states = told.states(row);
            let own = numbers.get(states.start as usize..states.end as usize).unwrap_or(&[]);
            let follow = own.windows(2).all(|two| two[1] == two[0].wrapping_add(1));
            own.first().copied().filter(|_| follow).unwrap_or(UNKNOWN)
        };
        let rows = (0..id(told.rows())).into_par_iter().with_min_len(FEW_STATES / 16).map(first).collect();
        Self { told, rows, numbers: Some(numbers) }
    }

    /// The number of the state to which a word leads, and whether those of its row follow each other.
    #[inline]
    fn number(&self, from: &Together<'_>, word: u32, lane: u32) -> (StateId, bool) {
        let place = self.told.target(from, word, lane);
        let before = self.told.before(place);
        match (self.rows[place.row as usize], self.numbers) {
            (UNKNOWN, Some(numbers)) => (numbers[(self.told.states(place.row).start + before) as usize], false),
            (first, _) => (first + before, true),
        }
    }

    /// Writes so many states, which follow each other in the stream: `state` says which by the numbers with which they were
    /// told. `steps` counts how often the budget was asked.
    pub(super) fn write(
        &self,
        states: u32,
        state: impl Fn(u32) -> StateId,
        steps: &mut u32,
        writer: &mut BlockWriter<'_>,
        budget: &Budget<'_>,
    ) -> Result<(), Stopped> {
        let mut next = 0;
        while next < states {
            // At the beginning of each piece, too.
            look(budget, *steps)?;
            *steps = steps.wrapping_add(1);
            let own = self.told.together(states - next, |lane| state(next + lane));
            let number = |word: u32, lane: u32| self.number(&own, word, lane).0;
            let following = |word: u32| {
                let (first, alike) = self.number(&own, word, 0);
                let follow = if alike {
                    // What states that lie side by side lead to does so, too. Otherwise: as many as these from first to last.
                    own.side_by_side || number(word, own.lanes - 1) - first == own.lanes - 1
                } else {
                    (1..own.lanes).all(|lane| number(word, lane) == first + lane)
                };
                follow.then_some(first)
            };
            writer.write(own.words, own.lanes, number, following);
            next += own.lanes;
        }
        Ok(())
    }
}
