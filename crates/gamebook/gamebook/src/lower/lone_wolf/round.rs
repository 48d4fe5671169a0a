//! Rounds of a fight: the combat ratio, the losses of both sides, and a fight to the end as one chance.

use std::collections::BTreeSet;
use std::sync::Arc;

use lone_wolf::{Conditions, Losses, Track};

use super::compiler::{Compiled, Compiler, Env, Lost};
use super::fold_fight::{FoldedFight, Rules};
use super::gear::Changes;
use super::registers::{ARM, DOUBLES, ENDURANCE, ENEMY, NUMBER, RATIO, RATIOS, ROUND, STRENGTH, WOUNDED};
use crate::book::{Discipline, Enemy, Fight, MOST_ROUNDS};
use crate::lower::error::CompileError;
use crate::program::{Duel, Fold, Instruction, Label, Outcome, Roll, Table, Test, Value, Weight};
use crate::terms::Comparison;

/// The constants of a fight's rounds.
pub(super) struct Rounds<'a> {
    pub(super) fight: &'a Fight,
    pub(super) bonuses: Vec<(i32, Option<u32>, Test)>,
    pub(super) mindforce: u8,
    /// The number of first rounds in which mindforce takes nothing.
    pub(super) mindforce_after: u32,
    /// The number of first rounds in which no weapon may be used.
    pub(super) bare_hands: u32,
    /// Rounds beyond this one are equivalent.
    pub(super) cap: u16,
    /// Whether wounds are recorded.
    pub(super) wounds: bool,
}

/// The use of a round's outcomes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Round {
    /// Both sides lose.
    Fought,
    /// The hero evades: only he loses.
    Fled,
    /// A single round, decided by the larger loss.
    Alone,
}

pub(super) const HERO: Value = Value::Register(ENDURANCE);

pub(super) const FOE: Value = Value::Register(ENEMY);

pub(super) const FOUGHT: Value = Value::Register(ROUND);

/// The first enemy, as shown before the fight.
pub(super) fn first(enemy: &Enemy) -> Duel {
    Duel { endurance: Value::Constant(enemy.endurance.into()), ..duel(enemy) }
}

/// An enemy, as shown in the fight.
pub(super) fn duel(enemy: &Enemy) -> Duel {
    Duel { name: enemy.name.clone(), combat_skill: enemy.skill, endurance: FOE, ratio: None, losses: Vec::new() }
}

