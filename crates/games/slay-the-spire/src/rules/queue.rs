//! The actions that are pending in the middle of a play or a turn: one queue, as in the game.
//!
//! # The order of events
//!
//! The strength of a card's hits and its block are fixed when it is played. Its effects are queued in the order of its
//! text, followed by the reactions of powers and relics to the play (Rage, Shuriken, Letter Opener, a sharp hide), and
//! by moving the card to its pile. Only then the queue is processed. Effects that are triggered meanwhile go to the end
//! of the queue (draws of Dark Embrace and Evolve, Juggernaut, Curl Up, healing by Reaper), or happen at once (strength
//! of Rupture or Angry, spores, thorns, a Sentinel's energy). When the queue is empty the next of a second queue
//! begins, [`Next`]: a copy by Double Tap, a curse that acts at the end of the turn, an enemy. So each of them meets
//! all results of the one before.
//!
//! The last enemy's death takes everything from the queue but damage, lost health, healing, block, and putting the card
//! away.
//!
//! # What positions store of it
//!
//! Nearly nothing. A play is processed to its end at once; at a random outcome, once for each possibility, each with a
//! queue of its own. Only a choice of the player can interrupt it, and in most cases not even that: if nothing happens
//! between the play and the choice that he does not know before, the choice is part of the play. Where he must see
//! something first (the cards that Warcry drew, the choice of the first of two Headbutts) the rest of the queue waits.
//! Positions must be small and quick to compare, so they store the number of the [waiting queue](Stalls), nearly always
//! 0, and equal queues have the same number.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::fate::Unfolding;
use super::state::State;
use crate::data::card::Effect;
use crate::data::enemy::Act;
use crate::numbers::chance::Chance;

/// Positions with their chances.
pub type Outcomes = Vec<(Chance, State)>;

/// One action. Places are those of enemies; forces are damage in quarters before the enemy's own Vulnerable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Todo {
    /// One hit of an attack.
    Hit { place: u8, force: u16 },
    /// The same on every enemy.
    HitAll { force: u16 },
    /// Several of them, queued at the end.
    Whirl { force: u16, times: u8 },
    /// One hit on a random enemy, whose force is determined when it is processed.
    HitRandom { damage: u8, bonus: u8, factor: u8 },
    /// One hit; when it kills, the maximum health grows.
    Feed { place: u8, force: u16, more: u8 },
    /// A hit on every enemy; the damage dealt heals, at the end of the queue.
    Reap { force: u16 },
    /// The hand is exhausted, for a hit each.
    FiendFire { place: u8, force: u16 },
    /// All cards of the hand except attacks are exhausted, each for block.
    ExhaustNonAttacks { block: u16 },
    /// Another effect of a card, or of a potion.
    Effect { effect: &'static Effect, form: u8, target: u8, choice: u8, slot: u8 },
    /// The top card of the draw pile is to be played next, at this enemy if it needs a target.
    PlayTop { place: u8 },
    /// A card, wherever it is, has been played once more.
    Grow { slot: u8 },
    /// The card that was played goes to its pile.
    PutAway { slot: u8, exhausts: bool },
    /// The player gets block.
    Block(u16),
    /// The player gets strength; a loss can be negated by Artifact.
    Strengthen(i16),
    /// The same for dexterity.
    Quicken(i16),
    /// Energy.
    Energy(u8),
    /// Energy is lost.
    LoseEnergy(u8),
    /// Cards are drawn.
    Draw(u8),
    /// Health is gained.
    Heal(u16),
    /// Health is lost by the player's own action; block does not help.
    Lose(u16),
    /// Damage to the player by a card that he holds.
    Scorch(u16),
    /// Damage to the player by an enemy that is not an attack.
    Scratch(u16),
    /// Damage to an enemy that is not an attack.
    Hurt { place: u8, damage: u16 },
    /// The same to all enemies.
    HurtAll(u16),
    /// The same to a random one.
    Jolt(u16),
    /// An enemy gets block.
    Shield { place: u8, block: u8 },
    /// The Guardian shifts.
    Close { place: u8 },
    /// The hand is discarded; ethereal cards are exhausted.
    DiscardHand,
    /// The turn passes to the enemies after the actions queued so far.
    HandOver,
    /// The enemies lose their block.
    DropShields,
    /// An enemy attacks.
    Attack { place: u8, damage: u8 },
    /// Another action of an enemy.
    Act { place: u8, act: &'static Act },
}

impl Todo {
    /// Whether it hurts no enemy.
    pub(crate) fn is_harmless(self) -> bool {
        matches!(
            self,
            Self::Effect { .. }
                | Self::PutAway { .. }
                | Self::Block(_)
                | Self::Energy(_)
                | Self::Draw(_)
                | Self::DiscardHand
                | Self::HandOver
                | Self::DropShields
        )
    }

    /// Whether it still happens after the last enemy's death.
    pub(crate) fn outlasts_the_fight(self) -> bool {
        matches!(
            self,
            Self::Heal(_) | Self::Block(_) | Self::PutAway { .. } | Self::Lose(_) | Self::Scorch(_) | Self::Scratch(_)
        )
    }
}

/// What begins when the queue is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Next {
    /// A card is played a second time, by Double Tap.
    Copy { slot: u8, target: u8, energy: u8 },
    /// A card of the draw pile is played, by Havoc.
    Top { slot: u8, target: u8, energy: u8 },
    /// A status or curse acts that was in a hand of this many cards at the end of the turn.
    Held { slot: u8, hand: u8 },
    /// Effects that last for the turn end, and the hand is discarded.
    TurnEnds,
    /// The changes of the health so far are ignored.
    Forget,
    /// The enemies' turn begins.
    Enemies,
    /// The enemy at this place makes its move.
    Enemy(u8),
    /// The round is over.
    EndOfRound,
}

