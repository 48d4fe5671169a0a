//! Parsing books with a system of rules, and the files of systems.

mod battle;
mod blocks;
mod declared;
mod fight_system;
mod roll;
mod rules;
mod scope;
mod shared;
mod skills;
mod steps;
mod tables;
mod taken;
mod things;
mod unused_rules;

use std::collections::BTreeMap;

use budget::{Budget, Stopped};
use kdl::{KdlEntry, KdlNode};

use super::heads;
use super::kdl::{Parsed, arguments, entry_span, parse_kdl, property, shown_name, string};
use super::lone_wolf::kai_rules;
use super::problem::{Problem, Severity, did_you_mean};
use super::reader::Reader;
use crate::book::{Book, Hero, KaiRules};
use crate::terms::SectionNumber;

pub(crate) use scope::Rules;

/// Sections with names have numbers from here on.
const FIRST_NAMED: SectionNumber = 10_000;

/// The deepest inheritance of files.
const MOST_LIKE: usize = 8;

/// The most sections with names.
const MOST_NAMED: usize = 10_000;

/// The rules that a book names.
pub(super) enum Asked {
    /// Those of Lone Wolf, with changes from a file if there is one.
    LoneWolf(Option<Box<KaiRules>>),
    /// A system, and the name by which the book refers to it.
    System(String, Box<Rules>),
    /// They cannot be read.
    Unknown,
}

/// Whether a name is that of a file.
fn is_file(name: &str) -> bool {
    std::path::Path::new(name).extension().is_some_and(|extension| extension == "kdl")
}

/// Reads a file beside the book.
pub type Beside<'f> = &'f dyn Fn(&str) -> Result<String, String>;

