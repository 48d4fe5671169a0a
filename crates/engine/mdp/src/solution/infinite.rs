//! Where the expected total of rewards is infinite, and what to choose there so that it is.
//!
//! Rewards are not negative, so every play has a total, which may be infinite: a play that never ends earns again and again, or
//! nothing any more from some time on. What comes up again and again are the states of an end component, with probability 1, so
//! the graph alone decides (Puterman, *Markov Decision Processes*, 1994, chapter 7; de Alfaro, *Computing Minimum and Maximum
//! Reachability Times in Probabilistic Systems*, 1999):
//! - The largest total is infinite where some policy comes with positive probability to an end component in which something is
//!   earned.
//! - The smallest total is infinite where no policy comes with probability 1 to an end, or to an end component in which nothing
//!   is earned.
//!
//! Where play [must end](crate::SolveOptions::must_end) a play that never does counts as one that earns without end.
//!
//! A policy must do more than to take best choices there: it has to come to where something is earned, and to come to rest where
//! it is best to earn nothing more.

use budget::{Budget, Stopped};

use super::end_components::{NONE, end_components};
use super::optimal_choices::ChoiceSets;
use super::sense::Sense;
use crate::model::{Choice, CyclicPart, Model, StateId};
use crate::support::id;

/// What decides it in a strongly connected component.
pub(crate) struct InfiniteTotals<'a> {
    pub(crate) model: &'a Model,
    pub(crate) sense: Sense,
    /// Whether a play that never ends counts as one that earns without end.
    pub(crate) must_end: bool,
    /// The choices that may be taken.
    pub(crate) allowed: &'a dyn Fn(StateId, u32) -> bool,
    /// The states outside of the component of which it is known.
    pub(crate) is_infinite: &'a dyn Fn(StateId) -> bool,
}

impl InfiniteTotals<'_> {
    /// For every member whether its total is infinite.
    ///
    /// # Errors
    /// When the budget says stop.
    pub(crate) fn members(&self, part: CyclicPart, budget: &Budget<'_>) -> Result<Vec<bool>, Stopped> {
        match self.sense {
            Sense::Max => Ok(self.witnesses(part, budget)?.iter().map(Option::is_some).collect()),
            Sense::Min => self.unavoidable(part, budget),
        }
    }

    /// For every member whose largest total is infinite the choice with which it is, if the others of these are taken elsewhere.
    ///
    /// # Errors
    /// When the budget says stop.
    pub(crate) fn witnesses(&self, part: CyclicPart, budget: &Budget<'_>) -> Result<Vec<Option<u32>>, Stopped> {
        let components = end_components(self.model, part, self.allowed, true, budget)?;
        let mut witnesses: Vec<Option<u32>> = vec![None; part.size()];
        let mut queue: Vec<u32> = Vec::new();
        // The moves to every member: from where, by which choice, and whether it stays in an end component.
        let mut back: Vec<Vec<(u32, u32, bool)>> = vec![Vec::new(); part.size()];
        for (place, number, choice) in self.choices(part) {
            let stays = stays(part, &components, place, &choice);
            for to in choice.targets.iter().filter_map(|target| part.place_of(target)) {
                back[to as usize].push((place, number, stays));
            }
            if stays && (self.must_end || choice.reward.is_some()) && witnesses[place as usize].is_none() {
                witnesses[place as usize] = Some(number);
                queue.push(place);
            }
        }
        // In an end component play stays, and comes to where something is earned; from elsewhere it comes there perhaps.
        let mut inside = queue;
        search(&mut inside, &mut witnesses, &back, true);
        for (place, number, choice) in self.choices(part) {
            let leads = |target| part.place_of(target).is_none() && (self.is_infinite)(target);
            if witnesses[place as usize].is_none() && choice.targets.iter().any(leads) {
                witnesses[place as usize] = Some(number);
                inside.push(place);
            }
        }
        search(&mut inside, &mut witnesses, &back, false);
        Ok(witnesses)
    }

    /// For every member whether its smallest total is infinite.
    fn unavoidable(&self, part: CyclicPart, budget: &Budget<'_>) -> Result<Vec<bool>, Stopped> {
        let idle = end_components(self.model, part, self.allowed, false, budget)?;
        let may_stay = |place: u32| !self.must_end && idle[place as usize] != NONE;
        let mut finite = vec![true; part.size()];
        loop {
            budget.check()?;
            // Who can come to an end, by choices that surely lead to no state of infinite total.
            let mut found: Vec<Option<u32>> = vec![None; part.size()];
            let mut back: Vec<Vec<(u32, u32, bool)>> = vec![Vec::new(); part.size()];
            for (place, number, choice) in self.choices(part).filter(|(place, ..)| finite[*place as usize]) {
                let is_finite = |target| match part.place_of(target) {
                    Some(to) => finite[to as usize],
                    None => !(self.is_infinite)(target),
                };
                if choice.targets.iter().all(is_finite) {
                    for target in choice.targets.iter() {
                        match part.place_of(target) {
                            Some(to) => back[to as usize].push((place, number, true)),
                            None => found[place as usize] = Some(number),
                        }
                    }
                }
            }
            for place in 0..id(part.size()) {
                if may_stay(place) {
                    found[place as usize] = Some(0);
                }
            }
            let mut queue = (0..id(part.size())).filter(|place| found[*place as usize].is_some()).collect();
            search(&mut queue, &mut found, &back, true);
            let next: Vec<bool> = found.iter().map(Option::is_some).collect();
            if next == finite {
                return Ok(finite.into_iter().map(|finite| !finite).collect());
            }
            finite = next;
        }
    }

    /// All choices of members that may be taken, with the member's place and the number of the choice.
    fn choices(&self, part: CyclicPart) -> impl Iterator<Item = (u32, u32, Choice<'_>)> {
        (0..).zip(part.iter()).flat_map(move |(place, state)| {
            let choices = (0..).zip(self.model.choices(state));
            let own = choices.filter(move |(number, _)| (self.allowed)(state, *number));
            own.map(move |(number, choice)| (place, number, choice))
        })
    }
}

