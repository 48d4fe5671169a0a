//! `bestplay gamebook play` as a user, or a script, meets it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

/// Left wins with 4 numbers of ten, right with 72 of a hundred after a fight that cannot be lost; waiting asks again.
const DOORS: &str = r#"
book "Doors" format=1 rules="lone-wolf"
start 1
goal 9
hero { combat-skill 15; endurance 25; gold 5; items sword; }
items { weapon sword; }
flags warned
section 1 {
    choice "the left door" { goto 2; }
    choice "the right door" { lose gold 2; goto 3; }
    choice "wait" { set warned; goto 4; }
}
section 2 { pick { when 0 3 { goto 9; }; else { death "a pit"; }; }; }
section 3 {
    fight "Rat" skill=10 endurance=2 { untouchable; }
    pick mine=1 his=1 {
        when "mine + his <= 11" { gain gold 1; goto 9; }
        else { death "a trap"; }
    }
}
section 4 { choice "go on" { goto 1; }; }
section 9 { victory; }
"#;

/// A book file of this test.
fn book(name: &str, text: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("play-{name}.kdl"));
    fs::write(&file, text).expect("written");
    file
}

fn command(file: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
    command.args(["gamebook", "play"]).arg(file).args(arguments.split_whitespace()).timeout(Duration::from_mins(1));
    command
}

/// What is shown when these lines are typed.
fn played(file: &Path, arguments: &str, input: &str) -> String {
    let output = command(file, arguments).write_stdin(input).assert().success().stderr("");
    String::from_utf8(output.get_output().stdout.clone()).expect("UTF-8")
}

#[test]
fn wins_and_deaths_by_typed_numbers() {
    let file = book("ends", DOORS);
    let won = played(&file, "--picks typed", "1\n3\nq\n");
    assert!(won.contains("Pick a number from 0 to 9. Enter rolls."), "{won}");
    assert!(
        won.contains("Picked 3\n\nSection 9\n\nYou have won in section 9, with endurance 25, 5 gold, sword."),
        "{won}"
    );
    let dead = played(&file, "--picks typed", "1\n4\n");
    assert!(dead.contains("You are dead, or have failed, in section 2 (a pit).\nundo, restart or quit?"), "{dead}");
    // A fight, then two numbers at once.
    let right = played(&file, "--picks typed", "2\n0\n9 2\n");
    assert!(right.contains("Rat: combat skill 10, endurance 2, ratio +5; your endurance: 25"), "{right}");
    assert!(right.contains("you lose 0, Rat loses"), "{right}");
    assert!(right.contains("gold -2\n\nSection 3"), "{right}");
    assert!(right.contains("Pick 2 numbers from 0 to 9 (1 for mine, 1 for his). Enter rolls."), "{right}");
    assert!(
        right.contains("Picked 9 2\n  gold +1\n\nSection 9\n\nYou have won in section 9, with endurance 25, 4 gold"),
        "{right}"
    );
}

#[test]
fn undo_and_restart() {
    let file = book("undo", DOORS);
    let text = played(&file, "--picks typed", "undo\n1\n4\nu\n0\nundo\nundo\n3\n\nsheet\nrestart\nsheet\nq\n");
    assert!(text.contains("There is nothing to take back."), "{text}");
    let (dead, won) = (text.find("You are dead").unwrap(), text.find("You have won").unwrap());
    assert!(dead < won);
    // The second undo leads back before the answer: another one is given, and noted until everything begins again.
    assert_eq!(text.matches("noted: warned").count(), 1, "{text}");
    assert_eq!(text.matches("combat skill 15, endurance 25 of 25, 5 gold\n").count(), 2, "{text}");
    // Rolled numbers are taken back with the answer, and come again.
    let rolled = played(&file, "--seed 3", "1\nu\n1\nu\n2\n");
    let picked: Vec<&str> = rolled.lines().filter(|line| line.contains("Picked")).collect();
    assert_eq!(picked[0], picked[1], "{rolled}");
    assert_eq!(rolled.matches("the left door").count(), 3, "{rolled}");
}

