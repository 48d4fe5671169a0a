//! An estimate of the remaining cost of a fight, from features of the position between two turns.

use crate::data::power::Power;
use crate::rules::Rules;
use crate::rules::state::{ENEMIES, Enemy, Pile, State};
use crate::search::fallback_policy::{usual_cost, usual_hit};

/// Moves of an enemy that are distinguished.
const MOVES: usize = 8;
/// Features of the whole position.
const WHOLE: usize = 18;
/// Features of each enemy.
const EACH: usize = 6 + MOVES;

/// The remaining cost: the health that will be lost, as a weighted sum of features.
#[derive(Clone, Debug)]
pub(crate) struct Estimate {
    /// Empty before training: then the usual cost.
    weights: Vec<f64>,
    /// The typical error where one health is expected to be lost.
    pub spread: f64,
}

impl Estimate {
    /// The estimate before training.
    pub(crate) const UNTRAINED: Self = Self { weights: Vec::new(), spread: 2.0 };

    /// An estimate with these weights.
    pub(crate) fn by(weights: Vec<f64>) -> Self {
        Self { weights, ..Self::UNTRAINED }
    }

    /// The same with this typical error.
    pub(crate) fn with_spread(self, spread: f64) -> Self {
        Self { spread, ..self }
    }

    /// The remaining cost from a position between two turns on.
    pub(crate) fn cost(&self, rules: &Rules, state: &State) -> f64 {
        if self.weights.is_empty() {
            return usual_cost(rules, state);
        }
        let features = features(rules, state);
        self.weights.iter().zip(&features).map(|(weight, feature)| weight * feature).sum::<f64>().max(0.0)
    }
}

/// The number of features in a fight.
pub(crate) fn width(rules: &Rules) -> usize {
    WHOLE + ENEMIES * EACH + Power::COUNT + 2 * rules.cards.len()
}

/// The features of a position between two turns.
pub(crate) fn features(rules: &Rules, state: &State) -> Vec<f64> {
    let mut all = Vec::with_capacity(width(rules));
    let player = &state.player;
    let usual = usual_cost(rules, state) / 20.0;
    let living = || state.living();
    let health: f64 = living().map(|enemy| f64::from(enemy.health)).sum::<f64>() / 50.0;
    let hits: f64 = living().map(|enemy| usual_hit(enemy, rules.ascension)).sum::<f64>() / 10.0;
    let (strength, dexterity) = (f64::from(player.strength) / 3.0, f64::from(player.dexterity) / 3.0);
    let [vulnerable, weak, frail] =
        [Power::Vulnerable, Power::Weak, Power::Frail].map(|power| f64::from(player.has(power).min(3)));
    let cards = f64::from(state.draw.len());
    all.extend([1.0, usual, usual * usual, health, health * health, hits, hits * health, hits * health * health]);
    all.extend([strength, strength * health, dexterity, dexterity * health, vulnerable, vulnerable * hits]);
    all.extend([weak, frail, f64::from(u8::from(cards < 5.0)), cards / 10.0]);
    for place in 0..ENEMIES {
        let Some(enemy) = state.enemies[place].filter(Enemy::lives) else {
            all.extend([0.0; EACH]);
            continue;
        };
        let own = f64::from(enemy.health);
        let marked = f64::from(enemy.vulnerable.min(3));
        all.extend([1.0, own / 50.0, own.min(12.0) / 12.0, own.min(25.0) / 25.0]);
        all.extend([marked * own.min(30.0) / 30.0, f64::from(enemy.weak.min(3))]);
        all.extend((0..MOVES).map(|intent| f64::from(u8::from(intent == usize::from(enemy.intent)))));
    }
    all.extend(player.powers.iter().map(|amount| f64::from((*amount).min(10)) / 3.0 * health.max(0.2)));
    let mut ahead: Pile = state.unknown();
    state.top.iter().take(state.known()).for_each(|slot| ahead.add(*slot, 1));
    for slot in (0u8..).take(rules.cards.len()) {
        all.extend([&ahead, &state.discard].map(|pile| f64::from(pile.count(slot)) / 5.0));
    }
    all
}
