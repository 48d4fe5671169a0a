//! Stories in Twee 3: passages, the links between them, and what macros of Harlowe and `SugarCube` say plainly.

use budget::{Budget, Progress, Stage};
use serde_json::Value;

use crate::story::{Dialect, ImportedStory, LONGEST, LONGEST_PASSAGE, Passage, Step, Story, written};
use crate::unreadable::Unreadable;

mod harlowe;
mod markup;
mod sugarcube;

/// Passages that are no part of the story itself.
const SPECIAL: [&str; 8] = [
    "StoryAuthor",
    "StoryBanner",
    "StoryCaption",
    "StoryMenu",
    "StoryInterface",
    "StorySettings",
    "StorySubtitle",
    "StoryShare",
];

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
                    story.notes.push(format!("line {}: StoryData is no JSON", own.line));
                }
                if let Some(start) = data["start"].as_str() {
                    story.start = start.into();
                }
                format = data["format"].as_str().unwrap_or_default().to_lowercase();
            }
            _ => {}
        }
    }
    let dialect = match format.as_str() {
        "harlowe" => Dialect::Harlowe,
        "sugarcube" => Dialect::SugarCube,
        _ if raw.iter().any(|own| own.body.contains("<<")) => Dialect::SugarCube,
        _ => Dialect::Harlowe,
    };
    if !matches!(format.as_str(), "" | "harlowe" | "sugarcube") {
        story.notes.push(format!("of the story format {format} only links are understood"));
    }
    let mut done = 0;
    for own in raw {
        budget
            .advance(Progress { stage: Stage::Reading, done, waiting: text.len() as u64 - done, memory: 0 })
            .map_err(Unreadable::Stopped)?;
        done += own.body.len() as u64;
        add(&mut story, own, dialect)?;
    }
    if !story.passages.iter().any(|passage| passage.name == story.start) {
        let first = story.passages.first().ok_or_else(|| Unreadable::wrong("it has no passages of a story".into()))?;
        story.notes.push(format!("there is no passage `{}`: it begins in `{}`", story.start, first.name));
        story.start.clone_from(&first.name);
    }
    Ok(written(story, goals))
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

fn add(story: &mut Story, own: Raw<'_>, dialect: Dialect) -> Result<(), Unreadable> {
    let is = |tag: &str| own.tags.iter().any(|own| own.eq_ignore_ascii_case(tag));
    if matches!(own.name.as_str(), "StoryTitle" | "StoryData") || is("script") || is("stylesheet") {
        if is("script") {
            story.notes.push(format!("line {}: the script `{}` is left out", own.line, own.name));
        }
        return Ok(());
    }
    if SPECIAL.contains(&own.name.as_str()) || is("Twine.private") {
        return Ok(());
    }
    let steps = match dialect {
        Dialect::SugarCube => sugarcube::steps(own.body, own.line + 1),
        _ => harlowe::steps(own.body, own.line + 1),
    };
    if own.name == "StoryInit" || is("startup") {
        for step in steps {
            match step {
                Step::Set(name, number) => {
                    story.initial.insert(name, number);
                }
                Step::Text(_) => {}
                _ => story.notes.push(format!("line {}: more than `set` before the story begins", own.line)),
            }
        }
        return Ok(());
    }
    if is("header") || is("footer") || matches!(own.name.as_str(), "PassageHeader" | "PassageFooter" | "PassageReady") {
        story.notes.push(format!("line {}: what `{}` adds to every passage is left out", own.line, own.name));
        return Ok(());
    }
    if story.passages.iter().any(|passage| passage.name == own.name) {
        story
            .notes
            .push(format!("line {}: the passage `{}` stands there twice: the first is taken", own.line, own.name));
        return Ok(());
    }
    let wins = ["win", "victory", "goal"].into_iter().any(is);
    story.add(Passage { name: own.name, wins, steps })
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
    let name: String = name.trim().chars().filter(|own| !own.is_control()).take(200).collect();
    (name, tags.split_whitespace().map(String::from).collect())
}
