//! Optimal play with a memory of the previous section.

use mdp::{Distribution, Game, SharedWeights, StateId, StateSpace, Turn, Weight};

use crate::machine::{End, Machine};
use crate::program::State;
use crate::solve::solve_error::SolveBookError;
use crate::terms::SectionNumber;

/// Explored optimal play with a memory of the previous section.
pub(super) struct Remembering<'s> {
    whole: &'s Machine,
    space: &'s StateSpace<State>,
    /// The weights of its model.
    weights: Vec<SharedWeights>,
}

/// The number of a state and the previous section.
pub(super) type Remembered = (StateId, Option<SectionNumber>);

impl<'s> Remembering<'s> {
    pub(super) fn new(whole: &'s Machine, space: &'s StateSpace<State>) -> Result<Self, SolveBookError> {
        let all = space.model().weights();
        let shared = |id| {
            let weights = (0u32..).zip(all.weight_list(id)).map(|(place, weight)| (place, Weight(weight)));
            Distribution::weighted(weights).map(|weights| weights.shared_weights())
        };
        let weights = (0..).take(all.vectors()).map(shared).collect::<Result<_, _>>();
        Ok(Self { whole, space, weights: weights.map_err(|error| SolveBookError::Engine(error.to_string()))? })
    }
}

impl Game for Remembering<'_> {
    type State = Remembered;
    type Action = ();

    fn starts(&self) -> Vec<Distribution<Remembered>> {
        self.space.starts().iter().map(|start| start.map(|number| (*number, None))).collect()
    }

    fn rules(&self, (number, before): &Remembered, turn: &mut Turn<Remembered>) {
        let Self { whole, space, weights } = self;
        let model = space.model();
        let section = whole.section(space.state(*number));
        let from = |next: StateId| {
            let state = space.state(next);
            let won_elsewhere = matches!(Machine::end(state), Some(End::Won(goal)) if goal != section);
            let moves_on = whole.enters(state) || won_elsewhere;
            (next, if moves_on { Some(section) } else { *before })
        };
        match model.choices(*number).next() {
            Some(choice) => {
                turn.chance_with(&weights[choice.weights as usize], choice.targets.iter().map(from));
            }
            // Payoffs are not needed here.
            None => turn.end(0),
        }
    }
}
