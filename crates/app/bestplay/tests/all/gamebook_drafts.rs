//! Drafts: every output with odds of an unfinished book says so.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{command, json, stdout};

const DRAFT_NOTE: &str = "draft: 2 todos, 1 section not written yet; these odds are not the book's";

/// A book with a todo that every play visits, a todo that none does, and a section that is only named.
const DRAFT: &str = "book \"Draft\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 2\n\
    hero { combat-skill 15; endurance 25; learns 1; disciplines hunting; }\nstub 4\n\
    section 1 { todo \"what the guard wants\"; choice \"left\" { goto 2; }; choice \"right\" { pick { when 0 4 { goto 2; }; else { goto 4; }; }; }; }\n\
    section 2 { victory; }\nsection 3 { todo \"nobody comes here\"; goto 2; }\n";

fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

fn is_marked(answer: &Value) {
    assert_eq!(
        (&answer["draft"], &answer["todos"], &answer["stubs"]),
        (&true.into(), &2.into(), &1.into()),
        "{answer}"
    );
}

#[test]
fn every_answer_about_a_draft_says_that_it_is_one() {
    let draft = file("draft.kdl", DRAFT);
    let draft = draft.display();
    for (words, arguments) in [
        ("gamebook solve", format!("{draft}")),
        ("gamebook solve", format!("{draft} --exact")),
        ("gamebook readers", draft.to_string()),
        ("gamebook bound", format!("{draft} gold")),
        ("gamebook sample", format!("{draft} --plays 100")),
        ("gamebook vary", format!("{draft} hero.endurance=24,25")),
        ("gamebook report", format!("{draft} --no-worth")),
        ("gamebook sensitivity", format!("{draft} --resolve 1")),
        ("gamebook heroes", format!("{draft} --disciplines hunting --vary combat-skill=15 --vary endurance=25")),
        ("gamebook advise", format!("{draft} --at 1")),
    ] {
        let text = stdout(words, &arguments);
        assert!(text.starts_with(&format!("{DRAFT_NOTE}\n")), "{words} {arguments}: {text}");
        is_marked(&json(words, &arguments));
    }
    let text = stdout("gamebook series", &format!("{draft} --plays 10"));
    assert!(text.contains("draft: 2 todos, 1 section not written yet in "), "{text}");
    let compared = json("gamebook compare", &format!("{draft} {draft}"));
    compared["drafts"].as_array().unwrap().iter().for_each(is_marked);
    assert_eq!(stdout("gamebook compare", &format!("{draft} {draft}")).matches(DRAFT_NOTE).count(), 2);
    assert!(stdout("gamebook map", &format!("{draft} --solve")).contains("draft: 2 todos"));
    assert!(!stdout("gamebook map", &draft.to_string()).contains("draft: 2 todos"));
    let played = command("gamebook play", &format!("{draft} --seed 1")).write_stdin("hint\nquit\n").assert().success();
    let played = String::from_utf8(played.get_output().stdout.clone()).unwrap();
    assert!(played.starts_with(DRAFT_NOTE), "{played}");
    let win = played.lines().find(|line| line.contains("You win with probability")).unwrap();
    assert!(win.contains(DRAFT_NOTE), "{played}");
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("draft.html");
    stdout("gamebook report", &format!("{draft} --no-worth -o {}", page.display()));
    assert!(fs::read_to_string(page).unwrap().contains("these odds are not the book"));
}

#[test]
fn a_finished_book_is_no_draft() {
    let finished = DRAFT.replace("todo \"what the guard wants\"; ", "").replace("todo \"nobody comes here\"; ", "");
    let finished = finished.replace("stub 4\n", "section 4 { death \"x\"; }\n");
    let finished = file("finished.kdl", &finished);
    let answer = json("gamebook solve", &finished.display().to_string());
    assert!(answer.get("draft").is_none() && answer.get("todos").is_none(), "{answer}");
    assert!(!stdout("gamebook solve", &finished.display().to_string()).contains("draft"));
}

#[test]
fn a_series_says_in_which_book_something_is_to_do() {
    let series =
        "series \"Two\" format=1\nbook \"first-draft.kdl\"\nbook \"later.kdl\" { begin { todo \"what is sold\"; }; }\n";
    file("first-draft.kdl", DRAFT);
    file("later.kdl", &DRAFT.replace("stub 4\n", "section 4 { death \"x\"; }\n"));
    let series = file("drafts.kdl", series);
    let series = series.display().to_string();
    let text = stdout("gamebook series", &series);
    let note = "draft: 2 todos, 1 section not written yet in first-draft.kdl, 3 todos in later.kdl; these odds are not the series'";
    assert!(text.contains(note), "{text}");
    let answer = json("gamebook series", &series);
    assert_eq!((&answer["todos"], &answer["stubs"]), (&5.into(), &1.into()), "{answer}");
    assert_eq!((&answer["books"][0]["todos"], &answer["books"][1]["todos"]), (&2.into(), &3.into()), "{answer}");
    assert!(stdout("gamebook advise", &format!("{series} --at 1")).starts_with("draft: 5 todos"));
}
