//! The effects of upgrades, cards that affect others, and relics that count: against the published rules. With
//! `rules.rs` and `moves.rs` every card, relic, potion and enemy is covered.

use budget::Budget;
use slay_the_spire::{
    Action, Card, CardKind, EnemyKind, Foe, Hero, Interval, Objective, Potion, Power, Relic, Rules, State, solve,
};

use crate::scene::{NONE, Scene};

/// The next turn after this one ends, for any draw.
fn next_turn(scene: &mut Scene) -> &mut Scene {
    scene.end_turn();
    let rolled = scene.rules.roll(&scene.state)[0].1;
    let begun = scene.rules.start_turn(&rolled);
    assert_eq!(begun.len(), 1, "what is drawn is left to chance");
    scene.state = begun[0].1;
    scene
}

/// A hand, with ten Strikes to draw from.
fn with_strikes(hand: &[&str], relics: &[Relic]) -> Scene {
    Scene::with(hand, &["strike"; 10], 1, relics, &[])
}

#[test]
fn cards_that_draw() {
    for (name, choice, drawn) in [
        ("burning-pact", Some("defend"), 2),
        ("burning-pact+", Some("defend"), 3),
        ("battle-trance+", None, 4),
        ("offering", None, 3),
        ("offering+", None, 5),
        ("warcry", None, 1),
        ("warcry+", None, 2),
        ("pommel-strike+", None, 2),
    ] {
        let mut scene = with_strikes(&[name, "defend"], &[]);
        scene.play_choosing(name, choice);
        assert_eq!(scene.count(|state| state.hand, "strike"), drawn, "{name}");
        let kept = u8::from(choice.is_none());
        assert_eq!(scene.count(|state| state.hand, "defend"), kept, "{name}");
        assert_eq!(scene.count(|state| state.discard, "defend"), 0, "{name}");
    }
    // Two cards are exhausted by the one play of Second Wind.
    let mut scene = with_strikes(&["dark-embrace", "second-wind", "defend", "defend"], &[]);
    scene.play("dark-embrace").play("second-wind");
    assert_eq!(scene.count(|state| state.hand, "strike"), 2);
    let mut scene = with_strikes(&["bash", "dropkick"], &[]);
    scene.play("bash").play("dropkick");
    assert_eq!((scene.state.energy, scene.count(|state| state.hand, "strike")), (10 - 2 - 1 + 1, 1));
    let mut scene = with_strikes(&["dropkick+"], &[]);
    scene.play("dropkick+");
    assert_eq!((scene.state.energy, scene.state.hand.len()), (9, 0));
}

#[test]
fn statuses_that_are_drawn() {
    let drawn = |first: &str, status: &str| {
        let mut scene = Scene::with(&[first, "shrug-it-off"], &[status; 3], 1, &[], &[]);
        scene.play(first).play("shrug-it-off");
        scene
    };
    // Each status that is drawn draws on, until there is none left.
    assert_eq!(drawn("evolve", "wound").count(|state| state.hand, "wound"), 3);
    assert_eq!(drawn("evolve", "injury").count(|state| state.hand, "injury"), 1);
    for (name, drawn) in [("evolve", 1), ("evolve+", 2)] {
        assert_eq!(Scene::new(&[name]).play(name).state.player.has(Power::Evolve), drawn);
    }
    assert_eq!(drawn("fire-breathing", "wound").damage(), 6);
    assert_eq!(drawn("fire-breathing+", "wound").damage(), 10);
    assert_eq!(drawn("fire-breathing", "parasite").damage(), 6);
    assert_eq!(drawn("fire-breathing", "strike").damage(), 0);
    let mut scene = Scene::with(&["shrug-it-off"], &["void"], 1, &[], &[]);
    assert_eq!(scene.play("shrug-it-off").state.energy, 10 - 1 - 1);
}

