//! How likely play comes by: the probability of ever being in each state under a policy.

use std::collections::BTreeMap;
use std::hash::Hash;

use budget::{Budget, Stage};
use dashu_int::{IBig, UBig};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::distribution::{Distribution, lcm};
use crate::linear::{Effort, EliminationError, Row, Triangles, elimination_order, solve_exactly};
use crate::model::{Choice, Model, StateId};
use crate::policy::Policy;
use crate::rational::{Rational, nearest};
use crate::solve::{Solution, SolveError};
use crate::weights::WeightSlice;

/// A probability, in floating point (not bounded) or exactly.
#[derive(Clone, Debug, PartialEq)]
pub struct Probability {
    /// The number to print.
    pub decimal: f64,
    /// The probability itself, if it was asked for.
    pub exact: Option<Rational>,
}

/// Where plays under a policy come by.
///
/// "Ever being in a state" counts a play once, however often it returns to the state; likewise for
/// groups of states.
#[derive(Clone, Debug)]
pub struct Forward<'a> {
    model: &'a Model,
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

/// The states that play can reach, in order, and what is known of each.
#[derive(Clone, Debug)]
struct Reached<M> {
    states: Vec<StateId>,
    /// The expected number of visits; for a state in which play goes round for ever nothing leaves.
    visits: Vec<M>,
    ever: Vec<M>,
}

/// Follows a policy from a start, in floating point.
///
/// # Errors
/// When the budget says stop, or a cyclic part under the policy is too large for its equations.
pub fn forward<'a>(
    model: &'a Model,
    policy: &'a Policy,
    start: &Distribution<StateId>,
    budget: Option<&'a Budget<'a>>,
) -> Result<Forward<'a>, SolveError> {
    let own = Budget::default();
    let within = budget.unwrap_or(&own);
    let masses = start.probabilities().map(|(state, p)| (*state, nearest(&p)));
    let reached = Flow { model, policy, budget: within, until: None }.run(masses)?;
    Ok(Forward { model, policy, start: start.clone(), masses: Masses::Floats(reached), budget })
}

/// Follows the policy of an exact solution from a start, exactly.
///
/// # Errors
/// When the budget says stop, or a cyclic part under the policy is too large for its equations.
pub fn forward_exact<'a>(
    model: &'a Model,
    solution: &'a Solution,
    start: &Distribution<StateId>,
    budget: Option<&'a Budget<'a>>,
) -> Result<Forward<'a>, SolveError> {
    let own = Budget::default();
    let within = budget.unwrap_or(&own);
    let policy = solution.policy();
    // Every product of totals on a way divides the denominator of the state where it begins: with
    // integers over that denominator nothing is ever reduced, and every division comes out even.
    let common = model.cyclic_parts().is_empty().then(|| {
        start.iter().try_fold(UBig::ONE, |common, (state, _)| Some(lcm(&common, solution.denominator(*state)?)))
    });
    let masses = if let Some(Some(common)) = common {
        let masses = start.iter().map(|(state, weight)| (*state, weight * &common));
        let reached = Flow { model, policy, budget: within, until: None }.run(masses)?;
        Masses::Integers(reached, common * start.total())
    } else {
        let masses = start.probabilities().map(|(state, p)| (*state, p));
        Masses::Fractions(Flow { model, policy, budget: within, until: None }.run(masses)?)
    };
    Ok(Forward { model, policy, start: start.clone(), masses, budget })
}

/// What flows: amounts that are shared out by weights.
trait Mass: Clone + PartialEq {
    fn zero() -> Self;
    fn add(&mut self, other: &Self);
    /// Each outcome's share.
    fn share(&self, model: &Model, choice: &Choice<'_>, outcome: usize) -> Self;
    /// For a strongly connected set of states that play leaves with probability 1: the expected
    /// number of visits to each, and the probability of ever being there, given what flows in.
    fn circulate(chain: &Chain<'_>, inflow: &[Self]) -> Result<(Vec<Self>, Vec<Self>), EliminationError>;
}

/// A policy's moves within a strongly connected set: for each state the total of its weights, and
/// the weights that stay inside.
struct Chain<'a> {
    budget: &'a Budget<'a>,
    totals: Vec<UBig>,
    inner: Vec<Vec<(u32, UBig)>>,
}

const MOST_ENTRIES: usize = 1 << 26;

impl Mass for f64 {
    fn zero() -> Self {
        0.0
    }

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn share(&self, model: &Model, choice: &Choice<'_>, outcome: usize) -> Self {
        self * model.weights().probabilities(choice.weights)[outcome]
    }

