//! The lowering of a book: the program under construction, and the context of a node.

use std::collections::BTreeMap;
use std::rc::Rc;

use budget::{Budget, Stage};
use rustc_hash::FxHashMap;

use super::constants;
use super::lookup::Lookup;
use super::marked::Marks;
use crate::book::{ActionTime, Battle, Book, HeroQuantity, LocalId, Node, PolicyRule, Situation, System, VariableKind};
use crate::lower::error::{CompileError, MOST_PARTS};
use crate::program::{
    Instruction, LAST_PLACE, Label, Layout, Notes, Program, Register, Sets, Sheet, Starting, Stat, Test, Value,
};
use crate::terms::SectionNumber;

/// The most blocks.
const MOST_BLOCKS: usize = 8 * MOST_PARTS;

/// A place, or an error.
pub(super) type Lowered = Result<Label, CompileError>;

/// The context in which a node is lowered.
#[derive(Clone, Default)]
pub(super) struct Env<'a> {
    /// The names in scope, the innermost last.
    pub names: Vec<(LocalId, Bound)>,
    /// The number of registers that they use.
    pub used: usize,
    /// The enclosing loops, the innermost last.
    pub loops: Vec<Label>,
    /// The enclosing fight.
    pub arena: Option<Arena<'a>>,
    /// The current event.
    pub event: Option<usize>,
    /// Where a dying hero lives on.
    pub resume: Option<Label>,
    /// Whether actions are possible between two events of the section.
    pub outside: bool,
    /// The item at hand.
    pub item: Option<usize>,
    /// The blocks passed as arguments, the innermost last.
    pub blocks: Vec<Rc<Given<'a>>>,
}

/// A block passed as an argument, with its context.
pub(super) struct Given<'a> {
    pub block: usize,
    pub nodes: &'a [Node],
    pub loops: Vec<Label>,
    pub outside: bool,
    pub item: Option<usize>,
    pub blocks: Vec<Rc<Given<'a>>>,
}

/// The binding of a name.
#[derive(Clone, Copy)]
pub(super) enum Bound {
    Constant(i32),
    /// A register and its range.
    Register(Register, i32, i32),
}

/// The context of a fight.
#[derive(Clone, Copy)]
pub(super) struct Arena<'a> {
    pub battle: &'a Battle,
    /// The enemy who is fought.
    pub enemy: usize,
    /// The index of that enemy in the fight, if they come one by one.
    pub alone: Option<usize>,
    /// The target when the enemy has fallen.
    pub fallen: Label,
    /// The target when the fight is broken off.
    pub stop: Label,
    /// The target for a beaten hero who lives.
    pub beaten: Option<Label>,
}

/// A property of the wielded item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Wielded {
    /// One of its stats.
    Stat(usize),
    /// Whether a skill is known for it.
    Skill(usize),
}

pub(super) struct Lowering<'a> {
    pub system: &'a System,
    /// The names of sections.
    pub called: &'a BTreeMap<SectionNumber, String>,
    pub readings: Vec<usize>,
    pub policy: &'a [PolicyRule],
    /// Whether the player is free to answer optimally.
    pub plays_best: bool,
    pub steps: Vec<Instruction>,
    sections: Vec<SectionNumber>,
    labels: Vec<String>,
    label_numbers: FxHashMap<String, u32>,
    pub known: FxHashMap<(SectionNumber, Instruction), Label>,
    /// The registers: names and ranges.
    pub registers: Vec<(String, i32, i32)>,
    /// The registers of enemies, by enemy and stat.
    pub enemies: FxHashMap<(usize, usize), Register>,
    /// The registers for properties of the wielded item.
    pub wielded: FxHashMap<Wielded, Register>,
    /// The tables in use.
    pub tables: FxHashMap<usize, Lookup>,
    /// The registers of names, by depth and by whether the name is assigned after it is bound.
    pub names: FxHashMap<(usize, bool), Register>,
    /// By how much the enclosing choices between constant numbers multiply what is in them.
    pub unrolled: i32,
    pub section: SectionNumber,
    /// The offset of this book's section numbers in a series.
    pub first: SectionNumber,
    /// Where play continues after a victory; `None` if it ends.
    pub then: Option<Label>,
    /// Flags that visits to certain sections set from then on.
    pub remembered: &'a [(usize, Vec<SectionNumber>)],
    /// What the hero must have at the end of the book.
    pub leaving: &'a [(HeroQuantity, i32)],
    /// Whether a `victory` wins.
    pub victories: bool,
    budget: &'a Budget<'a>,
    /// The number of lowered blocks: some emit no steps.
    blocks: usize,
    pub bytes: u64,
    /// The maximal value of each reading.
    pub reading_values: Vec<i32>,
    /// Marks, if they are wanted.
    pub marks: Option<Marks>,
    pub notes: Notes,
}

