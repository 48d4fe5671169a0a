//! `bestplay gamebook solve`.

use std::fmt::Write;
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::time::Instant;

use budget::{Budget, Limits};
use clap::Args;
use gamebook::{
    Advice, Analyses, Belongings, Book, FirstChoice, Journey, Question, Reader, SectionNumber, Series, Solved,
    is_series, read_forgets,
};
use mdp::rows::explore;
use mdp::{Counts, ExploreOptions, Number, Standing};
use serde::Serialize;
use serde_json::Value;

use super::book_file;
use super::crowd::{is_too_large, unsolved_book};
use super::draft;
use super::hero_args::{QuestionArgs, heading, unlisted};
use super::journey::{
    DeathJson, EndsJson, SHOWN, SectionJson, deaths_json, deaths_text, ends_text, more, sections_json, sheet,
};
use super::kinder;
use super::series;
use super::unsolved::{bounds_text, unsolved};
use super::vary::VaryArgs;
use crate::engine_args::EngineArgs;
use crate::export::ExportArgs;
use crate::memory;
use crate::numbers::{percent_near as percent, percent_of, percents_of};
use crate::output::{self, Failure, Format};

/// Arguments of `solve`.
#[derive(Args)]
pub struct SolveArgs {
    /// A built-in book (fire-on-the-water), a file, or a series of books (lone-wolf-kai, or a file)
    book: String,
    #[command(flatten)]
    question: QuestionArgs,
    /// Also show how many states each reduction saves: solves the book's size anew without each
    #[arg(long)]
    explain_size: bool,
    /// Switch a reduction off (straight, forget, cap, merge, fold, split, hopeless, sure): the value stays the same
    #[arg(long, value_name = "REDUCTION", value_parser = Analyses::NAMES)]
    without: Vec<String>,
    /// How a reader fares who does not play best: each answer is equally likely (random), or he gives the first (bold) or
    /// the last (cautious) that is listed
    #[arg(long, value_name = "READER", value_parser = Reader::NAMES, conflicts_with_all = ["explain_size", "without"])]
    reader: Option<String>,
    /// The hero whom the book makes: over all rolls, with the best of what may be chosen after each. What is said of the
    /// hero is not rolled or chosen
    #[arg(long, conflicts_with_all = ["explain_size", "reader", "export_model", "export_policy"])]
    rolled: bool,
    #[command(flatten)]
    vary: VaryArgs,
    /// Solve a series, or a book that is too large for memory, part by part, and keep the parts in this directory: what is
    /// there already is not done again
    #[arg(long, value_name = "DIR", conflicts_with_all = ["explain_size", "reader", "rolled"])]
    state: Option<PathBuf>,
    /// Beside what --disciplines says the hero chooses so many himself, as is best: which first, by one solve. Weaponskill
    /// where its weapon is said. A book is solved part by part then
    #[arg(long, value_name = "N[,weaponskill=WEAPON]", conflicts_with_all = ["explain_size", "reader", "rolled", "sample"])]
    learn: Option<String>,
    /// Play so often under best play, to see what comes of it
    #[arg(long, value_name = "COUNT", group = "simulated")]
    plays: Option<u64>,
    /// Do not solve the book, simulate so many plays (100000 if no number is given) by a policy that is learned from as many:
    /// no proof, for books that are too large
    #[arg(long, value_name = "COUNT", group = "simulated", num_args = 0..=1, default_missing_value = "100000",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000),
        conflicts_with_all = ["explain_size", "reader", "rolled", "state", "export_model", "export_policy", "exact"])]
    sample: Option<u64>,
    /// How often best play wins at most: as often as a player who need not remember these (gold, items, flags, counters, numbers of
    /// a system of rules), in the whole book or from a section on (gold@67). He says what he has wherever the book asks.
    /// A kinder game of the book has a name. With --policy also how often it wins at least
    #[arg(long, value_name = "NAME[@SECTION]", value_delimiter = ',', conflicts_with_all = ["explain_size", "reader", "rolled",
        "state", "learn", "plays", "sample", "vary", "export_model", "export_policy"])]
    forget: Vec<String>,
    /// What determines the dice of these plays
    #[arg(long, value_name = "N", default_value_t = 1, requires = "simulated")]
    seed: u64,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    export: ExportArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

pub const EXAMPLES: &str = "\
Examples:
  bestplay gamebook solve fire-on-the-water
  bestplay gamebook solve fire-on-the-water --combat-skill 19 --endurance 29 --items sommerswerd
  bestplay gamebook solve fire-on-the-water --goal 200 --exact
  bestplay gamebook solve lone-wolf-kai --state kai
  bestplay gamebook solve flight-from-the-dark --learn 5,weaponskill=axe
  bestplay gamebook solve my-draft.kdl --sample
  bestplay gamebook solve my-draft.kdl --forget gold,rope@120
  bestplay gamebook solve shadow-on-the-sand --policy thrifty --forget baggage --max-memory 12GB
  bestplay gamebook solve my-book.kdl --disciplines hunting,weaponskill=sword --gold 20 --format json
  bestplay gamebook solve my-book.kdl --vary 30.fight.skill=15..22 --vary hero.gold=0,10,20 --curve odds.svg";

