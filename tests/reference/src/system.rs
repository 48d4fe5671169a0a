//! Books with a system of rules of their own, node by node.
//!
//! What is still to be done is a stack of tasks; a situation is that stack, everything on the sheet, the names that
//! mean something, and the enemies who are fought.

mod fight;
mod gear;
mod number;
mod question;
mod rules;
mod task;

use dashu_int::UBig;
use gamebook::{
    Condition, Dice, LocalId, Node, NodeKind, Number, Roll, RollCase, Rule, SectionNumber, Target, VariableKind,
    VariableRef,
};

use crate::expression::compare;
use crate::graph::{self, Vertex};
use question::Answer;
pub use rules::{Rules, Turn};
use task::Given;
pub use task::{At, Here, State, Task};

/// All that can come up from the beginning, which is the first; `None` when there are more than `most`.
pub fn explore(rules: &Rules<'_>, values: &[(usize, i32)], most: usize) -> Option<Vec<Vertex>> {
    graph::explore(rules.beginning(values), most, State::clone, |state| rules.turn(state))
}

impl<'b> Rules<'b> {
    fn beginning(&self, values: &[(usize, i32)]) -> State<'b> {
        let mut variables: Vec<i64> = self.system.variables.iter().map(|own| own.start.into()).collect();
        for (variable, number) in values {
            variables[*variable] = (*number).into();
        }
        self.system.close_circles(&mut variables);
        self.raise(&mut variables, values);
        let mut state = State { variables, section: self.book.start, ..State::default() };
        if self.book.goals.contains(&self.book.start) {
            state.tasks.push(Task::Enter(self.book.start));
        } else {
            state.block(&self.book.sections[&self.book.start].body, true);
            state.tasks.push(Task::Actions(At::Outside));
        }
        state
    }

    /// Does what comes next.
    fn turn(&self, mut state: State<'b>) -> Turn<'b> {
        let Some(task) = state.tasks.pop() else { return Turn::Lost };
        match task {
            Task::Block { nodes: Here(nodes), at, outside, names, ready } => {
                let Some(node) = nodes.get(at) else {
                    state.names.truncate(names);
                    return Turn::On(state);
                };
                // Between two things that happen in a section there is time for actions.
                if outside && at > 0 && happens(&nodes[at - 1]) && !ready {
                    state.tasks.push(Task::Block { nodes: Here(nodes), at, outside, names, ready: true });
                    state.tasks.push(Task::Actions(At::Outside));
                    return Turn::On(state);
                }
                state.tasks.push(Task::Block { nodes: Here(nodes), at: at + 1, outside, names, ready: false });
                self.node(node, outside, state)
            }
            Task::Loop { .. } => Turn::On(state),
            Task::Names(names) => {
                state.names.truncate(names);
                Turn::On(state)
            }
            Task::Enter(section) => self.enter(section, state),
            Task::Leave(section) => {
                state.names.clear();
                state.blocks.clear();
                state.tasks = vec![Task::Enter(section)];
                state.block(&self.system.on_leave, false);
                Turn::On(state)
            }
            Task::Decide { test, yes: Here(yes), no: Here(no), outside, names } => {
                let test = &self.system.tests[test];
                let holds = self.holds(&state, &test.yes);
                state.block_with(if holds { yes } else { no }, outside, names);
                state.tasks.push(Task::Names(names));
                state.block(&test.after, false);
                Turn::On(state)
            }
            Task::UsedUp => {
                let mut vital = self.system.variables.iter().zip(&state.variables).filter(|(own, _)| own.vital);
                if vital.any(|(_, number)| *number <= 0) { self.used_up(state) } else { Turn::On(state) }
            }
            // Who has not been brought back is dead.
            Task::Dead { .. } => Turn::Lost,
            Task::Actions(at) => self.actions(at, state),
            Task::Gain { item, left, counts } => self.gain(item, left, counts, state),
            Task::Take { lines: Here(lines), at, left } => self.take(lines, at, left, state),
            Task::Back(before) | Task::Escaped(before) => {
                state.go_back(before);
                Turn::On(state)
            }
            Task::Blocks(blocks, item) => {
                (state.blocks, state.item) = (blocks, item);
                Turn::On(state)
            }
            Task::GiveUp { from: Here(from), left, by_chance } => self.give_up(from, left, by_chance, state),
            fight => self.fight(&fight, state),
        }
    }

    fn enter(&self, section: SectionNumber, mut state: State<'b>) -> Turn<'b> {
        state.section = section;
        if self.book.goals.contains(&section) {
            return Turn::Won(state);
        }
        let Some(own) = self.book.sections.get(&section) else { return Turn::Lost };
        state.block(&own.body, true);
        state.tasks.push(Task::Actions(At::Outside));
        state.block(&self.book.on_enter, false);
        Turn::On(state)
    }

    fn node(&self, node: &'b Node, outside: bool, mut state: State<'b>) -> Turn<'b> {
        match &node.kind {
            NodeKind::Goto(section) => {
                state.tasks.push(Task::Leave(*section));
                Turn::On(state)
            }
            NodeKind::Victory => Turn::Won(state),
            NodeKind::If(branches, otherwise) => {
                let taken = branches.iter().find(|(condition, ..)| self.holds(&state, condition));
                state.block(taken.map_or(otherwise, |(_, body, _)| body), outside);
                Turn::On(state)
            }
            NodeKind::Choices(choices) => {
                let mut answers = Vec::new();
                for choice in choices {
                    let section = match choice.body.last().map(|last| &last.kind) {
                        Some(NodeKind::Goto(section)) => Some(*section),
                        _ => None,
                    };
                    let label = match (choice.label.is_empty(), section) {
                        (false, _) => choice.label.clone(),
                        (true, Some(section)) => format!("to {}", self.book.section_text(section)),
                        (true, None) => "go on".into(),
                    };
                    let numbers: Vec<Option<(LocalId, i64)>> = match &choice.each {
                        None => vec![None],
                        Some((local, from, to)) => {
                            let (from, to) = (self.number(&state, from), self.number(&state, to));
                            (from..=to).map(|number| Some((*local, number))).collect()
                        }
                    };
                    for bound in numbers {
                        for item in self.about(&state, choice.with) {
                            let mut own = state.clone();
                            let names = own.names.len();
                            own.names.extend(bound);
                            if item.is_some() {
                                own.tasks.push(Task::Back(state.before()));
                                own.item = item;
                            }
                            if self.holds(&own, &choice.require) {
                                own.block_with(&choice.body, outside, names);
                                answers.push(Answer { label: self.named(&label, item), section, state: own });
                            }
                        }
                    }
                }
                self.ask(answers, &state)
            }
            NodeKind::Repeat(body) => {
                let names = state.names.len();
                state.tasks.push(Task::Loop { body: Here(body), outside, names });
                state.block(body, outside);
                Turn::On(state)
            }
            NodeKind::Again(depth) => {
                let mut depth = *depth;
                while let Some(task) = state.tasks.pop() {
                    if let Task::Loop { body: Here(body), outside, names } = task {
                        if depth == 0 {
                            state.names.truncate(names);
                            state.tasks.push(Task::Loop { body: Here(body), outside, names });
                            state.block(body, outside);
                            return Turn::On(state);
                        }
                        depth -= 1;
                    }
                }
                Turn::Lost
            }
            NodeKind::Rule(rule) => self.rule(rule, outside, state),
            // Death; the other nodes are those of Lone Wolf.
            _ => Turn::Lost,
        }
    }

    fn rule(&self, rule: &'b Rule, outside: bool, mut state: State<'b>) -> Turn<'b> {
        match rule {
            Rule::Set(target, number) => {
                let number = self.number(&state, number);
                self.put(*target, number, state)
            }
            Rule::Change(target, number) => {
                let now = match target {
                    Target::Local(local) => state.name(*local),
                    Target::Variable(variable) => state.variable(*variable),
                };
                let number = now + self.number(&state, number);
                self.put(*target, number, state)
            }
            Rule::Restore { target, half } => {
                let Some(initial) = self.system.variables[*target].initial else { return Turn::On(state) };
                let missing = (state.variables[initial] - state.variables[*target]).max(0);
                state.variables[*target] += if *half { missing / 2 } else { missing };
                Turn::On(state)
            }
            Rule::Let(local, number) => {
                let number = self.number(&state, number);
                state.names.push((*local, number));
                Turn::On(state)
            }
            Rule::Roll(roll) => self.roll(roll, outside, &state),
            Rule::Draw(cases, otherwise) => {
                let held = cases.iter().filter(|(own, _)| state.variables[*own] > 0);
                let outcomes: Vec<(UBig, State<'b>)> = held
                    .map(|(own, body)| {
                        let mut drawn = state.clone();
                        drawn.block(body, outside);
                        (UBig::try_from(state.variables[*own]).expect("some"), drawn)
                    })
                    .collect();
                if outcomes.is_empty() {
                    state.block(otherwise, outside);
                    return Turn::On(state);
                }
                Turn::Chance(outcomes)
            }
            Rule::Test { test, yes, no } => {
                let names = state.names.len();
                let (yes, no) = (Here(&yes[..]), Here(&no[..]));
                state.tasks.push(Task::Decide { test: *test, yes, no, outside, names });
                // Its names mean something till it is decided.
                state.block_with(&self.system.tests[*test].body, false, usize::MAX);
                Turn::On(state)
            }
            Rule::Block(_) | Rule::Use { .. } => self.used(rule, outside, state),
            Rule::Event { event, arguments } => self.event(*event, arguments, state),
            Rule::Battle(battle) => self.battle(battle, state),
            Rule::LoseAll(_) | Rule::GiveUp { .. } | Rule::Stop => self.losing(rule, state),
            Rule::Resume => {
                let vital = self.system.variables.iter().zip(&state.variables).filter(|(own, _)| own.vital);
                if vital.into_iter().any(|(_, number)| *number <= 0) {
                    return Turn::Lost;
                }
                state.resume();
                Turn::On(state)
            }
            Rule::Gain(item, count) => {
                let left = self.number(&state, count);
                state.tasks.push(Task::Gain { item: *item, left, counts: false });
                Turn::On(state)
            }
            Rule::Take { at_most, lines } => {
                state.tasks.push(Task::Take { lines: Here(lines), at: 0, left: *at_most });
                Turn::On(state)
            }
        }
    }

    /// A block that is used, or given where one is used.
    fn used(&self, rule: &'b Rule, outside: bool, mut state: State<'b>) -> Turn<'b> {
        match rule {
            Rule::Block(block) => {
                let Some(given) = state.blocks.iter().rposition(|own| own.block == *block) else {
                    return Turn::On(state);
                };
                let Given { nodes: Here(nodes), outside, around, item, .. } = state.blocks[given];
                state.tasks.push(Task::Blocks(state.blocks.clone(), state.item));
                state.blocks.truncate(around);
                state.item = item;
                state.block(nodes, outside);
                Turn::On(state)
            }
            Rule::Use { define, arguments, blocks, .. } => {
                let names = state.names.len();
                if !blocks.is_empty() {
                    state.tasks.push(Task::Blocks(state.blocks.clone(), state.item));
                }
                let (around, item) = (state.blocks.len(), state.item);
                let given = |(block, nodes): &'b (usize, Vec<Node>)| Given {
                    block: *block,
                    nodes: Here(&nodes[..]),
                    outside,
                    around,
                    item,
                };
                state.blocks.extend(blocks.iter().map(given));
                self.bind(arguments, &mut state);
                state.block_with(&self.system.defines[*define].body, outside, names);
                Turn::On(state)
            }
            _ => Turn::Lost,
        }
    }

    /// What takes something away, or ends a fight.
    fn losing(&self, rule: &'b Rule, mut state: State<'b>) -> Turn<'b> {
        match rule {
            Rule::LoseAll(taken) => {
                for own in self.taken(taken) {
                    self.hold(own, 0, &mut state);
                }
                Turn::On(state)
            }
            Rule::GiveUp { from, count, by_chance } => {
                state.tasks.push(Task::GiveUp { from: Here(from), left: *count, by_chance: *by_chance });
                Turn::On(state)
            }
            Rule::Stop => {
                while let Some(task) = state.tasks.pop() {
                    if let Task::Fight { before, .. } | Task::Escaped(before) = task {
                        state.go_back(before);
                        return Turn::On(state);
                    }
                }
                Turn::Lost
            }
            _ => Turn::Lost,
        }
    }

    /// Numbers for names, which are all known before the first means something.
    fn bind(&self, arguments: &'b [(LocalId, Number)], state: &mut State<'b>) {
        let numbers: Vec<i64> = arguments.iter().map(|(_, number)| self.number(state, number)).collect();
        state.names.extend(arguments.iter().map(|(local, _)| *local).zip(numbers));
    }

    fn roll(&self, roll: &'b Roll, outside: bool, state: &State<'b>) -> Turn<'b> {
        let mut all: Vec<(Vec<i64>, UBig)> = vec![(Vec::new(), UBig::ONE)];
        for (_, dice) in &roll.sums {
            let sum = sums(dice);
            let with = |(totals, ways): &(Vec<i64>, UBig)| -> Vec<(Vec<i64>, UBig)> {
                sum.iter().map(|(total, own)| ([&totals[..], &[*total]].concat(), ways * own)).collect()
            };
            all = all.iter().flat_map(with).collect();
        }
        let added = roll.plus.iter().filter(|(_, when)| self.holds(state, when));
        let added: i64 = added.map(|(number, _)| i64::from(*number)).sum();
        let outcomes = all.into_iter().map(|(mut totals, ways)| {
            totals[0] += added;
            let mut state = state.clone();
            let named = roll.sums.iter().zip(&totals).filter_map(|((local, _), total)| Some(((*local)?, *total)));
            state.names.extend(named);
            let case = roll.cases.iter().find(|(case, ..)| match case {
                RollCase::Between(low, high) => (i64::from(*low)..=i64::from(*high)).contains(&totals[0]),
                RollCase::When(condition) => self.holds(&state, condition),
                RollCase::Else => true,
            });
            if let Some((_, body, _)) = case {
                state.block(body, outside);
            }
            (ways, state)
        });
        Turn::Chance(outcomes.collect())
    }

    /// Puts a number into something, and does what follows from that.
    fn put(&self, target: Target, number: i64, mut state: State<'b>) -> Turn<'b> {
        let variable = match target {
            Target::Local(local) => {
                let bounded = self.bounds(local);
                let number = bounded.map_or(number, |(least, most)| number.clamp(least.into(), most.into()));
                state.set_name(local, number);
                return Turn::On(state);
            }
            Target::Variable(variable) => variable,
        };
        match variable {
            VariableRef::AtHand => {
                let Some(item) = state.item else { return Turn::Lost };
                self.hold(item, number, &mut state);
                Turn::On(state)
            }
            VariableRef::Own(own) if self.system.variables[own].kind == VariableKind::Item => {
                self.hold(own, number, &mut state);
                Turn::On(state)
            }
            VariableRef::Enemy(stat) => {
                let own = &self.system.enemy_stats[stat];
                let Some(enemy) = state.enemy else { return Turn::Lost };
                let number = number.clamp(own.least.into(), own.most.into());
                state.enemies[enemy][stat] = number;
                if own.vital && number <= 0 {
                    state.falls();
                }
                Turn::On(state)
            }
            VariableRef::Own(own) => {
                let variable = &self.system.variables[own];
                // A gain kills nobody: who is dying may need several to live on.
                let is_gain = number > state.variables[own];
                let mut number = number.clamp(variable.least.into(), variable.most.into());
                if let Some(initial) = variable.initial {
                    number = number.min(state.variables[initial]);
                }
                state.variables[own] = number;
                let mut dies = variable.vital && number <= 0;
                if variable.kind == VariableKind::Initial {
                    for (stat, of) in self.system.variables.iter().enumerate() {
                        if of.initial == Some(own) {
                            state.variables[stat] = state.variables[stat].min(number);
                            dies |= of.vital && state.variables[stat] <= 0;
                        }
                    }
                }
                if dies && !is_gain { self.used_up(state) } else { Turn::On(state) }
            }
        }
    }

    /// Something vital is used up: the hero dies, unless he lives on.
    fn used_up(&self, mut state: State<'b>) -> Turn<'b> {
        if !state.dying
            && let Some(lives) = self.is_beaten(&mut state)
        {
            return if lives { Turn::On(state) } else { Turn::Lost };
        }
        if state.dying || self.system.on_death.is_empty() {
            return Turn::Lost;
        }
        state.dies(&self.system.on_death);
        Turn::On(state)
    }

    pub fn holds(&self, state: &State<'b>, condition: &Condition) -> bool {
        match condition {
            Condition::Constant(holds) => *holds,
            Condition::Reading(reading, value) => self.readings[*reading] == *value,
            Condition::Compare(comparison, left, right) => {
                compare(*comparison, self.number(state, left), self.number(state, right))
            }
            Condition::Not(inner) => !self.holds(state, inner),
            Condition::And(left, right) => self.holds(state, left) && self.holds(state, right),
            Condition::Or(left, right) => self.holds(state, left) || self.holds(state, right),
            // The other conditions are those of Lone Wolf.
            Condition::Discipline(_) | Condition::Skilled(_) | Condition::Flag(_) | Condition::Wounded => false,
        }
    }
}

/// Whether something happens in a node, so that there is time for actions after it.
fn happens(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Goto(_) | NodeKind::Death(_) | NodeKind::Victory | NodeKind::Again(_) => false,
        NodeKind::If(branches, otherwise) => {
            let mut bodies = branches.iter().map(|(_, body, _)| body).chain([otherwise]);
            bodies.any(|body| body.iter().any(happens))
        }
        NodeKind::Rule(rule) => !matches!(**rule, Rule::Let(..)),
        _ => true,
    }
}

/// The sums of dice, each with the number of ways in which it comes up.
fn sums(dice: &Dice) -> Vec<(i64, UBig)> {
    let mut sums = std::collections::BTreeMap::from([(i64::from(dice.plus), UBig::ONE)]);
    for (count, sides) in &dice.dice {
        for _ in 0..*count {
            let mut next = std::collections::BTreeMap::new();
            for (sum, ways) in &sums {
                for side in 1..=i64::from(*sides) {
                    *next.entry(sum + side).or_insert(UBig::ZERO) += ways;
                }
            }
            sums = next;
        }
    }
    sums.into_iter().collect()
}
