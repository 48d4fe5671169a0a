//! Solving: from a model to its solution.
//!
//! 1. *Bounds* (`sweep`). One sweep in floating point, with a known error bound, computes values and all choices that
//!    could be best. Payoffs are shifted to be at least 0, so that relative errors only add up; `solution/bounds.rs`
//!    has the proof.
//! 2. *Exact values* (`exact`). A second sweep computes integers over known common denominators, and only for choices
//!    that the bounds could not rule out. Comparing integers proves a tie or resolves it.
//! 3. *Strongly connected components* (`scc_bounds`, `exact/scc.rs`). Each end component is collapsed to one node,
//!    which can also stay for ever and earn nothing. Values that the graph alone determines are exact. States that can
//!    earn without end have an infinite total, which the graph determines as well (`solution/infinite.rs`); the
//!    equations of the others leave them out. Components of a few hundred states are first tried with a simpler method
//!    (`scc_bounds/small_scc.rs`); isomorphic components of one family are read once (`scc_bounds/batch.rs`); the
//!    families of a level are solved in parallel. Where floating point proves no narrow bounds, and for exact values,
//!    the equations of a policy are lifted modulo a prime (`linear/lift.rs`) and checked by substitution, and all
//!    choices are compared; a better choice starts another iteration. [`Method`] forces one of these ways.
//! 4. *Variants* (`variants`). Models that differ in few states, or in the weights of chances, are solved in one sweep.
//! 5. *Ordered payoffs*. The second payoff is optimised among the choices that are best in the first, and so on.
//!    Staying for ever is then allowed only where it is best in all payoffs before.
//!
//! Long loops inside large components check the budget, too.

mod choice_interval;
mod exact;
mod method;
mod objective;
mod options;
mod scc_bounds;
mod sweep;
mod unproved;
pub(crate) mod variants;

pub(crate) use choice_interval::interval_in_fractions;
pub use method::Method;
pub(crate) use objective::{ExactObjective, Objective};
pub use options::{PRECISION, SolveOptions};

use std::sync::Arc;

use budget::{Budget, Progress, Stage};
use rayon::prelude::*;

use crate::linear::Effort;
use crate::model::{Family, Level, Model, Scc, StateId};
use crate::numbers::Rational;
use crate::solution::{Bounds, ChoiceSets, EndPayoffs, ObjectiveValues, Policy, Solution, SolveError};
use crate::support::in_pool;
use sweep::{sweep_intervals, sweep_rounded};
pub(crate) use unproved::UnprovedScc;

/// Computes the value of every state under best play, and all best choices.
///
/// # Errors
/// When the budget stops the run, a component is too large, or the requested precision is invalid.
pub fn solve(model: &Arc<Model>, options: &SolveOptions<'_>) -> Result<Solution, SolveError> {
    let exact = options.exact || model.objectives() > 1;
    let own = Budget::default();
    let budget = options.budget.unwrap_or(&own);
    in_pool(options.threads, |_| Solver { model, options, budget, exact, fixed: None, ends: None }.solve())
}

/// The same with `ends` as the payoffs of finished states. Values are bounds in floating point, whatever the options
/// are; later questions to the solution ([`advise`](crate::advise()),
/// [`exact_values_of`](crate::advanced::exact_values_of)) are about these payoffs.
///
/// # Errors
/// As for [`solve`].
///
/// # Panics
/// When the model has several ordered payoffs, or a negative one.
pub fn solve_with(model: &Arc<Model>, ends: &EndPayoffs, options: &SolveOptions<'_>) -> Result<Solution, SolveError> {
    let payoffs = || model.code.payoffs.lists().iter();
    assert!(payoffs().all(|list| list.len() <= 1), "a model with one payoff");
    assert!(payoffs().flatten().all(|payoff| *payoff >= Rational::ZERO), "payoffs of at least 0");
    let own = Budget::default();
    let budget = options.budget.unwrap_or(&own);
    in_pool(options.threads, |_| Solver { model, options, budget, exact: false, fixed: None, ends: Some(ends) }.solve())
}

