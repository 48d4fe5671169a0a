//! Questions to the pages' endpoints, as JSON, over real connections.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::OnceLock;

use explorer::{Ceilings, OfferedBook, Options, Server};
use serde_json::Value;

use crate::{Corpus, Target, Verdict, root};

/// Whatever is asked, the answer is JSON of the documented form: what was asked for, or a problem with a help, which is
/// not the server's own. The first line of an input is the endpoint, the rest the body.
pub const TARGET: Target = Target {
    name: "question",
    corpus: &[Corpus::Files { folder: "fuzz/corpus/question", ending: ".txt" }],
    words: &[
        "\"book\":",
        "\"section\":",
        "\"hero\":{",
        "\"goals\":[",
        "\"flags\":[",
        "\"skill\":",
        "\"stamina\":",
        "\"luck\":",
        "\"enemies\":[",
        "\"board\":",
        "\"rooms\":",
        "\"turn\":",
        "\"health\":",
        "\"deck\":{",
        "\"hand\":{",
        "\"objective\":\"survival\"",
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "null",
        "true",
        "1e9",
        "-1",
    ],
    longest: 4_000,
    check,
};

/// So that no question takes long.
const CEILINGS: Ceilings = Ceilings {
    body: 3_000,
    states: 5_000,
    memory: 32 << 20,
    solves: 1,
    waiting: 8,
    shelf: 0,
    solved: 0,
    connections: 8,
    arrival: std::time::Duration::from_secs(5),
    idle: std::time::Duration::from_mins(10),
};

/// The host and port of the server that is asked.
fn host() -> &'static str {
    static HOST: OnceLock<String> = OnceLock::new();
    HOST.get_or_init(|| {
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let path = root().join("crates/app/explorer/tests/data/two-ways.kdl");
            let text = std::fs::read_to_string(path).expect("the book is there");
            let books = vec![OfferedBook::new("two-ways.kdl", &text).expect("the book is right")];
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let options = Options { port: 0, books, ceilings: CEILINGS, ..Options::default() };
                let server = Server::bind(options).await.expect("a port is free");
                let host = server.host().to_string();
                sender.send(host).expect("it is waited for");
                server.run().await.expect("the server runs");
            });
        });
        receiver.recv().expect("the server starts")
    })
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let (path, body) = input.split_at(input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len()));
    let path: String = path
        .iter()
        .map(|byte| char::from(*byte))
        .filter(|letter: &char| letter.is_ascii_alphanumeric() || "/-".contains(*letter))
        .collect();
    let (status, answer) = ask(&path, body).map_err(|error| format!("no answer: {error}"))?;
    let json: Value = serde_json::from_slice(&answer).map_err(|error| format!("status {status}, no JSON: {error}"))?;
    if json["format"] != 1 {
        return Err(format!("no format: {json}"));
    }
    match status {
        200 => Ok(Verdict::Accepted),
        400..500
            if json["error"]["status"] == status
                && json["error"]["help"].as_str().is_some_and(|help| !help.is_empty()) =>
        {
            Ok(Verdict::Refused)
        }
        _ => Err(format!("status {status}: {json}")),
    }
}

/// The status and the body of the answer. HTTP/1.0 has the answer end with the connection.
fn ask(path: &str, body: &[u8]) -> std::io::Result<(u16, Vec<u8>)> {
    let host = host();
    let mut stream = TcpStream::connect(host)?;
    write!(
        stream,
        "POST /api/1/{path} HTTP/1.0\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )?;
    // A server that has read enough may close before it has read all.
    let _ = stream.write_all(body);
    let mut reply = Vec::new();
    let _ = stream.read_to_end(&mut reply);
    let head = reply.windows(4).position(|window| window == b"\r\n\r\n").unwrap_or(reply.len());
    let status = String::from_utf8_lossy(&reply[..head]).split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| std::io::Error::other("no status line"))?;
    Ok((status, reply.split_off((head + 4).min(reply.len()))))
}
