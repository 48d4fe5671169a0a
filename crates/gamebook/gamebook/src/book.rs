//! The syntax tree of a book, with every name resolved: its sections, hero, rules, policies and limits.
//!
//! It is data, and what follows from the data alone. It does not know the text from which it was parsed, registers, or
//! probabilities.

mod discipline;
mod draft;
mod fight;
mod forget;
mod gear;
mod hero;
mod hero_check;
mod hero_creation;
mod hero_quantity;
mod item;
mod kai;
mod limits;
mod node;
mod number;
mod policy;
mod series;
mod series_as_book;
mod situation;
mod system;
mod variable;
mod visitor;

use std::collections::BTreeMap;
use std::ops::Range;

use crate::terms::SectionNumber;

pub use discipline::{DISCIPLINES, Discipline, discipline_names};
pub use draft::Draft;
pub use fight::{Enemy, FightLocal, Leaves, Order};
pub use forget::Forget;
pub use gear::{Circle, ItemKind, ItemStat, NumberTable, SkillIn, Traits, Wield};
pub use hero::{Hero, HeroError};
pub use hero_creation::{Bundles, HeroCreation, HeroQuantity};
pub(crate) use hero_creation::{QUESTION, choices};
pub(crate) use item::is_same;
pub use item::{Item, ItemId, Kind, Thing, Weapon, When};
pub use kai::{KaiRules, RolledStat};
pub(crate) use limits::{LOCAL_NUMBERS, MOST_AT_ONCE, MOST_FORGOTTEN, MOST_ROUNDS};
pub use node::{Battle, Case, Choice, Fight, Node, NodeKind, Pick, Roll, RollCase, Rule, Taken, Target, Trade};
pub(crate) use number::is_loss;
pub use number::{Condition, LocalId, Number, VariableRef};
pub use policy::{Policy, PolicyKind, PolicyRule};
pub(crate) use series::OTHER_THINGS;
pub use series::{Learns, Series, SeriesBook};
pub use situation::Situation;
pub use system::{Action, ActionTime, Container, Define, EnemyStat, Event, Fights, Local, System, Test};
pub use variable::{Variable, VariableKind};
pub(crate) use visitor::{Asked, every_body, every_node, every_question};

/// A book: the content of its file.
#[derive(Clone, Debug)]
pub struct Book {
    /// The title.
    pub title: String,
    /// The section in which play begins.
    pub start: SectionNumber,
    /// The goals: entering one of these sections wins.
    pub goals: Vec<SectionNumber>,
    /// How many disciplines a hero of this book may have.
    pub learns: usize,
    /// What every hero of this book has: items and their counts.
    pub fixed: Vec<(ItemId, u8)>,
    /// The default hero, without what is fixed.
    pub hero: Hero,
    /// How a hero is created.
    pub creation: HeroCreation,
    /// All items.
    pub items: Vec<Item>,
    /// The names of the flags.
    pub flags: Vec<String>,
    /// The counters.
    pub counters: Vec<Counter>,
    /// The parameters of the rules, including the combat table.
    pub kai: KaiRules,
    /// What happens on entering a section.
    pub on_enter: Vec<Node>,
    /// The sections by number.
    pub sections: BTreeMap<SectionNumber, Section>,
    /// The names of sections that have a name instead of a number.
    pub names: BTreeMap<SectionNumber, String>,
    /// The disputed passages and their possible readings.
    pub readings: Vec<Reading>,
    /// Sets of readings that belong together.
    pub editions: Vec<Edition>,
    /// The book's policies.
    pub policies: Vec<Policy>,
    /// Relaxed games, which give upper bounds.
    pub kinder: Vec<Kinder>,
    /// What is unfinished in the book and in the file of its rules.
    pub draft: Draft,
    /// The system of rules; `None` for Lone Wolf. With a system only these other fields are used: the title, the start, the
    /// goals, the sections and their names, the creation of a hero, the readings, the policies and the relaxed games.
    pub system: Option<Box<System>>,
    /// A hash of the content of the file and of the file of its rules, without comments and layout: it is almost surely
    /// different for different books.
    pub mark: u64,
}

/// A relaxed game, in which the player need not remember everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kinder {
    /// Its name.
    pub name: String,
    /// What need not be remembered, as read by [`read_forgets`](crate::read_forgets).
    pub forgets: Vec<String>,
}

/// A disputed passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Its name.
    pub name: String,
    /// The possible readings; the first is the default.
    pub values: Vec<String>,
}

/// An edition: its readings of the disputed passages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edition {
    /// Its name.
    pub name: String,
    /// The readings that are not the defaults: the passage and its value.
    pub readings: Vec<(usize, usize)>,
}

/// A declared number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Its name.
    pub name: String,
    /// Its largest value.
    pub max: u8,
}

/// A section.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The text for the reader: paragraphs separated by empty lines. Empty if the file does not contain it.
    pub text: String,
    /// What happens in it.
    pub body: Vec<Node>,
    /// Whether nothing that heals or strengthens can be used in it before a fight there, except food.
    pub no_potions: bool,
    /// The names bound in it (by `pick as=` and `each=`), in order.
    pub locals: Vec<String>,
    /// The span of its number.
    pub span: Range<usize>,
}

impl Book {
    /// Whether backpack items need a container.
    pub fn has_container(&self) -> bool {
        self.items.iter().any(|item| item.kind == Kind::Container)
    }

    /// How many backpack items can be carried.
    pub fn room(&self) -> u8 {
        self.items.iter().find(|item| item.kind == Kind::Container).map_or(self.kai.backpack, |item| item.holds)
    }

    /// The largest count of an item that a hero can have.
    pub fn most_of(&self, item: &Item) -> u8 {
        match item.kind {
            Kind::Weapon => self.kai.most_weapons,
            Kind::Backpack => item.most.min(self.room() / item.places),
            Kind::Special | Kind::Permanent | Kind::Container => 1,
        }
    }

    /// The policy that is followed by default.
    pub fn default_policy(&self) -> Option<&Policy> {
        self.policies.iter().find(|policy| policy.is_default)
    }

    /// The name of a section that has one instead of a number.
    pub fn name_of(&self, section: SectionNumber) -> Option<&str> {
        self.names.get(&section).map(String::as_str)
    }

    /// The name or number of a section.
    pub fn section_text(&self, section: SectionNumber) -> String {
        self.name_of(section).map_or_else(|| section.to_string(), String::from)
    }

    /// The section with this name or number.
    pub fn section_named(&self, name: &str) -> Option<SectionNumber> {
        let named = self.names.iter().find(|(_, own)| *own == name);
        let number = || name.parse().ok().filter(|number| self.name_of(*number).is_none());
        named.map(|(number, _)| *number).or_else(number).filter(|number| self.sections.contains_key(number))
    }

    /// The item with this name.
    pub fn item(&self, name: &str) -> Option<ItemId> {
        self.items.iter().position(|item| item.name == name)
    }
}
