//! Fights to the end, folded by `lone_wolf::fold`.

use std::sync::{Arc, RwLock};

use lone_wolf::{CombatTable, Conditions, Ending, Folded, Start, TimedBonus, Track, fold};
use mdp::SharedWeights;
use rustc_hash::FxHashMap;

use crate::program::{ByFirst, Endings, Native, Skills, chance};

/// The cached folds, each for every ENDURANCE of the hero.
#[derive(Debug)]
pub(super) struct Folds {
    pub table: CombatTable,
    /// The maximal ENDURANCE of the hero.
    pub heroes: u8,
    pub known: RwLock<FxHashMap<Key, Option<ByFirst>>>,
    /// Heroes with more COMBAT SKILL who are compiled together with this one: a fold then covers all of them.
    pub skills: Option<Arc<Skills>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    conditions: Conditions,
    pub start: Start,
    track: Track,
}

/// A fight against one enemy to the end.
///
/// Its inputs are the ENDURANCE of the hero and the enemy, the rounds fought, whether the hero is wounded, the combat ratio,
/// whether the enemy takes double damage, and for each timed bonus whether it applies. Its outputs are the first four of them.
#[derive(Debug)]
pub(super) struct FoldedFight {
    pub folds: Arc<Folds>,
    pub rules: Rules,
}

/// What does not depend on registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Rules {
    pub mindforce: u8,
    pub mindforce_after: u32,
    pub helper: u8,
    pub untouchable: u32,
    pub only_parry: u32,
    /// Bonuses of the first rounds: their number and size.
    pub timed: Vec<(u32, i32)>,
    pub track: Track,
}

impl Native for FoldedFight {
    fn endings(&self, others: &[i32]) -> Option<ByFirst> {
        let [enemy, round, wounded, ratio, double, timed @ ..] = others else { return None };
        let given = self.rules.timed.iter().zip(timed).filter(|(_, given)| **given > 0);
        let key = Key {
            conditions: Conditions {
                ratio: *ratio,
                bonuses: given.map(|((rounds, bonus), _)| TimedBonus { rounds: *rounds, bonus: *bonus }).collect(),
                mindforce: self.rules.mindforce,
                mindforce_after: self.rules.mindforce_after,
                helper: self.rules.helper,
                untouchable: self.rules.untouchable,
                only_parry: self.rules.only_parry,
                double_damage: *double > 0,
            },
            start: Start {
                round: u32::try_from(*round).ok()?,
                enemy: u8::try_from(*enemy).ok()?,
                wounded: *wounded > 0,
                heroes: self.folds.heroes,
            },
            track: self.rules.track,
        };
        if let Some(known) = self.folds.known.read().ok().and_then(|known| known.get(&key).cloned()) {
            return known;
        }
        let folded = match &self.folds.skills {
            Some(skills) => self.folds.fold_all(&key, skills),
            None => self.folds.fold(&key),
        };
        if let Ok(mut known) = self.folds.known.write() {
            known.insert(key, folded.clone());
        }
        folded
    }
}

impl Folds {
    /// The fold for all heroes who are compiled together.
    fn fold_all(&self, key: &Key, skills: &Skills) -> Option<ByFirst> {
        let each = (0..skills.count()).map(|more| {
            let conditions = Conditions { ratio: key.conditions.ratio + i32::from(more), ..key.conditions.clone() };
            fold(&self.table, &conditions, &key.start, key.track).ok()
        });
        let each: Vec<Folded> = each.collect::<Option<_>>()?;
        let mut last: Option<(Vec<Vec<f64>>, SharedWeights)> = None;
        let endings = |hero: u8| {
            let mut all: Vec<Ending> = each.iter().flat_map(|own| own.from(hero).iter()).map(|(own, _)| *own).collect();
            all.sort_unstable();
            all.dedup();
            let chances = each.iter().map(|own| {
                let own = own.from(hero);
                let mut chances = vec![0.0; all.len()];
                for (ending, weight) in own.iter() {
                    if let Ok(place) = all.binary_search(ending) {
                        chances[place] = chance(weight, own.total());
                    }
                }
                chances
            });
            let chances: Vec<Vec<f64>> = chances.collect();
            // Once the enemy cannot kill the hero, more ENDURANCE changes nothing.
            let weights = match last.take().filter(|(known, _)| *known == chances) {
                Some((_, weights)) => weights,
                None => skills.fight(chances.clone())?,
            };
            last = Some((chances, weights.clone()));
            Some(Arc::new(Endings { weights, outputs: all.into_iter().map(outputs).collect() }))
        };
        (0..=self.heroes).map(endings).collect()
    }

    fn fold(&self, key: &Key) -> Option<ByFirst> {
        let folded = fold(&self.table, &key.conditions, &key.start, key.track).ok()?;
        let mut last: Option<SharedWeights> = None;
        let endings = |hero: u8| {
            let endings = folded.from(hero);
            let outputs = endings.iter().map(|(ending, _)| outputs(*ending));
            // Once the enemy cannot kill the hero, more ENDURANCE changes nothing.
            let weights = endings.shared_weights();
            let weights = last.take().filter(|last| *last == weights).unwrap_or(weights);
            last = Some(weights.clone());
            Arc::new(Endings { weights, outputs: outputs.collect() })
        };
        Some((0..=self.heroes).map(endings).collect())
    }
}

/// The outputs of an ending.
fn outputs(ending: Ending) -> (Box<[i32]>, usize) {
    // Rounds are counted up to the maximum of a register.
    let rounds = i32::try_from(ending.rounds).unwrap_or(i32::MAX);
    ([ending.hero.into(), 0, rounds, ending.wounded.into()].into(), 0)
}
