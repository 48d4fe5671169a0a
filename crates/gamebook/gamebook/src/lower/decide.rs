//! Questions answered by a policy.
//!
//! Where a book is made ready, every question passes through the policy that the player follows: what it says is done,
//! what it leaves open stays a question.

use super::error::CompileError;
use crate::book::{PolicyKind, PolicyRule};
use crate::program::{Answer, Each, Outcome, Place, Register, Sets, Test, Value, Weight};
use crate::terms::{Comparison, SectionNumber};

/// A choice between more numbers than this is not answered number by number.
const MOST_NUMBERS: i64 = 300;

/// An answer to a question that is passed through a policy.
#[derive(Clone)]
pub(crate) struct Draft {
    /// What the author calls it.
    pub label: String,
    /// The section to which it leads at once.
    pub section: Option<SectionNumber>,
    /// The answer. It leads to a place of the program, not back to its own question.
    pub answer: Answer,
}

impl Draft {
    /// An answer that only leads on.
    pub(crate) fn new(label: String, test: Test, next: Place) -> Self {
        let never = Test::Constant(false);
        let answer = Answer { label: 0, each: None, test, sets: [].into(), next, wastes: never };
        Self { label, section: None, answer }
    }
}

/// What makes a program of the questions that a policy leaves open.
pub(crate) trait Asks {
    /// The test whether a rule holds here; `None` where it does not apply.
    fn holds(&mut self, rule: &PolicyRule) -> Option<Test>;

    /// A question to the player.
    fn asked(&mut self, answers: Vec<Draft>) -> Result<Place, CompileError>;

    fn branch(&mut self, test: Test, yes: Place, no: Place) -> Result<Place, CompileError>;

    fn set(&mut self, sets: Vec<(Register, Value)>, next: Place) -> Result<Place, CompileError>;

    fn chance(&mut self, outcomes: Vec<Outcome>) -> Result<Place, CompileError>;

    /// Between which numbers the choice is at most.
    fn bounds(&self, each: &Each) -> (i32, i32);

    fn refused(&self, message: String) -> CompileError;
}

/// Whether any of the rules has to do with these answers.
pub(crate) fn concerns(rules: &[PolicyRule], section: SectionNumber, answers: &[Draft]) -> bool {
    rules
        .iter()
        .filter(|rule| rule.section.is_none_or(|own| own == section))
        .any(|rule| answers.iter().any(|answer| is_about(&rule.kind, answer)))
}

/// A question, answered as far as the rules say. Of answers that come to the same `distinct` ones are told once.
pub(crate) fn decide(
    asks: &mut impl Asks,
    rules: &[PolicyRule],
    mut answers: Vec<Draft>,
    distinct: bool,
) -> Result<Place, CompileError> {
    answers.retain(|draft| draft.answer.test != Test::Constant(false));
    if let [Draft { answer: Answer { test: Test::Constant(true), each: None, sets, next, .. }, .. }] = &answers[..] {
        return asks.set(sets.to_vec(), *next);
    }
    let Some((rule, rest)) = rules.split_first() else { return asks.asked(answers) };
    let Some(when) = asks.holds(rule).filter(|when| *when != Test::Constant(false)) else {
        return decide(asks, rest, answers, distinct);
    };
    let (chosen, others): (Vec<Draft>, Vec<Draft>) =
        answers.iter().cloned().partition(|answer| is_about(&rule.kind, answer));
    let (kept, left) = if matches!(rule.kind, PolicyKind::Never(_)) { (others, chosen) } else { (chosen, others) };
    if kept.is_empty() || left.is_empty() && matches!(rule.kind, PolicyKind::Never(_)) {
        return decide(asks, rest, answers, distinct);
    }
    let possible = kept.iter().fold(Test::Constant(false), |any, own| Test::either(any, possible(&own.answer)));
    // Where none of them can be given they are out of the question: what is left is less each time.
    let no = decide(asks, rest, left, distinct)?;
    let yes = match rule.kind {
        PolicyKind::Random => {
            let given = given(asks, kept, distinct)?;
            random(asks, given)?
        }
        PolicyKind::First => {
            let given = given(asks, kept, distinct)?;
            first(asks, given.into_iter())?
        }
        PolicyKind::Last => {
            let given = given(asks, kept, distinct)?;
            first(asks, given.into_iter().rev())?
        }
        PolicyKind::Always(_) | PolicyKind::Never(_) | PolicyKind::Goto(_) => decide(asks, rest, kept, distinct)?,
    };
    let chosen = asks.branch(possible, yes, no)?;
    if when == Test::ALWAYS {
        return Ok(chosen);
    }
    let no = decide(asks, rest, answers, distinct)?;
    asks.branch(when, chosen, no)
}