/// First in, first out, except for actions that are put first. A few actions need no heap memory: nearly always there
/// are no more.
#[derive(Clone, Debug)]
pub(crate) struct Queue<T> {
    few: [Option<T>; FEW],
    from: usize,
    to: usize,
    /// The actions after those.
    more: VecDeque<T>,
}

/// The number of actions without heap memory.
const FEW: usize = 8;

impl<T: Copy> Queue<T> {
    fn new() -> Self {
        Self { few: [None; FEW], from: 0, to: 0, more: VecDeque::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.from == self.to && self.more.is_empty()
    }

    pub(crate) fn push_back(&mut self, item: T) {
        if self.to < FEW && self.more.is_empty() {
            self.few[self.to] = Some(item);
            self.to += 1;
        } else {
            self.more.push_back(item);
        }
    }

    pub(crate) fn push_front(&mut self, item: T) {
        if self.from == 0 {
            if let Some(last) = self.few[FEW - 1].filter(|_| self.to == FEW) {
                self.more.push_front(last);
                self.to -= 1;
            }
            self.few.copy_within(..self.to, 1);
            self.to += 1;
        } else {
            self.from -= 1;
        }
        self.few[self.from] = Some(item);
    }

    pub(crate) fn pop_front(&mut self) -> Option<T> {
        if self.from == self.to {
            (self.from, self.to) = (0, 0);
            return self.more.pop_front();
        }
        self.from += 1;
        self.few[self.from - 1]
    }

    /// All actions; the queue is empty afterwards.
    fn take(&mut self) -> Vec<T> {
        std::iter::from_fn(|| self.pop_front()).collect()
    }
}

impl<T: Copy> Extend<T> for Queue<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push_back(item));
    }
}

/// A position with its pending actions.
#[derive(Clone, Debug)]
pub(crate) struct Running {
    pub state: State,
    pub queue: Queue<Todo>,
    pub next: Queue<Next>,
    /// For Frail, Vulnerable, Weak: whether it was applied in the enemies' turn, or as if, when the player had none of
    /// it.
    pub fresh: [bool; 3],
    /// The player's turn is over.
    pub enemies_act: bool,
    /// The world, if random outcomes are decided beforehand.
    pub world: Option<Box<Unfolding>>,
}

impl Running {
    /// Without pending actions.
    pub(crate) fn new(state: &State) -> Self {
        Self {
            state: *state,
            queue: Queue::new(),
            next: Queue::new(),
            fresh: [false; 3],
            enemies_act: false,
            world: None,
        }
    }

    /// A position whose queue was waiting.
    pub(crate) fn going_on(state: &State, stall: Stall) -> Self {
        let mut run = Self::new(state);
        run.queue.extend(stall.queue);
        run.next.extend(stall.next);
        run
    }

    /// The pending actions, which are to wait.
    pub(crate) fn stall(&mut self) -> Stall {
        Stall { queue: self.queue.take(), next: self.next.take() }
    }

    /// Queues at the end.
    pub(crate) fn later(&mut self, todo: Todo) {
        self.queue.push_back(todo);
    }

    /// Queues at the front.
    pub(crate) fn at_once(&mut self, todo: Todo) {
        self.queue.push_front(todo);
    }
}

/// The rest of the queues, while the player has to choose. The action that needs the choice comes first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Stall {
    pub queue: Vec<Todo>,
    pub next: Vec<Next>,
}

/// All queues that wait for a choice in some position of a fight, with numbers from 1 on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stalls(Arc<Mutex<Numbered>>);

#[derive(Debug, Default)]
struct Numbered {
    list: Vec<Stall>,
    numbers: FxHashMap<Stall, u32>,
}

impl Stalls {
    /// The number of a waiting queue.
    pub(crate) fn number(&self, stall: Stall) -> u32 {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.numbers.get(&stall) {
            return *known;
        }
        all.list.push(stall.clone());
        let number = u32::try_from(all.list.len()).expect("fewer than 2^32 things fit into memory");
        all.numbers.insert(stall, number);
        number
    }

    /// The waiting queue with this number.
    pub(crate) fn get(&self, number: u32) -> Stall {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        number.checked_sub(1).and_then(|place| all.list.get(place as usize)).cloned().unwrap_or_default()
    }
}
