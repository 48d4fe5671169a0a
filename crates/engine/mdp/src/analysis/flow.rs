//! Probability that flows along a policy: the expected visits of every state, and the probability of ever visiting it.

use std::collections::BTreeMap;

use budget::{Budget, Stage};
use graph::components;
use rustc_hash::{FxHashMap, FxHashSet};

use super::mass::{Mass, TransientScc};
use super::pending::PendingMasses;
use crate::model::{Choice, Model, Scc, StateId};
use crate::solution::{Policy, SolveError};
use crate::support::id;

/// The states that play can reach, in order, with their visits.
#[derive(Clone, Debug)]
pub(crate) struct Reached<M> {
    pub(crate) states: Vec<StateId>,
    /// The expected number of visits; zero for a state of a cycle that play never leaves.
    pub(crate) visits: Vec<M>,
    /// The probability of ever visiting a state, where it is not the expected number of visits.
    ever: FxHashMap<StateId, M>,
    bytes: u64,
}

impl<M: Mass> Reached<M> {
    /// The probability of ever visiting the state at this index, if that was requested.
    pub(crate) fn ever(&self, index: usize) -> &M {
        self.ever.get(&self.states[index]).unwrap_or(&self.visits[index])
    }

    fn push(&mut self, state: StateId, visits: M) {
        self.bytes += visits.bytes() + 4;
        self.states.push(state);
        self.visits.push(visits);
    }

    fn push_scc_state(&mut self, state: StateId, visits: M, ever: Option<M>) {
        if let Some(ever) = ever {
            self.bytes += ever.bytes() + 16;
            self.ever.insert(state, ever);
        }
        self.push(state, visits);
    }

    /// Sorts the states that were added last, from this index on.
    fn sort_from(&mut self, begin: usize) {
        if !self.states[begin..].is_sorted() {
            let mut order: Vec<usize> = (begin..self.states.len()).collect();
            order.sort_unstable_by_key(|index| self.states[*index]);
            let visits = order.iter().map(|index| std::mem::replace(&mut self.visits[*index], M::zero()));
            let visits: Vec<M> = visits.collect();
            self.visits.splice(begin.., visits);
            self.states[begin..].sort_unstable();
        }
    }
}

/// A policy along which masses flow through a model. States in `until` absorb the mass that reaches them.
#[derive(Clone, Copy)]
pub(crate) struct Flow<'a> {
    pub(crate) policy: &'a Policy,
    pub(crate) budget: &'a Budget<'a>,
    pub(crate) until: Option<&'a FxHashSet<StateId>>,
    /// Whether to compute the probability of ever visiting a state, in addition to the expected visits.
    pub(crate) ever: bool,
}

/// A component, and the masses that have arrived at its states.
struct Members<M> {
    scc: Scc,
    masses: BTreeMap<StateId, M>,
}

