//! What stands in a Project Aon book: sections with paragraphs, choices, enemies, ends.

use std::collections::BTreeMap;

use gamebook::SectionNumber;

use crate::characters::character;
use crate::prose::number;
use crate::unreadable::Unreadable;
use crate::xml::{Content, Document, Element};

/// A book as its XML gives it.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub title: String,
    pub sections: BTreeMap<SectionNumber, Vec<Block>>,
    /// What was passed over in the file as a whole.
    pub notes: Vec<String>,
}

/// A part of a section, in the order of the text. Texts have single spaces and plain hyphens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    Text(String),
    Footnote(String),
    Choice {
        to: Option<SectionNumber>,
        text: String,
    },
    Enemy {
        name: String,
        skill: Option<i32>,
        endurance: Option<i32>,
    },
    DeadEnd,
    /// A number that the reader has to find out.
    Puzzle {
        to: Vec<SectionNumber>,
    },
}

impl Source {
    pub fn new(document: &Document) -> Result<Self, Unreadable> {
        let mut source = Self::default();
        for entity in &document.unknown_entities {
            source.notes.push(format!("the entity `{entity}` is not known: its places are left empty"));
        }
        source.look(&document.root)?;
        if source.sections.is_empty() {
            return Err(Unreadable::wrong("it has no numbered sections".into()));
        }
        Ok(source)
    }

    /// The texts of all sections.
    pub fn texts(&self) -> impl Iterator<Item = &str> + Clone {
        self.sections.values().flatten().filter_map(|block| match block {
            Block::Text(text) | Block::Choice { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }

    /// Finds the title and the numbered sections.
    fn look(&mut self, element: &Element) -> Result<(), Unreadable> {
        for inner in element.elements() {
            if inner.name == "meta" && self.title.is_empty() {
                self.title = inner.named("title").next().map(words).unwrap_or_default();
            } else if inner.name == "section" && inner.attribute("class") == Some("numbered") {
                let id = inner.attribute("id").unwrap_or_default();
                let Some(section) = number(id) else {
                    self.notes.push(format!("a numbered section is called `{}`, which is no number", first(id, 40)));
                    continue;
                };
                let mut blocks = Vec::new();
                gather(inner, &mut blocks);
                if self.sections.insert(section, blocks).is_some() {
                    return Err(Unreadable::wrong(format!("section {section} stands in it twice")));
                }
            } else {
                self.look(inner)?;
            }
        }
        Ok(())
    }
}

fn gather(element: &Element, blocks: &mut Vec<Block>) {
    for inner in element.elements() {
        match inner.name.as_str() {
            "meta" | "illustration" => {}
            "choice" => {
                let to = inner.attribute("idref").and_then(number);
                blocks.push(Block::Choice { to, text: words(inner) });
            }
            "combat" => blocks.push(enemy(inner)),
            "deadend" => blocks.push(Block::DeadEnd),
            "puzzle" => {
                let targets = inner.attribute("idref").or_else(|| inner.attribute("idrefs")).unwrap_or_default();
                blocks.push(Block::Puzzle { to: targets.split_whitespace().filter_map(number).collect() });
            }
            "footnotes" => blocks.extend(inner.elements().map(|note| Block::Footnote(words(note)))),
            "p" | "li" | "dt" | "dd" | "line" | "td" | "th" => {
                let text = words(inner);
                // Enemies and choices stand in lists, too.
                let before = blocks.len();
                gather(inner, blocks);
                if blocks.len() == before && text.chars().any(char::is_alphanumeric) {
                    blocks.push(Block::Text(text));
                }
            }
            _ => gather(inner, blocks),
        }
    }
}

fn enemy(element: &Element) -> Block {
    let value = |class: &str| {
        let own = |attribute: &&Element| attribute.attribute("class") == Some(class);
        element.named("enemy-attribute").find(own).and_then(|attribute| words(attribute).parse().ok())
    };
    // Not everyone fights with COMBAT SKILL and ENDURANCE.
    Block::Enemy {
        name: element.named("enemy").next().map(words).unwrap_or_default(),
        skill: value("combatskill"),
        endurance: value("endurance").or_else(|| value("target")).or_else(|| value("resistance")),
    }
}

/// The words of an element, without what points to footnotes.
fn words(element: &Element) -> String {
    fn add(element: &Element, text: &mut String) {
        for content in &element.content {
            match content {
                Content::Text(words) => text.push_str(words),
                Content::Element(inner) if matches!(inner.name.as_str(), "footref" | "when") => {}
                Content::Element(inner) => {
                    text.push_str(character(&inner.name));
                    add(inner, text);
                }
            }
        }
    }
    let mut text = String::new();
    add(element, &mut text);
    let plain =
        text.replace(['\u{2010}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}'], "-").replace('\u{2019}', "'");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first characters of a text.
fn first(text: &str, count: usize) -> String {
    text.chars().take(count).collect()
}
