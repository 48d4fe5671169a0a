//! The flat arrays: every state's choices and outcomes, in solving order.
//!
//! A model is one stream of 32-bit words. A state owns a run of it, holding its choices one after
//! another; a finished state holds one word. Each choice begins with a header word whose two
//! highest bits say what follows:
//!
//! | bits | meaning of the low 30 bits | then |
//! |---|---|---|
//! | `00` | a weight vector | one target state for each of its weights |
//! | `01` | a reward | the header of the choice that earns it |
//! | `10` | a chance node that stands elsewhere too | nothing |
//! | `11` | a payoff: the state is finished | nothing |
//!
//! The stream is read forwards only, so a sweep over all states runs at the memory's speed, and a transition costs 4
//! bytes. Equal chance nodes are stored once.
//!
//! Consecutive states with the same choices can share one run, a *block*: it begins with three words, `001` and the
//! number of its states (its lanes), the first of them, and the number of words that follow. The words are those of the
//! first lane; a target with the highest bit moves along: each lane's is one higher than that of the lane before.
//!
//! States are numbered in solving order, **backwards**: every choice leads to higher numbers, except for those that
//! stay in a component. So the starts are near 0, and solving goes from the last state to the first.
//!
//! Compressed rows, as sparse matrices have them, took more memory (an offset for each choice) and more time. Streams with
//! blocks are written in pieces by several threads and are the same for any number of threads. A sweep solves all states of a
//! block at once, target by target: adjacent values times one probability.

use std::ops::Range;

use super::tables::{PayoffTable, RewardTable};
use super::weights::{WeightTable, WeightsId};
use super::words::{BLOCK, BLOCK_HEADER, CHANCE, FINAL, KIND, LOW, REWARD, SHARED, StateId, target};
use crate::support::{id, to_index};

/// The stream of words and the tables that its headers point into.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    /// Where each state's run begins; one more entry than states.
    pub(crate) offsets: Vec<u64>,
    pub(crate) words: Vec<u32>,
    /// The position of each shared chance node: state, and offset in words from the beginning of its run.
    pub(crate) shared: Vec<(StateId, u32)>,
    pub(crate) weights: WeightTable,
    pub(crate) payoffs: PayoffTable,
    pub(crate) rewards: RewardTable,
}

/// One choice of a state.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// The weights of the outcomes: a number in [`Model::weights`](crate::Model::weights).
    pub weights: WeightsId,
    /// The successors, one for each weight.
    pub targets: Targets<'a>,
    /// The reward of the choice: a number in [`Model::rewards`](crate::Model::rewards).
    pub reward: Option<u32>,
}

/// The successors of a choice, in order.
#[derive(Clone, Copy, Debug)]
pub struct Targets<'a> {
    pub(crate) words: &'a [u32],
    pub(crate) lane: u32,
}

impl<'a> Targets<'a> {
    /// How many there are.
    #[inline]
    pub fn len(self) -> usize {
        self.words.len()
    }

    /// Whether there are none; a choice has at least one.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.words.is_empty()
    }

    /// The state at an index, if there is one.
    #[inline]
    pub fn get(self, index: usize) -> Option<StateId> {
        self.words.get(index).map(|word| target(*word, self.lane))
    }

    /// The state at an index.
    ///
    /// # Panics
    /// When there are fewer.
    #[inline]
    pub fn at(self, index: usize) -> StateId {
        target(self.words[index], self.lane)
    }

    /// The only state, if there is exactly one.
    #[inline]
    pub fn only(self) -> Option<StateId> {
        if let [word] = self.words { Some(target(*word, self.lane)) } else { None }
    }

    /// All of them.
    #[inline]
    pub fn iter(self) -> impl ExactSizeIterator<Item = StateId> + DoubleEndedIterator + Clone + use<'a> {
        let lane = self.lane;
        self.words.iter().map(move |word| target(*word, lane))
    }

    /// All of them, as a list.
    pub fn to_vec(self) -> Vec<StateId> {
        self.iter().collect()
    }
}

/// States that share one run of words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'a> {
    pub(crate) first: StateId,
    pub(crate) lanes: u32,
    /// Of the first lane.
    pub(crate) words: &'a [u32],
}

impl Block<'_> {
    /// The state after the last.
    pub(crate) fn end(&self) -> StateId {
        self.first + self.lanes
    }
}

/// The choices of one state, in order.
#[derive(Clone, Debug)]
pub struct Choices<'a> {
    code: &'a Code,
    rest: &'a [u32],
    lane: u32,
}

impl<'a> Iterator for Choices<'a> {
    type Item = Choice<'a>;