impl SolveArgs {
    /// What is asked of a book, without the reductions that are switched off.
    fn asked(&self, book: &Book, exact: bool) -> Result<Question, Failure> {
        let mut question = self.question.question(book, exact)?;
        question.analyses = self.without.iter().fold(question.analyses, |own, name| own.without(name).unwrap_or(own));
        Ok(question)
    }
}

/// Solves a book and prints the answer.
pub fn run(args: &SolveArgs) -> Result<(), Failure> {
    args.engine.run(|options, budget| solve(args, options, budget))
}

fn solve(args: &SolveArgs, options: &ExploreOptions<'_>, budget: &Budget<'_>) -> Result<(), Failure> {
    let (name, text) = book_file::load(&args.book)?;
    if let Some(plays) = args.sample {
        return sample(args, plays, (&name, &text), budget);
    }
    if !args.forget.is_empty() {
        let book = book_file::read_or_fail(&name, &text, budget)?;
        let mut question = args.asked(&book, args.engine.exact)?;
        let names = args.forget.iter().map(String::as_str);
        question.situation.forgets = read_forgets(&book, names).map_err(unlisted)?;
        return kinder::tell(&book, &question, args.format, options, budget);
    }
    if is_series(&text) || args.state.is_some() || args.plays.is_some() || args.learn.is_some() {
        return solve_in_parts(args, (&name, &text), options, budget);
    }
    if args.vary.is_given() {
        let how = (args.engine.exact, args.format);
        return args.vary.tell((&name, &text), &args.question, how, options, budget);
    }
    let book = book_file::read_or_fail(&name, &text, budget)?;
    let question = args.asked(&book, args.engine.exact)?;
    let began = Instant::now();
    if let Some(reader) = args.reader.as_ref().and_then(|name| name.parse::<Reader>().ok()) {
        return super::reader::tell(&book, &question, reader, args.format, options);
    }
    if args.rolled {
        let making = args.question.making(&book);
        return super::made::tell(&book, &question, &making, args.format, options);
    }
    let solved = Solved::new(&book, &question, options);
    if solved.as_ref().is_err_and(is_too_large)
        && !(args.export.is_asked() || args.explain_size)
        && let Some(bounded) = kinder::bounded(&book, &question)
    {
        output::note("  the book has more situations than the limits allow; two bounds of it take their time");
        return kinder::tell(&book, &bounded, args.format, options, budget);
    }
    let solved = solved.map_err(|error| unsolved_book(&book, &question, &error, budget))?;
    let (journey, first) = rayon::join(|| solved.journey(options), || solved.first_choices());
    let journey = journey.map_err(|error| unsolved(&error))?;
    let sizes = if args.explain_size { sizes(&book, &question, &solved, options, budget)? } else { Vec::new() };
    let seconds = began.elapsed().as_secs_f64();
    if args.export.is_asked() {
        let space = solved.space().one_by_one(solved.machine());
        args.export.write(solved.machine(), &space, solved.solution(), budget)?;
    }
    // What a process holds at its end goes back to the system as a whole, sooner than bit by bit.
    let solved = ManuallyDrop::new(solved);
    let answer =
        Answer { args, book: &book, question: &question, solved: &solved, journey: &journey, first, sizes, seconds };
    match args.format {
        Format::Text => draft::print(book.draft, &answer.text()),
        Format::Json => draft::print_json(book.draft, &answer.json()),
    }
}

/// A book or a series that is not solved, but simulated.
fn sample(args: &SolveArgs, plays: u64, (name, text): (&str, &str), budget: &Budget<'_>) -> Result<(), Failure> {
    if args.vary.is_given() {
        return Err(Failure::bad_input("--vary with --sample", "what varies is solved: leave one of them out"));
    }
    let (book, question, machine);
    if is_series(text) {
        let mut series = series::open(name, text, budget)?;
        args.question.say_of_later_books(&mut series)?;
        book = series.told();
        question = args.asked(&book, false)?;
        machine = series.ready(&question, budget);
    } else {
        book = book_file::read_or_fail(name, text, budget)?;
        question = args.asked(&book, false)?;
        machine = question.machine(&book, budget);
    }
    let machine = machine.map_err(|error| unsolved(&error))?;
    super::sample::tell((&book, &question, &machine), (plays, args.seed), args.format, budget)
}

