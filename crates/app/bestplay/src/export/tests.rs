use super::*;
use mdp::{ModelBuilder, SolveOptions, ratio, solve};

#[test]
fn the_expected_payoff_is_the_expected_total() {
    // Toss a coin: a quarter, or toss a die of three sides for 2 or nothing, at a gain of 1/2.
    let mut builder = ModelBuilder::new();
    let (coin, die) = (builder.weights(&[1, 1]).unwrap(), builder.weights(&[1, 2]).unwrap());
    builder.choice(coin, &[1, 2]).unwrap();
    builder.finish_state().unwrap();
    builder.reward(&ratio(1, 2)).unwrap();
    builder.choice(die, &[3, 4]).unwrap();
    builder.choice(coin, &[2, 4]).unwrap();
    builder.finish_state().unwrap();
    builder.finished(&[ratio(1, 4)]).unwrap();
    builder.finished(&[ratio(2, 1)]).unwrap();
    builder.finished(&[Rational::ZERO]).unwrap();
    let built = builder.build(None).unwrap();
    let value = solve(&built.model, &SolveOptions::exact()).unwrap().value(built.number_of(0)).exact.unwrap();
    assert_eq!(value, ratio(17, 24));

    let either = Distribution::uniform([built.number_of(0), built.number_of(2)]).unwrap();
    let starts = [Distribution::certain(built.number_of(0)), either];
    let model = explicit_model(&built.model, &starts, |_, choice| Some(format!("choice {choice}")), &Budget::default())
        .unwrap();
    assert_eq!((model.states(), model.choice_count(), model.initial().len()), (7, 8, 2));
    assert_eq!(model.label("final").unwrap().len(), 3);
    assert!(model.label("goal").is_none());
    assert_eq!(model.action(0).map(|name| name.starts_with("choice ")), Some(true));
    // By hand, backwards: payoffs, then the die, then the coin.
    let payoff = model.reward("payoff").unwrap();
    let mut values = vec![None; model.states() as usize];
    values[6] = Some(Rational::ZERO);
    while values.contains(&None) {
        for state in 0..model.states() - 1 {
            let worth = |choice: u32| {
                let earned = payoff.of_state(state) + payoff.of_choice(choice);
                model
                    .probabilities(choice)
                    .try_fold(earned, |sum, (target, p)| Some(sum + p * values[target as usize].clone()?))
            };
            let worths: Option<Vec<Rational>> = model.choices(state).map(worth).collect();
            values[state as usize] = worths.and_then(|worths| worths.into_iter().max());
        }
    }
    assert_eq!(values[built.number_of(0) as usize], Some(ratio(17, 24)));
    assert_eq!(values[5], Some(ratio(23, 48)));
}

#[test]
fn fields_with_commas_are_quoted() {
    assert_eq!(quoted("a \"b\", c"), "\"a \"\"b\"\", c\"");
    assert_eq!(quoted("plain"), "plain");
}