impl<'a> Compiler<'a> {
    /// The constants of a fight's rounds.
    pub(super) fn rounds(&self, fight: &'a Fight, mindforce_after: u32, env: &Env<'a, '_>) -> Rounds<'a> {
        let mut bonuses: Vec<(i32, Option<u32>, Test)> = fight
            .bonuses
            .iter()
            .map(|(bonus, rounds, when)| (*bonus, *rounds, self.test(when, env)))
            .filter(|(_, _, test)| *test != Test::Constant(false))
            .collect();
        // Without the weapon its bonus is missing.
        let bare_hands = if fight.bare_hands == u32::MAX { 0 } else { fight.bare_hands };
        if bare_hands > 0 {
            let unarmed = self.gear.bare_hands.bonus;
            let own: BTreeSet<i32> = self.gear.arms.iter().flatten().map(|arm| arm.bonus).collect();
            bonuses.extend(own.into_iter().filter(|own| *own != unarmed).map(|own| {
                let used = Test::compare(Comparison::Equal, Value::Register(ARM), Value::Constant(own));
                (unarmed - own, Some(bare_hands), used)
            }));
        }
        // The round (counted from 0) from which on all rounds are equivalent.
        let timed = bonuses.iter().filter_map(|(_, rounds, _)| *rounds).max().unwrap_or(0);
        let untouchable = if fight.untouchable == u32::MAX { 0 } else { fight.untouchable };
        let leaving = fight.evade.as_ref().map_or(0, |(from, _)| from.saturating_sub(1));
        let stopping = fight.stop.as_ref().map_or(0, |(after, _)| *after);
        let early = timed.max(bare_hands).max(untouchable).max(mindforce_after).max(fight.only_parry);
        let cap = early.max(leaving).max(stopping).max(self.rounds);
        Rounds {
            fight,
            bonuses,
            mindforce: self.mindforce(fight),
            mindforce_after,
            bare_hands,
            cap: u16::try_from(cap).unwrap_or(u16::MAX).min(MOST_ROUNDS),
            wounds: self.wounds,
        }
    }

    /// The loss of this hero to the enemy's mindforce.
    pub(super) fn mindforce(&self, fight: &Fight) -> u8 {
        let shielded = self.hero.knows(Discipline::Mindshield) && !fight.mindforce_always;
        if shielded { 0 } else { fight.mindforce }
    }

    /// The combat ratio before the bonuses of the first rounds.
    fn lasting_ratio(&self, rounds: &Rounds<'a>, enemy: &Enemy) -> Value {
        let mindblast = self.hero.knows(Discipline::Mindblast) && !enemy.immune_to_mindblast;
        let known = self.hero.combat_skill.saturating_sub(enemy.skill).saturating_add(if mindblast {
            self.book.kai.mindblast
        } else {
            0
        });
        let mut ratio = Value::Register(ARM).plus(Value::Constant(known));
        if !self.gear.strengthening.is_empty() {
            ratio = Value::Register(STRENGTH).plus(ratio);
        }
        for (item, bonus) in &self.gear.shields {
            let has = self.gear.count(*item);
            let has = if self.gear.is_single(*item) { has } else { Value::holds(has.at_least(1)) };
            ratio = has.times(Value::Constant(*bonus)).plus(ratio);
        }
        for (bonus, _, test) in rounds.bonuses.iter().filter(|(_, rounds, _)| rounds.is_none()) {
            ratio = Value::holds(test.clone()).times(Value::Constant(*bonus)).plus(ratio);
        }
        ratio
    }

    /// The combat ratio of the next round.
    pub(super) fn ratio(&self, rounds: &Rounds<'a>, enemy: &Enemy) -> Value {
        let mut ratio = self.lasting_ratio(rounds, enemy);
        for (bonus, within, test) in &rounds.bonuses {
            let Some(within) = within else { continue };
            let early = FOUGHT.at_most(i32::try_from(*within).unwrap_or(i32::MAX).saturating_sub(1));
            let given = Value::holds(Test::both(early, test.clone()));
            ratio = given.times(Value::Constant(*bonus)).plus(ratio);
        }
        ratio
    }

    /// The losses of the hero and the enemy by the combat ratio, for each picked number.
    fn tables(&mut self, rounds: &Rounds<'a>) -> Arc<[Lost; 10]> {
        // Mindforce that begins later is not part of the table.
        let mindforce = if rounds.mindforce_after > 0 { 0 } else { rounds.mindforce };
        let double_damage = rounds.fight.double_damage;
        let table = &self.folds.table;
        let known = self.tables.entry((mindforce, double_damage)).or_insert_with(|| {
            let losses = |ratio| {
                let conditions = Conditions { ratio, mindforce, double_damage, ..Conditions::default() };
                conditions.round(table, 1)
            };
            Arc::new(std::array::from_fn(|number| {
                let column = |of: fn(Losses) -> u8| {
                    let numbers = RATIOS.map(|ratio| of(losses(ratio)[number]).into()).collect();
                    Arc::new(Table { first: *RATIOS.start(), numbers })
                };
                (column(|losses| losses.hero), column(|losses| losses.enemy))
            }))
        });
        known.clone()
    }

    /// The losses of the hero and the enemy in a round by the picked number, at the combat ratio in its register, for a hero
    /// with `more` COMBAT SKILL.
    fn losses(&mut self, rounds: &Rounds<'a>, enemy: &Enemy, kind: Round, more: i32) -> Vec<(Value, Value)> {
        let since = |rounds: u32| match rounds {
            0 => Value::Constant(1),
            rounds => Value::holds(FOUGHT.at_least(i32::try_from(rounds).unwrap_or(i32::MAX))),
        };
        let touched = match rounds.fight.untouchable {
            u32::MAX => Value::Constant(0),
            rounds => since(rounds),
        };
        // If everything is doubled, a weapon does not double it again.
        let doubles = enemy.undead && !rounds.fight.double_damage;
        let armed = since(rounds.bare_hands);
        let doubled = Value::Register(DOUBLES).times(armed).plus(Value::Constant(1));
        let times = if doubles { doubled } else { Value::Constant(1) };
        let later = match rounds.mindforce_after {
            0 => Value::Constant(0),
            after => since(after).times(Value::Constant(rounds.mindforce.into())),
        };
        let ratio = Value::Register(RATIO).plus(Value::Constant(more));
        let lost = |table: &Arc<Table>| Value::Lookup(table.clone(), Box::new(ratio.clone()));
        let struck = since(rounds.fight.only_parry);
        let hit = |lost: Value| {
            lost.times(times.clone()).plus(Value::Constant(rounds.fight.helper.into())).times(struck.clone())
        };
        let by_number = self.tables(rounds);
        by_number
            .iter()
            .map(|(hero, enemy)| {
                let foe = if kind == Round::Fled { Value::Constant(0) } else { hit(lost(enemy)) };
                (lost(hero).plus(later.clone()).times(touched.clone()), foe)
            })
            .collect()
    }

    /// A round; returns its first place and that of its chance. `slipped` is the target after the number that ends the fight.
    pub(super) fn round(
        &mut self,
        rounds: &Rounds<'a>,
        enemy: &'a Enemy,
        kind: Round,
        next: Label,
        slipped: Option<(u8, Label)>,
    ) -> Result<(Label, Label), CompileError> {
        let weights = match &self.gear.skills {
            Some(skills) => (0..skills.count()).map(Weight::BySkill).collect(),
            None => vec![Weight::Number(1)],
        };
        let mut losses = self.losses(rounds, enemy, kind, 0);
        let mut all = Vec::new();
        for (more, weight) in (0..).zip(&weights) {
            let losses = if more == 0 { losses.clone() } else { self.losses(rounds, enemy, kind, more) };
            all.extend((0..).zip(losses).map(|(number, lost)| (weight, number, lost)));
        }
        let venom = rounds.fight.venom > 0;
        let [next, slipped_to] = [next, slipped.map_or(next, |(_, place)| place)]
            .map(|next| if venom { self.venom(rounds, next) } else { Ok(next) });
        let (next, slipped_to) = (next?, slipped_to?);
        let outcomes = all.iter().map(|(weight, number, (hero, foe))| {
            let next = if slipped.is_some_and(|(away, _)| away == *number) { slipped_to } else { next };
            let mut sets = Changes::new();
            if kind == Round::Alone {
                let compared = |comparison| Value::holds(Test::compare(comparison, hero.clone(), foe.clone()));
                sets.push((NUMBER, compared(Comparison::AtLeast).plus(compared(Comparison::More))));
            } else if venom || rounds.fight.first_wound.is_some() && kind == Round::Fought {
                sets.push((NUMBER, hero.clone()));
            }
            if rounds.wounds && !venom {
                let hurt = Value::holds(hero.clone().at_least(1));
                sets.push((WOUNDED, Value::Register(WOUNDED).max(hurt)));
            }
            if !venom {
                sets.push((ENDURANCE, HERO.minus(hero.clone())));
            }
            if kind == Round::Fought {
                sets.push((ENEMY, FOE.minus(foe.clone())));
            }
            if rounds.cap > 0 {
                sets.push((ROUND, FOUGHT.plus(Value::Constant(1)).min(Value::Constant(rounds.cap.into()))));
            }
            Outcome { weight: (*weight).clone(), sets: sets.into(), next }
        });
        let chance = self.push(Instruction::Chance { outcomes: outcomes.collect() })?;
        let ratio = self.ratio(rounds, enemy);
        if venom {
            for (hero, _) in &mut losses {
                *hero = Value::Constant(0);
            }
        }
        let mut duel = Duel { ratio: Some(ratio.clone()), losses, ..duel(enemy) };
        if kind == Round::Alone {
            duel.endurance = Value::Constant(enemy.endurance.into());
        }
        self.program.notes.duels.insert(chance, duel);
        Ok((self.set([(RATIO, ratio)], chance)?, chance))
    }

    /// After a round with a wound a number is picked: it kills or has no effect.
    fn venom(&mut self, rounds: &Rounds<'a>, next: Label) -> Compiled {
        let deadly = rounds.fight.venom;
        let harmless = 10 - deadly;
        let wound = rounds.wounds.then_some((WOUNDED, Value::Constant(1)));
        let death = [(ENDURANCE, Value::Constant(0))].into_iter().chain(wound).collect();
        let outcomes = [
            Outcome { weight: Weight::Number(harmless.into()), sets: [].into(), next },
            Outcome { weight: Weight::Number(deadly.into()), sets: death, next },
        ];
        let picked = self.push(Instruction::Chance { outcomes: outcomes.into() })?;
        let outcomes = (0..10).map(|number| u32::from(number >= harmless)).collect();
        let roll = Roll { sums: vec![(None, 1)], zero_is_ten: false, outcomes };
        self.program.notes.rolls.insert(picked, Some(Arc::new(roll)));
        self.branch(Value::Register(NUMBER).at_least(1), picked, next)
    }

    /// A fight against one enemy to the end, as one chance.
    pub(super) fn fold(&mut self, rounds: &Rounds<'a>, enemy: &Enemy, next: Label, steps: Label) -> Instruction {
        let timed =
            rounds.bonuses.iter().filter_map(|(bonus, within, test)| within.map(|within| (within, *bonus, test)));
        let rules = Rules {
            mindforce: rounds.mindforce,
            mindforce_after: rounds.mindforce_after,
            helper: rounds.fight.helper,
            untouchable: rounds.fight.untouchable,
            only_parry: rounds.fight.only_parry,
            timed: timed.clone().map(|(within, bonus, _)| (within, bonus)).collect(),
            track: Track { rounds: rounds.cap.into(), wounded: rounds.wounds },
        };
        let double = match (rounds.fight.double_damage, enemy.undead) {
            (true, _) => Value::Constant(1),
            (false, true) => Value::Register(DOUBLES),
            (false, false) => Value::Constant(0),
        };
        let fixed = [HERO, FOE, FOUGHT, Value::Register(WOUNDED), self.lasting_ratio(rounds, enemy), double];
        let inputs = fixed.into_iter().chain(timed.map(|(_, _, test)| Value::holds(test.clone()))).collect();
        let natives = &mut self.program.natives;
        let native = *self.bouts.entry(rules.clone()).or_insert_with(|| {
            natives.push(Arc::new(FoldedFight { folds: self.folds.clone(), rules }));
            // There are fewer than places.
            u32::try_from(natives.len() - 1).unwrap_or(u32::MAX)
        });
        let outputs = [ENDURANCE, ENEMY, ROUND, WOUNDED].into();
        Instruction::Fold(Fold { native, inputs, outputs, exits: [next].into(), steps })
    }
}
