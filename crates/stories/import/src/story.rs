//! Stories of passages, links and variables, as the reader of Twee finds them; and the book that they become.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use budget::Budget;

use crate::line::{Line, quoted};
use crate::readable::readable;
use crate::unreadable::Unreadable;

mod containers;
mod expression;
mod fold;
mod names;
mod passage;
mod ranges;
mod section;
mod thresholds;
mod validate;
mod visits;

pub(crate) use containers::replace as replace_containers;
pub(crate) use expression::{Dialect, Expression, Operation, assignments, end_of_text, expression, has_markup, put};
pub(crate) use fold::fold;
pub(crate) use passage::{
    DEEPEST, LONGEST, LONGEST_PASSAGE, MOST_STEPS, MOST_VARIABLES, Passage, Step, Story, count_steps, every_expression,
    every_step,
};
pub(crate) use section::{LONGEST_LABEL, leaves, text_lines};

pub(crate) use visits::count_in;

use names::Names;

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
    /// Places that the author must check: the line of the story, and the code there.
    pub todos: Vec<(usize, String)>,
    /// Further remarks for the author.
    pub notes: Vec<String>,
    /// Variables that the story does not bound, by their names in the book: the book clamps them to bounds of its own.
    pub bounded: Vec<String>,
}

impl ImportedStory {
    /// Whether the whole story was translated exactly: there is no `todo`, and no variable is clamped.
    pub fn is_plain(&self) -> bool {
        self.todos.is_empty() && self.bounded.is_empty()
    }
}

/// Writes a story as a book. Ends in a passage of `goals` are won, as are those that the story itself marks.
pub(crate) fn written(mut story: Story, goals: &[String], budget: &Budget<'_>) -> Result<ImportedStory, Unreadable> {
    for passage in &mut story.passages {
        passage.wins |= goals.contains(&passage.name);
    }
    let any_wins = story.passages.iter().any(|passage| passage.wins);
    let mut notes = std::mem::take(&mut story.notes);
    if !any_wins {
        notes.push("no end is marked as won, so all are: tag passages with `win`, or name them by --goal".into());
    }
    for goal in goals.iter().filter(|goal| !story.passages.iter().any(|passage| passage.name == **goal)) {
        notes.push(format!("there is no `{goal}` to be a goal"));
    }
    let variables = variables(&story);
    if variables.len() > MOST_VARIABLES {
        let what = format!("{} variables are more than a book can declare ({MOST_VARIABLES})", variables.len());
        return Err(Unreadable::wrong(what));
    }
    let counted = visits::counted(&thresholds::thresholds(&story));
    for name in counted.keys() {
        story.initial.insert(name.clone(), Expression::Number(0));
    }
    validate::replace_unclear(&mut story, &variables);
    tell_at_the_start(&mut story);
    let mut names = Names::default();
    let (ranges, bounded) = ranges::ranges(&story, &counted, &thresholds::thresholds(&story), &mut names);
    for own in &bounded {
        notes.push(format!("`{own}` may have no bounds: it is kept within those that the book declares"));
    }
    let mut book = section::Writer::new(&story, &mut names, !any_wins);
    let mut sections = Vec::new();
    for passage in &story.passages {
        let mut text = String::from("\n");
        Line::write(&book.section(passage, &counted), 0, &mut text);
        sections.push(((passage.line, passage.name.as_str()), text));
    }
    let (links, mut todos, frozen, hidden) = (book.links, book.todos, book.most_frozen, book.hidden_texts);
    if hidden > 0 {
        notes.push(format!("{hidden} texts that stand under conditions are left out"));
    }
    let head = head(&story, &ranges, &bounded, frozen, &mut names);
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

/// All variables that a story sets or reads.
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
                    if let Expression::Variable(name) | Expression::IsSet(name) = own {
                        found.insert(name.clone());
                    }
                });
            }
        });
    }
    found
}

/// Turns problems of the whole story into `todo`s of its first passage.
fn tell_at_the_start(story: &mut Story) {
    let todos = std::mem::take(&mut story.todos);
    if let Some(start) = story.passages.iter_mut().find(|passage| passage.name == story.start) {
        let steps = todos.into_iter().map(|(line, what)| Step::Todo { line, what });
        start.steps.splice(0..0, steps);
    }
}

/// The head of the book: everything before its sections.
fn head(
    story: &Story,
    ranges: &BTreeMap<String, (i64, i64)>,
    bounded: &[String],
    frozen: usize,
    names: &mut Names,
) -> String {
    let mut text = format!("book {} format=1 system=\"none\"\nstart {}\n", quoted(&story.title), quoted(&story.start));
    for (variable, (least, most)) in ranges {
        let name = names.name(variable);
        let start = story.initial.get(variable).and_then(|own| names.constant(own)).unwrap_or(0).clamp(*least, *most);
        let start = if start == 0 { String::new() } else { format!(" start={start}") };
        let assumed = if bounded.contains(&name) { " assumed=#true" } else { "" };
        let _ = writeln!(text, "counter {name} min={least} max={most}{start}{assumed}");
    }
    if frozen > 0 {
        let flags: Vec<String> = (1..=frozen).map(|number| format!(" shown-{number}")).collect();
        let _ = writeln!(text, "flags{}", flags.concat());
    }
    text
}
