//! Bounds of one component: in floating point, or exactly where that cannot prove any; and which values are infinite.

use rustc_hash::FxHashSet;

use crate::linear::Effort;
use crate::model::{Scc, StateId};
use crate::solution::{CollapsedScc, Ends, INFINITE, InfiniteTotals, SolveError};
use crate::solve::scc_bounds::{FloatBounds, bounds_of_scc};
use crate::solve::{Objective, UnprovedScc};
use crate::support::id;

/// The components of a level, when the values of all lower levels are known.
pub(super) struct LevelSccs<'a, E, M> {
    pub(super) objective: &'a Objective<'a>,
    pub(super) ends: &'a Ends,
    /// The largest difference between bounds, as a share of the value.
    pub(super) width: f64,
    pub(super) effort: Effort<'a>,
    /// Whether some state of a lower level has an infinite value.
    pub(super) some_infinite: bool,
    /// Solves a component exactly.
    pub(super) exact: &'a E,
    /// Whether staying in a state for ever is allowed, if it has no reward.
    pub(super) may_stay: &'a M,
}

/// Bounds of states.
type StateBounds = Vec<(StateId, (f64, f64))>;

impl<E, M> LevelSccs<'_, E, M>
where
    E: Fn(&UnprovedScc<'_>) -> Result<Vec<(f64, f64)>, SolveError>,
    M: Fn(StateId) -> bool,
{
    /// Bounds of all states of a component.
    pub(super) fn solve(&self, members: Scc) -> Result<StateBounds, SolveError> {
        self.effort.budget.check()?;
        let known =
            if self.some_infinite && self.leads_to_infinite(members) { None } else { self.bounds(members, &[])? };
        if let Some(bounds) = known {
            return Ok(bounds);
        }
        let infinite = self.infinite(members)?;
        if !infinite.contains(&false) {
            return Ok(members.iter().map(|state| (state, INFINITE.into())).collect());
        }
        // No other state must go on for ever.
        self.bounds(members, &infinite)?.ok_or(SolveError::NeverLeaves { states: id(members.size()) })
    }

    fn leads_to_infinite(&self, members: Scc) -> bool {
        let mut choices = members.iter().flat_map(|state| self.objective.model.choices(state));
        choices.any(|choice| choice.targets.iter().any(|target| self.ends.is_infinite(target)))
    }

    /// For every member whether its value is infinite.
    fn infinite(&self, members: Scc) -> Result<Vec<bool>, SolveError> {
        let Objective { model, sense, must_end, .. } = *self.objective;
        let allowed = |state, choice| self.objective.allows(state, choice);
        let is_infinite = |state| self.ends.is_infinite(state);
        let totals = InfiniteTotals { model, sense, must_end, allowed: &allowed, is_infinite: &is_infinite };
        Ok(totals.members(members, self.effort.budget)?)
    }

    /// Bounds of all states, of which the `infinite` ones are known to be; `None` where more may be.
    fn bounds(&self, members: Scc, infinite: &[bool]) -> Result<Option<StateBounds>, SolveError> {
        let Self { objective, ends, effort, .. } = *self;
        let is_infinite = |index: u32| infinite.get(index as usize) == Some(&true);
        let left_out = self.choices_to_infinite(members, infinite);
        let allowed = |state, choice| {
            objective.allows(state, choice) && (infinite.is_empty() || !left_out.contains(&(state, choice)))
        };
        let scc = CollapsedScc::new(objective.model, members, allowed, effort.budget)?;
        let mut stays = scc.stays(self.may_stay);
        for (index, state) in (0..).zip(members.iter()) {
            // Infinite members have no place in the equations of the others, which never reach them.
            if let Some(node) = scc.node(state).filter(|_| is_infinite(index)) {
                stays[node] = true;
            }
        }
        let nodes = match bounds_of_scc(objective, &scc, &stays, ends, self.width, effort)? {
            FloatBounds::Proved(nodes) => nodes,
            FloatBounds::Unproved { policy, wide } => {
                let unproved = UnprovedScc { scc: &scc, stays: &stays, ends, policy: policy.as_deref() };
                match ((self.exact)(&unproved), wide) {
                    // Wide bounds are better than none.
                    (Err(SolveError::SccTooLarge { .. }), Some(wide)) => wide,
                    (found, _) => found?,
                }
            }
            FloatBounds::MayBeInfinite => return Ok(None),
        };
        let bounds = |(index, state)| {
            let own = if is_infinite(index) { INFINITE.into() } else { nodes[scc.node(state)?] };
            Some((state, own))
        };
        Ok(Some((0..).zip(members.iter()).filter_map(bounds).collect()))
    }

    /// The choices of infinite members, and those that can lead to an infinite state, which no other member takes.
    fn choices_to_infinite(&self, members: Scc, infinite: &[bool]) -> FxHashSet<(StateId, u32)> {
        let mut found = FxHashSet::default();
        for (state, own) in members.iter().zip(infinite) {
            for (number, choice) in (0..).zip(self.objective.model.choices(state)) {
                let leads = |target| match members.index_of(target) {
                    Some(to) => infinite[to as usize],
                    None => self.ends.is_infinite(target),
                };
                if *own || choice.targets.iter().any(leads) {
                    found.insert((state, number));
                }
            }
        }
        found
    }
}
