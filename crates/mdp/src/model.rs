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
//! The stream is read forwards only, so a sweep over all states runs at the memory's speed, and a
//! transition costs 4 bytes. Chance nodes that are equal stand in the stream once.
//!
//! States that follow each other and say the same can have one run, a *block*: it begins with three words, `001` and
//! the number of its states (its lanes), the first of them, and the number of the words to come. The words are those of
//! the first lane; a target with the highest bit moves along: each lane's is one higher than that of the lane before.
//!
//! States are numbered in solving order, **backwards**: every choice leads to higher numbers, but
//! for those that stay in a cyclic part. So the starts are near 0, and solving goes from the last
//! state to the first.

use std::ops::Range;

use dashu_base::UnsignedAbs;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::cyclic::{CyclicPart, Family};
use crate::places::{id, place};
use crate::rational::Rational;
use crate::weights::{WeightTable, WeightsId};

/// A state's number.
pub type StateId = u32;

pub(crate) const KIND: u32 = 3 << 30;
pub(crate) const CHANCE: u32 = 0;
pub(crate) const REWARD: u32 = 1 << 30;
pub(crate) const SHARED: u32 = 2 << 30;
pub(crate) const FINAL: u32 = 3 << 30;
pub(crate) const LOW: u32 = !KIND;
/// The states that have numbers: the highest bit of a target is taken.
pub(crate) const MOST_STATES: u32 = MOVES - 2;
/// In the place of a header: a block begins.
pub(crate) const BLOCK: u32 = 1 << 29;
/// Words before those of a block's choices.
pub(crate) const BLOCK_HEADER: usize = 3;
/// In a target of a block: it moves along with the lanes.
pub(crate) const MOVES: u32 = 1 << 31;

/// A solvable model: states, choices, outcomes, without names.
///
/// Made by [`explore`](crate::explore()) from a [`Game`](crate::Game), or by a
/// [`ModelBuilder`](crate::ModelBuilder) from numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Model {
    pub(crate) code: Code,
    pub(crate) levels: Vec<Level>,
    /// The cyclic parts, in families.
    pub(crate) families: Vec<Family>,
    pub(crate) counts: Counts,
}

/// The stream of words and the tables that its headers point into.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Code {
    /// Where each state's run begins; one more entry than states.
    pub(crate) offsets: Vec<u64>,
    pub(crate) words: Vec<u32>,
    /// Where the shared chance nodes stand: state, and words from the beginning of its run.
    pub(crate) shared: Vec<(StateId, u32)>,
    pub(crate) weights: WeightTable,
    pub(crate) payoffs: PayoffTable,
    pub(crate) rewards: RewardTable,
}

/// States that are equally deep: the longest way from each to the end passes equally many others (states of a row are as
/// deep as the deepest of them, where no choice leads back). None leads to another of its level, except within a cyclic
/// part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Level {
    /// The level's states. Those before `cyclic` are solved in one step each.
    pub states: Range<StateId>,
    /// The first state of the level's cyclic parts.
    pub cyclic: StateId,
    /// Of the families of cyclic parts of the model, those of this level.
    pub(crate) families: Range<u32>,
    /// The largest number of outcomes of a chance node here.
    pub(crate) outcomes: u32,
    /// An upper bound of the binary digits that a probability here takes away: each is at least
    /// `2^-digits`.
    pub(crate) digits: u32,
}

/// How large a model is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// States, finished ones included.
    pub states: u64,
    /// Finished states.
    pub finished: u64,
    /// Choices of all states.
    pub choices: u64,
    /// Outcomes as stored: what several states or choices share counts once.
    pub outcomes: u64,
    /// Outcomes of all choices, as if nothing were shared.
    pub transitions: u64,
    /// Cyclic parts: sets of more than one state, or of one that can lead to itself, in which play
    /// can go round.
    pub cyclic_parts: u64,
    /// States in the largest cyclic part.
    pub largest_part: u64,
    /// Steps of solving: states on the longest way to the end, each cyclic part counted as one; where states of a row are
    /// solved together it can be more.
    pub levels: u64,
}

/// One choice of a state.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// What happens with which weight: a number in [`Model::weights`].
    pub weights: WeightsId,
    /// The next states, one for each weight.
    pub targets: Targets<'a>,
    /// What choosing it earns at once: a number in [`Model::rewards`].
    pub reward: Option<u32>,
}

