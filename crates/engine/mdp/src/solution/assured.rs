//! Which of the choices that bounds cannot tell apart a policy takes, so that it is worth what the bounds assure.
//!
//! Outside of cyclic parts any of them loses no more than rounding can make, once. Where play goes round a loss that no bound
//! shows adds up: a choice that leads back for all but certain, and else to less, is as good as the best by its bounds and worth
//! nothing to who follows it. So the end of the bounds that is assured (the lower one for the maximum) decides there.
//!
//! A policy that takes in every state what is best by that end is worth as much if it leaves the part with probability 1,
//! whether something is earned on the way or not: what is assured of a state is no more than what its choice earns and the mean
//! of what is assured behind it (for the minimum: no less), so, put in step by step, no more than what is earned before play
//! leaves and what is assured where it comes out. Play goes out if the graph of these choices has a way out from everywhere.
//! Only where it has none end components are looked for: with those collapsed to one node each, a policy that takes in every
//! node what is best by that end leaves the part, and is worth as much.

use budget::Budget;

use super::bounds::Bounds;
use super::end_components::Part;
use super::interval::Pair;
use super::optimal_choices::ChoiceSets;
use super::sense::Sense;
use crate::model::{Choice, CyclicPart, Model, StateId};
use crate::numbers::{Rational, nearest};

/// What is assured of every state.
pub(crate) struct Assured<'a> {
    sense: Sense,
    ends: &'a [Pair],
    rewards: Vec<f64>,
    /// What going round for ever is worth, if it is a way to play.
    forever: Option<f64>,
}

impl<'a> Assured<'a> {
    /// By these bounds, in which `forever` is what going round for ever is worth, if it is a way to play; nothing where the model
    /// has no cyclic parts.
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

    /// The choices of a part that could be best and assure less than another one of their state: of each the place of its state,
    /// and its number, in order. A policy of the others is worth what is assured if it leaves the part.
    pub(super) fn worse(&self, model: &Model, best: &ChoiceSets, members: CyclicPart) -> Vec<(u32, u32)> {
        let (mut worse, mut worths) = (Vec::new(), Vec::new());
        for (place, state) in (0..).zip(members.iter()).filter(|(_, state)| best.count(*state) > 1) {
            worths.clear();
            worths.extend(best.choices(model, state).map(|(number, choice)| (number, self.of_choice(model, &choice))));
            let most = worths.iter().fold(self.sense.worst(), |most, (_, worth)| self.sense.better(most, *worth));
            worse.extend(worths.iter().filter(|(_, worth)| *worth != most).map(|(number, _)| (place, *number)));
        }
        worse
    }

    /// The choices of a part that could be best and are not taken where no policy of those that assure most leaves the part: those
    /// that assure less than another way out of the same end component. Of each the place of its state, and its number, in order.
    pub(super) fn left_out(&self, model: &Model, best: &ChoiceSets, members: CyclicPart) -> Vec<(u32, u32)> {
        let part = Part::new(model, members, |state, choice| best.contains(state, choice), &Budget::unlimited());
        // Nobody stops a budget without limits.
        let Ok(part) = part else { return Vec::new() };
        let stays = part.stays(|_| self.forever.is_some());
        let mut left_out = Vec::new();
        for (node, stays) in stays.into_iter().enumerate() {
            let options = part.options(node);
            if options.len() + usize::from(stays) < 2 {
                continue;
            }
            let worths: Vec<f64> =
                options.iter().map(|option| self.of_choice(model, &Part::choice(model, *option))).collect();
            let staying = self.forever.filter(|_| stays);
            let most = worths.iter().copied().chain(staying).fold(self.sense.worst(), |a, b| self.sense.better(a, b));
            let worse = options.iter().zip(&worths).filter(|(_, worth)| **worth != most);
            left_out.extend(worse.filter_map(|(option, _)| Some((members.place_of(option.state)?, option.number))));
        }
        left_out.sort_unstable();
        left_out
    }
}
