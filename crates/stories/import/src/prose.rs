//! The text of a book, from the reader's own Project Aon XML: held in memory, shown beside the choices, never stored.

use std::collections::BTreeMap;

use budget::Budget;
use gamebook::SectionNumber;
use serde::Serialize;

use crate::characters::character;
use crate::unreadable::Unreadable;
use crate::xml::{self, Content, Element};

/// The text of a book's sections.
#[derive(Clone, Debug, Default)]
pub struct Prose {
    /// The title.
    pub title: String,
    sections: BTreeMap<SectionNumber, Vec<Paragraph>>,
}

/// A paragraph, a choice, an enemy or a line of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Paragraph {
    /// Its words.
    pub text: String,
    /// The section to which it leads.
    pub to: Option<SectionNumber>,
}

impl Prose {
    /// Reads a book's XML, in UTF-8 or ISO-8859-1.
    ///
    /// # Errors
    /// When it is too long, broken, or has no numbered sections.
    ///
    /// ```
    /// let xml = b"<gamebook><meta><title>Doors</title></meta><section class='numbered' id='sect1'><data>
    ///     <p>Two doors<ch.ellips/></p><choice idref='sect2'>Left &amp; in.</choice></data></section></gamebook>";
    /// let prose = import::Prose::new(xml)?;
    /// assert_eq!(prose.title, "Doors");
    /// assert_eq!(prose.section(1).map(|lines| lines[0].text.as_str()), Some("Two doors\u{2026}"));
    /// assert_eq!(prose.section(1).map(|lines| lines[1].to), Some(Some(2)));
    /// # Ok::<(), import::Unreadable>(())
    /// ```
    pub fn new(xml: &[u8]) -> Result<Self, Unreadable> {
        let document = xml::parse(xml, &Budget::unlimited())?;
        let mut gathering = Gathering::default();
        gathering.inside(&document.root);
        if gathering.prose.sections.is_empty() {
            return Err(Unreadable::wrong("it has no numbered sections".into()));
        }
        Ok(gathering.prose)
    }

    /// The paragraphs of a section.
    pub fn section(&self, section: SectionNumber) -> Option<&[Paragraph]> {
        self.sections.get(&section).map(Vec::as_slice)
    }
}

#[derive(Default)]
struct Gathering {
    prose: Prose,
    section: Option<SectionNumber>,
    paragraph: Paragraph,
}

/// Elements whose text is none of the story.
const SILENT: [&str; 4] = ["meta", "illustration", "footnotes", "footref"];
/// Elements that begin and end a paragraph.
const PARAGRAPHS: [&str; 9] = ["p", "choice", "combat", "deadend", "li", "dt", "dd", "line", "puzzle"];

impl Gathering {
    fn inside(&mut self, element: &Element) {
        for content in &element.content {
            match content {
                Content::Text(text) => self.word(text),
                Content::Element(inner) => self.element(inner),
            }
        }
    }

    fn element(&mut self, element: &Element) {
        match element.name.as_str() {
            "meta" if self.prose.title.is_empty() => {
                self.prose.title = element.named("title").next().map(title).unwrap_or_default();
            }
            name if SILENT.contains(&name) => {}
            "section" if element.attribute("class") == Some("numbered") => {
                self.end_paragraph();
                self.section = element.attribute("id").and_then(number);
                self.inside(element);
                self.end_paragraph();
                self.section = None;
            }
            name if PARAGRAPHS.contains(&name) => {
                self.end_paragraph();
                self.paragraph.to = element.attribute("idref").and_then(number);
                self.inside(element);
                self.end_paragraph();
            }
            "enemy-attribute" => {
                let endurance = element.attribute("class") == Some("endurance");
                self.word(if endurance { ", ENDURANCE " } else { ", COMBAT SKILL " });
                self.inside(element);
            }
            "quote" => {
                self.word("\u{201c}");
                self.inside(element);
                self.word("\u{201d}");
            }
            name => {
                self.word(character(name));
                self.inside(element);
            }
        }
    }

    fn word(&mut self, text: &str) {
        if self.section.is_some() {
            self.paragraph.text.push_str(text);
        }
    }

    fn end_paragraph(&mut self) {
        let mut paragraph = std::mem::take(&mut self.paragraph);
        paragraph.text = paragraph.text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(section) = self.section
            && !paragraph.text.is_empty()
        {
            self.prose.sections.entry(section).or_default().push(paragraph);
        }
    }
}

/// The words of a title.
fn title(element: &Element) -> String {
    let mut text = String::new();
    for content in &element.content {
        match content {
            Content::Text(words) => text.push_str(words),
            Content::Element(inner) => text.push_str(character(&inner.name)),
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The number in `sect12`, from 1 to 9999.
pub(crate) fn number(id: &str) -> Option<SectionNumber> {
    id.strip_prefix("sect")?.parse().ok().filter(|number| (1..=9999).contains(number))
}

#[cfg(test)]
mod tests;
