//! The compiler of a book: the program under construction, and the context of a node.

use std::sync::{Arc, RwLock};

use budget::Budget;
use rustc_hash::FxHashMap;

use super::fold_fight::{Folds, Rules};
use super::gear::{Changes, Gear};
use super::registers;
use super::setting_out::setting_out;
use crate::book::{
    Book, Discipline, Hero, HeroCreation, HeroQuantity, ItemId, LOCAL_NUMBERS, LocalId, Node, PolicyRule, Section,
    Situation,
};
use crate::lower::error::CompileError;
use crate::program::{Answer, Instruction, LAST_PLACE, Label, Program, Register, Sets, Starting, Table, Test, Value};
use crate::terms::SectionNumber;

/// The losses of the hero and the enemy for one picked number, by the combat ratio.
pub(super) type Lost = (Arc<Table>, Arc<Table>);

/// Where the player is asked whether he uses an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asking {
    /// Where it can matter to optimal play.
    WhereItMatters,
    /// Wherever he may.
    Everywhere,
    /// Nowhere: what is compiled happens at once.
    Nowhere,
}

/// Stands for a section while none is compiled.
static NO_SECTION: Section =
    Section { body: Vec::new(), no_potions: false, locals: Vec::new(), text: String::new(), span: 0..0 };

/// A place, or an error.
pub(super) type Compiled = Result<Label, CompileError>;

/// The context in which a node is compiled.
#[derive(Clone, Default)]
pub(super) struct Env<'a, 'r> {
    /// A fight has been fought in this section.
    pub fought: bool,
    /// Names bound to constants.
    pub constants: Vec<(usize, i32)>,
    /// The enclosing loops, the innermost first.
    pub around: Option<&'r Around<'a, 'r>>,
}

pub(super) struct Around<'a, 'r> {
    /// The nodes from the loop on.
    pub nodes: &'a [Node],
    pub then: Option<&'r Rest<'a, 'r>>,
    /// The constants at the head of the loop.
    pub constants: &'r [(usize, i32)],
    pub outer: Option<&'r Around<'a, 'r>>,
}

/// The continuation of a block.
pub(super) enum Rest<'a, 'r> {
    At(Label),
    /// Nodes, their continuation, and their enclosing loops, which differ from those of the block.
    Nodes(&'a [Node], Option<&'r Rest<'a, 'r>>, Option<&'r Around<'a, 'r>>),
}

pub(super) type MemoKey = (usize, usize, bool, Vec<(usize, i32)>);

pub(super) struct Compiler<'a> {
    pub book: &'a Book,
    pub hero: &'a Hero,
    pub program: Program,
    /// The offset of this book's section numbers in a series.
    pub first: SectionNumber,
    /// Where play continues after a victory; `None` if it ends.
    pub then: Option<Label>,
    /// Items that visits to certain sections leave behind from then on.
    pub remembered: &'a [(ItemId, Vec<SectionNumber>)],
    pub gear: Gear,
    pub folds: Arc<Folds>,
    /// The native functions of fights, shared by equal fights.
    pub bouts: FxHashMap<Rules, u32>,
    /// The losses of a round by the picked number, for each mindforce and for single and double damage.
    pub tables: FxHashMap<(u8, bool), Arc<[Lost; 10]>>,
    pub known: FxHashMap<(SectionNumber, Instruction), Label>,
    pub labels: FxHashMap<String, u32>,
    pub memo: FxHashMap<MemoKey, Label>,
    pub section: SectionNumber,
    pub text: &'a Section,
    /// Names of this section that are read outside the pick that binds them.
    pub kept: Vec<bool>,
    /// The maximal value of each name of this section.
    pub largest: Vec<i32>,
    /// The number of rounds that this section distinguishes, and whether it tests wounds.
    pub rounds: u32,
    pub wounds: bool,
    /// Whether a `victory` wins.
    pub victories: bool,
    /// The chosen reading of each disputed passage.
    pub readings: Vec<usize>,
    /// Whether all steps so far hold for the weaker heroes, too.
    pub all_alike: bool,
    situation: &'a Situation,
    /// What is rolled and chosen of the hero before play begins.
    pub creation: Option<&'a HeroCreation>,
    /// What the hero must have at the end of the book.
    pub leaving: &'a [(HeroQuantity, i32)],
    /// The rules that the player follows.
    pub policy: &'a [PolicyRule],
    /// Where the player is asked whether he uses an item.
    pub asking: Asking,
    pub budget: &'a Budget<'a>,
    /// Bytes of the program, without what is only needed for the section at hand.
    pub kept_bytes: u64,
    pub section_bytes: u64,
}