/// The values of one fixed policy, for every state. [`Solution::best`] then contains its choices.
///
/// # Errors
/// As for [`solve`].
///
/// ```
/// use mdp::{ModelBuilder, Policy, Rational, SolveOptions, evaluate, ratio};
///
/// // Throw a coin for 1, or take nothing.
/// let mut builder = ModelBuilder::new();
/// let (coin, certain) = (builder.weights(&[1, 1])?, builder.weights(&[1])?);
/// builder.choice(coin, &[1, 2])?;
/// builder.choice(certain, &[2])?;
/// builder.finish_state()?;
/// builder.finished(&[Rational::ONE])?;
/// builder.finished(&[Rational::ZERO])?;
/// let model = builder.build(None)?.model;
///
/// let timid = Policy::new(&model, |_| 1).expect("two choices");
/// assert_eq!(evaluate(&timid, &SolveOptions::exact())?.value(0).exact, Some(Rational::ZERO));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate(policy: &Policy, options: &SolveOptions<'_>) -> Result<Solution, SolveError> {
    let (model, fixed) = (policy.model(), policy.as_sets());
    let own = Budget::default();
    let budget = options.budget.unwrap_or(&own);
    in_pool(options.threads, |_| {
        Solver { model, options, budget, exact: options.exact, fixed: Some(&fixed), ends: None }.solve()
    })
}

struct Solver<'a> {
    model: &'a Arc<Model>,
    options: &'a SolveOptions<'a>,
    budget: &'a Budget<'a>,
    exact: bool,
    /// The choices of a policy that is only to be evaluated.
    fixed: Option<&'a ChoiceSets>,
    /// Payoffs of finished states in place of the model's.
    ends: Option<&'a EndPayoffs>,
}

