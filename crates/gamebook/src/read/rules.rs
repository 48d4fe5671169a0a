//! Reading systems of rules: what they declare, at the head of a system's file or of a book.

use std::collections::BTreeMap;

use budget::{Budget, Stopped};
use kdl::{KdlEntry, KdlNode};

use super::{Reader, endings, syntax};
use crate::book::{Book, Condition, LocalId, Node, Number, SectionNumber};
use crate::entries::{
    arguments, children, entry_span, flag, integer, integer_property, name_span, property, shown, shown_name, string,
};
use crate::hero::Hero;
use crate::problem::{Problem, Problems, Severity, did_you_mean};
use crate::rules::dice::Dice;
use crate::rules::{
    Action, ActionTime, Container, Define, EnemyStat, Event, FightLocal, Local, Order, Policy, PolicyKind, PolicyRule,
    Reading, System, Test, Variable, VariableKind, VariableRef,
};

/// What a system of rules says at its head.
const DECLARES: [&str; 18] = [
    "stat",
    "counter",
    "flags",
    "item",
    "container",
    "test",
    "define",
    "enemy-stat",
    "fight-system",
    "action",
    "on-enter",
    "on-leave",
    "on-death",
    "before-fight",
    "after-fight",
    "reading",
    "policy",
    "hero",
];
/// What only a book says there.
const BOOK: [&str; 4] = ["book", "start", "goal", "section"];
/// Every word with which something at the head of a file can begin.
pub(super) const HEADS: [&str; 27] = [
    "book",
    "start",
    "goal",
    "hero",
    "items",
    "flags",
    "counter",
    "combat-table",
    "on-enter",
    "section",
    "system",
    "stat",
    "item",
    "container",
    "test",
    "define",
    "enemy-stat",
    "fight-system",
    "action",
    "on-leave",
    "on-death",
    "before-fight",
    "after-fight",
    "reading",
    "policy",
    "rolled",
    "choose",
];
/// Sections with a name have numbers from here on.
const FIRST_NAMED: SectionNumber = 10_000;
/// More sections with names are not possible.
const MOST_NAMED: usize = 10_000;
/// The largest number of a stat or counter.
const LARGEST: i64 = 9_999;
/// More is not declared of anything.
const MOST_DECLARED: usize = 200;
/// More names are not bound in one book.
const MOST_BOUND: usize = 4_000;
/// Words that mean something in expressions already.
const WORDS: [&str; 12] = ["and", "or", "not", "has", "always", "never", "min", "max", "down", "up", "reading", "all"];

/// The systems that come with the program.
const BUILT_IN: [(&str, &str); 2] = [
    ("fighting-fantasy", include_str!("../../../../systems/fighting-fantasy.kdl")),
    ("none", include_str!("../../../../systems/none.kdl")),
];

/// What is being read of a system of rules.
#[expect(clippy::struct_excessive_bools, reason = "what is possible at a place, each by itself")]
#[derive(Default)]
pub(super) struct Rules {
    pub(super) system: System,
    /// The names that mean something here, the innermost last.
    pub(super) scope: Vec<(String, LocalId)>,
    /// Whether somebody is fought here: then there is an enemy.
    pub(super) fighting: bool,
    /// Whether this is surely a part of a fight: then there can be no other.
    pub(super) in_fight: bool,
    /// Whether this is a round: then something can happen in it.
    pub(super) in_round: bool,
    /// Whether the hero is dying here.
    pub(super) dying: bool,
    /// Whether there is a book around: a system's own file knows no sections.
    pub(super) in_book: bool,
    /// How deeply others are used in the block that is read, and whether there is a fight in it.
    pub(super) depth: usize,
    pub(super) fights: bool,
    /// The sections' names.
    names: BTreeMap<String, SectionNumber>,
    hero_named: bool,
    /// What the system's own file declares, and what it does on entering a section.
    declared: BTreeMap<String, std::ops::Range<usize>>,
    on_enter: Vec<Node>,
}

/// Which rules the head of a book asks for.
pub(super) enum Wanted {
    LoneWolf,
    /// The name of a system that comes with the program, or of a file beside the book.
    System(String),
}

/// Whether a name is that of a file.
fn is_file(name: &str) -> bool {
    std::path::Path::new(name).extension().is_some_and(|extension| extension == "kdl")
}

/// Reads a file beside the book.
pub type Beside<'f> = &'f dyn Fn(&str) -> Result<String, String>;

impl Rules {
    pub(super) fn number(&self, name: &str) -> Option<Number> {
        if let Some((_, local)) = self.scope.iter().rev().find(|(own, _)| own == name) {
            return Some(Number::Local(*local));
        }
        if let Some(place) = self.variable(name) {
            return Some(Number::Variable(VariableRef::Own(place)));
        }
        if let Some(stat) = name.strip_prefix("enemy.").filter(|_| self.fighting) {
            let place = self.system.enemy_stats.iter().position(|own| own.name == stat)?;
            return Some(Number::Variable(VariableRef::Enemy(place)));
        }
        let (container, what) = name.split_once('.')?;
        let container = self.system.containers.iter().position(|own| own.name == container)?;
        let in_it = self.system.variables.iter().enumerate().filter(|(_, own)| own.container == Some(container));
        let held = in_it.map(|(place, _)| Number::Variable(VariableRef::Own(place)));
        let sum = |left, right| Number::Operation(crate::book::Operator::Plus, Box::new(left), Box::new(right));
        let held = held.reduce(sum).unwrap_or(Number::Constant(0));
        match what {
            "items" => Some(held),
            "room" => {
                let holds = Number::Constant(self.system.containers[container].holds);
                Some(Number::Operation(crate::book::Operator::Minus, Box::new(holds), Box::new(held)))
            }
            _ => None,
        }
    }

