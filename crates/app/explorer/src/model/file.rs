//! Models of files: of other tools, and in the PRISM language.

use std::sync::Arc;

use budget::Budget;
use mdp::{Distribution, Rational, SolveOptions, UBig, Value, Weight};
use model_files::{ExplicitModel, RewardModel, Weights};
use model_questions::{Answer, ChoiceValue, Question};
use prism::{Declared, Explored, Reaching, ReadRequest};

use super::bounded::SolvedBounded;
use super::named::Named;
use super::question::ModelQuestion;
use super::solved::{Advised, End, Solved, Worth};
use super::source::{About, Source};
use super::state_sets::{Sets, question, rewards};
use super::unsolved::{unprepared, unsolved};
use crate::question::{Problem, Run};

/// A model that was read when the server started.
pub struct Explicit(Arc<ExplicitModel>);

impl Explicit {
    pub fn new(model: ExplicitModel) -> Self {
        Self(Arc::new(model))
    }
}

/// A model in the PRISM language: its states are found for every question, since the question can be about its
/// variables.
pub struct Prism {
    text: String,
    constants: Vec<(String, String)>,
    declared: Declared,
}

impl Prism {
    pub fn new(text: &str, constants: &[(&str, &str)]) -> Result<Self, prism::Error> {
        let declared = prism::declared(text, constants)?;
        let constants = constants.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        Ok(Self { text: text.into(), constants, declared })
    }
}

fn check(question: &ModelQuestion) -> Result<(), Problem> {
    if question.goal.trim().is_empty() {
        let help = "say which states are to be reached, by their labels: finished & !agree";
        return Err(Problem::impossible("there is no goal", help));
    }
    if !question.until.is_empty() && !question.reward.is_empty() {
        let help = "ask for the probability of the goal, or leave out until";
        return Err(Problem::impossible("until cannot be asked with a reward", help));
    }
    question.reward_bounds().map(|_| ())
}

impl Source for Explicit {
    fn about(&self) -> About {
        About {
            kind: "model",
            labels: self.0.labels().iter().map(|(name, _)| name.clone()).collect(),
            rewards: self.0.rewards().iter().map(|rewards| rewards.name().to_owned()).collect(),
            states: Some(self.0.states()),
        }
    }

    fn check(&self, question: &ModelQuestion) -> Result<(), Problem> {
        check(question)
    }

    fn solve(&self, question: &ModelQuestion, run: &Run<'_>) -> Result<(Box<dyn Solved>, u64), Problem> {
        solved(Named { model: Arc::clone(&self.0), variables: None, cut: None }, question, run)
    }
}

impl Source for Prism {
    fn about(&self) -> About {
        let Declared { labels, rewards } = self.declared.clone();
        About { kind: "model", labels, rewards, states: None }
    }

    fn check(&self, question: &ModelQuestion) -> Result<(), Problem> {
        check(question)
    }

    fn solve(&self, question: &ModelQuestion, run: &Run<'_>) -> Result<(Box<dyn Solved>, u64), Problem> {
        let constants: Vec<(&str, &str)> =
            self.constants.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let until = Some(question.until.as_str()).filter(|until| !until.is_empty());
        let bounds = question.reward_bounds()?;
        let bounds: Vec<(&str, Rational)> =
            bounds.iter().map(|bound| (bound.name.as_str(), bound.most.clone())).collect();
        let reaching = Reaching { goal: &question.goal, until, steps: question.within, bounds: &bounds };
        let asked = ReadRequest { question: Some(reaching), ..ReadRequest::default() };
        let read = prism::read_for(&self.text, &constants, &asked, run.budget).map_err(|error| match error {
            prism::Error::Stopped(stopped) => Problem::stopped(&stopped),
            // The text was right when the server started: it is the question, or what becomes of it in some state.
            prism::Error::Given { text, column, problem, remedy, .. } => {
                let what = if until == Some(text.as_str()) { "until" } else { "goal" };
                Problem::impossible(format_args!("{what}, column {column}: {problem}"), remedy)
            }
            prism::Error::Bad { at: Some(prism::At { line, column, .. }), problem, remedy } => {
                Problem::impossible(format_args!("line {line}, column {column}: {problem}"), remedy)
            }
            prism::Error::Bad { at: None, problem, remedy } => Problem::impossible(problem, remedy),
            error @ prism::Error::NoState { .. } => Problem::internal(error),
        })?;
        let Explored { model, states, cut } = read;
        let more = model.bytes() + states.bytes();
        let (solved, bytes) =
            solved(Named { model: Arc::new(model), variables: Some(states), cut: Some(cut) }, question, run)?;
        Ok((solved, bytes.saturating_add(more)))
    }
}

