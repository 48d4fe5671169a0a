//! The passages of a file, in Twee 3 or in the HTML that Twine publishes.

use std::borrow::Cow;

use serde_json::Value;

use super::markup::{attribute, name_of, unescaped};
use crate::unreadable::Unreadable;

/// A story as written in its file.
pub(super) struct Source<'t> {
    pub(super) title: String,
    /// The passage in which it begins.
    pub(super) start: String,
    /// Its story format in lower case, where the file names it, and the line.
    pub(super) format: String,
    pub(super) line: usize,
    pub(super) passages: Vec<Raw<'t>>,
    pub(super) todos: Vec<(usize, String)>,
}

/// A passage as written in the file.
pub(super) struct Raw<'t> {
    pub(super) name: String,
    tags: Vec<String>,
    /// Its text, and the line of its header.
    pub(super) body: Cow<'t, str>,
    pub(super) line: usize,
}

impl Raw<'_> {
    /// Whether it has a tag.
    pub(super) fn is(&self, tag: &str) -> bool {
        self.tags.iter().any(|own| own.eq_ignore_ascii_case(tag))
    }
}

impl<'t> Source<'t> {
    pub(super) fn of(text: &'t str) -> Result<Self, Unreadable> {
        match text.find("<tw-storydata") {
            Some(begin) if !text.lines().any(|line| line.starts_with("::")) || begin == 0 => {
                Self::published(text, begin)
            }
            _ => Self::twee(text),
        }
    }

    fn twee(text: &'t str) -> Result<Self, Unreadable> {
        let all = passages(text);
        if all.is_empty() {
            return Err(Unreadable::wrong("it has no passages: each begins with a line `:: Name`".into()));
        }
        let (title, start) = ("A story".into(), "Start".into());
        let mut source = Self { title, start, format: String::new(), line: 0, passages: Vec::new(), todos: Vec::new() };
        for own in all {
            match own.name.as_str() {
                "StoryTitle" => source.title = own.body.trim().into(),
                "StoryData" => {
                    let data: Value = serde_json::from_str(own.body.trim()).unwrap_or(Value::Null);
                    if data.is_null() {
                        source.todos.push((own.line, "StoryData is no JSON: which story format is it?".into()));
                    }
                    if let Some(start) = data["start"].as_str() {
                        source.start = name_of(start);
                    }
                    source.format = data["format"].as_str().unwrap_or_default().to_lowercase();
                    source.line = own.line;
                }
                _ => source.passages.push(own),
            }
        }
        Ok(source)
    }

    /// Reads the HTML that Twine publishes: `<tw-storydata>` with a `<tw-passagedata>` for every passage.
    fn published(text: &'t str, begin: usize) -> Result<Self, Unreadable> {
        let broken = || Unreadable::wrong("its HTML breaks off".into());
        let head = &text[begin..];
        let head = &head[..=head.find('>').ok_or_else(broken)?];
        let named = |name: &str| attribute(head, name).unwrap_or_default();
        let line = 1 + text[..begin].matches('\n').count();
        let (title, number, format) = (named("name"), named("startnode"), named("format").to_lowercase());
        let (mut passages, mut todos, mut start) = (Vec::new(), Vec::new(), String::new());
        let (mut at, mut counted) = (begin + head.len(), line + head.matches('\n').count());
        while let Some(next) = text[at..].find('<') {
            counted += text[at..at + next].matches('\n').count();
            at += next;
            let rest = &text[at..];
            if rest.starts_with("</tw-storydata") {
                break;
            }
            let end = rest.find('>').ok_or_else(broken)? + 1;
            let tag = &rest[..end];
            let close = if tag.starts_with("<tw-passagedata") {
                "</tw-passagedata>"
            } else if tag.starts_with("<script") {
                "</script>"
            } else if tag.starts_with("<style") {
                "</style>"
            } else {
                at += end;
                continue;
            };
            let length = rest[end..].find(close).ok_or_else(broken)?;
            let body = &rest[end..end + length];
            if close == "</script>" && !body.trim().is_empty() {
                todos.push((counted, "the story's script".into()));
            }
            if close == "</tw-passagedata>" {
                let name = name_of(&attribute(tag, "name").unwrap_or_default());
                if attribute(tag, "pid").is_some_and(|own| own == number) {
                    start.clone_from(&name);
                }
                let tags = attribute(tag, "tags").unwrap_or_default();
                let tags = tags.split_whitespace().map(String::from).collect();
                // The text begins in the line of its tag.
                passages.push(Raw { name, tags, body: unescaped(body).into(), line: counted.saturating_sub(1) });
            }
            counted += rest[..end + length].matches('\n').count();
            at += end + length + close.len();
        }
        if passages.is_empty() {
            return Err(Unreadable::wrong("its `<tw-storydata>` has no passages".into()));
        }
        Ok(Self { title, start, format, line, passages, todos })
    }
}

/// The passages of a file.
fn passages(text: &str) -> Vec<Raw<'_>> {
    let mut found: Vec<Raw<'_>> = Vec::new();
    let mut begin = 0;
    let mut at = 0;
    for (line, own) in (1..).zip(text.split_inclusive('\n')) {
        if let Some(header) = own.strip_prefix("::") {
            if let Some(last) = found.last_mut() {
                last.body = text[begin..at].into();
            }
            let (name, tags) = header_of(header);
            found.push(Raw { name, tags, body: "".into(), line });
            begin = at + own.len();
        }
        at += own.len();
    }
    if let Some(last) = found.last_mut() {
        last.body = text[begin..].into();
    }
    found
}

/// The name and the tags of a passage, from the header after `::`.
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
    (name_of(&name), tags.split_whitespace().map(String::from).collect())
}
