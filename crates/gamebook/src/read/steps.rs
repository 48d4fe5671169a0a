//! Reading what stands in sections and blocks of a book whose rules are a system of their own.

use std::ops::Range;

use kdl::{KdlEntry, KdlNode};

use super::Reader;
use crate::book::{Condition, LocalId, Node, NodeKind, Number};
use crate::entries::{
    arguments, children, entry_span, integer, integer_property, name_span, property, shown, shown_name, string,
};
use crate::problem::did_you_mean;
use crate::rules::{Battle, Roll, RollCase, Rule, Target, VariableKind, VariableRef};

/// What can stand in a section or a block.
pub(super) const NODES: [&str; 35] = [
    "draw", "goto", "if", "else-if", "else", "choice", "require", "death", "victory", "repeat", "again", "set",
    "clear", "raise", "let", "roll", "when", "test", "use", "fight", "enemy", "event", "resume", "gain", "lose",
    "take", "yes", "no", "after", "on", "local", "ally", "escape", "order", "full",
];
/// The most sums that are rolled at once, and the most combinations of them.
const MOST_SUMS: usize = 4;
const MOST_COMBINATIONS: i64 = 20_000;
/// How deeply blocks can be used in each other.
const MOST_DEPTH: usize = 16;
/// The most enemies of a fight, those that are fought at once, and the most allies.
const MOST_ENEMIES: usize = 30;
const MOST_AT_ONCE: usize = 4;
const MOST_ALLIES: usize = 8;
/// The most units of a thing that are offered.
const MOST_UNITS: i64 = 30;

