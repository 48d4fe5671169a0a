//! Where the expected total of rewards is infinite, and which choices make it so.
//!
//! Rewards are not negative, so every play has a total, which may be infinite: a play that never ends earns again and
//! again, or earns nothing from some step on. With probability 1 the states that it visits again and again are those of
//! an end component, so the graph alone decides (Puterman, *Markov Decision Processes*, 1994, chapter 7; de Alfaro,
//! *Computing Minimum and Maximum Reachability Times in Probabilistic Systems*, 1999):
//! - The largest total is infinite where some policy reaches with positive probability an end component with rewards.
//! - The smallest total is infinite where no policy reaches with probability 1 an end, or an end component without
//!   rewards.
//!
//! Where play [must end](crate::SolveOptions::must_end) a play that never does counts as earning without end.
//!
//! There it is not enough that a policy takes best choices: it must also reach the rewards, and stay without rewards
//! where that is best.

use budget::{Budget, Stopped};

use super::end_components::{NONE, end_components};
use super::optimal_choices::ChoiceSets;
use super::sense::Sense;
use crate::model::{Choice, Model, Scc, StateId};
use crate::support::id;

/// Decides which totals are infinite in a strongly connected component.
pub(crate) struct InfiniteTotals<'a> {
    pub(crate) model: &'a Model,
    pub(crate) sense: Sense,
    /// Whether a play that never ends counts as earning without end.
    pub(crate) must_end: bool,
    /// The choices that are allowed.
    pub(crate) allowed: &'a dyn Fn(StateId, u32) -> bool,
    /// Whether the total of a state outside of the component is infinite.
    pub(crate) is_infinite: &'a dyn Fn(StateId) -> bool,
}

impl InfiniteTotals<'_> {
    /// For every member whether its total is infinite.
    ///
    /// # Errors
    /// When the budget stops the run.
    pub(crate) fn members(&self, scc: Scc, budget: &Budget<'_>) -> Result<Vec<bool>, Stopped> {
        match self.sense {
            Sense::Max => Ok(self.witnesses(scc, budget)?.iter().map(Option::is_some).collect()),
            Sense::Min => self.unavoidable(scc, budget),
        }
    }

    /// For every member whose largest total is infinite the choice that makes it so, if the others take theirs.
    ///
    /// # Errors
    /// When the budget stops the run.
    pub(crate) fn witnesses(&self, scc: Scc, budget: &Budget<'_>) -> Result<Vec<Option<u32>>, Stopped> {
        let components = end_components(self.model, scc, self.allowed, true, budget)?;
        let mut witnesses: Vec<Option<u32>> = vec![None; scc.size()];
        let mut queue: Vec<u32> = Vec::new();
        // The moves to every member: from which, by which choice, and whether it stays in an end component.
        let mut back: Vec<Vec<(u32, u32, bool)>> = vec![Vec::new(); scc.size()];
        for (index, number, choice) in self.choices(scc) {
            let stays = stays(scc, &components, index, &choice);
            for to in choice.targets.iter().filter_map(|target| scc.index_of(target)) {
                back[to as usize].push((index, number, stays));
            }
            if stays && (self.must_end || choice.reward.is_some()) && witnesses[index as usize].is_none() {
                witnesses[index as usize] = Some(number);
                queue.push(index);
            }
        }
        // Within an end component play is certain to reach a reward; from elsewhere it reaches one perhaps.
        let mut inside = queue;
        search(&mut inside, &mut witnesses, &back, true);
        for (index, number, choice) in self.choices(scc) {
            let leads = |target| scc.index_of(target).is_none() && (self.is_infinite)(target);
            if witnesses[index as usize].is_none() && choice.targets.iter().any(leads) {
                witnesses[index as usize] = Some(number);
                inside.push(index);
            }
        }
        search(&mut inside, &mut witnesses, &back, false);
        Ok(witnesses)
    }

    /// For every member whether its smallest total is infinite.
    fn unavoidable(&self, scc: Scc, budget: &Budget<'_>) -> Result<Vec<bool>, Stopped> {
        let idle = end_components(self.model, scc, self.allowed, false, budget)?;
        let may_stay = |index: u32| !self.must_end && idle[index as usize] != NONE;
        let mut finite = vec![true; scc.size()];
        loop {
            budget.check()?;
            // Members that can reach an end, by choices that surely lead to no state of infinite total.
            let mut found: Vec<Option<u32>> = vec![None; scc.size()];
            let mut back: Vec<Vec<(u32, u32, bool)>> = vec![Vec::new(); scc.size()];
            for (index, number, choice) in self.choices(scc).filter(|(index, ..)| finite[*index as usize]) {
                let is_finite = |target| match scc.index_of(target) {
                    Some(to) => finite[to as usize],
                    None => !(self.is_infinite)(target),
                };
                if choice.targets.iter().all(is_finite) {
                    for target in choice.targets.iter() {
                        match scc.index_of(target) {
                            Some(to) => back[to as usize].push((index, number, true)),
                            None => found[index as usize] = Some(number),
                        }
                    }
                }
            }
            for index in 0..id(scc.size()) {
                if may_stay(index) {
                    found[index as usize] = Some(0);
                }
            }
            let mut queue = (0..id(scc.size())).filter(|index| found[*index as usize].is_some()).collect();
            search(&mut queue, &mut found, &back, true);
            let next: Vec<bool> = found.iter().map(Option::is_some).collect();
            if next == finite {
                return Ok(finite.into_iter().map(|finite| !finite).collect());
            }
            finite = next;
        }
    }

    /// All allowed choices of members, with the member's index and the number of the choice.
    fn choices(&self, scc: Scc) -> impl Iterator<Item = (u32, u32, Choice<'_>)> {
        (0..).zip(scc.iter()).flat_map(move |(index, state)| {
            let choices = (0..).zip(self.model.choices(state));
            let own = choices.filter(move |(number, _)| (self.allowed)(state, *number));
            own.map(move |(number, choice)| (index, number, choice))
        })
    }
}

