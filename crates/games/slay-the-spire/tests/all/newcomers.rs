//! Cards and relics that ask for more than the others: health, the enemies' deaths, the top of the draw pile.

use budget::Budget;
use slay_the_spire::{EnemyKind, Exactness, Foe, Hero, Objective, PositionFile, Power, Relic, advise, solve};

use crate::scene::Scene;

/// A hand against a Jaw Worm of 100 health, with ten Strikes to draw from.
fn with_strikes(hand: &[&str], enemies: usize, relic: Relic) -> Scene {
    Scene::with(hand, &["strike"; 10], enemies, &[relic], &[])
}

/// The health that is left by best play in a position.
fn worth(position: &str) -> f64 {
    let file: PositionFile = serde_json::from_str(position).unwrap();
    let advice = advise(&file.position().unwrap(), Objective::Health, Exactness::Bounds, &Budget::unlimited()).unwrap();
    let value = advice.first[0].1.value;
    assert!(value.width() < 1e-9, "{value:?}");
    value.middle()
}

#[test]
fn centennial_puzzle() {
    // The first loss of health draws three: before what the card does that is played.
    let mut scene = with_strikes(&["bloodletting", "bloodletting"], 1, Relic::CentennialPuzzle);
    scene.play("bloodletting");
    assert_eq!((scene.count(|state| state.hand, "strike"), scene.state.player.has(Power::Puzzle)), (3, 0));
    assert_eq!(scene.play("bloodletting").count(|state| state.hand, "strike"), 3);
    // In the enemies' turn, too: the cards stay in hand, and come on top of the next turn's.
    let mut scene = with_strikes(&[], 1, Relic::CentennialPuzzle);
    scene.end_turn();
    assert_eq!(scene.count(|state| state.hand, "strike"), 3);
    let rolled = scene.rules.roll(&scene.state)[0].1;
    assert_eq!(scene.rules.start_turn(&rolled)[0].1.hand.len(), 8);
    // What Pain draws can be chosen for the card that is played.
    let mut scene = with_strikes(&["pain", "burning-pact"], 1, Relic::CentennialPuzzle);
    scene.play("burning-pact");
    assert!(scene.state.waiting > 0);
    assert_eq!(scene.count(|state| state.hand, "strike"), 3);
    let position = |used: &str| {
        worth(&format!(
            r#"{{"hp": 10, "max_hp": 80, "energy": 1, "hand": {{"bloodletting": 1}}, "relics": ["centennial_puzzle"], {used}
                "draw": {{"strike": 3}}, "enemies": [{{"kind": "jaw_worm", "hp": 18, "intent": "chomp", "run": 1}}]}}"#
        ))
    };
    assert!((position("") - 7.0).abs() < 1e-9);
    assert!(position(r#""centennial_puzzle_used": true,"#).abs() < 1e-9);
}

#[test]
fn gremlin_horn() {
    let mut scene = with_strikes(&["strike", "strike"], 2, Relic::GremlinHorn);
    scene.state.enemies[0].as_mut().unwrap().health = 6;
    scene.play("strike");
    assert_eq!((scene.state.energy, scene.count(|state| state.hand, "strike")), (10, 2));
    // Thorns kill in the enemies' turn: the card stays, the energy does not.
    let mut scene = with_strikes(&[], 2, Relic::GremlinHorn);
    scene.state.enemies[0].as_mut().unwrap().health = 3;
    scene.state.player.set(Power::Thorns, 3);
    scene.end_turn();
    assert_eq!((scene.state.energy, scene.state.hand.len(), scene.state.living().count()), (0, 1, 1));
    // Nothing for the last one, nor for one that splits.
    let mut scene = with_strikes(&["strike"], 1, Relic::GremlinHorn);
    scene.state.enemies[0].as_mut().unwrap().health = 6;
    scene.play("strike");
    assert_eq!((scene.state.energy, scene.state.hand.len()), (9, 0));
}

#[test]
fn ink_bottle() {
    let mut scene = with_strikes(&["anger"; 6], 1, Relic::InkBottle);
    scene.state.player.set(Power::InkBottle, 8);
    scene.play("anger");
    assert_eq!((scene.state.player.has(Power::InkBottle), scene.count(|state| state.hand, "strike")), (9, 0));
    scene.play("anger");
    assert_eq!((scene.state.player.has(Power::InkBottle), scene.count(|state| state.hand, "strike")), (0, 1));
    // A copy counts, and a power.
    let mut scene = with_strikes(&["double-tap", "strike", "inflame"], 1, Relic::InkBottle);
    scene.play("double-tap").play("strike").play("inflame");
    assert_eq!(scene.state.player.has(Power::InkBottle), 4);
    let file: PositionFile = serde_json::from_str(
        r#"{"hp": 11, "hand": {}, "relics": ["ink_bottle"],
            "enemies": [{"kind": "cultist", "hp": 5, "intent": "incantation"}]}"#,
    )
    .unwrap();
    assert!(file.position().unwrap_err().contains("ink_bottle"));
}

