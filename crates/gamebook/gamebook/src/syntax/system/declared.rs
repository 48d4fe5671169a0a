//! Parsing the declarations of a system of rules or its books: stats, counters, items, the hero.

use std::collections::BTreeSet;

use kdl::{KdlEntry, KdlNode};

use crate::book::{EnemyStat, Traits, Variable, VariableKind};
use crate::syntax::kdl::{
    arguments, children, entry_span, flag, integer, integer_property, name_span, property, shown_name, string,
};
use crate::syntax::problem::did_you_mean;
use crate::syntax::reader::Reader;
use crate::terms::Dice;

/// The largest number of a stat or counter.
pub(super) const LARGEST: i64 = 9_999;

/// The most declarations of a kind.
const MOST_DECLARED: usize = 200;

/// Reserved words of expressions.
const WORDS: [&str; 12] = ["and", "or", "not", "has", "always", "never", "min", "max", "down", "up", "reading", "all"];

impl Reader<'_> {
    /// Reads all declarations at the top level of a file, in order: each can use those before it.
    pub(crate) fn declarations(&mut self, nodes: &[KdlNode]) {
        let of = |names: &'static [&'static str]| move |node: &&KdlNode| names.contains(&node.name().value());
        for node in nodes {
            match node.name().value() {
                "stat" => self.stat(node),
                "counter" => self.own_counter(node),
                "flags" => self.own_flags(node),
                "reading" => self.reading_node(node),
                "enemy-stat" => self.enemy_stat(node),
                "item-stat" => self.item_stat(node),
                "learns" => self.own_learns(node),
                "ranks" => self.own_ranks(node),
                "table" => self.number_table(node),
                _ => {}
            }
        }
        self.things(nodes);
        self.skills(nodes);
        nodes.iter().filter(of(&["hero"])).for_each(|node| self.own_hero(node));
        nodes.iter().filter(of(&["fight-system"])).for_each(|node| self.fight_names(node));
        nodes.iter().filter(of(&["value"])).for_each(|node| self.value_node(node));
        let blocks: Vec<&KdlNode> = nodes.iter().filter(of(&["test", "define"])).collect();
        let name = |node: &KdlNode| arguments(node).next().and_then(|own| own.value().as_string().map(String::from));
        self.own().later = blocks.iter().filter_map(|node| name(node)).collect();
        for node in blocks {
            self.own().block = name(node);
            if node.name().value() == "test" { self.test_node(node) } else { self.define_node(node) }
        }
        let rules = self.own();
        (rules.block, rules.later) = (None, BTreeSet::new());
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

    /// Checks that a text is a valid name.
    pub(crate) fn well_formed(&mut self, name: &str, span: &std::ops::Range<usize>) -> bool {
        let well_formed = name.chars().next().is_some_and(char::is_alphabetic)
            && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
            && !name.ends_with('-')
            && name.len() <= 64;
        if !well_formed {
            let help = "a name is a letter, then letters, digits and hyphens";
            self.error(span.clone(), format!("`{}` is not a name", shown_name(name)), help);
        }
        well_formed
    }

    /// Checks that a name can be declared.
    pub(crate) fn new_name(&mut self, name: &str, span: std::ops::Range<usize>) -> bool {
        if !self.well_formed(name, &span) {
            return false;
        }
        if WORDS.contains(&name) || crate::syntax::heads::NODES.contains(&name) {
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
    pub(crate) fn declares(&mut self, node: &KdlNode, what: &str) -> Option<String> {
        let Some(name) = arguments(node).next().and_then(|entry| entry.value().as_string()) else {
            // What it would have declared is not reported as missing.
            self.missing.head = true;
            arguments(node).next().and_then(|entry| string(&mut self.problems, entry, what));
            return None;
        };
        let (name, entry) = (name.to_string(), arguments(node).next()?);
        self.new_name(&name, entry_span(entry)).then_some(name)
    }

    /// The same for a name that an inherited file may have declared, which is then redeclared.
    pub(crate) fn declares_anew(&mut self, node: &KdlNode, what: &str) -> Option<String> {
        let name = arguments(node).next().and_then(|entry| entry.value().as_string()).map(String::from);
        match name.filter(|name| self.own().inherited.remove(name)) {
            Some(name) => Some(name),
            None => self.declares(node, what),
        }
    }

    /// `min`, `max` and `start` of a number.
    pub(crate) fn bounds(&mut self, node: &KdlNode, least: i32, most: i32) -> (i32, i32) {
        let mut bound = |name, default: i32| {
            integer_property(&mut self.problems, node, name, -LARGEST..=LARGEST).unwrap_or(default)
        };
        let (least, most) = (bound("min", least), bound("max", most));
        if least > most {
            self.error(name_span(node), format!("from {least} to {most} there is nothing"), "let min be less than max");
            return (most, most);
        }
        (least, most)
    }

    /// `start` of a number, within its range.
    pub(crate) fn start(&mut self, node: &KdlNode, (least, most): (i32, i32), default: i32) -> i32 {
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
        let place = self.declare_number(name.clone(), VariableKind::Stat, range, start);
        let initial =
            has_initial.then(|| self.declare_number(format!("{name}.initial"), VariableKind::Initial, range, start));
        let stat = &mut self.own().system.variables[place];
        (stat.vital, stat.from, stat.initial) = (vital, from, initial);
    }

    /// Adds a variable, at the common index if other books of the series have it; returns its index.
    pub(crate) fn declare_number(
        &mut self,
        name: String,
        kind: VariableKind,
        (least, most): (i32, i32),
        start: i32,
    ) -> usize {
        let variable = Variable {
            name,
            kind,
            least,
            most,
            vital: false,
            initial: None,
            start,
            from: None,
            container: None,
            traits: Traits::default(),
        };
        let variables = &mut self.own().system.variables;
        let known = |own: &Variable| own.kind == VariableKind::Elsewhere && own.name == variable.name;
        match variables.iter().position(known) {
            Some(place) => {
                variables[place] = variable;
                place
            }
            None => {
                variables.push(variable);
                variables.len() - 1
            }
        }
    }

    fn own_counter(&mut self, node: &KdlNode) {
        self.shape(node, 1..=1, &["min", "max", "start", "assumed"], false, "`counter provisions max=10 start=10`");
        let Some(name) = self.declares(node, "the name of a counter") else { return };
        if property(node, "max").is_none() {
            self.error(name_span(node), "the largest value of the counter is missing", "write max=50");
        }
        let range = self.bounds(node, 0, 1);
        let start = self.start(node, range, 0);
        self.assumed += usize::from(flag(&mut self.problems, node, "assumed"));
        self.declare_number(name, VariableKind::Counter, range, start);
    }

    fn own_flags(&mut self, node: &KdlNode) {
        self.shape(node, 1..=usize::MAX, &[], false, "`flags NAME NAME`");
        for entry in arguments(node) {
            if let Some(name) = string(&mut self.problems, entry, "the name of a flag").map(String::from)
                && self.new_name(&name, entry_span(entry))
            {
                self.declare_number(name, VariableKind::Flag, (0, 1), 0);
            }
        }
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
            self.error(name_span(node), "`hero` occurs a second time", "keep one");
        }
        for child in children(node) {
            let name = child.name().value();
            let Some(place) = self.own().variable(name) else {
                if matches!(name, "rolled" | "choose") {
                    self.making_node(child);
                    continue;
                }
                let known: Vec<String> = self.own().system.own_variables().map(|(_, own)| own.name.clone()).collect();
                let help = did_you_mean(name, known.iter().map(String::as_str))
                    .unwrap_or_else(|| format!("a hero has {}", known.join(", ")));
                self.error(name_span(child), format!("`{}` is nothing that a hero has", shown_name(name)), help);
                continue;
            };
            let own = self.own().system.variables[place].clone();
            if own.kind == VariableKind::Circle {
                let help = "say which skills he knows";
                self.error(name_span(child), "a circle is had by who knows its skills", help);
                continue;
            }
            if own.kind == VariableKind::Skill {
                self.known_skill(place, child);
                continue;
            }
            let number = if own.kind.is_yes_or_no() && arguments(child).next().is_none() {
                self.shape(child, 0..=0, &[], false, &format!("`{}`", own.name));
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
        self.not_too_many_skills(node);
    }

    /// The text of a value, without quotes.
    pub(crate) fn source_of(&self, entry: &KdlEntry) -> String {
        let source = self.text.get(entry_span(entry)).unwrap_or_default().trim();
        let source = source.rsplit_once('=').map_or(source, |(_, value)| value);
        source.trim_matches(|c: char| c == '"' || c == '#' || c.is_whitespace()).to_string()
    }

    /// Dice, with or without quotes.
    pub(crate) fn dice(&mut self, entry: &KdlEntry) -> Option<Dice> {
        let source = self.source_of(entry);
        match Dice::read(&source) {
            Ok(dice) => Some(dice),
            Err(wrong) => {
                self.error(entry_span(entry), wrong, "write dice like d6, 2d6, d100 or \"2d6 + d10 - 1\"");
                None
            }
        }
    }
}
