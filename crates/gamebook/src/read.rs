//! From the text of a book file to a [`Book`]: syntax, names, ranges. All problems at once.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Range, RangeInclusive};

use budget::{Budget, Stopped};
use kdl::KdlNode;

use crate::book::{Book, Counter, Item, Node, Number, Reading, SectionNumber};
use crate::entries::check_shape;
use crate::expression::Names;
use crate::kai::KaiRules;
use crate::making::Making;
use crate::mark::Mark;
use crate::policy::Policy;
use crate::problem::{Problem, ProblemList, Problems, Severity};

pub(crate) use kai::lone_wolf_rules;
pub(crate) use pieces::long_texts;
pub use policy::read_policy;
pub use series::{ReadSeriesError, is_series, read_series};
pub use system::Beside;

pub(crate) use inherited::is_same;

use inherited::Elsewhere;
use rules::Rules;
use syntax::{Missing, Parsed};
use system::Asked;

/// The largest section number.
const LAST_SECTION: i64 = 9999;
/// The deepest nesting of braces, and of comments, that is read.
const DEEPEST: usize = 64;
/// The longest book file that is read, in bytes.
const LONGEST: usize = 16 << 20;
/// The longest node of a book's head, such as a section, in bytes.
const LONGEST_PIECE: usize = 1 << 20;
/// The version of the book language.
const FORMAT: i64 = 1;

mod battle;
mod blocks;
mod chance;
mod declared;
mod elsewhere;
mod endings;
mod fight_system;
mod goods;
mod head;
mod heads;
mod hero;
mod inherited;
mod items;
mod kai;
mod kinder;
mod long_text;
mod making;
mod names;
mod newline;
mod nodes;
mod numbers;
mod parcels;
mod pieces;
mod policy;
mod ranges;
mod roll;
mod rules;
mod scan;
mod sections;
mod series;
mod shared;
mod short;
mod steps;
pub(crate) mod syntax;
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
    read_among(text, Elsewhere::default(), beside, budget)
}

/// Reads a book of several with the same hero: in those of Lone Wolf he can have things that this one does not declare, and
/// those of a system of rules know what the others have on his sheet.
fn read_among(
    text: &str,
    elsewhere: Elsewhere,
    beside: Beside<'_>,
    budget: &Budget<'_>,
) -> Result<(Book, Vec<Problem>), ReadError> {
    let Parsed { nodes, problems, missing } = syntax::parse(text, budget)?;
    let mut reader = Reader { text, problems, missing, elsewhere, ..Reader::default() };
    reader.mark.nodes(&nodes);
    let mut book = match reader.asked(&nodes, beside, budget)? {
        Asked::LoneWolf(kai) => {
            reader.kai = kai;
            reader.book(&nodes, budget)?
        }
        Asked::System(name, rules) => reader.system_book(&nodes, &name, *rules, budget)?,
        Asked::Unknown => None,
    };
    if let Some(book) = book.as_mut() {
        if reader.problems.errors() == 0 {
            reader.kinder_nodes(&nodes, book);
        }
        book.draft += reader.draft();
        book.mark = reader.mark.number();
    }
    reader.untold_todos();
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
    /// What the text and the file of its rules say.
    mark: Mark,
    items: Vec<Item>,
    /// What stands in other books of its series.
    elsewhere: Elsewhere,
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
    kai: Option<Box<KaiRules>>,
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
    /// Where it says what is left to do. A block that is read twice says it once.
    todos: BTreeSet<usize>,
    /// How many sections are only named.
    stubs: usize,
}

impl Names for Reader<'_> {
    fn item(&self, name: &str) -> Option<usize> {
        self.items.iter().position(|item| item.name == name)
    }
    fn weapon(&self, name: &str) -> Option<usize> {
        self.item(name).filter(|item| self.items[*item].weapon.is_some())
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

impl Reader<'_> {
    /// The numbers of Lone Wolf's rules.
    fn kai(&self) -> &KaiRules {
        self.kai.as_deref().unwrap_or_else(|| KaiRules::lone_wolf())
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
}
