//! `bestplay gamebook language-server` as an editor talks to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const BOOK: &str = "book \"D\u{1f409}\" format=1 system=\"lone-wolf\"\nstart 1\ngoal 3\n\
    hero { combat-skill 15; endurance 22; }\n\
    section 1 { choice \"\u{1f409} on\" { goto 2; }; }\n\
    section 2 { pick { when 0 3 { death; }; else { goto 3; }; }; }\n\
    section 3 { victory; }\n";

/// A server and what it says.
struct Server {
    process: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_bestplay"))
            .args(["gamebook", "language-server"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("started");
        let input = process.stdin.take();
        let output = process.stdout.take().expect("a pipe");
        let (sender, messages) = mpsc::channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let (mut length, mut line) = (0, String::new());
                while output.read_line(&mut line).unwrap_or(0) > 2 {
                    length = line.trim().strip_prefix("Content-Length: ").expect("a length").parse().expect("a number");
                    line.clear();
                }
                let mut body = vec![0; length];
                if length == 0 || output.read_exact(&mut body).is_err() {
                    return;
                }
                let _ = sender.send(serde_json::from_slice(&body).expect("JSON"));
            }
        });
        Self { process, input, messages }
    }

    /// One that has been introduced.
    fn ready(arguments: &[&str]) -> Self {
        let mut server = Self::start(arguments);
        server.ask(1, "initialize", &json!({ "processId": null, "rootUri": null, "capabilities": {} }));
        let can = server.answer(1)["result"]["capabilities"].clone();
        assert_eq!((&can["hoverProvider"], &can["definitionProvider"]), (&json!(true), &json!(true)));
        assert_eq!(can["textDocumentSync"]["change"], 2);
        server.tell("initialized", &json!({}));
        server
    }

    fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("written");
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    fn ask(&mut self, id: u64, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The next message for which this holds.
    fn next(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + Duration::from_mins(1);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let message = self.messages.recv_timeout(left).expect("it says something");
            assert_eq!(message["jsonrpc"], "2.0");
            if wanted(&message) {
                return message;
            }
        }
    }

    fn answer(&self, id: u64) -> Value {
        self.next(|message| message["id"] == id)
    }

    /// What is wrong with a version of the text: lines, columns, messages.
    fn problems(&self, version: u64) -> Vec<(u64, u64, u64, String)> {
        let shown = self.next(|message| {
            message["method"] == "textDocument/publishDiagnostics" && message["params"]["version"] == version
        });
        let own = |own: &Value| {
            let (start, end) = (&own["range"]["start"], &own["range"]["end"]);
            let message = own["message"].as_str().unwrap().lines().next().unwrap_or_default().to_string();
            let number = |own: &Value| own.as_u64().unwrap();
            (number(&start["line"]), number(&start["character"]), number(&end["character"]), message)
        };
        shown["params"]["diagnostics"].as_array().unwrap().iter().map(own).collect()
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "kdl", "version": 1, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    fn at(uri: &str, line: u64, character: u64) -> Value {
        json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } })
    }

    fn end(mut self, code: i32) {
        drop(self.input.take());
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            if let Some(status) = self.process.try_wait().expect("waited for") {
                assert_eq!(status.code(), Some(code));
                return;
            }
            assert!(Instant::now() < until, "it does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
    }
}

const URI: &str = "file:///books/a%20dragon.kdl";

