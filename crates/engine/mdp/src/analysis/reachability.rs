//! The probability of ever visiting each state under a policy.

use std::collections::BTreeMap;
use std::hash::Hash;

use budget::{Budget, Stage};
use dashu_int::UBig;
use graph::components;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::flow::{Flow, Reached};
use super::mass::Mass;
use crate::model::{Distribution, Model, StateId, lcm};
use crate::numbers::{Probability, Rational, nearest};
use crate::order::push_new;
use crate::solution::{Policy, Solution, SolveError};
use crate::support::id;

/// Visits of states under a policy.
///
/// "Ever visiting a state" counts a play once, however often it returns to the state; likewise for groups of states.
#[derive(Clone, Debug)]
pub struct VisitProbabilities<'a> {
    policy: &'a Policy,
    start: Distribution<StateId>,
    masses: Masses,
    budget: Option<&'a Budget<'a>>,
}

#[derive(Clone, Debug)]
enum Masses {
    Floats(Reached<f64>),
    /// Numerators over one denominator.
    Integers(Reached<UBig>, UBig),
    Fractions(Reached<Rational>),
}

/// Visits under a policy from a start, in floating point.
///
/// # Errors
/// When the budget stops the run, or a component under the policy is too large for its equations.
pub fn visit_probabilities<'a>(
    policy: &'a Policy,
    start: &Distribution<StateId>,
    budget: Option<&'a Budget<'a>>,
) -> Result<VisitProbabilities<'a>, SolveError> {
    let own = Budget::default();
    let within = budget.unwrap_or(&own);
    let masses = start.probabilities().map(|(state, p)| (*state, nearest(&p)));
    let reached = Flow { policy, budget: within, until: None, ever: true }.run(masses)?;
    Ok(VisitProbabilities { policy, start: start.clone(), masses: Masses::Floats(reached), budget })
}

/// Visits under the policy of an exact solution from a start, exactly.
///
/// # Errors
/// When the budget stops the run, or a component under the policy is too large for its equations.
pub fn exact_visit_probabilities<'a>(
    solution: &'a Solution,
    start: &Distribution<StateId>,
    budget: Option<&'a Budget<'a>>,
) -> Result<VisitProbabilities<'a>, SolveError> {
    let own = Budget::default();
    let within = budget.unwrap_or(&own);
    let policy = solution.policy();
    // Every product of totals on a path divides the denominator of its first state: over that denominator all masses
    // are integers, and every division is even.
    let common = (!policy.model().has_cycles()).then(|| {
        start.iter().try_fold(UBig::ONE, |common, (state, _)| Some(lcm(&common, solution.denominator(*state)?)))
    });
    let masses = if let Some(Some(common)) = common {
        let masses = start.iter().map(|(state, weight)| (*state, weight * &common));
        let reached = Flow { policy, budget: within, until: None, ever: true }.run(masses)?;
        Masses::Integers(reached, common * start.total())
    } else {
        let masses = start.probabilities().map(|(state, p)| (*state, p));
        Masses::Fractions(Flow { policy, budget: within, until: None, ever: true }.run(masses)?)
    };
    Ok(VisitProbabilities { policy, start: start.clone(), masses, budget })
}

/// Groups of a model's states: those with the same key.
#[derive(Clone, Debug)]
pub struct Groups<K> {
    keys: Vec<K>,
    /// The number of the key of each state.
    of: Vec<u32>,
}

impl<K: Clone + Eq + Hash> Groups<K> {
    /// `key` gives the group of each state of a model.
    ///
    /// ```
    /// use mdp::advanced::Groups;
    /// use mdp::{Distribution, ModelBuilder, Policy, Rational, visit_probabilities};
    ///
    /// // Throw a coin: over, or once more and over.
    /// let mut builder = ModelBuilder::new();
    /// let (coin, certain) = (builder.weights(&[1, 1])?, builder.weights(&[1])?);
    /// builder.choice(coin, &[1, 2])?;
    /// builder.finish_state()?;
    /// builder.choice(certain, &[2])?;
    /// builder.finish_state()?;
    /// builder.finished(&[Rational::ONE])?;
    /// let model = builder.build(None)?.model;
    ///
    /// let policy = Policy::new(&model, |_| 0).expect("one choice each");
    /// let followed = visit_probabilities(&policy, &Distribution::certain(0), None)?;
    /// let groups = Groups::new(&model, |state| model.payoff(state).is_some());
    /// let entered = followed.entries_by_group(&groups, |states| states.map(|(_, p)| p.decimal()).sum::<f64>())?;
    /// assert_eq!(entered[&true], 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(model: &Model, key: impl Fn(StateId) -> K) -> Self {
        let mut keys: Vec<K> = Vec::new();
        let mut numbers: FxHashMap<K, u32> = FxHashMap::default();
        let mut last = 0;
        let group = |state| {
            let key = key(state);
            // Consecutive states often belong to the same group.
            if keys.get(last as usize) != Some(&key) {
                last = *numbers.entry(key).or_insert_with_key(|key| {
                    keys.push(key.clone());
                    id(keys.len() - 1)
                });
            }
            last
        };
        let of = (0..model.states()).map(group).collect();
        Self { keys, of }
    }

    fn of(&self, state: StateId) -> u32 {
        self.of[state as usize]
    }
}

