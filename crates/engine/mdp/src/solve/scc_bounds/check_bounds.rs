//! Bounds around approximate values: guessed, and proved by one step of Bellman's equation.
//!
//! Every number is at least 0, so rounding a step costs a share of the value that comes out of it. The guess
//! makes up for that: with `w` such that `w >= v + P w` for the probabilities `P` of an option, `v + d w` is
//! left by a step along it with a share `d` of `v` to spare. So bounds are as wide, in proportion to each value, as
//! the play that counts for it is long, however small the value. An option that is worse than the best by more
//! than the bounds may be wide needs no such `w`: moving outwards cannot make it the best. Without that distinction
//! a game of chance in which small stakes favour the player had no useful bounds: it can go on for millions
//! of steps, at a small loss each.

use super::double::{Double, UNIT};
use super::induced_chain::{ChainError, MOST_SWEEPS, Rest};
use super::options::{End, FloatOption, FloatPart};
use super::task::{Solved, Task, gather, scatter};
use crate::solution::{Sense, outwards, relative_error};

/// The ends that a part's outside has where every option counts for the proof, and where one does.
pub(super) fn ends(sense: Sense) -> (End, End) {
    match sense {
        Sense::Max => (End::Upper, End::Lower),
        Sense::Min => (End::Lower, End::Upper),
    }
}

/// Lower and upper bounds of every node, as proved by a step: of the first kind for the end at which every
/// option counts.
struct Guess<T> {
    all: Vec<T>,
    one: Vec<T>,
}

