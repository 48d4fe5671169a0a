//! Values of models that differ from one another in few states, all in one sweep.
//!
//! A state has an array of values, one for each variant: the stream is read once for all of them. The values are those
//! of the first sweep of [`solve`](crate::solve()) where there are no components (`bounds.rs` has the proof): one
//! number with a known relative error. A component is solved for the numbers outside of it as they are, and its own
//! bounds are proved; as its values are homogeneous in those outside, the relative errors of the two add up.

mod given;
mod scc;

pub use given::{Chances, Variants};

use budget::{Budget, Progress, Stage, Stopped};

use crate::model::{Distribution, Level, MOVES, Meaning, StateId, target};
use crate::numbers::{Rational, Value, nearest};
use crate::solution::{relative_error, roundings_of};
use crate::solve::scc_bounds::LEAST;
use crate::support::about;
use given::below;
use scc::SccSolver;

/// Smaller probabilities are left to other methods, as are values smaller than [`LEAST`]: products could come near the
/// smallest numbers.
const LEAST_PROBABILITY: f64 = 1e-80;

/// Values with a larger relative error are left to other methods, too.
const FARTHEST: f64 = 1e-6;
/// The most numbers stored: where there are more, fewer variants are solved at once.
const MOST_NUMBERS: usize = 1 << 24;

/// From here on a value could be that of a certain win, which is reported exactly. Any other value is below 1.
const NEARLY_CERTAIN: f64 = 1.0 - 1e-6;

/// Error bounds of the values computed so far.
#[derive(Clone, Copy, Debug, Default)]
struct ErrorBounds {
    /// Roundings outside of components.
    roundings: u64,
    /// The relative error that components add.
    share: f64,
}

impl ErrorBounds {
    fn relative(self) -> f64 {
        let rounded = relative_error(self.roundings + 8);
        (rounded + self.share + rounded * self.share) * (1.0 + 8.0 * f64::EPSILON)
    }

    fn add(&mut self, share: f64) {
        self.share = (self.share + share + self.share * share) * (1.0 + 4.0 * f64::EPSILON);
    }
}

/// Solves [`Variants`]; keeps its buffers for the next ones.
#[derive(Default)]
pub struct VariantSolver {
    values: Vec<f64>,
    sums: Vec<f64>,
    scc: SccSolver,
}