#[test]
fn cards_that_exhaust() {
    for (name, block) in [("feel-no-pain", 3), ("feel-no-pain+", 4)] {
        let mut scene = Scene::new(&[name, "true-grit", "strike"]);
        assert_eq!(scene.play(name).play("true-grit").block(), 7 + block);
    }
    assert_eq!(Scene::new(&["second-wind+", "defend", "wound", "strike"]).play("second-wind+").block(), 2 * 7);
    assert_eq!(Scene::new(&["fiend-fire+", "defend", "wound"]).play("fiend-fire+").damage(), 2 * 10);
    for (name, energy) in [("sentinel", 2), ("sentinel+", 3)] {
        let mut scene = Scene::new(&[name, "true-grit"]);
        assert_eq!(scene.play("true-grit").state.energy, 10 - 1 + energy, "{name}");
    }
    let mut scene = Scene::new(&["corruption", "defend"]);
    scene.play("corruption").play("defend");
    assert_eq!((scene.state.energy, scene.count(|state| state.discard, "defend")), (7, 0));
    for (name, left) in [("limit-break", 0), ("limit-break+", 1)] {
        assert_eq!(Scene::new(&[name]).play(name).count(|state| state.discard, name), left, "{name}");
    }
    let mut scene = Scene::new(&["pummel", "exhume"]);
    scene.play("pummel").play_choosing("exhume", Some("pummel"));
    assert_eq!(scene.count(|state| state.hand, "pummel"), 1);
}

#[test]
fn cards_that_change_the_hand() {
    let mut scene = Scene::new(&["armaments+", "strike", "defend"]);
    scene.play("armaments+");
    assert_eq!((scene.count(|state| state.hand, "strike+"), scene.count(|state| state.hand, "defend+")), (1, 1));
    let mut scene = Scene::new(&["dual-wield", "strike"]);
    assert_eq!(scene.play_choosing("dual-wield", Some("strike")).count(|state| state.hand, "strike"), 2);
    assert_eq!(Scene::new(&["disarm"]).play("disarm").state.enemies[0].unwrap().strength, -2);
    let mut scene = Scene::new(&["double-tap+", "strike", "strike", "strike"]);
    scene.play("double-tap+").play("strike").play("strike").play("strike");
    assert_eq!(scene.damage(), 12 + 12 + 6);
    let mut scene = Scene::new(&["bloodletting", "blood-for-blood"]);
    assert_eq!(scene.play("bloodletting").play("blood-for-blood").state.energy, 10 + 2 - 3);
    assert_eq!(Scene::new(&["rage+", "strike"]).play("rage+").play("strike").block(), 5);
    for (name, strength) in [("rupture", 1), ("rupture+", 2)] {
        let mut scene = Scene::new(&[name, "hemokinesis"]);
        assert_eq!(scene.play(name).play("hemokinesis").state.player.strength, strength, "{name}");
    }
    for (name, damage) in [("juggernaut", 5), ("juggernaut+", 7)] {
        assert_eq!(Scene::new(&[name, "defend"]).play(name).play("defend").damage(), damage, "{name}");
    }
}

#[test]
fn powers_from_turn_to_turn() {
    let after = |name: &str| {
        let mut scene = with_strikes(&[name], &[]);
        next_turn(scene.play(name));
        scene
    };
    assert_eq!(after("combust+").damage(), 7);
    assert_eq!(Scene::new(&["metallicize+"]).play("metallicize+").end_turn().lost(), 11 - 4);
    for (name, strength) in [("demon-form", 2), ("demon-form+", 3)] {
        assert_eq!(after(name).state.player.strength, strength, "{name}");
    }
    for (name, vulnerable) in [("berserk", 2), ("berserk+", 1)] {
        let mut scene = with_strikes(&[name], &[]);
        assert_eq!(scene.play(name).state.player.has(Power::Vulnerable), vulnerable, "{name}");
        assert_eq!(next_turn(&mut scene).state.energy, 4, "{name}");
    }
    let brutal = after("brutality");
    assert_eq!(brutal.state.hand.len(), 6);
    for (name, block) in [("barricade", 30 - 11), ("inflame", 0)] {
        let mut scene = with_strikes(&[name, "impervious"], &[]);
        assert_eq!(next_turn(scene.play(name).play("impervious")).block(), block, "{name}");
    }
}

