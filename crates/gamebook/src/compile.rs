//! From a book and a hero to a [`Program`]. Everything that the hero decides (his disciplines,
//! his weapons' powers) is worked out here, so that the program holds only what can still change.
//!
//! A block of nodes is compiled backwards: first what follows it, then itself, so that each step
//! knows its successor. What follows depends on little else than the place in the text: whether a
//! fight has been fought in this section, and which numbers are fixed. Steps that are equal within
//! a section are one.

mod look;
mod pick;

use std::fmt;

use budget::{Budget, Stage, Stopped};
use rustc_hash::FxHashMap;

use crate::book::{
    Book, Comparison, Condition, Fight, Kind, LocalId, Node, NodeKind, Number, Operator, Section, SectionNumber, Thing,
    Trade,
};
use crate::check::every_node;
use crate::discipline::Discipline;
use crate::hero::Hero;
use crate::program::{Alternative, Facts, FightPlan, Line, NOWHERE, Op, Place, Program, Test, Value};
use crate::state::{self, LAST_PLACE, LOCAL_NUMBERS, LOCAL_ZERO, Layout, Register, STOCKS, TooMuchToRemember};

/// A choice between more constant numbers than this is not unrolled.
const MOST_UNROLLED: i32 = 64;

/// Why a book could not be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileError {
    /// It has more to remember than a state can hold.
    TooMuchToRemember(TooMuchToRemember),
    /// It has more steps than a state can tell apart.
    TooLarge {
        /// The section at which there were too many.
        section: SectionNumber,
    },
    /// A name can stand for a number that it cannot hold.
    Number {
        /// The section.
        section: SectionNumber,
        /// The name.
        name: String,
        /// The number.
        number: i32,
    },
    /// A limit was reached, or somebody stopped it.
    Stopped(Stopped),
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMuchToRemember(error) => write!(f, "{error}"),
            Self::TooLarge { section } => write!(
                f,
                "section {section} is too large: choices between numbers within each other multiply ({MOST_PARTS} \
                 parts of a section and {} steps of a book are possible)",
                u64::from(LAST_PLACE) + 1
            ),
            Self::Number { section, name, number } => {
                let (least, most) = (LOCAL_NUMBERS.start(), LOCAL_NUMBERS.end());
                write!(f, "in section {section} `{name}` could be {number}: {least} to {most} are possible")
            }
            Self::Stopped(stopped) => write!(f, "{stopped}"),
        }
    }
}

impl std::error::Error for CompileError {}

impl From<Stopped> for CompileError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl From<TooMuchToRemember> for CompileError {
    fn from(error: TooMuchToRemember) -> Self {
        Self::TooMuchToRemember(error)
    }
}

/// A place, or why there is none.
type Compiled = Result<Place, CompileError>;

/// More parts of a section are not compiled: choices between numbers within each other multiply.
const MOST_PARTS: usize = 1 << 20;

/// Compiles a book for a hero. Entering one of `goals` wins; play begins in `start`. The victories that the book declares
/// elsewhere count when its own goals are asked for.
pub(crate) fn compile(
    book: &Book,
    hero: &Hero,
    start: SectionNumber,
    goals: &[SectionNumber],
    budget: &Budget<'_>,
) -> Result<Program, CompileError> {
    let last = book.sections.keys().next_back().copied().unwrap_or(0);
    let mut compiler = Compiler {
        book,
        hero,
        program: Program {
            ops: Vec::new(),
            sections: Vec::new(),
            entries: vec![NOWHERE; usize::from(last) + 1],
            start: NOWHERE,
            labels: Vec::new(),
            rolls: FxHashMap::default(),
            fights: Vec::new(),
            facts: Facts::new(book, hero),
            layout: Layout::new(book)?,
        },
        known: FxHashMap::default(),
        labels: FxHashMap::default(),
        memo: FxHashMap::default(),
        section: 0,
        kept: Vec::new(),
        largest: Vec::new(),
        rounds: 0,
        wounds: false,
        victories: goals == book.goals,
        budget,
        kept_bytes: 0,
        section_bytes: 0,
    };
    for (number, section) in &book.sections {
        compiler.begin(*number, section);
        let entry = if goals.contains(number) {
            compiler.emit(Op::Victory)?
        } else {
            let body = compiler.body(section)?;
            let next = compiler.block(&book.on_enter, Some(&Rest::At(body)), &Env::default())?;
            if *number == start {
                compiler.program.start = compiler.emit(Op::Enter { next: body })?;
            }
            next
        };
        compiler.program.entries[usize::from(*number)] = compiler.emit(Op::Enter { next: entry })?;
    }
    compiler.program.link();
    if compiler.program.start == NOWHERE {
        compiler.program.start = compiler.program.entries.get(usize::from(start)).copied().unwrap_or(NOWHERE);
    }
    Ok(compiler.program)
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
    Nodes(&'a [Node], Option<&'r Rest<'a, 'r>>),
}

