//! The figures of the talk's program, which an independent program confirms.

use std::collections::BTreeMap;

use mdp::{ExploreOptions, Rational, nearest};
use serde::{Deserialize, Deserializer};
use slay_the_spire::{Objective, Pile, Play, Position, Record, Setup, advise, odds, replay};

#[derive(Deserialize)]
struct Reference {
    fights: Vec<Fight>,
    positions: Vec<Known>,
}

#[derive(Deserialize)]
struct Fight {
    setup: Setup,
    #[serde(deserialize_with = "rational")]
    value: Rational,
    decimal: f64,
    #[serde(deserialize_with = "rational")]
    survival: Rational,
    final_health: BTreeMap<u16, String>,
}

#[derive(Deserialize)]
struct Known {
    position: Position,
    #[serde(deserialize_with = "rational")]
    value: Rational,
    plays: Vec<KnownPlay>,
}

#[derive(Deserialize)]
struct KnownPlay {
    cards: Pile,
    #[serde(deserialize_with = "rational")]
    value: Rational,
}

fn rational<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rational, D::Error> {
    Ok(String::deserialize(deserializer)?.parse().unwrap())
}

fn reference() -> Reference {
    serde_json::from_str(include_str!("../data/reference.json")).unwrap()
}

fn pile(play: &Play) -> Pile {
    let counted = play.cards.iter().fold(BTreeMap::new(), |mut counts, card| {
        *counts.entry(card.name()).or_insert(0) += 1;
        counts
    });
    serde_json::from_value(serde_json::to_value(counted).unwrap()).unwrap()
}

#[test]
fn fights() {
    for fight in reference().fights {
        let odds = odds(&fight.setup, Objective::Health, &ExploreOptions::default()).unwrap();
        assert_eq!(odds.worth.health, fight.value, "{:?}", fight.setup);
        assert_eq!(nearest(&odds.worth.health).to_bits(), fight.decimal.to_bits());
        assert_eq!(odds.worth.survival, fight.survival);
        let expected: Vec<(u16, Rational)> =
            fight.final_health.into_iter().map(|(health, p)| (health, p.parse().unwrap())).collect();
        assert_eq!(odds.final_health, expected, "{:?}", fight.setup);
        // Who plays for survival first can reach as much health here, since survival is certain.
        let survival = slay_the_spire::odds(&fight.setup, Objective::Survival, &ExploreOptions::default()).unwrap();
        assert_eq!(survival.worth, odds.worth);
    }
}

#[test]
fn a_fight_is_worth_the_mean_over_the_cultists_healths() {
    let reference = reference();
    let whole = odds(&Setup::default(), Objective::Health, &ExploreOptions::default()).unwrap();
    for fight in reference.fights.iter().filter(|fight| fight.setup.hp == 68) {
        let mut healths = fight.setup.cultist_hp.iter();
        if let (Some(health), None) = (healths.next(), healths.next()) {
            let (_, worth) = whole.by_cultist_hp.iter().find(|(other, _)| *other == health).unwrap();
            assert_eq!(worth.health, fight.value);
        }
    }
    let sum = whole.by_cultist_hp.iter().fold(Rational::ZERO, |sum, (_, worth)| sum + &worth.health);
    assert_eq!(sum / Rational::from(7), whole.worth.health);
}

/// The table in the talk's appendix.
#[test]
fn every_health_of_the_cultist() {
    let whole = odds(&Setup::default(), Objective::Health, &ExploreOptions::default()).unwrap();
    let found: Vec<(u16, f64)> = whole.by_cultist_hp.iter().map(|(hp, worth)| (*hp, nearest(&worth.health))).collect();
    let expected = [
        (50, 64.902_517_099_512_56),
        (51, 64.472_342_404_173_47),
        (52, 64.472_342_404_173_47),
        (53, 64.291_589_622_060_14),
        (54, 62.511_362_804_701_804),
        (55, 62.158_136_120_409_36),
        (56, 62.025_455_314_400_894),
    ];
    assert_eq!(found, expected);
}

#[test]
fn every_play_of_two_positions() {
    for known in reference().positions {
        let plays = advise(&known.position, Objective::Health, &ExploreOptions::default()).unwrap();
        assert_eq!(plays[0].worth.health, known.value);
        assert!(plays.is_sorted_by(|a, b| a.worth.health >= b.worth.health));
        let mut found: Vec<(Pile, Rational)> =
            plays.iter().map(|play| (pile(play), play.worth.health.clone())).collect();
        let mut expected: Vec<(Pile, Rational)> =
            known.plays.into_iter().map(|play| (play.cards, play.value)).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
    }
}

/// The talk's fun numbers: every step of its fight. Its plays are best plays.
#[test]
fn the_fight_of_the_talk() {
    let record: Record = serde_json::from_str(include_str!("../../examples/talk.json")).unwrap();
    let steps = replay(&record, Objective::Health, &ExploreOptions::default()).unwrap();
    let values: Vec<String> = steps.iter().map(|step| format!("{:.3}", nearest(&step.worth.health))).collect();
    assert_eq!(
        values,
        ["63.548", "64.292", "65.696", "65.696", "66.317", "66.317", "66.000", "66.000", "66.000", "66.000"]
    );
}
