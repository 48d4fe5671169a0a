//! What happens: nodes, and what stands in them.
//!
//! Blocks of nodes stand in nodes of almost every kind, so their types are one file.

use std::ops::Range;

use super::fight::{Enemy, FightLocal, Leaves, Order};
use super::item::{ItemId, Kind, Thing};
use super::number::{Condition, LocalId, Number, VariableRef};
use super::variable::Variable;
use crate::terms::{Dice, SectionNumber};

/// One thing that happens.
#[derive(Clone, Debug)]
pub struct Node {
    /// What.
    pub kind: NodeKind,
    /// Where it stands in the book's file; empty where it stands in the file of its system.
    pub span: Range<usize>,
}

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
    /// It is offered for each item that he has and of which this number is not 0. `{item}` in its label is the item's name.
    pub with: Option<usize>,
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

/// A fight.
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of its own")]
#[derive(Clone, Debug, Default)]
pub struct Fight {
    /// The enemies, one after another.
    pub enemies: Vec<Enemy>,
    /// Added to COMBAT SKILL: how much, in how many first rounds (`None`: all), when.
    pub bonuses: Vec<(i32, Option<u32>, Condition)>,
    /// The first rounds in which no weapon may be used; `u32::MAX`: all.
    pub bare_hands: u32,
    /// Only this weapon may be used.
    pub only_weapon: Option<ItemId>,
    /// ENDURANCE that the enemy's mind takes each round.
    pub mindforce: u8,
    /// Mindshield does not help.
    pub mindforce_always: bool,
    /// The first rounds in which it takes nothing: a constant, or a name bound in the section.
    pub mindforce_after: Option<Number>,
    /// Nothing that strengthens can be used before it.
    pub no_potions: bool,
    /// What the enemy loses each round to somebody who helps.
    pub helper: u8,
    /// With how many numbers of ten a wound is deadly, where wounds cost nothing else; 0: they cost ENDURANCE.
    pub venom: u8,
    /// The first rounds in which the hero loses nothing.
    pub untouchable: u32,
    /// The enemy loses double.
    pub double_damage: bool,
    /// Where the hero may run from which round on.
    pub evade: Option<(u32, Vec<Node>)>,
    /// What losing means in a mock fight.
    pub mock: Option<Vec<Node>>,
    /// With how much ENDURANCE the defeated goes on, and where.
    pub defeat: Option<(Leaves, Vec<Node>)>,
    /// After how many rounds the fight stops, and what then.
    pub stop: Option<(u32, Vec<Node>)>,
    /// What the first wound leads to.
    pub first_wound: Option<Vec<Node>>,
    /// Where a round leads in which this number is picked.
    pub slip: Option<(u8, Vec<Node>)>,
    /// The first rounds in which the enemy loses nothing.
    pub only_parry: u32,
    /// Who wins or leaves gets back half of what he lost, rounded down.
    pub returns_half: bool,
}

impl Fight {
    /// What stands in it for those who do not simply win, in the order in which it is told.
    pub fn bodies(&self) -> impl Iterator<Item = &Vec<Node>> {
        [
            self.evade.as_ref().map(|(_, body)| body),
            self.mock.as_ref(),
            self.defeat.as_ref().map(|(_, body)| body),
            self.stop.as_ref().map(|(_, body)| body),
            self.first_wound.as_ref(),
            self.slip.as_ref().map(|(_, body)| body),
        ]
        .into_iter()
        .flatten()
    }

    /// Whether it matters how much ENDURANCE he had before it.
    pub fn looks_back(&self) -> bool {
        self.mock.is_some() || self.returns_half || matches!(self.defeat, Some((Leaves::Half, _)))
    }
}

/// What can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A number that is kept.
    Variable(VariableRef),
    /// A name.
    Local(LocalId),
}

