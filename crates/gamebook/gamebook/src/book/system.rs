//! Systems of rules that are files: what they declare, and what only their nodes say.

use super::fight::{FightLocal, Order};
use super::gear::{Circle, ItemKind, ItemStat, NumberTable, SkillIn, Wield};
use super::node::Node;
use super::number::{Condition, LocalId, Number};
use super::variable::{Variable, VariableKind};

/// A system of rules, and what a book adds to it.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Its name.
    pub name: String,
    /// Everything that the hero's sheet holds: stats, their initial values, counters, flags, items.
    pub variables: Vec<Variable>,
    /// What items are carried in.
    pub containers: Vec<Container>,
    /// The numbers that an enemy has.
    pub enemy_stats: Vec<EnemyStat>,
    /// The numbers that an item has.
    pub item_stats: Vec<ItemStat>,
    /// The kinds of items.
    pub kinds: Vec<ItemKind>,
    /// The tables of numbers.
    pub tables: Vec<NumberTable>,
    /// The numbers that have a name, and are computed whenever they are asked for.
    pub values: Vec<(String, Number)>,
    /// How many skills a hero knows at most; `None`: any number.
    pub learns: Option<usize>,
    /// The skills that are known in some items.
    pub skills_in: Vec<SkillIn>,
    /// The circles of skills.
    pub circles: Vec<Circle>,
    /// The ranks; the first is that of one skill.
    pub ranks: Vec<String>,
    /// Every name that is bound somewhere.
    pub locals: Vec<Local>,
    /// The tests.
    pub tests: Vec<Test>,
    /// The blocks that have a name.
    pub defines: Vec<Define>,
    /// How fights go.
    pub fights: Fights,
    /// What the player may do beside what a section asks.
    pub actions: Vec<Action>,
    /// What happens before each `goto`.
    pub on_leave: Vec<Node>,
    /// What may bring a dying hero back.
    pub on_death: Vec<Node>,
    /// What happens before each fight.
    pub before_fight: Vec<Node>,
    /// What happens after each fight that is won.
    pub after_fight: Vec<Node>,
}

impl System {
    /// What the book itself knows of its variables, with their places.
    pub fn own_variables(&self) -> impl Iterator<Item = (usize, &Variable)> + Clone {
        self.variables.iter().enumerate().filter(|(_, own)| own.kind != VariableKind::Elsewhere)
    }

    /// The items of which a number is not 0.
    pub fn items_with(&self, stat: usize) -> impl Iterator<Item = usize> + Clone {
        let items = self.variables.iter().enumerate().filter(move |(_, own)| own.traits.stat(stat) != 0);
        items.map(|(place, _)| place)
    }

    /// The skills.
    pub fn skills(&self) -> impl Iterator<Item = usize> + Clone {
        let skills = self.variables.iter().enumerate().filter(|(_, own)| own.kind == VariableKind::Skill);
        skills.map(|(place, _)| place)
    }

    /// By how much everything that is carried raises a stat, where these are the numbers on the sheet.
    pub fn raised(&self, stat: usize, numbers: &[i32]) -> i32 {
        let carried = self.variables.iter().zip(numbers).filter(|(_, number)| **number > 0);
        let raises = self.item_stats.iter().enumerate().filter(|(_, own)| own.raises == Some(stat));
        let points = |(own, _): (&Variable, _)| raises.clone().map(|(place, _)| own.traits.stat(place)).sum::<i32>();
        carried.map(points).sum()
    }

    /// The number of a stat for a hero who sets out with `number` of it, and these numbers on his sheet: what he carries and the
    /// circles that he has add to it.
    pub(crate) fn setting_out(&self, stat: usize, number: i32, values: &[(usize, i32)]) -> i32 {
        let mut numbers: Vec<i32> = self.variables.iter().map(|own| own.start).collect();
        for (place, number) in values {
            numbers[*place] = *number;
        }
        self.close_circles(&mut numbers);
        (number + self.raised(stat, &numbers)).min(self.variables[stat].most)
    }

