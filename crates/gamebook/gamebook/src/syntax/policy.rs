//! Parsing readings of disputed passages, editions, and policies.

use budget::{Budget, Stopped};
use kdl::{KdlEntry, KdlNode};

use super::kdl::{Parsed, arguments, children, entry_span, flag, name_span, parse_kdl, property, shown_name, string};
use super::problem::{Problem, Problems, Severity, did_you_mean};
use super::reader::Reader;
use super::system::Rules;
use crate::book::{Book, Condition, Edition, LocalId, Policy, PolicyKind, PolicyRule, Reading};

impl Reader<'_> {
    pub(super) fn reading_node(&mut self, node: &KdlNode) {
        self.shape(node, 3..=usize::MAX, &[], false, "`reading lightning heals costs`: a name and two values or more");
        let what = "the name of a reading";
        let name = if self.is_system() {
            self.declares(node, what)
        } else {
            let name = arguments(node).next().and_then(|entry| string(&mut self.problems, entry, what));
            name.map(String::from).filter(|name| self.declare(name, name_span(node)))
        };
        let Some(name) = name else { return };
        let values: Vec<String> = arguments(node)
            .skip(1)
            .map(|entry| entry.value().as_string().map_or_else(|| entry.value().to_string(), String::from))
            .collect();
        if let Some(twice) = values.iter().enumerate().find(|(place, own)| values[..*place].contains(own)) {
            self.error(name_span(node), format!("`{}` occurs twice", shown_name(twice.1)), "keep one");
        }
        self.readings.push(Reading { name, values });
    }

    /// The editions of a book: `edition first { tunnels first-edition; }`.
    pub(super) fn editions(&mut self, nodes: &[KdlNode]) {
        const USAGE: &str = "`edition first { lightning costs; }`: readings and their values";
        for node in nodes.iter().filter(|node| node.name().value() == "edition") {
            self.shape(node, 1..=1, &[], true, USAGE);
            let Some(entry) = arguments(node).next() else { continue };
            let Some(name) = string(&mut self.problems, entry, "the name of an edition").map(String::from) else {
                continue;
            };
            if self.editions.iter().any(|own| own.name == name) {
                let message = format!("the edition `{}` occurs twice", shown_name(&name));
                self.error(name_span(node), message, "keep one");
                continue;
            }
            let readings = children(node).iter().filter_map(|line| self.reading_of_edition(line)).collect();
            self.editions.push(Edition { name, readings });
        }
    }

    /// The reading of a passage in an edition.
    fn reading_of_edition(&mut self, line: &KdlNode) -> Option<(usize, usize)> {
        let name = line.name().value();
        self.shape(line, 1..=1, &[], false, &format!("`{} VALUE`", shown_name(name)));
        let Some(reading) = self.readings.iter().position(|own| own.name == name) else {
            let help = did_you_mean(name, self.readings.iter().map(|own| own.name.as_str()))
                .unwrap_or_else(|| "declare it: `reading NAME VALUE VALUE`".into());
            self.error(name_span(line), format!("there is no reading `{}`", shown_name(name)), help);
            return None;
        };
        let entry = arguments(line).next()?;
        let value_name = entry.value().as_string().map_or_else(|| entry.value().to_string(), String::from);
        let values = self.readings[reading].values.clone();
        let value = values.iter().position(|own| *own == value_name);
        if value.is_none() {
            let message = format!("`{name}` is not read as `{}`", shown_name(&value_name));
            self.error(entry_span(entry), message, format!("it is read as one of {}", values.join(", ")));
        }
        Some((reading, value?))
    }

    /// The policies of a file.
    pub(super) fn policy_nodes(&mut self, nodes: &[KdlNode]) {
        for node in nodes.iter().filter(|node| node.name().value() == "policy") {
            let policy = self.policy(node);
            let Some(policy) = policy else { continue };
            if self.policies.iter().any(|own| own.name == policy.name) {
                let message = format!("the policy `{}` occurs twice", shown_name(&policy.name));
                self.error(name_span(node), message, "keep one");
            } else {
                self.policies.push(policy);
            }
        }
    }

    fn policy(&mut self, node: &KdlNode) -> Option<Policy> {
        const USAGE: &str = "`policy \"greedy\" { always eat; never \"use luck\"; from 12 goto 30; }`";
        self.shape(node, 1..=1, &["default"], true, USAGE);
        let entry = arguments(node).next()?;
        let name = string(&mut self.problems, entry, "the name of a policy")?.to_string();
        let is_default = flag(&mut self.problems, node, "default");
        if !self.is_system() {
            // A rule may apply in a fight, where rounds can be tested.
            let fought = std::mem::replace(&mut self.fought, true);
            let rules = children(node).iter().filter_map(|rule| self.policy_rule(rule, USAGE)).collect();
            self.fought = fought;
            return Some(Policy { name, is_default, rules });
        }
        let rules = self.within(|reader| {
            reader.own().fighting = true;
            let rules = reader.own();
            let fights = &rules.system.fights;
            let locals = fights.locals.iter().map(|own| own.local);
            let parameters = fights.events.iter().flat_map(|event| event.parameters.iter().copied());
            let names: Vec<LocalId> = locals.chain(parameters).collect();
            rules.bring(names);
            children(node).iter().filter_map(|rule| reader.policy_rule(rule, USAGE)).collect()
        });
        Some(Policy { name, is_default, rules })
    }

    fn policy_rule(&mut self, node: &KdlNode, usage: &str) -> Option<PolicyRule> {
        let name = node.name().value();
        let mut section = None;
        let mut span = name_span(node);
        let kind = match name {
            "always" | "never" => {
                self.shape(node, 1..=1, &["if", "in", "on"], false, usage);
                let entry = arguments(node).next()?;
                let label = string(&mut self.problems, entry, "the label of an answer")?.to_string();
                span = entry_span(entry);
                if name == "always" { PolicyKind::Always(label) } else { PolicyKind::Never(label) }
            }
            "random" | "first" | "last" => {
                self.shape(node, 0..=0, &["if", "in", "on"], false, &format!("`{name}`"));
                match name {
                    "random" => PolicyKind::Random,
                    "first" => PolicyKind::First,
                    _ => PolicyKind::Last,
                }
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
                let help = did_you_mean(other, ["always", "never", "from", "random", "first", "last"])
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
            Some(entry) if !self.is_system() => {
                self.error(
                    entry_span(entry),
                    "nothing has a name that happens in a round of Lone Wolf",
                    "leave `on` out",
                );
                return None;
            }
            Some(entry) => Some(self.event_name(entry)?),
        };
        let when = match property(node, "if") {
            Some(entry) => self.condition(entry)?,
            None => Condition::Constant(true),
        };
        Some(PolicyRule { kind, section, event, when, span })
    }
}

/// Reads a policy for a book from a file with one `policy` node.
///
/// # Errors
/// All errors in it.
pub fn read_policy(book: &Book, text: &str) -> Result<Policy, Problems> {
    let budget = Budget::unlimited();
    let nothing = |stopped: Stopped| Problems(vec![Problem::error(0..0, stopped.to_string())]);
    let Parsed { nodes, problems, missing } = parse_kdl(text, &budget).map_err(nothing)?;
    let rules = book.system.as_deref().map(|system| {
        let names = book.names.iter().map(|(number, name)| (name.clone(), *number)).collect();
        Box::new(Rules { system: system.clone(), names, in_book: true, ..Rules::default() })
    });
    let mut reader = Reader {
        text,
        problems,
        missing,
        rules,
        items: book.items.clone(),
        flags: book.flags.clone(),
        counters: book.counters.clone(),
        readings: book.readings.clone(),
        kai: Some(Box::new(book.kai.clone())),
        ..Reader::default()
    };
    reader.heads(&nodes, &["policy"], "a policy's file");
    reader.policy_nodes(&nodes);
    reader.targets_exist(&book.sections);
    let mut policies = std::mem::take(&mut reader.policies);
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