#[test]
fn a_conversation() {
    let mut server = Server::ready(&["--odds-time", "20s", "--stdio"]);
    server.open(URI, BOOK);
    assert_eq!(server.problems(1), []);

    // The dragon is one character and two columns: the 2 of `goto 2` is behind it.
    let line = BOOK.lines().nth(4).unwrap();
    let column = line[..line.find("2;").unwrap()].encode_utf16().count() as u64;
    server.ask(2, "textDocument/definition", &Server::at(URI, 4, column));
    let place = server.answer(2)["result"].clone();
    assert_eq!(place["uri"], URI);
    let range = json!({ "start": { "line": 5, "character": 8 }, "end": { "line": 5, "character": 9 } });
    assert_eq!(place["range"], range);
    for (line, column) in [(4, 0), (0, 3), (999, 0), (4, 9999), (u64::from(u32::MAX), u64::from(u32::MAX))] {
        server.ask(3, "textDocument/definition", &Server::at(URI, line, column));
        assert_eq!(server.answer(3)["result"], Value::Null, "{line} {column}");
    }

    // Of a section that is named, and of the one that one is in.
    for (line, column, section, odds) in [(4, column, 2, "60.000 %"), (5, 20, 2, "60.000 %"), (6, 1, 3, "100.000 %")] {
        server.ask(4, "textDocument/hover", &Server::at(URI, line, column));
        let shown = server.answer(4)["result"]["contents"]["value"].as_str().unwrap().to_string();
        assert!(shown.contains(&format!("Section {section}")) && shown.contains(odds), "{shown}");
    }
    server.ask(5, "textDocument/hover", &Server::at(URI, 0, 0));
    assert_eq!(server.answer(5)["result"], Value::Null);

    // A slip behind the dragon: `goto 2` becomes `goto 7`.
    let here = json!({ "start": { "line": 4, "character": column }, "end": { "line": 4, "character": column + 1 } });
    let change =
        json!({ "textDocument": { "uri": URI, "version": 2 }, "contentChanges": [{ "range": here, "text": "7" }] });
    server.tell("textDocument/didChange", &change);
    let shown = server.problems(2);
    assert_eq!(shown, [(4, column, column + 1, "there is no section 7".to_string())]);
    server.ask(6, "textDocument/hover", &Server::at(URI, 4, column));
    let shown = server.answer(6)["result"]["contents"]["value"].as_str().unwrap().to_string();
    assert!(shown.contains("Section 7") && shown.contains("no odds before"), "{shown}");
    // And right again, as a whole.
    let change = json!({ "textDocument": { "uri": URI, "version": 3 }, "contentChanges": [{ "text": BOOK }] });
    server.tell("textDocument/didChange", &change);
    assert_eq!(server.problems(3), []);
    server.tell("textDocument/didSave", &json!({ "textDocument": { "uri": URI } }));
    assert_eq!(server.problems(3), []);
    server.tell("textDocument/didClose", &json!({ "textDocument": { "uri": URI } }));
    server.ask(7, "textDocument/hover", &Server::at(URI, 4, column));
    assert_eq!(server.answer(7)["error"]["code"], -32602);

    server.ask(8, "shutdown", &Value::Null);
    assert_eq!(server.answer(8)["result"], Value::Null);
    server.ask(9, "textDocument/hover", &Server::at(URI, 4, column));
    assert_eq!(server.answer(9)["error"]["code"], -32600);
    server.tell("exit", &Value::Null);
    server.end(0);
}

/// Odds that take long are abandoned when the text changes, when the editor cancels the request, and after their time.
#[test]
fn odds_that_take_long() {
    // More than can be looked at in time.
    let each = |line: &dyn Fn(u32) -> String| (1..=14).map(line).collect::<Vec<_>>();
    let counters = each(&|number| format!("counter c{number} max=9")).join("\n");
    let more = each(&|number| {
        let roll = format!("roll d6 as=r{number}; c{number} \"min(2, r{number})\"");
        format!("choice \"more {number}\" {{ require \"c{number} < 9\"; {roll}; again r; }}")
    });
    let (more, sum) = (more.join("\n"), each(&|number| format!("c{number} * {}", number % 5 + 1)).join(" + "));
    let stop = format!("choice \"stop\" {{ if \"{sum} = 97\" {{ victory; }}; death; }}");
    let head = "book B format=1 system=none\nstart 1";
    let text = format!("{head}\n{counters}\nsection 1 {{\nrepeat r {{\n{more}\n{stop}\n}}\n}}\n");
    let mut server = Server::ready(&["--odds-time", "500ms"]);
    server.open(URI, &text);
    let head = text.lines().position(|line| line.starts_with("section")).unwrap() as u64;
    server.ask(2, "textDocument/hover", &Server::at(URI, head, 8));
    let shown = server.answer(2)["result"]["contents"]["value"].as_str().unwrap().to_string();
    assert!(shown.contains("not known within 500ms"), "{shown}");
    drop(server);

    let mut server = Server::ready(&["--odds-time", "10min"]);
    server.open(URI, &text);
    server.ask(2, "textDocument/hover", &Server::at(URI, head, 8));
    server.tell("$/cancelRequest", &json!({ "id": 2 }));
    assert_eq!(server.answer(2)["error"]["code"], -32800);
    server.ask(3, "textDocument/hover", &Server::at(URI, head, 8));
    let change = json!({ "textDocument": { "uri": URI, "version": 2 }, "contentChanges": [{ "text": BOOK }] });
    server.tell("textDocument/didChange", &change);
    assert_eq!(server.answer(3)["error"]["code"], -32801);
    assert_eq!(server.problems(2), []);
    // No more than some at once.
    let change = json!({ "textDocument": { "uri": URI, "version": 3 }, "contentChanges": [{ "text": text }] });
    server.tell("textDocument/didChange", &change);
    for id in 10..15 {
        server.ask(id, "textDocument/hover", &Server::at(URI, head, 8));
    }
    assert_eq!(server.answer(10)["error"]["code"], -32802);
    server.ask(20, "shutdown", &Value::Null);
    assert_eq!(server.answer(11)["error"]["code"], -32802);
    assert_eq!(server.answer(20)["result"], Value::Null);
    server.tell("exit", &Value::Null);
    server.end(0);
}

