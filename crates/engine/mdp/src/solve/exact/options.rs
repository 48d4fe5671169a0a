//! The options of a component with integers; equal options of a node are stored once.
//!
//! A player who may stake any amount on any number has a hundred choices, most of which are equal, or lead to states of
//! the same value.

use dashu_base::UnsignedAbs;
use dashu_int::{IBig, UBig};

use crate::model::{Choice, StateId};
use crate::solution::CollapsedScc;
use crate::solve::ExactObjective;
use crate::support::id;

/// An option of a component with integers: its inner weights, and its contribution from outside times the common
/// denominator.
pub(super) struct ExactOption {
    /// Node and weight.
    pub(super) inner: Vec<(u32, UBig)>,
    pub(super) total: UBig,
    pub(super) outside: UBig,
}

/// The options of a node.
pub(super) struct NodeOptions {
    /// Those that are different, as far as a quick comparison shows.
    pub(super) different: Vec<ExactOption>,
    /// For each option of the component the index of the equal one in `different`; where play can stay for ever, one
    /// more for staying.
    pub(super) which: Vec<u32>,
    /// For each of the different options the first option of the component that equals it, except for staying.
    pub(super) first: Vec<u32>,
}

/// The states outside of a component.
pub(super) struct Outside<V, S> {
    /// The value of a state as a numerator over the common denominator.
    pub(super) value: V,
    /// Whether two states are known to have the same value.
    pub(super) same: S,
}

impl NodeOptions {
    /// The options of every node; the last one of a node in which play can stay for ever is to stay.
    pub(super) fn of_scc(
        objective: &ExactObjective<'_>,
        scc: &CollapsedScc,
        stays: &[bool],
        common: &UBig,
        outside: &Outside<impl Fn(StateId) -> UBig, impl Fn(StateId, StateId) -> bool>,
    ) -> Vec<Self> {
        /// An option is compared with this many of the latest different ones.
        const LATEST: usize = 4;
        let mut choices: Vec<Choice<'_>> = Vec::new();
        let mut of_node = |node: usize| {
            choices.clear();
            let mut own = Self { different: Vec::new(), which: Vec::new(), first: Vec::new() };
            for (index, option) in (0..).zip(scc.options(node)) {
                let choice = CollapsedScc::choice(objective.model, *option);
                let known = choices
                    .iter()
                    .rev()
                    .take(LATEST)
                    .position(|other| have_same_value(scc, other, &choice, &outside.same));
                own.which.push(id(match known {
                    Some(back) => choices.len() - 1 - back,
                    None => choices.len(),
                }));
                if known.is_none() {
                    own.different.push(ExactOption::new(objective, scc, &choice, common, &outside.value));
                    own.first.push(index);
                    choices.push(choice);
                }
            }
            own
        };
        let mut options: Vec<Self> = (0..scc.len()).map(&mut of_node).collect();
        let forever = objective.forever.numerator().unsigned_abs() * (common / objective.forever.denominator());
        for (options, _) in options.iter_mut().zip(stays).filter(|(_, stays)| **stays) {
            options.which.push(id(options.different.len()));
            options.different.push(ExactOption { inner: Vec::new(), total: UBig::ONE, outside: forever.clone() });
        }
        options
    }
}

/// Whether two choices are known to have the same value, whatever the values of the component's nodes.
fn have_same_value(
    scc: &CollapsedScc,
    left: &Choice<'_>,
    right: &Choice<'_>,
    same: impl Fn(StateId, StateId) -> bool,
) -> bool {
    let same_target = |(left, right): (StateId, StateId)| {
        left == right
            || match (scc.node(left), scc.node(right)) {
                (None, None) => same(left, right),
                (left, right) => left == right,
            }
    };
    (left.weights, left.reward) == (right.weights, right.reward)
        && left.targets.len() == right.targets.len()
        && left.targets.iter().zip(right.targets.iter()).all(same_target)
}

impl ExactOption {
    fn new(
        objective: &ExactObjective<'_>,
        scc: &CollapsedScc,
        choice: &Choice<'_>,
        common: &UBig,
        outside: impl Fn(StateId) -> UBig,
    ) -> Self {
        let weights = objective.model.weights().weight_list(choice.weights);
        let total = objective.model.weights().total(choice.weights);
        let mut exact = Self { inner: Vec::new(), total, outside: UBig::ZERO };
        for (target, weight) in choice.targets.iter().zip(weights) {
            match scc.node(target) {
                Some(node) => exact.inner.push((id(node), weight)),
                None => exact.outside += weight * outside(target),
            }
        }
        // Several targets can belong to one node.
        exact.inner.sort_unstable_by_key(|(node, _)| *node);
        exact.inner.dedup_by(|next, first| {
            let same = next.0 == first.0;
            if same {
                first.1 += &next.1;
            }
            same
        });
        if let Some(reward) = choice.reward.filter(|_| !objective.rewards.is_empty()) {
            let reward = &objective.rewards[reward as usize];
            exact.outside += &exact.total * reward.numerator().unsigned_abs() * (common / reward.denominator());
        }
        exact
    }

    /// The value of the option times its total and the common denominators.
    pub(super) fn worth(&self, numerators: &[IBig], denominator: &UBig) -> IBig {
        let outside = IBig::from(&self.outside * denominator);
        self.inner
            .iter()
            .fold(outside, |sum, (node, weight)| sum + IBig::from(weight.clone()) * &numerators[*node as usize])
    }
}
