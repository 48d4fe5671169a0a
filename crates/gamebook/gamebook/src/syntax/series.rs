//! Parsing a series of books.

use std::collections::BTreeSet;
use std::ops::Range;

use budget::{Budget, Stopped};
use kdl::KdlNode;

use super::inherited::{Alone, brings, first_words, inherited, plain_item};
use super::kdl::{
    Parsed, arguments, children, entry_span, integer, kdl_lines, name_span, parse_kdl, property, shown, shown_name,
    string,
};
use super::problem::{Problem, Problems, Severity, did_you_mean};
use super::reader::{Elsewhere, Reader};
use super::system::{Beside, Rules};
use super::{Checks, ReadError, read_among};
use crate::book::{
    Book, Discipline, ItemId, Kind, Learns, NodeKind, Section, Series, SeriesBook, Variable, VariableKind, every_node,
};
use crate::terms::SectionNumber;

/// The most books of a series.
const MOST_BOOKS: usize = 100;

/// Why a series could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadSeriesError {
    /// Errors in its own file.
    Series(Problems),
    /// Errors in one of its books.
    Book {
        /// The name of the book in the series.
        name: String,
        /// Its text.
        text: String,
        /// Its errors.
        problems: Problems,
    },
    /// The computation was stopped or reached a limit.
    Stopped(Stopped),
}

impl std::fmt::Display for ReadSeriesError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Series(problems) => write!(f, "{problems}"),
            Self::Book { name, problems, .. } => write!(f, "in {name}: {problems}"),
            Self::Stopped(stopped) => write!(f, "{stopped}"),
        }
    }
}

impl std::error::Error for ReadSeriesError {}

impl From<Stopped> for ReadSeriesError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

/// Whether a text is a series and not a book, by its first word.
pub fn is_series(text: &str) -> bool {
    let mut lines = kdl_lines(text.trim_start_matches('\u{feff}')).map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with("//"));
    first.is_some_and(|line| line.strip_prefix("series").is_some_and(|rest| rest.starts_with([' ', '\t'])))
}

/// Reads a series and each of its books with these checks.
pub(crate) fn read_books(
    text: &str,
    checks: Checks,
    books: &dyn Fn(&str) -> Result<String, String>,
    beside: Beside<'_>,
    budget: &Budget<'_>,
) -> Result<(Series, Vec<Problem>), ReadSeriesError> {
    let Parsed { nodes, problems, missing } = parse_kdl(text, budget)?;
    let mut reader = Reader { text, problems, missing, ..Reader::default() };
    reader.mark.nodes(&nodes);
    reader.heads(&nodes, &["series", "book"], "a series");
    let title = reader.series_title(&nodes);
    let named: Vec<(&KdlNode, String)> =
        nodes.iter().filter(|node| node.name().value() == "book").filter_map(|node| reader.book_name(node)).collect();
    if reader.problems.errors() == 0 && !(2..=MOST_BOOKS).contains(&named.len()) {
        let message = format!("{} books are no series", named.len());
        reader.error(0..0, message, format!("name 2 to {MOST_BOOKS}: `book \"the-first.kdl\"`"));
    }
    let mut texts = Vec::new();
    for (node, name) in &named {
        match books(name) {
            Ok(text) => texts.push(text),
            Err(message) => reader.error(name_span(node), message, "name a built-in book, or a file beside the series"),
        }
    }
    if reader.problems.errors() > 0 {
        return Err(ReadSeriesError::Series(Problems(reader.problems.sorted())));
    }
    // What is remembered cannot be taken in any book.
    let remembered: BTreeSet<String> =
        named.iter().flat_map(|(node, _)| first_words(node, "remember")).map(String::from).collect();
    let mut elsewhere = Elsewhere { remembered, ..Elsewhere::default() };
    let mut alone: Vec<Alone<'_>> = Vec::new();
    for (text, (_, name)) in texts.iter().zip(&named) {
        alone.push(Alone { name, text, book: read_with(text, name, elsewhere.clone(), checks, beside, budget)? });
    }
    elsewhere.variables = reader.shared_variables(&named, &alone);
    for own in &alone {
        reader.mark.number_of(own.book.mark);
    }
    let mut series = Series { title: title.unwrap_or_default(), books: Vec::new(), mark: reader.mark.number() };
    // What the hero can bring into the next book.
    let mut had = BTreeSet::new();
    for (place, (node, name)) in named.iter().enumerate() {
        let rules = |own: &Alone<'_>| own.book.system.as_ref().map(|system| system.name.clone());
        if rules(&alone[place]) != rules(&alone[0]) {
            let message = format!("`{}` has other rules than the first book", shown_name(name));
            reader.error(name_span(node), message, "the hero of a series has the same rules in all books");
            continue;
        }
        let renamed: Vec<&str> = named[place..].iter().flat_map(|(node, _)| first_words(node, "rename")).collect();
        let mut items = inherited(&series.books, &alone, &renamed);
        for name in first_words(node, "remember") {
            if alone[place].book.item(name).is_none() && items.iter().all(|item| item.name != name) {
                items.push(plain_item(name, Kind::Permanent));
            }
        }
        let before = reader.problems.errors();
        reader.one_meaning(node, &alone[..=place], &items, &had);
        if reader.problems.errors() > before {
            continue;
        }
        let book = read_with(&texts[place], name, Elsewhere { items, ..elsewhere.clone() }, checks, beside, budget)?;
        let mut own = reader.between(node, name, book, &series.books);
        own.book.draft += reader.draft();
        reader.todos.clear();
        if let Some(before) = series.books.last() {
            let learned = own.learns.given.len() + own.learns.chosen;
            own.book.learns = own.book.learns.max(before.book.learns + learned);
        }
        brings(&own, place == 0, &mut had);
        series.books.push(own);
    }
    let problems = reader.problems.sorted();
    if problems.iter().any(|problem| problem.severity == Severity::Error) {
        return Err(ReadSeriesError::Series(Problems(problems)));
    }
    Ok((series, problems))
}