/// What a node of a system of rules does.
#[derive(Clone, Debug)]
pub enum Rule {
    /// Holds a number from now on.
    Set(Target, Number),
    /// Becomes more or less.
    Change(Target, Number),
    /// Back to its initial value, or half of what is missing.
    Restore {
        /// What.
        target: usize,
        /// Half of it only.
        half: bool,
    },
    /// A name for a number.
    Let(LocalId, Number),
    /// Dice are rolled.
    Roll(Roll),
    /// One of the units of some counters is drawn, each equally likely: which, and what follows; and what follows when
    /// there are none.
    Draw(Vec<(usize, Vec<Node>)>, Vec<Node>),
    /// A test that the system declares.
    Test {
        /// Which.
        test: usize,
        /// What a success leads to.
        yes: Vec<Node>,
        /// What a failure leads to.
        no: Vec<Node>,
    },
    /// What was defined once.
    Use {
        /// Which.
        define: usize,
        /// The numbers for its names.
        arguments: Vec<(LocalId, Number)>,
        /// What it does where it names these blocks.
        blocks: Vec<(usize, Vec<Node>)>,
        /// Whether nothing after it can be reached.
        leaves: bool,
        /// Whether it can leave the section.
        can_leave: bool,
    },
    /// What stands for a block where the one that is being done was used.
    Block(usize),
    /// A fight.
    Battle(Box<Battle>),
    /// Something that happens in a round.
    Event {
        /// Which.
        event: usize,
        /// The numbers for its names.
        arguments: Vec<(LocalId, Number)>,
    },
    /// The hero lives on.
    Resume,
    /// The fight is over, though nobody has won it.
    Stop,
    /// Everything is lost but what is permanent: items of these kinds, what is in these containers, these numbers.
    LoseAll(Taken),
    /// Some items are given up.
    GiveUp {
        /// Of which.
        from: Taken,
        /// How many.
        count: u8,
        /// Chance says which: each is equally likely.
        by_chance: bool,
    },
    /// An item is got, if there is room for it.
    Gain(usize, Number),
    /// Things that lie there.
    Take(Vec<(usize, Number)>),
}

/// What is taken from a hero without being named one by one.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    /// Items of these kinds.
    pub kinds: Vec<usize>,
    /// What is in these containers.
    pub containers: Vec<usize>,
    /// These numbers.
    pub named: Vec<usize>,
    /// Not these.
    pub but: Vec<usize>,
}

impl Taken {
    /// Whether it is taken.
    pub fn takes(&self, place: usize, own: &Variable) -> bool {
        let is_of_them = own.traits.kind.is_some_and(|kind| self.kinds.contains(&kind))
            || own.container.is_some_and(|container| self.containers.contains(&container));
        (self.named.contains(&place) || is_of_them && !own.traits.permanent) && !self.but.contains(&place)
    }
}

/// Dice that are rolled.
#[derive(Clone, Debug)]
pub struct Roll {
    /// The sums, and what they are called.
    pub sums: Vec<(Option<LocalId>, Dice)>,
    /// Added to the first sum under a condition.
    pub plus: Vec<(i32, Condition)>,
    /// What follows: the first that holds.
    pub cases: Vec<(RollCase, Vec<Node>, Range<usize>)>,
}

impl Roll {
    /// The smallest and the largest number that the first sum can be, with what is added to it.
    pub(crate) fn range_of_first(&self) -> (i32, i32) {
        let (least, most) = self.sums.first().map_or((0, 0), |(_, dice)| dice.range());
        let added = |sum: i32, number: i32| sum.saturating_add(number);
        let less = self.plus.iter().map(|(number, _)| (*number).min(0)).fold(least, added);
        (less, self.plus.iter().map(|(number, _)| (*number).max(0)).fold(most, added))
    }
}

/// When a case of a roll holds.
#[derive(Clone, Debug)]
pub enum RollCase {
    /// The sum is between these, both included.
    Between(i32, i32),
    /// A condition.
    When(Condition),
    /// None of the others.
    Else,
}

/// A fight.
#[derive(Clone, Debug, Default)]
pub struct Battle {
    /// The enemies: name and stats.
    pub enemies: Vec<(String, Vec<Number>)>,
    /// In which order they are fought, where that is not as always.
    pub order: Option<Order>,
    /// Numbers of this fight, those of the system first.
    pub locals: Vec<FightLocal>,
    /// What the fight itself says of events.
    pub handlers: Vec<(usize, Vec<Node>)>,
    /// What happens before each round.
    pub before_round: Vec<Node>,
    /// What happens after each round.
    pub end_of_round: Vec<Node>,
    /// The numbers of the allies.
    pub allies: Vec<Vec<Number>>,
    /// When the hero may escape, and what follows then.
    pub escape: Option<(Condition, Vec<Node>)>,
    /// Who is beaten is not dead: what is left to him of what was used up, and what follows.
    pub defeat: Option<(Number, Vec<Node>)>,
}