    /// Makes what numbers on a sheet say of circles true: who knows all skills of one has it.
    pub fn close_circles<N: Copy + PartialOrd + From<bool>>(&self, numbers: &mut [N]) {
        for Circle { circle, skills } in &self.circles {
            let known = |skill: &usize| numbers[*skill] > N::from(false);
            numbers[*circle] = N::from(skills.iter().all(known));
        }
    }

    /// The flags that say whether a skill is known in an item, or in one as which it counts.
    pub fn known_in(&self, skill: usize, item: usize) -> impl Iterator<Item = usize> {
        let counts = move |other: usize| {
            other == item || self.variables[item].traits.counts_as.contains(&self.variables[other].name)
        };
        self.skills_in.iter().filter(move |own| own.skill == skill && counts(own.item)).map(|own| own.known)
    }
}

/// What items are carried in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// Its name.
    pub name: String,
    /// How many things it holds.
    pub holds: i32,
    /// The item that it is itself: without it nothing can be carried in it, and who loses it loses what is in it.
    pub itself: Option<usize>,
}

/// A number that an enemy has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnemyStat {
    /// Its name.
    pub name: String,
    /// The enemy falls when it is used up.
    pub vital: bool,
    /// Its smallest and its largest number.
    pub least: i32,
    /// See [`least`](Self::least).
    pub most: i32,
    /// What an enemy has of it when the book does not say.
    pub start: Option<i32>,
}

/// A name that is bound somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// The name.
    pub name: String,
    /// The numbers that are put into it later, where it is changed after it is bound.
    pub changed: Option<(i32, i32)>,
    /// Whether the author has said between which numbers it stays.
    pub is_bounded: bool,
}

/// A test.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// What is done before it is decided.
    pub body: Vec<Node>,
    /// When it is a success.
    pub yes: Condition,
    /// What is done afterwards, whether it was one or not.
    pub after: Vec<Node>,
}

/// A block with a name.
#[derive(Clone, Debug)]
pub struct Define {
    /// Its name.
    pub name: String,
    /// The names of its numbers.
    pub parameters: Vec<LocalId>,
    /// What some of them are where nobody says it.
    pub defaults: Vec<(LocalId, i32)>,
    /// The blocks that it is given: their names, and which of all blocks they are.
    pub blocks: Vec<(String, usize)>,
    /// What it does.
    pub body: Vec<Node>,
    /// Whether there is a fight in it.
    pub fights: bool,
    /// How deeply others are used in it.
    pub(crate) depth: usize,
    /// Whether nothing after it can be reached, and whether it can leave the section.
    pub(crate) leaves: bool,
    pub(crate) can_leave: bool,
}

/// How fights go.
#[derive(Clone, Debug, Default)]
pub struct Fights {
    /// Whether anything is said of fights.
    pub declared: bool,
    /// What can be wielded.
    pub wield: Option<Wield>,
    /// In which order several enemies are fought.
    pub order: Order,
    /// Numbers of one fight.
    pub locals: Vec<FightLocal>,
    /// What happens in a round.
    pub round: Vec<Node>,
    /// What an enemy does who is not the one that is fought.
    pub others: Vec<Node>,
    /// What can happen in a round.
    pub events: Vec<Event>,
    /// What happens after it.
    pub end_of_round: Vec<Node>,
    /// What escaping costs.
    pub on_escape: Vec<Node>,
    /// What an ally does in a round, and its numbers.
    pub ally: Option<(Vec<LocalId>, Vec<Node>)>,
}

/// Something that happens in a round, and what follows from it.
#[derive(Clone, Debug, Default)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// The names of its numbers.
    pub parameters: Vec<LocalId>,
    /// What follows from it.
    pub body: Vec<Node>,
}

/// Something that the player may do beside what a section asks.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// It is one for each item that he has and of which this number is not 0.
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
    /// Between any two things that happen outside of fights.
    OutsideFight,
    /// Right after a fight.
    AfterFight,
    /// Before every round of a fight.
    InFight,
    /// Outside of fights and before every round.
    AnyTime,
}
