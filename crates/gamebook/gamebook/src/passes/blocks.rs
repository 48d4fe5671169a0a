//! Folding: a loop in which nothing is asked, such as the rounds of a fight without decisions, becomes one chance.
//!
//! A loop is a strongly connected component of steps that assign, branch or leave something to chance. Play enters it at one
//! place and leaves it at its exits. A [`Fold`] takes the place of its entry: it reads what the loop reads, and leads to the
//! exits with the registers that the loop writes, each with its exact probability. The loop itself stays, for states in which
//! it cannot be folded and for reports that go step by step.

use std::sync::Arc;

use budget::{Budget, Stage, Stopped};
use rustc_hash::FxHashMap;

use super::block::{Block, Shape};
use crate::program::{Edges, Fold, Instruction, Label, Outcome, Program, Reads, Register, Sets, Test, Value, Weight};

/// A block with more inputs stays as it is.
const MOST_INPUTS: usize = 30;

/// A loop with more steps stays as it is.
const MOST_STEPS: usize = 1 << 10;

/// Folds the loops of a program. `live` says whether a register is live at a place. Returns for each new place the place whose
/// steps it stands for.
pub(crate) fn fold_blocks(
    program: &mut Program,
    live: impl Fn(Label, Register) -> bool,
    budget: &Budget<'_>,
) -> Result<Vec<Label>, Stopped> {
    let loops = Loops::of(program, budget)?;
    let mut natives: FxHashMap<Shape, Option<u32>> = FxHashMap::default();
    let mut folds: Vec<(Label, Fold)> = Vec::new();
    for (members, entry) in loops.members.iter().zip(&loops.entries) {
        budget.step(Stage::Compiling, folds.len() as u64, 0)?;
        let Entry::One(entry) = *entry else { continue };
        let Some((shape, mut fold)) = Maker::new(program, &live, members, entry).block() else { continue };
        let native = natives.entry(shape).or_insert_with_key(|shape| {
            program.natives.push(Arc::new(Block::new(shape.clone())?));
            u32::try_from(program.natives.len() - 1).ok()
        });
        let Some(native) = *native else { continue };
        fold.native = native;
        folds.push((entry, fold));
    }
    let new: FxHashMap<Label, Label> = folds.iter().map(|(entry, _)| *entry).zip(program.places().end..).collect();
    for (step, own) in program.steps.iter_mut().zip(&loops.of) {
        step.places(|next| {
            if let Some(new) = new.get(next).filter(|_| *own != loops.of[*next as usize]) {
                *next = *new;
            }
        });
    }
    program.start = new.get(&program.start).copied().unwrap_or(program.start);
    for (entry, fold) in &folds {
        program.sections.push(program.sections[*entry as usize]);
        program.steps.push(Instruction::Fold(fold.clone()));
    }
    Ok(folds.into_iter().map(|(entry, _)| entry).collect())
}

/// Whether a step can be part of a block.
fn can_fold(step: &Instruction) -> bool {
    match step {
        Instruction::Jump(_) | Instruction::Set { .. } | Instruction::Branch { .. } => true,
        Instruction::Chance { outcomes } => outcomes.iter().all(|own| matches!(own.weight, Weight::Number(_))),
        _ => false,
    }
}

/// The loops of steps that can be folded, each with a chance in it.
struct Loops {
    members: Vec<Vec<Label>>,
    entries: Vec<Entry>,
    /// For each place the index of its loop.
    of: Vec<Option<usize>>,
}

/// Where play enters a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entry {
    None,
    One(Label),
    Several,
}

impl Loops {
    fn of(program: &Program, budget: &Budget<'_>) -> Result<Self, Stopped> {
        let successors = Edges::successors(program);
        let can_fold: Vec<bool> = program.steps.iter().map(can_fold).collect();
        let edges = |place: Label| {
            let all = if can_fold[place as usize] { successors.of(place) } else { &[] };
            all.iter().copied().filter(|next| can_fold[*next as usize])
        };
        let mut members = graph::components(program.places(), program.places(), edges, budget)?;
        let has_chance = |members: &[Label]| {
            members.iter().any(|place| matches!(program.steps[*place as usize], Instruction::Chance { .. }))
        };
        members.retain(|members| (2..=MOST_STEPS).contains(&members.len()) && has_chance(members));
        let mut of = vec![None; program.steps.len()];
        for (number, members) in members.iter().enumerate() {
            for place in members {
                of[*place as usize] = Some(number);
            }
        }
        let mut entries = vec![Entry::None; members.len()];
        let from = std::iter::once((None, program.start));
        let all = program.places().flat_map(|place| {
            let from = of[place as usize];
            successors.of(place).iter().map(move |next| (from, *next))
        });
        for (from, place) in from.chain(all) {
            let Some(own) = of[place as usize].filter(|own| from != Some(*own)) else { continue };
            entries[own] = match entries[own] {
                Entry::None => Entry::One(place),
                Entry::One(known) if known == place => continue,
                _ => Entry::Several,
            };
        }
        Ok(Self { members, entries, of })
    }
}