/// `hint` shows what `advise` shows, best first.
#[test]
fn hints_agree_with_advise() {
    let file = book("hints", DOORS);
    let output = Command::new(env!("CARGO_BIN_EXE_bestplay"))
        .args(["gamebook", "advise", "--at", "1", "--exact", "--format", "json"])
        .arg(&file)
        .assert()
        .success();
    let advice: Value = serde_json::from_slice(&output.get_output().stdout).expect("JSON");
    let expected: Vec<(String, String)> = advice["choices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|choice| {
            let label = format!("{} (to {})", choice["label"].as_str().unwrap(), choice["section"]);
            (format!("{:.3} %", 100.0 * choice["win"]["decimal"].as_f64().unwrap()), label)
        })
        .collect();
    let text = played(&file, "--picks typed --exact", "hint\n1\nhint\n3\nhint\n");
    assert_eq!(advice["win"]["exact"], "18/25");
    assert!(text.contains("You win with probability 72.000 %  (18/25)"), "{text}");
    let mut rest = text.as_str();
    for (win, label) in &expected {
        let line = rest.lines().find(|line| line.contains(win) && line.contains(label)).expect("a line of it");
        rest = &rest[rest.find(line).unwrap()..];
    }
    assert_eq!(expected.len(), 3);
    // Before a roll, each number; after the end, the end.
    assert!(text.contains("   3    100.000 %  to 9\n   4      0.000 %  death\n"), "{text}");
    assert!(text.contains("You win with probability 100.000 %  (1/1)\n> \n"), "{text}");
    // The same at every question, if wished.
    let text = played(&file, "--hints", "");
    assert!(text.contains("(you win with probability 72.000 %)"), "{text}");
    assert!(text.contains("   2  *   72.000 %  the right door (to 3)"), "{text}");
}

/// Three answers of equal worth, and one that is worth 10^-15 less.
#[test]
fn hints_mark_the_answer_to_give_and_those_that_are_equal() {
    for book in ["equal-ways", "equal-ways-none"] {
        let file =
            PathBuf::from(format!("{}/../../gamebook/gamebook/tests/books/{book}.kdl", env!("CARGO_MANIFEST_DIR")));
        for arguments in ["--hints", "--hints --exact"] {
            let text = played(&file, arguments, "hint\n");
            let with = |label: &str, mark: &str| {
                text.lines().filter(|line| line.contains(label) && line.contains(mark)).count()
            };
            // Once beside the question, once as the hint that was asked for.
            for (label, stars, equal) in
                [("left", 2, 0), ("middle", 0, 2), ("right", 0, 2), ("nearly", 0, 0), ("home", 0, 0)]
            {
                assert_eq!((with(label, " * "), with(label, "[equal]")), (stars, equal), "{label}: {text}");
            }
        }
    }
}

#[test]
fn a_seed_decides_what_is_rolled() {
    let file = book("seed", DOORS);
    let plays: Vec<String> = (0..20).map(|seed| played(&file, &format!("--seed {seed}"), "1\n")).collect();
    assert_eq!(plays[7], played(&file, "--seed 7", "1\n"));
    // Hints do not touch the dice.
    let hinted = played(&file, "--seed 7", "h\n1\n");
    let picked = |text: &str| text.lines().find(|line| line.contains("Picked")).map(str::to_string);
    assert!(picked(&hinted).is_some() && picked(&hinted) == picked(&plays[7]));
    let won = plays.iter().filter(|text| text.contains("You have won")).count();
    assert!(won > 2 && won < 18, "{won} of 20");
    // A play without `--seed` shows which seed it used.
    let text = played(&file, "", "1\n");
    let seed = text.lines().find_map(|line| line.trim().strip_prefix("seed ")).unwrap().split(';').next().unwrap();
    assert_eq!(text, played(&file, &format!("--seed {seed}"), "1\n"));
}

#[test]
fn what_cannot_be_is_asked_again() {
    let file = book("wrong", DOORS);
    let wrong = ["0", "4", "-1", "1 2", "99999999999999999999", "fly", "", "roll", "\u{1b}[2J\u{7}", "1.5", "éßß∞"];
    let text = played(&file, "", &format!("{}\n1\n", wrong.join("\n")));
    assert_eq!(text.matches("Type a number from 1 to 3, or help.").count(), wrong.len(), "{text}");
    assert!(text.contains("`fly` is no answer."), "{text}");
    assert!(!text.contains('\u{1b}') || text.contains("is no answer"), "{text}");
    let text = played(&file, "--picks typed", "1\n10\n300\n3 3\nx\nhelp\n2\n");
    assert_eq!(text.matches("Pick a number from 0 to 9, or press Enter.").count(), 4, "{text}");
    assert!(text.contains("take the last answer or roll back") && text.contains("You have won"), "{text}");
    // After the end nothing goes on but what is offered.
    let text = played(&file, "--picks typed", "1\n3\n1\n\nr\nre\nq\n");
    assert_eq!(text.matches("It is over:").count(), 3, "{text}");
    assert_eq!(text.matches("Section 1\n").count(), 2, "{text}");
}

