//! Parsing tests, definitions and actions of a system of rules.

use kdl::{KdlEntry, KdlNode};

use crate::book::{Action, ActionTime, Condition, Define, LocalId, Node, Number, Rule, Test};
use crate::syntax::endings;
use crate::syntax::heads::NODES;
use crate::syntax::kdl::{
    arguments, children, entry_span, name_span, property, property_names, shown, shown_name, string,
};
use crate::syntax::problem::did_you_mean;
use crate::syntax::reader::Reader;

/// The deepest nesting of definitions.
const MOST_DEPTH: usize = 16;

impl Reader<'_> {
    pub(crate) fn test_node(&mut self, node: &KdlNode) {
        const USAGE: &str = "`test lucky { roll 2d6 as=r; yes \"r <= luck\"; after { luck -1; }; }`";
        self.shape(node, 1..=1, &[], true, USAGE);
        let Some(entry) = arguments(node).next() else { return };
        let Some(name) = string(&mut self.problems, entry, "the name of a test").map(String::from) else { return };
        let before = self.own().system.tests.iter().position(|own| own.name == name);
        if before.is_some() && !self.own().inherited.remove(&format!("test {name}")) {
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
                        let condition = reader.condition_of(part, false, "`yes \"r <= luck\"`");
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
        self.own().blocks.insert(format!("test {}", test.name), entry_span(entry));
        let tests = &mut self.own().system.tests;
        match before {
            Some(place) => tests[place] = test,
            None => tests.push(test),
        }
    }

    pub(crate) fn define_node(&mut self, node: &KdlNode) {
        const USAGE: &str = "`define NAME a b=1 { ... }`, called by `use NAME a=1 b=2`";
        self.shape(node, 1..=9, &property_names(node), true, USAGE);
        let Some(entry) = arguments(node).next() else { return };
        let Some(name) = string(&mut self.problems, entry, "the name of a block").map(String::from) else { return };
        let before = self.own().system.defines.iter().position(|own| own.name == name);
        if before.is_some() && !self.own().inherited.remove(&format!("block {name}")) {
            self.error(entry_span(entry), format!("`{}` is defined twice", shown_name(&name)), "keep one");
            return;
        }
        let known = before.map(|place| self.own().system.defines[place].parameters.clone());
        let define = self.within(|reader| {
            let parameters = match known {
                Some(known) => reader.parameters_as_before(node, known),
                None => reader.parameters(node),
            };
            let defaults = reader.defaults(node, &parameters);
            let rules = reader.own();
            (rules.depth, rules.fights) = (0, false);
            // There may be an enemy where it is used.
            rules.fighting = true;
            let (blocks, nodes) = reader.blocks_of(children(node));
            reader.own().given_blocks.clone_from(&blocks);
            let body = reader.body(nodes);
            reader.own().given_blocks.clear();
            let leaves = body.last().is_some_and(|last| endings::leaves(&last.kind));
            let can_leave = endings::can_leave(&body, 0);
            let rules = reader.own();
            let fights = rules.fights;
            Define { name, parameters, defaults, blocks, body, fights, depth: rules.depth, leaves, can_leave }
        });
        self.own().blocks.insert(format!("block {}", define.name), entry_span(entry));
        let defines = &mut self.own().system.defines;
        match before {
            Some(place) => defines[place] = define,
            None => defines.push(define),
        }
    }

    /// `blocks then otherwise`: the block parameters of a definition; returns them and the rest of the nodes.
    fn blocks_of<'n>(&mut self, nodes: &'n [KdlNode]) -> (Vec<(String, usize)>, &'n [KdlNode]) {
        let Some(first) = nodes.first().filter(|first| first.name().value() == "blocks") else {
            return (Vec::new(), nodes);
        };
        self.shape(first, 1..=8, &[], false, "`blocks then otherwise`");
        let mut blocks: Vec<(String, usize)> = Vec::new();
        for entry in arguments(first) {
            let Some(name) = string(&mut self.problems, entry, "the name of a block").map(String::from) else {
                continue;
            };
            let is_known = NODES.contains(&name.as_str())
                || self.own().number(&name).is_some()
                || blocks.iter().any(|(own, _)| *own == name);
            if is_known {
                let message = format!("`{}` has a meaning already", shown_name(&name));
                self.error(entry_span(entry), message, "choose another name");
            } else if self.well_formed(&name, &entry_span(entry)) {
                let rules = self.own();
                blocks.push((name, rules.all_blocks));
                rules.all_blocks += 1;
            }
        }
        (blocks, &nodes[1..])
    }

    /// The block arguments in the braces of a use: the whole content if there is one parameter, else each by name.
    fn given_blocks(&mut self, node: &KdlNode, blocks: &[(String, usize)]) -> Vec<(usize, Vec<Node>)> {
        if let [(_, only)] = blocks {
            return vec![(*only, self.body(children(node)))];
        }
        let mut given = Vec::new();
        for child in children(node) {
            let name = child.name().value();
            match blocks.iter().find(|(own, _)| own == name) {
                Some((_, block)) => {
                    self.shape(child, 0..=0, &[], true, &format!("`{name} {{ ... }}`"));
                    given.push((*block, self.body(children(child))));
                }
                None => {
                    let names: Vec<&str> = blocks.iter().map(|(name, _)| name.as_str()).collect();
                    let help = did_you_mean(name, names.iter().copied())
                        .unwrap_or_else(|| format!("it is given {}", names.join(", ")));
                    self.error(name_span(child), format!("`{}` is not a block parameter here", shown_name(name)), help);
                }
            }
        }
        given
    }

    /// The parameters of a definition: first those without defaults.
    fn parameters(&mut self, node: &KdlNode) -> Vec<LocalId> {
        let names = arguments(node).skip(1);
        let mut all: Vec<LocalId> = names.filter_map(|entry| self.bind_new(entry, "a name of the block")).collect();
        for name in property_names(node) {
            if self.own().variable(name).is_some() || NODES.contains(&name) {
                let message = format!("`{}` has a meaning already", shown_name(name));
                self.error(name_span(node), message, "choose another name");
            } else {
                all.push(self.bind_name(name));
            }
        }
        all
    }

    /// The defaults of parameters.
    fn defaults(&mut self, node: &KdlNode, parameters: &[LocalId]) -> Vec<(LocalId, i32)> {
        let mut defaults = Vec::new();
        for entry in node.entries() {
            let Some(name) = entry.name().map(kdl::KdlIdentifier::value) else { continue };
            let number = self.yes_or_number(entry, (-9_999, 9_999), "a default");
            let local = parameters.iter().copied().find(|local| self.own().local_name(*local) == name);
            defaults.extend(local.zip(number));
        }
        defaults
    }

    /// The parameters of a redefinition: they must be the same, since uses exist.
    fn parameters_as_before(&mut self, node: &KdlNode, known: Vec<LocalId>) -> Vec<LocalId> {
        let names: Vec<String> = known.iter().map(|local| self.own().local_name(*local)).collect();
        let given = arguments(node).skip(1).filter_map(|entry| entry.value().as_string());
        let given: Vec<&str> = given.chain(property_names(node)).collect();
        if given != names {
            let help = format!("write its names as before: `{}`", names.join(" "));
            self.error(name_span(node), "a block that is defined anew has the same names", help);
        }
        self.own().bring(known.iter().copied());
        known
    }

    pub(crate) fn action(&mut self, node: &KdlNode) {
        self.shape(node, 1..=1, &["when", "with"], true, "`action eat when=outside-fight { require \"...\"; ...; }`");
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
                    format!("`{}` is not a time", shown(entry)),
                    "write when=outside-fight, after-fight, in-fight or any-time",
                );
                ActionTime::OutsideFight
            }
        };
        let (with, require, body) = self.within(|reader| {
            let with = property(node, "with").and_then(|entry| reader.with(entry));
            if when == ActionTime::InFight {
                reader.fight_scope(None);
            }
            reader.own().in_fight = matches!(when, ActionTime::InFight | ActionTime::AnyTime);
            let (require, nodes) = reader.required(children(node));
            (with, require, reader.body(nodes))
        });
        let system = &mut self.own().system;
        system.actions.retain(|own| own.name != name);
        system.actions.push(Action { name, with, when, require, body });
    }

    /// `with=STAT`: applies to each item with a certain stat.
    pub(crate) fn with(&mut self, entry: &KdlEntry) -> Option<usize> {
        let found = self.named_item_stat(entry, "declare it: `item-stat food max=1`");
        self.own().at_hand |= found.is_some();
        found
    }

    pub(crate) fn test_step(&mut self, node: &KdlNode) -> Option<Rule> {
        const USAGE: &str = "`test lucky { yes { ... }; no { ... }; }`";
        self.shape(node, 1..=1, &[], true, USAGE);
        let entry = arguments(node).next()?;
        let name = string(&mut self.problems, entry, "the name of a test")?.to_string();
        let tests = &self.own().system.tests;
        let Some(test) = tests.iter().position(|own| own.name == name) else {
            let known: Vec<String> = tests.iter().map(|own| own.name.clone()).collect();
            let near = did_you_mean(&name, known.iter().map(String::as_str));
            self.not_yet(entry, "test", &name, near);
            return None;
        };
        let (mut yes, mut no) = (None, None);
        for child in children(node) {
            let name = child.name().value();
            let result = match name {
                "yes" => &mut yes,
                "no" => &mut no,
                other => {
                    let message = format!("`{}` is not a result of a test", shown_name(other));
                    self.error(name_span(child), message, format!("write {USAGE}"));
                    continue;
                }
            };
            self.shape(child, 0..=0, &[], true, USAGE);
            if result.replace(self.body(children(child))).is_some() {
                self.error(name_span(child), format!("`{name}` occurs twice"), "keep one");
            }
        }
        Some(Rule::Test { test, yes: yes.unwrap_or_default(), no: no.unwrap_or_default() })
    }

    /// Reports a test or definition that is used but unknown here.
    fn not_yet(&mut self, entry: &KdlEntry, what: &str, name: &str, near: Option<String>) {
        if self.missing.head {
            return;
        }
        let shown = shown_name(name);
        let rules = self.own();
        let (message, help) = if rules.block.as_deref() == Some(name) {
            (format!("`{shown}` uses itself"), "what happens again and again is a loop: `repeat NAME { ... }`".into())
        } else if rules.later.contains(name) {
            let user = rules.block.clone().map_or_else(|| "it is used".into(), |own| format!("`{own}`, which uses it"));
            let help = "what is used stands before what uses it; no two can use each other".into();
            (format!("the {what} `{shown}` is declared only after {user}"), help)
        } else {
            let word = if what == "test" { "test" } else { "define" };
            let help = near.unwrap_or_else(|| format!("write `{word} {shown} {{ ... }}` at the head of the file"));
            (format!("there is no {what} `{shown}`"), help)
        };
        self.error(entry_span(entry), message, help);
    }

    pub(crate) fn use_step(&mut self, node: &KdlNode) -> Option<Rule> {
        let entry = arguments(node).next();
        self.shape(node, 1..=1, &property_names(node), true, "`use NAME a=1 b=2`");
        let entry = entry?;
        let name = string(&mut self.problems, entry, "the name of a block")?.to_string();
        let defines = &self.own().system.defines;
        let Some(place) = defines.iter().position(|own| own.name == name) else {
            let known: Vec<String> = defines.iter().map(|own| own.name.clone()).collect();
            let near = did_you_mean(&name, known.iter().map(String::as_str));
            self.not_yet(entry, "block", &name, near);
            return None;
        };
        self.used(node, place)
    }

    /// `NAME a=1 b=2`: a definition used by its name.
    pub(crate) fn word_step(&mut self, node: &KdlNode) -> Option<Rule> {
        let name = node.name().value();
        let place = self.own().system.defines.iter().position(|own| own.name == name)?;
        self.shape(node, 0..=0, &property_names(node), true, &format!("`{name}`"));
        self.used(node, place)
    }

    /// A use of a definition.
    fn used(&mut self, node: &KdlNode, place: usize) -> Option<Rule> {
        let name = self.own().system.defines[place].name.clone();
        let define = self.own().system.defines[place].clone();
        let rules = self.own();
        let parameters: Vec<String> = define.parameters.iter().map(|local| rules.local_name(*local)).collect();
        let mut given = Vec::new();
        for (local, parameter) in define.parameters.iter().zip(&parameters) {
            match property(node, parameter) {
                Some(entry) => given.push((*local, self.number_or_yes(entry)?)),
                None if define.defaults.iter().any(|(own, _)| own == local) => {
                    let default = define.defaults.iter().find(|(own, _)| own == local);
                    given.extend(default.map(|(_, number)| (*local, Number::Constant(*number))));
                }
                None => {
                    let all: Vec<String> = parameters.iter().map(|own| format!("{own}=1")).collect();
                    let message = format!("`use {}` without `{parameter}`", shown_name(&name));
                    self.error(name_span(node), message, format!("write `use {name} {}`", all.join(" ")));
                    return None;
                }
            }
        }
        for entry in node.entries() {
            let Some(own) = entry.name().map(kdl::KdlIdentifier::value) else { continue };
            if !parameters.iter().any(|parameter| parameter == own) {
                let help = did_you_mean(own, parameters.iter().map(String::as_str)).unwrap_or_else(|| {
                    format!("it has {}", if parameters.is_empty() { "none".into() } else { parameters.join(", ") })
                });
                self.error(
                    entry_span(entry),
                    format!("the block `{}` has no name `{}`", shown_name(&name), shown_name(own)),
                    help,
                );
            }
        }
        let rules = self.own();
        rules.depth = rules.depth.max(define.depth + 1);
        rules.fights |= define.fights;
        if define.depth + 1 > MOST_DEPTH {
            let message = format!("`{}` is used within others {MOST_DEPTH} deep", shown_name(&name));
            self.error(name_span(node), message, "let blocks use each other less deeply");
            return None;
        }
        if define.fights && self.own().in_fight {
            let message = format!("there is a fight in `{}`, and this is one already", shown_name(&name));
            self.error(name_span(node), message, "use it outside of fights");
            return None;
        }
        if node.children().is_some() && define.blocks.is_empty() {
            self.error(name_span(node), format!("`{}` is given nothing in braces", shown_name(&name)), "leave it out");
        }
        if !define.blocks.is_empty() && self.own().in_fight {
            let message = format!("`{}` is given blocks: it cannot stand in a fight", shown_name(&name));
            self.error(name_span(node), message, "use it outside of fights");
            return None;
        }
        let blocks = self.given_blocks(node, &define.blocks);
        let ends = |body: &Vec<Node>| body.last().is_some_and(|last| endings::leaves(&last.kind));
        let all_end = blocks.len() == define.blocks.len() && blocks.iter().all(|(_, body)| ends(body));
        let by_blocks = || define.body.last().is_some_and(|last| endings::leaves_where(&last.kind, true));
        let leaves = define.leaves || all_end && by_blocks();
        let can_leave = define.can_leave || blocks.iter().any(|(_, body)| endings::can_leave(body, 0));
        Some(Rule::Use { define: place, arguments: given, blocks, leaves, can_leave })
    }

    /// The requirement of a choice, and the rest of its nodes.
    pub(crate) fn required<'n>(&mut self, nodes: &'n [KdlNode]) -> (Condition, &'n [KdlNode]) {
        let Some(first) = nodes.first().filter(|first| first.name().value() == "require") else {
            return (Condition::Constant(true), nodes);
        };
        let condition = self.condition_of(first, false, "`require \"gold >= 3\"`");
        (condition.unwrap_or(Condition::Constant(true)), &nodes[1..])
    }
}
