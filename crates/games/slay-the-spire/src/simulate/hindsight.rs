//! The value of a fight for a player who foresees all random outcomes.
//!
//! In a world everything is decided beforehand, so the best result there is computed turn by turn: all positions that
//! can be reached, each with the most health that can be left. A player without foresight does no better in any world;
//! so the mean over all worlds is an upper bound of the value under best play.
//!
//! Positions are left out whose value is at most the best result so far even if no more health is lost, and ends of a
//! turn that are dominated by another one of the same decision, by the proofs of the search
//! ([`dominance`](crate::graph::dominance)): best play without foresight is still among the rest.

use budget::{Budget, Stopped};
use rustc_hash::{FxHashMap, FxHashSet};

use super::policy::{Begin, TURNS};
use super::turn::Reach;
use crate::graph::dominance::Dominance;
use crate::rules::Rules;
use crate::rules::action::Action;
use crate::rules::fate::Luck;
use crate::rules::state::{Change, State};
use crate::rules::world::Dealt;
use crate::search::payoff::Payoff;

/// The most decisions that are evaluated in a world. The rest then counts as if no more health were lost.
const DECISIONS: usize = 12_000;

/// The player with foresight.
#[derive(Clone, Debug)]
pub(crate) struct Hindsight<'a> {
    rules: &'a Rules,
    payoff: &'a Payoff,
    /// Set where more health is always better and nothing is gained by waiting.
    dominance: Option<Dominance>,
    heals: bool,
}

/// The fight in one world, as far as it was explored.
struct Looking<'b> {
    /// The positions after the turn, with the most health that can be left.
    next: FxHashMap<Dealt, i16>,
    best: f64,
    decisions: usize,
    budget: &'b Budget<'b>,
}

impl<'a> Hindsight<'a> {
    pub(crate) fn new(rules: &'a Rules, payoff: &'a Payoff) -> Self {
        let dominance = payoff.is_monotone().then(|| Dominance::new(rules));
        Self { rules, payoff, dominance, heals: rules.can_heal() }
    }

    /// The value of the fight in this world with foresight; `known` is attainable there.
    pub(crate) fn value(
        &self,
        begin: Begin<'_>,
        (world, known): (u64, f64),
        health: i16,
        budget: &Budget<'_>,
    ) -> Result<f64, Stopped> {
        let (start, health) = begin.dealt(self.rules, world, health);
        let mut looking = Looking { next: FxHashMap::default(), best: known, decisions: 0, budget };
        match begin {
            Begin::Fight(_) => drop(looking.next.insert(self.between(start), health)),
            Begin::Play(_, None) => self.rest_of_turn(start, health, &mut looking)?,
            Begin::Play(_, Some(first)) => {
                let next = self.rules.act_in_world(&start.state, &start.fate, first, &mut Luck::default());
                if first == Action::EndTurn {
                    self.ended(next, health, &mut looking);
                } else {
                    self.rest_of_turn(next, health, &mut looking)?;
                }
            }
        }
        for _ in 0..TURNS {
            // The best come first: they may show that the rest need not be explored.
            let mut layer: Vec<(Dealt, i16)> = std::mem::take(&mut looking.next).into_iter().collect();
            layer.sort_by_key(|(_, health)| std::cmp::Reverse(*health));
            for (dealt, health) in layer {
                let most = self.at_most(&dealt.state, health);
                if most <= looking.best {
                    continue;
                }
                if looking.decisions >= DECISIONS {
                    looking.best = most;
                } else {
                    self.turn(&dealt, health, &mut looking)?;
                }
            }
        }
        let left = looking.next.iter().map(|(dealt, health)| self.at_most(&dealt.state, *health));
        Ok(left.fold(looking.best, f64::max))
    }

    /// An upper bound of the value with this much health.
    fn at_most(&self, state: &State, health: i16) -> f64 {
        let most = if self.heals { self.rules.most_health() } else { health };
        self.payoff.at_most(most.into(), state.potions)
    }

    /// A position between two turns, with the change of the health applied.
    fn between(&self, dealt: Dealt) -> Dealt {
        let none = Change::none(self.rules.most_health());
        Dealt { state: State { health: none, ..dealt.state }, ..dealt }
    }

    fn turn(&self, dealt: &Dealt, health: i16, looking: &mut Looking<'_>) -> Result<(), Stopped> {
        let rolled = self.rules.roll_in_world(dealt);
        self.rest_of_turn(self.rules.start_turn_in_world(rolled, &mut Luck::default()), health, looking)
    }

    fn rest_of_turn(&self, start: Dealt, health: i16, looking: &mut Looking<'_>) -> Result<(), Stopped> {
        let mut seen: FxHashSet<Dealt> = FxHashSet::default();
        let mut open = vec![start];
        while let Some(dealt) = open.pop() {
            if dealt.state.is_over() || dealt.state.health.after(health).is_none() {
                self.ended(dealt, health, looking);
                continue;
            }
            if !seen.insert(dealt.clone()) {
                continue;
            }
            looking.budget.check()?;
            looking.decisions += 1;
            let reach = Reach::new(self.rules, &dealt);
            for end in self.ends(&dealt, &reach) {
                self.ended(end, health, looking);
            }
            for (place, action) in &reach.chances {
                let state = &reach.met[*place].state;
                open.push(self.rules.act_in_world(state, &dealt.fate, *action, &mut Luck::default()));
            }
        }
        Ok(())
    }

    /// The ends of a turn that can be chosen at a decision, without dominated ones.
    fn ends(&self, start: &Dealt, reach: &Reach) -> Vec<Dealt> {
        let mut kept: Vec<Dealt> = Vec::new();
        for (_, state) in reach.ends() {
            let end = if state.is_over() {
                Dealt { state: *state, fate: start.fate.clone() }
            } else {
                self.rules.act_in_world(state, &start.fate, Action::EndTurn, &mut Luck::default())
            };
            // Where the end of the turn has random outcomes, dominance is not known beforehand.
            let certain = end.fate == start.fate;
            let beats =
                |one: &Dealt, other: &Dealt| certain && one.fate == other.fate && self.beats(&one.state, &other.state);
            if kept.iter().any(|other| beats(other, &end)) {
                continue;
            }
            kept.retain(|other| !beats(&end, other));
            kept.push(end);
        }
        kept
    }

    /// Whether this end of a turn is at least as good as that one for any health.
    fn beats(&self, this: &State, that: &State) -> bool {
        if !this.health.is_as_good_as(that.health) {
            return false;
        }
        if *this == (State { health: this.health, ..*that }) {
            return true;
        }
        let Some(dominance) = self.dominance else { return false };
        if this.is_over() {
            let (own, other) = (this.spoils(), that.spoils());
            return own.potions & other.potions == other.potions && !dominance.heals && own.gained >= other.gained;
        }
        *this == (State { health: this.health, enemies: this.enemies, ..*that })
            && dominance.is_as_good(&this.enemies, &that.enemies)
    }

    /// A turn has ended.
    fn ended(&self, end: Dealt, health: i16, looking: &mut Looking<'_>) {
        let Some(left) = end.state.health.after(health) else {
            looking.best = looking.best.max(0.0);
            return;
        };
        if end.state.is_over() {
            looking.best = looking.best.max(self.payoff.won(left, end.state.spoils()));
            return;
        }
        let most = looking.next.entry(self.between(end)).or_insert(left);
        *most = left.max(*most);
    }
}
