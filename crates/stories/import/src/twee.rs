//! Stories in Twee 3: passages, the links between them, and what macros of Harlowe and `SugarCube` say plainly.

use budget::{Budget, Progress, Stage};
use serde_json::Value;

use crate::line::is_forbidden;
use crate::story::{
    Dialect, Expression, ImportedStory, LONGEST, LONGEST_PASSAGE, Passage, Step, Story, every_step, written,
};
use crate::unreadable::Unreadable;

mod harlowe;
mod markup;
mod setter;
mod sugarcube;

/// Passages that are no part of the story itself.
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

/// Passages that `SugarCube` adds to every other.
const AROUND: [&str; 4] = ["PassageDone", "PassageFooter", "PassageHeader", "PassageReady"];

/// Reads a story in Twee 3 and writes it as a book. Ends in one of `goals` are won, and those in passages with the tag
/// `win`, `victory` or `goal`.
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
/// When the file is too long, no UTF-8, has no passages or too many, or the budget says stop.
pub fn twee(bytes: &[u8], goals: &[String], budget: &Budget<'_>) -> Result<ImportedStory, Unreadable> {
    let text = text_of(bytes)?;
    let mut story = Story { title: "A story".into(), start: "Start".into(), ..Story::default() };
    let raw = passages(text);
    if raw.is_empty() {
        return Err(Unreadable::wrong("it has no passages: each begins with a line `:: Name`".into()));
    }
    if let Some(own) = raw.iter().find(|own| own.body.len() > LONGEST_PASSAGE) {
        return Err(Unreadable::wrong(format!("line {}: a passage of {} bytes", own.line, own.body.len())));
    }
    let mut format = String::new();
    for own in &raw {
        match own.name.as_str() {
            "StoryTitle" => story.title = own.body.trim().into(),
            "StoryData" => {
                let data: Value = serde_json::from_str(own.body.trim()).unwrap_or(Value::Null);
                if data.is_null() {
                    story.todos.push((own.line, "StoryData is no JSON: which story format is it?".into()));
                }
                if let Some(start) = data["start"].as_str() {
                    story.start = start.into();
                }
                format = data["format"].as_str().unwrap_or_default().to_lowercase();
            }
            _ => {}
        }
    }
    story.dialect = match format.as_str() {
        "harlowe" => Dialect::Harlowe,
        "sugarcube" => Dialect::SugarCube,
        _ if raw.iter().any(|own| own.body.contains("<<")) => Dialect::SugarCube,
        _ => Dialect::Harlowe,
    };
    match format.as_str() {
        "harlowe" | "sugarcube" | "" => {}
        other => {
            let line = raw.iter().find(|own| own.name == "StoryData").map_or(0, |own| own.line);
            story.todos.push((line, format!("the story format {other}: only links are understood of it")));
        }
    }
    let mut done = 0;
    let mut first = Vec::new();
    for own in raw {
        budget
            .advance(Progress { stage: Stage::Reading, done, waiting: text.len() as u64 - done, memory: 0 })
            .map_err(Unreadable::Stopped)?;
        done += own.body.len() as u64;
        add(&mut story, own, &mut first)?;
    }
    if !story.passages.iter().any(|passage| passage.name == story.start) {
        let first = story.passages.first().ok_or_else(|| Unreadable::wrong("it has no passages of a story".into()))?;
        let what = format!("there is no passage `{}` to begin in: it begins in `{}`", story.start, first.name);
        story.todos.push((first.line, what));
        story.start.clone_from(&first.name);
    }
    begin_with(&mut story, first)?;
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
            found |= matches!(own, Step::Set(..) | Step::Unset(_) | Step::If(..) | Step::Todo { .. });
        });
    }
    found
}

