//! `bestplay red-november`: from arguments to plans.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use budget::{Budget, bytes};
use clap::{Args, Subcommand, ValueEnum};
use gamebook::Severity;
use red_november::{
    Board, Illegal, Limit, LimitReached, Limits, Plan, Plans, Problem, Problems, Question, ReportRoom, ReportState,
    RoomState, Wishes, drawing, minutes, parse_board, search_while, sentences, svg, why_not, write_report_js,
};
use serde::{Serialize, Serializer};

use crate::arguments::engine_args::LimitArgs;
use crate::diagnostic::{Diagnostic, Source};
use crate::output::{self, Failure, Format};
use crate::quantities::parse_bytes;
use crate::shown::{self, Escapes};

/// What can be asked about Red November.
#[derive(Subcommand)]
pub enum Verb {
    /// Show the cheapest plan to every final room and every state of the boat that can be reached
    #[command(after_long_help = ROUTES_EXAMPLES)]
    Routes(RoutesArgs),
    /// Show how the boats that two plans leave differ
    #[command(after_long_help = COMPARE_EXAMPLES)]
    Compare(CompareArgs),
}

const ROUTES_EXAMPLES: &str = "\
A BOARD is one of:
  - three lines for the boat in the box: 10 room states, 15 hatch states, the start room. Values are
    separated by commas and their first letter counts: clear, low, high, fire; open, closed, blocked.
    The hatches are 1-2 1-3 2-3 2-4 2-5 3-4 4-5 5-6 5-7 5-8 7-8 7-9 8-9 8-10 9-10.
  - a boat of your own:
        rooms:   1, 2 high, 3 fire        # clear by default
        hatches: 1-2, 2-3, 1-3 blocked    # closed by default
        start:   1
  - JSON: {\"rooms\": [{\"number\": 1, \"state\": \"Clear\"}, ...],
           \"hatches\": [{\"number\": \"1-2\", \"state\": \"Closed\"}, ...], \"startRoom\": {\"number\": 1}}

Examples:
  bestplay red-november routes
  bestplay red-november routes board.txt --to 9 --avoid-flooding
  bestplay red-november routes board.txt --put-out 4
  bestplay red-november routes board.txt --within 5 --format json
  bestplay red-november routes board.txt --plan 7 --svg plan7.svg
  printf 'rooms: 1, 2 high, 3\\nhatches: 1-2, 2-3\\nstart: 1' | bestplay red-november routes -

Exit codes: 0 answered (also when there is no such plan), 1 a limit or the disk, 2 wrong input.";

const COMPARE_EXAMPLES: &str = "\
The numbers of plans are those that `routes` shows with the same board and options.

Examples:
  bestplay red-november compare board.txt 3 5
  bestplay red-november compare board.txt 1 2 --to 9 --format json";

/// What the plans must do, and how much the search may use.
#[derive(Args)]
struct QuestionArgs {
    /// Only plans that end in this room
    #[arg(long, value_name = "ROOM")]
    to: Option<u32>,
    /// The cheapest plan that puts out the fire in this room (may be repeated)
    #[arg(long, value_name = "ROOM", conflicts_with = "avoid_flooding")]
    put_out: Vec<u32>,
    /// The cheapest plan that drains this room from high water to low (may be repeated)
    #[arg(long, value_name = "ROOM", conflicts_with = "avoid_flooding")]
    drain: Vec<u32>,
    /// Only plans that let no water run
    #[arg(long)]
    avoid_flooding: bool,
    /// Only plans of at most this many minutes
    #[arg(long, value_name = "MINUTES")]
    within: Option<u32>,
    /// Only plans that enter no room twice, as in the report's program; the rules of the game allow it
    #[arg(long)]
    no_revisit: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Arguments of `routes`.
#[derive(Args)]
pub struct RoutesArgs {
    /// The file with the board, - for standard input [default: the boat in the box, clear and closed, from room 1]
    board: Option<PathBuf>,
    #[command(flatten)]
    question: QuestionArgs,
    /// Only this plan, by its number among those that answer the question
    #[arg(long, value_name = "NUMBER")]
    plan: Option<usize>,
    /// Draw the first plan shown to this file: the board before, the way, the board after
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: RoutesFormat,
    /// Print no answer longer than about this: 500MB, 1GiB
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "1GiB", help_heading = "Run")]
    max_output: u64,
}

