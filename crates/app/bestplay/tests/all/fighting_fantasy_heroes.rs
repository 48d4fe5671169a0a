//! `bestplay fighting-fantasy heroes`.

use budget::Budget;
use fighting_fantasy::{Amplify, Extent, LuckMap};
use serde_json::Value;

#[cfg(feature = "sqlite")]
use crate::common::command;
use crate::common::{decimal, json, stdout};

const HEROES: &str = "fighting-fantasy heroes";

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_all_heroes_whom_the_dice_make_win_as_the_map_of_luck_says() {
    // The map is computed in integers, without states.
    let (skill, stamina) = (10, 12);
    let answer = json(HEROES, &format!("--enemy {skill}/{stamina} --exact"));
    let heroes = answer["heroes"].as_array().expect("heroes");
    assert_eq!(heroes.len(), 6 * 11 * 6);
    for difference in -3..=2 {
        let extent = Extent { skill_difference: difference, max_luck: 12, max_stamina: 24, amplify: Amplify::Four };
        let map = LuckMap::new(extent, &Budget::unlimited()).expect("no limit");
        let number = |hero: &Value, name: &str| u32::try_from(hero[name].as_u64().expect("a number")).expect("small");
        for hero in heroes.iter().filter(|hero| hero["skill"] == skill + difference) {
            let win = map.win_exact(number(hero, "luck"), number(hero, "stamina"), stamina);
            assert_eq!(hero["exact"].as_str(), Some(&*mdp::fraction_text(&win)), "{hero}");
        }
    }
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_a_hero_of_a_fight_with_rules_of_its_own_fares_as_alone() {
    let fight = "--enemy 9/6 --enemy 8/5 --together --sudden-death 3 --armour 1/6 --escape-cost 2 --escape-value 1/2";
    for objective in ["win", "stamina"] {
        let fight = format!("{fight} --objective {objective}");
        let answer = json(HEROES, &format!("{fight} --skill 8,11 --stamina 14..18/4 --luck 7"));
        let heroes = answer["heroes"].as_array().expect("heroes");
        assert_eq!(heroes.len(), 4);
        for hero in heroes {
            let figures = format!("--skill {} --stamina {} --luck {}", hero["skill"], hero["stamina"], hero["luck"]);
            let alone = json("fighting-fantasy fight", &format!("{figures} {fight}"));
            let name = if objective == "win" { "win" } else { "value" };
            let exact = decimal(&alone["win"]);
            let bound = |name: &str| hero[name].as_f64().expect("a number");
            assert!(bound("lower") <= exact && exact <= bound("upper"), "{hero}: {exact}");
            assert!((bound(name) - exact).abs() < 1e-9, "{hero}: {exact}");
        }
    }
}

#[test]
fn people_hear_of_the_best_first() {
    let text = stdout(HEROES, "--enemy 14/12 --luck 12 --skill 11,12");
    let best = text.find("skill 12, stamina 24, luck 12").expect("the best of heroes");
    assert!(text.find("skill 12, stamina 23, luck 12").is_some_and(|second| best < second), "{text}");
    assert!(text.contains("77.637 %") && text.contains("a point of stamina"), "{text}");
}

#[cfg(feature = "sqlite")]
#[test]
fn what_is_kept_is_not_solved_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let (state, csv) = (folder.path().join("heroes.sqlite"), folder.path().join("heroes.csv"));
    let with = |more: &str| format!("--enemy 9/8 --luck 9 {more} --state {}", state.display());
    let fresh = stdout(HEROES, "--enemy 9/8 --luck 9 --format json");
    stdout(HEROES, &with("--skill 9"));
    assert_eq!(stdout(HEROES, &with("--format json")), fresh);
    // A limit in which no hero could be solved: all of them are in the table.
    assert_eq!(stdout(HEROES, &with(&format!("--format json --max-states 1 --csv {}", csv.display()))), fresh);
    assert_eq!(std::fs::read_to_string(&csv).expect("a file").lines().count(), 1 + 6 * 11);
    for (arguments, words) in [
        (with("--no-luck"), "another question"),
        (with("--enemy 5/5"), "about the fight"),
        ("--skill 0 --enemy 9/8".to_string(), "skill"),
        ("--skill 9..7 --enemy 9/8".to_string(), "no values"),
        ("--stamina 0..99999 --enemy 9/8".to_string(), "too many"),
    ] {
        let output = command(HEROES, &arguments).assert().code(2);
        let stderr = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(stderr.contains(words), "{arguments}: {stderr}");
    }
}
