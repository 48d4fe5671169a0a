//! From a book and a hero to a [`Program`]. Everything that the hero decides (his disciplines,
//! his weapons' powers) is worked out here, so that the program holds only what can still change.
//!
//! A block of nodes is compiled backwards: first what follows it, then itself, so that each step
//! knows its successor. What follows depends on little else than the place in the text: whether a
//! fight has been fought in this section, and which numbers are fixed. Steps that are equal within
//! a section are one.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::book::{
    Book, Case, Comparison, Condition, Fight, Kind, Node, NodeKind, Number, Operator, Pick, Section, SectionNumber,
    Thing, Trade,
};
use crate::discipline::Discipline;
use crate::hero::Hero;
use crate::program::{Alternative, Facts, FightPlan, Line, NOWHERE, Op, Outcome, Place, Program, Roll, Test, Value};
use crate::state::{self, LOCAL_ZERO, Layout, Register, STOCKS, TooMuchToRemember};

/// A choice between more constant numbers than this is not unrolled.
const MOST_UNROLLED: i32 = 64;

/// Compiles a book for a hero. Entering one of `goals` wins; play begins in `start`. The victories that the book declares
/// elsewhere count when its own goals are asked for.
pub(crate) fn compile(
    book: &Book,
    hero: &Hero,
    start: SectionNumber,
    goals: &[SectionNumber],
) -> Result<Program, TooMuchToRemember> {
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
    };
    for (number, section) in &book.sections {
        compiler.begin(*number, section);
        let entry = if goals.contains(number) {
            compiler.emit(Op::Victory)
        } else {
            let body = compiler.body(section);
            let next = compiler.block(&book.on_enter, Some(&Rest::At(body)), &Env::default());
            if *number == start {
                compiler.program.start = compiler.emit(Op::Enter { next: body });
            }
            next
        };
        compiler.program.entries[usize::from(*number)] = compiler.emit(Op::Enter { next: entry });
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
}

impl<'a> Compiler<'a> {
    fn begin(&mut self, number: SectionNumber, section: &Section) {
        self.section = number;
        self.memo.clear();
        self.known.clear();
        self.kept = vec![false; section.locals.len()];
        self.largest = vec![i32::MIN; section.locals.len()];
        self.rounds = 0;
        self.wounds = false;
        self.look(&section.body);
    }

    fn emit(&mut self, op: Op) -> Place {
        let key = (self.section, op);
        if let Some(place) = self.known.get(&key) {
            return *place;
        }
        let place = self.push(key.1.clone());
        self.known.insert(key, place);
        place
    }

    fn push(&mut self, op: Op) -> Place {
        self.program.ops.push(op);
        self.program.sections.push(self.section);
        self.program.ops.len() as Place - 1
    }

    fn label(&mut self, label: &str) -> u32 {
        if let Some(number) = self.labels.get(label) {
            return *number;
        }
        let number = self.program.labels.len() as u32;
        self.program.labels.push(label.into());
        self.labels.insert(label.into(), number);
        number
    }

