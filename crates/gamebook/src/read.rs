//! From the text of a book file to a [`Book`]: syntax, names, ranges. All problems at once.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use budget::{Budget, Stopped};
use kdl::{KdlEntry, KdlNode};

use crate::book::{
    Book, Choice, Condition, Counter, Item, ItemId, Kind, Node, NodeKind, Number, Reading, Section, SectionNumber,
    Thing, Trade, Weapon, When,
};
use crate::compile::{LOCAL_NUMBERS, layout};
use crate::discipline::Discipline;
use crate::entries::{
    arguments, check_shape, children, entry_span, flag, flag_or, integer, integer_property, name_span, property, shown,
    shown_name, string,
};
use crate::expression::{self, Names, Wrong};
use crate::hero::Hero;
use crate::kai::KaiRules;
use crate::making::Making;
use crate::policy::Policy;
use crate::problem::{Problem, ProblemList, Problems, Severity, did_you_mean};

pub(crate) use kai::lone_wolf_rules;
pub use policy::read_policy;
pub use system::Beside;

use heads::LONE_WOLF;
use rules::Rules;
use syntax::{Missing, Parsed};
use system::Asked;

/// The largest section number.
const LAST_SECTION: i64 = 9999;
/// The deepest nesting of braces, and of comments, that is read.
const DEEPEST: usize = 64;
/// The longest book file that is read, in bytes.
const LONGEST: usize = 1 << 20;
/// The longest node of a book's head, such as a section, in bytes.
const LONGEST_PIECE: usize = 32 << 10;
/// More names are not declared in one book.
const MOST_NAMES: usize = 240;
/// More names are not bound in one section.
const MOST_LOCALS: usize = 8;
/// A choice between more constant numbers than this is not known number by number in what follows.
const MOST_KNOWN: i32 = 64;
/// The version of the book language.
const FORMAT: i64 = 1;

mod battle;
mod blocks;
mod chance;
mod declared;
mod elsewhere;
mod endings;
mod fight_system;
mod heads;
mod kai;
mod making;
mod names;
mod pieces;
mod policy;
mod ranges;
mod roll;
mod rules;
mod steps;
mod syntax;
mod system;
mod table;
mod unused;
mod unused_rules;

/// Reads a book.
///
/// ```
/// let text = r#"
///     book "Heads" format=1 rules="lone-wolf"
///     start 1
///     goal 2
///     hero { combat-skill 15; endurance 25; }
///     section 1 { pick { when 0 4 { goto 2; }; else { death "tails"; }; }; }
///     section 2 { victory; }
/// "#;
/// let (book, warnings) = gamebook::read(text)?;
/// assert_eq!((book.title.as_str(), book.sections.len()), ("Heads", 2));
/// assert!(warnings.is_empty());
/// # Ok::<(), gamebook::Problems>(())
/// ```
///
/// # Errors
/// Everything that is wrong with it, warnings included, in the order of the text.
pub fn read(text: &str) -> Result<(Book, Vec<Problem>), Problems> {
    match read_within(text, &Budget::unlimited()) {
        Ok(read) => Ok(read),
        Err(ReadError::Problems(problems)) => Err(problems),
        // Nobody says stop.
        Err(ReadError::Stopped(stopped)) => Err(Problems(vec![Problem::error(0..0, stopped.to_string())])),
    }
}

/// Why a book was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// Everything that is wrong with it.
    Problems(Problems),
    /// A limit was reached, or somebody stopped it.
    Stopped(Stopped),
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Problems(problems) => write!(f, "{problems}"),
            Self::Stopped(stopped) => write!(f, "{stopped}"),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<Stopped> for ReadError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

/// [`read`] within a budget.
///
/// # Errors
/// Everything that is wrong with the book; or the budget says stop.
pub fn read_within(text: &str, budget: &Budget<'_>) -> Result<(Book, Vec<Problem>), ReadError> {
    read_beside(text, &|_| Err("no file can be read here".into()), budget)
}

/// [`read_within`] for a book whose system of rules may lie in a file beside it, which `beside` reads.
///
/// # Errors
/// Everything that is wrong with the book or with the system; or the budget says stop.
pub fn read_beside(text: &str, beside: Beside<'_>, budget: &Budget<'_>) -> Result<(Book, Vec<Problem>), ReadError> {
    let Parsed { nodes, problems, missing } = syntax::parse(text, budget)?;
    let mut reader = Reader { text, problems, missing, ..Reader::default() };
    let book = match reader.asked(&nodes, beside, budget)? {
        Asked::LoneWolf(kai) => {
            reader.kai = kai;
            reader.book(&nodes, budget)?
        }
        Asked::System(name, rules) => reader.system_book(&nodes, &name, *rules, budget)?,
        Asked::Unknown => None,
    };
    let problems = reader.problems.sorted();
    match book {
        Some(book) if problems.iter().all(|problem| problem.severity != Severity::Error) => Ok((book, problems)),
        _ => Err(ReadError::Problems(Problems(problems))),
    }
}

#[derive(Default)]
struct Reader<'t> {
    text: &'t str,
    problems: ProblemList,
    /// Parts of the text that could not be read.
    missing: Missing,
    items: Vec<Item>,
    flags: Vec<String>,
    counters: Vec<Counter>,
    /// Every declared name, and where.
    declared: BTreeMap<String, Range<usize>>,
    /// The names bound in the section that is being read.
    locals: Vec<String>,
    /// Names that are sums of a contest that is over: only its own pick may ask for them.
    contest: Vec<usize>,
    /// Names of choices around whose number is known when the book is compiled.
    known_numbers: Vec<usize>,
    /// The names of all choices around, and between which numbers they are.
    chosen: Vec<(usize, ranges::Range)>,
    /// What each name of the section can stand for, by all that binds it so far.
    local_ranges: BTreeMap<usize, ranges::Range>,
    /// The names of the loops around the node that is being read, the innermost last.
    loops: Vec<String>,
    /// Targets and where they are mentioned.
    targets: Vec<(SectionNumber, Range<usize>)>,
    /// Whether a fight stands before in the section: only then `rounds` and `wounded` mean something.
    fought: bool,
    /// The numbers of Lone Wolf's rules, where a file says that they differ from those of the books.
    kai: Option<KaiRules>,
    /// The system of rules, where it is none of Lone Wolf.
    rules: Option<Box<Rules>>,
    /// What happens on entering a section, in a system of rules.
    on_enter: Vec<Node>,
    /// How a hero is made.
    making: Making,
    /// How passages that can be disputed are read.
    readings: Vec<Reading>,
    /// The policies that have been read.
    policies: Vec<Policy>,
}

