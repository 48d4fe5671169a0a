//! A book as its author wrote it, with every name resolved.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::discipline::Discipline;
use crate::hero::Hero;
use crate::kai::KaiRules;
use crate::making::Making;
use crate::policy::Policy;
use crate::rules::{Rule, System, VariableRef};

mod draft;
mod fight;

pub use draft::Draft;
pub use fight::{Enemy, Fight, Leaves};

/// The number of a section.
pub type SectionNumber = u32;

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

/// The place of an item in [`Book::items`].
pub type ItemId = usize;

/// An item.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// What kind of thing it is.
    pub kind: Kind,
    /// Whether it can be used as a weapon, and how.
    pub weapon: Option<Weapon>,
    /// Whether it is food.
    pub food: bool,
    /// ENDURANCE that it gives back when used, and when that may be.
    pub heals: Option<(u8, When)>,
    /// The flag that is cleared when it is used to heal.
    pub cures: Option<usize>,
    /// The reading, and its value, by which it may heal in a section with a fight before one was fought there; `None`: it
    /// may, however passages are read.
    pub before_fights: Option<(usize, usize)>,
    /// What it adds to COMBAT SKILL in a fight before which it is used.
    pub strengthens: u8,
    /// What it adds to COMBAT SKILL while he has it.
    pub combat_skill: i8,
    /// What it adds to the maximum of ENDURANCE while he has it.
    pub endurance: u8,
    /// How many places in the backpack it takes.
    pub places: u8,
    /// More of it than this are not carried in the backpack.
    pub most: u8,
    /// How many backpack items it holds (a container).
    pub holds: u8,
    /// Where it is declared.
    pub span: Range<usize>,
}

/// Where things are carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// As many as the rules allow.
    Weapon,
    /// In the backpack.
    Backpack,
    /// One of each.
    Special,
    /// One of each, and nothing takes it but what names it: a wound for life, what he remembers.
    Permanent,
    /// What backpack items are carried in.
    Container,
}

impl Kind {
    /// Whether there is at most one of an item of this kind.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Special | Self::Permanent | Self::Container)
    }
}

/// A weapon's powers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weapon {
    /// Added to COMBAT SKILL while it is used.
    pub bonus: i8,
    /// The weapons whose skill counts for it; itself is not listed.
    pub counts_as: Vec<String>,
    /// Undead enemies lose double.
    pub doubles_undead: bool,
}

/// When an item that heals may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// Right after a fight.
    AfterCombat,
    /// On entering a section, and right after a fight.
    OnEntering,
    /// On entering a section and between any two things that happen in it.
    AnyTime,
    /// The same once a fight has been fought.
    SinceCombat,
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

/// One thing that happens.
#[derive(Clone, Debug)]
pub struct Node {
    /// What.
    pub kind: NodeKind,
    /// Where it stands in the book's file; empty where it stands in the file of its system.
    pub span: Range<usize>,
}

/// What can be got and lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Thing {
    /// Gold Crowns.
    Gold,
    /// An item.
    Item(ItemId),
}

/// A name bound in a section: its place in [`Section::locals`].
pub type LocalId = usize;