/// A question about a model, solved; and the bytes that it takes.
fn solved(named: Named, asked: &ModelQuestion, run: &Run<'_>) -> Result<(Box<dyn Solved>, u64), Problem> {
    let sets = Sets::new(&named.model, asked, run.budget)?;
    if named.model.initial().is_empty() {
        return Err(Problem::impossible("the model has no initial state", "label one `init`"));
    }
    let (solved, bytes): (Box<dyn Solved>, u64) = if asked.is_bounded() {
        let (solved, bytes) = SolvedBounded::new(named, sets, asked, run)?;
        (Box::new(solved), bytes)
    } else {
        let (solved, bytes) = SolvedFile::new(named, sets, asked, run)?;
        (Box::new(solved), bytes)
    };
    Ok((solved, bytes))
}

/// A solved model of a file.
struct SolvedFile {
    named: Named,
    asked: ModelQuestion,
    sets: Sets,
    answer: Answer,
}

impl SolvedFile {
    fn new(named: Named, sets: Sets, asked: &ModelQuestion, run: &Run<'_>) -> Result<(Self, u64), Problem> {
        let prepared = question(&named.model, &sets, asked)?.prepare(run.budget).map_err(|error| unprepared(&error))?;
        let options = SolveOptions::from(run.options).with_exact(asked.exact);
        let answer = prepared.answer(&options).map_err(|unanswered| unsolved(&unanswered.error))?;
        let bytes = answer.bytes() + sets.bytes();
        Ok((Self { named, asked: asked.clone(), sets, answer }, bytes))
    }

    fn model(&self) -> &ExplicitModel {
        &self.named.model
    }

    fn reward(&self) -> Option<&RewardModel> {
        // It was found when the question was answered.
        rewards(self.model(), &self.asked).ok().flatten()
    }

    fn question(&self) -> Question<'_> {
        Question {
            model: self.model(),
            goal: self.sets.goal.clone(),
            until: self.sets.until.clone(),
            sense: self.asked.sense.into(),
            reward: self.reward(),
        }
    }

    /// The number in the model of a choice of a state.
    fn number(&self, state: u32, choice: u32) -> u32 {
        self.model().choices(state).start + choice
    }
}

impl Solved for SolvedFile {
    fn counts(&self) -> [u64; 3] {
        [self.model().states(), self.model().choice_count(), self.model().transitions()].map(u64::from)
    }

    fn is_exact(&self) -> bool {
        self.answer.is_exact()
    }

    fn starts(&self) -> usize {
        self.model().initial().len() as usize
    }

    fn start(&self, start: usize) -> Option<Distribution<u32>> {
        self.model().initial().iter().nth(start).map(Distribution::certain)
    }

    fn described(&self, state: u32) -> String {
        self.named.described(state)
    }

    fn end(&self, state: u32) -> Option<End> {
        self.sets.end(&self.named, state).map(|text| End { text: text.into(), pays: Vec::new() })
    }

    fn value(&self, state: u32) -> Option<Value> {
        self.answer.value(state)
    }

    fn choices(&self, state: u32) -> u32 {
        if self.end(state).is_some() {
            return 0;
        }
        u32::try_from(self.model().choices(state).len()).expect("choices have numbers of 32 bits")
    }

    fn names(&self, state: u32) -> Vec<Option<String>> {
        self.named.names(state)
    }

    fn earns(&self, state: u32, choice: u32) -> Rational {
        let earned = |reward: &RewardModel| reward.of_state(state) + reward.of_choice(self.number(state, choice));
        self.reward().map_or(Rational::ZERO, earned)
    }

    fn outcomes(&self, state: u32, choice: u32) -> Result<Distribution<u32>, Problem> {
        let (targets, weights) = self.model().outcomes(self.number(state, choice));
        let weights: Vec<UBig> = match self.model().weights(weights) {
            Weights::Small { weights, .. } => weights.iter().map(|weight| UBig::from(*weight)).collect(),
            Weights::Large { weights, .. } => weights.to_vec(),
        };
        Distribution::weighted(targets.iter().copied().zip(weights.into_iter().map(Weight))).map_err(Problem::internal)
    }

    fn worth(&self, state: u32, choice: u32) -> Worth {
        let (targets, _) = self.model().outcomes(self.number(state, choice));
        if targets.iter().any(|target| self.answer.value(*target).is_none()) {
            return Worth::Infinite;
        }
        self.answer.value_of_choice(&self.question(), state, choice).map_or(Worth::Unknown, Worth::Value)
    }

    fn is_open(&self, state: u32) -> bool {
        self.answer.is_open(state)
    }

    fn advise(&self, state: u32, run: Option<&Run<'_>>) -> Result<Vec<Advised>, Problem> {
        if self.end(state).is_some() {
            return Ok(Vec::new());
        }
        let own = Budget::default();
        let budget = run.map_or(&own, |run| run.budget);
        let advice = self.answer.advise(&self.question(), state, budget).map_err(|error| unsolved(&error))?;
        let advised = |ChoiceValue { choice, value, standing, .. }| Advised { choice, worth: value.into(), standing };
        Ok(advice.into_iter().map(advised).collect())
    }
}
