//! A fight between two plays.

use std::hash::{Hash, Hasher};

use super::pile::hash_bytes;
pub use super::pile::{Pile, SLOTS};
use super::spoils::Spoils;
use crate::data::enemy::{Kind, Move};
use crate::data::power::Power;

/// The most enemies in a fight.
pub const ENEMIES: usize = 5;
/// The most known cards on top of the draw pile.
pub const KNOWN: usize = 5;
/// How many cards have a position of their own in the draw pile: the known ones, and some that were shuffled in
/// meanwhile.
pub const TOP: usize = KNOWN + 3;
/// The most cards of the hand that cost nothing for a turn.
pub const FREE: usize = 4;
/// The flag of a card that was shuffled in among known ones.
const ANYWHERE: u8 = 0x80;
/// No card, no enemy, no move.
pub const NONE: u8 = u8::MAX;

/// The player, without health.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Player {
    /// Block.
    pub block: u16,
    /// Strength, which may be negative.
    pub strength: i16,
    /// Dexterity, which may be negative.
    pub dexterity: i16,
    /// Everything else.
    pub powers: [u8; Power::COUNT],
}

impl Hash for Player {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let numbers = [self.block.cast_signed(), self.strength, self.dexterity, 0].map(i16::cast_unsigned);
        state.write_u64(packed(numbers));
        hash_bytes(&self.powers, state);
    }
}

/// Packs four numbers into one.
fn packed(numbers: [u16; 4]) -> u64 {
    numbers.into_iter().fold(0, |sum, number| sum << 16 | u64::from(number))
}

impl Player {
    /// How much there is of a power.
    pub fn has(&self, power: Power) -> u8 {
        self.powers[power as usize]
    }

    /// Sets a power.
    pub fn set(&mut self, power: Power, amount: u8) {
        self.powers[power as usize] = amount;
    }

    /// More of a power.
    pub fn gain(&mut self, power: Power, amount: u8) {
        let held = &mut self.powers[power as usize];
        *held = held.saturating_add(amount);
    }

    /// Adds one to a counter, which starts over when it reaches `full`. Returns whether it did.
    pub fn count(&mut self, power: Power, full: u8) -> bool {
        self.gain(power, 1);
        let is_full = self.has(power) == full;
        if is_full {
            self.set(power, 0);
        }
        is_full
    }

    /// The amount of a power, which is then removed.
    pub fn take(&mut self, power: Power) -> u8 {
        std::mem::take(&mut self.powers[power as usize])
    }

    /// A debuff, unless Artifact negates it. Returns whether it was applied.
    pub fn suffer(&mut self, power: Power, amount: u8) -> bool {
        if amount == 0 {
            return false;
        }
        let shield = &mut self.powers[Power::Artifact as usize];
        if *shield > 0 {
            *shield -= 1;
            return false;
        }
        self.gain(power, amount);
        true
    }

    /// More strength; a loss (a negative amount) can be negated by Artifact.
    pub fn strengthen(&mut self, amount: i16) {
        if amount > 0 || self.is_open_to(amount) {
            self.strength = (self.strength + amount).clamp(-999, 999);
        }
    }

    /// More dexterity; a loss (a negative amount) can be negated by Artifact.
    pub fn quicken(&mut self, amount: i16) {
        if amount > 0 || self.is_open_to(amount) {
            self.dexterity = (self.dexterity + amount).clamp(-999, 999);
        }
    }

    /// Whether such a loss applies; if not, it has used up one Artifact.
    fn is_open_to(&mut self, loss: i16) -> bool {
        let shield = self.has(Power::Artifact);
        if loss < 0 {
            self.set(Power::Artifact, shield.saturating_sub(1));
        }
        shield == 0
    }
}

