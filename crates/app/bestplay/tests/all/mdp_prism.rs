//! `bestplay mdp` with PRISM models: only what is asked is explored, and errors are reported where they are.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use budget::{Budget, Limits};
use mdp::{Rational, Sense, SolveOptions};
use model_files::{ExplicitModel, Expression};
use model_questions::{Bound, Question, Unfolded, certificate};
use prism::{Reaching, ReadRequest, over_labels, read_for};
use serde_json::Value;

fn scratch(name: &str) -> String {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("prism-{name}")).to_str().unwrap().into()
}

fn written(name: &str, text: &str) -> String {
    let path = scratch(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn bestplay(arguments: &[&str]) -> Output {
    // A model without end is not to take the machine along.
    let limits = ["--max-memory", "1 GiB"];
    Command::cargo_bin("bestplay").unwrap().arg("mdp").args(arguments).args(limits).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = bestplay(&[arguments, &["--format", "json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The exact value, and how many states were explored.
fn solved(arguments: &[&str]) -> (String, u64) {
    let answer = json(&[&["solve"], arguments, &["--exact"]].concat());
    let value = answer["value"]["exact"].as_str().unwrap_or("infinite").trim_end_matches("/1").to_string();
    (value, answer["states"].as_u64().unwrap())
}

/// The error message for bad input, line by line.
fn refused(arguments: &[&str]) -> String {
    let output = bestplay(arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
    text
}

/// A gambler who goes on for ever unless the goal ends it; `p` is the chance of one step up.
const GAMBLER: &str = "mdp const double p;
module gambler
    x : int init 2;
    [bet] true -> p : (x'=x+1) + 1-p : (x'=x-1);
endmodule
label \"rich\" = x=5;
rewards \"bets\" [bet] true : 1; endrewards
";

/// Gambler's ruin has a closed form: with the odds `r` against a step, (1 - r^2) / (1 - r^5) from 2 of 5.
#[test]
fn a_model_without_end_has_an_answer_where_the_goal_cuts_it() {
    let model = written("gambler.prism", GAMBLER);
    let ask = |more: &[&str]| solved(&[&[model.as_str(), "--const"], more].concat());
    assert_eq!(ask(&["p=1/2", "--goal", "rich", "--until", "x>0"]), ("2/5".into(), 6));
    assert_eq!(ask(&["p=1/3", "--goal", "rich", "--until", "x>0"]), ("3/31".into(), 6));
    assert_eq!(ask(&["p=1/3", "--goal", "x=5 | x=0"]), ("1".into(), 6));
    // k (n - k) bets on average.
    assert_eq!(ask(&["p=1/2", "--goal", "x=5 | x=0", "--reward", "bets"]), ("6".into(), 6));
    assert_eq!(ask(&["p=1/2", "--goal", "x=2"]), ("1".into(), 1));
    // Three steps up, or one down among them and four up.
    assert_eq!(ask(&["p=1/2", "--goal", "rich", "--steps", "3"]), ("1/8".into(), 7));
    assert_eq!(ask(&["p=1/2", "--goal", "rich", "--steps", "5"]), ("7/32".into(), 9));
    assert_eq!(ask(&["p=1/2", "--goal", "rich", "--reward-bound", "bets=5"]), ("7/32".into(), 10));
    let answer = json(&["solve", &model, "--const", "p=1/2", "--goal", "x=5|x=0", "--goal", "x=4|x=1", "--exact"]);
    assert_eq!((&answer["states"], &answer["cut_states"]), (&6.into(), &2.into()));
    assert_eq!(answer["goals"][1]["value"]["exact"], "1/1");
    for more in [&["--goal", "rich"][..], &["--goal", "x=5|x=0", "--all-states"]] {
        let output = bestplay(&[&["solve", &model, "--const", "p=1/2", "--max-states", "1000"], more].concat());
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && text.contains("limit of 1000 states"), "{text}");
    }
}

/// The goal comes soon, and a thousand states lie behind it.
const LARGE: &str = "mdp
module m
    s : [0..2];
    x : [0..9];
    y : [0..9];
    [toss] s=0 -> 0.5 : (s'=1) + 0.5 : (s'=2);
    [right] s>0 & x<9 -> (x'=x+1);
    [up] s>0 & y<9 -> (y'=y+1);
    [] x=9 & y=9 -> true;
endmodule
label \"one\" = s=1;
label \"corner\" = x=9 & y=9 & s=2;
rewards \"way\" [right] true : 1; [up] true : 2; [toss] true : 3; endrewards
";

#[test]
fn what_asks_for_all_states_gets_them() {
    let model = written("large.prism", LARGE);
    let (table, policy, drn) = (scratch("all.csv"), scratch("policy.csv"), scratch("large.drn"));
    let lines = |path: &str| std::fs::read_to_string(path).unwrap().lines().count();
    assert_eq!(solved(&[&model, "--goal", "s>0"]), ("1".into(), 3));
    assert_eq!(solved(&[&model, "--goal", "one"]), ("1/2".into(), 102));
    assert_eq!(solved(&[&model, "--goal", "s>0", "--all-states"]), ("1".into(), 201));
    assert_eq!(solved(&[&model, "--goal", "s>0", "--all-states", &table]), ("1".into(), 201));
    assert_eq!(lines(&table), 202);
    assert_eq!(solved(&[&model, "--goal", "s>0", "--steps", "1", "--all-states", &table]), ("1".into(), 201));
    assert_eq!(solved(&[&model, "--goal", "s>0", "--export-policy", &policy]), ("1".into(), 201));
    assert_eq!(lines(&policy), 202);
    assert_eq!(solved(&[&model, "--goal", "one", "--export-model", &drn]), ("1/2".into(), 201));
    assert_eq!(solved(&[&drn, "--goal", "corner", "--reward", "way"]).0, "infinite");
    assert_eq!(solved(&[&model, "--goal", "s=1 | corner", "--reward", "way"]), ("33/2".into(), 102));
    let text = String::from_utf8(bestplay(&["solve", &model, "--goal", "s>0"]).stdout).unwrap();
    assert!(text.contains("3 states, 1 choices, 2 transitions\nplay is over in 2 of them"), "{text}");
    // What lies behind one goal counts for another.
    let answer = json(&["solve", &model, "--goal", "s>0", "--goal", "corner", "--exact"]);
    assert_eq!(
        (&answer["goals"][0]["value"]["exact"], &answer["goals"][1]["value"]["exact"]),
        (&"1/1".into(), &"1/2".into())
    );
    assert_eq!((&answer["states"], &answer["cut_states"]), (&201.into(), &1.into()));
}

/// The number of a state means the same in every table and behind `--at`, whatever the goal cuts off.
#[test]
fn advice_behind_the_goal() {
    let model = written("advice.prism", LARGE);
    let policy = scratch("advice.csv");
    solved(&[&model, "--goal", "corner", "--export-policy", &policy]);
    let table = std::fs::read_to_string(&policy).unwrap();
    for line in table.lines().skip(1).step_by(17) {
        let fields: Vec<&str> = line.split(',').collect();
        let answer = json(&["advise", &model, "--goal", "corner", "--at", fields[0], "--exact"]);
        assert_eq!(answer["state"].to_string(), fields[0]);
        assert_eq!(answer["value"]["exact"].as_str().unwrap().trim_end_matches("/1"), fields[5]);
    }
    let at_goal = String::from_utf8(bestplay(&["advise", &model, "--goal", "one", "--at", "1"]).stdout).unwrap();
    assert!(at_goal.starts_with("state 1: 1 "), "{at_goal}");
    let none = refused(&["advise", &model, "--goal", "one", "--at", "201"]);
    assert!(none.contains("--at 201: there is no such state") && none.contains("has 201 states"), "{none}");
}

#[test]
fn a_certificate_says_what_was_cut() {
    let model = written("proof.prism", LARGE);
    let proof = scratch("proof.txt");
    for (more, cut) in [
        (&["--goal", "s>0"][..], 2),
        (&["--goal", "one", "--sense", "min"], 1),
        (&["--goal", "corner", "--until", "x>=y"], 19),
        (&["--goal", "s=1 | corner", "--reward", "way", "--sense", "min"], 2),
        (&["--goal", "deadlock | one"], 1),
        (&["--goal", "s>0", "--all-states"], 0),
    ] {
        solved(&[&[model.as_str(), "--certificate", &proof], more].concat());
        let certificate = std::fs::read_to_string(&proof).unwrap();
        let line = format!("\ncut {cut}\n");
        assert_eq!(certificate.contains(&line), cut > 0, "{more:?}: {}", &certificate[..200.min(certificate.len())]);
        let answer = json(&["verify", &model, &proof]);
        assert_eq!((&answer["accepted"], &answer["cut_states"]), (&true.into(), &cut.into()));
        if cut == 0 {
            continue;
        }
        for damaged in [String::from("\n"), format!("\ncut {}\n", cut + 1), "\ncut 0\n".into(), "\ncut\n".into()] {
            std::fs::write(&proof, certificate.replace(&line, &damaged)).unwrap();
            assert!(!bestplay(&["verify", &model, &proof]).status.success(), "{more:?}: {damaged:?}");
        }
    }
}

#[test]
fn faults_are_placed_in_what_was_given() {
    let model = written(
        "faults.prism",
        "mdp\nconst int N;\nconst int M = 2;\nmodule m x : [0..N]; endmodule label \"end\" = x=N;",
    );
    let caret = |arguments: &[&str], expected: &str| {
        let text = refused(&[&["solve", &model], arguments].concat());
        assert!(text.contains(expected), "{text}\nexpected {expected}");
        // The caret stands below its column.
        let lines: Vec<&str> = text.lines().collect();
        let place = lines.iter().position(|line| line.trim_end().ends_with('^')).expect(&text);
        let column: usize = text.split("column ").nth(1).unwrap().split(':').next().unwrap().parse().unwrap();
        let indent = lines[place - 1].chars().take_while(|sign| !sign.is_ascii_alphanumeric()).count();
        assert_eq!(lines[place].chars().position(|sign| sign == '^'), Some(indent + column - 1), "{text}");
    };
    let n = ["--const", "N=3"];
    caret(&[&n[..], &["--goal", "x=1 & z=2"]].concat(), "--goal, column 7: nothing is called `z`");
    caret(&[&n[..], &["--goal", "end", "--until", "x = ("]].concat(), "--until, column 6: the text ends");
    caret(
        &[&n[..], &["--goal", "end", "--until", "x = (", "--all-states"]].concat(),
        "--until, column 6: the text ends",
    );
    caret(&[&n[..], &["--goal", "end &"]].concat(), "--goal, column 6: the text ends");
    caret(&["--goal", "end", "--const", "N=1+q"], "--const, column 5: nothing is called `q`");
    caret(&["--goal", "end", "--const", "N=3,M=1"], "--const, column 1: line 3 of the model fixes the constant `M`");
    caret(&["--goal", "end", "--const", "N=3", "--const", "K=1"], "--const, column 1: the model has no constant `K`");
    assert_eq!(solved(&[&model, "--goal", "end", "--const", "N=max(1, 0)"]).1, 1);
    let drn = written("faults.drn", "@type: DTMC\n@nr_states\n1\n@model\nstate 0 init\n");
    let text = refused(&["solve", &drn, "--goal", "init & ende"]);
    assert!(text.contains("--goal, column 8: the model has no label `ende`") && text.contains("       ^"), "{text}");
}

#[test]
fn other_formats_are_refused_by_their_names() {
    for (name, text, expected) in [
        ("m.jani", "{ \"jani-version\": 1, \"name\": \"m\" }", "a JANI model"),
        // The content tells, not the name.
        ("jani.prism", "{ \"jani-version\": 1, \"name\": \"m\" }", "a JANI model"),
        ("m.tra", "3 3\n0 1 0.5\n0 2 0.5\n1 1 1\n", "PRISM's explicit files (.tra, .trew)"),
        ("m.sta", "(s)\n0:(0)\n", "PRISM's explicit files (.sta)"),
        ("m.lab", "0=\"init\" 1=\"deadlock\"\n0: 0\n", "PRISM's explicit files (.lab)"),
        ("m.srew", "3 1\n0 1\n", "PRISM's explicit files (.srew)"),
        ("i.tra", "2 1\n0 1 [0.1,0.2]\n", "an interval model"),
        ("ma.drn", "@type: Markov Automaton\n@nr_states\n1\n@model\nstate 0\n", "a Markov automaton"),
        ("i.drn", "@type: MDP\n@nr_states\n1\n@model\nstate 0 init\naction a\n0 : [0.9, 1]\n", "an interval model"),
        ("p.drn", "@type: MDP\n@parameters\np q\n", "a parametric model"),
        ("ma.prism", "ma\nmodule m x : bool; endmodule", "a Markov automaton"),
        ("ctmc.sm", "ctmc\nmodule m x : bool; endmodule", "a continuous-time Markov chain"),
        (
            "i.prism",
            "mdp module m x : bool; [] !x -> [0.1,0.2]:(x'=true) + [0.8,0.9]:true; endmodule",
            "an interval model",
        ),
    ] {
        let text = refused(&["solve", &written(name, text), "--goal", "g"]);
        assert!(text.contains(expected), "{name}: {text}");
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn test(&mut self) -> String {
        let (x, y) = (self.below(6), self.below(3));
        ["x=", "x<", "x>=", "x!=", "!x="][usize::try_from(self.below(5)).unwrap()].to_string()
            + &x.to_string()
            + &[String::new(), format!(" & y={y}"), format!(" | y={y}")][usize::try_from(self.below(3)).unwrap()]
    }

    fn model(&mut self) -> String {
        let mut text = String::from("mdp module m x : [0..5]; y : [0..2];\n");
        for action in 0..2 + self.below(5) {
            let guard = self.test();
            let update =
                |random: &mut Self| format!("(x'=mod(x+{},6)) & (y'=mod(y+{},3))", random.below(6), random.below(3));
            let (one, other, chance) = (update(self), update(self), 1 + self.below(4));
            writeln!(text, "  [a{action}] {guard} -> {chance}/5 : {one} + 1-{chance}/5 : {other};").expect("a string");
        }
        text + "endmodule rewards \"r\" x>2 : 1/2; [a0] true : 1; y=1 : x; endrewards\n"
    }
}

/// What one question comes to, exactly, in a model; infinite where it is so.
fn value(model: &ExplicitModel, asked: (&str, Option<&str>), sense: Sense, kind: u64, cut: bool) -> Option<Rational> {
    let budget = Budget::default();
    let states = |text: &str| Expression::parse(&over_labels(model, text)).unwrap().states(model, &budget).unwrap();
    let (goal, until) = asked;
    let reward = (kind == 1).then(|| model.reward("r").unwrap());
    let question = Question { model, goal: states(goal), until: until.map(states), sense, reward };
    let exact = SolveOptions::exact();
    if kind == 2 {
        let unfolded = Unfolded::new(&question, &[Bound::Steps(4)], vec![0], &budget).unwrap().unwrap();
        return unfolded.answer(&question, &exact).unwrap().value(0).and_then(|value| value.exact);
    }
    let answer = question.prepare(&budget).unwrap().answer(&exact).unwrap();
    let proof = certificate(
        &question,
        over_labels(model, goal),
        until.map(|until| over_labels(model, until)),
        &answer,
        &budget,
    );
    let mut proof = proof.unwrap().unwrap();
    if cut {
        let over = |state: &u32| {
            question.goal.contains(*state) || question.until.as_ref().is_some_and(|u| !u.contains(*state))
        };
        proof.cut = u32::try_from((0..model.states()).filter(over).count()).unwrap();
    }
    assert_eq!(verify::check(model, &proof, &budget), Ok(()));
    answer.value(0).map(|value| value.exact.unwrap())
}

/// Cut where play is over, a model has the values that it has as a whole.
#[test]
fn random_models_cut_and_whole() {
    let mut random = Random(7);
    let budget = Budget::new(Limits { max_states: 1000, ..Limits::default() });
    let (mut smaller, mut between) = (0, 0);
    for round in 0..400 {
        let (text, goal, until) = (random.model(), random.test(), random.test());
        let kind = round % 4;
        let until = (kind == 3).then_some(until.as_str());
        let question = Reaching { goal: &goal, until, steps: (kind == 2).then_some(4), bounds: &[] };
        let cut =
            read_for(&text, &[], &ReadRequest { question: Some(question), ..ReadRequest::default() }, &budget).unwrap();
        let expressions: Vec<&str> = [goal.as_str()].into_iter().chain(until).collect();
        let whole = read_for(&text, &[], &ReadRequest { expressions: &expressions, ..ReadRequest::default() }, &budget)
            .unwrap();
        assert!(whole.cut.is_empty() && cut.model.states() <= whole.model.states());
        smaller += u32::from(cut.model.states() < whole.model.states());
        for sense in [Sense::Max, Sense::Min] {
            let right = value(&whole.model, (&goal, until), sense, kind, false);
            let found = value(&cut.model, (&goal, until), sense, kind, kind != 2);
            assert_eq!(found, right, "{goal} {until:?} {sense:?}\n{text}");
            between += u32::from(right.is_some_and(|value| value > Rational::ZERO && value < Rational::ONE));
        }
    }
    assert!(smaller > 100 && between > 60, "{smaller} {between}");
}