type MemoKey = (usize, usize, bool, Vec<(usize, i32)>);

struct Compiler<'a> {
    book: &'a Book,
    hero: &'a Hero,
    program: Program,
    known: FxHashMap<(SectionNumber, Op), Place>,
    labels: FxHashMap<String, u32>,
    memo: FxHashMap<MemoKey, Place>,
    section: SectionNumber,
    /// The names of this section that are read outside the pick that binds them.
    kept: Vec<bool>,
    /// The largest number that each name of this section can stand for.
    largest: Vec<i32>,
    /// Rounds of a fight that this section tells apart, and whether it asks for wounds.
    rounds: u32,
    wounds: bool,
    /// Whether a `victory` wins.
    victories: bool,
    budget: &'a Budget<'a>,
    /// Bytes of the program, and of what is only needed until the end of the section.
    kept_bytes: u64,
    section_bytes: u64,
}

impl<'a> Compiler<'a> {
    fn begin(&mut self, number: SectionNumber, section: &Section) {
        self.section = number;
        self.section_bytes = 0;
        self.memo.clear();
        self.known.clear();
        self.kept = vec![false; section.locals.len()];
        self.largest = vec![i32::MIN; section.locals.len()];
        self.rounds = 0;
        self.wounds = false;
        self.look(&section.body);
    }

    fn emit(&mut self, op: Op) -> Compiled {
        let key = (self.section, op);
        if let Some(place) = self.known.get(&key) {
            return Ok(*place);
        }
        let place = self.push(key.1.clone())?;
        self.section_bytes += bytes_of(&key.1);
        self.known.insert(key, place);
        Ok(place)
    }

    /// Adds a step even if there is one like it.
    fn push(&mut self, op: Op) -> Compiled {
        let place = Place::try_from(self.program.ops.len()).ok().filter(|place| *place <= LAST_PLACE);
        let place = place.ok_or(CompileError::TooLarge { section: self.section })?;
        self.kept_bytes += bytes_of(&op);
        self.budget.memory(self.kept_bytes + self.section_bytes)?;
        self.program.ops.push(op);
        self.program.sections.push(self.section);
        Ok(place)
    }

    /// Whether a name is bound elsewhere in this section than in the loop with which `nodes` begin.
    fn is_bound_outside(&self, nodes: &[Node], local: LocalId) -> bool {
        let inside = nodes.first().map_or(0, |own| binders(std::slice::from_ref(own), local));
        binders(&self.book.sections[&self.section].body, local) > inside
    }

