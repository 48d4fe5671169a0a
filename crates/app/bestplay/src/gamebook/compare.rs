//! `bestplay gamebook compare`: two versions of a book.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use clap::Args;
use gamebook::{Book, Guide, Odds, Player, QuestionGuide, Report, text_pieces};
use mdp::Number;
use serde::Serialize;
use serde_json::{Map, Value};

use super::report::odds;
use crate::arguments::engine_args::{EngineArgs, Run};
use crate::gamebook::answer::journey::{SHOWN, more};
use crate::gamebook::answer::places::Lines;
use crate::gamebook::answer::too_large::unsolved_book;
use crate::gamebook::input::book_file::BookText;
use crate::gamebook::input::hero_args::QuestionArgs;
use crate::numbers::percent_near as percent;
use crate::output::{self, Failure, Format};

/// Arguments of `compare`.
#[derive(Args)]
pub struct CompareArgs {
    /// The old version: a built-in book or a file
    old: String,
    /// The new version
    new: String,
    #[command(flatten)]
    question: QuestionArgs,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    engine: EngineArgs,
}

pub const EXAMPLES: &str = "\
The comparison covers the text (without layout and comments), the odds of best play and of the readers, the sections where they
die, and the best choices. The hero is that of each version, or that of the arguments for both.

Examples:
  bestplay gamebook compare my-book-1.kdl my-book.kdl
  git show HEAD:my-book.kdl | bestplay gamebook compare - my-book.kdl --format json";

/// A version of a book.
struct Version {
    lines: Lines,
    book: Book,
    report: Report,
    /// The content and line of each top-level node.
    pieces: BTreeMap<String, (String, usize)>,
}

impl Version {
    fn new(name: &str, args: &CompareArgs, run: Run<'_>) -> Result<Self, Failure> {
        let text = BookText::load(name)?;
        let book = text.book(run.budget)?;
        let question = args.question.question(&book, args.engine.exact)?;
        let report = Report::new(&book, &question, run.options);
        let report = report.map_err(|error| unsolved_book(&book, &question, &error, run.budget))?;
        let lines = Lines::new(&text);
        let pieces = text_pieces(&text.text, run.budget)?;
        let pieces = pieces.into_iter().map(|own| (own.name, (own.text, lines.line(&own.span)))).collect();
        Ok(Self { lines, book, report, pieces })
    }

    /// All players with their names.
    fn players(&self) -> Vec<(String, &Player)> {
        let readers = self.report.readers.iter().map(|(reader, own)| (reader.to_string(), own));
        std::iter::once(("best play".to_string(), &self.report.best)).chain(readers).collect()
    }

    /// Where players die, by section name.
    fn deaths(&self) -> BTreeMap<String, Vec<f64>> {
        let players = self.players();
        let mut deaths: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for (place, (_, own)) in players.iter().enumerate() {
            for (section, probability) in &own.deaths {
                let shares = deaths.entry(self.book.section_text(*section)).or_insert_with(|| vec![0.0; players.len()]);
                shares[place] = *probability;
            }
        }
        deaths
    }

    /// The choices of optimal play by section and question.
    fn taken(&self) -> BTreeMap<(String, String), Vec<(String, f64)>> {
        taken(&self.book, &self.report.guide)
    }
}

fn taken(book: &Book, guide: &Guide) -> BTreeMap<(String, String), Vec<(String, f64)>> {
    let mut all = BTreeMap::new();
    for (section, own) in &guide.sections {
        for (number, question) in own.questions.iter().enumerate() {
            let QuestionGuide { about, asked, answers, .. } = question;
            let what = about.clone().unwrap_or_else(|| format!("choice {}", number + 1));
            let share = |taken: f64| if *asked > 0.0 { taken / asked } else { 0.0 };
            let given: Vec<(String, f64)> = answers
                .iter()
                .filter(|answer| answer.taken > 0.0)
                .map(|answer| (answer.label.clone(), share(answer.taken)))
                .collect();
            all.insert((book.section_text(*section), what), given);
        }
    }
    all
}