/// An enemy that lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Enemy {
    /// What it is.
    pub kind: Kind,
    /// Its health; 0 while the dead have not been removed.
    pub health: u16,
    /// Its block.
    pub block: u16,
    /// Its strength.
    pub strength: i16,
    /// Turns of Vulnerable.
    pub vulnerable: u8,
    /// Turns of Weak.
    pub weak: u8,
    /// The next move, which the player sees; between the enemies' turn and the roll the last one, or `u8::MAX` before
    /// the first.
    pub intent: Move,
    /// How often in a row it is made including this time, where the rule depends on it; 0 elsewhere.
    pub run: u8,
    /// Cultist: 2 in the round of the Incantation, 1 after it. Red Slaver: 1 after Entangle. Nob: 1 when enraged.
    /// Lagavulin: turns until it wakes. Shield Gremlin: 1 if it was alone in its last turn. Wizard: 1 after the first
    /// blast. Hexaghost: 1 after the first Inferno. Guardian: how often it has opened again.
    pub memory: u8,
    /// Louse: its Curl Up, until it is used. Large slime, Slime Boss: the health at which it splits. Guardian: the
    /// health it loses before it shifts.
    pub special: u8,
    /// Louse: the strength of its bite, once known. Hexaghost: the strength of Divider, once measured.
    pub bite: u8,
    /// Debuffs that it will negate.
    pub artifact: u8,
}

impl Hash for Enemy {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(packed([self.health, self.block, self.strength.cast_unsigned(), self.kind as u16]));
        let Self { vulnerable, weak, intent, run, memory, special, bite, artifact, .. } = *self;
        state.write_u64(u64::from_le_bytes([vulnerable, weak, intent, run, memory, special, bite, artifact]));
    }
}

impl Enemy {
    /// Whether it is still in the fight.
    pub fn lives(&self) -> bool {
        self.health > 0
    }

    /// The name of its next move, once that is visible.
    pub fn intends(&self) -> Option<&'static str> {
        let name = self.kind.data().moves.get(usize::from(self.intent))?.name;
        // A suffix that distinguishes moves of one name is only for the rules.
        Some(name.split("-(").next().unwrap_or(name))
    }

    /// Guardian: whether it is open, and loses health towards its shift.
    pub(crate) fn is_open(&self) -> bool {
        self.intent < 4
    }

    /// Guardian: whether attacks hurt the player.
    pub(crate) fn has_sharp_hide(&self) -> bool {
        self.kind == Kind::TheGuardian && matches!(self.intent, 5 | 6)
    }

    /// A debuff, unless Artifact negates it. Returns whether it was applied.
    pub fn suffers(&mut self) -> bool {
        let takes_hold = self.artifact == 0;
        self.artifact = self.artifact.saturating_sub(1);
        takes_hold
    }

    /// More strength (less, if negative).
    pub fn strengthen(&mut self, amount: i16) {
        self.strength = (self.strength + amount).clamp(-999, 999);
    }

    /// More block.
    pub fn shield(&mut self, amount: u16) {
        self.block = (self.block + amount).min(999);
    }
}

/// A change of the player's health: any sequence of losses and healing.
///
/// From health h it leads to the smaller of h + `delta` and `cap`; a player with no more than `need` dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    /// Health up to this amount is fatal.
    pub need: i16,
    /// The sum of losses and gains.
    pub delta: i16,
    /// The health afterwards is at most this.
    pub cap: i16,
}

impl Change {
    /// No change for a player with at most this much health.
    pub fn none(highest: i16) -> Self {
        Self { need: 0, delta: 0, cap: highest }
    }

    /// Health is lost.
    pub fn lose(&mut self, amount: i16) {
        let needed = if self.cap <= amount { i16::MAX } else { amount.saturating_sub(self.delta) };
        self.need = self.need.max(needed);
        self.delta = self.delta.saturating_sub(amount);
        self.cap = self.cap.saturating_sub(amount);
    }

    /// Health is gained, up to the maximum.
    pub fn heal(&mut self, amount: i16, highest: i16) {
        self.delta = self.delta.saturating_add(amount);
        self.cap = self.cap.saturating_add(amount).min(highest);
    }

