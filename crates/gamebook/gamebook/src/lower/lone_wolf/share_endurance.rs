//! Weaker heroes who are compiled with a stronger one ([`Weaker`](crate::program::Weaker)).
//!
//! A hero who begins with some points of ENDURANCE less has as many less everywhere, as long as everything done with ENDURANCE
//! adds to it, subtracts from it, heals it up to the maximum, or compares it with something that is shifted by the same amount:
//! then one program holds for all of them. A section in which more depends on it (a fight that ends before the hero dies, a
//! test of the number itself) begins by splitting the heroes: their difference is subtracted on entry and added again on
//! leaving.

use super::compiler::{Compiled, Compiler};
use super::registers::{BEFORE, ENDURANCE};
use crate::book::Section;
use crate::program::{Instruction, Label, Outcome, Register, Test, Value, Weaker, Weight};
use crate::terms::{Operator, SectionNumber};

impl<'a> Compiler<'a> {
    /// The body of a section, with the heroes split where necessary.
    pub(super) fn body_by_hero(&mut self, number: SectionNumber, section: &'a Section) -> Compiled {
        let before = self.program.steps.len();
        let body = self.body(section)?;
        let Some(weaker) = self.gear.weaker.filter(|_| !self.is_alike(before)) else { return Ok(body) };
        self.program.steps.truncate(before);
        self.program.sections.truncate(before);
        self.program.notes.forget_from(before);
        self.begin(number, section);
        self.gear.is_apart = true;
        let body = self.body(section);
        self.gear.is_apart = false;
        // Splitting separates heroes by ENDURANCE only.
        let asks_skill = |step: &Instruction| EnduranceCheck { weaker }.asks_skill(step);
        self.all_alike &= !self.program.steps[before..].iter().any(asks_skill);
        self.apart(weaker, body?)
    }

    /// Splits the heroes: subtracts each one's difference.
    fn apart(&mut self, weaker: Weaker, next: Label) -> Compiled {
        let endurance = Value::Register(ENDURANCE);
        let outcome = |short: u8| Outcome {
            // A hero without points left is dead.
            weight: Weight::Holds(Box::new(endurance.clone().at_least(i32::from(short) + 1))),
            sets: [
                (weaker.apart, Value::Constant(short.into())),
                (ENDURANCE, endurance.clone().minus(Value::Constant(short.into()))),
            ]
            .into(),
            next,
        };
        let outcomes = (0..=weaker.count).map(outcome).collect();
        self.emit(Instruction::Chance { outcomes })
    }

    /// Merges the heroes again on leaving a section that splits them.
    pub(super) fn together_again(&mut self, next: Label) -> Compiled {
        let Some(weaker) = self.gear.weaker.filter(|_| self.gear.is_apart) else { return Ok(next) };
        let whole = Value::Register(ENDURANCE).plus(Value::Register(weaker.apart));
        self.set([(ENDURANCE, whole), (weaker.apart, Value::Constant(0))], next)
    }

    /// Whether the steps from a place on hold for the weaker heroes, too.
    pub(super) fn is_alike(&self, from: usize) -> bool {
        let Some(weaker) = self.gear.weaker else { return true };
        let apart = EnduranceCheck { weaker };
        let mut steps = self.program.steps[from..].iter();
        steps.all(|step| apart.is_alike(step, |place| self.program.steps.get(place as usize)))
    }
}

/// Checks whether steps hold for heroes with less ENDURANCE.
struct EnduranceCheck {
    weaker: Weaker,
}

impl EnduranceCheck {
    fn is_alike<'p>(&self, step: &Instruction, at: impl Fn(Label) -> Option<&'p Instruction>) -> bool {
        if self.asks_skill(step) {
            return false;
        }
        match step {
            Instruction::Branch { test, yes, .. } if *test == self.weaker.has_fallen(ENDURANCE) => {
                at(*yes) == Some(&Instruction::Death)
            }
            Instruction::Branch { test, .. } => self.holds_alike(test),
            Instruction::Set { sets, .. } => self.sets_alike(sets),
            Instruction::Chance { outcomes } => outcomes.iter().all(|outcome| {
                self.sets_alike(&outcome.sets)
                    && match &outcome.weight {
                        Weight::Number(_) | Weight::Large(_) | Weight::BySkill(_) => true,
                        Weight::Register(register) => self.points(*register) == 0,
                        Weight::Holds(test) => self.holds_alike(test),
                    }
            }),
            Instruction::Ask(question) => question.answers.iter().all(|answer| {
                let number = |value: &Value| self.points_in(value) == Some(0);
                answer
                    .each
                    .as_ref()
                    .is_none_or(|each| self.points(each.register) == 0 && number(&each.from) && number(&each.to))
                    && self.holds_alike(&answer.test)
                    && self.sets_alike(&answer.sets)
            }),
            // A fight takes the same from a weaker hero, until he dies.
            Instruction::Fold(fold) => {
                let [hero, others @ ..] = &*fold.inputs else { return false };
                *hero == Value::Register(ENDURANCE)
                    && fold.outputs.first() == Some(&ENDURANCE)
                    && others.iter().all(|input| self.points_in(input) == Some(0))
                    && fold.outputs[1..].iter().all(|output| self.points(*output) == 0)
            }
            Instruction::Jump(_)
            | Instruction::Enter { .. }
            | Instruction::Leave { .. }
            | Instruction::Death
            | Instruction::Victory
            | Instruction::Stuck => true,
        }
    }

    /// Whether a step reads the hero's COMBAT SKILL.
    fn asks_skill(&self, step: &Instruction) -> bool {
        let mut asks = false;
        step.touches(0, &mut |register| asks |= register == self.weaker.skill);
        asks
    }

    fn sets_alike(&self, sets: &[(Register, Value)]) -> bool {
        sets.iter().all(|(register, value)| match self.points(*register) {
            0 => self.points_in(value) == Some(0),
            // 0 is death for all.
            points => *value == Value::Constant(0) || self.points_in(value) == Some(points),
        })
    }

    fn holds_alike(&self, test: &Test) -> bool {
        match test {
            Test::Constant(_) => true,
            Test::Compare(_, left, right) => {
                let left = self.points_in(left);
                left.is_some() && left == self.points_in(right)
            }
            Test::Not(inner) => self.holds_alike(inner),
            Test::And(left, right) | Test::Or(left, right) => self.holds_alike(left) && self.holds_alike(right),
        }
    }

    /// How much less a register holds for a hero with a point less.
    fn points(&self, register: Register) -> i32 {
        i32::from([ENDURANCE, BEFORE, self.weaker.most].contains(&register))
    }

    /// How much less a value is for a hero with a point less; `None` if that is not constant.
    fn points_in(&self, value: &Value) -> Option<i32> {
        match value {
            Value::Constant(_) => Some(0),
            Value::Register(register) => Some(self.points(*register)),
            Value::Operation(operator, left, right) => {
                let (left, right) = (self.points_in(left)?, self.points_in(right)?);
                match operator {
                    Operator::Plus => Some(left + right),
                    Operator::Minus => Some(left - right),
                    Operator::Min | Operator::Max => (left == right).then_some(left),
                    Operator::Times | Operator::Down | Operator::Up => ((left, right) == (0, 0)).then_some(0),
                }
            }
            Value::Half(value) => self.points_in(value).filter(|points| points % 2 == 0).map(|points| points / 2),
            Value::Holds(test) => self.holds_alike(test).then_some(0),
            Value::Lookup(_, index) => self.points_in(index).filter(|points| *points == 0),
            Value::Sum(registers) => registers.iter().all(|register| self.points(*register) == 0).then_some(0),
        }
    }
}