/// The differences between two versions.
struct Differences<'v> {
    old: &'v Version,
    new: &'v Version,
    /// Top-level nodes: the change of each, and its line in the version that has it.
    text: Vec<(String, &'static str, usize)>,
    /// Where players die, before and after, the largest change first.
    deaths: Vec<(String, Vec<f64>, Vec<f64>)>,
    choices: Vec<ChoiceJson>,
}

/// Smaller differences are ignored.
const ALIKE: f64 = 1e-9;

impl<'v> Differences<'v> {
    fn new(old: &'v Version, new: &'v Version) -> Self {
        let names: BTreeSet<&String> = old.pieces.keys().chain(new.pieces.keys()).collect();
        let piece = |name: &String| match (old.pieces.get(name), new.pieces.get(name)) {
            (Some((_, line)), None) => Some((name.clone(), "removed", *line)),
            (None, Some((_, line))) => Some((name.clone(), "added", *line)),
            (Some((before, _)), Some((after, line))) if before != after => Some((name.clone(), "changed", *line)),
            _ => None,
        };
        let mut text: Vec<(String, &'static str, usize)> = names.into_iter().filter_map(piece).collect();
        text.sort_by_key(|(_, _, line)| *line);
        let (before, after) = (old.deaths(), new.deaths());
        let none = vec![0.0; old.players().len()];
        let sections: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        let mut deaths: Vec<(String, Vec<f64>, Vec<f64>)> = sections
            .into_iter()
            .map(|own| {
                let of = |all: &BTreeMap<String, Vec<f64>>| all.get(own).unwrap_or(&none).clone();
                (own.clone(), of(&before), of(&after))
            })
            .collect();
        let moved = |(_, before, after): &(String, Vec<f64>, Vec<f64>)| {
            before.iter().zip(after).map(|(before, after)| (before - after).abs()).fold(0.0, f64::max)
        };
        deaths.retain(|own| moved(own) > ALIKE);
        deaths.sort_by(|left, right| moved(right).total_cmp(&moved(left)));
        let (before, after) = (old.taken(), new.taken());
        let alike = |left: &[(String, f64)], right: &[(String, f64)]| {
            left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| left.0 == right.0 && (left.1 - right.1).abs() <= 1e-6)
        };
        let choices = before
            .iter()
            .filter_map(|(key, before)| Some((key, before, after.get(key)?)))
            .filter(|(_, before, after)| !alike(before, after))
            .map(|((section, question), before, after)| ChoiceJson {
                section: section.clone(),
                line: new.book.section_named(section).and_then(|own| new.lines.of_section(&new.book, own)),
                question: question.clone(),
                before: TakenJson::all(before),
                after: TakenJson::all(after),
            })
            .collect();
        Self { old, new, text, deaths, choices }
    }
}

/// Compares two versions of a book.
pub fn run(args: &CompareArgs) -> Result<(), Failure> {
    args.engine.run(|run| {
        let (old, new) = (Version::new(&args.old, args, run)?, Version::new(&args.new, args, run)?);
        let differences = Differences::new(&old, &new);
        match args.format {
            Format::Text => output::print(&differences.text()),
            Format::Json => output::print_json(&differences.json()),
        }
    })
}

