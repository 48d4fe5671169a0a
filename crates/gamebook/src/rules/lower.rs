//! From a book with a system of rules to a [`Program`].
//!
//! A block of nodes is lowered backwards: what follows it is known first, so that each step knows its successor.
//! Registers hold what is on the sheet; those of enemies and of names follow. A name has the register after those of
//! the names around it, and is worth nothing after its block, so that blocks share registers.

mod ask;
mod fight;
mod roll;
mod settle;

use budget::{Budget, Stage};
use rustc_hash::FxHashMap;

use crate::book::{Book, Condition, LocalId, Node, NodeKind, Number, Operator, SectionNumber};
use crate::compile::{CompileError, MOST_PARTS, Starting};
use crate::machine::Situation;
use crate::program::{Instruction, Notes, Place, Program, Sets, Sheet, Test, Value};
use crate::rules::{Action, ActionTime, PolicyRule, Rule, System, Target, VariableKind, VariableRef};
use crate::state::{LAST_PLACE, Layout, Register};

use fight::Arena;

/// A place, or why there is none.
type Lowered = Result<Place, CompileError>;

/// Numbers beyond this cannot be held by a name.
const MOST_NUMBER: i64 = 20_000;
/// Actions are offered that deep.
const MOST_NAMES: usize = 60;

/// Lowers a book. Entering one of `goals` wins; play begins in `start`.
pub(crate) fn lower(
    book: &Book,
    system: &System,
    situation: &Situation,
    start: SectionNumber,
    goals: &[SectionNumber],
    budget: &Budget<'_>,
) -> Result<Starting, CompileError> {
    let registers = system.variables.iter().map(|own| (own.name.clone(), own.least, own.most)).collect();
    let mut lowering = Lowering {
        system,
        readings: (0..system.readings.len())
            .map(|own| situation.readings.iter().find(|(reading, _)| *reading == own).map_or(0, |(_, value)| *value))
            .collect(),
        policy: situation.policy.as_ref().map_or(&[], |policy| &policy.rules),
        steps: Vec::new(),
        sections: Vec::new(),
        labels: Vec::new(),
        label_numbers: FxHashMap::default(),
        known: FxHashMap::default(),
        registers,
        enemies: FxHashMap::default(),
        names: FxHashMap::default(),
        section: start,
        victories: goals == book.goals,
        budget,
        bytes: 0,
    };
    let mut entries: FxHashMap<SectionNumber, Place> = FxHashMap::default();
    let mut first = None;
    for (number, section) in &book.sections {
        lowering.section = *number;
        let entry = if goals.contains(number) {
            lowering.emit(Instruction::Victory)?
        } else {
            let stuck = lowering.emit(Instruction::Stuck)?;
            let env = Env { outside: true, ..Env::default() };
            let body = lowering.block(&section.body, &env, stuck)?;
            let body =
                lowering.actions(body, &env, |when| matches!(when, ActionTime::OutsideFight | ActionTime::AnyTime))?;
            let next = lowering.block(&book.on_enter, &Env::default(), body)?;
            if *number == start {
                first = Some(lowering.emit(Instruction::Enter { next: body })?);
            }
            next
        };
        entries.insert(*number, lowering.emit(Instruction::Enter { next: entry })?);
    }
    for step in &mut lowering.steps {
        if let Instruction::Leave { section, next } = step {
            match entries.get(section) {
                Some(entry) => *next = *entry,
                None => *step = Instruction::Stuck,
            }
        }
    }
    let start = first.or_else(|| entries.get(&start).copied()).unwrap_or(0);
    lowering.finish(situation, start)
}

/// What is known where a node is lowered.
#[derive(Clone, Default)]
struct Env<'a> {
    /// The names that mean something, the innermost last.
    names: Vec<(LocalId, Bound)>,
    /// How many registers they use.
    used: usize,
    /// The loops around, the innermost last.
    loops: Vec<Place>,
    /// The fight around.
    arena: Option<Arena<'a>>,
    /// The event that is going on.
    event: Option<usize>,
    /// Where a dying hero lives on.
    resume: Option<Place>,
    /// Between two things that happen in a section there is time for actions.
    outside: bool,
}