/// For each group the states by which play first enters it, in order, with the probability of each.
type Entries<K, M> = BTreeMap<K, Vec<(StateId, M)>>;

impl<M: Mass> Reached<M> {
    /// For every group the states by which play first enters it, with the probability of each.
    fn entries<K: Clone + Eq + Hash + Ord>(
        &self,
        flow: &Flow<'_>,
        start: &[(StateId, M)],
        groups: &Groups<K>,
    ) -> Result<Entries<K, M>, SolveError> {
        let keys = &groups.keys;
        let mut entered: Vec<Option<M>> = vec![None; flow.model().states() as usize];
        let mut enter = |state: StateId, mass: &M| entered[state as usize].get_or_insert_with(M::zero).add(mass);
        let mut leads: Vec<Vec<u32>> = vec![Vec::new(); keys.len()];
        for (state, mass) in start {
            enter(*state, mass);
        }
        for (done, (state, visits)) in (0..).zip(self.states.iter().zip(&self.visits)) {
            flow.budget.step(Stage::Following, done, self.states.len() as u64 - done)?;
            let from = groups.of(*state);
            if let Some(choice) = flow.choice(*state) {
                for (outcome, target) in choice.targets.iter().enumerate() {
                    let to = groups.of(target);
                    if to != from {
                        enter(target, &visits.share(flow.model(), &choice, outcome));
                        push_new(&mut leads[from as usize], 0, to);
                    }
                }
            }
        }
        let mut entries: Vec<Vec<(StateId, M)>> = vec![Vec::new(); keys.len()];
        for (state, mass) in (0..).zip(entered) {
            if let Some(mass) = mass {
                entries[groups.of(state) as usize].push((state, mass));
            }
        }
        // Masses count plays only in groups that no play enters twice: where no path leads from a group to others and
        // back. For the other groups the flow is stopped at the first entry.
        let count = id(leads.len());
        let sets = components(0..count, 0..count, |group| leads[group as usize].iter().copied(), flow.budget)?;
        let returns: Vec<Vec<u32>> = sets.into_iter().filter(|set| set.len() > 1).collect();
        for set in self.sets(flow, start, groups, &returns) {
            for (group, own) in &set.states {
                let until = own.iter().chain(&set.behind).copied().collect();
                let stopped = Flow { until: Some(&until), ever: false, ..*flow };
                let stopped = stopped.run(set.start.iter().map(|(state, mass)| (*state, mass.clone())))?;
                let first = stopped.states.into_iter().zip(stopped.visits);
                entries[*group as usize] = first.filter(|(state, _)| own.contains(state)).collect();
            }
        }
        Ok(keys.iter().cloned().zip(entries).filter(|(_, entries)| !entries.is_empty()).collect())
    }

    /// Strongly connected sets of groups: play enters each set once at most, and stays until it leaves it for ever.
    fn sets<K: Clone + Eq + Hash>(
        &self,
        flow: &Flow<'_>,
        start: &[(StateId, M)],
        groups: &Groups<K>,
        returns: &[Vec<u32>],
    ) -> Vec<SetOfGroups<M>> {
        let set_of: FxHashMap<u32, usize> = returns
            .iter()
            .enumerate()
            .flat_map(|(position, set)| set.iter().map(move |group| (*group, position)))
            .collect();
        let set = |state: StateId| set_of.get(&groups.of(state)).copied();
        let empty =
            || SetOfGroups { start: BTreeMap::new(), states: FxHashMap::default(), behind: FxHashSet::default() };
        let mut sets: Vec<SetOfGroups<M>> = returns.iter().map(|_| empty()).collect();
        for (state, mass) in start {
            if let Some(own) = set(*state) {
                sets[own].enter(*state, mass);
            }
        }
        for (state, visits) in self.states.iter().zip(&self.visits) {
            let from = set(*state);
            if let Some(own) = from {
                sets[own].states.entry(groups.of(*state)).or_default().insert(*state);
            }
            let Some(choice) = flow.choice(*state) else { continue };
            for (outcome, target) in choice.targets.iter().enumerate() {
                let to = set(target);
                if from == to {
                    continue;
                }
                if let Some(own) = to {
                    sets[own].enter(target, &visits.share(flow.model(), &choice, outcome));
                }
                if let Some(own) = from {
                    sets[own].behind.insert(target);
                }
            }
        }
        sets
    }
}

