//! A fight between two plays.

use std::hash::{Hash, Hasher};

use super::pile::hash_bytes;
pub use super::pile::{Pile, SLOTS};
use super::spoils::Spoils;
use crate::data::enemy::{Kind, Move};
use crate::data::power::Power;

/// How many enemies can stand side by side.
pub const ENEMIES: usize = 5;
/// How many cards on top of the draw pile can be known.
pub const KNOWN: usize = 5;
/// How many cards have a place of their own in the draw pile: those, and some that were shuffled in meanwhile.
pub const TOP: usize = KNOWN + 3;
/// How many cards of the hand can cost nothing for a turn.
pub const FREE: usize = 4;
/// What marks a card that was shuffled in among known ones.
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

/// Four numbers in one.
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

    /// One more of a power that is a count, which starts over when it reaches `full`. Says whether it did.
    pub fn count(&mut self, power: Power, full: u8) -> bool {
        self.gain(power, 1);
        let is_full = self.has(power) == full;
        if is_full {
            self.set(power, 0);
        }
        is_full
    }

    /// What there is of a power, which is then gone.
    pub fn take(&mut self, power: Power) -> u8 {
        std::mem::take(&mut self.powers[power as usize])
    }

    /// A debuff, unless Artifact takes it away. Says whether it took hold.
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

    /// More strength; a loss (a negative amount) can be taken away by Artifact.
    pub fn strengthen(&mut self, amount: i16) {
        if amount > 0 || self.is_open_to(amount) {
            self.strength = (self.strength + amount).clamp(-999, 999);
        }
    }

    /// More dexterity; a loss (a negative amount) can be taken away by Artifact.
    pub fn quicken(&mut self, amount: i16) {
        if amount > 0 || self.is_open_to(amount) {
            self.dexterity = (self.dexterity + amount).clamp(-999, 999);
        }
    }

    /// Whether such a loss takes hold; if not, it has used up one Artifact.
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
    /// Its health; 0 while the dead are still to be carried away.
    pub health: u16,
    /// Its block.
    pub block: u16,
    /// Its strength.
    pub strength: i16,
    /// Turns of Vulnerable.
    pub vulnerable: u8,
    /// Turns of Weak.
    pub weak: u8,
    /// The next move, which the player sees; between the enemies' turn and the roll the last one, or
    /// `u8::MAX` before the first.
    pub intent: Move,
    /// How often in a row it is made with this time, where the rule asks; 0 elsewhere.
    pub run: u8,
    /// Cultist: 2 in the round of the Incantation, 1 after it. Red Slaver: 1 after Entangle. Nob: 1 when
    /// enraged. Lagavulin: turns it still sleeps. Shield Gremlin: 1 when it was alone in its last turn. Wizard: 1 after the first blast. Hexaghost: 1 after the first
    /// Inferno. Guardian: how often it has opened again.
    pub memory: u8,
    /// Louse: its Curl Up, while it has it. Large slime, Slime Boss: the health at which it splits. Guardian: the
    /// health it loses before it shifts.
    pub special: u8,
    /// Louse: how strong it bites, once it is known. Hexaghost: how hard Divider hits, once it is measured.
    pub bite: u8,
    /// Debuffs that it will shrug off.
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

    /// What its next move is called, once that is seen.
    pub fn intends(&self) -> Option<&'static str> {
        let name = self.kind.data().moves.get(usize::from(self.intent))?.name;
        // What tells moves of one name from each other is only for the rules.
        Some(name.split("-(").next().unwrap_or(name))
    }

    /// Guardian: whether it is open, and loses patience with its health.
    pub(crate) fn is_open(&self) -> bool {
        self.intent < 4
    }

    /// Guardian: whether attacks cost who plays them.
    pub(crate) fn has_sharp_hide(&self) -> bool {
        self.kind == Kind::TheGuardian && matches!(self.intent, 5 | 6)
    }

    /// A debuff, unless Artifact takes it away: whether it takes hold.
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

/// What happens to the player's health, whatever it is: nothing but losses and healing in a row.
///
/// From health h it leads to the smaller of h + `delta` and `cap`; who does not have more than
/// `need` dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    /// More health than this is needed.
    pub need: i16,
    /// The sum of losses and gains.
    pub delta: i16,
    /// No more health than this is left.
    pub cap: i16,
}

impl Change {
    /// Nothing happens to who has at most this much health.
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