/// What a name stands for.
#[derive(Clone, Copy)]
enum Bound {
    Constant(i32),
    /// A register, and the numbers that it can hold.
    Register(Register, i32, i32),
}

struct Lowering<'a> {
    system: &'a System,
    readings: Vec<usize>,
    policy: &'a [PolicyRule],
    steps: Vec<Instruction>,
    sections: Vec<SectionNumber>,
    labels: Vec<String>,
    label_numbers: FxHashMap<String, u32>,
    known: FxHashMap<(SectionNumber, Instruction), Place>,
    /// Every register: its name, and the smallest and the largest number that it holds.
    registers: Vec<(String, i32, i32)>,
    /// The registers of enemies who are fought at once: which enemy, which stat.
    enemies: FxHashMap<(usize, usize), Register>,
    /// The registers of names: how deep the name is, and whether it is changed after it is bound.
    names: FxHashMap<(usize, bool), Register>,
    section: SectionNumber,
    /// Whether a `victory` wins.
    victories: bool,
    budget: &'a Budget<'a>,
    bytes: u64,
}

impl<'a> Lowering<'a> {
    fn finish(self, situation: &Situation, start: Place) -> Result<Starting, CompileError> {
        let system = self.system;
        let sheet = Sheet {
            stats: Some(
                (0..)
                    .zip(&system.variables)
                    .filter(|(_, own)| matches!(own.kind, VariableKind::Stat | VariableKind::Counter))
                    .map(|(register, own)| (own.name.clone(), register))
                    .collect(),
            ),
            endurance: 0,
            max_endurance: Value::Constant(0),
            gold: 0,
            items: of_kind(system, VariableKind::Item),
            flags: of_kind(system, VariableKind::Flag),
            fight: (0..self.registers.len())
                .skip(system.variables.len())
                .filter_map(|register| Register::try_from(register).ok())
                .collect(),
        };
        // A program without registers has nothing to be kept.
        let mut registers = self.registers;
        if registers.is_empty() {
            registers.push(("nothing".into(), 0, 0));
        }
        let mut numbers: Vec<i32> = system.variables.iter().map(|own| own.start).collect();
        for (variable, number) in &situation.values {
            if let Some(own) = numbers.get_mut(*variable) {
                *own = *number;
            }
        }
        let mut steps = self.steps;
        let written = settle::written(&steps, numbers.len());
        for (own, initial) in system.variables.iter().enumerate().filter_map(|(own, it)| Some((own, it.initial?))) {
            // Gains stop at the initial value, and that is known.
            if !written[initial] {
                let most = &mut registers[own].2;
                *most = (*most).min(numbers[initial].max(numbers[own]));
            }
        }
        settle::known(&mut steps, &numbers);
        let layout = Layout::new(registers)?;
        let program = Program {
            steps,
            sections: self.sections,
            start,
            labels: self.labels,
            natives: Vec::new(),
            groups: Vec::new(),
            notes: Notes::default(),
            sheet,
            layout,
        };
        let mut state = program.layout.zero().at(start);
        for (register, number) in (0..).zip(numbers) {
            program.layout.set(&mut state, register, number);
        }
        Ok(Starting { program, state })
    }

    fn wrong<T>(&self, message: impl Into<String>) -> Result<T, CompileError> {
        Err(CompileError::Rules { section: self.section, message: message.into() })
    }

    fn emit(&mut self, step: Instruction) -> Lowered {
        let key = (self.section, step);
        if let Some(place) = self.known.get(&key) {
            return Ok(*place);
        }
        let place = self.push(key.1.clone())?;
        self.known.insert(key, place);
        Ok(place)
    }

