use rustc_hash::FxHashMap;

use super::{Dealt, Luck};
use crate::data::card::Card;
use crate::numbers::chance::Chance;
use crate::rules::Rules;
use crate::rules::action::Action;
use crate::rules::setup::{Foe, Hero};
use crate::rules::state::{NONE, State};

/// The number of worlds tested.
const WORLDS: u64 = 4_000;

fn fight(cards: &[&str], foes: &[&str]) -> (Rules, State) {
    let foes: Vec<Foe> = foes.iter().map(|name| Foe::of(name.parse().unwrap(), 0)).collect();
    let mut hero = Hero::new(0);
    hero.deck.extend(cards.iter().map(|card| card.parse::<Card>().unwrap()));
    let rules = hero.rules(&foes).unwrap();
    let (_, start) = hero.starts(&rules, &foes).swap_remove(0);
    let (_, rolled) = rules.roll(&start).swap_remove(0);
    (rules, rolled)
}

/// Each position occurs in as many worlds as its probability predicts, and no other one occurs.
fn agrees(what: &str, outcomes: &[(Chance, State)], mut in_world: impl FnMut(u64) -> State) {
    let mut chances: FxHashMap<State, f64> = FxHashMap::default();
    for (chance, state) in outcomes {
        *chances.entry(*state).or_default() += chance.as_f64();
    }
    let mut counts: FxHashMap<State, f64> = FxHashMap::default();
    for world in 0..WORLDS {
        *counts.entry(in_world(world)).or_default() += 1.0;
    }
    let worlds = f64::from(u32::try_from(WORLDS).unwrap());
    assert!(counts.keys().all(|state| chances.contains_key(state)), "{what}: a world has what cannot be");
    let mut off = 0.0;
    for (state, chance) in &chances {
        let count = counts.get(state).copied().unwrap_or(0.0);
        let expected = worlds * chance;
        off += (count - expected).powi(2) / expected;
    }
    // Chi-square: its mean is one less than the number of positions, its variance twice that.
    let free = f64::from(u32::try_from(chances.len() - 1).unwrap());
    assert!(off < free + 5.0 * (2.0 * free).sqrt() + 10.0, "{what}: {off} with {free} degrees of freedom");
}

#[test]
fn hands_are_drawn_as_often_as_they_should_be() {
    for cards in [&["anger"][..], &["pommel-strike", "battle-trance", "shrug-it-off"]] {
        let (rules, state) = fight(cards, &["jaw-worm"]);
        agrees("a hand", &rules.start_turn(&state), |world| {
            rules.start_turn_in_world(Dealt::new(&rules, &state, world), &mut Luck::default()).state
        });
        // The pile is shuffled in the middle of the draw.
        let mut few = state;
        few.discard = std::mem::take(&mut few.draw);
        let strike = rules.slot(Card::called("strike")).unwrap();
        few.discard.remove(strike, 2);
        few.draw.add(strike, 2);
        agrees("a hand after a shuffle", &rules.start_turn(&few), |world| {
            rules.start_turn_in_world(Dealt::new(&rules, &few, world), &mut Luck::default()).state
        });
    }
}

#[test]
fn outcomes_have_the_frequencies_of_the_rules() {
    let two = &["red-louse", "green-louse"][..];
    for (card, foes, target) in [
        ("pommel-strike", &["jaw-worm"][..], 0),
        ("battle-trance", &["jaw-worm"], NONE),
        ("havoc", two, NONE),
        ("sword-boomerang", two, NONE),
        ("true-grit", two, NONE),
        ("wild-strike", two, 0),
        ("infernal-blade", &["cultist"], NONE),
        ("burning-pact", two, NONE),
    ] {
        let (rules, state) = fight(&[card], foes);
        let mut state = rules.start_turn(&state).swap_remove(0).1;
        let slot = rules.slot(card.parse().unwrap()).unwrap();
        if state.hand.count(slot) == 0 {
            state.draw.remove(slot, 1);
            state.hand.add(slot, 1);
        }
        let mut actions = Vec::new();
        rules.actions(&state, &mut actions);
        let is_it = |action: &Action| matches!(action, Action::Play { slot: own, target: at, .. } if (*own, *at) == (slot, target));
        let action = actions.into_iter().find(is_it).unwrap();
        let mut outcomes = Vec::new();
        rules.act(&state, action, &mut outcomes);
        agrees(card, &outcomes, |world| {
            let dealt = Dealt::new(&rules, &state, world);
            rules.act_in_world(&dealt.state, &dealt.fate, action, &mut Luck::default()).state
        });
    }
}

#[test]
fn enemies_roll_as_often_as_they_should() {
    let (rules, state) = fight(&[], &["red-louse", "spike-slime-m"]);
    let mut start = state;
    start.enemies.iter_mut().flatten().for_each(|enemy| enemy.intent = NONE);
    agrees("moves", &rules.roll(&start), |world| rules.roll_in_world(&Dealt::new(&rules, &start, world)).state);
}

/// The same cards of two decks come in the same order in the same world.
#[test]
fn worlds_are_common_to_decks() {
    let order = |cards: &[&str], world: u64| {
        let (rules, state) = fight(cards, &["jaw-worm"]);
        let order = Dealt::new(&rules, &state, world).fate.order();
        let names = order.into_iter().map(|slot| rules.card(slot).to_string());
        names.filter(|name| name != "anger").collect::<Vec<_>>()
    };
    for world in 0..20 {
        assert_eq!(order(&[], world), order(&["anger"], world));
    }
    assert_ne!(order(&[], 1), order(&[], 2));
}
