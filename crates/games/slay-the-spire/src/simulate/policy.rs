//! A policy without foresight, for simulated fights.
//!
//! Each decision uses visible information only: of the ends of the turn that can be reached with certainty it takes the
//! one with the most health left, minus the estimated remaining cost of the fight. A play with random outcomes is
//! valued by imagining a few orders of the cards, which are independent of the actual order.

use rustc_hash::FxHashMap;

use super::estimate::Estimate;
use super::stakes::Stakes;
use super::turn::Reach;
use crate::numbers::chance::Chance;
use crate::rules::Rules;
use crate::rules::action::Action;
use crate::rules::fate::{Luck, scrambled};
use crate::rules::state::{Change, State};
use crate::rules::world::Dealt;
use crate::search::induced_chain::Ending;
use crate::search::payoff::Payoff;

/// Separates what is imagined from what happens.
const THOUGHTS: u64 = 0x7407;
/// The number of orders of the cards that are imagined.
const IMAGINED: u64 = 5;
/// The most positions that are evaluated in each of them.
const LOOKS: usize = 3_000;
/// The most turns; a longer fight counts as lost.
pub(crate) const TURNS: usize = 100;

/// The policy, with its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Policy<'a> {
    pub rules: &'a Rules,
    pub payoff: &'a Payoff,
    pub estimate: Estimate,
    pub stakes: Stakes,
    /// Whether death is ignored, in training: all losses are counted.
    pub immortal: bool,
}

/// A turn of a fight that was played in training.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    /// The position before it.
    pub before: State,
    /// The luck of the rolls and draws, as features of the stakes.
    pub luck: Vec<f64>,
    /// The health that was lost.
    pub loss: f64,
    /// The position after it; `None` if the fight was over.
    pub after: Option<State>,
}

/// A fight that was played.
#[derive(Clone, Debug, Default)]
pub(crate) struct Played {
    /// How it ended; `None` if it took too long.
    pub end: Option<Ending>,
    /// Its luck.
    pub luck: f64,
    /// Its turns, in training.
    pub turns: Vec<Turn>,
}

/// The beginning of a play.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Begin<'s> {
    /// Before the first turn, in one of these ways.
    Fight(&'s [(Chance, State)]),
    /// Within a turn, with this play first, if any.
    Play(&'s State, Option<Action>),
}

impl Begin<'_> {
    /// The beginning in a world, and the health then.
    pub(crate) fn dealt(self, rules: &Rules, world: u64, health: i16) -> (Dealt, i16) {
        match self {
            Self::Fight(starts) => {
                let dealt = rules.begin_in_world(starts, world);
                let health = dealt.state.health.after(health).unwrap_or(health);
                (dealt, health)
            }
            Self::Play(state, _) => (Dealt::new(rules, state, world), health),
        }
    }
}

/// The next actions: plays without random outcomes, and then the end of the turn or a play with one.
struct Plan {
    path: Vec<Action>,
    last: Action,
}