/// They are in the first hand, whatever else is drawn.
#[test]
fn innate_cards() {
    for name in ["brutality+", "writhe"] {
        let card: Card = name.parse().unwrap();
        let deck = [vec!["strike".parse().unwrap(); 5], vec!["defend".parse().unwrap(); 4], vec![card]].concat();
        let rules = Rules::new(0, 80, &deck, &[EnemyKind::JawWorm], [].into_iter().collect(), &[]).unwrap();
        let start = rules.start(&deck, &[rules.enemy(EnemyKind::JawWorm, 40, 0)]);
        let hands = rules.start_turn(&rules.roll(&start)[0].1);
        assert!(hands.len() > 1, "{name}");
        let slot = rules.slot(card).unwrap();
        assert!(hands.iter().all(|(_, state)| state.hand.count(slot) == 1), "{name}");
    }
}

#[test]
fn curses_and_statuses_cannot_be_played() {
    let dead = |card: &Card| matches!(card.data().kind, CardKind::Curse | CardKind::Status);
    let cards: Vec<Card> = Card::all().filter(dead).filter(|card| card.data().name != "slimed").collect();
    assert!(cards.len() >= 16);
    for card in cards {
        let scene = Scene::new(&[&card.to_string()]);
        let mut actions = Vec::new();
        scene.rules.actions(&scene.state, &mut actions);
        assert_eq!(actions, [Action::EndTurn], "{card}");
        let mut scene = Scene::new(&[&card.to_string()]);
        scene.end_turn();
        let ethereal = ["dazed", "void", "ascenders-bane", "clumsy"].contains(&card.data().name);
        assert_eq!(scene.state.discard.len(), u32::from(!ethereal), "{card}");
    }
    let mut scene = Scene::new(&["slimed"]);
    scene.play("slimed");
    assert_eq!((scene.state.energy, scene.state.discard.len()), (9, 0));
}

#[test]
fn relics_that_count() {
    let tenth = |relic: Relic| {
        let mut scene = Scene::with(&["strike"; 10], &[], 1, &[relic], &[]);
        (0..10).for_each(|_| {
            scene.play("strike");
        });
        scene
    };
    assert_eq!(tenth(Relic::Nunchaku).state.energy, 1);
    assert_eq!(tenth(Relic::PenNib).damage(), 9 * 6 + 12);
    let mut flower = with_strikes(&[], &[Relic::HappyFlower]);
    let rolled = flower.rules.roll(&flower.state)[0].1;
    flower.state = flower.rules.start_turn(&rolled)[0].1;
    let first = flower.state.energy;
    let later = [(); 5].map(|()| next_turn(&mut flower).state.energy);
    assert_eq!((first, later), (3, [3, 4, 3, 3, 4]));
    let mut art = with_strikes(&["strike", "defend"], &[Relic::ArtOfWar]);
    assert_eq!(next_turn(art.play("defend")).state.energy, 4);
    let mut art = with_strikes(&["strike", "defend"], &[Relic::ArtOfWar]);
    assert_eq!(next_turn(art.play("strike")).state.energy, 3);
    assert_eq!(Scene::with(&["sword-boomerang"], &[], 1, &[Relic::TheBoot], &[]).play("sword-boomerang").damage(), 15);
    let scene = Scene::with(&[], &[], 1, &[Relic::ToyOrnithopter], &["block"]);
    let mut outcomes = Vec::new();
    scene.rules.act(&scene.state, Action::Use { potion: 0, target: NONE }, &mut outcomes);
    assert_eq!(outcomes[0].1.health.delta, 5);
    // The second turn's block, and the first's.
    let mut cleat = with_strikes(&[], &[Relic::HornCleat]);
    let rolled = cleat.rules.roll(&cleat.state)[0].1;
    cleat.state = cleat.rules.start_turn(&rolled)[0].1;
    assert_eq!(cleat.block(), 0);
    assert_eq!(next_turn(&mut cleat).block(), 14);
}

