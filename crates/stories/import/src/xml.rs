//! XML files as trees of bounded size: nothing is fetched, no entity is expanded, hostile files are refused.

use budget::{Budget, Stage};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::unreadable::Unreadable;

/// The longest file, in bytes; the longest published book has under one million.
pub(crate) const LONGEST: usize = 16 << 20;
/// The deepest nesting of elements; the published books need a dozen.
const DEEPEST: usize = 64;
/// The most elements; the largest published book has under twenty thousand.
const MOST_ELEMENTS: usize = 1_000_000;
/// The most attributes of one element; the largest of the mechanics have about ten.
const MOST_ATTRIBUTES: usize = 64;

/// An element with what stands in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Element {
    pub name: String,
    attributes: Vec<(String, String)>,
    pub content: Vec<Content>,
}

/// What stands in an element.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Text(String),
    Element(Element),
}

impl Element {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// All attributes in their order.
    pub fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// All text in it.
    pub fn text(&self) -> String {
        let inner = |content: &Content| match content {
            Content::Text(text) => text.clone(),
            Content::Element(element) => element.text(),
        };
        self.content.iter().map(inner).collect()
    }

    /// The elements that stand in it.
    pub fn elements(&self) -> impl Iterator<Item = &Self> {
        self.content.iter().filter_map(|content| match content {
            Content::Element(element) => Some(element),
            Content::Text(_) => None,
        })
    }

    /// The elements of this name that stand in it.
    pub fn named<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Self> {
        self.elements().filter(move |element| element.name == name)
    }
}

/// A file as a tree: what is read of it.
#[derive(Debug)]
pub(crate) struct Document {
    /// Holds everything that stands at the top.
    pub root: Element,
    /// Entities that are none of XML's own, each once; their places are left empty.
    pub unknown_entities: Vec<String>,
}

