//! The odds and endings of a story in ink, as text and JSON.

use std::fmt::Write;

use gamebook::Sample;
use ink::{Report, ReportedFault, Shares, Simulated, Story};
use mdp::{ExploreError, GameError, Number, SolveError, Value};
use serde::Serialize;

use super::story_file::{Asked, goal_text};
use crate::arguments::engine_args::Run;
use crate::gamebook::answer::journey::{SHOWN, more};
use crate::gamebook::answer::unsolved::bounds_text;
use crate::numbers::{percent_near, percent_of};
use crate::output::{Failure, Format, print, print_json};

/// How many plays are simulated of a story that is not explored to its end, and with which seed.
const PLAYS: u64 = 10_000;
const SEED: u64 = 1;
/// The share of the time for exploring and solving.
const SOLVING: f64 = 0.8;

/// Solves a story and prints its odds, endings and faults.
pub fn solve(asked: &Asked<'_>, run: Run<'_>) -> Result<(), Failure> {
    answer(asked, run, false)
}

/// The same with all knots.
pub fn report(asked: &Asked<'_>, run: Run<'_>) -> Result<(), Failure> {
    answer(asked, run, true)
}

fn answer(asked: &Asked<'_>, run: Run<'_>, knots: bool) -> Result<(), Failure> {
    let story = asked.story()?;
    let part = run.budget.part(SOLVING);
    let options = asked.options(run).with_budget(&part);
    let report = story.report(&options).map_err(|error| unsolved(&error))?;
    let simulate = || story.simulated(PLAYS, SEED, options.step, run.budget);
    let simulated = (!report.is_whole()).then(simulate).filter(|simulated| simulated.plays > 0);
    let answer = Answer { asked, story: &story, report: &report, simulated, knots };
    match asked.format {
        Format::Text => print(&text(&answer))?,
        Format::Json => print_json(&StoryJson::new(&answer))?,
    }
    match report.stopped {
        Some(stopped) => Err(stopped.into()),
        None if report.cut => Err(Failure::Reported(1)),
        None => Ok(()),
    }
}

/// The failure of a story that was not solved.
pub fn unsolved(error: &GameError) -> Failure {
    match error {
        GameError::Explore(ExploreError::Stopped(stopped)) | GameError::Solve(SolveError::Stopped(stopped)) => {
            (*stopped).into()
        }
        _ => Failure::failed(error, "please report this story"),
    }
}

/// The answer about a story.
struct Answer<'a> {
    asked: &'a Asked<'a>,
    story: &'a Story,
    report: &'a Report,
    /// Simulated plays, if not everything was explored.
    simulated: Option<Simulated>,
    knots: bool,
}