    fn circulate(chain: &Chain<'_>, inflow: &[Self]) -> Result<(Vec<Self>, Vec<Self>), EliminationError> {
        let count = inflow.len();
        let mut rows: Vec<Row<f64>> = (0..count as u32).map(|state| vec![(state, 1.0)]).collect();
        for (from, inner) in chain.inner.iter().enumerate() {
            for (to, weight) in inner {
                let probability = nearest(&Rational::from_parts(weight.clone().into(), chain.totals[from].clone()));
                let row = &mut rows[*to as usize];
                if *to as usize == from { row[0].1 -= probability } else { row.push((from as u32, -probability)) }
            }
        }
        let effort = chain.effort();
        let triangles = match Triangles::new(&rows, &elimination_order(&rows, effort), effort) {
            Ok(triangles) => triangles,
            Err(EliminationError::Singular) => return circulate_exactly(chain, inflow),
            Err(error) => return Err(error),
        };
        let visits = triangles.solve(inflow);
        // What flows in must flow out again. Where play is hardly let out rounding does not keep to that.
        let (entering, leaving) = (inflow.iter().sum::<f64>(), dot(&visits, &chain.exits()));
        if (entering - leaving).abs() > 1e-11 * entering {
            return circulate_exactly(chain, inflow);
        }
        let mut unit = vec![0.0; count];
        let ever = (0..count)
            .map(|state| {
                chain.budget.check()?;
                unit[state] = 1.0;
                let returns = triangles.solve(&unit)[state];
                unit[state] = 0.0;
                Ok((visits[state] / returns).min(1.0))
            })
            .collect::<Result<_, EliminationError>>()?;
        Ok((visits, ever))
    }
}

impl Chain<'_> {
    /// The probability of leaving the set at once, from each of its states.
    fn effort(&self) -> Effort<'_> {
        Effort { most_entries: MOST_ENTRIES, budget: self.budget }
    }

    fn exits(&self) -> Vec<f64> {
        let exit = |(total, inner): (&UBig, &Vec<(u32, UBig)>)| {
            let inside = inner.iter().fold(UBig::ZERO, |sum, (_, weight)| sum + weight);
            nearest(&Rational::from_parts((total - inside).into(), total.clone()))
        };
        self.totals.iter().zip(&self.inner).map(exit).collect()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// [`Mass::circulate`] where floating point is no match for the chain.
fn circulate_exactly(chain: &Chain<'_>, inflow: &[f64]) -> Result<(Vec<f64>, Vec<f64>), EliminationError> {
    let inflow: Vec<Rational> =
        inflow.iter().map(|mass| crate::rational::exactly(*mass).unwrap_or(Rational::ZERO)).collect();
    let (visits, ever) = Rational::circulate(chain, &inflow)?;
    Ok((visits.iter().map(nearest).collect(), ever.iter().map(nearest).collect()))
}

impl Mass for Rational {
    fn zero() -> Self {
        Self::ZERO
    }

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn share(&self, model: &Model, choice: &Choice<'_>, outcome: usize) -> Self {
        let (weight, total) = match model.weights().weights(choice.weights) {
            WeightSlice::Small(weights, total) => (UBig::from(weights[outcome]), UBig::from(total)),
            WeightSlice::Large(weights, total) => (weights[outcome].clone(), total.clone()),
        };
        self * Rational::from_parts(weight.into(), total)
    }

    fn circulate(chain: &Chain<'_>, inflow: &[Self]) -> Result<(Vec<Self>, Vec<Self>), EliminationError> {
        // With visits = total * z the equations have integer coefficients.
        let count = inflow.len();
        let mut rows: Vec<Row<IBig>> =
            (0..count).map(|state| vec![(state as u32, IBig::from(chain.totals[state].clone()))]).collect();
        for (from, inner) in chain.inner.iter().enumerate() {
            for (to, weight) in inner {
                let row = &mut rows[*to as usize];
                let weight = IBig::from(weight.clone());
                if *to as usize == from { row[0].1 -= weight } else { row.push((from as u32, -weight)) }
            }
        }
        let solve = |right: &[IBig], scale: &UBig| -> Result<Vec<Rational>, EliminationError> {
            let (numerators, denominator) = solve_exactly(&rows, right, chain.effort())?;
            let denominator = denominator * scale;
            let value = |(state, n): (usize, IBig)| {
                Rational::from_parts(n * IBig::from(chain.totals[state].clone()), denominator.clone())
            };
            Ok(numerators.into_iter().enumerate().map(value).collect())
        };
        let scale = inflow.iter().fold(UBig::ONE, |scale, mass| lcm(&scale, mass.denominator()));
        let right: Vec<IBig> =
            inflow.iter().map(|mass| mass.numerator() * IBig::from(&scale / mass.denominator())).collect();
        let visits = solve(&right, &scale)?;
        let mut ever = Vec::with_capacity(count);
        let mut unit = vec![IBig::ZERO; count];
        for state in 0..count {
            unit[state] = IBig::ONE;
            let returns = solve(&unit, &UBig::ONE)?;
            unit[state] = IBig::ZERO;
            ever.push(&visits[state] / &returns[state]);
        }
        Ok((visits, ever))
    }
}

impl Mass for UBig {
    fn zero() -> Self {
        Self::ZERO
    }

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn share(&self, model: &Model, choice: &Choice<'_>, outcome: usize) -> Self {
        match model.weights().weights(choice.weights) {
            WeightSlice::Small(weights, total) => self * weights[outcome] / total,
            WeightSlice::Large(weights, total) => self * &weights[outcome] / total,
        }
    }

    fn circulate(_: &Chain<'_>, _: &[Self]) -> Result<(Vec<Self>, Vec<Self>), EliminationError> {
        unreachable!("integers are used where nothing is cyclic")
    }
}

/// A run of masses through a model. States in `until` keep what reaches them.
struct Flow<'a> {
    model: &'a Model,
    policy: &'a Policy,
    budget: &'a Budget<'a>,
    until: Option<&'a FxHashSet<StateId>>,
}