    /// Adds a step even if there is one like it.
    fn push(&mut self, step: Instruction) -> Lowered {
        let place = Place::try_from(self.steps.len()).ok().filter(|place| *place <= LAST_PLACE);
        let too_large = CompileError::TooLarge { section: self.section };
        let place = place.filter(|place| (*place as usize) < MOST_PARTS).ok_or(too_large)?;
        self.bytes += 2 * step.bytes() as u64;
        self.budget.memory(self.bytes)?;
        self.budget.step(Stage::Compiling, place.into(), 0)?;
        self.steps.push(step);
        self.sections.push(self.section);
        Ok(place)
    }

    fn label(&mut self, label: &str) -> u32 {
        if let Some(number) = self.label_numbers.get(label) {
            return *number;
        }
        // Labels are fewer than places.
        let number = u32::try_from(self.labels.len()).unwrap_or(u32::MAX);
        self.labels.push(label.into());
        self.label_numbers.insert(label.into(), number);
        number
    }

    /// Numbers put into registers, one after another.
    fn set(&mut self, sets: impl IntoIterator<Item = (Register, Value)>, next: Place) -> Lowered {
        let sets: Sets = sets.into_iter().collect();
        if sets.is_empty() { Ok(next) } else { self.emit(Instruction::Set { sets, next }) }
    }

    fn branch(&mut self, test: Test, yes: Place, no: Place) -> Lowered {
        match test {
            Test::Constant(holds) => Ok(if holds { yes } else { no }),
            _ if yes == no => Ok(yes),
            test => self.emit(Instruction::Branch { test, yes, no }),
        }
    }

    fn register(&mut self, name: String, least: i32, most: i32) -> Result<Register, CompileError> {
        match Register::try_from(self.registers.len()) {
            Ok(register) if register < Register::MAX => {
                self.registers.push((name, least, most));
                Ok(register)
            }
            _ => self.wrong("there are more numbers to remember than a state can hold"),
        }
    }

    /// A name with a register of its own, for numbers in this range.
    fn bind(&mut self, env: &mut Env<'a>, local: LocalId, least: i64, most: i64) -> Result<Register, CompileError> {
        let own = &self.system.locals[local];
        let (least, most) =
            own.changed.map_or((least, most), |(low, high)| (least.min(low.into()), most.max(high.into())));
        let (Ok(low), Ok(high)) = (i32::try_from(least), i32::try_from(most)) else {
            return self.too_large(local, if most > MOST_NUMBER { most } else { least });
        };
        if least < -MOST_NUMBER || most > MOST_NUMBER {
            return self.too_large(local, if most > MOST_NUMBER { most } else { least });
        }
        let register = self.name_register(env.used, own.changed.is_some(), low, high)?;
        env.used += 1;
        env.names.push((local, Bound::Register(register, low, high)));
        Ok(register)
    }

    fn too_large<T>(&self, local: LocalId, number: i64) -> Result<T, CompileError> {
        let name = &self.system.locals[local].name;
        self.wrong(format!(
            "`{name}` could be {number}: -{MOST_NUMBER} to {MOST_NUMBER} are possible; write `min(..., 99)`"
        ))
    }

    /// The register of the name that is so many names deep. Names that are changed can hold more numbers than others:
    /// they have registers of their own.
    fn name_register(&mut self, depth: usize, changed: bool, least: i32, most: i32) -> Result<Register, CompileError> {
        if depth >= MOST_NAMES {
            return self.wrong(format!("more than {MOST_NAMES} names mean something at once"));
        }
        let register = match self.names.get(&(depth, changed)) {
            Some(register) => *register,
            None => {
                let name = format!("name {}", self.names.len() + 1);
                let register = self.register(name, least, most)?;
                self.names.insert((depth, changed), register);
                register
            }
        };
        let (_, low, high) = &mut self.registers[usize::from(register)];
        (*low, *high) = ((*low).min(least), (*high).max(most));
        Ok(register)
    }

