//! What can be looked for in a book.

use std::collections::{BTreeMap, BTreeSet};

use gamebook::{Book, Mention, SectionNumber};

/// A text as it is compared: names have dashes where people write blanks.
fn plain(text: &str) -> String {
    text.to_lowercase().replace(['-', '_'], " ")
}

/// What can be looked for in a book, as it is compared.
#[derive(Debug)]
pub struct Index {
    sections: BTreeMap<SectionNumber, Vec<(String, Mention)>>,
}

impl Index {
    pub fn new(book: &Book) -> Self {
        let mentions = |section: SectionNumber| {
            book.mentions(section).into_iter().map(|mention| (plain(&mention.text), mention)).collect()
        };
        Self { sections: book.sections.keys().map(|section| (*section, mentions(*section))).collect() }
    }

    /// Sections that are called so, then those of which a part of the name is so, then those that speak of it, each of
    /// these with where it does.
    pub fn find(&self, book: &Book, text: &str) -> Vec<(SectionNumber, Vec<&Mention>)> {
        let (text, mut found) = (plain(text.trim()), Vec::new());
        let words: Vec<&str> = text.split_whitespace().collect();
        let holds = |own: &str| words.iter().all(|word| own.contains(word));
        let called = |section: &SectionNumber| plain(&book.section_text(*section));
        let named = |section: &SectionNumber| book.name_of(*section).is_some() && holds(&called(section));
        let mut listed = BTreeSet::new();
        let sections = || self.sections.keys();
        for section in sections().filter(|own| called(own) == text).chain(sections().filter(|own| named(own))) {
            if listed.insert(*section) {
                found.push((*section, Vec::new()));
            }
        }
        for (section, mentions) in &self.sections {
            let why: Vec<&Mention> = mentions.iter().filter(|(own, _)| holds(own)).map(|(_, own)| own).collect();
            if !why.is_empty() && listed.insert(*section) {
                found.push((*section, why));
            }
        }
        found
    }
}
