//! From a book and a hero to a [`Program`]. Everything that the hero decides (his disciplines,
//! his weapons' powers) is worked out here, so that the program holds only what can still change.
//! Steps that are equal within a section are one.

mod blocks;
mod bout;
mod choices;
mod effect;
mod error;
mod fight;
mod gear;
mod health;
mod look;
mod making;
mod pick;
mod pose;
mod series;
mod slots;
mod things;
mod values;
mod weaker;

use std::sync::{Arc, RwLock};

use budget::Budget;
use rustc_hash::FxHashMap;

use crate::book::{Book, ItemId, LocalId, Node, Section, SectionNumber};
use crate::compile::bout::{Folds, Rules};
pub(crate) use crate::compile::choices::default_label;
pub use crate::compile::error::CompileError;
pub(crate) use crate::compile::error::MOST_PARTS;
use crate::compile::gear::Gear;
pub(crate) use crate::compile::gear::{LOCAL_NUMBERS, MOST_AT_ONCE, MOST_ROUNDS};
use crate::compile::health::Asking;
pub(crate) use crate::compile::series::compile_series;
pub(crate) use crate::compile::slots::Others;
use crate::compile::slots::{Carrier, Slots};
use crate::discipline::Discipline;
use crate::hero::Hero;
use crate::machine::Situation;
use crate::making::{Made, Making};
use crate::policy::PolicyRule;
use crate::program::{Answer, Group, Instruction, Notes, Place, Program, Sets, Sheet, Test, Value};
use crate::rules::lower::lower;
use crate::skills::Skills;
use crate::state::{LAST_PLACE, Layout, Register, State, TooMuchToRemember};

/// Enough for the longest section.
const STACK: usize = 128 << 20;
/// Where no section is compiled.
static NO_SECTION: Section =
    Section { body: Vec::new(), no_potions: false, locals: Vec::new(), text: String::new(), span: 0..0 };

/// A place, or why there is none.
type Compiled = Result<Place, CompileError>;

/// Compiles a book for a hero. Entering one of `goals` wins; play begins in `start`. The victories that the book declares
/// elsewhere count when its own goals are asked for.
pub(crate) fn compile(
    book: &Book,
    hero: &Hero,
    situation: &Situation,
    start: SectionNumber,
    goals: &[SectionNumber],
    budget: &Budget<'_>,
) -> Result<Starting, CompileError> {
    on_a_large_stack(|| {
        if let Some(system) = &book.system {
            return lower(book, system, situation, start, goals, budget);
        }
        let carrier = Carrier::new(book, hero, None);
        let mut compiler = compiler_of(&carrier, situation, budget)?;
        compiler.victories = goals == book.goals;
        let begin = compiler.opening(start, goals)?;
        Ok(compiler.starting(begin, start))
    })
}

/// The same where others are told with him ([`Weaker`](crate::program::Weaker), [`Skills`]); nothing where they cannot be.
pub(crate) fn compile_with_others(
    book: &Book,
    hero: &Hero,
    situation: &Situation,
    start: SectionNumber,
    goals: &[SectionNumber],
    others: Others,
    budget: &Budget<'_>,
) -> Result<Option<Starting>, CompileError> {
    let looks = situation.endurance.is_some()
        || situation.making.is_some()
        || situation.leaving.iter().any(|(made, _)| matches!(made, Made::Endurance | Made::CombatSkill));
    if looks || book.system.is_some() {
        return Ok(None);
    }
    on_a_large_stack(|| {
        let carrier = Carrier { others, ..Carrier::new(book, hero, None) };
        let mut compiler = match compiler_of(&carrier, situation, budget) {
            // They need room in a state that the strongest alone does not.
            Err(CompileError::TooMuchToRemember(_)) => return Ok(None),
            compiler => compiler?,
        };
        compiler.victories = goals == book.goals;
        let begin = compiler.opening(start, goals)?;
        Ok(compiler.all_alike.then(|| compiler.starting(begin, start)))
    })
}

/// A compiler that begins a program for one book.
fn compiler_of<'a>(
    carrier: &Carrier<'a>,
    situation: &'a Situation,
    budget: &'a Budget<'a>,
) -> Result<Compiler<'a>, CompileError> {
    let Carrier { book, hero, .. } = *carrier;
    let books = [*carrier];
    let (mut slots, layout) = Slots::of(&books)?;
    let groups = gear::groups(&books, &slots);
    let mut gear = Gear::new(book, hero, slots.swap_remove(0), &groups);
    gear.skills = (carrier.others.skilled > 0).then(|| Arc::new(Skills::new(carrier.others.skilled + 1)));
    let program = empty(layout, gear.sheet(book), groups);
    Ok(Compiler::new(book, hero, situation, gear, program, budget))
}