impl<'a> Flow<'a> {
    fn choice(&self, state: StateId) -> Option<Choice<'a>> {
        if self.until.is_some_and(|until| until.contains(&state)) {
            return None;
        }
        self.model.choices(state).nth(self.policy.choice(state)? as usize)
    }

    fn run<M: Mass>(&self, start: impl Iterator<Item = (StateId, M)>) -> Result<Reached<M>, SolveError> {
        // Choices lead to higher numbers, but for those within a part: so the lowest waiting state
        // has got all it will get.
        let mut waiting: BTreeMap<StateId, M> = BTreeMap::new();
        for (state, mass) in start {
            waiting.entry(state).or_insert_with(M::zero).add(&mass);
        }
        let mut reached = Reached { states: Vec::new(), visits: Vec::new(), ever: Vec::new() };
        let parts = self.model.cyclic_parts();
        while let Some((state, mass)) = waiting.pop_first() {
            self.budget.step(Stage::Following, reached.states.len() as u64, waiting.len() as u64)?;
            let part = parts.partition_point(|part| part.end <= state);
            if parts.get(part).is_some_and(|part| part.contains(&state)) {
                let mut members = BTreeMap::from([(state, mass)]);
                while let Some(entry) = waiting.first_entry() {
                    if !parts[part].contains(entry.key()) {
                        break;
                    }
                    let (state, mass) = entry.remove_entry();
                    members.insert(state, mass);
                }
                self.pass_part(members, &mut waiting, &mut reached)?;
            } else {
                self.pass(state, &mass, |_| false, &mut waiting);
                reached.states.push(state);
                reached.visits.push(mass.clone());
                reached.ever.push(mass);
            }
        }
        let mut order: Vec<usize> = (0..reached.states.len()).collect();
        if order.windows(2).any(|pair| reached.states[pair[0]] > reached.states[pair[1]]) {
            order.sort_unstable_by_key(|place| reached.states[*place]);
            let Reached { states, visits, ever } = &reached;
            reached = Reached {
                states: order.iter().map(|place| states[*place]).collect(),
                visits: order.iter().map(|place| visits[*place].clone()).collect(),
                ever: order.iter().map(|place| ever[*place].clone()).collect(),
            };
        }
        Ok(reached)
    }

    /// Sends a state's visits on, but not to where `skip` says.
    fn pass<M: Mass>(
        &self,
        state: StateId,
        visits: &M,
        skip: impl Fn(StateId) -> bool,
        waiting: &mut BTreeMap<StateId, M>,
    ) {
        if let Some(choice) = self.choice(state) {
            for (outcome, target) in choice.targets.iter().enumerate() {
                if !skip(*target) {
                    waiting.entry(*target).or_insert_with(M::zero).add(&visits.share(self.model, &choice, outcome));
                }
            }
        }
    }

    /// The states of one cyclic part that the policy reaches, in strongly connected sets of its own
    /// moves, first the ones that lead to the others.
    fn pass_part<M: Mass>(
        &self,
        mut members: BTreeMap<StateId, M>,
        waiting: &mut BTreeMap<StateId, M>,
        reached: &mut Reached<M>,
    ) -> Result<(), SolveError> {
        let parts = self.model.cyclic_parts();
        let Some((first, _)) = members.first_key_value() else { return Ok(()) };
        let part = &parts[parts.partition_point(|part| part.end <= *first)];
        let moves = |state: StateId| self.choice(state).map_or(&[][..], |choice| choice.targets);
        for set in connected_sets(members.keys().copied(), moves, |state| part.contains(&state)) {
            let places: FxHashMap<StateId, u32> = set.iter().copied().zip(0..).collect();
            let inflow: Vec<M> = set.iter().map(|state| members.remove(state).unwrap_or_else(M::zero)).collect();
            let moves = |state: &StateId| self.choice(*state).into_iter().flat_map(|choice| choice.targets);
            let loops = set.iter().any(|state| moves(state).any(|target| places.contains_key(target)));
            let leaves = set
                .iter()
                .any(|state| self.choice(*state).is_none() || moves(state).any(|target| !places.contains_key(target)));
            let (visits, ever) = if !loops {
                (inflow.clone(), inflow)
            } else if leaves {
                M::circulate(&self.chain(&set, &places), &inflow).map_err(|error| match error {
                    EliminationError::Singular => SolveError::NeverLeaves { states: set.len() as u32 },
                    EliminationError::TooLarge => SolveError::PartTooLarge { states: set.len() as u32 },
                    EliminationError::Stopped(stopped) => SolveError::Stopped(stopped),
                })?
            } else {
                // Play stays for ever and comes by everywhere.
                let mut all = M::zero();
                for mass in &inflow {
                    all.add(mass);
                }
                (vec![M::zero(); set.len()], vec![all; set.len()])
            };
            for ((state, visits), ever) in set.iter().zip(visits).zip(ever) {
                let mut next = BTreeMap::new();
                self.pass(*state, &visits, |target| places.contains_key(&target), &mut next);
                for (target, mass) in next {
                    let into = if part.contains(&target) { &mut members } else { &mut *waiting };
                    into.entry(target).or_insert_with(M::zero).add(&mass);
                }
                reached.states.push(*state);
                reached.visits.push(visits);
                reached.ever.push(ever);
            }
        }
        Ok(())
    }

    fn chain(&self, set: &[StateId], places: &FxHashMap<StateId, u32>) -> Chain<'a> {
        let mut chain = Chain { budget: self.budget, totals: Vec::new(), inner: Vec::new() };
        for state in set {
            let mut inner: Vec<(u32, UBig)> = Vec::new();
            let mut total = UBig::ONE;
            if let Some(choice) = self.choice(*state) {
                total = self.model.weights().total(choice.weights);
                for (target, weight) in choice.targets.iter().zip(self.model.weights().weight_list(choice.weights)) {
                    if let Some(place) = places.get(target) {
                        inner.push((*place, weight));
                    }
                }
            }
            inner.sort_unstable_by_key(|(place, _)| *place);
            inner.dedup_by(|next, first| {
                let same = next.0 == first.0;
                if same {
                    first.1 += &next.1;
                }
                same
            });
            chain.totals.push(total);
            chain.inner.push(inner);
        }
        chain
    }
}