impl<'a> Task<'a> {
    /// Bounds in floating point that are within this share of each value, if they can be proved. `one` has the values at
    /// the end where one option is enough.
    pub(super) fn prove(
        &self,
        solved: &mut Solved<'a>,
        one: &[f64],
        width: f64,
    ) -> Result<Option<Vec<(f64, f64)>>, ChainError> {
        let part = self.part;
        let (at_all, _) = ends(part.sense);
        let values = solved.values.clone();
        let gap = 4.0 * width;
        let near = |node: usize, option: &FloatOption| {
            (part.worth(option, &values, option.at(at_all).high) - values[node]).abs() <= gap * values[node]
        };
        let terms = part.all_options().iter().map(|option| option.terms).max().unwrap_or(1);
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
            let (mut lower, mut upper) = match part.sense {
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

    /// What [`Self::longest`] says, without any equations: where every step of near options brings a share of the value at
    /// once, what is left is the rest. Nothing where one brings nothing.
    fn at_every_step(&self, values: &[f64], near: impl Fn(usize, &FloatOption) -> bool) -> Option<Vec<f64>> {
        let (at_all, _) = ends(self.part.sense);
        let mut most: f64 = 0.0;
        for node in self.nodes() {
            for option in self.part.options(node).iter().filter(|option| near(node, option)) {
                most = most.max(values[node] / option.at(at_all).high);
            }
        }
        // A little more makes up for what is near only, and for rounding.
        let most = 1.01 * most;
        most.is_finite().then(|| values.iter().map(|value| most * value).collect())
    }

    /// The largest number of steps for a unit of value; infinite where floating point cannot say it.
    fn most_steps(&self, steps: &[f64], values: &[f64]) -> f64 {
        let shares = self.nodes().map(|node| steps[node] / values[node]);
        shares.fold(0.0, |most, share| if share.is_finite() { f64::max(most, share) } else { f64::INFINITY })
    }

    /// Whether Bellman's operator, every step moved upwards, stays below `bound`, which is raised a little where it does
    /// not: what the neighbours have to spare makes up for that.
    fn is_upper_bound(&self, bound: &mut [f64]) -> bool {
        let FloatPart { sense, .. } = *self.part;
        holds_when_moved(&self.nodes(), bound, |node, bound, lost| {
            let steps = self.part.options(node).iter().map(|option| {
                let worth = self.part.worth(option, bound, option.at(End::Upper).above());
                let step = outwards(0.0, worth, option.terms as usize).1;
                if option.subnormal { (step + lost * f64::from(option.terms)).next_up() } else { step }
            });
            let step = steps.fold(sense.worst(), |a, b| sense.better(a, b));
            if step <= bound[node] { bound[node] } else { step }
        })
    }

    /// Whether Bellman's operator, every step moved downwards, stays above `bound`, which is lowered a little where it
    /// does not.
    fn is_lower_bound(&self, bound: &mut [f64]) -> bool {
        let FloatPart { sense, .. } = *self.part;
        holds_when_moved(&self.nodes(), bound, |node, bound, lost| {
            let steps = self.part.options(node).iter().map(|option| {
                let worth = self.part.worth(option, bound, option.at(End::Lower).below());
                let step = outwards(worth, 0.0, option.terms as usize).0;
                if option.subnormal { (step - lost * f64::from(option.terms)).next_down() } else { step }
            });
            let step = steps.fold(sense.worst(), |a, b| sense.better(a, b));
            if step >= bound[node] { bound[node] } else { step }
        })
    }

    /// The same with twice the precision: the values are refined before.
    pub(super) fn prove_doubly(
        &self,
        solved: &mut Solved<'a>,
        one: &[f64],
    ) -> Result<Option<Vec<(f64, f64)>>, ChainError> {
        /// What is closer than this share counts as equal.
        const GAP: f64 = 1e-17;
        /// The largest width.
        const WIDTH: f64 = 1e-18;
        let part = self.part;
        let (at_all, at_one) = ends(part.sense);
        let ordinary = |value: &f64| (1e-250..1e250).contains(value);
        if part.all_options().iter().any(|option| option.subnormal)
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
            let worth = part.double_worth(option, &guess.all, option.at(at_all));
            worth.sub(guess.all[node]).high.abs() <= GAP * values[node]
        };
        let terms = part.all_options().iter().map(|option| option.terms).max().unwrap_or(1);
        let mut slack = 2.0 * residual + 4.0 * UNIT * (f64::from(terms) + 8.0);
        let steps = self.longest(solved, &values, near, |steps| slack * self.most_steps(steps, &values) <= WIDTH)?;
        let longest = self.most_steps(&steps, &values);
        while slack * longest <= WIDTH {
            self.effort.budget.check()?;
            let moved = |values: &[Double], sign: f64| -> Vec<Double> {
                values.iter().zip(&steps).map(|(value, steps)| value.add((sign * slack * steps).into())).collect()
            };
            let (lower, upper) = match part.sense {
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
        let part = self.part;
        let sizes: Vec<f64> = values.iter().map(|value| value.high).collect();
        let (mut by_place, mut size_by_place, mut correction) = (Vec::new(), Vec::new(), vec![0.0; values.len()]);
        gather(&solved.chain, &sizes, &mut size_by_place);
        let mut last = f64::INFINITY;
        for _ in 0..40 {
            let mut largest: f64 = 0.0;
            let right = solved.chain.nodes.iter().map(|node| {
                let option = self.chosen(&solved.policy, *node);
                let worth = part.double_worth(option, values, option.at(end));
                let residual = worth.sub(values[*node as usize]).high;
                largest = largest.max(residual.abs() / sizes[*node as usize]);
                residual
            });
            let right: Vec<f64> = right.collect();
            if largest > last / 2.0 || largest == 0.0 {
                return Ok(largest);
            }
            last = largest;
            by_place.clear();
            by_place.resize(right.len(), 0.0);
            let rest = Rest { share: largest * 1e-4, of: Some(&size_by_place), sweeps: MOST_SWEEPS };
            solved.chain.solve(&right, &mut by_place, rest)?;
            scatter(&solved.chain, &by_place, &mut correction);
            for node in self.nodes() {
                values[node] = values[node].add(correction[node].into());
            }
        }
        Ok(last)
    }

    /// Takes options that are better even with twice the precision.
    fn improve_doubly(&self, policy: &mut [u32], values: &[Double], end: End) -> bool {
        const NOISE: f64 = 1e-24;
        let part = self.part;
        let mut improved = false;
        for node in self.nodes() {
            let mut most = NOISE * values[node].high;
            let own = policy[node];
            for (place, option) in (0..).zip(part.options(node)).filter(|(place, _)| *place != own) {
                let gain = part.double_worth(option, values, option.at(end)).sub(values[node]).high;
                let gain = if part.sense == Sense::Max { gain } else { -gain };
                if gain > most {
                    (most, policy[node]) = (gain, place);
                    improved = true;
                }
            }
        }
        improved
    }

    /// Whether Bellman's operator with twice the precision, every step moved outwards, stays on the right side of
    /// `bound`. Values are so far from the subnormal numbers that what products lose there is far below a
    /// unit.
    fn is_double_bound(&self, bound: &[Double], end: End) -> bool {
        let part = self.part;
        self.nodes().all(|node| {
            let own = bound[node];
            if !(1e-260..1e260).contains(&own.high) {
                return false;
            }
            let holds = |option: &FloatOption| {
                let worth = part.double_worth(option, bound, option.at(end));
                // A term has `terms + 2` operations and a rounded probability; twice that for the difference.
                let error = worth.high * UNIT * (2.0 * f64::from(option.terms) + 16.0);
                let room = if end == End::Upper { own.sub(worth) } else { worth.sub(own) };
                room.high >= error
            };
            let mut options = part.options(node).iter();
            let (at_all, _) = ends(part.sense);
            if end == at_all { options.all(holds) } else { options.any(holds) }
        })
    }
}

/// What a probability below the normal range can lose of a product with one of these values, at most:
/// half of the smallest number times the value; four times that, as this is rounded itself.
fn lost_of(values: &[f64]) -> f64 {
    let largest = values.iter().fold(1.0, |a: f64, b| a.max(*b));
    2.0 * f64::from_bits(1) * largest
}

/// Puts in place of every bound what `moved` makes of it, until it stays as it is: then it is proved. Tries that a few
/// times. `moved` also gets what a probability below the normal range can lose.
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
