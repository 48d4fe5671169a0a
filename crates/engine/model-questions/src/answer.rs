//! Every state's value, in the file's numbers.

use budget::Budget;
use mdp::{
    Advice, Built, Rational, Solution, SolveError, SolveOptions, Standing, Value, advise, enclose, exactly, solve,
};
use model_files::StateSet;

use crate::infinite::Infinite;
use crate::question::{Question, earned, open_choices};
use crate::raised::Raised;

/// Every state's value.
#[derive(Debug)]
pub struct Answer {
    pub(crate) built: Built,
    pub(crate) solution: Solution,
    /// The states whose expected reward is infinite.
    pub(crate) infinite: Option<Infinite>,
    /// What was added to values, where rewards are negative.
    pub(crate) raised: Option<Raised>,
}

impl Answer {
    /// The value of a state of the file; `None`: infinite.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn value(&self, state: u32) -> Option<Value> {
        self.infinite_at(state).is_none().then(|| self.lowered(state, self.solution.value(self.built.number_of(state))))
    }

    /// A value of a state, or of one of its choices, as the engine computed it, converted to that of the file.
    fn lowered(&self, state: u32, value: Value) -> Value {
        match &self.raised {
            Some(raised) => raised.lowered(state, value),
            None => value,
        }
    }

    /// The data about infinite states, if this is one.
    fn infinite_at(&self, state: u32) -> Option<&Infinite> {
        self.infinite.as_ref().filter(|infinite| infinite.contains(state))
    }

    /// The states whose expected reward is infinite.
    fn infinite_states(&self) -> Option<&StateSet> {
        self.infinite.as_ref().map(Infinite::states)
    }

    /// Solves the question again with other options; on failure the answer stays as it is.
    ///
    /// # Errors
    /// When the budget stops the run, or a component is too large.
    pub fn solve_again(&mut self, options: &SolveOptions<'_>) -> Result<(), SolveError> {
        let options = options.with_sense(self.solution.sense()).with_must_end(self.solution.must_end());
        self.solution = solve(&self.built.model, &options)?;
        Ok(())
    }

    /// The choice to take in a state of the file, counted within the state: following these choices from there on
    /// attains the value, also an infinite one. `None` where play is over or no choice helps. `question` is the one
    /// that was answered.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn choice(&self, question: &Question<'_>, state: u32) -> Option<u32> {
        if let Some(infinite) = self.infinite_at(state) {
            let witness = infinite.witness(question.model, state)?;
            return Some(witness - question.model.choices(state).start);
        }
        let number = self.solution.policy().choice(self.built.number_of(state))?;
        // The engine has only the choices that were given to it.
        open_choices(question.model, state, self.infinite_states())
            .nth(number as usize)
            .map(|choice| choice - question.model.choices(state).start)
    }

    /// The value of a choice of a state of the file (counted within the state) if play is optimal afterwards; `None`
    /// where it is infinite, or the question is over in the state. `question` is the one that was answered.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn value_of_choice(&self, question: &Question<'_>, state: u32, choice: u32) -> Option<Value> {
        let first = question.model.choices(state).start;
        if self.infinite_at(state).is_some() {
            return self.mean_after(question, state, first + choice);
        }
        let place =
            open_choices(question.model, state, self.infinite_states()).position(|open| open - first == choice)?;
        let value = self.solution.values_of_choices(0, self.built.number_of(state)).nth(place);
        value.map(|value| self.lowered(state, value))
    }

    /// The value of a choice (by its number in the model) of an infinite state, where that is finite.
    fn mean_after(&self, question: &Question<'_>, state: u32, choice: u32) -> Option<Value> {
        let reward = question.reward.map(|reward| earned(reward, state, choice));
        let outcomes = question.model.probabilities(choice).map(|(target, p)| Some((self.value(target)?, p)));
        let outcomes = outcomes.collect::<Option<Vec<(Value, Rational)>>>()?;
        let mean = |of: &dyn Fn(&Value) -> Option<Rational>| {
            outcomes
                .iter()
                .try_fold(reward.clone().unwrap_or(Rational::ZERO), |sum, (value, p)| Some(sum + of(value)? * p))
        };
        if let Some(exact) = mean(&|value| value.exact.clone()) {
            return Some(Value::exactly(exact));
        }
        let lower = mean(&|value| exactly(value.lower)).map_or(f64::NEG_INFINITY, |lower| enclose(&lower).0);
        let upper = mean(&|value| exactly(value.upper)).map_or(f64::INFINITY, |upper| enclose(&upper).1);
        Some(Value { lower, upper, exact: None })
    }

    /// Whether values are exact and the best choices proved.
    pub fn is_exact(&self) -> bool {
        self.solution.is_exact()
    }

    /// Whether [`advise`](Self::advise) has ties to resolve in this state, which can take as long as solving.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn is_open(&self, state: u32) -> bool {
        !self.is_exact() && self.solution.best().count(self.built.number_of(state)) > 1
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let numbers = self.built.numbers.as_ref().map_or(0, |numbers| numbers.capacity() as u64 * 4);
        let infinite = self.infinite.as_ref().map_or(0, Infinite::bytes);
        let raised = self.raised.as_ref().map_or(0, Raised::bytes);
        self.built.model.bytes() + self.solution.bytes() + numbers + infinite + raised
    }

    /// All choices of a state of the file, the one to take first; empty where play is over or no choice helps.
    /// `question` is the one that was answered.
    ///
    /// # Errors
    /// When the budget stops the run while ties are resolved.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn advise(
        &self,
        question: &Question<'_>,
        state: u32,
        budget: &Budget<'_>,
    ) -> Result<Vec<ChoiceValue>, SolveError> {
        let choices = question.model.choices(state);
        if let Some(infinite) = self.infinite_at(state) {
            let choice_value = |(choice, standing): (u32, Standing)| {
                let value = self.mean_after(question, state, choice);
                ChoiceValue { choice: choice - choices.start, value, best: standing.is_best(), standing }
            };
            let mut all: Vec<ChoiceValue> =
                infinite.standings(question.model, state).into_iter().map(choice_value).collect();
            let worth = |own: &ChoiceValue| own.value.as_ref().map_or(f64::INFINITY, Value::decimal);
            all.sort_by(|a, b| a.standing.cmp(&b.standing).then(worth(b).total_cmp(&worth(a))));
            return Ok(all);
        }
        let open: Vec<u32> = open_choices(question.model, state, self.infinite_states()).collect();
        let advice = advise(&self.solution, self.built.number_of(state), Some(budget))?;
        if advice.is_empty() {
            return Ok(Vec::new());
        }
        let known = advice.into_iter().map(|Advice { choice, value, best, standing }| {
            // The engine has only the choices that were given to it.
            ChoiceValue {
                choice: open[choice as usize] - choices.start,
                value: Some(self.lowered(state, value)),
                best,
                standing,
            }
        });
        let closed = choices.clone().filter(|choice| !open.contains(choice));
        let standing = Standing::Worse;
        let infinite =
            closed.map(|choice| ChoiceValue { choice: choice - choices.start, value: None, best: false, standing });
        Ok(known.chain(infinite).collect())
    }
}

/// The value of a choice of a state of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceValue {
    /// The choice, counted within the state.
    pub choice: u32,
    /// `None`: infinite.
    pub value: Option<Value>,
    /// Whether no other choice is better.
    pub best: bool,
    /// How it compares with the one to take.
    pub standing: Standing,
}
