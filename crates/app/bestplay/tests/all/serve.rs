//! `bestplay serve`: it says where it is, answers there, and refuses what it should.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use predicates::prelude::*;
use predicates::str::contains;

/// The example of the documentation.
const POSITION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/slay-the-spire/examples/turn-2.json");
/// A small book, and its text.
const BOOK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../explorer/tests/data/two-ways.kdl");
const TEXT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../explorer/tests/data/two-ways.xml");
/// Models.
const DRN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../engine/model-files/tests/data/random-2.drn");
const PRISM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../explorer/tests/data/coin.prism");
const BESTPLAY: &str = env!("CARGO_BIN_EXE_bestplay");

/// A server that ends with its test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn it_says_where_it_is_and_answers_there() {
    let mut command = Command::new(BESTPLAY);
    let mut server = Server(
        command
            .args(["serve", "--port", "0", POSITION, BOOK, "--text", TEXT, DRN, PRISM, "--const", "N=3"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command starts"),
    );
    let mut line = String::new();
    let output = server.0.stdout.take().expect("its output is piped");
    BufReader::new(output).read_line(&mut line).expect("it says a line");
    let host = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("it names its address");
    assert!(host.starts_with("127.0.0.1:"), "it listens on loopback: {line}");

    let page = get(host, "/");
    assert!(page.starts_with("HTTP/1.0 200") && page.contains("What are my odds"), "{page}");
    assert!(page.contains("href=\"/slay-the-spire/act-1?position="), "the file is on the page: {page}");
    let page = get(host, "/gamebook");
    assert!(page.contains("Two Ways (two-ways)") && page.contains("Fire on the Water"), "{page}");
    for book in ["warlock-of-firetop-mountain", "crypt-of-the-sorcerer"] {
        assert!(page.contains(book), "{page}");
        let page = get(host, &format!("/gamebook?book={book}"));
        assert!(page.starts_with("HTTP/1.0 200") && page.contains("\"skill="), "{page}");
    }

    let page = get(host, "/model");
    assert!(page.starts_with("HTTP/1.0 200") && page.contains("random-2.drn") && page.contains("coin.prism"), "{page}");

    // The port is taken now.
    let port = host.rsplit(':').next().expect("a port");
    let second = assert_cmd::Command::new(BESTPLAY).args(["serve", "--port", port]).assert();
    second.code(1).stderr(contains("cannot listen on 127.0.0.1").and(contains("--port 0")));
}

/// Memory of a process that is in use, in MiB.
#[cfg(target_os = "linux")]
fn resident(process: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("the system tells it");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") >> 10
}

#[cfg(all(target_os = "linux", feature = "mimalloc"))]
#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_memory_falls_when_nobody_asks() {
    let mut command = Command::new(BESTPLAY);
    command.args(["serve", "--port", "0", "--max-idle", "1"]).stdout(Stdio::piped());
    let mut server = Server(command.spawn().expect("the command starts"));
    let mut line = String::new();
    let output = server.0.stdout.take().expect("its output is piped");
    BufReader::new(output).read_line(&mut line).expect("it says a line");
    let host = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("it names its address");
    get(host, "/gamebook");
    let before = resident(&server.0);
    for skill in [14, 15] {
        let body = format!(r#"{{"book":"the-chasm-of-doom","hero":{{"combat_skill":{skill}}}}}"#);
        let mut stream = TcpStream::connect(host).expect("it listens");
        let head = "POST /api/1/gamebook/solve HTTP/1.0\r\nContent-Type: application/json";
        write!(stream, "{head}\r\nHost: {host}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        assert!(answer.starts_with("HTTP/1.0 200"), "{}", answer.lines().next().unwrap_or_default());
    }
    let after = resident(&server.0);
    assert!(after > before + 40, "solving took {before} to {after} MiB, too little to tell");
    // What was solved is not asked for any more: most of what it took goes back to the system.
    let enough = before + (after - before) * 3 / 10;
    let mut last = after;
    for _ in 0..120 {
        last = resident(&server.0);
        if last <= enough {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(250));
    }
    panic!("{before} MiB before, {after} after solving, {last} half a minute later; {enough} would be right");
}

fn get(host: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(host).expect("it listens");
    write!(stream, "GET {path} HTTP/1.0\r\nHost: {host}\r\n\r\n").expect("it reads");
    let mut page = String::new();
    stream.read_to_string(&mut page).expect("it answers");
    page
}

#[test]
fn books_and_texts_that_are_none() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("the file is written");
        path
    };
    let book = file("broken.kdl", "book \"Broken\" format=1 rules=\"lone-wolf\"\nstart 1\nsection 1 { goto 7; }");
    let junk = file("junk.xml", "<a <b");
    let drn = file("junk.drn", "@type: SMG");
    let empty = file("empty.xml", "<gamebook></gamebook>");
    for (arguments, message) in [
        (vec![book.as_path()], "errors"),
        (vec!["nowhere.kdl".as_ref()], "there is no book"),
        (vec!["--text".as_ref(), junk.as_path()], "is no text of a gamebook"),
        (vec!["--text".as_ref(), empty.as_path()], "it has no numbered sections"),
        (vec!["--text".as_ref(), "nowhere.xml".as_ref()], "cannot read nowhere.xml"),
        (vec!["--text".as_ref(), folder], "cannot read"),
        (vec!["nowhere.drn".as_ref()], "cannot be read"),
        (vec![drn.as_path()], "line 1"),
        (vec![PRISM.as_ref()], "the constant `N` has no value"),
        (vec![PRISM.as_ref(), "--const".as_ref(), "N".as_ref()], "--const N"),
        (vec![DRN.as_ref(), "--const".as_ref(), "N=3".as_ref()], "no PRISM model is named"),
    ] {
        assert_cmd::Command::new(BESTPLAY).arg("serve").args(arguments).assert().code(2).stderr(contains(message));
    }
}

#[test]
fn wrong_arguments() {
    for arguments in [
        ["--port", "70000"],
        ["--listen", "nowhere"],
        ["--max-memory", "much"],
        ["--max-solves", "0"],
        ["--max-connections", "0"],
        ["--max-arrival", "0"],
        [POSITION, "nowhere.json"],
        [POSITION, concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")],
    ] {
        assert_cmd::Command::new(BESTPLAY).arg("serve").args(arguments).assert().code(2);
    }
}
