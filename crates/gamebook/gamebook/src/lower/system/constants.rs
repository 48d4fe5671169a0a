//! Constant propagation, once the whole program exists.

use crate::program::{Answer, Each, Instruction, Outcome, Question, Register, Sets, Test, Value};
use crate::terms::Operator;

/// Replaces registers that are never written by their initial values, and leaves out assignments that change nothing. `most` has
/// the largest number of each register; `capped` are stats that are never above their initial values.
pub(super) fn known(steps: &mut [Instruction], start: &[i32], most: &[i32], capped: &[(Register, Register)]) {
    let written = written(steps, start.len());
    let known = |register: Register| {
        let own = usize::from(register);
        if written.get(own) == Some(&false) { start.get(own).copied() } else { None }
    };
    let changes_nothing = |register: Register, value: &Value| match value {
        Value::Register(own) => *own == register,
        Value::Operation(Operator::Min, own, limit) if **own == Value::Register(register) => match **limit {
            Value::Constant(limit) => most[usize::from(register)] <= limit,
            Value::Register(initial) => capped.contains(&(register, initial)),
            _ => false,
        },
        _ => false,
    };
    for step in steps {
        *step = given(step, &known);
        if let Instruction::Set { sets, next } = step
            && let [(register, value)] = &**sets
            && changes_nothing(*register, value)
        {
            *step = Instruction::Jump(*next);
        }
    }
}

/// The registers that are written.
pub(super) fn written(steps: &[Instruction], registers: usize) -> Vec<bool> {
    let mut written = vec![false; registers];
    let mut write = |register: Register| {
        if let Some(own) = written.get_mut(usize::from(register)) {
            *own = true;
        }
    };
    for step in steps {
        step.ways(0, &mut |way| {
            way.written.iter().for_each(|register| write(*register));
            way.sets.iter().for_each(|(register, _)| write(*register));
        });
    }
    written
}

/// A step with some registers known.
fn given(step: &Instruction, known: &impl Fn(Register) -> Option<i32>) -> Instruction {
    let sets = |sets: &Sets| -> Sets { sets.iter().map(|(register, value)| (*register, value.given(known))).collect() };
    match step {
        Instruction::Set { sets: own, next } => Instruction::Set { sets: sets(own), next: *next },
        Instruction::Branch { test, yes, no } => match test.given(known) {
            Test::Constant(holds) => Instruction::Jump(if holds { *yes } else { *no }),
            test => Instruction::Branch { test, yes: *yes, no: *no },
        },
        Instruction::Ask(question) => {
            let value = |value: &Value| value.given(known);
            let answers = question.answers.iter().map(|answer| Answer {
                each: answer.each.as_ref().map(|each| Each {
                    from: value(&each.from),
                    to: value(&each.to),
                    ..each.clone()
                }),
                test: answer.test.given(known),
                sets: sets(&answer.sets),
                ..answer.clone()
            });
            Instruction::Ask(Question {
                answers: answers.filter(|answer| answer.test != Test::Constant(false)).collect(),
                ..question.clone()
            })
        }
        Instruction::Chance { outcomes } => {
            let outcomes = outcomes.iter().map(|outcome| Outcome { sets: sets(&outcome.sets), ..outcome.clone() });
            Instruction::Chance { outcomes: outcomes.collect() }
        }
        other => other.clone(),
    }
}
