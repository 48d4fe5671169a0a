//! `bestplay gamebook solve` and `advise` as a user meets them.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

/// A toll, a bet and a river: who bets first has the toll with one half.
const TOLL: &str = r#"
book "Toll" format=1 rules="lone-wolf"
start 1
goal 9
items { backpack-item rope; special seal; container pack holds=8; }
flags password
hero { combat-skill 15; endurance 25; gold 1; fixed seal pack; items rope; disciplines hunting; }
section 1 {
    choice "bet" { pick { when 0 4 { gain gold 1; }; else { lose gold 1; }; }; goto 2; }
    choice "walk" { goto 2; }
}
section 2 {
    choice "pay" { require "gold >= 2"; lose gold 2; goto 9; }
    choice "say it" { require "password"; goto 9; }
    choice "swim" { pick { when 0 1 { goto 9; }; else { goto 3; }; }; }
}
section 3 { death "drowned"; }
section 9 { victory; }
"#;

fn bestplay(arguments: &str) -> Assert {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."));
    command.args(arguments.split_whitespace()).assert()
}

fn json(arguments: &str) -> Value {
    let answer = bestplay(&format!("{arguments} --format json")).success();
    serde_json::from_slice(&answer.get_output().stdout).expect("JSON")
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("solve-{name}"))
}

fn toll(name: &str) -> String {
    let path = file(&format!("{name}.kdl"));
    fs::write(&path, TOLL).expect("written");
    path.display().to_string()
}

fn close(value: &Value, expected: f64) -> bool {
    (value.as_f64().expect("a number") - expected).abs() < 1e-12
}

#[test]
fn the_answer_as_json() {
    let book = toll("json");
    let answer = json(&format!("gamebook solve {book} --exact"));
    assert_eq!(answer["format"], 1);
    assert_eq!((&answer["book"], &answer["start"], &answer["goals"][0]), (&"Toll".into(), &1.into(), &9.into()));
    assert_eq!(answer["win"]["exact"], "3/5");
    let win = &answer["win"];
    assert!(win["lower"].as_f64() <= win["decimal"].as_f64() && win["decimal"].as_f64() <= win["upper"].as_f64());
    assert_eq!(answer["deaths"][0]["section"], 3);
    assert!(close(&answer["deaths"][0]["probability"], 0.4));
    let sections: Vec<(u64, bool)> = [(1, 1.0, 0.6), (2, 1.0, 0.6), (3, 0.4, 0.0), (9, 0.6, 1.0)]
        .iter()
        .zip(answer["sections"].as_array().expect("a list"))
        .map(|((_, visited, win), wanted)| {
            let same = close(&wanted["visited"], *visited) && close(&wanted["win_if_here"], *win);
            (wanted["section"].as_u64().expect("a number"), same)
        })
        .collect();
    assert_eq!(sections, [(1, true), (2, true), (3, true), (9, true)]);
    let finals: f64 =
        answer["final_states"].as_array().unwrap().iter().map(|end| end["probability"].as_f64().unwrap()).sum();
    assert!((finals - 0.6).abs() < 1e-12);
    assert_eq!(answer["final_states"][0]["state"]["items"]["rope"], 1);
    assert_eq!(answer["first_choices"][0]["choices"][0]["best"], true);
    for size in ["states", "choices", "outcomes", "peak_memory_bytes"] {
        assert!(answer[size].as_u64() > Some(0), "{size}");
    }
    assert_eq!(json(&format!("gamebook solve {book}"))["win"]["exact"], Value::Null);
}

#[test]
fn heroes_starts_and_goals() {
    let book = toll("heroes");
    for (arguments, win) in [
        ("--gold 2", "1/1"),
        ("--gold 0", "1/5"),
        ("--start 2", "1/5"),
        ("--goal 3", "4/5"),
        ("--goal 3,9", "1/1"),
        ("--start 2 --goal 2", "1/1"),
        ("--items none --disciplines none --combat-skill 10 --endurance 20", "3/5"),
    ] {
        assert_eq!(json(&format!("gamebook solve {book} --exact {arguments}"))["win"]["exact"], win, "{arguments}");
    }
    for (arguments, wanted) in [
        ("--combat-skill 25", "a hero has 10 to 19"),
        ("--endurance 19", "a hero has 20 to 29"),
        ("--gold 51", "0 to 50"),
        ("--disciplines camouflage,hunting,sixth-sense,tracking,healing,mindblast", "5 at most"),
        ("--disciplines luck", "luck"),
        ("--disciplines weaponskill", "WEAPON"),
        ("--items roep", "did you mean `rope`?"),
        ("--items rope=9", "at most"),
        ("--items rope=many", "many"),
        ("--start 4", "there is no section 4"),
        ("--goal 10", "there is no section 10"),
        ("--without nothing", "possible values"),
    ] {
        bestplay(&format!("gamebook solve {book} {arguments}")).code(2).stderr(contains(wanted));
    }
    bestplay("gamebook solve fire-on-the-watre").code(2).stderr(contains("fire-on-the-water"));
}