    fn enemy(&mut self, enemy: usize, stat: usize) -> Result<Register, CompileError> {
        if let Some(register) = self.enemies.get(&(enemy, stat)) {
            return Ok(*register);
        }
        let own = &self.system.enemy_stats[stat];
        let name = if enemy == 0 { format!("enemy.{}", own.name) } else { format!("enemy {}.{}", enemy + 1, own.name) };
        let register = self.register(name, own.least, own.most)?;
        self.enemies.insert((enemy, stat), register);
        Ok(register)
    }

    /// The register of a variable.
    fn variable(&mut self, variable: VariableRef, env: &Env<'a>) -> Result<Register, CompileError> {
        match (variable, &env.arena) {
            (VariableRef::Own(own), _) => Ok(Register::try_from(own).unwrap_or(Register::MAX)),
            (VariableRef::Enemy(stat), Some(arena)) => self.enemy(arena.enemy, stat),
            (VariableRef::Enemy(stat), None) => {
                let name = &self.system.enemy_stats[stat].name;
                self.wrong(format!("`enemy.{name}` is asked for where nobody is fought"))
            }
        }
    }

    fn bound(&self, local: LocalId, env: &Env<'a>) -> Result<Bound, CompileError> {
        match env.names.iter().rev().find(|(own, _)| *own == local) {
            Some((_, bound)) => Ok(*bound),
            None => self.wrong(format!("`{}` means nothing here", self.system.locals[local].name)),
        }
    }

    fn value(&mut self, number: &Number, env: &Env<'a>) -> Result<Value, CompileError> {
        Ok(match number {
            Number::Constant(number) => Value::Constant(*number),
            Number::Variable(variable) => Value::Register(self.variable(*variable, env)?),
            Number::Local(local) => match self.bound(*local, env)? {
                Bound::Constant(number) => Value::Constant(number),
                Bound::Register(register, ..) => Value::Register(register),
            },
            Number::Operation(operator, left, right) => {
                let (left, right) = (self.value(left, env)?, self.value(right, env)?);
                match operator {
                    Operator::Plus => left.plus(right),
                    Operator::Minus => left.minus(right),
                    Operator::Times => left.times(right),
                    _ => Value::operation(*operator, left, right),
                }
            }
            _ => return self.wrong("this number belongs to other rules"),
        })
    }

