//! Bounds of one cyclic part: in floating point, or exactly where that cannot prove any; and where values are infinite.

use rustc_hash::FxHashSet;

use crate::linear::Effort;
use crate::model::{CyclicPart, StateId};
use crate::solution::{Ends, INFINITE, InfiniteTotals, Part, SolveError};
use crate::solve::scc_bounds::{Found, bounds_of_part};
use crate::solve::{Objective, UnprovedPart};
use crate::support::id;

/// Cyclic parts of a level, where all behind it is known.
pub(super) struct Parts<'a, E, M> {
    pub(super) objective: &'a Objective<'a>,
    pub(super) ends: &'a Ends,
    /// How far bounds may be apart, as a share of the value.
    pub(super) width: f64,
    pub(super) effort: Effort<'a>,
    /// Whether some state behind has an infinite value.
    pub(super) some_infinite: bool,
    /// Solves a part exactly.
    pub(super) exact: &'a E,
    /// Whether going round for ever in a state is a way to play, if nothing is earned there.
    pub(super) may_stay: &'a M,
}

/// Bounds of states.
type StateBounds = Vec<(StateId, (f64, f64))>;

impl<E, M> Parts<'_, E, M>
where
    E: Fn(&UnprovedPart<'_>) -> Result<Vec<(f64, f64)>, SolveError>,
    M: Fn(StateId) -> bool,
{
    /// Bounds of all states of a part.
    pub(super) fn solve(&self, members: CyclicPart) -> Result<StateBounds, SolveError> {
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
        // Nobody else has to go on for ever.
        self.bounds(members, &infinite)?.ok_or(SolveError::NeverLeaves { states: id(members.size()) })
    }

    fn leads_to_infinite(&self, members: CyclicPart) -> bool {
        let mut choices = members.iter().flat_map(|state| self.objective.model.choices(state));
        choices.any(|choice| choice.targets.iter().any(|target| self.ends.is_infinite(target)))
    }

    /// For every member whether its value is infinite.
    fn infinite(&self, members: CyclicPart) -> Result<Vec<bool>, SolveError> {
        let Objective { model, sense, must_end, .. } = *self.objective;
        let allowed = |state, choice| self.objective.allows(state, choice);
        let is_infinite = |state| self.ends.is_infinite(state);
        let totals = InfiniteTotals { model, sense, must_end, allowed: &allowed, is_infinite: &is_infinite };
        Ok(totals.members(members, self.effort.budget)?)
    }

    /// Bounds of all states, of whom these are infinite; nothing where more may be.
    fn bounds(&self, members: CyclicPart, infinite: &[bool]) -> Result<Option<StateBounds>, SolveError> {
        let Self { objective, ends, effort, .. } = *self;
        let is_infinite = |place: u32| infinite.get(place as usize) == Some(&true);
        let left_out = self.choices_to_infinite(members, infinite);
        let allowed = |state, choice| {
            objective.allows(state, choice) && (infinite.is_empty() || !left_out.contains(&(state, choice)))
        };
        let part = Part::new(objective.model, members, allowed, effort.budget)?;
        let mut stays = part.stays(self.may_stay);
        for (place, state) in (0..).zip(members.iter()) {
            // What is infinite counts for nothing in the equations of the others, who do not come there.
            if let Some(node) = part.node(state).filter(|_| is_infinite(place)) {
                stays[node] = true;
            }
        }
        let nodes = match bounds_of_part(objective, &part, &stays, ends, self.width, effort)? {
            Found::Proved(nodes) => nodes,
            Found::Unproved { policy, wide } => {
                let unproved = UnprovedPart { part: &part, stays: &stays, ends, policy: policy.as_deref() };
                match ((self.exact)(&unproved), wide) {
                    // Better wide than nothing.
                    (Err(SolveError::PartTooLarge { .. }), Some(wide)) => wide,
                    (found, _) => found?,
                }
            }
            Found::MayBeInfinite => return Ok(None),
        };
        let bounds = |(place, state)| {
            let own = if is_infinite(place) { INFINITE.into() } else { nodes[part.node(state)?] };
            Some((state, own))
        };
        Ok(Some((0..).zip(members.iter()).filter_map(bounds).collect()))
    }

    /// The choices of infinite members, and those that can lead to something infinite, which no other takes.
    fn choices_to_infinite(&self, members: CyclicPart, infinite: &[bool]) -> FxHashSet<(StateId, u32)> {
        let mut found = FxHashSet::default();
        for (state, own) in members.iter().zip(infinite) {
            for (number, choice) in (0..).zip(self.objective.model.choices(state)) {
                let leads = |target| match members.place_of(target) {
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