#[test]
fn any_input_ends_well() {
    let file = book("junk", DOORS);
    let text = played(&file, "", "");
    assert!(text.ends_with("3  wait (to 4)\n> \n"), "{text}");
    // No end of the line, no text at all, a line of a megabyte.
    assert!(played(&file, "--picks typed", "1\n3").contains("You have won"));
    let mut junk: Vec<u8> = (0..=255u8).cycle().take(5_000).collect();
    junk.extend(b"\n");
    junk.resize(1_000_000, b'1');
    junk.extend(b"\n1\n");
    command(&file, "--picks typed").write_stdin(junk).assert().success().stdout(contains("Pick a number"));
}

/// A play that rolls for ever is asked from time to time whether it goes on.
#[test]
fn loops_end() {
    let file = book(
        "loop",
        r#"
        book "Loop" format=1 rules="lone-wolf"
        start 1
        goal 2
        hero { combat-skill 15; endurance 25; }
        counter steps max=9
        section 1 { pick as=n { }; set steps n; goto 3; }
        section 2 { victory; }
        section 3 { if "steps >= 0" { goto 1; }; else { goto 2; }; }
    "#,
    );
    let text = played(&file, "--seed 1", "\n");
    assert!(text.len() < 100_000 && (text.contains("Enter rolls.") || text.contains("for ever")), "{text}");
}

#[test]
fn what_cannot_be_played() {
    let file = book("failures", DOORS);
    let fails = |file: &Path, arguments: &str, message: &str| {
        command(file, arguments).write_stdin("1\n").assert().code(2).stdout("").stderr(contains(message));
    };
    fails(Path::new("-"), "", "the book cannot come from standard input");
    fails(Path::new("no-such.kdl"), "", "there is no book `no-such.kdl`");
    fails(&file, "--combat-skill 25", "10 to 19");
    fails(&file, "--start 77", "there is no section 77");
    fails(&file, "--picks guessed", "rolled, typed");
    fails(&book("broken", "book"), "", "error");
    // A limit stops the hint, and says so.
    command(&file, "--max-states 1")
        .write_stdin("hint\n")
        .assert()
        .code(1)
        .stderr(contains("--max-states").or(contains("states")));
}

/// A system of rules of its own: an urn, percent dice, a fight of two who roll, flags, and sections with names.
const URN: &str = r#"
book "Urn" format=1 system="none"
start "Gate"
stat body start=9 initial=#true vital=#true
stat wits start=40 max=100
counter red max=3 start=1
counter black max=3 start=2
flags mapped
item rope max=1 start=1
enemy-stat skill
enemy-stat stamina vital=#true
fight-system {
    round {
        roll 2d6 as=mine
        roll 2d6 as=theirs
        if "mine + 5 > theirs + enemy.skill" { enemy.stamina -2; }
        else { body -2; }
    }
}
section "Gate" {
    choice "search" {
        roll d100 as=r {
            when "r <= wits" { set mapped; goto "Road"; }
            else { body -2; goto "Gate"; }
        }
    }
    choice "fight" { fight "Orc" skill=4 stamina=4; goto "Road"; }
}
section "Road" {
    draw {
        red { red -1; death "a fall"; }
        black { black -1; }
        else { }
    }
    if "mapped" { goto "End"; }
    choice "back" { goto "Gate"; }
}
section "End" { victory; }
"#;

