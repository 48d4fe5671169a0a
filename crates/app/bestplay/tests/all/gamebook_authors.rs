//! `bestplay gamebook report`, `vary`, `sensitivity` and `compare` as an author meets them.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{command, decimal, json, stdout};

/// A ford, a ferry and an inn whose door no hero of this book can open. Section 7 is never reached, from 8 nothing is won.
const FORD: &str = r#"
book "Ford" format=1 system="lone-wolf"
start 1
goal 4
hero { combat-skill 15; endurance 22; learns 5; disciplines hunting; gold 3; items sword meal; }
items { weapon sword; backpack-item meal food=#true; }
section 1 {
    choice "cross" { goto 2; }
    choice "ferry" { require "gold >= 5"; lose gold 5; goto 4; }
    choice "camp" { goto 3; }
    choice "dig" { goto 6; }
}
section 2 { pick { when 0 3 { death "the current"; }; else { goto 4; }; }; }
section 3 { fight "Troll" skill=20 endurance=30; goto 4; }
section 4 { victory; }
section 6 {
    choice "dig on" { gain gold 1; goto 9; }
    choice "back" { goto 1; }
    choice "fall in" { goto 8; }
}
section 7 { goto 4; }
section 8 { pick { when 0 4 { death "a pit"; }; else { death "thirst"; }; }; }
section 9 { goto 6; }
"#;

fn book(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("authors-{name}.kdl"));
    fs::write(&path, text).expect("written");
    path.display().to_string()
}

fn sections(list: &Value) -> Vec<(u64, u64)> {
    let own = |own: &Value| (own["section"].as_u64().unwrap(), own["line"].as_u64().unwrap());
    list.as_array().unwrap().iter().map(own).collect()
}

#[test]
fn a_report_for_programs() {
    let book = book("report", FORD);
    let report = json("gamebook report", &format!("{book} --exact"));
    let players = report["players"].as_array().unwrap();
    let names: Vec<&str> = players.iter().map(|own| own["who"].as_str().unwrap()).collect();
    assert_eq!(names, ["best play", "random", "cautious", "bold"]);
    for own in &players[1..] {
        let who = own["who"].as_str().unwrap();
        let fares = json("gamebook readers", &format!("{book} --exact --reader {who}"));
        assert_eq!(own["win"]["exact"], fares["win"]["exact"], "{who}");
    }
    assert_eq!(players[0]["win"]["exact"], "1/1", "he digs for the ferry");
    // The ferry is reached by digging twice: 1, 6, 9, 6, 9, 6, 1, 4 without a roll.
    assert_eq!((decimal(&players[0]["sections"]["mean"]), decimal(&players[0]["rolls"]["mean"])), (8.0, 0.0));
    assert_eq!(players[3]["win"]["exact"], "3/5", "who is bold crosses");
    assert_eq!((decimal(&players[3]["sections"]["mean"]), decimal(&players[3]["rolls"]["mean"])), (2.6, 1.0));
    assert_eq!(sections(&players[3]["deaths"]), [(2, 13)]);
    assert_eq!(sections(&report["never_entered"]), [(7, 21)]);
    assert_eq!(sections(&report["unwinnable"]), [(8, 22)]);
    let gold = &report["loops"][0];
    assert_eq!((&gold["what"], sections(&gold["got_in"])), (&"gold".into(), vec![(6, 16)]));
    assert_eq!(sections(&gold["sections"]), [(1, 7), (6, 16), (9, 23)]);
    let never: Vec<&str> =
        report["never_right"].as_array().unwrap().iter().map(|own| own["label"].as_str().unwrap()).collect();
    assert_eq!(never, ["cross", "camp", "fall in"]);
    assert_eq!(report["never_right"][1]["line"], 10);
    let worth = report["worth"].as_array().unwrap();
    assert!(worth.iter().any(|own| own["what"] == "sword" && own["line"] == 6), "{worth:?}");
}

#[test]
fn a_report_for_people() {
    let book = book("people", FORD);
    let text = stdout("gamebook report", &format!("{book} --no-worth"));
    for expected in ["best play", "cautious", "Endings", "line 13", "Loops that create something without end"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("authors-report.html");
    command("gamebook report", &format!("{book} -o {}", page.display())).assert().success();
    let page = fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("<svg") && page.contains("What things are worth"));
    // It needs nothing else.
    for other in ["src=", "href=", "@import", "url("] {
        assert!(!page.contains(other), "{other}");
    }
    command("gamebook report", &format!("{book} -o report.pdf")).assert().code(2);
}

