//! What reaches standard output and standard error: nothing that controls a terminal, and everything that is asked for there.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const BESTPLAY: &str = env!("CARGO_BIN_EXE_bestplay");

const MODEL: &str = "@type: MDP\n@parameters\n\n@reward_models\n\n@nr_states\n3\n@model\nstate 0 init\n\taction go\n\t\t1 : 1/2\n\t\t2 : 1/2\n\
    state 1 finished\n\taction 0\n\t\t1 : 1\nstate 2\n\taction 0\n\t\t2 : 1\n";

/// Runs a command in a folder, with this on standard input: its exit code, and what it wrote.
fn run(line: &str, folder: &Path, typed: &str) -> (Option<i32>, String, String) {
    // A blank within a word is written as a tilde.
    let words = line.split_whitespace().map(|word| word.replace('~', " "));
    let mut command = Command::new(BESTPLAY);
    command.args(words).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    // It may not want to hear so much.
    let _ = child.stdin.take().expect("a pipe").write_all(typed.as_bytes());
    let output = child.wait_with_output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Each of these is obeyed by some terminal, or changes how what stands beside it is read.
const THEIRS: &str = "\u{1b}]0;owned\u{7}\u{1b}[31m\u{9b}2J\u{202e}gnol\u{2066}\u{200f}\u{2028}\u{8}\u{7f}";

/// The same as books write it.
const AS_WRITTEN: &str = r"\u{1b}]0;owned\u{7}\u{1b}[31m\u{9b}2J\u{202e}gnol\u{2066}\u{200f}\u{2028}\u{8}\u{7f}";

fn is_harmless(text: &str) -> bool {
    let is_obeyed = |own: char| {
        own.is_control() && own != '\n' && own != '\t'
            || matches!(own, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
    };
    !text.contains(is_obeyed)
}

/// What a command writes is harmless; answers.
fn harmless(line: &str, folder: &Path, typed: &str) -> (Option<i32>, String) {
    let (code, stdout, stderr) = run(line, folder, typed);
    assert!(matches!(code, Some(0..=2)), "{line}: {code:?} {stderr}");
    assert!(is_harmless(&stdout), "{line}: {stdout:?}");
    assert!(is_harmless(&stderr), "{line}: {stderr:?}");
    assert!(!stderr.contains("made a mistake"), "{line}: {stderr}");
    if line.contains("json") && code == Some(0) {
        let _: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    }
    (code, stdout + &stderr)
}

/// Books, a series and a policy with these characters wherever they can stand.
fn write_books(folder: &Path) {
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
    let t = AS_WRITTEN;
    write(
        "lone.kdl",
        &format!(
            "book \"Lone {t}\" format=1 system=\"lone-wolf\"\nstart 1\ngoal 9\nitems {{ special ring; }}
            policy \"p {t}\" {{ never \"a {t}\"; }}
            hero {{ combat-skill 15; endurance 25; gold 3; }}
            section 1 {{ text \"say {t}\"; choice \"a {t}\" {{ goto 2; }}; choice \"b {t}\" {{ death \"d {t}\"; }}; }}
            section 2 {{ fight \"Wolf {t}\" skill=14 endurance=9 {{ }}; pick {{ when 0 3 {{ death \"lost {t}\"; }}; else {{ gain ring; }}; }};
                todo \"more {t}\"; goto 9; }}
            section 9 {{ victory; }}"
        ),
    );
    write(
        "own.kdl",
        &format!(
            "book \"Own {t}\" format=1 system=\"none\"\nstart \"Gate {t}\"\nstat skill start=7\ncounter coins max=9 start=3
            section \"Gate {t}\" {{ text \"say {t}\"; choice \"a {t}\" {{ goto \"End {t}\"; }};
                choice \"b {t}\" {{ roll 2d6 as=r {{ when \"r <= skill\" {{ goto \"End {t}\"; }}; else {{ death \"d {t}\"; }}; }}; }}; }}
            section \"End {t}\" {{ victory; }}"
        ),
    );
    write("series.kdl", &format!("series \"Both {t}\" format=1\nbook \"lone.kdl\"\nbook \"lone.kdl\"\n"));
    write("policy.kdl", &format!("policy \"mine {t}\" {{ always \"a {t}\"; always \"nothing {t}\"; }}"));
    // Wrong in every place that is shown.
    write(
        "wrong.kdl",
        &format!(
            "book \"Wrong {t}\" format=1 system=\"lone-wolf\" \"{t}\"=1\nstart 1\ngoal 9\nhero {{ \"{t}\" 1; items \"{t}\"; }}
            section 1 {{ \"{t}\" 5; gain \"{t}\" 2; if \"has {t}\" {{ goto \"{t}\"; }}; again \"{t}\"; }}"
        ),
    );
    write(
        "raw.kdl",
        &format!("book \"Raw\" format=1 system=\"lone-wolf\"\nstart 1\n// {THEIRS}\nsection 1 {{ {THEIRS} }}\n"),
    );
    write(&format!("{THEIRS}.kdl"), "book 7");
}

/// What is asked of a book, most of which tells what it says.
const OF_A_BOOK: [&str; 28] = [
    "solve BOOK",
    "solve BOOK --format json",
    "solve BOOK --explain-size",
    "sample BOOK --plays 20 --seed 1",
    "sample BOOK --plays 20 --seed 1 --format json",
    "readers BOOK",
    "readers BOOK --reader random",
    "series BOOK --plays 5",
    "solve BOOK --policy policy.kdl",
    "solve BOOK --policy nothing",
    "solve BOOK --start nowhere",
    "report BOOK",
    "report BOOK --format json",
    "advise BOOK --at 1",
    "sensitivity BOOK",
    "sensitivity BOOK --format json",
    "check BOOK",
    "check BOOK --format json",
    "check BOOK --own-hero",
    "compare BOOK lone.kdl",
    "compare BOOK own.kdl --format json",
    "compile BOOK",
    "heroes BOOK",
    "heroes BOOK --format json",
    "map BOOK",
    "map BOOK --format dot",
    "play BOOK --hints --seed 3",
    "play BOOK --picks typed --seed 3",
];

#[test]
fn a_book_has_no_power_over_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    write_books(folder.path());
    let typed = "hint\nsheet\n1\n\n1\n\n\n\n\n\n\n\n\n".repeat(4);
    for book in ["lone.kdl", "own.kdl"] {
        for line in OF_A_BOOK {
            let line = format!("gamebook {}", line.replace("BOOK", book));
            let (_, stdout) = harmless(&line, folder.path(), &typed);
            // It is shown, not left out.
            let is_shown =
                stdout.contains("u{1b}]0;owned") || stdout.contains("u001b]0;owned") || stdout.contains("]0;owned");
            assert!(is_shown || line != "gamebook solve lone.kdl", "{line}: {stdout}");
        }
    }
    for line in [
        "gamebook series series.kdl",
        "gamebook series series.kdl --format json",
        "gamebook play series.kdl --seed 1",
        "gamebook advise series.kdl --at 1",
        "gamebook check series.kdl",
        "gamebook solve wrong.kdl",
        "gamebook check wrong.kdl",
        "gamebook check wrong.kdl --format json",
        "gamebook check raw.kdl",
        "gamebook solve raw.kdl",
        "gamebook solve lone.kdl --policy raw.kdl",
    ] {
        harmless(line, folder.path(), &typed);
    }
    for line in [
        "gamebook check",
        "gamebook solve",
        "gamebook map",
        "mdp solve --goal x",
        "red-november routes",
        "slay-the-spire advise",
    ] {
        harmless(&format!("{line} {THEIRS}.kdl"), folder.path(), "");
        harmless(&format!("{line} no-{THEIRS}"), folder.path(), "");
        harmless(&format!("{line} {THEIRS}.kdl --{THEIRS}"), folder.path(), "");
    }
}

#[test]
fn models_and_boards_have_none_either() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    // Labels and actions of a model end at a blank or the end of the line, which some of these are.
    let name = THEIRS.replace(['\u{2028}', '\u{8}'], "");
    write(
        "m.drn",
        &MODEL.replace("finished", &format!("finished {name}")).replace("action go", &format!("action go{name}")),
    );
    write("wrong.drn", &MODEL.replace("1 : 1/2", &format!("1 : {name}")));
    write("p.prism", &format!("mdp\n// {THEIRS}\nmodule m\n x : [0..{THEIRS}];\nendmodule\n"));
    write("board.json", &format!("{{\"{name}\": 1, \"rooms\": \"{name}\"}}"));
    write("board.txt", &format!("fire {THEIRS}\n{THEIRS}\n{THEIRS}"));
    write("position.json", &format!("{{\"hp\": 10, \"{name}\": 1, \"enemies\": [{{\"kind\": \"{name}\"}}]}}"));
    write("table.csv", &format!("skill,{name},win,lower,upper\n7,{name},{name},0,1\n"));
    write("story.ink", &format!("Once {THEIRS}\n* go {THEIRS} -> x{THEIRS}\n-> END\n"));
    write(
        "story.twee",
        &format!(":: StoryTitle\nT {THEIRS}\n\n:: Start\nsay {THEIRS} [[go {THEIRS}->End]]\n\n:: End\nend\n"),
    );
    for line in [
        "mdp advise m.drn --goal finished",
        "mdp advise m.drn --goal finished --format json",
        "mdp solve m.drn --goal finished",
        "mdp solve m.drn --goal nothing",
        "mdp solve wrong.drn --goal finished",
        "mdp solve p.prism --goal x=1",
        "red-november routes board.json",
        "red-november routes board.txt",
        "red-november routes --board board.json",
        "red-november routes --board board.txt",
        "slay-the-spire advise position.json",
        "slay-the-spire replay position.json",
        "slay-the-spire solve --encounters position.json",
        "serve table.csv --port 0",
        "gamebook import ink story.ink",
        "gamebook import twee story.twee",
        "gamebook import ink story.ink -o book.kdl",
        "gamebook import twee story.twee -o other.kdl",
        "gamebook check book.kdl",
    ] {
        harmless(line, folder.path(), "");
    }
    harmless(&format!("mdp solve m.drn --goal {THEIRS}"), folder.path(), "");
    harmless(&format!("slay-the-spire solve --enemy {THEIRS}"), folder.path(), "");
    harmless(&format!("fighting-fantasy fight --skill 9 --stamina 4 --luck 8 --enemy {THEIRS}"), folder.path(), "");
}

/// Every option that names a file to be written: `-` is standard output, and no file is ever called so.
#[test]
fn a_hyphen_is_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("model.drn"), MODEL).unwrap();
    fs::write(folder.path().join("story.ink"), "Once.\n-> END\n").unwrap();
    let fight = "fighting-fantasy fight --skill 9 --stamina 4 --luck 8 --enemy 9/4";
    let hero = "gamebook heroes fire-on-the-water --start 33 --vary combat-skill=15 --vary endurance=25 \
        --disciplines hunting,healing,camouflage,tracking,mindblast";
    let heroes = "fighting-fantasy heroes --skill 8 --stamina 14 --luck 7 --enemy 9/6";
    for (line, words) in [
        ("mdp solve model.drn --goal finished --export-policy -", "state,choice,action"),
        ("mdp solve model.drn --goal finished --export-model -", "@type: MDP"),
        ("mdp solve model.drn --goal finished --all-states -", "state,lower,upper,exact"),
        ("mdp solve model.drn --goal finished --certificate -", "bestplay certificate 1"),
        (&format!("{fight} --export-model -"), "@type: MDP"),
        (&format!("{fight} --export-policy -"), "state,choice,action"),
        (&format!("{hero} --csv -"), "win,lower,upper"),
        (&format!("{hero} --svg -"), "<svg"),
        (&format!("{heroes} --csv -"), "win,lower,upper"),
        (&format!("{heroes} --svg -"), "<svg"),
        ("gamebook map fire-on-the-water -o -", "<svg"),
        ("gamebook map fire-on-the-water --output -", "<svg"),
        ("gamebook report fire-on-the-water --start 33 --no-worth -o -", "Fire on the Water"),
        ("gamebook export fire-on-the-water --html -", "<html"),
        ("gamebook export fire-on-the-water --twee -", ":: "),
        ("gamebook vary fire-on-the-water hero.gold=1,2 --start 33 --curve -", "<svg"),
        ("gamebook import ink story.ink -o -", "book "),
        ("red-november routes --svg -", "<svg"),
        ("slay-the-spire solve --enemy-hp 50 --export-model -", "@type: MDP"),
        ("slay-the-spire reward --cards anger --against cultist --deck strike=5 --csv -", "take,gain"),
    ] {
        let (code, stdout, stderr) = run(line, folder.path(), "");
        assert_eq!(code, Some(0), "{line}: {stderr}");
        assert!(stdout.contains(words), "{line}: {stdout}");
        assert!(!folder.path().join("-").exists(), "{line}");
    }
    // What is read as well as written is none.
    for line in [
        "gamebook series fire-on-the-water --state -",
        "gamebook heroes fire-on-the-water --state -",
        "fighting-fantasy heroes --skill 8 --enemy 9/6 --state -",
        "slay-the-spire reward --cards anger --against cultist --resume -",
    ] {
        let (code, _, stderr) = run(line, folder.path(), "");
        assert_eq!(code, Some(2), "{line}: {stderr}");
        assert!(!folder.path().join("-").exists(), "{line}");
    }
}
