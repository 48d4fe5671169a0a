//! Red November: a board, and every cheapest way over it.

use maud::{Markup, html};
use red_november::{
    Board, HatchState, Limit, LimitReached, Limits, Obstacle, Problems, ReportState, RoomState, STANDARD_HATCHES,
    STANDARD_ROOMS, WhyNot, Wishes, parse_board, places, search_while, why_not,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::library::Library;
use crate::pages::{Addressed, Page, address, assets, switch_field};
use crate::question::{Problem, Question, Run};
use crate::site::{Site, always, asked};

pub const SITE: Site = Site {
    name: "Red November",
    about: "Set up the submarine and see every cheapest way through it, step by step.",
    is_listed: always,
    pages: &[("/red-november", page)],
    endpoints: &[("red-november/routes", asked::<RoutesQuestion>), ("red-november/why", asked::<WhyQuestion>)],
    modules: assets!["red-november.js"],
};

/// The most rooms of a board here, and the most hatches: more than a drawing can show.
const MOST_ROOMS: usize = 60;
const MOST_HATCHES: usize = 240;
/// The most results of one answer; `left_out` counts the others.
const MOST_RESULTS: usize = 1000;
/// The most states of one search. The boat in the box needs a sixth of it.
const MOST_STATES: u64 = 250_000;

/// What is asked of a board.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoutesQuestion {
    /// The boat in the box: a letter for each room (c, l, h, f) and each hatch (o, c, b), and the gnome's room.
    #[serde(default = "clear_rooms")]
    rooms: String,
    #[serde(default = "closed_hatches")]
    hatches: String,
    #[serde(default = "first_room")]
    start: u32,
    /// Any boat, instead: a text or an object, as the command reads them.
    #[serde(default)]
    board: Value,
    #[serde(default)]
    to: Option<u32>,
    #[serde(default)]
    put_out: Vec<u32>,
    #[serde(default)]
    drain: Vec<u32>,
    #[serde(default)]
    avoid_flooding: bool,
    #[serde(default)]
    within: Option<u32>,
    #[serde(default)]
    no_revisit: bool,
}

fn clear_rooms() -> String {
    "c".repeat(STANDARD_ROOMS as usize)
}

fn closed_hatches() -> String {
    "c".repeat(STANDARD_HATCHES.len())
}

fn first_room() -> u32 {
    1
}

impl RoutesQuestion {
    fn board(&self) -> Result<Board, Problem> {
        let text = match &self.board {
            Value::Null => self.letters(),
            Value::String(text) if text.is_empty() => self.letters(),
            Value::String(text) => text.clone(),
            object => object.to_string(),
        };
        let board = parse_board(&text)
            .map_err(|problems| Problem::impossible(problems, "docs/red-november.md says how boards are written"))?;
        if board.rooms().len() > MOST_ROOMS || board.hatches().len() > MOST_HATCHES {
            return Err(Problem::impossible(
                format_args!("the board has {} rooms and {} hatches", board.rooms().len(), board.hatches().len()),
                format_args!(
                    "here it may have {MOST_ROOMS} rooms and {MOST_HATCHES} hatches; the command takes larger ones"
                ),
            ));
        }
        Ok(board)
    }

    /// The three lines of the report.
    fn letters(&self) -> String {
        let spread = |letters: &str| letters.chars().map(String::from).collect::<Vec<_>>().join(",");
        format!("{}\n{}\n{}", spread(&self.rooms), spread(&self.hatches), self.start)
    }

    fn wishes(&self) -> Wishes {
        Wishes {
            to: self.to,
            put_out: self.put_out.clone(),
            drain: self.drain.clone(),
            avoid_flooding: self.avoid_flooding,
            within: self.within,
            no_revisit: self.no_revisit,
        }
    }

    fn question(&self, board: &Board) -> Result<red_november::Question, Problem> {
        self.wishes().question(board).map_err(|wrong| Problem::impossible(&wrong, &wrong.help))
    }
}

/// The answer; results have the fields of the command's.
#[derive(Serialize)]
pub struct RoutesAnswer {
    format: u32,
    /// The board before the turn.
    before: ReportState,
    /// Where each room lies in a drawing, in the order of `before.rooms`.
    places: Vec<(f64, f64)>,
    results: Vec<ReportState>,
    /// Results beyond those listed.
    left_out: usize,
    boards_explored: usize,
}

impl Question for RoutesQuestion {
    type Context = ();
    type Answer = RoutesAnswer;

    fn check(&self, (): &()) -> Result<(), Problem> {
        self.question(&self.board()?).map(|_| ())
    }

    /// The boat in the box is: there the search has few states.
    fn is_small(&self) -> bool {
        self.board.is_null() || self.board == ""
    }