/// Arguments of `compare`.
#[derive(Args)]
pub struct CompareArgs {
    /// The file with the board, - for standard input
    board: PathBuf,
    /// The number of the first plan
    first: usize,
    /// The number of the second plan
    second: usize,
    #[command(flatten)]
    question: QuestionArgs,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// How the answer of `routes` is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum RoutesFormat {
    /// For people
    #[default]
    Text,
    /// For programs: one JSON object with `"format": 1`
    Json,
    /// The script sub.js that the report's page reads: `starterSub` and `results`
    ReportJs,
}

/// Runs a verb.
pub fn run(verb: Verb) -> Result<(), Failure> {
    match verb {
        Verb::Routes(args) => args.question.limits.run(|run| routes(&args, run.budget)),
        Verb::Compare(args) => args.question.limits.run(|run| compare(&args, run.budget)),
    }
}

fn routes(args: &RoutesArgs, budget: &Budget<'_>) -> Result<(), Failure> {
    let board = args.board.as_deref().map_or_else(|| Ok(Board::standard()), read_board)?;
    let answer = ask(&board, &args.question, budget)?;
    let shown = match args.plan {
        None => answer.plans.as_slice(),
        Some(number) => std::slice::from_ref(numbered(&answer.plans, number)?),
    };
    if about_bytes(&board, shown, args.format) > args.max_output {
        return Err(Failure::failed(
            format_args!("the answer has {} plans and would be longer than {}", shown.len(), bytes(args.max_output)),
            "ask for less with --to, --within or --plan, or allow more with --max-output",
        ));
    }
    if let Some(file) = &args.svg {
        let plan = shown.first().ok_or_else(|| {
            Failure::bad_input("there is no plan to draw", "ask without --svg to see why, or for another room")
        })?;
        let picture = svg(&board, plan).map_err(broken)?;
        output::write_file(file, |out| out.write_all(picture.as_bytes()))?;
    }
    let first_number = args.plan.unwrap_or(1);
    // Explaining this takes further searches; if these do not finish, the reason is unknown.
    let why = if shown.is_empty() { in_the_way(&board, &args.question, budget)? } else { None };
    let escapes = if matches!(args.format, RoutesFormat::Text) { Escapes::Text } else { Escapes::Json };
    output::print_with(escapes, |out| match args.format {
        RoutesFormat::Text => write_text(out, &board, shown, first_number, why.as_deref()),
        RoutesFormat::Json => {
            let answer = RoutesJson {
                format: 1,
                results: Results { board: &board, plans: shown },
                boards_explored: answer.boards_explored,
                why_not: why.as_deref(),
            };
            serde_json::to_writer_pretty(&mut *out, &answer)?;
            writeln!(out)
        }
        RoutesFormat::ReportJs => write_report_js(&board, shown, out),
    })
}

#[derive(Serialize)]
struct RoutesJson<'a> {
    format: u32,
    results: Results<'a>,
    boards_explored: usize,
    /// Why there is no result, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    why_not: Option<&'a str>,
}

/// The results of plans, serialised one by one, since there may be too many to hold.
struct Results<'a> {
    board: &'a Board,
    plans: &'a [Plan],
}

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::{Error, SerializeSeq};
        let mut results = serializer.serialize_seq(Some(self.plans.len()))?;
        for plan in self.plans {
            results.serialize_element(&ReportState::after(self.board, plan).map_err(S::Error::custom)?)?;
        }
        results.end()
    }
}

/// The approximate length of the answer, in bytes.
fn about_bytes(board: &Board, plans: &[Plan], format: RoutesFormat) -> u64 {
    let (per_room, per_hatch, per_step) = if format == RoutesFormat::Text { (12, 0, 80) } else { (80, 90, 300) };
    let steps: usize = plans.iter().map(|plan| plan.steps.len()).sum();
    let per_plan = per_room * board.rooms().len() + per_hatch * board.hatches().len();
    (plans.len() as u64).saturating_mul(per_plan as u64).saturating_add(per_step * steps as u64)
}