/// A fight that is won by the first Strike: the health before, and what a relic adds.
#[test]
fn relics_after_a_fight() {
    for (relics, health, left) in [
        (&[][..], 30, 30.0),
        (&[Relic::BurningBlood], 30, 36.0),
        (&[Relic::BurningBlood], 77, 80.0),
        (&[Relic::MeatOnTheBone], 40, 52.0),
        (&[Relic::MeatOnTheBone], 41, 41.0),
    ] {
        let mut hero = Hero::new(0);
        hero.deck = vec!["strike".parse().unwrap(); 5];
        hero.relics = relics.iter().copied().collect();
        let foe = Foe { kind: EnemyKind::JawWorm, health: 1..=1, curl_up: 0..=0 };
        let solved = solve(&hero, &[foe], &[health], Objective::Health, &Budget::unlimited()).unwrap();
        let value = solved.worths[0].value;
        assert!((value.lower - left).abs() < 1e-9 && (value.upper - left).abs() < 1e-9, "{relics:?}: {value:?}");
    }
    let worth = |relics: &[Relic]| {
        let mut hero = Hero::new(0);
        hero.deck = vec!["strike".parse().unwrap(); 5];
        hero.relics = relics.iter().copied().collect();
        let foe = Foe { kind: EnemyKind::GremlinNob, health: 45..=45, curl_up: 0..=0 };
        solve(&hero, &[foe], &[80], Objective::Health, &Budget::unlimited()).unwrap().worths[0].value
    };
    // Three quarters of 45 are 33.75: 33 fall to two turns of Strikes, before the Nob's first attack.
    assert!((worth(&[Relic::PreservedInsect]).lower - 80.0).abs() < 1e-9);
    assert!(worth(&[]).upper < 75.0);
}

/// Feed raises the maximum health when it kills, Fruit Juice always; healing, also after the fight, goes up to that.
/// The maximum health can be part of the objective.
#[test]
fn the_highest_health_can_rise() {
    let worth = |cards: &[&str], potions: &[&str], relics: &[Relic], health: i16, objective: Objective| {
        let mut hero = Hero::new(0);
        hero.deck = cards.iter().map(|name| name.parse().unwrap()).collect();
        hero.potions = potions.iter().map(|name| name.parse().unwrap()).collect();
        hero.relics = relics.iter().copied().collect();
        let foe = Foe { kind: EnemyKind::JawWorm, health: 10..=10, curl_up: 0..=0 };
        let solved = solve(&hero, &[foe], &[health], objective, &Budget::unlimited()).unwrap();
        let Interval { lower, upper } = solved.worths[0].value;
        assert!(upper - lower < 1e-9, "{lower} to {upper}");
        lower
    };
    let highest = Objective::Weighted { health: 0.0, survival: 0.0, potion: 0.0, max_health: 1.0 };
    for (cards, potions, relics, health, left, most) in [
        (&["feed", "strike"][..], &[][..], &[][..], 30, 33.0, 83.0),
        (&["feed+", "strike"], &[], &[], 80, 84.0, 84.0),
        (&["strike", "strike"], &[], &[], 30, 30.0, 80.0),
        (&["strike", "strike"], &["fruit-juice"], &[], 80, 85.0, 85.0),
        (&["feed"], &["fruit-juice"], &[Relic::BurningBlood], 76, 88.0, 88.0),
        // A fifth of 85.
        (&["strike", "strike"], &["fruit-juice", "blood"], &[], 30, 30.0 + 5.0 + 17.0, 85.0),
        // Half of 83 is 41.5.
        (&["feed"], &[], &[Relic::MeatOnTheBone], 38, 41.0 + 12.0, 83.0),
        // It pays to be hit for 11 first.
        (&["feed"], &[], &[Relic::MeatOnTheBone], 39, 39.0 - 11.0 + 3.0 + 12.0, 83.0),
    ] {
        let found = worth(cards, potions, relics, health, Objective::Health);
        assert!((found - left).abs() < 1e-9, "{cards:?} {potions:?}: {found}");
        let found = worth(cards, potions, relics, health, highest);
        assert!((found - most).abs() < 1e-9, "{cards:?} {potions:?}: {found}");
    }
    let mut scene = Scene::new(&["feed", "strike"]);
    scene.play("feed");
    assert_eq!((scene.state.player.has(Power::MaxHealth), scene.count(|state| state.discard, "feed")), (0, 0));
    // Two are eaten only when it comes back.
    let mut scene = Scene::with(&["feed+", "exhume"], &[], 2, &[], &[]);
    scene.state.enemies.iter_mut().flatten().for_each(|enemy| enemy.health = 12);
    scene.play("feed+").play_choosing("exhume", Some("feed+")).play("feed+");
    assert_eq!((scene.state.is_over(), scene.state.player.has(Power::MaxHealth)), (true, 8));
}

