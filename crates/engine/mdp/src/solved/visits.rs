//! Where best play comes by.

use std::collections::BTreeMap;
use std::hash::Hash;

use super::{GameError, Solved};
use crate::analysis::{Forward, forward, forward_exact};
use crate::game::Game;
use crate::numbers::Probability;

/// How likely best play ever visits each state, and how often: see [`Solved::visits`].
///
/// Probabilities are exact if the game was solved exactly, otherwise in floating point without bounds.
#[derive(Clone, Debug)]
pub struct Visits<'a, G: Game> {
    solved: &'a Solved<G>,
    forward: Forward<'a>,
}

impl<G: Game> Solved<G> {
    /// Where best play comes by from the first start.
    ///
    /// # Errors
    /// [`GameError::Solve`] when a cyclic part of the policy's moves is too large for its equations within the default limits.
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
        let forward = if self.solution.is_exact() {
            forward_exact(&self.solution, self.start(), None)?
        } else {
            forward(self.solution.policy(), self.start(), None)?
        };
        Ok(Visits { solved: self, forward })
    }
}

impl<G: Game> Visits<'_, G> {
    /// The probability that play is ever in this state; 0 for a state that it never comes to.
    pub fn probability(&self, state: &G::State) -> Probability {
        self.solved.space.number_of(state).map_or_else(Probability::default, |number| self.forward.probability(number))
    }

    /// How often a play visits this state in the mean; 0 for a state that it never comes to. Where play goes round for ever
    /// the number means nothing.
    pub fn expected(&self, state: &G::State) -> f64 {
        self.solved.space.number_of(state).map_or(0.0, |number| self.forward.expected_visits(number))
    }

    /// All states that play can come to, each with the probability that it ever does.
    pub fn iter(&self) -> impl Iterator<Item = (&G::State, Probability)> + '_ {
        self.forward.iter().map(|(number, probability)| (self.solved.space.state(number), probability))
    }

    /// The finished states in which play can end, each with its probability: these sum to 1 unless play can go on for ever.
    pub fn finished(&self) -> impl Iterator<Item = (&G::State, Probability)> + '_ {
        self.forward.finished().map(|(number, probability)| (self.solved.space.state(number), probability))
    }

    /// For every key the probability that play is ever in a state of that key.
    ///
    /// # Errors
    /// As for [`Solved::visits`].
    pub fn by_key<K: Clone + Eq + Hash + Ord>(
        &self,
        key: impl Fn(&G::State) -> K,
    ) -> Result<BTreeMap<K, Probability>, GameError> {
        Ok(self.forward.by_key(|number| key(self.solved.space.state(number)))?)
    }
}
