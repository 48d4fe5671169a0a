//! `bestplay gamebook learn`: the best choices of disciplines, or of skills of a system of rules.

use clap::Args;
use gamebook::{HeroChoice, Learns, Series, System};
use mdp::Number;
use serde::Serialize;
use solved_table::{Bounds, Cell, Known, LineValues};

use super::series::{self, PartsArgs, ranked};
use crate::arguments::engine_args::Run;
use crate::gamebook::answer::draft;
use crate::gamebook::heroes::work;
use crate::gamebook::input::hero_args::describe;
use crate::numbers::percent_near;
use crate::output::{Failure, Format};

/// Arguments of `learn`.
#[derive(Args)]
pub struct LearnArgs {
    /// A built-in book (flight-from-the-dark), a file, or a series of books
    book: String,
    /// How many disciplines (or skills of a system of rules) the hero chooses beside those that he has
    #[arg(value_name = "COUNT", value_parser = clap::value_parser!(u8).range(1..=10))]
    count: u8,
    /// The weapon of Weaponskill, by Lone Wolf's own rules; without it the hero cannot choose Weaponskill
    #[arg(long, value_name = "WEAPON")]
    weaponskill: Option<String>,
    #[command(flatten)]
    parts: PartsArgs,
}

pub const EXAMPLES: &str = "\
Examples:
  bestplay gamebook learn flight-from-the-dark 5
  bestplay gamebook learn flight-from-the-dark 5 --weaponskill axe --combat-skill 12
  bestplay gamebook learn lone-wolf-kai 5 --state kai
  bestplay gamebook learn my-magnakai-book.kdl 3";

/// Solves a book or a series for every choice, and ranks them.
pub fn run(args: &LearnArgs) -> Result<(), Failure> {
    args.parts.engine.run(|run| {
        let mut series = series::series(&args.book, &args.parts, run.budget)?;
        if let Some(system) = series.books[0].book.system.clone() {
            return skills(args, &series, &system, run);
        }
        let first = &mut series.books[0];
        let weapon = args.weaponskill.clone();
        if let Some(weapon) = &weapon
            && !first.book.items.iter().any(|item| item.weapon.is_some() && item.name == *weapon)
        {
            return Err(Failure::bad_input(format_args!("`{weapon}` is not a weapon"), "name a weapon of the book"));
        }
        first.learns = Learns { given: Vec::new(), chosen: args.count.into(), weapon };
        first.book.hero.learns_anew();
        series::answer(&args.parts, &series, None, run)
    })
}

/// The same for skills of a system of rules: each set is a hero of its own.
fn skills(args: &LearnArgs, series: &Series, system: &System, run: Run<'_>) -> Result<(), Failure> {
    let [own] = &series.books[..] else {
        return Err(Failure::bad_input("a series with a system of rules", "name one of its books"));
    };
    if args.parts.state.is_some() || args.weaponskill.is_some() {
        return Err(Failure::bad_input(
            "--state and --weaponskill are for books of Lone Wolf's own rules",
            "leave them out; `gamebook heroes --state` keeps what was solved",
        ));
    }
    let book = &own.book;
    let exact = args.parts.engine.exact;
    let mut question = args.parts.question.of_whole_book(book, exact)?;
    let values = &mut question.situation.values;
    let (known, others): (Vec<usize>, Vec<usize>) =
        system.skills().partition(|skill| values.iter().any(|(own, number)| own == skill && *number > 0));
    // Skills are chosen from scratch: those of the book's own hero only count if listed.
    values.extend(others.into_iter().map(|skill| (skill, 0)));
    let learns = system.learns.unwrap_or(usize::MAX);
    let count = usize::from(args.count);
    if known.len() + count > learns {
        return Err(Failure::bad_input(
            format_args!("{} skills, and a hero of this book learns {learns}", known.len() + count),
            "choose fewer",
        ));
    }
    let sets = HeroChoice::sets_of_skills(system, &known, count);
    if sets.is_empty() {
        return Err(Failure::bad_input(
            format_args!("`{}` has rules without skills to choose", book.title),
            "`gamebook rolled` averages over what is rolled and chosen",
        ));
    }
    let choice = HeroChoice { skills: sets, numbers: Vec::new(), ..HeroChoice::all(book, None) };
    let groups = choice.groups(book, &question).map_err(|error| Failure::bad_input(error, "choose fewer"))?;
    let found = work::all(book, &groups, Known::default(), run, &mut |_| Ok(()))?;
    let mut ranking: Vec<(Vec<String>, &LineValues)> = Vec::new();
    for group in &groups {
        let cells = group.cells(book, 0);
        if let (Some(Cell::Names(names)), Some(win)) = (cells.first(), found.get(&cells)) {
            ranking.push((names.split_whitespace().map(String::from).collect(), win));
        }
    }
    ranking.sort_by(|(_, left), (_, right)| right.value().total_cmp(&left.value()));
    match args.parts.format {
        Format::Text => {
            let mut out = format!("{}\n  {}\n", book.title, describe(book, &question));
            let line = |(skills, win): &(Vec<String>, &LineValues)| (percent_near(win.value()), skills.join(", "));
            out.push_str(&ranked(&ranking.iter().map(line).collect::<Vec<_>>()));
            draft::print(book.draft, &out)
        }
        Format::Json => {
            let learned = |(skills, win): (Vec<String>, &LineValues)| LearnedJson { skills, win: number(win) };
            let first = ranking.into_iter().map(learned).collect();
            draft::print_json(book.draft, &LearnJson { format: 1, book: &book.title, first })
        }
    }
}

/// The odds of a set, with bounds.
fn number(found: &LineValues) -> Number {
    let Bounds { value, lower, upper } = found.bounds[0];
    Number { decimal: value, lower, upper, exact: found.exact.clone() }
}

#[derive(Serialize)]
struct LearnJson<'a> {
    format: u32,
    book: &'a str,
    first: Vec<LearnedJson>,
}

#[derive(Serialize)]
struct LearnedJson {
    skills: Vec<String>,
    win: Number,
}
