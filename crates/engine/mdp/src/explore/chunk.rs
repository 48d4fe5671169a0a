//! What one thread records for a piece of the frontier.

use std::hash::Hash;
use std::ops::Range;

use dashu_int::UBig;
use rustc_hash::FxHashMap;

use super::error::ExploreError;
use super::merge::Scratch;
use crate::game::{Turn, Weights};
use crate::model::{
    CERTAIN, CHANCE, Code, FINAL, LOW, Meaning, REWARD, SharedWeights, TooManyWeights, WeightTable, WeightsId, hash_of,
};
use crate::numbers::Rational;
use crate::support::id;

/// The numbers of weights that the game shares among its choices, by their address in memory. Copies are kept, so that
/// no other weights can get the same address.
#[derive(Default)]
pub(super) struct KnownWeights(FxHashMap<(usize, Meaning), (WeightsId, SharedWeights)>);

impl KnownWeights {
    #[inline]
    pub(super) fn get(&self, weights: &SharedWeights) -> Option<WeightsId> {
        self.0.get(&weights.identity()).map(|(id, _)| *id)
    }

    pub(super) fn intern(
        &mut self,
        weights: &SharedWeights,
        table: &mut WeightTable,
    ) -> Result<WeightsId, TooManyWeights> {
        if let Some(id) = self.get(weights) {
            return Ok(id);
        }
        let id = table.intern_large(weights.meaning(), weights.weights())?;
        self.0.insert(weights.identity(), (id, weights.clone()));
        Ok(id)
    }
}

/// A word that is still open; `N` is a state without a number. Nearly all open words are states.
pub(super) enum Open<N> {
    State(N),
    Other(Box<Other>),
}

impl<N> Open<N> {
    fn other(other: Other) -> Self {
        Self::Other(Box::new(other))
    }
}

/// Another kind of open word: an entry of one of the tables.
pub(super) enum Other {
    Weights(Meaning, Vec<u64>),
    LargeWeights(Meaning, Vec<UBig>),
    SharedWeights(SharedWeights),
    Payoff(Vec<Rational>),
    Reward(Rational),
    /// The rules contradict themselves.
    Error(ExploreError),
}

impl Other {
    /// The word that stands for the entry.
    fn word(&self, code: &mut Code, shared_weights: &mut KnownWeights) -> Result<u32, ExploreError> {
        Ok(match self {
            Self::Weights(meaning, weights) => CHANCE | code.weights.intern(*meaning, weights)?,
            Self::LargeWeights(meaning, weights) => CHANCE | code.weights.intern_large(*meaning, weights)?,
            Self::SharedWeights(weights) => CHANCE | shared_weights.intern(weights, &mut code.weights)?,
            Self::Payoff(payoff) => {
                let expected = code.payoffs.lists().first().map_or(payoff.len(), Vec::len);
                if payoff.len() != expected {
                    return Err(ExploreError::UnequalPayoffs { expected, found: payoff.len() });
                }
                FINAL | fits(code.payoffs.intern(payoff))?
            }
            Self::Reward(reward) => REWARD | fits(code.rewards.intern(reward))?,
            Self::Error(error) => return Err(error.clone()),
        })
    }
}

/// The words that one thread wrote for a piece of the frontier, some of them still open.
pub(super) struct Piece<N> {
    pub(super) words: Vec<u32>,
    /// Index in `words` of the first state's words.
    begin: usize,
    /// The open words: index, and what to put there.
    pub(super) open: Vec<(u32, Open<N>)>,
    /// Where each state's words, and its open words, end.
    pub(super) ends: Vec<(u32, u32)>,
    scratch: Scratch,
}

impl<N> Default for Piece<N> {
    fn default() -> Self {
        Self { words: Vec::new(), begin: 0, open: Vec::new(), ends: Vec::new(), scratch: Scratch::default() }
    }
}

impl<N> Piece<N> {
    pub(super) fn clear(&mut self) {
        let mut words = std::mem::take(&mut self.words);
        words.clear();
        self.append_to(words);
    }

    /// Clears the piece; words recorded next are appended to these.
    pub(super) fn append_to(&mut self, words: Vec<u32>) {
        self.begin = words.len();
        self.words = words;
        self.open.clear();
        self.ends.clear();
    }

    /// How many words were recorded.
    pub(super) fn recorded(&self) -> usize {
        self.words.len() - self.begin
    }

    /// Where the words, and the open words, of the first `states` states end.
    fn end(&self, states: usize) -> (usize, usize) {
        states.checked_sub(1).map_or((self.begin, 0), |last| (self.ends[last].0 as usize, self.ends[last].1 as usize))
    }

    /// The words of the first `states` states, and those to which they were appended.
    pub(super) fn words_of(&mut self, states: usize) -> Vec<u32> {
        let (end, _) = self.end(states);
        let mut words = std::mem::take(&mut self.words);
        words.truncate(end);
        words
    }

