//! Systems of rules that are files: what they declare, and what only their nodes say.

use super::fight::{FightLocal, Order};
use super::node::Node;
use super::number::{Condition, LocalId};
use crate::terms::Dice;

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

/// A number on the hero's sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: VariableKind,
    /// Its smallest and its largest number.
    pub least: i32,
    /// See [`least`](Self::least).
    pub most: i32,
    /// The hero dies when it is used up.
    pub vital: bool,
    /// The variable that holds its initial value: gains stop there.
    pub initial: Option<usize>,
    /// What it begins with, when nobody says otherwise.
    pub start: i32,
    /// The dice that make it.
    pub from: Option<Dice>,
    /// The container in which an item is carried.
    pub container: Option<usize>,
}

/// What a number on the sheet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableKind {
    /// A stat.
    Stat,
    /// The initial value of a stat.
    Initial,
    /// A counter.
    Counter,
    /// Yes or no.
    Flag,
    /// An item.
    Item,
    /// Something that only another book of the series knows: nothing here asks for it.
    Elsewhere,
}

impl System {
    /// What the book itself knows of its variables, with their places.
    pub fn own_variables(&self) -> impl Iterator<Item = (usize, &Variable)> + Clone {
        self.variables.iter().enumerate().filter(|(_, own)| own.kind != VariableKind::Elsewhere)
    }
}

/// What items are carried in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// Its name.
    pub name: String,
    /// How many things it holds.
    pub holds: i32,
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
    /// What it does.
    pub body: Vec<Node>,
    /// Whether there is a fight in it.
    /// How fights go.
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