impl Reader<'_> {
    /// What a node of a section or a block does.
    pub(super) fn step(&mut self, node: &KdlNode) -> Option<NodeKind> {
        let name = node.name().value();
        let first = arguments(node).next();
        let rule = match name {
            "goto" => {
                if !self.own().in_book {
                    self.error(
                        name_span(node),
                        "a system of rules knows no sections",
                        "only a book's sections say `goto`",
                    );
                    return None;
                }
                return self.section_argument(node).map(NodeKind::Goto);
            }
            "death" => {
                self.shape(node, 0..=1, &[], false, "`death \"label\"`");
                let label = first.and_then(|entry| string(&mut self.problems, entry, "the label"));
                return Some(NodeKind::Death(label.unwrap_or_default().into()));
            }
            "victory" => {
                self.shape(node, 0..=0, &[], false, "`victory`");
                return Some(NodeKind::Victory);
            }
            "repeat" | "again" => return self.loop_node(node),
            "resume" => {
                self.shape(node, 0..=0, &[], false, "`resume`");
                if !self.own().dying {
                    self.error(name_span(node), "nobody is dying here", "`resume` stands in `on-death { ... }`");
                }
                Rule::Resume
            }
            "let" => {
                self.shape(node, 2..=2, &[], false, "`let edge \"mine - theirs\"`");
                let number = arguments(node).nth(1).and_then(|entry| self.number(entry));
                let local = self.bind_new(first?, "a name")?;
                Rule::Let(local, number?)
            }
            "set" => self.set_step(node)?,
            "clear" => {
                self.shape(node, 1..=1, &[], false, "`clear FLAG`");
                Rule::Set(self.target(first?)?, Number::Constant(0))
            }
            "raise" => {
                self.shape(node, 2..=2, &[], false, "`raise skill.initial 2`");
                let target = self.target(first?)?;
                self.change(target, arguments(node).nth(1)?)?
            }
            "gain" | "lose" => self.gain(node, name == "gain")?,
            "take" => self.take_step(node),
            "roll" => self.roll(node)?,
            "draw" => self.draw(node),
            "test" => self.test_step(node)?,
            "use" => self.use_step(node)?,
            "fight" => self.battle(node)?,
            "event" => self.event_step(node)?,
            "else-if" | "else" => {
                self.error(name_span(node), format!("`{name}` without `if` before it"), "put it right after an `if`");
                return None;
            }
            "require" => {
                self.error(name_span(node), "`require` stands at the beginning of a choice only", "use `if`");
                return None;
            }
            _ => self.changes(node)?,
        };
        Some(NodeKind::Rule(Box::new(rule)))
    }

    /// `stamina -2`, `stamina full`, `enemy.stamina "-hit"`
    fn changes(&mut self, node: &KdlNode) -> Option<Rule> {
        let name = node.name().value();
        let Some(target) = self.target_name(name) else {
            let mut known = self.own().known();
            known.extend(NODES.map(String::from));
            let help = did_you_mean(name, known.iter().map(String::as_str))
                .unwrap_or_else(|| "see docs/systems.md for what a section can say".into());
            self.error(name_span(node), format!("`{}` means nothing here", shown_name(name)), help);
            return None;
        };
        self.shape(node, 1..=1, &[], false, &format!("`{name} -2` or `{name} \"2 * r\"`"));
        let entry = arguments(node).next()?;
        match (entry.value().as_string(), target) {
            (Some("full" | "half"), Target::Variable(VariableRef::Own(own)))
                if self.own().system.variables[own].initial.is_some() =>
            {
                Some(Rule::Restore { target: own, half: entry.value().as_string() == Some("half") })
            }
            (Some(word @ ("full" | "half")), _) => {
                let help = "only a stat with initial=#true has a value to come back to";
                self.error(entry_span(entry), format!("`{name}` has no initial value for `{word}`"), help);
                None
            }
            _ => self.change(target, entry),
        }
    }

    fn change(&mut self, target: Target, entry: &KdlEntry) -> Option<Rule> {
        let number = self.number(entry)?;
        self.changed(target, None);
        Some(Rule::Change(target, number))
    }

    /// Remembers which numbers are put into a name after it was bound.
    fn changed(&mut self, target: Target, number: Option<&Number>) {
        let Target::Local(local) = target else { return };
        let range = match number {
            Some(Number::Constant(number)) => (*number, *number),
            _ => (-999, 999),
        };
        let own = &mut self.own().system.locals[local];
        own.changed = Some(own.changed.map_or(range, |(least, most)| (least.min(range.0), most.max(range.1))));
    }

    /// What a name stands for, where it can be changed.
    fn target_name(&mut self, name: &str) -> Option<Target> {
        match self.own().number(name)? {
            Number::Local(local) => Some(Target::Local(local)),
            Number::Variable(variable) => Some(Target::Variable(variable)),
            _ => None,
        }
    }

    fn target(&mut self, entry: &KdlEntry) -> Option<Target> {
        let name = string(&mut self.problems, entry, "a name")?.to_string();
        let found = self.target_name(&name);
        if found.is_none() {
            let known = self.own().known();
            let help = did_you_mean(&name, known.iter().map(String::as_str))
                .unwrap_or_else(|| "declare it at the head of the file".into());
            self.error(entry_span(entry), format!("`{}` is nothing that can be changed", shown_name(&name)), help);
        }
        found
    }

    fn set_step(&mut self, node: &KdlNode) -> Option<Rule> {
        self.shape(node, 1..=2, &[], false, "`set FLAG` or `set COUNTER 3`");
        let first = arguments(node).next()?;
        let target = self.target(first)?;
        let is_flag = match target {
            Target::Variable(VariableRef::Own(own)) => self.own().system.variables[own].kind == VariableKind::Flag,
            _ => false,
        };
        let number = match arguments(node).nth(1) {
            Some(entry) => self.number(entry)?,
            None if is_flag => Number::Constant(1),
            None => {
                let name = shown(first);
                self.error(name_span(node), "to which number is it set?", format!("write `set {name} 3`"));
                return None;
            }
        };
        self.changed(target, Some(&number));
        Some(Rule::Set(target, number))
    }

    fn gain(&mut self, node: &KdlNode, more: bool) -> Option<Rule> {
        let name = node.name().value();
        self.shape(node, 1..=2, &[], false, &format!("`{name} rope` or `{name} gold 6`"));
        let target = self.target(arguments(node).next()?)?;
        let second = arguments(node).nth(1);
        if !more && second.is_some_and(|entry| entry.value().as_string() == Some("all")) {
            return Some(Rule::Set(target, Number::Constant(0)));
        }
        let number = second.map_or(Some(Number::Constant(1)), |entry| self.number(entry))?;
        if let (Number::Constant(own @ ..0), Some(entry)) = (&number, second) {
            self.error(entry_span(entry), format!("{own} with `{name}`"), "write how many, without a sign");
            return None;
        }
        self.changed(target, None);
        match target {
            Target::Variable(VariableRef::Own(own)) if more && self.own().system.variables[own].container.is_some() => {
                Some(Rule::Gain(own, self.few(number, second)?))
            }
            _ if more => Some(Rule::Change(target, number)),
            _ => {
                let less =
                    Number::Operation(crate::book::Operator::Minus, Box::new(Number::Constant(0)), Box::new(number));
                Some(Rule::Change(target, less))
            }
        }
    }

    /// A constant number of things, not too many.
    fn few(&mut self, number: Number, entry: Option<&KdlEntry>) -> Option<Number> {
        match (&number, entry) {
            (Number::Constant(own), _) if (0..=MOST_UNITS).contains(&i64::from(*own)) => Some(number),
            (_, Some(entry)) => {
                let help = format!("0 to {MOST_UNITS} are possible, as a number");
                self.error(entry_span(entry), "so many things cannot be offered", help);
                None
            }
            _ => Some(number),
        }
    }

    fn take_step(&mut self, node: &KdlNode) -> Rule {
        self.shape(node, 0..=0, &[], true, "`take { rope; gold 12; }`");
        let mut lines = Vec::new();
        for line in children(node) {
            self.shape(line, 0..=1, &[], false, "`meal 3`");
            let name = line.name().value().to_string();
            let Some(own) = self.own().variable(&name) else {
                let known = self.own().known();
                let help = did_you_mean(&name, known.iter().map(String::as_str))
                    .unwrap_or_else(|| "declare it at the head of the file".into());
                self.error(name_span(line), format!("`{}` is nothing that can be had", shown_name(&name)), help);
                continue;
            };
            let entry = arguments(line).next();
            let count = entry.map_or(Some(Number::Constant(1)), |entry| self.number(entry));
            let in_container = self.own().system.variables[own].container.is_some();
            let count = count.and_then(|count| if in_container { self.few(count, entry) } else { Some(count) });
            lines.extend(count.map(|count| (own, count)));
        }
        if children(node).is_empty() {
            self.error(name_span(node), "nothing to take", "write what lies there: `take { rope; gold 6; }`");
        }
        Rule::Take(lines)
    }

    fn roll(&mut self, node: &KdlNode) -> Option<Rule> {
        const USAGE: &str = "`roll 2d6 as=r { when 2 6 { ... } else { ... } }` or `roll mine=2d6 theirs=2d6`";
        let named: Vec<&KdlEntry> =
            node.entries().iter().filter(|entry| entry.name().is_some_and(|name| name.value() != "as")).collect();
        let names: Vec<String> =
            named.iter().filter_map(|entry| entry.name().map(|name| name.value().to_string())).collect();
        let properties: Vec<&str> =
            ["as"].into_iter().chain(names.iter().map(String::as_str).take(MOST_SUMS)).collect();
        self.shape(node, 0..=8, &properties, true, USAGE);
        let mut sums = Vec::new();
        if named.len() > MOST_SUMS {
            self.error(
                name_span(node),
                format!("{} sums at once", named.len()),
                format!("up to {MOST_SUMS} are possible"),
            );
        }
        let mut all = Vec::new();
        for entry in arguments(node) {
            let dice = self.dice(entry)?;
            all.push(dice);
        }
        if let Some(mut dice) = all.into_iter().reduce(|mut sum, more| {
            sum.dice.extend(more.dice);
            sum.plus += more.plus;
            sum
        }) {
            dice.dice.sort_unstable();
            if !named.is_empty() {
                self.error(name_span(node), "dice with a name and dice without", format!("write {USAGE}"));
            }
            let local = match property(node, "as") {
                Some(entry) => Some(self.bind_new(entry, "the name of the sum")?),
                None => None,
            };
            sums.push((local, dice));
        } else if named.is_empty() {
            self.error(name_span(node), "which dice are rolled?", format!("write {USAGE}"));
            return None;
        }
        for (entry, name) in named.iter().zip(&names).take(MOST_SUMS) {
            let dice = self.dice(entry)?;
            if self.own().variable(name).is_some() || NODES.contains(&name.as_str()) {
                self.error(
                    entry_span(entry),
                    format!("`{}` has a meaning already", shown_name(name)),
                    "choose another name",
                );
                return None;
            }
            let local = self.bind_name(name);
            sums.push((Some(local), dice));
        }
        let combinations = sums.iter().map(|(_, dice)| i64::from(dice.range().1) - i64::from(dice.range().0) + 1);
        if combinations.fold(1i64, i64::saturating_mul) > MOST_COMBINATIONS {
            self.error(
                name_span(node),
                "too many sums at once",
                format!("{MOST_COMBINATIONS} combinations are possible"),
            );
            return None;
        }
        let mut cases: Vec<(RollCase, Vec<Node>, Range<usize>)> = Vec::new();
        for child in children(node) {
            if self.problems.is_full() {
                break;
            }
            if cases.last().is_some_and(|(case, ..)| matches!(case, RollCase::Else)) {
                self.error(name_span(child), "a case after `else`", "put `else` last");
            }
            match child.name().value() {
                "when" => cases.extend(self.roll_case(child, sums.len())),
                "else" => {
                    self.shape(child, 0..=0, &[], true, "`else { ... }`");
                    cases.push((RollCase::Else, self.body(children(child)), name_span(child)));
                }
                other => {
                    let help = did_you_mean(other, ["when", "else"]).unwrap_or_else(|| format!("write {USAGE}"));
                    self.error(name_span(child), format!("`{}` means nothing in a roll", shown_name(other)), help);
                }
            }
        }
        let roll = Roll { sums, cases };
        self.roll_is_whole(node, &roll);
        Some(Rule::Roll(roll))
    }

    fn roll_case(&mut self, node: &KdlNode, sums: usize) -> Option<(RollCase, Vec<Node>, Range<usize>)> {
        self.shape(node, 1..=2, &[], true, "`when 2 6 { ... }` or `when \"r <= luck\" { ... }`");
        let mut entries = arguments(node);
        let (first, second) = (entries.next()?, entries.next());
        let case = if first.value().as_string().is_some() {
            self.condition(first).map(RollCase::When)
        } else if sums > 1 {
            self.error(name_span(node), "which of the sums is meant?", "write a condition: `when \"mine > theirs\"`");
            None
        } else {
            let low = integer(&mut self.problems, first, -1000..=20_000, "a sum");
            let high = second.map_or(low, |entry| integer(&mut self.problems, entry, -1000..=20_000, "a sum"));
            match low.zip(high) {
                Some((low, high)) if high < low => {
                    let help = format!("write `when {high} {low}`");
                    self.error(entry_span(first), format!("from {low} to {high} there is nothing"), help);
                    None
                }
                Some((low, high)) => Some(RollCase::Between(low, high)),
                None => None,
            }
        };
        let body = self.body(children(node));
        Some((case.unwrap_or(RollCase::Else), body, name_span(node)))
    }

    /// No sum belongs to two cases, and each to one.
    fn roll_is_whole(&mut self, node: &KdlNode, roll: &Roll) {
        if roll.cases.is_empty() {
            if roll.sums.iter().all(|(local, _)| local.is_none()) {
                self.error(
                    name_span(node),
                    "a roll that decides nothing",
                    "write `when 1 3 { ... }`, or name it: as=r",
                );
            }
            return;
        }
        let (least, most) = roll.sums[0].1.range();
        let mut taken = vec![false; usize::try_from(most - least + 1).unwrap_or(0)];
        let mut is_closed = false;
        for (case, _, span) in &roll.cases {
            match case {
                RollCase::Else => is_closed = true,
                RollCase::When(_) => {}
                RollCase::Between(low, high) => {
                    if *low > most || *high < least {
                        self.warning(
                            span.clone(),
                            "this never comes up",
                            format!("the sum is between {least} and {most}"),
                        );
                    }
                    for sum in (*low).max(least)..=(*high).min(most) {
                        let Some(taken) = taken.get_mut(usize::try_from(sum - least).unwrap_or(usize::MAX)) else {
                            continue;
                        };
                        if std::mem::replace(taken, true) {
                            let message = format!("{sum} belongs to an earlier case already");
                            self.error(span.clone(), message, "let cases not overlap");
                            return;
                        }
                    }
                }
            }
        }
        if let Some(gap) = taken.iter().position(|taken| !taken).filter(|_| !is_closed) {
            let sum = least + i32::try_from(gap).unwrap_or(0);
            let what =
                if roll.sums.len() > 1 { "no case for what is left".into() } else { format!("no case for {sum}") };
            self.error(name_span(node), what, "add it, or `else { ... }`");
        }
    }

    /// `draw { red { ... }; black { ... }; else { ... }; }`
    fn draw(&mut self, node: &KdlNode) -> Rule {
        self.shape(node, 0..=0, &[], true, "`draw { red { ... }; black { ... }; else { ... }; }`");
        let (mut cases, mut otherwise) = (Vec::new(), Vec::new());
        for child in children(node) {
            let name = child.name().value();
            self.shape(child, 0..=0, &[], true, &format!("`{} {{ ... }}`", shown_name(name)));
            if name == "else" {
                otherwise = self.body(children(child));
                continue;
            }
            let body = self.body(children(child));
            match self.own().variable(name) {
                Some(own) if self.own().system.variables[own].least < 0 => {
                    let message = format!("there can be fewer than no `{}`", shown_name(name));
                    self.error(name_span(child), message, "draw counters that begin at 0");
                }
                Some(own) => cases.push((own, body)),
                None => {
                    let known = self.own().known();
                    let help =
                        did_you_mean(name, known.iter().map(String::as_str)).unwrap_or_else(|| "name a counter".into());
                    let message = format!("`{}` is nothing that can be drawn", shown_name(name));
                    self.error(name_span(child), message, help);
                }
            }
        }
        if children(node).is_empty() {
            self.error(name_span(node), "nothing to draw", "name the counters: `draw { red { ... }; black { ... }; }`");
        }
        Rule::Draw(cases, otherwise)
    }

    fn test_step(&mut self, node: &KdlNode) -> Option<Rule> {
        const USAGE: &str = "`test lucky { yes { ... } no { ... } }`";
        self.shape(node, 1..=1, &[], true, USAGE);
        let entry = arguments(node).next()?;
        let name = string(&mut self.problems, entry, "the name of a test")?.to_string();
        let tests = &self.own().system.tests;
        let Some(test) = tests.iter().position(|own| own.name == name) else {
            let known: Vec<String> = tests.iter().map(|own| own.name.clone()).collect();
            let help = did_you_mean(&name, known.iter().map(String::as_str))
                .unwrap_or_else(|| "declare it before it is used: `test NAME { ... }` at the head of the file".into());
            self.error(entry_span(entry), format!("there is no test `{}`", shown_name(&name)), help);
            return None;
        };
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for child in children(node) {
            match child.name().value() {
                "yes" => yes = self.body(children(child)),
                "no" => no = self.body(children(child)),
                other => {
                    let message = format!("`{}` is no result of a test", shown_name(other));
                    self.error(name_span(child), message, format!("write {USAGE}"));
                }
            }
        }
        Some(Rule::Test { test, yes, no })
    }

    fn use_step(&mut self, node: &KdlNode) -> Option<Rule> {
        let entry = arguments(node).next();
        let names: Vec<String> =
            node.entries().iter().filter_map(|entry| entry.name().map(|name| name.value().to_string())).collect();
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        self.shape(node, 1..=1, &known, false, "`use NAME a=1 b=2`");
        let entry = entry?;
        let name = string(&mut self.problems, entry, "the name of a block")?.to_string();
        let defines = &self.own().system.defines;
        let Some(place) = defines.iter().position(|own| own.name == name) else {
            let known: Vec<String> = defines.iter().map(|own| own.name.clone()).collect();
            let help = did_you_mean(&name, known.iter().map(String::as_str)).unwrap_or_else(|| {
                "define it before it is used: `define NAME { ... }` at the head of the file; a block cannot use itself".into()
            });
            self.error(entry_span(entry), format!("there is no block `{}`", shown_name(&name)), help);
            return None;
        };
        let define = defines[place].clone();
        let parameters: Vec<String> =
            define.parameters.iter().map(|local| self.own().system.locals[*local].name.clone()).collect();
        let mut given = Vec::new();
        for (local, parameter) in define.parameters.iter().zip(&parameters) {
            match property(node, parameter) {
                Some(entry) => given.push((*local, self.number(entry)?)),
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
        let (leaves, can_leave) = (define.leaves, define.can_leave);
        Some(Rule::Use { define: place, arguments: given, leaves, can_leave })
    }

    fn event_step(&mut self, node: &KdlNode) -> Option<Rule> {
        let names: Vec<String> =
            node.entries().iter().filter_map(|entry| entry.name().map(|name| name.value().to_string())).collect();
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        self.shape(node, 1..=1, &known, false, "`event won hit=2`");
        if !self.own().in_round {
            self.error(
                name_span(node),
                "this is no round of a fight",
                "`event` stands in a `round` of a `fight-system`",
            );
            return None;
        }
        let event = self.event_name(arguments(node).next()?)?;
        let parameters = self.own().system.fights.events[event].parameters.clone();
        let mut given = Vec::new();
        for local in parameters {
            let name = self.own().system.locals[local].name.clone();
            let number = match property(node, &name) {
                Some(entry) => self.number(entry)?,
                None => Number::Constant(0),
            };
            given.push((local, number));
        }
        Some(Rule::Event { event, arguments: given })
    }

    fn battle(&mut self, node: &KdlNode) -> Option<Rule> {
        if self.own().in_fight {
            self.error(name_span(node), "a fight within a fight", "end the one first");
            return None;
        }
        if !self.own().system.fights.declared {
            let help = "write `fight-system { round { ... } }` at the head of the file";
            self.error(name_span(node), "how is fought here?", help);
            return None;
        }
        self.own().fights = true;
        let mut battle = Battle { locals: self.own().system.fights.locals.clone(), ..Battle::default() };
        let stats: Vec<String> = self.own().system.enemy_stats.iter().map(|own| own.name.clone()).collect();
        let locals: Vec<String> = {
            let system = &self.own().system;
            system.fights.locals.iter().map(|own| system.locals[own.local].name.clone()).collect()
        };
        let usage =
            format!("`fight \"Name\" {}`", stats.iter().map(|name| format!("{name}=8")).collect::<Vec<_>>().join(" "));
        let mut properties: Vec<&str> = stats.iter().map(String::as_str).collect();
        let enemy_properties = properties.clone();
        properties.extend(locals.iter().map(String::as_str));
        self.shape(node, 0..=1, &properties, true, &usage);
        for (own, name) in locals.iter().enumerate() {
            if let Some(entry) = property(node, name)
                && let Some(number) = self.number(entry)
            {
                battle.locals[own].start = number;
            }
        }
        let alone = arguments(node).next().is_some() || stats.iter().any(|name| property(node, name).is_some());
        let before = self.problems.errors();
        if alone {
            battle.enemies.extend(self.enemy_of(node, &usage));
        }
        self.within(|reader| {
            for child in children(node) {
                reader.battle_part(child, &mut battle, &enemy_properties, &usage);
            }
        });
        if battle.enemies.is_empty() {
            // Who is wrong is nobody, either, but that is told already.
            if self.problems.errors() == before {
                self.error(name_span(node), "a fight against nobody", format!("write {usage}"));
            }
            return None;
        }
        let at_once = battle.order.unwrap_or(self.own().system.fights.order) != crate::rules::Order::OneByOne;
        let most = if at_once { MOST_AT_ONCE } else { MOST_ENEMIES };
        if battle.enemies.len() > most {
            let message = format!("{} enemies", battle.enemies.len());
            self.error(name_span(node), message, format!("up to {most} are possible"));
            return None;
        }
        Some(Rule::Battle(Box::new(battle)))
    }

    fn battle_part(&mut self, node: &KdlNode, battle: &mut Battle, stats: &[&str], usage: &str) {
        const PARTS: [&str; 8] = ["enemy", "local", "on", "before-round", "end-of-round", "ally", "escape", "order"];
        let name = node.name().value();
        match name {
            "enemy" => {
                self.shape(node, 1..=1, stats, false, &usage.replacen("fight", "enemy", 1));
                battle.enemies.extend(self.enemy_of(node, usage));
            }
            "local" => battle.locals.extend(self.fight_local(node)),
            "order" => battle.order = self.order(node),
            "on" => {
                self.shape(node, 1..=1, &[], true, "`on won { ... }`");
                let Some(event) = arguments(node).next().and_then(|entry| self.event_name(entry)) else { return };
                let body = self.within(|reader| {
                    reader.fight_scope(Some(event));
                    reader.body(children(node))
                });
                battle.handlers.push((event, body));
            }
            "before-round" | "end-of-round" => {
                self.shape(node, 0..=0, &[], true, &format!("`{name} {{ ... }}`"));
                let body = self.within(|reader| {
                    reader.fight_scope(None);
                    reader.body(children(node))
                });
                if name == "before-round" { battle.before_round.extend(body) } else { battle.end_of_round.extend(body) }
            }
            "escape" => {
                self.shape(node, 0..=0, &["if"], true, "`escape if=\"luck >= 3\" { goto 12; }`");
                let when = property(node, "if").and_then(|entry| {
                    self.within(|reader| {
                        reader.fight_scope(None);
                        reader.condition(entry)
                    })
                });
                let body = self.within(|reader| {
                    reader.fight_scope(None);
                    reader.body(children(node))
                });
                battle.escape = Some((when.unwrap_or(Condition::Constant(true)), body));
            }
            "ally" => {
                let Some((parameters, _)) = self.own().system.fights.ally.clone() else {
                    let help = "write `ally attack hit { ... }` in the `fight-system`";
                    self.error(name_span(node), "how does an ally fight?", help);
                    return;
                };
                let names: Vec<String> = {
                    let locals = &self.own().system.locals;
                    parameters.iter().map(|own| locals[*own].name.replacen("ally.", "", 1)).collect()
                };
                let known: Vec<&str> = names.iter().map(String::as_str).collect();
                let usage = names.iter().fold(String::new(), |all, name| all + &format!(" {name}=2"));
                self.shape(node, 0..=1, &known, false, &format!("`ally{usage}`"));
                if battle.allies.len() >= MOST_ALLIES {
                    self.error(name_span(node), format!("more than {MOST_ALLIES} allies"), "let fewer help");
                    return;
                }
                let mut numbers = Vec::new();
                for name in &names {
                    match property(node, name) {
                        Some(entry) => numbers.extend(self.number(entry)),
                        None => self.error(
                            name_span(node),
                            format!("the ally's `{name}` is missing"),
                            format!("write `ally{usage}`"),
                        ),
                    }
                }
                if numbers.len() == names.len() {
                    battle.allies.push(numbers);
                }
            }
            _ => {
                let help = did_you_mean(name, PARTS).unwrap_or_else(|| format!("a fight has {}", PARTS.join(", ")));
                self.error(name_span(node), format!("`{}` means nothing in a fight", shown_name(name)), help);
            }
        }
    }

    /// The enemy whom a node describes.
    fn enemy_of(&mut self, node: &KdlNode, usage: &str) -> Option<(String, Vec<Number>)> {
        let name = arguments(node).next().and_then(|entry| string(&mut self.problems, entry, "the name of an enemy"));
        let name = name.unwrap_or_default().to_string();
        let mut stats = Vec::new();
        for stat in self.own().system.enemy_stats.clone() {
            let number = match property(node, &stat.name) {
                Some(entry) if entry.value().as_integer().is_some() => {
                    let range = i64::from(stat.least)..=i64::from(stat.most);
                    let number = integer_property(&mut self.problems, node, &stat.name, range);
                    number.map(Number::Constant)
                }
                Some(entry) => self.number(entry),
                None => match stat.start {
                    Some(start) => Some(Number::Constant(start)),
                    None => {
                        self.error(
                            name_span(node),
                            format!("the enemy's `{}` is missing", stat.name),
                            format!("write {usage}"),
                        );
                        None
                    }
                },
            };
            stats.push(number?);
        }
        Some((name, stats))
    }

    /// What a choice asks for first, and the rest of it.
    pub(super) fn required<'n>(&mut self, nodes: &'n [KdlNode]) -> (Condition, &'n [KdlNode]) {
        let Some(first) = nodes.first().filter(|first| first.name().value() == "require") else {
            return (Condition::Constant(true), nodes);
        };
        self.shape(first, 1..=1, &[], false, "`require \"gold >= 3\"`");
        let condition = arguments(first).next().and_then(|entry| self.condition(entry));
        (condition.unwrap_or(Condition::Constant(true)), &nodes[1..])
    }

    /// The number that a choice is made of, in a system of rules of its own.
    pub(super) fn each_name(&mut self, entry: &KdlEntry) -> Option<LocalId> {
        self.bind_new(entry, "the name of a number")
    }
}
