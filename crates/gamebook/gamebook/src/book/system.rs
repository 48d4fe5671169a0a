//! Systems of rules defined by files: their declarations.

use super::fight::{FightLocal, Order};
use super::gear::{Circle, ItemKind, ItemStat, NumberTable, SkillIn, Wield};
use super::node::Node;
use super::number::{Condition, LocalId, Number};
use super::variable::{Variable, VariableKind};

/// A system of rules, including what a book adds to it.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Its name.
    pub name: String,
    /// The variables on the hero's sheet: stats, their initial values, counters, flags, items.
    pub variables: Vec<Variable>,
    /// The containers of items.
    pub containers: Vec<Container>,
    /// The stats of enemies.
    pub enemy_stats: Vec<EnemyStat>,
    /// The stats of items.
    pub item_stats: Vec<ItemStat>,
    /// The kinds of items.
    pub kinds: Vec<ItemKind>,
    /// The tables of numbers.
    pub tables: Vec<NumberTable>,
    /// Named values, computed on demand.
    pub values: Vec<(String, Number)>,
    /// The most skills that a hero knows; `None` for any number.
    pub learns: Option<usize>,
    /// Skills tied to items.
    pub skills_in: Vec<SkillIn>,
    /// The circles of skills.
    pub circles: Vec<Circle>,
    /// The ranks, by number of skills from one on.
    pub ranks: Vec<String>,
    /// All bound names.
    pub locals: Vec<Local>,
    /// The tests.
    pub tests: Vec<Test>,
    /// Definitions: blocks with names.
    pub defines: Vec<Define>,
    /// The rules of fights.
    pub fights: Fights,
    /// Actions that the player may take besides answering questions.
    pub actions: Vec<Action>,
    /// What happens before each `goto`.
    pub on_leave: Vec<Node>,
    /// What may save a dying hero.
    pub on_death: Vec<Node>,
    /// What happens before each fight.
    pub before_fight: Vec<Node>,
    /// What happens after each fight that was won.
    pub after_fight: Vec<Node>,
}

impl System {
    /// The variables that the book itself declares, with their indexes.
    pub fn own_variables(&self) -> impl Iterator<Item = (usize, &Variable)> + Clone {
        self.variables.iter().enumerate().filter(|(_, own)| own.kind != VariableKind::Elsewhere)
    }

    /// The items and circles with a stat other than 0.
    pub fn all_with(&self, stat: usize) -> impl Iterator<Item = usize> + Clone {
        let all = self.variables.iter().enumerate().filter(move |(_, own)| own.traits.stat(stat) != 0);
        all.map(|(place, _)| place)
    }

    /// The items with a stat other than 0. A circle has stats as an item has, but is nothing to use or wield.
    pub fn items_with(&self, stat: usize) -> impl Iterator<Item = usize> + Clone {
        self.all_with(stat).filter(|own| self.variables[*own].kind != VariableKind::Circle)
    }

    /// The skills.
    pub fn skills(&self) -> impl Iterator<Item = usize> + Clone {
        let skills = self.variables.iter().enumerate().filter(|(_, own)| own.kind == VariableKind::Skill);
        skills.map(|(place, _)| place)
    }

    /// The amount by which carried items raise a stat, for these values on the sheet.
    pub fn raised(&self, stat: usize, numbers: &[i32]) -> i32 {
        let carried = self.variables.iter().zip(numbers).filter(|(_, number)| **number > 0);
        let raises = self.item_stats.iter().enumerate().filter(|(_, own)| own.raises == Some(stat));
        let points = |(own, _): (&Variable, _)| raises.clone().map(|(place, _)| own.traits.stat(place)).sum::<i32>();
        carried.map(points).sum()
    }

    /// The value of a stat for a hero who begins with `number` of it and these values on his sheet: items carried and circles
    /// add to it.
    pub(crate) fn setting_out(&self, stat: usize, number: i32, values: &[(usize, i32)]) -> i32 {
        let mut numbers: Vec<i32> = self.variables.iter().map(|own| own.start).collect();
        for (place, number) in values {
            numbers[*place] = *number;
        }
        self.close_circles(&mut numbers);
        (number + self.raised(stat, &numbers)).min(self.variables[stat].most)
    }

