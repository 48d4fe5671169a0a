//! Records of runs and saves of the game, and the fights that can come next.

use slay_the_spire::{DeckChange, FightRequest, Relic, RunFile, RunRequest, changed_decks};

fn read(text: &str, leaves_out: bool) -> Result<RunRequest, String> {
    RunFile::read(text).and_then(|run| run.request(leaves_out))
}

/// A record as the game writes it: numbers of floors with decimals, identifiers in several styles.
const RUN: &str = r#"{"gold_per_floor": [112, 124], "floor_reached": 7, "playtime": 812, "victory": false,
    "character_chosen": "IRONCLAD", "ascension_level": 10, "is_ascension_mode": true, "path_per_floor": ["M", null],
    "master_deck": ["Strike_R", "Strike_R", "Strike_R", "Strike_R", "Defend_R", "Defend_R", "Defend_R", "Defend_R",
        "Bash+1", "AscendersBane", "Shrug It Off", "Pommel Strike+1"],
    "relics": ["Burning Blood", "Boot", "HornCleat", "Pen Nib", "MealTicket"],
    "damage_taken": [{"damage": 6.0, "enemies": "Small Slimes", "floor": 1.0, "turns": 3.0},
        {"damage": 0.0, "enemies": "Jaw Worm", "floor": 2.0, "turns": 3.0},
        {"damage": 9, "enemies": "The Mushroom Lair", "floor": 4, "turns": 5},
        {"damage": 31, "enemies": "Gremlin Nob", "floor": 6, "turns": 4}],
    "current_hp_per_floor": [74, 74, 75, 66, 66, 35], "max_hp_per_floor": [75, 75, 75, 75, 75, 75]}"#;

/// A save of the same hero.
const SAVE: &str = r#"{"name": "nobody", "ascension_level": 10, "floor_num": 7, "act_num": 1, "current_health": 35,
    "max_health": 75, "cards": [{"upgrades": 0, "misc": 0, "id": "Strike_R"}, {"upgrades": 1, "misc": 0, "id": "Bash"}],
    "relics": ["Burning Blood", "Pen Nib"], "relic_counters": [-1, 7], "potions": ["FearPotion", "Potion Slot"],
    "monster_list": ["Exordium Wildlife"], "metric_damage_taken": [{"enemies": "Cultist", "floor": 1, "damage": 3}]}"#;

