//! Visits of states under best play.

use std::collections::BTreeMap;
use std::hash::Hash;

use super::{GameError, Solved};
use crate::analysis::{Groups, VisitProbabilities, exact_visit_probabilities, visit_probabilities};
use crate::game::Game;
use crate::numbers::Probability;

/// The probability that best play ever visits each state, and the expected number of visits: see [`Solved::visits`].
///
/// Probabilities are exact if the game was solved exactly, otherwise in floating point without bounds.
#[derive(Clone, Debug)]
pub struct Visits<'a, G: Game> {
    solved: &'a Solved<G>,
    visit_probabilities: VisitProbabilities<'a>,
}

impl<G: Game> Solved<G> {
    /// Visits of states under best play from the first start.
    ///
    /// # Errors
    /// [`GameError::Solve`] when a component of the policy's moves is too large for its equations within the default
    /// limits.
    ///
    /// ```
    /// # use mdp::{Distribution, Game, SolveOptions, Turn, ratio};
    /// # struct Walk;
    /// # impl Game for Walk {
    /// #     type State = u8;
    /// #     type Action = ();
    /// #     fn starts(&self) -> Vec<Distribution<u8>> {
    /// #         vec![Distribution::certain(1)]
    /// #     }
    /// #     fn rules(&self, place: &u8, turn: &mut Turn<u8>) {
    /// #         match place {
    /// #             0 | 3 => turn.end(u8::from(*place == 3)),
    /// #             _ => turn.uniform([place - 1, place + 1]),
    /// #         }
    /// #     }
    /// # }
    /// // A walk to the left or to the right from place 1, each with probability 1/2: won at 3, lost at 0.
    /// let solved = mdp::solve_game_with(&Walk, &SolveOptions::exact())?;
    /// let visits = solved.visits()?;
    /// assert_eq!(visits.probability(&2).into_exact(), Some(ratio(1, 2)));
    /// assert_eq!(visits.expected(&1), 4.0 / 3.0);
    /// let ends = visits.by_key(|place| [0, 3].contains(place).then_some(*place))?;
    /// assert_eq!(ends[&Some(3)].exact(), Some(&ratio(1, 3)));
    /// # Ok::<(), mdp::GameError>(())
    /// ```
    pub fn visits(&self) -> Result<Visits<'_, G>, GameError> {
        let visit_probabilities = if self.solution.is_exact() {
            exact_visit_probabilities(&self.solution, self.start(), None)?
        } else {
            visit_probabilities(self.solution.policy(), self.start(), None)?
        };
        Ok(Visits { solved: self, visit_probabilities })
    }
}

impl<G: Game> Visits<'_, G> {
    /// The probability that play ever visits this state; 0 for a state that it never reaches.
    pub fn probability(&self, state: &G::State) -> Probability {
        self.solved
            .space
            .number_of(state)
            .map_or_else(Probability::default, |number| self.visit_probabilities.probability(number))
    }

    /// The expected number of visits to this state; 0 for a state that play never reaches. It is meaningless for states
    /// of a cycle that play never leaves.
    pub fn expected(&self, state: &G::State) -> f64 {
        self.solved.space.number_of(state).map_or(0.0, |number| self.visit_probabilities.expected_visits(number))
    }

    /// All states that play can reach, each with the probability that it ever does.
    pub fn iter(&self) -> impl Iterator<Item = (&G::State, Probability)> + '_ {
        self.visit_probabilities.iter().map(|(number, probability)| (self.solved.space.state(number), probability))
    }

    /// The finished states in which play can end, each with its probability: these sum to 1 unless play can go on for ever.
    pub fn finished(&self) -> impl Iterator<Item = (&G::State, Probability)> + '_ {
        self.visit_probabilities.finished().map(|(number, probability)| (self.solved.space.state(number), probability))
    }

    /// For every key the probability that play ever visits a state of that key.
    ///
    /// # Errors
    /// As for [`Solved::visits`].
    pub fn by_key<K: Clone + Eq + Hash + Ord>(
        &self,
        key: impl Fn(&G::State) -> K,
    ) -> Result<BTreeMap<K, Probability>, GameError> {
        Ok(self.visit_probabilities.by_key(|number| key(self.solved.space.state(number)))?)
    }

    /// For every key the probability that best play ever visits a state of that key, and the value of the state by which it
    /// first does, on average.
    ///
    /// # Errors
    /// As for [`Solved::visits`].
    pub fn worth_by_key<K: Clone + Eq + Hash + Ord + Send>(
        &self,
        key: impl Fn(&G::State) -> K,
    ) -> Result<BTreeMap<K, (Probability, f64)>, GameError> {
        let solution = &self.solved.solution;
        let groups = Groups::new(solution.model(), |number| key(self.solved.space.state(number)));
        Ok(self.visit_probabilities.worth_by_group(&groups, |number| solution.value(number).decimal())?)
    }
}
