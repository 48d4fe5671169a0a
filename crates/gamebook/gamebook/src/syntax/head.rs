//! The top level of a book, and the book as a whole.

use std::collections::BTreeMap;

use budget::{Budget, Stopped};
use kdl::{KdlEntry, KdlNode};
use lone_wolf::CombatTable;

use super::Checks;
use super::expression::Names;
use super::heads::{KAI, LONE_WOLF, SYSTEM};
use super::kdl::{
    FORMAT, LAST_SECTION, arguments, children, entry_span, integer, name_span, property, shown, shown_name, string,
};
use super::problem::did_you_mean;
use super::reader::Reader;
use crate::book::{Book, Draft, Item, KaiRules, Kind, Section};
use crate::terms::SectionNumber;

impl Reader<'_> {
    /// Reports nodes that are unknown at the top level of a file.
    pub(super) fn heads(&mut self, nodes: &[KdlNode], known: &[&str], what: &str) {
        for node in nodes {
            if self.problems.is_full() {
                break;
            }
            let name = node.name().value();
            if !known.contains(&name) {
                let help = if known.contains(&SYSTEM) && !known.contains(&name) && KAI.contains(&name) {
                    "a file that says how its rules differ from Lone Wolf's begins `system \"my-kai\" format=1 \
                     like=\"lone-wolf\"`"
                        .into()
                } else {
                    did_you_mean(name, known.iter().copied())
                        .unwrap_or_else(|| format!("{what} has {}", known.join(", ")))
                };
                self.error(
                    name_span(node),
                    format!("`{}` means nothing at the head of {what}", shown_name(name)),
                    help,
                );
            }
        }
    }
}