/// Which of its best choices a policy takes where values are totals.
pub(crate) struct TotalPolicy<'a> {
    pub(crate) sense: Sense,
    pub(crate) must_end: bool,
    /// Whether the value of a state is infinite.
    pub(crate) is_infinite: &'a (dyn Fn(StateId) -> bool + Sync),
    /// Whether the value of a state is that of going on for ever without rewards.
    pub(crate) is_nothing: &'a (dyn Fn(StateId) -> bool + Sync),
}

impl TotalPolicy<'_> {
    /// Whether a policy must make a total of this component infinite. (The smallest total is infinite whatever is
    /// taken.)
    pub(super) fn some_endless(&self, scc: Scc) -> bool {
        self.sense == Sense::Max && scc.iter().any(self.is_infinite)
    }

    /// The choices of members that make their total infinite; `None` where none is.
    pub(super) fn endless(&self, model: &Model, best: &ChoiceSets, scc: Scc) -> Option<Vec<Option<u32>>> {
        let Self { sense, must_end, is_infinite, .. } = *self;
        let allowed = |state, choice| best.contains(state, choice);
        let totals = InfiniteTotals { model, sense, must_end, allowed: &allowed, is_infinite };
        // A budget without limits never stops.
        self.some_endless(scc).then(|| totals.witnesses(scc, &Budget::unlimited()).ok())?
    }

    /// The choices with which members reach a set of states that they never leave and that earns nothing, where none
    /// leads out of the component; `None` where play must end. `may` tells whether a member may take a choice, by its
    /// index and the choice's number.
    pub(super) fn to_idle(
        &self,
        model: &Model,
        best: &ChoiceSets,
        scc: Scc,
        may: &dyn Fn(u32, u32) -> bool,
    ) -> Option<Vec<Option<u32>>> {
        let is_nothing = self.is_nothing;
        let stays_idle = |state, choice| best.contains(state, choice) && is_nothing(state);
        // A budget without limits never stops.
        let idle =
            (!self.must_end).then(|| end_components(model, scc, stays_idle, false, &Budget::unlimited()).ok())??;
        let mut to_idle = vec![None; scc.size()];
        let mut back: Vec<Vec<(u32, u32, bool)>> = vec![Vec::new(); scc.size()];
        let mut queue = Vec::new();
        for (index, state) in (0..).zip(scc.iter()) {
            for (number, choice) in best.choices(model, state) {
                if stays(scc, &idle, index, &choice) && is_nothing(state) && choice.reward.is_none() {
                    if to_idle[index as usize].is_none() {
                        to_idle[index as usize] = Some(number);
                        queue.push(index);
                    }
                } else if may(index, number) {
                    let inside = choice.targets.iter().filter_map(|target| scc.index_of(target));
                    inside.for_each(|to| back[to as usize].push((index, number, true)));
                }
            }
        }
        search(&mut queue, &mut to_idle, &back, true);
        Some(to_idle)
    }
}

/// Whether a choice of a member keeps play in the member's end component.
fn stays(scc: Scc, components: &[u32], index: u32, choice: &Choice<'_>) -> bool {
    let own = components[index as usize];
    let same = |target| scc.index_of(target).is_some_and(|to| components[to as usize] == own);
    own != NONE && choice.targets.iter().all(same)
}

/// Breadth first, backwards: a member without a choice takes the one that leads to a member in the queue, and joins it;
/// either only by moves that stay in end components, or by any.
fn search(queue: &mut Vec<u32>, found: &mut [Option<u32>], back: &[Vec<(u32, u32, bool)>], stays_only: bool) {
    let mut done = 0;
    while let Some(to) = queue.get(done) {
        done += 1;
        for (index, number, stays) in &back[*to as usize] {
            if (*stays || !stays_only) && found[*index as usize].is_none() {
                found[*index as usize] = Some(*number);
                queue.push(*index);
            }
        }
    }
}
