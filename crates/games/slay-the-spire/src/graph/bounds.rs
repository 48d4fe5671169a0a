//! A bound on the loss that is still to come: the sum of lower bounds of what each enemy alone takes in the next turns.
//!
//! Proof. Take any policy against all of them, and follow it against one alone, playing cards that target the others
//! without a target. This one enemy then attacks no more often and no harder: the player has no more Weak, Frail or
//! Vulnerable than with the others there, and as much block before it attacks. Of a turn's attacks a and b on block c
//! at least (a - c)+ + (b - c)+ is lost, because (a + b - c)+ is no less. Damage that the player inflicts on himself
//! does not count, and the bound covers only turns in which cards that the others would add cannot have been drawn yet.
//! Where block or strength grows or cards are drawn by losing health or by a death, where attacks choose their targets
//! themselves (they would wake an enemy that is better left alone), or where health can be gained, there is no bound.
//!
//! With health h and at most m to be lost in these turns, a player whose mean loss is f loses at least f * min(1, h/m)
//! before he is dead: the least expected loss is concave in h, 0 for 0, and f from m on.

use std::time::Instant;

use rustc_hash::FxHashMap;

use super::bound::{Bound, SAFE};
use super::dominance::adds_cards;
use super::parts::Key;
use super::transitions::Transitions;
use super::turns::Opened;
use crate::data::card::Effect;
use crate::data::enemy::Kind;
use crate::data::power::Power;
use crate::data::relic::Relic;
use crate::rules::state::{Change, State};

/// The bounds computed so far.
#[derive(Debug)]
pub(crate) struct Bounds {
    /// How many turns are worth looking ahead.
    pub turns: u8,
    holds_for_many: bool,
    draws: bool,
    after: FxHashMap<(Key, u8), Bound>,
    before: FxHashMap<(Key, u8), Bound>,
    /// When the time is up, and whether it is. A turn with many draws can have millions of decisions: from then on what
    /// is not known counts as no loss. Less loss on every way is a bound, too.
    end: Option<Instant>,
    late: bool,
    looks: u64,
}

/// Decisions between two looks at the clock.
const LOOKS: u64 = 64;

impl Bounds {
    pub(crate) fn new(rules: &crate::rules::Rules, turns: u8) -> Self {
        let has = |found: fn(&Effect) -> bool| rules.cards.iter().any(|card| card.data().effects.iter().any(found));
        let unbound = rules.losses_help()
            || rules.has(Relic::GremlinHorn)
            || has(|effect| {
                matches!(effect, Effect::Gain(Power::Rupture, _) | Effect::HitRandom(..) | Effect::PlayTop)
            });
        let draws = has(|effect| {
            matches!(
                effect,
                Effect::Draw(_)
                    | Effect::PlayTop
                    | Effect::RandomAttack
                    | Effect::IfVulnerable
                    | Effect::Gain(Power::DarkEmbrace | Power::Evolve | Power::Brutality, _)
            )
        }) || [Relic::BagOfPreparation, Relic::CentennialPuzzle, Relic::GremlinHorn, Relic::InkBottle]
            .into_iter()
            .any(|relic| rules.has(relic))
            || rules.potions.iter().any(|potion| potion.data().name == "swift");
        // With cards that draw, the second turn costs more than it saves.
        let turns = if draws { turns.min(1) } else { turns };
        Self {
            turns,
            holds_for_many: !unbound,
            draws,
            after: FxHashMap::default(),
            before: FxHashMap::default(),
            end: None,
            late: false,
            looks: 0,
        }
    }

    /// The bound of a position, from this many turns, but no more than are worth looking ahead.
    pub(crate) fn of(&mut self, transitions: &mut Transitions<'_>, key: Key, turns: u8) -> Bound {
        let enemies = transitions.parts.standing(key.enemies);
        let enemies: Vec<_> = enemies.into_iter().flatten().collect();
        if enemies.len() > 1 && !self.holds_for_many {
            return Bound::NONE;
        }
        let mut sum = Bound { least: 0.0, most: 0.0 };
        for (place, enemy) in enemies.iter().enumerate() {
            let others_add = enemies.iter().enumerate().any(|(other, enemy)| other != place && adds_cards(enemy.kind));
            // Alone, a Shield Gremlin would attack instead of guarding others.
            if (enemy.kind.splits() || enemy.kind == Kind::ShieldGremlin) && enemies.len() > 1 {
                continue;
            }
            let turns = if others_add { turns.min(self.undisturbed(transitions, key)) } else { turns };
            let alone = self.after(transitions, key.alone(place), turns);
            sum.least += alone.least;
            sum.most += alone.most;
        }
        Bound { least: sum.least * SAFE, most: sum.most.max(1.0) }
    }

    /// Ends at this time, if it is limited.
    pub(crate) fn end_at(&mut self, end: Option<Instant>) {
        (self.end, self.late) = (end, false);
    }