/// The next states of a choice, in order.
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

    /// The state at a place, if there are so many.
    #[inline]
    pub fn get(self, place: usize) -> Option<StateId> {
        self.words.get(place).map(|word| target(*word, self.lane))
    }

    /// The state at a place.
    ///
    /// # Panics
    /// When there are fewer.
    #[inline]
    pub fn at(self, place: usize) -> StateId {
        target(self.words[place], self.lane)
    }

    /// The only state, if there is one only.
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

/// The target that a word is for a lane of a block.
#[inline]
pub(crate) fn target(word: u32, lane: u32) -> StateId {
    if word & MOVES == 0 { word } else { (word & !MOVES) + lane }
}

/// States with one run of words.
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

/// The payoffs of finished states, each list stored once.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Vec<Rational>>", into = "Vec<Vec<Rational>>")]
pub(crate) struct PayoffTable {
    lists: Vec<Vec<Rational>>,
    /// Bytes of the lists, which are kept twice.
    bytes: u64,
    known: FxHashMap<Vec<Rational>, u32>,
}

/// The rewards of choices, each stored once.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Rational>", into = "Vec<Rational>")]
pub(crate) struct RewardTable {
    values: Vec<Rational>,
    /// Bytes of the values, which are kept twice.
    bytes: u64,
    known: FxHashMap<Rational, u32>,
}

/// Bytes of a fraction.
fn bytes_of(value: &Rational) -> u64 {
    let words = value.numerator().unsigned_abs().as_words().len() + value.denominator().as_words().len();
    (size_of::<Rational>() + words * 8) as u64
}

impl PayoffTable {
    /// The number of a list.
    pub(crate) fn intern(&mut self, list: &[Rational]) -> u32 {
        if let Some(id) = self.find(list) {
            return id;
        }
        let id = id(self.lists.len());
        let list_bytes = size_of::<Vec<Rational>>() as u64 + list.iter().map(bytes_of).sum::<u64>();
        self.bytes += 2 * list_bytes + 8;
        self.lists.push(list.to_vec());
        self.known.insert(list.to_vec(), id);
        id
    }

    /// The number of a list that is already in the table.
    pub(crate) fn find(&self, list: &[Rational]) -> Option<u32> {
        self.known.get(list).copied()
    }

    /// All lists, by number.
    pub(crate) fn lists(&self) -> &[Vec<Rational>] {
        &self.lists
    }
}

impl RewardTable {
    /// The number of a reward that is already in the table.
    pub(crate) fn find(&self, value: &Rational) -> Option<u32> {
        self.known.get(value).copied()
    }

    /// The number of a reward.
    pub(crate) fn intern(&mut self, value: &Rational) -> u32 {
        if let Some(id) = self.find(value) {
            return id;
        }
        let id = id(self.values.len());
        self.bytes += 2 * bytes_of(value) + 8;
        self.values.push(value.clone());
        self.known.insert(value.clone(), id);
        id
    }

    /// All rewards, by number.
    pub(crate) fn values(&self) -> &[Rational] {
        &self.values
    }
}

impl From<Vec<Vec<Rational>>> for PayoffTable {
    fn from(lists: Vec<Vec<Rational>>) -> Self {
        let mut table = Self::default();
        for list in lists {
            table.intern(&list);
        }
        table
    }
}

impl From<PayoffTable> for Vec<Vec<Rational>> {
    fn from(table: PayoffTable) -> Self {
        table.lists
    }
}

impl From<Vec<Rational>> for RewardTable {
    fn from(values: Vec<Rational>) -> Self {
        let mut table = Self::default();
        for value in values {
            table.intern(&value);
        }
        table
    }
}

impl From<RewardTable> for Vec<Rational> {
    fn from(table: RewardTable) -> Self {
        table.values
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
        let begin = place(self.offsets[state as usize]);
        if self.words[begin] & (KIND | BLOCK) == BLOCK {
            return self.block(state).words;
        }
        &self.words[begin..place(self.offsets[state as usize + 1])]
    }

