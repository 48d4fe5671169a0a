//! Ranges of registers at each place of a program, each register separately, for all heroes at once.

use std::collections::BTreeSet;

use budget::{Budget, Stage, Stopped};

use crate::program::{Instruction, Label, Program, Question, Register, Test, Value, Weight};
use crate::terms::{Comparison, Operator};

/// From this visit of a place on, bounds that still move are widened to their limits.
const PATIENCE: u32 = 8;

/// The most ranges that are stored.
const MOST_RANGES: usize = 20_000_000;

/// A minimum and a maximum.
pub(super) type Bounds = (i32, i32);

/// The range of every register.
type Ranges = Box<[Bounds]>;

/// The places that are reachable, with their ranges.
pub(super) struct Reached {
    ranges: Vec<Option<Ranges>>,
    /// The questions for which a hero may have no answer.
    pub(super) stuck: BTreeSet<Label>,
}

impl Reached {
    /// Whether a place is reachable.
    pub(super) fn is_reached(&self, place: Label) -> bool {
        self.ranges[place as usize].is_some()
    }

    /// The ranges at a place, if it is reachable.
    pub(super) fn at(&self, place: Label) -> Option<&[Bounds]> {
        self.ranges[place as usize].as_deref()
    }
}

/// The range of a value.
pub(super) fn range(value: &Value, ranges: &[Bounds]) -> Bounds {
    value.range_where(&|register| ranges[usize::from(register)])
}

/// Propagates ranges from these places; `None` if the program is too large. Ends as soon as a `wanted` place is reached.
pub(super) fn reached(
    program: &Program,
    from: &[(Label, &[Bounds])],
    wanted: Option<&Instruction>,
    budget: &Budget<'_>,
) -> Result<Option<Reached>, Stopped> {
    let places = program.steps.len();
    let registers = from.first().map_or(0, |(_, ranges)| ranges.len());
    if places.saturating_mul(registers) > MOST_RANGES {
        return Ok(None);
    }
    budget.memory((places * registers * size_of::<Bounds>()) as u64)?;
    let mut walk = Walk {
        program,
        visits: vec![0; places],
        open: BTreeSet::new(),
        found: Reached { ranges: vec![None; places], stuck: BTreeSet::new() },
    };
    for (place, ranges) in from {
        walk.go(*place, (*ranges).into());
    }
    let mut done = 0;
    // Successors mostly have smaller numbers, since programs are compiled backwards.
    while let Some(place) = walk.open.pop_last() {
        done += 1;
        budget.step(Stage::Compiling, done, walk.open.len() as u64)?;
        walk.step(place);
        if wanted == Some(&program.steps[place as usize]) {
            break;
        }
    }
    Ok(Some(walk.found))
}

struct Walk<'p> {
    program: &'p Program,
    visits: Vec<u32>,
    open: BTreeSet<Label>,
    found: Reached,
}

impl Walk<'_> {
    /// Propagates ranges to a place.
    fn go(&mut self, place: Label, new: Ranges) {
        let own = place as usize;
        let Some(known) = &mut self.found.ranges[own] else {
            self.found.ranges[own] = Some(new);
            self.open.insert(place);
            return;
        };
        self.visits[own] += 1;
        let patient = self.visits[own] < PATIENCE;
        let mut moved = false;
        for (register, (known, new)) in (0..).zip(known.iter_mut().zip(&*new)) {
            let (least, most) = self.program.layout.range(register);
            if new.0 < known.0 {
                known.0 = if patient { new.0 } else { least };
                moved = true;
            }
            if new.1 > known.1 {
                known.1 = if patient { new.1 } else { most };
                moved = true;
            }
        }
        if moved {
            self.open.insert(place);
        }
    }

    fn step(&mut self, place: Label) {
        let program = self.program;
        let Some(ranges) = self.found.ranges[place as usize].clone() else { return };
        match &program.steps[place as usize] {
            Instruction::Jump(next) | Instruction::Enter { next } | Instruction::Leave { next, .. } => {
                self.go(*next, ranges);
            }
            Instruction::Set { sets, next } => {
                let ranges = self.set(ranges, sets);
                self.go(*next, ranges);
            }
            Instruction::Branch { test, yes, no } => {
                if let Some(ranges) = assume(test, true, &ranges) {
                    self.go(*yes, ranges);
                }
                if let Some(ranges) = assume(test, false, &ranges) {
                    self.go(*no, ranges);
                }
            }
            Instruction::Ask(question) => self.ask(place, question, &ranges),
            Instruction::Chance { outcomes } => {
                for outcome in outcomes {
                    let mut own = ranges.clone();
                    match &outcome.weight {
                        Weight::Register(register) => {
                            let held = &mut own[usize::from(*register)];
                            if held.1 < 1 {
                                continue;
                            }
                            held.0 = held.0.max(1);
                        }
                        Weight::Holds(test) => match assume(test, true, &own) {
                            Some(assumed) => own = assumed,
                            None => continue,
                        },
                        Weight::Number(_) | Weight::Large(_) | Weight::BySkill(_) => {}
                    }
                    let own = self.set(own, &outcome.sets);
                    self.go(outcome.next, own);
                }
            }
            // Folded blocks are analysed step by step.
            Instruction::Fold(fold) => self.go(fold.steps, ranges),
            Instruction::Death | Instruction::Victory | Instruction::Stuck => {}
        }
    }

    fn ask(&mut self, place: Label, question: &Question, ranges: &Ranges) {
        let mut without = Some(ranges.clone());
        for answer in &question.answers {
            let mut own = ranges.clone();
            let mut surely = true;
            if let Some(each) = &answer.each {
                let (from, to) = (range(&each.from, ranges), range(&each.to, ranges));
                surely = from.1 <= to.0 && answer.test == Test::ALWAYS;
                if from.0 > to.1 {
                    continue;
                }
                let (least, most) = self.program.layout.range(each.register);
                own[usize::from(each.register)] = (from.0.clamp(least, most), to.1.clamp(least, most));
            }
            without = match (&answer.each, without) {
                (None, Some(without)) => assume(&answer.test, false, &without),
                (Some(_), without) => without.filter(|_| !surely),
                (_, None) => None,
            };
            if let Some(own) = assume(&answer.test, true, &own) {
                let own = self.set(own, &answer.sets);
                self.go(answer.leads_to(place), own);
            }
        }
        match (without, question.otherwise) {
            (Some(without), Some(next)) => self.go(next, without),
            (Some(_), None) => drop(self.found.stuck.insert(place)),
            (None, _) => {}
        }
    }

    fn set(&self, mut ranges: Ranges, sets: &[(Register, Value)]) -> Ranges {
        for (register, value) in sets {
            let (least, most) = self.program.layout.range(*register);
            let own = range(value, &ranges);
            ranges[usize::from(*register)] = (own.0.clamp(least, most), own.1.clamp(least, most));
        }
        ranges
    }
}

