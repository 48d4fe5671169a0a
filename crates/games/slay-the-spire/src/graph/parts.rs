//! Positions between two turns as numbers of their parts: piles, player with potions, enemies.

use rustc_hash::FxHashMap;

use super::dominance::Standing;
use super::interner::Interner;
use crate::rules::state::{Change, ENEMIES, Enemy, FREE, NONE, Pile, Player, State, TOP};

/// All cards: between two turns the hand is small, and nearly always empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Deck {
    hand: Pile,
    draw: Pile,
    discard: Pile,
    exhausted: Pile,
    top: [u8; TOP],
}

/// No enemy.
pub(crate) const NO_ENEMY: u32 = u32::MAX;

/// A position between two turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub deck: u32,
    pub player: u32,
    pub enemies: [u32; ENEMIES],
}

impl Key {
    /// The same position with only one of its enemies.
    pub(crate) fn alone(self, place: usize) -> Self {
        let mut enemies = [NO_ENEMY; ENEMIES];
        enemies[0] = self.enemies[place];
        Self { enemies, ..self }
    }

    /// How many enemies there are.
    pub(crate) fn living(self) -> usize {
        self.enemies.iter().take_while(|enemy| **enemy != NO_ENEMY).count()
    }
}

/// The numbers of all parts that have occurred.
#[derive(Debug)]
pub(crate) struct Parts {
    /// Whether the order of the enemies does not matter.
    sorted: bool,
    decks: Interner<Deck>,
    players: Interner<(Player, u8)>,
    enemies: Interner<Enemy>,
    joined: FxHashMap<(u32, u32), u32>,
}

impl Parts {
    /// No parts. With `sorted`, the order of the enemies does not matter.
    pub(crate) fn new(sorted: bool) -> Self {
        Self {
            sorted,
            decks: Interner::default(),
            players: Interner::default(),
            enemies: Interner::default(),
            joined: FxHashMap::default(),
        }
    }

    /// The number of the piles of a position, without the hand.
    pub(crate) fn piles(&mut self, state: &State) -> u32 {
        self.deck(&State { hand: Pile::default(), ..*state })
    }

    fn deck(&mut self, state: &State) -> u32 {
        let State { hand, draw, discard, exhausted, top, .. } = *state;
        self.decks.number(Deck { hand, draw, discard, exhausted, top }).0
    }

    /// The number of the player of a position, with the potions.
    pub(crate) fn player(&mut self, state: &State) -> u32 {
        self.players.number((state.player, state.potions)).0
    }

    /// The number of an enemy.
    pub(crate) fn enemy(&mut self, enemy: Enemy) -> u32 {
        self.enemies.number(enemy).0
    }

    /// The enemy of a number.
    pub(crate) fn enemy_of(&self, number: u32) -> Enemy {
        self.enemies.value(number)
    }

    /// The numbers of the living enemies, in canonical order.
    pub(crate) fn living(&mut self, state: &State) -> [u32; ENEMIES] {
        let mut enemies = [NO_ENEMY; ENEMIES];
        for (place, enemy) in enemies.iter_mut().zip(state.living()) {
            *place = self.enemies.number(*enemy).0;
        }
        self.sort(&mut enemies);
        enemies
    }

    /// Sorts enemies whose order does not matter.
    pub(crate) fn sort(&self, enemies: &mut [u32; ENEMIES]) {
        if self.sorted && enemies[1] != NO_ENEMY {
            let living = enemies.iter().take_while(|enemy| **enemy != NO_ENEMY).count();
            enemies[..living].sort_by_key(|enemy| self.enemies.value(*enemy));
        }
    }

    /// The numbers of a position's parts.
    pub(crate) fn key(&mut self, state: &State) -> Key {
        Key { deck: self.deck(state), player: self.player(state), enemies: self.living(state) }
    }

    /// The position with these numbers, in a fight in which health is at most `most_health`.
    pub(crate) fn state(&self, key: Key, most_health: i16) -> State {
        let Deck { hand, draw, discard, exhausted, top } = self.decks.value(key.deck);
        let (player, potions) = self.players.value(key.player);
        State {
            hand,
            draw,
            discard,
            exhausted,
            top,
            free: [NONE; FREE],
            player,
            health: Change::none(most_health),
            energy: 0,
            potions,
            waiting: 0,
            ended: false,
            enemies: self.standing(key.enemies),
        }
    }

    /// The enemies of these numbers.
    pub(crate) fn standing(&self, enemies: [u32; ENEMIES]) -> Standing {
        let mut standing = [None; ENEMIES];
        for (place, number) in standing.iter_mut().zip(enemies).take_while(|(_, number)| *number != NO_ENEMY) {
            *place = Some(self.enemies.value(number));
        }
        standing
    }

    /// The same position with another enemy at a place, if that enemy has occurred.
    pub(crate) fn with_enemy(&self, mut key: Key, place: usize, enemy: &Enemy) -> Option<Key> {
        key.enemies[place] = self.enemies.find(enemy)?;
        self.sort(&mut key.enemies);
        Some(key)
    }

    /// The cards of both.
    pub(crate) fn join(&mut self, base: u32, added: u32) -> u32 {
        if let Some(known) = self.joined.get(&(base, added)) {
            return *known;
        }
        let (mut deck, more) = (self.decks.value(base), self.decks.value(added));
        deck.hand.join(&more.hand);
        deck.draw.join(&more.draw);
        deck.discard.join(&more.discard);
        deck.exhausted.join(&more.exhausted);
        let (number, _) = self.decks.number(deck);
        self.joined.insert((base, added), number);
        number
    }

    /// The approximate number of bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.decks.len() * 2 * size_of::<Deck>() + self.enemies.len() * 2 * size_of::<Enemy>()
    }
}