    fn answer(&self, run: &Run<'_>, (): &()) -> Result<RoutesAnswer, Problem> {
        let board = self.board()?;
        let question = self.question(&board)?;
        let plans = search_while(&board, &question, limits(run), &|| !run.is_stopped()).map_err(unfound)?;
        let after = |plan| ReportState::after(&board, plan).map_err(Problem::internal);
        Ok(RoutesAnswer {
            format: 1,
            before: ReportState::before(&board),
            places: places(&board),
            results: plans.plans.iter().take(MOST_RESULTS).map(after).collect::<Result<_, _>>()?,
            left_out: plans.plans.len().saturating_sub(MOST_RESULTS),
            boards_explored: plans.boards_explored,
        })
    }
}

/// How much a search may use.
fn limits(run: &Run<'_>) -> Limits {
    Limits {
        states: usize::try_from(run.budget.limits().max_states.min(MOST_STATES)).unwrap_or(usize::MAX),
        bytes: usize::try_from(run.budget.limits().max_memory).unwrap_or(usize::MAX),
    }
}

fn unfound(reached: LimitReached) -> Problem {
    let help = match (reached.limit, reached.complete) {
        (Limit::NotWanted, _) => "ask again".into(),
        (_, Some(minutes)) => format!("ask for plans within {minutes} minutes, or without flooding"),
        (_, None) => "ask for plans without flooding".into(),
    };
    Problem::impossible(reached, help)
}

/// Why is there no such way?
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct WhyQuestion(RoutesQuestion);

/// What is in the way.
#[derive(Serialize)]
pub struct WhyAnswer {
    format: u32,
    /// In words.
    why: String,
    /// Empty where there is a way, or where no hatches lead there.
    obstacles: Vec<ObstacleJson>,
    /// Of the cheapest way if none of the obstacles were there; null where no hatches lead there.
    minutes: Option<u32>,
}

#[derive(Serialize)]
struct ObstacleJson {
    /// `blocked`, `fire`, `high-flood`, `no-revisit`, `avoid-flooding`, `make-low` or `within`.
    kind: &'static str,
    /// The hatch that is blocked: `7-9`.
    hatch: Option<String>,
    room: Option<u32>,
}

impl ObstacleJson {
    fn new(board: &Board, obstacle: Obstacle) -> Self {
        let number = |room: usize| Some(board.rooms()[room].number);
        let (kind, room) = match obstacle {
            Obstacle::Blocked(hatch) => {
                let (a, b) = board.hatch_numbers(&board.hatches()[hatch]);
                return Self { kind: "blocked", hatch: Some(format!("{a}-{b}")), room: None };
            }
            Obstacle::Fire(room) => ("fire", number(room)),
            Obstacle::HighFlood(room) => ("high-flood", number(room)),
            Obstacle::NoRevisit => ("no-revisit", None),
            Obstacle::AvoidFlooding => ("avoid-flooding", None),
            Obstacle::MakeLow(room) => ("make-low", number(room)),
            Obstacle::Within(_) => ("within", None),
        };
        Self { kind, hatch: None, room }
    }
}

impl Question for WhyQuestion {
    type Context = ();
    type Answer = WhyAnswer;

    fn check(&self, (): &()) -> Result<(), Problem> {
        self.0.check(&())
    }

    fn is_small(&self) -> bool {
        self.0.is_small()
    }

    fn answer(&self, run: &Run<'_>, (): &()) -> Result<WhyAnswer, Problem> {
        let board = self.0.board()?;
        let question = self.0.question(&board)?;
        let why = why_not(&board, &question, limits(run), &|| !run.is_stopped()).map_err(unfound)?;
        let (obstacles, minutes) = match &why {
            WhyNot::Possible(minutes) => (Vec::new(), Some(*minutes)),
            WhyNot::NoHatches => (Vec::new(), None),
            WhyNot::Obstacles(obstacles, minutes) => (obstacles.clone(), Some(*minutes)),
        };
        let obstacles = obstacles.into_iter().map(|own| ObstacleJson::new(&board, own)).collect();
        Ok(WhyAnswer { format: 1, why: why.words(&board, &question), obstacles, minutes })
    }
}

const HELP: &[&str] = &[
    "This page finds every cheapest way through the boat. Set the boat up by clicking rooms and hatches, or give a board of your \
     own, of at most 60 rooms and 240 hatches. Drag the gnome to where he starts, and say where he wants to go.",
    "Each way is drawn, with what it costs in minutes and what it does to the boat. Step through it, or see all ways to a room \
     side by side. You can ask for several rooms to be put out and drained at once.",
    "Where a room cannot be reached, the page says why, and what would have to be different.",
];

