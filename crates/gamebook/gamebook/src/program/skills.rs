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
mod tests {
    use mdp::{ExploreOptions, Game, Turn, explore};

    use super::*;

    /// One chance: outcomes that lead to states, which are over.
    struct OneChance(Vec<(u8, u64)>, Meaning);

    impl Game for OneChance {
        type State = u8;
        type Action = ();

        fn starts(&self) -> Vec<Distribution<u8>> {
            vec![Distribution::certain(0)]
        }

        fn rules(&self, state: &u8, turn: &mut Turn<u8>) {
            match state {
                0 => turn.meaning(self.1).chance(self.0.iter().map(|(next, weight)| (*next, Weight(*weight)))),
                state => turn.end(i32::from(*state)),
            }
        }
    }

    /// For each hero how likely the states are to which a chance leads.
    fn read(skills: &Skills, outcomes: &[(u8, u64)], meaning: Meaning) -> Vec<Vec<f64>> {
        let space = explore(&OneChance(outcomes.to_vec(), meaning), &ExploreOptions::default()).unwrap();
        let model = space.model();
        let chance = model.choices(space.starts()[0].iter().next().map(|(state, _)| *state).unwrap()).next().unwrap();
        let by_skill = skills.chances(model.weights()).unwrap();
        by_skill.into_iter().map(|own| own[chance.weights as usize].clone()).collect()
    }

    #[test]
    fn rounds_are_read_hero_by_hero() {
        for count in 1..=MOST_SKILLS {
            let skills = Skills::new(count);
            // The hero with `more` points more comes to the first state with `more` numbers of ten.
            let numbers = (0..count).flat_map(|more| (0..10).map(move |number| (more, number)));
            let outcomes: Vec<(u8, u64)> =
                numbers.map(|(more, number)| (if number < more { 1 } else { 2 }, weight_of_number(more))).collect();
            let chances = read(&skills, &outcomes, ROUND_MEANING);
            assert_eq!(chances.len(), usize::from(count));
            for (more, own) in (0u8..).zip(chances) {
                let expected = [f64::from(more) / 10.0, f64::from(10 - more) / 10.0];
                // The state that comes up first stands first; alone it is certain.
                let expected = if count == 1 { vec![1.0] } else { vec![expected[1], expected[0]] };
                assert_eq!(own, expected);
            }
        }
    }

    /// Whatever the weights of a chance are, also those of rounds and fights, it is the same for all.
    #[test]
    fn a_chance_is_the_same_for_all() {
        let skills = Skills::new(2);
        skills.fight(vec![vec![0.5, 0.5], vec![0.25, 0.75]]).unwrap();
        for total in 2..2000u32 {
            for chances in read(&skills, &[(1, 1), (2, u64::from(total) - 1)], Meaning::Chance) {
                assert!((chances[0] * f64::from(total) - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn fights_say_what_was_added_up() {
        let skills = Skills::new(2);
        let first = skills.fight(vec![vec![0.5, 0.25, 0.25], vec![0.0, 0.5, 0.5]]).unwrap();
        let second = skills.fight(vec![vec![1.0, 0.0, 0.0], vec![0.0, 0.0, 1.0]]).unwrap();
        assert_ne!(first, second);
        let leads = |weights: &SharedWeights, to: [u8; 3]| {
            let numbers = weights.weights().iter().map(|weight| u64::try_from(weight).unwrap());
            read(&skills, &to.into_iter().zip(numbers).collect::<Vec<_>>(), weights.meaning())
        };
        assert_eq!(leads(&first, [1, 2, 1]), [[0.75, 0.25], [0.5, 0.5]]);
        assert_eq!(leads(&second, [1, 2, 1]), [[1.0, 0.0], [1.0, 0.0]]);
        assert_eq!(leads(&second, [1, 2, 2]), [[1.0, 0.0], [0.0, 1.0]]);
    }
}
