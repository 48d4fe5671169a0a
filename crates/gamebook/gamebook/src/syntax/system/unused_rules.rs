//! Warnings about names that a book declares in addition to its system, and that nothing uses.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::book::{
    Asked, Book, Condition, Node, NodeKind, Number, RollCase, Rule, System, Taken, Target, VariableKind, VariableRef,
    every_node, every_question,
};
use crate::syntax::problem::Problem;
use crate::syntax::reader::Reader;

#[derive(Default)]
struct Uses {
    asked: BTreeSet<usize>,
    set: BTreeSet<usize>,
    tests: BTreeSet<usize>,
    defines: BTreeSet<usize>,
    /// The containers, item stats and skills that are used as a whole.
    containers: BTreeSet<usize>,
    item_stats: BTreeSet<usize>,
    skills: BTreeSet<usize>,
    all_skills: bool,
    taken: Vec<Taken>,
}

impl Reader<'_> {
    /// Warns about declarations of the book; `own` holds their spans.
    pub(crate) fn unused_rules(&mut self, book: &Book, system: &System, own: &BTreeMap<String, Range<usize>>) {
        let mut uses = Uses::default();
        uses.whole(book, system);
        uses.spread(system);
        for (place, variable) in system.variables.iter().enumerate() {
            let Some(span) = own.get(&variable.name).filter(|_| !variable.vital) else { continue };
            // A use of the initial value is a use of the stat.
            let either = |uses: &BTreeSet<usize>| {
                uses.contains(&place) || variable.initial.is_some_and(|initial| uses.contains(&initial))
            };
            let is_known = variable.kind.is_yes_or_no() && variable.kind != VariableKind::Flag;
            let begins_with_some = variable.start != 0 || variable.kind == VariableKind::Stat || is_known;
            let name = &variable.name;
            let problem = |message: String| Problem::warning(span.clone(), message);
            let is_item = variable.kind == VariableKind::Item;
            let problem = match (either(&uses.set) || begins_with_some, either(&uses.asked)) {
                (_, false) if !either(&uses.set) => {
                    problem(format!("`{name}` is never mentioned")).help("leave it out, or use it")
                }
                (true, false) if is_item => {
                    Problem::note(span.clone(), format!("`{name}` is given, but nothing asks for it"))
                        .help("it does nothing but take its place")
                }
                (true, false) => {
                    problem(format!("`{name}` is set, but nothing asks for it")).help("leave it out, or ask for it")
                }
                (false, true) if is_item => {
                    Problem::note(span.clone(), format!("`{name}` is asked for, but nothing gives it"))
                        .help("only a hero who brings it along has it")
                }
                (false, true) => {
                    problem(format!("`{name}` is asked for, but never set")).help("set it somewhere, or leave it out")
                }
                _ => continue,
            };
            self.problems.push(problem);
        }
        let tests = system.tests.iter().enumerate().filter(|(place, _)| !uses.tests.contains(place));
        let tests = tests.map(|(_, test)| ("test", &test.name));
        let blocks = system.defines.iter().enumerate().filter(|(place, _)| !uses.defines.contains(place));
        let blocks = blocks.map(|(_, block)| ("block", &block.name));
        for (what, name) in tests.chain(blocks).collect::<Vec<_>>() {
            if let Some(span) = own.get(&format!("{what} {name}")) {
                let problem = Problem::warning(span.clone(), format!("nothing uses the {what} `{name}`"));
                self.problems.push(problem.help("leave it out, or use it"));
            }
        }
    }
}

impl Uses {
    fn whole(&mut self, book: &Book, system: &System) {
        let fights = &system.fights;
        let hooks = [&system.on_leave, &system.on_death, &system.before_fight, &system.after_fight, &book.on_enter];
        let rounds = [&fights.round, &fights.others, &fights.end_of_round, &fights.on_escape];
        let sections = book.sections.values().map(|section| &section.body);
        let blocks = system.defines.iter().map(|define| &define.body);
        let events = fights.events.iter().map(|event| &event.body);
        let actions = system.actions.iter().map(|action| &action.body);
        let tests = system.tests.iter().flat_map(|test| [&test.body, &test.after]);
        let ally = fights.ally.iter().map(|(_, body)| body);
        let bodies = sections.chain(blocks).chain(events).chain(actions).chain(tests).chain(ally);
        for body in bodies.chain(hooks).chain(rounds) {
            every_node(body, &mut |node| self.node(node));
        }
        for action in &system.actions {
            self.condition(&action.require);
            self.item_stats.extend(action.with);
        }
        if let Some(wield) = &fights.wield {
            self.condition(&wield.when);
            self.item_stats.insert(wield.stat);
        }
        let raises = system.item_stats.iter().enumerate().filter(|(_, own)| own.raises.is_some());
        self.item_stats.extend(raises.map(|(stat, _)| stat));
        system.tests.iter().for_each(|test| self.condition(&test.yes));
        fights.locals.iter().for_each(|local| self.number(&local.start));
        for rule in book.policies.iter().flat_map(|policy| &policy.rules) {
            self.condition(&rule.when);
        }
    }