/// The page's state at its bare address: a flood and a fire on the boat in the box.
fn template() -> Value {
    json!({
        "rooms": "cchfhccccc", "hatches": "ccccccccccccccc", "start": 1, "board": "",
        "to": null, "put_out": [], "drain": [], "avoid_flooding": false, "within": null, "no_revisit": false,
        // The result that is shown, and how many of its actions are done.
        "result": 0, "step": 0,
        // The room of which all ways are shown side by side.
        "beside": null,
    })
}

/// The address of a board in a file.
pub fn address_of(text: &str) -> Result<String, Problems> {
    let board = parse_board(text)?;
    let mut state = template();
    if board.is_standard() {
        let hatch = |ends| board.hatches().iter().find(|hatch| board.hatch_numbers(hatch) == ends);
        let letter = |state| match state {
            RoomState::Clear => 'c',
            RoomState::LowFlood => 'l',
            RoomState::HighFlood => 'h',
            RoomState::Fire => 'f',
        };
        state["rooms"] = board.rooms().iter().map(|room| letter(room.state)).collect::<String>().into();
        state["hatches"] = STANDARD_HATCHES
            .iter()
            .map(|ends| match hatch(*ends).map(|hatch| hatch.state) {
                Some(HatchState::Open) => 'o',
                Some(HatchState::Blocked) => 'b',
                Some(HatchState::Closed) | None => 'c',
            })
            .collect::<String>()
            .into();
        state["start"] = board.rooms()[board.start()].number.into();
    } else {
        state["board"] = text.into();
    }
    Ok(format!("/red-november?{}", address::write(&template(), &state)))
}

/// Refuses a state about something that cannot be.
fn check(state: &Value) -> Result<(), Problem> {
    let mut question = state.clone();
    for name in ["result", "step", "beside"] {
        if state[name].as_i64().is_some_and(|number| number < 0) || state[name].is_string() {
            let message = format_args!("the address says {name}={}", state[name]).to_string();
            return Err(Problem::unreadable(message, format_args!("{name} is a whole number from 0 on")));
        }
        question.as_object_mut().and_then(|fields| fields.remove(name));
    }
    let question: RoutesQuestion = serde_json::from_value(question)
        .map_err(|error| Problem::impossible(error, "start from the page's bare address"))?;
    question.check(&())?;
    let beside = state["beside"].as_u64();
    if let Some(room) = beside.filter(|room| !question.board().is_ok_and(|board| has_room(&board, *room))) {
        return Err(Problem::impossible(format_args!("there is no room {room} on the board"), "name one of its rooms"));
    }
    Ok(())
}

fn has_room(board: &Board, number: u64) -> bool {
    board.rooms().iter().any(|room| u64::from(room.number) == number)
}

/// The page.
fn page(_: &Library, query: &str) -> Page {
    let addressed = Addressed::plain(template(), query, check);
    let lead = "Where can the gnome get, what does it cost, and what does it do to the boat?";
    Page { module: "red-november.js", lead, help: HELP, addressed, content: content() }
}

fn content() -> Markup {
    html! {
        section.card aria-labelledby="board-title" {
            h2 #board-title { "The boat" }
            p.hint { "Click a room to change what is in it (clear, low water, high water, fire), a hatch to change how it \
                stands (a square: closed, a ring: open, a cross: blocked). To move the gnome, drag it, or press Shift and click; with the keyboard: \
                Tab, Enter, and G." }
            div #board {}
            p #status role="status" {}
            div #board-files {}
            div.row {
                button #reset type="button" { "All clear" }
                button #shuffle type="button" { "Random trouble" }
                a #example href="/red-november" { "Example" }
            }
            details #own {
                summary { "A boat of your own" }
                label for="board-text" { "Rooms and hatches" }
                textarea #board-text rows="5" spellcheck="false" {}
                div.row {
                    button #use-board type="button" { "Use this boat" }
                    button #use-standard type="button" { "Back to the boat in the box" }
                }
            }
        }
        section.card aria-labelledby="wishes-title" {
            h2 #wishes-title { "What the turn must do" }
            form #wishes autocomplete="off" novalidate aria-label="What the turn must do" {
                div.fields {
                    div.field { label for="to" { "End in room" } select #to {} }
                    div.field {
                        label for="within" { "Minutes at most" }
                        input #within type="number" inputmode="numeric" min="0" max="999" placeholder="any";
                    }
                }
                fieldset #make-low { legend { "Put out or drain, all of these at once" } div.disciplines {} }
                (switch_field("avoid_flooding", "Let no water run"))
                (switch_field("no_revisit", "Enter no room twice (not a rule of the game)"))
            }
        }
        section.card aria-labelledby="results-title" {
            h2 #results-title { "Ways through" }
            div #results {}
            p #why role="status" {}
            div #beside hidden {}
            div #plan hidden {}
        }
    }
}
