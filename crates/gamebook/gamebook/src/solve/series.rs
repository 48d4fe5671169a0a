//! Books in a row: what a hero carries out of one he has in the next.
//!
//! All books of a series, each with every set of disciplines that its hero can have, become one program: the end of a book
//! leads to the beginning of the next, and what the books do not share lies in the same registers. So every analysis sees the
//! whole series. Books with a system of rules share the sheet by names, at the same registers.
//!
//! A book with one set of disciplines is a *stage*. `staged.rs` solves stages one at a time, and cuts a stage that is too large
//! for memory into layers. States are kept by rows on the way, and what ends pay is given to the solver as numbers, not as a
//! part of the model. Of a layer with more states than fit, some initial states are solved after the others. Where a limit ends
//! the way forwards, the result has bounds; two further ones are solved beside it (`beside.rs`): the first books alone from
//! above (`first_books.rs`), and a policy that all books have from below (`policies.rs`). Finished parts lie on a shelf
//! (`shelf.rs`), which the command makes of a folder; each part names its game and its cut (`part.rs`) and is used for nothing
//! else.

mod beside;
mod first_books;
mod layer;
mod meaning;
mod part;
mod passing;
mod played;
mod policies;
mod shelf;
mod staged;

use std::collections::BTreeMap;

use budget::Budget;
use mdp::rows::explore_by_rows;
use mdp::{ExploreOptions, SolveError, SolveOptions, Value, solve};

use super::solve_error::SolveBookError;
use crate::book::{Book, Discipline, Hero, Learns, Section, Series, SeriesBook, Situation};
use crate::lower::{Stage, compile_series, label_of};
use crate::machine::Machine;
use crate::passes::Analyses;
use crate::program::{Starting, State};
use crate::terms::SectionNumber;
use staged::Staged;

pub use shelf::{InMemory, Shelf};

/// What a state of a series takes in memory while it is found, put in order and solved, as it is counted: the largest layers
/// keep below the limit.
const BYTES_PER_STATE: u64 = 400;

impl Series {
    /// One book, as a series: so it can be solved in parts that lie on a [`Shelf`], where it is too large for memory.
    ///
    /// ```
    /// use gamebook::{InMemory, Series, SeriesQuestion, read};
    /// use mdp::ExploreOptions;
    ///
    /// let text = r#"
    ///     book "Coin" format=1 rules="lone-wolf"
    ///     start 1
    ///     goal 2
    ///     hero { combat-skill 15; endurance 25; }
    ///     section 1 { pick { when 0 4 { goto 2; }; else { death "tails"; }; }; }
    ///     section 2 { victory; }
    /// "#;
    /// let series = Series::of(read(text)?.0, "coin");
    /// let question = SeriesQuestion::new(&series);
    /// let solved = series.solve(&question, &InMemory::default(), &ExploreOptions::default())?;
    /// assert_eq!(solved.win.decimal(), 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(book: Book, name: &str) -> Self {
        let title = book.title.clone();
        let only = SeriesBook {
            name: name.into(),
            book,
            learns: Learns::default(),
            renamed: Vec::new(),
            remembered: Vec::new(),
            arrival: Section::default(),
            sets_out: false,
            span: 0..0,
        };
        Self { title, mark: only.book.mark, books: vec![only] }
    }
}

/// What is asked about a series.
///
/// Who holds a later book in his hands begins there: what stands in the series of what is learned and happens before that
/// book is behind him.
///
/// ```
/// # use gamebook::{InMemory, SeriesQuestion, read_series};
/// # use mdp::ExploreOptions;
/// # use budget::Budget;
/// # let book = |section: &str| format!(
/// #     "book \"Coin\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 2\nhero {{ combat-skill 15; endurance 25; }}
/// # section 1 {{ {section} }}
/// # section 2 {{ victory; }}");
/// let text = "series \"Two coins\" format=1\nbook \"heads\"\nbook \"tails\" { begin { gain gold 1; }; }\n";
/// let coin = "pick { when 0 4 { goto 2; }; else { death \"lost\"; }; }";
/// let (series, _) = read_series(text, &|_| Ok(book(coin)), &|_| Err("none".into()), &Budget::unlimited())?;
/// let win = |question| {
///     let solved = series.solve(&question, &InMemory::default(), &ExploreOptions::default());
///     solved.map(|solved| solved.win.decimal())
/// };
/// assert!((win(SeriesQuestion::new(&series))? - 0.25).abs() < 1e-12);
/// assert!((win(SeriesQuestion { book: 1, ..SeriesQuestion::new(&series) })? - 0.5).abs() < 1e-12);
/// assert_eq!(
///     win(SeriesQuestion { start: 3, ..SeriesQuestion::new(&series) }).unwrap_err().to_string(),
///     "there is no section 3"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SeriesQuestion {
    /// In which book play begins, counted from 0.
    pub book: usize,
    /// In which section of it.
    pub start: SectionNumber,
    /// The hero with whom it begins, with what he has of the items of that book.
    pub hero: Hero,
    /// How he stands, if not like a fresh hero.
    pub situation: Situation,
    /// The reductions to use.
    pub analyses: Analyses,
    /// Whether the value is wanted exactly: then all books are solved as one.
    pub exact: bool,
    /// How often to play the series under best play.
    pub plays: u64,
    /// What determines the dice of these plays.
    pub seed: u64,
    /// How many states are in memory at once at least, before a book is cut where that can be done; `None`: as many as the
    /// limit on memory allows.
    pub enough: Option<usize>,
}

