//! Fights of Lone Wolf: a weapon is chosen, then round follows round.
//!
//! A round is a chance with ten outcomes, whose losses are looked up by the combat ratio; tests after it say how the
//! fight goes on. A fight in which nobody is asked between the rounds is one chance as well.

use std::collections::BTreeSet;
use std::sync::Arc;

use lone_wolf::{Conditions, Losses, Track};

use super::apply_policy::{Posed, Told};
use super::choices::leads_to;
use super::compiler::{Compiled, Compiler, Env, Lost, Rest, answer};
use super::fold_fight::{Bout, Rules};
use super::gear::Changes;
use super::health::Moment;
use super::registers;
use super::registers::{
    ARM, Arm, BEFORE, DOUBLES, ENDURANCE, ENEMY, NUMBER, PLAIN, RATIO, RATIOS, ROUND, STRENGTH, WOUNDED,
};
use crate::book::{Discipline, Enemy, Fight, Leaves, MOST_ROUNDS, Node, When};
use crate::lower::error::CompileError;
use crate::program::{Duel, Fold, Instruction, Outcome, Parting, Place, Question, Roll, Table, Test, Value, Weight};
use crate::terms::Comparison;

/// Where a fight leads.
#[derive(Clone, Copy)]
struct Ends {
    won: Place,
    /// From which round on one may leave, and where that leads.
    evade: Option<(u32, Place)>,
    mock: Option<Place>,
    defeat: Option<(Leaves, Place)>,
    stop: Option<(u32, Place)>,
    first_wound: Option<Place>,
    /// The number that leads away when it is picked, and where to.
    slip: Option<(u8, Place)>,
}

/// What holds in the rounds of a fight.
struct Rounds<'a> {
    fight: &'a Fight,
    bonuses: Vec<(i32, Option<u32>, Test)>,
    mindforce: u8,
    /// The first rounds in which it takes nothing.
    mindforce_after: u32,
    /// The first rounds in which no weapon may be used.
    bare_hands: u32,
    /// Rounds beyond this many are alike.
    cap: u16,
    /// Whether wounds are remembered.
    wounds: bool,
}

/// What the outcomes of a round are for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    /// Both lose.
    Fought,
    /// The hero leaves: only he loses.
    Fled,
    /// A lone round: who loses more decides.
    Alone,
}

const HERO: Value = Value::Register(ENDURANCE);

const FOE: Value = Value::Register(ENEMY);

const FOUGHT: Value = Value::Register(ROUND);

impl<'a> Compiler<'a> {
    pub(super) fn fight(&mut self, fight: &'a Fight, rest: &Rest<'a, '_>, env: &Env<'a, '_>) -> Compiled {
        let most = i32::from(MOST_ROUNDS);
        let after = match &fight.mindforce_after {
            Some(after) if self.mindforce(fight) > 0 => self.value(after, env),
            _ => Value::Constant(0),
        };
        if let Value::Constant(after) = after {
            return self.fight_after(fight, after.clamp(0, most), rest, env);
        }
        // A number that was picked: a fight for each that it can be.
        let (_, largest) = after.range(&self.program.layout);
        let largest = largest.clamp(0, most);
        let mut place = self.fight_after(fight, largest, rest, env)?;
        for number in (0..largest).rev() {
            let own = self.fight_after(fight, number, rest, env)?;
            place = self.branch(after.clone().at_most(number), own, place)?;
        }
        Ok(place)
    }

    /// What the enemy's mind takes from this hero.
    fn mindforce(&self, fight: &Fight) -> u8 {
        let shielded = self.hero.knows(Discipline::Mindshield) && !fight.mindforce_always;
        if shielded { 0 } else { fight.mindforce }
    }

