//! Questions to the player of Lone Wolf, as far as his policy leaves them open.

use super::compiler::{Compiled, Compiler, Env};
use crate::book::PolicyRule;
use crate::lower::decide::{Asks, Draft, concerns, decide};
use crate::lower::error::CompileError;
use crate::program::{Answer, Each, HERE, Instruction, Label, Outcome, Question, Register, Test, Value};
use crate::terms::SectionNumber;

/// What a policy knows of an answer besides its steps.
#[derive(Clone, Default)]
pub(super) struct Shown {
    /// The author's label, if the player sees another.
    pub label: Option<String>,
    /// The section to which it leads without another question.
    pub section: Option<SectionNumber>,
}

/// A question that has passed through the policy.
pub(super) enum Posed {
    /// It stays as it is.
    Asked(Question),
    /// It was answered: the place at which the result begins.
    Decided(Label),
}

impl Compiler<'_> {
    /// A question, answered as far as the policy decides.
    pub(super) fn pose(&mut self, question: Question) -> Compiled {
        let shown = vec![Shown::default(); question.answers.len()];
        match self.posed(question, &shown)? {
            Posed::Asked(question) => self.emit(Instruction::Ask(question)),
            Posed::Decided(place) => Ok(place),
        }
    }

    /// The same for answers with further information.
    pub(super) fn posed(&mut self, question: Question, shown: &[Shown]) -> Result<Posed, CompileError> {
        let rules = self.policy;
        if rules.is_empty() {
            return Ok(Posed::Asked(question));
        }
        let drafts = question.answers.iter().zip(shown).map(|(answer, shown)| Draft {
            label: shown.label.clone().unwrap_or_else(|| self.program.labels[answer.label as usize].clone()),
            section: shown.section,
            answer: answer.clone(),
        });
        let mut drafts: Vec<Draft> = drafts.collect();
        if !concerns(rules, self.section, &drafts) {
            return Ok(Posed::Asked(question));
        }
        // An answer that returns to the question returns to the policy's result.
        let here = if drafts.iter().any(|draft| draft.answer.next == HERE) {
            let here = self.push(Instruction::Stuck)?;
            for draft in &mut drafts {
                draft.answer.next = draft.answer.leads_to(here);
            }
            Some(here)
        } else {
            None
        };
        let distinct = question.distinct;
        let place = decide(&mut Posing { compiler: self, question }, rules, drafts, distinct)?;
        Ok(Posed::Decided(match here {
            Some(here) => {
                self.program.steps[here as usize] = Instruction::Jump(place);
                here
            }
            None => place,
        }))
    }
}

/// A question that is passed through the policy.
struct Posing<'p, 'a> {
    compiler: &'p mut Compiler<'a>,
    question: Question,
}

impl Asks for Posing<'_, '_> {
    fn holds(&mut self, rule: &PolicyRule) -> Option<Test> {
        let here = rule.section.is_none_or(|section| section == self.compiler.section);
        here.then(|| self.compiler.test(&rule.when, &Env::default()))
    }

    fn asked(&mut self, answers: Vec<Draft>) -> Compiled {
        if answers.is_empty() {
            return match self.question.otherwise {
                Some(next) => Ok(next),
                None => self.compiler.emit(Instruction::Stuck),
            };
        }
        let answers: Box<[Answer]> = answers.into_iter().map(|draft| draft.answer).collect();
        self.compiler.emit(Instruction::Ask(Question { answers, ..self.question.clone() }))
    }

    fn branch(&mut self, test: Test, yes: Label, no: Label) -> Compiled {
        self.compiler.branch(test, yes, no)
    }

    fn set(&mut self, sets: Vec<(Register, Value)>, next: Label) -> Compiled {
        self.compiler.set(sets, next)
    }

    fn chance(&mut self, outcomes: Vec<Outcome>) -> Compiled {
        self.compiler.emit(Instruction::Chance { outcomes: outcomes.into() })
    }

    fn bounds(&self, each: &Each) -> (i32, i32) {
        let layout = &self.compiler.program.layout;
        (each.from.range(layout).0, each.to.range(layout).1)
    }

    fn refused(&self, message: String) -> CompileError {
        CompileError::Rules { section: self.compiler.section, message }
    }
}
