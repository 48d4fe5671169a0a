//! The numbers with which a story compares its variables. Beyond all of them a variable that only grows, or only shrinks,
//! makes no further difference.

use std::collections::BTreeMap;

use super::expression::{Expression, Operation};
use super::passage::{Step, Story, every_step};

/// The least and the largest number with which each variable is compared; `None` where the story uses its value otherwise.
pub(super) type Thresholds = BTreeMap<String, Option<(i64, i64)>>;

/// The thresholds of all variables that are read.
pub(super) fn thresholds(story: &Story) -> Thresholds {
    let mut found = Thresholds::new();
    for passage in &story.passages {
        every_step(&passage.steps, &mut |step| match step {
            // Reading a variable to count it up or down is no use of its value.
            Step::Set(_, name, own) => read(counted_on(name, own).unwrap_or(own), false, &mut found),
            Step::If(_, branches, _) => branches.iter().for_each(|(test, _)| read(test, true, &mut found)),
            _ => {}
        });
    }
    found
}

/// The number that an expression adds to a variable or subtracts from it.
fn counted_on<'e>(name: &str, own: &'e Expression) -> Option<&'e Expression> {
    match own {
        Expression::Operation(Operation::Plus | Operation::Minus, now, more) => {
            matches!(&**now, Expression::Variable(own) if own == name).then_some(&**more)
        }
        _ => None,
    }
}

/// Bounds for an unbounded variable that change no outcome: it only grows or only shrinks, and is only compared.
pub(super) fn bounds(story: &Story, name: &str, thresholds: &Thresholds) -> Option<(i64, i64)> {
    let compared = match thresholds.get(name) {
        None => (0, 0),
        Some(compared) => (*compared)?,
    };
    let (mut grows, mut shrinks, mut is_plain) = (false, false, true);
    let (mut least, mut most) = compared;
    let mut set_to = |own: &Expression| match (own, counted_on(name, own)) {
        (Expression::Number(number), _) => (least, most) = (least.min(*number), most.max(*number)),
        (Expression::Operation(how, ..), Some(Expression::Number(by @ 0..) | Expression::Random(by @ 0.., _))) => {
            let _ = by;
            grows |= *how == Operation::Plus;
            shrinks |= *how == Operation::Minus;
        }
        _ => is_plain = false,
    };
    story.initial.get(name).into_iter().for_each(&mut set_to);
    for passage in &story.passages {
        every_step(&passage.steps, &mut |step| match step {
            Step::Set(_, own, value) if own == name => set_to(value),
            Step::Unset(own) if own == name => set_to(&Expression::Number(0)),
            _ => {}
        });
    }
    // A variable that is not set yet is 0.
    let (least, most) = (least.min(0), most.max(0));
    (is_plain && grows != shrinks).then_some(if grows { (least, most + 1) } else { (least - 1, most) })
}

/// Records how an expression uses variables.
fn read(own: &Expression, is_condition: bool, found: &mut Thresholds) {
    let mut note = |own: &Expression, number: Option<i64>| {
        if let Expression::Variable(name) = own {
            let known = found.entry(name.clone()).or_insert(Some((0, 0)));
            *known = known.zip(number).map(|((least, most), number)| (least.min(number), most.max(number)));
        }
    };
    match own {
        Expression::Variable(_) => note(own, is_condition.then_some(0)),
        Expression::Not(inner) => read(inner, true, found),
        Expression::And(left, right) | Expression::Or(left, right) => {
            read(left, true, found);
            read(right, true, found);
        }
        Expression::Compare(_, left, right) | Expression::Same(_, left, right) => match (&**left, &**right) {
            (own @ Expression::Variable(_), Expression::Number(number))
            | (Expression::Number(number), own @ Expression::Variable(_)) => note(own, Some(*number)),
            // A count without the present visit.
            (Expression::Operation(Operation::Minus, own, less), Expression::Number(number)) => match **less {
                Expression::Number(less) => match &**own {
                    Expression::Variable(_) => note(own, Some(number + less)),
                    own => read(own, false, found),
                },
                _ => {
                    read(own, false, found);
                    read(less, false, found);
                }
            },
            (left, right) => {
                read(left, false, found);
                read(right, false, found);
            }
        },
        Expression::Operation(_, left, right) | Expression::Elided(left, right) | Expression::Contains(left, right) => {
            read(left, false, found);
            read(right, false, found);
        }
        Expression::Choose(test, one, other) => {
            read(test, true, found);
            read(one, false, found);
            read(other, false, found);
        }
        Expression::Length(own) => read(own, false, found),
        Expression::Map(all) => all.iter().for_each(|(_, own)| read(own, false, found)),
        Expression::Either(all) | Expression::List(all) => all.iter().for_each(|own| read(own, false, found)),
        Expression::Number(_)
        | Expression::Boolean(_)
        | Expression::Text(_)
        | Expression::IsSet(_)
        | Expression::Random(..) => {}
    }
}