    /// The register of a name, and what it holds for a number.
    fn named(&self, local: LocalId, number: i32) -> Result<(Register, u16), CompileError> {
        let register = self.program.layout.local(local);
        match shifted(number) {
            Some(value) => Ok((register, value)),
            None => {
                let name = self.book.sections[&self.section].locals[local].clone();
                Err(CompileError::Number { section: self.section, name, number })
            }
        }
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

    fn body(&mut self, section: &'a Section) -> Compiled {
        let body = self.block(&section.body, None, &Env::default())?;
        // Using it earlier or later is the same as long as nothing in between has to do with it.
        let waits = self.book.on_enter.is_empty()
            && !self.hero.knows(Discipline::Healing)
            && section.body.iter().all(|node| self.leaves_health_alone(node));
        let mut next = body;
        if !self.program.facts.healing[1].is_empty() && !waits {
            next = self.emit(Op::Use { after_combat: false, next })?;
        }
        // Without a fight in this section there were no rounds and no wounds.
        let asked = [(self.rounds > 0, state::ROUND), (self.wounds, state::WOUNDED)];
        for (_, register) in asked.into_iter().filter(|(is_asked, _)| *is_asked) {
            next = self.emit(Op::Set { register, value: Value::Constant(0), next })?;
        }
        Ok(next)
    }

    /// Whether a node has nothing to do with ENDURANCE or with what is carried.
    fn leaves_health_alone(&self, node: &Node) -> bool {
        let all = |body: &[Node]| body.iter().all(|node| self.leaves_health_alone(node));
        let number = |number: &Number| self.number_leaves_health_alone(number);
        let condition = |condition: &Condition| self.condition_leaves_health_alone(condition);
        match &node.kind {
            NodeKind::Goto(_)
            | NodeKind::Death(_)
            | NodeKind::Victory
            | NodeKind::Flag(..)
            | NodeKind::Again(_)
            | NodeKind::Lose(Thing::Gold, None) => true,
            NodeKind::Counter(_, count)
            | NodeKind::Gain(Thing::Gold, count)
            | NodeKind::Lose(Thing::Gold, Some(count)) => number(count),
            NodeKind::If(branches, otherwise) => {
                branches.iter().all(|(when, body, _)| condition(when) && all(body)) && all(otherwise)
            }
            NodeKind::Choices(choices) => choices.iter().all(|choice| {
                let bounds = choice.each.as_ref().is_none_or(|(_, from, to)| number(from) && number(to));
                bounds && condition(&choice.require) && all(&choice.body)
            }),
            NodeKind::Pick(pick) => {
                pick.plus.iter().all(|(more, when)| number(more) && condition(when))
                    && pick.cases.iter().all(|(_, body, _)| all(body))
            }
            NodeKind::Repeat(body) => all(body),
            _ => false,
        }
    }

    fn number_leaves_health_alone(&self, number: &Number) -> bool {
        match number {
            Number::Constant(_)
            | Number::Gold
            | Number::CombatSkill
            | Number::Disciplines
            | Number::Counter(_)
            | Number::Local(_) => true,
            Number::Item(item) => self.book.items[*item].heals.is_none(),
            Number::OfKind(kind) => *kind == Kind::Weapon,
            Number::Endurance | Number::MaxEndurance | Number::BackpackRoom | Number::Rounds => false,
            Number::Operation(_, left, right) => {
                self.number_leaves_health_alone(left) && self.number_leaves_health_alone(right)
            }
        }
    }

    fn condition_leaves_health_alone(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Constant(_) | Condition::Discipline(_) | Condition::Flag(_) => true,
            Condition::Wounded => false,
            Condition::Compare(_, left, right) => {
                self.number_leaves_health_alone(left) && self.number_leaves_health_alone(right)
            }
            Condition::Not(inner) => self.condition_leaves_health_alone(inner),
            Condition::And(left, right) | Condition::Or(left, right) => {
                self.condition_leaves_health_alone(left) && self.condition_leaves_health_alone(right)
            }
        }
    }