fn write_text(
    out: &mut dyn Write,
    board: &Board,
    plans: &[Plan],
    first_number: usize,
    why: Option<&str>,
) -> io::Result<()> {
    let start = &board.rooms()[board.start()];
    writeln!(out, "The boat, the gnome (@) in room {}:\n", start.number)?;
    let before = red_november::Boat::new(board);
    indented(out, 2, &drawing(board, &before))?;
    for (state, name) in [(red_november::HatchState::Open, "Open"), (red_november::HatchState::Blocked, "Blocked")] {
        let names: Vec<String> = board
            .hatches()
            .iter()
            .filter(|hatch| hatch.state == state)
            .map(|hatch| board.hatch_numbers(hatch))
            .map(|(a, b)| format!("{a}-{b}"))
            .collect();
        if !names.is_empty() {
            writeln!(out, "  {name} hatches: {}", names.join(" "))?;
        }
    }
    match start.state {
        RoomState::Fire => {
            writeln!(
                out,
                "\nRoom {} burns: the gnome cannot leave it until water has put the fire out.",
                start.number
            )?;
        }
        RoomState::HighFlood => writeln!(
            out,
            "\nRoom {} is under high water: the gnome may leave it, and can come back only once it is low.",
            start.number
        )?,
        RoomState::Clear | RoomState::LowFlood => {}
    }
    if plans.is_empty() {
        let why = why.map_or_else(String::new, |why| format!(" {why}"));
        return writeln!(out, "\nThere is no such plan.{why}");
    }
    let mut final_room = None;
    for (i, plan) in plans.iter().enumerate() {
        let (_, after) = plan.play(board).map_err(io::Error::other)?;
        if final_room != Some(after.gnome()) {
            final_room = Some(after.gnome());
            let number = board.rooms()[after.gnome()].number;
            writeln!(out, "\nTo room {number}\n{}", "=".repeat(8 + number.to_string().len()))?;
        }
        let changed: Vec<String> = board
            .rooms()
            .iter()
            .zip(after.rooms())
            .filter(|(room, now)| room.state != **now)
            .map(|(room, _)| room.number.to_string())
            .collect();
        let effect = if changed.is_empty() {
            "leaves the boat as it is".to_owned()
        } else {
            format!("makes {} low", list(&changed))
        };
        writeln!(out, "\nPlan {}: {}, {effect}", first_number + i, minutes(plan.minutes))?;
        if plan.steps.is_empty() {
            writeln!(out, "  Stay where you are.")?;
        }
        for sentence in sentences(board, plan).map_err(io::Error::other)? {
            writeln!(out, "  {sentence}")?;
        }
        if !changed.is_empty() {
            writeln!(out)?;
            indented(out, 4, &drawing(board, &after))?;
        }
    }
    Ok(())
}

/// `room 1`, `rooms 1 and 2`, `rooms 1, 2 and 3`.
fn list(rooms: &[String]) -> String {
    match rooms {
        [one] => format!("room {one}"),
        [some @ .., last] => format!("rooms {} and {last}", some.join(", ")),
        [] => "no room".to_owned(),
    }
}

fn indented(out: &mut dyn Write, by: usize, text: &str) -> io::Result<()> {
    text.lines().try_for_each(|line| writeln!(out, "{:by$}{line}", ""))
}

#[derive(Serialize)]
struct CompareJson {
    format: u32,
    first: ReportState,
    second: ReportState,
    /// The rooms that the two leave in different states.
    differences: Vec<Difference>,
}

#[derive(Serialize)]
struct Difference {
    number: u32,
    first: RoomState,
    second: RoomState,
}

fn compare(args: &CompareArgs, budget: &Budget<'_>) -> Result<(), Failure> {
    let board = read_board(&args.board)?;
    let plans = ask(&board, &args.question, budget)?.plans;
    let (plan_1, plan_2) = (numbered(&plans, args.first)?, numbered(&plans, args.second)?);
    let play = |plan: &Plan| ReportState::after(&board, plan).map_err(broken);
    let (first, second) = (play(plan_1)?, play(plan_2)?);
    let differences: Vec<Difference> = first
        .rooms
        .iter()
        .zip(&second.rooms)
        .filter(|(a, b)| a.state != b.state)
        .map(|(a, b)| Difference { number: a.number, first: a.state, second: b.state })
        .collect();
    if args.format == Format::Json {
        return output::print_json(&CompareJson { format: 1, first, second, differences });
    }
    let summary = |number: usize, state: &ReportState| {
        let ReportRoom { number: room, state: now } = state.final_room;
        format!("Plan {number}: {}, ends in room {room} ({})", minutes(state.total_cost), now.word())
    };
    output::print_with(Escapes::Text, |out| {
        for (number, plan, state) in [(args.first, plan_1, &first), (args.second, plan_2, &second)] {
            writeln!(out, "{}\n", summary(number, state))?;
            indented(out, 2, &drawing(&board, &plan.play(&board).map_err(io::Error::other)?.1))?;
            writeln!(out)?;
        }
        if differences.is_empty() {
            return writeln!(out, "Both leave the same boat.");
        }
        writeln!(out, "Rooms that differ afterwards:")?;
        differences.iter().try_for_each(|Difference { number, first, second }| {
            let (first, second) = (first.word(), second.word());
            writeln!(out, "  room {number}: {first} after plan {}, {second} after plan {}", args.first, args.second)
        })
    })
}

