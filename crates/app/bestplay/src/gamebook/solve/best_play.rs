//! A book solved as a whole: the odds of optimal play, where it dies, and its choices.

use std::fmt::Write;
use std::mem::ManuallyDrop;
use std::time::Instant;

use gamebook::{Advice, Belongings, Book, FirstChoice, Journey, Question, SectionNumber, Solved};
use mdp::Number;
use serde::Serialize;
use serde_json::Value;

use super::args::SolveArgs;
use super::sizes::{Size, sizes};
use crate::arguments::engine_args::Run;
use crate::gamebook::answer::advice::{ChoiceJson, answer_text, star, win_texts};
use crate::gamebook::answer::draft;
use crate::gamebook::answer::journey::{
    EndJson, EndsJson, SHOWN, SectionJson, endings_text, ends_json, ends_text, more, sections_json, sheet,
};
use crate::gamebook::answer::too_large::{is_too_large, unsolved_book};
use crate::gamebook::answer::unsolved::{bounds_text, unsolved};
use crate::gamebook::bound;
use crate::gamebook::input::book_file::{BookText, section_json};
use crate::gamebook::input::hero_args::heading;
use crate::memory;
use crate::numbers::{percent_near as percent, percent_of};
use crate::output::{self, Failure, Format};

/// Solves a book as a whole and prints the results of optimal play.
pub(super) fn run(args: &SolveArgs, written: &BookText, run: Run<'_>) -> Result<(), Failure> {
    let book = written.book(run.budget)?;
    let question = args.asked(&book)?;
    let began = Instant::now();
    let solved = Solved::new(&book, &question, run.options);
    if solved.as_ref().is_err_and(is_too_large)
        && !(args.export.is_asked() || args.explain_size)
        && let Some(bounded) = bound::of_too_large(&book, &question)
    {
        output::note("  the book has more situations than the limits allow; two bounds of it take their time");
        return bound::print_bounds(&book, &bounded, args.format, run);
    }
    let solved = solved.map_err(|error| unsolved_book(&book, &question, &error, run.budget))?;
    let (journey, first) = rayon::join(|| solved.journey(run.options), || solved.first_choices());
    let journey = journey.map_err(|error| unsolved(&error))?;
    let sizes = if args.explain_size { sizes(&book, &question, &solved, run)? } else { Vec::new() };
    let seconds = began.elapsed().as_secs_f64();
    if args.export.is_asked() {
        let space = solved.space().one_by_one(solved.machine());
        args.export.write(solved.machine(), &space, solved.solution(), run.budget)?;
    }
    // The memory of an ending process is released faster as a whole than piece by piece.
    let solved = ManuallyDrop::new(solved);
    let answer =
        Answer { args, book: &book, question: &question, solved: &solved, journey: &journey, first, sizes, seconds };
    match args.format {
        Format::Text => draft::print(book.draft, &answer.text()),
        Format::Json => draft::print_json(book.draft, &answer.json()),
    }
}

struct Answer<'a> {
    args: &'a SolveArgs,
    book: &'a Book,
    question: &'a Question,
    solved: &'a Solved,
    journey: &'a Journey,
    first: Vec<FirstChoice>,
    sizes: Vec<Size>,
    seconds: f64,
}