impl SeriesQuestion {
    /// The series with the hero of its first book.
    pub fn new(series: &Series) -> Self {
        let first = &series.books[0].book;
        Self {
            book: 0,
            start: first.start,
            hero: first.hero.clone(),
            situation: Situation { policy: first.default_policy().cloned(), ..Situation::default() },
            analyses: Analyses::default(),
            exact: false,
            plays: 0,
            seed: 0,
            enough: None,
        }
    }
}

/// How a hero fares in a book of a series when he plays the whole series best. Books before the one in which play begins
/// are won.
#[derive(Clone, Debug, PartialEq)]
pub struct BookReached {
    /// The probability that the book is begun while the series can still be won, in floating point.
    pub reached: f64,
    /// The probability that it is won likewise; of the last book that is the probability to win the series.
    pub win: f64,
}

/// What a hero may know when he sets out.
#[derive(Clone, Debug)]
pub struct Learned {
    /// His disciplines, weaponskill included.
    pub disciplines: Vec<Discipline>,
    /// The weapon of his weaponskill.
    pub weaponskill: Option<String>,
    /// The probability to win the series with them.
    pub win: Value,
}

/// A series that has been solved.
#[derive(Clone, Debug)]
pub struct SolvedSeries {
    /// The probability to win the last book.
    pub win: Value,
    /// What is said of each book.
    pub books: Vec<BookReached>,
    /// What the hero may know when he sets out, where that is chosen: the best first.
    pub first: Vec<Learned>,
    /// How many states each book has, with all that its hero can have learned.
    pub states: Vec<u64>,
    /// How many of the plays that were asked for won the last book.
    pub plays_won: u64,
}

impl Series {
    /// The game of the whole series.
    ///
    /// # Errors
    /// When there is no such book or section, the hero or his situation cannot be, the series cannot be compiled, or the
    /// budget says stop.
    pub fn machine(&self, question: &SeriesQuestion, budget: &Budget<'_>) -> Result<Machine, SolveBookError> {
        self.staged(question, budget).map(|(machine, _)| machine)
    }

    fn staged(&self, question: &SeriesQuestion, budget: &Budget<'_>) -> Result<(Machine, Vec<Stage>), SolveBookError> {
        let (starting, stages) = self.compiled(question, budget)?;
        let machine = Machine::of(starting, question.analyses, budget)?;
        question.situation.check_endurance(&machine)?;
        Ok((machine, stages))
    }

    /// The program of a question that can be, and the stages of which it is made.
    pub(crate) fn compiled(
        &self,
        question: &SeriesQuestion,
        budget: &Budget<'_>,
    ) -> Result<(Starting, Vec<Stage>), SolveBookError> {
        let SeriesQuestion { book, start, hero, situation, .. } = question;
        let own = self.books.get(*book).ok_or(SolveBookError::NoBook { books: self.books.len() })?;
        if !own.book.sections.contains_key(start) {
            return Err(SolveBookError::NoSection(*start));
        }
        if own.book.system.is_none() {
            hero.check(&own.book).map_err(SolveBookError::Hero)?;
            self.one_meaning(*book, hero).map_err(SolveBookError::Hero)?;
        }
        let stages = self.stages(*book, *start, hero);
        Ok((compile_series(self, &stages, situation, *start, budget)?, stages))
    }

    /// Solves the series book by book, and keeps what is finished on a shelf: what is there already is not done again.
    ///
    /// # Errors
    /// As [`machine`](Self::machine), or when the shelf fails.
    pub fn solve(
        &self,
        question: &SeriesQuestion,
        shelf: &dyn Shelf,
        options: &ExploreOptions<'_>,
    ) -> Result<SolvedSeries, SolveBookError> {
        let (machine, stages) = self.staged(question, options.budget.unwrap_or(&Budget::default()))?;
        let known = |stage: usize| {
            let most = self.at_most(stages[stage].book, question, shelf, options)?;
            Ok([self.at_least(question, shelf, options)?, most])
        };
        let (mut win, mut staged) = value(question, &machine, shelf, options, &known)?;
        let first = learned_first(&stages, &staged)?;
        let (books, plays_won) = self.follow(&machine, &stages, &mut staged, question)?;
        let mut states = vec![0; self.books.len()];
        for (stage, own) in stages.iter().zip(&staged.states) {
            states[stage.book] += own;
        }
        if question.exact {
            win = exact(&machine, options)?;
        }
        Ok(SolvedSeries { win, books, first, states, plays_won })
    }