    /// Fills in the open words of the state at an index, and returns the range of its words. `number` gives the number
    /// of a successor.
    pub(super) fn close(
        &mut self,
        index: usize,
        code: &mut Code,
        shared_weights: &mut KnownWeights,
        mut number: impl FnMut(&N) -> u32,
    ) -> Result<Range<usize>, ExploreError> {
        let ((_, first), (_, last)) = (self.end(index), self.end(index + 1));
        for (word, open) in &self.open[first..last] {
            self.words[*word as usize] = match open {
                Open::State(state) => number(state),
                Open::Other(other) => other.word(code, shared_weights)?,
            };
        }
        Ok(self.run(index))
    }

    /// The range of the words of the state at an index.
    pub(super) fn run(&self, index: usize) -> Range<usize> {
        self.end(index).0..self.end(index + 1).0
    }

    /// Encodes the recorded turn of a state as words. `resolve` gives the number of a successor, which has an index in
    /// the turn, or what to note in its place.
    pub(super) fn encode<S: Eq + Hash, A>(
        &mut self,
        turn: &Turn<S, A>,
        code: &Code,
        shared: &KnownWeights,
        resolve: impl FnMut(usize, &S, u64) -> Result<u32, N>,
    ) {
        if let Err(error) = self.try_encode(turn, code, shared, resolve) {
            self.open.push((0, Open::other(Other::Error(error))));
        }
        self.ends.push((id(self.words.len()), id(self.open.len())));
    }

    fn try_encode<S: Eq + Hash, A>(
        &mut self,
        turn: &Turn<S, A>,
        code: &Code,
        shared: &KnownWeights,
        mut resolve: impl FnMut(usize, &S, u64) -> Result<u32, N>,
    ) -> Result<(), ExploreError> {
        let Self { words, open, scratch, .. } = self;
        match (turn.payoff.is_empty(), turn.choices.is_empty()) {
            (true, true) => return Err(ExploreError::NoRules { state: String::new() }),
            (false, false) => return Err(ExploreError::OverAndNotOver { state: String::new() }),
            (false, true) if !turn.rewards.is_empty() => {
                return Err(ExploreError::BadReward { state: String::new() });
            }
            (false, true) => {
                match code.payoffs.find(&turn.payoff) {
                    Some(id) => words.push(FINAL | id),
                    None => {
                        open.push((id(words.len()), Open::other(Other::Payoff(turn.payoff.clone()))));
                        words.push(FINAL);
                    }
                }
                return Ok(());
            }
            (true, false) => {}
        }
        if turn.empty_chance {
            return Err(ExploreError::NothingCanHappen { state: String::new() });
        }
        if turn.unequal {
            return Err(ExploreError::UnequalOutcomes { state: String::new() });
        }
        let mut next = |index: usize, hash: u64, words: &mut Vec<u32>, open: &mut Vec<(u32, Open<N>)>| {
            let number = resolve(index, &turn.states[index], hash).unwrap_or_else(|new| {
                open.push((id(words.len()), Open::State(new)));
                0
            });
            words.push(number);
        };
        let mut begin = 0;
        let mut rewards = turn.rewards.iter().peekable();
        for (number, choice) in turn.choices.iter().enumerate() {
            let first = std::mem::replace(&mut begin, choice.states);
            let states = &turn.states[first..choice.states];
            if let Some((_, reward)) = rewards.next_if(|(of, _)| *of == number) {
                if *reward < Rational::ZERO || rewards.next_if(|(of, _)| *of == number).is_some() {
                    return Err(ExploreError::BadReward { state: String::new() });
                }
                if let Some(id) = code.rewards.find(reward) {
                    words.push(REWARD | id);
                } else {
                    open.push((id(words.len()), Open::other(Other::Reward(reward.clone()))));
                    words.push(REWARD);
                }
            }
            if let [state] = states {
                words.push(CHANCE | CERTAIN);
                next(first, hash_of(state), words, open);
                continue;
            }
            let meaning = choice.meaning;
            scratch.merge(states, choice.weights, turn);
            let header = id(words.len());
            words.push(CHANCE | CERTAIN);
            if scratch.kept.len() > 1 {
                if let (Weights::Shared(index), true) = (choice.weights, scratch.large.is_empty()) {
                    let weights = &turn.shared[index];
                    match shared.get(weights) {
                        Some(id) => words[header as usize] = CHANCE | id,
                        None => open.push((header, Open::other(Other::SharedWeights(weights.clone())))),
                    }
                } else if !scratch.large.is_empty() {
                    open.push((header, Open::other(Other::LargeWeights(meaning, scratch.large.clone()))));
                } else if let Some(id) = code.weights.find(meaning, &scratch.weights) {
                    words[header as usize] = CHANCE | id;
                } else {
                    open.push((header, Open::other(Other::Weights(meaning, scratch.weights.clone()))));
                }
            }
            for kept in &scratch.kept {
                next(first + *kept as usize, scratch.hashes[*kept as usize], words, open);
            }
        }
        if rewards.next().is_some() {
            return Err(ExploreError::BadReward { state: String::new() });
        }
        Ok(())
    }
}

/// A number, if it fits a word with room for its kind.
fn fits(id: u32) -> Result<u32, ExploreError> {
    if id > LOW { Err(ExploreError::TooLarge) } else { Ok(id) }
}
