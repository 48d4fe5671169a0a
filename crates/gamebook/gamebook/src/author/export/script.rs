//! A compiled book as JSON for a small interpreter: steps over registers.
//!
//! `interpreter.js` beside this file is that interpreter. Numbers and tests are arrays that begin with their kind; see `value`
//! and `test`. The program is not reduced; of folded fights only the rounds are included.

use std::sync::Arc;

use budget::Budget;
use serde_json::{Map, Value as Json, json};

use crate::book::Book;
use crate::lower::compile;
use crate::program::{
    Answer, Duel, HERE, Instruction, Label, Outcome, Program, Question as Asked, Register, Roll, Sets, Starting, Table,
    Test, Throw, Value, Weight,
};
use crate::solve::{Question, SolveBookError};
use crate::terms::Operator;

/// Rolls with more outcomes are given by weights alone.
const MOST_OUTCOMES: usize = 20_000;

impl Question {
    /// The compiled program of this question as JSON for an interpreter: the one inside the page of [`page`](Self::page).
    ///
    /// # Errors
    /// As [`machine`](Self::machine).
    pub fn script(&self, book: &Book, budget: &Budget<'_>) -> Result<String, SolveBookError> {
        self.check(book)?;
        let Starting { program, state } = compile(self.quest(book), budget)?;
        let mut writer = Writer { book, program: &program, tables: Vec::new() };
        let steps: Vec<Json> = program.steps.iter().map(|step| writer.step(step)).collect();
        let notes = writer.notes();
        let layout = &program.layout;
        let registers = (0..layout.registers()).filter_map(|place| Register::try_from(place).ok());
        let registers: Vec<Json> = registers
            .map(|own| {
                let (least, most) = layout.range(own);
                json!([layout.name(own), least, most, layout.get(&state, own)])
            })
            .collect();
        let sections: Map<String, Json> = book
            .sections
            .iter()
            .map(|(number, section)| {
                (number.to_string(), json!({"name": book.section_text(*number), "text": section.text}))
            })
            .collect();
        let script = json!({
            "format": 1,
            "title": book.title,
            "start": state.place(),
            "registers": registers,
            "steps": steps,
            "section_of": program.sections,
            "sections": sections,
            "labels": program.labels,
            "notes": notes,
            "sheet": writer.sheet(),
            "tables": writer.tables.iter().map(|own| json!([own.first, own.numbers])).collect::<Vec<Json>>(),
        });
        Ok(script.to_string())
    }
}

/// Writes the steps of a program.
struct Writer<'p> {
    book: &'p Book,
    program: &'p Program,
    /// The tables used by values, by number.
    tables: Vec<Arc<Table>>,
}