impl<'a> Compiler<'a> {
    /// A compiler that adds to `program`.
    pub(super) fn new(
        book: &'a Book,
        hero: &'a Hero,
        situation: &'a Situation,
        gear: Gear,
        program: Program,
        budget: &'a Budget<'a>,
    ) -> Self {
        Self {
            book,
            hero,
            program,
            first: 0,
            then: None,
            remembered: &[],
            folds: Arc::new(Folds {
                table: book.kai.table.clone(),
                heroes: u8::try_from(gear.most_endurance()).unwrap_or(u8::MAX),
                known: RwLock::default(),
                skills: gear.skills.clone(),
            }),
            gear,
            bouts: FxHashMap::default(),
            tables: FxHashMap::default(),
            known: FxHashMap::default(),
            labels: FxHashMap::default(),
            memo: FxHashMap::default(),
            section: 0,
            text: &NO_SECTION,
            kept: Vec::new(),
            largest: Vec::new(),
            rounds: 0,
            wounds: false,
            victories: true,
            readings: situation.read_as(book),
            all_alike: true,
            situation,
            creation: situation.creation.as_ref(),
            leaving: &situation.leaving,
            policy: situation.policy.as_ref().map_or(&[], |policy| &policy.rules),
            asking: if situation.every_question || situation.policy.is_some() {
                Asking::Everywhere
            } else {
                Asking::WhereItMatters
            },
            budget,
            kept_bytes: 0,
            section_bytes: 0,
        }
    }

    /// The compiled book, for play that begins at this place.
    pub(super) fn starting(self, begin: Label, start: SectionNumber) -> Starting {
        let Self { mut program, gear, book, hero, situation, .. } = self;
        program.start = begin;
        let state = setting_out(&program, &gear, book, hero, situation, start);
        Starting { program, state }
    }