impl Reader<'_> {
    /// The rules that a book names. Unknown rules are reported by `title`.
    pub(super) fn asked(
        &mut self,
        nodes: &[KdlNode],
        beside: Beside<'_>,
        budget: &Budget<'_>,
    ) -> Result<Asked, Stopped> {
        let named = nodes.iter().find(|node| node.name().value() == "book");
        let entry = named.and_then(|node| property(node, "system").or_else(|| property(node, "rules")));
        let Some((name, entry)) = entry.and_then(|entry| Some((entry.value().as_string()?, entry))) else {
            return Ok(Asked::LoneWolf(None));
        };
        let span = entry_span(entry);
        let text = match systems::SYSTEMS.iter().find(|own| own.0 == name) {
            Some((_, text)) => Ok((*text).to_string()),
            None if is_file(name) => beside(name),
            None => return Ok(Asked::LoneWolf(None)),
        };
        let text = match text {
            Ok(text) => text,
            Err(error) => {
                let help = "a system's file lies beside the book; without `.kdl` there are fighting-fantasy, lone-wolf \
                            and none";
                self.error(span, format!("the system `{}` cannot be read: {error}", shown_name(name)), help);
                return Ok(Asked::Unknown);
            }
        };
        let (asked, problems) = self.rules_of(&text, name, beside, 0, budget)?;
        let errors: Vec<&Problem> = problems.iter().filter(|own| own.severity == Severity::Error).collect();
        let Some(first) = errors.first() else { return Ok(asked) };
        let (line, column) = first.position(&text);
        let many = if errors.len() == 1 { "an error".into() } else { format!("{} errors", errors.len()) };
        let message = format!(
            "the system `{}` has {many}, the first in line {line}, column {column}: {}",
            shown_name(name),
            first.message
        );
        let help = first.help.clone().unwrap_or_else(|| "fix the system".into());
        self.error(span, message, help);
        Ok(Asked::Unknown)
    }

    /// Parses a file of rules with those that it inherits; returns the errors.
    fn rules_of(
        &mut self,
        text: &str,
        name: &str,
        beside: Beside<'_>,
        depth: usize,
        budget: &Budget<'_>,
    ) -> Result<(Asked, Vec<Problem>), Stopped> {
        let parsed = parse_kdl(text, budget)?;
        self.mark.nodes(&parsed.nodes);
        let named = parsed.nodes.iter().find(|node| node.name().value() == heads::SYSTEM);
        let like = named.and_then(|node| property(node, "like"));
        let Some((other, span)) = like.map(|entry| (entry.value().as_string().unwrap_or_default(), entry_span(entry)))
        else {
            let (rules, problems) = system(text, parsed, None);
            return Ok((Asked::System(name.into(), Box::new(rules)), problems));
        };
        let found = match systems::SYSTEMS.iter().find(|own| own.0 == other) {
            Some((_, text)) => Some((*text).to_string()),
            None if is_file(other) && depth < MOST_LIKE => beside(other).ok(),
            None => None,
        };
        let Some(found) = found else {
            if other != "lone-wolf" {
                let names: Vec<&str> = systems::SYSTEMS.iter().map(|(name, _)| *name).chain(["lone-wolf"]).collect();
                let help = did_you_mean(other, names.iter().copied())
                    .unwrap_or_else(|| format!("there are {}, and files beside the book", names.join(", ")));
                let message = format!("a system cannot be like `{}`", shown_name(other));
                return Ok((Asked::Unknown, vec![Problem::error(span, message).help(help)]));
            }
            let (kai, problems) = kai_rules(text, parsed, KaiRules::lone_wolf().clone());
            return Ok((Asked::LoneWolf(Some(Box::new(kai))), problems));
        };
        let other = other.to_string();
        let (asked, problems) = self.rules_of(&found, &other, beside, depth + 1, budget)?;
        if let Some(wrong) = problems.iter().find(|own| own.severity == Severity::Error) {
            let (line, column) = wrong.position(&found);
            let message =
                format!("`{}` has an error in line {line}, column {column}: {}", shown_name(&other), wrong.message);
            return Ok((asked, vec![Problem::error(span, message).help("fix that file first")]));
        }
        match asked {
            Asked::System(_, base) => {
                let (rules, problems) = system(text, parsed, Some(*base));
                Ok((Asked::System(name.into(), Box::new(rules)), problems))
            }
            Asked::LoneWolf(base) => {
                let base = base.map_or_else(|| KaiRules::lone_wolf().clone(), |base| *base);
                let (kai, problems) = kai_rules(text, parsed, base);
                Ok((Asked::LoneWolf(Some(Box::new(kai))), problems))
            }
            Asked::Unknown => Ok((Asked::Unknown, problems)),
        }
    }

    /// Reads a book with a system of rules.
    pub(super) fn system_book(
        &mut self,
        nodes: &[KdlNode],
        name: &str,
        rules: Rules,
        budget: &Budget<'_>,
    ) -> Result<Option<Book>, Stopped> {
        self.declared.clone_from(&rules.declared);
        let known = rules.declared.clone();
        self.on_enter.clone_from(&rules.on_enter);
        self.creation.clone_from(&rules.creation);
        self.readings.clone_from(&rules.readings);
        self.policies.clone_from(&rules.policies);
        let rules = rules.inherit();
        self.rules = Some(Box::new(Rules { in_book: true, hero_named: false, blocks: BTreeMap::new(), ..rules }));
        let variables = &mut self.rules.get_or_insert_default().system.variables;
        for other in &self.elsewhere.variables {
            if variables.iter().all(|own| own.name != other.name) {
                variables.push(other.clone());
            }
        }
        self.heads(nodes, &[&heads::BOOK[..], &heads::DECLARES[..]].concat(), "a book");
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
        self.policy_nodes(nodes);
        self.editions(nodes);
        self.targets_exist(&sections);
        let (Some(title), Some(start)) = (title, start) else { return Ok(None) };
        let Some(rules) = self.rules.take() else { return Ok(None) };
        let mut system = rules.system;
        system.name = name.into();
        let book = Book {
            title,
            start,
            goals,
            learns: 0,
            fixed: Vec::new(),
            hero: Hero::default(),
            creation: std::mem::take(&mut self.creation),
            items: Vec::new(),
            flags: Vec::new(),
            counters: Vec::new(),
            kai: KaiRules::lone_wolf().clone(),
            on_enter: std::mem::take(&mut self.on_enter),
            sections,
            names: rules.names.into_iter().map(|(name, number)| (number, name)).collect(),
            editions: std::mem::take(&mut self.editions),
            readings: std::mem::take(&mut self.readings),
            policies: std::mem::take(&mut self.policies),
            kinder: Vec::new(),
            draft: rules.draft,
            system: Some(Box::new(system)),
            mark: 0,
        };
        // Unreadable parts may use a name.
        if let Some(system) = book.system.as_ref().filter(|_| self.problems.errors() == 0) {
            let mut own = std::mem::take(&mut self.declared);
            own.retain(|name, span| known.get(name) != Some(span));
            own.extend(rules.blocks);
            self.unused_rules(&book, system, &own);
        }
        Ok(Some(book))
    }

    /// Assigns numbers to sections with names.
    fn name_sections(&mut self, nodes: &[KdlNode]) {
        // All arguments of stubs are names.
        let named = |node: &&KdlNode| matches!(node.name().value(), "section" | "stub");
        let entries = nodes.iter().filter(named).flat_map(|node| {
            let most = if node.name().value() == "stub" { usize::MAX } else { 1 };
            arguments(node).take(most)
        });
        for entry in entries {
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

    /// The number of a section with a name.
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
}

/// Parses a system of rules, which may inherit from another; returns the errors.
fn system(text: &str, parsed: Parsed, base: Option<Rules>) -> (Rules, Vec<Problem>) {
    let Parsed { nodes, problems, missing } = parsed;
    let base = base.unwrap_or_default().inherit();
    let mut reader = Reader {
        text,
        problems,
        missing,
        declared: base.declared.clone(),
        on_enter: base.on_enter.clone(),
        creation: base.creation.clone(),
        readings: base.readings.clone(),
        policies: base.policies.clone(),
        rules: Some(Box::new(Rules { hero_named: false, ..base })),
        ..Reader::default()
    };
    let known: Vec<&str> = [heads::SYSTEM].into_iter().chain(heads::DECLARES).collect();
    reader.heads(&nodes, &known, "a system");
    if let Some(node) = reader.only(&nodes, "system", "system \"my-rules\" format=1") {
        reader.shape(node, 1..=1, &["format", "like"], false, "`system \"my-rules\" format=1`");
        reader.format(node);
        let entry = arguments(node).next();
        let name = entry.and_then(|entry| string(&mut reader.problems, entry, "the name of a system"));
        reader.own().system.name = name.unwrap_or_default().into();
    }
    reader.declarations(&nodes);
    reader.policy_nodes(&nodes);
    let rules = reader.rules.take().map_or_else(Rules::default, |rules| *rules);
    let draft = reader.draft();
    let mut rules = Rules {
        declared: reader.declared,
        on_enter: reader.on_enter,
        creation: reader.creation,
        readings: reader.readings,
        policies: reader.policies,
        draft,
        ..rules
    };
    rules.scope.clear();
    (rules, reader.problems.sorted())
}
