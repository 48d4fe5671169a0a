//! Bounds of a cyclic part in floating point: guessed around an approximate solution, then proved.
//!
//! The solution comes from policy iteration that begins with the policy of some sweeps of value
//! iteration, which is usually the best one already. Then the guess is moved outwards by a small
//! *slack* for every step that play can be kept in the part: with `w` such that `w >= 1 + P w` for the
//! probabilities `P` of an option, `v + slack w` loses a `slack` in a step along it, and that has to
//! make up for rounding. An option that is worse than the best by more than the bounds may be wide
//! needs no such `w`: moving outwards cannot make it the best. So `w` is the longest that play can be
//! kept in the part by options that are nearly best. Without that distinction a game of chance in
//! which small stakes favour the player had no useful bounds: it can go on for millions of steps,
//! at a small loss each.
//!
//! None of this matters for the truth of the bounds, which [`FloatPart::is_upper_bound`] and
//! [`FloatPart::is_lower_bound`] decide alone.

use crate::bounds::{Ends, interval_in_fractions, outwards, relative_error};
use crate::linear::{Effort, EliminationError, Row, Triangles, elimination_order};
use crate::objective::Objective;
use crate::part::{Part, leaving_policy};
use crate::sense::Sense;

/// A part of up to so many nodes is solved exactly rather than with bounds that are wide: where play
/// is hardly ever let out, every step of the proof costs its rounding.
const SMALL_PART: usize = 1000;
/// Bounds are wide from this share of the largest value on.
const WIDE: f64 = 1e-11;
/// Values come to rest when they move by no more than this share: the slack makes up for that.
const RESTS: f64 = 4.0 * f64::EPSILON;

/// The options of a collapsed part in floating point, in flat arrays.
pub(crate) struct FloatPart {
    sense: Sense,
    /// Where each node's options begin; one more entry than nodes.
    nodes: Vec<u32>,
    options: Vec<FloatOption>,
    /// Where options lead inside the part, and with what probability.
    inner: Vec<(u32, f64)>,
    /// Whether policies are known to leave the part with probability 1, all of them.
    every_policy_leaves: bool,
}

/// An option of a collapsed part.
struct FloatOption {
    /// Where its targets in `inner` begin and end.
    first: u32,
    end: u32,
    /// Outcomes of the choice, one more for what it earns.
    terms: u32,
    /// Whether it can lead out of the part.
    leaves: bool,
    /// Whether a probability is below the normal range.
    subnormal: bool,
    /// What it is worth outside of it: lower and upper end, before moving outwards.
    lower: f64,
    upper: f64,
}

/// Which end of the outside is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Lower,
    Upper,
}

/// Bounds of every node, or else the best that is known of the part.
pub(crate) enum Found {
    Proved(Vec<(f64, f64)>),
    /// For every node an option, counted within the node: probably the best. With rewards, or where
    /// floating point failed altogether or was interrupted, nothing.
    Unproved(Option<Vec<usize>>),
}

/// The intervals of a part's nodes, if floating point can prove any.
pub(crate) fn bounds_of_part(
    objective: &Objective<'_>,
    part: &Part,
    stays: &[bool],
    ends: &Ends,
    effort: Effort<'_>,
) -> Found {
    let float = FloatPart::new(objective, part, stays, ends);
    float.bounds(effort)
}

impl FloatPart {
    fn new(objective: &Objective<'_>, part: &Part, stays: &[bool], ends: &Ends) -> Self {
        let every_policy_leaves = objective.rewards.is_empty();
        let (nodes, options, inner) = (Vec::with_capacity(part.len() + 1), Vec::new(), Vec::new());
        let mut float = Self { sense: objective.sense, nodes, options, inner, every_policy_leaves };
        for (node, stays) in stays.iter().enumerate() {
            float.nodes.push(float.options.len() as u32);
            for option in part.options(node) {
                float.add(objective, part, ends, *option);
            }
            if *stays {
                let (lower, upper) = objective.forever.ends;
                let end = float.inner.len() as u32;
                let (terms, leaves, subnormal) = (1, true, false);
                float.options.push(FloatOption { first: end, end, terms, leaves, subnormal, lower, upper });
            }
        }
        float.nodes.push(float.options.len() as u32);
        float
    }

