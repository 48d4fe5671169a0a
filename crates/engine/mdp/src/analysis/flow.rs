//! Probability that flows along a policy: how often every state is visited, and whether ever.

use std::collections::BTreeMap;

use budget::{Budget, Stage};
use graph::components;
use rustc_hash::{FxHashMap, FxHashSet};

use super::mass::{Circle, Mass};
use super::pending::Waiting;
use crate::model::{Choice, CyclicPart, Model, StateId};
use crate::solution::{Policy, SolveError};
use crate::support::id;

/// The states that play can reach, in order, and what is known of each.
#[derive(Clone, Debug)]
pub(crate) struct Reached<M> {
    pub(crate) states: Vec<StateId>,
    /// The expected number of visits; zero for a state in which play goes round for ever: nothing leaves.
    pub(crate) visits: Vec<M>,
    /// The probability of ever being in a state, where it is not the expected number of visits.
    ever: FxHashMap<StateId, M>,
    bytes: u64,
}

impl<M: Mass> Reached<M> {
    /// The probability of ever being in the state at this place, if that was asked for.
    pub(crate) fn ever(&self, place: usize) -> &M {
        self.ever.get(&self.states[place]).unwrap_or(&self.visits[place])
    }

    fn push(&mut self, state: StateId, visits: M) {
        self.bytes += visits.bytes() + 4;
        self.states.push(state);
        self.visits.push(visits);
    }

    fn push_circle(&mut self, state: StateId, visits: M, ever: Option<M>) {
        if let Some(ever) = ever {
            self.bytes += ever.bytes() + 16;
            self.ever.insert(state, ever);
        }
        self.push(state, visits);
    }

    /// Brings those into order that came last, from this place on.
    fn sort_from(&mut self, begin: usize) {
        if !self.states[begin..].is_sorted() {
            let mut order: Vec<usize> = (begin..self.states.len()).collect();
            order.sort_unstable_by_key(|place| self.states[*place]);
            let visits = order.iter().map(|place| std::mem::replace(&mut self.visits[*place], M::zero()));
            let visits: Vec<M> = visits.collect();
            self.visits.splice(begin.., visits);
            self.states[begin..].sort_unstable();
        }
    }
}

/// A policy along which masses flow through a model. States in `until` keep what reaches them.
#[derive(Clone, Copy)]
pub(crate) struct Flow<'a> {
    pub(crate) policy: &'a Policy,
    pub(crate) budget: &'a Budget<'a>,
    pub(crate) until: Option<&'a FxHashSet<StateId>>,
    /// Whether the probability of ever being in a state is wanted, beside the visits.
    pub(crate) ever: bool,
}

/// A cyclic part, and what waits in its states.
struct Members<M> {
    part: CyclicPart,
    masses: BTreeMap<StateId, M>,
}