fn text(Answer { asked, story, report, simulated, knots }: &Answer<'_>) -> String {
    let Report { value, random_value, best, random, faults, situations, .. } = report;
    let mut out = String::new();
    let _ = writeln!(out, "{}: won by {}\n", asked.file, goal_text(story));
    let odds = [(value, "best play"), (random_value, "a reader who answers at random")];
    for (value, who) in odds {
        let _ = writeln!(out, "Win {:>10}  {who} ({})", win_text(value), bounds_text(value));
    }
    if !has_won(report) {
        out.push_str("No end that is reached wins: tag one # win, or use --goal with a knot or a condition.\n");
    }
    let _ = writeln!(out, "\nEndings{:>21}{:>12}", "best play", "at random");
    for (place, (ending, share)) in random.endings.iter().enumerate() {
        let mark = if ending.won { '*' } else { ' ' };
        let best = percent_near(best.endings[place].1.decimal());
        let _ = writeln!(out, "{mark} {:<14}{best:>12}{:>12}", ending.name, percent_near(share.decimal()));
    }
    let others = [
        ("breaks off", best.faults, random.faults),
        ("goes on for ever", best.forever, random.forever),
        ("not explored", best.open, random.open),
    ];
    for (name, best, random) in others.into_iter().filter(|(_, best, random)| best + random > 0.0) {
        let _ = writeln!(out, "  {name:<16}{:>10}{:>12}", percent_near(best), percent_near(random));
    }
    if !faults.is_empty() {
        out.push_str("\nWhere the story breaks off\n");
        for fault in faults.iter().take(SHOWN) {
            let _ = writeln!(out, "  {}", fault_text(fault));
        }
        more(&mut out, faults.len(), "places");
    }
    if *knots {
        let _ = writeln!(out, "\nKnots{:>23}{:>12}", "best play", "at random");
        for ((name, share), (_, best)) in random.knots.iter().zip(&best.knots) {
            let [best, random] = [best, share].map(|own| percent_near(own.decimal()));
            let _ = writeln!(out, "  {name:<14}{best:>12}{random:>12}");
        }
    }
    if let Some(simulated) = simulated {
        out.push_str(&simulated_text(simulated, *knots));
    }
    let trust = match report {
        _ if report.is_whole() => TRUST,
        Report { stopped: None, .. } => {
            "somewhere chance has too many ways, or a variable leads to where visits are counted otherwise: these are bounds"
        }
        _ => "not all of the story was explored: these are bounds",
    };
    let plural = if *situations == 1 { "" } else { "s" };
    let _ = writeln!(out, "\n{situations} situation{plural}; {trust}");
    out
}

/// Simulated shares with their intervals.
fn simulated_text(simulated: &Simulated, knots: bool) -> String {
    let Simulated { plays, endings, broken, unfinished, .. } = simulated;
    let mut out = format!(
        "\nSimulated at random (no proof: {plays} plays; each interval is right in all but one of {} samples)\n",
        Sample::OFF_ONCE_IN
    );
    let line = |mark: char, name: &str, seen: u64| {
        let sample = of_plays(seen, *plays);
        let (least, most) = sample.likely();
        let [share, least, most] = [sample.win(), least, most].map(percent_near);
        format!("{mark} {name:<14} ~{share:>11}  {least} to {most}\n")
    };
    for (ending, seen) in endings {
        out.push_str(&line(if ending.won { '*' } else { ' ' }, &ending.name, *seen));
    }
    for (name, seen) in [("breaks off", *broken), ("given up", *unfinished)].into_iter().filter(|(_, seen)| *seen > 0) {
        out.push_str(&line(' ', name, seen));
    }
    if knots {
        out.push_str("\nKnots, simulated at random\n");
        out.extend(simulated.knots.iter().map(|(name, seen)| line(' ', name, *seen)));
    }
    out
}

/// So many of some plays, for their share and its interval.
fn of_plays(seen: u64, plays: u64) -> Sample {
    Sample { won: seen, plays, unfinished: 0 }
}

/// A probability, or its bounds.
pub fn win_text(value: &Value) -> String {
    if value.exact.is_none() && value.upper - value.lower > 1e-6 {
        return format!("{} to {}", percent_near(value.lower), percent_near(value.upper));
    }
    percent_of(value)
}

/// Whether a winning end was found, or may exist.
pub fn has_won(report: &Report) -> bool {
    !report.is_whole() || report.best.endings.iter().any(|(ending, _)| ending.won)
}

/// The note if nothing was left out or guessed: the story was run as it is.
const TRUST: &str = "the odds are the story's";

/// A fault with its place and the way to it.
pub fn fault_text(ReportedFault { fault, way, share }: &ReportedFault) -> String {
    let way: Vec<String> = way.iter().map(|choice| format!("\"{choice}\"")).collect();
    let way = if way.is_empty() { "from the beginning".into() } else { format!("after {}", way.join(", ")) };
    format!("in {}: {}; {} at random, {way}", fault.place, fault.message, percent_near(*share))
}

