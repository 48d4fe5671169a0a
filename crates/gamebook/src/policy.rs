//! Policies: what a player has made up his mind to do.
//!
//! Where a book is made ready, every question passes through the policy that the player follows: what it says is done,
//! what it leaves open stays a question.

use crate::book::{Comparison, Condition, SectionNumber};
use crate::compile::CompileError;
use crate::program::{Answer, Each, Outcome, Place, Sets, Test, Value, Weight};
use crate::state::Register;

/// A choice between more numbers than this is not left to chance.
const MOST_RANDOM: i64 = 300;

/// What a player does who follows it. What it does not say is left to him.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Its name.
    pub name: String,
    /// Taken when nobody says otherwise.
    pub is_default: bool,
    /// Its rules, in the order in which they are tried.
    pub rules: Vec<PolicyRule>,
}

/// A rule of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyRule {
    /// What it says.
    pub kind: PolicyKind,
    /// The section in which it holds; everywhere without one.
    pub section: Option<SectionNumber>,
    /// The event in which it holds.
    pub event: Option<usize>,
    /// When it holds.
    pub when: Condition,
}

/// What a rule of a policy says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicyKind {
    /// This answer is given.
    Always(String),
    /// This answer is not given where there is another.
    Never(String),
    /// The answer that leads to this section is given.
    Goto(SectionNumber),
    /// Each answer is equally likely.
    Random,
}

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

    /// The register that holds whether the answer of this number can be given. It is none of those that are `taken`.
    fn switch(&mut self, number: usize, taken: &[Register]) -> Result<Register, CompileError>;

    fn refused(&self, message: String) -> CompileError;
}

/// Whether any of the rules has to do with these answers.
pub(crate) fn concerns(rules: &[PolicyRule], section: SectionNumber, answers: &[Draft]) -> bool {
    rules
        .iter()
        .filter(|rule| rule.section.is_none_or(|own| own == section))
        .any(|rule| answers.iter().any(|answer| rule.kind.is_about(answer)))
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
        answers.iter().cloned().partition(|answer| rule.kind.is_about(answer));
    let kept = if matches!(rule.kind, PolicyKind::Never(_)) { others } else { chosen.clone() };
    if chosen.is_empty() || kept.is_empty() {
        return decide(asks, rest, answers, distinct);
    }
    let possible = kept.iter().fold(Test::Constant(false), |any, own| Test::either(any, possible(&own.answer)));
    let no = decide(asks, rest, answers, distinct)?;
    let yes = if rule.kind == PolicyKind::Random {
        random(asks, kept, distinct)?
    } else {
        decide(asks, rest, kept, distinct)?
    };
    asks.branch(Test::both(when, possible), yes, no)
}

impl PolicyKind {
    /// Whether it has to do with an answer.
    fn is_about(&self, answer: &Draft) -> bool {
        match self {
            Self::Always(label) | Self::Never(label) => answer.label == *label,
            Self::Goto(section) => answer.section == Some(*section),
            Self::Random => true,
        }
    }
}

/// Whether an answer can be given.
fn possible(answer: &Answer) -> Test {
    match &answer.each {
        Some(each) => Test::compare(Comparison::AtMost, each.from.clone(), each.to.clone()),
        None => answer.test.clone(),
    }
}

/// Each answer that can be given is equally likely, one of them at least.
fn random(asks: &mut impl Asks, answers: Vec<Draft>, distinct: bool) -> Result<Place, CompileError> {
    let mut outcomes: Vec<(Test, Sets, Place)> = Vec::new();
    let mut taken = Vec::new();
    for Draft { answer, .. } in answers {
        let Some(each) = &answer.each else {
            outcomes.push((answer.test, answer.sets, answer.next));
            continue;
        };
        let (least, most) = asks.bounds(each);
        if i64::from(most) - i64::from(least) > MOST_RANDOM {
            return Err(asks.refused(format!("a choice between more than {MOST_RANDOM} numbers is not left to chance")));
        }
        taken.push(each.register);
        for number in least..=most {
            let own = Value::Constant(number);
            let known = |register| (register == each.register).then_some(number);
            let within = Test::both(
                Test::compare(Comparison::AtMost, each.from.clone(), own.clone()),
                Test::compare(Comparison::AtLeast, each.to.clone(), own.clone()),
            );
            let chosen = std::iter::once((each.register, own)).chain(answer.sets.iter().cloned());
            outcomes.push((Test::both(within, answer.test.given(&known)), chosen.collect(), answer.next));
        }
    }
    if distinct {
        for own in 1..outcomes.len() {
            let (before, after) = outcomes.split_at_mut(own);
            let (test, sets, next) = &mut after[0];
            for (other, ..) in before.iter().filter(|(_, others, to)| others == sets && to == next) {
                *test = Test::both(test.clone(), other.clone().negated());
            }
        }
    }
    outcomes.retain(|(test, ..)| *test != Test::Constant(false));
    let mut sets = Vec::new();
    let mut chance = Vec::new();
    for (test, own, next) in outcomes {
        let weight = match test {
            Test::Constant(_) => Weight::Number(1),
            test => {
                let register = asks.switch(sets.len(), &taken)?;
                sets.push((register, Value::holds(test)));
                Weight::Register(register)
            }
        };
        chance.push(Outcome { weight, sets: own, next });
    }
    let place = match &chance[..] {
        [Outcome { sets: own, next, weight: Weight::Number(_) }] => asks.set(own.to_vec(), *next)?,
        _ => asks.chance(chance)?,
    };
    asks.set(sets, place)
}
