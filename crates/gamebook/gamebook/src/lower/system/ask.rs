//! Questions to the player, and policies that answer them for him.

use std::ops::RangeInclusive;

use super::lowering::{Bound, Env, Lowered, Lowering, register_of};
use super::marked::Part;
use crate::book::{Action, ActionTime, Choice, Condition, LocalId, Node, NodeKind, PolicyRule};
use crate::lower::decide::{Asks, Draft, decide};
use crate::lower::error::CompileError;
use crate::program::{Answer, Each, Instruction, Label, Outcome, Question, Register, Test, Value};
use crate::terms::SectionNumber;

/// A choice between more constant numbers, with those around it, keeps its number in a register.
const MOST_UNROLLED: i32 = 64;

impl<'a> Lowering<'a> {
    /// One of the author's questions.
    pub(super) fn choices(&mut self, node: &Node, choices: &'a [Choice], env: &Env<'a>, next: Label) -> Lowered {
        let marks = self.marks_parts_of(node);
        let mut parts = Vec::new();
        let mut answers = Vec::new();
        let all = choices.iter().flat_map(|choice| self.about(choice.with).into_iter().map(move |item| (choice, item)));
        for (choice, item) in all.collect::<Vec<_>>() {
            let section = choice.body.last().and_then(|last| match last.kind {
                NodeKind::Goto(section) => Some(section),
                _ => None,
            });
            let mut inner = Env { item: item.or(env.item), ..env.clone() };
            let each = match &choice.each {
                Some((local, from, to)) => {
                    let (least, most) = (self.range(from, env)?.0, self.range(to, env)?.1);
                    let (from, to) = (self.value(from, env)?, self.value(to, env)?);
                    if let (Value::Constant(from), Value::Constant(to)) = (&from, &to)
                        && self.plays_best
                        && !marks
                        && self.system.locals[*local].changed.is_none()
                        && to.saturating_sub(*from).saturating_add(1).saturating_mul(self.unrolled) <= MOST_UNROLLED
                    {
                        self.number_by_number(choice, (*local, *from..=*to), &inner, next, &mut answers)?;
                        continue;
                    }
                    let register = self.bind(&mut inner, *local, least, most.max(least))?;
                    Some(Each { register, from, to, down: false })
                }
                None => None,
            };
            let test = Test::both(is_there(item), self.test(&choice.require, &inner)?);
            if test == Test::Constant(false) && !self.looks_at_all() {
                continue;
            }
            let mut place = self.block(&choice.body, &inner, next)?;
            if marks && item.is_none() && choice.require != Condition::Constant(false) {
                place = self.marked(Part::Choice, &choice.span, place, &mut parts)?;
            }
            let label = match (choice.label.is_empty(), section) {
                (false, _) => self.named(&choice.label, item),
                (true, Some(section)) => format!("to {}", self.section_name(section)),
                (true, None) => "go on".into(),
            };
            let own = Draft::new(label, test, place);
            answers.push(Draft { section, answer: Answer { each, ..own.answer }, ..own });
        }
        let asked = self.ask(answers, env)?;
        if marks {
            self.question(asked, &node.span);
        }
        self.whole(asked, parts)
    }

    /// A choice between constant numbers, as one answer for each: the numbers are known in what follows and need no register.
    /// Numbers with the same effect are merged into the first.
    fn number_by_number(
        &mut self,
        choice: &'a Choice,
        (local, numbers): (LocalId, RangeInclusive<i32>),
        env: &Env<'a>,
        next: Label,
        answers: &mut Vec<Draft>,
    ) -> Result<(), CompileError> {
        let name = format!("{{{}}}", self.system.locals[local].name);
        let label = self.named(&choice.label, env.item);
        let first = answers.len();
        let around = self.unrolled;
        self.unrolled *= (numbers.end() - numbers.start() + 1).max(1);
        for number in numbers {
            let mut inner = env.clone();
            inner.names.push((local, Bound::Constant(number)));
            let test = Test::both(is_there(env.item), self.test(&choice.require, &inner)?);
            if test == Test::Constant(false) {
                continue;
            }
            let place = self.block(&choice.body, &inner, next)?;
            let own = Draft::new(label.replace(&name, &number.to_string()), test, place);
            let is_same = |other: &Draft| other.answer.test == own.answer.test && other.answer.next == place;
            if !answers[first..].iter().any(is_same) {
                answers.push(own);
            }
        }
        self.unrolled = around;
        Ok(())
    }

    /// The items in question: each with a certain stat, or `None` for no item.
    fn about(&self, with: Option<usize>) -> Vec<Option<usize>> {
        with.map_or_else(|| vec![None], |stat| self.system.items_with(stat).map(Some).collect())
    }

    /// A label with the name of its item.
    fn named(&self, label: &str, item: Option<usize>) -> String {
        item.map_or_else(|| label.into(), |item| label.replace("{item}", &self.system.variables[item].name))
    }