impl Reader<'_> {
    pub(super) fn book(
        &mut self,
        nodes: &[KdlNode],
        checks: Checks,
        budget: &Budget<'_>,
    ) -> Result<Option<Book>, Stopped> {
        self.heads(nodes, &LONE_WOLF, "a book");
        self.declared_names(nodes);
        let title = self.title(nodes);
        let start = self.only(nodes, "start", "start 1").and_then(|node| self.section_argument(node));
        let goals: Vec<SectionNumber> = match self.only(nodes, "goal", "goal 350") {
            Some(node) => {
                self.shape(node, 1..=usize::MAX, &[], false, "`goal 350`");
                arguments(node).filter_map(|entry| self.section_number(entry)).collect()
            }
            None => Vec::new(),
        };
        let table = self.combat_table(nodes);
        let before = self.problems.errors();
        let hero = self.only(nodes, "hero", "hero { combat-skill 15; endurance 25; }");
        let hero = hero.map(|node| self.hero(node));
        let hero_is_read = self.problems.errors() == before;
        let mut on_enter = Vec::new();
        for node in nodes.iter().filter(|node| node.name().value() == "on-enter") {
            self.shape(node, 0..=0, &[], true, "`on-enter { ... }`");
            on_enter.extend(self.body(children(node)));
        }
        self.only_effects(&on_enter);
        let sections = self.sections(nodes, budget)?;
        self.policy_nodes(nodes);
        self.editions(nodes);
        self.targets_exist(&sections);
        let hero_span = nodes.iter().find(|node| node.name().value() == "hero").map_or(0..0, name_span);
        let (Some((fixed, learns, hero)), Some(title), Some(start)) = (hero, title, start) else { return Ok(None) };
        let rules = self.kai().clone();
        let book = Book {
            title,
            start,
            goals,
            learns,
            fixed,
            hero,
            creation: std::mem::take(&mut self.creation),
            items: std::mem::take(&mut self.items),
            flags: std::mem::take(&mut self.flags),
            counters: std::mem::take(&mut self.counters),
            kai: KaiRules { table: table.unwrap_or_else(|| rules.table.clone()), ..rules },
            on_enter,
            sections,
            names: BTreeMap::new(),
            editions: std::mem::take(&mut self.editions),
            readings: std::mem::take(&mut self.readings),
            policies: std::mem::take(&mut self.policies),
            kinder: Vec::new(),
            draft: Draft::default(),
            system: None,
            mark: 0,
        };
        if hero_is_read && let Err(error) = book.hero.check(&book) {
            self.error(hero_span, format!("this hero cannot set out: {error}"), "he is the default hero");
        }
        self.compiles(&book, checks, budget)?;
        // Unreadable parts may use a name.
        if self.problems.errors() == 0 {
            self.unused(&book);
        }
        Ok(Some(book))
    }

    /// Reads the declarations of a book: items, flags, counters and readings.
    fn declared_names(&mut self, nodes: &[KdlNode]) {
        for node in nodes {
            match node.name().value() {
                "items" => self.items(node),
                "flags" => self.flag_names(node),
                "counter" => self.counter_name(node),
                "reading" => self.reading_node(node),
                _ => {}
            }
        }
        for item in std::mem::take(&mut self.elsewhere.items) {
            if self.item(&item.name).is_none() {
                // Flags and readings of another book mean nothing here.
                self.items.push(Item { cures: None, before_fights: None, ..item });
            }
        }
        for item in self.items.iter_mut().filter(|item| item.kind == Kind::Special && item.weapon.is_none()) {
            if self.elsewhere.remembered.contains(&item.name) {
                item.kind = Kind::Permanent;
            }
        }
        for node in nodes.iter().filter(|node| node.name().value() == "items") {
            self.named_by_items(node);
        }
    }

    /// The book's own combat table.
    fn combat_table(&mut self, nodes: &[KdlNode]) -> Option<CombatTable> {
        let mut table = None;
        for node in nodes.iter().filter(|node| node.name().value() == "combat-table") {
            let own = self.table(node);
            if table.replace(own).is_some() {
                self.error(name_span(node), "`combat-table` occurs a second time", "keep one");
            }
        }
        table
    }

    /// Reports books that cannot be compiled, or in which play can get stuck.
    fn compiles(&mut self, book: &Book, checks: Checks, budget: &Budget<'_>) -> Result<(), Stopped> {
        match (checks.fits)(book) {
            Ok(()) => (checks.gaps)(book, &mut self.problems, budget)?,
            Err(error) => {
                let last = self.declared.values().max_by_key(|span| span.start).cloned().unwrap_or(0..0);
                self.error(last, error, "declare fewer, or counters with a smaller maximum");
            }
        }
        Ok(())
    }

    /// Reports targets that do not exist.
    pub(super) fn targets_exist(&mut self, sections: &BTreeMap<SectionNumber, Section>) {
        for (target, span) in std::mem::take(&mut self.targets) {
            if !sections.contains_key(&target) && !self.missing.section(target) {
                let help = match near(target).into_iter().find(|number| sections.contains_key(number)) {
                    Some(number) => format!("did you mean {number}?"),
                    None => format!("write `section {target} {{ ... }}`"),
                };
                self.error(span, format!("there is no section {target}"), help);
            }
        }
    }

    /// A node that must occur exactly once at the top level.
    pub(super) fn only<'n>(&mut self, nodes: &'n [KdlNode], name: &str, usage: &str) -> Option<&'n KdlNode> {
        let mut found = nodes.iter().filter(|node| node.name().value() == name);
        let first = found.next();
        if first.is_none() && !self.missing.head {
            self.error(0..0, format!("the head of the book has no `{name}`"), format!("write `{usage}`"));
        }
        for again in found {
            self.error(name_span(again), format!("`{name}` occurs a second time"), "keep one");
        }
        first
    }

    pub(super) fn title(&mut self, nodes: &[KdlNode]) -> Option<String> {
        const USAGE: &str = "`book \"Title\" format=1 system=\"lone-wolf\"`";
        let node = self.only(nodes, "book", "book \"Title\" format=1 system=\"lone-wolf\"")?;
        self.shape(node, 1..=1, &["format", "rules", "system"], false, USAGE);
        self.format(node);
        let named = property(node, "system").or_else(|| property(node, "rules"));
        match named {
            _ if self.is_system() || self.kai.is_some() => {}
            Some(entry) if entry.value().as_string() == Some("lone-wolf") => {}
            Some(entry) => self.error(
                entry_span(entry),
                format!("there are no rules `{}`", shown(entry)),
                "write system=\"lone-wolf\", \"fighting-fantasy\" or \"none\", or a file beside the book: \"my-rules.kdl\"",
            ),
            None => self.error(name_span(node), "the rules are missing", "write rules=\"lone-wolf\""),
        }
        let entry = arguments(node).next()?;
        string(&mut self.problems, entry, "the title").map(String::from)
    }

    /// The version of the book language.
    pub(super) fn format(&mut self, node: &KdlNode) {
        match property(node, "format") {
            Some(entry) => {
                let format = integer::<i64>(&mut self.problems, entry, 1..=i64::from(u32::MAX), "`format`");
                if let Some(format) = format.filter(|format| *format != FORMAT) {
                    self.error(
                        entry_span(entry),
                        format!("format {format} of the book language is not known"),
                        "write format=1",
                    );
                }
            }
            None => self.error(name_span(node), "the version of the book language is missing", "write format=1"),
        }
    }

    pub(super) fn section_number(&mut self, entry: &KdlEntry) -> Option<SectionNumber> {
        if self.is_system() && entry.value().as_string().is_some() {
            return self.named_section(entry);
        }
        let number: SectionNumber = integer(&mut self.problems, entry, 1..=LAST_SECTION, "the number of a section")?;
        self.targets.push((number, entry_span(entry)));
        Some(number)
    }

    pub(super) fn section_argument(&mut self, node: &KdlNode) -> Option<SectionNumber> {
        let usage = format!("`{} 12`", node.name().value());
        if !self.shape(node, 1..=1, &[], false, &usage) {
            return None;
        }
        arguments(node).next().and_then(|entry| self.section_number(entry))
    }
}

/// Similar section numbers: with two digits swapped, or a digit too many.
fn near(number: SectionNumber) -> Vec<SectionNumber> {
    let digits = number.to_string().into_bytes();
    let without = (0..digits.len()).map(|place| {
        let mut own = digits.clone();
        own.remove(place);
        own
    });
    let swapped = (1..digits.len()).map(|place| {
        let mut own = digits.clone();
        own.swap(place - 1, place);
        own
    });
    swapped.chain(without).filter_map(|own| String::from_utf8(own).ok()?.parse().ok()).collect()
}
