//! A fight between two plays.

use std::hash::{Hash, Hasher};

use super::spoils::Spoils;
use crate::data::enemy::{Kind, Move};
use crate::data::power::Power;

/// How many different cards there can be in one fight, upgraded ones and created ones counted.
pub const SLOTS: usize = 24;
/// How many enemies can stand side by side.
pub const ENEMIES: usize = 5;
/// How many cards on top of the draw pile can be known.
pub const TOP: usize = 5;
/// No card, no enemy, no move.
pub const NONE: u8 = u8::MAX;

/// Cards in no order: how many of each of the fight's cards, which are numbered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pile([u8; SLOTS]);

/// Eight cards at once: positions are hashed more often than anything else is done.
impl Hash for Pile {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_bytes(&self.0, state);
    }
}

fn hash_bytes<H: Hasher>(bytes: &[u8], state: &mut H) {
    let (words, rest) = bytes.as_chunks();
    for word in words {
        state.write_u64(u64::from_le_bytes(*word));
    }
    if !rest.is_empty() {
        state.write_u64(rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)));
    }
}

impl Pile {
    /// How many of this card.
    pub fn count(&self, slot: u8) -> u8 {
        self.0[usize::from(slot)]
    }

    /// One more.
    pub fn add(&mut self, slot: u8, count: u8) {
        let held = &mut self.0[usize::from(slot)];
        *held = held.saturating_add(count);
    }

    /// So many less; there must be as many.
    pub fn remove(&mut self, slot: u8, count: u8) {
        let held = &mut self.0[usize::from(slot)];
        debug_assert!(*held >= count, "a card that is not there");
        *held = held.saturating_sub(count);
    }

    /// How many cards.
    pub fn len(&self) -> u32 {
        self.0.iter().map(|count| u32::from(*count)).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; SLOTS]
    }

    /// Every card of the pile once, with its count.
    pub fn iter(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        (0u8..).zip(self.0).filter(|(_, count)| *count > 0)
    }

    /// Another pile on this one.
    pub fn join(&mut self, other: &Self) {
        for (held, more) in self.0.iter_mut().zip(other.0) {
            *held = held.saturating_add(more);
        }
    }
}

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
    /// enraged. Lagavulin: turns it still sleeps. Wizard: 1 after the first blast. Hexaghost: 1 after the first
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
    /// The cards known to lie on top of the draw pile, the next one first; then `u8::MAX`.
    pub top: [u8; TOP],
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
        self.top.iter().take_while(|slot| **slot != NONE).count()
    }

    /// A card on top of the draw pile. Says whether there was room to know it.
    pub fn put_on_top(&mut self, slot: u8) {
        // The lowest known card is forgotten when there are too many; fights in which that could be are refused.
        self.top.rotate_right(1);
        self.top[0] = slot;
    }
}
