//! How a choice compares with the one that the policy takes.

use super::induced_chain::InducedChain;
use crate::model::StateId;
use crate::numbers::{Rational, Value};
use crate::solution::{Sense, Solution};

/// How a choice of a state compares with the one that the [`Policy`](crate::Policy) of a solution takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Standing {
    /// The policy takes it: following the policy from here on attains the value.
    First,
    /// No choice is better, and always taking it here, and following the policy elsewhere, attains the value as well.
    Equal,
    /// No choice is better, but always taking it here leads back for ever, and never attains the value.
    LeadsBack,
    /// Another choice is better.
    Worse,
}

impl Standing {
    /// Whether no choice is better.
    pub fn is_best(self) -> bool {
        self != Self::Worse
    }

    /// Its name in JSON and in Python: `first`, `equal`, `leads-back` or `worse`.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Equal => "equal",
            Self::LeadsBack => "leads-back",
            Self::Worse => "worse",
        }
    }

    /// A note for lists in which a star marks the best choice; `None` where the star or the value is enough.
    pub fn note(self) -> Option<&'static str> {
        match self {
            Self::First | Self::Worse => None,
            Self::Equal => Some("equal"),
            Self::LeadsBack => Some("no worse, but leads back"),
        }
    }
}

impl Solution {
    /// How a choice of a state compares with the one that the policy takes. Unless the solution [is
    /// exact](Solution::is_exact), a choice counts as no worse if its bounds overlap those of the best.
    ///
    /// ```
    /// use mdp::{ModelBuilder, Rational, SolveOptions, Standing, solve};
    ///
    /// // Wait, as long as you like, or jump: waiting for ever wins nothing.
    /// let mut builder = ModelBuilder::new();
    /// let (certain, coin) = (builder.weights(&[1])?, builder.weights(&[1, 1])?);
    /// builder.choice(certain, &[0])?;
    /// builder.choice(coin, &[1, 2])?;
    /// builder.finish_state()?;
    /// builder.finished(&[Rational::ONE])?;
    /// builder.finished(&[Rational::ZERO])?;
    /// let built = builder.build(None)?;
    /// let solution = solve(&built.model, &SolveOptions::exact())?;
    /// let start = built.number_of(0);
    /// assert_eq!(solution.standing(start, 0), Standing::LeadsBack);
    /// assert_eq!(solution.standing(start, 1), Standing::First);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// When there is no such state.
    pub fn standing(&self, state: StateId, choice: u32) -> Standing {
        if self.policy().choice(state) == Some(choice) {
            Standing::First
        } else if !self.best().contains(state, choice) {
            Standing::Worse
        } else if self.attains(state, choice) {
            Standing::Equal
        } else {
            Standing::LeadsBack
        }
    }

    /// Whether always taking one of the best choices of a state, and following the policy elsewhere, attains the value.
    fn attains(&self, state: StateId, choice: u32) -> bool {
        let model = self.model();
        let taken = |own| if own == state { Some(choice) } else { self.policy().choice(own) };
        if self.value(state).is_infinite() {
            let always = || InducedChain::new(model, state, taken, |own| self.value(own).is_infinite());
            return self.sense() == Sense::Min || always().earns_for_ever(self.must_end());
        }
        let leads = model.choice(state, choice);
        let leads = leads.into_iter().flat_map(|choice| choice.targets.iter());
        if model.rewards().is_empty() {
            return self.is_idle(state) || !self.only_leads_back(state, leads);
        }
        let Some(scc) = model.family_of(state).map(|family| family.scc_of(state)) else { return true };
        let always = InducedChain::new(model, state, taken, |own| scc.contains(own));
        !always.comes_back() || (self.is_idle(state) && always.earns_nothing())
    }

    /// Whether the value of a state is that of a play that never ends and earns nothing.
    fn is_idle(&self, state: StateId) -> bool {
        let nothing = |Value { lower, upper, exact }: Value| match exact {
            Some(exact) => exact == Rational::ZERO,
            None if self.sense() == Sense::Max => upper <= 0.0,
            None => lower >= 0.0,
        };
        !self.must_end() && (0..self.objectives()).all(|objective| nothing(self.value_in(objective, state)))
    }

    /// Whether play never leaves the component of a state if it moves from there to these states on every visit, and
    /// follows the policy elsewhere.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn only_leads_back(&self, state: StateId, leads: impl IntoIterator<Item = StateId>) -> bool {
        let model = self.model();
        let Some(scc) = model.family_of(state).map(|family| family.scc_of(state)) else { return false };
        let mut seen = vec![false; scc.size()];
        let mut open = Vec::new();
        let index = |state| scc.index_of(state).map_or(0, |index| index as usize);
        seen[index(state)] = true;
        let mut stays = |target: StateId, open: &mut Vec<StateId>| {
            let stays = scc.contains(target);
            if stays && !std::mem::replace(&mut seen[index(target)], true) {
                open.push(target);
            }
            stays
        };
        let mut is_inside = leads.into_iter().all(|target| stays(target, &mut open));
        while let Some(next) = open.pop().filter(|_| is_inside) {
            let taken = self.policy().taken(next);
            is_inside = taken.is_some_and(|choice| choice.targets.iter().all(|target| stays(target, &mut open)));
        }
        is_inside
    }
}
