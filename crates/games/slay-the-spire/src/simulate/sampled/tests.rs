use budget::Budget;

use super::{Sampled, Side, Simulating, mean};
use crate::answers::simulate::Fight;
use crate::rules::setup::{Foe, Hero};
use crate::search::payoff::Objective;

const FEW: Simulating = Simulating { seed: 3, precision: None, samples: Some(200), training: 150, error: 1e-4 };

fn fight(cards: &[&str], enemy: &str) -> Fight {
    let mut hero = Hero::new(0);
    hero.deck.extend(cards.iter().map(|card| card.parse::<crate::Card>().unwrap()));
    Fight::new(&hero, &[Foe::of(enemy.parse().unwrap(), 0)], 60, Objective::Health).unwrap()
}

fn sampled(fight: &Fight) -> Sampled<'_> {
    let mut sampled = fight.sampled(60, FEW);
    sampled.train(&Budget::unlimited()).unwrap();
    for side in [Side::Below, Side::Above] {
        while !sampled.is_full(side) {
            sampled.sample(side, &Budget::unlimited()).unwrap();
        }
    }
    sampled
}

#[test]
fn the_same_samples_give_the_same_answer() {
    let fight = fight(&["pommel-strike"], "blue-slaver");
    let (one, other) = (sampled(&fight), sampled(&fight));
    assert_eq!(one.plays, other.plays);
    assert_eq!(one.worlds, other.worlds);
    assert_eq!((one.count(Side::Below), one.count(Side::Above)), (200, 200));
}

#[test]
fn foresight_is_no_worse_in_any_world() {
    for (cards, enemy) in [(&["pommel-strike", "battle-trance"][..], "blue-slaver"), (&["inflame"], "gremlin-nob")] {
        let fight = fight(cards, enemy);
        let sampled = sampled(&fight);
        for nth in 0..200 {
            assert!(sampled.play(nth).0 <= sampled.worlds[usize::try_from(nth).unwrap()], "{enemy}: {nth}");
        }
    }
}

/// The luck of a fight is 0 on average, and explains some of the variance of fights.
#[test]
fn luck_is_fair() {
    for (cards, enemy) in [(&["pommel-strike", "battle-trance"][..], "blue-slaver"), (&["inflame"], "jaw-worm")] {
        let fight = fight(cards, enemy);
        let mut sampled = fight.sampled(60, FEW);
        sampled.train(&Budget::unlimited()).unwrap();
        let (values, less): (Vec<f64>, Vec<f64>) = (0..1_000).map(|nth| sampled.play(nth)).unzip();
        let spread = |all: &[f64]| mean(&all.iter().map(|own| (own - mean(all)).powi(2)).collect::<Vec<_>>()).sqrt();
        let luck: Vec<f64> = values.iter().zip(&less).map(|(value, less)| value - less).collect();
        assert!(spread(&luck) > 0.3, "{enemy}: {}", spread(&luck));
        assert!(
            mean(&luck).abs() < 4.0 * spread(&luck) / 1_000f64.sqrt(),
            "{enemy}: {} of {}",
            mean(&luck),
            spread(&luck)
        );
        assert!(spread(&less) < spread(&values), "{enemy}");
    }
}
