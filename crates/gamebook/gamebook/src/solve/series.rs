//! Series: several books in a row, where the hero keeps possessions from one to the next.
//!
//! All books of a series, each with every set of disciplines that its hero can have, become one program: the end of a book
//! leads to the beginning of the next, and registers that the books do not share overlap. Every analysis therefore sees the
//! whole series. Books with a system of rules share their variables by name.
//!
//! A book with one set of disciplines is a *stage*. `staged.rs` solves stages one at a time and cuts a stage that is too large
//! for memory into layers. States are stored by rows, and payoffs of ends are passed to the solver as numbers, not as part of
//! the model. If a layer still has too many states, it is solved for some of its initial states at a time. If a limit stops the
//! forward pass, the result is a pair of bounds, improved by two smaller problems (`beside.rs`): the first books alone give an
//! upper bound (`first_books.rs`), a policy that all books share a lower one (`policies.rs`). Finished parts are kept on a
//! shelf (`shelf.rs`), which is a folder for the command; each part names its game and its cut (`part.rs`) and is rejected
//! elsewhere.

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

/// The memory counted for a state of a series while it is explored, ordered and solved: the largest layers stay below the
/// limit.
const BYTES_PER_STATE: u64 = 400;

impl Series {
    /// A series of one book, so that it can be solved in parts kept on a [`Shelf`] if it is too large for memory.
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

/// A question about a series.
///
/// If play begins in a later book, what the series lets the hero learn and do before that book is left out.
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
    /// The book in which play begins, counted from 0.
    pub book: usize,
    /// The section in which play begins.
    pub start: SectionNumber,
    /// The hero at the beginning, with items of that book.
    pub hero: Hero,
    /// The hero's situation, if it differs from a fresh start.
    pub situation: Situation,
    /// The reductions in use.
    pub analyses: Analyses,
    /// Whether the exact value is wanted: all books are then solved as one.
    pub exact: bool,
    /// The number of simulated plays of the series under optimal play.
    pub plays: u64,
    /// The seed of the dice in these plays.
    pub seed: u64,
    /// The number of states from which on a book is cut where possible; `None` for as many as the memory limit allows.
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

/// The results for a book of a series under optimal play of the whole series. Books before the first one played count as won.
#[derive(Clone, Debug, PartialEq)]
pub struct BookReached {
    /// The probability that the book is begun while the series can still be won, in floating point.
    pub reached: f64,
    /// The probability that it is won while the series can still be; for the last book this is the probability of winning the
    /// series.
    pub win: f64,
}

/// A set of disciplines for the beginning.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The disciplines, including weaponskill.
    pub disciplines: Vec<Discipline>,
    /// The weapon of weaponskill.
    pub weaponskill: Option<String>,
    /// The probability of winning the series with them.
    pub win: Value,
}

/// A solved series.
#[derive(Clone, Debug)]
pub struct SolvedSeries {
    /// The probability of winning the last book.
    pub win: Value,
    /// The results for each book.
    pub books: Vec<BookReached>,
    /// The sets of disciplines for the beginning, if they are chosen: the best first.
    pub first: Vec<Learned>,
    /// The number of states of each book, over all sets of disciplines.
    pub states: Vec<u64>,
    /// The number of simulated plays that won the last book.
    pub plays_won: u64,
}

impl Series {
    /// The game of the whole series.
    ///
    /// # Errors
    /// If there is no such book or section, the hero or his situation is impossible, the series cannot be compiled, or the
    /// budget is exhausted.
    pub fn machine(&self, question: &SeriesQuestion, budget: &Budget<'_>) -> Result<Machine, SolveBookError> {
        self.staged(question, budget).map(|(machine, _)| machine)
    }

    fn staged(&self, question: &SeriesQuestion, budget: &Budget<'_>) -> Result<(Machine, Vec<Stage>), SolveBookError> {
        let (starting, stages) = self.compiled(question, budget)?;
        let machine = Machine::of(starting, question.analyses, budget)?;
        question.situation.check_endurance(&machine)?;
        Ok((machine, stages))
    }

    /// The program of a valid question, and its stages.
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

    /// Solves the series book by book and keeps finished parts on a shelf; parts that are there already are not computed again.
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

    /// The probabilities that each book is begun and won, and the number of simulated plays that win.
    fn follow(
        &self,
        machine: &Machine,
        stages: &[Stage],
        staged: &mut Staged<'_>,
        question: &SeriesQuestion,
    ) -> Result<(Vec<BookReached>, u64), SolveBookError> {
        // The probability of reaching each book; the last entry is for winning the last book.
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

/// The worth of each set of disciplines that can be chosen at the beginning, the best first.
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

/// The value of a series, and the layers with which it was computed. `known` is called as by [`Staged::solve`].
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

/// The exact value of the whole game.
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