    /// Sets the flag of every circle whose skills are all known.
    pub fn close_circles<N: Copy + PartialOrd + From<bool>>(&self, numbers: &mut [N]) {
        for Circle { circle, skills } in &self.circles {
            let known = |skill: &usize| numbers[*skill] > N::from(false);
            numbers[*circle] = N::from(skills.iter().all(known));
        }
    }

    /// The flags for a skill in an item, or in one as which it counts.
    pub fn known_in(&self, skill: usize, item: usize) -> impl Iterator<Item = usize> {
        let counts = move |other: usize| {
            other == item || self.variables[item].traits.counts_as.contains(&self.variables[other].name)
        };
        self.skills_in.iter().filter(move |own| own.skill == skill && counts(own.item)).map(|own| own.known)
    }
}

/// A container of items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// Its name.
    pub name: String,
    /// The number of places.
    pub holds: i32,
    /// The item that is the container: without it nothing can be carried in it, and losing it loses the content.
    pub itself: Option<usize>,
}

/// A stat of enemies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnemyStat {
    /// Its name.
    pub name: String,
    /// Whether the enemy falls at 0.
    pub vital: bool,
    /// Its minimum.
    pub least: i32,
    /// Its maximum.
    pub most: i32,
    /// Its default value.
    pub start: Option<i32>,
}

/// A bound name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// The name.
    pub name: String,
    /// The range of later assignments, if there are any.
    pub changed: Option<(i32, i32)>,
    /// Whether the author declared its range.
    pub is_bounded: bool,
}

/// A test.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// What happens before the decision.
    pub body: Vec<Node>,
    /// The condition for success.
    pub yes: Condition,
    /// What happens afterwards in both cases.
    pub after: Vec<Node>,
}

/// A definition: a block with a name.
#[derive(Clone, Debug)]
pub struct Define {
    /// Its name.
    pub name: String,
    /// Its parameters that are numbers.
    pub parameters: Vec<LocalId>,
    /// Defaults of parameters.
    pub defaults: Vec<(LocalId, i32)>,
    /// Its parameters that are blocks: their names and indexes.
    pub blocks: Vec<(String, usize)>,
    /// Its content.
    pub body: Vec<Node>,
    /// Whether it contains a fight.
    pub fights: bool,
    /// The nesting depth of definitions.
    pub(crate) depth: usize,
    /// Whether nothing after it can be reached, and whether it can leave the section.
    pub(crate) leaves: bool,
    pub(crate) can_leave: bool,
}

/// The rules of fights.
#[derive(Clone, Debug, Default)]
pub struct Fights {
    /// Whether fights are declared at all.
    pub declared: bool,
    /// What can be wielded.
    pub wield: Option<Wield>,
    /// The order in which several enemies are fought.
    pub order: Order,
    /// Numbers that exist during a fight.
    pub locals: Vec<FightLocal>,
    /// What happens in a round.
    pub round: Vec<Node>,
    /// What an enemy does while another one is fought.
    pub others: Vec<Node>,
    /// The events of a round.
    pub events: Vec<Event>,
    /// What happens after a round.
    pub end_of_round: Vec<Node>,
    /// What escaping costs.
    pub on_escape: Vec<Node>,
    /// What an ally does in a round, and its stats.
    pub ally: Option<(Vec<LocalId>, Vec<Node>)>,
}

/// An event of a round, and what follows.
#[derive(Clone, Debug, Default)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<LocalId>,
    /// What follows.
    pub body: Vec<Node>,
}

/// An action that the player may take besides answering questions.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// If set, there is one for each carried item with this stat other than 0.
    pub with: Option<usize>,
    /// When it is possible.
    pub when: ActionTime,
    /// What it requires.
    pub require: Condition,
    /// What it does.
    pub body: Vec<Node>,
}

/// When an action is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionTime {
    /// Between any two events outside of fights.
    OutsideFight,
    /// Right after a fight.
    AfterFight,
    /// Before every round of a fight.
    InFight,
    /// Outside of fights and before every round.
    AnyTime,
}
