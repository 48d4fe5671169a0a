//! Weights that many states share: the same model as when every state records them anew.

use dashu_int::UBig;
use mdp::{
    Distribution, ExploreError, ExploreOptions, Game, SharedWeights, SolveOptions, StateSpace, Turn, Weight, explore,
    solve,
};

/// Walks along a line by steps drawn from one of several distributions, to the far end or beyond the near one.
struct Walk {
    steps: Vec<(Distribution<i32>, SharedWeights)>,
    shared: bool,
    /// States that count as one.
    blur: i32,
    missing: bool,
}

impl Walk {
    fn new(shared: bool, blur: i32) -> Self {
        let large = |power: usize| UBig::from(3u8).pow(power) << 40;
        let steps = (1..4usize).map(|number| {
            let weights = (0..30)
                .zip(0..)
                .map(|(step, place)| (step - 4, Weight(large(number * 7 + place) + UBig::from(number))));
            let distribution = Distribution::weighted(weights).expect("positive");
            let weights = distribution.shared_weights();
            (distribution, weights)
        });
        Self { steps: steps.collect(), shared, blur, missing: false }
    }
}

impl Game for Walk {
    type State = i32;
    type Action = ();

    fn starts(&self) -> Vec<Distribution<i32>> {
        vec![Distribution::certain(20)]
    }

    fn rules(&self, state: &i32, turn: &mut Turn<i32>) {
        if !(1..100).contains(state) {
            return turn.end(u8::from(*state >= 100));
        }
        for (steps, weights) in &self.steps {
            let next = |step: i32| ((state + step) / self.blur * self.blur).clamp(0, 100);
            if self.shared {
                let missing = usize::from(self.missing);
                turn.chance_with(weights, steps.iter().skip(missing).map(|(step, _)| next(*step)));
            } else {
                turn.chance_from(&steps.map(|step| next(*step)));
            }
        }
    }
}

fn explored(walk: &Walk, threads: usize) -> StateSpace<i32> {
    explore(walk, &ExploreOptions::default().with_threads(threads)).expect("small")
}

fn is_the_same_model(blur: i32) {
    let plain = explored(&Walk::new(false, blur), 1);
    let value = |space: &StateSpace<i32>| {
        let solution = solve(space.model(), &SolveOptions::exact()).expect("solvable");
        solution.value_of(&space.starts()[0]).exact
    };
    let right = value(&plain);
    for threads in [1, 2] {
        let shared = explored(&Walk::new(true, blur), threads);
        assert_eq!(shared.states(), plain.states());
        assert_eq!(shared.model().counts(), plain.model().counts());
        assert_eq!(shared.model().weights().vectors(), plain.model().weights().vectors());
        assert_eq!(value(&shared), right);
    }
}

#[test]
fn the_same_model() {
    is_the_same_model(1);
}

#[test]
fn the_same_model_where_several_outcomes_are_one_state() {
    is_the_same_model(3);
}

#[test]
fn an_outcome_is_missing() {
    let walk = Walk { missing: true, ..Walk::new(true, 1) };
    for threads in [1, 2] {
        let found = explore(&walk, &ExploreOptions::default().with_threads(threads));
        assert_eq!(found.err(), Some(ExploreError::UnequalOutcomes { state: "20".into() }));
    }
}