    fn add(&mut self, objective: &Objective<'_>, part: &Part, ends: &Ends, option: crate::part::Opt) {
        let choice = Part::choice(objective.model, option);
        let probabilities = objective.model.code.weights.probabilities(choice.weights);
        let first = self.inner.len();
        let (mut lower, mut upper) = (0.0, 0.0);
        let mut leaves = false;
        let mut zero = true;
        for (target, probability) in choice.targets.iter().zip(probabilities) {
            if let Some(node) = part.node(*target) {
                self.inner.push((node as u32, *probability));
                continue;
            }
            let ends = ends.of(*target);
            leaves = true;
            zero &= ends.1 == 0.0;
            lower += probability * ends.0;
            upper += probability * ends.1;
        }
        if let Some(reward) = objective.reward(&choice) {
            zero &= reward.nearest == 0.0;
            lower += reward.nearest;
            upper += reward.nearest;
        }
        let subnormal = objective.model.weights().is_subnormal(choice.weights);
        if subnormal {
            (lower, upper) = interval_in_fractions(objective, &choice, |target| {
                if part.node(target).is_some() { (0.0, 0.0) } else { ends.of(target) }
            });
        }
        // Only what is exactly nothing may look like nothing.
        if !zero && upper == 0.0 {
            upper = f64::from_bits(1);
        }
        // Several targets can be of one node.
        if !self.inner[first..].is_sorted_by(|a, b| a.0 < b.0) {
            self.inner[first..].sort_unstable_by_key(|(node, _)| *node);
            let mut kept = first;
            for place in first + 1..self.inner.len() {
                let (node, probability) = self.inner[place];
                if self.inner[kept].0 == node {
                    self.inner[kept].1 += probability;
                } else {
                    kept += 1;
                    self.inner[kept] = (node, probability);
                }
            }
            self.inner.truncate(kept + 1);
        }
        let (first, end, terms) = (first as u32, self.inner.len() as u32, choice.targets.len() as u32 + 1);
        self.options.push(FloatOption { first, end, terms, leaves, subnormal, lower, upper });
    }

    fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// A node's options.
    #[inline]
    fn options(&self, node: usize) -> &[FloatOption] {
        &self.options[self.nodes[node] as usize..self.nodes[node + 1] as usize]
    }

    #[inline]
    fn inner(&self, option: &FloatOption) -> &[(u32, f64)] {
        &self.inner[option.first as usize..option.end as usize]
    }

    /// What an option is worth.
    #[inline]
    fn worth(&self, option: &FloatOption, values: &[f64], outside: f64) -> f64 {
        self.inner(option).iter().fold(outside, |sum, (node, probability)| sum + probability * values[*node as usize])
    }

