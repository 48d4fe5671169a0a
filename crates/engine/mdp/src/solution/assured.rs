//! Which of the choices that bounds cannot tell apart a policy takes, so that it is worth what the bounds assure.
//!
//! Outside of cyclic parts any of them loses no more than rounding can make, once. Where play goes round a loss that no bound
//! shows adds up: a choice that leads back for all but certain, and else to less, is as good as the best by its bounds and worth
//! nothing to who follows it. So the end of the bounds that is assured (the lower one for the maximum) decides there: with end
//! components collapsed to one node each, a policy that takes in every node what is best by that end leaves the part, and is
//! worth as much.

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

    /// Whether all choices of a state that could be best assure the same.
    fn assure_the_same(&self, model: &Model, best: &ChoiceSets, state: StateId) -> bool {
        let mut worths = best.choices(model, state).map(|(_, choice)| self.of_choice(model, &choice));
        let first = worths.next();
        worths.all(|worth| Some(worth) == first)
    }

    /// The choices of a part that could be best and are not taken: of each the place of its state, and its number, in order.
    /// `collapsed` is the part before it if that says the same and has the same choices, and becomes this one.
    pub(super) fn left_out(
        &self,
        model: &Model,
        best: &ChoiceSets,
        members: CyclicPart,
        collapsed: &mut Option<Part>,
    ) -> Vec<(u32, u32)> {
        // Where all that could be best assures the same, end components are worth what every way out of them is.
        if members.iter().all(|state| best.count(state) < 2 || self.assure_the_same(model, best, state)) {
            return Vec::new();
        }
        let part = match collapsed.take() {
            Some(before) => before.moved(members),
            None => Part::new(model, members, |state, choice| best.contains(state, choice), &Budget::unlimited())
                .expect("nobody stops a budget without limits"),
        };
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
        *collapsed = Some(part);
        left_out
    }
}
