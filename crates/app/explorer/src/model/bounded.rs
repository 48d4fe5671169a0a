//! Models of files with bounds on steps and rewards: what is left of each bound is part of what is looked at.

use mdp::{Distribution, Model, Rational, SolveOptions, Value};
use model_questions::{Bound, RewardBound, Situations, Unfolded, UnfoldedAnswer, bounded_reward_model};

use super::engine;
use super::named::Named;
use super::question::ModelQuestion;
use super::solved::{Advised, End, Solved, Worth};
use super::state_sets::{Sets, question};
use super::unsolved::{unprepared, unsolved};
use crate::question::{Problem, Run};

/// A bounded question about a model, solved. Its states are those of the file with what is left of every bound.
pub struct SolvedBounded {
    named: Named,
    sets: Sets,
    /// What is bounded, in words.
    bounded: Vec<String>,
    situations: Situations,
}

impl SolvedBounded {
    /// The solution, and its bytes.
    pub fn new(named: Named, sets: Sets, asked: &ModelQuestion, run: &Run<'_>) -> Result<(Self, u64), Problem> {
        let bounds = asked.reward_bounds()?;
        let mut all: Vec<Bound<'_>> = asked.within.map(Bound::Steps).into_iter().collect();
        let mut bounded: Vec<String> = asked.within.map(|_| "steps".to_owned()).into_iter().collect();
        for RewardBound { name, most } in bounds {
            let reward = bounded_reward_model(&named.model, &name);
            let reward = reward.map_err(|unusable| Problem::impossible(unusable.problem, unusable.remedy))?;
            all.push(Bound::Reward(reward, most));
            bounded.push(name);
        }
        let question = question(&named.model, &sets, asked)?;
        let unfolded = Unfolded::new(&question, &all, named.model.initial().iter().collect(), run.budget);
        let unfolded = unfolded.map_err(|error| unprepared(&error))?.ok_or_else(|| {
            let help = "a smaller bound, or rewards with fewer digits";
            Problem::impossible("a bound on a reward has more than 64 bits", help)
        })?;
        let options = SolveOptions::from(run.options).with_exact(asked.exact);
        let answer = unfolded.answer(&question, &options).map_err(|unanswered| unsolved(&unanswered.error))?;
        let situations = UnfoldedAnswer::situations(answer);
        let bytes = situations.bytes() + sets.bytes();
        Ok((Self { named, sets, bounded, situations }, bytes))
    }

    fn model(&self) -> &Model {
        self.situations.solution().model()
    }
}

impl Solved for SolvedBounded {
    fn counts(&self) -> [u64; 3] {
        engine::counts(self.model())
    }

    fn is_exact(&self) -> bool {
        self.situations.solution().is_exact()
    }

    fn starts(&self) -> usize {
        self.named.model.initial().len() as usize
    }

    fn start(&self, start: usize) -> Option<Distribution<u32>> {
        let state = self.named.model.initial().iter().nth(start)?;
        self.situations.start(state).map(Distribution::certain)
    }

    fn described(&self, situation: u32) -> String {
        let Some(state) = self.situations.state(situation) else { return "beyond a bound".into() };
        let left = self.bounded.iter().zip(self.situations.left(situation));
        let left = left.map(|(what, left)| format!("{what} {left}")).collect::<Vec<_>>().join(", ");
        let described = self.named.described(state);
        let number = if described.is_empty() { format!("state {state}") } else { described };
        format!("{number}; left: {left}")
    }

    fn end(&self, situation: u32) -> Option<End> {
        self.model().payoff(situation)?;
        let text = match self.situations.state(situation) {
            None => "A bound is exceeded",
            Some(state) => self.sets.end(&self.named, state).unwrap_or("Nothing is left of a bound"),
        };
        Some(End { text: text.into(), pays: Vec::new() })
    }

    fn value(&self, situation: u32) -> Option<Value> {
        self.situations.solution().value(situation).finite()
    }

    fn choices(&self, situation: u32) -> u32 {
        engine::choices(self.model(), situation)
    }

    fn names(&self, situation: u32) -> Vec<Option<String>> {
        self.situations.state(situation).map(|state| self.named.names(state)).unwrap_or_default()
    }

    fn earns(&self, situation: u32, choice: u32) -> Rational {
        engine::earns(self.model(), situation, choice)
    }

    fn outcomes(&self, situation: u32, choice: u32) -> Result<Distribution<u32>, Problem> {
        engine::outcomes(self.model(), situation, choice)
    }

    fn worth(&self, situation: u32, choice: u32) -> Worth {
        engine::worth(self.situations.solution(), situation, choice)
    }

    fn is_open(&self, situation: u32) -> bool {
        engine::is_open(self.situations.solution(), situation)
    }

    fn advise(&self, situation: u32, run: Option<&Run<'_>>) -> Result<Vec<Advised>, Problem> {
        engine::advised(self.situations.solution(), situation, run)
    }
}
