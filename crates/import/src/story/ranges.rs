//! Between which numbers a story's variables are.

use std::collections::BTreeMap;

use super::{Expression, MOST_VARIABLES, Names, Operation, Step, Story, every_step};

/// After so many rounds a variable has no bounds of its own.
const ROUNDS: usize = 40;
/// Then it is kept between these.
const WIDE: Range = (-999, 9_999);
/// What a book can count.
const LARGEST: i64 = 9_999;

type Range = (i64, i64);

/// The smallest and the largest number of each variable.
pub(super) fn ranges(story: &Story, names: &mut Names, notes: &mut Vec<String>) -> BTreeMap<String, Range> {
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
                Step::Set(_, own) => use_of(own),
                Step::If(branches, _) => branches.iter().for_each(|(own, _)| use_of(own)),
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
    for round in 0..=ROUNDS {
        let mut changed = Vec::new();
        for (name, own) in &sets {
            let (least, most) = range(own, &ranges, names);
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
                ranges.insert(name, WIDE);
            }
        }
    }
    for (name, _) in ranges.iter().filter(|(_, own)| own.0 <= WIDE.0 || own.1 >= WIDE.1) {
        let called = names.name(name);
        notes.push(format!("`{called}` may have no bounds: it is kept within those that the book declares"));
    }
    if ranges.len() > MOST_VARIABLES {
        notes.push(format!("{} variables are more than a book can declare ({MOST_VARIABLES})", ranges.len()));
    }
    // No number at all is a number.
    for own in ranges.values_mut() {
        own.1 = own.1.max(own.0 + 1);
    }
    ranges
}

fn every_set<'s>(steps: &'s [Step], sets: &mut Vec<(&'s str, &'s Expression)>) {
    every_step(steps, &mut |step| {
        if let Step::Set(name, own) = step {
            sets.push((name, own));
        }
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
            }
        }
        Expression::Random(least, most) => (*least, *most),
        Expression::Either(all) => {
            let all: Vec<Range> = all.iter().map(|own| range(own, ranges, names)).collect();
            let least = all.iter().map(|own| own.0).min().unwrap_or(0);
            (least, all.iter().map(|own| own.1).max().unwrap_or(0))
        }
        _ => (0, 1),
    }
}
