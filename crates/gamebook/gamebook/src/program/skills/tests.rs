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
