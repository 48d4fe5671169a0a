//! Names of answers and descriptions of states.

use crate::machine::{Action, Machine};
use crate::program::{Register, Stat, State};
use crate::terms::SectionNumber;

/// The hero's possessions in a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Belongings {
    /// Stats and counters in a system of rules; ENDURANCE and gold are unused then.
    pub stats: Option<Vec<(String, i32)>>,
    /// ENDURANCE.
    pub endurance: u16,
    /// Gold Crowns.
    pub gold: u16,
    /// Items with their counts.
    pub items: Vec<(String, u16)>,
    /// Flags that are set.
    pub flags: Vec<String>,
}

impl Machine {
    /// The label of an answer.
    pub(crate) fn describe_action(&self, state: &State, action: Action) -> String {
        let answer = self.question(state).and_then(|question| question.answers.get(action.answer));
        let Some(answer) = answer else { return String::new() };
        let label = &self.program.labels[answer.label as usize];
        action.number.map_or_else(|| label.clone(), |number| with_number(label, number))
    }

    /// The section that is entered before another question.
    pub(crate) fn leads_to(&self, state: &State) -> Option<SectionNumber> {
        let stop = if self.enters(state) { *state } else { self.run(*state, &mut Vec::new()) };
        self.enters(&stop).then(|| self.section(&stop))
    }

    /// ENDURANCE and gold in a state, and the state without them.
    pub(crate) fn endurance_and_gold(&self, state: &State) -> (u16, u16, State) {
        let sheet = self.sheet(state);
        let mask = |register: Register| self.program.layout.mask(register);
        let rest = match &sheet.stats {
            None => state.without(&mask(sheet.endurance).union(&mask(sheet.gold))),
            // In a system of rules these registers are not the hero's.
            Some(_) => *state,
        };
        (self.held(state, sheet.endurance), self.held(state, sheet.gold), rest)
    }

    /// The value of a register on the sheet.
    fn held(&self, state: &State, register: Register) -> u16 {
        u16::try_from(self.get(state, register)).unwrap_or(0)
    }

    /// The hero's possessions in a state.
    pub fn belongings(&self, state: &State) -> Belongings {
        let sheet = self.sheet(state);
        let held = |register: Register| self.held(state, register);
        let counts = sheet.items.iter().map(|(name, register)| (name.clone(), held(*register)));
        let flags = sheet.flags.iter().filter(|(_, register)| held(*register) > 0);
        let stats = sheet.stats.as_ref();
        let stats = stats.map(|own| own.iter().map(|stat| (stat.name.clone(), self.get(state, stat.register))));
        Belongings {
            stats: stats.map(Iterator::collect),
            endurance: held(sheet.endurance),
            gold: held(sheet.gold),
            items: counts.filter(|(_, count)| *count > 0).collect(),
            flags: flags.map(|(name, _)| name.clone()).collect(),
        }
    }
}

/// A stat or counter in a system of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatNow {
    /// Its name.
    pub name: String,
    /// Its value.
    pub now: i32,
    /// Its initial value, if it has one.
    pub initial: Option<i32>,
    /// Whether the hero dies at 0.
    pub vital: bool,
}

/// An enemy in a fight of a system of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnemyNow {
    /// The enemy's name.
    pub name: String,
    /// The stats that still matter.
    pub stats: Vec<(String, i32)>,
}

impl Machine {
    /// The stats and counters in a system of rules; empty for Lone Wolf.
    pub(crate) fn stats(&self, state: &State) -> Vec<StatNow> {
        let stat = |stat: &Stat| StatNow {
            name: stat.name.clone(),
            now: self.get(state, stat.register),
            initial: stat.initial.map(|register| self.get(state, register)),
            vital: stat.vital,
        };
        self.program.sheet.stats.iter().flatten().map(stat).collect()
    }

    /// The enemies still standing in a fight of a system of rules.
    pub(crate) fn enemies(&self, state: &State) -> Vec<EnemyNow> {
        let Some(Some(foes)) = self.program.notes.foes.get(&state.place()) else { return Vec::new() };
        let mut enemies = Vec::new();
        for foe in foes.iter() {
            // A register that no longer matters is cleared and must not be shown.
            let known = foe.stats.iter().filter(|(_, register, _)| self.keeps(state, *register));
            let known: Vec<_> =
                known.map(|(name, register, vital)| (name, self.get(state, *register), *vital)).collect();
            let fallen = known.iter().any(|(_, number, vital)| *vital && *number <= 0);
            if !fallen && (foes.len() == 1 || !known.is_empty()) {
                let stats = known.into_iter().map(|(name, number, _)| (name.clone(), number)).collect();
                enemies.push(EnemyNow { name: foe.name.clone(), stats });
            }
        }
        enemies
    }
}

impl Belongings {
    /// The changes since an earlier state: `gold +6`, `ENDURANCE -3`, `rope +1`.
    pub fn since(&self, before: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        for ((name, now), (_, before)) in self.stats.iter().flatten().zip(before.stats.iter().flatten()) {
            if now != before {
                changes.push(format!("{name} {:+}", now - before));
            }
        }
        let mut change = |name: &str, before: u16, now: u16| {
            if before != now {
                changes.push(format!("{name} {:+}", i32::from(now) - i32::from(before)));
            }
        };
        if self.stats.is_none() {
            change("ENDURANCE", before.endurance, self.endurance);
            change("gold", before.gold, self.gold);
        }
        let count = |items: &[(String, u16)], name: &str| {
            items.iter().find(|(other, _)| other == name).map_or(0, |(_, count)| *count)
        };
        for (name, had) in &before.items {
            change(name, *had, count(&self.items, name));
        }
        for (name, has) in self.items.iter().filter(|(name, _)| count(&before.items, name) == 0) {
            change(name, 0, *has);
        }
        for flag in self.flags.iter().filter(|flag| !before.flags.contains(flag)) {
            changes.push(flag.clone());
        }
        for flag in before.flags.iter().filter(|flag| !self.flags.contains(flag)) {
            changes.push(format!("not {flag}"));
        }
        changes
    }
}

/// A label with `{name}` replaced by a number.
fn with_number(label: &str, number: i32) -> String {
    match (label.find('{'), label.find('}')) {
        (Some(open), Some(close)) if open < close => format!("{}{number}{}", &label[..open], &label[close + 1..]),
        _ => format!("{label} ({number})"),
    }
}
