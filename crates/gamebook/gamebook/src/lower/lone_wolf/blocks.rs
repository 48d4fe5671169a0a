//! Blocks are compiled backwards: first what follows, then the node itself, so that each step knows its successor. What follows
//! depends on little besides its place in the text: whether a fight has been fought in this section, and which numbers are
//! constant.

use budget::Stage;

use super::compiler::{Around, Asking, Compiled, Compiler, Env, MemoKey, Rest};
use super::health::Moment;
use super::registers;
use crate::book::{LocalId, Node, NodeKind, Section, every_node};
use crate::lower::error::{CompileError, MOST_PARTS};
use crate::program::{Instruction, Label, Test, Value};

impl<'a> Compiler<'a> {
    /// Compiles a section, including the questions at its entry.
    pub(super) fn body(&mut self, section: &'a Section) -> Compiled {
        let body = self.block(&section.body, None, &Env::default())?;
        // An item can be used earlier or later, as long as nothing in between interacts with it.
        let may_wait = self.asking != Asking::Everywhere
            && self.healing() == 0
            && section.body.iter().all(|node| self.leaves_health_alone(node))
            && !self.may_be_late_after(section);
        let asked = if may_wait { self.entering_matters() } else { Test::ALWAYS };
        let next = self.asked_if(asked, Moment::Entering, false, body)?;
        // Without a fight in this section there were no rounds and no wounds.
        let asked = [(self.rounds > 0, registers::ROUND), (self.wounds, registers::WOUNDED)];
        let asked = asked.into_iter().filter(|(is_asked, _)| *is_asked);
        self.set(asked.map(|(_, register)| (register, Value::Constant(0))), next)
    }

    /// Whether a section leads to where a healing item can no longer be used.
    fn may_be_late_after(&self, section: &Section) -> bool {
        let mut late = false;
        every_node(&section.body, &mut |node| {
            late |= self.is_late_after(node);
        });
        late
    }

    /// Compiles `nodes` and what follows them; returns their first place.
    pub(super) fn block(&mut self, nodes: &'a [Node], then: Option<&Rest<'a, '_>>, env: &Env<'a, '_>) -> Compiled {
        self.budget.step(Stage::Compiling, u64::try_from(self.program.steps.len()).unwrap_or(u64::MAX), 0)?;
        let Some(first) = nodes.first() else {
            return match then {
                None => self.emit(Instruction::Stuck),
                Some(Rest::At(place)) => Ok(*place),
                Some(Rest::Nodes(nodes, then, around)) => {
                    self.block(nodes, *then, &Env { around: *around, ..env.clone() })
                }
            };
        };
        let key: MemoKey = (nodes.as_ptr() as usize, nodes.len(), env.fought, env.constants.clone());
        if let Some(place) = self.memo.get(&key) {
            return Ok(*place);
        }
        if self.memo.len() >= MOST_PARTS {
            return Err(CompileError::TooLarge { section: self.section });
        }
        self.section_bytes += (size_of::<(MemoKey, Label)>() + key.3.len() * size_of::<(usize, i32)>()) as u64 * 2;
        if let NodeKind::Repeat(body) = &first.kind {
            // The head of the loop must exist before its body.
            let place = self.push(Instruction::Stuck)?;
            self.memo.insert(key, place);
            let after = Rest::Nodes(&nodes[1..], then, env.around);
            let around = Around { nodes, then, constants: &env.constants, outer: env.around };
            let inner = Env { around: Some(&around), ..env.clone() };
            let body = self.block(body, Some(&after), &inner)?;
            self.program.steps[place as usize] = Instruction::Jump(body);
            return Ok(place);
        }
        let place = self.node(first, &nodes[1..], then, env)?;
        let place = self.asked_if(self.time_before(nodes), Moment::Between, env.fought, place)?;
        self.memo.insert(key, place);
        Ok(place)
    }