/// What happens before the story begins. What is set to a number or a text is so from the beginning; where more happens, it
/// does so in a passage of its own.
fn begin_with(story: &mut Story, first: Vec<Passage>) -> Result<(), Unreadable> {
    let constant =
        |own: &Expression| matches!(own, Expression::Number(_) | Expression::Boolean(_) | Expression::Text(_));
    let is_plain = |step: &Step| match step {
        Step::Set(_, _, own) => constant(own),
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
            leads |= matches!(own, Step::Link { .. } | Step::Goto { .. });
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

/// A file's text.
pub(crate) fn text_of(bytes: &[u8]) -> Result<&str, Unreadable> {
    if bytes.len() > LONGEST {
        return Err(Unreadable::wrong(format!("it is longer than {LONGEST} bytes")));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Unreadable::wrong(format!("it is not UTF-8 text (byte {})", error.valid_up_to())))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Reads a passage. What happens before the story begins goes to `first`.
fn add(story: &mut Story, own: Raw<'_>, first: &mut Vec<Passage>) -> Result<(), Unreadable> {
    let is = |tag: &str| own.tags.iter().any(|own| own.eq_ignore_ascii_case(tag));
    let (line, name, is_sugar_cube) = (own.line, own.name.as_str(), story.dialect == Dialect::SugarCube);
    let mut refused = |what: &str| story.todos.push((line, format!("{what} `{name}`")));
    if matches!(name, "StoryTitle" | "StoryData") || is("stylesheet") || is("Twine.private") {
        return Ok(());
    }
    if is("script") {
        refused("the script");
        return Ok(());
    }
    if SPECIAL.contains(&name) {
        if own.body.contains("<<") || own.body.contains("[[") || own.body.contains("data-passage") {
            refused("what is always shown beside the passages:");
        }
        return Ok(());
    }
    let is_around = match story.dialect {
        Dialect::SugarCube => AROUND.contains(&name),
        Dialect::Harlowe => is("header") || is("footer"),
    };
    if is_around {
        refused("what is added to every passage:");
        return Ok(());
    }
    if is("widget") && is_sugar_cube {
        refused("the widgets in");
        return Ok(());
    }
    let steps = if is_sugar_cube { sugarcube::steps(own.body, line + 1) } else { harlowe::steps(own.body, line + 1) };
    let is_first = if is_sugar_cube { name == "StoryInit" || is("init") } else { is("startup") };
    let wins = ["win", "victory", "goal"].into_iter().any(is);
    if is_first {
        // Passages with the tag come before the one with the name.
        let place = if name == "StoryInit" {
            first.len()
        } else {
            first.iter().take_while(|own| own.name != "StoryInit").count()
        };
        first.insert(place, Passage { name: own.name, line, wins: false, steps });
        return Ok(());
    }
    if story.passages.iter().any(|passage| passage.name == own.name) {
        refused("a second passage");
        return Ok(());
    }
    story.add(Passage { name: own.name, line, wins, steps })
}

/// A passage as it stands in the file.
struct Raw<'t> {
    name: String,
    tags: Vec<String>,
    /// Its text, and the line of its header.
    body: &'t str,
    line: usize,
}

/// The passages of a file.
fn passages(text: &str) -> Vec<Raw<'_>> {
    let mut found: Vec<Raw<'_>> = Vec::new();
    let mut begin = 0;
    let mut at = 0;
    for (line, own) in (1..).zip(text.split_inclusive('\n')) {
        if let Some(header) = own.strip_prefix("::") {
            if let Some(last) = found.last_mut() {
                last.body = &text[begin..at];
            }
            let (name, tags) = header_of(header);
            found.push(Raw { name, tags, body: "", line });
            begin = at + own.len();
        }
        at += own.len();
    }
    if let Some(last) = found.last_mut() {
        last.body = &text[begin..];
    }
    found
}

/// The name and the tags of a passage, by what follows `::`.
fn header_of(header: &str) -> (String, Vec<String>) {
    let mut name = String::new();
    let mut rest = header.trim().chars();
    let mut tags = String::new();
    while let Some(own) = rest.next() {
        match own {
            '\\' => name.extend(rest.next()),
            '[' => {
                tags = rest.by_ref().take_while(|own| *own != ']').collect();
                break;
            }
            '{' => break,
            own => name.push(own),
        }
    }
    let name: String = name.trim().chars().filter(|own| !is_forbidden(*own)).take(200).collect();
    (name, tags.split_whitespace().map(String::from).collect())
}
