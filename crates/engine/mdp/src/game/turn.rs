//! The rules of one state, as a game records them.

use std::ops::Range;

use dashu_int::UBig;

use crate::model::{Distribution, Meaning, SharedWeights, Weight};
use crate::numbers::Rational;

/// The rules of one state: a payoff, or choices. One `Turn` is reused for all states, so recording allocates nothing
/// once its buffers have grown.
///
/// Each call adds one choice, which can have a name and an immediate reward:
///
/// ```
/// # let mut turn: mdp::Turn<char, &str> = mdp::Turn::new();
/// use mdp::Weight;
///
/// turn.to('a');                                      // a choice that leads to a state
/// turn.uniform(['b', 'c']);                          // a choice that leaves it to a coin
/// turn.chance([('b', Weight(1)), ('c', Weight(2))]); // the same with 1 in 3 for b, and 2 in 3 for c
/// turn.choice("sell").earn(7).to('d');               // a choice with a name, which earns 7
/// ```
#[derive(Debug)]
pub struct Turn<S, A = ()> {
    pub(crate) payoff: Vec<Rational>,
    /// The next states of all choices, one after another.
    pub(crate) states: Vec<S>,
    /// The weight of each; empty for a choice whose weights are in `large`.
    pub(crate) weights: Vec<u64>,
    /// For every choice, where its successors end, and where its weights are.
    pub(crate) choices: Vec<ChoiceEnd>,
    /// Weights that do not fit 64 bits.
    pub(crate) large: Vec<Vec<UBig>>,
    /// Weights that many choices share.
    pub(crate) shared: Vec<SharedWeights>,
    /// The rewards: the number of the choice, and the amount.
    pub(crate) rewards: Vec<(usize, Rational)>,
    /// The choices' names, if they are wanted.
    actions: Option<Vec<Option<A>>>,
    /// The name of the next choice.
    next_action: Option<A>,
    /// The meaning of the next choice's weights.
    next_meaning: Meaning,
    pub(crate) empty_chance: bool,
    /// Whether a choice has a different number of outcomes than of weights.
    pub(crate) unequal: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChoiceEnd {
    pub(crate) states: usize,
    pub(crate) weights: Weights,
    /// The meaning of the weights.
    pub(crate) meaning: Meaning,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weights {
    /// One state, reached for certain.
    Certain,
    /// In `weights`, beginning at this index.
    Small(usize),
    /// In `large`, at this index.
    Large(usize),
    /// In `shared`, at this index.
    Shared(usize),
}

impl<S, A> Default for Turn<S, A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S, A> Turn<S, A> {
    /// The same turn with other states, one for each: for a game that extends the states of another one.
    pub fn map<T>(self, rename: impl FnMut(S) -> T) -> Turn<T, A> {
        Turn {
            rewards: self.rewards,
            actions: self.actions,
            next_action: self.next_action,
            next_meaning: self.next_meaning,
            payoff: self.payoff,
            states: self.states.into_iter().map(rename).collect(),
            weights: self.weights,
            choices: self.choices,
            large: self.large,
            shared: self.shared,
            empty_chance: self.empty_chance,
            unequal: self.unequal,
        }
    }

    /// The index of the first successor of a choice.
    fn first_state(&self, choice: usize) -> usize {
        choice.checked_sub(1).map_or(0, |before| self.choices[before].states)
    }

    /// The successors of some of the choices.
    pub(crate) fn states_of(&self, choices: Range<usize>) -> &[S] {
        &self.states[self.first_state(choices.start)..self.first_state(choices.end)]
    }

    /// Adds some of the choices of another turn, with its states renamed; without rewards.
    pub(crate) fn append_choices<T>(&mut self, other: &Turn<T, A>, choices: Range<usize>, rename: impl FnMut(&T) -> S) {
        let (before, states) = (other.first_state(choices.start), self.states.len());
        self.states.extend(other.states_of(choices.clone()).iter().map(rename));
        let mut begin = before;
        for choice in &other.choices[choices] {
            let count = choice.states - std::mem::replace(&mut begin, choice.states);
            let weights = match choice.weights {
                Weights::Small(first) => {
                    self.weights.extend_from_slice(&other.weights[first..first + count]);
                    Weights::Small(self.weights.len() - count)
                }
                Weights::Shared(index) => {
                    self.shared.push(other.shared[index].clone());
                    Weights::Shared(self.shared.len() - 1)
                }
                Weights::Large(index) => {
                    self.large.push(other.large[index].clone());
                    Weights::Large(self.large.len() - 1)
                }
                Weights::Certain => Weights::Certain,
            };
            self.choices.push(ChoiceEnd { states: states + choice.states - before, weights, ..*choice });
        }
        self.empty_chance |= other.empty_chance;
        self.unequal |= other.unequal;
    }

    /// Adds the contents of another turn, with its states renamed.
    pub(crate) fn append<T>(&mut self, other: &Turn<T, A>, rename: impl FnMut(&T) -> S) {
        let choices = self.choices.len();
        self.payoff.extend_from_slice(&other.payoff);
        self.rewards.extend(other.rewards.iter().map(|(choice, reward)| (choices + choice, reward.clone())));
        self.append_choices(other, 0..other.choices.len(), rename);
    }

    /// An empty turn.
    pub fn new() -> Self {
        Self {
            payoff: Vec::new(),
            states: Vec::new(),
            weights: Vec::new(),
            choices: Vec::new(),
            large: Vec::new(),
            shared: Vec::new(),
            rewards: Vec::new(),
            actions: None,
            next_action: None,
            next_meaning: Meaning::Chance,
            empty_chance: false,
            unequal: false,
        }
    }

    /// A turn that records the names of its choices.
    pub(crate) fn with_names() -> Self {
        Self { actions: Some(Vec::new()), ..Self::new() }
    }

    /// The recorded names.
    pub(crate) fn into_names(self) -> Vec<Option<A>> {
        self.actions.unwrap_or_default()
    }

    /// Clears everything, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.payoff.clear();
        self.states.clear();
        self.weights.clear();
        self.choices.clear();
        self.large.clear();
        self.shared.clear();
        self.rewards.clear();
        self.next_action = None;
        self.next_meaning = Meaning::Chance;
        self.empty_chance = false;
        self.unequal = false;
    }

    /// The game is over and pays `payoff`.
    pub fn end(&mut self, payoff: impl Into<Rational>) {
        self.end_ordered([payoff]);
    }

    /// The game is over and pays an ordered list: the first payoff is maximised first, the second decides between plays
    /// that are equal in the first, and so on. All ends of a game have the same number of payoffs.
    pub fn end_ordered<P: Into<Rational>>(&mut self, payoffs: impl IntoIterator<Item = P>) {
        self.payoff.clear();
        self.payoff.extend(payoffs.into_iter().map(Into::into));
    }

    /// Whether the game has been recorded as over.
    pub fn is_over(&self) -> bool {
        !self.payoff.is_empty()
    }

    /// Names the choice that is added next.
    pub fn choice(&mut self, action: A) -> &mut Self {
        self.choice_with(|| action)
    }

    /// Names the choice that is added next by a function that is called only if names are wanted, not during
    /// exploration.
    pub fn choice_with(&mut self, action: impl FnOnce() -> A) -> &mut Self {
        if self.actions.is_some() {
            self.next_action = Some(action());
        }
        self
    }

    /// The choice that is added next earns `reward` (at least 0) at once. The value of a play is the total of its
    /// rewards and the payoff at its end; it is infinite where rewards are earned again and again without end.
    pub fn earn(&mut self, reward: impl Into<Rational>) -> &mut Self {
        let reward = reward.into();
        if reward != Rational::ZERO {
            self.rewards.push((self.choices.len(), reward));
        }
        self
    }

    /// The meaning of the weights of the choice that is added next; the weights of [`chance_with`](Self::chance_with)
    /// have a meaning of their own.
    pub fn meaning(&mut self, meaning: Meaning) -> &mut Self {
        self.next_meaning = meaning;
        self
    }

    fn add_choice(&mut self, weights: Weights) {
        let meaning = std::mem::take(&mut self.next_meaning);
        self.choices.push(ChoiceEnd { states: self.states.len(), weights, meaning });
        if let Some(actions) = &mut self.actions {
            actions.push(self.next_action.take());
        }
    }

    /// Adds a choice that leads to `state`.
    pub fn to(&mut self, state: S) {
        self.states.push(state);
        self.add_choice(Weights::Certain);
    }

    /// Adds a choice with a random outcome: each state with its weight; its probability is the weight over the sum of
    /// all. Weights of zero are left out; equal states are merged.
    pub fn chance(&mut self, outcomes: impl IntoIterator<Item = (S, Weight)>) {
        let first = self.weights.len();
        for (state, Weight(weight)) in outcomes {
            if weight > 0 {
                self.weights.push(weight);
                self.states.push(state);
            }
        }
        self.empty_chance |= self.weights.len() == first;
        self.add_choice(Weights::Small(first));
    }

    /// Adds a choice with these states as equally likely outcomes; equal states are merged.
    pub fn uniform(&mut self, states: impl IntoIterator<Item = S>) {
        self.chance(states.into_iter().map(|state| (state, Weight(1))));
    }

    /// Adds a choice whose outcome is drawn from `outcomes`, with weights of any size.
    pub fn chance_from(&mut self, outcomes: &Distribution<S>)
    where
        S: Clone,
    {
        let first = self.weights.len();
        self.states.extend(outcomes.iter().map(|(state, _)| state.clone()));
        let small = u64::try_from(outcomes.total()).is_ok();
        let weights = if small {
            self.weights.extend(outcomes.iter().map(|(_, weight)| u64::try_from(weight).unwrap_or(u64::MAX)));
            Weights::Small(first)
        } else {
            self.large.push(outcomes.iter().map(|(_, weight)| weight.clone()).collect());
            Weights::Large(self.large.len() - 1)
        };
        self.add_choice(weights);
    }

    /// Adds a choice with a random outcome whose weights many states have in common: one state for each weight, in
    /// order. Nothing is copied, so this is the way to use large weights often.
    ///
    /// ```
    /// use mdp::{Distribution, Turn, Weight};
    ///
    /// // The rest of the stamina after a fight, worked out once.
    /// let fight = Distribution::weighted([(0u32, Weight(1u64 << 60)), (3, Weight(1 << 62)), (5, Weight(1 << 63))])?;
    /// let weights = fight.shared_weights();
    ///
    /// // In the rules of every state with such a fight:
    /// # let mut turn: Turn<(u32, u32)> = Turn::new();
    /// let gold = 12;
    /// turn.chance_with(&weights, fight.iter().map(|(stamina, _)| (*stamina, gold)));
    /// # Ok::<(), mdp::DistributionError>(())
    /// ```
    pub fn chance_with(&mut self, weights: &SharedWeights, states: impl IntoIterator<Item = S>) {
        let first = self.states.len();
        self.states.extend(states);
        self.unequal |= self.states.len() - first != weights.weights().len();
        self.shared.push(weights.clone());
        self.next_meaning = weights.meaning();
        self.add_choice(Weights::Shared(self.shared.len() - 1));
    }
}