#[test]
fn a_potion_that_draws() {
    let swift: Potion = "swift".parse().unwrap();
    let mut scene = Scene::with(&[], &["strike"; 10], 1, &[], &[&swift.to_string()]);
    let mut outcomes = Vec::new();
    scene.rules.act(&scene.state, Action::Use { potion: 0, target: NONE }, &mut outcomes);
    scene.state = outcomes[0].1;
    assert_eq!(scene.count(|state| state.hand, "strike"), 3);
}

/// A move of an enemy at every step of ascension: health taken, and the powers that it leaves on the player.
#[test]
fn moves() {
    use EnemyKind as K;
    for (kind, name, ascension, lost, powers) in [
        (K::AcidSlimeS, "tackle", 0, 3, &[][..]),
        (K::AcidSlimeS, "tackle", 2, 4, &[]),
        (K::AcidSlimeS, "lick", 0, 0, &[(Power::Weak, 1)]),
        (K::SpikeSlimeS, "tackle", 0, 5, &[]),
        (K::SpikeSlimeS, "tackle", 2, 6, &[]),
        (K::AcidSlimeM, "corrosive-spit", 0, 7, &[]),
        (K::AcidSlimeM, "corrosive-spit", 2, 8, &[]),
        (K::AcidSlimeM, "tackle", 2, 12, &[]),
        (K::AcidSlimeM, "lick", 0, 0, &[(Power::Weak, 1)]),
        (K::SpikeSlimeM, "flame-tackle", 0, 8, &[]),
        (K::SpikeSlimeM, "flame-tackle", 2, 10, &[]),
        (K::SpikeSlimeM, "lick", 0, 0, &[(Power::Frail, 1)]),
        (K::AcidSlimeL, "corrosive-spit", 0, 11, &[]),
        (K::AcidSlimeL, "tackle", 2, 18, &[]),
        (K::AcidSlimeL, "lick", 0, 0, &[(Power::Weak, 2)]),
        (K::SpikeSlimeL, "lick", 0, 0, &[(Power::Frail, 2)]),
        (K::SpikeSlimeL, "lick", 17, 0, &[(Power::Frail, 3)]),
        (K::GreenLouse, "spit-web", 0, 0, &[(Power::Weak, 2)]),
        (K::BlueSlaver, "stab", 0, 12, &[]),
        (K::BlueSlaver, "stab", 2, 13, &[]),
        (K::BlueSlaver, "rake", 0, 7, &[(Power::Weak, 1)]),
        (K::BlueSlaver, "rake", 17, 8, &[(Power::Weak, 2)]),
        (K::RedSlaver, "scrape", 0, 8, &[(Power::Vulnerable, 1)]),
        (K::RedSlaver, "scrape", 17, 9, &[(Power::Vulnerable, 2)]),
        (K::RedSlaver, "entangle", 0, 0, &[(Power::Entangled, 1)]),
        (K::Looter, "lunge", 0, 12, &[]),
        (K::Looter, "lunge", 2, 14, &[]),
        (K::MadGremlin, "scratch", 0, 4, &[]),
        (K::MadGremlin, "scratch", 2, 5, &[]),
        (K::SneakyGremlin, "puncture", 0, 9, &[]),
        (K::FatGremlin, "smash", 0, 4, &[(Power::Weak, 1), (Power::Frail, 0)]),
        (K::FatGremlin, "smash", 17, 5, &[(Power::Weak, 1), (Power::Frail, 1)]),
        (K::ShieldGremlin, "shield-bash", 0, 6, &[]),
        (K::ShieldGremlin, "shield-bash", 2, 8, &[]),
        (K::GremlinWizard, "ultimate-blast", 2, 30, &[]),
        (K::GremlinNob, "skull-bash", 3, 8, &[(Power::Vulnerable, 2)]),
        (K::Sentry, "beam", 0, 9, &[]),
        (K::Sentry, "beam", 3, 10, &[]),
    ] {
        let (_, after) = after_move(kind, name, ascension);
        assert_eq!(-after.health.delta, lost, "{kind}: {name} at ascension {ascension}");
        for (power, amount) in powers {
            assert_eq!(after.player.has(*power), *amount, "{kind}: {name} at ascension {ascension}");
        }
    }
}