impl<'a> Lowering<'a> {
    pub(super) fn new(book: &'a Book, system: &'a System, goals: &[SectionNumber], budget: &'a Budget<'a>) -> Self {
        let most = |reading: &crate::book::Reading| i32::try_from(reading.values.len()).unwrap_or(i32::MAX) - 1;
        Self {
            system,
            called: &book.names,
            readings: Vec::new(),
            policy: &[],
            plays_best: false,
            steps: Vec::new(),
            sections: Vec::new(),
            labels: Vec::new(),
            label_numbers: FxHashMap::default(),
            known: FxHashMap::default(),
            registers: system.variables.iter().map(|own| (own.name.clone(), own.least, own.most)).collect(),
            enemies: FxHashMap::default(),
            wielded: FxHashMap::default(),
            tables: FxHashMap::default(),
            names: FxHashMap::default(),
            unrolled: 1,
            section: book.start,
            first: 0,
            then: None,
            remembered: &[],
            leaving: &[],
            victories: goals == book.goals,
            budget,
            blocks: 0,
            bytes: 0,
            reading_values: book.readings.iter().map(most).collect(),
            marks: None,
            notes: Notes::default(),
        }
    }

    /// Lowers all sections; returns the place of `start`.
    pub(super) fn book(&mut self, book: &'a Book, start: SectionNumber, goals: &[SectionNumber]) -> Lowered {
        let mut entries: FxHashMap<SectionNumber, Label> = FxHashMap::default();
        let steps = self.steps.len();
        let mut first = None;
        for (number, section) in &book.sections {
            self.section = *number;
            let entry = if goals.contains(number) {
                self.won()?
            } else {
                let stuck = self.emit(Instruction::Stuck)?;
                let env = Env { outside: true, ..Env::default() };
                let body = self.block(&section.body, &env, stuck)?;
                let any_time = |when| matches!(when, ActionTime::OutsideFight | ActionTime::AnyTime);
                let body = self.actions(body, &env, any_time)?;
                let noted = self.remembered.iter().filter(|(_, sections)| sections.contains(number));
                let noted = noted.map(|(own, _)| (register_of(*own), Value::Constant(1)));
                let body = self.set(noted.collect::<Vec<_>>(), body)?;
                let next = self.block(&book.on_enter, &Env::default(), body)?;
                if *number == start {
                    first = Some(self.emit(Instruction::Enter { next: body })?);
                }
                next
            };
            entries.insert(*number, self.emit(Instruction::Enter { next: entry })?);
        }
        for step in &mut self.steps[steps..] {
            if let Instruction::Leave { section, next } = step {
                match entries.get(section) {
                    Some(entry) => *next = *entry,
                    None => *step = Instruction::Stuck,
                }
            }
        }
        Ok(first.or_else(|| entries.get(&start).copied()).unwrap_or(0))
    }

    /// Emits a victory for a hero who meets the conditions for leaving.
    pub(super) fn won(&mut self) -> Lowered {
        let won = self.emit(self.then.map_or(Instruction::Victory, Instruction::Jump))?;
        let mut has = Test::ALWAYS;
        for (quantity, count) in self.leaving {
            if let HeroQuantity::Variable(own) = quantity {
                has = Test::both(has, Value::Register(register_of(*own)).at_least(*count));
            }
        }
        if has == Test::ALWAYS {
            return Ok(won);
        }
        let without = self.emit(Instruction::Death)?;
        self.branch(has, won, without)
    }

    /// The registers; a program needs at least one.
    pub(super) fn take_registers(&mut self) -> Vec<(String, i32, i32)> {
        let mut registers = std::mem::take(&mut self.registers);
        if registers.is_empty() {
            registers.push(("nothing".into(), 0, 0));
        }
        registers
    }

    /// The program, once all steps exist.
    pub(super) fn program(self, layout: Layout, start: Label) -> Program {
        let sheet = sheet(self.system, &layout);
        Program {
            steps: self.steps,
            sections: self.sections,
            stages: Vec::new(),
            start,
            labels: self.labels,
            natives: Vec::new(),
            groups: Vec::new(),
            notes: self.notes,
            sheet,
            layout,
        }
    }

