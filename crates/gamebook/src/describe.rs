//! What answers and situations are called.

use crate::book::{SectionNumber, Thing};
use crate::machine::{Action, Machine};
use crate::program::Op;
use crate::state::{ENDURANCE, GOLD, State};

/// What a hero has at some point.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Belongings {
    /// ENDURANCE.
    pub endurance: u16,
    /// Gold Crowns.
    pub gold: u16,
    /// Items and how many of each.
    pub items: Vec<(String, u16)>,
    /// Flags that are set.
    pub flags: Vec<String>,
}

impl Machine {
    /// What an answer is called.
    pub(crate) fn describe_action(&self, state: &State, action: Action) -> String {
        let facts = &self.program.facts;
        let name = |item: usize| facts.items[item].as_str();
        match action {
            Action::Choice { alternative, number } => {
                let Some(Op::Choose { alternatives }) = self.op(state) else { return String::new() };
                let label = &self.program.labels[alternatives[alternative as usize].label as usize];
                match number {
                    Some(number) => with_number(label, number),
                    None => label.clone(),
                }
            }
            Action::Take(count) => {
                let thing = match self.op(state) {
                    Some(Op::Take { thing: Thing::Item(item), .. }) => name(*item),
                    _ => "gold",
                };
                match (count, thing) {
                    (0, thing) => format!("leave the {thing}"),
                    (1, thing) if thing != "gold" => format!("take the {thing}"),
                    (count, thing) => format!("take {count} {thing}"),
                }
            }
            Action::Drop(item) => format!("drop {}", item.map_or("a weapon", name)),
            Action::Trade(line) => match self.op(state) {
                Some(Op::Shop { lines, .. }) => {
                    let line = &lines[usize::from(line)];
                    format!("{} {} for {}", if line.buy { "buy" } else { "sell" }, name(line.item), line.price)
                }
                _ => String::new(),
            },
            Action::GoOn => match self.op(state) {
                Some(Op::Use { .. }) => "use nothing".into(),
                Some(Op::Shop { .. }) => "leave the shop".into(),
                _ => "go on".into(),
            },
            Action::Eat(item) => format!("eat {}", name(item)),
            Action::Hunger => "go hungry".into(),
            Action::Use(item) => format!("use {}", name(item)),
            Action::Wield(item) => format!("fight with {}", item.map_or("what there is", name)),
            Action::FightOn => "fight on".into(),
            Action::Leave => "leave the fight".into(),
        }
    }

    /// The section that is entered without another question.
    pub(crate) fn leads_to(&self, state: &State) -> Option<SectionNumber> {
        let stop = self.run(*state, &mut Vec::new());
        self.enters(&stop).then(|| self.section(&stop))
    }

    /// What the hero has in a state.
    pub fn belongings(&self, state: &State) -> Belongings {
        let facts = &self.program.facts;
        let mut items: Vec<usize> = (0..facts.items.len()).filter(|item| self.count(state, *item) > 0).collect();
        items.sort_by_key(|item| (facts.kinds[*item] as u8, *item));
        let layout = &self.program.layout;
        Belongings {
            endurance: self.get(state, ENDURANCE),
            gold: self.get(state, GOLD),
            items: items.into_iter().map(|item| (facts.items[item].clone(), self.count(state, item))).collect(),
            flags: facts
                .flags
                .iter()
                .enumerate()
                .filter(|(flag, _)| self.get(state, layout.flag(*flag)) > 0)
                .map(|(_, name)| name.clone())
                .collect(),
        }
    }
}

impl Belongings {
    /// What is more and what is less than before: `gold +6`, `ENDURANCE -3`, `rope +1`.
    pub fn since(&self, before: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        let mut change = |name: &str, before: u16, now: u16| {
            if before != now {
                changes.push(format!("{name} {:+}", i32::from(now) - i32::from(before)));
            }
        };
        change("ENDURANCE", before.endurance, self.endurance);
        change("gold", before.gold, self.gold);
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

/// A label with its `{name}` replaced by a number.
fn with_number(label: &str, number: i32) -> String {
    match (label.find('{'), label.find('}')) {
        (Some(open), Some(close)) if open < close => format!("{}{number}{}", &label[..open], &label[close + 1..]),
        _ => format!("{label} ({number})"),
    }
}
