//! Exact values of several fights, of which one is met.

use budget::Budget;
use mdp::{Rational, enclose, ratio};
use slay_the_spire::{
    Encounters, Exactness, FightOptions, FightRequest, Foe, GroupRequest, Hero, Objective, solve_exactly, solve_several,
};

fn exactly(encounters: &Encounters, health: i16, objective: Objective) -> Rational {
    let asked = FightOptions { exact: Exactness::Value, ends: false };
    let solved = solve_several(&Hero::new(0), encounters, &[health], objective, asked, &Budget::unlimited()).unwrap();
    let (value, exact) = (solved.worths[0].value, solved.worths[0].exact.clone().expect("it fits"));
    let (below, above) = enclose(&exact);
    assert!(value.lower <= above && below <= value.upper, "{value:?}, {exact}");
    exact
}

fn one(foe: Foe, health: i16, objective: Objective) -> Rational {
    let solved = solve_exactly(&Hero::new(0), &[foe], &[health], objective, &Budget::unlimited()).unwrap();
    solved.worths[0].exact.clone().unwrap()
}

#[test]
fn groups_with_shares_of_any_kind() {
    let groups = r#"[{"weight": "1/8", "enemies": [{"kind": "looter", "hp": [20, 21]}]},
        {"weight": 0.1, "enemies": [{"kind": "cultist"}]}, {"weight": 1, "enemies": [{"kind": "jaw_worm", "hp": [9, 10]}]}]"#;
    let groups: Vec<GroupRequest> = serde_json::from_str(groups).unwrap();
    let encounters = FightRequest { groups: Some(groups), ..FightRequest::default() }.encounters().unwrap();
    let shares: Vec<Rational> = encounters.iter().map(|(share, _)| share.clone()).collect();
    assert_eq!(shares, [ratio(5, 49), ratio(4, 49), ratio(40, 49)]);
    for objective in [Objective::Health, Objective::Survival] {
        let mut sum = Rational::ZERO;
        for (share, foes) in &encounters {
            // The mean of all healths of a range, each solved by itself.
            let healths = foes[0].health.clone();
            let count = Rational::from(healths.clone().count());
            let each = healths.map(|health| one(Foe { health: health..=health, ..foes[0].clone() }, 30, objective));
            sum += share * each.fold(Rational::ZERO, |sum, value| sum + value) / count;
        }
        assert_eq!(exactly(&encounters, 30, objective), sum, "{objective:?}");
    }
}

/// The weights of a sum are exactly their decimals.
#[test]
fn a_sum_of_ones_own() {
    let request = FightRequest {
        enemies: vec!["looter".into()],
        value: Some("health + 0.1 * survival".into()),
        ..FightRequest::default()
    };
    let value = exactly(&request.encounters().unwrap(), 80, request.objective().unwrap());
    // A player with 80 health survives a Looter.
    assert_eq!(value, ratio(100_178, 1_323) + ratio(1, 10));
}