    fn body(&mut self, section: &'a Section) -> Place {
        let body = self.block(&section.body, None, &Env::default());
        // Using it earlier or later is the same as long as nothing in between has to do with it.
        let waits = self.book.on_enter.is_empty()
            && !self.hero.knows(Discipline::Healing)
            && section.body.iter().all(|node| self.leaves_health_alone(node));
        if self.program.facts.healing[1].is_empty() || waits {
            return body;
        }
        self.emit(Op::Use { after_combat: false, next: body })
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
    fn block(&mut self, nodes: &'a [Node], then: Option<&Rest<'a, '_>>, env: &Env<'a, '_>) -> Place {
        let Some(first) = nodes.first() else {
            return match then {
                None => self.emit(Op::Stuck),
                Some(Rest::At(place)) => *place,
                Some(Rest::Nodes(nodes, then)) => self.block(nodes, *then, env),
            };
        };
        let key: MemoKey = (nodes.as_ptr() as usize, nodes.len(), env.fought, env.constants.clone());
        if let Some(place) = self.memo.get(&key) {
            return *place;
        }
        if let NodeKind::Repeat(body) = &first.kind {
            // The loop's beginning is needed before it is compiled.
            let place = self.push(Op::Stuck);
            self.memo.insert(key, place);
            let after = Rest::Nodes(&nodes[1..], then);
            let around = Around { nodes, then, constants: &env.constants, outer: env.around };
            let inner = Env { around: Some(&around), ..env.clone() };
            let body = self.block(body, Some(&after), &inner);
            self.program.ops[place as usize] = Op::Jump(body);
            return place;
        }
        let place = self.node(first, &nodes[1..], then, env);
        self.memo.insert(key, place);
        place
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each node of the language")]
    fn node(&mut self, node: &'a Node, after: &'a [Node], then: Option<&Rest<'a, '_>>, env: &Env<'a, '_>) -> Place {
        let rest = Rest::Nodes(after, then);
        match &node.kind {
            NodeKind::Endurance(change) => {
                let change = self.value(change, env);
                let next = self.block(after, then, env);
                self.emit(Op::Endurance { change, next })
            }
            NodeKind::Restore { half } => {
                let next = self.block(after, then, env);
                self.emit(Op::Restore { half: *half, next })
            }
            NodeKind::Gain(thing, count) => {
                let count = self.value(count, env);
                let next = self.block(after, then, env);
                match thing {
                    Thing::Gold => self.emit(Op::Add { register: state::GOLD, change: count, next }),
                    Thing::Item(item) if matches!(self.book.items[*item].kind, Kind::Special | Kind::Container) => {
                        self.emit(Op::Wear { item: *item, next })
                    }
                    Thing::Item(_) => self.emit(Op::Take { thing: *thing, count, limited: false, with: next, next }),
                }
            }
            NodeKind::Lose(thing, count) => {
                let count = count.as_ref().map(|count| self.value(count, env));
                let next = self.block(after, then, env);
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
                let mut next = self.block(after, then, env);
                if *gold {
                    next = self.emit(Op::Set { register: state::GOLD, value: Value::Constant(0), next });
                }
                self.emit(Op::LoseAll { items: items.clone().into(), next })
            }
            NodeKind::GiveUp { kind, count, by_chance } => {
                let next = self.block(after, then, env);
                let kind = *kind;
                let next = self.emit(if *by_chance { Op::Scatter { kind, next } } else { Op::GiveUp { kind, next } });
                let value = Value::Constant(i32::from(*count));
                self.emit(Op::Set { register: state::LEFT, value, next })
            }
            NodeKind::Flag(flag, on) => {
                let next = self.block(after, then, env);
                let register = self.program.layout.flag(*flag);
                self.emit(Op::Set { register, value: Value::Constant(i32::from(*on)), next })
            }
            NodeKind::Counter(counter, number) => {
                let value = self.value(number, env);
                let next = self.block(after, then, env);
                let register = self.program.layout.counter(*counter);
                self.emit(Op::Set { register, value, next })
            }
            NodeKind::Eat { hunting } => {
                let next = self.block(after, then, env);
                if *hunting && self.hero.knows(Discipline::Hunting) { next } else { self.emit(Op::Eat { next }) }
            }
            NodeKind::Goto(section) => {
                let heals = !env.fought && self.hero.knows(Discipline::Healing);
                self.emit(Op::Leave { heals, section: *section, next: NOWHERE })
            }
            NodeKind::Death(_) => self.emit(Op::Death),
            NodeKind::Victory => self.emit(if self.victories { Op::Victory } else { Op::Death }),
            NodeKind::If(branches, otherwise) => {
                let mut next = self.block(otherwise, Some(&rest), env);
                for (condition, body, _) in branches.iter().rev() {
                    let test = self.test(condition, env);
                    next = match test {
                        Test::Constant(false) => next,
                        Test::Constant(true) => self.block(body, Some(&rest), env),
                        _ => {
                            let yes = self.block(body, Some(&rest), env);
                            self.emit(Op::Branch { test, yes, no: next })
                        }
                    };
                }
                next
            }
            NodeKind::Choices(choices) => self.choices(choices, &rest, env),
            NodeKind::Pick(pick) => self.pick(pick, &rest, env),
            NodeKind::Take { at_most, lines } => {
                let mut next = self.block(after, then, env);
                for (thing, count) in lines.iter().rev() {
                    let count = self.value(count, env);
                    next = self.emit(Op::Take { thing: *thing, count, limited: at_most.is_some(), with: next, next });
                }
                match at_most {
                    Some(most) => {
                        let value = Value::Constant(i32::from(*most));
                        self.emit(Op::Set { register: state::LEFT, value, next })
                    }
                    None => next,
                }
            }
            NodeKind::Shop(trades) => {
                let mut next = self.block(after, then, env);
                for lines in parts(trades).iter().rev() {
                    next = self.shop(lines, next);
                }
                next
            }
            NodeKind::Repeat(_) => unreachable!("compiled where blocks are"),
            NodeKind::Again(depth) => {
                let mut around = env.around;
                for _ in 0..*depth {
                    around = around.and_then(|around| around.outer);
                }
                match around {
                    Some(Around { nodes, then, constants, outer }) => {
                        let env = Env { fought: env.fought, constants: constants.to_vec(), around: *outer };
                        let next = self.block(nodes, *then, &env);
                        self.emit(Op::Jump(next))
                    }
                    None => self.emit(Op::Stuck),
                }
            }
            NodeKind::Fight(fight) => self.fight(fight, &rest, env),
            NodeKind::OneRound { fight, worse, equal, better } => {
                let env = Env { fought: true, ..env.clone() };
                let [worse, equal, better] = [worse, equal, better].map(|body| self.block(body, Some(&rest), &env));
                let number = self.plan(fight, NOWHERE, &env, None);
                let next = self.emit(Op::Compare { fight: number, worse, equal, better });
                let next = self.emit(Op::Foe { fight: number, enemy: 0, next });
                self.emit(Op::Begin { fight: number, next })
            }
        }
    }

    /// Lines of a shop between which the player goes as he likes.
    fn shop(&mut self, trades: &[&Trade], next: Place) -> Place {
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
        let mut place = self.emit(Op::Shop { lines, next });
        for stock in 0..stocks {
            let register = self.program.layout.stock(stock);
            place = self.emit(Op::Set { register, value: Value::Constant(0), next: place });
        }
        place
    }

    fn choices(&mut self, choices: &'a [crate::book::Choice], rest: &Rest<'a, '_>, env: &Env<'a, '_>) -> Place {
        let mut alternatives: Vec<Alternative> = Vec::new();
        for choice in choices {
            let label = if choice.label.is_empty() { default_label(&choice.body) } else { choice.label.clone() };
            let Some((local, from, to)) = &choice.each else {
                let label = self.label(&label);
                alternatives.extend(self.alternative(choice, label, None, rest, env));
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
                        if let Some(alternative) = self.alternative(choice, label, None, rest, &env) {
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
                    alternatives.extend(self.alternative(choice, label, each, rest, &env));
                }
            }
        }
        if let [Alternative { test: Test::Constant(true), each: None, body, .. }] = &alternatives[..] {
            return *body;
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
    ) -> Option<Alternative> {
        let test = self.test(&choice.require, env);
        if test == Test::Constant(false) {
            return None;
        }
        Some(Alternative { label, test, each, body: self.block(&choice.body, Some(rest), env) })
    }

    fn pick(&mut self, pick: &'a Pick, rest: &Rest<'a, '_>, env: &Env<'a, '_>) -> Place {
        let digits: Vec<i32> = (0..10).map(|digit| if pick.zero_is_ten && digit == 0 { 10 } else { digit }).collect();
        // The totals of each sum with their weights.
        let sums: Vec<Vec<(i32, u64)>> = pick
            .sums
            .iter()
            .map(|(_, count)| {
                let mut totals = vec![(0, 1u64)];
                for _ in 0..*count {
                    let mut next: std::collections::BTreeMap<i32, u64> = std::collections::BTreeMap::new();
                    for (total, weight) in &totals {
                        for digit in &digits {
                            *next.entry(total + digit).or_default() += weight;
                        }
                    }
                    totals = next.into_iter().collect();
                }
                totals
            })
            .collect();
        let plus: Vec<(Value, Test)> =
            pick.plus.iter().map(|(number, when)| (self.value(number, env), self.test(when, env))).collect();
        if plus.iter().all(|(value, test)| matches!((value, test), (Value::Constant(_), Test::Constant(_)))) {
            let sum = plus.iter().filter(|(_, test)| *test == Test::Constant(true));
            let plus = sum.map(|(value, _)| if let Value::Constant(number) = value { *number } else { 0 }).sum();
            return self.outcomes(pick, &sums, plus, rest, env);
        }
        // What is added depends on the game: one pick for every sum of what can be added.
        let constants: Option<Vec<i32>> = plus
            .iter()
            .map(|(value, _)| if let Value::Constant(number) = value { Some(*number) } else { None })
            .collect();
        match constants {
            Some(constants) if constants.len() <= 6 => self.conditional(pick, &sums, &plus, &constants, 0, rest, env),
            _ => self.emit(Op::Stuck),
        }
    }

    /// A tree of tests over the conditions of `plus`; at its leaves the picks.
    #[expect(clippy::too_many_arguments, reason = "all that a pick depends on")]
    fn conditional(
        &mut self,
        pick: &'a Pick,
        sums: &[Vec<(i32, u64)>],
        plus: &[(Value, Test)],
        constants: &[i32],
        sum: i32,
        rest: &Rest<'a, '_>,
        env: &Env<'a, '_>,
    ) -> Place {
        let (Some((first, others)), Some(constant)) = (plus.split_first(), constants.first()) else {
            return self.outcomes(pick, sums, sum, rest, env);
        };
        let yes = self.conditional(pick, sums, others, &constants[1..], sum + constant, rest, env);
        let no = self.conditional(pick, sums, others, &constants[1..], sum, rest, env);
        match &first.1 {
            Test::Constant(true) => yes,
            Test::Constant(false) => no,
            test => self.emit(Op::Branch { test: test.clone(), yes, no }),
        }
    }

    fn outcomes(
        &mut self,
        pick: &'a Pick,
        sums: &[Vec<(i32, u64)>],
        plus: i32,
        rest: &Rest<'a, '_>,
        env: &Env<'a, '_>,
    ) -> Place {
        let mut found: Vec<Outcome> = Vec::new();
        // Which of them each combination of totals brings.
        let mut brings: Vec<usize> = Vec::new();
        let mut places = vec![0usize; sums.len()];
        loop {
            let totals: Vec<i32> = places
                .iter()
                .zip(sums)
                .map(|(place, sum)| sum[*place].0 + if sums.len() == 1 { plus } else { 0 })
                .collect();
            let weight = places.iter().zip(sums).map(|(place, sum)| sum[*place].1).product();
            let mut env = env.clone();
            for ((local, _), total) in pick.sums.iter().zip(&totals) {
                if let Some(local) = local {
                    env.constants.retain(|(other, _)| other != local);
                    env.constants.push((*local, *total));
                }
            }
            let case = pick.cases.iter().position(|(case, _, _)| match case {
                Case::Between(low, high) => (*low..=*high).contains(&totals[0]),
                Case::When(condition) => self.test(condition, &env) == Test::Constant(true),
                Case::Else => true,
            });
            // A name that is read later is put into a register; otherwise it is forgotten here.
            let kept: Vec<(Register, u16)> = pick
                .sums
                .iter()
                .zip(&totals)
                .filter_map(|((local, _), total)| {
                    let local = local.filter(|local| self.kept[*local])?;
                    Some((self.program.layout.local(local), shifted(*total)))
                })
                .collect();
            for (local, _) in &pick.sums {
                env.constants.retain(|(other, _)| Some(*other) != *local);
            }
            let mut next = match case {
                Some(case) => self.block(&pick.cases[case].1, Some(rest), &env),
                None if pick.cases.is_empty() => self.block(&[], Some(rest), &env),
                None => self.emit(Op::Stuck),
            };
            // An outcome holds one of them; the others are set on the way.
            for (register, value) in kept.iter().skip(1) {
                let value = Value::Constant((*value).into());
                next = self.emit(Op::Set { register: *register, value, next });
            }
            let set = kept.first().copied();
            match found.iter().position(|other| other.set == set && other.next == next) {
                Some(same) => {
                    found[same].weight += weight;
                    brings.push(same);
                }
                None => {
                    brings.push(found.len());
                    found.push(Outcome { weight, set, next });
                }
            }
            let Some(place) = (0..places.len()).find(|place| places[*place] + 1 < sums[*place].len()) else { break };
            places[place] += 1;
            places[..place].fill(0);
        }
        // In one order, so that picks with equal odds are one.
        let key = |outcome: &Outcome| (outcome.next, outcome.set);
        let unsorted: Vec<_> = found.iter().map(key).collect();
        found.sort_unstable_by_key(key);
        if let [only] = &found[..]
            && only.set.is_none()
        {
            return only.next;
        }
        let sorted = |place: usize| found.binary_search_by_key(&unsorted[place], key).unwrap_or(0) as u16;
        let name = |local: usize| self.book.sections[&self.section].locals[local].clone();
        let roll = Arc::new(Roll {
            sums: pick.sums.iter().map(|(local, picks)| (local.map(name), *picks)).collect(),
            zero_is_ten: pick.zero_is_ten,
            outcomes: brings.into_iter().map(sorted).collect(),
        });
        let place = self.emit(Op::Pick { outcomes: found.into() });
        let known = self.program.rolls.entry(place).or_insert_with(|| Some(roll.clone()));
        if known.as_ref().is_some_and(|known| **known != *roll) {
            *known = None;
        }
        place
    }

    fn plan(&mut self, fight: &'a Fight, won: Place, env: &Env<'a, '_>, rest: Option<&Rest<'a, '_>>) -> u32 {
        let bonuses: Vec<(i32, Option<u32>, Test)> = fight
            .bonuses
            .iter()
            .map(|(bonus, rounds, when)| (*bonus, *rounds, self.test(when, env)))
            .filter(|(_, _, test)| *test != Test::Constant(false))
            .collect();
        let shielded = self.hero.knows(Discipline::Mindshield) && !fight.mindforce_always;
        let block = |compiler: &mut Self, body: &'a [Node]| compiler.block(body, rest, env);
        let evade = fight.evade.as_ref().map(|(from, body)| {
            let next = block(self, body);
            (*from, self.after_combat(next))
        });
        let stop = fight.stop.as_ref().map(|(after, body)| {
            let next = block(self, body);
            (*after, self.after_combat(next))
        });
        let mock = fight.mock.as_ref().map(|body| block(self, body));
        let defeat = fight.defeat.as_ref().map(|(leaves, body)| (*leaves, block(self, body)));
        let first_wound = fight.first_wound.as_ref().map(|body| {
            let next = block(self, body);
            self.after_combat(next)
        });
        // From which round on (counted from 0) all rounds are alike.
        let timed = bonuses.iter().filter_map(|(_, rounds, _)| *rounds).max().unwrap_or(0);
        let untouchable = if fight.untouchable == u32::MAX { 0 } else { fight.untouchable };
        let leaving = evade.map_or(0, |(from, _)| from - 1);
        let round_cap =
            timed.max(untouchable).max(leaving).max(stop.map_or(0, |(after, _)| after)).max(self.rounds).min(127)
                as u16;
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
            round_cap,
            wounds: self.wounds,
        });
        self.program.fights.len() as u32 - 1
    }

    fn after_combat(&mut self, next: Place) -> Place {
        if self.program.facts.healing[0].is_empty() { next } else { self.emit(Op::Use { after_combat: true, next }) }
    }

    fn fight(&mut self, fight: &'a Fight, rest: &Rest<'a, '_>, env: &Env<'a, '_>) -> Place {
        let env = Env { fought: true, ..env.clone() };
        let mut won = self.block(&[], Some(rest), &env);
        if fight.mock.is_none() {
            won = self.after_combat(won);
        }
        let number = self.plan(fight, won, &env, Some(rest));
        let mut foes = Vec::new();
        for enemy in 0..fight.enemies.len() as u8 {
            // The round is needed before what leads to it.
            let round = self.push(Op::Stuck);
            let clash = self.push(Op::Clash { fight: number, enemy, round });
            let flee = self.push(Op::Flee { fight: number, enemy });
            self.program.ops[round as usize] = Op::Round { fight: number, clash, flee };
            let bout = self.push(Op::Bout { fight: number, enemy, rounds: round });
            foes.push(self.push(Op::Foe { fight: number, enemy, next: bout }));
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
            Number::Disciplines => Value::Constant(self.hero.disciplines.len() as i32),
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

/// A number as the register of a bound name holds it.
pub(crate) fn shifted(number: i32) -> u16 {
    (number.saturating_add(LOCAL_ZERO)).clamp(0, 511) as u16
}

/// What a choice without a label is called.
fn default_label(body: &[Node]) -> String {
    match body.last().map(|node| &node.kind) {
        Some(NodeKind::Goto(section)) => format!("to {section}"),
        _ => "go on".into(),
    }
}

/// Looking through a section before it is compiled: what it asks of names and fights.
impl Compiler<'_> {
    fn look(&mut self, nodes: &[Node]) {
        for node in nodes {
            match &node.kind {
                NodeKind::Endurance(number) | NodeKind::Counter(_, number) | NodeKind::Gain(_, number) => {
                    self.look_number(number);
                }
                NodeKind::Lose(_, Some(number)) => self.look_number(number),
                NodeKind::Take { lines, .. } => lines.iter().for_each(|(_, number)| self.look_number(number)),
                NodeKind::If(branches, otherwise) => {
                    for (condition, body, _) in branches {
                        self.look_condition(condition);
                        self.look(body);
                    }
                    self.look(otherwise);
                }
                NodeKind::Choices(choices) => {
                    for choice in choices {
                        self.look_condition(&choice.require);
                        if let Some((local, from, to)) = &choice.each {
                            self.look_number(from);
                            self.look_number(to);
                            let layout = &self.program.layout;
                            let most = self.value(to, &Env::default()).most(layout).unwrap_or(i32::MAX);
                            self.largest[*local] =
                                self.largest[*local].max(most.min(i32::from(layout.max(layout.local(0))) - LOCAL_ZERO));
                        }
                        self.look(&choice.body);
                    }
                }
                NodeKind::Pick(pick) => {
                    let digit = if pick.zero_is_ten { 10 } else { 9 };
                    let plus: i32 = pick
                        .plus
                        .iter()
                        .map(|(number, _)| match number {
                            Number::Constant(number) => (*number).max(0),
                            _ => 1000,
                        })
                        .sum();
                    for (local, count) in &pick.sums {
                        if let Some(local) = local {
                            self.largest[*local] = self.largest[*local].max(i32::from(*count) * digit + plus);
                        }
                    }
                    for (number, condition) in &pick.plus {
                        self.look_number(number);
                        self.look_condition(condition);
                    }
                    for (case, body, _) in &pick.cases {
                        // The names of the pick itself are known while its cases are tried; others are not.
                        if let Case::When(condition) = case {
                            let before = self.kept.clone();
                            self.look_condition(condition);
                            for (local, _) in &pick.sums {
                                if let Some(local) = local {
                                    self.kept[*local] = before[*local];
                                }
                            }
                        }
                        self.look(body);
                    }
                }
                NodeKind::Repeat(body) => self.look(body),
                NodeKind::Fight(fight) => {
                    for (_, _, condition) in &fight.bonuses {
                        self.look_condition(condition);
                    }
                    for body in [
                        fight.evade.as_ref().map(|(_, body)| body),
                        fight.mock.as_ref(),
                        fight.defeat.as_ref().map(|(_, body)| body),
                        fight.stop.as_ref().map(|(_, body)| body),
                        fight.first_wound.as_ref(),
                    ]
                    .into_iter()
                    .flatten()
                    {
                        self.look(body);
                    }
                }
                NodeKind::OneRound { fight, worse, equal, better } => {
                    for (_, _, condition) in &fight.bonuses {
                        self.look_condition(condition);
                    }
                    for body in [worse, equal, better] {
                        self.look(body);
                    }
                }
                _ => {}
            }
        }
    }

    fn look_number(&mut self, number: &Number) {
        match number {
            Number::Local(local) => self.kept[*local] = true,
            Number::Rounds => self.rounds = 100,
            Number::Operation(_, left, right) => {
                self.look_number(left);
                self.look_number(right);
            }
            _ => {}
        }
    }

    fn look_condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Wounded => self.wounds = true,
            Condition::Compare(_, Number::Rounds, Number::Constant(number))
            | Condition::Compare(_, Number::Constant(number), Number::Rounds) => {
                self.rounds = self.rounds.max((*number).clamp(0, 99) as u32 + 1);
            }
            Condition::Compare(_, left, right) => {
                self.look_number(left);
                self.look_number(right);
            }
            Condition::Not(inner) => self.look_condition(inner),
            Condition::And(left, right) | Condition::Or(left, right) => {
                self.look_condition(left);
                self.look_condition(right);
            }
            Condition::Constant(_) | Condition::Discipline(_) | Condition::Flag(_) => {}
        }
    }
}
