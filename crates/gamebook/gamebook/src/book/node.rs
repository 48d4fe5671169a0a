//! Nodes: what happens in a section.
//!
//! Nodes of almost every kind contain blocks of nodes, so their types are in one file.

use std::ops::Range;

use super::fight::{Enemy, FightLocal, Leaves, Order};
use super::item::{ItemId, Kind, Thing};
use super::number::{Condition, LocalId, Number, VariableRef};
use super::variable::Variable;
use crate::terms::{Dice, SectionNumber};

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// What happens.
    pub kind: NodeKind,
    /// Its span in the book's file; empty if it is in the file of the system.
    pub span: Range<usize>,
}

/// The kinds of nodes.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// A change of ENDURANCE: a loss is negative.
    Endurance(Number),
    /// Restores ENDURANCE: half of what is missing, or all.
    Restore {
        /// Half only.
        half: bool,
    },
    /// A gain without a choice.
    Gain(Thing, Number),
    /// A loss; `None` is all of it.
    Lose(Thing, Option<Number>),
    /// A loss of everything of some kinds.
    LoseAll {
        /// Whether gold is lost, too.
        gold: bool,
        /// The items to lose.
        items: Vec<ItemId>,
    },
    /// Gives up some items of a kind.
    GiveUp {
        /// The kind.
        kind: Kind,
        /// How many.
        count: u8,
        /// Whether chance selects them.
        by_chance: bool,
    },
    /// Sets or clears a flag.
    Flag(usize, bool),
    /// Sets a counter.
    Counter(usize, Number),
    /// A Meal is due.
    Eat {
        /// Whether the discipline of hunting helps.
        hunting: bool,
        /// Whether a hero with food may go hungry.
        optional: bool,
    },
    /// Goes to a section.
    Goto(SectionNumber),
    /// The hero dies or fails.
    Death(String),
    /// The hero wins.
    Victory,
    /// Takes the first branch whose condition (with its span) holds, else the last block.
    If(Vec<(Condition, Vec<Node>, Range<usize>)>, Vec<Node>),
    /// A question to the player.
    Choices(Vec<Choice>),
    /// A pick of numbers.
    Pick(Pick),
    /// Items to be taken.
    Take {
        /// The most units that may be taken.
        at_most: Option<u8>,
        /// The items and their counts.
        lines: Vec<(Thing, Number)>,
    },
    /// A shop, which sells and buys.
    Shop(Vec<Trade>),
    /// A loop.
    Repeat(Vec<Node>),
    /// Returns to the head of the enclosing loop at this depth.
    Again(usize),
    /// A fight.
    Fight(Box<Fight>),
    /// A single round of a fight.
    OneRound {
        /// The enemy and the conditions of the round.
        fight: Box<Fight>,
        /// If the hero loses more.
        worse: Vec<Node>,
        /// If both lose the same.
        equal: Vec<Node>,
        /// If the enemy loses more.
        better: Vec<Node>,
    },
    /// A node of a system of rules.
    Rule(Box<Rule>),
}

/// An answer to a question.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The label for the player; empty if there is none.
    pub label: String,
    /// The condition for offering it.
    pub require: Condition,
    /// A number that the player chooses with it, with its range.
    pub each: Option<(LocalId, Number, Number)>,
    /// If set, it is offered for each carried item with this stat other than 0. `{item}` in its label is the item's name.
    pub with: Option<usize>,
    /// What follows.
    pub body: Vec<Node>,
    /// Its span.
    pub span: Range<usize>,
}

/// A pick of numbers.
#[derive(Clone, Debug)]
pub struct Pick {
    /// Sums of picks: an optional name and the number of picks.
    pub sums: Vec<(Option<LocalId>, u8)>,
    /// Whether 0 counts as ten.
    pub zero_is_ten: bool,
    /// Conditional additions to the total.
    pub plus: Vec<(Number, Condition)>,
    /// The cases.
    pub cases: Vec<(Case, Vec<Node>, Range<usize>)>,
}