impl Solver<'_> {
    fn solve(&self) -> Result<Solution, SolveError> {
        let zero = Rational::ZERO;
        if self.options.precision.is_nan() || self.options.precision < 0.0 {
            return Err(SolveError::Precision { asked: self.options.precision });
        }
        if self.model.rewards().iter().any(|reward| *reward < zero) {
            return Err(SolveError::NegativeReward);
        }
        self.watch(self.model.states(), self.model.bytes())?;
        let mut objectives: Vec<ObjectiveValues> = Vec::new();
        let mut best: Option<ChoiceSets> = None;
        for number in 0..self.model.objectives().max(1) {
            let (solved, sets) = self.objective(number, self.fixed.or(best.as_ref()), &objectives)?;
            objectives.push(solved);
            best = Some(sets);
        }
        Ok(self.solution(objectives, best.unwrap_or_default()))
    }

    fn solution(&self, objectives: Vec<ObjectiveValues>, best: ChoiceSets) -> Solution {
        let SolveOptions { sense, must_end, .. } = *self.options;
        Solution::new(self.model.clone(), (sense, must_end), objectives, best).with_ends(self.ends.cloned())
    }

    /// Bytes that solving may use in addition to the model.
    fn memory_left(&self, used: u64) -> Result<u64, SolveError> {
        let used = used + self.model.bytes();
        self.budget.memory(used)?;
        Ok(self.budget.limits().max_memory - used)
    }

    /// Bytes needed by the components that are solved in parallel, before any equations: choices with their outcomes,
    /// collapsed, as floating-point numbers or as fractions.
    fn memory_of_sccs(&self) -> u64 {
        /// One thread handles fewer families than this sooner than others wake up.
        const FEW_FAMILIES: usize = 64;
        const FLOAT: u64 = 96;
        const EXACT: u64 = 160;
        let words = |scc: Scc| -> u64 {
            scc.iter().flat_map(|state| self.model.choices(state)).map(|choice| 1 + choice.targets.len() as u64).sum()
        };
        let of_family = |family: &Family| {
            let different = if self.model.are_isomorphic(*family) { 1 } else { usize::MAX };
            family.all().take(different).map(words).max()
        };
        let families = self.model.families.par_iter().with_min_len(FEW_FAMILIES);
        let largest = families.filter_map(of_family).max().unwrap_or(0);
        let together = self.model.counts().sccs.min(rayon::current_num_threads() as u64);
        largest * together * if self.exact { EXACT } else { FLOAT }
    }

    fn watch(&self, solved_from: StateId, memory: u64) -> Result<(), SolveError> {
        let done = u64::from(self.model.states() - solved_from);
        let progress = Progress { stage: Stage::Solving, done, waiting: u64::from(solved_from), memory };
        Ok(self.budget.advance(progress)?)
    }

    fn objective(
        &self,
        number: usize,
        allowed: Option<&ChoiceSets>,
        before: &[ObjectiveValues],
    ) -> Result<(ObjectiveValues, ChoiceSets), SolveError> {
        let model: &Model = self.model;
        let payoffs: Vec<&Rational> = model.code.payoffs.lists().iter().filter_map(|list| list.get(number)).collect();
        let least = payoffs.iter().copied().min().cloned().unwrap_or(Rational::ZERO);
        let shift = if least < Rational::ZERO { -least } else { Rational::ZERO };
        let exact = ExactObjective {
            model,
            sense: self.options.sense,
            payoffs: payoffs.into_iter().map(|payoff| payoff + &shift).collect(),
            // Rewards count for the first objective only.
            rewards: if number == 0 { model.rewards().to_vec() } else { Vec::new() },
            forever: shift.clone(),
            ends: self.ends,
        };
        let objective = Objective::new(&exact, allowed, self.options);
        let used: u64 = before.iter().map(ObjectiveValues::bytes).sum();
        let used = used + allowed.map_or(0, ChoiceSets::bytes) + self.ends.map_or(0, EndPayoffs::bytes);
        let states = u64::from(model.states());
        let numbers = states * (4 + if model.has_cycles() { 16 } else { 8 });
        self.watch(model.states(), used)?;
        self.memory_left(used + numbers + self.memory_of_sccs())?;
        // A play that goes on for ever without rewards is worth 0 in every objective, if it need not end: it may be
        // chosen only where that is best in the objectives before.
        let may_stay = |state: StateId| {
            let is_nothing =
                |solved: &ObjectiveValues| solved.exact.as_ref().is_none_or(|exact| exact.value(state) == solved.shift);
            !self.options.must_end && (self.fixed.is_some() || before.iter().all(is_nothing))
        };
        let mut candidates = ChoiceSets::default();
        let shelf = exact::Shelf::default();
        let shelf_for_later = self.exact.then_some(&shelf);
        let bounds = if Bounds::can_round(model, objective.smallest()) {
            let go_on = || self.budget.check().map_err(SolveError::Stopped);
            sweep_rounded(&objective, &mut candidates, go_on, |solved_from| self.watch(solved_from, used))?
        } else {
            let most_entries = usize::try_from(self.memory_left(used)? / 64).unwrap_or(usize::MAX);
            let effort = Effort { most_entries, budget: self.budget };
            sweep_intervals(
                &objective,
                &mut candidates,
                effort,
                |unproved| exact::exact_bounds(&exact, unproved, shelf_for_later, effort),
                may_stay,
                |level| self.watch(level.states.start, used),
            )?
        };
        if !bounds.largest().is_finite() {
            return Err(SolveError::ValueTooLarge);
        }
        if model.objectives() > 1 && bounds.some_infinite() {
            return Err(SolveError::InfiniteTotal);
        }
        let used = used + bounds.bytes() + candidates.bytes();
        let exact = if self.exact {
            let in_use = used + model.bytes();
            let progress = |level: &Level, memory| self.watch(level.states.start, used + memory);
            let sweep = exact::Sweep {
                objective: &exact,
                bounds: &bounds,
                shelf: &shelf,
                may_stay,
                used: in_use,
                budget: self.budget,
            };
            match sweep.run(&mut candidates, progress) {
                Err(SolveError::Stopped(stopped)) if number == 0 => {
                    let objectives = vec![ObjectiveValues { bounds, exact: None, shift }];
                    let bounds = Box::new(self.solution(objectives, candidates));
                    return Err(SolveError::StoppedWithBounds { stopped, bounds });
                }
                exact => Some(exact?),
            }
        } else {
            None
        };
        Ok((ObjectiveValues { bounds, exact, shift }, candidates))
    }
}
