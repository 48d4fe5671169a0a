//! What each discipline and each thing is worth.

use gamebook::DISCIPLINES;

use super::table::Table;
use crate::roster::Gain;

impl Table<'_> {
    /// What each discipline is worth, most first; nothing where all have it or nobody.
    pub fn disciplines(&self) -> Vec<Gain> {
        let equipments = self.choice.equipments.len();
        let has = |group: usize, discipline| self.choice.sets[group / equipments].0.contains(&discipline);
        let gain =
            |(discipline, name): &(_, &str)| self.roster.gain((*name).to_string(), |group| has(group, *discipline));
        sorted(DISCIPLINES.iter().filter_map(gain).collect())
    }

    /// What each thing is worth that some have chosen and others not, most first.
    pub fn things(&self) -> Vec<Gain> {
        let equipments = &self.choice.equipments;
        let has = |group: usize, item| equipments[group % equipments.len()].iter().any(|(own, _)| *own == item);
        let items = self.book.items.iter().enumerate();
        let gain = |(item, own): (usize, &gamebook::Item)| self.roster.gain(own.name.clone(), |group| has(group, item));
        sorted(items.filter_map(gain).collect())
    }
}

fn sorted(mut gains: Vec<Gain>) -> Vec<Gain> {
    gains.sort_by(|left, right| right.gain.total_cmp(&left.gain));
    gains
}
