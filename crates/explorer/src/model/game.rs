//! A game of one's own: explored, solved, and told by functions that hide its types.

use std::sync::Arc;

use mdp::{
    Advice, Distribution, ExploreError, Game, Number, Rational, Solution, SolveOptions, StateSpace, Value, Weight,
    advise, explore, solve,
};

use super::offered::{About, Source};
use super::question::ModelQuestion;
use super::solved::{Advised, End, Solved, Worth};
use super::unsolved::unsolved;
use crate::jobs::Run;
use crate::problem::Problem;

type Teller<T> = Arc<dyn Fn(&T) -> String + Send + Sync>;

/// A game, and how its states and actions are told.
pub struct Own<G: Game> {
    game: Arc<G>,
    state: Teller<G::State>,
    action: Teller<G::Action>,
}

impl<G: Game> Own<G> {
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
    state: Teller<G::State>,
    action: Teller<G::Action>,
    space: StateSpace<G::State>,
    solution: Solution,
}

impl<G: Game<State: 'static> + Send + 'static> Source for Own<G> {
    fn about(&self) -> About {
        About { kind: "game", labels: Vec::new(), rewards: Vec::new(), states: None }
    }

    fn check(&self, question: &ModelQuestion) -> Result<(), Problem> {
        if question.goal.is_empty() && question.until.is_empty() && question.reward.is_empty() {
            return Ok(());
        }
        Err(Problem::impossible("a game has no goal and no reward model", "leave out goal, until and reward"))
    }

    fn solve(&self, question: &ModelQuestion, run: &Run<'_>) -> Result<(Box<dyn Solved>, usize), Problem> {
        let space = explore(&*self.game, &run.options).map_err(|error| match error {
            ExploreError::Stopped(stopped) => Problem::stopped(&stopped),
            error => Problem::impossible(error, "mend the rules of the game"),
        })?;
        let options = SolveOptions::from(run.options).with_exact(question.exact).with_sense(question.sense.into());
        let solution = solve(space.model(), &options).map_err(|error| unsolved(&error))?;
        let bytes = space.bytes() + solution.bytes();
        let Self { game, state, action } = self;
        let (game, state, action) = (Arc::clone(game), Arc::clone(state), Arc::clone(action));
        Ok((
            Box::new(SolvedGame { game, state, action, space, solution }),
            usize::try_from(bytes).unwrap_or(usize::MAX),
        ))
    }
}

impl<G: Game<State: 'static> + Send + 'static> Solved for SolvedGame<G> {
    fn counts(&self) -> [u64; 3] {
        let counts = self.space.model().counts();
        [counts.states, counts.choices, counts.transitions]
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
        let told: Vec<String> = pays.iter().filter_map(|number| number.exact.clone()).collect();
        let told = told.iter().map(|exact| exact.strip_suffix("/1").unwrap_or(exact)).collect::<Vec<_>>().join(", ");
        Some(End { told: format!("It pays {told}"), pays })
    }

    fn value(&self, state: u32) -> Option<Value> {
        Some(self.solution.value(state))
    }

    fn choices(&self, state: u32) -> u32 {
        u32::try_from(self.space.model().choices(state).count()).unwrap_or(u32::MAX)
    }

    fn names(&self, state: u32) -> Vec<Option<String>> {
        let actions = self.game.actions(self.space.state(state));
        actions.into_iter().map(|action| action.map(|action| (self.action)(&action))).collect()
    }

    fn earns(&self, state: u32, choice: u32) -> Rational {
        let model = self.space.model();
        let reward = model.choices(state).nth(choice as usize).and_then(|choice| choice.reward);
        reward.map_or(Rational::ZERO, |reward| model.rewards()[reward as usize].clone())
    }

    fn outcomes(&self, state: u32, choice: u32) -> Result<Distribution<u32>, Problem> {
        let model = self.space.model();
        let choice = model.choices(state).nth(choice as usize);
        let choice = choice.ok_or_else(|| Problem::internal("a choice that was counted is not there"))?;
        let weights = model.weights().weight_list(choice.weights).into_iter().map(Weight);
        Distribution::weighted(choice.targets.iter().zip(weights)).map_err(Problem::internal)
    }

    fn worth(&self, state: u32, choice: u32) -> Worth {
        self.solution.values_of_choices(0, state).nth(choice as usize).map_or(Worth::Unknown, Worth::Value)
    }

    fn is_open(&self, state: u32) -> bool {
        !self.solution.is_exact() && self.solution.best().count(state) > 1
    }

    fn advise(&self, state: u32, run: Option<&Run<'_>>) -> Result<Vec<Advised>, Problem> {
        let advice = advise(&self.solution, state, run.map(|run| run.budget)).map_err(|error| unsolved(&error))?;
        let advised = |Advice { choice, value, best }| Advised { choice, worth: Worth::Value(value), best };
        Ok(advice.into_iter().map(advised).collect())
    }
}