impl Writer<'_> {
    fn step(&mut self, step: &Instruction) -> Json {
        match step {
            Instruction::Set { sets, next } => json!(["set", self.sets(sets), next]),
            Instruction::Branch { test, yes, no } => json!(["if", self.test(test), yes, no]),
            Instruction::Ask(question) => self.question(question),
            Instruction::Chance { outcomes } => {
                let outcomes: Vec<Json> = outcomes.iter().map(|own| self.outcome(own)).collect();
                json!(["chance", outcomes])
            }
            // Its rounds have the same effect.
            Instruction::Fold(fold) => json!(["go", fold.steps]),
            Instruction::Enter { next } => json!(["enter", next]),
            Instruction::Jump(next) | Instruction::Leave { next, .. } => json!(["go", next]),
            Instruction::Death => json!(["death"]),
            Instruction::Victory => json!(["victory"]),
            Instruction::Stuck => json!(["stuck"]),
        }
    }

    fn question(&mut self, question: &Asked) -> Json {
        let answers: Vec<Json> = question.answers.iter().map(|own| self.answer(own)).collect();
        json!(["ask", {
            "about": question.about,
            "distinct": question.distinct,
            "answers": answers,
            "otherwise": question.otherwise,
        }])
    }

    fn answer(&mut self, answer: &Answer) -> Json {
        let each = answer.each.as_ref().map(|each| {
            let (from, to) = (self.value(&each.from), self.value(&each.to));
            json!({"register": each.register, "from": from, "to": to, "down": each.down})
        });
        let next = (answer.next != HERE).then_some(answer.next);
        json!({
            "label": answer.label,
            "each": each,
            "test": self.test(&answer.test),
            "sets": self.sets(&answer.sets),
            "next": next,
        })
    }

    fn outcome(&mut self, outcome: &Outcome) -> Json {
        let weight = match &outcome.weight {
            Weight::Number(number) => json!(number),
            // A script is for one hero, for whom the numbers of a round have equal weight.
            Weight::BySkill(_) => json!(1),
            // Beyond the exact integers of JavaScript.
            Weight::Large(number) => json!(number.to_string()),
            Weight::Register(register) => json!(["of", register]),
            Weight::Holds(test) => json!(["holds", self.test(test)]),
        };
        json!([weight, self.sets(&outcome.sets), outcome.next])
    }

    fn sets(&mut self, sets: &Sets) -> Json {
        sets.iter().map(|(register, value)| json!([register, self.value(value)])).collect()
    }

    fn value(&mut self, value: &Value) -> Json {
        match value {
            Value::Constant(number) => json!(number),
            Value::Register(register) => json!(["of", register]),
            Value::Operation(operator, left, right) => {
                let name = match operator {
                    Operator::Plus => "+",
                    Operator::Minus => "-",
                    Operator::Times => "*",
                    Operator::Min => "min",
                    Operator::Max => "max",
                    Operator::Down => "down",
                    Operator::Up => "up",
                };
                json!([name, self.value(left), self.value(right)])
            }
            Value::Half(inner) => json!(["down", self.value(inner), 2]),
            Value::Holds(test) => json!(["holds", self.test(test)]),
            Value::Lookup(table, index) => {
                let index = self.value(index);
                let place = self.tables.iter().position(|own| Arc::ptr_eq(own, table)).unwrap_or_else(|| {
                    self.tables.push(table.clone());
                    self.tables.len() - 1
                });
                json!(["table", place, index])
            }
            Value::Sum(registers) => json!(["sum", registers.to_vec()]),
        }
    }

    fn test(&mut self, test: &Test) -> Json {
        match test {
            Test::Constant(holds) => json!(holds),
            Test::Compare(comparison, left, right) => {
                let sign = comparison.sign();
                json!([sign, self.value(left), self.value(right)])
            }
            Test::Not(inner) => json!(["not", self.test(inner)]),
            Test::And(left, right) => json!(["and", self.test(left), self.test(right)]),
            Test::Or(left, right) => json!(["or", self.test(left), self.test(right)]),
        }
    }

    /// The notes of steps, by place.
    fn notes(&mut self) -> Json {
        let mut notes: std::collections::BTreeMap<Label, Map<String, Json>> = std::collections::BTreeMap::new();
        let program = self.program;
        for (place, roll) in &program.notes.rolls {
            if let Some(roll) = roll.as_ref().filter(|own| own.outcomes.len() <= MOST_OUTCOMES) {
                notes.entry(*place).or_default().insert("roll".into(), picks(roll));
            }
        }
        for (place, throw) in &program.notes.throws {
            if let Some(throw) = throw.as_ref().filter(|own| own.outcomes.len() <= MOST_OUTCOMES) {
                notes.entry(*place).or_default().insert("roll".into(), dice(throw));
            }
        }
        for (place, drawn) in &program.notes.draws {
            notes.entry(*place).or_default().insert("drawn".into(), json!(drawn));
        }
        for (place, foes) in &program.notes.foes {
            let Some(foes) = foes else { continue };
            let foes: Vec<Json> = foes.iter().map(|own| json!({"name": own.name, "stats": own.stats})).collect();
            notes.entry(*place).or_default().insert("foes".into(), foes.into());
        }
        for (place, duel) in &program.notes.duels {
            let duel = self.duel(duel);
            notes.entry(*place).or_default().insert("duel".into(), duel);
        }
        notes.into_iter().map(|(place, own)| (place.to_string(), Json::Object(own))).collect::<Map<_, _>>().into()
    }

    fn duel(&mut self, duel: &Duel) -> Json {
        let losses: Vec<Json> =
            duel.losses.iter().map(|(hero, enemy)| json!([self.value(hero), self.value(enemy)])).collect();
        json!({
            "name": duel.name,
            "combat_skill": duel.combat_skill,
            "endurance": self.value(&duel.endurance),
            "ratio": duel.ratio.as_ref().map(|own| self.value(own)),
            "losses": losses,
        })
    }

    /// The hero's sheet: names, and registers or expressions.
    fn sheet(&mut self) -> Json {
        let sheet = &self.program.sheet;
        let stats: Vec<Json> = match &sheet.stats {
            Some(stats) => stats
                .iter()
                .map(|own| json!([own.name, ["of", own.register], own.initial.map(|own| json!(["of", own]))]))
                .collect(),
            None => {
                let most = self.value(&sheet.max_endurance);
                let mut stats = vec![json!(["Endurance", ["of", sheet.endurance], most])];
                let uses_gold = self.program.steps.iter().zip(0..).any(|(step, here)| {
                    let mut touched = false;
                    step.touches(here, &mut |own| touched |= own == sheet.gold);
                    touched
                });
                if uses_gold {
                    stats.push(json!(["Gold Crowns", ["of", sheet.gold], null]));
                }
                stats
            }
        };
        let hero = self.book.system.is_none();
        json!({"stats": stats, "items": sheet.items, "flags": sheet.flags, "kai": hero})
    }
}

/// How numbers from 0 to 9 are picked.
fn picks(roll: &Roll) -> Json {
    let sums: Vec<Json> =
        roll.sums.iter().map(|(name, picks)| json!([name, vec![10; usize::from(*picks)], 0])).collect();
    json!({"kind": if roll.zero_is_ten { "ten" } else { "pick" }, "sums": sums, "outcomes": roll.outcomes})
}

/// How dice are thrown.
fn dice(throw: &Throw) -> Json {
    let sums: Vec<Json> =
        throw.sums.iter().map(|(name, dice)| json!([name, dice.sides().collect::<Vec<u32>>(), dice.plus])).collect();
    json!({"kind": "dice", "sums": sums, "outcomes": throw.outcomes})
}