/// A strongly connected set of groups.
struct SetOfGroups<M> {
    /// The states by which play enters them, with the probability of each.
    start: BTreeMap<StateId, M>,
    /// The states of each group.
    states: FxHashMap<u32, FxHashSet<StateId>>,
    /// The states to which play leaves them.
    behind: FxHashSet<StateId>,
}

impl<M: Mass> SetOfGroups<M> {
    fn enter(&mut self, state: StateId, mass: &M) {
        self.start.entry(state).or_insert_with(M::zero).add(mass);
    }
}

impl VisitProbabilities<'_> {
    /// The states that play can reach, in order.
    pub fn states(&self) -> &[StateId] {
        match &self.masses {
            Masses::Floats(reached) => &reached.states,
            Masses::Integers(reached, _) => &reached.states,
            Masses::Fractions(reached) => &reached.states,
        }
    }

    /// The probability of ever visiting a state.
    pub fn probability(&self, state: StateId) -> Probability {
        match self.states().binary_search(&state) {
            Ok(position) => self.at(position),
            Err(_) => self.zero(),
        }
    }

    fn zero(&self) -> Probability {
        match self.masses {
            Masses::Floats(_) => Probability::roughly(0.0),
            Masses::Integers(..) | Masses::Fractions(_) => Probability::default(),
        }
    }

    fn at(&self, position: usize) -> Probability {
        match &self.masses {
            Masses::Floats(reached) => Probability::roughly(*reached.ever(position)),
            Masses::Integers(reached, unit) => over(reached.ever(position), unit),
            Masses::Fractions(reached) => Probability::exactly(reached.ever(position).clone()),
        }
    }

    /// All states that play can reach with the probability of ever visiting them, in order.
    pub fn iter(&self) -> impl Iterator<Item = (StateId, Probability)> + '_ {
        self.states().iter().enumerate().map(|(position, state)| (*state, self.at(position)))
    }

    /// All states that play can reach with their expected number of visits, in order. The number is meaningless for
    /// states of a cycle that play never leaves.
    pub fn visits(&self) -> impl Iterator<Item = (StateId, f64)> + '_ {
        self.states().iter().enumerate().map(|(position, state)| (*state, self.visits_at(position)))
    }

    /// The expected number of visits to a state; see [`visits`](Self::visits).
    pub fn expected_visits(&self, state: StateId) -> f64 {
        self.states().binary_search(&state).map_or(0.0, |position| self.visits_at(position))
    }

    fn visits_at(&self, position: usize) -> f64 {
        match &self.masses {
            Masses::Floats(reached) => reached.visits[position],
            Masses::Integers(reached, unit) => {
                nearest(&Rational::from_parts(reached.visits[position].clone().into(), unit.clone()))
            }
            Masses::Fractions(reached) => nearest(&reached.visits[position]),
        }
    }

    /// The finished states that play can reach, with their probabilities. These sum to 1 unless
    /// play can go on for ever.
    pub fn finished(&self) -> impl Iterator<Item = (StateId, Probability)> + '_ {
        self.iter().filter(|(state, _)| self.policy.model().payoff(*state).is_some())
    }

    /// For every key the probability of ever visiting a state of that key.
    ///
    /// # Errors
    /// When the budget stops the run, or a component under the policy is too large for its equations.
    pub fn by_key<K: Clone + Eq + Hash + Ord>(
        &self,
        key: impl Fn(StateId) -> K,
    ) -> Result<BTreeMap<K, Probability>, SolveError> {
        fn sums<K: Ord, M: Mass>(
            entries: Entries<K, M>,
            summary: impl Fn(M) -> Probability,
        ) -> BTreeMap<K, Probability> {
            let sum = |masses: Vec<(StateId, M)>| {
                masses.iter().fold(M::zero(), |mut sum, (_, mass)| {
                    sum.add(mass);
                    sum
                })
            };
            entries.into_iter().map(|(key, masses)| (key, summary(sum(masses)))).collect()
        }
        Ok(match self.entries(&Groups::new(self.policy.model(), key))? {
            EntryMasses::Floats(entries) => sums(entries, Probability::roughly),
            EntryMasses::Integers(entries, unit) => sums(entries, |mass| over(&mass, unit)),
            EntryMasses::Fractions(entries) => sums(entries, Probability::exactly),
        })
    }

    /// For the key of every group the result of `summary` for the states by which play first enters it, each with the
    /// probability of first entering there. Threads share the groups.
    ///
    /// # Errors
    /// When the budget stops the run, or a component under the policy is too large for its equations.
    pub fn entries_by_group<K: Clone + Eq + Hash + Ord + Send, T: Send>(
        &self,
        groups: &Groups<K>,
        summary: impl Fn(&mut dyn Iterator<Item = (StateId, Probability)>) -> T + Sync,
    ) -> Result<BTreeMap<K, T>, SolveError> {
        fn each<K: Ord + Send, M: Send, T: Send>(
            entries: Entries<K, M>,
            probability: impl Fn(M) -> Probability + Sync,
            summary: impl Fn(&mut dyn Iterator<Item = (StateId, Probability)>) -> T + Sync,
        ) -> BTreeMap<K, T> {
            let of = |masses: Vec<(StateId, M)>| {
                summary(&mut masses.into_iter().map(|(state, mass)| (state, probability(mass))))
            };
            entries.into_par_iter().map(|(key, masses)| (key, of(masses))).collect()
        }
        Ok(match self.entries(groups)? {
            EntryMasses::Floats(entries) => each(entries, Probability::roughly, summary),
            EntryMasses::Integers(entries, unit) => each(entries, |mass| over(&mass, unit), summary),
            EntryMasses::Fractions(entries) => each(entries, Probability::exactly, summary),
        })
    }

    /// For the key of every group the probability of ever visiting it, and the value of the states by which play first
    /// enters it, on average.
    ///
    /// # Errors
    /// When the budget stops the run, or a component under the policy is too large for its equations.
    pub fn worth_by_group<K: Clone + Eq + Hash + Ord + Send>(
        &self,
        groups: &Groups<K>,
        value: impl Fn(StateId) -> f64 + Sync,
    ) -> Result<BTreeMap<K, (Probability, f64)>, SolveError> {
        self.entries_by_group(groups, |entries| {
            let (mut visited, mut worth) = (Probability::default(), 0.0);
            for (state, probability) in entries {
                worth += probability.decimal() * value(state);
                visited += probability;
            }
            let share = visited.decimal();
            (visited, if share > 0.0 { worth / share } else { 0.0 })
        })
    }

    fn entries<K: Clone + Eq + Hash + Ord>(&self, groups: &Groups<K>) -> Result<EntryMasses<'_, K>, SolveError> {
        let own = Budget::default();
        let budget = self.budget.unwrap_or(&own);
        let flow = Flow { policy: self.policy, budget, until: None, ever: true };
        Ok(match &self.masses {
            Masses::Floats(reached) => {
                let start: Vec<_> = self.start.probabilities().map(|(state, p)| (*state, nearest(&p))).collect();
                EntryMasses::Floats(reached.entries(&flow, &start, groups)?)
            }
            Masses::Integers(reached, unit) => {
                let common = unit / self.start.total();
                let start: Vec<_> = self.start.iter().map(|(state, weight)| (*state, weight * &common)).collect();
                EntryMasses::Integers(reached.entries(&flow, &start, groups)?, unit)
            }
            Masses::Fractions(reached) => {
                let start: Vec<_> = self.start.probabilities().map(|(state, p)| (*state, p)).collect();
                EntryMasses::Fractions(reached.entries(&flow, &start, groups)?)
            }
        })
    }
}

/// [`Masses`] of entries.
enum EntryMasses<'a, K> {
    Floats(Entries<K, f64>),
    Integers(Entries<K, UBig>, &'a UBig),
    Fractions(Entries<K, Rational>),
}

fn over(numerator: &UBig, denominator: &UBig) -> Probability {
    Probability::exactly(Rational::from_parts(numerator.clone().into(), denominator.clone()))
}