    /// Compiles all sections. Play does not enter the section `start` but begins in it; returns its place.
    pub(super) fn sections(&mut self, start: SectionNumber, goals: &[SectionNumber]) -> Compiled {
        let book = self.book;
        let mut entries: FxHashMap<SectionNumber, Label> = FxHashMap::default();
        let steps = self.program.steps.len();
        let mut first = None;
        for (number, section) in &book.sections {
            self.begin(*number, section);
            let mut around = self.program.steps.len();
            let items = self.remembered.iter().filter(|(_, sections)| sections.contains(number));
            let been: Changes = items.map(|(item, _)| (self.gear.item(*item), Value::Constant(1))).collect();
            let entry = if goals.contains(number) {
                let won = self.won()?;
                self.set(been, won)?
            } else {
                let body = self.body_by_hero(*number, section)?;
                around = self.program.steps.len();
                let body = self.set(been, body)?;
                let asking = std::mem::replace(&mut self.asking, Asking::Nowhere);
                let next = self.block(&book.on_enter, Some(&Rest::At(body)), &Env::default())?;
                self.asking = asking;
                if *number == start {
                    first = Some(self.emit(Instruction::Enter { next: body })?);
                }
                next
            };
            entries.insert(*number, self.emit(Instruction::Enter { next: entry })?);
            self.all_alike &= self.is_alike(around);
        }
        for step in &mut self.program.steps[steps..] {
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
    pub(super) fn won(&mut self) -> Compiled {
        let won = self.emit(self.then.map_or(Instruction::Victory, Instruction::Jump))?;
        let mut has = Test::ALWAYS;
        for (quantity, count) in self.leaving {
            let value = match quantity {
                HeroQuantity::Gold => Value::Register(registers::GOLD),
                HeroQuantity::Endurance => Value::Register(registers::ENDURANCE),
                HeroQuantity::CombatSkill => Value::Constant(self.hero.combat_skill),
                HeroQuantity::Item(item) => self.gear.count(*item),
                HeroQuantity::Variable(_) => continue,
            };
            has = Test::both(has, value.at_least(*count));
        }
        if has == Test::ALWAYS {
            return Ok(won);
        }
        let without = self.emit(Instruction::Death)?;
        self.branch(has, won, without)
    }

    pub(super) fn begin(&mut self, number: SectionNumber, section: &'a Section) {
        self.section = number;
        self.text = section;
        self.section_bytes = 0;
        self.memo.clear();
        self.known.clear();
        self.kept = vec![false; section.locals.len()];
        self.largest = vec![i32::MIN; section.locals.len()];
        self.rounds = 0;
        self.wounds = false;
        self.look(&section.body);
        for rule in self.policy {
            if rule.section.is_none_or(|own| own == number) {
                self.look_condition(&rule.when);
            }
        }
    }

    pub(super) fn emit(&mut self, step: Instruction) -> Compiled {
        let key = (self.section, step);
        if let Some(place) = self.known.get(&key) {
            return Ok(*place);
        }
        let place = self.push(key.1.clone())?;
        self.section_bytes += key.1.bytes() as u64;
        self.known.insert(key, place);
        Ok(place)
    }

    /// Adds a step without sharing.
    pub(super) fn push(&mut self, step: Instruction) -> Compiled {
        let place = Label::try_from(self.program.steps.len()).ok().filter(|place| *place <= LAST_PLACE);
        let place = place.ok_or(CompileError::TooLarge { section: self.section })?;
        self.kept_bytes += step.bytes() as u64;
        self.budget.memory(self.kept_bytes + self.section_bytes)?;
        self.program.steps.push(step);
        self.program.sections.push(self.first.saturating_add(self.section));
        Ok(place)
    }

    /// The register of a name, and a number within its range.
    pub(super) fn named(&self, local: LocalId, number: i32) -> Result<(Register, i32), CompileError> {
        if LOCAL_NUMBERS.contains(&number) {
            return Ok((self.gear.local(local), number));
        }
        let name = self.text.locals[local].clone();
        Err(CompileError::Number { section: self.section, name, number })
    }

    pub(super) fn label(&mut self, label: &str) -> u32 {
        if let Some(number) = self.labels.get(label) {
            return *number;
        }
        // There are fewer labels than places.
        let number = u32::try_from(self.program.labels.len()).unwrap_or(u32::MAX);
        self.kept_bytes += 2 * (size_of::<String>() + label.len() + size_of::<u32>()) as u64;
        self.program.labels.push(label.into());
        self.labels.insert(label.into(), number);
        number
    }

    /// The ENDURANCE regained on leaving a section without a fight.
    pub(super) fn healing(&self) -> i32 {
        if self.hero.knows(Discipline::Healing) { self.book.kai.healing } else { 0 }
    }

    /// Assigns values to registers, one after another.
    pub(super) fn set(&mut self, sets: impl IntoIterator<Item = (Register, Value)>, next: Label) -> Compiled {
        let sets: Sets = sets.into_iter().collect();
        if sets.is_empty() { Ok(next) } else { self.emit(Instruction::Set { sets, next }) }
    }

    pub(super) fn branch(&mut self, test: Test, yes: Label, no: Label) -> Compiled {
        match test {
            Test::Constant(holds) => Ok(if holds { yes } else { no }),
            _ if yes == no => Ok(yes),
            test => self.emit(Instruction::Branch { test, yes, no }),
        }
    }
}

/// An answer without a number.
pub(super) fn answer(label: u32, test: Test, sets: impl IntoIterator<Item = (Register, Value)>, next: Label) -> Answer {
    Answer { label, each: None, test, sets: sets.into_iter().collect(), next, wastes: Test::Constant(false) }
}