/// Whether a rule has to do with an answer.
fn is_about(kind: &PolicyKind, answer: &Draft) -> bool {
    match kind {
        PolicyKind::Always(label) | PolicyKind::Never(label) => answer.label == *label,
        PolicyKind::Goto(section) => answer.section == Some(*section),
        PolicyKind::Random | PolicyKind::First | PolicyKind::Last => true,
    }
}

/// Whether an answer can be given.
fn possible(answer: &Answer) -> Test {
    match &answer.each {
        Some(each) => Test::compare(Comparison::AtMost, each.from.clone(), each.to.clone()),
        None => answer.test.clone(),
    }
}

/// An answer with its number, if it has one: when it can be given, what it sets, and where it leads.
type Given = (Test, Sets, Place);

/// What can be answered, in the order in which it is listed: a choice between numbers is an answer for each of them.
fn given(asks: &impl Asks, answers: Vec<Draft>, distinct: bool) -> Result<Vec<Given>, CompileError> {
    let mut given: Vec<Given> = Vec::new();
    for Draft { answer, .. } in answers {
        let Some(each) = &answer.each else {
            given.push((answer.test, answer.sets, answer.next));
            continue;
        };
        let (least, most) = asks.bounds(each);
        if i64::from(most) - i64::from(least) > MOST_NUMBERS {
            return Err(asks.refused(format!("a policy answers no choice between more than {MOST_NUMBERS} numbers")));
        }
        for above in 0..=most - least {
            let number = if each.down { most - above } else { least + above };
            let own = Value::Constant(number);
            let known = |register| (register == each.register).then_some(number);
            let within = Test::both(
                Test::compare(Comparison::AtMost, each.from.clone(), own.clone()),
                Test::compare(Comparison::AtLeast, each.to.clone(), own.clone()),
            );
            let chosen = std::iter::once((each.register, own)).chain(answer.sets.iter().cloned());
            given.push((Test::both(within, answer.test.given(&known)), chosen.collect(), answer.next));
        }
    }
    if distinct {
        for own in 1..given.len() {
            let (before, after) = given.split_at_mut(own);
            let (test, sets, next) = &mut after[0];
            for (other, ..) in before.iter().filter(|(_, others, to)| others == sets && to == next) {
                *test = Test::both(test.clone(), other.clone().negated());
            }
        }
    }
    given.retain(|(test, ..)| *test != Test::Constant(false));
    Ok(given)
}

/// Each answer that can be given is equally likely, one of them at least.
fn random(asks: &mut impl Asks, given: Vec<Given>) -> Result<Place, CompileError> {
    if let [(Test::Constant(true), sets, next)] = &given[..] {
        return asks.set(sets.to_vec(), *next);
    }
    let outcome = |(test, sets, next)| Outcome { weight: Weight::Holds(Box::new(test)), sets, next };
    asks.chance(given.into_iter().map(outcome).collect())
}

/// The first of these that can be given, one of them at least.
fn first(asks: &mut impl Asks, given: impl DoubleEndedIterator<Item = Given>) -> Result<Place, CompileError> {
    let mut place = None;
    for (test, sets, next) in given.rev() {
        let own = asks.set(sets.to_vec(), next)?;
        place = Some(match place {
            Some(later) => asks.branch(test, own, later)?,
            // Who comes here can give no other.
            None => own,
        });
    }
    place.map_or_else(|| asks.asked(Vec::new()), Ok)
}