/// The nodes in the braces of a book.
const BETWEEN: [&str; 5] = ["learn", "rename", "begin", "sets-out", "remember"];

/// Reads a book whose hero can have items that it does not declare, or that shares the sheet with others.
fn read_with(
    text: &str,
    name: &str,
    elsewhere: Elsewhere,
    checks: Checks,
    beside: Beside<'_>,
    budget: &Budget<'_>,
) -> Result<Book, ReadSeriesError> {
    match read_among(text, elsewhere, checks, beside, budget) {
        Ok((book, _)) => Ok(book),
        Err(ReadError::Problems(problems)) => {
            Err(ReadSeriesError::Book { name: name.into(), text: text.into(), problems })
        }
        Err(ReadError::Stopped(stopped)) => Err(stopped.into()),
    }
}

impl Reader<'_> {
    fn series_title(&mut self, nodes: &[KdlNode]) -> Option<String> {
        const USAGE: &str = "series \"Title\" format=1";
        let mut found = nodes.iter().filter(|node| node.name().value() == "series");
        let Some(node) = found.next() else {
            self.error(0..0, "the file does not say that it is a series", format!("begin with `{USAGE}`"));
            return None;
        };
        for again in found {
            self.error(name_span(again), "`series` occurs a second time", "keep one");
        }
        self.shape(node, 1..=1, &["format"], false, &format!("`{USAGE}`"));
        self.format(node);
        let entry = arguments(node).next()?;
        string(&mut self.problems, entry, "the title of a series").map(String::from)
    }

    fn book_name<'n>(&mut self, node: &'n KdlNode) -> Option<(&'n KdlNode, String)> {
        self.shape(node, 1..=1, &[], true, "`book \"the-second.kdl\" { learn 1; begin { ... }; }`");
        let entry = arguments(node).next()?;
        let name = string(&mut self.problems, entry, "the name of a book")?;
        Some((node, name.into()))
    }

    /// A book with what the series says about learning and events before it.
    fn between(&mut self, node: &KdlNode, name: &str, book: Book, before: &[SeriesBook]) -> SeriesBook {
        let span = name_span(node);
        let mut own = SeriesBook {
            name: name.into(),
            book,
            learns: Learns::default(),
            renamed: Vec::new(),
            remembered: Vec::new(),
            arrival: Section { span: span.clone(), ..Section::default() },
            sets_out: false,
            span,
        };
        let book = &own.book;
        self.items.clone_from(&book.items);
        self.flags.clone_from(&book.flags);
        self.counters.clone_from(&book.counters);
        self.readings.clone_from(&book.readings);
        self.kai = Some(Box::new(book.kai.clone()));
        self.rules = book.system.as_ref().map(|system| {
            let names = book.names.iter().map(|(number, name)| (name.clone(), *number)).collect();
            Box::new(Rules { system: (**system).clone(), names, in_book: true, ..Rules::default() })
        });
        let mut seen: Vec<&str> = Vec::new();
        for child in children(node) {
            let name = child.name().value();
            if !["rename", "remember"].contains(&name) && seen.contains(&name) {
                self.error(name_span(child), format!("`{name}` occurs a second time"), "keep one");
                continue;
            }
            if before.is_empty() && !["remember", "learn"].contains(&name) && BETWEEN.contains(&name) {
                self.error(name_span(child), "nothing comes before the first book", "its hero says how it begins");
                continue;
            }
            match name {
                "remember" => own.remembered.extend(self.remembered(child, &own.book)),
                "learn" => own.learns = self.learns(child),
                "rename" => own.renamed.extend(self.renamed(child, before)),
                "begin" => {
                    self.shape(child, 0..=0, &[], true, "`begin { endurance full; gain gold 5; }`");
                    own.arrival = self.arrival(child);
                }
                "sets-out" => {
                    self.shape(child, 0..=0, &[], false, "`sets-out`");
                    own.sets_out = true;
                }
                other => {
                    let help = did_you_mean(other, BETWEEN)
                        .unwrap_or_else(|| format!("these stand here: {}", BETWEEN.join(", ")));
                    let message = format!("`{}` means nothing between two books", shown_name(other));
                    self.error(name_span(child), message, help);
                    continue;
                }
            }
            seen.push(name);
        }
        self.renamed_once(node, &own.renamed);
        if before.is_empty() && own.learns.chosen > 0 {
            own.book.hero.learns_anew();
        }
        // With the names bound before the book begins.
        own.book.system = self.rules.take().map(|rules| Box::new(rules.system));
        own
    }

    /// What visits to certain sections leave behind.
    fn remembered(&mut self, node: &KdlNode, book: &Book) -> Option<(ItemId, Vec<SectionNumber>)> {
        self.shape(node, 2..=usize::MAX, &[], false, "`remember been-to-town 37 148`");
        let entry = arguments(node).next()?;
        let name = string(&mut self.problems, entry, "the name of what is remembered")?;
        if !self.well_formed(name, &entry_span(entry)) {
            return None;
        }
        let item = match &book.system {
            Some(system) => {
                let is_it = |own: &Variable| own.name == name && !own.vital && own.least == 0 && own.most > 0;
                let found = system.variables.iter().position(is_it);
                if found.is_none() {
                    let help = "what is remembered is a flag, a counter or an item of a later book";
                    self.error(entry_span(entry), format!("no book knows of `{name}`"), help);
                }
                found
            }
            None => {
                let found = book.item(name).filter(|item| book.items[*item].kind == Kind::Permanent);
                if found.is_none() {
                    let help = "what is remembered is something permanent of a later book: `permanent been-to-town`";
                    self.error(entry_span(entry), format!("`{name}` is nothing permanent"), help);
                }
                found
            }
        };
        let sections = arguments(node).skip(1).filter_map(|entry| self.section_number(entry)).collect();
        self.targets_exist(&book.sections);
        Some((item?, sections))
    }

    /// An item of an earlier book with another name in this one.
    fn renamed(&mut self, node: &KdlNode, before: &[SeriesBook]) -> Option<(ItemId, ItemId)> {
        self.shape(node, 2..=2, &[], false, "`rename healing-potion laumspur-potion`");
        if self.is_system() {
            return self.renamed_variable(node, before);
        }
        let last = before.last()?;
        let mut items = Vec::new();
        for (place, entry) in arguments(node).enumerate() {
            let name = string(&mut self.problems, entry, "the name of an item")?;
            let here = self.items.iter().position(|item| item.name == name);
            // The earlier book's name may mean something else here.
            let kind = if place == 0 {
                last.book.item(name).map(|item| last.book.items[item].kind)
            } else {
                here.map(|item| self.items[item].kind)
            };
            match here.zip(kind) {
                Some(item) => items.push(item),
                None => {
                    let known = if place == 0 { &last.book.items } else { &self.items };
                    let help = did_you_mean(name, known.iter().map(|item| item.name.as_str()));
                    let help = help.unwrap_or_else(|| "name an item of a book before, and one of this book".into());
                    self.error(entry_span(entry), format!("no hero has `{}` here", shown_name(name)), help);
                }
            }
        }
        let [(old, kind), (new, other)] = items[..] else { return None };
        if old == new || kind != other {
            self.error(name_span(node), "these are not two names of one thing", "both are items of the same kind");
            return None;
        }
        Some((old, new))
    }

    /// Checks that each name is renamed at most once and without cycles, since items are moved one after the other.
    fn renamed_once(&mut self, node: &KdlNode, renamed: &[(ItemId, ItemId)]) {
        let lines = children(node).iter().filter(|child| child.name().value() == "rename");
        for (line, (old, new)) in lines.zip(renamed) {
            if renamed.iter().filter(|(other, _)| other == old).count() > 1 {
                self.error(name_span(line), "one thing gets two names", "keep one");
                return;
            }
            let mut last = *new;
            for _ in renamed {
                last = renamed.iter().find(|(other, _)| *other == last).map_or(last, |(_, next)| *next);
            }
            if renamed.iter().any(|(other, _)| *other == last) {
                self.error(name_span(line), "names are exchanged", "let one of the things have a new name");
                return;
            }
        }
    }

    /// The same for a variable of a system of rules.
    fn renamed_variable(&mut self, node: &KdlNode, before: &[SeriesBook]) -> Option<(usize, usize)> {
        let mut found = Vec::new();
        for entry in arguments(node) {
            let name = string(&mut self.problems, entry, "the name of something on the sheet")?;
            let own = self.own().system.variables.clone();
            let systems = before.iter().rev().filter_map(|own| own.book.system.as_deref());
            let all = [&own].into_iter().chain(systems.map(|system| &system.variables));
            // It has the same index in each book.
            let mut known = all.flat_map(|own| own.iter().enumerate());
            let own = known.find(|(_, own)| own.name == name && own.kind != VariableKind::Elsewhere);
            let Some((place, own)) = own.map(|(place, own)| (place, own.clone())) else {
                let help = "name something of a book before, and of this book";
                self.error(entry_span(entry), format!("no hero has `{}` here", shown_name(name)), help);
                continue;
            };
            if own.initial.is_some() || own.kind == VariableKind::Initial {
                let help = "stats are called the same in all books";
                self.error(entry_span(entry), format!("`{}` keeps its name", shown_name(name)), help);
                return None;
            }
            found.push((place, own.kind));
        }
        let [(old, kind), (new, other)] = found[..] else { return None };
        if old == new || kind != other {
            self.error(name_span(node), "these are not two names of one thing", "both are of the same kind");
            return None;
        }
        Some((old, new))
    }

    fn learns(&mut self, node: &KdlNode) -> Learns {
        const USAGE: &str = "`learn 1`, `learn hunting` or `learn weaponskill=sword`";
        let mut learns = Learns::default();
        if self.is_system() {
            let help = "change his sheet: `begin { skill.initial 1; skill 1; }`";
            self.error(name_span(node), "who has these rules learns no disciplines", help);
            return learns;
        }
        self.shape(node, 0..=10, &["weaponskill"], false, USAGE);
        if node.entries().is_empty() {
            self.error(name_span(node), "what is learned?", format!("write {USAGE}"));
        }
        let mut counted = false;
        for entry in arguments(node) {
            if entry.value().as_integer().is_some() {
                let number = integer::<u8>(&mut self.problems, entry, 1..=10, "how many disciplines are chosen");
                if std::mem::replace(&mut counted, true) {
                    self.error(
                        entry_span(entry),
                        "a second number",
                        "say once how many disciplines the player chooses",
                    );
                }
                learns.chosen = number.unwrap_or(0).into();
                continue;
            }
            let Some(text) = string(&mut self.problems, entry, "a discipline") else { continue };
            match text.parse::<Discipline>() {
                Ok(Discipline::Weaponskill) => {
                    self.error(entry_span(entry), "weaponskill in which weapon?", "write weaponskill=sword");
                }
                Ok(own) => learns.given.push(own),
                Err(message) => self.error(entry_span(entry), message, format!("write {USAGE}")),
            }
        }
        if let Some(entry) = property(node, "weaponskill") {
            let weapon = entry.value().as_string().unwrap_or_default();
            if self.items.iter().any(|item| item.weapon.is_some() && item.name == weapon) {
                learns.weapon = Some(weapon.into());
                if learns.chosen == 0 {
                    learns.given.push(Discipline::Weaponskill);
                }
            } else {
                self.error(
                    entry_span(entry),
                    format!("`{}` is not a weapon", shown(entry)),
                    "name a weapon of the book",
                );
            }
        }
        learns
    }

    /// What happens before a book begins.
    fn arrival(&mut self, node: &KdlNode) -> Section {
        self.forget_names();
        let before = self.problems.errors();
        self.many_nodes(children(node), name_span(node));
        let body = self.body(children(node));
        let locals = std::mem::take(&mut self.locals);
        let section = Section { body, locals, span: name_span(node), ..Section::default() };
        let mut leaves: Vec<Range<usize>> = Vec::new();
        every_node(&section.body, &mut |node| {
            if matches!(node.kind, NodeKind::Goto(_) | NodeKind::Victory) {
                leaves.push(node.span.clone());
            }
        });
        self.targets.clear();
        for span in leaves {
            self.error(span, "the book begins in its own first section", "leave this out");
        }
        // The names of a system of rules are only valid in their blocks.
        if self.problems.errors() == before && !self.is_system() {
            self.unbound(&section);
        }
        section
    }
}
