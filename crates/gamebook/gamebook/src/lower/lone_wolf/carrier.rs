//! A book and its heroes.

use crate::book::{Book, Hero, NodeKind, Section, every_node};

/// Registers for the stocks of goods in a shop.
pub(super) const STOCKS: usize = 4;

/// Heroes who are compiled together with another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Others {
    /// The number of heroes with less ENDURANCE, in steps of one point.
    pub weaker: u8,
    /// The number of heroes with more COMBAT SKILL, in steps of one point; each exists with each ENDURANCE.
    pub skilled: u8,
}

/// A book and its heroes.
#[derive(Clone, Copy)]
pub(super) struct Carrier<'a> {
    pub book: &'a Book,
    pub hero: &'a Hero,
    /// What happens before it begins.
    pub arrival: Option<&'a Section>,
    /// The heroes compiled together with this one.
    pub others: Others,
    pub most: Most,
}

impl<'a> Carrier<'a> {
    pub(super) fn new(book: &'a Book, hero: &'a Hero, arrival: Option<&'a Section>) -> Self {
        let own = Self { book, hero, arrival, others: Others::default(), most: Most::default() };
        Self { most: own.most(), ..own }
    }

    pub(super) fn sections(&self) -> impl Iterator<Item = &'a Section> {
        self.book.sections.values().chain(self.arrival)
    }

    /// The largest numbers in the book.
    fn most(&self) -> Most {
        let mut most = Most::default();
        for section in self.sections() {
            every_node(&section.body, &mut |node| match &node.kind {
                NodeKind::Shop(trades) => {
                    let few = || trades.iter().filter_map(|trade| trade.at_most);
                    most.stocks = most.stocks.max(few().count().min(STOCKS));
                    most.traded = few().fold(most.traded, u8::max);
                }
                NodeKind::Take { at_most: Some(units), .. } => most.taken = most.taken.max(*units),
                NodeKind::Fight(fight) | NodeKind::OneRound { fight, .. } => {
                    most.enemy = fight.enemies.iter().map(|enemy| enemy.endurance).fold(most.enemy, u8::max);
                }
                _ => {}
            });
        }
        most
    }
}

/// The largest numbers in a book.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Most {
    /// Limited goods of a shop, up to the number of registers for them.
    pub stocks: usize,
    /// Units of one of them.
    pub traded: u8,
    /// Units that may be taken out of more.
    pub taken: u8,
    /// ENDURANCE of an enemy.
    pub enemy: u8,
}
