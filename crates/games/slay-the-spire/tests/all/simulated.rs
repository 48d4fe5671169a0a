//! Simulated intervals hold against exact values.

use budget::{Budget, Limits};
use mdp::ratio;
use slay_the_spire::{
    Card, Encounters, Exactness, FightOptions, Foe, Hero, Objective, PositionFile, Simulating, advise,
    advise_or_simulate, solve, solve_or_simulate,
};

/// A number that looks random.
fn number(state: &mut u64, below: u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from((*state >> 33) % below).unwrap()
}

const CARDS: [&str; 16] = [
    "pommel-strike",
    "shrug-it-off",
    "battle-trance",
    "inflame",
    "cleave",
    "anger",
    "twin-strike",
    "true-grit",
    "havoc",
    "warcry",
    "headbutt",
    "flex",
    "iron-wave",
    "clothesline",
    "bloodletting",
    "wild-strike",
];

/// Decks of seven to ten cards against small enemies, each solved, and each simulated as if the search came to nothing.
#[test]
fn simulated_intervals_hold_for_fifty_small_decks() {
    let mut state = 11;
    let mut widths = 0.0;
    for nth in 0..50 {
        let mut hero = Hero::new(0);
        hero.deck.truncate(6);
        hero.deck.push("bash".parse().unwrap());
        for _ in 0..=number(&mut state, 3) {
            hero.deck.push(CARDS[number(&mut state, 16)].parse::<Card>().unwrap());
        }
        let one = |name: &str, health: u16| Foe { health: health..=health + 1, ..Foe::of(name.parse().unwrap(), 0) };
        let foes = match number(&mut state, 5) {
            0 => vec![one("jaw-worm", 26)],
            1 => vec![one("blue-slaver", 24)],
            2 => vec![one("spike-slime-s", 8), one("acid-slime-s", 7)],
            3 => vec![one("gremlin-nob", 30)],
            _ => vec![one("cultist", 30)],
        };
        let health = [12, 30, 60][number(&mut state, 3)];
        let objective = if nth % 5 == 4 { Objective::Survival } else { Objective::Health };
        let exact = solve(&hero, &foes, &[health], objective, &Budget::unlimited()).unwrap().worths[0].value;
        let few = Budget::new(Limits { max_memory: 1, ..Limits::NONE });
        let simulating = Simulating { seed: nth, samples: Some(300), training: 150, ..Simulating::default() };
        let encounters: Encounters = vec![(ratio(1, 1), foes.clone())];
        let solved =
            solve_or_simulate((&hero, &encounters), &[health], objective, FightOptions::default(), simulating, &few)
                .unwrap();
        let worth = &solved.worths[0];
        assert!(solved.stopped.is_some() && worth.value.lower <= exact.upper && exact.lower <= worth.value.upper);
        let simulated = worth.simulated.unwrap();
        let interval = simulated.value;
        assert!(
            interval.lower <= exact.lower + 1e-9 && exact.upper <= interval.upper + 1e-9,
            "{nth}: {:?} against {foes:?} with {health}: {exact:?} is not in {simulated:?}",
            hero.deck
        );
        assert!(worth.value.lower <= interval.lower && interval.upper <= worth.value.upper);
        assert_eq!((simulated.plays, simulated.worlds), (300, 300));
        widths += interval.width() / if objective == Objective::Survival { 1.0 } else { f64::from(health) };
    }
    assert!(widths / 50.0 < 0.3, "{}", widths / 50.0);
}

#[test]
fn a_precision_that_is_reached_is_enough() {
    let hero = Hero::new(0);
    let encounters: Encounters = vec![(ratio(1, 1), vec![Foe::of("jaw-worm".parse().unwrap(), 0)])];
    let few = Budget::new(Limits { max_memory: 1, ..Limits::NONE });
    let solved = |precision: f64| {
        let simulating =
            Simulating { precision: Some(precision), samples: Some(1_000), training: 150, ..Simulating::default() };
        solve_or_simulate((&hero, &encounters), &[80], Objective::Health, FightOptions::default(), simulating, &few)
            .unwrap()
    };
    let enough = solved(8.0);
    // What is proved may be enough.
    let worth = &enough.worths[0];
    let interval = worth.simulated.map_or(worth.value, |simulated| simulated.value);
    assert!(enough.stopped.is_none() && interval.width() <= 8.0);
    // No number of samples reaches it, and few show that.
    assert!(solved(0.2).stopped.is_some());
}

