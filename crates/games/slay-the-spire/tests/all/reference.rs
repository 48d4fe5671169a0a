//! Fights of Act 1 against the results of an independent program.

use budget::Budget;
use mdp::{exactly, fraction_text};
use serde_json::Value;
use slay_the_spire::{
    Card, Exactness, Foe, Hero, Objective, PositionFile, Potion, Relic, Relics, advise, solve, solve_exactly,
};

/// The reference, or `None` with a message if the shared material is missing.
fn reference() -> Option<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../shared/slay-the-spire/act1_reference.json");
    let other = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../../shared/slay-the-spire/act1_reference.json");
    let text = std::fs::read_to_string(path).or_else(|_| std::fs::read_to_string(other));
    if text.is_err() {
        eprintln!("skipped: ../shared/slay-the-spire/act1_reference.json is missing");
    }
    serde_json::from_str(&text.ok()?).ok()
}

fn names(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn hero(fight: &Value) -> Hero {
    let ascension = u8::try_from(fight["ascension"].as_u64().unwrap_or(0)).unwrap();
    let mut hero = Hero::new(ascension);
    hero.deck.clear();
    for (name, count) in fight["deck"].as_object().unwrap() {
        let card: Card = name.parse().unwrap();
        hero.deck.extend((0..count.as_u64().unwrap()).map(|_| card));
    }
    hero.relics = names(&fight["relics"]).map(|name| name.parse::<Relic>().unwrap()).collect();
    hero.potions = names(&fight["potions"]).map(|name| name.parse::<Potion>().unwrap()).collect();
    hero
}

fn foes(fight: &Value, ascension: u8) -> Vec<Foe> {
    let range = |value: &Value| (value[0].as_u64().unwrap(), value[1].as_u64().unwrap());
    let foe = |enemy: &Value| {
        let mut foe = Foe::of(enemy["kind"].as_str().unwrap().parse().unwrap(), ascension);
        let (lowest, highest) = range(&enemy["hp"]);
        foe.health = u16::try_from(lowest).unwrap()..=u16::try_from(highest).unwrap();
        if enemy["curl_up"].is_array() {
            let (lowest, highest) = range(&enemy["curl_up"]);
            foe.curl_up = u8::try_from(lowest).unwrap()..=u8::try_from(highest).unwrap();
        }
        foe
    };
    fight["enemies"].as_array().unwrap().iter().map(foe).collect()
}

/// Solves a fight for every health of a column of the reference, and compares.
fn compare(fight: &Value, column: &str, objective: Objective, hero: &Hero) {
    let expected: Vec<(i16, f64)> = match &fight[column] {
        Value::Object(healths) => {
            healths.iter().map(|(health, value)| (health.parse().unwrap(), value.as_f64().unwrap())).collect()
        }
        value => vec![(80, value.as_f64().unwrap())],
    };
    let healths: Vec<i16> = expected.iter().map(|(health, _)| *health).collect();
    let solved = solve(hero, &foes(fight, hero.ascension), &healths, objective, &Budget::unlimited()).unwrap();
    for (worth, (health, value)) in solved.worths.iter().zip(&expected) {
        let name = &fight["name"];
        assert!(worth.value.width() < 1e-9, "{name} {column} {health}: {:?} is wide", worth.value);
        // The reference is a sum of floating-point numbers itself.
        let near = worth.value.lower - 1e-11 <= *value && *value <= worth.value.upper + 1e-11;
        assert!(near, "{name} {column} {health}: {:?}, expected {value}", worth.value);
    }
}

fn compare_fight(name: &str) {
    let Some(reference) = reference() else { return };
    let fights = reference["fights"].as_array().unwrap();
    let fight = fights.iter().find(|fight| fight["name"] == name).unwrap();
    let hero = hero(fight);
    compare(fight, "expected_hp", Objective::Health, &hero);
    compare(fight, "max_survival", Objective::Survival, &hero);
    let relics: Relics = hero.relics.with(Relic::BurningBlood);
    compare(fight, "expected_hp_burning_blood", Objective::Health, &Hero { relics, ..hero.clone() });
    for state in fight["states"].as_array().unwrap() {
        compare_plays(fight, state);
    }
}

/// Every first play of a position.
fn compare_plays(fight: &Value, state: &Value) {
    let mut file = state.clone();
    for key in ["max_hp", "ascension", "relics"] {
        file[key] = fight[key].clone();
    }
    let file: PositionFile = serde_json::from_value(file).unwrap();
    let advice = advise(&file.position().unwrap(), Objective::Health, Exactness::Bounds, &Budget::unlimited()).unwrap();
    let expected = state["plays"].as_array().unwrap();
    assert_eq!(advice.first.len(), expected.len(), "{}: {state}", fight["name"]);
    for play in expected {
        let same = |named: &Value| {
            ["play", "use", "target", "exhaust", "end_turn"].into_iter().all(|key| named[key] == play[key])
        };
        let (_, worth) = advice
            .first
            .iter()
            .find(|(named, _)| same(&serde_json::to_value(named).unwrap()))
            .unwrap_or_else(|| panic!("{}: no {play}", fight["name"]));
        let value = play["value"].as_f64().unwrap();
        let near = worth.value.lower - 1e-11 <= value && value <= worth.value.upper + 1e-11;
        assert!(near && worth.value.width() < 1e-9, "{}: {play}, found {:?}", fight["name"], worth.value);
    }
}

/// The fights whose values the reference has as fractions.
#[test]
fn exact_values() {
    let Some(reference) = reference() else { return };
    let fights = reference["fights"].as_array().unwrap().iter();
    for fight in fights.filter(|fight| fight["expected_hp_exact"].is_object()) {
        let expected = fight["expected_hp_exact"].as_object().unwrap();
        let healths: Vec<i16> = expected.keys().map(|health| health.parse().unwrap()).collect();
        let hero = hero(fight);
        let budget = Budget::unlimited();
        let solved = solve_exactly(&hero, &foes(fight, 0), &healths, Objective::Health, &budget).unwrap();
        for (worth, value) in solved.worths.iter().zip(expected.values()) {
            let exact = fraction_text(worth.exact.as_ref().unwrap());
            assert_eq!(exact, value.as_str().unwrap(), "{} {}", fight["name"], worth.health);
        }
    }
}

/// For fights with cycles the exact values lie within the bounds.
#[test]
fn exact_values_of_loops() {
    for (enemy, health, objective) in [
        ("blue-slaver", 20, Objective::Health),
        ("blue-slaver", 20, Objective::Survival),
        ("red-louse", 9, Objective::Health),
    ] {
        let mut foe = Foe::of(enemy.parse().unwrap(), 0);
        foe.health = 26..=26;
        let solved = solve_exactly(&Hero::new(0), &[foe], &[health], objective, &Budget::unlimited()).unwrap();
        let worth = &solved.worths[0];
        let exact = worth.exact.as_ref().unwrap();
        let (lower, upper) = (exactly(worth.value.lower).unwrap(), exactly(worth.value.upper).unwrap());
        assert!(lower <= *exact && *exact <= upper, "{enemy}: {:?}, {exact}", worth.value);
        assert!(worth.value.width() < 1e-10);
    }
}

macro_rules! fights {
    ($($(#[$attribute:meta])* $name:ident;)*) => {
        $($(#[$attribute])* #[test] fn $name() { compare_fight(stringify!($name)); })*
    };
}

fights! {
    cultist_starter;
    looter_starter;
    blue_slaver_starter;
    green_louse_marbles;
    #[ignore = "takes minutes"] jaw_worm_starter;
    #[ignore = "takes minutes"] jaw_worm_vajra_fire;
    #[ignore = "takes minutes"] lagavulin_starter;
    #[ignore = "takes minutes"] red_slaver_anchor_block;
    #[ignore = "takes minutes"] jaw_worm_inflame;
    #[ignore = "takes minutes"] blue_slaver_shrug;
    #[ignore = "takes minutes"] gremlin_nob_fear;
}

#[test]
#[ignore = "takes minutes"]
fn losses() {
    let Some(reference) = reference() else { return };
    for fight in reference["loss"].as_array().unwrap() {
        compare(fight, "expected_loss", Objective::Loss, &hero(fight));
    }
}

/// Figures that need no other file: the fight, the health at the start, the objective, and the value.
#[test]
fn figures() {
    let cases = [
        ("cultist", 80, Objective::Health, 40_517_009.0 / 518_616.0),
        ("looter", 80, Objective::Health, 75.720_332_577),
        ("blue-slaver", 80, Objective::Health, 69.233_760_489_292_38),
        ("blue-slaver", 20, Objective::Survival, 0.998_153_803_564_929_9),
        ("blue-slaver", 10, Objective::Health, 0.953_923_309_975_819_6),
        ("spike-slime-m", 80, Objective::Loss, 0.453_139_146_567_717_87),
    ];
    for (enemy, health, objective, expected) in cases {
        let foe = Foe::of(enemy.parse().unwrap(), 0);
        let solved = solve(&Hero::new(0), &[foe], &[health], objective, &Budget::unlimited()).unwrap();
        let value = solved.worths[0].value;
        assert!(value.width() < 1e-9 && (value.middle() - expected).abs() < 1e-8, "{enemy} {health}: {value:?}");
    }
}
