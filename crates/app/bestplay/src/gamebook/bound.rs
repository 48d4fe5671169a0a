//! `bestplay gamebook bound`: bounds on the odds of a book.

use std::fmt::Write;
use std::time::Instant;

use clap::Args;
use gamebook::{Book, Question, Solved, read_forgets};
use mdp::Number;
use serde::Serialize;
use serde_json::Value;

use crate::arguments::engine_args::{EngineArgs, Run};
use crate::gamebook::answer::draft;
use crate::gamebook::answer::too_large::unsolved_book;
use crate::gamebook::answer::unsolved::bounds_text;
use crate::gamebook::input::book_file::{BookText, section_json};
use crate::gamebook::input::hero_args::{QuestionArgs, heading, unlisted};
use crate::memory;
use crate::numbers::percent_of;
use crate::output::{Failure, Format};

/// Arguments of `bound`.
#[derive(Args)]
pub struct BoundArgs {
    /// A built-in book (shadow-on-the-sand) or a file
    book: String,
    /// What a relaxed game need not track: gold, an item, a flag, a counter, a number of a system of rules; in the whole book,
    /// or from a section on (gold@67). Where the book tests it, the player chooses the answer. A book's own relaxed games have names
    #[arg(value_name = "NAME[@SECTION]", required = true)]
    forget: Vec<String>,
    #[command(flatten)]
    question: QuestionArgs,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    engine: EngineArgs,
}

pub const EXAMPLES: &str = "\
The upper bound is the value of a relaxed game. With --policy there is a lower bound, too: the value of that policy.

Examples:
  bestplay gamebook bound my-draft.kdl gold rope@120
  bestplay gamebook bound shadow-on-the-sand baggage --policy thrifty --max-memory 12GB";

/// Solves what is easier than a book, and prints the bounds.
pub fn run(args: &BoundArgs) -> Result<(), Failure> {
    args.engine.run(|run| {
        let book = BookText::load(&args.book)?.book(run.budget)?;
        let mut question = args.question.of_whole_book(&book, args.engine.exact)?;
        // Names can also be separated by commas.
        let names = args.forget.iter().flat_map(|own| own.split(','));
        question.situation.forgets = read_forgets(&book, names).map_err(unlisted)?;
        print_bounds(&book, &question, args.format, run)
    })
}

/// Prints an upper bound on the odds, from a relaxed game, and a lower bound if the player follows a policy.
pub fn print_bounds(book: &Book, question: &Question, format: Format, run: Run<'_>) -> Result<(), Failure> {
    let mut below = question.clone();
    below.situation.forgets.clear();
    let below = below.situation.policy.is_some().then_some(below);
    let mut above = question.clone();
    above.situation.policy = None;
    // One after the other, since each may need all memory.
    let at_least = below.map(|own| Bound::of(book, &own, run)).transpose()?;
    let at_most = Bound::of(book, &above, run)?;
    let named = |section| section_json(book, section);
    if matches!(format, Format::Json) {
        let answer = KinderJson {
            format: 1,
            book: &book.title,
            start: named(question.start),
            goals: question.goals.iter().map(|section| named(*section)).collect(),
            policy: question.situation.policy.as_ref().map(|policy| policy.name.as_str()),
            forgets: question.situation.forgets.iter().map(|own| own.text(book)).collect(),
            at_least: at_least.as_ref().map(|own| Number::from(&own.win)),
            at_most: Number::from(&at_most.win),
            states: at_most.counts.states,
            choices: at_most.counts.choices,
            outcomes: at_most.counts.outcomes,
            seconds: at_most.seconds + at_least.as_ref().map_or(0.0, |own| own.seconds),
        };
        return draft::print_json(book.draft, &answer);
    }
    let mut text = heading(book, question);
    text.push('\n');
    if let Some(own) = &at_least {
        let _ = writeln!(text, "Best play wins at least {}: as often as who follows the policy", own.shown());
    }
    let _ = writeln!(text, "Best play wins at most  {}: as often as who need not remember that\n", at_most.shown());
    at_least.iter().chain([&at_most]).for_each(|own| text.push_str(&own.size()));
    if let Some(peak) = memory::peak() {
        let _ = writeln!(text, "{} of memory", budget::bytes(peak));
    }
    draft::print(book.draft, &text)
}

/// The question for bounds of a book that is too large: its first policy and its first relaxed game; `None` if it lacks one, or
/// the question is special.
pub fn of_too_large(book: &Book, question: &Question) -> Option<Question> {
    let (policy, kinder) = (book.policies.first()?, book.kinder.first()?);
    let mut own = question.clone();
    let situation = &mut own.situation;
    if own.exact || situation.policy.is_some() || !situation.forgets.is_empty() {
        return None;
    }
    situation.policy = Some(policy.clone());
    situation.forgets = read_forgets(book, [kinder.name.as_str()]).ok()?;
    Some(own)
}

/// The value of a bound and the size of its model.
struct Bound {
    win: mdp::Value,
    counts: mdp::Counts,
    seconds: f64,
}

impl Bound {
    fn of(book: &Book, question: &Question, run: Run<'_>) -> Result<Self, Failure> {
        let began = Instant::now();
        let solved = Solved::new(book, question, run.options);
        let solved = solved.map_err(|error| unsolved_book(book, question, &error, run.budget))?;
        let counts = solved.space().model().counts();
        Ok(Self { win: solved.win(), counts, seconds: began.elapsed().as_secs_f64() })
    }

    fn shown(&self) -> String {
        format!("{}  ({})", percent_of(&self.win), bounds_text(&self.win))
    }

    fn size(&self) -> String {
        let counts = &self.counts;
        let (states, choices, outcomes) = (counts.states, counts.choices, counts.outcomes);
        format!("{states} states, {choices} choices, {outcomes} outcomes; {:.2} s\n", self.seconds)
    }
}

#[derive(Serialize)]
struct KinderJson<'a> {
    format: u32,
    book: &'a str,
    start: Value,
    goals: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<&'a str>,
    forgets: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<Number>,
    at_most: Number,
    states: u64,
    choices: u64,
    outcomes: u64,
    seconds: f64,
}