    /// A fight in which the enemy's mind takes nothing in so many first rounds.
    fn fight_after(&mut self, fight: &'a Fight, after: i32, rest: &Rest<'a, '_>, env: &Env<'a, '_>) -> Compiled {
        let fought = env.fought;
        let env = Env { fought: true, ..env.clone() };
        let won = self.block(&[], Some(rest), &env)?;
        let won = self.stands(fight, fight.returns_half, won)?;
        let mut way = |body: Option<&'a Vec<Node>>| -> Result<Option<Place>, CompileError> {
            body.map(|body| self.block(body, Some(rest), &env)).transpose()
        };
        let mock = way(fight.mock.as_ref())?;
        let defeat = way(fight.defeat.as_ref().map(|(_, body)| body))?;
        let mut way = |body: Option<&'a Vec<Node>>, returns_half: bool| -> Result<Option<Place>, CompileError> {
            let Some(body) = body else { return Ok(None) };
            let next = self.block(body, Some(rest), &env)?;
            self.stands(fight, returns_half, next).map(Some)
        };
        let evade = way(fight.evade.as_ref().map(|(_, body)| body), fight.returns_half)?;
        let stop = way(fight.stop.as_ref().map(|(_, body)| body), false)?;
        let first_wound = way(fight.first_wound.as_ref(), false)?;
        let slip = way(fight.slip.as_ref().map(|(_, body)| body), false)?;
        let ends = Ends {
            won,
            evade: fight.evade.as_ref().map(|(from, _)| *from).zip(evade),
            mock,
            defeat: fight.defeat.as_ref().map(|(leaves, _)| *leaves).zip(defeat),
            stop: fight.stop.as_ref().map(|(after, _)| *after).zip(stop),
            first_wound,
            slip: fight.slip.as_ref().map(|(number, _)| *number).zip(slip),
        };
        let rounds = self.rounds(fight, u32::try_from(after).unwrap_or(0), &env);
        let beaten = self.beaten(&ends)?;
        let mut next = won;
        for (last, enemy) in fight.enemies.iter().rev().enumerate().map(|(after, enemy)| (after == 0, enemy)) {
            next = self.enemy(&rounds, enemy, &ends, beaten, last, next)?;
        }
        self.begin_fight(fight, fought, next)
    }

    /// The hero stands after a fight.
    fn stands(&mut self, fight: &Fight, returns_half: bool, next: Place) -> Compiled {
        if fight.mock.is_some() {
            // Nobody was hurt.
            return self.set([(ENDURANCE, Value::Register(BEFORE))], next);
        }
        let next = self.heal(Moment::AfterFight, true, next)?;
        let is_told = self.gear.healing.iter().any(|(.., when)| *when == When::SinceCombat);
        // Half of the loss, rounded down, leads to the middle, rounded down.
        let middle = returns_half.then(|| (ENDURANCE, HERO.plus(Value::Register(BEFORE)).half()));
        self.set(middle.into_iter().chain(is_told.then_some((registers::FOUGHT, Value::Constant(1)))), next)
    }

    pub(super) fn one_round(
        &mut self,
        fight: &'a Fight,
        ways: [&'a Vec<Node>; 3],
        rest: &Rest<'a, '_>,
        env: &Env<'a, '_>,
    ) -> Compiled {
        let fought = env.fought;
        let env = Env { fought: true, ..env.clone() };
        let rounds = self.rounds(fight, 0, &env);
        let Some(enemy) = fight.enemies.first() else { return self.emit(Instruction::Stuck) };
        let [worse, equal, better] = ways;
        let [worse, equal, better] = [
            self.block(worse, Some(rest), &env)?,
            self.block(equal, Some(rest), &env)?,
            self.block(better, Some(rest), &env)?,
        ];
        let next = self.branch(Value::Register(NUMBER).at_least(1), equal, better)?;
        let next = self.branch(Value::Register(NUMBER).at_least(2), worse, next)?;
        let next = self.alive(next)?;
        let (round, _) = self.round(&rounds, enemy, Round::Alone, next, None)?;
        self.begin_fight(fight, fought, round)
    }

    /// What holds in the rounds of a fight.
    fn rounds(&self, fight: &'a Fight, mindforce_after: u32, env: &Env<'a, '_>) -> Rounds<'a> {
        let mut bonuses: Vec<(i32, Option<u32>, Test)> = fight
            .bonuses
            .iter()
            .map(|(bonus, rounds, when)| (*bonus, *rounds, self.test(when, env)))
            .filter(|(_, _, test)| *test != Test::Constant(false))
            .collect();
        // What a weapon adds is missing while it may not be used.
        let bare_hands = if fight.bare_hands == u32::MAX { 0 } else { fight.bare_hands };
        if bare_hands > 0 {
            let unarmed = self.gear.bare_hands.bonus;
            let own: BTreeSet<i32> = self.gear.arms.iter().flatten().map(|arm| arm.bonus).collect();
            bonuses.extend(own.into_iter().filter(|own| *own != unarmed).map(|own| {
                let used = Test::compare(Comparison::Equal, Value::Register(ARM), Value::Constant(own));
                (unarmed - own, Some(bare_hands), used)
            }));
        }
        // From which round on (counted from 0) all rounds are alike.
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

    /// What follows when the hero has no ENDURANCE left.
    fn beaten(&mut self, ends: &Ends) -> Compiled {
        if let Some(next) = ends.mock {
            return self.set([(ENDURANCE, Value::Register(BEFORE))], next);
        }
        match ends.defeat {
            Some((leaves, next)) => {
                let left = match leaves {
                    Leaves::Points(points) => Value::Constant(points.into()).min(self.gear.max_endurance()),
                    Leaves::Half => Value::Register(BEFORE).half().max(Value::Constant(1)),
                };
                self.set([(ENDURANCE, left)], next)
            }
            None => self.emit(Instruction::Death),
        }
    }

    /// Before the first enemy steps forward: the player chooses a weapon, one of those that differ in what counts, and
    /// what else strengthens him. Whether he has `fought` in this section matters where nothing can be swallowed before that.
    fn begin_fight(&mut self, fight: &'a Fight, fought: bool, next: Place) -> Compiled {
        let no_potions = fight.no_potions || self.text.no_potions && !fought;
        let undead = fight.enemies.iter().any(|enemy| enemy.undead);
        let wield = |arm: Arm| {
            [(ARM, Value::Constant(arm.bonus)), (DOUBLES, Value::Constant((arm.doubles_undead && undead).into()))]
        };
        let mut answers = Vec::new();
        if fight.bare_hands != u32::MAX {
            for (item, arm) in self.gear.arms.clone().into_iter().enumerate() {
                let Some(arm) = arm.filter(|_| fight.only_weapon.is_none_or(|only| only == item)) else { continue };
                let label = self.label(&format!("fight with {}", self.book.items[item].name));
                answers.push(answer(label, self.gear.count(item).at_least(1), wield(arm), next));
            }
            let plain = self.gear.plain_weapon();
            if let Some(first) = plain.map(|item| self.gear.item(item))
                && fight.only_weapon.is_none()
            {
                // Like any of its members.
                let sets = answers.iter().find(|answer| answer.test.is_there() == Some(first));
                let sets = sets.map_or_else(Changes::new, |answer| answer.sets.to_vec());
                let label = self.label("fight with what there is");
                answers.push(answer(label, Value::Register(PLAIN).at_least(1), sets, next));
            }
        }
        let bare = self.set(wield(self.gear.bare_hands), next)?;
        let weapon = if answers.is_empty() {
            bare
        } else {
            let about = Some(self.label("the weapon"));
            let question = Question { about, distinct: true, answers: answers.into(), otherwise: Some(bare) };
            let place = self.pose(question)?;
            if let Some(enemy) = fight.enemies.first() {
                self.tell_duel(place, first(enemy));
            }
            place
        };
        let before = if fight.looks_back() { HERO } else { Value::Constant(0) };
        let begin = if no_potions { weapon } else { self.strengthen(fight, weapon)? };
        let strength = (!self.gear.strengthening.is_empty()).then_some((STRENGTH, Value::Constant(0)));
        let fight = [(ROUND, Value::Constant(0)), (WOUNDED, Value::Constant(0)), (BEFORE, before)];
        self.set(fight.into_iter().chain(strength), begin)
    }

    /// Says of the fight where the player is asked in it.
    pub(super) fn tell_duel(&mut self, place: Place, duel: Duel) {
        if matches!(self.program.steps[place as usize], Instruction::Ask(_)) {
            self.program.notes.duels.insert(place, duel);
        }
    }

    /// An enemy steps forward and is fought; when he has fallen it goes on at `fallen`.
    fn enemy(
        &mut self,
        rounds: &Rounds<'a>,
        enemy: &'a Enemy,
        ends: &Ends,
        beaten: Place,
        last: bool,
        fallen: Place,
    ) -> Compiled {
        // The next round is needed before what leads to it.
        let again = self.push(Instruction::Stuck)?;
        // The fight is not over while there are others.
        let mut next = if last { again } else { self.branch(FOE.at_most(0), fallen, again)? };
        if let Some((after, place)) = ends.stop {
            next = self.branch(FOUGHT.at_least(i32::try_from(after).unwrap_or(i32::MAX)), place, next)?;
        }
        if let Some(place) = ends.first_wound {
            next = self.branch(Value::Register(NUMBER).at_least(1), place, next)?;
        }
        if last {
            next = self.branch(FOE.at_most(0), fallen, next)?;
        }
        next = self.branch(self.gear.has_fallen(), beaten, next)?;
        let slipped = match ends.slip {
            Some((number, place)) => Some((number, self.branch(self.gear.has_fallen(), beaten, place)?)),
            None => None,
        };
        let (clash, chance) = self.round(rounds, enemy, Round::Fought, next, slipped)?;
        self.program.steps[again as usize] = match ends.evade {
            None => Instruction::Jump(clash),
            Some((from, left)) => {
                let flee = self.branch(self.gear.has_fallen(), beaten, left)?;
                let (flee, _) = self.round(rounds, enemy, Round::Fled, flee, slipped)?;
                let may = FOUGHT.at_least(i32::try_from(from).unwrap_or(i32::MAX).saturating_sub(1));
                let answers = [
                    answer(self.label("fight on"), Test::ALWAYS, [], clash),
                    answer(self.label("leave the fight"), may, [], flee),
                ];
                let about = Some(self.label("the fight"));
                let ratio = self.ratio(rounds, enemy);
                let told = Duel { ratio: Some(ratio), ..duel(enemy) };
                let section = rounds.fight.evade.as_ref().and_then(|(_, body)| leads_to(body));
                let question = Question { about, distinct: false, answers: answers.into(), otherwise: None };
                // Who fights on suffers the same round, and may suffer more before he comes to the same place.
                let ways = [
                    ends.mock,
                    ends.defeat.map(|(_, place)| place),
                    ends.stop.map(|(_, place)| place),
                    ends.first_wound,
                    ends.slip.map(|(_, place)| place),
                ];
                let goes = [Told::default(), Told { section, ..Told::default() }];
                match self.posed(question, &goes)? {
                    Posed::Asked(question) => {
                        self.program.notes.duels.insert(again, told);
                        if ways.iter().all(Option::is_none) {
                            self.program.notes.partings.insert(again, Parting { left, stayed: ends.won });
                        }
                        Instruction::Ask(question)
                    }
                    Posed::Decided(place) => {
                        self.tell_duel(place, told);
                        Instruction::Jump(place)
                    }
                }
            }
        };
        // A fold does not say after how many rounds the hero was beaten.
        let beaten_asks = (ends.mock.is_some() || ends.defeat.is_some()) && (rounds.cap > 0 || rounds.wounds);
        let asked = ends.evade.is_some() || ends.stop.is_some() || ends.first_wound.is_some() || beaten_asks;
        // A fold does not know a weapon that doubles later, venom, or a number that leads away.
        let by_rounds = asked || rounds.bare_hands > 0 && enemy.undead || rounds.fight.venom > 0 || ends.slip.is_some();
        let fought = if by_rounds {
            again
        } else {
            let next = self.branch(self.gear.has_fallen(), beaten, fallen)?;
            let fold = self.fold(rounds, enemy, next, again);
            let fold = self.emit(fold)?;
            self.program.notes.folds.insert(chance, fold);
            fold
        };
        self.set([(ENEMY, Value::Constant(enemy.endurance.into()))], fought)
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
    fn ratio(&self, rounds: &Rounds<'a>, enemy: &Enemy) -> Value {
        let mut ratio = self.lasting_ratio(rounds, enemy);
        for (bonus, within, test) in &rounds.bonuses {
            let Some(within) = within else { continue };
            let early = FOUGHT.at_most(i32::try_from(*within).unwrap_or(i32::MAX).saturating_sub(1));
            let given = Value::holds(Test::both(early, test.clone()));
            ratio = given.times(Value::Constant(*bonus)).plus(ratio);
        }
        ratio
    }

    /// What the hero and the enemy lose by the combat ratio, for each picked number.
    fn tables(&mut self, rounds: &Rounds<'a>) -> Arc<[Lost; 10]> {
        // What is lost later only is no matter of the table.
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

    /// What the hero and the enemy lose in a round by the picked number, as the register of the ratio says, where the hero
    /// has so much `more` COMBAT SKILL.
    fn losses(&mut self, rounds: &Rounds<'a>, enemy: &Enemy, kind: Round, more: i32) -> Vec<(Value, Value)> {
        let since = |rounds: u32| match rounds {
            0 => Value::Constant(1),
            rounds => Value::holds(FOUGHT.at_least(i32::try_from(rounds).unwrap_or(i32::MAX))),
        };
        let touched = match rounds.fight.untouchable {
            u32::MAX => Value::Constant(0),
            rounds => since(rounds),
        };
        // Where everything does, a weapon does not double it again.
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

    /// A round; answers where it begins, and where chance has its say. `slipped`: where it goes on after a number.
    fn round(
        &mut self,
        rounds: &Rounds<'a>,
        enemy: &'a Enemy,
        kind: Round,
        next: Place,
        slipped: Option<(u8, Place)>,
    ) -> Result<(Place, Place), CompileError> {
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

    /// After a round with a wound a number is picked: it is deadly, or costs nothing.
    fn venom(&mut self, rounds: &Rounds<'a>, next: Place) -> Compiled {
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
    fn fold(&mut self, rounds: &Rounds<'a>, enemy: &Enemy, next: Place, steps: Place) -> Instruction {
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
            natives.push(Arc::new(Bout { folds: self.folds.clone(), rules }));
            // They are fewer than places.
            u32::try_from(natives.len() - 1).unwrap_or(u32::MAX)
        });
        let outputs = [ENDURANCE, ENEMY, ROUND, WOUNDED].into();
        Instruction::Fold(Fold { native, inputs, outputs, next, steps })
    }
}

/// The first enemy as he is told before the fight.
pub(super) fn first(enemy: &Enemy) -> Duel {
    Duel { endurance: Value::Constant(enemy.endurance.into()), ..duel(enemy) }
}

/// An enemy as he is told.
fn duel(enemy: &Enemy) -> Duel {
    Duel { name: enemy.name.clone(), combat_skill: enemy.skill, endurance: FOE, ratio: None, losses: Vec::new() }
}