    pub(super) fn finish(mut self, situation: &Situation, start: Label) -> Result<Starting, CompileError> {
        let system = self.system;
        let mut registers = self.take_registers();
        let mut numbers: Vec<i32> = system.variables.iter().map(|own| own.start).collect();
        for (variable, number) in &situation.values {
            if let Some(own) = numbers.get_mut(*variable) {
                *own = *number;
            }
        }
        system.close_circles(&mut numbers);
        self.raise_by_what_is_carried(&mut numbers, &situation.values);
        let written = constants::written(&self.steps, numbers.len());
        for (own, initial) in system.variables.iter().enumerate().filter_map(|(own, it)| Some((own, it.initial?))) {
            // Gains stop at the initial value, which is constant here.
            if !written[initial] {
                let most = &mut registers[own].2;
                *most = (*most).min(numbers[initial].max(numbers[own]));
            }
        }
        let capped: Vec<(Register, Register)> = (0..)
            .zip(&system.variables)
            .filter_map(|(own, it)| Some((own, register_of(it.initial?))))
            .filter(|(own, initial)| numbers[usize::from(*own)] <= numbers[usize::from(*initial)])
            .collect();
        let most: Vec<i32> = registers.iter().map(|(_, _, most)| *most).collect();
        constants::known(&mut self.steps, &numbers, &most, &capped);
        let program = self.program(Layout::new(registers)?, start);
        let mut state = program.layout.zero().at(start);
        for (register, number) in (0..).zip(numbers) {
            program.layout.set(&mut state, register, number);
        }
        Ok(Starting { program, state })
    }

    pub(super) fn wrong<T>(&self, message: impl Into<String>) -> Result<T, CompileError> {
        Err(CompileError::Rules { section: self.section, message: message.into() })
    }

    /// Counts a block. Blocks that use each other multiply, and may emit no steps.
    pub(super) fn one_more_block(&mut self) -> Result<(), CompileError> {
        self.blocks += 1;
        self.budget.step(Stage::Compiling, self.steps.len() as u64, 0)?;
        if self.blocks > MOST_BLOCKS { Err(CompileError::TooLarge { section: self.section }) } else { Ok(()) }
    }

    pub(super) fn emit(&mut self, step: Instruction) -> Lowered {
        let key = (self.section, step);
        if let Some(place) = self.known.get(&key) {
            return Ok(*place);
        }
        let place = self.push(key.1.clone())?;
        self.known.insert(key, place);
        Ok(place)
    }

    /// Adds a step without sharing.
    pub(super) fn push(&mut self, step: Instruction) -> Lowered {
        let place = Label::try_from(self.steps.len()).ok().filter(|place| *place <= LAST_PLACE);
        let too_large = CompileError::TooLarge { section: self.section };
        let place = place.filter(|place| (*place as usize) < MOST_PARTS).ok_or(too_large)?;
        self.bytes += 2 * step.bytes() as u64;
        self.budget.memory(self.bytes)?;
        self.budget.step(Stage::Compiling, place.into(), 0)?;
        self.steps.push(step);
        self.sections.push(self.first.saturating_add(self.section));
        Ok(place)
    }

    pub(super) fn label(&mut self, label: &str) -> u32 {
        if let Some(number) = self.label_numbers.get(label) {
            return *number;
        }
        // There are fewer labels than places.
        let number = u32::try_from(self.labels.len()).unwrap_or(u32::MAX);
        self.labels.push(label.into());
        self.label_numbers.insert(label.into(), number);
        number
    }

    /// Assigns values to registers, one after another.
    pub(super) fn set(&mut self, sets: impl IntoIterator<Item = (Register, Value)>, next: Label) -> Lowered {
        let sets: Sets = sets.into_iter().collect();
        if sets.is_empty() { Ok(next) } else { self.emit(Instruction::Set { sets, next }) }
    }

    pub(super) fn branch(&mut self, test: Test, yes: Label, no: Label) -> Lowered {
        match test {
            Test::Constant(holds) => Ok(if holds { yes } else { no }),
            _ if yes == no => Ok(yes),
            test => self.emit(Instruction::Branch { test, yes, no }),
        }
    }
}

/// The layout of a hero's sheet.
pub(super) fn sheet(system: &System, layout: &Layout) -> Sheet {
    Sheet {
        weaker: None,
        skills: None,
        stats: Some(
            (0..)
                .zip(&system.variables)
                .filter(|(_, own)| matches!(own.kind, VariableKind::Stat | VariableKind::Counter))
                .map(|(register, own)| Stat {
                    name: own.name.clone(),
                    register,
                    initial: own.initial.map(register_of),
                    vital: own.vital,
                })
                .collect(),
        ),
        endurance: 0,
        max_endurance: Value::Constant(0),
        gold: 0,
        items: named(system, VariableKind::Item),
        flags: named(system, VariableKind::Flag),
        fight: (0..layout.registers())
            .skip(system.variables.len())
            .filter_map(|register| Register::try_from(register).ok())
            .collect(),
    }
}

/// The variables of a kind, with their registers.
fn named(system: &System, kind: VariableKind) -> Vec<(String, Register)> {
    let own = (0..).zip(&system.variables).filter(|(_, own)| own.kind == kind);
    own.map(|(register, own)| (own.name.clone(), register)).collect()
}

/// The register of a variable: they come first, in order.
pub(super) fn register_of(variable: usize) -> Register {
    Register::try_from(variable).unwrap_or(Register::MAX)
}
