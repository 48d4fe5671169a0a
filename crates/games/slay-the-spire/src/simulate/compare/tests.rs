use budget::Budget;

use super::{Comparison, Encounter};
use crate::answers::simulate::Fight;
use crate::answers::solve::solve;
use crate::answers::worth::Interval;
use crate::rules::setup::{Foe, Hero};
use crate::search::payoff::Objective;
use crate::simulate::sampled::{Side, Simulating};

/// The gain of each card is within its bounds, and a strong card and a curse are recognised.
#[test]
fn gains_hold_and_cards_are_ranked() {
    let foes = [Foe { health: 30..=31, ..Foe::of("jaw-worm".parse().unwrap(), 0) }];
    let hero = |card: Option<&str>| {
        let mut hero = Hero::new(0);
        hero.deck.extend(card.map(|card| card.parse::<crate::Card>().unwrap()));
        hero
    };
    let heroes = [None, Some("bludgeon"), Some("regret"), Some("strike")].map(hero);
    let value = |hero: &Hero| {
        solve(hero, &foes, &[60], Objective::Health, &Budget::unlimited()).unwrap().worths[0].value.middle()
    };
    let exact = heroes.each_ref().map(value);
    let simulating = Simulating { samples: Some(1_500), training: 150, ..Simulating::default() };
    let fights = heroes.each_ref().map(|hero| Fight::new(hero, &foes, 60, Objective::Health).unwrap());
    let encounter = Encounter {
        share: 1.0,
        sampled: fights.iter().map(|fight| fight.sampled(60, simulating)).collect(),
        proved: vec![Interval { lower: 0.0, upper: 60.0 }; 4],
    };
    let mut comparison = Comparison::new(vec![encounter], 4, 1e-4);
    // Before the first sample nothing is beyond what is possible.
    let before = comparison.compared();
    assert!(before.iter().all(|own| -80.0 <= own.played.lower && own.played.upper <= 80.0), "{before:?}");
    comparison.run(None, &Budget::unlimited()).unwrap();
    assert!(comparison.encounters[0].sampled.iter().all(|own| own.is_full(Side::Below) && own.is_full(Side::Above)));
    let compared = comparison.compared();
    for (own, exact_value) in compared.iter().zip(exact) {
        assert!(own.value.lower <= exact_value && exact_value <= own.value.upper, "{own:?}: {exact_value}");
        let gain = exact_value - exact[0];
        assert!(own.gain.lower <= gain && gain <= own.gain.upper, "{own:?}: {gain}");
    }
    assert_eq!(compared[0].gain, Interval::ZERO);
    assert!(compared[1].rank < compared[2].rank, "{compared:?}");
    assert!(compared[2].played.upper < compared[1].played.lower, "{compared:?}");
    // The difference is narrower than both values together.
    let width = |interval: Interval| interval.width();
    assert!(width(compared[1].gain) < width(compared[1].value) + width(compared[0].value));
}
