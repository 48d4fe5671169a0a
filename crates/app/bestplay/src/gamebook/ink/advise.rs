//! Advice in a story in ink.

use std::fmt::Write;

use ink::{Advice, AdvisedChoice};
use mdp::{Number, Standing};
use serde::Serialize;

use super::answer::{unsolved, win_text};
use super::story_file::Asked;
use crate::arguments::engine_args::Run;
use crate::gamebook::answer::unsolved::bounds_text;
use crate::numbers::{percent_near, percents_of};
use crate::output::{Failure, Format, print, print_json};

/// Solves a story and prints the worth of the choices after some earlier ones: `start`, or their numbers.
pub fn advise(asked: &Asked<'_>, at: &str, run: Run<'_>) -> Result<(), Failure> {
    let choices = numbers(at)?;
    let advice = asked.story()?.advise(&choices, &asked.options(run)).map_err(|error| unsolved(&error))?;
    if advice.is_empty() {
        return Err(Failure::bad_input(
            format_args!("nothing is reached by the choices {at}"),
            "give the numbers of choices as they are listed, such as --at 1,3; --at start lists the first",
        ));
    }
    match asked.format {
        Format::Text => print(&text(&advice)),
        Format::Json => print_json(&AdviceJson {
            format: 1,
            story: asked.file,
            at: choices,
            situations: advice.iter().map(SituationJson::new).collect(),
        }),
    }
}

fn numbers(at: &str) -> Result<Vec<u32>, Failure> {
    if at.trim() == "start" {
        return Ok(Vec::new());
    }
    let number = |part: &str| part.trim().parse().ok().filter(|number| *number > 0);
    at.split(',').map(number).collect::<Option<_>>().ok_or_else(|| {
        Failure::bad_input(
            format_args!("`{at}` is no way through a story"),
            "a story is followed by the numbers of its choices: --at start, --at 1, --at 1,3",
        )
    })
}

/// The worth of the choices of each situation.
pub fn text(advice: &[Advice]) -> String {
    let mut out = String::new();
    for own in advice {
        if advice.len() > 1 {
            let _ = writeln!(out, "With {}:", percent_near(own.probability));
        }
        match (&own.ending, &own.fault) {
            (Some(ending), _) => {
                let _ = writeln!(out, "The end: {}{}", ending.name, if ending.won { ", won" } else { "" });
            }
            (None, Some(fault)) => {
                let _ = writeln!(out, "The story breaks off in {}: {}", fault.place, fault.message);
            }
            (None, None) => {
                let _ = writeln!(out, "Win {}  ({})", win_text(&own.value), bounds_text(&own.value));
                let wins = percents_of(&own.choices.iter().map(|choice| Some(&choice.value)).collect::<Vec<_>>());
                for (number, (choice, win)) in own.choices.iter().zip(wins).enumerate() {
                    let star = if choice.standing == Standing::First { '*' } else { ' ' };
                    let note = choice.standing.note().map(|note| format!("  [{note}]")).unwrap_or_default();
                    let _ = writeln!(out, "{star} {win:>10}  {}. {}{note}", number + 1, choice.text);
                }
            }
        }
    }
    out
}

#[derive(Serialize)]
struct AdviceJson<'a> {
    format: u32,
    story: &'a str,
    at: Vec<u32>,
    situations: Vec<SituationJson<'a>>,
}

#[derive(Serialize)]
struct SituationJson<'a> {
    probability: f64,
    win: Number,
    choices: Vec<ChoiceJson<'a>>,
    ending: Option<&'a str>,
    won: bool,
    breaks_off: Option<&'a str>,
}

#[derive(Serialize)]
struct ChoiceJson<'a> {
    label: &'a str,
    win: Number,
    best: bool,
    standing: &'static str,
}

impl<'a> SituationJson<'a> {
    fn new(advice: &'a Advice) -> Self {
        let choice = |own: &'a AdvisedChoice| ChoiceJson {
            label: &own.text,
            win: Number::from(&own.value),
            best: own.standing.is_best(),
            standing: own.standing.name(),
        };
        Self {
            probability: advice.probability,
            win: Number::from(&advice.value),
            choices: advice.choices.iter().map(choice).collect(),
            ending: advice.ending.as_ref().map(|ending| &ending.name[..]),
            won: advice.ending.as_ref().is_some_and(|ending| ending.won),
            breaks_off: advice.fault.as_ref().map(|fault| &fault.message[..]),
        }
    }
}