    /// How likely it is that each book is begun and won; and how many plays win.
    fn follow(
        &self,
        machine: &Machine,
        stages: &[Stage],
        staged: &mut Staged<'_>,
        question: &SeriesQuestion,
    ) -> Result<(Vec<BookReached>, u64), SolveBookError> {
        // How likely it is that play comes to each book, or beyond the last.
        let mut reached = vec![0.0; self.books.len() + 1];
        reached[0] = 1.0;
        let mut begun: Vec<BTreeMap<State, f64>> = vec![BTreeMap::new(); stages.len()];
        let mut played: Vec<BTreeMap<State, u64>> = vec![BTreeMap::new(); stages.len()];
        let mut plays_won = 0;
        let first = machine.first();
        match staged.stage(&first) {
            Some(stage) => {
                reached[..=stages[stage].book].fill(1.0);
                begun[stage].insert(first, 1.0);
                played[stage].insert(first, question.plays);
            }
            None if Machine::is_won(&first) => {
                reached.fill(1.0);
                plays_won = question.plays;
            }
            None => {}
        }
        for (place, layer) in staged.layers.clone().into_iter().enumerate() {
            let own = std::mem::take(&mut begun[layer.stage]);
            if own.is_empty() {
                continue;
            }
            let book = stages[layer.stage].book;
            let passed = staged.follow(place, &own)?;
            reached[book + 1..].iter_mut().for_each(|own| *own += passed.won);
            for (state, mass) in passed.begun {
                let Some(next) = staged.stage(&state) else { continue };
                reached[book + 1..=stages[next].book].iter_mut().for_each(|own| *own += mass);
                *begun[next].entry(state).or_default() += mass;
            }
            let own = std::mem::take(&mut played[layer.stage]);
            if question.plays > 0 && !own.is_empty() {
                let (ended, won) = staged.play(place, &own, question.seed)?;
                plays_won += won;
                for (state, plays) in ended {
                    let Some(next) = staged.stage(&state) else { continue };
                    *played[next].entry(state).or_default() += plays;
                }
            }
        }
        let books = reached.windows(2).map(|own| BookReached { reached: own[0].min(1.0), win: own[1].min(1.0) });
        Ok((books.collect(), plays_won))
    }
}

/// What each set of disciplines is worth that can be chosen at the beginning, the best first.
fn learned_first(stages: &[Stage], staged: &Staged<'_>) -> Result<Vec<Learned>, SolveBookError> {
    let Some(choice) = stages.first().filter(|stage| stage.is_choice) else { return Ok(Vec::new()) };
    let worths = staged.first_answers()?;
    let mut learned = Vec::new();
    for (names, next) in &choice.next {
        let label = label_of(names);
        let Some((_, [lower, upper])) = worths.iter().find(|(own, _)| *own == label) else { continue };
        let Hero { disciplines, weaponskill, .. } = stages[*next].hero.clone();
        let win = Value { lower: *lower, upper: *upper, exact: None };
        learned.push(Learned { disciplines, weaponskill, win });
    }
    learned.sort_by(|left, right| right.win.decimal().total_cmp(&left.win.decimal()));
    Ok(learned)
}

/// What a series is worth, and the layers in which that was found. `known` is asked as by [`Staged::solve`].
fn value<'a>(
    question: &SeriesQuestion,
    machine: &'a Machine,
    shelf: &'a dyn Shelf,
    options: &'a ExploreOptions<'a>,
    known: &dyn Fn(usize) -> Result<[f64; 2], SolveBookError>,
) -> Result<(Value, Staged<'a>), SolveBookError> {
    let own = Budget::default();
    let most = options.budget.unwrap_or(&own).limits().max_memory / BYTES_PER_STATE;
    let enough = question.enough.unwrap_or(usize::try_from(most).unwrap_or(usize::MAX));
    let mut staged = Staged::new(machine, options, shelf, enough);
    let win = staged.solve(known)?;
    Ok((win, staged))
}

/// The value of the whole game, exactly.
fn exact(machine: &Machine, options: &ExploreOptions<'_>) -> Result<Value, SolveBookError> {
    let space = explore_by_rows(machine, options)?;
    let solved = solve(space.model(), &SolveOptions::from(*options).with_exact(true));
    let solution = solved.map_err(|error| match error {
        SolveError::StoppedWithBounds { stopped, bounds } => {
            SolveBookError::StoppedWithBounds { stopped, win: bounds.value_of(&space.starts()[0]) }
        }
        error => error.into(),
    })?;
    Ok(solution.value_of(&space.starts()[0]))
}