/// The condition of a pick's case.
#[derive(Clone, Debug)]
pub enum Case {
    /// The total is in this range, inclusive.
    Between(i32, i32),
    /// A condition on the names that the pick binds.
    When(Condition),
    /// All other totals.
    Else,
}

/// A line of a shop.
#[derive(Clone, Debug)]
pub struct Trade {
    /// The item.
    pub item: ItemId,
    /// The price of one, in Gold Crowns.
    pub price: u8,
    /// Whether the hero buys it (else he sells).
    pub buy: bool,
    /// The most that can be bought or sold.
    pub at_most: Option<u8>,
    /// Its span.
    pub span: Range<usize>,
}

/// A fight.
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of its own")]
#[derive(Clone, Debug, Default)]
pub struct Fight {
    /// The enemies, one after another.
    pub enemies: Vec<Enemy>,
    /// Bonuses to COMBAT SKILL: the amount, the number of first rounds (`None`: all), the condition.
    pub bonuses: Vec<(i32, Option<u32>, Condition)>,
    /// The number of first rounds without a weapon; `u32::MAX` for all.
    pub bare_hands: u32,
    /// The only weapon allowed.
    pub only_weapon: Option<ItemId>,
    /// The ENDURANCE that the enemy's mindforce takes each round.
    pub mindforce: u8,
    /// Whether Mindshield has no effect.
    pub mindforce_always: bool,
    /// The number of first rounds without mindforce: a constant, or a name bound in the section.
    pub mindforce_after: Option<Number>,
    /// Whether nothing that strengthens can be used before it.
    pub no_potions: bool,
    /// The enemy's loss each round to a helper.
    pub helper: u8,
    /// How many of the ten numbers make a wound deadly; wounds then cost nothing else. 0: they cost ENDURANCE.
    pub venom: u8,
    /// The number of first rounds in which the hero loses nothing.
    pub untouchable: u32,
    /// Whether the enemy loses double.
    pub double_damage: bool,
    /// The round from which on the hero may evade, and what follows.
    pub evade: Option<(u32, Vec<Node>)>,
    /// What follows a defeat in a mock fight.
    pub mock: Option<Vec<Node>>,
    /// The ENDURANCE left after a defeat, and what follows.
    pub defeat: Option<(Leaves, Vec<Node>)>,
    /// The number of rounds after which the fight stops, and what follows.
    pub stop: Option<(u32, Vec<Node>)>,
    /// What follows the first wound.
    pub first_wound: Option<Vec<Node>>,
    /// A number that ends the fight when it is picked, and what follows.
    pub slip: Option<(u8, Vec<Node>)>,
    /// The number of first rounds in which the enemy loses nothing.
    pub only_parry: u32,
    /// Whether a hero who wins or evades regains half of his loss, rounded down.
    pub returns_half: bool,
}

impl Fight {
    /// The blocks for outcomes other than a plain victory, in order.
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

    /// Whether ENDURANCE before the fight matters.
    pub fn looks_back(&self) -> bool {
        self.mock.is_some() || self.returns_half || matches!(self.defeat, Some((Leaves::Half, _)))
    }
}

/// Something to assign to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A variable.
    Variable(VariableRef),
    /// A name.
    Local(LocalId),
}

