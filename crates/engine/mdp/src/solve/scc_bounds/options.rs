//! The options of a collapsed component as floating-point numbers, in flat arrays.

use budget::{Budget, Stopped};

use super::double::Double;
use crate::model::{Choice, WeightSlice, WeightTable, WeightsId};
use crate::numbers::{Rational, exactly, nearest};
use crate::solution::{CollapsedScc, Ends, Opt, Sense};
use crate::solve::{Objective, interval_in_fractions};
use crate::support::{about, id};

/// The options of a collapsed component.
pub(super) struct FloatScc {
    pub(super) sense: Sense,
    /// Where each node's options begin; one more entry than nodes.
    nodes: Vec<u32>,
    options: Vec<FloatOption>,
    /// The targets of options inside the component, with their probabilities.
    inner: Vec<(u32, f64)>,
    /// The difference between each probability of `inner` and its rounded value.
    low: Vec<f64>,
    /// Whether there are no rewards: then every policy leaves the component with probability 1.
    pub(super) every_policy_leaves: bool,
}

/// An option of a collapsed component.
pub(super) struct FloatOption {
    /// Where its targets in `inner` begin and end.
    first: u32,
    end: u32,
    /// Outcomes of the choice, plus one for a reward.
    pub(super) terms: u32,
    /// The probability of leaving the component.
    pub(super) exit: f64,
    /// Whether a probability is below the normal range.
    pub(super) subnormal: bool,
    /// Whether it has a reward.
    earns: bool,
    /// Its expected value outside of the component: lower and upper end.
    pub(super) outside: [Double; 2],
    /// The least lower and the largest upper end of its targets outside.
    hull: (f64, f64),
}

/// Which end of the values outside is used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Lower,
    Upper,
}

impl FloatScc {
    pub(super) fn new(
        objective: &Objective<'_>,
        scc: &CollapsedScc,
        stays: &[bool],
        ends: &Ends,
        budget: &Budget<'_>,
    ) -> Result<Self, Stopped> {
        let mut float = Self {
            sense: objective.sense,
            nodes: Vec::with_capacity(scc.len() + 1),
            options: Vec::new(),
            inner: Vec::new(),
            low: Vec::new(),
            every_policy_leaves: objective.rewards.is_empty(),
        };
        for (node, stays) in stays.iter().enumerate() {
            if node.is_multiple_of(1 << 13) {
                budget.check()?;
            }
            float.begin_node();
            for option in scc.options(node) {
                float.add(objective, scc, ends, *option);
            }
            if *stays {
                float.add_staying(objective);
            }
        }
        float.begin_node();
        Ok(float)
    }

    fn begin_node(&mut self) {
        self.nodes.push(id(self.options.len()));
    }

    fn add_staying(&mut self, objective: &Objective<'_>) {
        let (lower, upper) = objective.forever.ends;
        let end = id(self.inner.len());
        self.options.push(FloatOption {
            first: end,
            end,
            terms: 1,
            exit: 1.0,
            subnormal: false,
            earns: false,
            outside: [lower.into(), upper.into()],
            hull: (lower, upper),
        });
    }

    fn add(&mut self, objective: &Objective<'_>, scc: &CollapsedScc, ends: &Ends, option: Opt) {
        let choice = CollapsedScc::choice(objective.model, option);
        let weights = objective.model.weights();
        let first = self.inner.len();
        let mut outside = [Double::ZERO; 2];
        let mut exit = 0.0;
        let mut hull = (f64::INFINITY, f64::NEG_INFINITY);
        let probabilities = Probabilities::new(weights, choice.weights);
        for (number, target) in choice.targets.iter().enumerate() {
            let probability = probabilities.get(number);
            if let Some(node) = scc.node(target) {
                self.inner.push((id(node), probability.high));
                self.low.push(probability.low);
                continue;
            }
            let (lower, upper) = ends.of(target);
            hull = (hull.0.min(lower), hull.1.max(upper));
            exit += probability.high;
            outside[0] = outside[0].add(probability.mul(lower.into()));
            outside[1] = outside[1].add(probability.mul(upper.into()));
        }
        let subnormal = weights.is_subnormal(choice.weights);
        let reward = objective.reward(&choice);
        if subnormal {
            exit = exit.max(if hull.0.is_finite() { f64::MIN_POSITIVE } else { 0.0 });
            let (lower, upper) = interval_in_fractions(objective, &choice, |target| {
                if scc.node(target).is_some() { (0.0, 0.0) } else { ends.of(target) }
            });
            outside = [lower.into(), upper.into()];
        } else if let Some(reward) = reward {
            let (high, low) = reward.high_and_low();
            outside = outside.map(|end| end.add(Double { high, low }));
        }
        let earns = reward.is_some_and(|reward| reward.nearest > 0.0);
        // Only what is exactly zero may look like zero.
        if (earns || hull.1 > 0.0) && outside[1].high == 0.0 {
            outside[1] = f64::from_bits(1).into();
        }
        self.merge(first);
        let (first, end, terms) = (id(first), id(self.inner.len()), terms_of(&choice));
        self.options.push(FloatOption { first, end, terms, exit, subnormal, earns, outside, hull });
    }

