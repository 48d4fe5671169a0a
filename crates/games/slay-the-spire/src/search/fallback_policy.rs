//! A heuristic policy for what a stopped search left open.
//!
//! The value of any policy is a lower bound of the value under best play. So where best play was not found, play
//! continues by an estimate of the cost of the remaining enemies: each hits until its turn to die. The estimate is no
//! bound, but the value of the policy is computed with proven rounding. The likeliest positions of each turn are
//! followed first; those that are not followed count as nothing.

use std::time::{Duration, Instant};

use budget::{Budget, Limits};
use rustc_hash::FxHashMap;

use super::Search;
use super::induced_chain::Chain;
use crate::data::card::Kind;
use crate::data::enemy::{Act, at};
use crate::data::power::Power;
use crate::graph::choice::Choice;
use crate::rules::Rules;
use crate::rules::state::{Enemy, State};

/// The number of positions of each turn that are followed at first, and in any case.
const FEW: usize = 64;
/// The factor by which that number grows each time.
const MORE: usize = 4;
/// The most turns.
const TURNS: usize = 100;
/// Less likely positions are not followed.
const UNLIKELY: f64 = 1e-12;
/// How long the first few are followed, even when time is up.
const SHORT: Duration = Duration::from_millis(300);

/// The approximate damage of the hero to an enemy in a turn.
const DAMAGE: f64 = 10.0;
/// The share of hits that he does not block.
const UNBLOCKED: f64 = 0.6;

/// The estimates for after nodes.
pub(crate) type Guesses = FxHashMap<u32, f64>;

impl Search<'_, '_> {
    /// Adds the successors of a chain's states, by the best play that was found and otherwise by the fallback policy:
    /// the likeliest first, as far as the budget allows.
    pub(crate) fn walk_likely(&mut self, chain: &mut Chain, first: &[(f64, u32)], budget: &Budget<'_>) {
        let begun = Instant::now();
        let mut guesses = Guesses::default();
        let mut width = FEW;
        loop {
            let done = self.walk_layers(chain, first, width, &mut guesses, |search, node| {
                let is_over = search.fits(budget).and_then(|()| search.ask(budget)).is_err();
                if is_over && (width > FEW || begun.elapsed() > SHORT) {
                    return true;
                }
                let short = Budget::new(Limits { max_time: Some(SHORT), ..Limits::NONE });
                let expanded = search.graph.expand_within(node, if is_over { &short } else { budget });
                expanded.is_err()
            });
            if done {
                break;
            }
            width = width.saturating_mul(MORE);
        }
        chain.cut |= !chain.pending.is_empty();
        chain.order.reverse();
    }

    /// Follows this many positions of each turn. Returns whether there is nothing more to do, or no time for it.
    fn walk_layers(
        &mut self,
        chain: &mut Chain,
        first: &[(f64, u32)],
        width: usize,
        guesses: &mut Guesses,
        stops: impl Fn(&mut Self, u32) -> bool,
    ) -> bool {
        let mut complete = true;
        let mut layer: Vec<(f64, u32)> = first.to_vec();
        for _ in 0..TURNS {
            layer.retain(|(mass, _)| *mass > UNLIKELY);
            layer.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            complete &= layer.len() <= width;
            let mut next: FxHashMap<u32, f64> = FxHashMap::default();
            for (mass, number) in layer.iter().take(width) {
                if let Some(search_state) = chain.pending.get(number).copied() {
                    if stops(self, search_state.0) {
                        return true;
                    }
                    chain.pending.remove(number);
                    let thumb = if self.is_solved(search_state) { None } else { Some(&mut *guesses) };
                    chain.steps[*number as usize] = self.step_by(search_state, chain, thumb);
                    chain.order.push(*number);
                }
                for (chance, to) in &chain.steps[*number as usize].to {
                    *next.entry(*to).or_default() += mass * chance;
                }
            }
            if next.is_empty() {
                break;
            }
            layer = next.into_iter().map(|(number, mass)| (mass, number)).collect();
        }
        complete
    }

