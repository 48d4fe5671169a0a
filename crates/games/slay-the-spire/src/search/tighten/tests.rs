use budget::{Budget, Limits};

use super::Search;
use crate::data::card::Card;
use crate::graph::Graph;
use crate::rules::setup::{Foe, Hero};
use crate::search::payoff::{Objective, Payoff};

/// An upper bound of the value of a solved fight, with all bounds and pruning, or without any of it.
fn value(foes: &[Foe], cards: &[&str], health: i16, objective: Objective, unreduced: bool) -> f64 {
    let mut hero = Hero::new(0);
    hero.deck.extend(cards.iter().map(|card| card.parse::<Card>().unwrap()));
    let rules = hero.rules(foes).unwrap();
    let kinds: Vec<_> = foes.iter().map(|foe| foe.kind).collect();
    let mut payoff = Payoff::new(objective, &rules).unwrap();
    payoff.convex &= !unreduced;
    let mut graph = Graph::new(&rules, &kinds, !unreduced, if unreduced { 0 } else { 2 });
    let starts = hero.starts(&rules, foes);
    let starts: Vec<_> = starts.iter().map(|(chance, state)| (chance, graph.after_node(state))).collect();
    let mut search = Search::new(&mut graph, payoff, 0);
    let budget = Budget::new(Limits { max_states: 400_000, ..Limits::NONE });
    let mut sum = 0.0;
    if !unreduced {
        let (_, weakest) = hero.starts(&rules, foes).swap_remove(0);
        search.warm_start(&weakest, health, &budget).unwrap();
    }
    for inferring in [true, false].into_iter().filter(|inferring| !(unreduced && *inferring)) {
        search.inferring(inferring);
        sum = 0.0;
        for (chance, node) in &starts {
            search.solve(*node, health, &budget).unwrap();
            sum += chance.as_f64() * search.after_value(*node, health);
        }
    }
    sum
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_values_are_the_same_without_it() {
    let foe = |name: &str, lowest: u16, highest: u16| Foe {
        health: lowest..=highest,
        curl_up: if name.ends_with("louse") { 3..=4 } else { 0..=0 },
        ..Foe::of(name.parse().unwrap(), 0)
    };
    for (foes, cards, health) in [
        (vec![foe("jaw-worm", 9, 11)], [].as_slice(), 12),
        (vec![foe("blue-slaver", 13, 16)], &[], 13),
        (vec![foe("red-louse", 5, 6), foe("green-louse", 6, 7)], &[], 3),
        (vec![foe("mad-gremlin", 7, 8), foe("cultist", 6, 7)], &[], 4),
        // Draws, which could as well come before other plays or not.
        (vec![foe("jaw-worm", 13, 13)], &["pommel-strike", "shrug-it-off", "inflame"], 7),
        (vec![foe("red-louse", 12, 12)], &["warcry", "dropkick", "clash"], 5),
        (vec![foe("spike-slime-s", 6, 6), foe("cultist", 7, 7)], &["battle-trance", "true-grit"], 5),
    ] {
        for objective in [Objective::Health, Objective::Survival] {
            let [with, without] = [false, true].map(|unreduced| value(&foes, cards, health, objective, unreduced));
            assert!((with - without).abs() < 1e-9, "{foes:?} {cards:?} {objective:?}: {with}, {without}");
        }
    }
}
