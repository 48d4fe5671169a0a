//! A solved game: questions are about states, and answers are actions and values.

mod error;
mod path;
mod play;
mod visits;

pub use error::GameError;
pub use path::Path;
pub use play::{Play, Step};
pub use visits::Visits;

use crate::analysis::{Standing, advise};
use crate::explore::{ExploreOptions, explore, shown};
use crate::game::Game;
use crate::model::{Distribution, StateId, StateSpace};
use crate::numbers::{Rational, Value};
use crate::solution::Solution;
use crate::solve::{SolveOptions, solve};

/// Explores and solves a game, with the default options: values are proven bounds in floating point that agree in about
/// nine digits; limits are those of [`Budget::default`](budget::Budget).
///
/// The game is moved or borrowed: `solve_game(&game)` works as well, since a reference to a game is a game.
///
/// # Errors
/// When the rules contradict themselves ([`GameError::Explore`]), or the game is too large for the limits.
///
/// ```
/// use mdp::{Distribution, Game, Turn, solve_game};
///
/// /// Throw a die, at most three times, and take what it shows last.
/// struct ThreeThrows;
///
/// impl Game for ThreeThrows {
///     /// What the die shows (0 before the first throw), and how many throws are left; nothing when it is over.
///     type State = (u8, Option<u8>);
///     type Action = &'static str;
///
///     fn starts(&self) -> Vec<Distribution<Self::State>> {
///         vec![Distribution::certain((0, Some(3)))]
///     }
///
///     fn rules(&self, &(shown, left): &Self::State, turn: &mut Turn<Self::State, &'static str>) {
///         let Some(left) = left else { return turn.end(shown) };
///         if left > 0 {
///             turn.choice("throw").uniform((1..=6).map(|eyes| (eyes, Some(left - 1))));
///         }
///         turn.choice("take").to((shown, None));
///     }
/// }
///
/// let solved = solve_game(&ThreeThrows)?;
/// assert!((solved.start_value().decimal() - 14.0 / 3.0).abs() < 1e-9);
/// assert_eq!(solved.best(&(4, Some(2)))?, ["throw"]);
/// assert_eq!(solved.best(&(4, Some(1)))?, ["take"]);
/// # Ok::<(), mdp::GameError>(())
/// ```
pub fn solve_game<G: Game>(game: G) -> Result<Solved<G>, GameError> {
    solve_game_with(game, &SolveOptions::default())
}

/// Explores and solves a game with these options: exactly, for the least value, within a budget, with a number of
/// threads.
///
/// # Errors
/// When the rules contradict themselves ([`GameError::Explore`]), or as for [`solve`] ([`GameError::Solve`]).
///
/// ```
/// use mdp::{Distribution, Game, Sense, SolveOptions, Turn, ratio, solve_game_with};
///
/// /// Throws of a coin until it shows heads.
/// struct Coin;
///
/// impl Game for Coin {
///     /// Whether it has shown heads.
///     type State = bool;
///     type Action = ();
///
///     fn starts(&self) -> Vec<Distribution<bool>> {
///         vec![Distribution::certain(false)]
///     }
///
///     fn rules(&self, heads: &bool, turn: &mut Turn<bool>) {
///         if *heads { turn.end(0) } else { turn.earn(1).uniform([false, true]) }
///     }
/// }
///
/// let solved = solve_game_with(&Coin, &SolveOptions::exact().with_sense(Sense::Min))?;
/// assert_eq!(solved.start_value().exact, Some(ratio(2, 1)));
/// # Ok::<(), mdp::GameError>(())
/// ```
pub fn solve_game_with<G: Game>(game: G, options: &SolveOptions<'_>) -> Result<Solved<G>, GameError> {
    let SolveOptions { budget, threads, .. } = *options;
    let space = explore(&game, &ExploreOptions { budget, threads })?;
    let solution = solve(space.model(), options)?;
    Ok(Solved { game, space, solution })
}

/// A game with all its states and their solution: the value of every state under best play, the best actions, and how
/// play goes. [`solve_game`] makes it.
///
/// States and actions are the game's own here. For numbers in place of them, arrays, files or several objectives, use
/// the [`space`](Self::space) and the [`solution`](Self::solution).
///
/// Values are in the unit of the game's payoffs and rewards (a payoff of 1 for a win and 0 for a loss makes them
/// probabilities); where payoffs are ordered ([`Turn::end_ordered`](crate::Turn::end_ordered)) they are those of the first.
#[derive(Debug)]
pub struct Solved<G: Game> {
    game: G,
    space: StateSpace<G::State>,
    solution: Solution,
}

/// One choice of a state, and its value if play is optimal afterwards.
#[derive(Clone, Debug, PartialEq)]
pub struct SolvedChoice<S, A> {
    /// The game's name for it; `None` for a choice without a name.
    pub action: Option<A>,
    /// Its value, including its reward, in the unit of the payoffs.
    pub value: Value,
    /// Whether it is best, and whether always taking it attains the value.
    pub standing: Standing,
    /// Its reward, at least 0.
    pub reward: Rational,
    /// Its outcomes.
    pub outcomes: Distribution<S>,
}

/// All choices of a state of a game.
type SolvedChoices<G> = Vec<SolvedChoice<<G as Game>::State, <G as Game>::Action>>;

impl<G: Game> Solved<G> {
    /// The value of the first start under best play: the mean over the states in which play begins.
    ///
    /// [`Value::exact`] is set if the game was solved exactly. For other starts call [`Solution::value_of`] with one of
    /// [`StateSpace::starts`].
    pub fn start_value(&self) -> Value {
        self.solution.value_of(self.start())
    }

