//! The text of a book, from the reader's own Project Aon XML: held in memory, shown beside the choices, never stored.
//!
//! The parser resolves no entities but characters and opens no other file; what it does not know it leaves out.

use std::collections::BTreeMap;
use std::fmt;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde::Serialize;

/// The longest file, in bytes; the longest published book has under one million.
const LONGEST: usize = 16 << 20;

/// The text of a book's sections.
#[derive(Clone, Debug, Default)]
pub struct Prose {
    /// The title.
    pub title: String,
    sections: BTreeMap<u16, Vec<Paragraph>>,
}

/// A paragraph, a choice, an enemy or a line of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Paragraph {
    /// Its words.
    pub text: String,
    /// The section to which it leads.
    pub to: Option<u16>,
}

/// A file that is no such book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoProse {
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for NoProse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for NoProse {}

impl Prose {
    /// Reads a book's XML, in UTF-8 or ISO-8859-1.
    ///
    /// # Errors
    /// When it is too long, broken, or has no numbered sections.
    ///
    /// ```
    /// let xml = b"<gamebook><meta><title>Doors</title></meta><section class='numbered' id='sect1'><data>
    ///     <p>Two doors<ch.ellips/></p><choice idref='sect2'>Left &amp; in.</choice></data></section></gamebook>";
    /// let prose = explorer::Prose::new(xml)?;
    /// assert_eq!(prose.title, "Doors");
    /// assert_eq!(prose.section(1).map(|lines| lines[0].text.as_str()), Some("Two doors\u{2026}"));
    /// assert_eq!(prose.section(1).map(|lines| lines[1].to), Some(Some(2)));
    /// # Ok::<(), explorer::NoProse>(())
    /// ```
    pub fn new(xml: &[u8]) -> Result<Self, NoProse> {
        let wrong = |message: String| NoProse { message };
        if xml.len() > LONGEST {
            return Err(wrong(format!("it is longer than {LONGEST} bytes")));
        }
        // Each byte of ISO-8859-1 is the character of its number.
        let text = match std::str::from_utf8(xml) {
            Ok(text) => text.to_owned(),
            Err(_) => xml.iter().map(|byte| char::from(*byte)).collect(),
        };
        let mut reader = Reader::from_str(&text);
        let config = reader.config_mut();
        // Some of the published files close what they never opened.
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        let mut gathering = Gathering::default();
        loop {
            match reader.read_event() {
                Ok(Event::Eof) => break,
                Ok(event) => gathering.event(&event),
                Err(error) => return Err(wrong(format!("at byte {}: {error}", reader.error_position()))),
            }
        }
        gathering.end_paragraph();
        if gathering.prose.sections.is_empty() {
            return Err(wrong("it has no numbered sections".into()));
        }
        Ok(gathering.prose)
    }

    /// The paragraphs of a section.
    pub fn section(&self, section: u16) -> Option<&[Paragraph]> {
        self.sections.get(&section).map(Vec::as_slice)
    }
}

#[derive(Default)]
struct Gathering {
    prose: Prose,
    section: Option<u16>,
    paragraph: Paragraph,
    /// Within how many elements whose text is none of the story.
    silent: usize,
    in_title: bool,
}

/// Elements whose text is none of the story.
const SILENT: [&str; 4] = ["meta", "illustration", "footnotes", "footref"];
/// Elements that begin and end a paragraph.
const PARAGRAPHS: [&str; 9] = ["p", "choice", "combat", "deadend", "li", "dt", "dd", "line", "puzzle"];

