//! Gamebooks that are offered: a book or a series with its text and its drawing.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, OnceLock};

use budget::Budget;
use gamebook::{
    BUILT_IN, Book, Corrected, Layout, Machine, Outline, Play, Problems, Question, SectionNumber, Series,
    SolveBookError, Solved, layout, read,
};
use import::{Paragraph, Prose};
use mdp::ExploreOptions;

use super::index::Index;
use super::waist::waist;
use crate::question::Problem;

/// A book with more sections is never solved in a moment from its beginning.
const FEW_SECTIONS: usize = 120;

/// The texts of the books of a series, as far as the reader has them.
type Texts = Vec<Option<Arc<Prose>>>;

/// A gamebook on its page.
#[derive(Clone, Debug)]
pub struct OfferedBook {
    /// How addresses and questions call it.
    pub name: String,
    /// The book.
    pub book: Arc<Book>,
    /// Its text, if the reader has it.
    pub prose: Option<Arc<Prose>>,
    /// If the book is a series as one book ([`Series::as_one_book`]): the series, with the texts of its books.
    pub(crate) series: Option<(Arc<Series>, Texts)>,
    /// Where its sections are drawn.
    pub(crate) layout: Arc<Layout>,
    pub(crate) outlines: Arc<BTreeMap<SectionNumber, Outline>>,
    /// The index for searches, made at the first one.
    index: Arc<OnceLock<Index>>,
    /// Where it can be cut in two, computed when somebody asks first.
    waist: Arc<OnceLock<Option<SectionNumber>>>,
}

impl OfferedBook {
    /// A book file's text.
    ///
    /// # Errors
    /// When it is no book that can be played.
    ///
    /// ```
    /// let text = r#"book "Doors" format=1 rules="lone-wolf"; start 1; goal 2
    /// hero { combat-skill 15; endurance 25; }
    /// section 1 { goto 2; }
    /// section 2 { victory; }"#;
    /// assert_eq!(explorer::OfferedBook::new("doors.kdl", text)?.name, "doors");
    /// # Ok::<(), gamebook::Problems>(())
    /// ```
    pub fn new(name: &str, text: &str) -> Result<Self, Problems> {
        Ok(Self::of(name, read(text)?.0))
    }

    /// A book that was read, from a file of this name.
    pub fn of(name: &str, book: Book) -> Self {
        let layout = Arc::new(layout(&book, book.start));
        Self::drawn(name, book, layout)
    }

    /// A series that was read, from a file of this name: offered to those who walk through it.
    pub fn series(name: &str, series: Series) -> Self {
        let texts = vec![None; series.books.len()];
        // Nobody draws it.
        let one_book = Self::drawn(name, series.as_one_book(), Arc::default());
        let outlines = Arc::new(outlines_of(&series, &one_book.outlines));
        Self { series: Some((Arc::new(series), texts)), outlines, ..one_book }
    }

    fn drawn(name: &str, book: Book, layout: Arc<Layout>) -> Self {
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let name = name.strip_suffix(".kdl").unwrap_or(name).to_owned();
        let outlines = book.sections.keys().map(|number| (*number, book.outline(*number)));
        let outlines = Arc::new(outlines.collect());
        Self {
            name,
            book: Arc::new(book),
            prose: None,
            series: None,
            layout,
            outlines,
            index: Arc::default(),
            waist: Arc::default(),
        }
    }

    /// What the reader reads in a section: by the text that he gave, or else by the book's own.
    pub(crate) fn paragraphs(&self, section: SectionNumber) -> Option<Vec<Paragraph>> {
        let (prose, number) = match &self.series {
            Some((series, texts)) => {
                let (book, number) = series.place_of(section);
                (texts.get(book).and_then(Option::as_ref), number)
            }
            None => (self.prose.as_ref(), section),
        };
        match prose {
            Some(prose) => prose.section(number).map(<[Paragraph]>::to_vec),
            None => {
                let text =
                    self.book.sections.get(&section).map(|own| own.text.as_str()).filter(|own| !own.is_empty())?;
                Some(text.split("\n\n").map(|own| Paragraph { text: own.into(), to: None }).collect())
            }
        }
    }

    /// Lays a text beside the book of its title; says whether it is here.
    pub fn lay_beside(&mut self, prose: &Arc<Prose>) -> bool {
        let is_its = |title: &str| title.eq_ignore_ascii_case(prose.title.trim());
        let mut laid = false;
        match &mut self.series {
            Some((series, texts)) => {
                for (_, text) in series.books.iter().zip(texts).filter(|(own, _)| is_its(&own.book.title)) {
                    *text = Some(Arc::clone(prose));
                    laid = true;
                }
            }
            None if is_its(&self.book.title) => {
                self.prose = Some(Arc::clone(prose));
                laid = true;
            }
            None => {}
        }
        laid
    }

