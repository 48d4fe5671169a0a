//! `bestplay red-november` as a user meets it.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;

/// Going back to room 1 after letting water run pays here.
const BOARD: &str = "clear,clear,high,fire,high,clear,clear,clear,clear,clear\n\
                     c,c,c,c,c,c,c,c,c,c,c,c,c,c,c\n1\n";

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn run(args: &[&str], input: &str) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
    command.arg("red-november").args(args).env("NO_COLOR", "1").write_stdin(input);
    let output = command.output().unwrap();
    Ran {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn answered(args: &[&str], input: &str) -> String {
    let ran = run(args, input);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    ran.out
}

/// An error's text without the frame and line breaks that make it pretty.
fn words(text: &str) -> String {
    text.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A boat of the report's JSON in the course of a replay.
struct Replay {
    rooms: Value,
    hatches: Value,
    gnome: Value,
    /// The rooms of the hatch just opened, when water must run now.
    running: Option<[Value; 2]>,
}

impl Replay {
    fn room(&mut self, number: &Value) -> &mut Value {
        self.rooms.as_array_mut().unwrap().iter_mut().find(|room| room["number"] == *number).unwrap()
    }

    fn hatch(&mut self, a: &Value, b: &Value) -> &mut Value {
        let names = [format!("{a}-{b}"), format!("{b}-{a}")];
        let mut hatches = self.hatches.as_array_mut().unwrap().iter_mut();
        hatches.find(|hatch| names.iter().any(|name| hatch["number"] == **name)).unwrap()
    }

    fn open(&mut self, shown: &Value) {
        let name = shown["number"].as_str().unwrap();
        let (a, b) = name.split_once('-').unwrap();
        let ends = [a, b].map(|end| Value::from(end.parse::<u32>().unwrap()));
        assert!(ends.contains(&self.gnome));
        let hatch = self.hatch(&ends[0], &ends[1]);
        assert_eq!(hatch, shown);
        assert_eq!(hatch["state"], "Closed");
        hatch["state"] = "Open".into();
        let [a, b] = [0, 1].map(|i| self.room(&ends[i])["state"].as_str().unwrap().to_owned());
        if matches!((&*a, &*b), ("HighFlood", "Clear" | "Fire") | ("Clear" | "Fire", "HighFlood")) {
            self.running = Some(ends);
        }
    }

    fn flood(&mut self, shown: [&Value; 2]) {
        let ends = self.running.take().expect("water runs only after opening");
        for (end, shown) in ends.iter().zip(shown) {
            let room = self.room(end);
            assert_eq!(room, shown);
            room["state"] = "LowFlood".into();
        }
    }

    fn go(&mut self, shown: &Value) -> i64 {
        let (from, to) = (self.gnome.clone(), shown["number"].clone());
        assert_eq!(self.hatch(&from, &to)["state"], "Open");
        assert_ne!(self.room(&from)["state"], "Fire");
        assert_eq!(self.room(&to), shown);
        self.gnome = to;
        match shown["state"].as_str().unwrap() {
            "Clear" => 0,
            "LowFlood" => 1,
            other => panic!("a room that is {other} is not to be entered"),
        }
    }
}

/// Replays a result action by action, knowing only the board before and the rules.
fn replay(board: &Value, result: &Value) {
    let mut boat = Replay {
        rooms: board["rooms"].clone(),
        hatches: board["hatches"].clone(),
        gnome: board["startRoom"]["number"].clone(),
        running: None,
    };
    let mut total = 0;
    for action in result["actions"].as_array().unwrap() {
        let kind = action["type"].as_str().unwrap();
        assert_eq!(boat.running.is_some(), kind == "Flood", "water runs at once");
        let cost = match kind {
            "OpenHatch" => {
                boat.open(&action["hatch"]);
                1
            }
            "Move" => boat.go(&action["room"]),
            "Flood" => {
                boat.flood([&action["room1"], &action["room2"]]);
                assert!(action.get("cost").is_none());
                continue;
            }
            other => panic!("no action {other}"),
        };
        assert_eq!(action["cost"], cost);
        total += cost;
    }
    assert!(boat.running.is_none());
    assert_eq!(result["startRoom"], board["startRoom"]);
    assert_eq!((&result["rooms"], &result["hatches"]), (&boat.rooms, &boat.hatches));
    let gnome = boat.gnome.clone();
    assert_eq!(&result["finalRoom"], boat.room(&gnome));
    assert_eq!(result["totalCost"], total);
}

/// The board and the results of a `--format report-js` answer.
fn report_js(text: &str) -> (Value, Vec<Value>) {
    let (board, results) = text.split_once(";\n\nvar results = ").unwrap();
    let board = board.strip_prefix("var starterSub = ").unwrap();
    let results = results.trim_end().strip_suffix(';').unwrap();
    (serde_json::from_str(board).unwrap(), serde_json::from_str(results).unwrap())
}

fn json(args: &[&str], input: &str) -> Value {
    let answer: Value = serde_json::from_str(&answered(&[args, &["--format", "json"]].concat(), input)).unwrap();
    assert_eq!(answer["format"], 1);
    answer
}

fn results(args: &[&str], input: &str) -> Vec<Value> {
    json(args, input)["results"].as_array().unwrap().clone()
}

#[test]
fn the_reports_script_holds_up_against_the_rules_and_agrees_with_the_json() {
    let (board, from_script) = report_js(&answered(&["routes", "-", "--format", "report-js"], BOARD));
    assert_eq!(board["actions"], Value::Array(Vec::new()));
    assert_eq!(from_script.len(), 25);
    for result in &from_script {
        replay(&board, result);
    }
    let answer = json(&["routes", "-"], BOARD);
    assert_eq!(answer["results"], Value::Array(from_script));
    assert!(answer["boards_explored"].as_u64().unwrap() > 25);

    // The board it writes is a board it reads.
    let again = answered(&["routes", "-", "--format", "report-js"], &board.to_string());
    assert_eq!(report_js(&again).0, board);
    assert_eq!(results(&["routes", "-", "--no-revisit"], BOARD).len(), 22);
}

#[test]
fn without_a_board_the_boat_in_the_box_is_calm() {
    let text = answered(&["routes"], "");
    assert_eq!(text.matches("\nPlan ").count(), 10);
    assert!(text.contains("Plan 1: 0 minutes, leaves the boat as it is\n  Stay where you are.\n"));
    assert!(text.contains("To room 10\n==========\n\nPlan 10: 4 minutes"));
}

#[test]
fn text_says_what_is_done_and_draws_the_boat() {
    let text = answered(&["routes", "-", "--to", "6"], BOARD);
    let expected = "\
To room 6
=========

Plan 1: 4 minutes, makes rooms 2 and 5 low
  Open the hatch to room 2 and go in (1 minute).
  Open the hatch to room 5 (1 minute): water runs from room 5 into room 2, both are low now.
  Wade into room 5 (1 minute).
  Open the hatch to room 6 and go in (1 minute).

               [ 2 low  ]            [ 6     @] [ 7      ] [ 9      ]
    [ 1      ]                       [ 5 low  ]
               [ 3 HIGH ] [ 4 FIRE ]            [ 8      ] [10      ]
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_player_asks() {
    let floods = |plan: &Value| plan["actions"].as_array().unwrap().iter().any(|action| action["type"] == "Flood");
    assert!(!results(&["routes", "-", "--avoid-flooding"], BOARD).iter().any(floods));
    let within = results(&["routes", "-", "--within", "2"], BOARD);
    assert!(within.len() > 3 && within.iter().all(|plan| plan["totalCost"].as_i64().unwrap() <= 2));
    // Room 3 is drained from room 1, room 5 from room 2.
    let drained = results(&["routes", "-", "--drain", "3", "--drain", "5"], BOARD);
    assert_eq!(drained.len(), 1);
    assert_eq!(drained[0]["rooms"][2]["state"], "LowFlood");
    assert_eq!(drained[0]["rooms"][4]["state"], "LowFlood");
    assert_eq!(drained[0]["totalCost"], 3);

    let burning = "rooms: 1, 2 high, 3 fire\nhatches: 1-2, 2-3, 3-1\nstart: 3";
    let text = answered(&["routes", "-", "--put-out", "3"], burning);
    assert!(text.contains("Room 3 burns: the gnome cannot leave it until water has put the fire out."));
    assert!(text.contains("Plan 1: 1 minute, makes rooms 2 and 3 low"));
    let high = answered(&["routes", "-"], "rooms: 1 high, 2 low\nhatches: 1-2\nstart: 1");
    assert!(high.contains("Room 1 is under high water: the gnome may leave it"));
    let none = answered(&["routes", "-", "--to", "2"], "rooms: 1, 2\nhatches: 1-2 blocked\nstart: 1");
    assert!(none.ends_with(
        "There is no such plan. Room 2 cannot be reached: hatch 1-2 is blocked. If not, 1 minute would do.\n"
    ));
}

#[test]
fn two_plans_are_compared() {
    let text = answered(&["compare", "-", "3", "9"], BOARD);
    assert!(text.contains("Plan 3: 2 minutes, ends in room 1 (clear)"));
    assert!(text.ends_with(
        "Rooms that differ afterwards:\n  room 1: clear after plan 3, low after plan 9\n  \
         room 2: low after plan 3, clear after plan 9\n"
    ));
    let answer = json(&["compare", "-", "3", "9"], BOARD);
    assert_eq!(answer["differences"][0], serde_json::json!({"number": 1, "first": "Clear", "second": "LowFlood"}));
    assert_eq!(answer["second"]["finalRoom"]["number"], 2);
    assert!(answered(&["compare", "-", "1", "1"], BOARD).ends_with("Both leave the same boat.\n"));
    let wrong = run(&["compare", "-", "1", "26"], BOARD);
    assert_eq!(wrong.code, 2);
    assert!(words(&wrong.err).contains("there is no plan 26 help: the plans are numbered 1 to 25"));
    assert_eq!(run(&["compare", "-", "0", "1"], BOARD).code, 2);
}

#[test]
fn one_plan_is_drawn() {
    let file = scratch("plan.svg");
    let text = answered(&["routes", "-", "--plan", "25", "--svg", file.to_str().unwrap()], BOARD);
    assert_eq!(text.matches("\nPlan ").count(), 1);
    assert!(text.contains("\nPlan 25: "));
    let picture = fs::read_to_string(&file).unwrap();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    for sentence in text.lines().filter(|line| line.starts_with("  Open") || line.starts_with("  Wade")) {
        assert!(picture.contains(sentence.trim()));
    }
    let nowhere = scratch("no such folder").join("plan.svg");
    assert_eq!(run(&["routes", "--svg", nowhere.to_str().unwrap()], "").code, 1);
}

#[test]
fn every_problem_of_a_board_is_reported_with_its_place() {
    let wrong = run(&["routes", "-"], "c,x,c,c,c,c,c,c,c\no,c,b,q,c,c,c,c,c,c,c,c,c,c,c,c\n11\n");
    assert_eq!((wrong.code, wrong.out.as_str()), (2, ""));
    let err = words(&wrong.err);
    for message in [
        "standard input is not a board: 4 problems",
        "error: room 2 is `x` --> standard input:1:3 |",
        "error: 9 rooms are too few --> standard input:1:18 |",
        "error: hatch 2-4 is `q` --> standard input:2:7 |",
        "error: 16 hatches are too many --> standard input:2:31 |",
    ] {
        assert!(err.contains(message), "{message} in {err}");
    }
    for (board, message) in [
        ("rooms: 1, 2\nhatches: 1-2, 2-1\nstart: 1", "hatch 1-2 is given twice --> standard input:2:15"),
        (
            "rooms: 1, 2\nhatches: 1-3\nstart: 1",
            "hatch 1-3 leads to room 3, which is not on the board --> standard input:2:10",
        ),
        ("rooms: 1, 2\nhatches: 1-2\n", "the start room is missing --> standard input:3:1"),
        ("{\"rooms\": [],\n \"hatches\": oops}", "standard input:2:13"),
        ("", "the text is empty --> standard input:1:1"),
    ] {
        let wrong = run(&["routes", "-"], board);
        assert_eq!(wrong.code, 2, "{board}");
        assert!(words(&wrong.err).contains(message), "{message} in {}", wrong.err);
    }
    let deep = format!("{{\"rooms\": {}", "[".repeat(100_000));
    assert_eq!(run(&["routes", "-"], &deep).code, 2);
}

#[test]
fn wrong_arguments_are_reported() {
    for (args, message) in [
        (["--to", "11"], "room 11 is not on the board"),
        (["--put-out", "1"], "--put-out 1: room 1 is clear"),
        (["--drain", "4"], "--drain 4: room 4 is burning"),
        (["--plan", "26"], "there is no plan 26"),
        (["--within", "-1"], "unexpected argument"),
        (["--max-states", "99999999999999999999999"], "number too large"),
    ] {
        let wrong = run(&[&["routes", "-"], &args[..]].concat(), BOARD);
        assert_eq!(wrong.code, 2);
        assert!(words(&wrong.err).contains(message), "{message} in {}", wrong.err);
    }
    assert_eq!(run(&["routes", "-", "--avoid-flooding", "--drain", "3"], BOARD).code, 2);
    assert_eq!(run(&["routes", "no such file"], "").code, 2);
}

#[test]
fn limits_say_how_far_the_search_came() {
    let stopped = run(&["routes", "-", "--max-states", "20"], BOARD);
    assert_eq!((stopped.code, stopped.out.as_str()), (1, ""));
    let err = words(&stopped.err);
    let message = "the search stopped at its limit of states after 20 states, with all plans of up to";
    assert!(err.contains(message), "{err}");
    assert!(err.contains("raise --max-states (now 20)"), "{err}");
    // What it says will be answered is answered.
    let within = err.split("--within ").nth(1).unwrap().split(' ').next().unwrap();
    let limited = results(&["routes", "-", "--max-states", "20", "--within", within], BOARD);
    assert_eq!(limited, results(&["routes", "-", "--within", within], BOARD));
    assert!(limited.len() > 3);

    let stopped = run(&["routes", "-", "--max-memory", "0"], BOARD);
    assert_eq!(stopped.code, 1);
    assert!(words(&stopped.err).contains("memory"), "{}", stopped.err);
    let stopped = run(&["routes", "-", "--max-output", "0"], BOARD);
    assert_eq!((stopped.code, stopped.out.as_str()), (1, ""));
    assert!(words(&stopped.err).contains("the answer has 25 plans and would be longer than 0 bytes"));
}

/// Rooms 1 to `rooms` in a mesh, every eleventh under high water: far too many ways to look at all.
fn mesh(rooms: u32) -> String {
    let states: Vec<String> =
        (1..=rooms).map(|room| format!("{room}{}", if room % 11 == 0 { " high" } else { "" })).collect();
    let hatches: Vec<String> = (1..=rooms)
        .flat_map(|room| [1, 3, 7].map(|step| (room, room + step)))
        .filter(|(_, to)| *to <= rooms)
        .map(|(from, to)| format!("{from}-{to}"))
        .collect();
    format!("rooms: {}\nhatches: {}\nstart: 1\n", states.join(", "), hatches.join(", "))
}

#[test]
fn boats_beyond_all_reach_end_at_a_limit() {
    for rooms in [60, 2000] {
        let stopped = run(&["routes", "-", "--max-states", "10000", "--max-memory", "256MiB"], &mesh(rooms));
        assert_eq!(stopped.code, 1);
        assert!(words(&stopped.err).contains("the search stopped at its limit of"));
        let dry = answered(&["routes", "-", "--max-states", "10000", "--avoid-flooding"], &mesh(rooms));
        assert_eq!(dry.matches("\nPlan ").count(), (rooms - rooms / 11) as usize);
    }
}

#[test]
fn plans_too_long_to_hold_are_not_held() {
    let rooms: Vec<String> = (1..=20_000).map(|room| room.to_string()).collect();
    let hatches: Vec<String> = (1..20_000).map(|room| format!("{room}-{}", room + 1)).collect();
    let line = format!("rooms: {}\nhatches: {}\nstart: 1\n", rooms.join(","), hatches.join(","));
    let stopped = run(&["routes", "-", "--max-memory", "256MiB"], &line);
    assert_eq!(stopped.code, 1);
    assert!(words(&stopped.err).contains("its limit of memory after 20000 states, with all plans of up to"));
    let near = answered(&["routes", "-", "--max-memory", "256MiB", "--to", "15000", "--format", "json"], &line);
    assert!(near.contains("\"totalCost\": 14999"));
}

#[test]
fn help_has_examples() {
    for verb in ["routes", "compare"] {
        assert!(answered(&[verb, "--help"], "").contains("Examples:\n  bestplay red-november "));
    }
}
