//! The options of a cyclic part with integers, those of a node that say the same once.
//!
//! Who may stake any number on any number has a hundred choices, most of which say the same, or lead to what is worth the
//! same.

use dashu_base::UnsignedAbs;
use dashu_int::{IBig, UBig};

use crate::model::{Choice, StateId};
use crate::solution::Part;
use crate::solve::ExactObjective;
use crate::support::id;

/// An option of a cyclic part with integers: its inner weights, and what it brings from outside
/// times the common denominator.
pub(super) struct ExactOption {
    /// Node and weight.
    pub(super) inner: Vec<(u32, UBig)>,
    pub(super) total: UBig,
    pub(super) outside: UBig,
}

/// The options of a node.
pub(super) struct NodeOptions {
    /// Those that are different, as far as that is seen at once.
    pub(super) different: Vec<ExactOption>,
    /// Which of them each option of the part is; after all of these, where play can stay for ever, staying.
    pub(super) which: Vec<u32>,
    /// The first option of the part that is each of the different ones, but for staying.
    pub(super) first: Vec<u32>,
}

/// What a part leads to.
pub(super) struct Outside<V, S> {
    /// The value of a state as a numerator over the common denominator.
    pub(super) value: V,
    /// Whether two states are seen to be worth the same.
    pub(super) same: S,
}

impl NodeOptions {
    /// The options of every node; the last of one in which play can stay for ever is to stay.
    pub(super) fn of_part(
        objective: &ExactObjective<'_>,
        part: &Part,
        stays: &[bool],
        common: &UBig,
        outside: &Outside<impl Fn(StateId) -> UBig, impl Fn(StateId, StateId) -> bool>,
    ) -> Vec<Self> {
        /// With so many of the latest that are different an option is compared.
        const LATEST: usize = 4;
        let mut choices: Vec<Choice<'_>> = Vec::new();
        let mut of_node = |node: usize| {
            choices.clear();
            let mut own = Self { different: Vec::new(), which: Vec::new(), first: Vec::new() };
            for (place, option) in (0..).zip(part.options(node)) {
                let choice = Part::choice(objective.model, *option);
                let known = choices
                    .iter()
                    .rev()
                    .take(LATEST)
                    .position(|other| says_the_same(part, other, &choice, &outside.same));
                own.which.push(id(match known {
                    Some(back) => choices.len() - 1 - back,
                    None => choices.len(),
                }));
                if known.is_none() {
                    own.different.push(ExactOption::new(objective, part, &choice, common, &outside.value));
                    own.first.push(place);
                    choices.push(choice);
                }
            }
            own
        };
        let mut options: Vec<Self> = (0..part.len()).map(&mut of_node).collect();
        let forever = objective.forever.numerator().unsigned_abs() * (common / objective.forever.denominator());
        for (options, _) in options.iter_mut().zip(stays).filter(|(_, stays)| **stays) {
            options.which.push(id(options.different.len()));
            options.different.push(ExactOption { inner: Vec::new(), total: UBig::ONE, outside: forever.clone() });
        }
        options
    }
}

/// Whether two choices are seen to be worth the same, whatever the nodes of the part are worth.
fn says_the_same(part: &Part, left: &Choice<'_>, right: &Choice<'_>, same: impl Fn(StateId, StateId) -> bool) -> bool {
    let same_target = |(left, right): (StateId, StateId)| {
        left == right
            || match (part.node(left), part.node(right)) {
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
        part: &Part,
        choice: &Choice<'_>,
        common: &UBig,
        outside: impl Fn(StateId) -> UBig,
    ) -> Self {
        let weights = objective.model.weights().weight_list(choice.weights);
        let total = objective.model.weights().total(choice.weights);
        let mut exact = Self { inner: Vec::new(), total, outside: UBig::ZERO };
        for (target, weight) in choice.targets.iter().zip(weights) {
            match part.node(target) {
                Some(node) => exact.inner.push((id(node), weight)),
                None => exact.outside += weight * outside(target),
            }
        }
        // Several targets can be of one node.
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

    /// The option's worth times its total and the common denominators.
    pub(super) fn worth(&self, numerators: &[IBig], denominator: &UBig) -> IBig {
        let outside = IBig::from(&self.outside * denominator);
        self.inner
            .iter()
            .fold(outside, |sum, (node, weight)| sum + IBig::from(weight.clone()) * &numerators[*node as usize])
    }
}