impl Answer<'_> {
    fn text(&self) -> String {
        let (journey, counts) = (self.journey, self.solved.space().model().counts());
        let win = self.solved.win();
        let mut out = String::new();
        let _ = writeln!(out, "{}", heading(self.book, self.question));
        let _ = writeln!(out, "Win  {}  ({})\n", percent_of(&win), bounds_text(&win));
        endings_text(&mut out, self.book, journey);
        out.push('\n');
        if !journey.finals.is_empty() {
            let _ = writeln!(out, "How heroes win");
            out.push_str(&ends_text(&journey.ends()));
            for (section, belongings, probability) in journey.finals.iter().take(SHOWN) {
                let name = self.name(*section);
                let _ = writeln!(out, "{name:>6}  {:>10}  {}", percent(*probability), sheet(belongings));
            }
            more(&mut out, journey.finals.len(), "situations");
            out.push('\n');
        }
        if !journey.way.is_empty() {
            let way: Vec<String> = journey.way.iter().map(|section| self.name(*section)).collect();
            let _ = writeln!(out, "The most likely way through\n{}\n", folded(&way));
        }
        if !self.first.is_empty() {
            let _ = writeln!(out, "The first choices that matter");
            for question in &self.first {
                let about = question.about.as_deref().unwrap_or("a choice");
                let _ = writeln!(out, "  section {}, {about}", self.name(question.section));
                let mut answers: Vec<&Advice> = question.answers.iter().collect();
                answers.sort_by(|left, right| left.best_first(right));
                let wins = win_texts(answers.iter().copied());
                for (answer, win) in answers.into_iter().zip(wins) {
                    let mark = star(answer);
                    let _ = writeln!(out, "{mark:>8}{win:>10}  {}", answer_text(self.book, answer));
                }
            }
            out.push('\n');
        }
        let memory = memory::peak().map(|peak| format!(", {}", budget::bytes(peak))).unwrap_or_default();
        let _ = writeln!(
            out,
            "{} states, {} choices, {} outcomes; {:.2} s{memory}",
            counts.states, counts.choices, counts.outcomes, self.seconds
        );
        if self.args.explain_size {
            self.explain_size(&mut out);
        }
        out
    }

    fn name(&self, section: SectionNumber) -> String {
        self.book.section_text(section)
    }

    fn explain_size(&self, out: &mut String) {
        out.push_str("\nWhat each reduction saves (seconds to find the states)\n");
        for Size { without, counts, limit, seconds } in &self.sizes {
            let counts = counts.as_ref().map_or_else(
                || format!("more than {limit} states"),
                |counts| format!("{:>12} states {:>12} choices", counts.states, counts.choices),
            );
            let _ = writeln!(out, "  without {without:<9} {counts} {seconds:8.2} s");
        }
        out.push_str("\nWhere the states are\n");
        let sections = self.solved.states_by_section();
        for (section, states) in sections.iter().take(SHOWN) {
            let _ = writeln!(out, "{:>6} {states:>9} states", self.name(*section));
        }
        more(out, sections.len(), "sections");
    }

    fn json(&self) -> impl Serialize {
        let counts = self.solved.space().model().counts();
        let journey = self.journey;
        let named = |section: SectionNumber| section_json(self.book, section);
        AnswerJson {
            format: 1,
            book: self.book.title.clone(),
            start: named(self.question.start),
            goals: self.question.goals.iter().map(|section| named(*section)).collect(),
            win: Number::from(&self.solved.win()),
            victories: ends_json(self.book, &journey.victories),
            deaths: ends_json(self.book, &journey.deaths),
            sections: sections_json(self.book, journey),
            ends: EndsJson::from(&journey.ends()),
            final_states: journey
                .finals
                .iter()
                .map(|(section, belongings, probability)| FinalJson {
                    section: named(*section),
                    probability: *probability,
                    state: BelongingsJson::from(belongings),
                })
                .collect(),
            way: journey.way.iter().map(|section| named(*section)).collect(),
            first_choices: self
                .first
                .iter()
                .map(|question| FirstChoiceJson {
                    section: named(question.section),
                    about: question.about.clone(),
                    choices: question.answers.iter().map(|answer| ChoiceJson::new(self.book, answer)).collect(),
                })
                .collect(),
            states: counts.states,
            choices: counts.choices,
            outcomes: counts.outcomes,
            sizes: self
                .sizes
                .iter()
                .map(|size| SizeJson {
                    without: size.without,
                    states: size.counts.map(|counts| counts.states),
                    choices: size.counts.map(|counts| counts.choices),
                    seconds: size.seconds,
                })
                .collect(),
            states_by_section: if self.args.explain_size {
                let sections = self.solved.states_by_section().into_iter();
                sections.map(|(section, states)| SectionStatesJson { section: named(section), states }).collect()
            } else {
                Vec::new()
            },
            seconds: self.seconds,
            threads: self.args.engine.threads(),
            peak_memory_bytes: memory::peak(),
        }
    }
}

/// Words in lines of at most 100 characters, indented.
fn folded(words: &[String]) -> String {
    let mut lines = vec![String::from(" ")];
    for word in words {
        if lines.last().is_some_and(|line| line.len() + word.len() > 100) {
            lines.push(String::from(" "));
        }
        if let Some(line) = lines.last_mut() {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines.join("\n")
}

#[derive(Serialize)]
struct AnswerJson {
    format: u32,
    book: String,
    start: Value,
    goals: Vec<Value>,
    win: Number,
    victories: Vec<EndJson>,
    deaths: Vec<EndJson>,
    sections: Vec<SectionJson>,
    ends: EndsJson,
    final_states: Vec<FinalJson>,
    way: Vec<Value>,
    first_choices: Vec<FirstChoiceJson>,
    states: u64,
    choices: u64,
    outcomes: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sizes: Vec<SizeJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    states_by_section: Vec<SectionStatesJson>,
    seconds: f64,
    threads: usize,
    peak_memory_bytes: Option<u64>,
}

#[derive(Serialize)]
struct SectionStatesJson {
    section: Value,
    states: u64,
}

#[derive(Serialize)]
struct FinalJson {
    section: Value,
    probability: f64,
    state: BelongingsJson,
}

/// A hero's possessions.
#[derive(Serialize)]
struct BelongingsJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    endurance: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gold: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<serde_json::Map<String, Value>>,
    items: serde_json::Map<String, Value>,
    flags: Vec<String>,
}

impl From<&Belongings> for BelongingsJson {
    fn from(belongings: &Belongings) -> Self {
        Self {
            endurance: belongings.stats.is_none().then_some(belongings.endurance),
            gold: belongings.stats.is_none().then_some(belongings.gold),
            stats: belongings
                .stats
                .as_ref()
                .map(|stats| stats.iter().map(|(name, number)| (name.clone(), (*number).into())).collect()),
            items: belongings.items.iter().map(|(name, count)| (name.clone(), (*count).into())).collect(),
            flags: belongings.flags.clone(),
        }
    }
}

#[derive(Serialize)]
struct FirstChoiceJson {
    section: Value,
    about: Option<String>,
    choices: Vec<ChoiceJson>,
}

#[derive(Serialize)]
struct SizeJson {
    without: &'static str,
    /// `None` if above the limit.
    states: Option<u64>,
    choices: Option<u64>,
    seconds: f64,
}
