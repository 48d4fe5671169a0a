//! Rolls of dice.

use std::sync::Arc;

use dashu_base::Gcd;
use dashu_int::UBig;
use rustc_hash::FxHashMap;

use super::lowering::{Bound, Env, Lowered, Lowering, register_of};
use super::marked::Part;
use crate::book::{LocalId, Node, NodeKind, Roll, RollCase, Rule};
use crate::lower::error::CompileError;
use crate::program::{Instruction, Label, Outcome, Register, Test, Throw, Value, Weight};
use crate::terms::Comparison;

/// The most combinations of sums that are rolled at once.
const MOST_COMBINATIONS: usize = 20_000;

/// The target after a roll, and the numbers that are stored.
type Fallen = (Label, Vec<(Register, i32)>);

/// The roll of a node.
fn roll(node: &Node) -> Option<&Roll> {
    match &node.kind {
        NodeKind::Rule(rule) => match &**rule {
            Rule::Roll(roll) => Some(roll),
            _ => None,
        },
        _ => None,
    }
}

/// The first of the rolls before `end` that can be made at once: only the last has cases.
pub(super) fn first_of_rolls(nodes: &[Node], end: usize) -> usize {
    let mut begin = end - 1;
    let sums = |own: &Roll| {
        own.sums
            .iter()
            .map(|(_, dice)| usize::try_from(dice.range().1 - dice.range().0 + 1).unwrap_or(1))
            .product::<usize>()
    };
    let Some(last) = roll(&nodes[begin]).filter(|last| last.plus.is_empty()) else { return begin };
    let mut combinations = sums(last);
    while begin > 0
        && let Some(before) = roll(&nodes[begin - 1])
        && before.cases.is_empty()
        && before.plus.is_empty()
        && combinations.saturating_mul(sums(before)) <= MOST_COMBINATIONS
    {
        combinations *= sums(before);
        begin -= 1;
    }
    begin
}