#[test]
fn the_model_of_2017() {
    let book = "crates/gamebook/gamebook/tests/books/fire-on-the-water-2017.kdl";
    let answer = json(&format!("gamebook solve {book} --goal 200 --exact"));
    let published = "166635813474250846448421910621887/190845817450272776462500000000000";
    assert_eq!(answer["win"]["exact"], published);
    let dead = &answer["deaths"][0];
    assert!(dead["section"] == 247 && close(&dead["probability"], 0.097_358_042_073_44), "{dead}");
}

#[test]
fn limits_are_errors() {
    bestplay("gamebook solve fire-on-the-water --max-memory 20MB").code(1).stderr(contains("20.0 MB of memory"));
    bestplay("gamebook solve fire-on-the-water --max-states 1000").code(1).stderr(contains("raise --max-states"));
}

/// A quarry from which one may dig for ever, and a purse that is filled with whatever is found.
#[test]
fn a_book_that_is_too_large_says_where() {
    let path = file("too-large.kdl");
    fs::write(
        &path,
        "book \"Quarry\" format=1 system=\"none\"\nstart \"Quarry\"\ncounter ore max=999\ncounter gems max=9\n\
         policy \"thorough\" { never \"go home\" if=\"ore < 999\"; }\n\
         section \"Quarry\" { choice \"dig\" { roll d6 as=r; ore \"r\"; gems \"down(r / 6)\"; goto \"Quarry\"; };\n\
         choice \"go home\" { roll d1000 as=r { when \"r <= ore + 20 * gems\" { victory; }; else { death; }; }; }; }\n",
    )
    .expect("written");
    bestplay(&format!("gamebook solve {} --max-states 900", path.display()))
        .code(1)
        .stderr(contains("raise --max-states").and(contains("section Quarry: 9")).and(contains("ore x")))
        .stderr(contains("--policy thorough").and(contains("gamebook bound")).and(contains("gamebook sample")));
    bestplay(&format!("gamebook solve {} --max-states 900 --policy thorough", path.display()))
        .code(1)
        .stderr(contains("gamebook sample").and(contains("--policy thorough").not()));
    // Who digs until he has 999 is sure to win.
    let answer = json(&format!("gamebook sample {} --plays 2000 --max-states 900", path.display()));
    let sample = &answer["sample"];
    assert!(sample["proof"] == false && sample["plays"] == 2000 && sample["standard_error"].as_f64() > Some(0.0));
    let win = sample["win"].as_f64().expect("a number");
    assert!(win > 0.3, "{win}");
    assert!((win - sample["won"].as_f64().expect("a count") / 2000.0).abs() < 1e-12);
    let text = bestplay(&format!("gamebook sample {} --plays 100 --seed 7", path.display()));
    text.success().stdout(contains("no proof").and(contains("of 100 simulated plays")));
    for (wrong, wanted) in [
        ("sample --plays 0", "0 is not in"),
        ("sample --exact", "--exact"),
        ("series --seed 7", "--plays"),
        // Options that are commands now.
        ("solve --sample 10", "bestplay gamebook sample BOOK --plays COUNT"),
        ("solve --vary hero.ore=1..2", "bestplay gamebook vary BOOK NUMBER=VALUES"),
        ("solve --reader random", "bestplay gamebook readers BOOK"),
        ("solve --rolled", "bestplay gamebook rolled BOOK"),
        ("solve --forget=ore", "bestplay gamebook bound BOOK NAME"),
        ("solve --state DIR", "bestplay gamebook series BOOK --state DIR"),
        ("solve --learn 5", "bestplay gamebook learn BOOK COUNT"),
    ] {
        bestplay(&format!("gamebook {wrong} {}", path.display())).code(2).stderr(contains(wanted));
    }
}