#[test]
fn a_system_of_rules_is_shown_in_its_own_terms() {
    let file = book("urn-terms", URN);
    let shown = played(&file, "--picks typed --seed 3", "sheet\n1\nhint\n101\n41\nsheet\n1\n40\nsheet\n2\nq\n");
    for part in [
        "  body 9 of 9, wits 40, red 1, black 2\n  items: rope\n",
        "Roll d100 for r. Type what it shows. Enter rolls.",
        // What each number of the dice brings, and where it leads.
        "\n1-40     66.667 %  mapped, to Road\n",
        "  body -2, to Gate\n",
        "  Rolled r 41\n  body -2\n",
        "  body 7 of 9, wits 40, red 1, black 2\n",
        "  Rolled r 40\n  mapped\n",
        "  noted: mapped\n",
        "   1    33.333 %  red: death",
        "   2    66.667 %  black: black -1, to End",
        "You have won in section End",
    ] {
        assert!(shown.contains(part), "{part:?} in {shown}");
    }
    // 101 cannot be rolled, and is asked again.
    assert!(shown.contains("Type what the dice show, or press Enter."), "{shown}");
    assert!(!shown.contains("endurance") && !shown.contains("1000"), "{shown}");
}

#[test]
fn dice_are_typed_one_by_one_or_as_sums() {
    let file = book("urn-dice", URN);
    let shown = played(&file, "--picks typed", "2\n7 3 1 1\n6 5 1 1\n2 12\n1 2 3\n12 2\nq\n");
    for part in [
        "  Orc: skill 4, stamina 4\n  you: body 9\nRoll 2d6 for mine, 2d6 for theirs. \
         Type what the 4 dice show, or the 2 sums. Enter rolls.",
        "  Rolled mine 6 + 5 = 11, theirs 1 + 1 = 2\n",
        "  Orc: skill 4, stamina 2\n  you: body 9\n",
        "  Rolled mine 2, theirs 12\n  body -2\n",
        "  Orc: skill 4, stamina 2\n  you: body 7\n",
        "  Rolled mine 12, theirs 2\n\nSection Road\n",
    ] {
        assert!(shown.contains(part), "{part:?} in {shown}");
    }
    // No die shows 7, and three numbers are neither dice nor sums.
    assert_eq!(shown.matches("or press Enter.").count(), 2, "{shown}");
}

#[test]
fn dice_of_a_system_are_rolled_by_the_seed() {
    let file = book("urn-seed", URN);
    let first = played(&file, "--seed 5", "2\nundo\n2\nq\n");
    assert_eq!(first, played(&file, "--seed 5", "2\nundo\n2\nq\n"));
    let rolls: Vec<&str> = first.lines().filter(|line| line.starts_with("  Rolled mine")).collect();
    // The same answer brings the same rolls again.
    assert!(rolls.len() >= 4 && rolls.len().is_multiple_of(2), "{first}");
    assert_eq!(rolls[..rolls.len() / 2], rolls[rolls.len() / 2..]);
}

#[test]
fn a_book_with_its_text_is_reported() {
    let text = DOORS.replace(
        "section 1 {\n",
        "section 1 {\n    text \"\"\"\n        Two doors. \\u{1b}[31mOne is <b>red</b>.\n\n        Which?\n        \"\"\"\n",
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
    command
        .args(["gamebook", "play", "--seed", "1"])
        .arg(book("with-text", &text))
        .write_stdin("")
        .assert()
        .success()
        .stdout(
            contains("Section 1\n\n  Two doors. [31mOne is <b>red</b>.\n\n  Which?\n").and(contains("\u{1b}").not()),
        );
}

#[test]
fn a_book_is_exported_as_a_page() {
    let page = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("export.html");
    let export = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
        command.args(["gamebook", "export"]).arg(book("exported", DOORS)).args(arguments).assert()
    };
    let _ = fs::remove_file(&page);
    let file = page.to_str().expect("its name is text");
    export(&["--html", file]).success().stdout("");
    let written = fs::read_to_string(&page).expect("the page");
    assert!(written.starts_with("<!doctype html>") && written.contains("the left door"));
    let twee = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("export.twee");
    export(&["--twee", twee.to_str().expect("its name is text")]).success().stdout(contains("section 3: a fight"));
    assert!(fs::read_to_string(&twee).expect("the story").contains("<<link \"the left door\">>"));
    export(&[]).code(2).stderr(contains("--html"));
    export(&["--html", file, "--combat-skill", "99"]).code(2);
    assert_eq!(fs::read_to_string(&page).expect("the page"), written);
}
