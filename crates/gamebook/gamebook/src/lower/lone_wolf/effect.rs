//! Nodes without decisions.

use super::compiler::{Compiled, Compiler, Env};
use super::registers;
use crate::book::{Discipline, Node, NodeKind, Thing};
use crate::program::{Instruction, Label, Value};

impl<'a> Compiler<'a> {
    /// Compiles a node that continues at `next` in any case.
    pub(super) fn effect(&mut self, node: &'a Node, next: Label, env: &Env<'a, '_>) -> Compiled {
        match &node.kind {
            NodeKind::Endurance(change) => {
                let change = self.value(change, env);
                self.hurt(change, next)
            }
            NodeKind::Restore { half } => {
                let most = self.gear.max_endurance();
                let restored = if *half { Value::Register(registers::ENDURANCE).plus(most).half() } else { most };
                self.set([(registers::ENDURANCE, restored)], next)
            }
            NodeKind::Gain(Thing::Gold, count) => {
                let count = self.value(count, env);
                self.set([(registers::GOLD, Value::Register(registers::GOLD).plus(count))], next)
            }
            NodeKind::Gain(Thing::Item(item), count) if self.gear.is_single(*item) => {
                let test = self.value(count, env).at_least(1);
                let got = self.gear.get(*item, Value::Constant(1));
                let got = self.set(got, next)?;
                self.branch(test, got, next)
            }
            NodeKind::Gain(thing, count) => {
                let count = self.value(count, env);
                self.take(*thing, count, false, next)
            }
            NodeKind::Lose(Thing::Gold, count) => {
                let after = match count {
                    None => Value::Constant(0),
                    Some(count) => Value::Register(registers::GOLD).minus(self.value(count, env)),
                };
                self.set([(registers::GOLD, after)], next)
            }
            NodeKind::Lose(Thing::Item(item), count) => {
                let count = count.as_ref().map(|count| self.value(count, env));
                self.lose(*item, count, next)
            }
            NodeKind::LoseAll { gold, items } => {
                let mut lost = self.gear.lose_all(items);
                if *gold {
                    lost.push((registers::GOLD, Value::Constant(0)));
                }
                self.set(lost, next)
            }
            NodeKind::GiveUp { kind, count, by_chance } => self.give_up(*kind, *count, *by_chance, next),
            NodeKind::Flag(flag, on) => {
                let register = self.gear.flag(*flag);
                self.set([(register, Value::Constant((*on).into()))], next)
            }
            NodeKind::Counter(counter, number) => {
                let value = self.value(number, env);
                let register = self.gear.counter(*counter);
                self.set([(register, value)], next)
            }
            NodeKind::Eat { hunting, .. } if *hunting && self.hero.knows(Discipline::Hunting) => Ok(next),
            NodeKind::Eat { optional, .. } => self.eat(*optional, next),
            NodeKind::Take { at_most, lines } => {
                let mut next = next;
                for (thing, count) in lines.iter().rev() {
                    let count = self.value(count, env);
                    next = self.take(*thing, count, at_most.is_some(), next)?;
                }
                match at_most {
                    Some(most) => self.set([(registers::LEFT, Value::Constant((*most).into()))], next),
                    None => Ok(next),
                }
            }
            NodeKind::Shop(trades) => self.shops(trades, next),
            _ => unreachable!("these do not simply go on"),
        }
    }

    /// Emits the death of a hero without ENDURANCE.
    pub(super) fn alive(&mut self, next: Label) -> Compiled {
        let dead = self.emit(Instruction::Death)?;
        self.branch(self.gear.has_fallen(), dead, next)
    }

    /// Changes ENDURANCE, up to the maximum; at 0 the hero dies.
    pub(super) fn hurt(&mut self, change: Value, next: Label) -> Compiled {
        let (least, most) = change.range(&self.program.layout);
        if least >= 0 {
            let healed = self.gear.healed(change);
            return if most == 0 { Ok(next) } else { self.set([healed], next) };
        }
        let alive = self.alive(next)?;
        let after = if most <= 0 {
            (registers::ENDURANCE, Value::Register(registers::ENDURANCE).plus(change))
        } else {
            self.gear.healed(change)
        };
        self.set([after], alive)
    }
}