/// The position after an enemy of its least health has made this move.
fn after_move(kind: EnemyKind, name: &str, ascension: u8) -> (Rules, State) {
    let rules = Rules::new(ascension, 80, &[], &[kind], [].into_iter().collect(), &[]).unwrap();
    let mut enemy = rules.enemy(kind, *kind.health(ascension).start(), 0);
    let place = kind.data().moves.iter().position(|own| own.name == name).unwrap();
    enemy.intent = u8::try_from(place).unwrap();
    let after = rules.end_turn(&rules.start(&[], &[enemy]))[0].1;
    (rules, after)
}

#[test]
fn moves_that_create_cards() {
    let made = |kind: EnemyKind, name: &str, ascension: u8, card: &str| {
        let card: Card = card.parse().unwrap();
        let (rules, after) = after_move(kind, name, ascension);
        after.discard.count(rules.slot(card).unwrap())
    };
    assert_eq!(made(EnemyKind::AcidSlimeM, "corrosive-spit", 0, "slimed"), 1);
    assert_eq!(made(EnemyKind::SpikeSlimeM, "flame-tackle", 0, "slimed"), 1);
    assert_eq!(made(EnemyKind::AcidSlimeL, "corrosive-spit", 0, "slimed"), 2);
    assert_eq!(made(EnemyKind::SpikeSlimeL, "flame-tackle", 0, "slimed"), 2);
    assert_eq!(made(EnemyKind::Sentry, "bolt", 0, "dazed"), 2);
    assert_eq!(made(EnemyKind::Sentry, "bolt", 18, "dazed"), 3);
}

/// Every new one needs an entry, and a test.
#[test]
fn nothing_is_without_a_test() {
    let tests = concat!(
        include_str!("bosses.rs"),
        include_str!("rules.rs"),
        include_str!("upgrades.rs"),
        include_str!("moves.rs"),
        include_str!("order.rs"),
        include_str!("newcomers.rs")
    );
    let names = |name: &str| tests.contains(&format!("\"{name}\""));
    for card in Card::all() {
        let name = card.to_string();
        // Both forms of cards that only differ in cost or damage are in tables; curses and statuses are checked as a
        // whole.
        let whole = matches!(card.data().kind, CardKind::Curse | CardKind::Status);
        assert!(whole || names(&name), "{name} has no test");
    }
    for (relic, name) in Relic::ALL {
        assert!(tests.contains(&format!("Relic::{relic:?}")), "{name} has no test");
    }
    for potion in Potion::all() {
        assert!(names(&potion.to_string()), "{potion} has no test");
    }
    for kind in EnemyKind::ALL {
        assert!(names(kind.data().name) || tests.contains(&format!("K::{kind:?}")), "{kind} has no test");
    }
}
