//! Blocks and their nodes, lowered backwards.

use std::rc::Rc;

use super::lowering::{Bound, Env, Given, Lowered, Lowering, register_of};
use super::marked::Part;
use super::roll;
use crate::book::{ActionTime, Condition, LocalId, Node, NodeKind, Number, Rule, Target};
use crate::lower::error::CompileError;
use crate::program::{Instruction, Label, Register, Test, Value};

impl<'a> Lowering<'a> {
    /// Lowers `nodes`; `next` follows them.
    pub(super) fn block(&mut self, nodes: &'a [Node], env: &Env<'a>, next: Label) -> Lowered {
        self.block_then(nodes, env, &mut |_, _| Ok(next))
    }

    /// Lowers `nodes`; what follows may use the names that they bind.
    pub(super) fn block_then(
        &mut self,
        nodes: &'a [Node],
        env: &Env<'a>,
        then: &mut dyn FnMut(&mut Self, &Env<'a>) -> Lowered,
    ) -> Lowered {
        self.one_more_block()?;
        let mut envs = vec![env.clone()];
        for node in nodes {
            let mut after = envs[envs.len() - 1].clone();
            self.binds(node, &mut after)?;
            envs.push(after);
        }
        let mut next = then(self, &envs[nodes.len()])?;
        let mut end = nodes.len();
        while end > 0 {
            // Consecutive rolls are made at once, unless an action is possible between them.
            let begin = if env.outside && self.acts_outside() { end - 1 } else { roll::first_of_rolls(nodes, end) };
            next = self.node(&nodes[begin..end], &envs[begin..=end], next)?;
            if env.outside && begin > 0 && does_something(&nodes[begin - 1]) {
                next = self.actions(next, &envs[begin], |when| {
                    matches!(when, ActionTime::OutsideFight | ActionTime::AnyTime)
                })?;
            }
            end = begin;
        }
        Ok(next)
    }

    /// Adds the names that a node binds to the context.
    fn binds(&mut self, node: &'a Node, env: &mut Env<'a>) -> Result<(), CompileError> {
        let NodeKind::Rule(rule) = &node.kind else { return Ok(()) };
        match &**rule {
            Rule::Let(local, number) => {
                let (least, most) = self.range(number, env)?;
                self.bind(env, *local, least, most)?;
            }
            Rule::Roll(roll) => {
                for (place, (local, dice)) in roll.sums.iter().enumerate() {
                    let (least, most) = if place == 0 { roll.range_of_first() } else { dice.range() };
                    if let Some(local) = local {
                        self.bind(env, *local, least.into(), most.into())?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Lowers a node, or rolls that belong together. `envs` are the contexts before and after each.
    fn node(&mut self, nodes: &'a [Node], envs: &[Env<'a>], next: Label) -> Lowered {
        let env = &envs[0];
        match &nodes[0].kind {
            NodeKind::Goto(section) => {
                let leave = self.emit(Instruction::Leave { section: *section, next: 0 })?;
                let system = self.system;
                self.block(&system.on_leave, &Env::default(), leave)
            }
            NodeKind::Victory if self.victories => self.won(),
            NodeKind::Death(_) | NodeKind::Victory => self.emit(Instruction::Death),
            NodeKind::If(branches, otherwise) => {
                let marks = self.marks_parts_of(&nodes[0]);
                let mut parts = Vec::new();
                let mut place = self.block(otherwise, env, next)?;
                let surely = branches.iter().any(|(condition, ..)| *condition == Condition::Constant(true));
                if let Some(first) = otherwise.first().filter(|_| marks && !surely) {
                    place = self.marked(Part::Else, &first.span, place, &mut parts)?;
                }
                for (condition, body, span) in branches.iter().rev() {
                    let test = self.test(condition, env)?;
                    if test == Test::Constant(false) && !self.looks_at_all() {
                        continue;
                    }
                    let mut yes = self.block(body, env, next)?;
                    if marks && *condition != Condition::Constant(false) {
                        yes = self.marked(Part::Branch, span, yes, &mut parts)?;
                    }
                    place = self.branch(test, yes, place)?;
                }
                self.whole(place, parts)
            }
            NodeKind::Choices(choices) => self.choices(&nodes[0], choices, env, next),
            NodeKind::Repeat(body) => {
                let place = self.push(Instruction::Stuck)?;
                let mut inner = env.clone();
                inner.loops.push(place);
                let body = self.block(body, &inner, next)?;
                self.steps[place as usize] = Instruction::Jump(body);
                Ok(place)
            }
            NodeKind::Again(depth) => match env.loops.iter().rev().nth(*depth) {
                Some(place) => {
                    let place = *place;
                    self.emit(Instruction::Jump(place))
                }
                None => self.wrong("this loop begins elsewhere"),
            },
            NodeKind::Rule(rule) => match &**rule {
                Rule::Roll(_) => self.rolls(nodes, envs, next),
                rule => {
                    let place = self.rule(rule, env, &envs[1], next)?;
                    match rule {
                        Rule::Change(_, number) if self.marks_parts_of(&nodes[0]) => {
                            self.loss(number, &nodes[0].span, env, place)
                        }
                        _ => Ok(place),
                    }
                }
            },
            _ => self.wrong("this belongs to other rules"),
        }
    }

    fn rule(&mut self, rule: &'a Rule, env: &Env<'a>, after: &Env<'a>, next: Label) -> Lowered {
        match rule {
            Rule::Set(target, number) => {
                let value = self.value(number, env)?;
                let (least, _) = self.range(number, env)?;
                self.change(*target, value, least < 1, env, next)
            }
            Rule::Change(target, number) => {
                let value = self.value(number, env)?;
                let (least, _) = self.range(number, env)?;
                let register = match target {
                    Target::Variable(variable) => self.variable(*variable, env)?,
                    Target::Local(local) => match self.bound(*local, env)? {
                        Bound::Register(register, ..) => register,
                        Bound::Constant(_) => return self.wrong("this name cannot be changed"),
                    },
                };
                if value == Value::Constant(0) {
                    return Ok(next);
                }
                self.change(*target, Value::Register(register).plus(value), least < 0, env, next)
            }
            Rule::Restore { target, half } => {
                let Some(initial) = self.system.variables[*target].initial else { return Ok(next) };
                let (register, initial) = (register_of(*target), Value::Register(register_of(initial)));
                let value = if *half { Value::Register(register).plus(initial).half() } else { initial };
                self.set([(register, value)], next)
            }
            Rule::Let(local, number) => {
                let value = self.value(number, env)?;
                match self.bound(*local, after)? {
                    Bound::Register(register, ..) => self.set([(register, value)], next),
                    Bound::Constant(_) => Ok(next),
                }
            }
            Rule::Draw(cases, otherwise) => self.draw(cases, otherwise, env, next),
            Rule::Test { test, yes, no } => {
                let system = self.system;
                let test = &system.tests[*test];
                let yes = self.block(yes, env, next)?;
                let no = self.block(no, env, next)?;
                let around = Env { outside: false, ..env.clone() };
                self.block_then(&test.body, &around, &mut |lowering, env| {
                    let holds = lowering.test(&test.yes, env)?;
                    let yes = lowering.block(&test.after, env, yes)?;
                    let no = lowering.block(&test.after, env, no)?;
                    lowering.branch(holds, yes, no)
                })
            }
            Rule::Block(block) => self.given_block(*block, env, next),
            Rule::Use { define, arguments, blocks, .. } => self.used(*define, arguments, blocks, env, next),
            Rule::Event { event, arguments } => self.event(*event, arguments, env, next),
            Rule::Battle(battle) => self.battle(battle, env, next),
            Rule::LoseAll(taken) => self.lose_all(taken, env, next),
            Rule::GiveUp { from, count, by_chance } => self.give_up(from, *count, *by_chance, env, next),
            Rule::Stop => match env.arena {
                Some(arena) => Ok(arena.stop),
                None => self.wrong("there is no fight here"),
            },
            Rule::Resume => match env.resume {
                Some(place) => Ok(place),
                None => self.wrong("the hero is not dying here"),
            },
            Rule::Gain(item, count) => self.gains(*item, count, false, env, next),
            Rule::Take { at_most: None, lines } => {
                let mut next = next;
                for (thing, count) in lines.iter().rev() {
                    next = self.gains(*thing, count, true, env, next)?;
                }
                Ok(next)
            }
            Rule::Take { at_most: Some(most), lines } => self.take_some(*most, lines, env, next),
            Rule::Roll(_) => self.wrong("rolls are lowered together"),
        }
    }

    /// Expands a definition with numbers and blocks as arguments.
    fn used(
        &mut self,
        define: usize,
        arguments: &'a [(LocalId, Number)],
        blocks: &'a [(usize, Vec<Node>)],
        env: &Env<'a>,
        next: Label,
    ) -> Lowered {
        let system = self.system;
        let (mut inner, sets) = self.given(pairs(arguments), env)?;
        for (block, nodes) in blocks {
            let (loops, blocks) = (env.loops.clone(), env.blocks.clone());
            let given = Given { block: *block, nodes, loops, outside: env.outside, item: env.item, blocks };
            inner.blocks.push(Rc::new(given));
        }
        let inner = Env { loops: Vec::new(), ..inner };
        let body = self.block(&system.defines[define].body, &inner, next)?;
        self.set(sets, body)
    }

    /// Expands a block argument in the context in which it was passed.
    fn given_block(&mut self, block: usize, env: &Env<'a>, next: Label) -> Lowered {
        let Some(given) = env.blocks.iter().rev().find(|own| own.block == block) else { return Ok(next) };
        let Given { nodes, loops, outside, item, blocks, .. } = &**given;
        let (loops, blocks) = (loops.clone(), blocks.clone());
        let inner = Env { loops, outside: *outside, item: *item, blocks, ..env.clone() };
        self.block(nodes, &inner, next)
    }

    /// Binds names to numbers: returns the context after the assignments.
    pub(super) fn given(
        &mut self,
        numbers: impl IntoIterator<Item = (LocalId, &'a Number)>,
        env: &Env<'a>,
    ) -> Result<(Env<'a>, Vec<(Register, Value)>), CompileError> {
        let mut inner = env.clone();
        let mut sets = Vec::new();
        for (local, number) in numbers {
            let value = self.value(number, env)?;
            match (&value, self.system.locals[local].changed) {
                (Value::Constant(number), None) => inner.names.push((local, Bound::Constant(*number))),
                _ => {
                    let (least, most) = self.range(number, env)?;
                    let register = self.bind(&mut inner, local, least, most)?;
                    sets.push((register, value));
                }
            }
        }
        Ok((inner, sets))
    }
}

/// Whether a node may change something, so that actions are possible after it.
fn does_something(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Goto(_) | NodeKind::Death(_) | NodeKind::Victory | NodeKind::Again(_) => false,
        NodeKind::If(branches, otherwise) => {
            branches.iter().any(|(_, body, _)| body.iter().any(does_something)) || otherwise.iter().any(does_something)
        }
        NodeKind::Rule(rule) => !matches!(**rule, Rule::Let(..)),
        _ => true,
    }
}

/// Names with the numbers assigned to them.
pub(super) fn pairs(arguments: &[(LocalId, Number)]) -> impl Iterator<Item = (LocalId, &Number)> {
    arguments.iter().map(|(local, number)| (*local, number))
}