#[test]
fn what_is_no_conversation() {
    let mut server = Server::start(&[]);
    server.ask(1, "textDocument/hover", &Server::at(URI, 0, 0));
    assert_eq!(server.answer(1)["error"]["code"], -32002);
    server.open(URI, BOOK);
    server.ask(2, "initialize", &json!(null));
    assert!(server.answer(2)["result"]["capabilities"].is_object());
    server.ask(3, "initialize", &json!({}));
    assert_eq!(server.answer(3)["error"]["code"], -32600);
    server.ask(4, "textDocument/formatting", &json!({}));
    assert_eq!(server.answer(4)["error"]["code"], -32601);
    for params in
        [json!(null), json!([]), json!({ "textDocument": 7 }), json!({ "textDocument": { "uri": "\u{0} :" } })]
    {
        server.ask(5, "textDocument/definition", &params);
        assert_eq!(server.answer(5)["error"]["code"], -32602, "{params}");
        server.tell("textDocument/didOpen", &params);
        server.next(|message| message["method"] == "window/showMessage");
    }
    let minus = json!({ "textDocument": { "uri": URI }, "position": { "line": -1, "character": 0 } });
    server.ask(6, "textDocument/hover", &minus);
    assert_eq!(server.answer(6)["error"]["code"], -32602);
    // What is none of ours, or no message at all, is passed over.
    server.tell("workspace/didChangeConfiguration", &json!({}));
    server.tell(
        "textDocument/didChange",
        &json!({ "textDocument": { "uri": "file:///other.kdl", "version": 1 }, "contentChanges": [] }),
    );
    server.send(&json!({ "jsonrpc": "2.0", "id": 77, "result": null }));
    for nonsense in [&b"{"[..], b"[1, 2]", b"\xff\xfe", b""] {
        server.raw(format!("Content-Length: {}\r\n\r\n", nonsense.len()).as_bytes());
        server.raw(nonsense);
        server.next(|message| message["method"] == "window/showMessage");
    }
    server.open(URI, "section {{{ \u{0} \"");
    assert!(!server.problems(1).is_empty());
    // What is no book either: a series, and nothing.
    server.open("untitled:1", "");
    assert!(!server.problems(1).is_empty());
    server.open("untitled:2", "series \"S\" format=1\n");
    assert!(!server.problems(1).is_empty());
    server.ask(8, "textDocument/hover", &Server::at("untitled:2", 0, 0));
    assert_eq!(server.answer(8)["result"], Value::Null);
    // A length that is none ends it: what follows cannot be understood.
    server.raw(b"Content-Length: soon\r\n\r\n{}");
    server.end(2);

    // An editor that goes away, and one that leaves without a word.
    Server::ready(&[]).end(1);
    let mut server = Server::ready(&[]);
    server.tell("exit", &Value::Null);
    server.end(1);
}
