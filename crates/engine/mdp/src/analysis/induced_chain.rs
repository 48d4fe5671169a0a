//! The Markov chain that a policy induces: which states it reaches, and which sets of states it never leaves.

use budget::Budget;
use graph::components;
use rustc_hash::FxHashMap;

use crate::model::{Model, StateId};
use crate::support::id;

/// The Markov chain that one choice for every state makes of a model, restricted to some states reached from the first
/// of them.
pub(super) struct InducedChain {
    /// The successors of each state.
    leads: Vec<Vec<u32>>,
    /// Whether each state earns something.
    earns: Vec<bool>,
    /// Whether each state is finished, or has successors outside of these states.
    leaks: Vec<bool>,
}

impl InducedChain {
    /// The states among `within` that are reached from `start` where each takes the choice that `taken` names; `None`
    /// for a finished state.
    pub(super) fn new(
        model: &Model,
        start: StateId,
        taken: impl Fn(StateId) -> Option<u32>,
        within: impl Fn(StateId) -> bool,
    ) -> Self {
        let mut chain = Self { leads: Vec::new(), earns: Vec::new(), leaks: Vec::new() };
        let mut numbers: FxHashMap<StateId, u32> = FxHashMap::from_iter([(start, 0)]);
        let mut states = vec![start];
        while let Some(state) = states.get(chain.leads.len()).copied() {
            let choice = taken(state).and_then(|choice| model.choice(state, choice));
            let targets = choice.into_iter().flat_map(|choice| choice.targets.iter());
            chain.earns.push(choice.is_some_and(|choice| choice.reward.is_some()));
            chain.leaks.push(choice.is_none() || !targets.clone().all(&within));
            let number = |target| {
                *numbers.entry(target).or_insert_with(|| {
                    states.push(target);
                    id(states.len() - 1)
                })
            };
            chain.leads.push(targets.filter(|target| within(*target)).map(number).collect());
        }
        chain
    }

    /// The recurrent classes: strongly connected sets of states that play never leaves.
    fn recurrent(&self) -> Vec<Vec<u32>> {
        let states = 0..id(self.leads.len());
        let leads = |state: u32| self.leads[state as usize].iter().copied();
        // A budget without limits never stops.
        let sets = components(states.clone(), states, leads, &Budget::unlimited()).unwrap_or_default();
        let stays = |set: &Vec<u32>| {
            set.iter().all(|state| leads(*state).all(|next| set.binary_search(&next).is_ok()))
                && !set.iter().any(|state| self.leaks[*state as usize])
        };
        sets.into_iter().filter(stays).collect()
    }

    /// Whether play can reach a recurrent class that earns; where it must end, one that goes on without end.
    pub(super) fn earns_for_ever(&self, must_end: bool) -> bool {
        self.recurrent().iter().flatten().any(|state| must_end || self.earns[*state as usize])
    }

    /// Whether play returns to the first state again and again, without end.
    pub(super) fn comes_back(&self) -> bool {
        self.recurrent().iter().any(|set| set.contains(&0))
    }

    /// Whether none of the states earns anything.
    pub(super) fn earns_nothing(&self) -> bool {
        !self.earns.contains(&true)
    }
}
