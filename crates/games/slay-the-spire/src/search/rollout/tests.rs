use budget::Budget;

use crate::answers::solve::{Exactness, graph_of};
use crate::numbers::chance::Chance;
use crate::rules::setup::{Foe, Hero};
use crate::search::Search;
use crate::search::payoff::{Objective, Payoff};

/// The value of a fight under the heuristic policy, the share of it that was followed, and its value under best play.
fn worths(foes: &[Foe], deck: &[&str], health: i16, objective: Objective) -> (f64, f64, f64) {
    let hero = Hero { deck: deck.iter().map(|card| card.parse().unwrap()).collect(), ..Hero::new(0) };
    let rules = hero.rules(foes).unwrap();
    let kinds: Vec<_> = foes.iter().map(|foe| foe.kind).collect();
    let payoff = Payoff::new(objective, &rules).unwrap();
    let mut graph = graph_of(&rules, &kinds, &payoff, Exactness::Bounds);
    let starts = hero.starts(&rules, foes);
    let starts: Vec<(Chance, u32, i16)> =
        starts.iter().map(|(chance, state)| (*chance, graph.after_node(state), health)).collect();
    let mut search = Search::new(&mut graph, payoff, 0);
    let ends = search.play_rollout(&starts, &Budget::unlimited()).ends;
    let worth = ends.iter().map(|(chance, end)| chance * search.payoff.of_end(*end)).sum();
    let mut best = 0.0;
    for (chance, node, health) in starts {
        search.solve(node, health, &Budget::unlimited()).unwrap();
        best += chance.as_f64() * search.after_value(node, health);
    }
    (worth, ends.iter().map(|(chance, _)| chance).sum(), best)
}

fn foe(name: &str, lowest: u16, highest: u16) -> Foe {
    Foe { health: lowest..=highest, ..Foe::of(name.parse().unwrap(), 0) }
}

/// With nothing but attacks, any sensible policy plays as many as possible.
#[test]
fn where_there_is_nothing_to_decide_it_is_best_play() {
    for (foes, deck, health) in [
        (vec![foe("cultist", 30, 33)], ["strike"; 7].as_slice(), 40),
        (vec![foe("jaw-worm", 33, 35)], &["strike", "strike", "strike", "strike", "strike", "strike+"], 30),
        (vec![foe("blue-slaver", 25, 26)], &["strike", "strike", "strike", "strike", "pommel-strike", "strike"], 30),
    ] {
        for objective in [Objective::Health, Objective::Survival] {
            let (worth, followed, best) = worths(&foes, deck, health, objective);
            assert!((0.9999..=1.0).contains(&followed), "{foes:?}: {followed}");
            // What was dropped could have any value.
            assert!(worth <= best && worth >= best - (1.0 - followed) * 80.0, "{foes:?}: {worth}, {best}");
        }
    }
}

#[test]
fn it_is_worth_no_more_than_best_play_and_not_much_less() {
    for (foes, deck, health) in [
        (vec![foe("jaw-worm", 24, 25)], ["strike", "strike", "strike", "defend", "defend", "bash"].as_slice(), 30),
        (vec![foe("sentry", 9, 10), foe("sentry", 8, 8)], &["strike", "strike", "defend", "defend", "bash"], 40),
        (vec![foe("spike-slime-s", 8, 8), foe("acid-slime-m", 12, 12)], &["strike", "defend", "cleave", "warcry"], 30),
        (vec![foe("sneaky-gremlin", 9, 9), foe("mad-gremlin", 9, 9)], &["strike", "defend", "shrug-it-off"], 30),
    ] {
        for objective in [Objective::Health, Objective::Survival] {
            let (worth, followed, best) = worths(&foes, deck, health, objective);
            assert!((0.9999..=1.0).contains(&followed), "{foes:?}: {followed}");
            assert!(worth <= best && worth > 0.5 * best, "{foes:?}: {worth}, {best}");
        }
    }
}