impl Names for Reader<'_> {
    fn item(&self, name: &str) -> Option<usize> {
        self.items.iter().position(|item| item.name == name)
    }
    fn flag(&self, name: &str) -> Option<usize> {
        self.flags.iter().position(|flag| flag == name)
    }
    fn counter(&self, name: &str) -> Option<usize> {
        self.counters.iter().position(|counter| counter.name == name)
    }
    fn local(&self, name: &str) -> Option<usize> {
        self.locals.iter().position(|local| local == name)
    }
    fn known(&self) -> Vec<String> {
        let readings = self.readings.iter().map(|own| own.name.clone());
        match &self.rules {
            Some(rules) => rules.known().into_iter().chain(readings).collect(),
            None => self.declared.keys().chain(&self.locals).cloned().collect(),
        }
    }
    fn is_system(&self) -> bool {
        self.rules.is_some()
    }
    fn number(&self, name: &str) -> Option<Number> {
        self.rules.as_ref()?.number(name)
    }
    fn elsewhere(&self, name: &str) -> Option<(String, String)> {
        self.rules.as_ref()?.elsewhere(name)
    }
    fn is_flag(&self, name: &str) -> bool {
        self.rules.as_ref().is_some_and(|rules| rules.is_flag(name))
    }
    fn reading(&self, name: &str) -> Option<(usize, Vec<String>)> {
        let place = self.readings.iter().position(|own| own.name == name)?;
        Some((place, self.readings[place].values.clone()))
    }
    fn ranks(&self) -> &[String] {
        &self.kai().ranks
    }
}

/// Names that mean something in expressions already.
const RESERVED: [&str; 20] = [
    "gold",
    "endurance",
    "max-endurance",
    "combat-skill",
    "disciplines",
    "weapons",
    "backpack-items",
    "backpack-room",
    "special",
    "container",
    "rounds",
    "wounded",
    "min",
    "max",
    "and",
    "or",
    "not",
    "has",
    "always",
    "never",
];

