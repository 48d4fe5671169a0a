//! `bestplay gamebook sensitivity`: the effect of a change in each number of a book.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use budget::{Limits, Progress, Stage};
use clap::Args;
use gamebook::{Book, NumberPlace, Question, ReadError, SolveBookError, Solved, numbers};
use mdp::{ExploreOptions, Number, Value};
use rayon::prelude::*;
use serde::Serialize;

use crate::arguments::engine_args::{EngineArgs, Run};
use crate::gamebook::answer::draft;
use crate::gamebook::answer::places::Lines;
use crate::gamebook::answer::too_large::unsolved_book;
use crate::gamebook::answer::unsolved::unsolved;
use crate::gamebook::input::book_file::{self, BookText};
use crate::gamebook::input::hero_args::QuestionArgs;
use crate::memory;
use crate::numbers::percent_of;
use crate::output::{Failure, Format};

/// Arguments of `sensitivity`.
#[derive(Args)]
pub struct SensitivityArgs {
    /// A built-in book (fire-on-the-water) or a file
    book: String,
    #[command(flatten)]
    question: QuestionArgs,
    /// Only numbers of these sections
    #[arg(long, value_name = "SECTION", value_delimiter = ',')]
    within: Vec<String>,
    /// How many numbers of the ranking are solved again
    #[arg(long, value_name = "N", default_value_t = 10)]
    resolve: usize,
    /// How many numbers are shown
    #[arg(long, value_name = "N", default_value_t = 40)]
    shown: usize,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    engine: EngineArgs,
}

pub const EXAMPLES: &str = "\
Every number of the book (except section numbers) is increased and decreased by one. The player keeps the policy that was
best before, so best play of the changed book wins at least as often as shown. The first of the ranking are solved again, and
shown without `>=`.

Examples:
  bestplay gamebook sensitivity my-book.kdl
  bestplay gamebook sensitivity my-book.kdl --within 30,31 --resolve 20
  bestplay gamebook sensitivity my-book.kdl --format json | jq -r '.numbers[].number'";

/// The result of increasing or decreasing a number by one.
enum Changed {
    /// A lower bound on optimal play of the changed book.
    AtLeast(Value),
    /// The value of optimal play of the changed book.
    Solved(Value),
    /// The changed book is invalid.
    NoBook,
}

impl Changed {
    fn win(&self) -> Option<&Value> {
        match self {
            Self::AtLeast(win) | Self::Solved(win) => Some(win),
            Self::NoBook => None,
        }
    }
}

/// A number, decreased and increased.
struct Row {
    place: NumberPlace,
    changed: [Changed; 2],
}

const CHANGES: [i64; 2] = [-1, 1];

/// A book and the question about it, solved repeatedly.
struct Asked<'a> {
    written: &'a BookText,
    args: &'a SensitivityArgs,
    run: Run<'a>,
}

/// Ranks the numbers of a book.
pub fn run(args: &SensitivityArgs) -> Result<(), Failure> {
    args.engine.run(|run| rank(args, run))
}

fn rank(args: &SensitivityArgs, run: Run<'_>) -> Result<(), Failure> {
    let written = BookText::load(&args.book)?;
    let book = written.book(run.budget)?;
    let question = args.question.question(&book, args.engine.exact)?;
    let solved = Solved::new(&book, &question, run.options);
    let solved = solved.map_err(|error| unsolved_book(&book, &question, &error, run.budget))?;
    let visited = solved.journey(run.options).map_err(|error| unsolved(&error))?.sections;
    let visited: BTreeSet<String> = visited.iter().map(|visit| book.section_text(visit.section)).collect();
    let asked = Asked { written: &written, args, run };
    let mut all = numbers(&written.text, run.budget)?;
    if !args.within.is_empty() {
        book_file::sections(&book, &args.within)?;
        all.retain(|own| own.section.as_ref().is_some_and(|section| args.within.contains(section)));
    }
    let bounded = asked.every_change(&all, |asked, place, change| {
        // Numbers in sections that optimal play never visits have no effect under a fixed policy.
        let is_met = place.section.as_ref().is_none_or(|section| visited.contains(section));
        asked.bounded(place, CHANGES[change], &solved, is_met)
    })?;
    let mut rows: Vec<Row> = all.into_iter().zip(bounded).map(|(place, changed)| Row { place, changed }).collect();
    let win = solved.win();
    let moved = |row: &Row| {
        let by = |own: &Changed| own.win().map_or(0.0, |own| (own.decimal() - win.decimal()).abs());
        row.changed.iter().map(by).fold(0.0, f64::max)
    };
    let sort = |rows: &mut [Row]| {
        rows.sort_by(|left, right| {
            moved(right).total_cmp(&moved(left)).then(left.place.span.start.cmp(&right.place.span.start))
        });
    };
    sort(&mut rows);
    let resolved = args.resolve.min(rows.len());
    let anew = asked.every_change(&rows[..resolved], |asked, row, change| match row.changed[change] {
        Changed::AtLeast(_) => asked.solved_anew(&row.place, CHANGES[change]).map(Some),
        Changed::Solved(_) | Changed::NoBook => Ok(None),
    })?;
    for (row, anew) in rows.iter_mut().zip(anew) {
        for (changed, anew) in row.changed.iter_mut().zip(anew) {
            if let Some(anew) = anew {
                *changed = anew;
            }
        }
    }
    sort(&mut rows[..resolved]);
    let lines = Lines::new(&written);
    match args.format {
        Format::Text => draft::print(book.draft, &text(&book, &win, &rows, &lines, args.shown)),
        Format::Json => draft::print_json(book.draft, &json(&book, &win, &rows, &lines)),
    }
}

