//! Parsing the content of sections and blocks under a system of rules.

use kdl::{KdlEntry, KdlNode};

use crate::book::{LocalId, NodeKind, Number, Rule, Target, VariableKind, VariableRef};
use crate::syntax::heads::NODES;
use crate::syntax::kdl::{
    arguments, children, entry_span, integer_property, name_span, property, shown, shown_name, string,
};
use crate::syntax::lone_wolf::source;
use crate::syntax::misplaced_words;
use crate::syntax::problem::did_you_mean;
use crate::syntax::reader::Reader;

/// The most units of an item that are offered.
const MOST_UNITS: i64 = 30;

impl Reader<'_> {
    /// Parses a node of a section or a block.
    pub(crate) fn step(&mut self, node: &KdlNode) -> Option<NodeKind> {
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
                    self.error(name_span(node), "the hero is not dying here", "`resume` stands in `on-death { ... }`");
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
            "lose-all" => self.lose_all_step(node),
            "give-up" => self.give_up_step(node)?,
            "stop" => self.stop(node),
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
            "todo" => return self.todo(node),
            "text" => {
                self.late_text(node);
                return None;
            }
            _ if self.own().given_blocks.iter().any(|(own, _)| own == name) => self.block_step(node)?,
            _ if self.is_word(name) => self.word_step(node)?,
            _ => self.changes(node)?,
        };
        Some(NodeKind::Rule(Box::new(rule)))
    }

    /// The name of a block parameter, which stands for its argument.
    fn block_step(&mut self, node: &KdlNode) -> Option<Rule> {
        let name = node.name().value();
        self.shape(node, 0..=0, &[], false, &format!("`{name}`"));
        if self.own().in_fight {
            self.error(name_span(node), "a block that is given cannot stand in a fight", "let it follow the fight");
            return None;
        }
        let (_, block) = self.own().given_blocks.iter().find(|(own, _)| own == name)?;
        Some(Rule::Block(*block))
    }

    fn stop(&mut self, node: &KdlNode) -> Rule {
        self.shape(node, 0..=0, &[], false, "`stop`");
        if !self.own().fighting {
            self.error(name_span(node), "there is no fight here", "`stop` ends the fight that it stands in");
        }
        Rule::Stop
    }

    /// Whether it is the name of a definition and nothing else.
    fn is_word(&mut self, name: &str) -> bool {
        self.own().number(name).is_none() && self.own().system.defines.iter().any(|own| own.name == name)
    }

    /// `stamina -2`, `stamina full`, `enemy.stamina "-hit"`
    fn changes(&mut self, node: &KdlNode) -> Option<Rule> {
        let name = node.name().value();
        let Some(target) = self.target_name(name) else {
            self.no_step(node);
            return None;
        };
        let text = source(self.text, node);
        if node.entries().is_empty() && node.children().is_none() {
            let help = match target {
                Target::Variable(VariableRef::Own(own)) => match self.own().system.variables[own].kind {
                    VariableKind::Flag => format!("write `set {name}` or `clear {name}`"),
                    VariableKind::Item => format!("write `gain {name}` or `lose {name}`"),
                    _ => format!("write `{name} 1` or `{name} -1`"),
                },
                _ => format!("write `{name} 1` or `{name} -1`"),
            };
            self.error(name_span(node), format!("what becomes of `{name}`?"), help);
            return None;
        }
        let next = arguments(node).nth(1).and_then(|entry| Some((entry, entry.value().as_string()?)));
        if let Some((entry, word)) = next.filter(|(_, word)| NODES.contains(word)) {
            let help = format!("a node ends with its line: write `; {word}`, or begin a new line");
            self.error(entry_span(entry), format!("a `;` or a new line is missing before `{word}`"), help);
            return None;
        }
        if node.entries().len() > 1 || property(node, "+").or_else(|| property(node, "-")).is_some() {
            let number = text.trim_start_matches(['+', '-', '=', ' ']);
            let help = if text.contains('"') {
                format!("write `{name} -2` or `{name} \"2 * r\"`")
            } else if number.parse::<u32>().is_ok() {
                format!("write `{name} {}{number}`", if text.starts_with('-') { "-" } else { "" })
            } else {
                format!("write `{name} \"{}\"`", shown_name(text.trim_start_matches(['+', '='])).trim_start())
            };
            self.error(name_span(node), format!("`{name}` wants one number, or an expression in quotes"), help);
            return None;
        }
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

    /// Reports a node that is not valid in a section.
    fn no_step(&mut self, node: &KdlNode) {
        if self.missing.head {
            return;
        }
        let name = node.name().value();
        let shown = shown_name(name);
        if name.starts_with("enemy.") {
            let known: Vec<String> =
                self.own().system.enemy_stats.iter().map(|own| format!("enemy.{}", own.name)).collect();
            let (message, help) = match did_you_mean(name, known.iter().map(String::as_str)) {
                Some(help) if !known.iter().any(|own| own == name) => (format!("`{shown}` means nothing here"), help),
                _ => {
                    ("there is no fight here".into(), "an enemy is there within a fight and what happens in it".into())
                }
            };
            self.error(name_span(node), message, help);
            return;
        }
        let mut known = self.own().known();
        known.extend(NODES.map(String::from));
        known.retain(|own| own != name);
        let is_change = node.entries().len() == 1 && node.children().is_none();
        let help = misplaced_words::in_systems(name)
            .or_else(|| did_you_mean(name, known.iter().map(String::as_str)))
            .unwrap_or_else(|| {
                if is_change {
                    format!("declare it at the head of the file: `counter {shown} max=99` or `stat {shown}`")
                } else {
                    "see docs/systems.md for what a section can say".into()
                }
            });
        self.error(name_span(node), format!("`{shown}` means nothing here"), help);
    }

    fn change(&mut self, target: Target, entry: &KdlEntry) -> Option<Rule> {
        let number = self.number(entry)?;
        self.changed(target, None);
        Some(Rule::Change(target, number))
    }

    /// Records the range assigned to a name after it was bound.
    fn changed(&mut self, target: Target, number: Option<&Number>) {
        let Target::Local(local) = target else { return };
        let range = match number {
            Some(Number::Constant(number)) => (*number, *number),
            _ => (-999, 999),
        };
        let own = &mut self.own().system.locals[local];
        if own.is_bounded {
            return;
        }
        own.changed = Some(own.changed.map_or(range, |(least, most)| (least.min(range.0), most.max(range.1))));
    }

    /// The target of an assignment with this name.
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
        if let [entry] = node.entries()
            && let Some(own) = entry.name()
        {
            let help = format!("write `set {} {}`", shown_name(own.value()), shown(entry));
            self.error(entry_span(entry), "`set` wants a name and a number, without `=`", help);
            return None;
        }
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
        if let (true, Number::Constant(own), Some(entry)) = (is_flag, &number, arguments(node).nth(1))
            && !(0..=1).contains(own)
        {
            self.error(entry_span(entry), "a flag is only set or cleared", "leave the number out");
        }
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
                    Number::Operation(crate::terms::Operator::Minus, Box::new(Number::Constant(0)), Box::new(number));
                Some(Rule::Change(target, less))
            }
        }
    }

    /// A small constant number of items.
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
        self.shape(node, 0..=0, &["at-most"], true, "`take { rope; gold 12; }`");
        let at_most = integer_property(&mut self.problems, node, "at-most", 1..=MOST_UNITS);
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
        Rule::Take { at_most, lines }
    }

    /// The name for the number of a choice, in a system of rules.
    pub(crate) fn each_name(&mut self, entry: &KdlEntry) -> Option<LocalId> {
        self.bind_new(entry, "the name of a number")
    }
}
