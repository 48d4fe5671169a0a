//! One simulated play.

use super::Solved;
use crate::analysis::Dice;
use crate::game::Game;
use crate::model::StateId;
use crate::numbers::Rational;

/// One step of a play: the state, and what the player did there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<S, A> {
    /// The state.
    pub state: S,
    /// The player's action; `None` where the choice has no name, and where play is over.
    pub action: Option<A>,
    /// What was earned here, in the unit of the payoffs: the choice's reward, or the first payoff of a finished state.
    pub earned: Rational,
}

/// A simulation of best play, step by step, without end if play never ends: see [`Solved::play`].
#[derive(Clone, Debug)]
pub struct Play<'a, G: Game> {
    solved: &'a Solved<G>,
    dice: Dice,
    /// The current state.
    state: Option<StateId>,
}

impl<G: Game> Solved<G> {
    /// Simulates best play once from the first start, with random numbers that the seed determines: the same seed gives
    /// the same play on every machine. The last step is the finished state.
    ///
    /// Of several best actions it takes the one that the rule of [`Policy`](crate::Policy) selects, which attains the
    /// value; of those with overlapping bounds in floating point one whose value is within the bounds.
    ///
    /// A play that never ends has no last step: take as many as you want to see. For the mean of many plays there is
    /// [`simulate`](crate::simulate()).
    ///
    /// ```
    /// # use mdp::{Distribution, Game, Rational, Turn};
    /// # struct Walk;
    /// # impl Game for Walk {
    /// #     type State = u8;
    /// #     type Action = &'static str;
    /// #     fn starts(&self) -> Vec<Distribution<u8>> {
    /// #         vec![Distribution::certain(1)]
    /// #     }
    /// #     fn rules(&self, place: &u8, turn: &mut Turn<u8, &'static str>) {
    /// #         match place {
    /// #             0 | 3 => turn.end(u8::from(*place == 3)),
    /// #             _ => turn.choice("walk").uniform([place - 1, place + 1]),
    /// #         }
    /// #     }
    /// # }
    /// // A walk to the left or to the right from place 1, each with probability 1/2: won at 3, lost at 0.
    /// let solved = mdp::solve_game(&Walk)?;
    /// let play: Vec<_> = solved.play(7).collect();
    /// let (first, last) = (&play[0], &play[play.len() - 1]);
    /// assert_eq!((first.state, first.action), (1, Some("walk")));
    /// assert!([0, 3].contains(&last.state) && last.action.is_none());
    /// assert_eq!(last.earned, Rational::from(last.state / 3));
    /// # Ok::<(), mdp::GameError>(())
    /// ```
    pub fn play(&self, seed: u64) -> Play<'_, G> {
        let mut dice = Dice::new(seed, 0);
        let state = Some(*dice.draw(self.start()));
        Play { solved: self, dice, state }
    }

    /// What best play does in a state.
    pub(super) fn step(&self, number: StateId) -> Step<G::State, G::Action> {
        let (model, state) = (self.space.model(), self.space.state(number));
        let policy = self.solution.policy();
        let action =
            policy.choice(number).and_then(|choice| self.game.actions(state).into_iter().nth(choice as usize)?);
        let reward = policy.taken(number).and_then(|choice| choice.reward);
        let reward = reward.map(|reward| &model.rewards()[reward as usize]);
        let earned = reward.or_else(|| model.payoff(number)?.first()).cloned().unwrap_or(Rational::ZERO);
        Step { state: state.clone(), action, earned }
    }
}

impl<G: Game> Iterator for Play<'_, G> {
    type Item = Step<G::State, G::Action>;

    fn next(&mut self) -> Option<Self::Item> {
        let state = self.state.take()?;
        let policy = self.solved.solution.policy();
        self.state = policy.taken(state).map(|choice| self.dice.next(policy.model(), &choice));
        Some(self.solved.step(state))
    }
}