#[test]
fn odds_over_numbers_are_those_of_edited_books() {
    let text = FORD.replace("choice \"dig\" { goto 6; }", "");
    let book_name = book("vary", &text);
    let document = json("gamebook vary", &format!("{book_name} 3.fight.skill=15..22 hero.gold=0,5 --exact"));
    assert_eq!((&document["vary"][0]["number"], &document["vary"][0]["line"]), (&"3.fight.skill".into(), &14.into()));
    let rows = document["results"].as_array().unwrap();
    assert_eq!(rows.len(), 16);
    for (row, (skill, gold)) in rows.iter().zip((15..=22).flat_map(|skill| [0, 5].map(|gold| (skill, gold)))) {
        assert_eq!(row["values"], serde_json::json!([skill, gold]));
        let edited = text.replace("skill=20", &format!("skill={skill}")).replace("gold 3;", &format!("gold {gold};"));
        let solved = json("gamebook solve", &format!("{} --exact", book("edited", &edited)));
        assert_eq!(row["win"]["exact"], solved["win"]["exact"], "{skill}, {gold}");
    }
    // A value with which it is no book says so.
    let document = json("gamebook vary", &format!("{book_name} hero.combat-skill=15,99"));
    assert!(document["results"][0]["problem"].is_null() && document["results"][1]["win"].is_null());
    let picture = Path::new(env!("CARGO_TARGET_TMPDIR")).join("authors-curve.svg");
    let arguments = format!("{book_name} 3.endurance=10..40/10 --curve {}", picture.display());
    stdout("gamebook vary", &arguments);
    assert!(fs::read_to_string(picture).unwrap().contains("polyline"));
    for wrong in ["3.fight.skil=1", "skill=1", "3.fight.skill", "3.fight.skill=x", "3.fight.skill=1..9999999"] {
        command("gamebook vary", &format!("{book_name} {wrong}")).assert().code(2);
    }
}

#[test]
fn numbers_are_ranked() {
    let text = FORD.replace("choice \"dig\" { goto 6; }", "");
    let book_name = book("sensitivity", &text);
    let document = json("gamebook sensitivity", &format!("{book_name} --exact"));
    let numbers = document["numbers"].as_array().unwrap();
    let number = |name: &str| numbers.iter().find(|own| own["number"] == name).unwrap_or_else(|| panic!("{name}"));
    for (name, from, to) in
        [("3.fight.skill", "skill=20", "skill=19"), ("3.fight.endurance", "endurance=30", "endurance=29")]
    {
        let solved = json("gamebook solve", &format!("{} --exact", book("less", &text.replace(from, to))));
        assert_eq!((&number(name)["less"]["win"], &number(name)["less"]["solved"]), (&solved["win"], &true.into()));
    }
    let lower = json("gamebook sensitivity", &format!("{book_name} --exact --resolve 0"));
    for own in lower["numbers"].as_array().unwrap() {
        let name = own["number"].as_str().unwrap();
        for (side, by) in [("less", -1), ("more", 1)] {
            let (Some(bound), now) = (own[side]["win"]["decimal"].as_f64(), own["now"].as_i64().unwrap()) else {
                continue;
            };
            let solved = json("gamebook vary", &format!("{book_name} {name}={}", now + by));
            let win = &solved["results"][0]["win"];
            assert!(bound <= decimal(win) + 1e-12, "{name} {side}: {bound}, {win}");
        }
    }
}