    /// Compiles `nodes` and what follows them; answers where they begin.
    fn block(&mut self, nodes: &'a [Node], then: Option<&Rest<'a, '_>>, env: &Env<'a, '_>) -> Compiled {
        self.budget.step(Stage::Compiling, u64::try_from(self.program.ops.len()).unwrap_or(u64::MAX), 0)?;
        let Some(first) = nodes.first() else {
            return match then {
                None => self.emit(Op::Stuck),
                Some(Rest::At(place)) => Ok(*place),
                Some(Rest::Nodes(nodes, then)) => self.block(nodes, *then, env),
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
            let place = self.push(Op::Stuck)?;
            self.memo.insert(key, place);
            let after = Rest::Nodes(&nodes[1..], then);
            let around = Around { nodes, then, constants: &env.constants, outer: env.around };
            let inner = Env { around: Some(&around), ..env.clone() };
            let body = self.block(body, Some(&after), &inner)?;
            self.program.ops[place as usize] = Op::Jump(body);
            return Ok(place);
        }
        let place = self.node(first, &nodes[1..], then, env)?;
        self.memo.insert(key, place);
        Ok(place)
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each node of the language")]
    fn node(&mut self, node: &'a Node, after: &'a [Node], then: Option<&Rest<'a, '_>>, env: &Env<'a, '_>) -> Compiled {
        let rest = Rest::Nodes(after, then);
        match &node.kind {
            NodeKind::Endurance(change) => {
                let change = self.value(change, env);
                let next = self.block(after, then, env)?;
                self.emit(Op::Endurance { change, next })
            }
            NodeKind::Restore { half } => {
                let next = self.block(after, then, env)?;
                self.emit(Op::Restore { half: *half, next })
            }
            NodeKind::Gain(thing, count) => {
                let count = self.value(count, env);
                let next = self.block(after, then, env)?;
                match thing {
                    Thing::Gold => self.emit(Op::Add { register: state::GOLD, change: count, next }),
                    Thing::Item(item) if matches!(self.book.items[*item].kind, Kind::Special | Kind::Container) => {
                        let yes = self.emit(Op::Wear { item: *item, next })?;
                        match count {
                            Value::Constant(1..) => Ok(yes),
                            Value::Constant(_) => Ok(next),
                            // Where it may be none at all, nothing is got.
                            count => {
                                let test = Test::Compare(Comparison::AtLeast, count, Value::Constant(1));
                                self.emit(Op::Branch { test, yes, no: next })
                            }
                        }
                    }
                    Thing::Item(_) => self.emit(Op::Take { thing: *thing, count, limited: false, with: next, next }),
                }
            }
            NodeKind::Lose(thing, count) => {
                let count = count.as_ref().map(|count| self.value(count, env));
                let next = self.block(after, then, env)?;
                match thing {
                    Thing::Gold => match count {
                        None => self.emit(Op::Set { register: state::GOLD, value: Value::Constant(0), next }),
                        Some(count) => {
                            let change = minus(Value::Constant(0), count);
                            self.emit(Op::Add { register: state::GOLD, change, next })
                        }
                    },
                    Thing::Item(item) => self.emit(Op::Lose { item: *item, count, next }),
                }
            }
            NodeKind::LoseAll { gold, items } => {
                let mut next = self.block(after, then, env)?;
                if *gold {
                    next = self.emit(Op::Set { register: state::GOLD, value: Value::Constant(0), next })?;
                }
                self.emit(Op::LoseAll { items: items.clone().into(), next })
            }
            NodeKind::GiveUp { kind, count, by_chance } => {
                let next = self.block(after, then, env)?;
                let kind = *kind;
                let next =
                    self.emit(if *by_chance { Op::Scatter { kind, next } } else { Op::GiveUp { kind, next } })?;
                let value = Value::Constant(i32::from(*count));
                self.emit(Op::Set { register: state::LEFT, value, next })
            }
            NodeKind::Flag(flag, on) => {
                let next = self.block(after, then, env)?;
                let register = self.program.layout.flag(*flag);
                self.emit(Op::Set { register, value: Value::Constant(i32::from(*on)), next })
            }
            NodeKind::Counter(counter, number) => {
                let value = self.value(number, env);
                let next = self.block(after, then, env)?;
                let register = self.program.layout.counter(*counter);
                self.emit(Op::Set { register, value, next })
            }
            NodeKind::Eat { hunting } => {
                let next = self.block(after, then, env)?;
                if *hunting && self.hero.knows(Discipline::Hunting) { Ok(next) } else { self.emit(Op::Eat { next }) }
            }
            NodeKind::Goto(section) => {
                let heals = !env.fought && self.hero.knows(Discipline::Healing);
                self.emit(Op::Leave { heals, section: *section, next: NOWHERE })
            }
            NodeKind::Death(_) => self.emit(Op::Death),
            NodeKind::Victory => self.emit(if self.victories { Op::Victory } else { Op::Death }),
            NodeKind::If(branches, otherwise) => {
                let mut next = self.block(otherwise, Some(&rest), env)?;
                for (condition, body, _) in branches.iter().rev() {
                    let test = self.test(condition, env);
                    next = match test {
                        Test::Constant(false) => next,
                        Test::Constant(true) => self.block(body, Some(&rest), env)?,
                        _ => {
                            let yes = self.block(body, Some(&rest), env)?;
                            self.emit(Op::Branch { test, yes, no: next })?
                        }
                    };
                }
                Ok(next)
            }
            NodeKind::Choices(choices) => self.choices(choices, &rest, env),
            NodeKind::Pick(pick) => self.pick(pick, &rest, env),
            NodeKind::Take { at_most, lines } => {
                let mut next = self.block(after, then, env)?;
                for (thing, count) in lines.iter().rev() {
                    let count = self.value(count, env);
                    next =
                        self.emit(Op::Take { thing: *thing, count, limited: at_most.is_some(), with: next, next })?;
                }
                match at_most {
                    Some(most) => {
                        let value = Value::Constant(i32::from(*most));
                        self.emit(Op::Set { register: state::LEFT, value, next })
                    }
                    None => Ok(next),
                }
            }
            NodeKind::Shop(trades) => {
                let mut next = self.block(after, then, env)?;
                for lines in parts(trades).iter().rev() {
                    next = self.shop(lines, next)?;
                }
                Ok(next)
            }
            NodeKind::Repeat(_) => unreachable!("compiled where blocks are"),
            NodeKind::Again(depth) => {
                let mut around = env.around;
                for _ in 0..*depth {
                    around = around.and_then(|around| around.outer);
                }
                match around {
                    Some(Around { nodes, then, constants, outer }) => {
                        let again = Env { fought: env.fought, constants: constants.to_vec(), around: *outer };
                        let mut next = self.block(nodes, *then, &again)?;
                        // What was bound before the loop is read from its register in there; a number that was
                        // chosen since must be put into it.
                        for (local, number) in &env.constants {
                            let is_known = constants.iter().any(|(known, _)| known == local);
                            if self.kept[*local] && !is_known && self.is_bound_outside(nodes, *local) {
                                let (register, value) = self.named(*local, *number)?;
                                next = self.emit(Op::Set { register, value: Value::Constant(value.into()), next })?;
                            }
                        }
                        self.emit(Op::Jump(next))
                    }
                    None => self.emit(Op::Stuck),
                }
            }
            NodeKind::Fight(fight) => self.fight(fight, &rest, env),
            NodeKind::OneRound { fight, worse, equal, better } => {
                let env = Env { fought: true, ..env.clone() };
                let [worse, equal, better] = [
                    self.block(worse, Some(&rest), &env)?,
                    self.block(equal, Some(&rest), &env)?,
                    self.block(better, Some(&rest), &env)?,
                ];
                let number = self.plan(fight, NOWHERE, &env, None)?;
                let next = self.emit(Op::Compare { fight: number, worse, equal, better })?;
                let next = self.emit(Op::Foe { fight: number, enemy: 0, next })?;
                self.emit(Op::Begin { fight: number, next })
            }
        }
    }

    /// Lines of a shop between which the player goes as he likes.
    fn shop(&mut self, trades: &[&Trade], next: Place) -> Compiled {
        let mut stocks = 0;
        let lines = trades
            .iter()
            .map(|trade| {
                let stock = trade.at_most.map(|most| {
                    stocks += 1;
                    (self.program.layout.stock(stocks - 1), most)
                });
                Line { item: trade.item, price: trade.price, buy: trade.buy, stock, again: NOWHERE }
            })
            .collect();
        let mut place = self.emit(Op::Shop { lines, next })?;
        for stock in 0..stocks {
            let register = self.program.layout.stock(stock);
            place = self.emit(Op::Set { register, value: Value::Constant(0), next: place })?;
        }
        Ok(place)
    }

    fn choices(&mut self, choices: &'a [crate::book::Choice], rest: &Rest<'a, '_>, env: &Env<'a, '_>) -> Compiled {
        let mut alternatives: Vec<Alternative> = Vec::new();
        for choice in choices {
            let label = if choice.label.is_empty() { default_label(&choice.body) } else { choice.label.clone() };
            let Some((local, from, to)) = &choice.each else {
                let label = self.label(&label);
                alternatives.extend(self.alternative(choice, label, None, rest, env)?);
                continue;
            };
            let bounds = (self.value(from, env), self.value(to, env));
            let mut env = env.clone();
            env.constants.retain(|(other, _)| other != local);
            match bounds {
                (Value::Constant(from), Value::Constant(to)) if to.saturating_sub(from) < MOST_UNROLLED => {
                    let name = format!("{{{}}}", self.book.sections[&self.section].locals[*local]);
                    let first = alternatives.len();
                    for number in from..=to {
                        env.constants.push((*local, number));
                        let label = self.label(&label.replace(&name, &number.to_string()));
                        if let Some(alternative) = self.alternative(choice, label, None, rest, &env)? {
                            // Numbers that come to the same are one: the first stands for them.
                            let same =
                                |other: &Alternative| other.test == alternative.test && other.body == alternative.body;
                            if !alternatives[first..].iter().any(same) {
                                alternatives.push(alternative);
                            }
                        }
                        env.constants.pop();
                    }
                }
                (from, to) => {
                    let each = Some((self.program.layout.local(*local), from, to));
                    let label = self.label(&label);
                    alternatives.extend(self.alternative(choice, label, each, rest, &env)?);
                }
            }
        }
        if let [Alternative { test: Test::Constant(true), each: None, body, .. }] = &alternatives[..] {
            return Ok(*body);
        }
        self.emit(Op::Choose { alternatives: alternatives.into() })
    }

    fn alternative(
        &mut self,
        choice: &'a crate::book::Choice,
        label: u32,
        each: Option<(Register, Value, Value)>,
        rest: &Rest<'a, '_>,
        env: &Env<'a, '_>,
    ) -> Result<Option<Alternative>, CompileError> {
        let test = self.test(&choice.require, env);
        if test == Test::Constant(false) {
            return Ok(None);
        }
        Ok(Some(Alternative { label, test, each, body: self.block(&choice.body, Some(rest), env)? }))
    }

    fn plan(
        &mut self,
        fight: &'a Fight,
        won: Place,
        env: &Env<'a, '_>,
        rest: Option<&Rest<'a, '_>>,
    ) -> Result<u32, CompileError> {
        let bonuses: Vec<(i32, Option<u32>, Test)> = fight
            .bonuses
            .iter()
            .map(|(bonus, rounds, when)| (*bonus, *rounds, self.test(when, env)))
            .filter(|(_, _, test)| *test != Test::Constant(false))
            .collect();
        let shielded = self.hero.knows(Discipline::Mindshield) && !fight.mindforce_always;
        let mut way = |body: Option<&'a Vec<Node>>, may_heal: bool| -> Result<Option<Place>, CompileError> {
            let Some(body) = body else { return Ok(None) };
            let next = self.block(body, rest, env)?;
            Ok(Some(if may_heal && fight.mock.is_none() { self.after_combat(next)? } else { next }))
        };
        let evade = way(fight.evade.as_ref().map(|(_, body)| body), true)?;
        let stop = way(fight.stop.as_ref().map(|(_, body)| body), true)?;
        let mock = way(fight.mock.as_ref(), false)?;
        let defeat = way(fight.defeat.as_ref().map(|(_, body)| body), false)?;
        let first_wound = way(fight.first_wound.as_ref(), true)?;
        let evade = fight.evade.as_ref().map(|(from, _)| *from).zip(evade);
        let stop = fight.stop.as_ref().map(|(after, _)| *after).zip(stop);
        let defeat = fight.defeat.as_ref().map(|(leaves, _)| *leaves).zip(defeat);
        // From which round on (counted from 0) all rounds are alike.
        let timed = bonuses.iter().filter_map(|(_, rounds, _)| *rounds).max().unwrap_or(0);
        let untouchable = if fight.untouchable == u32::MAX { 0 } else { fight.untouchable };
        let leaving = evade.map_or(0, |(from, _)| from.saturating_sub(1));
        let stopping = stop.map_or(0, |(after, _)| after);
        let round_cap = timed.max(untouchable).max(leaving).max(stopping).max(self.rounds);
        self.program.fights.push(FightPlan {
            enemies: fight.enemies.clone(),
            foes: Vec::new(),
            bonuses,
            bare_hands: fight.bare_hands,
            only_weapon: fight.only_weapon,
            mindforce: if shielded { 0 } else { fight.mindforce },
            untouchable: fight.untouchable,
            double_damage: fight.double_damage,
            won,
            evade,
            mock,
            defeat,
            stop,
            first_wound,
            round_cap: u16::try_from(round_cap).unwrap_or(u16::MAX).min(state::MOST_ROUNDS),
            wounds: self.wounds,
        });
        // Fights are fewer than places.
        Ok(u32::try_from(self.program.fights.len() - 1).unwrap_or(u32::MAX))
    }

    fn after_combat(&mut self, next: Place) -> Compiled {
        if self.program.facts.healing[0].is_empty() {
            Ok(next)
        } else {
            self.emit(Op::Use { after_combat: true, next })
        }
    }

    fn fight(&mut self, fight: &'a Fight, rest: &Rest<'a, '_>, env: &Env<'a, '_>) -> Compiled {
        let env = Env { fought: true, ..env.clone() };
        let mut won = self.block(&[], Some(rest), &env)?;
        if fight.mock.is_none() {
            won = self.after_combat(won)?;
        }
        let number = self.plan(fight, won, &env, Some(rest))?;
        let mut foes = Vec::new();
        for (enemy, _) in (0u8..).zip(&fight.enemies) {
            // The round is needed before what leads to it.
            let round = self.push(Op::Stuck)?;
            let clash = self.push(Op::Clash { fight: number, enemy, round })?;
            let flee = self.push(Op::Flee { fight: number, enemy })?;
            self.program.ops[round as usize] = Op::Round { fight: number, clash, flee };
            let bout = self.push(Op::Bout { fight: number, enemy, rounds: round })?;
            foes.push(self.push(Op::Foe { fight: number, enemy, next: bout })?);
        }
        let next = foes.first().copied().unwrap_or(won);
        self.program.fights[number as usize].foes = foes;
        self.emit(Op::Begin { fight: number, next })
    }

    fn value(&self, number: &Number, env: &Env<'_, '_>) -> Value {
        match number {
            Number::Constant(number) => Value::Constant(*number),
            Number::Gold => Value::Register(state::GOLD),
            Number::Endurance => Value::Register(state::ENDURANCE),
            Number::MaxEndurance => Value::MaxEndurance,
            Number::CombatSkill => Value::Constant(self.hero.combat_skill),
            Number::Disciplines => Value::Constant(i32::try_from(self.hero.disciplines.len()).unwrap_or(i32::MAX)),
            Number::Item(item) => Value::Register(Layout::item(*item)),
            Number::OfKind(kind) => Value::OfKind(*kind),
            Number::BackpackRoom => Value::BackpackRoom,
            Number::Counter(counter) => Value::Register(self.program.layout.counter(*counter)),
            Number::Local(local) => match env.constants.iter().find(|(other, _)| other == local) {
                Some((_, number)) => Value::Constant(*number),
                None => Value::Local(self.program.layout.local(*local), self.largest[*local]),
            },
            Number::Rounds => Value::Register(state::ROUND),
            Number::Operation(operator, left, right) => match (self.value(left, env), self.value(right, env)) {
                (Value::Constant(left), Value::Constant(right)) => Value::Constant(operator.apply(left, right)),
                (left, right) => Value::Operation(*operator, Box::new(left), Box::new(right)),
            },
        }
    }

    fn test(&self, condition: &Condition, env: &Env<'_, '_>) -> Test {
        match condition {
            Condition::Constant(holds) => Test::Constant(*holds),
            Condition::Discipline(discipline) => Test::Constant(self.hero.knows(*discipline)),
            Condition::Flag(flag) => is_set(self.program.layout.flag(*flag)),
            Condition::Wounded => is_set(state::WOUNDED),
            Condition::Compare(comparison, left, right) => match (self.value(left, env), self.value(right, env)) {
                (Value::Constant(left), Value::Constant(right)) => Test::Constant(comparison.holds(left, right)),
                (left, right) => Test::Compare(*comparison, left, right),
            },
            Condition::Not(inner) => self.test(inner, env).negated(),
            Condition::And(left, right) => Test::both(self.test(left, env), self.test(right, env)),
            Condition::Or(left, right) => Test::either(self.test(left, env), self.test(right, env)),
        }
    }
}

/// The lines of a shop in the order in which they are gone through, sales before purchases: in parts that have no
/// more goods of which there are few than there are registers to count them.
fn parts(trades: &[Trade]) -> Vec<Vec<&Trade>> {
    let mut parts: Vec<Vec<&Trade>> = Vec::new();
    let (purchases, sales): (Vec<&Trade>, Vec<&Trade>) = trades.iter().partition(|trade| trade.buy);
    for trade in sales.into_iter().chain(purchases) {
        match parts.last_mut() {
            Some(part)
                if part[0].buy == trade.buy
                    && part.iter().chain([&trade]).filter(|trade| trade.at_most.is_some()).count()
                        <= usize::from(STOCKS) =>
            {
                part.push(trade);
            }
            _ => parts.push(vec![trade]),
        }
    }
    parts
}

fn is_set(register: Register) -> Test {
    Test::Compare(Comparison::AtLeast, Value::Register(register), Value::Constant(1))
}

fn minus(left: Value, right: Value) -> Value {
    match (left, right) {
        (Value::Constant(left), Value::Constant(right)) => Value::Constant(left.saturating_sub(right)),
        (left, right) => Value::Operation(Operator::Minus, Box::new(left), Box::new(right)),
    }
}

/// A number as the register of a bound name holds it; `None` for one that it cannot hold.
pub(crate) fn shifted(number: i32) -> Option<u16> {
    if LOCAL_NUMBERS.contains(&number) { u16::try_from(number + LOCAL_ZERO).ok() } else { None }
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

/// Bytes of a step and of what it owns.
fn bytes_of(op: &Op) -> u64 {
    let test = |test: &Test| test.nodes() * size_of::<Test>();
    let value = |value: &Value| value.nodes() * size_of::<Value>();
    let owned = match op {
        Op::Choose { alternatives } => {
            alternatives.iter().map(|alternative| size_of::<Alternative>() + test(&alternative.test)).sum()
        }
        Op::Pick { outcomes } => size_of_val(&**outcomes),
        Op::Shop { lines, .. } => size_of_val(&**lines),
        Op::LoseAll { items, .. } => size_of_val(&**items),
        Op::Branch { test: when, .. } => test(when),
        Op::Endurance { change: number, .. }
        | Op::Add { change: number, .. }
        | Op::Set { value: number, .. }
        | Op::Take { count: number, .. }
        | Op::Lose { count: Some(number), .. } => value(number),
        _ => 0,
    };
    (size_of::<Op>() + size_of::<SectionNumber>() + owned) as u64
}

/// What a choice without a label is called.
fn default_label(body: &[Node]) -> String {
    match body.last().map(|node| &node.kind) {
        Some(NodeKind::Goto(section)) => format!("to {section}"),
        _ => "go on".into(),
    }
}
