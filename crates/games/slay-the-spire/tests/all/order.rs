//! The order of events: positions whose value one rule determines, and the results of single plays.

use budget::Budget;
use slay_the_spire::{Action, EnemyKind, Exactness, Objective, PositionFile, Power, Relic, advise};

use crate::scene::{NONE, Scene};

/// The health that is left by best play, and by each whole turn.
fn advised(position: &str) -> Result<Vec<(String, f64)>, String> {
    let file: PositionFile = serde_json::from_str(position).map_err(|error| error.to_string())?;
    let position = file.position()?;
    let advice = advise(&position, Objective::Health, Exactness::Bounds, &Budget::unlimited());
    let turns = advice.map_err(|error| error.to_string())?.turns.into_iter();
    let with_text = |(steps, worth): (Vec<slay_the_spire::Named>, slay_the_spire::Worth)| {
        assert!(worth.value.width() < 1e-9, "{worth:?}");
        let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
        (steps.join(", "), worth.value.middle())
    };
    Ok(turns.map(with_text).collect())
}

fn worth(position: &str) -> f64 {
    advised(position).unwrap()[0].1
}

/// A Jaw Worm that is about to take 11 health, which is all.
const WORM: &str = r#""kind": "jaw_worm", "intent": "chomp", "run": 1"#;

/// A Cultist before its Incantation.
const CULTIST: &str = r#""kind": "cultist", "intent": "incantation""#;