    /// Several targets can belong to one node.
    fn merge(&mut self, first: usize) {
        if self.inner[first..].is_sorted_by(|a, b| a.0 < b.0) {
            return;
        }
        let own = self.inner[first..].iter().zip(&self.low[first..]);
        let mut own: Vec<(u32, Double)> =
            own.map(|((node, high), low)| (*node, Double { high: *high, low: *low })).collect();
        own.sort_by_key(|(node, _)| *node);
        own.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.add(next.1);
            }
            same
        });
        self.inner.truncate(first);
        self.low.truncate(first);
        self.inner.extend(own.iter().map(|(node, probability)| (*node, probability.high)));
        self.low.extend(own.iter().map(|(_, probability)| probability.low));
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// All options.
    pub(super) fn all_options(&self) -> &[FloatOption] {
        &self.options
    }

    /// The least lower and the largest upper end of the values outside.
    pub(super) fn hull(&self) -> (f64, f64) {
        let hulls = self.options.iter().filter(|option| option.exit > 0.0).map(|option| option.hull);
        hulls.fold((f64::INFINITY, f64::NEG_INFINITY), |hull, own| (hull.0.min(own.0), hull.1.max(own.1)))
    }

    /// A node's options.
    #[inline]
    pub(super) fn options(&self, node: usize) -> &[FloatOption] {
        &self.options[self.nodes[node] as usize..self.nodes[node + 1] as usize]
    }

    /// The targets of an option inside the component.
    #[inline]
    pub(super) fn inner(&self, option: &FloatOption) -> &[(u32, f64)] {
        &self.inner[option.first as usize..option.end as usize]
    }

    /// The value of an option, given those of its targets.
    #[inline]
    pub(super) fn worth(&self, option: &FloatOption, values: &[f64], outside: f64) -> f64 {
        self.inner(option).iter().fold(outside, |sum, (node, probability)| sum + probability * values[*node as usize])
    }

    /// The same with twice the precision: within `terms + 1` operations for each term.
    #[inline]
    pub(super) fn double_worth(&self, option: &FloatOption, values: &[Double], outside: Double) -> Double {
        let low = &self.low[option.first as usize..option.end as usize];
        self.inner(option).iter().zip(low).fold(outside, |sum, ((node, high), low)| {
            sum.add(Double { high: *high, low: *low }.mul(values[*node as usize]))
        })
    }
}

impl FloatOption {
    pub(super) fn at(&self, end: End) -> Double {
        match end {
            End::Lower => self.outside[0],
            End::Upper => self.outside[1],
        }
    }

    /// Whether it has no reward, and all its targets outside have exactly this value.
    pub(super) fn is_certain_of(&self, value: f64) -> bool {
        !self.earns && (self.exit == 0.0 || self.hull == (value, value))
    }
}

fn terms_of(choice: &Choice<'_>) -> u32 {
    id(choice.targets.len() + 1)
}

/// The probabilities of a weight vector with twice the precision.
struct Probabilities<'a> {
    rounded: &'a [f64],
    weights: WeightSlice<'a>,
}

impl<'a> Probabilities<'a> {
    fn new(weights: &'a WeightTable, id: WeightsId) -> Self {
        Self { rounded: weights.probabilities(id), weights: weights.weights(id) }
    }

    fn get(&self, number: usize) -> Double {
        /// Up to here integers are floating-point numbers.
        const EXACT: u64 = 1 << 53;
        let rounded = self.rounded[number];
        match self.weights {
            WeightSlice::Small(weights, total) if total <= EXACT => {
                Double::quotient(about(weights[number]), about(total), rounded)
            }
            WeightSlice::Small(weights, total) => remainder(rounded, weights[number].into(), total.into()),
            WeightSlice::Large(weights, total) => {
                remainder(rounded, Rational::from(weights[number].clone()), Rational::from(total.clone()))
            }
        }
    }
}

/// `weight / total` as a double, given its rounded value.
fn remainder(rounded: f64, weight: Rational, total: Rational) -> Double {
    let low = exactly(rounded).map_or(0.0, |rounded| nearest(&(weight / total - rounded)));
    Double { high: rounded, low }
}
