//! What an author can say: a book as it was written, with every name resolved; its hero, its rules, policies and limits.
//!
//! It is data, and what follows from the data alone. It knows no text from which it was read, no registers, and nothing of
//! how likely anything is.

mod creation;
mod discipline;
mod draft;
mod fight;
mod forget;
mod gear;
mod hero;
mod hero_check;
mod item;
mod kai;
mod limits;
mod making;
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
pub(crate) use item::is_same;
pub use item::{Item, ItemId, Kind, Thing, Weapon, When};
pub use kai::{KaiRules, RolledStat};
pub(crate) use limits::{LOCAL_NUMBERS, MOST_AT_ONCE, MOST_FORGOTTEN, MOST_ROUNDS};
pub use making::{Bundles, Made, Making};
pub(crate) use making::{QUESTION, choices};
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

/// A book: what its file says.
#[derive(Clone, Debug)]
pub struct Book {
    /// The title.
    pub title: String,
    /// The section in which play begins.
    pub start: SectionNumber,
    /// The sections whose entering wins.
    pub goals: Vec<SectionNumber>,
    /// How many disciplines a hero of this book may have.
    pub learns: usize,
    /// What every hero of this book has: items and how many.
    pub fixed: Vec<(ItemId, u8)>,
    /// The hero when nobody says otherwise; without what is fixed.
    pub hero: Hero,
    /// How a hero is made.
    pub making: Making,
    /// All items.
    pub items: Vec<Item>,
    /// The names of the flags.
    pub flags: Vec<String>,
    /// The counters.
    pub counters: Vec<Counter>,
    /// The numbers of the rules, with the book's own combat table if it has one.
    pub kai: KaiRules,
    /// What happens on entering a section.
    pub on_enter: Vec<Node>,
    /// The sections by number.
    pub sections: BTreeMap<SectionNumber, Section>,
    /// What sections are called that have a name in place of a number.
    pub names: BTreeMap<SectionNumber, String>,
    /// How passages that can be disputed are read.
    pub readings: Vec<Reading>,
    /// Sets of readings that belong together.
    pub editions: Vec<Edition>,
    /// What a player who follows them does.
    pub policies: Vec<Policy>,
    /// Kinder games, which are won at least as often.
    pub kinder: Vec<Kinder>,
    /// What is left to do in it, and in the file of its rules.
    pub draft: Draft,
    /// The rules, where they are a system of their own: then nothing of what is above but the title, the start, the
    /// goals, the sections and their names, how a hero is made, the readings, the policies and the kinder games means
    /// anything. `None`: those of Lone Wolf.
    pub system: Option<Box<System>>,
    /// Differs, but for rare chance, from that of a book whose file, or the file of its rules, says something else;
    /// comments and blanks do not count.
    pub mark: u64,
}

/// A kinder game: the player need not remember everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kinder {
    /// Its name.
    pub name: String,
    /// What need not be remembered, as [`read_forgets`](crate::read_forgets) reads it.
    pub forgets: Vec<String>,
}

/// How a passage that can be disputed is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Its name.
    pub name: String,
    /// The possible readings; the first is the default.
    pub values: Vec<String>,
}

/// How an edition reads the passages that can be disputed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edition {
    /// Its name.
    pub name: String,
    /// Which readings are not the defaults: which, and how they are read.
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
    /// What the reader reads: paragraphs with an empty line between them. Empty where the book does not hold it.
    pub text: String,
    /// What happens in it.
    pub body: Vec<Node>,
    /// Nothing that heals or strengthens can be used in it before a fight was fought there, but for what is eaten.
    pub no_potions: bool,
    /// The names bound in it (by `pick as=` and `each=`), in order.
    pub locals: Vec<String>,
    /// Where its number stands.
    pub span: Range<usize>,
}

impl Book {
    /// Whether backpack items need something to be carried in.
    pub fn has_container(&self) -> bool {
        self.items.iter().any(|item| item.kind == Kind::Container)
    }

    /// How many backpack items can be carried.
    pub fn room(&self) -> u8 {
        self.items.iter().find(|item| item.kind == Kind::Container).map_or(self.kai.backpack, |item| item.holds)
    }

    /// How many of an item a hero can have.
    pub fn most_of(&self, item: &Item) -> u8 {
        match item.kind {
            Kind::Weapon => self.kai.most_weapons,
            Kind::Backpack => item.most.min(self.room() / item.places),
            Kind::Special | Kind::Permanent | Kind::Container => 1,
        }
    }

    /// The policy that is followed when nobody says otherwise.
    pub fn default_policy(&self) -> Option<&Policy> {
        self.policies.iter().find(|policy| policy.is_default)
    }

    /// The name of a section, where it has one in place of a number.
    pub fn name_of(&self, section: SectionNumber) -> Option<&str> {
        self.names.get(&section).map(String::as_str)
    }

    /// What a section is called: its name, or its number.
    pub fn section_text(&self, section: SectionNumber) -> String {
        self.name_of(section).map_or_else(|| section.to_string(), String::from)
    }

    /// The section of this name or number.
    pub fn section_named(&self, name: &str) -> Option<SectionNumber> {
        let named = self.names.iter().find(|(_, own)| *own == name);
        let number = || name.parse().ok().filter(|number| self.name_of(*number).is_none());
        named.map(|(number, _)| *number).or_else(number).filter(|number| self.sections.contains_key(number))
    }

    /// The item of this name.
    pub fn item(&self, name: &str) -> Option<ItemId> {
        self.items.iter().position(|item| item.name == name)
    }
}