    /// The health afterwards, `None` for death.
    pub fn after(self, health: i16) -> Option<i16> {
        (health > self.need).then(|| health.saturating_add(self.delta).min(self.cap))
    }

    /// Whether it is at least as good as the other for any health.
    pub fn is_as_good_as(self, other: Self) -> bool {
        self.need <= other.need && self.delta >= other.delta && self.cap >= other.cap
    }
}

/// A fight between two plays, or between two turns, when the hand is empty except for cards drawn out of turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The hand.
    pub hand: Pile,
    /// The draw pile, without the cards that are known to lie on top.
    pub draw: Pile,
    /// The discard pile.
    pub discard: Pile,
    /// The exhausted cards, if a card can bring them back; otherwise empty.
    pub exhausted: Pile,
    /// The cards known to lie on top of the draw pile, the next one first; then those that were shuffled in since, with
    /// a flag: each may lie anywhere among all the others; then `u8::MAX`.
    pub top: [u8; TOP],
    /// Cards of the hand that cost nothing this turn, ascending; then `u8::MAX`.
    pub free: [u8; FREE],
    /// The player.
    pub player: Player,
    /// The change of the health since the start of the turn.
    pub health: Change,
    /// Energy.
    pub energy: u8,
    /// The potions that are left, one bit for each of the fight's.
    pub potions: u8,
    /// The queue that is waiting for a choice of the player, by its number in this fight; 0 for none.
    pub waiting: u32,
    /// Whether the player has ended the turn.
    pub ended: bool,
    /// The enemies that live, from the left; then `None`.
    pub enemies: [Option<Enemy>; ENEMIES],
}

/// The fields that differ between the positions of a turn; the others nearly always follow from them.
impl Hash for State {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hand.hash(state);
        self.discard.hash(state);
        self.player.hash(state);
        let Change { need, delta, cap } = self.health;
        state.write_u64(packed([need, delta, cap, 0].map(i16::cast_unsigned)));
        if self.free[0] != NONE {
            state.write_u32(u32::from_le_bytes(self.free));
        }
        let [first, second, third, fourth] = self.waiting.to_le_bytes();
        let Self { energy, potions, ended, .. } = *self;
        state.write_u64(u64::from_le_bytes([energy, potions, u8::from(ended), 0, first, second, third, fourth]));
        self.living().for_each(|enemy| enemy.hash(state));
    }
}

impl State {
    /// The result apart from health if the fight is won now.
    pub(crate) fn spoils(&self) -> Spoils {
        Spoils { potions: self.potions, gained: self.player.has(Power::MaxHealth) }
    }

    /// Whether no enemy is left.
    pub fn is_over(&self) -> bool {
        self.living().next().is_none()
    }

    /// The enemies that live.
    pub fn living(&self) -> impl Iterator<Item = &Enemy> {
        self.enemies.iter().flatten().filter(|enemy| enemy.lives())
    }

    /// The enemy at this place, if it lives.
    pub(crate) fn living_at(&mut self, place: u8) -> Option<&mut Enemy> {
        self.enemies.get_mut(usize::from(place)).and_then(Option::as_mut).filter(|enemy| enemy.lives())
    }

    /// Removes the dead: the others close up.
    pub fn close_ranks(&mut self) {
        if self.enemies.iter().flatten().all(Enemy::lives) && self.enemies.is_sorted_by_key(Option::is_none) {
            return;
        }
        let mut living = [None; ENEMIES];
        let standing = self.enemies.iter().flatten().filter(|enemy| enemy.lives());
        for (place, enemy) in living.iter_mut().zip(standing) {
            *place = Some(*enemy);
        }
        self.enemies = living;
    }

    /// How many cards are known on top of the draw pile.
    pub fn known(&self) -> usize {
        self.top.iter().take_while(|slot| **slot < ANYWHERE).count()
    }

