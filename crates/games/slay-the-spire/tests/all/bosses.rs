//! The bosses of Act 1, against the numbers of the rules.

use budget::Budget;
use slay_the_spire::{
    Card, Change, Enemy, EnemyKind, Exactness, Foe, Hero, Objective, PositionFile, Power, Relics, Rules, State, advise,
    groups, solve,
};

use crate::scene::Scene;

fn rules(kind: EnemyKind, ascension: u8, deck: &[&str]) -> Rules {
    let deck: Vec<Card> = deck.iter().map(|name| name.parse().unwrap()).collect();
    Rules::new(ascension, 80, &deck, &[kind], Relics::default(), &[]).unwrap()
}

fn begun(rules: &Rules, kind: EnemyKind) -> State {
    rules.start(&[], &[rules.enemy(kind, *kind.health(rules.ascension).start(), 0)])
}

fn name(enemy: Enemy) -> &'static str {
    enemy.kind.data().moves[usize::from(enemy.intent)].name
}

/// A number of turns without plays: the moves, each with the health it took, and the final position.
fn turns(rules: &Rules, mut state: State, count: usize) -> (Vec<(&'static str, i16)>, State) {
    let mut seen = Vec::new();
    for _ in 0..count {
        state.health = Change::none(999);
        let [(_, rolled)] = rules.roll(&state)[..] else { panic!("bosses leave nothing to chance") };
        let made = name(rolled.enemies[0].unwrap());
        state = rules.end_turn(&rolled)[0].1;
        seen.push((made, -state.health.delta));
    }
    (seen, state)
}

/// A scene with this hand, in which the boss intends its next move.
fn scene(kind: EnemyKind, ascension: u8, hand: &[&str]) -> Scene {
    let rules = rules(kind, ascension, hand);
    let mut state = rules.roll(&begun(&rules, kind))[0].1;
    let hand: Vec<Card> = hand.iter().map(|name| name.parse().unwrap()).collect();
    (state.hand, state.energy) = (rules.pile(&hand), 10);
    Scene { rules, state }
}

/// An integral value.
fn whole(value: f64) -> i32 {
    assert!((value - value.round()).abs() < 1e-9, "{value}");
    #[expect(clippy::cast_possible_truncation, reason = "a health")]
    let health = value.round() as i32;
    health
}

#[test]
fn healths() {
    for (name, low, high) in [("slime-boss", 140, 150), ("the-guardian", 240, 250), ("hexaghost", 250, 264)] {
        let kind: EnemyKind = name.parse().unwrap();
        assert!(kind.is_boss());
        assert_eq!((kind.health(8), kind.health(9)), (low..=low, high..=high), "{name}");
    }
    assert_eq!(groups("bosses").unwrap().len(), 3);
    assert_eq!("guardian".parse::<EnemyKind>().unwrap(), EnemyKind::TheGuardian);
}

#[test]
fn the_slime_boss_cycles_through_three_moves() {
    let kind = EnemyKind::SlimeBoss;
    for (ascension, slam, slimed) in [(0, 35, 3), (4, 38, 3), (19, 38, 5)] {
        let rules = rules(kind, ascension, &[]);
        let (seen, after) = turns(&rules, begun(&rules, kind), 4);
        assert_eq!(seen, [("goop-spray", 0), ("preparing", 0), ("slam", slam), ("goop-spray", 0)]);
        assert_eq!(after.discard.count(rules.slot("slimed".parse().unwrap()).unwrap()), 2 * slimed);
    }
}

#[test]
fn the_slime_boss_splits_twice() {
    let mut scene = scene(EnemyKind::SlimeBoss, 0, &["bludgeon+", "bludgeon"]);
    scene.play("bludgeon+");
    assert_eq!(name(scene.state.enemies[0].unwrap()), "goop-spray");
    // 140 - 42 - 32 is no more than half.
    scene.play("bludgeon");
    assert_eq!(name(scene.state.enemies[0].unwrap()), "split");
    scene.end_turn();
    let large: Vec<Enemy> = scene.state.living().copied().collect();
    let kinds: Vec<EnemyKind> = large.iter().map(|enemy| enemy.kind).collect();
    assert_eq!(kinds, [EnemyKind::SpikeSlimeL, EnemyKind::AcidSlimeL]);
    assert!(large.iter().all(|enemy| (enemy.health, enemy.special) == (66, 33)));
    let rolled = scene.rules.roll(&scene.state)[0].1;
    let mut hurt = rolled;
    hurt.enemies[0].as_mut().unwrap().health = 40;
    (hurt.hand, hurt.energy) = (scene.rules.pile(&["bludgeon".parse().unwrap()]), 10);
    scene.state = hurt;
    scene.play("bludgeon").end_turn();
    let kinds: Vec<(EnemyKind, u16)> = scene.state.living().map(|enemy| (enemy.kind, enemy.health)).collect();
    assert_eq!(kinds, [(EnemyKind::SpikeSlimeM, 8), (EnemyKind::SpikeSlimeM, 8), (EnemyKind::AcidSlimeL, 66)]);
}

/// Being made to split in its own turn does not cancel the split.
#[test]
fn a_slime_that_is_hurt_in_its_own_turn_splits_in_the_next() {
    let kind = EnemyKind::AcidSlimeL;
    let rules = rules(kind, 0, &[]);
    let mut enemy = rules.enemy(kind, 66, 0);
    (enemy.health, enemy.intent) = (34, 1);
    let mut state = rules.start(&[], &[enemy]);
    state.player.set(Power::Thorns, 3);
    let after = rules.end_turn(&state)[0].1;
    let rolled = rules.roll(&after);
    assert_eq!(rolled.len(), 1);
    assert_eq!(name(rolled[0].1.enemies[0].unwrap()), "split");
    assert_eq!(rules.end_turn(&rolled[0].1)[0].1.living().count(), 2);
}

#[test]
fn the_guardian_left_alone_cycles_through_four_moves() {
    let kind = EnemyKind::TheGuardian;
    for (ascension, bash) in [(0, 32), (4, 36)] {
        let rules = rules(kind, ascension, &[]);
        let (seen, after) = turns(&rules, begun(&rules, kind), 3);
        assert_eq!(seen, [("charging-up", 0), ("fierce-bash", bash), ("vent-steam", 0)]);
        assert_eq!((after.player.has(Power::Weak), after.player.has(Power::Vulnerable)), (2, 2));
        // 5 on who is vulnerable is 7.
        assert_eq!(turns(&rules, after, 2).0, [("whirlwind", 4 * 7), ("charging-up", 0)]);
    }
}

#[test]
fn the_guardian_shifts() {
    for (ascension, shift, hide, roll) in [(0, 30, 3, 9), (9, 35, 3, 10), (19, 40, 4, 10)] {
        let mut scene =
            scene(EnemyKind::TheGuardian, ascension, &["strike", "strike+", "bludgeon+", "strike", "defend"]);
        let guardian = |scene: &Scene| scene.state.enemies[0].unwrap();
        assert_eq!(guardian(&scene).special, shift);
        scene.play("strike");
        assert_eq!((guardian(&scene).special, name(guardian(&scene))), (shift - 6, "charging-up"));
        scene.play("bludgeon+");
        assert_eq!((guardian(&scene).block, name(guardian(&scene))), (20, "defensive-mode"));
        // Its block comes after the card, and it stops counting; the hide is not sharp yet.
        scene.play("strike+");
        assert_eq!((guardian(&scene).block, guardian(&scene).special, scene.lost()), (11, 0, 0));
        scene.end_turn();
        let mut closed = scene.rules.roll(&scene.state)[0].1;
        assert_eq!(name(closed.enemies[0].unwrap()), "roll-attack");
        closed.hand = scene.rules.pile(&["strike".parse().unwrap(), "defend".parse().unwrap()]);
        closed.energy = 10;
        let before = closed;
        scene.state = closed;
        assert_eq!(scene.play("strike").lost(), hide);
        // Block stops it, and a skill does not trigger it.
        scene.state = before;
        scene.play("defend").play("strike");
        assert_eq!((scene.lost(), scene.block()), (0, 5 - u16::try_from(hide).unwrap()));
        scene.state = before;
        scene.state.hand = scene.rules.pile(&[]);
        assert_eq!(scene.end_turn().lost(), roll);
        let (seen, after) = turns(&scene.rules, scene.state, 3);
        assert_eq!(seen, [("twin-slam", 16), ("whirlwind", 20), ("charging-up", 0)]);
        assert_eq!(after.enemies[0].unwrap().special, shift + 10);
    }
}

/// Each of two plays hurts, and so does the one that kills.
#[test]
fn a_sharp_hide_and_a_double_tap() {
    let mut scene = scene(EnemyKind::TheGuardian, 0, &["double-tap", "strike", "strike"]);
    scene.state.enemies[0].as_mut().unwrap().intent = 5;
    assert_eq!(scene.play("double-tap").play("strike").lost(), 6);
    scene.state.enemies[0].as_mut().unwrap().health = 6;
    scene.play("strike");
    assert_eq!((scene.state.is_over(), scene.lost()), (true, 9));
}

/// It shifts in its own turn when thorns hurt it enough, and closes in the next.
#[test]
fn the_guardian_hurt_by_thorns() {
    let rules = rules(EnemyKind::TheGuardian, 0, &[]);
    let mut enemy = rules.enemy(EnemyKind::TheGuardian, 240, 0);
    (enemy.intent, enemy.special) = (3, 12);
    let mut state = rules.start(&[], &[enemy]);
    state.player.set(Power::Thorns, 3);
    let after = rules.end_turn(&state)[0].1;
    assert_eq!(after.enemies[0].unwrap().block, 20);
    assert_eq!(turns(&rules, after, 2).0, [("defensive-mode", 0), ("roll-attack", 9)]);
}

#[test]
fn hexaghost_cycles_through_seven_moves() {
    for (ascension, strength, burns, tackle, inferno) in [(0, 2, 1, 5, 2), (4, 2, 1, 6, 3), (19, 3, 2, 6, 3)] {
        let kind = EnemyKind::Hexaghost;
        let rules = rules(kind, ascension, &[]);
        let (seen, after) = turns(&rules, begun(&rules, kind), 9);
        assert_eq!(
            seen,
            [
                ("activate", 0),
                // 80 / 12 + 1
                ("divider", 6 * 7),
                ("sear-(first)", 6),
                ("tackle-(first)", 2 * tackle),
                ("sear-(second)", 6),
                ("inflame", 0),
                ("tackle-(second)", 2 * (tackle + strength)),
                ("sear-(third)", 6 + strength),
                ("inferno", 6 * (inferno + strength)),
            ]
        );
        let count = |state: &State, name: &str| state.discard.count(rules.slot(name.parse().unwrap()).unwrap());
        assert_eq!((count(&after, "burn"), count(&after, "burn+")), (0, 3 * burns + 3));
        let (seen, after) = turns(&rules, after, 1);
        assert_eq!(seen, [("sear-(first)", 6 + strength)]);
        assert_eq!(count(&after, "burn+"), 4 * burns + 3);
    }
}

/// It measures the health at the end of the first turn.
#[test]
fn hexaghost_measures_health() {
    let divided = |health: i16, lost: i16| {
        let kind = EnemyKind::Hexaghost;
        let rules = rules(kind, 0, &[]).beginning_with(health);
        let mut state = rules.roll(&begun(&rules, kind))[0].1;
        state.health.lose(lost);
        rules.end_turn(&state)[0].1.enemies[0].unwrap().bite
    };
    assert_eq!([divided(80, 0), divided(72, 0), divided(72, 1), divided(11, 0)], [7, 7, 6, 1]);
    // To lose health first can pay: 72 is hit six times by 7, 71 by 6.
    let worth = |deck: &[&str], ghost: u16, health: i16| {
        let mut hero = Hero::new(0);
        hero.deck = deck.iter().map(|name| name.parse().unwrap()).collect();
        let foe = Foe { health: ghost..=ghost, ..Foe::of(EnemyKind::Hexaghost, 0) };
        let solved = solve(&hero, &[foe], &[health, health - 1], Objective::Health, &Budget::unlimited()).unwrap();
        [0, 1].map(|place| whole(solved.worths[place].value.middle()))
    };
    // With three Strikes a turn it is dead before it divides, or before it sears.
    assert_eq!(worth(&["strike+"; 5], 45, 72), [72, 71]);
    assert_eq!(worth(&["strike"; 5], 45, 72), [72 - 42, 71 - 36]);
    // Two turns of Strikes leave too much: the third is won with one Hemokinesis, best in the first turn.
    let deck = ["strike", "strike", "strike", "strike", "hemokinesis"];
    assert_eq!(worth(&deck, 60, 72)[0], 72 - 2 - 36);
}

#[test]
fn bosses_fight_alone() {
    let refused = |kinds: &[&str]| {
        let foes: Vec<Foe> = kinds.iter().map(|name| Foe::of(name.parse().unwrap(), 0)).collect();
        Hero::new(0).rules(&foes).map_err(|error| error.to_string())
    };
    assert!(refused(&["hexaghost", "cultist"]).unwrap_err().contains("fights alone"));
    assert!(refused(&["acid-slime-l", "acid-slime-l", "spike-slime-l"]).unwrap_err().contains("when all have split"));
    assert!(refused(&["acid-slime-l", "spike-slime-l"]).is_ok());
}

/// A position in a file includes the intent of the boss.
#[test]
fn positions_of_bosses() {
    let worth = |enemy: &str| {
        let file: PositionFile = serde_json::from_str(&format!(
            r#"{{"hp": 50, "max_hp": 80, "hand": {{"strike": 1}}, "energy": 3, "draw": {{"strike": 5}}, "enemies": [{enemy}]}}"#
        ))
        .unwrap();
        let position = file.position()?;
        let advice = advise(&position, Objective::Health, Exactness::Bounds, &Budget::unlimited()).unwrap();
        Ok::<i32, String>(whole(advice.first[0].1.value.middle()))
    };
    assert_eq!(worth(r#"{"kind": "hexaghost", "hp": 12, "intent": "divider", "divider": 5}"#), Ok(20));
    assert!(worth(r#"{"kind": "hexaghost", "hp": 12, "intent": "divider"}"#).unwrap_err().contains("divider"));
    // The hide costs 3 now, 9 are taken, and 3 more by the Strike that ends it.
    assert_eq!(worth(r#"{"kind": "the_guardian", "hp": 12, "intent": "roll_attack", "mode_shift": 0}"#), Ok(35));
    assert_eq!(worth(r#"{"kind": "slime_boss", "max_hp": 140, "hp": 6, "intent": "split"}"#), Ok(50));
}
