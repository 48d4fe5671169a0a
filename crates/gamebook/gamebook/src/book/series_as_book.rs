//! A series as one book, with one numbering of its sections.

use std::collections::BTreeMap;

use super::node::{Node, NodeKind};
use super::series::{Series, SeriesBook};
use super::visitor::every_node;
use super::{Book, Section};
use crate::terms::SectionNumber;

impl Series {
    /// The offset of each book's section numbers in the common numbering.
    pub fn first_numbers(&self) -> Vec<SectionNumber> {
        let last = |own: &SeriesBook| own.book.sections.last_key_value().map_or(0, |(last, _)| *last);
        let next = |first: &mut SectionNumber, own| {
            let this = *first;
            // A series with more sections is not compiled.
            *first = this.saturating_add(last(own)).saturating_add(1);
            Some(this)
        };
        self.books.iter().scan(0, next).collect()
    }

    /// The index of the book of a section of [`as_one_book`](Self::as_one_book), and the section's number there; 0 for what
    /// happens before a book begins.
    pub fn place_of(&self, section: SectionNumber) -> (usize, SectionNumber) {
        let firsts = self.first_numbers();
        let book = firsts.partition_point(|first| *first <= section).saturating_sub(1);
        (book, section - firsts.get(book).copied().unwrap_or(0))
    }

    /// The series as one book, for presenting a play: the hero, his possessions and his start are those of the first book; the
    /// sections are those of all books, named by number and book. It cannot be compiled: of the content of sections it keeps
    /// only the deaths.
    ///
    /// ```
    /// # use gamebook::{Play, Question, read_series};
    /// # use mdp::ExploreOptions;
    /// # use budget::Budget;
    /// # let book = |section: &str| format!(
    /// #     "book \"Coin\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 2\nhero {{ combat-skill 15; endurance 25; }}
    /// # section 1 {{ {section} }}
    /// # section 2 {{ victory; }}");
    /// let text = "series \"Two coins\" format=1\nbook \"heads\"\nbook \"tails\"\n";
    /// let coin = "pick { when 0 4 { goto 2; }; else { death \"lost\"; }; }";
    /// let (series, _) = read_series(text, &|_| Ok(book(coin)), &|_| Err("none".into()), &Budget::unlimited())?;
    /// let as_one_book = series.as_one_book();
    /// let solved = series.solved(&Question::new(&as_one_book), &ExploreOptions::default())?;
    /// let mut play = Play::with_hints(&solved, 1);
    /// assert_eq!(play.win().map(|win| win.decimal()), Some(0.25));
    /// play.bring(&gamebook::Rolled::Numbers(vec![0]))?;
    /// assert_eq!((play.book(), as_one_book.section_text(play.section()).as_str()), (1, "1 of Coin (2)"));
    /// assert_eq!(series.place_of(play.section()), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn as_one_book(&self) -> Book {
        let first = &self.books[0].book;
        let (mut sections, mut names) = (BTreeMap::new(), BTreeMap::new());
        let mut goals = Vec::new();
        for (place, (own, first)) in self.books.iter().zip(self.first_numbers()).enumerate() {
            let same = self.books[..place].iter().filter(|other| other.book.title == own.book.title).count();
            let numbered = if same > 0 { format!(" ({})", same + 1) } else { String::new() };
            let title = format!("{}{numbered}", own.book.title);
            let number = |section: SectionNumber| first.saturating_add(section);
            if place > 0 {
                sections.insert(first, only_deaths(&own.arrival));
                names.insert(first, format!("before {title}"));
            }
            for (section, body) in &own.book.sections {
                sections.insert(number(*section), only_deaths(body));
                names.insert(number(*section), format!("{} of {title}", own.book.section_text(*section)));
            }
            goals = own.book.goals.iter().map(|goal| number(*goal)).collect();
        }
        let draft = self.books.iter().map(|own| own.book.draft).sum();
        Book { title: self.title.clone(), goals, sections, names, draft, mark: self.mark, ..first.clone() }
    }
}

/// A section for presentation only, without targets.
fn only_deaths(section: &Section) -> Section {
    let mut deaths: Vec<Node> = Vec::new();
    every_node(&section.body, &mut |node| {
        if matches!(node.kind, NodeKind::Death(_)) {
            deaths.push(node.clone());
        }
    });
    Section { body: deaths, ..section.clone() }
}