impl Differences<'_> {
    fn text(&self) -> String {
        let Self { old, new, .. } = self;
        let mut out =
            format!("{} ({}) and {} ({})\n", old.book.title, old.lines.name(), new.book.title, new.lines.name());
        for version in [old, new] {
            if let Some(draft) = version.book.draft.warning() {
                let _ = writeln!(out, "{}: {draft}", version.lines.name());
            }
        }
        out.push_str("\nOdds\n");
        for ((who, before), (_, after)) in old.players().into_iter().zip(new.players()) {
            let difference = 100.0 * (after.win.decimal() - before.win.decimal());
            let _ = writeln!(out, "{who:>10}  {:>11}  {:>11}  {difference:+.3}", odds(&before.win), odds(&after.win));
        }
        if self.text.is_empty() {
            out.push_str("\nThe text is the same\n");
        } else {
            out.push_str("\nThe text\n");
        }
        for (name, what, line) in &self.text {
            let file = if *what == "removed" { old.lines.name() } else { new.lines.name() };
            let _ = writeln!(out, "  {what:<8} {name} (line {line} of {file})");
        }
        if !self.deaths.is_empty() {
            out.push_str("\nWhere they die, before and after\n");
            let players: Vec<String> = old.players().into_iter().map(|(who, _)| who).collect();
            for (section, before, after) in self.deaths.iter().take(SHOWN) {
                for ((who, before), after) in players.iter().zip(before).zip(after) {
                    if (before - after).abs() > ALIKE {
                        let _ =
                            writeln!(out, "{section:>8}  {who:<10} {:>11}  {:>11}", percent(*before), percent(*after));
                    }
                }
            }
            more(&mut out, self.deaths.len(), "sections");
        }
        if !self.choices.is_empty() {
            out.push_str("\nWhat best play takes, before and after\n");
            for own in &self.choices {
                let line = own.line.map_or_else(String::new, |line| format!(" (line {line})"));
                let _ = writeln!(out, "{:>8}{line}, {}", own.section, own.question);
                let _ = writeln!(
                    out,
                    "          {}\n          {}",
                    TakenJson::text(&own.before),
                    TakenJson::text(&own.after)
                );
            }
        }
        out
    }

    fn json(&self) -> CompareJson {
        let Self { old, new, .. } = self;
        let players = old.players().into_iter().zip(new.players());
        let number = |odds: &Odds| match odds {
            Odds::Known(value) => OddsJson { win: Some(Number::from(value)), estimate: None },
            Odds::Estimated { .. } => OddsJson { win: None, estimate: Some(odds.decimal()) },
        };
        let odds = |((who, before), (_, after)): ((String, &Player), (String, &Player))| PlayerJson {
            who,
            before: number(&before.win),
            after: number(&after.win),
        };
        let names: Vec<String> = old.players().into_iter().map(|(who, _)| who).collect();
        let by_name = |shares: &[f64]| names.iter().cloned().zip(shares.iter().copied()).collect();
        CompareJson {
            format: 1,
            old: old.lines.name().into(),
            new: new.lines.name().into(),
            drafts: [old, new].map(|own| own.book.draft.fields()),
            odds: players.map(odds).collect(),
            text: self
                .text
                .iter()
                .map(|(what, change, line)| TextJson { what: what.clone(), change, line: *line })
                .collect(),
            deaths: self
                .deaths
                .iter()
                .map(|(section, before, after)| DeathJson {
                    section: section.clone(),
                    before: by_name(before),
                    after: by_name(after),
                })
                .collect(),
            choices: self.choices.clone(),
        }
    }
}

#[derive(Serialize)]
struct CompareJson {
    format: u32,
    old: String,
    new: String,
    /// The unfinished parts of the old and the new version; left out if both are finished.
    #[serde(skip_serializing_if = "are_finished")]
    drafts: [Map<String, Value>; 2],
    odds: Vec<PlayerJson>,
    text: Vec<TextJson>,
    deaths: Vec<DeathJson>,
    choices: Vec<ChoiceJson>,
}

fn are_finished(drafts: &[Map<String, Value>; 2]) -> bool {
    drafts.iter().all(Map::is_empty)
}

#[derive(Serialize)]
struct PlayerJson {
    who: String,
    before: OddsJson,
    after: OddsJson,
}

#[derive(Serialize)]
struct OddsJson {
    win: Option<Number>,
    estimate: Option<f64>,
}

#[derive(Serialize)]
struct TextJson {
    what: String,
    change: &'static str,
    line: usize,
}

#[derive(Serialize)]
struct DeathJson {
    section: String,
    before: BTreeMap<String, f64>,
    after: BTreeMap<String, f64>,
}

#[derive(Clone, Serialize)]
struct ChoiceJson {
    section: String,
    line: Option<usize>,
    question: String,
    before: Vec<TakenJson>,
    after: Vec<TakenJson>,
}

#[derive(Clone, Serialize)]
struct TakenJson {
    label: String,
    share: f64,
}

impl TakenJson {
    fn all(taken: &[(String, f64)]) -> Vec<Self> {
        taken.iter().map(|(label, share)| Self { label: label.clone(), share: *share }).collect()
    }

    fn text(taken: &[Self]) -> String {
        let parts: Vec<String> =
            taken.iter().map(|own| format!("{} {}", own.label, percent(own.share.min(1.0)))).collect();
        parts.join(", ")
    }
}
