//! `bestplay gamebook rolled`: the average over rolled heroes.

use std::fmt::Write;

use clap::Args;
use gamebook::{Book, HeroCreation, Question, RolledHero, Rolls};
use mdp::{Number, Rational, fraction_text};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::arguments::engine_args::EngineArgs;
use crate::gamebook::answer::draft;
use crate::gamebook::answer::journey::{SHOWN, more};
use crate::gamebook::answer::unsolved::{bounds_text, unsolved_draft};
use crate::gamebook::input::book_file::{BookText, section_json};
use crate::gamebook::input::hero_args::{QuestionArgs, conduct};
use crate::numbers::{percent_near as percent, percent_of};
use crate::output::{Failure, Format};

/// Arguments of `rolled`.
#[derive(Args)]
pub struct RolledArgs {
    /// A built-in book (fire-on-the-water) or a file
    book: String,
    #[command(flatten)]
    question: QuestionArgs,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    engine: EngineArgs,
}

pub const EXAMPLES: &str = "\
What other options set for the hero is neither rolled nor chosen.

Examples:
  bestplay gamebook rolled flight-from-the-dark
  bestplay gamebook rolled flight-from-the-dark --combat-skill 15
  bestplay gamebook rolled my-book.kdl --exact --format json";

/// Solves a book for every rolled hero, and prints the average.
pub fn run(args: &RolledArgs) -> Result<(), Failure> {
    args.engine.run(|run| {
        let book = BookText::load(&args.book)?.book(run.budget)?;
        let question = args.question.of_whole_book(&book, args.engine.exact)?;
        let creation = args.question.creation(&book);
        if creation.rolled.is_empty() && creation.chosen.is_none() {
            return Err(Failure::bad_input(
                "nothing is left to be rolled or chosen",
                "the book says what is: `hero { rolled ...; choose ...; }`; give fewer options for the hero, or use `gamebook solve`",
            ));
        }
        let hero = RolledHero::new(&book, &question, &creation, run.options);
        let hero = hero.map_err(|error| unsolved_draft(book.draft.warning(), &error))?;
        match args.format {
            Format::Text => draft::print(book.draft, &text(&book, &question, &creation, &hero)),
            Format::Json => draft::print_json(book.draft, &json(&book, &question, &hero)),
        }
    })
}

/// Rolls with the same best choices.
struct Group<'m> {
    best: &'m [String],
    probability: Rational,
    won: f64,
}

fn groups(rolls: &[Rolls]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for own in rolls {
        let won = mdp::nearest(&own.probability) * own.win.decimal();
        match groups.iter_mut().find(|group| group.best == own.best) {
            Some(group) => {
                group.probability += &own.probability;
                group.won += won;
            }
            None => groups.push(Group { best: &own.best, probability: own.probability.clone(), won }),
        }
    }
    groups.sort_by(|left, right| right.probability.cmp(&left.probability));
    groups
}

fn text(book: &Book, question: &Question, creation: &HeroCreation, hero: &RolledHero) -> String {
    let mut out = String::new();
    let start = book.section_text(question.start);
    let _ = writeln!(out, "{}, from section {start}, the hero whom the book makes", book.title);
    let rolled: Vec<String> = creation.rolled.iter().map(|(own, _)| own.name(book)).collect();
    if !rolled.is_empty() {
        let _ = writeln!(out, "  rolled: {}", rolled.join(", "));
    }
    for line in conduct(book, question) {
        let _ = writeln!(out, "  {line}");
    }
    let _ = writeln!(out, "\nWin  {}  ({})\n", percent_of(&hero.win), bounds_text(&hero.win));
    if creation.chosen.is_some() {
        let groups = groups(&hero.rolls);
        let _ = writeln!(out, "The best choice, how often it is so, and how often it wins then");
        for group in groups.iter().take(SHOWN) {
            let best = group.best.join(" or ");
            let best = if best.is_empty() { "any" } else { &best };
            let probability = mdp::nearest(&group.probability);
            let _ = writeln!(out, "{:>10}  {:>10}  {best}", percent(probability), percent(group.won / probability));
        }
        more(&mut out, groups.len(), "choices");
    } else {
        let best = hero.rolls.iter().max_by(|left, right| left.win.decimal().total_cmp(&right.win.decimal()));
        let worst = hero.rolls.iter().min_by(|left, right| left.win.decimal().total_cmp(&right.win.decimal()));
        for (what, roll) in [("The best roll ", best), ("The worst roll", worst)] {
            let Some(roll) = roll else { continue };
            let rolled: Vec<String> = roll.rolled.iter().map(|(name, number)| format!("{name} {number}")).collect();
            let _ = writeln!(out, "{what}  {:>10}  {}", percent_of(&roll.win), rolled.join(", "));
        }
    }
    let _ = writeln!(out, "\n{} rolls, {} states", hero.rolls.len(), hero.states);
    out
}

#[derive(Serialize)]
struct RolledJson {
    format: u32,
    book: String,
    start: Value,
    win: Number,
    rolls: Vec<RollJson>,
    states: u64,
}

#[derive(Serialize)]
struct RollJson {
    rolled: Map<String, Value>,
    probability: String,
    win: Number,
    best: Vec<String>,
}

fn json(book: &Book, question: &Question, hero: &RolledHero) -> RolledJson {
    let roll = |own: &Rolls| RollJson {
        rolled: own.rolled.iter().map(|(name, number)| (name.clone(), (*number).into())).collect(),
        probability: fraction_text(&own.probability),
        win: Number::from(&own.win),
        best: own.best.clone(),
    };
    RolledJson {
        format: 1,
        book: book.title.clone(),
        start: section_json(book, question.start),
        win: Number::from(&hero.win),
        rolls: hero.rolls.iter().map(roll).collect(),
        states: hero.states,
    }
}