#[test]
fn a_record_of_a_run() {
    let RunRequest { request, assumed } = read(RUN, false).unwrap();
    let hero = request.hero().unwrap();
    let names: Vec<String> = hero.deck.iter().map(ToString::to_string).collect();
    assert_eq!(names.len(), 12);
    for card in ["bash+", "ascenders-bane", "shrug-it-off", "pommel-strike+"] {
        assert!(names.iter().any(|own| own == card), "{card} {names:?}");
    }
    for relic in [Relic::BurningBlood, Relic::TheBoot, Relic::HornCleat, Relic::PenNib] {
        assert!(hero.relics.has(relic), "{relic}");
    }
    assert_eq!((request.hp, request.max_hp, request.ascension), (Some(35), Some(75), 10));
    // What an event brings is none of the pools.
    assert_eq!(request.met, ["small-slimes", "jaw-worm", "gremlin-nob"]);
    let listed = assumed.join("; ");
    for what in ["pen-nib counts from 0", "no potions", "the health of the last floor in the record, 35"] {
        assert!(listed.contains(what), "{listed}");
    }
    // It stands in a message sometimes.
    let wrapped = read(&format!(r#"{{"event": {RUN}}}"#), false).unwrap();
    assert_eq!(wrapped.request.deck, request.deck);
    // A dead Ironclad has the health of the floor before.
    let dead = read(&RUN.replace("66, 35]", "66, 0]"), false).unwrap();
    assert_eq!(dead.request.hp, Some(66));
    assert!(dead.assumed.join("; ").contains("died"), "{:?}", dead.assumed);
}

/// The disguise of a save, written a second time: bit by bit.
fn disguised(text: &str) -> String {
    let letters: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['+', '/']).collect();
    let key = ['k', 'e', 'y'];
    let bits: Vec<bool> = text
        .bytes()
        .enumerate()
        .flat_map(|(place, byte)| (0..8).rev().map(move |bit| (byte ^ key[place % 3] as u8) >> bit & 1 == 1))
        .collect();
    let six = |bits: &[bool]| (0..6).fold(0, |sum, place| 2 * sum + usize::from(*bits.get(place).unwrap_or(&false)));
    let mut out: String = bits.chunks(6).map(|bits| letters[six(bits)]).collect();
    while !out.len().is_multiple_of(4) {
        out.push('=');
    }
    out
}

#[test]
fn a_save() {
    // As saves of the game begin.
    assert_eq!(disguised("{\"shuffle_seed_count\": 0"), "EEcKAxAfDQkcNBYcDgEmCAoMBRFbUUVJ");
    for text in [SAVE.to_owned(), disguised(SAVE), disguised(SAVE) + "\n"] {
        let RunRequest { request, assumed } = read(&text, false).unwrap();
        assert_eq!(request.deck.as_deref(), Some("bash+=1,strike=1"));
        assert_eq!((request.hp, request.max_hp, &request.potions[..]), (Some(35), Some(75), &["fear".to_owned()][..]));
        assert_eq!((&request.met[..], &request.enemies[..]), (&["cultist".to_owned()][..], &["next".to_owned()][..]));
        assert!(assumed.contains(&"pen-nib counts from 0, not from 7".to_owned()), "{assumed:?}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    for (wrong, message) in [
        (RUN.replace("IRONCLAD", "DEFECT"), "the class DEFECT"),
        (RUN.replace("Bash+1", "Searing Blow+3"), "the card Searing Blow, upgraded 3 times"),
        (RUN.replace("Bash+1", "Zap"), "the card Zap"),
        (RUN.replace("MealTicket", "Calipers"), "the relic Calipers"),
        // It gives strength when a fight begins.
        (RUN.replace("MealTicket", "Girya"), "the relic Girya"),
        (RUN.replace("[74, 74, 75, 66, 66, 35]", "[]"), "a health from 1 on"),
        (RUN.replace("master_deck", "masterdeck"), "no master_deck and no cards"),
        (RUN.replace("\"ascension_level\": 10", "\"ascension_level\": 21"), "0 to 20"),
        (RUN[..200].to_owned(), "not a run or a save"),
        ("hello, this is no save".into(), "neither JSON nor base 64"),
        (disguised(SAVE)[..300].to_owned(), "not a run or a save"),
        ("AAAA".into(), "not a run or a save"),
        (String::new(), "not a run or a save"),
        ("{}".into(), "no master_deck"),
        ("[1]".into(), "neither JSON nor base 64"),
    ] {
        let error = read(&wrong, false).unwrap_err();
        assert!(error.contains(message), "{error}; {message}");
    }
    let several = RUN.replace("Bash+1", "Zap").replace("MealTicket", "Calipers");
    let error = read(&several, false).unwrap_err();
    assert!(error.contains("the card Zap; the relic Calipers"), "{error}");
    let without = read(&several, true).unwrap();
    assert_eq!(without.request.hero().unwrap().deck.len(), 11);
    assert!(without.assumed.contains(&"the relic Calipers is left out".to_owned()), "{:?}", without.assumed);
}

/// The encounters of the next fight, as their first enemies and the share of each group.
fn next(enemies: &str, met: &[&str]) -> Vec<(String, f64)> {
    let request = FightRequest {
        enemies: vec![enemies.into()],
        met: met.iter().map(ToString::to_string).collect(),
        ..FightRequest::default()
    };
    let groups = request.encounters().unwrap_or_else(|error| panic!("{met:?}: {error}"));
    let named = groups.iter().map(|(share, foes)| {
        let kinds: Vec<String> = foes.iter().map(|foe| foe.kind.to_string()).collect();
        (kinds.join(","), mdp::nearest(share))
    });
    named.collect()
}

#[test]
fn what_can_come_next() {
    let share = |groups: &[(String, f64)], part: &str| -> f64 {
        groups.iter().filter(|(kinds, _)| kinds.contains(part)).map(|(_, share)| share).sum()
    };
    let is = |one: f64, other: f64| assert!((one - other).abs() < 1e-12, "{one} {other}");
    let first = next("next", &[]);
    is(share(&first, "cultist"), 0.25);
    is(share(&first, ""), 1.0);
    // None of the two before; elites do not count.
    let third = next("next", &["small-slimes", "gremlin-nob", "jaw-worm"]);
    is(share(&third, "cultist"), 0.5);
    is(share(&third, "louse"), 0.5);
    // The fourth is of the strong pool, without the large slimes after the small ones: 26 of 32 parts are left.
    let fourth = next("next", &["2 Louse", "Jaw Worm", "Small Slimes"]);
    is(share(&fourth, "slime-l"), 0.0);
    is(share(&fourth, "spike-slime-s"), 0.0);
    is(fourth.iter().filter(|(kinds, _)| kinds == "blue-slaver").map(|(_, share)| share).sum(), 4.0 / 26.0);
    let fourth = next("next", &["cultist", "jaw-worm", "two-louses"]);
    is(share(&fourth, "slime-l"), 4.0 / 28.0);
    assert!(fourth.iter().all(|(kinds, _)| kinds.matches("louse").count() < 3));
    let sixth = next("next", &["cultist", "jaw-worm", "two-louses", "blue-slaver", "large-slime"]);
    is(share(&sixth, "slime-l"), 0.0);
    is(sixth.iter().filter(|(kinds, _)| kinds == "blue-slaver").map(|(_, share)| share).sum(), 0.0);
    is(sixth.iter().filter(|(kinds, _)| kinds == "looter").map(|(_, share)| share).sum(), 4.0 / 24.0);
    is(share(&sixth, ""), 1.0);
    let elite = next("next-elite", &["cultist", "3 Sentries", "jaw-worm"]);
    is(share(&elite, "lagavulin"), 0.5);
    is(share(&elite, "sentry"), 0.0);
    let wrong = FightRequest { enemies: vec!["next".into()], met: vec!["jaw-wurm".into()], ..FightRequest::default() };
    assert!(wrong.encounters().unwrap_err().to_string().contains("did you mean jaw-worm"));
}

#[test]
fn a_hero_without_one_of_his_relics() {
    let request = FightRequest { relics: vec!["vajra".into(), "anchor".into()], ..FightRequest::default() };
    let hero = request.hero().unwrap();
    let decks = changed_decks(&hero, &[], &[DeckChange::Relics]);
    let names: Vec<&str> = decks.iter().map(|deck| deck.name.as_str()).collect();
    assert_eq!(names, ["none", "without anchor", "without vajra"]);
    assert_eq!(decks[1].hero.relics.iter().collect::<Vec<_>>(), [Relic::Vajra]);
    assert_eq!(decks[2].hero.relics.iter().collect::<Vec<_>>(), [Relic::Anchor]);
    assert!(decks.iter().all(|deck| deck.hero.deck == hero.deck));
}
