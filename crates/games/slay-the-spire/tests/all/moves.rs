//! The enemies of Act 1: health, moves and their order, against the published rules.

use slay_the_spire::{EnemyKind, Rules, State};

fn rules(kind: EnemyKind, ascension: u8) -> Rules {
    Rules::new(ascension, 80, &[], &[kind], slay_the_spire::Relics::default(), &[]).unwrap()
}

/// The position after these moves, each with how often it was made in a row, at the end of its enemy's turn.
fn after(rules: &Rules, kind: EnemyKind, moves: &[&str]) -> State {
    let health = *kind.health(rules.ascension).start();
    let mut state = rules.start(&[], &[rules.enemy(kind, health, 0)]);
    for wanted in moves {
        let rolled = rules.roll(&state);
        let made = |state: &State| {
            let enemy = state.enemies[0].unwrap();
            kind.data().moves[usize::from(enemy.intent)].name == *wanted
        };
        let (_, next) = rolled.iter().find(|(_, state)| made(state)).unwrap_or_else(|| panic!("{kind}: no {wanted}"));
        state = rules.end_turn(next)[0].1;
    }
    state
}

/// The chances of the next moves, by name, in millionths.
fn next(kind: EnemyKind, ascension: u8, moves: &[&str]) -> Vec<(&'static str, u32)> {
    let rules = rules(kind, ascension);
    let state = after(&rules, kind, moves);
    let mut found: Vec<(&'static str, f64)> = Vec::new();
    for (chance, state) in rules.roll(&state) {
        let name = kind.data().moves[usize::from(state.enemies[0].unwrap().intent)].name;
        match found.iter_mut().find(|(other, _)| *other == name) {
            Some((_, sum)) => *sum += chance.as_f64(),
            None => found.push((name, chance.as_f64())),
        }
    }
    found.sort_by_key(|(name, _)| *name);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a chance in millionths")]
    found.into_iter().map(|(name, chance)| (name, (chance * 1e6).round() as u32)).collect()
}

#[test]
fn healths() {
    for (name, ascension, health) in [
        ("cultist", 0, 48..=54),
        ("cultist", 7, 50..=56),
        ("jaw-worm", 0, 40..=44),
        ("jaw-worm", 7, 42..=46),
        ("red-louse", 0, 10..=15),
        ("green-louse", 7, 12..=18),
        ("acid-slime-s", 0, 8..=12),
        ("spike-slime-m", 7, 29..=34),
        ("acid-slime-l", 0, 65..=69),
        ("spike-slime-l", 7, 67..=73),
        ("fungi-beast", 0, 22..=28),
        ("fungi-beast", 7, 24..=28),
        ("looter", 7, 46..=50),
        ("gremlin-nob", 7, 82..=86),
        ("gremlin-nob", 8, 85..=90),
        ("lagavulin", 8, 112..=115),
        ("sentry", 0, 38..=42),
        ("sentry", 8, 39..=45),
    ] {
        assert_eq!(name.parse::<EnemyKind>().unwrap().health(ascension), health, "{name}");
    }
}

#[test]
fn follow_ups() {
    let jaw = EnemyKind::JawWorm;
    assert_eq!(next(jaw, 0, &["chomp"]), [("bellow", 590_625), ("thrash", 409_375)]);
    assert_eq!(next(jaw, 0, &["chomp", "bellow"]), [("chomp", 437_200), ("thrash", 562_800)]);
    assert_eq!(next(jaw, 0, &["chomp", "thrash"]), [("bellow", 450_000), ("chomp", 250_000), ("thrash", 300_000)]);
    assert_eq!(next(jaw, 0, &["chomp", "thrash", "thrash"]), [("bellow", 642_900), ("chomp", 357_100)]);
    let red = EnemyKind::RedSlaver;
    assert_eq!(next(red, 0, &[]), [("stab", 1_000_000)]);
    assert_eq!(next(red, 0, &["stab"]), [("entangle", 250_000), ("scrape", 750_000)]);
    assert_eq!(next(red, 0, &["stab", "scrape", "scrape"]), [("entangle", 250_000), ("stab", 750_000)]);
    assert_eq!(next(red, 0, &["stab", "entangle"]), [("scrape", 550_000), ("stab", 450_000)]);
    assert_eq!(next(red, 0, &["stab", "entangle", "stab", "stab"]), [("scrape", 1_000_000)]);
    assert_eq!(next(red, 17, &["stab", "scrape"]), [("entangle", 250_000), ("stab", 750_000)]);
    let acid = EnemyKind::AcidSlimeM;
    assert_eq!(next(acid, 0, &[]), [("corrosive-spit", 300_000), ("lick", 300_000), ("tackle", 400_000)]);
    assert_eq!(next(acid, 0, &["tackle"]), [("corrosive-spit", 460_000), ("lick", 540_000)]);
    assert_eq!(next(acid, 0, &["lick", "lick"]), [("corrosive-spit", 420_000), ("tackle", 580_000)]);
    assert_eq!(next(acid, 17, &["lick"]), [("corrosive-spit", 480_000), ("tackle", 520_000)]);
    let louse = EnemyKind::GreenLouse;
    assert_eq!(next(louse, 0, &[]), [("bite", 750_000), ("spit-web", 250_000)]);
    assert_eq!(next(louse, 0, &["bite", "bite"]), [("spit-web", 1_000_000)]);
    assert_eq!(next(louse, 17, &["spit-web"]), [("bite", 1_000_000)]);
    let nob = EnemyKind::GremlinNob;
    assert_eq!(next(nob, 0, &["bellow"]), [("rush", 670_000), ("skull-bash", 330_000)]);
    assert_eq!(next(nob, 0, &["bellow", "rush", "rush"]), [("skull-bash", 1_000_000)]);
    assert_eq!(next(nob, 18, &["bellow"]), [("skull-bash", 1_000_000)]);
    assert_eq!(next(nob, 18, &["bellow", "skull-bash", "rush"]), [("rush", 1_000_000)]);
    let wizard = EnemyKind::GremlinWizard;
    assert_eq!(next(wizard, 0, &["charging", "charging"]), [("ultimate-blast", 1_000_000)]);
    assert_eq!(
        next(wizard, 0, &["charging", "charging", "ultimate-blast", "charging", "charging"]),
        [("charging", 1_000_000)]
    );
    assert_eq!(next(wizard, 17, &["charging", "charging", "ultimate-blast"]), [("ultimate-blast", 1_000_000)]);
    let lagavulin = EnemyKind::Lagavulin;
    assert_eq!(next(lagavulin, 0, &["sleep", "sleep", "sleep"]), [("attack", 1_000_000)]);
    assert_eq!(next(lagavulin, 0, &["sleep", "sleep", "sleep", "attack", "attack"]), [("siphon-soul", 1_000_000)]);
    let looter = EnemyKind::Looter;
    assert_eq!(next(looter, 0, &["mug-(first)", "mug-(second)"]), [("lunge", 500_000), ("smoke-bomb", 500_000)]);
    let fungi = EnemyKind::FungiBeast;
    assert_eq!(next(fungi, 0, &["grow"]), [("bite", 1_000_000)]);
    assert_eq!(next(fungi, 0, &["bite", "bite"]), [("grow", 1_000_000)]);
}

/// The health that the first moves take.
#[test]
fn attacks() {
    for (name, ascension, moves, lost) in [
        ("cultist", 0, &["incantation", "dark-strike", "dark-strike"][..], 9),
        ("cultist", 17, &["incantation", "dark-strike", "dark-strike"], 11),
        ("jaw-worm", 0, &["chomp"], 11),
        ("jaw-worm", 2, &["chomp", "bellow", "thrash"], 11),
        ("red-slaver", 0, &["stab", "scrape", "scrape"], 12),
        ("blue-slaver", 2, &["rake"], 8),
        ("gremlin-nob", 0, &["bellow", "skull-bash", "rush"], 21),
        ("lagavulin", 3, &["sleep", "sleep", "sleep", "attack"], 20),
        ("gremlin-wizard", 0, &["charging", "charging", "ultimate-blast"], 25),
        ("looter", 0, &["mug-(first)"], 10),
        ("fungi-beast", 0, &["grow", "bite"], 9),
        ("sneaky-gremlin", 2, &["puncture"], 10),
        ("spike-slime-l", 0, &["flame-tackle"], 16),
    ] {
        let kind: EnemyKind = name.parse().unwrap();
        let state = {
            let rules = rules(kind, ascension);
            let before = after(&rules, kind, &moves[..moves.len() - 1]);
            let mut before = before;
            before.health = slay_the_spire::Change::none(80);
            let wanted = moves[moves.len() - 1];
            let rolled = rules.roll(&before);
            let is = |state: &State| kind.data().moves[usize::from(state.enemies[0].unwrap().intent)].name == wanted;
            rules.end_turn(&rolled.iter().find(|(_, state)| is(state)).unwrap().1)[0].1
        };
        assert_eq!(-state.health.delta, lost, "{name} {moves:?}");
    }
}