/// Makes a block of a loop.
struct Maker<'p, L> {
    program: &'p Program,
    live: &'p L,
    /// The places of the loop, the entry first.
    members: Vec<Label>,
    exits: Vec<Label>,
    /// The registers that it writes: the first ones of the block.
    written: Vec<Register>,
    /// The expressions that do not change in it: the other ones.
    fixed: Vec<Value>,
    ranges: Vec<(i32, i32)>,
}

impl<'p, L: Fn(Label, Register) -> bool> Maker<'p, L> {
    fn new(program: &'p Program, live: &'p L, members: &[Label], entry: Label) -> Self {
        let mut own = Self {
            program,
            live,
            members: vec![entry],
            exits: Vec::new(),
            written: Vec::new(),
            fixed: Vec::new(),
            ranges: Vec::new(),
        };
        let mut at = 0;
        let mut next = Vec::new();
        while let Some(place) = own.members.get(at).copied() {
            let step = &program.steps[place as usize];
            step.ways(place, &mut |way| own.written.extend(way.sets.iter().map(|(register, _)| *register)));
            next.clear();
            step.successors(place, &mut next);
            for next in &next {
                let known = if members.binary_search(next).is_ok() { &mut own.members } else { &mut own.exits };
                if !known.contains(next) {
                    known.push(*next);
                }
            }
            at += 1;
        }
        own.written.sort_unstable();
        own.written.dedup();
        own.ranges = own.written.iter().map(|register| program.layout.range(*register)).collect();
        own
    }

    /// The block, and the step that stands for it.
    fn block(mut self) -> Option<(Shape, Fold)> {
        let steps = self.members.clone().into_iter().map(|place| self.step(place)).collect::<Option<Vec<_>>>()?;
        let program = self.program;
        let (entry, exits) = (self.members[0], self.exits.clone());
        let written = (0..).zip(&self.written);
        let live_at = |place: &Label| -> Vec<Register> {
            written.clone().filter(|(_, register)| (self.live)(*place, **register)).map(|(own, _)| own).collect()
        };
        let within = |place: &Label| live_at(place).into_iter().chain(self.fixed_registers()).collect();
        let mut inputs: Vec<Register> = within(&entry);
        // The health, from 0 on, so that endings are known by it.
        let is_first = |own: &Register| {
            let register = self.written.get(usize::from(*own)).copied();
            register.is_some() && register == program.sheet.vital() && self.ranges[usize::from(*own)].0 == 0
        };
        let first = inputs.iter().position(is_first).map(|at| inputs.remove(at));
        let live_after = |register: &Register| exits.iter().any(|exit| (self.live)(*exit, *register));
        let outputs: Vec<(Register, Register)> = written
            .clone()
            .filter(|(_, register)| live_after(register))
            .map(|(own, register)| (own, *register))
            .collect();
        let value = |own: Register| match self.written.get(usize::from(own)) {
            Some(register) => Value::Register(*register),
            None => self.fixed[usize::from(own) - self.written.len()].clone(),
        };
        let before = first.map_or(Value::Constant(0), value);
        let fold = Fold {
            native: 0,
            inputs: std::iter::once(before).chain(inputs.iter().map(|own| value(*own))).collect(),
            outputs: outputs.iter().map(|(_, register)| *register).collect(),
            exits: exits.clone().into(),
            steps: entry,
        };
        if fold.inputs.len() > MOST_INPUTS {
            return None;
        }
        let shape = Shape {
            kept: self.members.iter().map(within).collect(),
            exits: exits.iter().map(live_at).collect(),
            outputs: outputs.iter().map(|(own, _)| *own).collect(),
            others: inputs,
            first,
            steps,
            ranges: self.ranges.clone(),
        };
        Some((shape, fold))
    }