impl<'a> Flow<'a> {
    pub(crate) fn model(&self) -> &'a Model {
        self.policy.model()
    }

    /// What is taken in a state; nothing where play ends.
    pub(crate) fn choice(&self, state: StateId) -> Option<Choice<'a>> {
        if self.until.is_some_and(|until| until.contains(&state)) {
            return None;
        }
        self.policy.taken(state)
    }

    pub(crate) fn run<M: Mass>(&self, start: impl Iterator<Item = (StateId, M)>) -> Result<Reached<M>, SolveError> {
        // Choices lead to higher numbers, but for those within a cyclic part: so the lowest waiting state
        // has got all it will get.
        let mut waiting = Waiting::new(self.model().states());
        for (state, mass) in start {
            waiting.add(state, &mass);
        }
        let mut reached = Reached { states: Vec::new(), visits: Vec::new(), ever: FxHashMap::default(), bytes: 0 };
        // The family at hand or the next one, and where its states begin among those that were reached.
        let mut families = self.model().families.iter().peekable();
        let mut begin = 0;
        while let Some(state) = waiting.first() {
            self.budget.step(Stage::Following, reached.states.len() as u64, waiting.len() as u64)?;
            if families.peek().is_some_and(|family| family.end() <= state) {
                reached.sort_from(begin);
                begin = reached.states.len();
                while families.next_if(|family| family.end() <= state).is_some() {}
            }
            if let Some(family) = families.peek().filter(|family| family.first <= state) {
                let part = family.part_of(state);
                let masses = part.iter().filter_map(|state| Some((state, waiting.take(state)?))).collect();
                self.pass_part(Members { part, masses }, &mut waiting, &mut reached)?;
            } else if let Some(mass) = waiting.take(state) {
                self.pass(state, &mass, |_| false, |target, share| waiting.add(target, share));
                reached.push(state, mass);
                begin = reached.states.len();
            }
            self.budget.memory(self.used(&reached) + waiting.bytes())?;
        }
        reached.sort_from(begin);
        Ok(reached)
    }

    fn used<M>(&self, reached: &Reached<M>) -> u64 {
        self.model().bytes() + reached.bytes
    }

    /// Sends a state's visits on, but not to where `skip` says.
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

    /// The states of one cyclic part that the policy reaches, by strongly connected components of its own
    /// moves, first the ones that lead to the others.
    fn pass_part<M: Mass>(
        &self,
        mut members: Members<M>,
        waiting: &mut Waiting<M>,
        reached: &mut Reached<M>,
    ) -> Result<(), SolveError> {
        let part = members.part;
        let moves = |state: StateId| self.choice(state).into_iter().flat_map(|choice| choice.targets.iter());
        let places: Vec<u32> = members.masses.keys().filter_map(|state| part.place_of(*state)).collect();
        let edges = |place: u32| moves(part.state(place)).filter_map(move |target| part.place_of(target));
        for set in components(0..id(part.size()), places, edges, self.budget)? {
            let set: Vec<StateId> = set.into_iter().map(|place| part.state(place)).collect();
            let places: FxHashMap<StateId, u32> = set.iter().copied().zip(0..).collect();
            let inflow: Vec<M> = set.iter().map(|state| members.masses.remove(state).unwrap_or_else(M::zero)).collect();
            let inside = |target: &StateId| places.contains_key(target);
            let loops = set.len() > 1 || moves(set[0]).any(|target| inside(&target));
            if !loops {
                for (state, visits) in set.iter().zip(inflow) {
                    self.pass_on(*state, &visits, &places, &mut members, waiting);
                    reached.push(*state, visits);
                }
                continue;
            }
            let leaves = set.iter().any(|state| !moves(*state).all(|target| inside(&target)));
            if !leaves {
                // Play stays for ever and comes by everywhere.
                let mut all = M::zero();
                for mass in &inflow {
                    all.add(mass);
                }
                for state in &set {
                    reached.push_circle(*state, M::zero(), Some(all.clone()));
                }
                continue;
            }
            let choices = set.iter().filter_map(|state| self.choice(*state)).collect();
            let circle = Circle { model: self.model(), choices, places, budget: self.budget, used: self.used(reached) };
            let (visits, ever) = M::circulate(&circle, &inflow, self.ever)?;
            let mut ever = ever.map(Vec::into_iter);
            for (state, visits) in set.iter().zip(visits) {
                self.pass_on(*state, &visits, &circle.places, &mut members, waiting);
                reached.push_circle(*state, visits, ever.as_mut().and_then(Iterator::next));
            }
        }
        Ok(())
    }

    /// Sends a state's visits on to where they leave its component: to the rest of the part, or behind it.
    fn pass_on<M: Mass>(
        &self,
        state: StateId,
        visits: &M,
        places: &FxHashMap<StateId, u32>,
        members: &mut Members<M>,
        waiting: &mut Waiting<M>,
    ) {
        let add = |target: StateId, share: &M| {
            if members.part.contains(target) {
                members.masses.entry(target).or_insert_with(M::zero).add(share);
            } else {
                waiting.add(target, share);
            }
        };
        self.pass(state, visits, |target| places.contains_key(&target), add);
    }
}