impl Asked<'_> {
    /// Does something for both [`CHANGES`] of every number, in parallel. Each change has its own budget, since limits apply to
    /// single books.
    fn every_change<P: Sync, T: Send>(
        &self,
        places: &[P],
        work: impl Fn(&Asked<'_>, &P, usize) -> Result<T, Failure> + Sync,
    ) -> Result<Vec<[T; 2]>, Failure> {
        let (tried, all) = (AtomicU64::new(0), 2 * places.len() as u64);
        let tried_one = |place: &P, change: usize| {
            let budget = self.run.budget;
            let own = budget.within(Limits { max_time: None, ..*budget.limits() }).metered(memory::used);
            let options = self.run.options.with_budget(&own).with_threads(1);
            let worked = work(&Asked { run: Run { options: &options, budget: &own }, ..*self }, place, change);
            let (done, memory) = (tried.fetch_add(1, Ordering::Relaxed) + 1, memory::used().unwrap_or(0));
            budget.advance(Progress { stage: Stage::Numbers, done, waiting: all - done, memory })?;
            worked
        };
        let both = |place: &P| Ok([tried_one(place, 0)?, tried_one(place, 1)?]);
        places.par_iter().map(both).collect()
    }

    /// The book with a number changed; `None` if it is invalid.
    fn changed(&self, place: &NumberPlace, by: i64) -> Result<Option<(Book, Question)>, Failure> {
        let text = place.replaced(&self.written.text, place.value + by);
        let edited = BookText { name: self.written.name.clone(), text };
        let book = match edited.read(self.run.budget) {
            Ok((book, _)) => book,
            Err(ReadError::Problems(_)) => return Ok(None),
            Err(ReadError::Stopped(stopped)) => return Err(stopped.into()),
        };
        match self.args.question.question(&book, self.args.engine.exact) {
            Ok(question) => Ok(Some((book, question))),
            // The hero is impossible.
            Err(Failure::BadInput(_)) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    fn bounded(&self, place: &NumberPlace, by: i64, solved: &Solved, is_met: bool) -> Result<Changed, Failure> {
        let Some((book, question)) = self.changed(place, by)? else { return Ok(Changed::NoBook) };
        if !is_met {
            return Ok(Changed::AtLeast(solved.win()));
        }
        match solved.followed_in(&book, &question, self.run.options) {
            Ok(Some(win)) => Ok(Changed::AtLeast(win)),
            Ok(None) => solve(&book, &question, self.run.options),
            Err(error) => no_book(&error),
        }
    }

    fn solved_anew(&self, place: &NumberPlace, by: i64) -> Result<Changed, Failure> {
        match self.changed(place, by)? {
            Some((book, question)) => solve(&book, &question, self.run.options),
            None => Ok(Changed::NoBook),
        }
    }
}

fn solve(book: &Book, question: &Question, options: &ExploreOptions<'_>) -> Result<Changed, Failure> {
    match Solved::new(book, question, options) {
        Ok(solved) => Ok(Changed::Solved(solved.win())),
        Err(error) => no_book(&error),
    }
}

/// An impossible hero or section is no book; other failures are failures.
fn no_book(error: &SolveBookError) -> Result<Changed, Failure> {
    match error {
        SolveBookError::Hero(_) | SolveBookError::Compile(_) => Ok(Changed::NoBook),
        error => Err(unsolved(error)),
    }
}

fn text(book: &Book, win: &Value, rows: &[Row], lines: &Lines, shown: usize) -> String {
    let mut out = format!("{} ({}): best play wins {}\n\n", book.title, lines.name(), percent_of(win));
    let _ = writeln!(out, "{:>14} {:>14}  {:>6}  number", "one less", "one more", "now");
    let change = |changed: &Changed| match changed {
        Changed::AtLeast(own) => format!(">= {:+.3}", 100.0 * (own.decimal() - win.decimal())),
        Changed::Solved(own) => format!("{:+.3}", 100.0 * (own.decimal() - win.decimal())),
        Changed::NoBook => "no book".into(),
    };
    for row in rows.iter().take(shown) {
        let [less, more] = [change(&row.changed[0]), change(&row.changed[1])];
        let line = lines.line(&row.place.span);
        let _ = writeln!(out, "{less:>14} {more:>14}  {:>6}  {} (line {line})", row.place.value, row.place.name);
    }
    if rows.len() > shown {
        let _ = writeln!(out, "and {} numbers more (--shown {})", rows.len() - shown, rows.len());
    }
    out.push_str(
        "\nIn points of a percent. `>=`: who plays on as was best before wins so much more or less often; best play of the\n\
         changed book wins at least as often. Without it: the changed book was solved. `no book`: such a book cannot be read.\n",
    );
    out
}

#[derive(Serialize)]
struct SensitivityJson {
    format: u32,
    book: String,
    win: Number,
    numbers: Vec<NumberJson>,
}

#[derive(Serialize)]
struct NumberJson {
    number: String,
    line: usize,
    now: i64,
    less: Option<ChangedJson>,
    more: Option<ChangedJson>,
}

#[derive(Serialize)]
struct ChangedJson {
    win: Number,
    /// Otherwise the value is a lower bound.
    solved: bool,
}

fn json(book: &Book, win: &Value, rows: &[Row], lines: &Lines) -> SensitivityJson {
    let changed = |own: &Changed| {
        own.win().map(|win| ChangedJson { win: Number::from(win), solved: matches!(own, Changed::Solved(_)) })
    };
    let number = |row: &Row| NumberJson {
        number: row.place.name.clone(),
        line: lines.line(&row.place.span),
        now: row.place.value,
        less: changed(&row.changed[0]),
        more: changed(&row.changed[1]),
    };
    SensitivityJson {
        format: 1,
        book: book.title.clone(),
        win: Number::from(win),
        numbers: rows.iter().map(number).collect(),
    }
}