#[derive(Serialize)]
struct StoryJson<'a> {
    format: u32,
    story: &'a str,
    goal: String,
    win: Number,
    random_win: Number,
    endings: Vec<EndingJson<'a>>,
    faults: Vec<FaultJson<'a>>,
    breaks_off: SharesJson,
    for_ever: SharesJson,
    not_explored: SharesJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    knots: Option<Vec<KnotJson<'a>>>,
    situations: usize,
    stopped: Option<String>,
    too_many_ways: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<SimulatedJson<'a>>,
}

/// Simulated plays of the reader at random.
#[derive(Serialize)]
struct SimulatedJson<'a> {
    plays: u64,
    seed: u64,
    proof: bool,
    endings: Vec<SimulatedShareJson<'a>>,
    breaks_off: SimulatedShareJson<'a>,
    given_up: SimulatedShareJson<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    knots: Option<Vec<SimulatedShareJson<'a>>>,
}

#[derive(Serialize)]
struct SimulatedShareJson<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    won: Option<bool>,
    random: f64,
    likely: (f64, f64),
}

impl<'a> SimulatedJson<'a> {
    fn new(simulated: &'a Simulated, knots: bool) -> Self {
        let share = |name: &'a str, won: Option<bool>, seen: u64| {
            let sample = of_plays(seen, simulated.plays);
            SimulatedShareJson { name, won, random: sample.win(), likely: sample.likely() }
        };
        let endings = simulated.endings.iter().map(|(ending, seen)| share(&ending.name, Some(ending.won), *seen));
        let of_knots = || simulated.knots.iter().map(|(name, seen)| share(name, None, *seen)).collect();
        Self {
            plays: simulated.plays,
            seed: simulated.seed,
            proof: false,
            endings: endings.collect(),
            breaks_off: share("breaks off", None, simulated.broken),
            given_up: share("given up", None, simulated.unfinished),
            knots: knots.then(of_knots),
        }
    }
}

/// The probabilities of reaching it under optimal play and random answers.
#[derive(Serialize)]
struct SharesJson {
    best: f64,
    random: f64,
}

#[derive(Serialize)]
struct EndingJson<'a> {
    name: &'a str,
    won: bool,
    #[serde(flatten)]
    shares: SharesJson,
}

#[derive(Serialize)]
struct KnotJson<'a> {
    name: &'a str,
    #[serde(flatten)]
    shares: SharesJson,
}

#[derive(Serialize)]
struct FaultJson<'a> {
    message: &'a str,
    place: &'a str,
    way: &'a [String],
    random: f64,
}

impl<'a> StoryJson<'a> {
    fn new(answer: &'a Answer<'a>) -> Self {
        let Answer { asked, story, report, simulated, knots } = answer;
        let Report { best, random, .. } = report;
        let shares = |share: fn(&Shares) -> f64| SharesJson { best: share(best), random: share(random) };
        let endings = random.endings.iter().zip(&best.endings).map(|((ending, random), (_, best))| EndingJson {
            name: &ending.name,
            won: ending.won,
            shares: SharesJson { best: best.decimal(), random: random.decimal() },
        });
        let joined_knots = random.knots.iter().zip(&best.knots).map(|((name, random), (_, best))| KnotJson {
            name,
            shares: SharesJson { best: best.decimal(), random: random.decimal() },
        });
        let faults = report.faults.iter().map(|ReportedFault { fault, way, share }| FaultJson {
            message: &fault.message,
            place: &fault.place,
            way,
            random: *share,
        });
        Self {
            format: 1,
            story: asked.file,
            goal: goal_text(story),
            win: Number::from(&report.value),
            random_win: Number::from(&report.random_value),
            endings: endings.collect(),
            faults: faults.collect(),
            breaks_off: shares(|own| own.faults),
            for_ever: shares(|own| own.forever),
            not_explored: shares(|own| own.open),
            knots: knots.then(|| joined_knots.collect()),
            situations: report.situations,
            stopped: report.stopped.map(|stopped| stopped.to_string()),
            too_many_ways: report.cut,
            simulated: simulated.as_ref().map(|simulated| SimulatedJson::new(simulated, *knots)),
        }
    }
}
