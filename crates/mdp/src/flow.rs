//! Probability that flows along a policy: how often every state is visited, and whether ever.

mod waiting;

use std::collections::BTreeMap;

use budget::{Budget, Stage};
use dashu_base::UnsignedAbs;
use dashu_int::{IBig, UBig};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::arithmetic::Floats;
use crate::circulate::{Factors, Moves, minors};
use crate::components::components;
use crate::cyclic::CyclicPart;
use crate::distribution::lcm;
use crate::linear::{Effort, EliminationError, Row, elimination_order, solve_exactly};
use crate::model::{Choice, Model, StateId};
use crate::places::id;
use crate::policy::Policy;
use crate::rational::{Rational, exactly, nearest};
use crate::solve_error::SolveError;
use crate::weights::WeightSlice;
use waiting::Waiting;

/// What flows: amounts that are shared out by weights.
pub(crate) trait Mass: Clone + PartialEq {
    fn zero() -> Self;
    fn add(&mut self, other: &Self);
    /// Each outcome's share.
    fn share(&self, model: &Model, choice: &Choice<'_>, outcome: usize) -> Self;
    /// Bytes, those behind pointers too.
    fn bytes(&self) -> u64;
    /// The expected visits to every state of a component that play leaves with probability 1, given
    /// what flows in; and the probability of ever being there, if `ever` is asked for.
    fn circulate(circle: &Circle<'_>, inflow: &[Self], ever: bool) -> Result<Circulation<Self>, SolveError>;
}

/// Expected visits to the states of a component, and the probability of ever being in each.
pub(crate) type Circulation<M> = (Vec<M>, Option<Vec<M>>);

/// A strongly connected component of a policy's moves that play leaves in the end.
pub(crate) struct Circle<'a> {
    model: &'a Model,
    /// What the policy takes in every state of it.
    choices: Vec<Choice<'a>>,
    /// The places of its states.
    places: FxHashMap<StateId, u32>,
    budget: &'a Budget<'a>,
    /// Bytes that are in use already.
    used: u64,
}

impl Circle<'_> {
    /// The moves of each state, with weights as `weigh` turns them into numbers.
    fn moves<N: Clone>(
        &self,
        zero: &N,
        add: impl Fn(&mut N, &N),
        weigh: impl Fn(&Choice<'_>) -> Vec<N>,
    ) -> Vec<Moves<N>> {
        let moves = |(own, choice): (u32, &Choice<'_>)| {
            let mut moves = Moves { inner: Vec::new(), exit: zero.clone() };
            for (target, weight) in choice.targets.iter().zip(weigh(choice)) {
                match self.places.get(&target) {
                    Some(place) if *place == own => {}
                    Some(place) => moves.inner.push((*place, weight)),
                    None => add(&mut moves.exit, &weight),
                }
            }
            moves.inner.sort_unstable_by_key(|(place, _)| *place);
            moves.inner.dedup_by(|next, first| {
                let same = next.0 == first.0;
                if same {
                    add(&mut first.1, &next.1);
                }
                same
            });
            moves
        };
        (0..).zip(&self.choices).map(moves).collect()
    }

    fn exact_moves(&self) -> Vec<Moves<UBig>> {
        self.moves(&UBig::ZERO, |sum, more| *sum += more, |choice| self.model.weights().weight_list(choice.weights))
    }

    /// An order in which few new moves come up when states are eliminated.
    fn order<N>(&self, moves: &[Moves<N>]) -> Vec<u32> {
        let rows: Vec<Row<()>> =
            moves.iter().map(|moves| moves.inner.iter().map(|(place, _)| (*place, ())).collect()).collect();
        elimination_order(&rows, self.effort())
    }

    fn effort(&self) -> Effort<'_> {
        // An entry of the equations takes 64 bytes.
        let left = self.budget.limits().max_memory.saturating_sub(self.used) / 64;
        Effort { most_entries: usize::try_from(left).unwrap_or(usize::MAX), budget: self.budget }
    }

    fn explain(&self, error: EliminationError) -> SolveError {
        let states = u32::try_from(self.choices.len()).unwrap_or(u32::MAX);
        match error {
            EliminationError::Singular => SolveError::NeverLeaves { states },
            EliminationError::TooLarge => SolveError::PartTooLarge { states },
            EliminationError::Stopped(stopped) => SolveError::Stopped(stopped),
        }
    }
}

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

    fn bytes(&self) -> u64 {
        8
    }

    fn circulate(circle: &Circle<'_>, inflow: &[Self], ever: bool) -> Result<Circulation<Self>, SolveError> {
        let probabilities = |choice: &Choice<'_>| circle.model.weights().probabilities(choice.weights).to_vec();
        let moves = circle.moves(&0.0, |sum, more| *sum += more, probabilities);
        let order = circle.order(&moves);
        let factors = Factors::new(&Floats, &moves, &order, circle.budget, circle.used)?;
        let Some(factors) = factors else { return in_fractions(circle, inflow, ever) };
        let visits = factors.visits(inflow);
        if !visits.iter().all(|visits| visits.is_finite()) {
            return in_fractions(circle, inflow, ever);
        }
        if !ever {
            return Ok((visits, None));
        }
        let returns = factors.diagonal(circle.budget)?;
        let ever = visits.iter().zip(returns).map(|(visits, returns)| (visits / returns).min(1.0)).collect();
        Ok((visits, Some(ever)))
    }
}

