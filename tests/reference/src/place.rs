//! Where play stands in a book, and what can happen there.

use std::rc::Rc;

use gamebook::{Fight, Kind, Node, Number, SectionNumber, Thing, Trade};

use crate::sheet::Sheet;

/// The nodes that are still to be run through, from the innermost block outwards.
pub type Rest<'b> = Option<Rc<Block<'b>>>;

/// What is left of a block.
#[derive(Debug)]
pub struct Block<'b> {
    /// The nodes that come next.
    pub nodes: &'b [Node],
    /// The whole block, if it is the body of a loop.
    pub repeats: Option<&'b [Node]>,
    /// What follows the block.
    pub then: Rest<'b>,
}

/// A place of the play: the next node, or in the middle of one.
#[derive(Clone, Debug)]
pub enum Place<'b> {
    /// A section is entered.
    Enter(SectionNumber),
    /// The next node.
    At(Rest<'b>),
    /// The next node, with nothing used before it.
    Now(Rest<'b>),
    /// The player may use what heals.
    Use { after_combat: bool, then: Rest<'b> },
    /// Things lie there: so many of this, then the other lines; of all of them so many may be taken.
    Take { here: Option<(Thing, i64)>, lines: &'b [(Thing, Number)], left: Option<i64>, then: Rest<'b> },
    /// So many of a kind must go.
    GiveUp { kind: Kind, left: i64, by_chance: bool, then: Rest<'b> },
    /// In a shop: sales, then purchases, with how often each line was used.
    Shop { trades: &'b [Trade], buying: bool, used: Vec<i64>, then: Rest<'b> },
    /// Before a fight or a lone round the player may use what strengthens him: from this item on.
    Strengthen { node: &'b Node, item: usize, then: Rest<'b> },
    /// In a fight.
    Fight { fight: &'b Fight, stage: Stage, then: Rest<'b> },
    /// A lone round.
    OneRound { node: &'b Node, weapon: Option<Weapon>, then: Rest<'b> },
}

/// The item with which the hero fights; `None`: bare hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weapon(pub Option<usize>);

/// How far a fight has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A weapon is chosen.
    Weapon,
    /// Before a round: with which item, who is fought and what is left of him, rounds fought, ENDURANCE before the fight.
    Round { weapon: Option<usize>, enemy: usize, endurance: i64, fought: i64, before: i64 },
    /// A round is fought: whether the hero leaves in it.
    Clash { weapon: Option<usize>, enemy: usize, endurance: i64, fought: i64, before: i64, leaves: bool },
}

/// A place and a sheet.
#[derive(Clone, Debug)]
pub struct Situation<'b> {
    /// Where play stands.
    pub place: Place<'b>,
    /// What the hero has there.
    pub sheet: Sheet,
}

/// What happens in a situation.
pub type Turn<'b> = crate::graph::Turn<Situation<'b>>;

/// The nodes from here on, and what follows.
pub fn rest<'b>(nodes: &'b [Node], then: &Rest<'b>) -> Rest<'b> {
    if nodes.is_empty() { then.clone() } else { Some(Rc::new(Block { nodes, repeats: None, then: then.clone() })) }
}

impl Place<'_> {
    /// Numbers that tell this place from every other one.
    pub fn key(&self) -> Vec<i64> {
        let mut key = Vec::new();
        let then = match self {
            Self::Enter(section) => {
                key.extend([0, i64::from(*section)]);
                &None
            }
            Self::At(then) => {
                key.push(1);
                then
            }
            Self::Now(then) => {
                key.push(8);
                then
            }
            Self::Use { after_combat, then } => {
                key.extend([2, i64::from(*after_combat)]);
                then
            }
            Self::Take { here, lines, left, then } => {
                let (thing, count) = here.map_or((-2, 0), |(thing, count)| match thing {
                    Thing::Gold => (-1, count),
                    Thing::Item(item) => (number(item), count),
                });
                key.extend([3, left.unwrap_or(-1), thing, count, address(lines.as_ptr()), number(lines.len())]);
                then
            }
            Self::GiveUp { kind, left, by_chance, then } => {
                key.extend([4, i64::from(*kind == Kind::Weapon), *left, i64::from(*by_chance)]);
                then
            }
            Self::Shop { trades, buying, used, then } => {
                key.extend([5, address(trades.as_ptr()), i64::from(*buying)]);
                key.extend(used);
                then
            }
            Self::Strengthen { node, item, then } => {
                key.extend([9, address(std::ptr::from_ref(*node)), number(*item)]);
                then
            }
            Self::Fight { fight, stage, then } => {
                key.extend([6, address(std::ptr::from_ref(*fight))]);
                key.extend(stage.key());
                then
            }
            Self::OneRound { node, weapon, then } => {
                let weapon = weapon.map_or(-2, |weapon| weapon.0.map_or(-1, number));
                key.extend([7, address(std::ptr::from_ref(*node)), weapon]);
                then
            }
        };
        let mut block = then;
        while let Some(own) = block {
            let repeats = own.repeats.map_or(0, |nodes| address(nodes.as_ptr()));
            key.extend([address(own.nodes.as_ptr()), number(own.nodes.len()), repeats]);
            block = &own.then;
        }
        key
    }
}

impl Stage {
    fn key(&self) -> Vec<i64> {
        match self {
            Self::Weapon => vec![0],
            Self::Round { weapon, enemy, endurance, fought, before } => {
                vec![1, weapon.map_or(-1, number), number(*enemy), *endurance, *fought, *before]
            }
            Self::Clash { weapon, enemy, endurance, fought, before, leaves } => {
                let leaves = i64::from(*leaves);
                vec![2, weapon.map_or(-1, number), number(*enemy), *endurance, *fought, *before, leaves]
            }
        }
    }
}

fn number(place: usize) -> i64 {
    i64::try_from(place).expect("few")
}

fn address<T>(pointer: *const T) -> i64 {
    number(pointer.addr())
}
