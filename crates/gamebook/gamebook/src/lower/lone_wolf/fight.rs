//! Fights of Lone Wolf: the hero chooses a weapon, then rounds follow.
//!
//! A round is a chance with ten outcomes, whose losses are looked up by the combat ratio; tests after it decide how the fight
//! goes on. A fight without decisions between its rounds is a single chance.

use super::apply_policy::{Posed, Shown};
use super::choices::leads_to;
use super::compiler::{Compiled, Compiler, Env, Rest, answer};
use super::gear::Changes;
use super::health::Moment;
use super::registers;
use super::registers::{ARM, Arm, BEFORE, DOUBLES, ENDURANCE, ENEMY, NUMBER, PLAIN, ROUND, STRENGTH, WOUNDED};
use super::round::{FOE, FOUGHT, HERO, Round, Rounds, duel, first};
use crate::book::{Enemy, Fight, Leaves, MOST_ROUNDS, Node, When};
use crate::lower::error::CompileError;
use crate::program::{Duel, Instruction, Label, Parting, Question, Test, Value};

/// The targets of a fight.
#[derive(Clone, Copy)]
struct Ends {
    won: Label,
    /// For a hero without ENDURANCE.
    beaten: Label,
    /// The first round after which the hero may evade, and the target.
    evade: Option<(u32, Label)>,
    mock: Option<Label>,
    defeat: Option<(Leaves, Label)>,
    stop: Option<(u32, Label)>,
    first_wound: Option<Label>,
    /// The picked number that ends the fight, and the target.
    slip: Option<(u8, Label)>,
}

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
        // For a number that was picked, one fight for each value.
        let (_, largest) = after.range(&self.program.layout);
        let largest = largest.clamp(0, most);
        let mut place = self.fight_after(fight, largest, rest, env)?;
        for number in (0..largest).rev() {
            let own = self.fight_after(fight, number, rest, env)?;
            place = self.branch(after.clone().at_most(number), own, place)?;
        }
        Ok(place)
    }

    /// A fight in which the enemy's mindforce takes nothing in this many rounds.
    fn fight_after(&mut self, fight: &'a Fight, after: i32, rest: &Rest<'a, '_>, env: &Env<'a, '_>) -> Compiled {
        let fought = env.fought;
        let env = Env { fought: true, ..env.clone() };
        let won = self.block(&[], Some(rest), &env)?;
        let won = self.stands(fight, fight.returns_half, won)?;
        let mut way = |body: Option<&'a Vec<Node>>| -> Result<Option<Label>, CompileError> {
            body.map(|body| self.block(body, Some(rest), &env)).transpose()
        };
        let mock = way(fight.mock.as_ref())?;
        let defeat = way(fight.defeat.as_ref().map(|(_, body)| body))?;
        let mut way = |body: Option<&'a Vec<Node>>, returns_half: bool| -> Result<Option<Label>, CompileError> {
            let Some(body) = body else { return Ok(None) };
            let next = self.block(body, Some(rest), &env)?;
            self.stands(fight, returns_half, next).map(Some)
        };
        let evade = way(fight.evade.as_ref().map(|(_, body)| body), fight.returns_half)?;
        let stop = way(fight.stop.as_ref().map(|(_, body)| body), false)?;
        let first_wound = way(fight.first_wound.as_ref(), false)?;
        let slip = way(fight.slip.as_ref().map(|(_, body)| body), false)?;
        let defeat = fight.defeat.as_ref().map(|(leaves, _)| *leaves).zip(defeat);
        let ends = Ends {
            won,
            beaten: self.beaten(mock, defeat)?,
            evade: fight.evade.as_ref().map(|(from, _)| *from).zip(evade),
            mock,
            defeat,
            stop: fight.stop.as_ref().map(|(after, _)| *after).zip(stop),
            first_wound,
            slip: fight.slip.as_ref().map(|(number, _)| *number).zip(slip),
        };
        let rounds = self.rounds(fight, u32::try_from(after).unwrap_or(0), &env);
        let mut next = won;
        for (last, enemy) in fight.enemies.iter().rev().enumerate().map(|(after, enemy)| (after == 0, enemy)) {
            next = self.enemy(&rounds, enemy, &ends, last, next)?;
        }
        self.begin_fight(fight, fought, next)
    }

    /// The end of a fight for a surviving hero.
    fn stands(&mut self, fight: &Fight, returns_half: bool, next: Label) -> Compiled {
        if fight.mock.is_some() {
            // ENDURANCE is restored.
            return self.set([(ENDURANCE, Value::Register(BEFORE))], next);
        }
        let next = self.heal(Moment::AfterFight, true, next)?;
        let is_noted = self.gear.healing.iter().any(|(.., when)| *when == When::SinceCombat);
        // Half of the loss, rounded down, is the mean of before and after, rounded down.
        let middle = returns_half.then(|| (ENDURANCE, HERO.plus(Value::Register(BEFORE)).half()));
        self.set(middle.into_iter().chain(is_noted.then_some((registers::FOUGHT, Value::Constant(1)))), next)
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

    /// The end of a fight for a hero without ENDURANCE.
    fn beaten(&mut self, mock: Option<Label>, defeat: Option<(Leaves, Label)>) -> Compiled {
        if let Some(next) = mock {
            return self.set([(ENDURANCE, Value::Register(BEFORE))], next);
        }
        match defeat {
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

    /// Before the first enemy: the player chooses among weapons with different effects, and what else strengthens him. `fought`
    /// matters where nothing can be swallowed before a fight.
    fn begin_fight(&mut self, fight: &'a Fight, fought: bool, next: Label) -> Compiled {
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
                // As for any of its members.
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
                self.note_duel(place, first(enemy));
            }
            place
        };
        let before = if fight.looks_back() { HERO } else { Value::Constant(0) };
        let begin = if no_potions { weapon } else { self.strengthen(fight, weapon)? };
        let strength = (!self.gear.strengthening.is_empty()).then_some((STRENGTH, Value::Constant(0)));
        let fight = [(ROUND, Value::Constant(0)), (WOUNDED, Value::Constant(0)), (BEFORE, before)];
        self.set(fight.into_iter().chain(strength), begin)
    }

    /// Adds the description of the fight to a question.
    pub(super) fn note_duel(&mut self, place: Label, duel: Duel) {
        if matches!(self.program.steps[place as usize], Instruction::Ask(_)) {
            self.program.notes.duels.insert(place, duel);
        }
    }

    /// A fight with one enemy; continues at `fallen` after his death.
    fn enemy(&mut self, rounds: &Rounds<'a>, enemy: &'a Enemy, ends: &Ends, last: bool, fallen: Label) -> Compiled {
        let beaten = ends.beaten;
        // The head of the loop must exist before its body.
        let again = self.push(Instruction::Stuck)?;
        // The fight goes on while other enemies are left.
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
                let shown = Duel { ratio: Some(ratio), ..duel(enemy) };
                let section = rounds.fight.evade.as_ref().and_then(|(_, body)| leads_to(body));
                let question = Question { about, distinct: false, answers: answers.into(), otherwise: None };
                // Fighting on costs at least as much as this round before reaching the same place.
                let ways = [
                    ends.mock,
                    ends.defeat.map(|(_, place)| place),
                    ends.stop.map(|(_, place)| place),
                    ends.first_wound,
                    ends.slip.map(|(_, place)| place),
                ];
                let goes = [Shown::default(), Shown { section, ..Shown::default() }];
                match self.posed(question, &goes)? {
                    Posed::Asked(question) => {
                        self.program.notes.duels.insert(again, shown);
                        if ways.iter().all(Option::is_none) {
                            self.program.notes.partings.insert(again, Parting { left, stayed: ends.won });
                        }
                        Instruction::Ask(question)
                    }
                    Posed::Decided(place) => {
                        self.note_duel(place, shown);
                        Instruction::Jump(place)
                    }
                }
            }
        };
        // A fold does not report the round in which the hero was beaten.
        let beaten_asks = (ends.mock.is_some() || ends.defeat.is_some()) && (rounds.cap > 0 || rounds.wounds);
        let asked = ends.evade.is_some() || ends.stop.is_some() || ends.first_wound.is_some() || beaten_asks;
        // A fold supports no weapon that doubles later, no venom and no number that ends the fight.
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
}
