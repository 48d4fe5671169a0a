//! Fights that the engine has solved.

use std::cmp::Ordering;
use std::fmt;

use budget::{Budget, Stopped};
use mdp::{
    Distribution, ExploreError, ExploreOptions, Rational, Solution, SolveError, SolveOptions, StateId, StateSpace,
    explore, forward_exact, solve,
};

use crate::fight::{Fights, Objective};
use crate::position::Position;

/// What a position is worth under best play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worth {
    /// The expected health after the fight, where death counts 0.
    pub health: Rational,
    /// The probability to survive.
    pub survival: Rational,
}

impl Worth {
    /// What the player plays for.
    pub fn value(&self, objective: Objective) -> &Rational {
        match objective {
            Objective::Health => &self.health,
            Objective::Survival => &self.survival,
        }
    }

    /// `Greater` where this is better for the player.
    pub(crate) fn compare(&self, other: &Self, objective: Objective) -> Ordering {
        match objective {
            Objective::Health => self.health.cmp(&other.health).then_with(|| self.survival.cmp(&other.survival)),
            Objective::Survival => self.survival.cmp(&other.survival).then_with(|| self.health.cmp(&other.health)),
        }
    }
}

/// Why fights could not be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FightError {
    /// While looking for all states.
    Explore(ExploreError),
    /// While solving them.
    Solve(SolveError),
}

impl FightError {
    /// The limit or the interruption that stopped the run, if that was it.
    pub fn stopped(&self) -> Option<&Stopped> {
        match self {
            Self::Explore(ExploreError::Stopped(stopped)) => Some(stopped),
            Self::Solve(error) => error.stopped(),
            Self::Explore(_) => None,
        }
    }
}

impl fmt::Display for FightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Explore(error) => error.fmt(f),
            Self::Solve(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FightError {}

impl From<ExploreError> for FightError {
    fn from(error: ExploreError) -> Self {
        Self::Explore(error)
    }
}

impl From<SolveError> for FightError {
    fn from(error: SolveError) -> Self {
        Self::Solve(error)
    }
}

/// What a start is worth in an exact solution for this objective.
pub(crate) fn worth_of(solution: &Solution, objective: Objective, start: &Distribution<StateId>) -> Worth {
    let payoff = |number| solution.value_of_in(number, start).exact.unwrap_or_default();
    match objective {
        Objective::Health => Worth { health: payoff(0), survival: payoff(1) },
        Objective::Survival => Worth { survival: payoff(0), health: payoff(1) },
    }
}

/// Fights from several starts, explored and solved together.
pub(crate) struct SolvedFights {
    space: StateSpace<Position>,
    solution: Solution,
    pub(crate) objective: Objective,
}

impl SolvedFights {
    /// Solves the fights.
    pub(crate) fn new(fights: &Fights, options: &ExploreOptions<'_>) -> Result<Self, FightError> {
        let space = explore(fights, options)?;
        let solution = solve(space.model(), &SolveOptions::from(*options).with_exact(true))?;
        Ok(Self { space, solution, objective: fights.objective() })
    }

    /// What a start is worth.
    pub(crate) fn worth(&self, start: usize) -> Worth {
        worth_of(&self.solution, self.objective, &self.space.starts()[start])
    }

    /// The states and their values.
    pub(crate) fn into_parts(self) -> (StateSpace<Position>, Solution) {
        (self.space, self.solution)
    }

    /// Every health with which a best play from a start can end, from the lowest, and how likely.
    pub(crate) fn final_health(
        &self,
        start: usize,
        budget: Option<&Budget<'_>>,
    ) -> Result<Vec<(u16, Rational)>, FightError> {
        let played = forward_exact(&self.solution, &self.space.starts()[start], budget)?;
        let mut healths: Vec<(u16, Rational)> = played
            .finished()
            .map(|(state, probability)| (self.space.state(state).health, probability.into_exact().unwrap_or_default()))
            .collect();
        healths.sort_unstable();
        Ok(healths)
    }

    pub(crate) fn space(&self) -> &StateSpace<Position> {
        &self.space
    }

    pub(crate) fn solution(&self) -> &Solution {
        &self.solution
    }
}