#[test]
fn reductions_and_sizes() {
    let book = toll("sizes");
    let answer = json(&format!("gamebook solve {book} --explain-size --exact"));
    let names: Vec<&str> =
        answer["sizes"].as_array().unwrap().iter().map(|size| size["without"].as_str().unwrap()).collect();
    assert_eq!(names, ["straight", "forget", "cap", "merge", "fold", "split", "hopeless", "sure", "wait"]);
    let states: u64 =
        answer["states_by_section"].as_array().unwrap().iter().map(|all| all["states"].as_u64().unwrap()).sum();
    assert_eq!(Some(states), answer["states"].as_u64());
    let without = format!("--without {}", names.join(" --without "));
    let whole = json(&format!("gamebook solve {book} --exact {without}"));
    assert_eq!(whole["win"], answer["win"]);
    assert!(whole["states"].as_u64() > answer["states"].as_u64());
    bestplay(&format!("gamebook solve {book} --explain-size")).success().stdout(contains("without straight"));
}

#[test]
fn models_for_others() {
    let (book, model, policy) = (toll("export"), file("model.drn"), file("policy.csv"));
    let (drn, csv) = (model.display(), policy.display());
    bestplay(&format!("gamebook solve {book} --export-model {drn} --export-policy {csv}")).success();
    let solved = json(&format!("mdp solve {drn} --goal goal --exact"));
    let text = fs::read_to_string(&model).unwrap();
    assert_eq!(solved["value"]["exact"], "3/5", "{text}");
    assert!(fs::read_to_string(&policy).unwrap().contains("bet"));
}

/// The values of other answers are shown where one of them surely wins, too.
#[test]
fn advice_where_one_answer_surely_wins() {
    let book = file("sure.kdl");
    fs::write(&book, TOLL.replace("require \"password\"; ", "")).unwrap();
    let answer = json(&format!("gamebook advise {} --at 2 --exact", book.display()));
    let worths: Vec<&Value> = answer["choices"].as_array().unwrap().iter().map(|all| &all["win"]["exact"]).collect();
    assert_eq!(worths, ["1/1", "1/5"]);
}

#[test]
fn advice() {
    let book = toll("advice");
    let choices_of = |arguments: &str| -> Vec<(String, Value, String, bool)> {
        let answer = json(&format!("gamebook advise {book} --exact {arguments}"));
        assert_eq!(answer["format"], 1);
        let choices = answer["choices"].as_array().expect("a list").iter();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        choices
            .map(|all| (text(&all["label"]), all["section"].clone(), text(&all["win"]["exact"]), all["best"] == true))
            .collect()
    };
    let choice = |label: &str, section: Value, win: &str, best| (label.to_owned(), section, win.to_owned(), best);
    assert_eq!(choices_of("--at 1"), [choice("bet", Value::Null, "3/5", true), choice("walk", 2.into(), "1/5", false)]);
    assert_eq!(
        choices_of("--at 2 --gold 2"),
        [choice("pay", 9.into(), "1/1", true), choice("swim", Value::Null, "1/5", false)]
    );
    assert_eq!(choices_of("--at 2 --flags password --endurance 3")[0], choice("say it", 9.into(), "1/1", true));
    bestplay(&format!("gamebook advise {book} --at 2 --gold 2"))
        .success()
        .stdout(contains("*").and(contains("pay (to 9)")));
    for (arguments, wrong) in [
        ("--at 5", "there is no section 5"),
        ("--at 2 --flags passwrod", "password"),
        ("--at 2 --lost rope=x", "not a number of items"),
        ("--at 2 --endurance 0", "0"),
        ("", "--at"),
    ] {
        bestplay(&format!("gamebook advise {book} {arguments}")).code(2).stderr(contains(wrong));
    }
}

