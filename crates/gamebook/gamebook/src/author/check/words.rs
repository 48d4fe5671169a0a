//! Sets of heroes in words.

use super::heroes::{COMBAT_SKILL, ENDURANCE, FIRST, GOLD, Heroes, KNOWN, MAX_ENDURANCE, Range, Space, WOUNDED};
use crate::book::{Condition, DISCIPLINES};

impl Space<'_> {
    /// A hero of the set in words, as far as conditions read his numbers.
    pub(super) fn described(&self, heroes: &Heroes, conditions: &[&Condition]) -> String {
        let mut places = Vec::new();
        for condition in conditions {
            self.mentioned(condition, &mut places);
        }
        places.sort_unstable();
        places.dedup();
        let words: Vec<String> =
            places.iter().filter_map(|place| self.words(*place, heroes.0[*place])).take(6).collect();
        words.join(", ")
    }

    fn mentioned(&self, condition: &Condition, places: &mut Vec<usize>) {
        match condition {
            Condition::Constant(_) | Condition::Reading(..) | Condition::Skilled(_) => {}
            Condition::Discipline(discipline) => {
                let place = DISCIPLINES.iter().position(|(own, _)| own == discipline).unwrap_or_default();
                places.push(self.disciplines + place);
            }
            Condition::Flag(flag) => places.push(self.flags + flag),
            Condition::Wounded => places.push(WOUNDED),
            Condition::Compare(_, left, right) => {
                places.extend([left, right].into_iter().filter_map(|number| self.place(number)));
            }
            Condition::Not(inner) => self.mentioned(inner, places),
            Condition::And(left, right) | Condition::Or(left, right) => {
                self.mentioned(left, places);
                self.mentioned(right, places);
            }
        }
    }

    fn words(&self, place: usize, range: Range) -> Option<String> {
        let numbered = |name: &str| match range {
            (low, high) if low == high => format!("{name} {low}"),
            (low, high) => format!("{name} {low} to {high}"),
        };
        let yes_or_no = |name: &str| match range {
            (0, 0) => Some(format!("without {name}")),
            (1.., _) => Some(format!("with {name}")),
            _ => None,
        };
        if place >= self.locals || range == self.limits[place] {
            return None;
        }
        if place >= self.disciplines {
            return yes_or_no(DISCIPLINES[place - self.disciplines].1);
        }
        if place >= self.counters {
            return Some(numbered(&self.book.counters[place - self.counters].name));
        }
        if place >= self.flags {
            let name = &self.book.flags[place - self.flags];
            return if range.0 == 1 { Some(format!("{name} set")) } else { Some(format!("{name} not set")) };
        }
        if place >= FIRST {
            return yes_or_no(&self.book.items[place - FIRST].name);
        }
        match place {
            GOLD => Some(numbered("gold")),
            ENDURANCE => Some(numbered("endurance")),
            COMBAT_SKILL => Some(numbered("combat skill")),
            MAX_ENDURANCE => Some(numbered("a maximum endurance of")),
            KNOWN => Some(numbered("disciplines:")),
            _ => None,
        }
    }
}