/// Compiles where there is room for it: each node of a section is compiled within the one before it, and that goes deeper
/// than the stack of any thread.
fn on_a_large_stack<T: Send>(compile: impl Fn() -> T + Sync) -> T {
    std::thread::scope(|scope| match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &compile) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(_) => compile(),
    })
}

/// A program without steps.
fn empty(layout: Layout, sheet: Sheet, groups: Vec<Group>) -> Program {
    Program {
        steps: Vec::new(),
        sections: Vec::new(),
        stages: Vec::new(),
        start: 0,
        labels: Vec::new(),
        natives: Vec::new(),
        groups,
        notes: Notes::default(),
        sheet,
        layout,
    }
}

/// Whether a state can hold what is to be remembered of a book.
///
/// # Errors
/// When it cannot.
pub(crate) fn fits(book: &Book) -> Result<(), TooMuchToRemember> {
    Slots::of(&[Carrier::new(book, &book.hero, None)]).map(|_| ())
}

/// A compiled book, and the state in which the hero sets out.
pub(crate) struct Starting {
    pub program: Program,
    pub state: State,
}

/// The state in which the hero sets out from a section.
fn setting_out(
    program: &Program,
    gear: &Gear,
    book: &Book,
    hero: &Hero,
    situation: &Situation,
    start: SectionNumber,
) -> State {
    let layout = &program.layout;
    let mut state = layout.zero().at(program.start);
    for (item, count) in hero.belongings(book).into_iter().enumerate() {
        layout.set(&mut state, gear.item(item), count.into());
    }
    layout.set(&mut state, gear::GOLD, hero.gold.into());
    for flag in &situation.flags {
        layout.set(&mut state, gear.flag(*flag), 1);
    }
    let most = gear.max_endurance().number(layout, &state);
    layout.set(&mut state, gear::ENDURANCE, situation.endurance.map_or(most, |now| most.min(now.into())));
    // Who begins in the middle has fought before.
    layout.set(&mut state, gear::FOUGHT, (start != book.start).into());
    state
}

/// What is known where a node is compiled.
#[derive(Clone, Default)]
struct Env<'a, 'r> {
    /// A fight has been fought in this section.
    fought: bool,
    /// Names whose number is known.
    constants: Vec<(usize, i32)>,
    /// The loops around, the innermost first.
    around: Option<&'r Around<'a, 'r>>,
}

struct Around<'a, 'r> {
    /// From the loop on.
    nodes: &'a [Node],
    then: Option<&'r Rest<'a, 'r>>,
    /// The names whose number is known where the loop begins.
    constants: &'r [(usize, i32)],
    outer: Option<&'r Around<'a, 'r>>,
}

/// What follows a block.
enum Rest<'a, 'r> {
    At(Place),
    /// Nodes, what follows them, and the loops around them, which are not those around the block.
    Nodes(&'a [Node], Option<&'r Rest<'a, 'r>>, Option<&'r Around<'a, 'r>>),
}

type MemoKey = (usize, usize, bool, Vec<(usize, i32)>);

struct Compiler<'a> {
    book: &'a Book,
    hero: &'a Hero,
    program: Program,
    /// What is added to the numbers of this book's sections, where there are several books.
    first: SectionNumber,
    /// Where who has won goes on; `None`: play is over.
    then: Option<Place>,
    /// What who has been in a section has from then on.
    remembered: &'a [(ItemId, Vec<SectionNumber>)],
    gear: Gear,
    folds: Arc<Folds>,
    /// The natives of fights that are fought alike.
    bouts: FxHashMap<Rules, u32>,
    /// The losses of a round by the picked number, for each mindforce, and whether the enemy loses double.
    tables: FxHashMap<(u8, bool), Arc<[fight::Lost; 10]>>,
    known: FxHashMap<(SectionNumber, Instruction), Place>,
    labels: FxHashMap<String, u32>,
    memo: FxHashMap<MemoKey, Place>,
    section: SectionNumber,
    text: &'a Section,
    /// The names of this section that are read outside the pick that binds them.
    kept: Vec<bool>,
    /// The largest number that each name of this section can stand for.
    largest: Vec<i32>,
    /// Rounds of a fight that this section tells apart, and whether it asks for wounds.
    rounds: u32,
    wounds: bool,
    /// Whether a `victory` wins.
    victories: bool,
    /// How each passage is read that can be disputed.
    readings: Vec<usize>,
    /// Whether all that is compiled tells of the weaker heroes, too.
    all_alike: bool,
    situation: &'a Situation,
    /// What is rolled and chosen of the hero before play begins.
    made: Option<&'a Making>,
    /// What he must have at the end of the book.
    leaving: &'a [(Made, i32)],
    /// What the player has made up his mind to do.
    policy: &'a [PolicyRule],
    /// Where he is asked whether he uses something.
    asking: Asking,
    budget: &'a Budget<'a>,
    /// Bytes of the program, and of what is only needed until the end of the section.
    kept_bytes: u64,
    section_bytes: u64,
}