    /// Health is gained, up to the highest.
    pub fn heal(&mut self, amount: i16, highest: i16) {
        self.delta = self.delta.saturating_add(amount);
        self.cap = self.cap.saturating_add(amount).min(highest);
    }

    /// The health after it, `None` for death.
    pub fn after(self, health: i16) -> Option<i16> {
        (health > self.need).then(|| health.saturating_add(self.delta).min(self.cap))
    }

    /// Whether it is at least as good as the other, whatever the health.
    pub fn is_as_good_as(self, other: Self) -> bool {
        self.need <= other.need && self.delta >= other.delta && self.cap >= other.cap
    }
}

/// A fight between two plays, or between two turns, when the hand is empty but for what was drawn out of turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The hand.
    pub hand: Pile,
    /// The draw pile, without the cards that are known to lie on top.
    pub draw: Pile,
    /// The discard pile.
    pub discard: Pile,
    /// The exhausted cards, where a card can bring them back; else empty.
    pub exhausted: Pile,
    /// The cards known to lie on top of the draw pile, the next one first; then those that were shuffled in since, with a
    /// mark: each may lie anywhere among all the others; then `u8::MAX`.
    pub top: [u8; TOP],
    /// Cards of the hand that cost nothing this turn, ascending; then `u8::MAX`.
    pub free: [u8; FREE],
    /// The player.
    pub player: Player,
    /// What happened to the health since the start of the turn.
    pub health: Change,
    /// Energy.
    pub energy: u8,
    /// The potions that are left, one bit for each of the fight's.
    pub potions: u8,
    /// What waits until the player has chosen a card, by its number among what can wait in this fight; 0 for nothing.
    pub waiting: u32,
    /// The player has ended the turn.
    pub ended: bool,
    /// The enemies that live, from the left; then `None`.
    pub enemies: [Option<Enemy>; ENEMIES],
}

/// What differs between the positions of a turn; the rest follows from it nearly always.
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
    /// What is left beside health when the fight is won now.
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

    /// Carries the dead away: the others close up.
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

    /// How many cards are known to lie on top of the draw pile.
    pub fn known(&self) -> usize {
        self.top.iter().take_while(|slot| **slot < ANYWHERE).count()
    }

    /// The cards that were shuffled in among known ones.
    pub fn anywhere(&self) -> impl Iterator<Item = u8> + use<> {
        self.top.into_iter().filter(|slot| *slot >= ANYWHERE && *slot != NONE).map(|slot| slot & !ANYWHERE)
    }

    /// The cards of the draw pile whose place is not known.
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

    /// Whether one more card can be known to lie on top of the draw pile.
    pub(crate) fn has_room_on_top(&self) -> bool {
        self.top[TOP - 1] == NONE
    }

    /// A card below so many of those that are known.
    pub(crate) fn put_below(&mut self, slot: u8, above: usize) {
        self.top[above..].rotate_right(1);
        self.top[above] = slot;
    }

    /// The next card of the draw pile, which is known.
    pub(crate) fn take_known(&mut self) -> u8 {
        let slot = std::mem::replace(&mut self.top[0], NONE);
        self.top.rotate_left(1);
        self.forget_places();
        slot
    }

    /// One of the cards that may lie anywhere is drawn.
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
            // Without a place of its own it lies below those that are known.
            _ => self.draw.add(slot, 1),
        }
    }

    /// Where no card is known any more, none has a place of its own.
    fn forget_places(&mut self) {
        if self.known() == 0 {
            for slot in self.anywhere() {
                self.draw.add(slot, 1);
            }
            self.top = [NONE; TOP];
        }
    }

    /// A card of the hand that costs nothing this turn.
    pub(crate) fn free_card(&mut self, slot: u8) {
        // One more than can be told apart costs what it costs.
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

    /// Cards that have left the hand otherwise than by being played cost nothing no more; of equal ones those that cost leave
    /// first.
    pub(crate) fn forget_free(&mut self) {
        for slot in self.free.into_iter().filter(|slot| *slot != NONE) {
            if self.free_without_cards(slot) {
                self.spend_free(slot);
            }
        }
    }

    /// One of the hand's cards that cost nothing is there no more.
    pub(crate) fn spend_free(&mut self, slot: u8) {
        if let Some(place) = self.free.iter().position(|other| *other == slot) {
            self.free[place] = NONE;
            self.free.sort_unstable();
        }
    }
}