    /// The book in which a play of it is now.
    pub(crate) fn at_hand(&self, play: &Play<'_>) -> &Book {
        let own = self.series.as_ref().and_then(|(series, _)| series.books.get(play.book()));
        own.map_or(&self.book, |own| &own.book)
    }

    /// The book to which a section belongs.
    pub(crate) fn book_of(&self, section: SectionNumber) -> Result<&Book, Problem> {
        let Some((series, _)) = &self.series else { return Ok(&self.book) };
        let (book, own) = series.place_of(section);
        let book = series.books.get(book).map(|own| &own.book).filter(|book| book.sections.contains_key(&own));
        book.ok_or_else(|| {
            let message = format_args!("nobody stands in {}", self.book.section_text(section));
            Problem::impossible(message, "name a section of one of the books")
        })
    }

    /// It, solved from where a walk begins, or goes on with a corrected sheet.
    pub(crate) fn solved(&self, origin: &Origin<'_>, options: &ExploreOptions<'_>) -> Result<Solved, SolveBookError> {
        match (&self.series, origin) {
            (None, Origin::Question(question)) => Solved::new(&self.book, question, options),
            (None, Origin::Corrected(from)) => Solved::corrected(&self.book, from, options),
            (Some((series, _)), Origin::Question(question)) => series.solved(question, options),
            (Some((series, _)), Origin::Corrected(from)) => series.solved_corrected(from, options),
        }
    }

    /// The same only made ready to be played.
    pub(crate) fn ready(&self, origin: &Origin<'_>, budget: &Budget<'_>) -> Result<Machine, SolveBookError> {
        match (&self.series, origin) {
            (None, Origin::Question(question)) => question.machine(&self.book, budget),
            (None, Origin::Corrected(from)) => from.machine(&self.book, budget),
            (Some((series, _)), Origin::Question(question)) => series.ready(question, budget),
            (Some((series, _)), Origin::Corrected(from)) => series.ready_corrected(from, budget),
        }
    }

    /// What can be looked for in it.
    pub(crate) fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(&self.book))
    }

    /// A mark of what its file says, eight hexadecimal digits: short enough for an address.
    pub(crate) fn mark(&self) -> String {
        let mark = self.book.mark;
        format!("{:08x}", (mark >> 32) ^ (mark & u64::from(u32::MAX)))
    }

    /// Where it can be cut in two; a series is not.
    pub(crate) fn waist(&self) -> Option<SectionNumber> {
        if self.series.is_some() {
            return None;
        }
        *self.waist.get_or_init(|| waist(&self.book, &self.outlines))
    }

    /// Whether it may be solved in a moment.
    pub(crate) fn is_small(&self) -> bool {
        self.book.sections.len() <= FEW_SECTIONS
    }

    /// Whether there is anything to read.
    pub(crate) fn has_text(&self) -> bool {
        let texts = self.series.iter().flat_map(|(_, texts)| texts);
        texts.chain([&self.prose]).any(Option::is_some) || self.book.sections.values().any(|own| !own.text.is_empty())
    }

    /// The address of its page, from `/`.
    pub fn address(&self) -> String {
        let query: String = form_urlencoded::byte_serialize(self.name.as_bytes()).collect();
        let page = if self.series.is_some() { "/gamebook/series" } else { "/gamebook" };
        format!("{page}?book={query}")
    }

    /// The built-in books, Fire on the Water first: read once, however often they are asked for.
    ///
    /// # Panics
    /// When a book in this program cannot be read; a test sees that all can.
    pub fn built_in() -> impl Iterator<Item = Self> {
        static BOOKS: LazyLock<Vec<OfferedBook>> = LazyLock::new(|| {
            let read = |(name, text)| OfferedBook::new(name, text).expect("the built-in books can be read");
            BUILT_IN.iter().copied().map(read).collect()
        });
        BOOKS.iter().cloned()
    }
}

/// Where a walk begins, or goes on with a corrected sheet.
pub enum Origin<'a> {
    Question(&'a Question),
    Corrected(&'a Corrected),
}

/// What is in the sections of the books of a series, by their numbers there; what comes between books is as in `one_book`.
fn outlines_of(series: &Series, one_book: &BTreeMap<SectionNumber, Outline>) -> BTreeMap<SectionNumber, Outline> {
    let mut all = one_book.clone();
    for (own, before) in series.books.iter().zip(series.first_numbers()) {
        let number = |section: SectionNumber| before.saturating_add(section);
        for section in own.book.sections.keys() {
            let outline = own.book.outline(*section);
            let targets = outline.targets.iter().map(|to| number(*to)).collect();
            all.insert(number(*section), Outline { targets, ..outline });
        }
    }
    all
}
