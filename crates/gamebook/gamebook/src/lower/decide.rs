//! Questions answered by a policy.
//!
//! During compilation every question passes through the player's policy, which answers it or leaves it open.

use super::error::CompileError;
use crate::book::{PolicyKind, PolicyRule};
use crate::program::{Answer, Each, Label, Outcome, Register, Sets, Test, Value, Weight};
use crate::terms::{Comparison, SectionNumber};

/// A choice between more numbers is not answered number by number.
const MOST_NUMBERS: i64 = 300;

/// An answer to a question that is passed through a policy.
#[derive(Clone)]
pub(crate) struct Draft {
    /// The author's label.
    pub label: String,
    /// The section to which it leads without another question.
    pub section: Option<SectionNumber>,
    /// The answer. It leads to a place of the program, not back to its own question.
    pub answer: Answer,
}

impl Draft {
    /// An answer without effects.
    pub(crate) fn new(label: String, test: Test, next: Label) -> Self {
        Self::with(label, test, [], next)
    }

    /// An answer that assigns values to registers.
    pub(crate) fn with(label: String, test: Test, sets: impl Into<Sets>, next: Label) -> Self {
        let never = Test::Constant(false);
        let answer = Answer { label: 0, each: None, test, sets: sets.into(), next, wastes: never };
        Self { label, section: None, answer }
    }
}

/// Emits steps for the questions that a policy leaves open.
pub(crate) trait Asks {
    /// The test whether a rule applies here; `None` if it never does.
    fn holds(&mut self, rule: &PolicyRule) -> Option<Test>;

    /// Emits a question to the player.
    fn asked(&mut self, answers: Vec<Draft>) -> Result<Label, CompileError>;

    fn branch(&mut self, test: Test, yes: Label, no: Label) -> Result<Label, CompileError>;

    fn set(&mut self, sets: Vec<(Register, Value)>, next: Label) -> Result<Label, CompileError>;

    fn chance(&mut self, outcomes: Vec<Outcome>) -> Result<Label, CompileError>;

    /// The range of a choice of numbers.
    fn bounds(&self, each: &Each) -> (i32, i32);

    fn refused(&self, message: String) -> CompileError;
}

/// Whether any of the rules concerns these answers.
pub(crate) fn concerns(rules: &[PolicyRule], section: SectionNumber, answers: &[Draft]) -> bool {
    rules
        .iter()
        .filter(|rule| rule.section.is_none_or(|own| own == section))
        .any(|rule| answers.iter().any(|answer| is_about(&rule.kind, answer)))
}

/// A question, answered as far as the rules decide. With `distinct`, answers with the same effect are merged.
pub(crate) fn decide(
    asks: &mut impl Asks,
    rules: &[PolicyRule],
    mut answers: Vec<Draft>,
    distinct: bool,
) -> Result<Label, CompileError> {
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
    // If none of them is possible they are left out, so the recursion ends.
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

/// Whether a rule concerns an answer.
fn is_about(kind: &PolicyKind, answer: &Draft) -> bool {
    match kind {
        PolicyKind::Always(label) | PolicyKind::Never(label) => answer.label == *label,
        PolicyKind::Goto(section) => answer.section == Some(*section),
        PolicyKind::Random | PolicyKind::First | PolicyKind::Last => true,
    }
}

/// The test whether an answer is possible.
fn possible(answer: &Answer) -> Test {
    match &answer.each {
        Some(each) => Test::compare(Comparison::AtMost, each.from.clone(), each.to.clone()),
        None => answer.test.clone(),
    }
}

/// An answer, with its number if it has one: its test, its assignments and its target.
type Given = (Test, Sets, Label);

/// The answers in the order of the list: a choice between numbers becomes one answer for each.
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

/// A uniform choice among the possible answers, at least one of which must exist.
fn random(asks: &mut impl Asks, given: Vec<Given>) -> Result<Label, CompileError> {
    if let [(Test::Constant(true), sets, next)] = &given[..] {
        return asks.set(sets.to_vec(), *next);
    }
    let outcome = |(test, sets, next)| Outcome { weight: Weight::Holds(Box::new(test)), sets, next };
    asks.chance(given.into_iter().map(outcome).collect())
}

/// The first possible answer, at least one of which must exist.
fn first(asks: &mut impl Asks, given: impl DoubleEndedIterator<Item = Given>) -> Result<Label, CompileError> {
    let mut place = None;
    for (test, sets, next) in given.rev() {
        let own = asks.set(sets.to_vec(), next)?;
        place = Some(match place {
            Some(later) => asks.branch(test, own, later)?,
            // No other answer is possible here.
            None => own,
        });
    }
    place.map_or_else(|| asks.asked(Vec::new()), Ok)
}