    pub(super) fn variable(&self, name: &str) -> Option<usize> {
        self.system.variables.iter().position(|own| own.name == name)
    }

    pub(super) fn is_flag(&self, name: &str) -> bool {
        let shadowed = self.scope.iter().any(|(own, _)| own == name);
        !shadowed && self.variable(name).is_some_and(|own| self.system.variables[own].kind == VariableKind::Flag)
    }

    pub(super) fn reading(&self, name: &str) -> Option<(usize, Vec<String>)> {
        let place = self.system.readings.iter().position(|own| own.name == name)?;
        Some((place, self.system.readings[place].values.clone()))
    }

    pub(super) fn known(&self) -> Vec<String> {
        let system = &self.system;
        let enemy = system.enemy_stats.iter().filter(|_| self.fighting).map(|own| format!("enemy.{}", own.name));
        let variables = system.variables.iter().map(|own| own.name.clone());
        let readings = system.readings.iter().map(|own| own.name.clone());
        variables.chain(self.scope.iter().map(|(name, _)| name.clone())).chain(enemy).chain(readings).collect()
    }
}

impl Reader<'_> {
    pub(super) fn is_system(&self) -> bool {
        self.rules.is_some()
    }

    /// Which rules a book asks for.
    pub(super) fn wanted(nodes: &[KdlNode]) -> Wanted {
        let named = nodes
            .iter()
            .find(|node| node.name().value() == "book")
            .and_then(|node| property(node, "system").or_else(|| property(node, "rules")))
            .and_then(|entry| entry.value().as_string());
        match named {
            Some(name) if name != "lone-wolf" && (is_file(name) || BUILT_IN.iter().any(|own| own.0 == name)) => {
                Wanted::System(name.into())
            }
            _ => Wanted::LoneWolf,
        }
    }

    /// Reads a book whose rules are a system of their own.
    pub(super) fn system_book(
        &mut self,
        nodes: &[KdlNode],
        name: &str,
        beside: Beside<'_>,
        budget: &Budget<'_>,
    ) -> Result<Option<Book>, Stopped> {
        let named = nodes.iter().find(|node| node.name().value() == "book");
        let span = named.and_then(|node| property(node, "system").or_else(|| property(node, "rules")));
        let span = span.map_or(0..0, entry_span);
        let text = match BUILT_IN.iter().find(|own| own.0 == name) {
            Some((_, text)) => Ok((*text).to_string()),
            None => beside(name),
        };
        let text = match text {
            Ok(text) => text,
            Err(error) => {
                let help = "a system's file lies beside the book; without `.kdl` there are fighting-fantasy, lone-wolf \
                            and none";
                self.error(span, format!("the system `{}` cannot be read: {error}", shown_name(name)), help);
                return Ok(None);
            }
        };
        let (rules, problems) = system(&text, budget)?;
        let errors: Vec<&Problem> = problems.iter().filter(|own| own.severity == Severity::Error).collect();
        if let Some(first) = errors.first() {
            let (line, column) = first.position(&text);
            let many = if errors.len() == 1 { "an error".into() } else { format!("{} errors", errors.len()) };
            let message = format!(
                "the system `{}` has {many}, the first in line {line}, column {column}: {}",
                shown_name(name),
                first.message
            );
            let help = first.help.clone().unwrap_or_else(|| "mend the system".into());
            self.error(span, message, help);
            return Ok(None);
        }
        self.declared.clone_from(&rules.declared);
        self.on_enter.clone_from(&rules.on_enter);
        self.rules = Some(Box::new(Rules { in_book: true, hero_named: false, ..rules }));
        self.heads(nodes, &[&BOOK[..], &DECLARES[..]].concat(), "a book");
        self.name_sections(nodes);
        let title = self.title(nodes);
        let start = self.only(nodes, "start", "start 1").and_then(|node| self.section_argument(node));
        let goals: Vec<SectionNumber> = match nodes.iter().find(|node| node.name().value() == "goal") {
            Some(node) => {
                self.shape(node, 1..=usize::MAX, &[], false, "`goal 350`");
                arguments(node).filter_map(|entry| self.section_number(entry)).collect()
            }
            None => Vec::new(),
        };
        self.declarations(nodes);
        let sections = self.sections(nodes, budget)?;
        self.policies(nodes);
        self.targets_exist(&sections);
        let (Some(title), Some(start)) = (title, start) else { return Ok(None) };
        let Some(rules) = self.rules.take() else { return Ok(None) };
        let mut system = rules.system;
        system.name = name.into();
        system.sections = rules.names.into_iter().map(|(name, number)| (number, name)).collect();
        Ok(Some(Book {
            title,
            start,
            goals,
            learns: 0,
            fixed: Vec::new(),
            hero: Hero::default(),
            items: Vec::new(),
            flags: Vec::new(),
            counters: Vec::new(),
            table: lone_wolf::CombatTable::standard().clone(),
            on_enter: std::mem::take(&mut self.on_enter),
            sections,
            system: Some(Box::new(system)),
        }))
    }

    /// Nodes that mean nothing at the head of a file.
    fn heads(&mut self, nodes: &[KdlNode], known: &[&str], what: &str) {
        for node in nodes {
            let name = node.name().value();
            if !known.contains(&name) {
                let help = did_you_mean(name, known.iter().copied())
                    .unwrap_or_else(|| format!("{what} has {}", known.join(", ")));
                self.error(
                    name_span(node),
                    format!("`{}` means nothing at the head of {what}", shown_name(name)),
                    help,
                );
            }
        }
    }

    /// The rules that are being read. Only asked for where there are some.
    pub(super) fn own(&mut self) -> &mut Rules {
        self.rules.get_or_insert_default()
    }

    /// The numbers of sections that have names.
    fn name_sections(&mut self, nodes: &[KdlNode]) {
        for node in nodes.iter().filter(|node| node.name().value() == "section") {
            let Some(entry) = arguments(node).next() else { continue };
            let Some(name) = entry.value().as_string() else { continue };
            let names = &mut self.own().names;
            if names.len() >= MOST_NAMED {
                self.error(entry_span(entry), format!("more than {MOST_NAMED} sections with names"), "number them");
                return;
            }
            let next = FIRST_NAMED.saturating_add(SectionNumber::try_from(names.len()).unwrap_or(SectionNumber::MAX));
            names.entry(name.into()).or_insert(next);
        }
    }

    /// The number of a section that has a name.
    pub(super) fn named_section(&mut self, entry: &KdlEntry) -> Option<SectionNumber> {
        let name = entry.value().as_string()?.to_string();
        let names = &self.rules.as_ref()?.names;
        if let Some(number) = names.get(&name) {
            return Some(*number);
        }
        if !self.missing.is_any() {
            let help = did_you_mean(&name, names.keys().map(String::as_str))
                .unwrap_or_else(|| format!("write `section \"{}\" {{ ... }}`", shown_name(&name)));
            self.error(entry_span(entry), format!("there is no section `{}`", shown_name(&name)), help);
        }
        None
    }

    /// Everything that is declared at the head of a file. What stands first can be used in what follows.
    fn declarations(&mut self, nodes: &[KdlNode]) {
        let of = |names: &'static [&'static str]| move |node: &&KdlNode| names.contains(&node.name().value());
        for node in nodes {
            match node.name().value() {
                "stat" => self.stat(node),
                "counter" => self.own_counter(node),
                "flags" => self.own_flags(node),
                "container" => self.own_container(node),
                "reading" => self.reading_node(node),
                "enemy-stat" => self.enemy_stat(node),
                _ => {}
            }
        }
        nodes.iter().filter(of(&["item"])).for_each(|node| self.own_item(node));
        nodes.iter().filter(of(&["hero"])).for_each(|node| self.own_hero(node));
        nodes.iter().filter(of(&["fight-system"])).for_each(|node| self.fight_names(node));
        for node in nodes.iter().filter(of(&["test", "define"])) {
            if node.name().value() == "test" { self.test_node(node) } else { self.define_node(node) }
        }
        nodes.iter().filter(of(&["fight-system"])).for_each(|node| self.fight_system(node));
        for node in nodes {
            let name = node.name().value();
            match name {
                "on-enter" | "on-leave" | "on-death" | "before-fight" | "after-fight" => {
                    self.shape(node, 0..=0, &[], true, &format!("`{name} {{ ... }}`"));
                    self.own().dying = name == "on-death";
                    let body = self.body(children(node));
                    self.own().dying = false;
                    match name {
                        "on-enter" => self.on_enter.extend(body),
                        "on-leave" => self.own().system.on_leave.extend(body),
                        "on-death" => self.own().system.on_death.extend(body),
                        "before-fight" => self.own().system.before_fight.extend(body),
                        _ => self.own().system.after_fight.extend(body),
                    }
                }
                "action" => self.action(node),
                _ => {}
            }
        }
    }

    /// Whether a name can be declared.
    pub(super) fn new_name(&mut self, name: &str, span: std::ops::Range<usize>) -> bool {
        let well_formed = name.chars().next().is_some_and(char::is_alphabetic)
            && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
            && !name.ends_with('-')
            && name.len() <= 64;
        if !well_formed {
            let help = "a name is a letter, then letters, digits and hyphens";
            self.error(span, format!("`{}` is no name", shown_name(name)), help);
        } else if WORDS.contains(&name) || super::steps::NODES.contains(&name) {
            self.error(span, format!("`{name}` has a meaning already"), "choose another name");
        } else if self.declared.contains_key(name) {
            self.error(span, format!("`{name}` is declared twice"), "keep one, or choose another name");
        } else if self.declared.len() >= MOST_DECLARED {
            self.error(span, format!("more than {MOST_DECLARED} names are declared"), "declare fewer");
        } else {
            self.declared.insert(name.into(), span);
            return true;
        }
        false
    }

    /// The name that a node declares.
    pub(super) fn declares(&mut self, node: &KdlNode, what: &str) -> Option<String> {
        let entry = arguments(node).next()?;
        let name = string(&mut self.problems, entry, what)?.to_string();
        self.new_name(&name, entry_span(entry)).then_some(name)
    }

    /// `min`, `max` and `start` of a number.
    fn bounds(&mut self, node: &KdlNode, least: i32, most: i32) -> (i32, i32) {
        let mut bound = |name| integer_property(&mut self.problems, node, name, -LARGEST..=LARGEST);
        let own =
            |number: Option<i64>, default: i32| number.and_then(|number| i32::try_from(number).ok()).unwrap_or(default);
        let (least, most) = (own(bound("min"), least), own(bound("max"), most));
        if least > most {
            self.error(name_span(node), format!("from {least} to {most} there is nothing"), "let min be less than max");
            return (most, most);
        }
        (least, most)
    }

    /// `start` of a number, within its range.
    fn start(&mut self, node: &KdlNode, (least, most): (i32, i32), default: i32) -> i32 {
        let start = integer_property(&mut self.problems, node, "start", i64::from(least)..=i64::from(most));
        start.unwrap_or(default).clamp(least, most)
    }

    fn stat(&mut self, node: &KdlNode) {
        const USAGE: &str = "`stat stamina from=\"2d6 + 12\" initial=#true vital=#true`";
        self.shape(node, 1..=1, &["from", "initial", "vital", "min", "max", "start", "negative"], false, USAGE);
        let Some(name) = self.declares(node, "the name of a stat") else { return };
        let vital = flag(&mut self.problems, node, "vital");
        let least = if flag(&mut self.problems, node, "negative") { -99 } else { 0 };
        let from = property(node, "from").and_then(|entry| self.dice(entry));
        let most = from.as_ref().map_or(99, |dice| dice.range().1.max(99));
        let range = self.bounds(node, least, most);
        if vital && range.0 != 0 {
            self.error(name_span(node), "a vital stat ends at 0", "leave `min` and `negative` out");
        }
        let start = self.start(node, range, from.as_ref().map_or(range.0.max(0), Dice::mean));
        let has_initial = flag(&mut self.problems, node, "initial");
        let variables = &mut self.own().system.variables;
        let place = variables.len();
        variables.push(Variable {
            name: name.clone(),
            kind: VariableKind::Stat,
            least: range.0,
            most: range.1,
            vital,
            initial: has_initial.then_some(place + 1),
            start,
            from,
            container: None,
        });
        if has_initial {
            variables.push(Variable {
                name: format!("{name}.initial"),
                kind: VariableKind::Initial,
                least: range.0,
                most: range.1,
                vital: false,
                initial: None,
                start,
                from: None,
                container: None,
            });
        }
    }

    fn plain(
        &mut self,
        name: String,
        kind: VariableKind,
        (least, most): (i32, i32),
        start: i32,
        container: Option<usize>,
    ) {
        let variable = Variable { name, kind, least, most, vital: false, initial: None, start, from: None, container };
        self.own().system.variables.push(variable);
    }

    fn own_counter(&mut self, node: &KdlNode) {
        self.shape(node, 1..=1, &["min", "max", "start"], false, "`counter provisions max=10 start=10`");
        let Some(name) = self.declares(node, "the name of a counter") else { return };
        if property(node, "max").is_none() {
            self.error(name_span(node), "the largest value of the counter is missing", "write max=50");
        }
        let range = self.bounds(node, 0, 1);
        let start = self.start(node, range, 0);
        self.plain(name, VariableKind::Counter, range, start, None);
    }

    fn own_flags(&mut self, node: &KdlNode) {
        self.shape(node, 1..=usize::MAX, &[], false, "`flags NAME NAME`");
        for entry in arguments(node) {
            if let Some(name) = string(&mut self.problems, entry, "the name of a flag").map(String::from)
                && self.new_name(&name, entry_span(entry))
            {
                self.plain(name, VariableKind::Flag, (0, 1), 0, None);
            }
        }
    }

    fn own_container(&mut self, node: &KdlNode) {
        self.shape(node, 1..=1, &["holds"], false, "`container backpack holds=8`");
        let Some(name) = self.declares(node, "the name of a container") else { return };
        if property(node, "holds").is_none() {
            self.error(name_span(node), "how many items does it hold?", "write holds=8");
        }
        let holds = integer_property(&mut self.problems, node, "holds", 1..=99).unwrap_or(1);
        self.own().system.containers.push(Container { name, holds });
    }

    fn own_item(&mut self, node: &KdlNode) {
        self.shape(node, 1..=1, &["in", "max", "start"], false, "`item rope in=backpack max=1`");
        let Some(name) = self.declares(node, "the name of an item") else { return };
        let container = property(node, "in").and_then(|entry| {
            let wanted = entry.value().as_string().unwrap_or_default();
            let containers = &self.own().system.containers;
            let found = containers.iter().position(|own| own.name == wanted);
            if found.is_none() {
                let help = did_you_mean(wanted, containers.iter().map(|own| own.name.as_str()))
                    .unwrap_or_else(|| "declare it: `container backpack holds=8`".into());
                self.error(entry_span(entry), format!("there is no container `{}`", shown(entry)), help);
            }
            found
        });
        let default = container.map_or(1, |own| self.own().system.containers[own].holds);
        let most = integer_property(&mut self.problems, node, "max", 1..=LARGEST);
        let most = most.unwrap_or(default);
        let start = self.start(node, (0, most), 0);
        self.plain(name, VariableKind::Item, (0, most), start, container);
    }

    fn reading_node(&mut self, node: &KdlNode) {
        self.shape(node, 3..=usize::MAX, &[], false, "`reading lightning heals costs`: a name and two values or more");
        let Some(name) = self.declares(node, "the name of a reading") else { return };
        let values: Vec<String> = arguments(node)
            .skip(1)
            .map(|entry| entry.value().as_string().map_or_else(|| entry.value().to_string(), String::from))
            .collect();
        if let Some(twice) = values.iter().enumerate().find(|(place, own)| values[..*place].contains(own)) {
            self.error(name_span(node), format!("`{}` stands here twice", shown_name(twice.1)), "keep one");
        }
        self.own().system.readings.push(Reading { name, values });
    }

    fn enemy_stat(&mut self, node: &KdlNode) {
        self.shape(node, 1..=1, &["vital", "min", "max", "start"], false, "`enemy-stat stamina vital=#true`");
        let Some(entry) = arguments(node).next() else { return };
        let Some(name) = string(&mut self.problems, entry, "the name of an enemy's stat").map(String::from) else {
            return;
        };
        if self.own().system.enemy_stats.iter().any(|own| own.name == name) {
            self.error(entry_span(entry), format!("`{}` is declared twice", shown_name(&name)), "keep one");
            return;
        }
        let vital = flag(&mut self.problems, node, "vital");
        let (least, most) = self.bounds(node, 0, 99);
        let start = property(node, "start").map(|_| self.start(node, (least, most), 0));
        self.own().system.enemy_stats.push(EnemyStat { name, vital, least, most, start });
    }

    /// `hero { skill 12; provisions 5; }`
    fn own_hero(&mut self, node: &KdlNode) {
        self.shape(node, 0..=0, &[], true, "`hero { skill 9; stamina 18; }`");
        if std::mem::replace(&mut self.own().hero_named, true) {
            self.error(name_span(node), "`hero` stands here for the second time", "keep one");
        }
        for child in children(node) {
            let name = child.name().value();
            let Some(place) = self.own().variable(name) else {
                let known: Vec<String> = self.own().system.variables.iter().map(|own| own.name.clone()).collect();
                let help = did_you_mean(name, known.iter().map(String::as_str))
                    .unwrap_or_else(|| format!("a hero has {}", known.join(", ")));
                self.error(name_span(child), format!("`{}` is nothing that a hero has", shown_name(name)), help);
                continue;
            };
            let own = self.own().system.variables[place].clone();
            let number = if own.kind == VariableKind::Flag && arguments(child).next().is_none() {
                Some(1)
            } else {
                self.shape(child, 1..=1, &[], false, &format!("`{} {}`", own.name, own.start));
                let range = i64::from(own.least)..=i64::from(own.most);
                let what = format!("`{}`", own.name);
                arguments(child).next().and_then(|entry| integer(&mut self.problems, entry, range, &what))
            };
            let Some(number) = number else { continue };
            let variables = &mut self.own().system.variables;
            variables[place].start = number;
            let named = |name: &str| children(node).iter().any(|other| other.name().value() == name);
            if let Some(initial) = own.initial
                && !named(&variables[initial].name)
            {
                variables[initial].start = number;
            }
        }
    }

    /// Dice, in quotes or without.
    pub(super) fn dice(&mut self, entry: &KdlEntry) -> Option<Dice> {
        let source = self.text.get(entry_span(entry)).unwrap_or_default().trim();
        let source = source.rsplit_once('=').map_or(source, |(_, value)| value);
        let source = source.trim_matches(|c: char| c == '"' || c == '#' || c.is_whitespace()).to_string();
        match Dice::read(&source) {
            Ok(dice) => Some(dice),
            Err(wrong) => {
                self.error(entry_span(entry), wrong, "write dice like d6, 2d6, d100 or \"2d6 + d10 - 1\"");
                None
            }
        }
    }

    /// A new name in the scope.
    pub(super) fn bind_name(&mut self, name: &str) -> LocalId {
        let rules = self.own();
        let local = rules.system.locals.len();
        rules.system.locals.push(Local { name: name.into(), changed: None });
        rules.scope.push((name.into(), local));
        local
    }

    /// A new name in the scope, if it is a good one.
    pub(super) fn bind_new(&mut self, entry: &KdlEntry, what: &str) -> Option<LocalId> {
        let name = string(&mut self.problems, entry, what)?.to_string();
        let span = entry_span(entry);
        if self.own().variable(&name).is_some() {
            self.error(span, format!("`{name}` is declared at the head of the file"), "choose another name");
            return None;
        }
        if self.own().system.locals.len() >= MOST_BOUND {
            self.error(span, format!("more than {MOST_BOUND} names are bound"), "bind fewer");
            return None;
        }
        let before = self.declared.remove(&name);
        let good = self.new_name(&name, span);
        self.declared.remove(&name);
        if let Some(before) = before {
            self.declared.insert(name.clone(), before);
        }
        good.then(|| self.bind_name(&name))
    }

    /// What follows means something only within `read`.
    pub(super) fn within<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let (scope, fighting, in_fight, in_round) = {
            let rules = self.own();
            (rules.scope.len(), rules.fighting, rules.in_fight, rules.in_round)
        };
        let read = read(self);
        let rules = self.own();
        rules.scope.truncate(scope);
        (rules.fighting, rules.in_fight, rules.in_round) = (fighting, in_fight, in_round);
        read
    }

    fn test_node(&mut self, node: &KdlNode) {
        const USAGE: &str = "`test lucky { roll 2d6 as=r; yes \"r <= luck\"; after { luck -1; } }`";
        self.shape(node, 1..=1, &[], true, USAGE);
        let Some(entry) = arguments(node).next() else { return };
        let Some(name) = string(&mut self.problems, entry, "the name of a test").map(String::from) else { return };
        if self.own().system.tests.iter().any(|own| own.name == name) {
            self.error(entry_span(entry), format!("the test `{}` is declared twice", shown_name(&name)), "keep one");
            return;
        }
        let test = self.within(|reader| {
            let nodes = children(node);
            let place = nodes.iter().position(|node| node.name().value() == "yes").unwrap_or(nodes.len());
            let body = reader.body_here(&nodes[..place]);
            let mut yes = None;
            let mut after = Vec::new();
            for part in &nodes[place..] {
                match part.name().value() {
                    "yes" if yes.is_none() => {
                        reader.shape(part, 1..=1, &[], false, "`yes \"r <= luck\"`");
                        let condition = arguments(part).next().and_then(|entry| reader.condition(entry));
                        yes = Some(condition.unwrap_or(Condition::Constant(true)));
                    }
                    "after" => {
                        reader.shape(part, 0..=0, &[], true, "`after { luck -1; }`");
                        after = reader.body(children(part));
                    }
                    other => reader.error(
                        name_span(part),
                        format!("`{}` cannot stand here in a test", shown_name(other)),
                        format!("write {USAGE}"),
                    ),
                }
            }
            if yes.is_none() {
                reader.error(name_span(node), "when is the test a success?", format!("write {USAGE}"));
            }
            Test { name, body, yes: yes.unwrap_or(Condition::Constant(true)), after }
        });
        self.own().system.tests.push(test);
    }

    fn define_node(&mut self, node: &KdlNode) {
        self.shape(node, 1..=9, &[], true, "`define NAME a b { ... }`, called by `use NAME a=1 b=2`");
        let Some(entry) = arguments(node).next() else { return };
        let Some(name) = string(&mut self.problems, entry, "the name of a block").map(String::from) else { return };
        if self.own().system.defines.iter().any(|own| own.name == name) {
            self.error(entry_span(entry), format!("`{}` is defined twice", shown_name(&name)), "keep one");
            return;
        }
        let define = self.within(|reader| {
            let parameters =
                arguments(node).skip(1).filter_map(|entry| reader.bind_new(entry, "a name of the block")).collect();
            let rules = reader.own();
            (rules.depth, rules.fights) = (0, false);
            // An enemy may be there where it is used.
            rules.fighting = true;
            let body = reader.body(children(node));
            let leaves = body.last().is_some_and(|last| endings::leaves(&last.kind));
            let can_leave = endings::can_leave(&body, 0);
            let rules = reader.own();
            Define { name, parameters, body, fights: rules.fights, depth: rules.depth, leaves, can_leave }
        });
        self.own().system.defines.push(define);
    }

    fn action(&mut self, node: &KdlNode) {
        self.shape(node, 1..=1, &["when"], true, "`action eat when=outside-fight { require \"...\"; ...; }`");
        let Some(entry) = arguments(node).next() else { return };
        let Some(name) = string(&mut self.problems, entry, "the name of an action").map(String::from) else { return };
        let when = match property(node, "when").map(|entry| (entry, entry.value().as_string())) {
            None | Some((_, Some("outside-fight"))) => ActionTime::OutsideFight,
            Some((_, Some("after-fight"))) => ActionTime::AfterFight,
            Some((_, Some("in-fight"))) => ActionTime::InFight,
            Some((_, Some("any-time"))) => ActionTime::AnyTime,
            Some((entry, _)) => {
                self.error(
                    entry_span(entry),
                    format!("`{}` is no time", shown(entry)),
                    "write when=outside-fight, after-fight, in-fight or any-time",
                );
                ActionTime::OutsideFight
            }
        };
        let (require, body) = self.within(|reader| {
            reader.own().in_fight = matches!(when, ActionTime::InFight | ActionTime::AnyTime);
            reader.own().fighting = when == ActionTime::InFight;
            let (require, nodes) = reader.required(children(node));
            (require, reader.body(nodes))
        });
        let system = &mut self.own().system;
        system.actions.retain(|own| own.name != name);
        system.actions.push(Action { name, when, require, body });
    }

    /// The policies at the head of a file.
    pub(super) fn policies(&mut self, nodes: &[KdlNode]) {
        for node in nodes.iter().filter(|node| node.name().value() == "policy") {
            let policy = self.policy(node);
            let Some(policy) = policy else { continue };
            let policies = &mut self.own().system.policies;
            if policies.iter().any(|own| own.name == policy.name) {
                let message = format!("the policy `{}` stands here twice", shown_name(&policy.name));
                self.error(name_span(node), message, "keep one");
            } else {
                policies.push(policy);
            }
        }
    }

    fn policy(&mut self, node: &KdlNode) -> Option<Policy> {
        const USAGE: &str = "`policy \"greedy\" { always eat; never \"use luck\"; from 12 goto 30; }`";
        self.shape(node, 1..=1, &["default"], true, USAGE);
        let entry = arguments(node).next()?;
        let name = string(&mut self.problems, entry, "the name of a policy")?.to_string();
        let is_default = flag(&mut self.problems, node, "default");
        let rules = self.within(|reader| {
            reader.own().fighting = true;
            let names: Vec<(String, LocalId)> = {
                let system = &reader.own().system;
                let fights = &system.fights;
                let locals = fights.locals.iter().map(|own| own.local);
                let parameters = fights.events.iter().flat_map(|event| event.parameters.iter().copied());
                locals.chain(parameters).map(|local| (system.locals[local].name.clone(), local)).collect()
            };
            reader.own().scope.extend(names);
            children(node).iter().filter_map(|rule| reader.policy_rule(rule, USAGE)).collect()
        });
        Some(Policy { name, is_default, rules })
    }

    fn policy_rule(&mut self, node: &KdlNode, usage: &str) -> Option<PolicyRule> {
        let name = node.name().value();
        let mut section = None;
        let kind = match name {
            "always" | "never" => {
                self.shape(node, 1..=1, &["if", "in", "on"], false, usage);
                let entry = arguments(node).next()?;
                let label = string(&mut self.problems, entry, "the label of an answer")?.to_string();
                if name == "always" { PolicyKind::Always(label) } else { PolicyKind::Never(label) }
            }
            "random" => {
                self.shape(node, 0..=0, &["if", "in", "on"], false, "`random`");
                PolicyKind::Random
            }
            "from" => {
                self.shape(node, 3..=3, &["if"], false, "`from 12 goto 30`");
                let entries: Vec<&KdlEntry> = arguments(node).collect();
                let [from, goto, to] = entries[..] else { return None };
                if goto.value().as_string() != Some("goto") {
                    self.error(entry_span(goto), "`goto` is missing here", "write `from 12 goto 30`");
                    return None;
                }
                section = Some(self.section_number(from)?);
                PolicyKind::Goto(self.section_number(to)?)
            }
            other => {
                let help = did_you_mean(other, ["always", "never", "from", "random"])
                    .unwrap_or_else(|| format!("write {usage}"));
                self.error(name_span(node), format!("`{}` means nothing in a policy", shown_name(other)), help);
                return None;
            }
        };
        if let Some(entry) = property(node, "in") {
            section = Some(self.section_number(entry)?);
        }
        let event = match property(node, "on") {
            None => None,
            Some(entry) => Some(self.event_name(entry)?),
        };
        let when = match property(node, "if") {
            Some(entry) => self.condition(entry)?,
            None => Condition::Constant(true),
        };
        Some(PolicyRule { kind, section, event, when })
    }

    /// The event of a name.
    pub(super) fn event_name(&mut self, entry: &KdlEntry) -> Option<usize> {
        let name = string(&mut self.problems, entry, "the name of an event")?.to_string();
        let events = &self.own().system.fights.events;
        if let Some(place) = events.iter().position(|own| own.name == name) {
            return Some(place);
        }
        let known: Vec<String> = events.iter().map(|own| own.name.clone()).collect();
        let help = did_you_mean(&name, known.iter().map(String::as_str)).unwrap_or_else(|| {
            format!("there are {}", if known.is_empty() { "none".into() } else { known.join(", ") })
        });
        self.error(entry_span(entry), format!("nothing called `{}` happens in a round", shown_name(&name)), help);
        None
    }

    /// The names that a fight system binds: numbers of one fight, and those of events and allies.
    fn fight_names(&mut self, node: &KdlNode) {
        self.shape(node, 0..=0, &[], true, "`fight-system { round { ... } }`");
        self.own().system.fights.declared = true;
        for child in children(node) {
            match child.name().value() {
                "local" => {
                    if let Some(local) = self.fight_local(child) {
                        self.own().system.fights.locals.push(local);
                    }
                    // Its name means something in fights only.
                    self.own().scope.pop();
                }
                "round" | "others" => self.event_names(children(child)),
                "ally" => {
                    let names: Vec<String> =
                        arguments(child).filter_map(|entry| entry.value().as_string().map(String::from)).collect();
                    let parameters = names.iter().map(|name| self.bind_name(&format!("ally.{name}"))).collect();
                    let rules = self.own();
                    rules.scope.truncate(rules.scope.len() - names.len());
                    rules.system.fights.ally = Some((parameters, Vec::new()));
                }
                _ => {}
            }
        }
    }

    /// The events of a round, with their names.
    fn event_names(&mut self, nodes: &[KdlNode]) {
        for node in nodes {
            if node.name().value() == "event"
                && let Some(name) = arguments(node).next().and_then(|entry| entry.value().as_string())
            {
                let events = &mut self.own().system.fights.events;
                let place = events.iter().position(|own| own.name == name).unwrap_or_else(|| {
                    events.push(Event { name: name.into(), ..Event::default() });
                    events.len() - 1
                });
                for entry in node.entries() {
                    let Some(parameter) = entry.name().map(|name| name.value().to_string()) else { continue };
                    let system = &self.own().system;
                    let known = &system.fights.events[place].parameters;
                    if !known.iter().any(|own| system.locals[*own].name == parameter) {
                        let local = self.bind_name(&parameter);
                        self.own().scope.pop();
                        self.own().system.fights.events[place].parameters.push(local);
                    }
                }
            }
            self.event_names(children(node));
        }
    }

    /// `local NAME start=0 min=0 max=9`
    pub(super) fn fight_local(&mut self, node: &KdlNode) -> Option<FightLocal> {
        self.shape(node, 1..=1, &["start", "min", "max"], false, "`local run start=0 min=0 max=9`");
        let (least, most) = self.bounds(node, 0, 99);
        let start = match property(node, "start") {
            Some(entry) => self.number(entry)?,
            None => Number::Constant(0i32.clamp(least, most)),
        };
        let entry = arguments(node).next()?;
        let local = self.bind_new(entry, "a name of the fight")?;
        self.own().system.locals[local].changed = Some((least, most));
        Some(FightLocal { local, least, most, start })
    }

    /// The names of an event, or of the fight itself, in the scope.
    pub(super) fn fight_scope(&mut self, event: Option<usize>) {
        let rules = self.own();
        let fights = &rules.system.fights;
        let event = event.map_or(&[][..], |event| &fights.events[event].parameters[..]);
        let locals = fights.locals.iter().map(|own| own.local).chain(event.iter().copied());
        let names: Vec<_> = locals.map(|local| (rules.system.locals[local].name.clone(), local)).collect();
        rules.scope.extend(names);
        (rules.fighting, rules.in_fight) = (true, true);
    }

    fn fight_system(&mut self, node: &KdlNode) {
        const PARTS: [&str; 8] = ["order", "local", "round", "others", "on", "end-of-round", "on-escape", "ally"];
        for child in children(node) {
            let name = child.name().value();
            match name {
                "local" => {}
                "order" => {
                    if let Some(order) = self.order(child) {
                        self.own().system.fights.order = order;
                    }
                }
                "round" | "others" => {
                    self.shape(child, 0..=0, &[], true, "`round { roll 2d6 as=mine; ...; event won hit=2; }`");
                    let body = self.within(|reader| {
                        reader.fight_scope(None);
                        reader.own().in_round = true;
                        reader.body(children(child))
                    });
                    let fights = &mut self.own().system.fights;
                    if name == "round" { fights.round = body } else { fights.others = body }
                }
                "end-of-round" | "on-escape" => {
                    self.shape(child, 0..=0, &[], true, "`end-of-round { ... }`");
                    let body = self.within(|reader| {
                        reader.fight_scope(None);
                        reader.body(children(child))
                    });
                    let fights = &mut self.own().system.fights;
                    if name == "end-of-round" { fights.end_of_round = body } else { fights.on_escape = body }
                }
                "on" => {
                    self.shape(child, 1..=1, &[], true, "`on won { ... }`");
                    let Some(event) = arguments(child).next().and_then(|entry| self.event_name(entry)) else {
                        continue;
                    };
                    let body = self.within(|reader| {
                        reader.fight_scope(Some(event));
                        reader.body(children(child))
                    });
                    self.own().system.fights.events[event].body = body;
                }
                "ally" => {
                    let body = self.within(|reader| {
                        reader.fight_scope(None);
                        let rules = reader.own();
                        let parameters = rules.system.fights.ally.iter().flat_map(|(own, _)| own.clone());
                        let names: Vec<_> =
                            parameters.map(|local| (rules.system.locals[local].name.clone(), local)).collect();
                        rules.scope.extend(names);
                        reader.body(children(child))
                    });
                    if let Some((_, own)) = &mut self.own().system.fights.ally {
                        *own = body;
                    }
                }
                other => {
                    let help = did_you_mean(other, PARTS)
                        .unwrap_or_else(|| format!("a fight system has {}", PARTS.join(", ")));
                    self.error(
                        name_span(child),
                        format!("`{}` means nothing in a fight system", shown_name(other)),
                        help,
                    );
                }
            }
        }
        let fights = &self.own().system.fights;
        if fights.round.is_empty() {
            self.error(name_span(node), "what happens in a round?", "write `round { ... }`");
        } else if !self.own().system.enemy_stats.iter().any(|own| own.vital) {
            self.error(name_span(node), "no enemy ever falls", "declare `enemy-stat stamina vital=#true`");
        }
    }

    pub(super) fn order(&mut self, node: &KdlNode) -> Option<Order> {
        const ORDERS: [(&str, Order); 3] =
            [("one-by-one", Order::OneByOne), ("all-at-once", Order::AllAtOnce), ("player-picks", Order::PlayerPicks)];
        self.shape(node, 1..=1, &[], false, "`order one-by-one`");
        let entry = arguments(node).next()?;
        let found = ORDERS.iter().find(|own| entry.value().as_string() == Some(own.0));
        if found.is_none() {
            let help = "write one-by-one, all-at-once or player-picks";
            self.error(entry_span(entry), format!("`{}` is no order", shown(entry)), help);
        }
        found.map(|own| own.1)
    }
}

