//! The map of a story in ink: its knots and the ways between them.

use gamebook::{Book, Figures, Map, Visit, read};
use import::quoted;
use ink::{Goal, Report, Story, TOP};

use super::answer::{unsolved, win_text};
use super::story_file::Asked;
use crate::arguments::engine_args::Run;
use crate::output::Failure;

/// Draws the knots of a story as the sections of a book; `solve` adds the odds.
pub fn map(asked: &Asked<'_>, solve: bool, run: Run<'_>, draw: impl Fn(&Map<'_>) -> String) -> Result<String, Failure> {
    let story = asked.story()?;
    let book = knots(&story, asked.file)?;
    let mut subtitle = vec![format!("{} knots and stitches", story.knots().count())];
    let mut coloured = None;
    if solve {
        let report = story.report(&asked.options(run)).map_err(|error| unsolved(&error))?;
        if report.is_whole() {
            coloured = Some(figures(&book, &report));
        }
        subtitle.push(format!("Best play wins {}", win_text(&report.value)));
        subtitle.push(format!("A reader who answers at random wins {}", win_text(&report.random_value)));
    }
    let goal = match story.goal() {
        Goal::Knot(knot) => book.section_named(knot),
        Goal::Tag | Goal::Condition(_) => None,
    };
    let goals: Vec<_> = goal.into_iter().collect();
    Ok(draw(&Map { goals: &goals, subtitle, figures: coloured.as_ref(), ..Map::new(&book) }))
}

/// What best play does in each knot. How often it takes which way is not known.
fn figures(book: &Book, report: &Report) -> Figures {
    let mut figures = Figures::default();
    let shares = report.best.knots.iter().zip(&report.best.wins);
    let knots = shares.map(|((knot, share), win)| (knot.as_str(), share.decimal(), *win));
    for (name, visited, win) in knots.chain([(TOP, 1.0, report.value.decimal())]) {
        if let Some(section) = book.section_named(name).filter(|_| visited > 0.0) {
            figures.sections.insert(section, Visit { visited, win, death: 0.0 });
        }
    }
    figures
}

/// A book with a section for each knot, which only leads on.
fn knots(story: &Story, file: &str) -> Result<Book, Failure> {
    let ways = story.ways();
    let ends = story.end_places();
    let top = ways.iter().any(|(from, _)| from == TOP) || story.knots().next().is_none();
    let names: Vec<&str> = top.then_some(TOP).into_iter().chain(story.knots()).collect();
    let title = story.title().unwrap_or_else(|| file.to_owned());
    let mut text = vec![format!("book {} format=1 system=\"none\"\nstart {}\n", quoted(&title), quoted(names[0]))];
    for name in names {
        let ways: Vec<String> = ways
            .iter()
            .filter(|(from, _)| from == name)
            .map(|(_, to)| format!("choice {{ goto {}; }}", quoted(to)))
            .collect();
        let end = (ends.contains(name) || ways.is_empty()).then(|| "choice { victory; }".to_owned());
        let body: Vec<String> = ways.into_iter().chain(end).collect();
        text.push(format!("section {} {{ {} }}\n", quoted(name), body.join("; ")));
    }
    match read(&text.concat()) {
        Ok((book, _)) => Ok(book),
        Err(problems) => Err(Failure::failed(
            format_args!("the knots cannot be drawn: {}", problems.0.first().map_or("", |problem| &problem.message)),
            "please report this story",
        )),
    }
}
