//! The length of a play: the mean and deviation of the number of sections or rolls.

use mdp::{Distribution, ExploreOptions, Game, Policy, SolveOptions, Turn, Value, explore, solve, visit_probabilities};

use super::solve_error::SolveBookError;
use crate::machine::{Machine, Move};
use crate::program::State;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    /// Sections entered, including the first.
    Sections,
    /// Rolls: picks, throws (of any number of dice), rounds of fights, and draws.
    Rolls,
}

/// How often something happens in a play.
#[derive(Clone, Debug)]
pub struct Length {
    /// The mean.
    pub mean: Value,
    /// The standard deviation.
    pub deviation: f64,
}

/// A game without decisions: `choose` answers the questions.
pub(crate) struct PolicyGame<'m, C = fn(&State, &[Move]) -> usize> {
    machine: &'m Machine,
    choose: C,
    /// Each of these earns 1; nothing else earns anything.
    counts: Option<Counted>,
}

impl<'m> PolicyGame<'m> {
    /// A game that asks no questions.
    pub(crate) fn new(machine: &'m Machine, counts: Option<Counted>) -> Self {
        Self { machine, choose: |_, _| 0, counts }
    }
}

impl<'m, C: Fn(&State, &[Move]) -> usize + Sync> PolicyGame<'m, C> {
    /// A game in which `choose` answers.
    pub(crate) fn answered(machine: &'m Machine, choose: C, counts: Option<Counted>) -> Self {
        Self { machine, choose, counts }
    }
}

impl<C: Fn(&State, &[Move]) -> usize + Sync> Game for PolicyGame<'_, C> {
    type State = State;
    type Action = ();

    fn starts(&self) -> Vec<Distribution<State>> {
        vec![Distribution::certain(self.machine.first())]
    }

    fn rules(&self, state: &State, turn: &mut Turn<State>) {
        if let Some(counts) = self.counts {
            if Machine::end(state).is_some() {
                turn.end(0);
                return;
            }
            let counted = match counts {
                Counted::Sections => self.machine.enters(state),
                Counted::Rolls => self.machine.rolls(state),
            };
            if counted {
                turn.earn(1);
            }
        }
        self.machine.follow_one(state, turn, &self.choose);
    }
}

/// The length of a play; `None` if it may be infinite.
pub(crate) fn counted<C: Fn(&State, &[Move]) -> usize + Sync>(
    game: &PolicyGame<'_, C>,
    exact: bool,
    options: &ExploreOptions<'_>,
) -> Result<Option<Length>, SolveBookError> {
    let space = explore(game, options)?;
    let start = &space.starts()[0];
    // A play that never ends counts without limit.
    let must_end = !space.model().rewards().is_empty();
    let solve_options = SolveOptions::from(*options).with_exact(exact).with_must_end(must_end);
    let solution = match solve(space.model(), &solve_options) {
        Ok(solution) => solution,
        Err(error) if error.stopped().is_some() => return Err(error.into()),
        Err(_) => return Ok(None),
    };
    let mean = solution.value_of(start);
    if mean.is_infinite() {
        return Ok(None);
    }
    let Some(policy) = Policy::new(space.model(), |_| 0) else { return Ok(None) };
    // The square of a sum is the sum over its terms of each term squared and twice its product with all later terms.
    let mut square = 0.0;
    for (state, visits) in visit_probabilities(&policy, start, options.budget)?.visits() {
        let own = match game.counts {
            Some(Counted::Sections) => game.machine.enters(space.state(state)),
            Some(Counted::Rolls) => game.machine.rolls(space.state(state)),
            None => false,
        };
        if own {
            square += visits * (2.0 * solution.value(state).decimal() - 1.0);
        }
    }
    let deviation = (square - mean.decimal() * mean.decimal()).max(0.0).sqrt();
    Ok(Some(Length { mean, deviation }))
}