#[test]
fn two_versions_are_compared() {
    let old = FORD.replace("choice \"dig\" { goto 6; }", "").replace("when 0 3", "when 0");
    let new = old.replace("when 0 {", "when 0 7 {").replace("section 9 { goto 6; }", "// gone").replace(
        "section 4 {",
        "// the end
section 4     {",
    );
    let (old, new) = (book("old", &old), book("new", &new.replace("gain gold 1; goto 9;", "gain gold 1; goto 6;")));
    let document = json("gamebook compare", &format!("{old} {new} --exact"));
    let text: Vec<(&str, &str)> = document["text"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| (own["what"].as_str().unwrap(), own["change"].as_str().unwrap()))
        .collect();
    assert_eq!(text, [("section 2", "changed"), ("section 6", "changed"), ("section 9", "removed")]);
    assert_eq!(document["odds"][3]["who"], "bold");
    let bold = &document["odds"][3];
    assert_eq!((&bold["before"]["win"]["exact"], &bold["after"]["win"]["exact"]), (&"9/10".into(), &"1/5".into()));
    let choice = &document["choices"][0];
    assert_eq!((&choice["before"][0]["label"], &choice["after"][0]["label"]), (&"cross".into(), &"camp".into()));
    let same = stdout("gamebook compare", &format!("{old} {old}"));
    assert!(same.contains("The text is the same") && !same.contains("Where they die, before and after"), "{same}");
}

#[test]
fn what_is_meant_is_quiet() {
    let text = FORD
        .replace("    choice \"dig on\"", "    // quiet: fools may dig\n    choice \"dig on\"")
        .replace("section 7 {", "// quiet: left over\nsection 7 {")
        .replace("section 6 {", "// quiet: who digs shall have it\nsection 6 {")
        .replace("section 9 {", "// quiet:\nsection 9 {");
    let book = book("quiet", &text);
    let answer = command("gamebook check", &format!("{book} --format json")).assert().code(1);
    let answer: Value = serde_json::from_slice(&answer.get_output().stdout).unwrap();
    assert_eq!(answer["silenced"], 2, "{answer}");
    let left: Vec<(&str, u64)> = answer["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| (own["message"].as_str().unwrap(), own["line"].as_u64().unwrap()))
        .collect();
    for expected in [("this suppression gives no reason", 26), ("this suppression has no effect", 18)] {
        assert!(left.contains(&expected), "{left:?}");
    }
    assert!(!left.iter().any(|(message, _)| message.contains("leads to 7") || message.contains("again")), "{left:?}");
}

/// One of two things may be taken, a full backpack makes way, and the ends are summed up.
#[test]
fn answers_that_read_well() {
    let text = "book Horn format=1 system=\"lone-wolf\"\nstart 1\ngoal 9\n\
        hero { combat-skill 15; endurance 25; gold 7; items sword axe meal=3 rope=2; fixed pack; }\n\
        items { weapon sword; weapon axe; backpack-item meal food=#true; backpack-item rope; special key; special horn; \
        backpack-item potion heals=4 when=any-time; container pack holds=5; }\n\
        section 1 { take at-most=1 { key; horn; }; shop { buy potion 3; }; choice gate { goto 2; }; \
        choice cliff { goto 3; }; }\n\
        section 2 { if \"has key\" { goto 4; }; pick { when 0 4 { goto 4; }; else { death; }; }; }\n\
        section 3 { if \"has horn\" { goto 4; }; death; }\n\
        section 4 { fight Troll skill=18 endurance=20; goto 5; }\n\
        section 5 { fight Giak skill=15 endurance=14; goto 9; }\nsection 9 { victory; }\n";
    let book = book("horn", text);
    let document = stdout("gamebook solve", &book);
    let first = document.split("The first choices that matter\n").nth(1).unwrap();
    let questions: Vec<&str> = first.lines().filter(|line| line.starts_with("  section")).collect();
    assert_eq!(questions[0], "  section 1, a shop");
    assert_eq!(questions.iter().filter(|own| own.contains("shop")).count(), 1, "{first}");
    let answers: Vec<&str> = first.lines().skip(1).take_while(|line| line.starts_with("   ")).collect();
    assert_eq!(answers.len(), 3, "{first}");
    assert!(answers[0].ends_with("%  buy potion for 3 (drop meal)") && answers[0].contains('*'), "{first}");
    assert!(answers[1].contains("%  buy potion for 3 (drop rope)"), "{first}");
    assert!(answers[2].ends_with("%  leave the shop") && !answers[2].contains('*'), "{first}");
    assert!(
        document.contains("How heroes win\n  endurance ") && document.contains(" on average (deviation "),
        "{document}"
    );
    assert!(document.contains(", gold 1\n  always with "), "{document}");
    let advice = stdout("gamebook advise", &format!("{book} --at 1"));
    assert!(advice.contains("take the key") && advice.contains("take the horn (leave the key)"), "{advice}");
    let answer = json("gamebook advise", &format!("{book} --at 1"));
    let then = |label: &str| {
        let choices = answer["choices"].as_array().unwrap();
        choices.iter().find(|choice| choice["label"] == label).unwrap()["then"].clone()
    };
    assert_eq!((then("take the key"), then("leave the key")), (Value::Null, "take the horn".into()));
    let answer = json("gamebook solve", &book);
    assert_eq!(answer["first_choices"][0]["about"], "a shop");
    let ends = &answer["ends"];
    assert_eq!((&ends["numbers"][1]["name"], &ends["numbers"][1]["deviation"]), (&"gold".into(), &0.0.into()));
    assert!(ends["has"].as_array().unwrap().contains(&serde_json::json!({ "name": "pack", "share": 1.0 })));
}

/// What one hero cannot do is reported beside what no hero can.
#[test]
fn a_check_for_one_hero() {
    let book = book("check-hero", FORD);
    let messages = |arguments: &str| -> Vec<String> {
        let output = command("gamebook check", &format!("{book} --format json {arguments}")).output().expect("run");
        let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let own = |own: &Value| own["message"].as_str().unwrap().to_string();
        document["problems"].as_array().unwrap().iter().map(own).collect()
    };
    let anyone = messages("");
    assert!(anyone.iter().any(|own| own.starts_with("no section leads to 7")), "{anyone:?}");
    assert!(anyone.iter().all(|own| !own.contains("this hero")), "{anyone:?}");
    for arguments in ["--own-hero", "--gold 4", "--hero gold=4"] {
        let found = messages(arguments);
        assert!(anyone.iter().all(|own| found.contains(own)), "{found:?}");
    }
    command("gamebook check", "lone-wolf-kai --own-hero").assert().failure().code(2);
    command("gamebook check", &format!("{book} --gold 99")).assert().failure().code(2);
}
