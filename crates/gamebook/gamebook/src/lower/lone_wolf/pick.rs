//! Picks: every total with its weight and its target.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use budget::Stage;
use dashu_base::Gcd;
use dashu_int::UBig;
use rustc_hash::FxHashMap;

use super::compiler::{Compiled, Compiler, Env, Rest};
use crate::book::{Case, Pick};
use crate::lower::error::CompileError;
use crate::program::{Instruction, Label, Outcome, Register, Roll, Test, Value};

/// The totals of a sum, each with the number of ways to pick it.
type Totals = Vec<(i32, UBig)>;

/// The target of a pick, and the names stored in registers.
type Brings = (Label, Vec<(Register, i32)>);

/// A pick and the totals of each of its sums.
struct Picked<'a> {
    pick: &'a Pick,
    sums: Vec<Totals>,
}

/// The totals of a number of picks.
pub(crate) fn totals(picks: u8, zero_is_ten: bool) -> Totals {
    let mut totals = vec![(0, UBig::ONE)];
    for _ in 0..picks {
        let mut next: BTreeMap<i32, UBig> = BTreeMap::new();
        for (total, ways) in &totals {
            for picked in if zero_is_ten { 1..=10 } else { 0..=9 } {
                *next.entry(total + picked).or_insert(UBig::ZERO) += ways;
            }
        }
        totals = next.into_iter().collect();
    }
    totals
}

impl<'a> Compiler<'a> {
    pub(super) fn pick(&mut self, pick: &'a Pick, rest: &Rest<'a, '_>, env: &Env<'a, '_>) -> Compiled {
        let sums: Vec<Totals> = pick.sums.iter().map(|(_, count)| totals(*count, pick.zero_is_ten)).collect();
        let mut plus = Vec::with_capacity(pick.plus.len());
        for (number, when) in &pick.plus {
            // The reader ensures that every number is known.
            let Value::Constant(number) = self.value(number, env) else { return self.emit(Instruction::Stuck) };
            plus.push((number, self.test(when, env)));
        }
        self.conditional(&Picked { pick, sums }, &plus, 0, rest, env)
    }

    /// A tree of tests on the conditions for additions; its leaves are the picks.
    fn conditional(
        &mut self,
        picked: &Picked<'a>,
        plus: &[(i32, Test)],
        added: i32,
        rest: &Rest<'a, '_>,
        env: &Env<'a, '_>,
    ) -> Compiled {
        let Some(((number, test), others)) = plus.split_first() else {
            return self.outcomes(picked, added, rest, env);
        };
        let more = added.checked_add(*number).ok_or_else(|| self.too_large(picked.pick, added.saturating_add(*number)));
        match test {
            Test::Constant(true) => self.conditional(picked, others, more?, rest, env),
            Test::Constant(false) => self.conditional(picked, others, added, rest, env),
            test => {
                let yes = self.conditional(picked, others, more?, rest, env)?;
                let no = self.conditional(picked, others, added, rest, env)?;
                self.branch(test.clone(), yes, no)
            }
        }
    }

    /// The error for a total that is too large for a register.
    fn too_large(&self, pick: &Pick, number: i32) -> CompileError {
        let local = pick.sums.iter().find_map(|(local, _)| *local);
        let name = local.map_or_else(|| "pick".into(), |local| self.text.locals[local].clone());
        CompileError::Number { section: self.section, name, number }
    }