    /// Marks what is used as a whole as used one by one.
    fn spread(&mut self, system: &System) {
        for (place, own) in system.variables.iter().enumerate() {
            let is_skill = own.kind == VariableKind::Skill && self.all_skills;
            let is_part = own.container.is_some_and(|container| self.containers.contains(&container))
                || self.item_stats.iter().any(|stat| own.traits.stat(*stat) != 0);
            let in_circle = system.circles.iter().any(|circle| circle.skills.contains(&place));
            if is_skill || is_part || in_circle || own.kind == VariableKind::SkillIn {
                self.asked.insert(place);
            }
            if self.taken.iter().any(|taken| taken.takes(place, own)) {
                self.set.insert(place);
            }
        }
        self.asked.extend(&self.skills);
        // Containers are used by their content.
        self.asked.extend(system.containers.iter().filter_map(|own| own.itself));
    }

    fn number(&mut self, number: &Number) {
        number.visit(&mut |part| self.part(part));
    }

    fn condition(&mut self, condition: &Condition) {
        condition.visit_numbers(&mut |number| self.part(number));
    }

    fn part(&mut self, part: &Number) {
        match part {
            Number::Variable(VariableRef::Own(own)) => drop(self.asked.insert(*own)),
            Number::Carried(stat) | Number::Wielded(stat) => drop(self.item_stats.insert(*stat)),
            Number::SkilledWith(skill) => drop(self.skills.insert(*skill)),
            Number::InContainer(container) | Number::Room(container) => drop(self.containers.insert(*container)),
            Number::Disciplines => self.all_skills = true,
            _ => {}
        }
    }

    fn target(&mut self, target: Target) {
        if let Target::Variable(VariableRef::Own(own)) = target {
            self.set.insert(own);
        }
    }

    /// The uses of a node itself, without nested nodes.
    fn node(&mut self, node: &Node) {
        every_question(&node.kind, &mut |asked| match asked {
            Asked::Condition(condition) => self.condition(condition),
            Asked::Number(number) => self.number(number),
        });
        if let NodeKind::Choices(choices) = &node.kind {
            self.item_stats.extend(choices.iter().filter_map(|choice| choice.with));
        }
        if let NodeKind::Rule(rule) = &node.kind {
            self.rule(rule);
        }
    }

    fn rule(&mut self, rule: &Rule) {
        match rule {
            Rule::Set(target, number) | Rule::Change(target, number) => {
                self.target(*target);
                self.number(number);
            }
            Rule::Restore { target, .. } => drop(self.set.insert(*target)),
            Rule::Let(_, number) => self.number(number),
            Rule::Roll(roll) => {
                roll.plus.iter().for_each(|(_, condition)| self.condition(condition));
                for (case, ..) in &roll.cases {
                    if let RollCase::When(condition) = case {
                        self.condition(condition);
                    }
                }
            }
            Rule::Draw(cases, _) => self.asked.extend(cases.iter().map(|(own, _)| *own)),
            Rule::Test { test, .. } => drop(self.tests.insert(*test)),
            Rule::Use { define, arguments, .. } => {
                self.defines.insert(*define);
                for (_, number) in arguments {
                    self.number(number);
                }
            }
            Rule::Battle(battle) => {
                battle.enemies.iter().flat_map(|(_, stats)| stats).for_each(|number| self.number(number));
                battle.allies.iter().flatten().for_each(|number| self.number(number));
                battle.locals.iter().for_each(|local| self.number(&local.start));
                battle.escape.iter().for_each(|(when, _)| self.condition(when));
                battle.defeat.iter().for_each(|(leaves, _)| self.number(leaves));
            }
            Rule::Event { arguments, .. } => arguments.iter().for_each(|(_, number)| self.number(number)),
            Rule::Gain(own, number) => {
                self.set.insert(*own);
                self.number(number);
            }
            Rule::Take { lines, .. } => {
                for (own, number) in lines {
                    self.set.insert(*own);
                    self.number(number);
                }
            }
            Rule::LoseAll(taken) | Rule::GiveUp { from: taken, .. } => self.taken.push(taken.clone()),
            Rule::Resume | Rule::Stop | Rule::Block(_) => {}
        }
    }
}