impl<'a> Flow<'a> {
    pub(crate) fn model(&self) -> &'a Model {
        self.policy.model()
    }

    /// What the policy takes in a state; `None` where play ends.
    pub(crate) fn choice(&self, state: StateId) -> Option<Choice<'a>> {
        if self.until.is_some_and(|until| until.contains(&state)) {
            return None;
        }
        self.policy.taken(state)
    }

    pub(crate) fn run<M: Mass>(&self, start: impl Iterator<Item = (StateId, M)>) -> Result<Reached<M>, SolveError> {
        // Choices lead to higher numbers, except within a component: so the lowest pending state has received all its
        // mass.
        let mut pending = PendingMasses::new(self.model().states());
        for (state, mass) in start {
            pending.add(state, &mass);
        }
        let mut reached = Reached { states: Vec::new(), visits: Vec::new(), ever: FxHashMap::default(), bytes: 0 };
        // The current family or the next one, and where its states begin among those reached.
        let mut families = self.model().families.iter().peekable();
        let mut begin = 0;
        while let Some(state) = pending.first() {
            self.budget.step(Stage::Following, reached.states.len() as u64, pending.len() as u64)?;
            if families.peek().is_some_and(|family| family.end() <= state) {
                reached.sort_from(begin);
                begin = reached.states.len();
                while families.next_if(|family| family.end() <= state).is_some() {}
            }
            if let Some(family) = families.peek().filter(|family| family.first <= state) {
                let scc = family.scc_of(state);
                let masses = scc.iter().filter_map(|state| Some((state, pending.take(state)?))).collect();
                self.pass_scc(Members { scc, masses }, &mut pending, &mut reached)?;
            } else if let Some(mass) = pending.take(state) {
                self.pass(state, &mass, |_| false, |target, share| pending.add(target, share));
                reached.push(state, mass);
                begin = reached.states.len();
            }
            self.budget.memory(self.used(&reached) + pending.bytes())?;
        }
        reached.sort_from(begin);
        Ok(reached)
    }

    fn used<M>(&self, reached: &Reached<M>) -> u64 {
        self.model().bytes() + reached.bytes
    }

    /// Sends a state's visits on, except to the targets that `skip` names.
    fn pass<M: Mass>(
        &self,
        state: StateId,
        visits: &M,
        skip: impl Fn(StateId) -> bool,
        mut add: impl FnMut(StateId, &M),
    ) {
        if let Some(choice) = self.choice(state) {
            for (outcome, target) in choice.targets.iter().enumerate() {
                if !skip(target) {
                    add(target, &visits.share(self.model(), &choice, outcome));
                }
            }
        }
    }

    /// The states of one component that the policy reaches, by strongly connected components of the policy's own moves,
    /// predecessors first.
    fn pass_scc<M: Mass>(
        &self,
        mut members: Members<M>,
        pending: &mut PendingMasses<M>,
        reached: &mut Reached<M>,
    ) -> Result<(), SolveError> {
        let scc = members.scc;
        let moves = |state: StateId| self.choice(state).into_iter().flat_map(|choice| choice.targets.iter());
        let indices: Vec<u32> = members.masses.keys().filter_map(|state| scc.index_of(*state)).collect();
        let edges = |index: u32| moves(scc.state(index)).filter_map(move |target| scc.index_of(target));
        for set in components(0..id(scc.size()), indices, edges, self.budget)? {
            let set: Vec<StateId> = set.into_iter().map(|index| scc.state(index)).collect();
            let indices: FxHashMap<StateId, u32> = set.iter().copied().zip(0..).collect();
            let inflow: Vec<M> = set.iter().map(|state| members.masses.remove(state).unwrap_or_else(M::zero)).collect();
            let inside = |target: &StateId| indices.contains_key(target);
            let loops = set.len() > 1 || moves(set[0]).any(|target| inside(&target));
            if !loops {
                for (state, visits) in set.iter().zip(inflow) {
                    self.pass_on(*state, &visits, &indices, &mut members, pending);
                    reached.push(*state, visits);
                }
                continue;
            }
            let leaves = set.iter().any(|state| !moves(*state).all(|target| inside(&target)));
            if !leaves {
                // Play stays for ever and visits every state.
                let mut all = M::zero();
                for mass in &inflow {
                    all.add(mass);
                }
                for state in &set {
                    reached.push_scc_state(*state, M::zero(), Some(all.clone()));
                }
                continue;
            }
            let choices = set.iter().filter_map(|state| self.choice(*state)).collect();
            let scc =
                TransientScc { model: self.model(), choices, indices, budget: self.budget, used: self.used(reached) };
            let (visits, ever) = M::scc_visits(&scc, &inflow, self.ever)?;
            let mut ever = ever.map(Vec::into_iter);
            for (state, visits) in set.iter().zip(visits) {
                self.pass_on(*state, &visits, &scc.indices, &mut members, pending);
                reached.push_scc_state(*state, visits, ever.as_mut().and_then(Iterator::next));
            }
        }
        Ok(())
    }

    /// Sends a state's visits on to where they leave its component: to the rest of the enclosing one, or beyond.
    fn pass_on<M: Mass>(
        &self,
        state: StateId,
        visits: &M,
        indices: &FxHashMap<StateId, u32>,
        members: &mut Members<M>,
        pending: &mut PendingMasses<M>,
    ) {
        let add = |target: StateId, share: &M| {
            if members.scc.contains(target) {
                members.masses.entry(target).or_insert_with(M::zero).add(share);
            } else {
                pending.add(target, share);
            }
        };
        self.pass(state, visits, |target| indices.contains_key(&target), add);
    }
}