    /// The pick with a constant added to the total.
    fn outcomes(&mut self, picked: &Picked<'a>, added: i32, rest: &Rest<'a, '_>, env: &Env<'a, '_>) -> Compiled {
        let Picked { pick, sums } = picked;
        let mut found: Vec<(Brings, UBig)> = Vec::new();
        let mut known: FxHashMap<Brings, usize> = FxHashMap::default();
        // The index of the result of each combination of totals.
        let mut brings: Vec<usize> = Vec::new();
        let mut places = vec![0usize; sums.len()];
        loop {
            self.budget.step(Stage::Compiling, self.program.steps.len() as u64, 0)?;
            let mut totals = Vec::with_capacity(sums.len());
            let mut weight = UBig::ONE;
            for (place, sum) in places.iter().zip(sums) {
                let (total, ways) = &sum[*place];
                let total = total.checked_add(if sums.len() == 1 { added } else { 0 });
                totals.push(total.ok_or_else(|| self.too_large(pick, added))?);
                weight *= ways;
            }
            let outcome = self.outcome(pick, &totals, rest, env)?;
            let number = match known.entry(outcome) {
                Entry::Occupied(same) => {
                    found[*same.get()].1 += weight;
                    *same.get()
                }
                Entry::Vacant(new) => {
                    found.push((new.key().clone(), weight));
                    *new.insert(found.len() - 1)
                }
            };
            brings.push(number);
            let Some(place) = (0..places.len()).find(|place| places[*place] + 1 < sums[*place].len()) else { break };
            places[place] += 1;
            places[..place].fill(0);
        }
        if let [((next, sets), _)] = &found[..] {
            let sets = sets.iter().map(|(register, number)| (*register, Value::Constant(*number)));
            return self.set(sets, *next);
        }
        // Sorted and in lowest terms, so that picks with equal odds are shared.
        let mut order: Vec<usize> = (0..found.len()).collect();
        order.sort_unstable_by_key(|number| &found[*number].0);
        let mut sorted = vec![0u32; found.len()];
        for (new, old) in (0..).zip(&order) {
            sorted[*old] = new;
        }
        let common = found.iter().fold(UBig::ZERO, |common, (_, weight)| (&common).gcd(weight));
        let outcomes = order
            .iter()
            .map(|old| {
                let ((next, sets), weight) = &found[*old];
                let sets = sets.iter().map(|(register, number)| (*register, Value::Constant(*number))).collect();
                Outcome { weight: (weight / &common).into(), sets, next: *next }
            })
            .collect();
        let name = |local: usize| self.text.locals[local].clone();
        let roll = Arc::new(Roll {
            sums: pick.sums.iter().map(|(local, picks)| (local.map(name), *picks)).collect(),
            zero_is_ten: pick.zero_is_ten,
            outcomes: brings.into_iter().map(|number| sorted[number]).collect(),
        });
        self.kept_bytes += (roll.outcomes.len() * size_of::<u32>()) as u64;
        let place = self.emit(Instruction::Chance { outcomes })?;
        let known = self.program.notes.rolls.entry(place).or_insert_with(|| Some(roll.clone()));
        if known.as_ref().is_some_and(|known| **known != *roll) {
            *known = None;
        }
        Ok(place)
    }

    /// The target of these totals, and the names stored in registers.
    fn outcome(
        &mut self,
        pick: &'a Pick,
        totals: &[i32],
        rest: &Rest<'a, '_>,
        env: &Env<'a, '_>,
    ) -> Result<Brings, CompileError> {
        let mut env = env.clone();
        for ((local, _), total) in pick.sums.iter().zip(totals) {
            if let Some(local) = local {
                env.constants.retain(|(other, _)| other != local);
                env.constants.push((*local, *total));
            }
        }
        let case = pick.cases.iter().position(|(case, _, _)| match case {
            Case::Between(low, high) => (*low..=*high).contains(&totals[0]),
            Case::When(condition) => self.test(condition, &env) == Test::Constant(true),
            Case::Else => true,
        });
        // A name that is read later is stored in a register.
        let mut kept: Vec<(Register, i32)> = Vec::new();
        for ((local, _), total) in pick.sums.iter().zip(totals) {
            if let Some(local) = local.filter(|local| self.kept[*local]) {
                kept.push(self.named(local, *total)?);
            }
        }
        for (local, _) in &pick.sums {
            env.constants.retain(|(other, _)| Some(*other) != *local);
        }
        let next = match case {
            Some(case) => self.block(&pick.cases[case].1, Some(rest), &env)?,
            None if pick.cases.is_empty() => self.block(&[], Some(rest), &env)?,
            None => self.emit(Instruction::Stuck)?,
        };
        Ok((next, kept))
    }
}