    fn section_name(&self, section: SectionNumber) -> String {
        self.called.get(&section).cloned().unwrap_or_else(|| section.to_string())
    }

    /// A question, answered as far as the policy decides.
    pub(super) fn ask(&mut self, answers: Vec<Draft>, env: &Env<'a>) -> Lowered {
        let rules = self.policy;
        decide(&mut Posing { lowering: self, env, otherwise: None }, rules, answers, false)
    }

    /// The same, but without a possible answer play continues at `otherwise`, and answers with the same effect are listed once.
    pub(super) fn ask_for_one(&mut self, answers: Vec<Draft>, otherwise: Label, env: &Env<'a>) -> Lowered {
        let rules = self.policy;
        decide(&mut Posing { lowering: self, env, otherwise: Some(otherwise) }, rules, answers, false)
    }

    /// The actions that the player may take here.
    pub(super) fn actions(&mut self, next: Label, env: &Env<'a>, wanted: impl Fn(ActionTime) -> bool) -> Lowered {
        let system = self.system;
        let actions: Vec<&Action> = system.actions.iter().filter(|action| wanted(action.when)).collect();
        if actions.is_empty() {
            return Ok(next);
        }
        let here = self.push(Instruction::Stuck)?;
        let inner = Env { outside: false, ..env.clone() };
        let mut answers = Vec::new();
        let all = actions.into_iter().flat_map(|own| self.about(own.with).into_iter().map(move |item| (own, item)));
        for (action, item) in all.collect::<Vec<_>>() {
            let inner = Env { item, ..inner.clone() };
            let body = self.block(&action.body, &inner, here)?;
            let test = Test::both(is_there(item), self.test(&action.require, &inner)?);
            answers.push(Draft::new(self.named(&action.name, item), test, body));
        }
        answers.push(Draft::new("go on".into(), Test::ALWAYS, next));
        let asked = self.ask(answers, env)?;
        if self.plays_best {
            self.notes.actions.insert(asked, Test::ALWAYS);
        }
        self.steps[here as usize] = Instruction::Jump(asked);
        Ok(here)
    }

    /// Whether the system has actions between the events of a section.
    pub(super) fn acts_outside(&self) -> bool {
        self.system.actions.iter().any(|own| matches!(own.when, ActionTime::OutsideFight | ActionTime::AnyTime))
    }
}

/// The test that an item is carried, if there is one in question.
fn is_there(item: Option<usize>) -> Test {
    item.map_or(Test::ALWAYS, |item| Value::Register(register_of(item)).at_least(1))
}

/// A question that is passed through the policy.
struct Posing<'p, 'a> {
    lowering: &'p mut Lowering<'a>,
    env: &'p Env<'a>,
    /// Where play continues without a possible answer; then answers with the same effect are merged.
    otherwise: Option<Label>,
}

impl Asks for Posing<'_, '_> {
    fn holds(&mut self, rule: &PolicyRule) -> Option<Test> {
        let here = rule.section.is_none_or(|section| section == self.lowering.section)
            && rule.event.is_none_or(|event| self.env.event == Some(event));
        // A rule that reads a name does not apply where the name is unbound.
        if here { self.lowering.test(&rule.when, self.env).ok() } else { None }
    }

    fn asked(&mut self, answers: Vec<Draft>) -> Lowered {
        if answers.is_empty() {
            return self.otherwise.map_or_else(|| self.lowering.emit(Instruction::Stuck), Ok);
        }
        let answers =
            answers.into_iter().map(|draft| Answer { label: self.lowering.label(&draft.label), ..draft.answer });
        let answers = answers.collect();
        let (distinct, otherwise) = (self.otherwise.is_some(), self.otherwise);
        let asked = Instruction::Ask(Question { about: None, distinct, answers, otherwise });
        let place = self.lowering.emit(asked)?;
        self.lowering.note_foes(place, self.env)?;
        Ok(place)
    }

    fn branch(&mut self, test: Test, yes: Label, no: Label) -> Lowered {
        self.lowering.branch(test, yes, no)
    }

    fn set(&mut self, sets: Vec<(Register, Value)>, next: Label) -> Lowered {
        self.lowering.set(sets, next)
    }

    fn chance(&mut self, outcomes: Vec<Outcome>) -> Lowered {
        if outcomes.is_empty() {
            return self.lowering.emit(Instruction::Stuck);
        }
        let place = self.lowering.emit(Instruction::Chance { outcomes: outcomes.into() })?;
        // This chance is not rolled.
        self.lowering.notes.throws.insert(place, None);
        self.lowering.note_foes(place, self.env)?;
        Ok(place)
    }

    fn bounds(&self, each: &Each) -> (i32, i32) {
        let (_, least, most) = &self.lowering.registers[usize::from(each.register)];
        (*least, *most)
    }

    fn refused(&self, message: String) -> CompileError {
        CompileError::Rules { section: self.lowering.section, message }
    }
}