/// The nodes of a system of rules.
#[derive(Clone, Debug)]
pub enum Rule {
    /// Assigns a number.
    Set(Target, Number),
    /// Adds to a number.
    Change(Target, Number),
    /// Restores the initial value, or half of what is missing.
    Restore {
        /// The stat.
        target: usize,
        /// Half only.
        half: bool,
    },
    /// Binds a name to a number.
    Let(LocalId, Number),
    /// Rolls dice.
    Roll(Roll),
    /// Draws one of the units of some counters, each equally likely: the counters with what follows, and what follows if there
    /// are no units.
    Draw(Vec<(usize, Vec<Node>)>, Vec<Node>),
    /// A test declared by the system.
    Test {
        /// Its index.
        test: usize,
        /// After a success.
        yes: Vec<Node>,
        /// After a failure.
        no: Vec<Node>,
    },
    /// Uses a definition.
    Use {
        /// Its index.
        define: usize,
        /// The arguments that are numbers.
        arguments: Vec<(LocalId, Number)>,
        /// The arguments that are blocks.
        blocks: Vec<(usize, Vec<Node>)>,
        /// Whether nothing after it can be reached.
        leaves: bool,
        /// Whether it can leave the section.
        can_leave: bool,
    },
    /// A block argument of the enclosing definition.
    Block(usize),
    /// A fight.
    Battle(Box<Battle>),
    /// An event of a round.
    Event {
        /// Its index.
        event: usize,
        /// Its arguments.
        arguments: Vec<(LocalId, Number)>,
    },
    /// A dying hero lives on.
    Resume,
    /// Ends the fight without a winner.
    Stop,
    /// Loses everything except what is permanent: items of these kinds, the content of these containers, these variables.
    LoseAll(Taken),
    /// Gives up some items.
    GiveUp {
        /// From among these.
        from: Taken,
        /// How many.
        count: u8,
        /// Whether chance selects them, each with equal probability.
        by_chance: bool,
    },
    /// Gains an item, if there is room.
    Gain(usize, Number),
    /// Items to be taken.
    Take {
        /// How many of them at most.
        at_most: Option<u8>,
        /// The items, and how many of each there are.
        lines: Vec<(usize, Number)>,
    },
}

/// What is taken from a hero without naming each item.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    /// Items of these kinds.
    pub kinds: Vec<usize>,
    /// The content of these containers.
    pub containers: Vec<usize>,
    /// These variables.
    pub named: Vec<usize>,
    /// Except these.
    pub but: Vec<usize>,
}

impl Taken {
    /// Whether a variable is taken.
    pub fn takes(&self, place: usize, own: &Variable) -> bool {
        let is_of_them = own.traits.kind.is_some_and(|kind| self.kinds.contains(&kind))
            || own.container.is_some_and(|container| self.containers.contains(&container));
        (self.named.contains(&place) || is_of_them && !own.traits.permanent) && !self.but.contains(&place)
    }
}

/// A roll of dice.
#[derive(Clone, Debug)]
pub struct Roll {
    /// The sums and their optional names.
    pub sums: Vec<(Option<LocalId>, Dice)>,
    /// Conditional additions to the first sum.
    pub plus: Vec<(i32, Condition)>,
    /// The cases: the first that holds is taken.
    pub cases: Vec<(RollCase, Vec<Node>, Range<usize>)>,
}

impl Roll {
    /// The range of the first sum with its additions.
    pub(crate) fn range_of_first(&self) -> (i32, i32) {
        let (least, most) = self.sums.first().map_or((0, 0), |(_, dice)| dice.range());
        let added = |sum: i32, number: i32| sum.saturating_add(number);
        let less = self.plus.iter().map(|(number, _)| (*number).min(0)).fold(least, added);
        (less, self.plus.iter().map(|(number, _)| (*number).max(0)).fold(most, added))
    }
}

/// The condition of a roll's case.
#[derive(Clone, Debug)]
pub enum RollCase {
    /// The sum is in this range, inclusive.
    Between(i32, i32),
    /// A condition.
    When(Condition),
    /// All other sums.
    Else,
}

/// A fight.
#[derive(Clone, Debug, Default)]
pub struct Battle {
    /// The enemies: name and stats.
    pub enemies: Vec<(String, Vec<Number>)>,
    /// The order in which they are fought, if it is not the default.
    pub order: Option<Order>,
    /// Numbers that exist during this fight, those of the system first.
    pub locals: Vec<FightLocal>,
    /// The fight's own handlers of events.
    pub handlers: Vec<(usize, Vec<Node>)>,
    /// What happens before each round.
    pub before_round: Vec<Node>,
    /// What happens after each round.
    pub end_of_round: Vec<Node>,
    /// The stats of the allies.
    pub allies: Vec<Vec<Number>>,
    /// The condition for escaping, and what follows.
    pub escape: Option<(Condition, Vec<Node>)>,
    /// If a beaten hero lives: what he keeps of exhausted stats, and what follows.
    pub defeat: Option<(Number, Vec<Node>)>,
}