/// Every first play of three positions, which are solved as well.
#[test]
fn simulated_plays_hold_against_exact_ones() {
    for (nth, text) in [
        r#"{"hp": 30, "max_hp": 80, "hand": {"strike": 2, "defend": 2, "pommel-strike": 1},
            "draw": {"strike": 2, "defend": 2, "bash": 1}, "discard": {"defend": 1, "strike": 1},
            "enemies": [{"kind": "jaw_worm", "hp": 20, "intent": "chomp", "run": 1}]}"#,
        r#"{"hp": 12, "max_hp": 80, "energy": 2, "hand": {"defend": 2, "shrug-it-off": 1, "bash": 1}, "block": 4,
            "draw": {"strike": 4}, "discard": {"defend": 2},
            "enemies": [{"kind": "blue_slaver", "hp": 17, "intent": "stab", "run": 1, "vulnerable": 1}]}"#,
        r#"{"hp": 25, "max_hp": 80, "hand": {"headbutt": 1, "battle-trance": 1, "defend": 2, "strike": 1},
            "draw": {"strike": 1, "defend": 1, "bash": 1}, "discard": {"strike": 1, "inflame": 1},
            "enemies": [{"kind": "spike_slime_m", "hp": 14, "intent": "lick", "run": 1}]}"#,
    ]
    .into_iter()
    .enumerate()
    {
        let position = serde_json::from_str::<PositionFile>(text).unwrap().position().unwrap();
        let (objective, bounds) = (Objective::Health, Exactness::Bounds);
        let exact = advise(&position, objective, bounds, &Budget::unlimited()).unwrap();
        let of = |play: &slay_the_spire::Named| {
            let found = exact.first.iter().find(|(own, _)| own == play);
            found.unwrap().1.value.middle()
        };
        let few = Budget::new(Limits { max_memory: 1, ..Limits::NONE });
        let simulating = Simulating { samples: Some(500), training: 90, ..Simulating::default() };
        let advice = advise_or_simulate(&position, objective, bounds, simulating, &few).unwrap();
        assert_eq!(advice.simulated.len(), exact.first.len(), "{nth}");
        let end = exact.first.iter().find(|(play, _)| play.end_turn == Some(true)).unwrap().1.value.middle();
        for own in &advice.simulated {
            let (value, gain) = (of(&own.play), of(&own.play) - end);
            assert!(
                own.simulated.value.lower - 1e-9 <= value && value <= own.simulated.value.upper + 1e-9,
                "{nth}: {own:?} {value}"
            );
            assert!(
                own.simulated.gain.lower - 1e-9 <= gain && gain <= own.simulated.gain.upper + 1e-9,
                "{nth}: {own:?} {gain}"
            );
        }
    }
}

/// A few samples do not prove which play is best; then the one that did best on average comes first, not any.
#[test]
fn plays_that_count_as_equal_are_ordered_by_what_they_gained_so_far() {
    let file: PositionFile = serde_json::from_str(
        r#"{"hp": 60, "max_hp": 80, "hand": {"strike": 2, "defend": 1, "bash": 1, "pommel-strike": 1},
            "draw": {"strike": 3, "defend": 3, "shrug-it-off": 1, "battle-trance": 1, "inflame": 1, "cleave": 1},
            "enemies": [{"kind": "red_louse", "hp": 12, "intent": "bite", "bite": 7, "curl_up": 5},
                {"kind": "green_louse", "hp": 14, "intent": "bite", "bite": 6, "curl_up": 4}]}"#,
    )
    .unwrap();
    let none = Budget::new(Limits { max_memory: 1, ..Limits::NONE });
    let simulating = Simulating { samples: Some(40), training: 60, ..Simulating::default() };
    let position = file.position().unwrap();
    let advice = advise_or_simulate(&position, Objective::Health, Exactness::Bounds, simulating, &none).unwrap();
    assert!(advice.simulated.iter().all(|own| own.simulated.rank == 1), "{:?}", advice.simulated);
    assert!(advice.simulated.is_sorted_by(|one, other| one.simulated.mean >= other.simulated.mean));
    assert_eq!(advice.simulated.last().unwrap().play.end_turn, Some(true));
    assert_eq!(advice.to_play(), advice.simulated.first().map(|own| &own.play));
    // Nothing heals here.
    assert!(advice.simulated.iter().all(|own| own.simulated.value.upper <= 60.0), "{:?}", advice.simulated);
}