    #[inline]
    fn next(&mut self) -> Option<Choice<'a>> {
        let (&header, rest) = self.rest.split_first()?;
        if header & KIND == CHANCE {
            let (words, rest) = rest.split_at(self.code.weights.count(header));
            self.rest = rest;
            return Some(Choice { weights: header, targets: Targets { words, lane: self.lane }, reward: None });
        }
        self.unusual(header, rest)
    }
}

impl<'a> Choices<'a> {
    #[cold]
    fn unusual(&mut self, header: u32, rest: &'a [u32]) -> Option<Choice<'a>> {
        self.rest = rest;
        match header & KIND {
            SHARED => {
                let (weights, words) = self.code.shared_node(header);
                Some(Choice { weights, targets: Targets { words, lane: self.lane }, reward: None })
            }
            REWARD => self.next().map(|choice| Choice { reward: Some(header & LOW), ..choice }),
            _ => None,
        }
    }
}

impl Code {
    /// The words of a state's choices: those of the first lane of its block.
    #[inline]
    pub(crate) fn run(&self, state: StateId) -> &[u32] {
        let begin = to_index(self.offsets[state as usize]);
        if self.words[begin] & (KIND | BLOCK) == BLOCK {
            return self.block(state).words;
        }
        &self.words[begin..to_index(self.offsets[state as usize + 1])]
    }

    /// The states that share a run with a state: usually it alone.
    #[inline]
    pub(crate) fn block(&self, state: StateId) -> Block<'_> {
        let begin = to_index(self.offsets[state as usize]);
        match &self.words[begin..] {
            [header, first, length, words @ ..] if header & (KIND | BLOCK) == BLOCK => {
                Block { first: *first, lanes: header & !(KIND | BLOCK), words: &words[..*length as usize] }
            }
            _ => {
                Block { first: state, lanes: 1, words: &self.words[begin..to_index(self.offsets[state as usize + 1])] }
            }
        }
    }

    /// The range of the words of a state's choices in the stream, and the state's lane in its block.
    pub(crate) fn words_of(&self, state: StateId) -> (Range<u64>, u32) {
        let Block { first, lanes, words } = self.block(state);
        let begin = self.offsets[state as usize] + if lanes > 1 { BLOCK_HEADER as u64 } else { 0 };
        (begin..begin + words.len() as u64, state - first)
    }

    /// The weights and targets of the chance node that a `SHARED` header points to.
    #[inline]
    pub(crate) fn shared_node(&self, header: u32) -> (WeightsId, &[u32]) {
        let (state, delta) = self.shared[(header & LOW) as usize];
        let run = &self.words[to_index(self.offsets[state as usize]) + delta as usize..];
        (run[0], &run[1..=self.weights.count(run[0])])
    }

    #[inline]
    pub(crate) fn choices(&self, state: StateId) -> Choices<'_> {
        let Block { first, words, .. } = self.block(state);
        Choices { code: self, rest: words, lane: state - first }
    }

    /// The choices that words encode, those of the first lane for a block.
    pub(crate) fn choices_in<'a>(&'a self, words: &'a [u32]) -> Choices<'a> {
        Choices { code: self, rest: words, lane: 0 }
    }

    /// The choices of a state, each with its offset in the state's run.
    pub(crate) fn choices_with_offsets(&self, state: StateId) -> impl Iterator<Item = (u32, Choice<'_>)> {
        let mut choices = self.choices(state);
        let length = choices.rest.len();
        std::iter::from_fn(move || {
            let index = length - choices.rest.len();
            choices.next().map(|choice| (id(index), choice))
        })
    }

    /// The choice at an offset in a state's run.
    #[inline]
    pub(crate) fn choice_at(&self, state: StateId, index: u32) -> Option<Choice<'_>> {
        let Block { first, words, .. } = self.block(state);
        Choices { code: self, rest: &words[index as usize..], lane: state - first }.next()
    }

    #[inline]
    pub(crate) fn payoff(&self, state: StateId) -> Option<u32> {
        let header = self.run(state)[0];
        (header & KIND == FINAL).then_some(header & LOW)
    }

    /// The tables alone: a stream without words.
    pub(crate) fn tables(&self) -> Self {
        let Self { weights, payoffs, rewards, .. } = self;
        let (weights, payoffs, rewards) = (weights.clone(), payoffs.clone(), rewards.clone());
        Self { weights, payoffs, rewards, ..Self::default() }
    }

    pub(crate) fn states(&self) -> u32 {
        id(self.offsets.len() - 1)
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.offsets.capacity() * 8 + self.words.capacity() * 4 + self.shared.capacity() * 8) as u64
            + self.weights.bytes()
            + self.payoffs.bytes
            + self.rewards.bytes
    }
}