/// A series, or a book that may be too large for memory: what is known of it whole is not asked.
fn solve_in_parts(
    args: &SolveArgs,
    (name, text): (&str, &str),
    options: &ExploreOptions<'_>,
    budget: &Budget<'_>,
) -> Result<(), Failure> {
    let of_one = args.explain_size || args.reader.is_some() || args.rolled || args.vary.is_given();
    if of_one || args.export.is_asked() {
        return Err(Failure::bad_input(
            format_args!("`{name}` is solved part by part"),
            "--explain-size, --reader, --rolled, --vary and exports are for one book without --state, --plays and --learn",
        ));
    }
    let mut series = if is_series(text) {
        series::open(name, text, budget)?
    } else {
        Series::of(book_file::read_or_fail(name, text, budget)?, name)
    };
    args.question.say_of_later_books(&mut series)?;
    if let Some(said) = &args.learn {
        series::learn(&mut series, said)?;
    }
    let question = args.asked(&series.books[0].book, args.engine.exact)?;
    let plays = args.plays.map(|plays| (plays, args.seed));
    series::tell(&series, &question, (args.state.as_deref(), plays), (args.format, args.engine.threads()), options)
}

/// How large a book is without a reduction.
struct Size {
    without: &'static str,
    /// `None`: more than the limit.
    counts: Option<Counts>,
    /// The limit, in states.
    limit: u64,
    /// To find the states, not to solve them.
    seconds: f64,
}

/// How large the book is without each reduction.
fn sizes(
    book: &Book,
    question: &Question,
    solved: &Solved,
    options: &ExploreOptions<'_>,
    whole: &Budget<'_>,
) -> Result<Vec<Size>, Failure> {
    let own = solved.space().model().counts().states;
    let limit = (own * 20).max(1_000_000).min(whole.limits().max_states);
    let budget = whole.within(Limits { max_states: limit, ..*whole.limits() }).telling();
    let options = options.with_budget(&budget);
    let mut sizes = Vec::new();
    for without in Analyses::NAMES {
        let Some(analyses) = question.analyses.without(without) else { continue };
        let machine = Question { analyses, ..question.clone() }.machine(book, &budget);
        let began = Instant::now();
        let space = machine.ok().map(|machine| explore(&machine, &options));
        // What the run itself has no time for is not told as if the book were larger.
        whole.check()?;
        let Some(space) = space else { continue };
        let counts = space.ok().map(|space| space.model().counts());
        sizes.push(Size { without, counts, limit, seconds: began.elapsed().as_secs_f64() });
    }
    Ok(sizes)
}

/// What answers are worth, side by side: not known where the solution did not need to look at what follows one.
pub fn win_texts<'a>(answers: impl IntoIterator<Item = &'a Advice>) -> Vec<String> {
    percents_of(&answers.into_iter().map(|answer| answer.win.as_ref()).collect::<Vec<_>>())
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
        deaths_text(&mut out, self.book, journey);
        if !journey.deaths.is_empty() {
            out.push('\n');
        }
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
        let named = |section: SectionNumber| book_file::section_json(self.book, section);
        AnswerJson {
            format: 1,
            book: self.book.title.clone(),
            start: named(self.question.start),
            goals: self.question.goals.iter().map(|section| named(*section)).collect(),
            win: Number::from(&self.solved.win()),
            deaths: deaths_json(self.book, journey),
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

/// An answer of a book: what it is given for, if it only makes way for something, the section to which it leads, and how it
/// stands where its worth alone does not say.
pub fn answer_text(book: &Book, answer: &Advice) -> String {
    let label = match &answer.then {
        Some(then) => format!("{then} ({})", answer.label),
        None => answer.label.clone(),
    };
    let text = with_target(&label, answer.section.map(|section| book.section_text(section)));
    match answer.standing.note() {
        Some(note) => format!("{text}  [{note}]"),
        None => text,
    }
}

/// The star of the answer that best play gives.
pub fn star(answer: &Advice) -> char {
    if answer.standing == Standing::First { '*' } else { ' ' }
}

/// An answer with the section to which it leads.
pub fn with_target(label: &str, section: Option<String>) -> String {
    match section {
        Some(section) => format!("{label} (to {section})"),
        None => label.to_string(),
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
    deaths: Vec<DeathJson>,
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

/// What a hero has.
#[derive(Serialize)]
pub struct BelongingsJson {
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

/// An answer to a question.
#[derive(Serialize)]
pub struct ChoiceJson {
    label: String,
    then: Option<String>,
    section: Option<Value>,
    win: Option<Number>,
    /// No other answer is better.
    best: bool,
    /// `first`: best play gives it; `equal`: who always gives it here wins as often; `leads-back`: no worse, but who always gives
    /// it here comes back again and again; `worse`.
    standing: &'static str,
}

impl ChoiceJson {
    /// An answer of a book.
    pub fn new(book: &Book, answer: &Advice) -> Self {
        Self {
            label: answer.label.clone(),
            then: answer.then.clone(),
            section: answer.section.map(|section| book_file::section_json(book, section)),
            win: answer.win.as_ref().map(Number::from),
            best: answer.best,
            standing: answer.standing.name(),
        }
    }
}

#[derive(Serialize)]
struct SizeJson {
    without: &'static str,
    /// None: more than was looked at.
    states: Option<u64>,
    choices: Option<u64>,
    seconds: f64,
}