/// Strongly connected sets of moves among the states (or groups) `inside`, from these on, in an order
/// in which moves lead forward only.
fn connected_sets<'a>(
    from: impl Iterator<Item = u32>,
    moves: impl Fn(u32) -> &'a [u32],
    inside: impl Fn(u32) -> bool,
) -> Vec<Vec<u32>> {
    /// Visit number, lowest visit number that is connected, whether its set is complete.
    type Mark = (u32, u32, bool);
    let mut marks: FxHashMap<u32, Mark> = FxHashMap::default();
    let mut open = Vec::new();
    let mut sets = Vec::new();
    for root in from {
        if marks.contains_key(&root) {
            continue;
        }
        let mut frames: Vec<(u32, usize)> = vec![(root, 0)];
        while let Some((state, place)) = frames.pop() {
            let visit = marks.len() as u32;
            let (own, mut lowest, _) = *marks.entry(state).or_insert_with(|| {
                open.push(state);
                (visit, visit, false)
            });
            let targets = moves(state);
            if let Some(target) = targets.get(place) {
                frames.push((state, place + 1));
                match marks.get(target) {
                    None if inside(*target) => frames.push((*target, 0)),
                    Some((visit, _, false)) => {
                        lowest = lowest.min(*visit);
                        marks.insert(state, (own, lowest, false));
                    }
                    _ => {}
                }
                continue;
            }
            if lowest == own {
                let first = open.iter().rposition(|other| *other == state).unwrap_or(0);
                let mut set = open.split_off(first);
                for member in &set {
                    if let Some(mark) = marks.get_mut(member) {
                        mark.2 = true;
                    }
                }
                set.sort_unstable();
                sets.push(set);
            } else if let Some((parent, _)) = frames.last()
                && let Some(mark) = marks.get_mut(parent)
            {
                mark.1 = mark.1.min(lowest);
            }
        }
    }
    sets.reverse();
    sets
}

