//! The successors of a position: the next moves of the enemies, and the turns that can be played.

use rustc_hash::FxHashMap;

use super::dominance::Dominance;
use super::order::is_free;
use super::parts::{Key, Parts};
use super::turn::View;
use super::turns::{Decided, Opened, Turns};
use crate::data::enemy::Kind;
use crate::numbers::chance::Chance;
use crate::rules::Rules;
use crate::rules::state::State;

/// The successors of a position, cached.
#[derive(Debug)]
pub(crate) struct Transitions<'a> {
    pub rules: &'a Rules,
    pub parts: Parts,
    turns: Turns,
    intents: FxHashMap<(u32, u8), Vec<(Chance, u32)>>,
}

impl<'a> Transitions<'a> {
    /// An empty cache. With `reduced`, irrelevant choices are left out.
    pub(crate) fn new(rules: &'a Rules, kinds: &[Kind], reduced: bool) -> Self {
        Self {
            rules,
            parts: Parts::new(reduced && is_free(rules, kinds)),
            turns: Turns::new(rules, reduced),
            intents: FxHashMap::default(),
        }
    }

    /// The comparison of positions by the weakness of their enemies, if there is one.
    pub(crate) fn dominance(&self) -> Option<Dominance> {
        self.turns.dominance
    }

    /// A position between two turns.
    pub(crate) fn state(&self, key: Key) -> State {
        self.parts.state(key, self.rules.most_health())
    }

    /// The decision of a position that depends on the piles, as needed for a bound.
    pub(crate) fn glimpse_decision(&mut self, state: &State) -> Decided {
        self.turns.decide(self.rules, &mut self.parts, state, View::AttacksOnly)
    }

    /// The turn as needed for a bound.
    pub(crate) fn glimpse(&mut self, state: &State) -> Opened {
        self.turns.open(self.rules, &mut self.parts, state, View::AttacksOnly)
    }

    /// The rest of a turn in which nothing depends on the piles.
    pub(crate) fn turn(&mut self, state: &State) -> Opened {
        self.turns.open(self.rules, &mut self.parts, state, View::Whole)
    }

    /// The decision of a position that depends on the piles.
    pub(crate) fn decision(&mut self, state: &State) -> Decided {
        self.turns.decide(self.rules, &mut self.parts, state, View::Whole)
    }

    /// Every combination of next moves.
    pub(crate) fn rolls(&mut self, key: Key) -> Vec<(Chance, Key)> {
        let living = key.living();
        let mut rolled = vec![(Chance::ONE, key)];
        for place in 0..living {
            let nexts = self.intents(key.enemies[place], place);
            rolled = rolled
                .into_iter()
                .flat_map(|(chance, key)| {
                    nexts.iter().map(move |(share, enemy)| {
                        let mut next = key;
                        next.enemies[place] = *enemy;
                        (chance.and(*share), next)
                    })
                })
                .collect();
        }
        for (_, key) in &mut rolled {
            self.parts.sort(&mut key.enemies);
        }
        rolled
    }

    fn intents(&mut self, enemy: u32, place: usize) -> Vec<(Chance, u32)> {
        let place = u8::try_from(place).expect("there are few enemies");
        if let Some(known) = self.intents.get(&(enemy, place)) {
            return known.clone();
        }
        let nexts = self.rules.intents(&self.parts.enemy_of(enemy), place.into());
        let nexts: Vec<(Chance, u32)> =
            nexts.into_iter().map(|(chance, next)| (chance, self.parts.enemy(next))).collect();
        self.intents.insert((enemy, place), nexts.clone());
        nexts
    }

    /// The approximate number of bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.parts.bytes() + self.turns.bytes()
    }
}