    /// The states that have their run together with a state: most often it alone.
    #[inline]
    pub(crate) fn block(&self, state: StateId) -> Block<'_> {
        let begin = place(self.offsets[state as usize]);
        match &self.words[begin..] {
            [header, first, length, words @ ..] if header & (KIND | BLOCK) == BLOCK => {
                Block { first: *first, lanes: header & !(KIND | BLOCK), words: &words[..*length as usize] }
            }
            _ => Block { first: state, lanes: 1, words: &self.words[begin..place(self.offsets[state as usize + 1])] },
        }
    }

    /// Where in the stream the words of a state's choices stand, and its place in its block.
    pub(crate) fn words_of(&self, state: StateId) -> (Range<u64>, u32) {
        let Block { first, lanes, words } = self.block(state);
        let begin = self.offsets[state as usize] + if lanes > 1 { BLOCK_HEADER as u64 } else { 0 };
        (begin..begin + words.len() as u64, state - first)
    }

    /// The weights and targets of the chance node that a `SHARED` header points to.
    #[inline]
    pub(crate) fn shared_node(&self, header: u32) -> (WeightsId, &[u32]) {
        let (state, delta) = self.shared[(header & LOW) as usize];
        let run = &self.words[place(self.offsets[state as usize]) + delta as usize..];
        (run[0], &run[1..=self.weights.count(run[0])])
    }

    #[inline]
    pub(crate) fn choices(&self, state: StateId) -> Choices<'_> {
        let Block { first, words, .. } = self.block(state);
        Choices { code: self, rest: words, lane: state - first }
    }

    /// The choices that words say, those of the first lane if they are a block's.
    pub(crate) fn choices_in<'a>(&'a self, words: &'a [u32]) -> Choices<'a> {
        Choices { code: self, rest: words, lane: 0 }
    }

    /// The choices of a state, each with where it stands in the state's run.
    pub(crate) fn placed_choices(&self, state: StateId) -> impl Iterator<Item = (u32, Choice<'_>)> {
        let mut choices = self.choices(state);
        let length = choices.rest.len();
        std::iter::from_fn(move || {
            let place = length - choices.rest.len();
            choices.next().map(|choice| (id(place), choice))
        })
    }

    /// The choice that stands at a place in a state's run.
    #[inline]
    pub(crate) fn choice_at(&self, state: StateId, place: u32) -> Option<Choice<'_>> {
        let Block { first, words, .. } = self.block(state);
        Choices { code: self, rest: &words[place as usize..], lane: state - first }.next()
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

impl Model {
    /// How many states there are; they are numbered from 0.
    #[inline]
    pub fn states(&self) -> StateId {
        self.code.states()
    }

    /// The choices of a state, in the order of its rules; none when it is finished.
    #[inline]
    pub fn choices(&self, state: StateId) -> Choices<'_> {
        self.code.choices(state)
    }

    /// What a finished state pays, in order; `None` for a state with choices.
    #[inline]
    pub fn payoff(&self, state: StateId) -> Option<&[Rational]> {
        self.code.payoff(state).map(|id| &self.code.payoffs.lists()[id as usize][..])
    }

    /// The weight vectors that choices point to.
    pub fn weights(&self) -> &WeightTable {
        &self.code.weights
    }

    /// The rewards that choices point to; empty unless the model has any, or play must come to an end anyway
    /// ([`ModelBuilder::must_end`](crate::ModelBuilder::must_end)).
    pub fn rewards(&self) -> &[Rational] {
        self.code.rewards.values()
    }

    /// The levels, from the deepest (with the starts) to the finished states.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The place in [`levels`](Self::levels) of a state's level.
    pub(crate) fn level_of(&self, state: StateId) -> usize {
        self.levels.partition_point(|level| level.states.end <= state)
    }

    /// The cyclic parts, in order of their first states.
    pub fn cyclic_parts(&self) -> impl Iterator<Item = CyclicPart> + Clone {
        self.families.iter().flat_map(|family| family.all())
    }

    /// Whether play can come back to where it was.
    pub fn has_cycles(&self) -> bool {
        !self.families.is_empty()
    }

    /// The families of cyclic parts of a level.
    pub(crate) fn families_of(&self, level: &Level) -> &[Family] {
        &self.families[level.families.start as usize..level.families.end as usize]
    }

    /// The cyclic parts of a level.
    pub(crate) fn parts_of(&self, level: &Level) -> impl Iterator<Item = CyclicPart> {
        self.families_of(level).iter().flat_map(|family| family.all())
    }

    /// The family of a state that lies in a cyclic part.
    pub(crate) fn family_of(&self, state: StateId) -> Option<&Family> {
        let family = self.families.get(self.families.partition_point(|family| family.end() <= state))?;
        (state >= family.first).then_some(family)
    }

    /// How large the model is.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// How many payoffs a finished state lists; 1 unless the game orders several. 0 when no play
    /// ever ends.
    pub fn objectives(&self) -> usize {
        self.code.payoffs.lists().first().map_or(0, Vec::len)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.code.bytes()
            + (self.levels.capacity() * size_of::<Level>()) as u64
            + (self.families.capacity() * size_of::<Family>()) as u64
    }
}
