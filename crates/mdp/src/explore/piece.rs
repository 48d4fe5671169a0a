//! What one thread finds in a piece of the states that wait.

use std::fmt;
use std::hash::Hash;

use dashu_int::UBig;
use hashbrown::HashTable;
use rustc_hash::FxHashMap;

use super::error::{ExploreError, with_state};
use super::merge::Scratch;
use crate::distribution::SharedWeights;
use crate::game::{Game, Turn, Weights};
use crate::model::{CHANCE, Code, FINAL, REWARD, StateId};
use crate::places::id;
use crate::rational::Rational;
use crate::space::hash_of;
use crate::weights::{CERTAIN, TooManyWeights, WeightTable, WeightsId};

/// The numbers of weights that the game shares among its choices, by where they are in memory.
/// Copies are kept, so that nothing else can come to the same place.
#[derive(Default)]
pub(super) struct KnownWeights(FxHashMap<usize, (WeightsId, SharedWeights)>);

impl KnownWeights {
    #[inline]
    pub(super) fn get(&self, weights: &SharedWeights) -> Option<WeightsId> {
        self.0.get(&weights.address()).map(|(id, _)| *id)
    }

    pub(super) fn intern(
        &mut self,
        weights: &SharedWeights,
        table: &mut WeightTable,
    ) -> Result<WeightsId, TooManyWeights> {
        if let Some(id) = self.get(weights) {
            return Ok(id);
        }
        let id = table.intern_large(weights.weights())?;
        self.0.insert(weights.address(), (id, weights.clone()));
        Ok(id)
    }
}

/// What one thread found in a piece: words in which some numbers are still open.
pub(super) struct Piece<S, A> {
    pub(super) words: Vec<u32>,
    /// Where each state's words end.
    pub(super) ends: Vec<u32>,
    /// States that had no number yet, and the words to put it in.
    pub(super) new_states: Vec<(S, u64, u32)>,
    pub(super) new_weights: Vec<(Vec<u64>, u32)>,
    pub(super) new_large_weights: Vec<(Vec<UBig>, u32)>,
    pub(super) new_shared_weights: Vec<(SharedWeights, u32)>,
    pub(super) new_payoffs: Vec<(Vec<Rational>, u32)>,
    pub(super) new_rewards: Vec<(Rational, u32)>,
    pub(super) error: Option<ExploreError>,
    /// Whether it stopped before the last of its states.
    pub(super) unfinished: bool,
    pub(super) turn: Turn<S, A>,
    pub(super) scratch: Scratch,
}

impl<S, A> Default for Piece<S, A> {
    fn default() -> Self {
        Self {
            words: Vec::new(),
            ends: Vec::new(),
            new_states: Vec::new(),
            new_weights: Vec::new(),
            new_large_weights: Vec::new(),
            new_shared_weights: Vec::new(),
            new_payoffs: Vec::new(),
            new_rewards: Vec::new(),
            error: None,
            unfinished: false,
            turn: Turn::new(),
            scratch: Scratch::default(),
        }
    }
}

impl<S: Clone + fmt::Debug + Eq + Hash, A> Piece<S, A> {
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.ends.clear();
        self.new_states.clear();
        self.new_weights.clear();
        self.new_large_weights.clear();
        self.new_shared_weights.clear();
        self.new_payoffs.clear();
        self.new_rewards.clear();
        self.unfinished = false;
    }

    /// Appends the words of one state; what has no number yet is noted.
    pub(super) fn expand<G: Game<State = S, Action = A>>(
        &mut self,
        game: &G,
        state: &S,
        states: &[S],
        index: &HashTable<StateId>,
        code: &Code,
        shared: &KnownWeights,
    ) -> Result<(), ExploreError> {
        self.turn.clear();
        game.rules(state, &mut self.turn);
        let mut new_states = std::mem::take(&mut self.new_states);
        let resolve = |target: S, hash, word| match index.find(hash, |known| states[*known as usize] == target) {
            Some(known) => *known,
            None => {
                new_states.push((target, hash, word));
                0
            }
        };
        let encoded = self.encode(code, shared, resolve);
        self.new_states = new_states;
        encoded.map_err(|error| with_state(error, state))
    }

    /// Turns what was said of a state into words. `resolve` gives a next state its number, or
    /// notes that the word at this place waits for one.
    pub(super) fn encode(
        &mut self,
        code: &Code,
        shared: &KnownWeights,
        mut resolve: impl FnMut(S, u64, u32) -> StateId,
    ) -> Result<(), ExploreError> {
        let Self { words, turn, scratch, .. } = self;
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
                        self.new_payoffs.push((turn.payoff.clone(), id(words.len())));
                        words.push(FINAL);
                    }
                }
                self.ends.push(id(words.len()));
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
        let mut begin = 0;
        let mut rewards = turn.rewards.iter().peekable();
        for (number, choice) in turn.choices.iter().enumerate() {
            let states = &turn.states[begin..choice.states];
            begin = choice.states;
            if let Some((_, reward)) = rewards.next_if(|(of, _)| *of == number) {
                if *reward < Rational::ZERO || rewards.next_if(|(of, _)| *of == number).is_some() {
                    return Err(ExploreError::BadReward { state: String::new() });
                }
                if let Some(id) = code.rewards.find(reward) {
                    words.push(REWARD | id);
                } else {
                    self.new_rewards.push((reward.clone(), id(words.len())));
                    words.push(REWARD);
                }
            }
            if states.len() == 1 {
                words.push(CHANCE | CERTAIN);
                let word = id(words.len());
                words.push(resolve(states[0].clone(), hash_of(&states[0]), word));
                continue;
            }
            scratch.merge(states, choice.weights, turn);
            let header = id(words.len());
            words.push(CHANCE | CERTAIN);
            if scratch.kept.len() > 1 {
                if let (Weights::Shared(place), true) = (choice.weights, scratch.large.is_empty()) {
                    let weights = &turn.shared[place];
                    match shared.get(weights) {
                        Some(id) => words[header as usize] = CHANCE | id,
                        None => self.new_shared_weights.push((weights.clone(), header)),
                    }
                } else if !scratch.large.is_empty() {
                    self.new_large_weights.push((scratch.large.clone(), header));
                } else if let Some(id) = code.weights.find(&scratch.weights) {
                    words[header as usize] = CHANCE | id;
                } else {
                    self.new_weights.push((scratch.weights.clone(), header));
                }
            }
            for kept in &scratch.kept {
                let word = id(words.len());
                words.push(resolve(states[*kept as usize].clone(), scratch.hashes[*kept as usize], word));
            }
        }
        if rewards.next().is_some() {
            return Err(ExploreError::BadReward { state: String::new() });
        }
        self.ends.push(id(words.len()));
        Ok(())
    }
}
