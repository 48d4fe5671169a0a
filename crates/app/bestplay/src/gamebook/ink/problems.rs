//! Problems of a story in ink: syntax errors, faults, and unreachable knots.

use budget::Budget;
use gamebook::Problem;
use ink::{Report, ReportOptions};

use super::answer::{fault_text, has_won, unsolved};
use super::story_file::{line_of, read};
use crate::output::Failure;

/// The problems of a story.
pub fn problems(name: &str, text: &str, budget: &Budget<'_>) -> Result<Vec<Problem>, Failure> {
    let story = match read(name, text) {
        Ok(story) => story,
        Err(error) => {
            let own = error.line.filter(|_| error.file == name);
            let message = if own.is_some() { error.message.clone() } else { error.to_string() };
            return Ok(vec![Problem::error(line_of(text, own.unwrap_or(1)), message)]);
        }
    };
    let report = story.report(&ReportOptions::default().with_budget(budget)).map_err(|error| unsolved(&error))?;
    Ok(of_report(text, &report))
}

fn of_report(text: &str, report: &Report) -> Vec<Problem> {
    let mut problems = Vec::new();
    for found in &report.faults {
        let span = line_of(text, header_of(text, &found.fault.place));
        let wrong = Problem::warning(span, format!("the story breaks off {}", fault_text(found)));
        problems.push(wrong.help("end it with -> END or -> DONE, or give a choice"));
    }
    if let Some(stopped) = report.stopped {
        problems.push(Problem::note(line_of(text, 1), format!("not all of the story was explored: {stopped}")));
        return problems;
    }
    if report.cut {
        let message = "somewhere chance has too many ways, or a variable leads to where visits are counted otherwise: not all of the story was explored";
        problems.push(Problem::note(line_of(text, 1), message));
        return problems;
    }
    for (knot, share) in &report.random.knots {
        if share.decimal() == 0.0 {
            let span = line_of(text, header_of(text, knot));
            problems.push(Problem::warning(span, format!("{knot} can never be reached")));
        }
    }
    if !has_won(report) {
        let help = "tag an end # win; without one, only --goal says what wins";
        problems.push(Problem::note(line_of(text, 1), "no end that is reached wins").help(help));
    }
    problems
}

/// The line in which a knot or stitch begins; the first line if there is none.
fn header_of(text: &str, place: &str) -> usize {
    let (knot, stitch) = place.split_once('.').unwrap_or((place, ""));
    let (mut within, mut found) = (false, 1);
    for (number, line) in (1..).zip(text.lines().map(str::trim_start)).filter(|(_, line)| line.starts_with('=')) {
        let name = line.trim_matches(['=', ' ', '\t']).split(['(', ' ', '=']).next().unwrap_or_default();
        if line.starts_with("==") {
            within = name == knot;
            found = if within { number } else { found };
        } else if within && name == stitch {
            return number;
        }
    }
    found
}
