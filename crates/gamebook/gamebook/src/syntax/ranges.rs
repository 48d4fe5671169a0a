//! Ranges of expressions: none exceeds the range of computation, and no name gets a value that it cannot hold.

use kdl::KdlEntry;

use super::bounds::Range;
use super::kdl::entry_span;
use super::reader::Reader;
use crate::book::{LOCAL_NUMBERS, LocalId, MOST_ROUNDS, Number, Pick};
use crate::terms::Operator;

/// The most of anything that a hero can have.
const MOST: i64 = 255;

impl Reader<'_> {
    /// The range of an expression; reports parts that are too large for computation.
    pub(super) fn range(&mut self, entry: &KdlEntry, number: &Number) -> Option<Range> {
        match self.range_of(number) {
            Ok(range) => Some(range),
            Err((least, most)) => {
                self.error(
                    entry_span(entry),
                    format!("a part of this can be {}", if most > i64::from(i32::MAX) { most } else { least }),
                    format!("numbers from {} to {} are worked with", i32::MIN, i32::MAX),
                );
                None
            }
        }
    }

    fn range_of(&self, number: &Number) -> Result<Range, Range> {
        Ok(match number {
            Number::Constant(number) => (i64::from(*number), i64::from(*number)),
            Number::Gold => (0, i64::from(self.kai().most_gold)),
            Number::CombatSkill => {
                let skills = self.kai().combat_skills();
                ((*skills.start()).into(), (*skills.end()).into())
            }
            Number::Counter(counter) => (0, self.counters.get(*counter).map_or(MOST, |counter| counter.max.into())),
            Number::Rounds => (0, i64::from(MOST_ROUNDS)),
            Number::Local(local) => self.range_of_name(*local),
            Number::Variable(_)
            | Number::If(..)
            | Number::Value(_)
            | Number::Table(..)
            | Number::Carried(_)
            | Number::Wielded(_)
            | Number::SkilledWith(_)
            | Number::AtHand(_)
            | Number::InContainer(_)
            | Number::Room(_) => (-MOST, MOST),
            Number::Endurance
            | Number::MaxEndurance
            | Number::Disciplines
            | Number::Item(_)
            | Number::OfKind(_)
            | Number::BackpackRoom => (0, MOST),
            Number::Operation(operator, left, right) => {
                let (left, right) = (self.range_of(left)?, self.range_of(right)?);
                // Operations are monotonic in each operand: the extremes are at the corners.
                let corners = [(left.0, right.0), (left.0, right.1), (left.1, right.0), (left.1, right.1)];
                let corners = corners.map(|(a, b)| match operator {
                    Operator::Plus => a + b,
                    Operator::Minus => a - b,
                    Operator::Times => a * b,
                    // Only systems of rules divide, and they check names separately.
                    Operator::Down | Operator::Up => a,
                    Operator::Min => a.min(b),
                    Operator::Max => a.max(b),
                });
                let range =
                    corners.iter().fold((i64::MAX, i64::MIN), |(low, high), own| (low.min(*own), high.max(*own)));
                // So no corner above could overflow.
                if range.0 < i64::from(i32::MIN) || range.1 > i64::from(i32::MAX) {
                    return Err(range);
                }
                range
            }
        })
    }

    /// The range of a name at this point.
    fn range_of_name(&self, local: LocalId) -> Range {
        let any = (i64::from(*LOCAL_NUMBERS.start()), i64::from(*LOCAL_NUMBERS.end()));
        if let Some((_, range)) = self.chosen.iter().find(|(own, _)| *own == local) {
            return *range;
        }
        // In a loop the name may have been bound by what follows.
        self.local_ranges.get(&local).copied().filter(|_| self.loops.is_empty()).unwrap_or(any)
    }

    /// Binds a name to this range.
    pub(super) fn bind(&mut self, local: LocalId, range: Range) {
        let own = self.local_ranges.entry(local).or_insert(range);
        *own = (own.0.min(range.0), own.1.max(range.1));
    }

    /// The range of totals of a pick with one sum.
    pub(super) fn totals(&self, pick: &Pick) -> Range {
        let (least, most) = if pick.zero_is_ten { (1, 10) } else { (0, 9) };
        let picks = pick.sums.first().map_or(0, |(_, picks)| i64::from(*picks));
        pick.plus.iter().fold((least * picks, most * picks), |(low, high), (number, _)| {
            let (least, most) = self.range_of(number).unwrap_or_else(|wrong| wrong);
            (low.saturating_add(least.min(0)), high.saturating_add(most.max(0)))
        })
    }
}
