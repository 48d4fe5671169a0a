//! Choices of the player.

use super::apply_policy::{Posed, Shown};
use super::compiler::{Compiled, Compiler, Env, Rest, answer};
use crate::book::{Node, NodeKind};
use crate::lower::error::CompileError;
use crate::program::{Answer, Each, Instruction, Question, Test, Value};
use crate::terms::SectionNumber;

/// A choice between more constant numbers is not unrolled.
const MOST_UNROLLED: i32 = 64;

impl<'a> Compiler<'a> {
    pub(super) fn choices(
        &mut self,
        choices: &'a [crate::book::Choice],
        rest: &Rest<'a, '_>,
        env: &Env<'a, '_>,
    ) -> Compiled {
        let mut answers: Vec<Answer> = Vec::new();
        let mut shown = Vec::new();
        for choice in choices {
            let section = leads_to(&choice.body);
            let label = if choice.label.is_empty() { default_label(&choice.body) } else { choice.label.clone() };
            let Some((local, from, to)) = &choice.each else {
                let label = self.label(&label);
                answers.extend(self.choice(choice, label, None, rest, env)?);
                shown.resize(answers.len(), Shown { section, label: None });
                continue;
            };
            let bounds = (self.value(from, env), self.value(to, env));
            let mut env = env.clone();
            env.constants.retain(|(other, _)| other != local);
            match bounds {
                (Value::Constant(from), Value::Constant(to)) if to.saturating_sub(from) < MOST_UNROLLED => {
                    let name = format!("{{{}}}", self.text.locals[*local]);
                    let first = answers.len();
                    for number in from..=to {
                        env.constants.push((*local, number));
                        let label = self.label(&label.replace(&name, &number.to_string()));
                        if let Some(answer) = self.choice(choice, label, None, rest, &env)? {
                            // Numbers with the same effect are merged into the first.
                            let same = |other: &Answer| other.test == answer.test && other.next == answer.next;
                            if !answers[first..].iter().any(same) {
                                answers.push(answer);
                            }
                        }
                        env.constants.pop();
                    }
                }
                (from, to) => {
                    let each = Each { register: self.gear.local(*local), from, to, down: false };
                    let number = self.label(&label);
                    answers.extend(self.choice(choice, number, Some(each), rest, &env)?);
                }
            }
            shown.resize(answers.len(), Shown { section, label: Some(label) });
        }
        if let [Answer { test: Test::Constant(true), each: None, next, .. }] = &answers[..] {
            return Ok(*next);
        }
        let answers = answers.into();
        let question = Question { about: None, distinct: false, answers, otherwise: None };
        match self.posed(question, &shown)? {
            Posed::Asked(question) => self.emit(Instruction::Ask(question)),
            Posed::Decided(place) => Ok(place),
        }
    }

    fn choice(
        &mut self,
        choice: &'a crate::book::Choice,
        label: u32,
        each: Option<Each>,
        rest: &Rest<'a, '_>,
        env: &Env<'a, '_>,
    ) -> Result<Option<Answer>, CompileError> {
        let test = self.test(&choice.require, env);
        if test == Test::Constant(false) {
            return Ok(None);
        }
        let next = self.block(&choice.body, Some(rest), env)?;
        Ok(Some(Answer { each, ..answer(label, test, [], next) }))
    }
}

/// The section at the end of a block.
pub(super) fn leads_to(body: &[Node]) -> Option<SectionNumber> {
    match body.last()?.kind {
        NodeKind::Goto(section) => Some(section),
        _ => None,
    }
}

/// The label of a choice without one.
pub(crate) fn default_label(body: &[Node]) -> String {
    match body.last().map(|node| &node.kind) {
        Some(NodeKind::Goto(section)) => format!("to {section}"),
        _ => "go on".into(),
    }
}