    fn bounds(&self, effort: Effort<'_>) -> Found {
        let nothing = Found::Unproved(None);
        if self.nodes.windows(2).any(|ends| ends[0] == ends[1]) {
            return nothing;
        }
        // Each end is solved by itself: around the middle the slack would have to make up for the
        // width of what lies outside, step by step, and parts in a row would widen it without end.
        let Some(start) = self.good_policy() else { return nothing };
        let solver =
            PolicyIteration { part: self, sense: self.sense, effort, rests: |value, moved| moved <= RESTS * value };
        let of = |end: End| {
            move |option: &FloatOption| match end {
                End::Lower => option.lower,
                End::Upper => option.upper,
            }
        };
        // In the first of these every option counts for the proof, in the second one a node.
        let (all, one) = if self.sense == Sense::Max { (End::Upper, End::Lower) } else { (End::Lower, End::Upper) };
        let zeros = vec![0.0; self.len()];
        let every = |_: usize, _: usize| true;
        let Some((all_values, policy)) = solver.run(start, zeros, of(all), every) else { return nothing };
        let Some((one_values, policy)) = solver.run(policy, all_values.clone(), of(one), every) else { return nothing };
        let (low, high) = if all == End::Upper { (&one_values, &all_values) } else { (&all_values, &one_values) };
        let unproved = || Found::Unproved(self.every_policy_leaves.then(|| policy.clone()));

        let scale = high.iter().chain(self.options.iter().map(|option| &option.upper)).fold(0.0, |a: f64, b| a.max(*b));
        if scale == 0.0 {
            return Found::Proved(vec![(0.0, 0.0); self.len()]);
        }
        // The longest that play can be kept in the part by options that are nearly best.
        let gap = 2.0 * WIDE * scale;
        let near = |node: usize, place: usize| {
            let option = &self.options(node)[place];
            policy[node] == place || (self.worth(option, &all_values, of(all)(option)) - all_values[node]).abs() <= gap
        };
        // Rough numbers of steps do, as long as each is enough: `w` that moved by less than a tenth, a
        // ninth larger.
        let longest = PolicyIteration { sense: Sense::Max, rests: |_, moved| moved <= 0.1, ..solver };
        let ones = vec![1.0; self.len()];
        let Some((mut steps, _)) = longest.run(policy.clone(), ones, |_| 1.0, near) else { return unproved() };

        for steps in &mut steps {
            *steps /= 0.9;
        }

        let terms = self.options.iter().map(|option| option.terms).max().unwrap_or(1);
        let most_steps = steps.iter().fold(0.0, |a: f64, b| a.max(*b));
        let mut slack = scale * relative_error(u64::from(terms) + 8);
        let mut lower = None;
        let mut upper = None;
        for _ in 0..40 {
            let tight = slack * most_steps <= WIDE * scale;
            if !tight && self.len() <= SMALL_PART {
                return unproved();
            }
            let moved = |values: &[f64], sign: f64| -> Vec<f64> {
                values.iter().zip(&steps).map(|(value, steps)| (value + sign * slack * steps).max(0.0)).collect()
            };
            lower = lower.or_else(|| Some(moved(low, -1.0)).filter(|bound| self.is_lower_bound(bound)));
            upper = upper.or_else(|| Some(moved(high, 1.0)).filter(|bound| self.is_upper_bound(bound)));
            if let (Some(lower), Some(upper)) = (&lower, &upper) {
                return Found::Proved(lower.iter().copied().zip(upper.iter().copied()).collect());
            }
            slack *= 2.0;
        }
        unproved()
    }

    /// Whether Bellman's operator, every step moved upwards, stays below `bound`.
    fn is_upper_bound(&self, bound: &[f64]) -> bool {
        let sense = self.sense;
        let lost = lost_of(bound);
        bound.iter().enumerate().all(|(node, bound_here)| {
            let options = self.options(node).iter();
            let steps = options.map(|option| {
                let step = outwards(0.0, self.worth(option, bound, option.upper), option.terms as usize).1;
                if option.subnormal { (step + lost * f64::from(option.terms)).next_up() } else { step }
            });
            steps.fold(sense.worst(), |a, b| sense.better(a, b)) <= *bound_here
        })
    }

    /// Whether Bellman's operator, every step moved downwards, stays above `bound`.
    fn is_lower_bound(&self, bound: &[f64]) -> bool {
        let sense = self.sense;
        let lost = lost_of(bound);
        bound.iter().enumerate().all(|(node, bound_here)| {
            let options = self.options(node).iter();
            let steps = options.map(|option| {
                let step = outwards(self.worth(option, bound, option.lower), 0.0, option.terms as usize).0;
                if option.subnormal { (step - lost * f64::from(option.terms)).next_down() } else { step }
            });
            steps.fold(sense.worst(), |a, b| sense.better(a, b)) >= *bound_here
        })
    }

