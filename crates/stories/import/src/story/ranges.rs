//! Finds the range of every variable of a story.

use std::collections::BTreeMap;

use super::expression::{Expression, Operation};
use super::names::Names;
use super::passage::{Step, Story, every_step};
use super::thresholds::{Thresholds, bounds};

/// A variable whose range still grows after so many rounds counts as unbounded.
const ROUNDS: usize = 40;
/// The bounds of an unbounded variable.
const WIDE: Range = (-999, 9_999);
/// The value of a variable that is not set.
const NOTHING: Expression = Expression::Number(0);
/// The numbers that a book can count.
const LARGEST: i64 = 9_999;

type Range = (i64, i64);

/// The smallest and the largest number of each variable, and the names of the unbounded ones.
pub(super) fn ranges(
    story: &Story,
    counted: &BTreeMap<String, Option<i64>>,
    thresholds: &Thresholds,
    names: &mut Names,
) -> (BTreeMap<String, Range>, Vec<String>) {
    let mut sets: Vec<(&str, &Expression)> = story.initial.iter().map(|(name, own)| (name.as_str(), own)).collect();
    let mut ranges: BTreeMap<String, Range> = BTreeMap::new();
    for passage in &story.passages {
        every_step(&passage.steps, &mut |step| {
            let mut use_of = |own: &Expression| {
                own.visit(&mut |own| {
                    if let Expression::Variable(name) = own {
                        ranges.entry(name.clone()).or_insert((0, 0));
                    }
                });
            };
            match step {
                Step::Set(_, _, own) => use_of(own),
                Step::If(_, branches, _) => branches.iter().for_each(|(own, _)| use_of(own)),
                _ => {}
            }
        });
        every_set(&passage.steps, &mut sets);
    }
    for (name, own) in &sets {
        let initial = story.initial.get(*name).and_then(|own| names.constant(own)).unwrap_or(0);
        ranges.insert((*name).into(), (initial, initial));
        own.visit(&mut |own| {
            if let Expression::Variable(name) = own {
                ranges.entry(name.clone()).or_insert((0, 0));
            }
        });
    }
    for (name, most) in counted {
        ranges.insert(name.clone(), (0, most.unwrap_or(LARGEST)));
    }
    // Beyond its thresholds a counter no longer matters, so it may be clamped there.
    let mut closed: BTreeMap<String, Range> = BTreeMap::new();
    for round in 0..=ROUNDS {
        let mut changed = Vec::new();
        for (name, own) in &sets {
            let (least, most) = range(own, &ranges, names);
            if closed.contains_key(*name) {
                continue;
            }
            let now = ranges.entry((*name).into()).or_insert((0, 0));
            let wider = (now.0.min(least).max(-LARGEST), now.1.max(most).min(LARGEST));
            if wider != *now {
                *now = wider;
                changed.push((*name).to_string());
            }
        }
        if changed.is_empty() {
            break;
        }
        if round >= ROUNDS / 2 {
            for name in changed {
                let own = bounds(story, &name, thresholds).filter(|own| own.0 > WIDE.0 && own.1 < WIDE.1);
                closed.extend(own.map(|own| (name.clone(), own)));
                ranges.insert(name, own.unwrap_or(WIDE));
            }
        }
    }
    let bounded = ranges.iter().filter(|(_, own)| own.0 <= WIDE.0 || own.1 >= WIDE.1);
    let bounded = bounded.map(|(name, _)| names.name(name)).collect();
    // A declared range has two numbers at least.
    for own in ranges.values_mut() {
        own.1 = own.1.max(own.0 + 1);
    }
    (ranges, bounded)
}

fn every_set<'s>(steps: &'s [Step], sets: &mut Vec<(&'s str, &'s Expression)>) {
    every_step(steps, &mut |step| match step {
        Step::Set(_, name, own) => sets.push((name, own)),
        Step::Unset(name) => sets.push((name, &NOTHING)),
        _ => {}
    });
}

fn range(own: &Expression, ranges: &BTreeMap<String, Range>, names: &mut Names) -> Range {
    match own {
        Expression::Number(number) => (*number, *number),
        Expression::Text(text) => {
            let number = names.text(text);
            (number, number)
        }
        Expression::Variable(name) => ranges.get(name).copied().unwrap_or((0, 0)),
        Expression::Operation(operation, left, right) => {
            let (left, right) = (range(left, ranges, names), range(right, ranges, names));
            match operation {
                Operation::Plus => (left.0 + right.0, left.1 + right.1),
                Operation::Minus => (left.0 - right.1, left.1 - right.0),
                Operation::Times => {
                    let all = [left.0 * right.0, left.0 * right.1, left.1 * right.0, left.1 * right.1];
                    let within = |own: i64| own.clamp(-LARGEST, LARGEST);
                    (within(all.into_iter().min().unwrap_or(0)), within(all.into_iter().max().unwrap_or(0)))
                }
                // No quotient is larger than what is divided.
                Operation::Down | Operation::Up => (left.0.min(-left.1).min(0), left.1.max(-left.0).max(0)),
                Operation::Least => (left.0.min(right.0), left.1.min(right.1)),
                Operation::Most => (left.0.max(right.0), left.1.max(right.1)),
            }
        }
        Expression::Random(least, most) => (*least, *most),
        Expression::Choose(_, one, other) => {
            let (one, other) = (range(one, ranges, names), range(other, ranges, names));
            (one.0.min(other.0), one.1.max(other.1))
        }
        Expression::Either(all) => {
            let all: Vec<Range> = all.iter().map(|own| range(own, ranges, names)).collect();
            let least = all.iter().map(|own| own.0).min().unwrap_or(0);
            (least, all.iter().map(|own| own.1).max().unwrap_or(0))
        }
        _ => (0, 1),
    }
}