/// For each group where play first comes to it, with the probability.
type Entries<K, M> = BTreeMap<K, BTreeMap<StateId, M>>;

impl<M: Mass> Reached<M> {
    /// For every group the states in which play first comes to it, with the probability of each.
    fn entries<K: Clone + Eq + Hash + Ord>(
        &self,
        flow: &Flow<'_>,
        start: &[(StateId, M)],
        key: &impl Fn(StateId) -> K,
    ) -> Result<Entries<K, M>, SolveError> {
        let mut groups: Entries<K, M> = BTreeMap::new();
        let enter = |groups: &mut Entries<K, M>, key: K, state: StateId, mass: &M| {
            groups.entry(key).or_default().entry(state).or_insert_with(M::zero).add(mass);
        };
        let mut numbers: FxHashMap<K, u32> = FxHashMap::default();
        let mut leads: Vec<Vec<u32>> = Vec::new();
        let mut states_of: Vec<FxHashSet<StateId>> = Vec::new();
        let mut number = |key: &K, leads: &mut Vec<Vec<u32>>, states_of: &mut Vec<FxHashSet<StateId>>| {
            *numbers.entry(key.clone()).or_insert_with(|| {
                leads.push(Vec::new());
                states_of.push(FxHashSet::default());
                leads.len() as u32 - 1
            })
        };
        for (state, mass) in start {
            enter(&mut groups, key(*state), *state, mass);
        }
        for (state, visits) in self.states.iter().zip(&self.visits) {
            let from = key(*state);
            let from_number = number(&from, &mut leads, &mut states_of) as usize;
            states_of[from_number].insert(*state);
            if let Some(choice) = flow.choice(*state) {
                for (outcome, target) in choice.targets.iter().enumerate() {
                    let to = key(*target);
                    if to != from {
                        enter(&mut groups, to.clone(), *target, &visits.share(flow.model, &choice, outcome));
                        let to = number(&to, &mut leads, &mut states_of);
                        leads[from_number].push(to);
                    }
                }
            }
        }
        // Entries count plays only where none can enter twice: where no way leads from a group to
        // others and back. For the other groups play is stopped at the first entry.
        let sets = connected_sets(0..leads.len() as u32, |group| &leads[group as usize], |_| true);
        let returns: FxHashSet<u32> = sets.into_iter().filter(|set| set.len() > 1).flatten().collect();
        for (group, entries) in &mut groups {
            if let Some(group) = numbers.get(group).filter(|group| returns.contains(group)) {
                let until = &states_of[*group as usize];
                let stopped = Flow { until: Some(until), ..*flow }.run(start.iter().cloned())?;
                let first = stopped.states.into_iter().zip(stopped.visits);
                *entries = first.filter(|(state, _)| until.contains(state)).collect();
            }
        }
        Ok(groups)
    }
}