#[test]
fn an_attack_has_the_strength_and_the_block_with_which_it_is_played() {
    for (health, hand, relics, enemy, left) in [
        (11, r#""strike": 3"#, r#""shuriken""#, 18, 11.0),
        (11, r#""strike": 3"#, r#""shuriken""#, 19, 0.0),
        (8, r#""rage": 1, "body_slam": 1"#, "", 3, 0.0),
        (7, r#""strike": 2, "body_slam": 1"#, r#""ornamental_fan""#, 14, 0.0),
        (7, r#""strike": 2, "body_slam": 1"#, r#""ornamental_fan""#, 12, 7.0),
    ] {
        let position = format!(
            r#"{{"hp": {health}, "hand": {{{hand}}}, "relics": [{relics}], "enemies": [{{{WORM}, "hp": {enemy}}}],
                "draw": {{"wound": 10}}, "max_hp": 80}}"#
        );
        assert!((worth(&position) - left).abs() < 1e-9, "{position}");
    }
    let third = |card: &str, relic: Relic| {
        let mut scene = Scene::with(&["strike", "strike", card], &[], 1, &[relic], &[]);
        scene.play("strike").play("strike").play(card);
        scene
    };
    assert_eq!(
        (third("iron-wave", Relic::Kunai).block(), third("iron-wave", Relic::Kunai).state.player.dexterity),
        (5, 1)
    );
    assert_eq!(third("twin-strike", Relic::Shuriken).damage(), 6 + 6 + 5 + 5);
    assert_eq!(third("whirlwind", Relic::Shuriken).damage(), 6 + 6 + 8 * 5);
    assert_eq!(third("iron-wave", Relic::OrnamentalFan).block(), 5 + 4);
    // The second play of a Double Tap evaluates its bonuses again.
    let mut scene = Scene::with(&["strike", "strike", "double-tap"], &[], 1, &[Relic::Shuriken], &[]);
    scene.play("strike").play("double-tap").play("strike");
    assert_eq!((scene.damage(), scene.state.player.strength), (18, 1));
    let mut scene = Scene::with(&["strike", "strike", "double-tap", "strike"], &[], 1, &[Relic::Shuriken], &[]);
    scene.play("strike").play("strike").play("double-tap").play("strike");
    assert_eq!(scene.damage(), 18 + 7);
    let mut scene = Scene::new(&["rage", "double-tap", "body-slam"]);
    assert_eq!(scene.play("rage").play("double-tap").play("body-slam").damage(), 3);
}

#[test]
fn rupture_answers_to_whatever_the_player_does_to_himself() {
    let worm = |health: u8, hand: &str, energy: u8, enemy: u8| {
        worth(&format!(
            r#"{{"hp": {health}, "energy": {energy}, "hand": {{{hand}}}, "enemies": [{{{WORM}, "hp": {enemy}}}],
                "draw": {{"wound": 10}}, "max_hp": 80}}"#
        ))
    };
    assert!((worm(13, r#""rupture": 1, "hemokinesis": 1"#, 2, 16) - 0.0).abs() < 1e-9);
    assert!((worm(13, r#""rupture": 1, "hemokinesis": 1"#, 2, 15) - 11.0).abs() < 1e-9);
    assert!((worm(14, r#""pain": 1, "rupture": 1, "strike": 2"#, 3, 13) - 11.0).abs() < 1e-9);
    assert!((worm(14, r#""pain": 1, "rupture": 1, "strike": 2"#, 3, 14) - 0.0).abs() < 1e-9);
    let cultist = |hand: &str, draw: &str| {
        worth(&format!(
            r#"{{"hp": 20, "energy": 1, "hand": {{{hand}}}, "draw": {{{draw}}}, "enemies": [{{{CULTIST}, "hp": 7}}],
                "max_hp": 80}}"#
        ))
    };
    assert!((cultist(r#""brutality": 1, "rupture": 1"#, r#""strike": 1, "wound": 5"#) - 19.0).abs() < 1e-9);
    assert!((cultist(r#""decay": 1, "rupture": 1"#, r#""strike": 1, "wound": 4"#) - 18.0).abs() < 1e-9);
    assert!((cultist(r#""burn": 1, "rupture": 1"#, r#""strike": 1, "wound": 4"#) - 18.0).abs() < 1e-9);
    assert!((cultist(r#""regret": 1, "rupture": 1"#, r#""strike": 1, "wound": 4"#) - 19.0).abs() < 1e-9);
    for (name, strength) in [("bloodletting", 1), ("offering", 1), ("hemokinesis", 1)] {
        assert_eq!(Scene::new(&["rupture", name]).play("rupture").play(name).state.player.strength, strength, "{name}");
    }
    // Combust, and nothing for what block stops or enemies do.
    let ended = |hand: &[&str], played: &[&str]| {
        let mut scene = Scene::new(hand);
        for name in played {
            scene.play(name);
        }
        scene.end_turn().state.player.strength
    };
    assert_eq!(ended(&["rupture", "combust", "combust"], &["rupture", "combust", "combust"]), 1);
    assert_eq!(ended(&["rupture", "burn", "decay"], &["rupture"]), 2);
    assert_eq!(ended(&["rupture", "burn", "defend"], &["rupture", "defend"]), 0);
    assert_eq!(ended(&["rupture"], &["rupture"]), 0);
    // Two Brutalities cost once.
    let mut scene = Scene::with(&["rupture"], &["strike"; 7], 1, &[], &[]);
    scene.play("rupture").state.player.set(Power::Brutality, 2);
    let begun = scene.rules.start_turn(&scene.state)[0].1;
    assert_eq!((begun.player.strength, begun.health.delta, begun.hand.len()), (1, -2, 7));
}

#[test]
fn pain_hurts_before_the_effects_of_the_card() {
    // Its block comes too late, and the damage was fixed before.
    let mut scene = Scene::new(&["pain", "rupture", "strike", "strike"]);
    scene.play("rupture").play("strike");
    assert_eq!((scene.damage(), scene.state.player.strength, scene.lost()), (6, 1, 2));
    assert_eq!(scene.play("strike").damage(), 6 + 7);
    // Its targets are chosen one after another, and each hit is evaluated when it happens.
    let mut scene = Scene::new(&["pain", "rupture", "sword-boomerang"]);
    assert_eq!(scene.play("rupture").play("sword-boomerang").damage(), 3 * 4);
}

#[test]
fn reactions_to_cards_exhausted_at_the_end_of_the_turn() {
    let position = format!(
        r#"{{"hp": 20, "energy": 1, "hand": {{"dark_embrace+": 1, "dazed": 1}}, "draw": {{"anger": 6}},
            "enemies": [{{{CULTIST}, "hp": 36}}], "max_hp": 80}}"#
    );
    assert!((worth(&position) - 20.0).abs() < 1e-9);
    let mut scene = Scene::with(&["dark-embrace", "dazed", "defend"], &["strike"; 9], 1, &[], &[]);
    scene.play("dark-embrace").end_turn();
    assert_eq!((scene.state.hand.len(), scene.count(|state| state.hand, "strike")), (1, 1));
    let rolled = scene.rules.roll(&scene.state)[0].1;
    assert_eq!(scene.rules.start_turn(&rolled)[0].1.hand.len(), 6);
    // Feel No Pain's block meets the attack; No Draw is over by then.
    let mut scene = Scene::new(&["feel-no-pain", "dazed"]);
    assert_eq!(scene.play("feel-no-pain").end_turn().lost(), 11 - 3);
    let mut scene = Scene::with(&["dark-embrace", "battle-trance", "dazed"], &["strike"; 9], 1, &[], &[]);
    scene.play("dark-embrace").play("battle-trance").end_turn();
    assert_eq!(scene.state.hand.len(), 1);
    // Cards that are drawn then can be more than a hand holds.
    let mut scene = Scene::with(&["dark-embrace"], &["strike"; 20], 1, &[], &[]);
    scene.state.player.set(Power::DarkEmbrace, 8);
    scene.state.hand = scene.rules.pile(&[]);
    let dazed = Scene::with(&["dazed"], &["strike"; 20], 1, &[], &[]);
    let mut state = dazed.state;
    state.player.set(Power::DarkEmbrace, 8);
    let after = dazed.rules.end_turn(&state)[0].1;
    assert_eq!(after.hand.len(), 8);
    assert_eq!(dazed.rules.start_turn(&dazed.rules.roll(&after)[0].1)[0].1.hand.len(), 10);
}

#[test]
fn triggered_draws_come_last() {
    let position = format!(
        r#"{{"hp": 11, "energy": 2, "hand": {{"evolve": 1, "battle_trance": 1}}, "draw": {{"wound": 3, "strike": 1}},
            "enemies": [{{{WORM}, "hp": 6}}], "max_hp": 80}}"#
    );
    // Three of the four cards are drawn, and no more.
    assert!((worth(&position) - 11.0 * 3.0 / 4.0).abs() < 1e-9);
    // Burning Pact is in the discard pile when Dark Embrace draws.
    let mut scene = Scene::with(&["dark-embrace", "burning-pact", "wound"], &["strike"; 2], 1, &[], &[]);
    scene.play("dark-embrace").play_choosing("burning-pact", Some("wound"));
    assert_eq!((scene.count(|state| state.hand, "strike"), scene.count(|state| state.hand, "burning-pact")), (2, 1));
    // Evolve draws the card that Warcry puts on top.
    let mut scene = Scene::with(&["evolve", "warcry", "bash"], &["wound", "strike"], 1, &[], &[]);
    scene.play("evolve");
    let slot = |name: &str| scene.rules.slot(name.parse().unwrap()).unwrap();
    let (wound, bash) = (slot("wound"), slot("bash"));
    let mut outcomes = Vec::new();
    let warcry = Action::Play { slot: slot("warcry"), target: NONE, choice: NONE };
    scene.rules.act(&scene.state, warcry, &mut outcomes);
    let drawn = outcomes.iter().find(|(_, state)| state.hand.count(wound) == 1).unwrap().1;
    let mut actions = Vec::new();
    scene.rules.actions(&drawn, &mut actions);
    assert_eq!(actions, [Action::Choose { slot: bash }, Action::Choose { slot: wound }]);
    scene.rules.act(&drawn, Action::Choose { slot: bash }, &mut outcomes);
    let [(_, after)] = outcomes[..] else { panic!("the card on top is known") };
    assert_eq!((after.hand.count(bash), after.hand.count(wound), after.known(), after.waiting), (1, 1, 0, 0));
    // The cards that are exhausted for block are exhausted first.
    let mut scene = Scene::with(&["dark-embrace", "evolve", "second-wind", "wound"], &["wound"; 3], 1, &[], &[]);
    scene.play("dark-embrace").play("evolve").play("second-wind");
    assert_eq!(scene.count(|state| state.hand, "wound"), 3);
}

#[test]
fn both_plays_of_a_double_tap_are_whole() {
    let position = format!(
        r#"{{"hp": 20, "energy": 2, "hand": {{"double_tap": 1, "headbutt": 1}}, "draw": {{"wound": 12}},
            "discard": {{"strike": 1, "bash": 1}}, "enemies": [{{{CULTIST}, "hp": 35}}], "max_hp": 80}}"#
    );
    assert!((worth(&position) - 20.0).abs() < 1e-9);
    // The second may take the first.
    let mut scene = Scene::new(&["strike", "double-tap", "headbutt"]);
    scene.play("strike").play("double-tap").play_choosing("headbutt", Some("strike"));
    let mut actions = Vec::new();
    scene.rules.actions(&scene.state, &mut actions);
    let headbutt = scene.rules.slot("headbutt".parse().unwrap()).unwrap();
    assert!(actions.contains(&Action::Choose { slot: headbutt }), "{actions:?}");
    let mut outcomes = Vec::new();
    scene.rules.act(&scene.state, Action::Choose { slot: headbutt }, &mut outcomes);
    let after = outcomes[0].1;
    assert_eq!((after.known(), after.top[0], after.discard.count(headbutt)), (2, headbutt, 0));
    // With Normality a fourth card is not played, nor a fourth play.
    let mut scene = Scene::new(&["normality", "strike", "double-tap", "strike"]);
    scene.play("strike").play("double-tap").play("strike");
    assert_eq!(scene.damage(), 12);
    // A louse's block comes between them.
    let mut scene = Scene::new(&["double-tap", "twin-strike"]);
    scene.state.enemies[0].as_mut().unwrap().kind = EnemyKind::RedLouse;
    scene.state.enemies[0].as_mut().unwrap().special = 7;
    assert_eq!(scene.play("double-tap").play("twin-strike").damage(), 10 + 10 - 7);
}

#[test]
fn the_dead_finish_their_moves() {
    let position = format!(
        r#"{{"hp": 20, "energy": 0, "relics": ["bronze_scales"], "hand": {{"wound": 1}},
            "draw": {{"strike": 1, "wound": 4}}, "max_hp": 80,
            "enemies": [{{"kind": "fat_gremlin", "hp": 3, "intent": "smash"}}, {{{CULTIST}, "hp": 6}}]}}"#
    );
    assert!((worth(&position) - 10.0).abs() < 1e-9);
    // A fight against this kind with this move, at ascension 0, beside a Jaw Worm, after thorns have killed it.
    let after = |kind: EnemyKind, intent: u8, hits: u16| {
        let mut scene = Scene::with(&["slimed"], &[], 2, &[Relic::BronzeScales], &[]);
        let enemy = scene.state.enemies[0].as_mut().unwrap();
        (enemy.kind, enemy.health, enemy.intent) = (kind, 3 * hits, intent);
        scene.end_turn();
        scene
    };
    assert_eq!(after(EnemyKind::BlueSlaver, 1, 1).state.player.has(Power::Weak), 1);
    assert_eq!(after(EnemyKind::RedSlaver, 1, 1).state.player.has(Power::Vulnerable), 1);
    assert_eq!(after(EnemyKind::AcidSlimeM, 0, 1).count(|state| state.discard, "slimed"), 2);
    // Block for itself does not.
    assert_eq!(after(EnemyKind::JawWorm, 1, 1).state.living().count(), 1);
}

#[test]
fn reaper_heals_after_the_hide_has_hurt() {
    let guardian = |health: u8, enemy: u8| {
        worth(&format!(
            r#"{{"hp": {health}, "max_hp": 80, "energy": 2, "hand": {{"reaper": 1}},
                "enemies": [{{"kind": "the_guardian", "hp": {enemy}, "intent": "roll_attack", "run": 1}}]}}"#
        ))
    };
    assert!((guardian(3, 4) - 0.0).abs() < 1e-9);
    assert!((guardian(4, 4) - 5.0).abs() < 1e-9);
    // Rage's block comes before the hide.
    let mut scene = Scene::new(&["rage", "strike"]);
    let enemy = scene.state.enemies[0].as_mut().unwrap();
    (enemy.kind, enemy.intent) = (EnemyKind::TheGuardian, 5);
    scene.play("rage").play("strike");
    assert_eq!((scene.lost(), scene.block()), (0, 0));
}

#[test]
fn artifact_negates_the_loss_at_the_end_of_the_turn() {
    let position = format!(
        r#"{{"hp": 20, "energy": 3, "hand": {{"wound": 1}}, "potions": {{"flex": 1, "ancient": 1}}, "draw": {{"strike": 5}},
            "enemies": [{{{CULTIST}, "hp": 33}}], "max_hp": 80}}"#
    );
    let turns = advised(&position).unwrap();
    let row = |name: &str| turns.iter().find(|(steps, _)| steps == name).unwrap().1;
    assert!((row("flex potion, ancient potion") - 20.0).abs() < 1e-9, "{turns:?}");
    let used = |potions: &[&str], order: &[u8]| {
        let mut scene = Scene::with(&[], &[], 1, &[], potions);
        for potion in order {
            let mut outcomes = Vec::new();
            scene.rules.act(&scene.state, Action::Use { potion: *potion, target: NONE }, &mut outcomes);
            scene.state = outcomes[0].1;
        }
        let player = scene.end_turn().state.player;
        (player.strength, player.dexterity, player.has(Power::Artifact))
    };
    assert_eq!(used(&["flex", "ancient"], &[0, 1]), (5, 0, 0));
    assert_eq!(used(&["flex", "ancient"], &[1, 0]), (5, 0, 0));
    assert_eq!(used(&["speed", "ancient"], &[0, 1]), (0, 5, 0));
    assert_eq!(used(&["flex", "speed"], &[0, 1]), (0, 0, 0));
    // What was gained first is lost first.
    assert_eq!(used(&["flex", "speed", "ancient"], &[0, 1, 2]), (5, 0, 0));
    assert_eq!(used(&["flex", "speed", "ancient"], &[1, 0, 2]), (0, 5, 0));
    let mut scene = Scene::with(&["flex"], &[], 1, &[], &["ancient"]);
    let mut outcomes = Vec::new();
    scene.play("flex");
    scene.rules.act(&scene.state, Action::Use { potion: 0, target: NONE }, &mut outcomes);
    scene.state = outcomes[0].1;
    assert_eq!(scene.end_turn().state.player.strength, 2);
}

#[test]
fn counters_of_relics_are_required() {
    let nib = |counted: &str| {
        advised(&format!(
            r#"{{"hp": 11, "energy": 1, "hand": {{"strike": 1}}, "relics": ["pen_nib"], {counted}
                "enemies": [{{{WORM}, "hp": 12}}], "draw": {{"wound": 10}}, "max_hp": 80}}"#
        ))
    };
    assert!(nib("").unwrap_err().contains("pen_nib: with pen-nib a position must give its counter, 0 to 9"));
    assert!(nib(r#""pen_nib": 10,"#).is_err());
    assert!((nib(r#""pen_nib": 9,"#).unwrap()[0].1 - 11.0).abs() < 1e-9);
    assert!((nib(r#""pen_nib": 8,"#).unwrap()[0].1 - 0.0).abs() < 1e-9);
    let fields = r#""hp": 11, "hand": {}, "enemies": [{"kind": "cultist", "hp": 5, "intent": "incantation"}]"#;
    for (relic, counted) in [("nunchaku", "nunchaku"), ("happy_flower", "happy_flower")] {
        let position = format!(r#"{{{fields}, "relics": ["{relic}"], "{counted}": 3}}"#);
        assert_eq!(advised(&position).is_err(), relic == "happy_flower");
        assert!(advised(&format!(r#"{{{fields}, "relics": ["{relic}"]}}"#)).unwrap_err().contains(counted));
        assert!(advised(&format!(r#"{{{fields}, "{counted}": 1}}"#)).unwrap_err().contains("among the relics"));
    }
}

/// Questions that the sources leave open.
#[test]
fn questions_that_the_sources_left_open() {
    // Curl Up's block comes after all hits.
    let mut scene = Scene::new(&["pummel", "strike"]);
    let enemy = scene.state.enemies[0].as_mut().unwrap();
    (enemy.kind, enemy.special) = (EnemyKind::GreenLouse, 7);
    scene.play("pummel");
    assert_eq!((scene.damage(), scene.state.enemies[0].unwrap().block), (8, 7));
    // Angry grows by health that is lost.
    let mut scene = Scene::new(&["strike", "strike"]);
    let enemy = scene.state.enemies[0].as_mut().unwrap();
    (enemy.kind, enemy.block) = (EnemyKind::MadGremlin, 6);
    assert_eq!(scene.play("strike").state.enemies[0].unwrap().strength, 0);
    assert_eq!(scene.play("strike").state.enemies[0].unwrap().strength, 1);
    // Doubt's Weak holds in the next turn.
    let mut scene = Scene::new(&["doubt"]);
    assert_eq!(scene.end_turn().state.player.has(Power::Weak), 1);
    assert_eq!(scene.end_turn().state.player.has(Power::Weak), 0);
    // Spores of one that Combust kills wear off at once, of one that thorns kill in the enemies' turn do not.
    let spores = |power: Power| {
        let mut scene = Scene::with(&[], &[], 2, &[], &[]);
        let enemy = scene.state.enemies[0].as_mut().unwrap();
        (enemy.kind, enemy.health) = (EnemyKind::FungiBeast, 3);
        scene.state.player.set(power, 3);
        scene.end_turn().state.player.has(Power::Vulnerable)
    };
    assert_eq!((spores(Power::Combust), spores(Power::Thorns)), (1, 2));
}
