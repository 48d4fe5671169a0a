//! A synthetic gamebook: what large weights and many small cyclic parts are measured with.
//!
//! Pages follow one another. On most of them an enemy waits, and chance decides with how much
//! stamina the hero comes out: some thirty outcomes with exact weights of about a hundred bits. Others
//! sell an item, which helps in fights, heal for gold, or take a toll. On two stands a gambling table at
//! which the hero may stake gold as often as he likes: a cyclic part for every stamina and every set
//! of items with which he can sit down at it.

use mdp::{Distribution, Game, SharedWeights, Turn};

/// The most stamina, at the start of the book too.
const STAMINA: u8 = 30;

/// What a page holds.
#[derive(Clone, Copy)]
enum Page {
    /// An enemy, by number.
    Fight(usize),
    /// A gambling table, by number; who has all items may play at the next one instead.
    Table(usize),
    /// An item for gold.
    Shop(u16),
    /// Stamina for gold.
    Healer { price: u16, gain: u8 },
    /// Those who cannot pay are wounded.
    Toll { price: u16, wound: u8 },
}

/// A gambling table: of so many numbers, those that win and how often the stake they pay.
#[derive(Clone, Copy)]
struct Table {
    /// Weights of a loss, a small and a large win.
    weights: [u64; 3],
    wins: [u16; 2],
    /// Nobody leaves with more.
    most_gold: u16,
    most_stake: u16,
}

const TABLES: [Table; 4] = [
    // A wheel that favours the player.
    Table { weights: [7, 2, 1], wins: [5, 8], most_gold: 50, most_stake: 50 },
    // The same for high stakes.
    Table { weights: [7, 2, 1], wins: [5, 8], most_gold: 400, most_stake: 50 },
    // Two that favour the house.
    Table { weights: [31, 6, 1], wins: [3, 10], most_gold: 100, most_stake: 50 },
    Table { weights: [31, 6, 1], wins: [3, 10], most_gold: 400, most_stake: 50 },
];

/// A fight from one stamina: what is left, and the weights.
struct Fight {
    left: Vec<u8>,
    weights: SharedWeights,
}

/// The book.
pub struct Gamebook {
    pages: Vec<Page>,
    /// For every enemy, every number of items and every stamina from 1.
    fights: Vec<Vec<Vec<Fight>>>,
}

/// A moment of the book, packed into one number: page, items (a bit each), stamina and gold.
pub type Packed = u32;

#[derive(Clone, Copy)]
struct Moment {
    page: u8,
    items: u8,
    stamina: u8,
    gold: u16,
}

impl Moment {
    fn pack(self) -> Packed {
        u32::from(self.page) << 21 | u32::from(self.items) << 16 | u32::from(self.stamina) << 11 | u32::from(self.gold)
    }

    fn unpack(packed: Packed) -> Self {
        let (page, items) = ((packed >> 21) as u8, (packed >> 16 & 31) as u8);
        Self { page, items, stamina: (packed >> 11 & 31) as u8, gold: (packed & 0x7ff) as u16 }
    }
}

/// A round of a fight: ten equally likely rolls, each of which wounds both sides.
fn round(ratio: i32, roll: i32) -> (u8, u8) {
    let strength = ratio + roll;
    ((7 - strength / 2).clamp(0, 8) as u8, (strength - 1).clamp(0, 12) as u8)
}

/// How a fight ends from each stamina of the hero.
fn fights(ratio: i32, enemy: u8) -> Vec<Fight> {
    // By what is left of the enemy, then of the hero.
    let mut ends: Vec<Vec<Distribution<u8>>> = vec![(0..=STAMINA).map(Distribution::certain).collect()];
    for enemy in 1..=enemy {
        let mut row = vec![Distribution::certain(0)];
        for hero in 1..=STAMINA {
            let mut rolls: Vec<(u8, u8)> = (0..10).map(|roll| round(ratio, roll)).collect();
            // What wounds nobody changes nothing.
            rolls.retain(|wounds| *wounds != (0, 0));
            let rolls = Distribution::uniform(rolls).expect("somebody is wounded");
            let next = rolls.and_then(|(own, dealt)| {
                let (hero, enemy) = (hero.saturating_sub(*own), enemy.saturating_sub(*dealt));
                if hero == 0 { Distribution::certain(0) } else { following(&ends, &row, hero, enemy, ends.len()) }
            });
            row.push(next.merge());
        }
        ends.push(row);
    }
    let ends = &ends[usize::from(enemy)][1..];
    let fight = |end: &Distribution<u8>| Fight {
        left: end.iter().map(|(left, _)| *left).collect(),
        weights: end.shared_weights(),
    };
    ends.iter().map(fight).collect()
}

