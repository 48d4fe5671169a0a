//! The next intents of enemies.

use super::Rules;
use super::queue::Outcomes;
use super::state::{Enemy, NONE, State};
use crate::data::moves::{Past, counts_run, first_moves, longest_run, next_moves};
use crate::numbers::chance::Chance;

impl Rules {
    /// The enemies' next moves, with their chances.
    pub fn roll(&self, state: &State) -> Outcomes {
        let mut outcomes = vec![(Chance::ONE, *state)];
        let living = state.living().count();
        for place in 0..living {
            let Some(enemy) = state.enemies[place] else { continue };
            let nexts = self.intents(&enemy, place);
            outcomes = outcomes
                .into_iter()
                .flat_map(|(chance, state)| {
                    nexts.iter().map(move |(share, enemy)| {
                        let mut next = state;
                        next.enemies[place] = Some(*enemy);
                        (chance.and(*share), next)
                    })
                })
                .collect();
        }
        outcomes
    }

    /// One enemy with each of its possible next moves.
    pub(crate) fn intents(&self, enemy: &Enemy, place: usize) -> Vec<(Chance, Enemy)> {
        let (kind, ascension) = (enemy.kind, self.ascension);
        let first = enemy.intent == NONE;
        let moves = if first {
            first_moves(kind, ascension, place)
        } else {
            let past = Past { last: enemy.intent, run: enemy.run, memory: enemy.memory };
            next_moves(kind, ascension, past)
        };
        let total: u32 = moves.iter().map(|(weight, _)| weight).sum();
        let mut nexts = Vec::new();
        for (weight, intent) in moves {
            let mut next = *enemy;
            next.intent = intent;
            next.run = self.run_of(enemy, intent, first);
            let chance = Chance::new(weight.into(), total.into());
            if kind.is_louse() && intent == 0 && next.bite == 0 {
                let bites = kind.bites(ascension);
                let share = chance.and(Chance::one_in(bites.len()));
                nexts.extend(bites.map(|bite| (share, Enemy { bite, ..next })));
            } else {
                nexts.push((chance, next));
            }
        }
        nexts
    }

    /// How often in a row the enemy then makes this move, where its rule depends on it.
    fn run_of(&self, enemy: &Enemy, intent: u8, first: bool) -> u8 {
        if !counts_run(enemy.kind, self.ascension, intent, enemy.memory) {
            return 0;
        }
        let again = !first && enemy.intent == intent;
        if again { (enemy.run + 1).min(longest_run(enemy.kind)) } else { 1 }
    }
}
