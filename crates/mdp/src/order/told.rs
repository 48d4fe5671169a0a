//! States of rows as they were told: where the words of their blocks come from when they are put in order.

use std::ops::Range;

use budget::{Budget, Stopped};

use super::look;
use crate::blocks::BlockWriter;
use crate::model::StateId;
use crate::places::id;

/// What states of rows said, block by block, and numbers of theirs, of which those of a row follow each other.
pub(crate) trait Told: Sync {
    /// How many words all blocks have.
    fn words(&self) -> usize;

    /// How many states were told before a state.
    fn place(&self, state: StateId) -> u32;

    /// The places of the states of a block, of which one is known, and what they said. It is looked for near `guess` first,
    /// which then is where it stands.
    fn block(&self, place: u32, guess: &mut usize) -> (Range<u32>, &[u32]);

    /// The state to which a word leads from the state at a place, in a block that begins at another one.
    fn target(&self, word: u32, first: u32, place: u32) -> StateId;
}

/// States that were told one after another in a block.
pub(crate) struct Together<'a> {
    /// The place of the first one of the block.
    begin: u32,
    /// The place of the first of these states.
    first: u32,
    pub(crate) lanes: u32,
    /// What the first one of the block said.
    pub(crate) words: &'a [u32],
}

/// The first of so many states (`state` says which) that were told together. `guess` is as for [`block`](Told::block).
pub(crate) fn together<'a>(
    told: &'a impl Told,
    states: u32,
    state: impl Fn(u32) -> StateId,
    guess: &mut usize,
) -> Together<'a> {
    let first = told.place(state(0));
    let (places, words) = told.block(first, guess);
    let most = states.min(places.end - first);
    let lanes = (1..most).find(|lane| told.place(state(*lane)) != first + lane).unwrap_or(most);
    Together { begin: places.start, first, lanes, words }
}

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
        told: &impl Told,
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
            let own = together(told, states - next, |lane| state(next + lane), &mut self.guess);
            let old = |word: u32, lane: u32| told.target(word, own.begin, own.first + lane);
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