/// Reads a system of rules, and what is wrong with it.
pub(super) fn system(text: &str, budget: &Budget<'_>) -> Result<(Rules, Vec<Problem>), Stopped> {
    let syntax::Parsed { nodes, problems, missing } = syntax::parse(text, budget)?;
    let mut reader = Reader { text, problems, missing, rules: Some(Box::default()), ..Reader::default() };
    let known: Vec<&str> = ["system"].into_iter().chain(DECLARES).collect();
    reader.heads(&nodes, &known, "a system");
    if let Some(node) = reader.only(&nodes, "system", "system \"my-rules\" format=1") {
        reader.shape(node, 1..=1, &["format"], false, "`system \"my-rules\" format=1`");
        reader.format(node);
        let entry = arguments(node).next();
        let name = entry.and_then(|entry| string(&mut reader.problems, entry, "the name of a system"));
        reader.own().system.name = name.unwrap_or_default().into();
    }
    reader.declarations(&nodes);
    reader.policies(&nodes);
    let rules = reader.rules.take().map_or_else(Rules::default, |rules| *rules);
    let mut rules = Rules { declared: reader.declared, on_enter: reader.on_enter, ..rules };
    rules.scope.clear();
    Ok((rules, reader.problems.sorted()))
}

/// Reads a policy for a book from a file of its own: one `policy` node.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_policy(book: &Book, text: &str) -> Result<Policy, Problems> {
    let budget = Budget::unlimited();
    let nothing = |stopped: Stopped| Problems(vec![Problem::error(0..0, stopped.to_string())]);
    let syntax::Parsed { nodes, problems, missing } = syntax::parse(text, &budget).map_err(nothing)?;
    let system = book.system.as_deref().cloned().unwrap_or_default();
    let names = system.sections.iter().map(|(number, name)| (name.clone(), *number)).collect();
    let rules = Rules { system: System { policies: Vec::new(), ..system }, names, in_book: true, ..Rules::default() };
    let mut reader = Reader { text, problems, missing, rules: Some(Box::new(rules)), ..Reader::default() };
    reader.heads(&nodes, &["policy"], "a policy's file");
    reader.policies(&nodes);
    reader.targets_exist(&book.sections);
    let mut policies = std::mem::take(&mut reader.own().system.policies);
    if policies.len() != 1 && reader.problems.errors() == 0 {
        let message = format!("{} policies in the file", policies.len());
        reader.error(0..0, message, "write one: `policy \"greedy\" { ... }`");
    }
    let problems = reader.problems.sorted();
    match policies.pop() {
        Some(policy) if problems.iter().all(|problem| problem.severity != Severity::Error) => Ok(policy),
        _ => Err(Problems(problems)),
    }
}
