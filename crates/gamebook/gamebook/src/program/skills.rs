//! Heroes who differ in COMBAT SKILL only, told together.
//!
//! Nothing but how fights go depends on COMBAT SKILL. So what can come of a chance in a fight is told for all of them at once,
//! with weights that have a [meaning](Meaning) of their own: from them and the number of the meaning can be read how likely
//! each outcome is for each hero, also where the engine has added weights up because several outcomes lead to the same. Any
//! other chance is the same for all of them, and its weights mean what they always do.
//! - *A round* ([`ROUND_MEANING`]): a weight counts for each hero how many of the ten numbers it stands for, a digit for each.
//! - *A fight to the end* has a meaning to itself: a weight is a set of its endings, a bit for each.

use std::sync::{PoisonError, RwLock};

use dashu_int::UBig;
use mdp::advanced::{Meaning, WeightSlice, WeightTable};
use mdp::{Distribution, SharedWeights, Weight, WeightsId};

/// What the weights of a round mean. Fights follow it.
pub(crate) const ROUND_MEANING: Meaning = Meaning::Own(0);
/// The most heroes with different COMBAT SKILLs who are told together: a round's weight has a digit for each.
pub(crate) const MOST_SKILLS: u8 = 10;
/// The bits of such a digit, which is 10 at most.
const DIGIT: u32 = 4;
/// The most endings of a fight to the end.
const MOST_ENDINGS: usize = 40;

/// How likely what comes of fights is for heroes with more and more COMBAT SKILL.
#[derive(Debug)]
pub(crate) struct Skills {
    count: u8,
    fights: RwLock<Vec<Fight>>,
}

/// For each hero how likely each ending of a fight is.
type Fight = Vec<Vec<f64>>;

/// How likely the outcomes of a model's chances are for each hero: for each of its weight vectors.
pub(crate) type BySkill = Vec<Vec<Vec<f64>>>;

/// What one of the ten numbers of a round weighs for the hero with so many points more.
pub(crate) fn weight_of_number(more: u8) -> u64 {
    1 << (DIGIT * u32::from(more))
}

impl Skills {
    /// So many heroes, each with a point more than the one before.
    pub(crate) fn new(count: u8) -> Self {
        Self { count: count.clamp(1, MOST_SKILLS), fights: RwLock::default() }
    }

    /// How many heroes they are.
    pub(crate) fn count(&self) -> u8 {
        self.count
    }

    /// Weights for a fight of which is known how likely each ending is for each hero; nothing where it has too many endings.
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

    /// How likely the outcomes of a model's chances are for each hero; nothing where that cannot be read from them.
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

/// How likely the outcomes of a chance are for the hero with so many points more; nothing where that cannot be read.
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

/// How likely an outcome with this weight of so many is: off by three roundings at most.
pub(crate) fn chance(weight: &UBig, total: &UBig) -> f64 {
    weight.to_f64().value() / total.to_f64().value()
}

#[cfg(test)]
mod tests;
