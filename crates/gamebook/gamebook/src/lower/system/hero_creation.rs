//! The creation of a hero of a system of rules during play.

use super::lowering::{Lowered, Lowering, register_of};
use crate::book::{Book, HeroCreation, HeroQuantity, QUESTION, VariableKind};
use crate::program::{Answer, Instruction, Label, Outcome, Question, Register, Test, Value};

impl Lowering<'_> {
    /// Emits the rolls, then the choices; continues at `next`. A hero from an earlier book keeps what he has instead of rolling
    /// it.
    pub(super) fn creation(
        &mut self,
        book: &Book,
        creation: &HeroCreation,
        from_another: bool,
        next: Label,
    ) -> Lowered {
        let mut next = next;
        if let Some(chosen) = &creation.chosen {
            let mut answers = Vec::new();
            for (label, things) in chosen.combinations(book) {
                let (mut test, mut sets) = (Test::ALWAYS, Vec::new());
                for (variable, count) in
                    things.iter().filter_map(|(quantity, count)| Some((variable(*quantity)?, *count)))
                {
                    let own = &self.system.variables[variable];
                    test = Test::both(test, Value::Register(register_of(variable)).at_most(own.most - count));
                    let more = |register: Register| Value::Register(register).plus(Value::Constant(count));
                    if own.kind == VariableKind::Item {
                        sets.extend(self.with_item(variable, more(register_of(variable))));
                        continue;
                    }
                    let registers = self.with_initial(variable).into_iter();
                    sets.extend(registers.map(|register| (register, more(register))));
                }
                for container in 0..self.system.containers.len() {
                    let is_in = |variable: usize| self.system.variables[variable].container == Some(container);
                    let more = things.iter().filter(|(quantity, _)| variable(*quantity).is_some_and(is_in));
                    let places = |quantity: &HeroQuantity| {
                        variable(*quantity).map_or(1, |own| self.system.variables[own].traits.places())
                    };
                    let more: i32 = more.map(|(quantity, count)| count * places(quantity)).sum();
                    if more > 0 {
                        test = Test::both(test, self.room(container).at_least(more));
                    }
                }
                let label = self.label(&label);
                let wastes = Test::Constant(false);
                answers.push(Answer { label, each: None, test, sets: sets.into(), next, wastes });
            }
            let about = Some(self.label(QUESTION));
            let otherwise = Some(next);
            next =
                self.emit(Instruction::Ask(Question { about, distinct: false, answers: answers.into(), otherwise }))?;
        }
        for (quantity, dice) in creation.rolled.iter().rev() {
            let Some(variable) = variable(*quantity) else { continue };
            let registers = self.with_initial(variable);
            // Raised by what he carries by then.
            let raised = self.raised(variable);
            let brings = |register: Register, number: i32| {
                let rolled = Value::Constant(number).plus(raised.clone());
                if from_another { Value::Register(register).plus(rolled) } else { rolled }
            };
            let outcome = |(number, ways): (i32, dashu_int::UBig)| Outcome {
                weight: ways.into(),
                sets: registers.iter().map(|register| (*register, brings(*register, number))).collect(),
                next,
            };
            let outcomes = dice.totals().into_iter().map(outcome).collect();
            next = self.emit(Instruction::Chance { outcomes })?;
        }
        Ok(next)
    }

    /// The register of a number, after that of its initial value.
    fn with_initial(&self, variable: usize) -> Vec<Register> {
        self.system.variables[variable].initial.into_iter().chain([variable]).map(register_of).collect()
    }
}

fn variable(quantity: HeroQuantity) -> Option<usize> {
    match quantity {
        HeroQuantity::Variable(own) => Some(own),
        _ => None,
    }
}
