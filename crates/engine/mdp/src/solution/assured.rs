//! Which of the choices with overlapping bounds a policy takes, so that its value is within the bounds.
//!
//! Outside of components any of them loses no more than a rounding error, once. In a cycle a loss that no bound shows
//! adds up: a choice that almost certainly leads back, and otherwise leads to a lower value, is as good as the best by
//! its bounds, and a policy that takes it gets nothing. So the assured end of the bounds (the lower one for the
//! maximum) decides there.
//!
//! A policy that takes in every state the best choice by that end attains it if it leaves the component with
//! probability 1, with or without rewards: the assured value of a state is at most the reward of its choice plus the
//! mean of the assured values of its targets (for the minimum: at least); by induction it is at most the rewards before
//! play leaves plus the assured value of the state that it leaves to. Play leaves if the graph of these choices has a
//! path out from every state. Only otherwise are end components searched for: with those collapsed to one node each, a
//! policy that takes in every node the best choice by that end leaves the component, and attains its assured value.

use budget::Budget;

use super::bounds::Bounds;
use super::end_components::CollapsedScc;
use super::interval::Pair;
use super::optimal_choices::ChoiceSets;
use super::sense::Sense;
use crate::model::{Choice, Model, Scc, StateId};
use crate::numbers::{Rational, nearest};

/// The assured value of every state.
pub(crate) struct Assured<'a> {
    sense: Sense,
    ends: &'a [Pair],
    rewards: Vec<f64>,
    /// The value of staying in a cycle for ever, if that is allowed.
    forever: Option<f64>,
}

impl<'a> Assured<'a> {
    /// For these bounds; `forever` is the value of staying in a cycle for ever, if that is allowed. `None` if the model
    /// has no components.
    pub(crate) fn new(model: &Model, sense: Sense, bounds: &'a Bounds, forever: Option<&Rational>) -> Option<Self> {
        let Bounds::Interval { ends } = bounds else { return None };
        let rewards = model.rewards().iter().map(nearest).collect();
        model.has_cycles().then(|| Self { sense, ends, rewards, forever: forever.map(nearest) })
    }

    fn of(&self, state: StateId) -> f64 {
        let [lower, upper] = self.ends[state as usize];
        match self.sense {
            Sense::Max => lower,
            Sense::Min => upper,
        }
    }

    fn of_choice(&self, model: &Model, choice: &Choice<'_>) -> f64 {
        if let (Some(target), None) = (choice.targets.only(), choice.reward) {
            return self.of(target);
        }
        let earned = choice.reward.map_or(0.0, |reward| self.rewards[reward as usize]);
        let probabilities = model.weights().probabilities(choice.weights);
        choice.targets.iter().zip(probabilities).fold(earned, |sum, (target, p)| sum + p * self.of(target))
    }

    /// The choices of a component that could be best and assure less than another one of their state: for each the
    /// index of its state, and its number, in order. A policy of the others attains the assured values if it leaves the
    /// component.
    pub(super) fn worse(&self, model: &Model, best: &ChoiceSets, members: Scc) -> Vec<(u32, u32)> {
        let (mut worse, mut worths) = (Vec::new(), Vec::new());
        for (index, state) in (0..).zip(members.iter()).filter(|(_, state)| best.count(*state) > 1) {
            worths.clear();
            worths.extend(best.choices(model, state).map(|(number, choice)| (number, self.of_choice(model, &choice))));
            let most = worths.iter().fold(self.sense.worst(), |most, (_, worth)| self.sense.better(most, *worth));
            worse.extend(worths.iter().filter(|(_, worth)| *worth != most).map(|(number, _)| (index, *number)));
        }
        worse
    }

    /// The choices of a component that could be best but are excluded where no policy of the choices that assure most
    /// leaves the component: those that assure less than another way out of the same end component. For each the index
    /// of its state, and its number, in order.
    pub(super) fn left_out(&self, model: &Model, best: &ChoiceSets, members: Scc) -> Vec<(u32, u32)> {
        let scc = CollapsedScc::new(model, members, |state, choice| best.contains(state, choice), &Budget::unlimited());
        // A budget without limits never stops.
        let Ok(scc) = scc else { return Vec::new() };
        let stays = scc.stays(|_| self.forever.is_some());
        let mut left_out = Vec::new();
        for (node, stays) in stays.into_iter().enumerate() {
            let options = scc.options(node);
            if options.len() + usize::from(stays) < 2 {
                continue;
            }
            let worths: Vec<f64> =
                options.iter().map(|option| self.of_choice(model, &CollapsedScc::choice(model, *option))).collect();
            let staying = self.forever.filter(|_| stays);
            let most = worths.iter().copied().chain(staying).fold(self.sense.worst(), |a, b| self.sense.better(a, b));
            let worse = options.iter().zip(&worths).filter(|(_, worth)| **worth != most);
            left_out.extend(worse.filter_map(|(option, _)| Some((members.index_of(option.state)?, option.number))));
        }
        left_out.sort_unstable();
        left_out
    }
}