impl Gathering {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(start) => self.start(start),
            Event::Empty(empty) => self.word(character(empty.name().as_ref())),
            Event::End(end) => self.end(end.name().as_ref()),
            Event::Text(text) => self.word(text),
            Event::CData(text) => self.word(text),
            Event::GeneralRef(reference) => {
                if let Ok(Some(character)) = reference.resolve_char_ref() {
                    self.word(character.encode_utf8(&mut [0; 4]));
                } else if let Some(text) = quick_xml::escape::resolve_predefined_entity(reference) {
                    self.word(text);
                }
            }
            _ => {}
        }
    }

    fn start(&mut self, start: &BytesStart<'_>) {
        let name = start.name();
        let name = name.as_ref();
        self.in_title = name == "title" && self.prose.title.is_empty();
        if SILENT.contains(&name) {
            self.silent += 1;
        } else if name == "section" {
            if attribute(start, "class").as_deref() == Some("numbered") {
                self.end_paragraph();
                self.section = attribute(start, "id").and_then(|id| number(&id));
            }
        } else if PARAGRAPHS.contains(&name) {
            self.end_paragraph();
            self.paragraph.to = attribute(start, "idref").and_then(|id| number(&id));
        } else if name == "enemy-attribute" {
            let what = attribute(start, "class");
            self.word(if what.as_deref() == Some("endurance") { ", ENDURANCE " } else { ", COMBAT SKILL " });
        } else if name == "quote" {
            self.word("\u{201c}");
        }
    }

    fn end(&mut self, name: &str) {
        if SILENT.contains(&name) {
            self.silent = self.silent.saturating_sub(1);
        } else if name == "quote" {
            self.word("\u{201d}");
        } else if name == "title" {
            self.in_title = false;
        } else if name == "section" {
            self.end_paragraph();
            self.section = None;
        } else if PARAGRAPHS.contains(&name) {
            self.end_paragraph();
        }
    }

    fn word(&mut self, text: &str) {
        if self.in_title {
            self.prose.title.push_str(text);
        } else if self.section.is_some() && self.silent == 0 {
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

fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = start.try_get_attribute(name).ok()??;
    Some(attribute.value.to_string())
}

/// The number in `sect12`.
fn number(id: &str) -> Option<u16> {
    id.strip_prefix("sect")?.parse().ok()
}

/// The character for which an empty element stands.
fn character(name: &str) -> &'static str {
    match name {
        "ch.apos" | "ch.rsquot" => "\u{2019}",
        "ch.ellips" | "ch.lellips" => "\u{2026}",
        "ch.lsquot" => "\u{2018}",
        "ch.ldquot" => "\u{201c}",
        "ch.rdquot" => "\u{201d}",
        "ch.endash" => "\u{2013}",
        "ch.emdash" => "\u{2014}",
        "ch.minus" => "\u{2212}",
        "ch.plus" => "+",
        "ch.times" => "\u{d7}",
        "ch.frac12" => "\u{bd}",
        "ch.ampersand" => "&",
        "ch.nbsp" | "ch.thinspace" | "br" => " ",
        "ch.copy" => "\u{a9}",
        "ch.uuml" => "\u{fc}",
        "ch.ucirc" => "\u{fb}",
        "ch.acirc" => "\u{e2}",
        "ch.ecirc" => "\u{ea}",
        "ch.ocirc" => "\u{f4}",
        "ch.eacute" => "\u{e9}",
        "ch.ccedil" => "\u{e7}",
        "ch.blankline" => "____",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(inner: &str) -> String {
        format!("<section class='numbered' id='sect7'><meta><title>7</title></meta><data>{inner}</data></section>")
    }

    #[test]
    fn paragraphs_enemies_and_stray_ends() {
        let xml = section(
            "<p>He <cite>says</cite>: <quote>Go</quote></quote>.</p><combat><enemy>Wolf</enemy>\
             <enemy-attribute class='combatskill'>12</enemy-attribute><enemy-attribute class='endurance'>9</enemy-attribute>\
             </combat><choice idref='sect8'>On, <link-text>turn to 8</link-text>.</choice>",
        );
        let prose = Prose::new(xml.as_bytes()).unwrap();
        let lines: Vec<&str> = prose.section(7).unwrap().iter().map(|line| line.text.as_str()).collect();
        assert_eq!(lines[0], "He says: \u{201c}Go\u{201d}\u{201d}.");
        assert_eq!(lines[1], "Wolf, COMBAT SKILL 12, ENDURANCE 9");
        assert_eq!(lines[2], "On, turn to 8.");
        assert_eq!(prose.section(7).unwrap()[2].to, Some(8));
        assert!(prose.section(8).is_none());
    }

    #[test]
    fn hostile_files() {
        // Entities that multiply, or that name files, are not resolved.
        let bomb = "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'><!ENTITY f SYSTEM 'file:///etc/passwd'>]>";
        let prose = Prose::new((bomb.to_owned() + &section("<p>x&b;&f;&#233;y</p>")).as_bytes()).unwrap();
        assert_eq!(prose.section(7).unwrap()[0].text, "x\u{e9}y");
        // Deep nesting costs nothing.
        let deep = section(&("<i>".repeat(200_000) + "deep"));
        assert_eq!(Prose::new(deep.as_bytes()).unwrap().section(7).unwrap()[0].text, "deep");
        for junk in
            [&b""[..], b"\xff\x00\x80", b"<a>", b"<gamebook/>", b"<section class='numbered' id='sect99999'><p>x</p>"]
        {
            assert!(Prose::new(junk).is_err());
        }
        assert!(Prose::new(&vec![b' '; LONGEST + 1]).is_err());
        // ISO-8859-1.
        let latin = [b"<section class='numbered' id='sect1'><p>caf", &[0xe9][..], b"</p></section>"].concat();
        assert_eq!(Prose::new(&latin).unwrap().section(1).unwrap()[0].text, "caf\u{e9}");
    }
}