    /// The choice that seems best by the estimate.
    pub(crate) fn fallback_choice(&mut self, point: u32, health: i16, guesses: &mut Guesses) -> Option<Choice> {
        self.improvise(point, health, guesses).1
    }

    fn improvise(&mut self, point: u32, health: i16, guesses: &mut Guesses) -> (f64, Option<Choice>) {
        let node = self.graph.points[point as usize];
        let mut best = (f64::NEG_INFINITY, None);
        for index in node.edges.range() {
            let edge = self.graph.edges[index];
            let seems = match (self.left(&edge, health), edge.to.node()) {
                (None, _) => -f64::from(self.graph.transitions.rules.most_health()),
                (Some(left), to) => {
                    // Where health has no limit, the remaining health does not show the loss.
                    let gained = if self.payoff.loss { edge.change.delta } else { 0 };
                    f64::from(left + gained) - to.map_or(0.0, |node| self.guess(node, guesses))
                }
            };
            if seems > best.0 {
                best = (seems, Some(Choice::Edge(index)));
            }
        }
        for index in node.chances.range() {
            let items = self.graph.chances[index].range();
            let mut seems = 0.0;
            for index in items {
                let (chance, point) = self.graph.items[index];
                seems += chance * self.improvise(point, health, guesses).0;
            }
            if seems > best.0 {
                best = (seems, Some(Choice::Chance(index)));
            }
        }
        best
    }

    /// The estimated cost of the rest of the fight from an after node on.
    fn guess(&self, node: u32, guesses: &mut Guesses) -> f64 {
        *guesses.entry(node).or_insert_with(|| {
            let state = self.graph.transitions.state(self.graph.after.value(node));
            self.cost(&state)
        })
    }

    pub(crate) fn cost(&self, state: &State) -> f64 {
        usual_cost(self.graph.transitions.rules, state)
    }
}

/// The estimated cost of the rest of the fight: each enemy hits until its turn to die.
pub(crate) fn usual_cost(rules: &Rules, state: &State) -> f64 {
    // How many turns it takes to kill each, and how hard it hits meanwhile.
    let mut enemies: Vec<(f64, f64)> = state
        .living()
        .map(|enemy| {
            let health = f64::from(enemy.health) - 3.0 * f64::from(enemy.vulnerable.min(3));
            (health.max(1.0), usual_hit(enemy, rules.ascension))
        })
        .collect();
    enemies.sort_by(|a, b| (a.0 * b.1).total_cmp(&(b.0 * a.1)));
    let damage = (DAMAGE + 2.5 * f64::from(state.player.strength)).max(4.0);
    let (mut turns, mut cost) = (0.0, 0.0);
    for (health, hits) in enemies {
        turns += health / damage;
        cost += turns * hits;
    }
    let is_status = |slot: u8| matches!(rules.card(slot).data().kind, Kind::Status | Kind::Curse);
    let piles = state.draw.iter().chain(state.discard.iter());
    let useless: u8 = piles.filter(|(slot, _)| is_status(*slot)).map(|(_, count)| count).sum();
    let hindered = [Power::Vulnerable, Power::Weak, Power::Frail].map(|power| state.player.has(power).min(2));
    let hindrance = 1.0 + 0.04 * f64::from(useless) + 0.1 * f64::from(hindered.iter().sum::<u8>());
    UNBLOCKED * cost * hindrance
}

/// The mean damage of an enemy's moves, if each is equally likely.
pub(crate) fn usual_hit(enemy: &Enemy, ascension: u8) -> f64 {
    let moves = enemy.kind.data().moves;
    let hit = |act: &Act| match act {
        Act::Hit(damage, times) => (i32::from(at(damage, ascension)) + i32::from(enemy.strength)) * i32::from(*times),
        Act::Bite => 6 + i32::from(enemy.strength),
        Act::Divide => 6 * i32::from(enemy.bite),
        _ => 0,
    };
    let sum: i32 = moves.iter().flat_map(|data| data.acts).map(hit).sum();
    f64::from(sum.max(1)) / f64::from(u32::try_from(moves.len().max(1)).unwrap_or(1))
}

#[cfg(test)]
mod tests;
