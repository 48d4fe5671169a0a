//! Bounds around approximate values: guessed, and proved by one step of Bellman's equation.
//!
//! Every number is at least 0, so rounding a step costs a share of the value that comes out of it. The guess makes up
//! for that: with `w` such that `w >= v + P w` for the probabilities `P` of an option, a step along it from `v + d w`
//! leaves a share `d` of `v` to spare. So the width of the bounds, in proportion to each value, is the expected length
//! of play weighted by the values, however small the value. An option that is worse than the best by more than the
//! width of the bounds needs no such `w`: widening cannot make it the best. Without that distinction a game of chance
//! in which small stakes favour the player had no useful bounds: it can go on for millions of steps, at a small loss
//! each.

use super::double::{Double, UNIT};
use super::induced_chain::{ChainError, MOST_SWEEPS, Tolerance};
use super::options::{End, FloatOption, FloatScc};
use super::task::{Solved, Task, gather, scatter};
use crate::solution::{Sense, outwards, relative_error};

/// The ends of the outside at which the proof must consider every option, and at which one is enough.
pub(super) fn ends(sense: Sense) -> (End, End) {
    match sense {
        Sense::Max => (End::Upper, End::Lower),
        Sense::Min => (End::Lower, End::Upper),
    }
}

/// Lower and upper bounds of every node, to be proved by one step: the first for the end at which every option counts.
struct Guess<T> {
    all: Vec<T>,
    one: Vec<T>,
}

impl<'a> Task<'a> {
    /// Bounds in floating point that are within this share of each value, if they can be proved. `one` has the values
    /// at the end where one option is enough.
    pub(super) fn prove(
        &self,
        solved: &mut Solved<'a>,
        one: &[f64],
        width: f64,
    ) -> Result<Option<Vec<(f64, f64)>>, ChainError> {
        let scc = self.scc;
        let (at_all, _) = ends(scc.sense);
        let values = solved.values.clone();
        let gap = 4.0 * width;
        let near = |node: usize, option: &FloatOption| {
            (scc.worth(option, &values, option.at(at_all).high) - values[node]).abs() <= gap * values[node]
        };
        let terms = scc.all_options().iter().map(|option| option.terms).max().unwrap_or(1);
        let mut slack = relative_error(u64::from(terms) + 8);
        let steps = match self.at_every_step(&values, near) {
            Some(steps) if slack * self.most_steps(&steps, &values) <= width => steps,
            _ => self.longest(solved, &values, near, |steps| slack * self.most_steps(steps, &values) <= width)?,
        };
        let longest = self.most_steps(&steps, &values);
        while slack * longest <= width {
            self.effort.budget.check()?;
            let moved = |values: &[f64], sign: f64| -> Vec<f64> {
                values.iter().zip(&steps).map(|(value, steps)| (value + sign * slack * steps).max(0.0)).collect()
            };
            let (mut lower, mut upper) = match scc.sense {
                Sense::Max => (moved(one, -1.0), moved(&values, 1.0)),
                Sense::Min => (moved(&values, -1.0), moved(one, 1.0)),
            };
            if self.is_upper_bound(&mut upper) && self.is_lower_bound(&mut lower) {
                return Ok(Some(lower.into_iter().zip(upper).collect()));
            }
            slack *= 2.0;
        }
        Ok(None)
    }

