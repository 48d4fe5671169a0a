//! Picks that leave a gap: totals without a case.

use budget::{Budget, Stopped};

use super::heroes::{Heroes, Space};
use crate::book::{Book, Case, Condition, LocalId, Node, NodeKind, Number, Pick};
use crate::syntax::{Problem, ProblemList};

/// The most totals that are tried for a pick; larger picks are skipped.
const MOST_TRIALS: usize = 100_000;

/// The most ranges copied for all picks of a book.
const FUEL: u64 = 400_000_000;

/// The most conditional additions.
const MOST_PLUS: usize = 6;

/// Reports picks whose cases leave a gap.
pub(crate) fn gaps(book: &Book, problems: &mut ProblemList, budget: &Budget<'_>) -> Result<(), Stopped> {
    let mut gaps = Gaps { space: Space::new(book, FUEL, budget), problems, around: Vec::new() };
    for section in book.sections.values() {
        gaps.block(&section.body);
    }
    gaps.space.stopped().map_or(Ok(()), Err)
}

struct Gaps<'b, 'p> {
    space: Space<'b>,
    problems: &'p mut ProblemList,
    /// Numbers of enclosing choices, with their ranges.
    around: Vec<(LocalId, i32, i32)>,
}

impl Gaps<'_, '_> {
    fn block(&mut self, nodes: &[Node]) {
        for node in nodes {
            if self.problems.is_full() || self.space.stopped().is_some() {
                return;
            }
            match &node.kind {
                NodeKind::Pick(pick) => {
                    self.pick(node, pick);
                    pick.cases.iter().for_each(|(_, body, _)| self.block(body));
                }
                NodeKind::Choices(choices) => {
                    for choice in choices {
                        let before = self.around.len();
                        if let Some((local, Number::Constant(from), Number::Constant(to))) = choice.each {
                            self.around.push((local, from, to));
                        }
                        self.block(&choice.body);
                        self.around.truncate(before);
                    }
                }
                other => crate::book::every_body(other, &mut |body| self.block(body)),
            }
        }
    }

    fn pick(&mut self, node: &Node, pick: &Pick) {
        let covered = pick.cases.is_empty() || pick.cases.iter().any(|(case, ..)| matches!(case, Case::Else));
        if covered || pick.plus.len() > MOST_PLUS {
            return;
        }
        let sums: Vec<(i32, i32)> = pick
            .sums
            .iter()
            .map(|(_, count)| {
                let (least, most) = if pick.zero_is_ten { (1, 10) } else { (0, 9) };
                (least * i32::from(*count), most * i32::from(*count))
            })
            .collect();
        let used: Vec<(LocalId, i32, i32)> =
            self.around.iter().copied().filter(|around| asks_for(pick, around.0)).collect();
        let count = |low: i32, high: i32| usize::try_from(i64::from(high) - i64::from(low) + 1).unwrap_or(0);
        let trials = sums.iter().map(|(low, high)| count(*low, *high));
        let trials = trials.chain(used.iter().map(|(_, low, high)| count(*low, *high)));
        if trials.fold(1usize, usize::saturating_mul) > MOST_TRIALS {
            return;
        }
        let mut missing: Vec<Vec<i32>> = Vec::new();
        for around in combinations(&used.iter().map(|(_, low, high)| (*low, *high)).collect::<Vec<_>>()) {
            let mut anyone = self.space.anyone();
            for ((local, ..), number) in used.iter().zip(around) {
                self.space.set_local(&mut anyone, *local, (number, number));
            }
            for (heroes, plus) in self.with_plus(pick, anyone) {
                for mut totals in combinations(&sums) {
                    if sums.len() == 1 {
                        totals[0] = totals[0].saturating_add(plus);
                    }
                    self.space.pay();
                    if self.space.is_exhausted() {
                        return;
                    }
                    if self.is_missing(pick, &heroes, &totals) {
                        missing.push(totals);
                    }
                }
            }
        }
        missing.sort_unstable();
        missing.dedup();
        let (Some(first), Some(last)) = (missing.first(), missing.last()) else { return };
        let what = match (&first[..], &last[..]) {
            ([first], [last]) if first == last => format!("{first}"),
            ([first], [last]) if count(*first, *last) == missing.len() => format!("{first} to {last}"),
            ([_], [_]) => {
                let numbers: Vec<String> = missing.iter().take(8).map(|total| total[0].to_string()).collect();
                format!("{}{}", numbers.join(", "), if missing.len() > 8 { ", ..." } else { "" })
            }
            _ => {
                let numbers: Vec<String> = first.iter().map(ToString::to_string).collect();
                format!("sums of {}", numbers.join(" and "))
            }
        };
        self.problems.push(
            Problem::error(node.span.clone(), format!("no case for {what}"))
                .help("every total that can come up needs a case: add a `when` or an `else`"),
        );
    }

    /// The heroes by what they add to the total.
    fn with_plus(&mut self, pick: &Pick, anyone: Heroes) -> Vec<(Heroes, i32)> {
        let mut sets = vec![(anyone, 0i32)];
        for (number, condition) in &pick.plus {
            let mut next = Vec::new();
            for (heroes, sum) in sets {
                for more in self.space.assume(&heroes, condition, true) {
                    let (low, high) = self.space.value(&more, number);
                    // Additions that differ between heroes are errors elsewhere.
                    next.extend((low == high).then(|| (more, sum.saturating_add(low))));
                }
                next.extend(self.space.assume(&heroes, condition, false).into_iter().map(|without| (without, sum)));
            }
            sets = next;
        }
        sets
    }

    fn is_missing(&mut self, pick: &Pick, heroes: &Heroes, totals: &[i32]) -> bool {
        if pick
            .cases
            .iter()
            .any(|(case, ..)| matches!(case, Case::Between(low, high) if (*low..=*high).contains(&totals[0])))
        {
            return false;
        }
        let conditions: Vec<&Condition> = pick
            .cases
            .iter()
            .filter_map(|(case, ..)| if let Case::When(when) = case { Some(when) } else { None })
            .collect();
        if conditions.is_empty() {
            return true;
        }
        let mut heroes = heroes.clone();
        for ((local, _), total) in pick.sums.iter().zip(totals) {
            if let Some(local) = local {
                self.space.set_local(&mut heroes, *local, (*total, *total));
            }
        }
        let mut left = vec![heroes];
        for condition in conditions {
            left = self.space.assume_all(&left, condition, false);
        }
        !left.is_empty()
    }
}

/// Whether a pick reads a name that is bound around it.
fn asks_for(pick: &Pick, local: LocalId) -> bool {
    let mut found = false;
    let mut look = |number: &Number| found |= *number == Number::Local(local);
    for (number, condition) in &pick.plus {
        number.visit(&mut look);
        condition.visit_numbers(&mut look);
    }
    for (case, ..) in &pick.cases {
        if let Case::When(condition) = case {
            condition.visit_numbers(&mut look);
        }
    }
    found
}

/// All combinations of one number from each range.
fn combinations(ranges: &[(i32, i32)]) -> Vec<Vec<i32>> {
    ranges.iter().fold(vec![Vec::new()], |all, (low, high)| {
        all.iter()
            .flat_map(|before| (*low..=*high).map(move |number| before.iter().copied().chain([number]).collect()))
            .collect()
    })
}