/// Which of its best choices a policy takes where values are totals.
pub(crate) struct TotalPolicy<'a> {
    pub(crate) sense: Sense,
    pub(crate) must_end: bool,
    /// Whether the value of a state is infinite.
    pub(crate) is_infinite: &'a (dyn Fn(StateId) -> bool + Sync),
    /// Whether a state is worth what it is worth to go on for ever and earn nothing.
    pub(crate) is_nothing: &'a (dyn Fn(StateId) -> bool + Sync),
}

impl TotalPolicy<'_> {
    /// Whether a policy has to see to it that a total of this part is infinite: the smallest is, whatever is taken.
    pub(super) fn some_endless(&self, part: CyclicPart) -> bool {
        self.sense == Sense::Max && part.iter().any(self.is_infinite)
    }

    /// The choices of members with which their total is infinite; nothing where none is.
    pub(super) fn endless(&self, model: &Model, best: &ChoiceSets, part: CyclicPart) -> Option<Vec<Option<u32>>> {
        let Self { sense, must_end, is_infinite, .. } = *self;
        let allowed = |state, choice| best.contains(state, choice);
        let totals = InfiniteTotals { model, sense, must_end, allowed: &allowed, is_infinite };
        // Nobody stops a budget without limits.
        self.some_endless(part).then(|| totals.witnesses(part, &Budget::unlimited()).ok())?
    }

    /// The choices with which members come to rest, where none leads out of the part; nothing where play must end. `may` says
    /// whether a member may take a choice, by its place and the choice's number.
    pub(super) fn to_rest(
        &self,
        model: &Model,
        best: &ChoiceSets,
        part: CyclicPart,
        may: &dyn Fn(u32, u32) -> bool,
    ) -> Option<Vec<Option<u32>>> {
        let is_nothing = self.is_nothing;
        let rests = |state, choice| best.contains(state, choice) && is_nothing(state);
        // Nobody stops a budget without limits.
        let idle = (!self.must_end).then(|| end_components(model, part, rests, false, &Budget::unlimited()).ok())??;
        let mut to_rest = vec![None; part.size()];
        let mut back: Vec<Vec<(u32, u32, bool)>> = vec![Vec::new(); part.size()];
        let mut queue = Vec::new();
        for (place, state) in (0..).zip(part.iter()) {
            for (number, choice) in best.choices(model, state) {
                if stays(part, &idle, place, &choice) && is_nothing(state) && choice.reward.is_none() {
                    if to_rest[place as usize].is_none() {
                        to_rest[place as usize] = Some(number);
                        queue.push(place);
                    }
                } else if may(place, number) {
                    let inside = choice.targets.iter().filter_map(|target| part.place_of(target));
                    inside.for_each(|to| back[to as usize].push((place, number, true)));
                }
            }
        }
        search(&mut queue, &mut to_rest, &back, true);
        Some(to_rest)
    }
}

/// Whether a choice of a member keeps play in the member's end component.
fn stays(part: CyclicPart, components: &[u32], place: u32, choice: &Choice<'_>) -> bool {
    let own = components[place as usize];
    let same = |target| part.place_of(target).is_some_and(|to| components[to as usize] == own);
    own != NONE && choice.targets.iter().all(same)
}

/// Breadth first, backwards: who has no choice yet gets the one that leads to a member in the queue, and stands in it from then
/// on; by moves that stay in end components alone, or by any.
fn search(queue: &mut Vec<u32>, found: &mut [Option<u32>], back: &[Vec<(u32, u32, bool)>], stays_only: bool) {
    let mut done = 0;
    while let Some(to) = queue.get(done) {
        done += 1;
        for (place, number, stays) in &back[*to as usize] {
            if (*stays || !stays_only) && found[*place as usize].is_none() {
                found[*place as usize] = Some(*number);
                queue.push(*place);
            }
        }
    }
}
