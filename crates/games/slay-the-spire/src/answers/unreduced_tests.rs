//! Random fights, solved with all pruning and bounds, and without any of it.

use budget::{Budget, Limits};
use rayon::prelude::*;

use super::solve::solve;
use crate::data::card::Card;
use crate::data::enemy::Kind;
use crate::data::potion::Potion;
use crate::data::relic::Relic;
use crate::graph::Graph;
use crate::rules::setup::{Foe, Hero};
use crate::search::Search;
use crate::search::payoff::{Objective, Payoff};

/// Pseudorandom numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(sides).unwrap()).unwrap()
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.roll(all.len())]
    }
}

/// The value of a fight without bounds and with all ends of turns; `None` where there are more than `states` states.
fn solve_unreduced(hero: &Hero, foes: &[Foe], health: i16, objective: Objective, states: u64) -> Option<f64> {
    let rules = hero.rules(foes).ok()?.beginning_with(health);
    let mut payoff = Payoff::new(objective, &rules).ok()?;
    payoff.convex = false;
    let kinds: Vec<Kind> = foes.iter().map(|foe| foe.kind).collect();
    let mut graph = Graph::new(&rules, &kinds, false, 0);
    let starts = hero.starts(&rules, foes);
    let starts: Vec<_> = starts.iter().map(|(chance, state)| (chance, graph.after_node(state), state.health)).collect();
    let mut search = Search::new(&mut graph, payoff, rules.all_potions());
    // As if no limit on healing were known.
    search.healing.drinks = true;
    let budget = Budget::new(Limits { max_states: states, ..Limits::NONE });
    let mut sum = 0.0;
    for (chance, node, change) in &starts {
        let health = change.after(health).unwrap_or(health);
        search.solve(*node, health, &budget).ok()?;
        sum += chance.as_f64() * search.after_value(*node, health);
    }
    Some(objective.sign() * sum)
}

/// A hero with a few cards, perhaps relics and a potion.
fn random_hero(dice: &mut Dice) -> Hero {
    let cards: Vec<Card> = Card::all().collect();
    let mut hero = Hero::new(dice.of(&[0, 2, 7, 17, 18]));
    hero.deck = ["strike", "strike", "defend"].map(Card::called).to_vec();
    hero.deck.extend((0..2 + dice.roll(3)).map(|_| dice.of(&cards)));
    hero.relics = (0..dice.roll(3)).map(|_| dice.of(Relic::ALL).0).collect();
    let potions: Vec<Potion> = Potion::all().collect();
    hero.potions = (0..dice.roll(2)).map(|_| dice.of(&potions)).collect();
    hero
}

fn compare(seed: u64, fights: usize) -> usize {
    let mut dice = Dice(seed);
    let mut compared = 0;
    for fight in 0..fights {
        let hero = random_hero(&mut dice);
        let foes: Vec<Foe> = (0..=dice.roll(2))
            .map(|_| {
                let kind = dice.of(Kind::ALL);
                let health = u16::try_from(4 + dice.roll(14)).unwrap();
                let curl = if kind.is_louse() { 3 } else { 0 };
                let more = health + 1;
                Foe { kind, health: health..=more, curl_up: curl..=curl }
            })
            .collect();
        let health = i16::try_from(3 + dice.roll(25)).unwrap();
        let objective = dice.of(&[
            Objective::Health,
            Objective::Survival,
            Objective::AtLeast(9),
            Objective::Turns,
            Objective::Weighted { health: 1.0, survival: 8.0, potion: 3.0, max_health: 0.5 },
        ]);
        let Some(unreduced) = solve_unreduced(&hero, &foes, health, objective, 30_000) else { continue };
        let budget = Budget::new(Limits { max_states: 200_000, ..Limits::NONE });
        let solved = solve(&hero, &foes, &[health], objective, &budget).unwrap();
        let (value, stopped) = (solved.worths[0].value, solved.stopped);
        let names: Vec<String> = hero.deck.iter().map(Card::to_string).collect();
        let message = format!(
            "{fight}: {} {names:?} {:?} {:?} {foes:?} {health} {objective:?}: {unreduced}, {value:?} {stopped:?}",
            hero.ascension,
            hero.relics.iter().collect::<Vec<_>>(),
            hero.potions
        );
        assert!(value.lower <= unreduced + 1e-9 && value.upper >= unreduced - 1e-9, "{message}");
        assert!(stopped.is_some() || value.width() < 1e-8, "{message}");
        compared += 1;
    }
    compared
}

/// Fights in which the player can be hurt and healed for ever behind lasting block, or wait there; with their values
/// where those are obvious.
#[test]
fn a_player_who_can_stay_for_ever_leaves() {
    let strong = &["strike", "strike", "defend", "reaper+", "barricade+"][..];
    let shock = &["strike", "strike", "defend", "reaper+", "shockwave+", "barricade+"][..];
    let meal = &["strike", "defend", "defend", "feed", "barricade"][..];
    let lean = &["strike", "defend", "defend", "reaper"][..];
    let harvest = &["strike", "defend", "reaper", "barricade+"][..];
    let fights = [
        // Reaper kills at once, and heals all that it takes.
        (Kind::MadGremlin, 5, 8, strong, Objective::Survival, Some(1.0)),
        (Kind::MadGremlin, 5, 8, strong, Objective::Health, Some(13.0)),
        // There is a Strike for it in every hand, and waiting a turn for Reaper loses nothing that it does not heal.
        (Kind::MadGremlin, 6, 8, shock, Objective::Survival, Some(1.0)),
        // Feed kills at once.
        (Kind::SneakyGremlin, 10, 20, meal, Objective::Health, Some(23.0)),
        (Kind::FatGremlin, 9, 12, harvest, Objective::Survival, None),
        (Kind::RedLouse, 6, 9, meal, Objective::Health, Some(12.0)),
        (Kind::MadGremlin, 9, 7, lean, Objective::Health, None),
        (Kind::JawWorm, 12, 9, lean, Objective::Survival, None),
    ];
    for (kind, enemy_health, health, deck, objective, worth) in fights {
        let mut hero = Hero::new(0);
        hero.deck = deck.iter().map(|name| Card::called(name)).collect();
        let foe = Foe { kind, health: enemy_health..=enemy_health, curl_up: 0..=0 };
        let solved = solve(&hero, std::slice::from_ref(&foe), &[health], objective, &Budget::unlimited()).unwrap();
        let value = solved.worths[0].value;
        let unreduced = if worth.is_none() { solve_unreduced(&hero, &[foe], health, objective, 1_000) } else { None };
        let message = format!("{kind:?} {deck:?} {objective:?}: {value:?}, {unreduced:?}");
        assert!(value.width() < 1e-9, "{message}");
        assert!(worth.is_some() || unreduced.is_some(), "{message}");
        for worth in [worth, unreduced].into_iter().flatten() {
            assert!(value.lower <= worth + 1e-9 && value.upper >= worth - 1e-9, "{message}");
        }
    }
}

#[test]
fn pruning_changes_nothing() {
    let compared = compare(1, 20);
    assert!(compared > 8, "{compared}");
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_pruning_changes_nothing() {
    let compared = compare(2, 60);
    assert!(compared > 24, "{compared}");
}

#[test]
#[ignore = "takes minutes"]
fn pruning_changes_nothing_in_many_fights() {
    (3..30).into_par_iter().for_each(|seed| {
        let compared = compare(seed, 100);
        assert!(compared > 40, "{compared}");
    });
}
