//! How states of rows are written into a stream, block by block.

use budget::{Budget, Stopped};

use super::look;
use crate::blocks::BlockWriter;
use crate::model::StateId;
use crate::places::id;
use crate::told::Numbered;

/// What is known while states are written.
#[derive(Default)]
pub(super) struct Writing {
    guess: usize,
    steps: u32,
}

impl Writing {
    /// Writes so many states, which follow each other in a stream: `state` says which, `numbers` what their numbers there
    /// are, if they are others.
    pub(super) fn write(
        &mut self,
        told: &Numbered<'_>,
        states: u32,
        state: impl Fn(u32) -> StateId,
        numbers: Option<&[StateId]>,
        writer: &mut BlockWriter<'_>,
        budget: &Budget<'_>,
    ) -> Result<(), Stopped> {
        let mut next = 0;
        while next < states {
            // At the beginning of each piece, too.
            look(budget, self.steps)?;
            self.steps = self.steps.wrapping_add(1);
            let own = told.together(states - next, |lane| state(next + lane), &mut self.guess);
            let old = |word: u32, lane: u32| told.target(&own, word, lane);
            let number = |word: u32, lane: u32| {
                let old = old(word, lane);
                numbers.map_or(old, |numbers| numbers[old as usize])
            };
            let follow = |word: u32| {
                // Numbers of a row grow with the positions: as many as these states are from first to last, they follow
                // each other.
                let (first, last) = (old(word, 0) as usize, old(word, own.lanes - 1) as usize);
                let alike = |numbers: &[StateId]| numbers.windows(2).all(|two| two[1] == two[0].wrapping_add(1));
                id(last - first) == own.lanes - 1 && numbers.is_none_or(|numbers| alike(&numbers[first..=last]))
            };
            writer.write(own.words, own.lanes, number, follow);
            next += own.lanes;
        }
        Ok(())
    }
}