    /// The value of a state under best play: the expected total from there on.
    ///
    /// # Errors
    /// [`GameError::UnknownState`] for a state that cannot be reached.
    ///
    /// ```
    /// # use mdp::{Distribution, Game, Turn};
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
    /// let solved = mdp::solve_game(&Walk)?;
    /// assert!((solved.value(&2)?.decimal() - 2.0 / 3.0).abs() < 1e-9);
    /// assert!(solved.value(&4).is_err());
    /// # Ok::<(), mdp::GameError>(())
    /// ```
    pub fn value(&self, state: &G::State) -> Result<Value, GameError> {
        Ok(self.solution.value(self.number(state)?))
    }

    /// All best actions of a state: first the one to take, then what is no worse, in the order of the rules. Empty for a
    /// finished state; a choice without a name is left out.
    ///
    /// They are proved to be best: where the bounds of two actions overlap, the states that can be reached from this
    /// one are solved exactly. Mixing them at random attains the value; always taking one that [leads
    /// back](Standing::LeadsBack) need not, see [`choices`](Self::choices).
    ///
    /// # Errors
    /// [`GameError::UnknownState`] for a state that cannot be reached; [`GameError::Solve`] when the states to be
    /// solved exactly are too many for the default limits.
    ///
    /// ```
    /// # use mdp::{Distribution, Game, Turn};
    /// # struct Doors;
    /// # impl Game for Doors {
    /// #     type State = u8;
    /// #     type Action = &'static str;
    /// #     fn starts(&self) -> Vec<Distribution<u8>> {
    /// #         vec![Distribution::certain(0)]
    /// #     }
    /// #     fn rules(&self, room: &u8, turn: &mut Turn<u8, &'static str>) {
    /// #         match room {
    /// #             0 => {
    /// #                 turn.choice("left").to(1);
    /// #                 turn.choice("middle").uniform([1, 2]);
    /// #                 turn.choice("right").to(1);
    /// #             }
    /// #             _ => turn.end(2 - room),
    /// #         }
    /// #     }
    /// # }
    /// // Two of three doors lead to the treasure for certain.
    /// let solved = mdp::solve_game(&Doors)?;
    /// assert_eq!(solved.best(&0)?, ["left", "right"]);
    /// # Ok::<(), mdp::GameError>(())
    /// ```
    pub fn best(&self, state: &G::State) -> Result<Vec<G::Action>, GameError> {
        let choices = self.choices(state)?;
        Ok(choices.into_iter().filter(|choice| choice.standing.is_best()).filter_map(|choice| choice.action).collect())
    }

    /// Every choice of a state with its value: first the one to take, then what is no worse, then the rest, the better before
    /// the worse. Empty for a finished state.
    ///
    /// # Errors
    /// As for [`best`](Self::best).
    ///
    /// ```
    /// # use mdp::{Distribution, Game, Turn};
    /// # struct Doors;
    /// # impl Game for Doors {
    /// #     type State = u8;
    /// #     type Action = &'static str;
    /// #     fn starts(&self) -> Vec<Distribution<u8>> {
    /// #         vec![Distribution::certain(0)]
    /// #     }
    /// #     fn rules(&self, room: &u8, turn: &mut Turn<u8, &'static str>) {
    /// #         match room {
    /// #             0 => {
    /// #                 turn.choice("left").uniform([1, 2]);
    /// #                 turn.choice("right").to(1);
    /// #             }
    /// #             _ => turn.end(2 - room),
    /// #         }
    /// #     }
    /// # }
    /// // The treasure lies in room 1.
    /// let choices = mdp::solve_game(&Doors)?.choices(&0)?;
    /// assert_eq!(choices[0].action, Some("right"));
    /// assert_eq!((choices[1].action, choices[1].value.decimal()), (Some("left"), 0.5));
    /// assert_eq!(choices[1].outcomes.probability_of(&2), mdp::ratio(1, 2));
    /// # Ok::<(), mdp::GameError>(())
    /// ```
    pub fn choices(&self, state: &G::State) -> Result<SolvedChoices<G>, GameError> {
        let number = self.number(state)?;
        let model = self.space.model();
        let mut actions = self.game.actions(state);
        let choices: Vec<_> = model.choices(number).collect();
        let solved = advise(&self.solution, number, None)?.into_iter().map(|advice| {
            let choice = &choices[advice.choice as usize];
            let states = choice.targets.iter().map(|target| self.space.state(target).clone());
            let outcomes = states.zip(model.weights().weight_list(choice.weights)).collect();
            SolvedChoice {
                action: actions.get_mut(advice.choice as usize).and_then(Option::take),
                value: advice.value,
                standing: advice.standing,
                reward: choice.reward.map_or(Rational::ZERO, |reward| model.rewards()[reward as usize].clone()),
                outcomes: Distribution::of_positive(outcomes),
            }
        });
        Ok(solved.collect())
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// All states that can be reached, with their numbers and the [`Model`](crate::Model) that they form.
    pub fn space(&self) -> &StateSpace<G::State> {
        &self.space
    }

    /// The values, best choices and policy, by numbers of states and choices.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// The first start.
    fn start(&self) -> &Distribution<StateId> {
        &self.space.starts()[0]
    }

    fn number(&self, state: &G::State) -> Result<StateId, GameError> {
        self.space.number_of(state).ok_or_else(|| GameError::UnknownState { state: shown(state) })
    }
}
