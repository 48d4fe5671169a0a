//! States, choices and outcomes as JSON.

use mdp::{Distribution, Number, Rational, Value};
use model_files::number_bytes;
use model_questions::ValueJson;
use serde::Serialize;

use super::solved::{Advised, End, Solved, Worth};
use crate::question::{Problem, Run};

/// The most choices in one answer, and the most outcomes of each of them.
pub const MOST_CHOICES: usize = 50;
pub const FEW_OUTCOMES: usize = 10;
/// The most outcomes of one choice in one answer about this choice.
pub const MOST_OUTCOMES: usize = 100;
/// The longest description, in characters; the rest is cut off.
const LONGEST: usize = 300;
/// The largest fraction in a list, in bytes; a longer one is replaced by its bounds.
const LARGE: u64 = 400;

/// A state, in a list.
#[derive(Serialize)]
pub struct Brief {
    pub state: u32,
    pub described: String,
    pub value: ValueJson,
    /// Whether play is over there.
    pub over: bool,
}

/// An outcome of a choice.
#[derive(Serialize)]
pub struct OutcomeJson {
    pub probability: Number,
    #[serde(flatten)]
    pub to: Brief,
}

/// A choice of a state.
#[derive(Serialize)]
pub struct ChoiceJson {
    /// Counted from 0 within the state.
    pub choice: u32,
    pub name: Option<String>,
    /// Whether no other choice is better.
    pub best: bool,
    /// Its standing beside the choice to take: `first`, `equal`, `leads-back` or `worse`.
    pub standing: &'static str,
    /// `null` if it is not known.
    pub value: Option<ValueJson>,
    /// Its reward, if it is not 0.
    pub earns: Option<Number>,
    /// How many outcomes it has, and the likeliest of them.
    pub count: usize,
    pub outcomes: Vec<OutcomeJson>,
}

/// A state.
#[derive(Serialize)]
pub struct StateJson {
    pub state: u32,
    pub described: String,
    pub value: ValueJson,
    /// How play is over there, and what it pays; `null` where it goes on.
    pub over: Option<String>,
    pub pays: Vec<Number>,
    /// How many choices it has, and some of them, best first.
    pub count: usize,
    pub choices: Vec<ChoiceJson>,
}

/// A description that is not too long.
pub fn described(solved: &dyn Solved, state: u32) -> String {
    let text = solved.described(state);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// A value in a list: a long fraction is replaced by its bounds.
fn shortened(value: Value) -> Value {
    Value { exact: value.exact.filter(|exact| number_bytes(exact) <= LARGE), ..value }
}

/// A number in a list, likewise.
pub fn number(exact: &Rational) -> Number {
    Number::from(&shortened(Value::exactly(exact.clone())))
}

/// The JSON of a value; `None` if it is not known.
pub fn worth(worth: Worth) -> Option<ValueJson> {
    match worth {
        Worth::Value(value) => Some(ValueJson::new(Some(&shortened(value)))),
        Worth::Infinite => Some(ValueJson::new(None)),
        Worth::Unknown => None,
    }
}

/// A state in a list.
pub fn brief(solved: &dyn Solved, state: u32) -> Brief {
    let value = solved.value(state).map(shortened);
    Brief {
        state,
        described: described(solved, state),
        value: ValueJson::new(value.as_ref()),
        over: solved.end(state).is_some(),
    }
}

/// The outcomes of a choice, the likeliest first.
pub fn ranked(solved: &dyn Solved, state: u32, choice: u32) -> Result<Vec<(u32, Rational)>, Problem> {
    Ok(likeliest_first(&solved.outcomes(state, choice)?))
}

/// States and their probabilities, the likeliest first.
pub fn likeliest_first(states: &Distribution<u32>) -> Vec<(u32, Rational)> {
    let mut ranked: Vec<(u32, Rational)> = states.probabilities().map(|(to, chance)| (*to, chance)).collect();
    ranked.sort_by(|(a, chance_a), (b, chance_b)| chance_b.cmp(chance_a).then(a.cmp(b)));
    ranked
}

/// An outcome of a choice.
pub fn outcome(solved: &dyn Solved, (to, chance): &(u32, Rational)) -> OutcomeJson {
    OutcomeJson { probability: number(chance), to: brief(solved, *to) }
}

/// A choice, with so many of its likeliest outcomes.
pub fn choice(
    solved: &dyn Solved,
    state: u32,
    names: &[Option<String>],
    advised: Advised,
    most: usize,
) -> Result<ChoiceJson, Problem> {
    let Advised { choice, worth: own, standing } = advised;
    let ranked = ranked(solved, state, choice)?;
    let earns = solved.earns(state, choice);
    Ok(ChoiceJson {
        choice,
        name: names.get(choice as usize).cloned().flatten(),
        best: standing.is_best(),
        standing: standing.name(),
        value: worth(own),
        earns: (earns != Rational::ZERO).then(|| number(&earns)),
        count: ranked.len(),
        outcomes: ranked.iter().take(most).map(|ranked| outcome(solved, ranked)).collect(),
    })
}

/// A state, with its choices from this place on.
pub fn state(solved: &dyn Solved, state: u32, from: usize, run: Option<&Run<'_>>) -> Result<StateJson, Problem> {
    let (over, pays) = solved.end(state).map_or((None, Vec::new()), |End { text, pays }| (Some(text), pays));
    let advised = if over.is_some() { Vec::new() } else { solved.advise(state, run)? };
    let count = advised.len();
    let names = solved.names(state);
    let listed = |advised| choice(solved, state, &names, advised, FEW_OUTCOMES);
    Ok(StateJson {
        state,
        described: described(solved, state),
        value: ValueJson::new(solved.value(state).as_ref()),
        over,
        pays,
        count,
        choices: advised.into_iter().skip(from).take(MOST_CHOICES).map(listed).collect::<Result<_, _>>()?,
    })
}