#[test]
fn du_vu_doll() {
    let mut hero = Hero::new(0);
    hero.deck = ["strike", "injury", "doubt", "wound"].map(|name| name.parse().unwrap()).to_vec();
    hero.relics = [Relic::DuVuDoll].into_iter().collect();
    let foe = Foe { health: 20..=20, ..Foe::of(EnemyKind::JawWorm, 0) };
    let rules = hero.rules(std::slice::from_ref(&foe)).unwrap();
    assert_eq!(rules.start(&hero.deck, &[]).player.strength, 2);
}

#[test]
fn red_skull() {
    let start = |health: i16| {
        let mut hero = Hero::new(0);
        hero.relics = [Relic::RedSkull].into_iter().collect();
        hero.rules(&[Foe::of(EnemyKind::JawWorm, 0)]).unwrap().beginning_with(health).start(&[], &[]).player.strength
    };
    assert_eq!((start(80), start(41), start(40), start(1)), (0, 0, 3, 3));
    let position = |health: u8, hand: &str, potions: &str, strength: i8, enemy: u8| {
        worth(&format!(
            r#"{{"hp": {health}, "max_hp": 20, "energy": 3, "hand": {{{hand}}}, "relics": ["red_skull"],
                "strength": {strength}, "potions": {{{potions}}}, "draw": {{"wound": 10}},
                "enemies": [{{"kind": "lagavulin", "hp": {enemy}, "intent": "attack", "run": 1}}]}}"#
        ))
    };
    // It is 11 of 20: losing 3 makes each Strike 9. The attack would be the end.
    assert!((position(11, r#""bloodletting": 1, "strike": 2"#, "", 0, 18) - 8.0).abs() < 1e-9);
    assert!(position(11, r#""bloodletting": 1, "strike": 2"#, "", 0, 19).abs() < 1e-9);
    // Hemokinesis was looked at before.
    assert!(position(12, r#""hemokinesis": 1"#, "", 0, 16).abs() < 1e-9);
    assert!((position(12, r#""hemokinesis": 1"#, "", 0, 15) - 10.0).abs() < 1e-9);
    // Who is healed above half is weaker again: 4 of 20 by the potion.
    assert!((position(10, r#""strike": 2"#, r#""blood": 1"#, 3, 18) - 10.0).abs() < 1e-9);
    assert!((position(10, r#""strike": 2"#, r#""blood": 1"#, 3, 12) - 14.0).abs() < 1e-9);
    // Each health at the start is a fight of its own.
    let mut hero = Hero::new(0);
    hero.deck = vec!["strike".parse().unwrap(); 5];
    hero.relics = [Relic::RedSkull].into_iter().collect();
    let foe = Foe { health: 27..=27, ..Foe::of(EnemyKind::GremlinNob, 0) };
    let solved = solve(&hero, &[foe], &[41, 40], Objective::Health, &Budget::unlimited()).unwrap();
    let values: Vec<f64> = solved.worths.iter().map(|worth| worth.value.middle()).collect();
    // Three Strikes of 9 are enough; of 6 they are not, and the Bellow costs nothing yet.
    assert!((values[0] - 41.0).abs() < 1e-9 && (values[1] - 40.0).abs() < 1e-9, "{values:?}");
}
