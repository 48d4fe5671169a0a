//! Numbers that are picked, and what they lead to.

use std::collections::BTreeMap;

use dashu_int::UBig;
use gamebook::{Case, Pick};

use crate::node::Rules;
use crate::place::{Place, Rest, Situation, Turn, rest};
use crate::sheet::Sheet;

impl<'b> Rules<'b> {
    /// What a pick leads to: its totals with the number of ways in which each comes up.
    pub fn pick(&self, pick: &'b Pick, then: &Rest<'b>, sheet: &Sheet) -> Turn<'b> {
        let added: i64 = pick
            .plus
            .iter()
            .filter(|(_, condition)| self.holds(sheet, condition))
            .map(|(number, _)| self.number(sheet, number))
            .sum();
        let mut outcomes: BTreeMap<(Option<usize>, Vec<Option<i64>>), UBig> = BTreeMap::new();
        for (totals, ways) in all_totals(pick) {
            let mut own = sheet.clone();
            let one = pick.sums.len() == 1;
            let total = totals[0] + added;
            for ((local, _), total) in pick.sums.iter().zip(&totals) {
                if let Some(local) = local {
                    own.set(self.locals[*local], total + if one { added } else { 0 });
                }
            }
            let case = pick.cases.iter().position(|(case, ..)| match case {
                Case::Between(low, high) => (i64::from(*low)..=i64::from(*high)).contains(&total),
                Case::When(condition) => self.holds(&own, condition),
                Case::Else => true,
            });
            // The sums of a contest mean something within it only, and each only where it is asked for.
            let kept: Vec<Option<i64>> = match case.map(|case| self.mentioned(&pick.cases[case].1)) {
                _ if one => vec![pick.sums[0].0.map(|_| total)],
                Some(names) => {
                    let asked = |local: &Option<usize>| local.is_some_and(|local| names.contains(&local));
                    pick.sums.iter().zip(&totals).map(|((local, _), own)| asked(local).then_some(*own)).collect()
                }
                None => Vec::new(),
            };
            *outcomes.entry((case, kept)).or_insert(UBig::ZERO) += ways;
        }
        let outcomes = outcomes.into_iter().map(|((case, kept), ways)| {
            let mut sheet = sheet.clone();
            for ((local, _), total) in pick.sums.iter().zip(kept) {
                if let (Some(local), Some(total)) = (local, total) {
                    sheet.set(self.locals[*local], total);
                }
            }
            let place = match case {
                Some(case) => Place::At(rest(&pick.cases[case].1, then)),
                None if pick.cases.is_empty() => Place::At(then.clone()),
                // The book has no case for this total: the hero is stuck.
                None => Place::At(None),
            };
            (ways, Situation { place, sheet })
        });
        Turn::Chance(outcomes.collect())
    }
}

/// All totals of the sums of a pick, each with the number of ways in which it comes up.
fn all_totals(pick: &Pick) -> Vec<(Vec<i64>, UBig)> {
    let mut all = vec![(Vec::new(), UBig::ONE)];
    for (_, picks) in &pick.sums {
        let sum = sum_of(*picks, pick.zero_is_ten);
        let with = |(totals, ways): &(Vec<i64>, UBig)| -> Vec<(Vec<i64>, UBig)> {
            let next = |(total, own): (&i64, &UBig)| ([&totals[..], &[*total]].concat(), ways * own);
            sum.iter().map(next).collect()
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// The totals of so many picks.
fn sum_of(picks: u8, zero_is_ten: bool) -> BTreeMap<i64, UBig> {
    let mut totals = BTreeMap::from([(0, UBig::ONE)]);
    for _ in 0..picks {
        let mut next: BTreeMap<i64, UBig> = BTreeMap::new();
        for (total, ways) in &totals {
            for digit in 0..10 {
                let number = if zero_is_ten && digit == 0 { 10 } else { digit };
                *next.entry(total + number).or_insert(UBig::ZERO) += ways;
            }
        }
        totals = next;
    }
    totals
}
