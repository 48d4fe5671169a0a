//! A game of one's own: explored, solved, and described by functions that hide its types.

use std::sync::Arc;

use mdp::{
    Distribution, ExploreError, Game, Number, Rational, Sense, Solution, SolveOptions, StateSpace, Value, explore,
    solve,
};

use super::engine;
use super::question::ModelQuestion;
use super::solved::{Advised, End, Solved, Worth};
use super::source::{About, Source};
use super::unsolved::unsolved;
use crate::question::{Problem, Run};

type Describe<T> = Arc<dyn Fn(&T) -> String + Send + Sync>;

/// A game, and the descriptions of its states and actions.
pub struct GameSource<G: Game> {
    game: Arc<G>,
    state: Describe<G::State>,
    action: Describe<G::Action>,
}

impl<G: Game> GameSource<G> {
    pub fn new(
        game: G,
        state: impl Fn(&G::State) -> String + Send + Sync + 'static,
        action: impl Fn(&G::Action) -> String + Send + Sync + 'static,
    ) -> Self {
        Self { game: Arc::new(game), state: Arc::new(state), action: Arc::new(action) }
    }
}

/// A solved game.
struct SolvedGame<G: Game> {
    game: Arc<G>,
    state: Describe<G::State>,
    action: Describe<G::Action>,
    space: StateSpace<G::State>,
    solution: Solution,
}

impl<G: Game<State: 'static> + Send + 'static> Source for GameSource<G> {
    fn about(&self) -> About {
        About { kind: "game", labels: Vec::new(), rewards: Vec::new(), states: None }
    }

    fn check(&self, question: &ModelQuestion) -> Result<(), Problem> {
        if question.goal.is_empty() && question.until.is_empty() && question.reward.is_empty() && !question.is_bounded()
        {
            return Ok(());
        }
        let help = "leave out goal, until, reward, within and bounds";
        Err(Problem::impossible("a game has no goal and no reward model", help))
    }

    fn solve(&self, question: &ModelQuestion, run: &Run<'_>) -> Result<(Box<dyn Solved>, u64), Problem> {
        let space = explore(&*self.game, &run.options).map_err(|error| match error {
            ExploreError::Stopped(stopped) => Problem::stopped(&stopped),
            error => Problem::impossible(error, "mend the rules of the game"),
        })?;
        let options = SolveOptions::from(run.options).with_exact(question.exact).with_sense(question.sense.into());
        // Who pays as little as possible does not get there by never arriving.
        let must_end = options.sense == Sense::Min && !space.model().rewards().is_empty();
        let options = options.with_must_end(must_end);
        let solution = solve(space.model(), &options).map_err(|error| unsolved(&error))?;
        let bytes = space.bytes() + solution.bytes();
        let Self { game, state, action } = self;
        let (game, state, action) = (Arc::clone(game), Arc::clone(state), Arc::clone(action));
        Ok((Box::new(SolvedGame { game, state, action, space, solution }), bytes))
    }
}

impl<G: Game<State: 'static> + Send + 'static> Solved for SolvedGame<G> {
    fn counts(&self) -> [u64; 3] {
        engine::counts(self.space.model())
    }

    fn is_exact(&self) -> bool {
        self.solution.is_exact()
    }

    fn starts(&self) -> usize {
        self.space.starts().len()
    }

    fn start(&self, start: usize) -> Option<Distribution<u32>> {
        self.space.starts().get(start).cloned()
    }

    fn described(&self, state: u32) -> String {
        (self.state)(self.space.state(state))
    }

    fn end(&self, state: u32) -> Option<End> {
        let pays: Vec<Number> = self.space.model().payoff(state)?.iter().map(Number::from).collect();
        let amounts: Vec<String> = pays.iter().filter_map(|number| number.exact.clone()).collect();
        let amounts =
            amounts.iter().map(|exact| exact.strip_suffix("/1").unwrap_or(exact)).collect::<Vec<_>>().join(", ");
        Some(End { text: format!("It pays {amounts}"), pays })
    }

    fn value(&self, state: u32) -> Option<Value> {
        self.solution.value(state).finite()
    }

    fn choices(&self, state: u32) -> u32 {
        engine::choices(self.space.model(), state)
    }

    fn names(&self, state: u32) -> Vec<Option<String>> {
        let actions = self.game.actions(self.space.state(state));
        actions.into_iter().map(|action| action.map(|action| (self.action)(&action))).collect()
    }

    fn earns(&self, state: u32, choice: u32) -> Rational {
        engine::earns(self.space.model(), state, choice)
    }

    fn outcomes(&self, state: u32, choice: u32) -> Result<Distribution<u32>, Problem> {
        engine::outcomes(self.space.model(), state, choice)
    }

    fn worth(&self, state: u32, choice: u32) -> Worth {
        engine::worth(&self.solution, state, choice)
    }

    fn is_open(&self, state: u32) -> bool {
        engine::is_open(&self.solution, state)
    }

    fn advise(&self, state: u32, run: Option<&Run<'_>>) -> Result<Vec<Advised>, Problem> {
        engine::advised(&self.solution, state, run)
    }
}
