use budget::Budget;

use super::Search;
use crate::graph::Graph;
use crate::rules::setup::{Foe, Hero};
use crate::search::payoff::{Objective, Payoff};

/// An upper bound of the value of a fight, and the number of positions expanded for it; with bounds from this many
/// turns.
fn solve((foes, card): &(Vec<Foe>, &str), health: i16, objective: Objective, turns: u8, deepens: bool) -> (f64, usize) {
    let mut hero = Hero::new(0);
    hero.deck.push(card.parse().unwrap());
    let rules = hero.rules(foes).unwrap();
    let kinds: Vec<_> = foes.iter().map(|foe| foe.kind).collect();
    let payoff = Payoff::new(objective, &rules).unwrap();
    let mut graph = Graph::new(&rules, &kinds, true, turns);
    let starts = hero.starts(&rules, foes);
    let starts: Vec<_> = starts.iter().map(|(chance, state)| (chance, graph.after_node(state))).collect();
    let mut search = Search::new(&mut graph, payoff, 0);
    assert_eq!(search.strides.is_some(), turns > 0);
    search.strides = search.strides.filter(|_| deepens);
    let together: Vec<(u32, i16)> = starts.iter().map(|(_, node)| (*node, health)).collect();
    search.deepen_together(&together, &Budget::unlimited()).unwrap();
    let mut sum = 0.0;
    for (chance, node) in &starts {
        search.solve(*node, health, &Budget::unlimited()).unwrap();
        sum += chance.as_f64() * search.after_value(*node, health);
    }
    (sum, search.graph.expanded())
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_values_are_the_same_and_less_is_looked_at() {
    let foe = |name: &str, lowest: u16, highest: u16| Foe {
        health: lowest..=highest,
        curl_up: if name.ends_with("louse") { 3..=4 } else { 0..=0 },
        ..Foe::of(name.parse().unwrap(), 0)
    };
    let two = |one: Foe, other: Foe, card: &'static str| (vec![one, other], card);
    for (fight, health, objective) in [
        (two(foe("spike-slime-s", 6, 6), foe("acid-slime-m", 10, 11), "strike"), 30, Objective::Health),
        (two(foe("spike-slime-s", 5, 5), foe("acid-slime-m", 6, 6), "pommel-strike"), 30, Objective::Health),
        (two(foe("spike-slime-s", 5, 5), foe("acid-slime-m", 8, 8), "defend"), 9, Objective::Survival),
        (two(foe("sentry", 6, 7), foe("sentry", 5, 6), "strike"), 30, Objective::Health),
        (two(foe("red-louse", 8, 9), foe("green-louse", 10, 11), "cleave"), 20, Objective::Health),
        (two(foe("blue-slaver", 7, 7), foe("looter", 6, 6), "shrug-it-off"), 25, Objective::Health),
    ] {
        let (value, few) = solve(&fight, health, objective, 2, true);
        let (same, many) = solve(&fight, health, objective, 2, false);
        let (unreduced, most) = solve(&fight, health, objective, 0, false);
        assert!(
            (value - same).abs() < 1e-9 && (value - unreduced).abs() < 1e-9,
            "{fight:?}: {value}, {same}, {unreduced}"
        );
        assert!(few <= many && many <= most, "{fight:?}: {few}, {many}, {most}");
    }
}
