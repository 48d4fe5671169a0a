//! Cards and relics with unusual dependencies: health, the enemies' deaths, the top of the draw pile.

use budget::Budget;
use slay_the_spire::{
    Action, Card, EnemyKind, Exactness, Foe, Hero, Objective, Outcomes, PositionFile, Power, Relic, advise, solve,
};

use crate::scene::{NONE, Scene};

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
    // The first loss of health draws three cards, before the effects of the card being played.
    let mut scene = with_strikes(&["bloodletting", "bloodletting"], 1, Relic::CentennialPuzzle);
    scene.play("bloodletting");
    assert_eq!((scene.count(|state| state.hand, "strike"), scene.state.player.has(Power::Puzzle)), (3, 0));
    assert_eq!(scene.play("bloodletting").count(|state| state.hand, "strike"), 3);
    // Also in the enemies' turn: the cards stay in hand, in addition to those of the next turn.
    let mut scene = with_strikes(&[], 1, Relic::CentennialPuzzle);
    scene.end_turn();
    assert_eq!(scene.count(|state| state.hand, "strike"), 3);
    let rolled = scene.rules.roll(&scene.state)[0].1;
    assert_eq!(scene.rules.start_turn(&rolled)[0].1.hand.len(), 8);
    // The cards that Pain draws can be chosen for the card being played.
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
    // It is 11 of 20: losing 3 makes each Strike 9. The attack would be fatal.
    assert!((position(11, r#""bloodletting": 1, "strike": 2"#, "", 0, 18) - 8.0).abs() < 1e-9);
    assert!(position(11, r#""bloodletting": 1, "strike": 2"#, "", 0, 19).abs() < 1e-9);
    // Hemokinesis was evaluated before the loss.
    assert!(position(12, r#""hemokinesis": 1"#, "", 0, 16).abs() < 1e-9);
    assert!((position(12, r#""hemokinesis": 1"#, "", 0, 15) - 10.0).abs() < 1e-9);
    // Healing above half ends the strength: 4 of 20 by the potion.
    assert!((position(10, r#""strike": 2"#, r#""blood": 1"#, 3, 18) - 10.0).abs() < 1e-9);
    assert!((position(10, r#""strike": 2"#, r#""blood": 1"#, 3, 12) - 14.0).abs() < 1e-9);
    // Each health at the start is a separate fight.
    let mut hero = Hero::new(0);
    hero.deck = vec!["strike".parse().unwrap(); 5];
    hero.relics = [Relic::RedSkull].into_iter().collect();
    let foe = Foe { health: 27..=27, ..Foe::of(EnemyKind::GremlinNob, 0) };
    let solved = solve(&hero, &[foe], &[41, 40], Objective::Health, &Budget::unlimited()).unwrap();
    let values: Vec<f64> = solved.worths.iter().map(|worth| worth.value.middle()).collect();
    // Three Strikes of 9 are enough; of 6 they are not, and the Bellow costs nothing yet.
    assert!((values[0] - 41.0).abs() < 1e-9 && (values[1] - 40.0).abs() < 1e-9, "{values:?}");
}

/// Everything to which the play of a card without a target leads.
fn outcomes(scene: &Scene, name: &str) -> Outcomes {
    let slot = scene.rules.slot(name.parse().unwrap()).unwrap();
    let mut outcomes = Vec::new();
    scene.rules.act(&scene.state, Action::Play { slot, target: NONE, choice: NONE }, &mut outcomes);
    outcomes
}

#[test]
fn havoc() {
    for (name, energy) in [("havoc", 9), ("havoc+", 10)] {
        // Only one card is there: it is played, and exhausted.
        let mut scene = Scene::with(&[name], &["bash"], 1, &[], &[]);
        scene.play(name);
        assert_eq!((scene.damage(), scene.state.energy), (8, energy), "{name}");
        assert_eq!((scene.state.draw.len(), scene.count(|state| state.discard, name)), (0, 1));
        assert_eq!(scene.count(|state| state.discard, "bash"), 0);
    }
    // A card that cannot be played is exhausted all the same, and so is an attack without a target.
    let mut scene = Scene::with(&["feel-no-pain", "havoc"], &["wound"], 1, &[], &[]);
    assert_eq!(scene.play("feel-no-pain").play("havoc").block(), 3);
    assert_eq!(scene.state.discard.len(), 1);
    // A power is gone, a choice is requested, Whirlwind has all the energy for free.
    assert_eq!(Scene::with(&["havoc"], &["inflame"], 1, &[], &[]).play("havoc").state.player.strength, 2);
    let mut scene = Scene::with(&["havoc", "strike", "defend"], &["burning-pact"], 1, &[], &[]);
    assert!(scene.play("havoc").state.waiting > 0);
    let mut scene = Scene::with(&["havoc"], &["whirlwind"], 1, &[], &[]);
    scene.play("havoc");
    assert_eq!((scene.damage(), scene.state.energy), (9 * 5, 9));
    // The discard pile is shuffled in for it, without Havoc itself.
    let mut scene = Scene::new(&["strike", "havoc"]);
    scene.play("strike").play("havoc");
    assert_eq!((scene.damage(), scene.count(|state| state.discard, "havoc")), (12, 1));
    // It strikes at random, with any card of the pile.
    let scene = Scene::with(&["havoc"], &["strike", "strike", "defend"], 2, &[], &[]);
    let mut ways: Vec<(f64, u16, u16)> = outcomes(&scene, "havoc")
        .iter()
        .map(|(chance, state)| {
            let lost: u16 = state.living().map(|enemy| 100 - enemy.health).sum();
            (chance.as_f64(), lost, state.player.block)
        })
        .collect();
    ways.retain(|(_, lost, _)| *lost == 6);
    assert!((ways.iter().map(|way| way.0).sum::<f64>() - 2.0 / 3.0).abs() < 1e-12);
    // The top card is known.
    let mut scene = Scene::with(&["headbutt", "havoc"], &["defend"], 1, &[], &[]);
    let slot = scene.rules.slot("defend".parse().unwrap()).unwrap();
    scene.state.draw.remove(slot, 1);
    scene.state.put_on_top(slot);
    assert_eq!(scene.play("havoc").block(), 5);
    // A second play by Double Tap.
    let mut scene = Scene::with(&["double-tap", "havoc"], &["strike"], 1, &[], &[]);
    assert_eq!(scene.play("double-tap").play("havoc").damage(), 12);
}

#[test]
fn rampage() {
    let grows = |name: &str, plays: &[u16]| {
        let mut scene = Scene::new(&[name]);
        let mut name = name.to_owned();
        for damage in plays {
            let before = scene.damage();
            scene.play(&name);
            assert_eq!(scene.damage() - before, *damage, "{name}");
            let (slot, _) = scene.state.discard.iter().next().unwrap();
            scene.state.hand = std::mem::take(&mut scene.state.discard);
            name = scene.rules.card(slot).to_string();
        }
        name
    };
    assert_eq!(grows("rampage", &[8, 13, 18]), "rampage-23");
    assert_eq!(grows("rampage+", &[8, 16, 24]), "rampage-32+");
    // The copy is the same card: it hits harder, and makes it grow again.
    let mut scene = Scene::new(&["double-tap", "rampage"]);
    scene.play("double-tap").play("rampage");
    assert_eq!((scene.damage(), scene.count(|state| state.discard, "rampage-18")), (8 + 13, 1));
    // Each has its own damage; a copy by Dual Wield starts with that of the original.
    let mut scene = Scene::new(&["rampage-13", "rampage", "dual-wield"]);
    scene.play_choosing("dual-wield", Some("rampage-13"));
    assert_eq!((scene.count(|state| state.hand, "rampage-13"), scene.count(|state| state.hand, "rampage")), (2, 1));
    // When upgraded it keeps its growth and grows faster.
    let mut scene = Scene::new(&["armaments", "rampage-13"]);
    scene.play_choosing("armaments", Some("rampage-13")).play("rampage-13+");
    assert_eq!((scene.damage(), scene.count(|state| state.discard, "rampage-21+")), (13, 1));
    assert!("rampage-7".parse::<Card>().is_err() && "strike-9".parse::<Card>().is_err());
}

#[test]
fn infernal_blade() {
    for (name, energy) in [("infernal-blade", 9), ("infernal-blade+", 10)] {
        let scene = Scene::new(&[name]);
        let ways = outcomes(&scene, name);
        assert_eq!(ways.len(), 28, "{name}");
        assert!(ways.iter().all(|(chance, state)| chance.fraction() == (1, 28) && state.hand.len() == 1));
        let bludgeon = scene.rules.slot("bludgeon".parse().unwrap()).unwrap();
        let mut scene = Scene { state: ways.iter().find(|way| way.1.hand.count(bludgeon) == 1).unwrap().1, ..scene };
        // It costs nothing this turn.
        scene.play("bludgeon");
        assert_eq!((scene.damage(), scene.state.energy, scene.state.free[0]), (32, energy, NONE), "{name}");
    }
    // In the next turn it has its usual cost, and so has a second one.
    let scene = Scene::new(&["infernal-blade", "bludgeon"]);
    let bludgeon = scene.rules.slot("bludgeon".parse().unwrap()).unwrap();
    let ways = outcomes(&scene, "infernal-blade");
    let mut scene = Scene { state: ways.iter().find(|way| way.1.hand.count(bludgeon) == 2).unwrap().1, ..scene };
    scene.play("bludgeon").play("bludgeon");
    assert_eq!(scene.state.energy, 10 - 1 - 3);
}

/// A card that is shuffled in while others are known may lie above them, between them, or below.
#[test]
fn known_cards_and_a_shuffle() {
    let mut scene = Scene::with(&["wild-strike", "pommel-strike"], &["defend"], 1, &[], &[]);
    let slot = |name: &str| scene.rules.slot(name.parse().unwrap()).unwrap();
    let (strike, wound, pommel) = (slot("wild-strike"), slot("wound"), slot("pommel-strike"));
    scene.state.put_on_top(pommel);
    scene.play("wild-strike");
    assert_eq!((scene.state.known(), scene.state.anywhere().collect::<Vec<_>>()), (1, vec![wound]));
    let mut ways = Vec::new();
    scene.rules.act(&scene.state, Action::Play { slot: pommel, target: 0, choice: NONE }, &mut ways);
    let drawn = |slot: u8| ways.iter().filter(|way| way.1.hand.count(slot) == 1).map(|way| way.0.as_f64()).sum::<f64>();
    assert!((drawn(wound) - 1.0 / 3.0).abs() < 1e-12 && (drawn(pommel) - 2.0 / 3.0).abs() < 1e-12);
    let after = ways.iter().find(|way| way.1.hand.count(pommel) == 1).unwrap().1;
    // Below it no card is known any more.
    assert_eq!((after.known(), after.draw.count(wound), after.discard.count(strike)), (0, 1, 1));
}