impl<'a> Compiler<'a> {
    /// A compiler that adds to `program`.
    fn new(
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
            made: situation.making.as_ref(),
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
    fn starting(self, begin: Place, start: SectionNumber) -> Starting {
        let Self { mut program, gear, book, hero, situation, .. } = self;
        program.start = begin;
        let state = setting_out(&program, &gear, book, hero, situation, start);
        Starting { program, state }
    }

    /// All sections, of which that of the `start` is not entered but begun in; says where that is.
    fn sections(&mut self, start: SectionNumber, goals: &[SectionNumber]) -> Compiled {
        let book = self.book;
        let mut entries: FxHashMap<SectionNumber, Place> = FxHashMap::default();
        let steps = self.program.steps.len();
        let mut first = None;
        for (number, section) in &book.sections {
            self.begin(*number, section);
            let mut around = self.program.steps.len();
            let items = self.remembered.iter().filter(|(_, sections)| sections.contains(number));
            let been: gear::Changes = items.map(|(item, _)| (self.gear.item(*item), Value::Constant(1))).collect();
            let entry = if goals.contains(number) {
                let won = self.won()?;
                self.set(been, won)?
            } else {
                let body = self.told_body(*number, section)?;
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

    /// The book is won, by who has what he is to leave with.
    fn won(&mut self) -> Compiled {
        let won = self.emit(self.then.map_or(Instruction::Victory, Instruction::Jump))?;
        let mut has = Test::ALWAYS;
        for (made, count) in self.leaving {
            let value = match made {
                Made::Gold => Value::Register(gear::GOLD),
                Made::Endurance => Value::Register(gear::ENDURANCE),
                Made::CombatSkill => Value::Constant(self.hero.combat_skill),
                Made::Item(item) => self.gear.count(*item),
                Made::Variable(_) => continue,
            };
            has = Test::both(has, value.at_least(*count));
        }
        if has == Test::ALWAYS {
            return Ok(won);
        }
        let without = self.emit(Instruction::Death)?;
        self.branch(has, won, without)
    }

    fn begin(&mut self, number: SectionNumber, section: &'a Section) {
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

    fn emit(&mut self, step: Instruction) -> Compiled {
        let key = (self.section, step);
        if let Some(place) = self.known.get(&key) {
            return Ok(*place);
        }
        let place = self.push(key.1.clone())?;
        self.section_bytes += key.1.bytes() as u64;
        self.known.insert(key, place);
        Ok(place)
    }

    /// Adds a step even if there is one like it.
    fn push(&mut self, step: Instruction) -> Compiled {
        let place = Place::try_from(self.program.steps.len()).ok().filter(|place| *place <= LAST_PLACE);
        let place = place.ok_or(CompileError::TooLarge { section: self.section })?;
        self.kept_bytes += step.bytes() as u64;
        self.budget.memory(self.kept_bytes + self.section_bytes)?;
        self.program.steps.push(step);
        self.program.sections.push(self.first.saturating_add(self.section));
        Ok(place)
    }

    /// The register of a name, and a number that it can hold.
    fn named(&self, local: LocalId, number: i32) -> Result<(Register, i32), CompileError> {
        if LOCAL_NUMBERS.contains(&number) {
            return Ok((self.gear.local(local), number));
        }
        let name = self.text.locals[local].clone();
        Err(CompileError::Number { section: self.section, name, number })
    }

    fn label(&mut self, label: &str) -> u32 {
        if let Some(number) = self.labels.get(label) {
            return *number;
        }
        // Labels are fewer than places.
        let number = u32::try_from(self.program.labels.len()).unwrap_or(u32::MAX);
        self.kept_bytes += 2 * (size_of::<String>() + label.len() + size_of::<u32>()) as u64;
        self.program.labels.push(label.into());
        self.labels.insert(label.into(), number);
        number
    }

    /// What the hero gets back on leaving a section without a fight.
    fn healing(&self) -> i32 {
        if self.hero.knows(Discipline::Healing) { self.book.kai.healing } else { 0 }
    }

    /// Numbers put into registers, one after another.
    fn set(&mut self, sets: impl IntoIterator<Item = (Register, Value)>, next: Place) -> Compiled {
        let sets: Sets = sets.into_iter().collect();
        if sets.is_empty() { Ok(next) } else { self.emit(Instruction::Set { sets, next }) }
    }

    fn branch(&mut self, test: Test, yes: Place, no: Place) -> Compiled {
        match test {
            Test::Constant(holds) => Ok(if holds { yes } else { no }),
            _ if yes == no => Ok(yes),
            test => self.emit(Instruction::Branch { test, yes, no }),
        }
    }
}

/// An answer without a number.
fn answer(label: u32, test: Test, sets: impl IntoIterator<Item = (Register, Value)>, next: Place) -> Answer {
    Answer { label, each: None, test, sets: sets.into_iter().collect(), next, wastes: Test::Constant(false) }
}
