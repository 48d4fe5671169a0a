//! From a book and a hero to a [`Program`]. Everything that the hero decides (his disciplines,
//! his weapons' powers) is worked out here, so that the program holds only what can still change.
//!
//! A block of nodes is compiled backwards: first what follows it, then itself, so that each step
//! knows its successor. What follows depends on little else than the place in the text: whether a
//! fight has been fought in this section, and which numbers are fixed. Steps that are equal within
//! a section are one.

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
mod weaker;

use std::sync::{Arc, RwLock};

use budget::{Budget, Stage};
use rustc_hash::FxHashMap;

use crate::book::{Book, Condition, ItemId, Kind, LocalId, Node, NodeKind, Number, Section, SectionNumber};
use crate::check::every_node;
use crate::compile::bout::{Folds, Rules};
pub(crate) use crate::compile::choices::default_label;
pub use crate::compile::error::CompileError;
pub(crate) use crate::compile::error::MOST_PARTS;
use crate::compile::gear::Gear;
pub(crate) use crate::compile::gear::{LOCAL_NUMBERS, MOST_AT_ONCE, MOST_ROUNDS};
use crate::compile::health::{Asking, Moment};
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
static NO_SECTION: Section = Section { body: Vec::new(), locals: Vec::new(), text: String::new(), span: 0..0 };

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
            let entry = if goals.contains(number) {
                self.won()?
            } else {
                let body = self.told_body(*number, section)?;
                around = self.program.steps.len();
                let items = self.remembered.iter().filter(|(_, sections)| sections.contains(number));
                let items = items.map(|(item, _)| (self.gear.item(*item), Value::Constant(1)));
                let body = self.set(items.collect::<Vec<_>>(), body)?;
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

    /// Whether a name is bound elsewhere in this section than in the loop with which `nodes` begin.
    fn is_bound_outside(&self, nodes: &[Node], local: LocalId) -> bool {
        let inside = nodes.first().map_or(0, |own| binders(std::slice::from_ref(own), local));
        binders(&self.text.body, local) > inside
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

    fn body(&mut self, section: &'a Section) -> Compiled {
        let body = self.block(&section.body, None, &Env::default())?;
        // Using it earlier or later is the same as long as nothing in between has to do with it.
        let may_wait = self.asking != Asking::Everywhere
            && self.healing() == 0
            && section.body.iter().all(|node| self.leaves_health_alone(node));
        let asked = if may_wait { self.entering_matters() } else { Test::ALWAYS };
        let next = self.asked_if(asked, Moment::Entering, body)?;
        // Without a fight in this section there were no rounds and no wounds.
        let asked = [(self.rounds > 0, gear::ROUND), (self.wounds, gear::WOUNDED)];
        let asked = asked.into_iter().filter(|(is_asked, _)| *is_asked);
        self.set(asked.map(|(_, register)| (register, Value::Constant(0))), next)
    }

    /// Compiles `nodes` and what follows them; answers where they begin.
    fn block(&mut self, nodes: &'a [Node], then: Option<&Rest<'a, '_>>, env: &Env<'a, '_>) -> Compiled {
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
        self.section_bytes += (size_of::<(MemoKey, Place)>() + key.3.len() * size_of::<(usize, i32)>()) as u64 * 2;
        if let NodeKind::Repeat(body) = &first.kind {
            // The loop's beginning is needed before it is compiled.
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
        let place = self.asked_if(self.time_before(nodes), Moment::Between, place)?;
        self.memo.insert(key, place);
        Ok(place)
    }

    /// The player may use what heals where a test holds.
    fn asked_if(&mut self, test: Test, moment: Moment, next: Place) -> Compiled {
        if test == Test::Constant(false) {
            return Ok(next);
        }
        let asked = self.heal(moment, next)?;
        self.branch(test, asked, next)
    }

    /// What the nodes do that are no questions and no more than changes of numbers.
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

    /// Back to the beginning of the loop that stands so many loops around.
    fn again(&mut self, depth: usize, env: &Env<'a, '_>) -> Compiled {
        let mut around = env.around;
        for _ in 0..depth {
            around = around.and_then(|around| around.outer);
        }
        let Some(Around { nodes, then, constants, outer }) = around else { return self.emit(Instruction::Stuck) };
        let again = Env { fought: env.fought, constants: constants.to_vec(), around: *outer };
        let next = self.block(nodes, *then, &again)?;
        // What was bound before the loop is read from its register in there; a number that was chosen since must be
        // put into it.
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

    fn value(&self, number: &Number, env: &Env<'_, '_>) -> Value {
        match number {
            Number::Constant(number) => Value::Constant(*number),
            Number::Gold => Value::Register(gear::GOLD),
            Number::Endurance => Value::Register(gear::ENDURANCE),
            Number::MaxEndurance => self.gear.max_endurance(),
            Number::CombatSkill => self.gear.more_skill().plus(Value::Constant(self.hero.combat_skill)),
            Number::Disciplines => Value::Constant(i32::try_from(self.hero.disciplines.len()).unwrap_or(i32::MAX)),
            Number::Item(item) => self.gear.count(*item),
            Number::OfKind(kind) => self.gear.of_kind(*kind),
            Number::BackpackRoom => self.gear.room(Kind::Backpack),
            Number::Counter(counter) => Value::Register(self.gear.counter(*counter)),
            Number::Local(local) => match env.constants.iter().find(|(other, _)| other == local) {
                Some((_, number)) => Value::Constant(*number),
                // It is known how large it can get.
                None => Value::Register(self.gear.local(*local)).min(Value::Constant(self.largest[*local])),
            },
            Number::Rounds => Value::Register(gear::ROUND),
            Number::Variable(_) => Value::Constant(0),
            Number::Operation(operator, left, right) => {
                Value::operation(*operator, self.value(left, env), self.value(right, env))
            }
        }
    }

    fn test(&self, condition: &Condition, env: &Env<'_, '_>) -> Test {
        match condition {
            Condition::Constant(holds) => Test::Constant(*holds),
            Condition::Discipline(discipline) => Test::Constant(self.hero.knows(*discipline)),
            Condition::Flag(flag) => Value::Register(self.gear.flag(*flag)).at_least(1),
            Condition::Wounded => Value::Register(gear::WOUNDED).at_least(1),
            Condition::Skilled(item) => Test::Constant(gear::is_skilled(&self.book.items[*item], self.hero)),
            Condition::Reading(reading, value) => Test::Constant(self.readings[*reading] == *value),
            Condition::Compare(comparison, left, right) => {
                Test::compare(*comparison, self.value(left, env), self.value(right, env))
            }
            Condition::Not(inner) => self.test(inner, env).negated(),
            Condition::And(left, right) => Test::both(self.test(left, env), self.test(right, env)),
            Condition::Or(left, right) => Test::either(self.test(left, env), self.test(right, env)),
        }
    }
}

/// An answer without a number.
fn answer(label: u32, test: Test, sets: impl IntoIterator<Item = (Register, Value)>, next: Place) -> Answer {
    Answer { label, each: None, test, sets: sets.into_iter().collect(), next, wastes: Test::Constant(false) }
}

/// How often a name is bound in some nodes.
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