fn following(
    ends: &[Vec<Distribution<u8>>],
    row: &[Distribution<u8>],
    hero: u8,
    enemy: u8,
    current: usize,
) -> Distribution<u8> {
    if usize::from(enemy) == current {
        row[usize::from(hero)].clone()
    } else {
        ends[usize::from(enemy)][usize::from(hero)].clone()
    }
}

/// How many items there are.
const ITEMS: u32 = 5;
const PURSE: u16 = 50;

impl Gamebook {
    pub fn new() -> Self {
        let fight = Page::Fight;
        let pages = vec![
            Page::Shop(3),
            fight(0),
            Page::Shop(5),
            fight(1),
            Page::Table(0),
            Page::Shop(14),
            Page::Shop(16),
            Page::Shop(20),
            fight(2),
            Page::Healer { price: 8, gain: 6 },
            fight(3),
            Page::Toll { price: 12, wound: 3 },
            fight(4),
            Page::Table(2),
            Page::Healer { price: 9, gain: 7 },
            fight(5),
            Page::Healer { price: 13, gain: 12 },
            fight(6),
        ];
        let enemies = [(7, 15), (6, 18), (4, 24), (5, 21), (3, 30), (6, 16), (4, 34)];
        let fights =
            enemies.map(|(ratio, enemy)| (0..=ITEMS as i32).map(|items| fights(ratio + items, enemy)).collect());
        Self { pages, fights: fights.into() }
    }
}

impl Game for Gamebook {
    type State = Packed;

    fn starts(&self) -> Vec<Distribution<Packed>> {
        vec![Distribution::certain(Moment { page: 0, items: 0, stamina: STAMINA, gold: 15 }.pack())]
    }

    fn rules(&self, packed: &Packed, turn: &mut Turn<Packed>) {
        let m = Moment::unpack(*packed);
        let Moment { page, items, stamina, gold } = m;
        if stamina == 0 {
            return turn.end(0);
        }
        let Some(here) = self.pages.get(usize::from(page)) else {
            return turn.end(1);
        };
        // The dead are all alike.
        let next = |stamina: u8, gold: u16| match stamina {
            0 => 0,
            _ => Moment { page: page + 1, stamina, gold: gold.min(PURSE), items }.pack(),
        };
        match *here {
            Page::Fight(enemy) => {
                let fight = &self.fights[enemy][items.count_ones() as usize][usize::from(stamina) - 1];
                turn.chance_with(&fight.weights, fight.left.iter().map(|left| next(*left, gold)));
            }
            Page::Table(number) => {
                let rich = usize::from(items.count_ones() == ITEMS || number == 0 && items == 3);
                let Table { weights, wins, most_gold, most_stake } = TABLES[number + rich];
                turn.to(next(stamina, gold));
                for stake in 1..=gold.min(most_stake) {
                    let after = |gold: u16| Moment { gold, ..m }.pack();
                    let [small, large] = wins.map(|times| after((gold + times * stake).min(most_gold)));
                    turn.chance(weights.into_iter().zip([after(gold - stake), small, large]));
                }
            }
            Page::Shop(price) => {
                turn.to(next(stamina, gold));
                if gold >= price {
                    let item = 1
                        << self.pages[..usize::from(page)].iter().filter(|page| matches!(page, Page::Shop(_))).count();
                    turn.to(Moment { page: page + 1, items: items | item, gold: gold - price, stamina }.pack());
                }
            }
            Page::Healer { price, gain } => {
                turn.to(next(stamina, gold));
                if gold >= price && stamina < STAMINA {
                    turn.to(next((stamina + gain).min(STAMINA), gold - price));
                }
            }
            Page::Toll { price, wound } => {
                turn.to(next(stamina.saturating_sub(wound), gold));
                if gold >= price {
                    turn.to(next(stamina, gold - price));
                }
            }
        }
    }
}
