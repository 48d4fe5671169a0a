//! `bestplay gamebook import`.

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

fn import(arguments: &[&str], xml: &[u8]) -> assert_cmd::assert::Assert {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
    command.args(["gamebook", "import", "project-aon"]).args(arguments).write_stdin(xml).assert()
}

const BOOK: &[u8] = b"<gamebook><meta><title>Doors</title></meta>
    <section class='numbered' id='sect1'><data><choice idref='sect2'>Turn to 2.</choice></data></section>
    <section class='numbered' id='sect2'><data><p>You lose your Backpack.</p></data></section></gamebook>";

#[test]
fn a_book_and_its_summary() {
    import(&["-"], BOOK).success().stdout(contains("section 1 { goto 2; }"));
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("import-doors.kdl");
    let file = path.to_str().unwrap();
    import(&["-", "-o", file], BOOK).success().stdout(contains("2 sections, 1 choices").and(contains("look at: 2")));
    let json = import(&["-", "-o", file, "--format", "json"], BOOK).success().get_output().stdout.clone();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!((&json["title"], &json["todos"][0]["section"]), (&"Doors".into(), &2.into()));
    assert!(std::fs::read_to_string(&path).unwrap().contains("todo "));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn files_that_are_none() {
    import(&["-"], b"<gamebook/>").code(2).stderr(contains("no numbered sections"));
    import(&["-"], &b"<i>".repeat(1000)).code(2).stderr(contains("64 deep"));
    import(&["no-such-file.xml"], b"").code(2).stderr(contains("no-such-file.xml"));
    import(&["-", "--mechanics", "x.xml"], b"").code(2).stderr(contains("--objects"));
}

#[test]
fn stories_become_books() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../stories/import/tests/data");
    let output = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("story.kdl");
    for (format, file, trust) in [
        ("twee", "mill-harlowe.twee", "the story's as long as"),
        ("twee", "mill-sugarcube.twee", "the story's as long as"),
        ("ink", "mill.ink", "the odds of the book are the story's"),
    ] {
        let bestplay = || Command::new(env!("CARGO_BIN_EXE_bestplay"));
        let expected =
            bestplay().args(["gamebook", "import", format]).arg(folder.join(file)).arg("-o").arg(&output).assert();
        expected.success().stdout(contains(trust));
        bestplay().args(["gamebook", "readers"]).arg(&output).assert().success();
        bestplay().args(["gamebook", "import", format, "-"]).write_stdin([0xff]).assert().code(2);
    }
}

#[test]
fn a_story_in_ink_that_becomes_no_book_is_refused() {
    let import = |text: &str, args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
        command.args(["gamebook", "import", "ink", "-"]).args(args).write_stdin(text.to_owned()).assert()
    };
    let endless = "VAR n = 0\n-> road\n== road\n~ n = n + 1\n+ [{n}] -> road\n+ [rest] -> END\n";
    import(endless, &[]).code(2).stderr(contains("more than 5000 situations").and(contains("`gamebook solve`")));
    let coin = "* heads -> won\n* tails -> END\n== won\n-> END\n";
    import(coin, &["--goal", "won"]).success().stdout(contains("victory"));
    import(coin, &["--goal", "won", "--goal", "x"]).code(2).stderr(contains("won or x"));
    import("* a -> nowhere\n", &[]).code(2).stderr(contains("nowhere"));
}

/// No odds pass for the story's where something was left out that could change them.
#[test]
fn a_story_of_which_something_is_left_out_is_a_draft() {
    let import = |text: &str, args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
        command.args(["gamebook", "import", "twee", "-"]).args(args).write_stdin(text.to_owned()).assert()
    };
    let plain = ":: Start\n[[on|End]]\n:: End\nDone.\n";
    let left = ":: Start\n<<mystery 3>>\n[[on|End]]\n:: End\nDone.\n";
    import(plain, &[]).success().stderr(contains("the odds of the book are the story's"));
    import(left, &[]).code(1).stderr(contains("left out: the odds of the book are not the story's"));
    import(left, &["--draft"]).success().stderr(contains("not the story's"));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("story.kdl");
    let json = import(left, &["--draft", "--format", "json", "-o", file.to_str().expect("a name")]).success();
    let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).expect("JSON");
    assert_eq!(json["odds"], "not-the-story's");
    let solved = Command::new(env!("CARGO_BIN_EXE_bestplay")).args(["gamebook", "solve"]).arg(&file).assert();
    solved.success().stdout(contains("the odds are not the book's").or(contains("draft")));
}