    /// A policy to begin with, which leaves the part with probability 1: the best of some sweeps of
    /// value iteration; with rewards, by which some policies never leave, any that leaves.
    fn good_policy(&self) -> Option<Vec<usize>> {
        /// After these, policy iteration is faster.
        const ROUNDS: usize = 10;
        /// Sweeps over the chosen options alone, between two over all.
        const SWEEPS: usize = 6;
        if !self.every_policy_leaves {
            return leaving_policy(
                self.len(),
                |node| self.options(node).len(),
                |node, place| {
                    let option = &self.options(node)[place];
                    (option.leaves, self.inner(option).iter().map(|(node, _)| *node))
                },
            );
        }
        let mut values = vec![0.0; self.len()];
        let mut policy = vec![0; self.len()];
        for round in 0..ROUNDS {
            let mut moved = false;
            for node in 0..self.len() {
                let mut best = (self.sense.worst(), 0);
                for (place, option) in self.options(node).iter().enumerate() {
                    let value = self.worth(option, &values, option.upper);
                    if self.sense.better(value, best.0) != best.0 {
                        best = (value, place);
                    }
                }
                moved |= round == 0 || (best.0 - values[node]).abs() > 1e-6 * best.0;
                (values[node], policy[node]) = best;
            }
            if !moved {
                break;
            }
            self.sweep(&policy, &|option| option.upper, &mut values, SWEEPS, |_, _| false);
        }
        Some(policy)
    }

    /// Gauss-Seidel sweeps over the options of a policy, to and fro: what one direction carries slowly,
    /// the other carries at once. Whether every node came to rest: `rests` gets its value and by how
    /// much that moved.
    fn sweep(
        &self,
        policy: &[usize],
        outside: &impl Fn(&FloatOption) -> f64,
        values: &mut [f64],
        sweeps: usize,
        rests: impl Fn(f64, f64) -> bool,
    ) -> bool {
        let chosen = policy.iter().enumerate().map(|(node, place)| &self.options(node)[*place]);
        let chosen: Vec<(&[(u32, f64)], f64)> = chosen.map(|option| (self.inner(option), outside(option))).collect();
        for sweep in 0..sweeps {
            let mut rest = true;
            for step in 0..chosen.len() {
                let node = if sweep % 2 == 0 { step } else { chosen.len() - 1 - step };
                let (inner, outside) = chosen[node];
                let value = inner.iter().fold(outside, |sum, (other, p)| sum + p * values[*other as usize]);
                rest &= rests(value, (value - values[node]).abs());
                values[node] = value;
            }
            if rest {
                return true;
            }
        }
        false
    }
}

/// What a probability below the normal range can lose of a product with one of these values, at most:
/// half of the smallest number times the value; four times that, as this is rounded itself.
fn lost_of(values: &[f64]) -> f64 {
    let largest = values.iter().fold(1.0, |a: f64, b| a.max(*b));
    2.0 * f64::from_bits(1) * largest
}

/// Policy iteration in floating point: approximate values. No bound is claimed.
struct PolicyIteration<'a> {
    part: &'a FloatPart,
    sense: Sense,
    effort: Effort<'a>,
    /// Whether a value that moved so much has come to rest.
    rests: fn(f64, f64) -> bool,
}

/// Parts of up to so many nodes are eliminated without looking for zeros.
const DENSE: usize = 128;

/// The values of a policy whose options lead to `inner` and are worth `right` outside.
fn eliminate_densely<'a>(inner: impl Fn(usize) -> &'a [(u32, f64)], mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    let mut matrix = vec![0.0; count * count];
    for (node, row) in matrix.chunks_exact_mut(count).enumerate() {
        row[node] = 1.0;
        for (other, probability) in inner(node) {
            row[*other as usize] -= probability;
        }
    }
    for pivot in 0..count {
        let (done, rest) = matrix.split_at_mut((pivot + 1) * count);
        let own = &done[pivot * count + pivot..];
        for (row, line) in rest.chunks_exact_mut(count).enumerate() {
            let factor = line[pivot] / own[0];
            if factor != 0.0 {
                line[pivot..].iter_mut().zip(own).for_each(|(entry, above)| *entry -= factor * above);
                right[pivot + 1 + row] -= factor * right[pivot];
            }
        }
    }
    for row in (0..count).rev() {
        let line = &matrix[row * count..(row + 1) * count];
        let known: f64 = line[row + 1..].iter().zip(&right[row + 1..]).map(|(entry, value)| entry * value).sum();
        right[row] = (right[row] - known) / line[row];
    }
    right
}