/// Reads a file. Ends that nothing began are passed over, since some published books have them.
pub(crate) fn parse(bytes: &[u8], budget: &Budget<'_>) -> Result<Document, Unreadable> {
    let text = decode(bytes)?;
    let mut reader = Reader::from_str(&text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut tree = Tree { open: vec![Element::default()], unknown_entities: Vec::new(), elements: 0 };
    loop {
        let at = reader.buffer_position();
        budget.step(Stage::Reading, at, text.len() as u64 - at).map_err(Unreadable::Stopped)?;
        match reader.read_event() {
            Ok(Event::Eof) => break,
            Ok(event) => tree.event(&event).map_err(|what| Unreadable::wrong(format!("at byte {at}: {what}")))?,
            Err(error) => {
                return Err(Unreadable::wrong(format!("at byte {}: {error}", reader.error_position())));
            }
        }
    }
    if let Some(open) = tree.open.get(1).and_then(|_| tree.open.last()) {
        return Err(Unreadable::wrong(format!("it ends inside of <{}>: is it complete?", shortened(&open.name))));
    }
    let root = tree.open.pop().unwrap_or_default();
    Ok(Document { root, unknown_entities: tree.unknown_entities })
}

struct Tree {
    /// The elements around the place that is read, the innermost last; the first holds the top.
    open: Vec<Element>,
    unknown_entities: Vec<String>,
    elements: usize,
}

impl Tree {
    fn event(&mut self, event: &Event<'_>) -> Result<(), String> {
        match event {
            Event::Start(start) => {
                let element = self.element(start)?;
                if self.open.len() > DEEPEST {
                    return Err(format!("elements are nested more than {DEEPEST} deep"));
                }
                self.open.push(element);
            }
            Event::Empty(empty) => {
                let element = self.element(empty)?;
                self.put(Content::Element(element));
            }
            Event::End(end) => self.end(end.name().as_ref()),
            Event::Text(text) => self.text(text),
            Event::CData(text) => self.text(text),
            Event::GeneralRef(reference) => {
                if let Ok(Some(character)) = reference.resolve_char_ref() {
                    self.text(character.encode_utf8(&mut [0; 4]));
                } else if let Some(text) = quick_xml::escape::resolve_predefined_entity(reference) {
                    self.text(text);
                } else {
                    let name = shortened(reference);
                    if self.unknown_entities.len() < 20 && !self.unknown_entities.contains(&name) {
                        self.unknown_entities.push(name);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn element(&mut self, start: &BytesStart<'_>) -> Result<Element, String> {
        self.elements += 1;
        if self.elements > MOST_ELEMENTS {
            return Err(format!("it has more than {MOST_ELEMENTS} elements"));
        }
        let mut attributes = Vec::new();
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|error| format!("an attribute is broken: {error}"))?;
            if attributes.len() == MOST_ATTRIBUTES {
                return Err(format!("an element has more than {MOST_ATTRIBUTES} attributes"));
            }
            attributes.push((attribute.key.as_ref().to_string(), unescaped(&attribute.value)));
        }
        Ok(Element { name: start.name().as_ref().to_string(), attributes, content: Vec::new() })
    }

    fn put(&mut self, content: Content) {
        if let Some(inner) = self.open.last_mut() {
            inner.content.push(content);
        }
    }

    fn text(&mut self, more: &str) {
        let Some(inner) = self.open.last_mut() else { return };
        if let Some(Content::Text(text)) = inner.content.last_mut() {
            text.push_str(more);
        } else {
            inner.content.push(Content::Text(more.into()));
        }
    }

    /// Ends the innermost element of this name, and what was left open in it. An end that nothing in the
    /// section began is passed over.
    fn end(&mut self, name: &str) {
        let mut place = self.open.len();
        while place > 1 {
            place -= 1;
            if self.open[place].name == name {
                while self.open.len() > place {
                    if let Some(element) = self.open.pop() {
                        self.put(Content::Element(element));
                    }
                }
                return;
            }
            if matches!(self.open[place].name.as_str(), "section" | "data") && !matches!(name, "section" | "gamebook") {
                return;
            }
        }
    }
}

/// The value of an attribute with XML's own entities resolved, and no others.
fn unescaped(value: &str) -> String {
    match quick_xml::escape::unescape(value) {
        Ok(text) => text.into_owned(),
        Err(_) => value.to_string(),
    }
}

/// A word of the file, short enough for a message.
fn shortened(word: &str) -> String {
    word.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The text of a file, in UTF-8 or ISO-8859-1, as its declaration says. A file that declares nothing and
/// is no UTF-8 is taken for ISO-8859-1.
fn decode(bytes: &[u8]) -> Result<String, Unreadable> {
    if bytes.len() > LONGEST {
        return Err(Unreadable::wrong(format!("it is longer than {LONGEST} bytes")));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Unreadable::wrong("it is UTF-16; save it as UTF-8".into()));
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err(Unreadable::wrong(format!("byte {at} is 0: it is no text")));
    }
    // Each byte of ISO-8859-1 is the character of its number.
    let latin = || bytes.iter().map(|byte| char::from(*byte)).collect::<String>();
    match declared_encoding(bytes).as_deref() {
        None => Ok(std::str::from_utf8(bytes).map_or_else(|_| latin(), str::to_owned)),
        Some("utf-8" | "utf8" | "us-ascii" | "ascii") => {
            std::str::from_utf8(bytes).map(str::to_owned).map_err(|error| {
                let at = error.valid_up_to();
                Unreadable::wrong(format!("it declares UTF-8, but is not from byte {at} on"))
            })
        }
        Some("iso-8859-1" | "latin1" | "latin-1") => Ok(latin()),
        Some(other) => {
            let other = shortened(other);
            Err(Unreadable::wrong(format!("it is in `{other}`; UTF-8 and ISO-8859-1 can be read")))
        }
    }
}

/// What `<?xml ... encoding="..."?>` says, in lower case.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).into_owned();
    let declaration = head.trim_start().strip_prefix("<?xml")?.split("?>").next()?.to_string();
    let value = declaration.split("encoding").nth(1)?.trim_start().strip_prefix('=')?.trim_start().to_string();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    Some(value[1..].split(quote).next()?.to_ascii_lowercase())
}

#[cfg(test)]
mod tests;
