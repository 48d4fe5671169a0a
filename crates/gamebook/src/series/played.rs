//! A series walked through and told: its sections under one numbering, its game made ready for a play or solved whole.

use std::collections::BTreeMap;

use budget::Budget;
use mdp::ExploreOptions;

use super::{BookReached, SeriesQuestion};
use crate::advice::{Advice, advised};
use crate::book::{Book, Node, NodeKind, Section, Series, SeriesBook, every_node};
use crate::journey::Journey;
use crate::machine::Machine;
use crate::question::Question;
use crate::solve_error::SolveBookError;
use crate::solved::Solved;
use crate::terms::SectionNumber;

impl Series {
    /// What is added to the numbers of each book's sections where all are told under one numbering.
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

    /// Which book a section of [`told`](Self::told) belongs to, counted from 0, and its number there; 0 for what happens
    /// before a book begins.
    pub fn place_of(&self, section: SectionNumber) -> (usize, SectionNumber) {
        let firsts = self.first_numbers();
        let book = firsts.partition_point(|first| *first <= section).saturating_sub(1);
        (book, section - firsts.get(book).copied().unwrap_or(0))
    }

    /// The series as one book, to tell a play by: the hero, what he can have and how he sets out are those of the first
    /// book; the sections are those of all books, each called by its number and its book. It is no book that can be
    /// compiled: of what happens in a section it has only how heroes die.
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
    /// let told = series.told();
    /// let solved = series.solved(&Question::new(&told), &ExploreOptions::default())?;
    /// let mut play = Play::with_hints(&solved, 1);
    /// assert_eq!(play.win().map(|win| win.decimal()), Some(0.25));
    /// play.bring(&gamebook::Rolled::Numbers(vec![0]))?;
    /// assert_eq!((play.book(), told.section_text(play.section()).as_str()), (1, "1 of Coin (2)"));
    /// assert_eq!(series.place_of(play.section()), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn told(&self) -> Book {
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

    /// The game of the series, made ready to be played by who is asked about: a [`Question`] about [`told`](Self::told),
    /// from its start to its goals. Who begins in a later book than the first has the items and flags of that one.
    ///
    /// # Errors
    /// As [`machine`](Self::machine).
    pub fn ready(&self, question: &Question, budget: &Budget<'_>) -> Result<Machine, SolveBookError> {
        self.machine(&self.asked(question), budget)
    }

    /// The series solved whole, in memory: what a play takes its hints from. Larger ones are only
    /// [solved in parts](Self::solve).
    ///
    /// # Errors
    /// As [`ready`](Self::ready), or when a limit is reached.
    pub fn solved(&self, question: &Question, options: &ExploreOptions<'_>) -> Result<Solved, SolveBookError> {
        let own = Budget::default();
        let machine = self.ready(question, options.budget.unwrap_or(&own))?;
        Solved::of(machine, question, options)
    }

    /// The series solved whole, and what every answer to the first question is worth, the best first: advice for who stands
    /// in a section of any book, as far as all that follows is solved in memory.
    ///
    /// # Errors
    /// As [`solved`](Self::solved).
    pub fn advised(
        &self,
        question: &Question,
        options: &ExploreOptions<'_>,
    ) -> Result<(Solved, Vec<Advice>), SolveBookError> {
        advised(question, &|question| self.solved(question, options))
    }

    /// How likely a hero who plays the whole series best, as this journey through it from its beginning does, begins each
    /// book, and wins it.
    pub fn fares(&self, journey: &Journey) -> Vec<BookReached> {
        let visited = |section: SectionNumber| {
            let visit = journey.sections.iter().find(|visit| visit.section == section);
            visit.map_or(0.0, |visit| visit.visited)
        };
        let begun = self.books.iter().zip(self.first_numbers()).skip(1);
        let begun = begun.map(|(own, first)| visited(first.saturating_add(own.book.start)));
        let reached: Vec<f64> = [1.0].into_iter().chain(begun).chain([journey.win.decimal()]).collect();
        reached.windows(2).map(|own| BookReached { reached: own[0], win: own[1] }).collect()
    }

    /// What a question about the whole asks of the series.
    pub fn asked(&self, question: &Question) -> SeriesQuestion {
        let Question { hero, situation, start, analyses, exact, .. } = question.clone();
        let (book, start) = self.place_of(start);
        SeriesQuestion { book, start, hero, situation, analyses, exact, ..SeriesQuestion::new(self) }
    }
}

/// A section to tell by: where it leads has another number there.
fn only_deaths(section: &Section) -> Section {
    let mut deaths: Vec<Node> = Vec::new();
    every_node(&section.body, &mut |node| {
        if matches!(node.kind, NodeKind::Death(_)) {
            deaths.push(node.clone());
        }
    });
    Section { body: deaths, ..section.clone() }
}
