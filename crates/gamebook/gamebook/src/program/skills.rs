//! Heroes who differ only in COMBAT SKILL, solved together.
//!
//! Only the course of fights depends on COMBAT SKILL. The outcomes of a chance in a fight are therefore recorded for all heroes
//! at once, with weights that carry a [meaning](Meaning): weight and meaning give the probability of the outcome for each hero,
//! even after the engine has added the weights of equal outcomes. All other chances are the same for all heroes and have
//! ordinary weights.
//! - *A round* ([`ROUND_MEANING`]): a weight counts for each hero how many of the ten numbers it stands for, one digit per
//!   hero.
//! - *A fight to the end* has a meaning of its own: a weight is a set of its endings, one bit each.

use std::sync::{PoisonError, RwLock};

use dashu_int::UBig;
use mdp::advanced::{Meaning, WeightSlice, WeightTable};
use mdp::{Distribution, SharedWeights, Weight, WeightsId};

/// The meaning of the weights of a round. Those of fights follow it.
pub(crate) const ROUND_MEANING: Meaning = Meaning::Own(0);
/// The most heroes with different COMBAT SKILLs that are solved together: a round's weight has a digit for each.
pub(crate) const MOST_SKILLS: u8 = 10;
/// The bits of such a digit, which is at most 10.
const DIGIT: u32 = 4;
/// The most endings of a fight to the end.
const MOST_ENDINGS: usize = 40;

/// The probabilities of fights for heroes with increasing COMBAT SKILL.
#[derive(Debug)]
pub(crate) struct Skills {
    count: u8,
    fights: RwLock<Vec<Fight>>,
}

/// For each hero the probability of each ending of a fight.
type Fight = Vec<Vec<f64>>;

/// For each hero the probabilities of outcomes, for each weight vector of a model.
pub(crate) type BySkill = Vec<Vec<Vec<f64>>>;

/// The weight of one of the ten numbers of a round for the hero with this much more COMBAT SKILL.
pub(crate) fn weight_of_number(more: u8) -> u64 {
    1 << (DIGIT * u32::from(more))
}

impl Skills {
    /// This many heroes, in steps of one point.
    pub(crate) fn new(count: u8) -> Self {
        Self { count: count.clamp(1, MOST_SKILLS), fights: RwLock::default() }
    }

    /// The number of heroes.
    pub(crate) fn count(&self) -> u8 {
        self.count
    }

    /// Weights for a fight from the probability of each ending for each hero; `None` if it has too many endings.
    pub(crate) fn fight(&self, chances: Fight) -> Option<SharedWeights> {
        let endings = chances.first().map_or(0, Vec::len);
        if endings > MOST_ENDINGS {
            return None;
        }
        let bits = Distribution::weighted((0..endings).map(|ending| (ending, Weight(1u64 << ending)))).ok()?;
        let mut fights = self.fights.write().unwrap_or_else(PoisonError::into_inner);
        fights.push(chances);
        let number = u32::try_from(fights.len()).ok()?;
        Some(bits.shared_weights().with_meaning(Meaning::Own(number)))
    }

    /// The probabilities of a model's outcomes for each hero; `None` if the weights do not determine them.
    pub(crate) fn chances(&self, weights: &WeightTable) -> Option<BySkill> {
        let fights = self.fights.read().unwrap_or_else(PoisonError::into_inner);
        let mut by_skill: BySkill = vec![Vec::with_capacity(weights.vectors()); usize::from(self.count)];
        for id in (0..).take(weights.vectors()) {
            for (more, all) in (0..).zip(&mut by_skill) {
                all.push(chances_of(weights, id, more, &fights)?);
            }
        }
        Some(by_skill)
    }
}

/// The probabilities of a chance's outcomes for the hero with this much more COMBAT SKILL; `None` if the weights do not determine them.
fn chances_of(weights: &WeightTable, id: WeightsId, more: u8, fights: &[Fight]) -> Option<Vec<f64>> {
    let meaning = weights.meaning(id);
    let Meaning::Own(number) = meaning else { return Some(weights.probabilities(id).to_vec()) };
    let WeightSlice::Small(own, _) = weights.weights(id) else { return None };
    if meaning == ROUND_MEANING {
        let numbers = |weight: &u64| weight >> (DIGIT * u32::from(more)) & ((1 << DIGIT) - 1);
        let chance = |weight| f64::from(u8::try_from(numbers(weight)).unwrap_or(u8::MAX)) / 10.0;
        return Some(own.iter().map(chance).collect());
    }
    let fight = fights.get(usize::try_from(number).ok()?.checked_sub(1)?)?.get(usize::from(more))?;
    let chance = |weight: &u64| {
        let among = fight.iter().enumerate().filter(|(ending, _)| weight >> ending & 1 == 1);
        among.map(|(_, chance)| chance).sum()
    };
    Some(own.iter().map(chance).collect())
}

/// The probability of an outcome with this weight of a total: off by at most three roundings.
pub(crate) fn chance(weight: &UBig, total: &UBig) -> f64 {
    weight.to_f64().value() / total.to_f64().value()
}

#[cfg(test)]
mod tests;