impl<'a> Lowering<'a> {
    /// Rolls that are made at once; `next` follows them.
    pub(super) fn rolls(&mut self, nodes: &'a [Node], envs: &[Env<'a>], next: Label) -> Lowered {
        let mut plus = Vec::new();
        for (number, condition) in nodes.last().and_then(roll).into_iter().flat_map(|roll| &roll.plus) {
            plus.push((*number, self.test(condition, &envs[0])?));
        }
        self.added(&plus, 0, (nodes, envs), next)
    }

    /// A tree of tests on the conditions for additions; its leaves are the rolls.
    fn added(
        &mut self,
        plus: &[(i32, Test)],
        sum: i32,
        (nodes, envs): (&'a [Node], &[Env<'a>]),
        next: Label,
    ) -> Lowered {
        let Some(((number, test), others)) = plus.split_first() else {
            return self.rolled(nodes, envs, sum, next);
        };
        let yes = self.added(others, sum + number, (nodes, envs), next)?;
        let no = self.added(others, sum, (nodes, envs), next)?;
        self.branch(test.clone(), yes, no)
    }

    /// Rolls with a constant added.
    fn rolled(&mut self, nodes: &'a [Node], envs: &[Env<'a>], added: i32, next: Label) -> Lowered {
        let env = &envs[nodes.len()];
        let mut names: Vec<Option<Register>> = Vec::new();
        let mut totals = Vec::new();
        for (local, dice) in nodes.iter().filter_map(roll).flat_map(|roll| &roll.sums) {
            names.push(match local {
                Some(local) => match self.bound(*local, env)? {
                    Bound::Register(register, ..) => Some(register),
                    Bound::Constant(_) => None,
                },
                None => None,
            });
            totals.push(dice.totals());
        }
        let Some(last) = nodes.last().and_then(roll) else { return Ok(next) };
        let own = names.len() - last.sums.len();
        // What follows, given what is known after the roll.
        let mut cases: Vec<(Test, Label)> = Vec::new();
        let mut sum = names[own].map(Value::Register);
        let mut env = env.clone();
        if sum.is_none() && last.cases.iter().any(|(case, ..)| matches!(case, RollCase::When(_))) {
            // Cases that depend on more are tested one by one and need the sum.
            let (least, most) = last.range_of_first();
            let register = self.name_register(env.used, false, least, most)?;
            env.used += 1;
            names[own] = Some(register);
            sum = Some(Value::Register(register));
        }
        let marks = last.plus.is_empty() && nodes.last().is_some_and(|node| self.marks_parts_of(node));
        let mut parts = Vec::new();
        for (case, body, span) in &last.cases {
            let mut body = self.block(body, &env, next)?;
            // Numbers that never come up are reported by the reader.
            if marks && !matches!(case, RollCase::Between(..)) {
                let part = if matches!(case, RollCase::Else) { Part::Else } else { Part::Case };
                body = self.marked(part, span, body, &mut parts)?;
            }
            cases.push((self.case_test(case, sum.as_ref(), &env)?, body));
        }
        let mut found: FxHashMap<Fallen, (usize, UBig)> = FxHashMap::default();
        let mut brings = Vec::new();
        let mut at = vec![0usize; totals.len()];
        loop {
            let mut weight = UBig::ONE;
            let mut sets = Vec::new();
            for (place, ((at, totals), name)) in at.iter().zip(&totals).zip(&names).enumerate() {
                let (total, ways) = &totals[*at];
                weight *= ways;
                let total = if place == own { total + added } else { *total };
                sets.extend(name.map(|register| (register, total)));
            }
            let total = totals[own][at[own]].0 + added;
            let known = |register: Register| {
                let known = sets.iter().find(|(own, _)| *own == register).map(|(_, number)| *number);
                known.or((register == Register::MAX).then_some(total))
            };
            let place = self.first_case(&cases, &known, next)?;
            let next = found.len();
            let (number, ways) = found.entry((place, sets)).or_insert((next, UBig::ZERO));
            *ways += weight;
            brings.push(*number);
            let Some(more) = (0..at.len()).find(|own| at[*own] + 1 < totals[*own].len()) else { break };
            at[more] += 1;
            at[..more].fill(0);
        }
        // In the order of a chance's outcomes.
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        let mut sorted = vec![0u32; found.len()];
        for (new, (_, (old, _))) in (0..).zip(&found) {
            sorted[*old] = new;
        }
        let rolled = self.chance(found.into_iter().map(|((place, sets), (_, weight))| {
            let sets = sets.into_iter().map(|(register, number)| (register, Value::Constant(number)));
            (weight, sets.collect(), place)
        }))?;
        let sums = nodes.iter().filter_map(roll).flat_map(|roll| &roll.sums);
        let name = |local: LocalId| self.system.locals[local].name.clone();
        let throw = Throw {
            sums: sums.map(|(local, dice)| (local.map(name), dice.clone())).collect(),
            outcomes: brings.into_iter().map(|number| sorted[number]).collect(),
        };
        self.note_throw(rolled, throw, &env)?;
        self.whole(rolled, parts)
    }

    /// The test of a case; a sum without a name is in the last register.
    fn case_test(&mut self, case: &'a RollCase, sum: Option<&Value>, env: &Env<'a>) -> Result<Test, CompileError> {
        Ok(match case {
            RollCase::Else => Test::ALWAYS,
            RollCase::When(condition) => self.test(condition, env)?,
            RollCase::Between(low, high) => {
                let sum = sum.cloned().unwrap_or(Value::Register(Register::MAX));
                let (low, high) = (Value::Constant(*low), Value::Constant(*high));
                Test::both(
                    Test::compare(Comparison::AtLeast, sum.clone(), low),
                    Test::compare(Comparison::AtMost, sum, high),
                )
            }
        })
    }

    /// Notes how a chance is rolled.
    fn note_throw(&mut self, place: Label, throw: Throw, env: &Env<'a>) -> Result<(), CompileError> {
        // If all outcomes are the same nothing is rolled.
        if !matches!(self.steps[place as usize], Instruction::Chance { .. }) {
            return Ok(());
        }
        let throw = Arc::new(throw);
        let known = self.notes.throws.entry(place).or_insert_with(|| Some(throw.clone()));
        if known.as_ref().is_some_and(|known| Arc::ptr_eq(known, &throw)) {
            self.bytes += (throw.outcomes.len() * size_of::<u32>()) as u64;
        } else if *known != Some(throw) {
            *known = None;
        }
        self.note_foes(place, env)
    }

    /// Draws one of the units of some counters.
    pub(super) fn draw(
        &mut self,
        cases: &'a [(usize, Vec<Node>)],
        otherwise: &'a [Node],
        env: &Env<'a>,
        next: Label,
    ) -> Lowered {
        let otherwise = self.block(otherwise, env, next)?;
        let mut outcomes = Vec::new();
        let mut registers = Vec::new();
        for (own, body) in cases {
            let register = register_of(*own);
            let next = self.block(body, env, next)?;
            registers.push(register);
            outcomes.push(Outcome { weight: Weight::Register(register), sets: [].into(), next });
        }
        let drawn = self.emit(Instruction::Chance { outcomes: outcomes.into() })?;
        let names = cases.iter().map(|(own, _)| self.system.variables[*own].name.clone());
        self.notes.draws.insert(drawn, names.collect());
        self.note_foes(drawn, env)?;
        self.branch(Value::Sum(registers.into()).at_least(1), drawn, otherwise)
    }

    /// The first case that holds, given some registers; tests where that is not known.
    fn first_case(
        &mut self,
        cases: &[(Test, Label)],
        known: &impl Fn(Register) -> Option<i32>,
        otherwise: Label,
    ) -> Lowered {
        let mut open = Vec::new();
        let mut place = otherwise;
        for (test, body) in cases {
            match test.given(known) {
                Test::Constant(false) => {}
                Test::Constant(true) => {
                    place = *body;
                    break;
                }
                // The registers themselves, so that all sums share the test.
                _ => open.push((test.clone(), *body)),
            }
        }
        for (test, body) in open.into_iter().rev() {
            place = self.branch(test, body, place)?;
        }
        Ok(place)
    }

    /// A chance with weights in lowest terms.
    pub(super) fn chance(
        &mut self,
        outcomes: impl IntoIterator<Item = (UBig, Vec<(Register, Value)>, Label)>,
    ) -> Lowered {
        let mut outcomes: Vec<_> = outcomes.into_iter().collect();
        let key = |sets: &[(Register, Value)], place: Label| {
            let number = |value: &Value| if let Value::Constant(number) = value { *number } else { 0 };
            (place, sets.iter().map(|(register, value)| (*register, number(value))).collect::<Vec<_>>())
        };
        outcomes.sort_by_cached_key(|(_, sets, place)| key(sets, *place));
        if let [(_, sets, place)] = &outcomes[..] {
            let (sets, place) = (sets.clone(), *place);
            return self.set(sets, place);
        }
        let common = outcomes.iter().fold(UBig::ZERO, |common, (weight, ..)| (&common).gcd(weight));
        let outcomes = outcomes
            .into_iter()
            .map(|(weight, sets, next)| Outcome { weight: (weight / &common).into(), sets: sets.into(), next })
            .collect();
        self.emit(Instruction::Chance { outcomes })
    }
}