/// What a node does.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// ENDURANCE lost (negative) or got back.
    Endurance(Number),
    /// ENDURANCE got back: half of what is missing, or all.
    Restore {
        /// Half of it only.
        half: bool,
    },
    /// Got without being asked.
    Gain(Thing, Number),
    /// Lost; `None` is all of it.
    Lose(Thing, Option<Number>),
    /// Everything of some kinds is lost.
    LoseAll {
        /// Gold too.
        gold: bool,
        /// The items that are lost.
        items: Vec<ItemId>,
    },
    /// Some of a kind are lost.
    GiveUp {
        /// The kind.
        kind: Kind,
        /// How many.
        count: u8,
        /// Chance says which.
        by_chance: bool,
    },
    /// A flag is set or cleared.
    Flag(usize, bool),
    /// A counter is set.
    Counter(usize, Number),
    /// A Meal is due.
    Eat {
        /// The discipline of hunting helps.
        hunting: bool,
        /// Who has food may go hungry all the same.
        optional: bool,
    },
    /// On to a section.
    Goto(SectionNumber),
    /// The hero dies, or has failed.
    Death(String),
    /// The hero has won.
    Victory,
    /// The first branch that holds, each with where its condition stands; then what follows when none does.
    If(Vec<(Condition, Vec<Node>, Range<usize>)>, Vec<Node>),
    /// A question to the player.
    Choices(Vec<Choice>),
    /// A question to chance.
    Pick(Pick),
    /// Things that lie there.
    Take {
        /// How many units may be taken.
        at_most: Option<u8>,
        /// What and how many.
        lines: Vec<(Thing, Number)>,
    },
    /// Things that are sold and bought.
    Shop(Vec<Trade>),
    /// A loop.
    Repeat(Vec<Node>),
    /// Back to the beginning of the loop that stands so many loops around this.
    Again(usize),
    /// A fight.
    Fight(Box<Fight>),
    /// A lone round.
    OneRound {
        /// The enemy and what holds in the round.
        fight: Box<Fight>,
        /// The hero lost more.
        worse: Vec<Node>,
        /// Both lost the same.
        equal: Vec<Node>,
        /// The enemy lost more.
        better: Vec<Node>,
    },
    /// What only a system of rules of its own says.
    Rule(Box<Rule>),
}

/// One answer to a question.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What the player reads; empty when the author gave none.
    pub label: String,
    /// When it is offered.
    pub require: Condition,
    /// A number that the player chooses with it, and between which bounds.
    pub each: Option<(LocalId, Number, Number)>,
    /// What follows.
    pub body: Vec<Node>,
    /// Where it stands.
    pub span: Range<usize>,
}

/// A question to chance.
#[derive(Clone, Debug)]
pub struct Pick {
    /// Sums of picks: the name (if it has one) and how many picks.
    pub sums: Vec<(Option<LocalId>, u8)>,
    /// 0 counts as ten.
    pub zero_is_ten: bool,
    /// Added to the total under a condition.
    pub plus: Vec<(Number, Condition)>,
    /// The cases.
    pub cases: Vec<(Case, Vec<Node>, Range<usize>)>,
}

/// When a case of a pick holds.
#[derive(Clone, Debug)]
pub enum Case {
    /// The total is between these, both included.
    Between(i32, i32),
    /// A condition on the names that the pick binds.
    When(Condition),
    /// None of the others.
    Else,
}

/// A line of a shop's list.
#[derive(Clone, Debug)]
pub struct Trade {
    /// The item.
    pub item: ItemId,
    /// Gold Crowns for one.
    pub price: u8,
    /// The shop sells it to the hero (else it buys).
    pub buy: bool,
    /// How many can be bought or sold.
    pub at_most: Option<u8>,
    /// Where it stands.
    pub span: Range<usize>,
}

/// A whole number that depends on the game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// A constant.
    Constant(i32),
    /// Gold Crowns.
    Gold,
    /// ENDURANCE.
    Endurance,
    /// The maximum of ENDURANCE.
    MaxEndurance,
    /// COMBAT SKILL without weapons.
    CombatSkill,
    /// How many disciplines.
    Disciplines,
    /// How many of an item.
    Item(ItemId),
    /// How many items of a kind.
    OfKind(Kind),
    /// Free places for backpack items.
    BackpackRoom,
    /// A counter.
    Counter(usize),
    /// A name bound in the section.
    Local(LocalId),
    /// Rounds of the last fight of the section.
    Rounds,
    /// A number of a system of rules of its own.
    Variable(VariableRef),
    /// An operation on two.
    Operation(Operator, Box<Number>, Box<Number>),
}

impl Number {
    /// Visits this number and those that it is made of.
    pub(crate) fn visit(&self, visit: &mut dyn FnMut(&Self)) {
        visit(self);
        if let Self::Operation(_, left, right) = self {
            left.visit(visit);
            right.visit(visit);
        }
    }
}

