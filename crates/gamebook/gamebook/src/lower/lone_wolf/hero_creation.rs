//! The creation of a Lone Wolf hero during play.

use super::compiler::{Compiled, Compiler, answer};
use super::gear::Changes;
use super::registers::GOLD;
use crate::book::{HeroCreation, HeroQuantity, Kind, QUESTION};
use crate::program::{Instruction, Label, Outcome, Question, Test, Value};
use crate::terms::SectionNumber;

impl Compiler<'_> {
    /// The beginning of play: the remaining rolls and choices of the hero, then section `start`.
    pub(super) fn opening(&mut self, start: SectionNumber, goals: &[SectionNumber]) -> Compiled {
        let begin = self.sections(start, goals)?;
        let Some(creation) = self.creation else { return Ok(begin) };
        self.section = start;
        self.creation(creation, false, begin)
    }

    /// Emits the rolls, then the choices; continues at `next`. COMBAT SKILL and ENDURANCE are fixed before compilation. A hero
    /// from an earlier book keeps his gold, and can drop what he carries for what he chooses.
    pub(super) fn creation(&mut self, creation: &HeroCreation, from_another: bool, next: Label) -> Compiled {
        let mut next = next;
        if let Some(chosen) = &creation.chosen {
            let mut answers = Vec::new();
            if from_another {
                self.drops(Kind::Weapon, &Test::ALWAYS, &mut answers);
                self.drops(Kind::Backpack, &Test::ALWAYS, &mut answers);
            }
            for (label, things) in chosen.combinations(self.book) {
                let (mut test, mut changes) = (Test::ALWAYS, Changes::new());
                let of_kind = |kind: Kind| -> i32 {
                    let own = |quantity: &HeroQuantity| match quantity {
                        HeroQuantity::Item(item) => self.gear.kind(*item) == kind,
                        _ => false,
                    };
                    let places = |quantity: &HeroQuantity| {
                        if let HeroQuantity::Item(item) = quantity { self.gear.places(*item) } else { 0 }
                    };
                    things
                        .iter()
                        .filter(|(quantity, _)| own(quantity))
                        .map(|(quantity, count)| count * places(quantity))
                        .sum()
                };
                for kind in [Kind::Weapon, Kind::Backpack] {
                    let count = of_kind(kind);
                    if count > 0 {
                        test = Test::both(test, self.gear.room(kind).at_least(count));
                    }
                }
                for (quantity, count) in &things {
                    match quantity {
                        HeroQuantity::Item(item) => {
                            if self.gear.is_single(*item) {
                                test = Test::both(test, self.gear.count(*item).at_most(0));
                            }
                            changes.extend(self.gear.get(*item, Value::Constant(*count)));
                        }
                        HeroQuantity::Gold => changes.push((GOLD, Value::Register(GOLD).plus(Value::Constant(*count)))),
                        HeroQuantity::CombatSkill | HeroQuantity::Endurance | HeroQuantity::Variable(_) => {}
                    }
                }
                let label = self.label(&label);
                answers.push(answer(label, test, changes, next));
            }
            let about = Some(self.label(QUESTION));
            let otherwise = Some(next);
            next =
                self.emit(Instruction::Ask(Question { about, distinct: false, answers: answers.into(), otherwise }))?;
        }
        let had = Value::Register(GOLD);
        for (_, dice) in creation.rolled.iter().rev().filter(|(quantity, _)| *quantity == HeroQuantity::Gold) {
            let outcome = |(number, ways): (i32, dashu_int::UBig)| Outcome {
                weight: ways.into(),
                sets: [(
                    GOLD,
                    if from_another { had.clone().plus(Value::Constant(number)) } else { Value::Constant(number) },
                )]
                .into(),
                next,
            };
            let outcomes = dice.totals().into_iter().map(outcome).collect();
            next = self.emit(Instruction::Chance { outcomes })?;
        }
        Ok(next)
    }
}