    /// Lets the player use a healing item if a test holds.
    fn asked_if(&mut self, test: Test, moment: Moment, fought: bool, next: Label) -> Compiled {
        if test == Test::Constant(false) {
            return Ok(next);
        }
        let asked = self.heal(moment, fought, next)?;
        self.branch(test, asked, next)
    }

    /// Compiles nodes that are not questions and change more than numbers.
    fn node(&mut self, node: &'a Node, after: &'a [Node], then: Option<&Rest<'a, '_>>, env: &Env<'a, '_>) -> Compiled {
        let rest = Rest::Nodes(after, then, env.around);
        match &node.kind {
            NodeKind::Victory if self.victories => self.won(),
            NodeKind::Death(_) | NodeKind::Victory => self.emit(Instruction::Death),
            NodeKind::Goto(section) => {
                let leave = self.emit(Instruction::Leave { section: *section, next: 0 })?;
                let leave = self.together_again(leave)?;
                if env.fought || self.healing() == 0 {
                    return Ok(leave);
                }
                let healed = self.gear.healed(Value::Constant(self.healing()));
                self.set([healed], leave)
            }
            NodeKind::If(branches, otherwise) => {
                let mut next = self.block(otherwise, Some(&rest), env)?;
                for (condition, body, _) in branches.iter().rev() {
                    let test = self.test(condition, env);
                    next = match test {
                        Test::Constant(false) => next,
                        Test::Constant(true) => self.block(body, Some(&rest), env)?,
                        _ => {
                            let yes = self.block(body, Some(&rest), env)?;
                            self.branch(test, yes, next)?
                        }
                    };
                }
                Ok(next)
            }
            NodeKind::Choices(choices) => self.choices(choices, &rest, env),
            NodeKind::Pick(pick) => self.pick(pick, &rest, env),
            NodeKind::Fight(fight) => self.fight(fight, &rest, env),
            NodeKind::OneRound { fight, worse, equal, better } => {
                self.one_round(fight, [worse, equal, better], &rest, env)
            }
            NodeKind::Repeat(_) => unreachable!("compiled where blocks are"),
            NodeKind::Again(depth) => self.again(*depth, env),
            _ => {
                let next = self.block(after, then, env)?;
                self.effect(node, next, env)
            }
        }
    }

    /// A jump back to the head of the loop at this depth.
    fn again(&mut self, depth: usize, env: &Env<'a, '_>) -> Compiled {
        let mut around = env.around;
        for _ in 0..depth {
            around = around.and_then(|around| around.outer);
        }
        let Some(Around { nodes, then, constants, outer }) = around else { return self.emit(Instruction::Stuck) };
        let again = Env { fought: env.fought, constants: constants.to_vec(), around: *outer };
        let next = self.block(nodes, *then, &again)?;
        // Names bound before the loop are read from registers inside it, so a number chosen since must be stored.
        let mut sets = Vec::new();
        for (local, number) in &env.constants {
            let is_known = constants.iter().any(|(known, _)| known == local);
            if self.kept[*local] && !is_known && self.is_bound_outside(nodes, *local) {
                sets.push(self.named(*local, *number)?);
            }
        }
        let next = self.set(sets.into_iter().map(|(register, number)| (register, Value::Constant(number))), next)?;
        self.emit(Instruction::Jump(next))
    }

    /// Whether a name is bound in this section outside the loop at the head of `nodes`.
    fn is_bound_outside(&self, nodes: &[Node], local: LocalId) -> bool {
        let inside = nodes.first().map_or(0, |own| binders(std::slice::from_ref(own), local));
        binders(&self.text.body, local) > inside
    }
}

/// The number of bindings of a name in some nodes.
fn binders(nodes: &[Node], local: LocalId) -> usize {
    let mut found = 0;
    every_node(nodes, &mut |node| {
        found += match &node.kind {
            NodeKind::Pick(pick) => pick.sums.iter().filter(|(own, _)| *own == Some(local)).count(),
            NodeKind::Choices(choices) => {
                choices.iter().filter(|choice| choice.each.as_ref().is_some_and(|(own, ..)| *own == local)).count()
            }
            _ => 0,
        };
    });
    found
}