/// Three answers of equal worth, two of them to the same place, and one that is worth 10^-15 less or more.
#[test]
fn all_best_answers_are_marked() {
    let best = |choices: &Value| -> Vec<String> {
        let choices = choices.as_array().expect("a list").iter();
        choices.filter(|own| own["best"] == true).map(|own| own["label"].as_str().unwrap().to_owned()).collect()
    };
    for book in ["equal-ways", "equal-ways-none"] {
        let book = format!("crates/gamebook/gamebook/tests/books/{book}.kdl");
        for exact in ["", "--exact"] {
            for (section, expected) in [("1", &["left", "middle", "right"][..]), ("10", &["slightly more"])] {
                let advice = json(&format!("gamebook advise {book} --at {section} {exact}"));
                assert_eq!(best(&advice["choices"]), expected, "{book} {section} {exact}");
                // The best come first.
                assert_eq!(advice["choices"][0]["label"], expected[0]);
                let solved = json(&format!("gamebook solve {book} --start {section} {exact}"));
                assert_eq!(best(&solved["first_choices"][0]["choices"]), expected, "{book} {section} {exact}");
                let output = bestplay(&format!("gamebook advise {book} --at {section} {exact}")).success();
                let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
                // One has the star, the others are equal.
                assert_eq!(text.lines().filter(|line| line.starts_with("* ")).count(), 1, "{text}");
                assert_eq!(
                    text.lines().filter(|line| line.ends_with("  [equal]")).count(),
                    expected.len() - 1,
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn advice_for_a_hero_of_a_system_of_rules() {
    let book = file("advice-system.kdl");
    let text = "book \"Sign\" format=1 system=\"none\"\nstart 1\nstat body start=3 vital=#true\nflags mapped tired\n\
        section 1 {\nif \"tired\" { body -1; }\n\
        choice \"by the map\" { require \"mapped and body >= 2\"; goto 2; }\n\
        choice \"guess\" { roll d2 { when 1 { goto 2; }; else { death \"a bog\"; }; }; }\n}\n\
        section 2 { victory; }\n";
    fs::write(&book, text).expect("written");
    let win = |arguments: &str| {
        let answer = json(&format!("gamebook advise {} --at 1 --exact {arguments}", book.display()));
        answer["win"]["exact"].as_str().expect("a text").to_owned()
    };
    assert_eq!(win(""), "1/2");
    assert_eq!(win("--flags mapped"), "1/1");
    assert_eq!(win("--flags mapped,tired --hero body=2"), "1/2");
    // Options for the hero override the list.
    assert_eq!(win("--flags mapped --hero mapped=0"), "1/2");
    for (arguments, wrong) in [
        ("--flags maped", "did you mean `mapped`"),
        ("--max-endurance 20", "this book has no heroes of Lone Wolf"),
        ("--endurance 20", "this book has no heroes of Lone Wolf"),
    ] {
        bestplay(&format!("gamebook advise {} --at 1 {arguments}", book.display())).code(2).stderr(contains(wrong));
    }
}

#[test]
fn the_hero_whom_the_book_makes() {
    let path = file("made.kdl");
    let made = "rolled gold=\"d4\"; choose 1 { rope; gold 1; }; }";
    fs::write(&path, TOLL.replace("disciplines hunting; }", &format!("disciplines hunting; {made}"))).expect("written");
    let solve = format!("gamebook rolled {}", path.display());
    let answer = json(&format!("{solve} --exact"));
    assert_eq!(answer["win"]["exact"], "1/1");
    assert_eq!(answer["rolls"][0]["rolled"]["gold"], 1);
    assert_eq!(answer["rolls"][0]["probability"], "1/4");
    assert_eq!(answer["rolls"][0]["best"], serde_json::json!(["gold"]));
    // Numbers of the hero that are given are neither rolled nor chosen.
    assert_eq!(json(&format!("{solve} --exact --items rope"))["win"]["exact"], "9/10");
    assert_eq!(json(&format!("{solve} --exact --gold 1"))["win"]["exact"], "1/1");
    bestplay(&solve).success().stdout(contains("The best choice").and(contains("rolled: gold")));
    bestplay(&format!("{solve} --items rope --gold 1")).code(2).stderr(contains("nothing is left to be rolled"));
    bestplay(&format!("{solve} --max-states 2")).code(1).stderr(contains("raise --max-states"));
}

/// A file beside the book says what its rules have other than Lone Wolf's.
#[test]
fn rules_like_lone_wolfs() {
    let path = file("rules.kdl");
    fs::write(&path, TOLL.replace("rules=\"lone-wolf\"", "system=\"solve-my-kai.kdl\"")).expect("written");
    let rules = |text: &str| {
        fs::write(file("my-kai.kdl"), format!("system \"my-kai\" format=1 like=\"lone-wolf\"\n{text}\n"))
            .expect("written");
    };
    let solve = format!("gamebook solve {}", path.display());
    rules("gold most=60\nendurance from=\"d20 + 15\"");
    assert_eq!(json(&format!("{solve} --exact --gold 60 --endurance 35"))["win"]["exact"], "1/1");
    bestplay(&format!("{solve} --gold 61")).code(2).stderr(contains("a belt pouch holds 0 to 60"));
    bestplay(&format!("{solve} --endurance 36")).code(2).stderr(contains("a hero has 16 to 35"));
    let advise = |endurance: u8| format!("gamebook advise {} --at 2 --endurance {endurance}", path.display());
    bestplay(&advise(35)).success();
    rules("gold most=0");
    bestplay(&solve).code(2).stderr(contains("line 2, column 6: `most` is a whole number here, not `0`"));
}

/// Its first policy and its first kinder game bound how often best play wins, from below and from above.
#[test]
fn a_book_that_is_too_large_has_the_bounds_that_it_names() {
    let path = file("too-large-bounded.kdl");
    fs::write(
        &path,
        "book \"Mine\" format=1 system=\"none\"\nstart \"Mine\"\ncounter ore max=99\ncounter coal max=99\n\
         policy \"miner\" { never \"coal\"; }\nkinder \"rich\" ore coal\n\
         section \"Mine\" { choice \"ore\" { roll d6 as=r; ore \"r\"; goto \"Mine\"; };\n\
         choice \"coal\" { roll d6 as=r; coal \"r\"; goto \"Mine\"; };\n\
         choice \"sell\" { require \"ore + coal >= 99\"; roll d6 as=r { when \"r >= 3\" { victory; }; else { death; }; }; }; }\n",
    )
    .expect("written");
    let book = path.display();
    bestplay(&format!("gamebook solve {book} --max-states 900"))
        .success()
        .stdout(
            contains("policy miner")
                .and(contains("need not remember ore, coal"))
                .and(contains("Best play wins at least 66.667 %"))
                .and(contains("Best play wins at most  66.667 %")),
        )
        .stderr(contains("more situations than the limits allow"));
    let (bounds, whole) =
        (json(&format!("gamebook solve {book} --max-states 900")), json(&format!("gamebook solve {book}")));
    assert!(close(&bounds["at_least"]["decimal"], 2.0 / 3.0) && close(&bounds["at_most"]["decimal"], 2.0 / 3.0));
    assert!(close(&whole["win"]["decimal"], 2.0 / 3.0) && bounds.get("win").is_none());
    // What is asked beside has no bounds; nor has what is too large all the same.
    for line in ["900 --explain-size", "900 --exact", "9 --policy miner", "9"] {
        bestplay(&format!("gamebook solve {book} --max-states {line}")).code(1);
    }
}

/// Who need not remember his gold pays in any case.
#[test]
fn what_is_forgotten_bounds_best_play_from_above() {
    let book = toll("forget");
    bestplay(&format!("gamebook bound {book} gold@2 rope"))
        .success()
        .stdout(contains("need not remember gold from 2 on, rope").and(contains("Best play wins at most  100.000 %")));
    let answer = json(&format!("gamebook bound {book} rope --exact"));
    assert_eq!(answer["at_most"], json(&format!("gamebook solve {book} --exact"))["win"]);
    assert_eq!(answer["forgets"], serde_json::json!(["rope"]));
    bestplay(&format!("gamebook bound {book} rop"))
        .code(2)
        .stderr(contains("no number or item `rop`").and(contains("did you mean `rope`?")));
    // Both bounds at once.
    let policy = file("forget-policy.kdl");
    fs::write(&policy, "policy \"walker\" { never \"pay\"; }").unwrap();
    let both = format!("gamebook bound {book} gold@2 --policy {}", policy.display());
    bestplay(&both).success().stdout(
        contains("need not remember gold from 2 on")
            .and(contains("Best play wins at least"))
            .and(contains("Best play wins at most  100.000 %")),
    );
    let (both, whole) = (json(&format!("{both} --exact")), json(&format!("gamebook solve {book} --exact")));
    let alone = json(&format!("gamebook solve {book} --exact --policy {}", policy.display()));
    assert_eq!((&both["at_least"], &both["policy"]), (&alone["win"], &serde_json::json!("walker")));
    let worth = |own: &Value| own["decimal"].as_f64().unwrap();
    assert!(worth(&both["at_least"]) < worth(&whole["win"]) && worth(&whole["win"]) < worth(&both["at_most"]));
}

#[test]
fn who_follows_a_rule_that_fits_nothing_is_warned() {
    let book = toll("warned");
    let policy = file("warned-policy.kdl");
    fs::write(&policy, "policy \"p\" { always \"pa\"; always bet; }").unwrap();
    bestplay(&format!("gamebook solve {book} --policy {}", policy.display()))
        .success()
        .stderr(contains("no answer is called `pa` (did you mean `pay`?)"));
}
