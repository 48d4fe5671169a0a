//! The state of parsing a book: what is known so far, and the problems found.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Range, RangeInclusive};

use kdl::KdlNode;

use super::bounds;
use super::expression::Names;
use super::kdl::{Mark, Missing, check_shape};
use super::problem::{Problem, ProblemList};
use super::system::Rules;
use crate::book::{Counter, Edition, HeroCreation, Item, KaiRules, Node, Number, Policy, Reading, Variable};
use crate::terms::SectionNumber;

/// What a book takes from other books of its series.
#[derive(Clone, Default)]
pub(crate) struct Elsewhere {
    /// Items that a hero can have from earlier books.
    pub items: Vec<Item>,
    /// The names of what is remembered in any of the books, which nothing takes.
    pub remembered: BTreeSet<String>,
    /// The variables of all books with the same system of rules, in a common order.
    pub variables: Vec<Variable>,
}

#[derive(Default)]
pub(super) struct Reader<'t> {
    pub text: &'t str,
    pub problems: ProblemList,
    /// Unreadable parts of the text.
    pub missing: Missing,
    /// The hash of the text and of the file of its rules.
    pub mark: Mark,
    pub items: Vec<Item>,
    /// What comes from other books of its series.
    pub elsewhere: Elsewhere,
    pub flags: Vec<String>,
    pub counters: Vec<Counter>,
    /// The declared names, with their spans.
    pub declared: BTreeMap<String, Range<usize>>,
    /// The names bound in the current section.
    pub locals: Vec<String>,
    /// Names of sums of earlier contests, which only their own pick may use.
    pub contest: Vec<usize>,
    /// Names of enclosing choices that are constants once the book is compiled.
    pub known_numbers: Vec<usize>,
    /// The names of all enclosing choices, with their ranges.
    pub chosen: Vec<(usize, bounds::Range)>,
    /// The range of each name of the section, over all bindings so far.
    pub local_ranges: BTreeMap<usize, bounds::Range>,
    /// The names of the enclosing loops, the innermost last.
    pub loops: Vec<String>,
    /// Targets and their spans.
    pub targets: Vec<(SectionNumber, Range<usize>)>,
    /// Whether there is a fight earlier in the section: only then `rounds` and `wounded` are valid.
    pub fought: bool,
    /// The parameters of Lone Wolf's rules, if a file changes them.
    pub kai: Option<Box<KaiRules>>,
    /// The system of rules, unless it is Lone Wolf.
    pub rules: Option<Box<Rules>>,
    /// What happens on entering a section, in a system of rules.
    pub on_enter: Vec<Node>,
    /// The creation of a hero.
    pub creation: HeroCreation,
    /// The disputed passages.
    pub readings: Vec<Reading>,
    /// The editions.
    pub editions: Vec<Edition>,
    /// The policies parsed so far.
    pub policies: Vec<Policy>,
    /// The positions of `todo`s. A block that is parsed twice counts once.
    pub todos: BTreeSet<usize>,
    /// The number of stubs.
    pub stubs: usize,
    /// The number of counters whose bounds are assumed.
    pub assumed: usize,
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
    /// The parameters of Lone Wolf's rules.
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
