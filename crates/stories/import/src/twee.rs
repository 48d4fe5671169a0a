//! Stories made with Twine, in Twee 3 or as published: passages, the links between them, and the macros of Harlowe,
//! `SugarCube` and Chapbook that need no runtime of theirs.

use std::collections::BTreeMap;

use budget::{Budget, Progress, Stage};

use crate::story::{
    Dialect, ImportedStory, LONGEST, LONGEST_PASSAGE, MOST_STEPS, Passage, Step, Story, count_in, count_steps,
    every_expression, every_step, fold, replace_containers, written,
};
use crate::unreadable::Unreadable;
use markup::{Markup, Widgets};
use source::{Raw, Source};

mod chapbook;
mod harlowe;
mod markup;
mod source;
mod sugarcube;
mod targets;
mod widgets;

/// Passages that are not part of the story itself.
const SPECIAL: [&str; 9] = [
    "StoryAuthor",
    "StoryBanner",
    "StoryCaption",
    "StoryDisplayTitle",
    "StoryMenu",
    "StoryInterface",
    "StorySettings",
    "StorySubtitle",
    "StoryShare",
];

/// Passages that `SugarCube` adds before or after every other passage, in this order, and whether they are shown.
const AROUND: [(&str, bool, bool); 4] = [
    ("PassageReady", true, false),
    ("PassageHeader", true, true),
    ("PassageFooter", false, true),
    ("PassageDone", false, false),
];

/// How deep passages are included in each other.
const DEEPEST_INCLUDED: usize = 16;

/// Reads a story in Twee 3, or one that Twine published, and writes it as a book. Ends in one of `goals` are won, and those in
/// passages with the tag `win`, `victory` or `goal`.
///
/// ```
/// let story = ":: StoryData\n{\"format\": \"Harlowe\", \"start\": \"Gate\"}\n\n:: Gate\nTwo ways.\n[[left->Pit]]\n\
///              [[Garden]]\n\n:: Pit\nDark.\n\n:: Garden [win]\nLight.\n";
/// let imported = import::twee(story.as_bytes(), &[], &budget::Budget::unlimited())?;
/// assert_eq!((imported.passages, imported.links, imported.todos.len()), (3, 2, 0));
/// let (book, _) = gamebook::read(&imported.text)?;
/// assert_eq!(book.section_text(book.start), "Gate");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file is too long, is not UTF-8, or has no passages or too many; or when the budget stops the run.
pub fn twee(bytes: &[u8], goals: &[String], budget: &Budget<'_>) -> Result<ImportedStory, Unreadable> {
    let text = text_of(bytes)?;
    let source = Source::of(text)?;
    if let Some(own) = source.passages.iter().find(|own| own.body.len() > LONGEST_PASSAGE) {
        return Err(Unreadable::wrong(format!("line {}: a passage of {} bytes", own.line, own.body.len())));
    }
    let format = source.format.as_str();
    let mut reader = Reader::default();
    let story = &mut reader.story;
    story.title.clone_from(&source.title);
    story.start.clone_from(&source.start);
    story.todos.clone_from(&source.todos);
    story.dialect = match format {
        "harlowe" => Dialect::Harlowe,
        "sugarcube" => Dialect::SugarCube,
        "chapbook" => Dialect::Chapbook,
        _ if source.passages.iter().any(|own| own.body.contains("<<")) => Dialect::SugarCube,
        _ => Dialect::Harlowe,
    };
    if !matches!(format, "harlowe" | "sugarcube" | "chapbook" | "") {
        story.todos.push((source.line, format!("the story format {format}: only links are understood of it")));
    }
    reader.define_widgets(&source.passages);
    let mut done = 0;
    for own in source.passages {
        let waiting = text.len() as u64 - done;
        budget.advance(Progress { stage: Stage::Reading, done, waiting, memory: 0 }).map_err(Unreadable::Stopped)?;
        done = (done + own.body.len() as u64).min(text.len() as u64);
        reader.add(own)?;
    }
    let mut story = reader.finished()?;
    if format.is_empty() && has_code(&story) {
        let taken = if story.dialect == Dialect::Harlowe { "Harlowe" } else { "SugarCube" };
        story.todos.push((1, format!("StoryData names no story format: read as one of {taken}")));
    }
    written(story, goals, budget)
}

/// Whether a story has more than passages and links.
fn has_code(story: &Story) -> bool {
    let mut found = !story.initial.is_empty();
    for passage in &story.passages {
        every_step(&passage.steps, &mut |own| {
            found |= !matches!(own, Step::Text(_) | Step::Link { .. } | Step::Goto { .. });
        });
    }
    found
}