    fn fixed_registers(&self) -> impl Iterator<Item = Register> {
        let first = self.written.len();
        (first..first + self.fixed.len()).filter_map(|own| Register::try_from(own).ok())
    }

    /// The label of a place within the block.
    fn label(&self, place: Label) -> Label {
        let at = |places: &[Label]| places.iter().position(|own| *own == place);
        let label = at(&self.members).or_else(|| Some(self.members.len() + at(&self.exits)?));
        label.and_then(|label| Label::try_from(label).ok()).unwrap_or(Label::MAX)
    }

    fn step(&mut self, place: Label) -> Option<Instruction> {
        Some(match &self.program.steps[place as usize] {
            Instruction::Jump(next) => Instruction::Jump(self.label(*next)),
            Instruction::Set { sets, next } => Instruction::Set { sets: self.sets(sets)?, next: self.label(*next) },
            Instruction::Branch { test, yes, no } => {
                Instruction::Branch { test: self.test(test)?, yes: self.label(*yes), no: self.label(*no) }
            }
            Instruction::Chance { outcomes } => {
                let outcome = |own: &Outcome| {
                    let (sets, next) = (self.sets(&own.sets)?, self.label(own.next));
                    Some(Outcome { weight: own.weight.clone(), sets, next })
                };
                Instruction::Chance { outcomes: outcomes.iter().map(outcome).collect::<Option<_>>()? }
            }
            _ => return None,
        })
    }

    fn sets(&mut self, sets: &Sets) -> Option<Sets> {
        sets.iter().map(|(register, value)| Some((self.own(*register)?, self.value(value)?))).collect()
    }

    /// The block's register for one that it writes.
    fn own(&self, register: Register) -> Option<Register> {
        Register::try_from(self.written.binary_search(&register).ok()?).ok()
    }

    /// The block's register for an expression that does not change in it.
    fn fixed(&mut self, value: Value) -> Option<Value> {
        let at = self.fixed.iter().position(|known| *known == value).unwrap_or_else(|| {
            self.ranges.push(value.range(&self.program.layout));
            self.fixed.push(value);
            self.fixed.len() - 1
        });
        let (least, most) = self.ranges[self.written.len() + at];
        u16::try_from(most.checked_sub(least)?).ok()?;
        Some(Value::Register(Register::try_from(self.written.len() + at).ok()?))
    }

    fn changes(&self, expression: &dyn Reads) -> bool {
        let mut changes = false;
        expression.reads(&mut |register| changes |= self.own(register).is_some());
        changes
    }

    fn value(&mut self, value: &Value) -> Option<Value> {
        Some(match value {
            Value::Constant(_) => value.clone(),
            _ if !self.changes(value) => self.fixed(value.clone())?,
            Value::Register(register) => Value::Register(self.own(*register)?),
            Value::Operation(operator, left, right) => {
                Value::operation(*operator, self.value(left)?, self.value(right)?)
            }
            Value::Half(half) => self.value(half)?.half(),
            Value::Holds(test) => Value::holds(self.test(test)?),
            Value::Lookup(table, index) => Value::Lookup(Arc::clone(table), Box::new(self.value(index)?)),
            Value::Sum(registers) => {
                let (changing, fixed): (Vec<Register>, Vec<Register>) =
                    registers.iter().partition(|register| self.own(**register).is_some());
                let own = changing.iter().map(|register| self.own(*register)).collect::<Option<_>>()?;
                let sum = Value::Sum(own);
                if fixed.is_empty() { sum } else { sum.plus(self.fixed(Value::Sum(fixed.into()))?) }
            }
        })
    }

    fn test(&mut self, test: &Test) -> Option<Test> {
        Some(match test {
            Test::Constant(_) => test.clone(),
            _ if !self.changes(test) => self.fixed(Value::holds(test.clone()))?.at_least(1),
            Test::Compare(comparison, left, right) => Test::compare(*comparison, self.value(left)?, self.value(right)?),
            Test::Not(inner) => self.test(inner)?.negated(),
            Test::And(left, right) => Test::both(self.test(left)?, self.test(right)?),
            Test::Or(left, right) => Test::either(self.test(left)?, self.test(right)?),
        })
    }
}