impl Policy<'_> {
    /// Plays from a beginning in this world.
    pub(crate) fn play(&self, begin: Begin<'_>, world: u64, health: i16) -> Played {
        let (mut dealt, mut health) = begin.dealt(self.rules, world, health);
        let mut luck = Luck::default();
        let mut turns = Vec::new();
        for turn in 0..TURNS {
            let thoughts = scrambled(world ^ THOUGHTS).wrapping_add(turn as u64);
            match begin {
                Begin::Play(_, first) if turn == 0 => {
                    luck.worths = self.stakes.later();
                    dealt = self.play_on(dealt, first, (health, thoughts), &mut luck);
                }
                _ => dealt = self.whole_turn(&dealt, (health, thoughts), &mut luck, &mut turns),
            }
            let change = dealt.state.health;
            let end = match self.left(change, health) {
                None => Ending::DEAD,
                Some(left) if dealt.state.is_over() => self.payoff.ending(left, dealt.state.spoils()),
                Some(left) => {
                    health = left;
                    continue;
                }
            };
            return Played { end: Some(end), luck: luck.sum, turns };
        }
        Played { end: None, luck: luck.sum, turns }
    }

    /// Plays from the position between two turns to the next one.
    fn whole_turn(
        &self,
        dealt: &Dealt,
        (health, thoughts): (i16, u64),
        luck: &mut Luck,
        turns: &mut Vec<Turn>,
    ) -> Dealt {
        let none = Change::none(self.rules.most_health());
        let counted = if self.immortal { self.rules.cards.len() } else { 0 };
        let before = State { health: none, ..dealt.state };
        let rolled = self.rules.roll_in_world(&Dealt { state: before, ..dealt.clone() });
        self.stakes.count_roll(self.rules, &before, &rolled.state, luck);
        let damage = Stakes::damage_to_come(self.rules, &rolled.state);
        let features = self.immortal.then(|| self.stakes.roll_features(self.rules, &before, &rolled.state));
        luck.worths = self.stakes.at_start(damage);
        luck.drawn = vec![0.0; counted];
        let drawn = self.rules.start_turn_in_world(rolled, luck);
        let at_start = std::mem::replace(&mut luck.drawn, vec![0.0; counted]);
        luck.worths = self.stakes.later();
        let ended = self.play_turn(drawn, health, thoughts, luck);
        if let Some(mut features) = features {
            self.stakes.add_draws(&mut features, damage, &at_start, &luck.drawn);
            let after = (!ended.state.is_over()).then_some(State { health: none, ..ended.state });
            turns.push(Turn { before, luck: features, loss: -f64::from(ended.state.health.delta), after });
        }
        ended
    }

    /// Plays this first, if anything, and then to the end of the turn.
    fn play_on(&self, dealt: Dealt, first: Option<Action>, (health, thoughts): (i16, u64), luck: &mut Luck) -> Dealt {
        let Some(first) = first else { return self.play_turn(dealt, health, thoughts, luck) };
        let next = self.rules.act_in_world(&dealt.state, &dealt.fate, first, luck);
        if first == Action::EndTurn { next } else { self.play_turn(next, health, thoughts, luck) }
    }

    fn left(&self, change: Change, health: i16) -> Option<i16> {
        if self.immortal { Some(health.saturating_add(change.delta)) } else { change.after(health) }
    }

    /// Plays a turn to its end.
    fn play_turn(&self, mut dealt: Dealt, health: i16, thoughts: u64, luck: &mut Luck) -> Dealt {
        for nth in 0.. {
            if dealt.state.is_over() || self.left(dealt.state.health, health).is_none() {
                break;
            }
            let plan = self.plan(&dealt, health, scrambled(thoughts).wrapping_add(nth));
            for action in plan.path {
                dealt = self.rules.act_in_world(&dealt.state, &dealt.fate, action, luck);
            }
            if dealt.state.is_over() {
                break;
            }
            dealt = self.rules.act_in_world(&dealt.state, &dealt.fate, plan.last, luck);
            if plan.last == Action::EndTurn {
                break;
            }
        }
        dealt
    }

    fn plan(&self, dealt: &Dealt, health: i16, thoughts: u64) -> Plan {
        let reach = Reach::new(self.rules, dealt);
        let mut best = (f64::NEG_INFINITY, 0, Action::EndTurn);
        let imagine = |state: &State, nth: u64| Dealt::new(self.rules, state, scrambled(thoughts).wrapping_add(nth));
        for (place, state) in reach.ends() {
            let value = if state.is_over() {
                self.value(state, health)
            } else {
                let ended = self.rules.act_in_world(state, &dealt.fate, Action::EndTurn, &mut Luck::default());
                // Random outcomes after the end of the turn are not used.
                let is_certain = ended.fate == dealt.fate;
                if is_certain { self.value(&ended.state, health) } else { self.after(&imagine(state, 0), health) }
            };
            if value > best.0 {
                best = (value, place, Action::EndTurn);
            }
        }
        if !reach.chances.is_empty() {
            let mut sums = vec![0.0; reach.chances.len()];
            for nth in 0..IMAGINED {
                let mut known = FxHashMap::default();
                for (sum, (place, action)) in sums.iter_mut().zip(&reach.chances) {
                    let dealt = imagine(&reach.met[*place].state, nth);
                    let next = self.rules.act_in_world(&dealt.state, &dealt.fate, *action, &mut Luck::default());
                    *sum += self.look(&next, health, &mut known);
                }
            }
            for (sum, (place, action)) in sums.iter().zip(&reach.chances) {
                let value = sum / f64::from(u32::try_from(IMAGINED).unwrap_or(1));
                if value > best.0 {
                    best = (value, *place, *action);
                }
            }
        }
        Plan { path: reach.path(best.1), last: best.2 }
    }

    /// The estimated value of the rest of a turn in a world with a known order of the cards.
    fn look(&self, dealt: &Dealt, health: i16, known: &mut FxHashMap<Dealt, f64>) -> f64 {
        if let Some(value) = known.get(dealt) {
            return *value;
        }
        if dealt.state.is_over() {
            return self.value(&dealt.state, health);
        }
        let mut actions = Vec::new();
        self.rules.actions(&dealt.state, &mut actions);
        let mut best = f64::NEG_INFINITY;
        for action in actions {
            let value = if action == Action::EndTurn {
                self.after(dealt, health)
            } else if known.len() < LOOKS {
                let next = self.rules.act_in_world(&dealt.state, &dealt.fate, action, &mut Luck::default());
                self.look(&next, health, known)
            } else {
                continue;
            };
            best = best.max(value);
        }
        known.insert(dealt.clone(), best);
        best
    }

    /// The estimated value of ending the turn.
    fn after(&self, dealt: &Dealt, health: i16) -> f64 {
        let ended = self.rules.act_in_world(&dealt.state, &dealt.fate, Action::EndTurn, &mut Luck::default());
        self.value(&ended.state, health)
    }

    /// The estimated value of a position between two turns, or the value of a fight that is over.
    fn value(&self, state: &State, health: i16) -> f64 {
        let Some(left) = self.left(state.health, health) else { return -1.0 };
        if state.is_over() {
            return if self.immortal { left.into() } else { self.payoff.won(left, state.spoils()) };
        }
        let cost = self.estimate.cost(self.rules, state);
        let rest = f64::from(left) - cost;
        if self.immortal {
            return rest;
        }
        // The larger the expected loss, the more it varies.
        let scale = (self.estimate.spread * cost.max(0.5).sqrt() * 0.55).max(0.1);
        let odds = 1.0 / (1.0 + (-rest / scale).exp());
        let kept = if rest > 30.0 * scale { rest } else { scale * (rest / scale).exp().ln_1p() };
        let nothing = self.payoff.at_most(0.0, state.potions);
        self.payoff.at_most(kept, state.potions) - (1.0 - odds) * nothing
    }
}