    /// Whether there is no more time.
    fn is_late(&mut self) -> bool {
        self.looks += 1;
        if !self.late && self.looks.is_multiple_of(LOOKS) {
            self.late = self.end.is_some_and(|end| Instant::now() >= end);
        }
        self.late
    }

    /// How many turns can be played before a card that is added now could be drawn.
    fn undisturbed(&self, transitions: &Transitions<'_>, key: Key) -> u8 {
        let state = transitions.state(key);
        let known = u32::try_from(state.known()).unwrap_or(0);
        let (draw, discard) = (state.draw.len() + known, state.discard.len());
        let two = draw >= 10 || (draw < 5 && draw + discard >= 10);
        if two && !self.draws { 2 } else { 1 }
    }

    fn after(&mut self, transitions: &mut Transitions<'_>, key: Key, turns: u8) -> Bound {
        if turns == 0 {
            return Bound::NOTHING;
        }
        if let Some(known) = self.after.get(&(key, turns)) {
            return *known;
        }
        let rolls = transitions.rolls(key);
        let sum = Bound::mean(
            rolls.iter().map(|(chance, rolled)| (chance.as_f64(), self.before(transitions, *rolled, turns))),
        );
        self.after.insert((key, turns), sum);
        sum
    }

    fn before(&mut self, transitions: &mut Transitions<'_>, key: Key, turns: u8) -> Bound {
        if let Some(known) = self.before.get(&(key, turns)) {
            return *known;
        }
        if self.is_late() {
            return Bound::NOTHING;
        }
        let state = transitions.state(key);
        let mut known = FxHashMap::default();
        let draws = transitions.rules.start_turn(&state);
        let sum = Bound::mean(
            draws.iter().map(|(chance, drawn)| (chance.as_f64(), self.decision(transitions, drawn, turns, &mut known))),
        );
        self.before.insert((key, turns), sum);
        sum
    }

    /// The bound of a position within a turn. Outcomes of chance no longer depend on the piles: each hand is evaluated
    /// once.
    fn decision(
        &mut self,
        transitions: &mut Transitions<'_>,
        state: &State,
        turns: u8,
        known: &mut FxHashMap<State, Bound>,
    ) -> Bound {
        if state.is_over() {
            return Bound::NOTHING;
        }
        if let Some(bound) = known.get(state) {
            return *bound;
        }
        if self.is_late() {
            return Bound::NOTHING;
        }
        let bound = if state.ended || transitions.rules.is_closed(state) {
            let glimpse = transitions.glimpse(state);
            if turns == 1 {
                *glimpse.turn.lost.get_or_init(|| self.point(transitions, &glimpse, 0, turns))
            } else {
                self.point(transitions, &glimpse, 0, turns)
            }
        } else {
            let decided = transitions.glimpse_decision(state);
            let mut best = Best::NONE;
            let ends = decided.ends(&mut transitions.parts).map(|(end, to)| (end.change, to.filter(|_| turns > 1)));
            for (change, next) in ends.collect::<Vec<_>>() {
                best.take(self.end(transitions, change, next, turns));
            }
            for items in &decided.chances {
                let later: Vec<(f64, Bound)> = items
                    .iter()
                    .map(|(chance, state)| (chance.as_f64(), self.decision(transitions, state, turns, known)))
                    .collect();
                best.take(Bound::mean(later));
            }
            best.0
        };
        known.insert(*state, bound);
        bound
    }

    fn point(&mut self, transitions: &mut Transitions<'_>, glimpse: &Opened, index: usize, turns: u8) -> Bound {
        let (ends, chances) = &glimpse.turn.points[index];
        let mut best = Best::NONE;
        for end in ends {
            let next = if turns > 1 { glimpse.end(&mut transitions.parts, end) } else { None };
            best.take(self.end(transitions, end.change, next, turns));
        }
        for items in chances {
            let bounds: Vec<(f64, Bound)> = items
                .iter()
                .map(|(chance, point)| (chance.as_f64(), self.point(transitions, glimpse, *point, turns)))
                .collect();
            best.take(Bound::mean(bounds));
        }
        best.0
    }

    /// The bound of the end of a turn.
    fn end(&mut self, transitions: &mut Transitions<'_>, change: Change, next: Option<Key>, turns: u8) -> Bound {
        let lost = f64::from(-change.delta);
        let later = next.map_or(Bound::NOTHING, |key| self.after(transitions, key, turns - 1));
        Bound { least: lost + later.least, most: lost + later.most }
    }
}

/// The bound of a choice: the least mean loss, and the largest loss in any case.
struct Best(Bound);

impl Best {
    const NONE: Self = Self(Bound { least: f64::INFINITY, most: 0.0 });

    fn take(&mut self, choice: Bound) {
        self.0.least = self.0.least.min(choice.least);
        self.0.most = self.0.most.max(choice.most);
    }
}