    /// The smallest and the largest number that it can be.
    fn range(&mut self, number: &Number, env: &Env<'a>) -> Result<(i64, i64), CompileError> {
        Ok(match number {
            Number::Constant(number) => ((*number).into(), (*number).into()),
            Number::Variable(variable) => {
                let register = self.variable(*variable, env)?;
                let (_, least, most) = &self.registers[usize::from(register)];
                ((*least).into(), (*most).into())
            }
            Number::Local(local) => match self.bound(*local, env)? {
                Bound::Constant(number) => (number.into(), number.into()),
                Bound::Register(_, least, most) => (least.into(), most.into()),
            },
            Number::Operation(operator, left, right) => {
                let (left, right) = (self.range(left, env)?, self.range(right, env)?);
                let corner = |left: i64, right: i64| {
                    let cut =
                        |number: i64| i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX });
                    i64::from(operator.apply(cut(left), cut(right)))
                };
                // A divisor goes through all its numbers: the quotient is largest next to 0.
                let rights = match operator {
                    Operator::Down | Operator::Up => {
                        let near = [-1, 0, 1].into_iter().filter(|near| (right.0..=right.1).contains(near));
                        near.chain([right.0, right.1]).collect::<Vec<_>>()
                    }
                    _ => vec![right.0, right.1],
                };
                let corners = rights.iter().flat_map(|right| [corner(left.0, *right), corner(left.1, *right)]);
                corners.fold((i64::MAX, i64::MIN), |(least, most), own| (least.min(own), most.max(own)))
            }
            _ => (0, 0),
        })
    }

    fn test(&mut self, condition: &Condition, env: &Env<'a>) -> Result<Test, CompileError> {
        Ok(match condition {
            Condition::Constant(holds) => Test::Constant(*holds),
            Condition::Reading(reading, value) => Test::Constant(self.readings[*reading] == *value),
            Condition::Compare(comparison, left, right) => {
                Test::compare(*comparison, self.value(left, env)?, self.value(right, env)?)
            }
            Condition::Not(inner) => self.test(inner, env)?.negated(),
            Condition::And(left, right) => Test::both(self.test(left, env)?, self.test(right, env)?),
            Condition::Or(left, right) => Test::either(self.test(left, env)?, self.test(right, env)?),
            Condition::Discipline(_) | Condition::Flag(_) | Condition::Wounded => {
                return self.wrong("this condition belongs to other rules");
            }
        })
    }

    /// Lowers `nodes`; what follows them is at `next`.
    fn block(&mut self, nodes: &'a [Node], env: &Env<'a>, next: Place) -> Lowered {
        self.block_then(nodes, env, &mut |_, _| Ok(next))
    }

    /// Lowers `nodes`; what follows them may know the names that they bind.
    fn block_then(
        &mut self,
        nodes: &'a [Node],
        env: &Env<'a>,
        then: &mut dyn FnMut(&mut Self, &Env<'a>) -> Lowered,
    ) -> Lowered {
        let mut envs = vec![env.clone()];
        for node in nodes {
            let mut after = envs[envs.len() - 1].clone();
            self.binds(node, &mut after)?;
            envs.push(after);
        }
        let mut next = then(self, &envs[nodes.len()])?;
        let mut end = nodes.len();
        while end > 0 {
            // Dice that are rolled one after another are rolled at once.
            let begin = roll::first_of_rolls(nodes, end);
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

    /// The names that mean something after a node.
    fn binds(&mut self, node: &'a Node, env: &mut Env<'a>) -> Result<(), CompileError> {
        let NodeKind::Rule(rule) = &node.kind else { return Ok(()) };
        match &**rule {
            Rule::Let(local, number) => {
                let (least, most) = self.range(number, env)?;
                self.bind(env, *local, least, most)?;
            }
            Rule::Roll(roll) => {
                for (local, dice) in &roll.sums {
                    let (least, most) = dice.range();
                    if let Some(local) = local {
                        self.bind(env, *local, least.into(), most.into())?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Lowers a node, or rolls that belong together. `envs` are those before and after each.
    fn node(&mut self, nodes: &'a [Node], envs: &[Env<'a>], next: Place) -> Lowered {
        let env = &envs[0];
        match &nodes[0].kind {
            NodeKind::Goto(section) => {
                let leave = self.emit(Instruction::Leave { section: *section, next: 0 })?;
                let system = self.system;
                self.block(&system.on_leave, &Env::default(), leave)
            }
            NodeKind::Death(_) => self.emit(Instruction::Death),
            NodeKind::Victory => self.emit(if self.victories { Instruction::Victory } else { Instruction::Death }),
            NodeKind::If(branches, otherwise) => {
                let mut place = self.block(otherwise, env, next)?;
                for (condition, body, _) in branches.iter().rev() {
                    let test = self.test(condition, env)?;
                    place = match test {
                        Test::Constant(false) => place,
                        Test::Constant(true) => self.block(body, env, next)?,
                        test => {
                            let yes = self.block(body, env, next)?;
                            self.branch(test, yes, place)?
                        }
                    };
                }
                Ok(place)
            }
            NodeKind::Choices(choices) => self.choices(choices, env, next),
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
                rule => self.rule(rule, env, &envs[1], next),
            },
            _ => self.wrong("this belongs to other rules"),
        }
    }

    fn rule(&mut self, rule: &'a Rule, env: &Env<'a>, after: &Env<'a>, next: Place) -> Lowered {
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
                let (Ok(register), Some(initial)) =
                    (Register::try_from(*target), self.system.variables[*target].initial)
                else {
                    return Ok(next);
                };
                let initial = Value::Register(Register::try_from(initial).unwrap_or(Register::MAX));
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
            Rule::Use { define, arguments, .. } => {
                let system = self.system;
                let (inner, sets) = self.given(arguments, env)?;
                let inner = Env { loops: Vec::new(), ..inner };
                let body = self.block(&system.defines[*define].body, &inner, next)?;
                self.set(sets, body)
            }
            Rule::Event { event, arguments } => self.event(*event, arguments, env, next),
            Rule::Battle(battle) => self.battle(battle, env, next),
            Rule::Resume => match env.resume {
                Some(place) => Ok(place),
                None => self.wrong("nobody is dying here"),
            },
            Rule::Gain(item, count) => self.gains(*item, count, false, env, next),
            Rule::Take(lines) => {
                let mut next = next;
                for (thing, count) in lines.iter().rev() {
                    next = self.gains(*thing, count, true, env, next)?;
                }
                Ok(next)
            }
            Rule::Roll(_) => self.wrong("rolls are lowered together"),
        }
    }

    /// Numbers for names: the names mean something in what is returned, where the sets have been done.
    fn given(
        &mut self,
        arguments: &'a [(LocalId, Number)],
        env: &Env<'a>,
    ) -> Result<(Env<'a>, Vec<(Register, Value)>), CompileError> {
        let mut inner = env.clone();
        let mut sets = Vec::new();
        for (local, number) in arguments {
            let value = self.value(number, env)?;
            match (&value, self.system.locals[*local].changed) {
                (Value::Constant(number), None) => inner.names.push((*local, Bound::Constant(*number))),
                _ => {
                    let (least, most) = self.range(number, env)?;
                    let register = self.bind(&mut inner, *local, least, most)?;
                    sets.push((register, value));
                }
            }
        }
        Ok((inner, sets))
    }

    /// Puts a number into something, and does what follows from that: gains stop at the initial value, who has
    /// nothing vital left dies or falls.
    fn change(&mut self, target: Target, value: Value, can_end: bool, env: &Env<'a>, next: Place) -> Lowered {
        let variable = match target {
            Target::Local(local) => {
                return match self.bound(local, env)? {
                    Bound::Register(register, ..) => self.set([(register, value)], next),
                    Bound::Constant(_) => self.wrong("this name cannot be changed"),
                };
            }
            Target::Variable(variable) => variable,
        };
        let register = self.variable(variable, env)?;
        match variable {
            VariableRef::Enemy(stat) => {
                let next = match &env.arena {
                    Some(arena) if self.system.enemy_stats[stat].vital && can_end => {
                        let fallen = arena.fallen;
                        self.branch(Value::Register(register).at_most(0), fallen, next)?
                    }
                    _ => next,
                };
                self.set([(register, value)], next)
            }
            VariableRef::Own(own) => {
                let variables = &self.system.variables;
                let variable = &variables[own];
                let next = if variable.vital && can_end { self.alive(register, env, next)? } else { next };
                let capped = match variable.initial {
                    // Losses come to no more than the initial value by themselves.
                    Some(initial) if !only_less(&value, register) => {
                        value.min(Value::Register(Register::try_from(initial).unwrap_or(Register::MAX)))
                    }
                    _ => value,
                };
                let mut sets = vec![(register, capped)];
                if variable.kind == VariableKind::Initial
                    && let Some(stat) = variables.iter().position(|other| other.initial == Some(own))
                {
                    let stat = Register::try_from(stat).unwrap_or(Register::MAX);
                    sets.push((stat, Value::Register(stat).min(Value::Register(register))));
                }
                self.set(sets, next)
            }
        }
    }

    /// Who has nothing left of something vital dies, unless he may live on.
    fn alive(&mut self, register: Register, env: &Env<'a>, next: Place) -> Lowered {
        let death = self.emit(Instruction::Death)?;
        let system = self.system;
        let dying = if system.on_death.is_empty() || env.resume.is_some() {
            death
        } else {
            let mut resume = next;
            for (vital, own) in (0..).zip(&system.variables) {
                if own.vital {
                    resume = self.branch(Value::Register(vital).at_most(0), death, resume)?;
                }
            }
            let inner = Env { used: env.used, resume: Some(resume), ..Env::default() };
            self.block(&system.on_death, &inner, death)?
        };
        self.branch(Value::Register(register).at_most(0), dying, next)
    }

    /// Things are got one by one: what finds no place may be left, or something else be left for it.
    fn gains(&mut self, thing: usize, count: &Number, may_leave: bool, env: &Env<'a>, next: Place) -> Lowered {
        let register = Register::try_from(thing).unwrap_or(Register::MAX);
        let own = &self.system.variables[thing];
        let more = |count: Value| vec![(register, Value::Register(register).plus(count))];
        let name = own.name.clone();
        let Some(container) = own.container else {
            let count = self.value(count, env)?;
            let taken = self.set(more(count), next)?;
            if !may_leave {
                return Ok(taken);
            }
            let answers = vec![
                ask::Draft::new(format!("take {name}"), Test::ALWAYS, taken),
                ask::Draft::new(format!("leave {name}"), Test::ALWAYS, next),
            ];
            return self.ask(answers, env);
        };
        let Number::Constant(count) = count else { return self.wrong("so many things cannot be offered") };
        let mut next = next;
        for _ in 0..*count {
            let taken = self.set(more(Value::Constant(1)), next)?;
            let others =
                self.system.variables.iter().enumerate().filter(|(_, other)| other.container == Some(container));
            let others: Vec<(Register, String)> = others
                .filter_map(|(other, variable)| Some((Register::try_from(other).ok()?, variable.name.clone())))
                .collect();
            let held = Value::Sum(others.iter().map(|(other, _)| *other).collect());
            let room = held.at_most(self.system.containers[container].holds - 1);
            let few = Value::Register(register).at_most(own.most - 1);
            let mut answers = vec![ask::Draft::new(format!("take {name}"), Test::both(room.clone(), few), taken)];
            for (other, what) in others {
                let less = vec![(other, Value::Register(other).minus(Value::Constant(1)))];
                let dropped = self.set(less, taken)?;
                let test = Test::both(room.clone().negated(), Value::Register(other).at_least(1));
                if other != register {
                    answers.push(ask::Draft::new(format!("drop {what} for {name}"), test, dropped));
                }
            }
            answers.push(ask::Draft::new(format!("leave {name}"), Test::ALWAYS, next));
            next = self.ask(answers, env)?;
        }
        Ok(next)
    }

    /// What the player may do here beside what he is asked.
    fn actions(&mut self, next: Place, env: &Env<'a>, wanted: impl Fn(ActionTime) -> bool) -> Lowered {
        let system = self.system;
        let actions: Vec<&Action> = system.actions.iter().filter(|action| wanted(action.when)).collect();
        if actions.is_empty() {
            return Ok(next);
        }
        let here = self.push(Instruction::Stuck)?;
        let inner = Env { outside: false, ..env.clone() };
        let mut answers = Vec::new();
        for action in actions {
            let body = self.block(&action.body, &inner, here)?;
            let test = self.test(&action.require, &inner)?;
            answers.push(ask::Draft::new(action.name.clone(), test, body));
        }
        answers.push(ask::Draft::new("go on".into(), Test::ALWAYS, next));
        let asked = self.ask(answers, env)?;
        self.steps[here as usize] = Instruction::Jump(asked);
        Ok(here)
    }
}

/// The variables of a kind, with their registers.
fn of_kind(system: &System, kind: VariableKind) -> Vec<(String, Register)> {
    let own = (0..).zip(&system.variables).filter(|(_, own)| own.kind == kind);
    own.map(|(register, own)| (own.name.clone(), register)).collect()
}

/// Whether a value is what a register holds less something.
fn only_less(value: &Value, register: Register) -> bool {
    match value {
        Value::Operation(Operator::Minus, left, right) => {
            **left == Value::Register(register) && matches!(**right, Value::Constant(0..))
        }
        Value::Operation(Operator::Plus, left, right) => {
            **left == Value::Register(register) && matches!(**right, Value::Constant(..=0))
        }
        _ => false,
    }
}

/// Whether something can have changed after a node, so that there is time for actions.
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
