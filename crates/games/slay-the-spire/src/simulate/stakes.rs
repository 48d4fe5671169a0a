//! The value of luck: how much more or less a fight costs after a roll or a draw than on average.
//!
//! Any weights are valid: without foresight the luck of a fight has mean 0 (a martingale). Better weights remove more
//! variance.

use std::rc::Rc;

use crate::data::enemy::Kind;
use crate::rules::Rules;
use crate::rules::fate::Luck;
use crate::rules::state::{Enemy, State};

/// Moves of an enemy that are distinguished.
const MOVES: usize = 8;
/// Kinds of enemies that are distinguished.
const KINDS: usize = 6;
/// Weights other than those of the cards: the coming damage, and moves.
const ROLLS: usize = 1 + KINDS * MOVES;
/// The most of each value that counts: larger differences could not be distinguished from noise with few samples.
const MOST: f64 = 12.0;

/// The value of luck.
#[derive(Clone, Debug)]
pub(crate) struct Stakes {
    kinds: Vec<Kind>,
    weights: Vec<f64>,
    cards: usize,
}

/// The coming damage, in tens.
fn damage(rules: &Rules, state: &State, enemy: &Enemy) -> f64 {
    rules.attack_of(state, enemy).map_or(0.0, |(damage, times)| f64::from(damage) * f64::from(times) / 10.0)
}

impl Stakes {
    /// Luck counts for nothing.
    pub(crate) fn none(rules: &Rules) -> Self {
        Self { kinds: Vec::new(), weights: Vec::new(), cards: rules.cards.len() }
    }

    /// The same fight with weights.
    pub(crate) fn with_weights(self, weights: Vec<f64>) -> Self {
        let weights = weights.into_iter().map(|weight| weight.clamp(-MOST, MOST));
        Self { weights: weights.collect(), ..self }
    }

    /// Weights that distinguish these kinds of enemies.
    pub(crate) fn distinguishing(rules: &Rules, kinds: &[Kind]) -> Self {
        let mut all = kinds.to_vec();
        all.sort_unstable();
        all.dedup();
        all.truncate(KINDS);
        Self { kinds: all, ..Self::none(rules) }
    }

    /// The number of weights: of rolls, of each card drawn at the start of a turn, of it times the coming damage, and
    /// of each drawn later.
    pub(crate) fn width(&self) -> usize {
        ROLLS + 3 * self.cards
    }

    fn move_at(&self, enemy: &Enemy) -> Option<usize> {
        let kind = self.kinds.iter().position(|kind| *kind == enemy.kind)?;
        (usize::from(enemy.intent) < MOVES).then_some(1 + kind * MOVES + usize::from(enemy.intent))
    }

    /// The difference of the rolled moves from the mean, for each feature.
    pub(crate) fn roll_features(&self, rules: &Rules, before: &State, rolled: &State) -> Vec<f64> {
        let mut features = vec![0.0; self.width()];
        for (place, (enemy, next)) in before.enemies.iter().zip(&rolled.enemies).enumerate() {
            let (Some(enemy), Some(next)) = (enemy, next) else { continue };
            let mut add = |enemy: &Enemy, share: f64| {
                features[0] += share * damage(rules, before, enemy);
                if let Some(at) = self.move_at(enemy) {
                    features[at] += share;
                }
            };
            add(next, 1.0);
            for (chance, other) in rules.intents(enemy, place) {
                add(&other, -chance.as_f64());
            }
        }
        features
    }

    /// Counts the moves that were rolled.
    pub(crate) fn count_roll(&self, rules: &Rules, before: &State, rolled: &State, luck: &mut Luck) {
        if self.weights.is_empty() {
            return;
        }
        let worth = |enemy: &Enemy| {
            self.weights[0] * damage(rules, before, enemy) + self.move_at(enemy).map_or(0.0, |at| self.weights[at])
        };
        for (place, (enemy, next)) in before.enemies.iter().zip(&rolled.enemies).enumerate() {
            let (Some(enemy), Some(next)) = (enemy, next) else { continue };
            let (mut mean, mut least, mut most) = (0.0, f64::INFINITY, f64::NEG_INFINITY);
            for (chance, other) in rules.intents(enemy, place) {
                let own = worth(&other);
                mean += chance.as_f64() * own;
                (least, most) = (own.min(least), own.max(most));
            }
            luck.count(worth(next), mean, (least, most));
        }
    }

    /// The damage that all enemies intend, in tens.
    pub(crate) fn damage_to_come(rules: &Rules, state: &State) -> f64 {
        state.living().map(|enemy| damage(rules, state, enemy)).sum()
    }

    /// The value of each card drawn at the start of a turn with this coming damage.
    pub(crate) fn at_start(&self, damage: f64) -> Option<Rc<[f64]>> {
        let weights = self.weights.get(ROLLS..)?;
        Some((0..self.cards).map(|slot| weights[slot] + damage * weights[self.cards + slot]).collect())
    }

    /// The value of each card drawn later in a turn.
    pub(crate) fn later(&self) -> Option<Rc<[f64]>> {
        Some(self.weights.get(ROLLS + 2 * self.cards..)?.into())
    }

    /// The draws of a turn as features: at its start, with this coming damage, and later.
    pub(crate) fn add_draws(&self, features: &mut [f64], damage: f64, at_start: &[f64], later: &[f64]) {
        for slot in 0..self.cards.min(at_start.len()) {
            features[ROLLS + slot] += at_start[slot];
            features[ROLLS + self.cards + slot] += damage * at_start[slot];
            features[ROLLS + 2 * self.cards + slot] += later.get(slot).copied().unwrap_or(0.0);
        }
    }
}