    fn nodes(&self) -> impl Iterator<Item = usize> + Clone + 'a {
        let free = self.free;
        (0..free.len()).filter(|node| free[*node])
    }

    /// The result of [`Self::longest`] without solving equations: if each step of every near option contributes a share
    /// of the value at once, the rest remains. `None` where one contributes nothing.
    fn at_every_step(&self, values: &[f64], near: impl Fn(usize, &FloatOption) -> bool) -> Option<Vec<f64>> {
        let (at_all, _) = ends(self.scc.sense);
        let mut most: f64 = 0.0;
        for node in self.nodes() {
            for option in self.scc.options(node).iter().filter(|option| near(node, option)) {
                most = most.max(values[node] / option.at(at_all).high);
            }
        }
        // A little more allows for options that are only near the best, and for rounding.
        let most = 1.01 * most;
        most.is_finite().then(|| values.iter().map(|value| most * value).collect())
    }

    /// The largest number of steps for each unit of value; infinite where floating point cannot represent it.
    fn most_steps(&self, steps: &[f64], values: &[f64]) -> f64 {
        let shares = self.nodes().map(|node| steps[node] / values[node]);
        shares.fold(0.0, |most, share| if share.is_finite() { f64::max(most, share) } else { f64::INFINITY })
    }

    /// Whether Bellman's operator, with every step rounded upwards, stays below `bound`, which is raised a little where
    /// it does not: the slack of neighbours makes up for that.
    fn is_upper_bound(&self, bound: &mut [f64]) -> bool {
        let FloatScc { sense, .. } = *self.scc;
        holds_when_moved(&self.nodes(), bound, |node, bound, lost| {
            let steps = self.scc.options(node).iter().map(|option| {
                let worth = self.scc.worth(option, bound, option.at(End::Upper).above());
                let step = outwards(0.0, worth, option.terms as usize).1;
                if option.subnormal { (step + lost * f64::from(option.terms)).next_up() } else { step }
            });
            let step = steps.fold(sense.worst(), |a, b| sense.better(a, b));
            if step <= bound[node] { bound[node] } else { step }
        })
    }

    /// Whether Bellman's operator, with every step rounded downwards, stays above `bound`, which is lowered a little
    /// where it does not.
    fn is_lower_bound(&self, bound: &mut [f64]) -> bool {
        let FloatScc { sense, .. } = *self.scc;
        holds_when_moved(&self.nodes(), bound, |node, bound, lost| {
            let steps = self.scc.options(node).iter().map(|option| {
                let worth = self.scc.worth(option, bound, option.at(End::Lower).below());
                let step = outwards(worth, 0.0, option.terms as usize).0;
                if option.subnormal { (step - lost * f64::from(option.terms)).next_down() } else { step }
            });
            let step = steps.fold(sense.worst(), |a, b| sense.better(a, b));
            if step >= bound[node] { bound[node] } else { step }
        })
    }

    /// The same with twice the precision: the values are refined first.
    pub(super) fn prove_doubly(
        &self,
        solved: &mut Solved<'a>,
        one: &[f64],
    ) -> Result<Option<Vec<(f64, f64)>>, ChainError> {
        /// Values closer than this share count as equal.
        const GAP: f64 = 1e-17;
        /// The largest width.
        const WIDTH: f64 = 1e-18;
        let scc = self.scc;
        let (at_all, at_one) = ends(scc.sense);
        let ordinary = |value: &f64| (1e-250..1e250).contains(value);
        if scc.all_options().iter().any(|option| option.subnormal)
            || !self.nodes().all(|node| ordinary(&solved.values[node]) && ordinary(&one[node]))
        {
            return Ok(None);
        }
        let as_doubles = |values: &[f64]| -> Vec<Double> { values.iter().map(|value| (*value).into()).collect() };
        let mut guess = Guess { all: as_doubles(&solved.values), one: as_doubles(one) };
        let mut residual = self.refine(solved, &mut guess.all, at_all)?;
        for _ in 0..50 {
            if !self.improve_doubly(&mut solved.policy, &guess.all, at_all) {
                break;
            }
            solved.chain = self.chain(&solved.policy)?;
            residual = self.refine(solved, &mut guess.all, at_all)?;
        }
        residual = residual.max(self.refine(solved, &mut guess.one, at_one)?);
        let values: Vec<f64> = guess.all.iter().map(|value| value.high).collect();
        let near = |node: usize, option: &FloatOption| {
            let worth = scc.double_worth(option, &guess.all, option.at(at_all));
            worth.sub(guess.all[node]).high.abs() <= GAP * values[node]
        };
        let terms = scc.all_options().iter().map(|option| option.terms).max().unwrap_or(1);
        let mut slack = 2.0 * residual + 4.0 * UNIT * (f64::from(terms) + 8.0);
        let steps = self.longest(solved, &values, near, |steps| slack * self.most_steps(steps, &values) <= WIDTH)?;
        let longest = self.most_steps(&steps, &values);
        while slack * longest <= WIDTH {
            self.effort.budget.check()?;
            let moved = |values: &[Double], sign: f64| -> Vec<Double> {
                values.iter().zip(&steps).map(|(value, steps)| value.add((sign * slack * steps).into())).collect()
            };
            let (lower, upper) = match scc.sense {
                Sense::Max => (moved(&guess.one, -1.0), moved(&guess.all, 1.0)),
                Sense::Min => (moved(&guess.all, -1.0), moved(&guess.one, 1.0)),
            };
            if self.is_double_bound(&upper, End::Upper) && self.is_double_bound(&lower, End::Lower) {
                let ends = lower.iter().zip(&upper).map(|(lower, upper)| (lower.below().max(0.0), upper.above()));
                return Ok(Some(ends.collect()));
            }
            slack *= 2.0;
        }
        Ok(None)
    }

    /// Newton's correction until it changes nothing: returns the largest residual as a share of its value.
    fn refine(&self, solved: &mut Solved<'a>, values: &mut [Double], end: End) -> Result<f64, ChainError> {
        let scc = self.scc;
        let sizes: Vec<f64> = values.iter().map(|value| value.high).collect();
        let (mut by_position, mut size_by_position, mut correction) = (Vec::new(), Vec::new(), vec![0.0; values.len()]);
        gather(&solved.chain, &sizes, &mut size_by_position);
        let mut last = f64::INFINITY;
        for _ in 0..40 {
            let mut largest: f64 = 0.0;
            let right = solved.chain.nodes.iter().map(|node| {
                let option = self.chosen(&solved.policy, *node);
                let worth = scc.double_worth(option, values, option.at(end));
                let residual = worth.sub(values[*node as usize]).high;
                largest = largest.max(residual.abs() / sizes[*node as usize]);
                residual
            });
            let right: Vec<f64> = right.collect();
            if largest > last / 2.0 || largest == 0.0 {
                return Ok(largest);
            }
            last = largest;
            by_position.clear();
            by_position.resize(right.len(), 0.0);
            let tolerance = Tolerance { share: largest * 1e-4, of: Some(&size_by_position), sweeps: MOST_SWEEPS };
            solved.chain.solve(&right, &mut by_position, tolerance)?;
            scatter(&solved.chain, &by_position, &mut correction);
            for node in self.nodes() {
                values[node] = values[node].add(correction[node].into());
            }
        }
        Ok(last)
    }

    /// Takes options that are better even with twice the precision.
    fn improve_doubly(&self, policy: &mut [u32], values: &[Double], end: End) -> bool {
        const NOISE: f64 = 1e-24;
        let scc = self.scc;
        let mut improved = false;
        for node in self.nodes() {
            let mut most = NOISE * values[node].high;
            let own = policy[node];
            for (index, option) in (0..).zip(scc.options(node)).filter(|(index, _)| *index != own) {
                let gain = scc.double_worth(option, values, option.at(end)).sub(values[node]).high;
                let gain = if scc.sense == Sense::Max { gain } else { -gain };
                if gain > most {
                    (most, policy[node]) = (gain, index);
                    improved = true;
                }
            }
        }
        improved
    }

    /// Whether Bellman's operator with twice the precision, every step rounded outwards, stays on the right side of
    /// `bound`. Values are so far from the subnormal numbers that the underflow of products is far below one unit.
    fn is_double_bound(&self, bound: &[Double], end: End) -> bool {
        let scc = self.scc;
        self.nodes().all(|node| {
            let own = bound[node];
            if !(1e-260..1e260).contains(&own.high) {
                return false;
            }
            let holds = |option: &FloatOption| {
                let worth = scc.double_worth(option, bound, option.at(end));
                // A term has `terms + 2` operations and a rounded probability; twice that for the difference.
                let error = worth.high * UNIT * (2.0 * f64::from(option.terms) + 16.0);
                let room = if end == End::Upper { own.sub(worth) } else { worth.sub(own) };
                room.high >= error
            };
            let mut options = scc.options(node).iter();
            let (at_all, _) = ends(scc.sense);
            if end == at_all { options.all(holds) } else { options.any(holds) }
        })
    }
}

/// The largest error of a product of a probability below the normal range with one of these values: half of the
/// smallest number times the value; four times that, as this is rounded itself.
fn lost_of(values: &[f64]) -> f64 {
    let largest = values.iter().fold(1.0, |a: f64, b| a.max(*b));
    2.0 * f64::from_bits(1) * largest
}

/// Replaces every bound by the result of `moved` until none changes: then they are proved. Tries that a few times.
/// `moved` also gets the largest error of a probability below the normal range.
pub(super) fn holds_when_moved(
    nodes: &(impl Iterator<Item = usize> + Clone),
    bound: &mut [f64],
    moved: impl Fn(usize, &[f64], f64) -> f64,
) -> bool {
    const TRIES: usize = 8;
    for _ in 0..TRIES {
        let mut holds = true;
        let lost = lost_of(bound);
        for node in nodes.clone() {
            let own = moved(node, bound, lost);
            // Infinite values would prove themselves.
            if !own.is_finite() {
                return false;
            }
            holds &= own == bound[node];
            bound[node] = own;
        }
        if holds {
            return true;
        }
    }
    false
}