/// What can be done with two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// a + b
    Plus,
    /// a - b
    Minus,
    /// a * b
    Times,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// a / b, rounded down; 0 where b is 0
    Down,
    /// a / b, rounded up; 0 where b is 0
    Up,
}

impl Operator {
    /// The result; `None` when it is too large.
    pub fn checked(self, a: i32, b: i32) -> Option<i32> {
        match self {
            Self::Plus => a.checked_add(b),
            Self::Minus => a.checked_sub(b),
            Self::Times => a.checked_mul(b),
            Self::Min => Some(a.min(b)),
            Self::Max => Some(a.max(b)),
            Self::Down | Self::Up => Some(self.apply(a, b)),
        }
    }

    /// The result, cut to the numbers that there are. No expression of a book that was [`read`](crate::read)
    /// comes so far.
    pub fn apply(self, a: i32, b: i32) -> i32 {
        match self {
            Self::Plus => a.saturating_add(b),
            Self::Minus => a.saturating_sub(b),
            Self::Times => a.saturating_mul(b),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            Self::Down => quotient(a, b, i64::div_euclid),
            Self::Up => quotient(a, b, |a, b| -(-a).div_euclid(b)),
        }
    }
}

/// A quotient by a number made positive; 0 where there is none.
fn quotient(a: i32, b: i32, divide: fn(i64, i64) -> i64) -> i32 {
    let (a, b) = (i64::from(a), i64::from(b));
    let quotient = match b {
        0 => 0,
        1.. => divide(a, b),
        _ => divide(-a, -b),
    };
    // Only the smallest number by -1 is too large.
    i32::try_from(quotient).unwrap_or(i32::MAX)
}

/// Something that holds or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Holds always, or never.
    Constant(bool),
    /// The hero knows a discipline.
    Discipline(Discipline),
    /// The hero's Weaponskill counts for a weapon.
    Skilled(ItemId),
    /// A flag is set.
    Flag(usize),
    /// The hero lost ENDURANCE in the last fight of the section.
    Wounded,
    /// A passage is read so: which, and how.
    Reading(usize, usize),
    /// Two numbers compare so.
    Compare(Comparison, Number, Number),
    /// Does not hold.
    Not(Box<Condition>),
    /// Both hold.
    And(Box<Condition>, Box<Condition>),
    /// One holds.
    Or(Box<Condition>, Box<Condition>),
}

impl Condition {
    /// Visits this condition and those that it is made of.
    pub(crate) fn visit(&self, visit: &mut dyn FnMut(&Self)) {
        visit(self);
        match self {
            Self::Not(inner) => inner.visit(visit),
            Self::And(left, right) | Self::Or(left, right) => {
                left.visit(visit);
                right.visit(visit);
            }
            Self::Constant(_)
            | Self::Discipline(_)
            | Self::Flag(_)
            | Self::Wounded
            | Self::Skilled(_)
            | Self::Reading(..)
            | Self::Compare(..) => {}
        }
    }

    /// Visits every number that it compares.
    pub(crate) fn visit_numbers(&self, visit: &mut dyn FnMut(&Number)) {
        self.visit(&mut |condition| {
            if let Self::Compare(_, left, right) = condition {
                left.visit(visit);
                right.visit(visit);
            }
        });
    }
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// =
    Equal,
    /// !=
    NotEqual,
    /// <
    Less,
    /// <=
    AtMost,
    /// >
    More,
    /// >=
    AtLeast,
}

impl Comparison {
    /// How it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::More => ">",
            Self::AtLeast => ">=",
        }
    }

    /// What holds where this does not.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::AtLeast,
            Self::AtMost => Self::More,
            Self::More => Self::AtMost,
            Self::AtLeast => Self::Less,
        }
    }

    /// Whether it holds.
    pub fn holds(self, a: i32, b: i32) -> bool {
        match self {
            Self::Equal => a == b,
            Self::NotEqual => a != b,
            Self::Less => a < b,
            Self::AtMost => a <= b,
            Self::More => a > b,
            Self::AtLeast => a >= b,
        }
    }
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
