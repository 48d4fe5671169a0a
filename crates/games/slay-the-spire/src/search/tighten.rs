//! Better first bounds: what is known of a position with other healths, and of positions that are better.
//!
//! - With weaker enemies and all else equal a fight is worth at least as much ([`dominance`](crate::graph::dominance)). So what
//!   such a fight is worth at most is a bound for this one too. Fights against enemies whose health is not known are
//!   solved from the lowest health on: then it is a good one.
//! - Where nothing heals, more health is worth no less.
//! - Where only health counts, and only what is lost in the fight changes it, a way to play that loses X is worth the
//!   expectation of (h - X)+ to who has health h, where X is lost by who cannot die. That is convex in h, and so is the
//!   best of many such ways: between two healths a fight is worth at most what lies on the line between them; with
//!   health 0 it is worth nothing. And one more health is worth at most 1.
//!
//! - So where one more health is worth 1, all further health is worth as much: then nothing has to be looked for. That
//!   is read off numbers that are rounded, so all is solved a second time without it, which takes little when values
//!   are known.
//!
//! A bound is looked for when a position is about to be followed with a health for the first time.

use super::Search;
use super::known::After;
use crate::numbers::rounding::up;

impl Search<'_, '_> {
    /// Bounds an after node that was not followed with this health yet. Says whether it is worth less than it was.
    pub(crate) fn tighten(&mut self, node: u32, health: i16) -> bool {
        if self.after.get(node, health).upper < f64::INFINITY {
            return false;
        }
        let mut known = self.bound_value(node, health);
        while self.graph.look_further(node) {
            let value = self.bound_value(node, health);
            if value < known {
                return true;
            }
            known = value;
        }
        let mut value = known.min(self.between(node, health));
        for better in self.graph.better(node) {
            value = value.min(self.after.get(better, health).upper).min(self.between(better, health));
        }
        self.after.at(node, health).upper = value;
        value < known
    }

    /// An after node is worth no more than a better one.
    pub(crate) fn bound_by(&mut self, node: u32, better: u32, health: i16) {
        let value = self.after_value(better, health).min(self.after_value(node, health));
        self.after.at(node, health).upper = value;
    }

    /// Whether values are convex in the health, and one more health is worth at most 1.
    pub(crate) fn convex(&self) -> bool {
        self.payoff.convex && !self.heals
    }

    /// What the values with two other healths say.
    fn between(&self, node: u32, health: i16) -> f64 {
        if self.heals || !self.payoff.is_monotone() {
            return f64::INFINITY;
        }
        let known = |cell: &(i16, After)| cell.1.upper < f64::INFINITY;
        let above = self.after.above(node, health).find(known).map(|(above, cell)| (above, cell.upper));
        if !self.convex() {
            return above.map_or(f64::INFINITY, |(_, high)| high);
        }
        let below = self.after.below(node, health).find(known).map(|(below, cell)| (below, cell.upper));
        let (below, low) = below.unwrap_or((0, 0.0));
        let from = f64::from(health - below);
        let most = up(low + from, 2);
        let Some((above, high)) = above else { return most };
        let to = f64::from(above - health);
        up((low * to + high * from) / (from + to), 4).min(most)
    }
}

#[cfg(test)]
mod tests {
    use budget::{Budget, Limits};

    use super::Search;
    use crate::data::card::Card;
    use crate::graph::Graph;
    use crate::rules::setup::{Foe, Hero};
    use crate::search::payoff::{Objective, Payoff};

    /// What a fight is worth at most when it is solved, with all that bounds and leaves out, or without any of it.
    fn value(foes: &[Foe], cards: &[&str], health: i16, objective: Objective, plain: bool) -> f64 {
        let mut hero = Hero::new(0);
        hero.deck.extend(cards.iter().map(|card| card.parse::<Card>().unwrap()));
        let rules = hero.rules(foes).unwrap();
        let kinds: Vec<_> = foes.iter().map(|foe| foe.kind).collect();
        let mut payoff = Payoff::new(objective, &rules).unwrap();
        payoff.convex &= !plain;
        let mut graph = Graph::new(&rules, &kinds, !plain, if plain { 0 } else { 2 });
        let starts = hero.starts(&rules, foes);
        let starts: Vec<_> = starts.iter().map(|(chance, state)| (chance, graph.after_node(state))).collect();
        let mut search = Search::new(&mut graph, payoff, 0);
        let budget = Budget::new(Limits { max_states: 400_000, ..Limits::NONE });
        let mut sum = 0.0;
        if !plain {
            let (_, weakest) = hero.starts(&rules, foes).swap_remove(0);
            search.climb(&weakest, health, &budget).unwrap();
        }
        for inferring in [true, false].into_iter().filter(|inferring| !(plain && *inferring)) {
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
                let [with, without] = [false, true].map(|plain| value(&foes, cards, health, objective, plain));
                assert!((with - without).abs() < 1e-9, "{foes:?} {cards:?} {objective:?}: {with}, {without}");
            }
        }
    }
}