/// A file's text.
fn text_of(bytes: &[u8]) -> Result<&str, Unreadable> {
    if bytes.len() > LONGEST {
        return Err(Unreadable::wrong(format!("it is longer than {LONGEST} bytes")));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Unreadable::wrong(format!("it is not UTF-8 text (byte {})", error.valid_up_to())))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// The state of the translation from passages to steps.
#[derive(Default)]
struct Reader {
    story: Story,
    /// The steps before the story begins.
    first: Vec<Passage>,
    /// The steps before and after those of every passage.
    before: Vec<(usize, Vec<Step>)>,
    behind: Vec<(usize, Vec<Step>)>,
    widgets: Widgets,
}

impl Reader {
    /// Reads the widgets of a story first, since passages may use a widget that is defined later.
    fn define_widgets(&mut self, passages: &[Raw<'_>]) {
        if self.story.dialect != Dialect::SugarCube {
            return;
        }
        for own in passages.iter().filter(|own| own.is("widget")) {
            if !widgets::define(&own.body, own.line + 1, &mut self.widgets) {
                self.story.todos.push((own.line, format!("the widgets in `{}`", own.name)));
            }
        }
    }

    fn steps(&self, own: &Raw<'_>) -> Vec<Step> {
        let mut markup = Markup::new(self.story.dialect, &own.body, own.line + 1, &self.widgets);
        match self.story.dialect {
            Dialect::Harlowe => harlowe::steps(&mut markup),
            Dialect::SugarCube => sugarcube::steps(&mut markup, 0),
            Dialect::Chapbook => chapbook::steps(&own.body, own.line + 1, &self.widgets),
        }
    }

    /// Reads a passage.
    fn add(&mut self, own: Raw<'_>) -> Result<(), Unreadable> {
        let (line, name, dialect) = (own.line, own.name.as_str(), self.story.dialect);
        let refused = |what: &str| (line, format!("{what} `{name}`"));
        if own.is("stylesheet") || own.is("Twine.private") {
            return Ok(());
        }
        if own.is("script") {
            if !own.body.trim().is_empty() {
                self.story.todos.push(refused("the script"));
            }
            return Ok(());
        }
        if SPECIAL.contains(&name) {
            let mut does = false;
            every_step(&self.steps(&own), &mut |step| does |= !matches!(step, Step::Text(_) | Step::If(..)));
            if does {
                self.story.todos.push(refused("what is always shown beside the passages:"));
            }
            return Ok(());
        }
        if dialect == Dialect::SugarCube {
            if own.is("widget") {
                return Ok(());
            }
            if let Some(rank) = AROUND.iter().position(|around| around.0 == name) {
                let mut steps = self.steps(&own);
                if !AROUND[rank].2 {
                    steps = sugarcube::without_words(steps);
                }
                let place = if AROUND[rank].1 { &mut self.before } else { &mut self.behind };
                place.push((rank, steps));
                place.sort_by_key(|(rank, _)| *rank);
                return Ok(());
            }
        }
        let steps = self.steps(&own);
        if dialect == Dialect::Harlowe && (own.is("header") || own.is("footer")) {
            let place = if own.is("header") { &mut self.before } else { &mut self.behind };
            place.push((0, steps));
            return Ok(());
        }
        let is_first = match dialect {
            Dialect::SugarCube => name == "StoryInit" || own.is("init"),
            Dialect::Harlowe => own.is("startup"),
            Dialect::Chapbook => false,
        };
        let wins = ["win", "victory", "goal"].into_iter().any(|tag| own.is(tag));
        if is_first {
            // Passages with the tag come before the one with the name.
            let is_named = |own: &Passage| own.name == "StoryInit";
            let place = if name == "StoryInit" {
                self.first.len()
            } else {
                self.first.iter().take_while(|own| !is_named(own)).count()
            };
            self.first.insert(place, Passage { name: own.name, line, wins: false, steps });
            return Ok(());
        }
        if self.story.passages.iter().any(|passage| passage.name == own.name) {
            self.story.todos.push((line, format!("a second passage `{name}`")));
            return Ok(());
        }
        self.story.add(Passage { name: own.name, line, wins, steps })
    }

    /// The story, each passage with the steps added to it.
    fn finished(mut self) -> Result<Story, Unreadable> {
        let lists = [&self.before, &self.behind].into_iter().flatten().map(|(_, steps)| steps);
        let passages = self.story.passages.iter().chain(&self.first).map(|own| &own.steps);
        let held = targets::held(passages.chain(lists).map(Vec::as_slice));
        let lists = self.before.iter_mut().chain(&mut self.behind).map(|(_, steps)| steps);
        let passages = self.story.passages.iter_mut().chain(&mut self.first).map(|own| &mut own.steps);
        passages.chain(lists).for_each(|steps| targets::resolve(steps, &held));
        let mut all = Included::new();
        for passage in self.story.passages.iter().chain(&self.first) {
            all.insert(passage.name.clone(), (count_steps(&passage.steps), passage.steps.clone()));
        }
        let around: usize = self.before.iter().chain(&self.behind).map(|(_, steps)| count_steps(steps)).sum();
        if around.saturating_mul(self.story.passages.len()) > MOST_STEPS {
            return Err(Unreadable::wrong(format!("more than {MOST_STEPS} things happen in it")));
        }
        let mut room = MOST_STEPS;
        for passage in &mut self.story.passages {
            let own = std::mem::take(&mut passage.steps);
            let before = self.before.iter().flat_map(|(_, steps)| steps.iter().cloned());
            let behind = self.behind.iter().flat_map(|(_, steps)| steps.iter().cloned());
            passage.steps = before.chain(own).chain(behind).collect();
            include(&mut passage.steps, &all, 0, &mut room);
            every_expression(&mut passage.steps, &mut |own| count_in(&passage.name, own));
            if self.story.dialect == Dialect::SugarCube {
                sugarcube::goto_last(&mut passage.steps);
            }
        }
        for passage in &mut self.first {
            include(&mut passage.steps, &all, 0, &mut room);
        }
        let passages = self.story.passages.iter_mut().chain(&mut self.first);
        let mut steps: Vec<&mut Vec<Step>> = passages.map(|own| &mut own.steps).collect();
        for own in &mut steps {
            fold(own);
        }
        replace_containers(&mut steps);
        if !self.story.passages.iter().any(|passage| passage.name == self.story.start) {
            let first =
                self.story.passages.first().ok_or_else(|| Unreadable::wrong("it has no passages of a story".into()))?;
            let what = format!("there is no passage `{}` to begin in: it begins in `{}`", self.story.start, first.name);
            self.story.todos.push((first.line, what));
            self.story.start.clone_from(&first.name);
        }
        begin_with(&mut self.story, self.first)?;
        Ok(self.story)
    }
}

/// The steps of all passages, and how many there are.
type Included = BTreeMap<String, (usize, Vec<Step>)>;

/// Replaces inclusions of passages by their steps, as long as there is room.
fn include(steps: &mut Vec<Step>, all: &Included, depth: usize, room: &mut usize) {
    for mut step in std::mem::take(steps) {
        match &mut step {
            Step::Include { line, target } => {
                let (line, found) = (*line, all.get(target.as_str()));
                let what = match found {
                    None => format!("there is no `{target}` to include"),
                    Some(_) if depth >= DEEPEST_INCLUDED => format!("`{target}` is included in itself"),
                    Some((count, _)) if count > room => format!("`{target}` is included too often"),
                    Some((count, own)) => {
                        *room -= count;
                        let mut own = own.clone();
                        include(&mut own, all, depth + 1, room);
                        steps.append(&mut own);
                        continue;
                    }
                };
                steps.push(Step::Todo { line, what });
                continue;
            }
            Step::If(_, branches, otherwise) => {
                for body in branches.iter_mut().map(|(_, body)| body).chain([otherwise]) {
                    include(body, all, depth, room);
                }
            }
            Step::Link { body, .. } | Step::Click { body, .. } => include(body, all, depth, room),
            _ => {}
        }
        steps.push(step);
    }
}

/// Adds the steps before the story begins. Constants become initial values; any other step goes into a passage of its own.
fn begin_with(story: &mut Story, first: Vec<Passage>) -> Result<(), Unreadable> {
    let is_plain = |step: &Step| match step {
        Step::Set(_, _, own) => own.is_constant(),
        Step::Text(_) => true,
        _ => false,
    };
    let steps: Vec<&Step> = first.iter().flat_map(|own| &own.steps).collect();
    if steps.iter().all(|step| is_plain(step)) {
        for step in steps {
            if let Step::Set(_, name, own) = step {
                story.initial.insert(name.clone(), own.clone());
            }
        }
        return Ok(());
    }
    let Some(passage) = first.first() else { return Ok(()) };
    let (name, line) = (passage.name.clone(), passage.line);
    let mut steps: Vec<Step> = Vec::new();
    for step in first.into_iter().flat_map(|own| own.steps) {
        let mut leads = false;
        every_step(std::slice::from_ref(&step), &mut |own| {
            leads |= matches!(own, Step::Link { .. } | Step::Click { .. } | Step::Goto { .. });
        });
        steps.push(match step {
            _ if leads => Step::Todo { line, what: format!("a link in `{name}`, before the story begins") },
            Step::Text(_) => continue,
            step => step,
        });
    }
    steps.push(Step::Goto { line, target: story.start.clone() });
    story.start.clone_from(&name);
    story.add(Passage { name, line, wins: false, steps })
}
