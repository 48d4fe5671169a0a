//! Stories of passages, links and variables, as the readers of Twee and ink find them; and the book that they become.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use budget::Budget;

use crate::line::{Line, quoted};
use crate::readable::readable;
use crate::unreadable::Unreadable;

mod expression;
mod ranges;
mod section;
mod sound;

pub(crate) use expression::{Dialect, Expression, Operation, expression};
pub(crate) use section::leaves;

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
pub(crate) const MOST_VARIABLES: usize = 150;

/// A story.
#[derive(Debug, Default)]
pub(crate) struct Story {
    pub title: String,
    /// The passage in which it begins.
    pub start: String,
    pub passages: Vec<Passage>,
    /// What variables hold at first, where that is not 0.
    pub initial: BTreeMap<String, Expression>,
    /// Whose expressions it has.
    pub dialect: Dialect,
    /// What its reader says about the whole.
    pub notes: Vec<String>,
    /// What is not understood of the whole, and in which line.
    pub todos: Vec<(usize, String)>,
    /// How much happens in the passages so far.
    pub steps: usize,
}

/// A passage.
#[derive(Debug, Default)]
pub(crate) struct Passage {
    pub name: String,
    /// The line in which it begins.
    pub line: usize,
    /// Who comes to an end here has won.
    pub wins: bool,
    pub steps: Vec<Step>,
}

/// One thing that happens in a passage. What can be followed is offered when all else is done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Text(String),
    /// A variable, and what it is set to; and in which line.
    Set(usize, String, Expression),
    /// A variable that holds nothing from here on.
    Unset(String),
    If(usize, Vec<(Expression, Vec<Step>)>, Vec<Step>),
    Link {
        label: String,
        body: Vec<Step>,
    },
    Goto {
        line: usize,
        target: String,
    },
    End,
    /// Whoever comes to an end after this, in the passage or by one of its links, has won.
    Won,
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
            Step::If(_, branches, otherwise) => {
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
    /// Variables without bounds of their own, by their names in the book: they are kept within bounds that the story does not
    /// have.
    pub bounded: Vec<String>,
}

impl ImportedStory {
    /// Whether all of it was taken at its word: nothing is to do, and nothing has bounds that the story does not have.
    pub fn is_plain(&self) -> bool {
        self.todos.is_empty() && self.bounded.is_empty()
    }
}

/// Writes a story as a book. Ends in one of `goals` are won, beside those that the story itself marks.
pub(crate) fn written(mut story: Story, goals: &[String], budget: &Budget<'_>) -> Result<ImportedStory, Unreadable> {
    for passage in &mut story.passages {
        passage.wins |= goals.contains(&passage.name);
    }
    let mut any_wins = story.passages.iter().any(|passage| passage.wins);
    for passage in &story.passages {
        every_step(&passage.steps, &mut |step| any_wins |= *step == Step::Won);
    }
    let mut notes = std::mem::take(&mut story.notes);
    if !any_wins {
        notes.push("no end is said to be won, so all are: tag passages with `win`, or name them by --goal".into());
    }
    for goal in goals.iter().filter(|goal| !story.passages.iter().any(|passage| passage.name == **goal)) {
        notes.push(format!("there is no `{goal}` to be a goal"));
    }
    let variables = variables(&story);
    if variables.len() > MOST_VARIABLES {
        let what = format!("{} variables are more than a book can declare ({MOST_VARIABLES})", variables.len());
        return Err(Unreadable::wrong(what));
    }
    sound::refuse_unsound(&mut story, &variables);
    tell_at_the_start(&mut story);
    let mut names = Names::default();
    let (ranges, bounded) = ranges::ranges(&story, &mut names);
    for own in &bounded {
        notes.push(format!("`{own}` may have no bounds: it is kept within those that the book declares"));
    }
    let mut book = section::Writer::new(&story, &mut names, !any_wins);
    let mut sections = Vec::new();
    for passage in &story.passages {
        let mut text = String::from("\n");
        Line::write(&book.section(passage), 0, &mut text);
        sections.push(((passage.line, passage.name.as_str()), text));
    }
    let (links, mut todos, frozen, hidden) = (book.links, book.todos, book.most_frozen, book.hidden_texts);
    if hidden > 0 {
        notes.push(format!("{hidden} texts that stand under conditions are left out"));
    }
    let head = head(&story, &ranges, frozen, &mut names);
    let unknown = |(line, name): &(usize, &str), what: &str| {
        let lines = vec![Line::todo(&format!("line {line}: {what}")), Line::leaf("death \"not understood\"")];
        let mut text = String::from("\n");
        Line::block(format!("section {}", quoted(name)), lines).write(0, &mut text);
        text
    };
    let (text, refused) = readable(&head, sections, &unknown, budget)?;
    todos.extend(refused.into_iter().map(|((line, _), what)| (line, what)));
    Ok(ImportedStory { passages: story.passages.len(), title: story.title, text, links, todos, notes, bounded })
}

/// All that is set or read in a story.
fn variables(story: &Story) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = story.initial.keys().cloned().collect();
    for passage in &story.passages {
        every_step(&passage.steps, &mut |step| {
            let read: Vec<&Expression> = match step {
                Step::Set(_, name, own) => {
                    found.insert(name.clone());
                    vec![own]
                }
                Step::Unset(name) => {
                    found.insert(name.clone());
                    Vec::new()
                }
                Step::If(_, branches, _) => branches.iter().map(|(test, _)| test).collect(),
                _ => Vec::new(),
            };
            for own in read {
                own.visit(&mut |own| {
                    if let Expression::Variable(name) = own {
                        found.insert(name.clone());
                    }
                });
            }
        });
    }
    found
}

/// What is not understood of the whole is to do where the story begins.
fn tell_at_the_start(story: &mut Story) {
    let todos = std::mem::take(&mut story.todos);
    if let Some(start) = story.passages.iter_mut().find(|passage| passage.name == story.start) {
        let steps = todos.into_iter().map(|(line, what)| Step::Todo { line, what });
        start.steps.splice(0..0, steps);
    }
}

/// What stands before the sections.
fn head(story: &Story, ranges: &BTreeMap<String, (i64, i64)>, frozen: usize, names: &mut Names) -> String {
    let mut text = format!("book {} format=1 system=\"none\"\nstart {}\n", quoted(&story.title), quoted(&story.start));
    for (variable, (least, most)) in ranges {
        let name = names.name(variable);
        let start = story.initial.get(variable).and_then(|own| names.constant(own)).unwrap_or(0).clamp(*least, *most);
        let start = if start == 0 { String::new() } else { format!(" start={start}") };
        let _ = writeln!(text, "counter {name} min={least} max={most}{start}");
    }
    if frozen > 0 {
        let flags: Vec<String> = (1..=frozen).map(|number| format!(" shown-{number}")).collect();
        let _ = writeln!(text, "flags{}", flags.concat());
    }
    text
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
        name.truncate(name.trim_end_matches('-').len());
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
            Expression::Boolean(own) => Some(i64::from(*own)),
            Expression::Text(text) => Some(self.text(text)),
            _ => None,
        }
    }
}
