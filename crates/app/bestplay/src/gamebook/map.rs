//! `bestplay gamebook map`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use gamebook::{Book, Figures, Map, Question, SolveBookError, Solved};
use mdp::ExploreOptions;

use crate::arguments::engine_args::{EngineArgs, Run};
use crate::gamebook::answer::unsolved::{bounds_text, unsolved_draft};
use crate::gamebook::ink;
use crate::gamebook::input::book_file;
use crate::gamebook::input::hero_args::{QuestionArgs, describe};
use crate::numbers::percent_of;
use crate::output::{self, Failure, Format};

/// Arguments of `map`.
#[derive(Args)]
pub struct MapArgs {
    /// A built-in book (fire-on-the-water), a file, or a story in ink
    book: String,
    /// The file to write, .svg or .dot [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What is written to standard output
    #[arg(long, value_enum, default_value_t, conflicts_with = "output")]
    format: MapFormat,
    /// Colour sections and thicken ways by best play; implied by options of the hero, --start and --goal
    #[arg(long)]
    solve: bool,
    #[command(flatten)]
    question: QuestionArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// How a map is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum MapFormat {
    /// A picture, for a browser
    #[default]
    Svg,
    /// A graph, for Graphviz
    Dot,
}

pub const EXAMPLES: &str = "\
Examples:
  bestplay gamebook map fire-on-the-water -o map.svg
  bestplay gamebook map fire-on-the-water --solve -o best-play.svg
  bestplay gamebook map fire-on-the-water --combat-skill 19 --items sommerswerd -o strong-hero.svg
  bestplay gamebook map story.ink -o knots.svg
  bestplay gamebook map my-book.kdl --format dot | dot -Tpdf -o map.pdf";

/// Draws a book.
pub fn run(args: &MapArgs) -> Result<(), Failure> {
    args.engine.run(|run| draw(args, run))
}

fn draw(args: &MapArgs, run: Run<'_>) -> Result<(), Failure> {
    let output = output::in_place(args.output.as_deref());
    let format = match output {
        Some(file) => match file.extension().and_then(|extension| extension.to_str()) {
            Some("svg") => MapFormat::Svg,
            Some("dot") => MapFormat::Dot,
            _ => {
                return Err(Failure::bad_input(
                    format_args!("{} is neither .svg nor .dot", file.display()),
                    "name a file such as map.svg (a picture) or map.dot (a graph for Graphviz)",
                ));
            }
        },
        None => args.format,
    };
    if book_file::is_ink(&args.book) {
        return write(output, &story_map(args, format, run)?);
    }
    let book = book_file::open(&args.book, run.budget)?;
    let question = args.question.question(&book, args.engine.exact)?;
    let wants_figures = args.solve || args.question.is_given();
    let figures = if wants_figures {
        Some(figures(&book, &question, run.options).map_err(|error| unsolved_draft(book.draft.warning(), &error))?)
    } else {
        None
    };
    let subtitle = match &figures {
        Some((_, win)) => {
            let mut lines: Vec<String> = describe(&book, &question).lines().map(|line| line.trim().into()).collect();
            lines.push(format!("Best play wins {win}"));
            lines.extend(book.draft.warning());
            lines
        }
        None => vec![format!("{} sections", book.sections.len())],
    };
    let map = Map {
        start: question.start,
        goals: &question.goals,
        subtitle,
        figures: figures.as_ref().map(|(figures, _)| figures),
        ..Map::new(&book)
    };
    let text = match format {
        MapFormat::Svg => map.svg(),
        MapFormat::Dot => map.dot(),
    };
    write(output, &text)
}

/// The map of a story in ink.
fn story_map(args: &MapArgs, format: MapFormat, run: Run<'_>) -> Result<String, Failure> {
    let goal = args.question.story_goal()?;
    let asked = ink::Asked { file: &args.book, goal, exact: args.engine.exact, format: Format::Text };
    let draw = |map: &Map<'_>| match format {
        MapFormat::Svg => map.svg(),
        MapFormat::Dot => map.dot(),
    };
    ink::map(&asked, args.solve || goal.is_some(), run, draw)
}

fn write(output: Option<&Path>, text: &str) -> Result<(), Failure> {
    match output {
        Some(file) => output::write_file(file, |out| out.write_all(text.as_bytes())),
        None => output::print(text),
    }
}

/// The figures of optimal play, and its odds.
fn figures(
    book: &Book,
    question: &Question,
    options: &ExploreOptions<'_>,
) -> Result<(Figures, String), SolveBookError> {
    let solved = Solved::new(book, question, options)?;
    let (journey, guide) = solved.journey_and_guide(options)?;
    let figures = Figures::new(&journey, &guide);
    let win = solved.win();
    Ok((figures, format!("{}  ({})", percent_of(&win), bounds_text(&win))))
}