/// The plan with this number, from 1.
fn numbered(plans: &[Plan], number: usize) -> Result<&Plan, Failure> {
    number.checked_sub(1).and_then(|index| plans.get(index)).ok_or_else(|| {
        let help = match plans.len() {
            0 => "no plan answers the question".to_owned(),
            count => format!("the plans are numbered 1 to {count}"),
        };
        Failure::bad_input(format_args!("there is no plan {number}"), help)
    })
}

fn ask(board: &Board, args: &QuestionArgs, budget: &Budget<'_>) -> Result<Plans, Failure> {
    let (question, limits) = asked(board, args, budget)?;
    search_while(board, &question, limits, &|| budget.check().is_ok())
        .map_err(|reached| at_limit(&reached, limits, budget))
}

/// Why there is no plan, in words; `None` if that exceeds the limits.
fn in_the_way(board: &Board, args: &QuestionArgs, budget: &Budget<'_>) -> Result<Option<String>, Failure> {
    let (question, limits) = asked(board, args, budget)?;
    match why_not(board, &question, limits, &|| budget.check().is_ok()) {
        Ok(why) => Ok(Some(why.words(board, &question))),
        Err(reached) if reached.limit == Limit::NotWanted => Err(at_limit(&reached, limits, budget)),
        Err(_) => Ok(None),
    }
}

fn asked(board: &Board, args: &QuestionArgs, budget: &Budget<'_>) -> Result<(Question, Limits), Failure> {
    let wishes = Wishes {
        to: args.to,
        put_out: args.put_out.clone(),
        drain: args.drain.clone(),
        avoid_flooding: args.avoid_flooding,
        within: args.within,
        no_revisit: args.no_revisit,
    };
    let question =
        wishes.question(board).map_err(|wrong| Failure::bad_input(format_args!("--{wrong}"), &wrong.help))?;
    let whole = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    let states = args.limits.states.map_or(Limits::default().states, whole);
    Ok((question, Limits { states, bytes: whole(budget.limits().max_memory) }))
}

fn at_limit(reached: &LimitReached, limits: Limits, budget: &Budget<'_>) -> Failure {
    let raise = match reached.limit {
        Limit::States | Limit::Looks => format!("--max-states (now {})", limits.states),
        Limit::Bytes => format!("--max-memory (now {})", bytes(limits.bytes as u64)),
        Limit::NotWanted => match budget.check() {
            Err(stopped) => return stopped.into(),
            Ok(()) => return Failure::failed(reached, "ask again"),
        },
    };
    let within = reached.complete.map_or_else(String::new, |minutes| format!("--within {minutes} or "));
    Failure::failed(reached, format_args!("ask with {within}--avoid-flooding, or raise {raise}"))
}

/// A plan that the rules forbid: never the fault of the input.
fn broken(illegal: Illegal) -> Failure {
    Failure::failed(format_args!("a plan breaks the rules: {illegal}"), "please report this with the board")
}

fn read_board(path: &Path) -> Result<Board, Failure> {
    let text = output::read_text(path)?;
    parse_board(&text).map_err(|problems| wrong_board(output::name_of(path), text, &problems))
}

/// The failure of a board that could not be read: every problem, each shown in the text.
fn wrong_board(name: String, text: String, problems: &Problems) -> Failure {
    let source = Source::new(name, text);
    let count = problems.list.len() + problems.more;
    let plural = if count == 1 { "" } else { "s" };
    let first =
        if problems.more > 0 { format!(", the first {} of them are", problems.list.len()) } else { String::new() };
    let message = format!("{} is not a board: {count} problem{plural}{first}", source.name);
    let place = |problem: &Problem| {
        Diagnostic::error(shown::line(&problem.message), shown::line(&problem.help)).at(&source, problem.span.clone())
    };
    let causes = problems.list.iter().map(place).collect();
    Failure::BadInput(Diagnostic::new(Severity::Error, message).with_causes(causes).into())
}