impl VariantSolver {
    /// The value of a start in each variant, within bounds. `None` where the model has something that is not supported
    /// here: payoffs other than 0 and 1, rewards, large components, very small numbers.
    ///
    /// # Errors
    /// When the budget stops the run.
    pub fn values(
        &mut self,
        variants: &Variants<'_>,
        start: &Distribution<StateId>,
        budget: Option<&Budget<'_>>,
    ) -> Result<Option<Vec<Value>>, Stopped> {
        let own = Budget::default();
        let budget = budget.unwrap_or(&own);
        let states = variants.model.states() as usize;
        let at_once = (MOST_NUMBERS / states.max(1)).clamp(1, variants.count.max(1));
        let mut all = Vec::with_capacity(variants.count);
        while all.len() < variants.count {
            let first = all.len();
            let count = at_once.min(variants.count - first);
            // The variants before the first of these are left out; there are no more of them than a state can count.
            let before = u8::try_from(first).unwrap_or(u8::MAX);
            let living: Vec<u8> = variants.living.iter().map(|living| living.saturating_sub(before)).collect();
            let later = |(state, next): (&StateId, &Vec<StateId>)| (*state, next.iter().skip(first).copied().collect());
            let apart = variants.apart.iter().map(later).collect();
            let some = Variants { count, living: &living, apart: &apart, ..*variants };
            match self.values_at_once(&some, start, budget)? {
                Some(values) => all.extend(values),
                None => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    fn values_at_once(
        &mut self,
        variants: &Variants<'_>,
        start: &Distribution<StateId>,
        budget: &Budget<'_>,
    ) -> Result<Option<Vec<Value>>, Stopped> {
        let model = variants.model;
        let paid: Vec<f64> = model.code.payoffs.lists().iter().map(|list| list.first().map_or(0.0, nearest)).collect();
        let supported = model.objectives() <= 1
            && model.rewards().is_empty()
            && model
                .code
                .payoffs
                .lists()
                .iter()
                .flatten()
                .all(|paid| *paid == Rational::ZERO || *paid == Rational::ONE)
            && variants.chances.is_none_or(|own| own.probabilities.len() == model.weights().vectors())
            && model.weights().ids().all(|id| {
                let known = variants.chances.is_some() || model.weights().meaning(id) == Meaning::Chance;
                let usual = |own: &f64| *own > LEAST_PROBABILITY || *own == 0.0;
                known
                    && variants.probabilities(id).len() == model.weights().count(id)
                    && variants.probabilities(id).iter().all(usual)
            });
        if !supported {
            return Ok(None);
        }
        let numbers = model.states() as usize * variants.count;
        budget.memory(model.bytes() + 8 * numbers as u64)?;
        let Self { values, sums, scc: solver } = self;
        values.resize(numbers, 0.0);
        let mut errors = ErrorBounds::default();
        let mut apart: Vec<StateId> = variants.apart.keys().copied().collect();
        apart.sort_unstable();
        let deep = model.levels().iter().filter(|level| !level.families.is_empty()).count();
        let width = 1e-10 / about(deep.max(1) as u64).max(10.0);
        for level in model.levels().iter().rev() {
            let done = u64::from(model.states() - level.states.start);
            let waiting = u64::from(level.states.start);
            budget.advance(Progress { stage: Stage::Solving, done, waiting, memory: 0 })?;
            if !variants.acyclic(level, &paid, values, sums) {
                return Ok(None);
            }
            // One more rounding for values that are kept below 1.
            let chances = variants.chances.map_or(0, |own| own.roundings);
            errors.roundings += roundings_of(level, false) + chances + 1;
            let own = apart.partition_point(|state| *state < level.states.start)
                ..apart.partition_point(|state| *state < level.states.end);
            for state in &apart[own] {
                if *state >= level.cyclic || !variants.lead(*state, values) {
                    return Ok(None);
                }
            }
            let mut widest: f64 = 0.0;
            for scc in model.sccs_of(level) {
                budget.check()?;
                match solver.solve(variants, scc, width, values) {
                    Some(width) => widest = widest.max(width),
                    None => return Ok(None),
                }
            }
            errors.add(widest);
        }
        let error = errors.relative();
        if error.is_nan() || error > FARTHEST {
            return Ok(None);
        }
        Ok(Some((0..variants.count).map(|variant| variants.value_of(start, variant, values, error)).collect()))
    }
}

impl Variants<'_> {
    /// The states of a level outside of components. Returns whether all of them were supported.
    fn acyclic(&self, level: &Level, paid: &[f64], values: &mut [f64], sums: &mut Vec<f64>) -> bool {
        let (code, width) = (&self.model.code, self.count);
        let (head, done) = values.split_at_mut(level.states.end as usize * width);
        let first_done = level.states.end;
        let mut least = f64::INFINITY;
        let mut state = level.states.start;
        while state < level.cyclic {
            let block = code.block(state);
            let lane = state - block.first;
            let lanes = (block.lanes - lane).min(level.cyclic - state);
            let own = &mut head[state as usize * width..(state + lanes) as usize * width];
            if let Some(payoff) = code.payoff(state) {
                own.fill(paid[payoff as usize]);
                state += lanes;
                continue;
            }
            own.fill(0.0);
            let mut several = false;
            for choice in code.choices(state) {
                let into: &mut [f64] = if several {
                    sums.clear();
                    sums.resize(own.len(), 0.0);
                    sums
                } else {
                    own
                };
                let probabilities = self.probabilities(choice.weights);
                for (word, probability) in choice.targets.words.iter().zip(probabilities) {
                    if word & MOVES == 0 {
                        let target = (word - first_done) as usize * width;
                        let terms = &done[target..target + width];
                        for own in into.chunks_exact_mut(width) {
                            own.iter_mut().zip(terms).for_each(|(sum, term)| *sum += probability * term);
                        }
                    } else {
                        let target = ((word & !MOVES) + lane - first_done) as usize * width;
                        let terms = &done[target..target + into.len()];
                        into.iter_mut().zip(terms).for_each(|(sum, term)| *sum += probability * term);
                    }
                }
                for (lane, into) in (lane..).zip(into.chunks_exact_mut(width)) {
                    for (variant, sum) in into.iter_mut().enumerate().filter(|(_, sum)| **sum > NEARLY_CERTAIN) {
                        let value = |word: &u32| done[(target(*word, lane) - first_done) as usize * width + variant];
                        let mut possible =
                            choice.targets.words.iter().zip(probabilities).filter(|(_, own)| **own > 0.0);
                        *sum = if possible.all(|(word, _)| value(word) == 1.0) { 1.0 } else { below(*sum) };
                    }
                }
                if several {
                    own.iter_mut().zip(&*sums).for_each(|(best, sum)| *best = best.max(*sum));
                }
                several = true;
            }
            for (own, living) in own.chunks_exact_mut(width).zip(&self.living[state as usize..]) {
                if let Some(dead) = own.get_mut(usize::from(*living)..) {
                    dead.fill(0.0);
                }
            }
            least = own.iter().fold(least, |least, own| if *own > 0.0 { least.min(*own) } else { least });
            state += lanes;
        }
        least > LEAST
    }

    /// A state that leads elsewhere in each variant. Returns whether this one does.
    fn lead(&self, state: StateId, values: &mut [f64]) -> bool {
        let width = self.count;
        let Some(next) = self.apart.get(&state) else { return false };
        let living = usize::from(self.living[state as usize]).min(width);
        for variant in 0..living {
            let Some(next) = next.get(variant) else { return false };
            values[state as usize * width + variant] = values[*next as usize * width + variant];
        }
        values[state as usize * width + living..(state as usize + 1) * width].fill(0.0);
        true
    }

    /// The value of a start in a variant, with this relative error.
    fn value_of(&self, start: &Distribution<StateId>, variant: usize, values: &[f64], error: f64) -> Value {
        let terms = start.iter().map(|(state, weight)| {
            let share = nearest(&Rational::from_parts(weight.clone().into(), start.total().clone()));
            share * values[*state as usize * self.count + variant]
        });
        let (value, count) = terms.fold((0.0, 0), |(sum, count), term| (sum + term, count + 1));
        if count == 1 && value == 1.0 {
            return Value { lower: 1.0, upper: 1.0, exact: None };
        }
        let error = error + relative_error(count + 4);
        Value { lower: value * (1.0 - error), upper: (value * (1.0 + error)).min(1.0), exact: None }
    }
}
