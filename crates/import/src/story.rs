//! Stories of passages, links and variables, as the readers of Twee and ink find them; and the book that they become.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::line::{Line, quoted};
use crate::unreadable::Unreadable;

mod expression;
mod ranges;
mod section;

pub(crate) use expression::{Dialect, Expression, Operation, expression};

/// The most passages of a story.
pub(crate) const MOST_PASSAGES: usize = 9_000;
/// The deepest nesting of what stands in what.
pub(crate) const DEEPEST: usize = 64;
/// The longest passage, in bytes, and the most that happens in a story.
pub(crate) const LONGEST_PASSAGE: usize = 1 << 20;
pub(crate) const MOST_STEPS: usize = 300_000;
/// The longest file, in bytes.
pub(crate) const LONGEST: usize = 16 << 20;
/// The most variables; a book cannot declare more.
const MOST_VARIABLES: usize = 150;

/// A story.
#[derive(Debug, Default)]
pub(crate) struct Story {
    pub title: String,
    /// The passage in which it begins.
    pub start: String,
    pub passages: Vec<Passage>,
    /// What variables hold at first, where that is not 0.
    pub initial: BTreeMap<String, Expression>,
    /// What its reader says about the whole.
    pub notes: Vec<String>,
    /// How much happens in the passages so far.
    pub steps: usize,
}

/// A passage.
#[derive(Debug, Default)]
pub(crate) struct Passage {
    pub name: String,
    /// Who comes to an end here has won.
    pub wins: bool,
    pub steps: Vec<Step>,
}

/// One thing that happens in a passage. What can be followed is offered when all else is done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Text(String),
    Set(String, Expression),
    If(Vec<(Expression, Vec<Step>)>, Vec<Step>),
    Link {
        label: String,
        body: Vec<Step>,
    },
    Goto {
        line: usize,
        target: String,
    },
    End,
    /// What is not understood, and in which line.
    Todo {
        line: usize,
        what: String,
    },
}

/// Visits steps, and all that stand in them.
pub(crate) fn every_step<'s>(steps: &'s [Step], visit: &mut dyn FnMut(&'s Step)) {
    for step in steps {
        visit(step);
        match step {
            Step::If(branches, otherwise) => {
                for (_, body) in branches {
                    every_step(body, visit);
                }
                every_step(otherwise, visit);
            }
            Step::Link { body, .. } => every_step(body, visit),
            _ => {}
        }
    }
}

impl Story {
    /// Adds a passage, as long as there are not too many.
    pub(crate) fn add(&mut self, passage: Passage) -> Result<(), Unreadable> {
        every_step(&passage.steps, &mut |_| self.steps += 1);
        if self.steps > MOST_STEPS {
            return Err(Unreadable::wrong(format!("more than {MOST_STEPS} things happen in it")));
        }
        if self.passages.len() >= MOST_PASSAGES {
            return Err(Unreadable::wrong(format!("it has more than {MOST_PASSAGES} passages")));
        }
        self.passages.push(passage);
        Ok(())
    }
}

/// A story that was imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedStory {
    /// Its title.
    pub title: String,
    /// The book in our language.
    pub text: String,
    /// How many passages it has.
    pub passages: usize,
    /// How many links.
    pub links: usize,
    /// What a person has to look at: the line of the story, and what stands there.
    pub todos: Vec<(usize, String)>,
    /// What else is good to know.
    pub notes: Vec<String>,
}

/// Writes a story as a book. Ends in one of `goals` are won, beside those that the story itself marks.
pub(crate) fn written(mut story: Story, goals: &[String]) -> ImportedStory {
    for passage in &mut story.passages {
        passage.wins |= goals.contains(&passage.name);
    }
    let any_wins = story.passages.iter().any(|passage| passage.wins);
    let mut notes = std::mem::take(&mut story.notes);
    if !any_wins {
        notes.push("no end is said to be won, so all are: tag passages with `win`, or name them by --goal".into());
    }
    for goal in goals.iter().filter(|goal| !story.passages.iter().any(|passage| passage.name == **goal)) {
        notes.push(format!("there is no `{goal}` to be a goal"));
    }
    let mut names = Names::default();
    let ranges = ranges::ranges(&story, &mut names, &mut notes);
    let mut book = section::Writer::new(&story, &mut names, !any_wins);
    let mut sections = Vec::new();
    for passage in &story.passages {
        sections.push(book.section(passage));
    }
    let (links, todos, frozen, hidden) = (book.links, book.todos, book.most_frozen, book.hidden_texts);
    if hidden > 0 {
        notes.push(format!("{hidden} texts that stand under conditions are left out"));
    }
    let mut text = format!("book {} format=1 system=\"none\"\nstart {}\n", quoted(&story.title), quoted(&story.start));
    for (variable, (least, most)) in &ranges {
        let name = names.name(variable);
        let start = story.initial.get(variable).and_then(|own| names.constant(own)).unwrap_or(0).clamp(*least, *most);
        let start = if start == 0 { String::new() } else { format!(" start={start}") };
        let _ = writeln!(text, "counter {name} min={least} max={most}{start}");
    }
    if frozen > 0 {
        let flags: Vec<String> = (1..=frozen).map(|number| format!(" shown-{number}")).collect();
        let _ = writeln!(text, "flags{}", flags.concat());
    }
    for line in sections {
        text.push('\n');
        Line::write(&line, 0, &mut text);
    }
    ImportedStory { title: story.title, text, passages: story.passages.len(), links, todos, notes }
}

/// What variables and texts are called in the book.
#[derive(Debug, Default)]
pub(crate) struct Names {
    variables: BTreeMap<String, String>,
    taken: BTreeSet<String>,
    /// Texts that variables hold are numbers in the book.
    texts: BTreeMap<String, i64>,
}

/// Words that a variable cannot be called by.
const WORDS: &str = "and or not has always never min max down up reading all draw goto if else-if else choice require death \
                     victory repeat again set clear raise let roll when test use fight enemy event resume gain lose take yes no \
                     after on local ally escape order full text todo start goal book section stub stat counter flags item \
                     container define hero policy true false null nan inf";

impl Names {
    /// What a variable is called in the book.
    pub(crate) fn name(&mut self, variable: &str) -> String {
        if let Some(name) = self.variables.get(variable) {
            return name.clone();
        }
        let mut name: String =
            variable.chars().map(|own| if own.is_ascii_alphanumeric() { own } else { '-' }).collect();
        name = name.trim_matches('-').to_ascii_lowercase();
        name.truncate(40);
        if !name.starts_with(|own: char| own.is_ascii_alphabetic()) || WORDS.split_whitespace().any(|own| own == name) {
            name = format!("v-{name}").trim_end_matches('-').into();
        }
        let is_ours = |name: &str| ["shown-", "roll-"].iter().any(|own| name.starts_with(own));
        let free = |name: &str| !self.taken.contains(name) && !is_ours(name);
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let name = [name.clone()].into_iter().chain(numbered).find(|own| free(own)).unwrap_or_default();
        self.taken.insert(name.clone());
        self.variables.insert(variable.into(), name.clone());
        name
    }

    /// The number that stands for a text.
    pub(crate) fn text(&mut self, text: &str) -> i64 {
        let next = i64::try_from(self.texts.len()).unwrap_or(i64::MAX).saturating_add(1);
        *self.texts.entry(text.into()).or_insert(next)
    }

    /// The number that an expression is, if it depends on nothing.
    pub(crate) fn constant(&mut self, own: &Expression) -> Option<i64> {
        match own {
            Expression::Number(number) => Some(*number),
            Expression::Text(text) => Some(self.text(text)),
            _ => None,
        }
    }
}