    /// The cards that were shuffled in among known ones.
    pub fn anywhere(&self) -> impl Iterator<Item = u8> + use<> {
        self.top.into_iter().filter(|slot| *slot >= ANYWHERE && *slot != NONE).map(|slot| slot & !ANYWHERE)
    }

    /// The cards of the draw pile in unknown order.
    pub fn unknown(&self) -> Pile {
        let mut pile = self.draw;
        self.anywhere().for_each(|slot| pile.add(slot, 1));
        pile
    }

    /// A card on top of the draw pile; fewer than five must be known.
    pub fn put_on_top(&mut self, slot: u8) {
        self.top.rotate_right(1);
        self.top[0] = slot;
    }

    /// Whether one more card can be known on top of the draw pile.
    pub(crate) fn has_room_on_top(&self) -> bool {
        self.top[TOP - 1] == NONE
    }

    /// Inserts a card below this many of the known ones.
    pub(crate) fn put_below(&mut self, slot: u8, above: usize) {
        self.top[above..].rotate_right(1);
        self.top[above] = slot;
    }

    /// Takes the next card of the draw pile, which is known.
    pub(crate) fn take_known(&mut self) -> u8 {
        let slot = std::mem::replace(&mut self.top[0], NONE);
        self.top.rotate_left(1);
        self.forget_positions();
        slot
    }

    /// Draws one of the cards that may lie anywhere.
    pub(crate) fn take_anywhere(&mut self, slot: u8) {
        if let Some(place) = self.top.iter().position(|other| *other == slot | ANYWHERE) {
            self.top[place] = NONE;
            self.top[place..].rotate_left(1);
        }
    }

    /// A card is shuffled into the draw pile.
    pub(crate) fn shuffle_in(&mut self, slot: u8) {
        match self.top.iter().position(|other| *other == NONE) {
            Some(place) if self.known() > 0 && self.anywhere().count() < TOP - KNOWN => {
                let known = self.known();
                self.top[place] = slot | ANYWHERE;
                self.top[known..].sort_unstable();
            }
            // Without a position of its own it lies below those that are known.
            _ => self.draw.add(slot, 1),
        }
    }

    /// Where no card is known any more, none needs a position of its own.
    fn forget_positions(&mut self) {
        if self.known() == 0 {
            for slot in self.anywhere() {
                self.draw.add(slot, 1);
            }
            self.top = [NONE; TOP];
        }
    }

    /// Makes a card of the hand cost nothing this turn.
    pub(crate) fn free_card(&mut self, slot: u8) {
        // Beyond the limit a card costs its usual energy.
        if self.free[FREE - 1] == NONE {
            self.free[FREE - 1] = slot;
            self.free.sort_unstable();
        }
    }

    /// Whether a card of the hand costs nothing this turn.
    pub(crate) fn is_free(&self, slot: u8) -> bool {
        self.free.contains(&slot)
    }

    /// Whether more cards of this slot cost nothing than there are in hand.
    pub(crate) fn free_without_cards(&self, slot: u8) -> bool {
        let free = self.free.into_iter().filter(|other| *other == slot);
        free.count() > usize::from(self.hand.count(slot))
    }

    /// Removes the free cost of cards that have left the hand other than by being played; of equal cards those with a
    /// cost leave first.
    pub(crate) fn forget_free(&mut self) {
        if self.free[0] == NONE {
            return;
        }
        for slot in self.free.into_iter().filter(|slot| *slot != NONE) {
            if self.free_without_cards(slot) {
                self.spend_free(slot);
            }
        }
    }

    /// One of the free cards of the hand has left it.
    pub(crate) fn spend_free(&mut self, slot: u8) {
        if let Some(place) = self.free.iter().position(|other| *other == slot) {
            self.free[place] = NONE;
            self.free.sort_unstable();
        }
    }
}
