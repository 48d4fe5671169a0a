//! What reads a book: what is known so far, and the problems that were found.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Range, RangeInclusive};

use kdl::KdlNode;

use super::bounds;
use super::expression::Names;
use super::kdl::{Mark, Missing, check_shape};
use super::problem::{Problem, ProblemList};
use super::system::Rules;
use crate::book::{Counter, Edition, Item, KaiRules, Making, Node, Number, Policy, Reading, Variable};
use crate::terms::SectionNumber;

/// What a book is read with that stands in others of its series.
#[derive(Clone, Default)]
pub(crate) struct Elsewhere {
    /// What a hero can have out of books before it.
    pub items: Vec<Item>,
    /// The names of what is remembered in any of the books: nothing takes it.
    pub remembered: BTreeSet<String>,
    /// What heroes of all books with the same system of rules have on their sheets, in an order that is the same for all.
    pub variables: Vec<Variable>,
}

#[derive(Default)]
pub(super) struct Reader<'t> {
    pub text: &'t str,
    pub problems: ProblemList,
    /// Parts of the text that could not be read.
    pub missing: Missing,
    /// What the text and the file of its rules say.
    pub mark: Mark,
    pub items: Vec<Item>,
    /// What stands in other books of its series.
    pub elsewhere: Elsewhere,
    pub flags: Vec<String>,
    pub counters: Vec<Counter>,
    /// Every declared name, and where.
    pub declared: BTreeMap<String, Range<usize>>,
    /// The names bound in the section that is being read.
    pub locals: Vec<String>,
    /// Names that are sums of a contest that is over: only its own pick may ask for them.
    pub contest: Vec<usize>,
    /// Names of choices around whose number is known when the book is compiled.
    pub known_numbers: Vec<usize>,
    /// The names of all choices around, and between which numbers they are.
    pub chosen: Vec<(usize, bounds::Range)>,
    /// What each name of the section can stand for, by all that binds it so far.
    pub local_ranges: BTreeMap<usize, bounds::Range>,
    /// The names of the loops around the node that is being read, the innermost last.
    pub loops: Vec<String>,
    /// Targets and where they are mentioned.
    pub targets: Vec<(SectionNumber, Range<usize>)>,
    /// Whether a fight stands before in the section: only then `rounds` and `wounded` mean something.
    pub fought: bool,
    /// The numbers of Lone Wolf's rules, where a file says that they differ from those of the books.
    pub kai: Option<Box<KaiRules>>,
    /// The system of rules, where it is none of Lone Wolf.
    pub rules: Option<Box<Rules>>,
    /// What happens on entering a section, in a system of rules.
    pub on_enter: Vec<Node>,
    /// How a hero is made.
    pub making: Making,
    /// How passages that can be disputed are read.
    pub readings: Vec<Reading>,
    /// Sets of readings.
    pub editions: Vec<Edition>,
    /// The policies that have been read.
    pub policies: Vec<Policy>,
    /// Where it says what is left to do. A block that is read twice says it once.
    pub todos: BTreeSet<usize>,
    /// How many sections are only named.
    pub stubs: usize,
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
        self.rules.as_ref().map_or_else(|| &self.kai().ranks[..], |rules| &rules.system.ranks)
    }
    fn table(&self, name: &str) -> Option<usize> {
        self.rules.as_ref()?.table(name)
    }
}

impl Reader<'_> {
    /// The numbers of Lone Wolf's rules.
    pub(super) fn kai(&self) -> &KaiRules {
        self.kai.as_deref().unwrap_or_else(|| KaiRules::lone_wolf())
    }

    pub(super) fn error(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Problem::error(span, message).help(help));
    }

    pub(super) fn warning(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Problem::warning(span, message).help(help));
    }

    pub(super) fn shape(
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