/// [`Mass::circulate`] where play is let out so hardly that its visits are beyond floating point.
fn in_fractions(circle: &Circle<'_>, inflow: &[f64], ever: bool) -> Result<Circulation<f64>, SolveError> {
    let inflow: Vec<Rational> = inflow.iter().map(|mass| exactly(*mass).unwrap_or(Rational::ZERO)).collect();
    let (visits, ever) = Rational::circulate(circle, &inflow, ever)?;
    let rounded = |masses: Vec<Rational>| masses.iter().map(nearest).collect();
    Ok((rounded(visits), ever.map(rounded)))
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

    fn bytes(&self) -> u64 {
        let words = self.numerator().unsigned_abs().as_words().len() + self.denominator().as_words().len();
        (size_of::<Self>() + words * 8) as u64
    }

    fn circulate(circle: &Circle<'_>, inflow: &[Self], ever: bool) -> Result<Circulation<Self>, SolveError> {
        let moves = circle.exact_moves();
        // With visits = total * x the equations have integer coefficients.
        let mut rows: Vec<Row<IBig>> = Vec::with_capacity(moves.len());
        for (own, moves) in (0..).zip(&moves) {
            let diagonal = moves.inner.iter().fold(moves.exit.clone(), |sum, (_, weight)| sum + weight);
            rows.push(vec![(own, diagonal.into())]);
        }
        for (own, moves) in (0..).zip(&moves) {
            for (place, weight) in &moves.inner {
                rows[*place as usize].push((own, -IBig::from(weight.clone())));
            }
        }
        let scale = inflow.iter().fold(UBig::ONE, |scale, mass| lcm(&scale, mass.denominator()));
        let right: Vec<IBig> =
            inflow.iter().map(|mass| mass.numerator() * IBig::from(&scale / mass.denominator())).collect();
        let (numerators, denominator) =
            solve_exactly(&rows, &right, circle.effort()).map_err(|error| circle.explain(error))?;
        let denominator = denominator * scale;
        let total = |place: usize| IBig::from(circle.model.weights().total(circle.choices[place].weights));
        let visits =
            |(place, numerator): (usize, &IBig)| Rational::from_parts(numerator * total(place), denominator.clone());
        let visited: Vec<Rational> = numerators.iter().enumerate().map(visits).collect();
        if !ever {
            return Ok((visited, None));
        }
        // The probability of ever being in a state is how often it is visited, over how often if play began there.
        let order = circle.order(&moves);
        let (minors, determinant) = minors(&moves, &order, circle.budget, circle.used)?;
        let ever = numerators.into_iter().zip(minors).map(|(numerator, minor)| {
            Rational::from_parts(numerator * IBig::from(determinant.clone()), &denominator * minor)
        });
        Ok((visited, Some(ever.collect())))
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

    fn bytes(&self) -> u64 {
        (size_of::<Self>() + self.as_words().len() * 8) as u64
    }

    fn circulate(_: &Circle<'_>, _: &[Self], _: bool) -> Result<Circulation<Self>, SolveError> {
        unreachable!("integers are used where nothing is cyclic")
    }
}

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

/// What waits in the states of a cyclic part.
type Members<M> = BTreeMap<StateId, M>;

impl<'a> Flow<'a> {
    pub(crate) fn model(&self) -> &'a Model {
        self.policy.model()
    }

    /// What is taken in a state; nothing where play ends.
    pub(crate) fn choice(&self, state: StateId) -> Option<Choice<'a>> {
        if self.until.is_some_and(|until| until.contains(&state)) {
            return None;
        }
        self.model().choices(state).nth(self.policy.choice(state)? as usize)
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
                let members = part.iter().filter_map(|state| Some((state, waiting.take(state)?))).collect();
                self.pass_part(part, members, &mut waiting, &mut reached)?;
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
        part: CyclicPart,
        mut members: Members<M>,
        waiting: &mut Waiting<M>,
        reached: &mut Reached<M>,
    ) -> Result<(), SolveError> {
        let moves = |state: StateId| self.choice(state).into_iter().flat_map(|choice| choice.targets.iter());
        let places: Vec<u32> = members.keys().filter_map(|state| part.place_of(*state)).collect();
        let edges = |place: u32| moves(part.state(place)).filter_map(move |target| part.place_of(target));
        for set in components(0..id(part.len()), places, edges, self.budget)? {
            let set: Vec<StateId> = set.into_iter().map(|place| part.state(place)).collect();
            let places: FxHashMap<StateId, u32> = set.iter().copied().zip(0..).collect();
            let inflow: Vec<M> = set.iter().map(|state| members.remove(state).unwrap_or_else(M::zero)).collect();
            let inside = |target: &StateId| places.contains_key(target);
            let loops = set.len() > 1 || moves(set[0]).any(|target| inside(&target));
            if !loops {
                for (state, visits) in set.iter().zip(inflow) {
                    self.pass_on(*state, &visits, &places, part, &mut members, waiting);
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
                self.pass_on(*state, &visits, &circle.places, part, &mut members, waiting);
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
        part: CyclicPart,
        members: &mut Members<M>,
        waiting: &mut Waiting<M>,
    ) {
        let add = |target: StateId, share: &M| {
            if part.contains(target) {
                members.entry(target).or_insert_with(M::zero).add(share);
            } else {
                waiting.add(target, share);
            }
        };
        self.pass(state, visits, |target| places.contains_key(&target), add);
    }
}