impl Reader<'_> {
    /// The numbers of Lone Wolf's rules.
    fn kai(&self) -> &KaiRules {
        self.kai.as_ref().unwrap_or_else(|| KaiRules::lone_wolf())
    }

    fn error(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Problem::error(span, message).help(help));
    }

    fn warning(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Problem::warning(span, message).help(help));
    }

    fn shape(
        &mut self,
        node: &KdlNode,
        count: RangeInclusive<usize>,
        properties: &[&str],
        may_have_children: bool,
        usage: &str,
    ) -> bool {
        check_shape(&mut self.problems, node, count, properties, may_have_children, usage)
    }

    fn book(&mut self, nodes: &[KdlNode], budget: &Budget<'_>) -> Result<Option<Book>, Stopped> {
        self.heads(nodes, &LONE_WOLF, "a book");
        for node in nodes {
            match node.name().value() {
                "items" => self.items(node),
                "flags" => self.flag_names(node),
                "counter" => self.counter_name(node),
                "reading" => self.reading_node(node),
                _ => {}
            }
        }
        let title = self.title(nodes);
        let start = self.only(nodes, "start", "start 1").and_then(|node| self.section_argument(node));
        let goals: Vec<SectionNumber> = match self.only(nodes, "goal", "goal 350") {
            Some(node) => {
                self.shape(node, 1..=usize::MAX, &[], false, "`goal 350`");
                arguments(node).filter_map(|entry| self.section_number(entry)).collect()
            }
            None => Vec::new(),
        };
        let mut table = None;
        for node in nodes.iter().filter(|node| node.name().value() == "combat-table") {
            let own = self.table(node);
            if table.replace(own).is_some() {
                self.error(name_span(node), "`combat-table` stands here for the second time", "keep one");
            }
        }
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
            making: std::mem::take(&mut self.making),
            items: std::mem::take(&mut self.items),
            flags: std::mem::take(&mut self.flags),
            counters: std::mem::take(&mut self.counters),
            kai: KaiRules { table: table.unwrap_or_else(|| rules.table.clone()), ..rules },
            on_enter,
            sections,
            readings: std::mem::take(&mut self.readings),
            policies: std::mem::take(&mut self.policies),
            system: None,
        };
        if hero_is_read && let Err(error) = book.hero.check(&book) {
            self.error(
                hero_span,
                format!("this hero cannot set out: {error}"),
                "he is the hero when nobody says otherwise",
            );
        }
        match layout(&book, &book.hero) {
            Ok(_) => crate::check::gaps(&book, &mut self.problems, budget)?,
            Err(error) => {
                let last = self.declared.values().max_by_key(|span| span.start).cloned().unwrap_or(0..0);
                self.error(last, error.to_string(), "declare fewer, or counters with a smaller maximum");
            }
        }
        // What could not be read may be where a name is used.
        if self.problems.errors() == 0 {
            self.unused(&book);
        }
        Ok(Some(book))
    }

    /// Sections that are named somewhere are there.
    fn targets_exist(&mut self, sections: &BTreeMap<SectionNumber, Section>) {
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

    /// The node that must stand at the head once.
    fn only<'n>(&mut self, nodes: &'n [KdlNode], name: &str, usage: &str) -> Option<&'n KdlNode> {
        let mut found = nodes.iter().filter(|node| node.name().value() == name);
        let first = found.next();
        if first.is_none() && !self.missing.head {
            self.error(0..0, format!("the head of the book has no `{name}`"), format!("write `{usage}`"));
        }
        for again in found {
            self.error(name_span(again), format!("`{name}` stands here for the second time"), "keep one");
        }
        first
    }

    fn title(&mut self, nodes: &[KdlNode]) -> Option<String> {
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
    fn format(&mut self, node: &KdlNode) {
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

    fn section_number(&mut self, entry: &KdlEntry) -> Option<SectionNumber> {
        if self.is_system() && entry.value().as_string().is_some() {
            return self.named_section(entry);
        }
        let number: SectionNumber = integer(&mut self.problems, entry, 1..=LAST_SECTION, "the number of a section")?;
        self.targets.push((number, entry_span(entry)));
        Some(number)
    }

    fn section_argument(&mut self, node: &KdlNode) -> Option<SectionNumber> {
        let usage = format!("`{} 12`", node.name().value());
        if !self.shape(node, 1..=1, &[], false, &usage) {
            return None;
        }
        arguments(node).next().and_then(|entry| self.section_number(entry))
    }

    fn declare(&mut self, name: &str, span: Range<usize>) -> bool {
        if !self.well_formed(name, &span) {
            return false;
        }
        if RESERVED.contains(&name) {
            self.error(span, format!("`{name}` has a meaning already"), "choose another name");
            return false;
        }
        if self.declared.contains_key(name) {
            self.error(span, format!("`{name}` is declared twice"), "keep one, or choose another name");
            return false;
        }
        if self.declared.len() >= MOST_NAMES {
            self.error(span, format!("more than {MOST_NAMES} names are declared"), "declare fewer");
            return false;
        }
        self.declared.insert(name.into(), span);
        true
    }

    fn items(&mut self, list: &KdlNode) {
        const KINDS: [&str; 4] = ["weapon", "backpack-item", "special", "container"];
        self.shape(list, 0..=0, &[], true, "`items { ... }`");
        for node in children(list) {
            let kind = match node.name().value() {
                "weapon" => Kind::Weapon,
                "backpack-item" => Kind::Backpack,
                "special" => Kind::Special,
                "container" => Kind::Container,
                other => {
                    let help =
                        did_you_mean(other, KINDS).unwrap_or_else(|| format!("an item is a {}", KINDS.join(", ")));
                    self.error(name_span(node), format!("`{}` is no kind of item", shown_name(other)), help);
                    continue;
                }
            };
            self.item(node, kind);
        }
        let weapons: Vec<String> =
            self.items.iter().filter(|item| item.weapon.is_some()).map(|item| item.name.clone()).collect();
        for node in children(list).iter().filter(|node| node.name().value() == "weapon") {
            for other in children(node).iter().flat_map(arguments) {
                let name = other.value().as_string().unwrap_or_default();
                if !weapons.iter().any(|weapon| weapon == name) {
                    let help = did_you_mean(name, weapons.iter().map(String::as_str))
                        .unwrap_or_else(|| "name a weapon of this list".into());
                    self.error(entry_span(other), format!("`{}` is not the name of a weapon", shown(other)), help);
                }
            }
        }
        let containers: Vec<&Item> = self.items.iter().filter(|item| item.kind == Kind::Container).collect();
        if let Some(second) = containers.get(1) {
            let span = second.span.clone();
            self.error(span, "a second container", "one at most can be declared");
        }
    }

    fn item(&mut self, node: &KdlNode, kind: Kind) {
        let (properties, usage): (&[&str], &str) = match kind {
            Kind::Weapon => (
                &["bonus", "doubles-undead", "special"],
                "`weapon NAME bonus=8 doubles-undead=#true special=#true { as OTHER; }`",
            ),
            Kind::Backpack => (&["food", "heals", "when"], "`backpack-item NAME food=#true heals=4 when=after-combat`"),
            Kind::Special => (&["combat-skill", "endurance"], "`special NAME combat-skill=2 endurance=4`"),
            Kind::Container => (&["holds"], "`container NAME holds=8`"),
        };
        self.shape(node, 1..=1, properties, kind == Kind::Weapon, usage);
        let Some(entry) = arguments(node).next() else { return };
        let Some(name) = string(&mut self.problems, entry, "the name of an item") else { return };
        if !self.declare(name, entry_span(entry)) {
            return;
        }
        let backpack = if kind == Kind::Container { self.kai().backpack } else { 0 };
        let problems = &mut self.problems;
        let bonus = integer_property(problems, node, "bonus", -20..=20).unwrap_or(0);
        let combat_skill = integer_property(problems, node, "combat-skill", -20..=20).unwrap_or(0);
        let endurance = integer_property(problems, node, "endurance", 0..=50).unwrap_or(0);
        let heals = integer_property(problems, node, "heals", 1..=99).unwrap_or(0);
        let holds = integer_property(problems, node, "holds", 1..=15).unwrap_or(backpack);
        let food = flag(problems, node, "food");
        let weapon = (kind == Kind::Weapon).then(|| Weapon {
            bonus,
            counts_as: children(node)
                .iter()
                .flat_map(arguments)
                .filter_map(|other| other.value().as_string().map(String::from))
                .collect(),
            doubles_undead: flag(&mut self.problems, node, "doubles-undead"),
        });
        for child in children(node) {
            if child.name().value() == "as" {
                self.shape(child, 1..=usize::MAX, &[], false, "`as sword broadsword`");
            } else {
                self.error(
                    name_span(child),
                    format!("`{}` means nothing here", shown_name(child.name().value())),
                    "write `as OTHER`",
                );
            }
        }
        let special = kind == Kind::Weapon && flag(&mut self.problems, node, "special");
        let when = match property(node, "when").map(|entry| (entry, entry.value().as_string())) {
            None | Some((_, Some("after-combat"))) => When::AfterCombat,
            Some((_, Some("on-entering"))) => When::OnEntering,
            Some((_, Some("any-time"))) => When::AnyTime,
            Some((_, Some("since-combat"))) => When::SinceCombat,
            Some((entry, _)) => {
                self.error(
                    entry_span(entry),
                    format!("`{}` is no time", shown(entry)),
                    "write when=after-combat, on-entering, any-time or since-combat",
                );
                When::AfterCombat
            }
        };
        if heals == 0
            && !food
            && let Some(entry) = property(node, "when")
        {
            self.error(entry_span(entry), "`when` without `heals`", "say how much it heals: heals=4");
        }
        self.items.push(Item {
            name: name.into(),
            kind: if special { Kind::Special } else { kind },
            weapon,
            food,
            heals: (heals > 0).then_some((heals, when)),
            combat_skill,
            endurance,
            holds,
            span: entry_span(entry),
        });
    }

    fn flag_names(&mut self, node: &KdlNode) {
        self.shape(node, 1..=usize::MAX, &[], false, "`flags NAME NAME`");
        for entry in arguments(node) {
            if let Some(name) = string(&mut self.problems, entry, "the name of a flag")
                && self.declare(name, entry_span(entry))
            {
                self.flags.push(name.into());
            }
        }
    }

    fn counter_name(&mut self, node: &KdlNode) {
        self.shape(node, 1..=1, &["max"], false, "`counter NAME max=50`");
        let Some(entry) = arguments(node).next() else { return };
        let Some(name) = string(&mut self.problems, entry, "the name of a counter") else { return };
        if property(node, "max").is_none() {
            self.error(name_span(node), "the largest value of the counter is missing", "write max=50");
        }
        let max = integer_property(&mut self.problems, node, "max", 1..=255).unwrap_or(1);
        if self.declare(name, entry_span(entry)) {
            self.counters.push(Counter { name: name.into(), max });
        }
    }

    fn hero(&mut self, node: &KdlNode) -> (Vec<(ItemId, u8)>, usize, Hero) {
        const PARTS: [&str; 9] =
            ["combat-skill", "endurance", "learns", "disciplines", "gold", "fixed", "items", "rolled", "choose"];
        self.shape(node, 0..=0, &[], true, "`hero { combat-skill 15; endurance 25; ... }`");
        let rules = self.kai().clone();
        let mut hero = Hero {
            combat_skill: rules.combat_skill.start,
            endurance: u8::try_from(rules.endurance.start).unwrap_or(u8::MAX),
            ..Hero::default()
        };
        let mut fixed = Vec::new();
        let mut learns = rules.learns;
        for child in children(node) {
            let name = child.name().value();
            let first = arguments(child).next();
            match name {
                "combat-skill" | "endurance" | "learns" | "gold" => {
                    let wide = |own: RangeInclusive<i32>| i64::from(*own.start())..=i64::from(*own.end());
                    let (range, usage) = match name {
                        "combat-skill" => (wide(rules.combat_skills()), "`combat-skill 15`"),
                        "endurance" => (wide(rules.endurances()), "`endurance 25`"),
                        "learns" => (0..=10, "`learns 5`"),
                        _ => (0..=rules.most_gold.into(), "`gold 15`"),
                    };
                    if !self.shape(child, 1..=1, &[], false, usage) {
                        continue;
                    }
                    let what = format!("`{name}`");
                    let number = first.and_then(|entry| integer::<u8>(&mut self.problems, entry, range, &what));
                    let Some(number) = number else { continue };
                    match name {
                        "combat-skill" => hero.combat_skill = number.into(),
                        "endurance" => hero.endurance = number,
                        "learns" => learns = number.into(),
                        _ => hero.gold = number,
                    }
                }
                "disciplines" => self.hero_disciplines(child, &mut hero),
                "rolled" | "choose" => self.making_node(child),
                "fixed" | "items" => {
                    let things = self.counted_items(child);
                    if name == "fixed" { fixed = things } else { hero.items = things }
                }
                _ => {
                    let help = did_you_mean(name, PARTS).unwrap_or_else(|| format!("a hero has {}", PARTS.join(", ")));
                    self.error(name_span(child), format!("`{}` is nothing that a hero has", shown_name(name)), help);
                }
            }
        }
        (fixed, learns, hero)
    }

    fn hero_disciplines(&mut self, node: &KdlNode, hero: &mut Hero) {
        for entry in node.entries() {
            let text = entry.value().as_string().unwrap_or_default();
            if let Some(name) = entry.name() {
                if name.value() != "weaponskill" {
                    self.error(
                        entry_span(entry),
                        format!("`{}` is a discipline without a weapon", name.value()),
                        "only weaponskill=WEAPON names one",
                    );
                    continue;
                }
                if !self.items.iter().any(|item| item.weapon.is_some() && item.name == text) {
                    self.error(entry_span(entry), format!("`{}` is no weapon", shown(entry)), "name a declared weapon");
                }
                hero.disciplines.push(Discipline::Weaponskill);
                hero.weaponskill = Some(text.into());
                continue;
            }
            match text.parse::<Discipline>() {
                Ok(Discipline::Weaponskill) => {
                    self.error(entry_span(entry), "weaponskill in which weapon?", "write weaponskill=sword");
                }
                Ok(discipline) => hero.disciplines.push(discipline),
                Err(message) => self.error(entry_span(entry), message, "name disciplines of this list"),
            }
        }
    }

    /// `seal meal=2`
    fn counted_items(&mut self, node: &KdlNode) -> Vec<(ItemId, u8)> {
        let mut things = Vec::new();
        for entry in node.entries() {
            let (name, count) = match entry.name() {
                Some(name) => {
                    let count = integer(&mut self.problems, entry, 1..=15, "the number of an item");
                    (name.value().to_string(), count.unwrap_or(1))
                }
                None => (entry.value().as_string().unwrap_or_default().to_string(), 1),
            };
            if let Some(item) = self.item_name(&name, entry_span(entry)) {
                things.push((item, count));
            }
        }
        things
    }

    fn item_name(&mut self, name: &str, span: Range<usize>) -> Option<ItemId> {
        let found = self.item_place(name);
        if found.is_none() && !self.missing.head {
            let help = did_you_mean(name, self.items.iter().map(|item| item.name.as_str()))
                .unwrap_or_else(|| "declare it under `items`".into());
            let name = shown_name(name);
            self.error(span, format!("`{name}` is not the name of an item"), help);
        }
        found
    }

    fn item_place(&self, name: &str) -> Option<ItemId> {
        Names::item(self, name)
    }

    fn sections(
        &mut self,
        nodes: &[KdlNode],
        budget: &Budget<'_>,
    ) -> Result<BTreeMap<SectionNumber, Section>, Stopped> {
        let mut sections: BTreeMap<SectionNumber, Section> = BTreeMap::new();
        for node in nodes.iter().filter(|node| node.name().value() == "section") {
            if self.problems.is_full() {
                break;
            }
            syntax::say(budget, name_span(node).start, self.text.len())?;
            self.shape(node, 1..=1, &[], true, "`section 12 { ... }`");
            let Some(entry) = arguments(node).next() else { continue };
            let number = if self.is_system() && entry.value().as_string().is_some() {
                self.named_section(entry).map(i64::from)
            } else {
                integer(&mut self.problems, entry, 1..=LAST_SECTION, "the number of a section")
            };
            let Some(number) = number else { continue };
            self.locals.clear();
            self.contest.clear();
            self.known_numbers.clear();
            self.chosen.clear();
            self.local_ranges.clear();
            self.loops.clear();
            let before = self.problems.errors();
            self.fought = false;
            let body = self.body(children(node));
            let section = Section { body, locals: std::mem::take(&mut self.locals), span: entry_span(entry) };
            if self.problems.errors() == before && !self.missing.around(section.span.start) {
                self.endings(&section);
                // The names of a system of rules mean something in their blocks only.
                if !self.is_system() {
                    self.unbound(&section);
                }
            }
            let Ok(own) = SectionNumber::try_from(number) else { continue };
            if sections.insert(own, section).is_some() {
                self.error(entry_span(entry), format!("section {number} stands here twice"), "keep one");
            }
        }
        Ok(sections)
    }

    fn only_effects(&mut self, nodes: &[Node]) {
        for node in nodes {
            match &node.kind {
                NodeKind::If(branches, otherwise) => {
                    for (_, body, _) in branches {
                        self.only_effects(body);
                    }
                    self.only_effects(otherwise);
                }
                NodeKind::Endurance(_)
                | NodeKind::Restore { .. }
                | NodeKind::Lose(..)
                | NodeKind::LoseAll { .. }
                | NodeKind::Flag(..)
                | NodeKind::Counter(..) => {}
                _ => self.error(
                    node.span.clone(),
                    "only effects without a question may stand in `on-enter`",
                    "endurance, lose, lose-all, set, clear and if are possible",
                ),
            }
        }
    }
}

/// What can stand in a section.
const NODES: [&str; 27] = [
    "endurance",
    "gain",
    "lose",
    "lose-all",
    "give-up",
    "set",
    "clear",
    "eat",
    "goto",
    "if",
    "else-if",
    "else",
    "choice",
    "death",
    "victory",
    "pick",
    "take",
    "shop",
    "repeat",
    "again",
    "fight",
    "one-round",
    "require",
    "when",
    "evade",
    "enemy",
    "todo",
];

impl Reader<'_> {
    fn body(&mut self, nodes: &[KdlNode]) -> Vec<Node> {
        if self.is_system() { self.within(|reader| reader.body_here(nodes)) } else { self.body_here(nodes) }
    }

    /// The same where names that are bound in it mean something after it, too.
    fn body_here(&mut self, nodes: &[KdlNode]) -> Vec<Node> {
        let mut body: Vec<Node> = Vec::new();
        let mut place = 0;
        while place < nodes.len() && !self.problems.is_full() {
            let node = &nodes[place];
            place += 1;
            let span = name_span(node);
            if let Some(last) = body.last()
                && endings::leaves(&last.kind)
            {
                self.error(span.clone(), "this is never reached", "the node before it leaves the section");
            }
            let kind = match node.name().value() {
                "if" => {
                    let chain = nodes[place..]
                        .iter()
                        .take_while(|next| matches!(next.name().value(), "else-if" | "else"))
                        .count();
                    let kind = self.branches(&nodes[place - 1..place + chain]);
                    place += chain;
                    Some(kind)
                }
                "choice" => {
                    let more = nodes[place..].iter().take_while(|next| next.name().value() == "choice").count();
                    let choices = nodes[place - 1..place + more].iter().map(|choice| self.choice(choice)).collect();
                    place += more;
                    Some(NodeKind::Choices(choices))
                }
                _ if self.is_system() => self.step(node),
                _ => self.node(node),
            };
            if let Some(kind) = kind {
                body.push(Node { kind, span });
            }
        }
        body
    }

    fn branches(&mut self, nodes: &[KdlNode]) -> NodeKind {
        let mut branches = Vec::new();
        let mut otherwise = None;
        let fought = self.fought;
        let mut fought_somewhere = fought;
        for node in nodes {
            self.fought = fought;
            if otherwise.is_some() {
                self.error(name_span(node), "a branch after `else`", "put `else` last");
            }
            let is_else_if = arguments(node).next().is_some_and(|entry| entry.value().as_string() == Some("if"));
            if node.name().value() == "else" && is_else_if {
                self.error(name_span(node), "`else if` is one word", "write `else-if \"condition\" { ... }`");
            } else if node.name().value() == "else" {
                self.shape(node, 0..=0, &[], true, "`else { ... }`");
                otherwise = Some(self.body(children(node)));
            } else {
                let span = arguments(node).next().map_or_else(|| name_span(node), entry_span);
                let usage = format!("`{} \"condition\" {{ ... }}`", node.name().value());
                let condition = self.condition_of(node, true, &usage);
                let body = self.body(children(node));
                branches.push((condition.unwrap_or(Condition::Constant(true)), body, span));
            }
            fought_somewhere |= self.fought;
        }
        self.fought = fought_somewhere;
        NodeKind::If(branches, otherwise.unwrap_or_default())
    }

    /// The condition of a node that has nothing else before its braces.
    fn condition_of(&mut self, node: &KdlNode, has_braces: bool, usage: &str) -> Option<Condition> {
        let entries = node.entries();
        let text = match (entries.first(), entries.last()) {
            (Some(first), Some(last)) if entries.len() > 1 => {
                let span = entry_span(first).start..entry_span(last).end;
                self.text.get(span.clone()).map(|text| (text, span))
            }
            _ => None,
        };
        if let Some((text, span)) = text.filter(|(text, _)| !text.contains(['"', '\n'])) {
            let braces = if has_braces { " { ... }" } else { "" };
            let help = format!("write `{} \"{}\"{braces}`", node.name().value(), shown_name(text.trim()));
            self.error(span, "a condition stands in quotes", help);
            return None;
        }
        self.shape(node, 1..=1, &[], has_braces, usage);
        arguments(node).next().and_then(|entry| self.condition(entry))
    }

    /// Where an expression error lies in the file.
    fn inside(&self, entry: &KdlEntry, at: &Range<usize>) -> Range<usize> {
        let whole = entry_span(entry);
        let Some(source) = self.text.get(whole.clone()) else { return whole };
        let text = entry.value().as_string().unwrap_or_default();
        // A plain quoted string: what lies in the value lies in the file.
        match source.find('"') {
            Some(quote) if source.get(quote + 1..quote + 1 + text.len()) == Some(text) => {
                let start = whole.start + quote + 1;
                start + at.start..start + at.end.max(at.start)
            }
            _ => whole,
        }
    }

    /// Sums of a contest mean something within its pick only.
    fn not_of_a_contest(&mut self, entry: &KdlEntry, locals: &[usize]) -> bool {
        let Some(local) = locals.iter().find(|local| self.contest.contains(local)) else { return true };
        let name = self.locals[*local].clone();
        self.error(
            entry_span(entry),
            format!("`{name}` is a sum of a contest: only its own pick can ask for it"),
            "a pick of one sum, `pick as=NAME`, keeps its total until the section is left",
        );
        false
    }

    fn condition(&mut self, entry: &KdlEntry) -> Option<Condition> {
        let text = string(&mut self.problems, entry, "a condition")?;
        let read = expression::condition(text, self);
        match read {
            Ok(condition) => {
                if !self.fought && !self.is_system() && mentions_fight(&condition) {
                    self.error(
                        entry_span(entry),
                        "there is no fight before this in the section",
                        "`rounds` and `wounded` speak of the last fight",
                    );
                }
                let (mut locals, mut compared) = (Vec::new(), Vec::new());
                condition.visit_numbers(&mut |number| locals.extend(local_of(number)));
                if self.is_system() {
                    return Some(condition);
                }
                condition.visit(&mut |part| {
                    if let Condition::Compare(_, left, right) = part {
                        compared.extend([left.clone(), right.clone()]);
                    }
                });
                for number in compared {
                    self.range(entry, &number)?;
                }
                self.not_of_a_contest(entry, &locals).then_some(condition)
            }
            Err(wrong) => self.wrong(entry, wrong),
        }
    }

    /// What is wrong in an expression.
    fn wrong<T>(&mut self, entry: &KdlEntry, wrong: Wrong) -> Option<T> {
        if !wrong.unknown || !self.missing.head {
            let problem = Problem::error(self.inside(entry, &wrong.at), wrong.message);
            self.problems.push(Problem { help: wrong.help, ..problem });
        }
        None
    }

    fn number(&mut self, entry: &KdlEntry) -> Option<Number> {
        if entry.value().as_integer().is_some() {
            let most = if self.is_system() { 9999 } else { 1000 };
            return integer(&mut self.problems, entry, -most..=most, "this").map(Number::Constant);
        }
        let text = string(&mut self.problems, entry, "a number that depends on the game")?;
        match expression::number(text, self) {
            Ok(number) if self.is_system() => Some(number),
            Ok(number) => {
                let mut locals = Vec::new();
                number.visit(&mut |number| locals.extend(local_of(number)));
                self.range(entry, &number)?;
                self.not_of_a_contest(entry, &locals).then_some(number)
            }
            Err(wrong) => self.wrong(entry, wrong),
        }
    }

    fn local(&mut self, name: &str, span: Range<usize>) -> Option<usize> {
        if let Some(place) = Names::local(self, name) {
            if self.chosen.iter().any(|(chosen, _)| *chosen == place) {
                self.error(span, format!("`{name}` is the number of a choice around this"), "choose another name");
                return None;
            }
            self.contest.retain(|other| *other != place);
            return Some(place);
        }
        if self.locals.len() >= MOST_LOCALS {
            self.error(span, format!("more than {MOST_LOCALS} names are bound in this section"), "use names again");
            return None;
        }
        if self.declared.contains_key(name) {
            self.error(span, format!("`{name}` is declared at the head of the book"), "choose another name");
            return None;
        }
        let before = self.problems.len();
        // A local name must be well formed, but is not declared for the whole book.
        if self.declare(name, span) {
            self.declared.remove(name);
            self.locals.push(name.into());
        }
        (self.problems.len() == before).then(|| self.locals.len() - 1)
    }

    fn thing(&mut self, entry: &KdlEntry) -> Option<Thing> {
        let name = string(&mut self.problems, entry, "gold or an item")?;
        if name == "gold" {
            return Some(Thing::Gold);
        }
        self.item_name(name, entry_span(entry)).map(Thing::Item)
    }

    fn choice(&mut self, node: &KdlNode) -> Choice {
        if self.is_system() { self.within(|reader| reader.choice_here(node)) } else { self.choice_here(node) }
    }

    fn choice_here(&mut self, node: &KdlNode) -> Choice {
        const USAGE: &str = "`choice \"label\" { require \"condition\"; ...; goto 12; }`";
        self.shape(node, 0..=1, &["each", "from", "to"], true, USAGE);
        let label = arguments(node)
            .next()
            .and_then(|entry| string(&mut self.problems, entry, "the label of a choice").map(String::from))
            .unwrap_or_default();
        let each = property(node, "each").and_then(|entry| {
            let name = string(&mut self.problems, entry, "the name of a number")?;
            let bounds = ["from", "to"].map(|bound| match property(node, bound) {
                Some(entry) => {
                    let number = self.number(entry)?;
                    let range = if self.is_system() { (0, 0) } else { self.range(entry, &number)? };
                    Some((number, range))
                }
                None => {
                    self.error(name_span(node), format!("`each` without `{bound}`"), "write each=n from=0 to=9");
                    None
                }
            });
            let local = if self.is_system() { self.each_name(entry)? } else { self.local(name, entry_span(entry))? };
            let [Some((from, least)), Some((to, most))] = bounds else { return None };
            let range = (least.0, most.1);
            if !self.is_system() && !ranges::fits(range) {
                let (least, most) = (LOCAL_NUMBERS.start(), LOCAL_NUMBERS.end());
                let help = format!("{least} to {most} are possible: say it with min(..., {most}) or max(..., {least})");
                self.error(entry_span(entry), format!("a choice of numbers from {} to {}", range.0, range.1), help);
            }
            if !self.is_system() {
                self.bind(local, range);
            }
            Some((local, from, to, range))
        });
        if property(node, "each").is_none()
            && let Some(bound) = property(node, "from").or_else(|| property(node, "to"))
        {
            self.error(entry_span(bound), "a bound without `each`", "write each=n from=0 to=9");
        }
        let fought = self.fought;
        let (require, nodes) = self.required(children(node));
        let known = self.known_numbers.len();
        if let Some((local, Number::Constant(from), Number::Constant(to), _)) = &each
            && to.saturating_sub(*from) < MOST_KNOWN
        {
            self.known_numbers.push(*local);
        }
        let chosen = self.chosen.len();
        self.chosen.extend(each.iter().map(|(local, _, _, range)| (*local, *range)));
        let body = self.body(nodes);
        self.chosen.truncate(chosen);
        self.known_numbers.truncate(known);
        let each = each.map(|(local, from, to, _)| (local, from, to));
        self.fought |= fought;
        Choice { label, require, each, body, span: name_span(node) }
    }

    fn kind(&mut self, entry: &KdlEntry) -> Option<Kind> {
        match entry.value().as_string() {
            Some("weapons") => Some(Kind::Weapon),
            Some("backpack-items") => Some(Kind::Backpack),
            Some("special") => Some(Kind::Special),
            Some("container") => Some(Kind::Container),
            _ => {
                self.error(
                    entry_span(entry),
                    format!("`{}` is no kind of thing", shown(entry)),
                    "there are weapons, backpack-items, special, container and gold",
                );
                None
            }
        }
    }

    fn node(&mut self, node: &KdlNode) -> Option<NodeKind> {
        let name = node.name().value();
        let first = arguments(node).next();
        match name {
            "endurance" => {
                self.shape(node, 1..=1, &[], false, "`endurance -5`, `endurance full` or `endurance half`");
                match first?.value().as_string() {
                    Some("full") => Some(NodeKind::Restore { half: false }),
                    Some("half") => Some(NodeKind::Restore { half: true }),
                    _ => Some(NodeKind::Endurance(self.number(first?)?)),
                }
            }
            "gain" => {
                self.shape(node, 1..=2, &[], false, "`gain gold 6` or `gain seal`");
                let thing = self.thing(first?)?;
                let count = self.second_number(node)?;
                self.sensible_count(node, thing, &count);
                Some(NodeKind::Gain(thing, count))
            }
            "lose" => {
                self.shape(node, 1..=2, &[], false, "`lose gold 6`, `lose gold all` or `lose seal`");
                let thing = self.thing(first?)?;
                let all = arguments(node).nth(1).is_some_and(|entry| entry.value().as_string() == Some("all"));
                let count = if all { None } else { Some(self.second_number(node)?) };
                if let (Some(Number::Constant(number @ ..=0)), Some(entry)) = (&count, arguments(node).nth(1)) {
                    let what = format!("{number} lost");
                    if *number < 0 {
                        self.error(entry_span(entry), what, "write how many are lost, or `gain` what is got");
                    } else {
                        self.warning(entry_span(entry), what, "write how many are lost, or leave it out");
                    }
                }
                Some(NodeKind::Lose(thing, count))
            }
            "lose-all" => self.lose_all(node),
            "give-up" => {
                self.shape(node, 2..=2, &["by"], false, "`give-up backpack-items 2 by=chance`");
                let kind = self.kind(first?)?;
                if !matches!(kind, Kind::Weapon | Kind::Backpack) {
                    self.error(entry_span(first?), "only weapons and backpack-items can be given up", "use lose");
                }
                let count = integer(&mut self.problems, arguments(node).nth(1)?, 1..=15, "how many")?;
                let by_chance = match property(node, "by").map(|entry| (entry, entry.value().as_string())) {
                    None | Some((_, Some("player"))) => false,
                    Some((_, Some("chance"))) => true,
                    Some((entry, _)) => {
                        self.error(
                            entry_span(entry),
                            format!("`{}` decides nothing", shown(entry)),
                            "write by=player or by=chance",
                        );
                        false
                    }
                };
                Some(NodeKind::GiveUp { kind, count, by_chance })
            }
            "set" => self.set(node),
            "clear" => {
                self.shape(node, 1..=1, &[], false, "`clear FLAG`");
                let name = string(&mut self.problems, first?, "the name of a flag")?;
                match Names::flag(self, name) {
                    Some(flag) => Some(NodeKind::Flag(flag, false)),
                    None => self.no_such(first?, "a flag"),
                }
            }
            "eat" => {
                self.shape(node, 0..=0, &["hunting", "optional"], false, "`eat` or `eat hunting=#false`");
                let hunting = flag_or(&mut self.problems, node, "hunting", true);
                Some(NodeKind::Eat { hunting, optional: flag(&mut self.problems, node, "optional") })
            }
            "goto" => self.section_argument(node).map(NodeKind::Goto),
            "death" => {
                self.shape(node, 0..=1, &[], false, "`death \"label\"`");
                let label = first.and_then(|entry| string(&mut self.problems, entry, "the label"));
                Some(NodeKind::Death(label.unwrap_or_default().into()))
            }
            "victory" => {
                self.shape(node, 0..=0, &[], false, "`victory`");
                Some(NodeKind::Victory)
            }
            "pick" => Some(self.pick(node)),
            "take" => Some(self.take(node)),
            "shop" => Some(self.shop(node)),
            "repeat" | "again" => self.loop_node(node),
            "fight" | "one-round" => self.fight(node),
            "todo" => self.todo(node),
            "else-if" | "else" => {
                self.error(name_span(node), format!("`{name}` without `if` before it"), "put it right after an `if`");
                None
            }
            "require" => {
                self.error(name_span(node), "`require` stands at the beginning of a choice only", "use `if`");
                None
            }
            _ => {
                self.means_nothing(node);
                None
            }
        }
    }

    /// A node that cannot stand in a section.
    fn means_nothing(&mut self, node: &KdlNode) {
        let name = node.name().value();
        let is_number = |name: &str| name == "gold" || self.item_place(name).is_some();
        let help = if is_number(name) {
            let what = source(self.text, node);
            match what.strip_prefix('-') {
                Some(less) => format!("write `lose {name} {}`", less.trim_start()),
                None => format!("write `gain {name} {}`", what.trim_start_matches(['+', '=']).trim_start()),
            }
        } else if Names::counter(self, name).is_some() {
            format!("write `set {name} \"{name} + 1\"`")
        } else if Names::flag(self, name).is_some() {
            format!("write `set {name}`")
        } else {
            elsewhere::in_lone_wolf(name)
                .or_else(|| did_you_mean(name, NODES))
                .unwrap_or_else(|| "see docs/book-language.md for what a section can say".into())
        };
        self.error(name_span(node), format!("`{}` means nothing here", shown_name(name)), help);
    }

    /// A loop, or the way back to its beginning.
    fn loop_node(&mut self, node: &KdlNode) -> Option<NodeKind> {
        let first = arguments(node).next();
        match node.name().value() {
            "repeat" => {
                self.shape(node, 1..=1, &[], true, "`repeat NAME { ...; again NAME; }`");
                let name = string(&mut self.problems, first?, "the name of a loop")?;
                self.loops.push(name.into());
                let body = self.body(children(node));
                self.loops.pop();
                Some(NodeKind::Repeat(body))
            }
            _ => {
                self.shape(node, 1..=1, &[], false, "`again NAME`");
                let name = string(&mut self.problems, first?, "the name of a loop")?;
                match self.loops.iter().rev().position(|around| around == name) {
                    Some(depth) => Some(NodeKind::Again(depth)),
                    None => {
                        let loops = self.loops.clone();
                        let help = did_you_mean(name, loops.iter().map(String::as_str))
                            .unwrap_or_else(|| "put it into `repeat NAME { ... }`".into());
                        let name = shown_name(name);
                        self.error(entry_span(first?), format!("this stands in no loop `{name}`"), help);
                        None
                    }
                }
            }
        }
    }

    /// What a person has still to look at: nothing happens, but it is told.
    fn todo(&mut self, node: &KdlNode) -> Option<NodeKind> {
        self.shape(node, 1..=1, &[], false, "`todo \"what is missing\"`");
        let what = string(&mut self.problems, arguments(node).next()?, "what is missing")?;
        let message = format!("to do: {}", shown_name(what));
        self.warning(name_span(node), message, "look at the section, write what happens, and take this away");
        None
    }

    fn no_such<T>(&mut self, entry: &KdlEntry, what: &str) -> Option<T> {
        if self.missing.head {
            return None;
        }
        let name = entry.value().as_string().unwrap_or_default().to_string();
        let known = self.known();
        let help = did_you_mean(&name, known.iter().map(String::as_str))
            .unwrap_or_else(|| "declare it at the head of the book".into());
        self.error(entry_span(entry), format!("`{}` is not the name of {what}", shown(entry)), help);
        None
    }

    /// Something is got, and no more of it than can be had.
    fn sensible_count(&mut self, node: &KdlNode, thing: Thing, count: &Number) {
        let Number::Constant(count) = count else { return };
        let Some(entry) = arguments(node).last() else { return };
        let once =
            matches!(thing, Thing::Item(item) if matches!(self.items[item].kind, Kind::Special | Kind::Container));
        if *count < 0 {
            self.error(entry_span(entry), format!("{count} got"), "write how many are got, or `lose` what is lost");
        } else if *count == 0 {
            self.warning(entry_span(entry), "0 got", "write how many are got, or leave it out");
        } else if once && *count > 1 {
            self.warning(entry_span(entry), format!("{count} of what can be had once"), "leave the number out");
        }
    }

    /// The second argument; 1 where there is none.
    fn second_number(&mut self, node: &KdlNode) -> Option<Number> {
        match arguments(node).nth(1) {
            Some(entry) => self.number(entry),
            None => Some(Number::Constant(1)),
        }
    }

    fn set(&mut self, node: &KdlNode) -> Option<NodeKind> {
        self.shape(node, 1..=2, &[], false, "`set FLAG` or `set COUNTER 3`");
        let first = arguments(node).next()?;
        let name = string(&mut self.problems, first, "the name of a flag or counter")?;
        if let Some(flag) = Names::flag(self, name) {
            if let Some(second) = arguments(node).nth(1) {
                self.error(entry_span(second), "a flag is only set or cleared", "leave the number out");
            }
            return Some(NodeKind::Flag(flag, true));
        }
        let Some(counter) = Names::counter(self, name) else { return self.no_such(first, "a flag or counter") };
        if arguments(node).nth(1).is_none() {
            self.error(name_span(node), "to which number is the counter set?", format!("write `set {name} 3`"));
        }
        Some(NodeKind::Counter(counter, self.second_number(node)?))
    }

    fn lose_all(&mut self, node: &KdlNode) -> Option<NodeKind> {
        self.shape(
            node,
            1..=usize::MAX,
            &["except"],
            false,
            "`lose-all weapons backpack-items special gold except=\"seal\"`",
        );
        let mut gold = false;
        let mut kinds = Vec::new();
        for entry in arguments(node) {
            if entry.value().as_string() == Some("gold") {
                gold = true;
            } else {
                kinds.push(self.kind(entry)?);
            }
        }
        if kinds.contains(&Kind::Container) {
            kinds.push(Kind::Backpack);
        }
        let mut kept = Vec::new();
        if let Some(entry) = property(node, "except") {
            let names = string(&mut self.problems, entry, "names of items")?.to_string();
            for name in names.split_whitespace() {
                kept.push(self.item_name(name, entry_span(entry))?);
            }
        }
        let items = (0..self.items.len())
            .filter(|item| kinds.contains(&self.items[*item].kind) && !kept.contains(item))
            .collect();
        Some(NodeKind::LoseAll { gold, items })
    }

    fn take(&mut self, node: &KdlNode) -> NodeKind {
        self.shape(node, 0..=0, &["at-most"], true, "`take at-most=2 { sword; meal 3; gold 12; }`");
        let at_most = integer_property(&mut self.problems, node, "at-most", 1..=15);
        let mut lines = Vec::new();
        for line in children(node) {
            self.shape(line, 0..=1, &[], false, "`meal 3`");
            let name = line.name().value().to_string();
            let thing = if name == "gold" {
                Some(Thing::Gold)
            } else {
                self.item_name(&name, name_span(line)).map(Thing::Item)
            };
            let count = match arguments(line).next() {
                Some(entry) => self.number(entry),
                None => Some(Number::Constant(1)),
            };
            if let (Some(thing), Some(count)) = (thing, count) {
                self.sensible_count(line, thing, &count);
                lines.push((thing, count));
            }
        }
        if children(node).is_empty() {
            self.error(name_span(node), "nothing to take", "write what lies there: `take { sword; gold 6; }`");
        }
        NodeKind::Take { at_most, lines }
    }

    fn shop(&mut self, node: &KdlNode) -> NodeKind {
        self.shape(node, 0..=0, &[], true, "`shop { sell sword 3; buy meal 2; }`");
        let mut trades = Vec::new();
        for line in children(node) {
            let buy = match line.name().value() {
                "buy" => true,
                "sell" => false,
                other => {
                    self.error(
                        name_span(line),
                        format!("`{}` means nothing in a shop", shown_name(other)),
                        "write `buy` or `sell`",
                    );
                    continue;
                }
            };
            if !self.shape(line, 2..=2, &["at-most"], false, "`buy meal 2 at-most=1`") {
                continue;
            }
            let mut entries = arguments(line);
            let (Some(name), Some(price)) = (entries.next(), entries.next()) else { continue };
            let item = match self.thing(name) {
                Some(Thing::Item(item)) => item,
                Some(Thing::Gold) => {
                    self.error(entry_span(name), "gold is what everything is paid with", "name an item");
                    continue;
                }
                None => continue,
            };
            let most = self.kai().most_gold.into();
            let price = integer(&mut self.problems, price, 0..=most, "a price in gold");
            let at_most = integer_property(&mut self.problems, line, "at-most", 1..=15);
            if let Some(price) = price {
                if price == 0 && buy && at_most.is_none() && self.items[item].kind == Kind::Backpack {
                    self.error(entry_span(name), "an endless gift", "use `take`, or give a price or at-most");
                }
                trades.push(Trade { item, price, buy, at_most });
            }
        }
        if children(node).is_empty() {
            self.error(name_span(node), "a shop without goods", "write `sell sword 3` or `buy meal 2`");
        }
        NodeKind::Shop(trades)
    }
}

/// What stands after the name of a node, before its braces.
fn source<'t>(text: &'t str, node: &KdlNode) -> &'t str {
    let (Some(first), Some(last)) = (node.entries().first(), node.entries().last()) else { return "" };
    text.get(entry_span(first).start..entry_span(last).end).unwrap_or_default().trim()
}

fn local_of(number: &Number) -> Option<usize> {
    if let Number::Local(local) = number { Some(*local) } else { None }
}

/// Section numbers that a slip of the finger makes of another: two digits changed about, or one too many.
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

fn mentions_fight(condition: &Condition) -> bool {
    fn number(of: &Number) -> bool {
        match of {
            Number::Rounds => true,
            Number::Operation(_, left, right) => number(left) || number(right),
            _ => false,
        }
    }
    match condition {
        Condition::Wounded => true,
        Condition::Compare(_, left, right) => number(left) || number(right),
        Condition::Not(inner) => mentions_fight(inner),
        Condition::And(left, right) | Condition::Or(left, right) => mentions_fight(left) || mentions_fight(right),
        _ => false,
    }
}
