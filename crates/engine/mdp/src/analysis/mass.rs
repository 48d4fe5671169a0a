//! Masses that flow through a model: amounts that are split by weights.

use budget::Budget;
use dashu_base::UnsignedAbs;
use dashu_int::{IBig, UBig};
use rustc_hash::FxHashMap;

use super::scc_visits::{Factors, Moves, minors};
use crate::linear::{Effort, EliminationError, Row, elimination_order, solve_exactly};
use crate::model::{Choice, Model, StateId, WeightSlice, lcm};
use crate::numbers::{Floats, Rational, exactly, nearest};
use crate::solution::SolveError;

/// An amount that is split by weights.
pub(crate) trait Mass: Clone + PartialEq {
    fn zero() -> Self;
    fn add(&mut self, other: &Self);
    /// Each outcome's share.
    fn share(&self, model: &Model, choice: &Choice<'_>, outcome: usize) -> Self;
    /// Bytes, including those behind pointers.
    fn bytes(&self) -> u64;
    /// The expected visits to every state of a component that play leaves with probability 1, given the inflow; and the
    /// probability of ever visiting each state, if `ever` is set.
    fn scc_visits(scc: &TransientScc<'_>, inflow: &[Self], ever: bool) -> Result<SccVisits<Self>, SolveError>;
}

/// Expected visits to the states of a component, and the probability of ever visiting each.
pub(crate) type SccVisits<M> = (Vec<M>, Option<Vec<M>>);

/// A strongly connected component of a policy's moves that play eventually leaves.
pub(crate) struct TransientScc<'a> {
    pub(crate) model: &'a Model,
    /// What the policy takes in each of its states.
    pub(crate) choices: Vec<Choice<'a>>,
    /// The index of each of its states.
    pub(crate) indices: FxHashMap<StateId, u32>,
    pub(crate) budget: &'a Budget<'a>,
    /// Bytes already in use.
    pub(crate) used: u64,
}

impl TransientScc<'_> {
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
                match self.indices.get(&target) {
                    Some(index) if *index == own => {}
                    Some(index) => moves.inner.push((*index, weight)),
                    None => add(&mut moves.exit, &weight),
                }
            }
            moves.inner.sort_unstable_by_key(|(index, _)| *index);
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

    /// An order of elimination that creates few new moves.
    fn order<N>(&self, moves: &[Moves<N>]) -> Vec<u32> {
        let rows: Vec<Row<()>> =
            moves.iter().map(|moves| moves.inner.iter().map(|(index, _)| (*index, ())).collect()).collect();
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
            EliminationError::TooLarge => SolveError::SccTooLarge { states },
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

    fn scc_visits(scc: &TransientScc<'_>, inflow: &[Self], ever: bool) -> Result<SccVisits<Self>, SolveError> {
        let probabilities = |choice: &Choice<'_>| scc.model.weights().probabilities(choice.weights).to_vec();
        let moves = scc.moves(&0.0, |sum, more| *sum += more, probabilities);
        let order = scc.order(&moves);
        let factors = Factors::new(&Floats, &moves, &order, scc.budget, scc.used)?;
        let Some(factors) = factors else { return in_fractions(scc, inflow, ever) };
        let visits = factors.visits(inflow);
        if !visits.iter().all(|visits| visits.is_finite()) {
            return in_fractions(scc, inflow, ever);
        }
        if !ever {
            return Ok((visits, None));
        }
        let returns = factors.diagonal(scc.budget)?;
        let ever = visits.iter().zip(returns).map(|(visits, returns)| (visits / returns).min(1.0)).collect();
        Ok((visits, Some(ever)))
    }
}

/// [`Mass::scc_visits`] where play leaves so rarely that the expected visits are beyond floating point.
fn in_fractions(scc: &TransientScc<'_>, inflow: &[f64], ever: bool) -> Result<SccVisits<f64>, SolveError> {
    let inflow: Vec<Rational> = inflow.iter().map(|mass| exactly(*mass).unwrap_or(Rational::ZERO)).collect();
    let (visits, ever) = Rational::scc_visits(scc, &inflow, ever)?;
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

    fn scc_visits(scc: &TransientScc<'_>, inflow: &[Self], ever: bool) -> Result<SccVisits<Self>, SolveError> {
        let moves = scc.exact_moves();
        // With visits = total * x the equations have integer coefficients.
        let mut rows: Vec<Row<IBig>> = Vec::with_capacity(moves.len());
        for (own, moves) in (0..).zip(&moves) {
            let diagonal = moves.inner.iter().fold(moves.exit.clone(), |sum, (_, weight)| sum + weight);
            rows.push(vec![(own, diagonal.into())]);
        }
        for (own, moves) in (0..).zip(&moves) {
            for (index, weight) in &moves.inner {
                rows[*index as usize].push((own, -IBig::from(weight.clone())));
            }
        }
        let scale = inflow.iter().fold(UBig::ONE, |scale, mass| lcm(&scale, mass.denominator()));
        let right: Vec<IBig> =
            inflow.iter().map(|mass| mass.numerator() * IBig::from(&scale / mass.denominator())).collect();
        let (numerators, denominator) =
            solve_exactly(&rows, &right, scc.effort()).map_err(|error| scc.explain(error))?;
        let denominator = denominator * scale;
        let total = |index: usize| IBig::from(scc.model.weights().total(scc.choices[index].weights));
        let visits =
            |(index, numerator): (usize, &IBig)| Rational::from_parts(numerator * total(index), denominator.clone());
        let visited: Vec<Rational> = numerators.iter().enumerate().map(visits).collect();
        if !ever {
            return Ok((visited, None));
        }
        // The probability of ever visiting a state is its expected visits, over the expected visits if play began
        // there.
        let order = scc.order(&moves);
        let (minors, determinant) = minors(&moves, &order, scc.budget, scc.used)?;
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

    fn scc_visits(_: &TransientScc<'_>, _: &[Self], _: bool) -> Result<SccVisits<Self>, SolveError> {
        unreachable!("integers are used where nothing is cyclic")
    }
}