impl PolicyIteration<'_> {
    /// Begins with a policy, with values that need not be its own, and takes options that are
    /// `allowed` (by node, and place in the node). `outside` is what an option is worth outside.
    fn run(
        &self,
        mut policy: Vec<usize>,
        mut values: Vec<f64>,
        outside: impl Fn(&FloatOption) -> f64,
        allowed: impl Fn(usize, usize) -> bool,
    ) -> Option<(Vec<f64>, Vec<usize>)> {
        /// More improvements than this have never been seen; the proof afterwards decides anyway.
        const ROUNDS: usize = 100;
        /// Improvements smaller than this are noise.
        const NOISE: f64 = 1e-14;
        for _ in 0..ROUNDS {
            if self.effort.budget.check().is_err() {
                return None;
            }
            self.evaluate(&policy, &outside, &mut values)?;
            let mut improved = false;
            for (node, chosen) in policy.iter_mut().enumerate() {
                let mut bar = values[node];
                let noise = NOISE * bar.abs();
                for (place, option) in self.part.options(node).iter().enumerate() {
                    let value = self.part.worth(option, &values, outside(option));
                    let better = match self.sense {
                        Sense::Max => value > bar + noise,
                        Sense::Min => value < bar - noise,
                    };
                    if better && place != *chosen && allowed(node, place) {
                        (*chosen, bar) = (place, value);
                        improved = true;
                    }
                }
            }
            if !improved {
                break;
            }
        }
        Some((values, policy))
    }

    /// The values of a policy: by sweeps from what they were, which is fast where play soon leaves;
    /// otherwise by elimination.
    fn evaluate(&self, policy: &[usize], outside: &impl Fn(&FloatOption) -> f64, values: &mut Vec<f64>) -> Option<()> {
        /// Sweeps that are about as much work as elimination.
        const FEW: usize = 100;
        /// For parts whose triangles would be too large. Where these stop decides how wide the bounds
        /// are, not whether they hold.
        const MANY: usize = 100_000;
        if self.part.sweep(policy, outside, values, FEW, self.rests) {
            return Some(());
        }
        let option = |node: usize| &self.part.options(node)[policy[node]];
        let right: Vec<f64> = (0..self.part.len()).map(|node| outside(option(node))).collect();
        let inner = |node: usize| self.part.inner(option(node));
        if self.part.len() <= DENSE {
            *values = eliminate_densely(inner, right);
            return values.iter().all(|value| value.is_finite()).then_some(());
        }
        let rows: Vec<Row<f64>> = (0..self.part.len())
            .map(|node| {
                let mut row: Row<f64> = vec![(node as u32, 1.0)];
                for (other, probability) in inner(node) {
                    if *other as usize == node { row[0].1 -= probability } else { row.push((*other, -probability)) }
                }
                row
            })
            .collect();
        match Triangles::new(&rows, &elimination_order(&rows, self.effort), self.effort) {
            Ok(triangles) => *values = triangles.solve(&right),
            Err(EliminationError::Singular | EliminationError::Stopped(_)) => return None,
            Err(EliminationError::TooLarge) => {
                let mut sweeps = 0;
                while sweeps < MANY && !self.part.sweep(policy, outside, values, FEW, self.rests) {
                    sweeps += FEW;
                    if self.effort.budget.check().is_err() {
                        return None;
                    }
                }
            }
        }
        values.iter().all(|value| value.is_finite()).then_some(())
    }
}
