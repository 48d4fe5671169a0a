//! The figures of the talk's program, which an independent program confirms.

use std::collections::BTreeMap;

use budget::Budget;
use mdp::{Rational, nearest};
use serde::{Deserialize, Deserializer};
use slay_the_spire::{
    Exactness, FightOptions, FightRecord, FightRequest, Objective, PositionFile, Simulating, Worth, advise,
    replay_fight, solve_each_health_of_the_enemy, solve_several,
};

use crate::brute_force::{EXACTLY, Setup, solved};

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
    final_health: BTreeMap<i16, String>,
}

#[derive(Deserialize)]
struct Known {
    position: PositionFile,
    #[serde(deserialize_with = "rational")]
    value: Rational,
    plays: Vec<KnownPlay>,
}

#[derive(Deserialize)]
struct KnownPlay {
    cards: BTreeMap<String, usize>,
    #[serde(deserialize_with = "rational")]
    value: Rational,
}

fn rational<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rational, D::Error> {
    Ok(String::deserialize(deserializer)?.parse().unwrap())
}

fn reference() -> Reference {
    serde_json::from_str(include_str!("../data/reference.json")).unwrap()
}

#[test]
fn fights() {
    for fight in reference().fights {
        let worth = solved(&fight.setup, Objective::Health);
        let value = worth.exact.clone().unwrap();
        assert_eq!(value, fight.value, "{:?}", fight.setup);
        assert_eq!(nearest(&value).to_bits(), fight.decimal.to_bits());
        let ends = worth.exact_ends.unwrap();
        assert_eq!(ends.survival, fight.survival);
        let expected: Vec<(i16, Rational)> =
            fight.final_health.into_iter().map(|(health, p)| (health, p.parse().unwrap())).collect();
        assert_eq!(ends.final_health, expected, "{:?}", fight.setup);
        // Playing for survival first can reach as much health here, since survival is certain.
        let survival = solved(&fight.setup, Objective::Survival).exact_ends.unwrap();
        assert_eq!((survival.survival, survival.expected_health), (ends.survival, ends.expected_health));
    }
}

/// The value of the fight of the talk for each health of the Cultist.
fn by_enemy_health() -> Vec<(u16, Worth)> {
    let request = FightRequest::of_the_talk();
    let (hero, encounters) = (request.hero().unwrap(), request.encounters().unwrap());
    let budget = Budget::unlimited();
    let each = solve_each_health_of_the_enemy(&hero, &encounters, 68, Objective::Health, EXACTLY, &budget);
    each.unwrap().into_iter().map(|(health, solved)| (health, solved.worths[0].clone())).collect()
}

#[test]
fn a_fight_is_worth_the_mean_over_the_cultists_healths() {
    let each = by_enemy_health();
    for fight in reference().fights.iter().filter(|fight| fight.setup.hp == 68) {
        if let Ok(health) = fight.setup.cultist_hp.parse::<u16>() {
            let (_, worth) = each.iter().find(|(other, _)| *other == health).unwrap();
            assert_eq!(worth.exact.as_ref(), Some(&fight.value));
        }
    }
    let sum = each.iter().fold(Rational::ZERO, |sum, (_, worth)| sum + worth.exact.as_ref().unwrap());
    let request = FightRequest::of_the_talk();
    let (hero, encounters) = (request.hero().unwrap(), request.encounters().unwrap());
    let asked = FightOptions { exact: Exactness::Value, ends: false };
    let whole = solve_several(&hero, &encounters, &[68], Objective::Health, asked, &Budget::unlimited()).unwrap();
    assert_eq!(Some(sum / Rational::from(7)), whole.worths[0].exact);
}

/// The table in the talk's appendix.
#[test]
fn every_health_of_the_cultist() {
    let each = by_enemy_health();
    let found: Vec<(u16, f64)> = each.iter().map(|(hp, worth)| (*hp, nearest(worth.exact.as_ref().unwrap()))).collect();
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
        let position = known.position.position().unwrap();
        let advice = advise(&position, Objective::Health, Exactness::Everything, &Budget::unlimited()).unwrap();
        let worth = |worth: &Worth| worth.exact.clone().unwrap();
        assert_eq!(worth(&advice.turns[0].1), known.value);
        assert!(advice.turns.is_sorted_by(|a, b| worth(&a.1) >= worth(&b.1)));
        // The same plays in another order are another turn here: the best of them counts.
        let mut best: BTreeMap<BTreeMap<String, usize>, Rational> = BTreeMap::new();
        for (steps, own) in &advice.turns {
            let mut cards = BTreeMap::new();
            for card in steps.iter().filter_map(|step| step.play.clone()) {
                *cards.entry(card).or_insert(0) += 1;
            }
            let known = best.entry(cards).or_insert_with(|| worth(own));
            *known = known.clone().max(worth(own));
        }
        let expected: BTreeMap<BTreeMap<String, usize>, Rational> =
            known.plays.into_iter().map(|play| (play.cards, play.value)).collect();
        assert_eq!(best, expected);
    }
}

/// The talk's fun numbers: every step of its fight. Its plays are best plays.
#[test]
fn the_fight_of_the_talk() {
    let record: FightRecord = serde_json::from_str(include_str!("../../examples/talk.json")).unwrap();
    let replayed = replay_fight(&record, Exactness::Everything, Simulating::default(), &Budget::unlimited()).unwrap();
    let mut values: Vec<String> =
        replayed.worths.iter().map(|worth| format!("{:.3}", nearest(worth.exact.as_ref().unwrap()))).collect();
    values.dedup();
    assert_eq!(values, ["63.548", "64.292", "65.696", "66.317", "66.000"]);
    let (luck, mistakes) = replayed.luck_and_mistakes();
    assert_eq!((luck.exact, mistakes.exact), (Some(mdp::ratio(1_259_095_309, 513_429_840)), Some(Rational::ZERO)));
}