impl Forward<'_> {
    /// The states that play can reach, in order.
    pub fn states(&self) -> &[StateId] {
        match &self.masses {
            Masses::Floats(reached) => &reached.states,
            Masses::Integers(reached, _) => &reached.states,
            Masses::Fractions(reached) => &reached.states,
        }
    }

    /// The probability of ever being in a state.
    pub fn probability(&self, state: StateId) -> Probability {
        match self.states().binary_search(&state) {
            Ok(place) => self.at(place),
            Err(_) => self.zero(),
        }
    }

    fn zero(&self) -> Probability {
        let exact = !matches!(self.masses, Masses::Floats(_));
        Probability { decimal: 0.0, exact: exact.then_some(Rational::ZERO) }
    }

    fn at(&self, place: usize) -> Probability {
        match &self.masses {
            Masses::Floats(reached) => Probability { decimal: reached.ever[place], exact: None },
            Masses::Integers(reached, unit) => over(&reached.ever[place], unit),
            Masses::Fractions(reached) => exactly(reached.ever[place].clone()),
        }
    }

    /// All states that play can reach with their probabilities, in order.
    pub fn iter(&self) -> impl Iterator<Item = (StateId, Probability)> + '_ {
        self.states().iter().enumerate().map(|(place, state)| (*state, self.at(place)))
    }

    /// The finished states that play can reach, with their probabilities. These sum to 1 unless
    /// play can go on for ever.
    pub fn finished(&self) -> impl Iterator<Item = (StateId, Probability)> + '_ {
        self.iter().filter(|(state, _)| self.model.payoff(*state).is_some())
    }

    /// For every key the probability of ever being in a state of that key.
    ///
    /// # Errors
    /// When a cyclic part under the policy is too large for its equations.
    pub fn by_key<K: Clone + Eq + Hash + Ord>(
        &self,
        key: impl Fn(StateId) -> K,
    ) -> Result<BTreeMap<K, Probability>, SolveError> {
        fn sums<K: Ord, M: Mass>(entries: Entries<K, M>, told: impl Fn(M) -> Probability) -> BTreeMap<K, Probability> {
            let sum = |masses: BTreeMap<StateId, M>| {
                masses.values().fold(M::zero(), |mut sum, mass| {
                    sum.add(mass);
                    sum
                })
            };
            entries.into_iter().map(|(key, masses)| (key, told(sum(masses)))).collect()
        }
        Ok(match self.entries(&key)? {
            EntryMasses::Floats(entries) => sums(entries, roughly),
            EntryMasses::Integers(entries, unit) => sums(entries, |mass| over(&mass, unit)),
            EntryMasses::Fractions(entries) => sums(entries, exactly),
        })
    }

    /// For every key the states in which play first comes to it, with the probability of first coming there.
    ///
    /// # Errors
    /// When a cyclic part under the policy is too large for its equations.
    pub fn entries_by_key<K: Clone + Eq + Hash + Ord>(
        &self,
        key: impl Fn(StateId) -> K,
    ) -> Result<BTreeMap<K, Vec<(StateId, Probability)>>, SolveError> {
        fn lists<K: Ord, M>(
            entries: Entries<K, M>,
            told: impl Fn(M) -> Probability,
        ) -> BTreeMap<K, Vec<(StateId, Probability)>> {
            let list = |masses: BTreeMap<StateId, M>| masses.into_iter().map(|(state, mass)| (state, told(mass)));
            entries.into_iter().map(|(key, masses)| (key, list(masses).collect())).collect()
        }
        Ok(match self.entries(&key)? {
            EntryMasses::Floats(entries) => lists(entries, roughly),
            EntryMasses::Integers(entries, unit) => lists(entries, |mass| over(&mass, unit)),
            EntryMasses::Fractions(entries) => lists(entries, exactly),
        })
    }

    fn entries<K: Clone + Eq + Hash + Ord>(
        &self,
        key: &impl Fn(StateId) -> K,
    ) -> Result<EntryMasses<'_, K>, SolveError> {
        let own = Budget::default();
        let budget = self.budget.unwrap_or(&own);
        let flow = Flow { model: self.model, policy: self.policy, budget, until: None };
        Ok(match &self.masses {
            Masses::Floats(reached) => {
                let start: Vec<_> = self.start.probabilities().map(|(state, p)| (*state, nearest(&p))).collect();
                EntryMasses::Floats(reached.entries(&flow, &start, key)?)
            }
            Masses::Integers(reached, unit) => {
                let common = unit / self.start.total();
                let start: Vec<_> = self.start.iter().map(|(state, weight)| (*state, weight * &common)).collect();
                EntryMasses::Integers(reached.entries(&flow, &start, key)?, unit)
            }
            Masses::Fractions(reached) => {
                let start: Vec<_> = self.start.probabilities().map(|(state, p)| (*state, p)).collect();
                EntryMasses::Fractions(reached.entries(&flow, &start, key)?)
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

fn roughly(decimal: f64) -> Probability {
    Probability { decimal, exact: None }
}

fn exactly(value: Rational) -> Probability {
    Probability { decimal: nearest(&value), exact: Some(value) }
}

fn over(numerator: &UBig, denominator: &UBig) -> Probability {
    exactly(Rational::from_parts(numerator.clone().into(), denominator.clone()))
}