/// The ranges if a test holds, or if it does not; `None` if that is impossible.
fn assume(test: &Test, holds: bool, ranges: &Ranges) -> Option<Ranges> {
    match (test, holds) {
        (Test::Constant(constant), _) => (*constant == holds).then(|| ranges.clone()),
        (Test::Compare(comparison, left, right), _) => {
            compare(if holds { *comparison } else { comparison.negated() }, left, right, ranges)
        }
        (Test::Not(inner), _) => assume(inner, !holds, ranges),
        (Test::And(left, right), true) | (Test::Or(left, right), false) => {
            assume(right, holds, &assume(left, holds, ranges)?)
        }
        (Test::And(left, right), false) | (Test::Or(left, right), true) => {
            match (assume(left, holds, ranges), assume(right, holds, ranges)) {
                (Some(mut left), Some(right)) => {
                    for (left, right) in left.iter_mut().zip(&right) {
                        *left = (left.0.min(right.0), left.1.max(right.1));
                    }
                    Some(left)
                }
                (left, right) => left.or(right),
            }
        }
    }
}

fn compare(comparison: Comparison, left: &Value, right: &Value, ranges: &Ranges) -> Option<Ranges> {
    let (a, b) = (range(left, ranges), range(right, ranges));
    let mut known = ranges.clone();
    match comparison {
        Comparison::Equal => {
            let both = (a.0.max(b.0), a.1.min(b.1));
            narrow(left, both, &mut known)?;
            narrow(right, both, &mut known)?;
        }
        Comparison::NotEqual => {
            if a.0 == a.1 && a == b {
                return None;
            }
            for (value, own, other) in [(left, a, b), (right, b, a)] {
                if other.0 == other.1 {
                    let least = own.0.saturating_add(i32::from(own.0 == other.0));
                    let most = own.1.saturating_sub(i32::from(own.1 == other.0));
                    narrow(value, (least, most), &mut known)?;
                }
            }
        }
        Comparison::Less => {
            narrow(left, (a.0, a.1.min(b.1.saturating_sub(1))), &mut known)?;
            narrow(right, (b.0.max(a.0.saturating_add(1)), b.1), &mut known)?;
        }
        Comparison::AtMost => {
            narrow(left, (a.0, a.1.min(b.1)), &mut known)?;
            narrow(right, (b.0.max(a.0), b.1), &mut known)?;
        }
        Comparison::More => return compare(Comparison::Less, right, left, ranges),
        Comparison::AtLeast => return compare(Comparison::AtMost, right, left, ranges),
    }
    Some(known)
}

/// The ranges if a value is in this range; `None` if that is impossible.
fn narrow(value: &Value, (least, most): (i32, i32), known: &mut Ranges) -> Option<()> {
    if least > most {
        return None;
    }
    match value {
        Value::Register(register) => {
            let own = &mut known[usize::from(*register)];
            *own = (own.0.max(least), own.1.min(most));
            (own.0 <= own.1).then_some(())
        }
        Value::Operation(operator @ (Operator::Plus | Operator::Minus), inner, other) => {
            let Value::Constant(number) = **other else { return Some(()) };
            let number = if *operator == Operator::Plus { number } else { number.saturating_neg() };
            narrow(inner, (least.saturating_sub(number), most.saturating_sub(number)), known)
        }
        _ => Some(()),
    }
}
