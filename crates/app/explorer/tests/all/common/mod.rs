//! A server on a free port, and the smallest client that can say anything to it.
#![allow(dead_code)] // Each test file uses its part.

use std::sync::Arc;

use explorer::{Ceilings, OfferedBook, Options, Prose, Server};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Starts a server; returns its host and port, such as `127.0.0.1:40001`.
pub async fn start(ceilings: Ceilings) -> String {
    start_with(Options { ceilings, ..Options::default() }).await
}

/// The same over the small gamebook of the tests, and its text.
pub async fn start_with_two_ways(ceilings: Ceilings) -> String {
    let mut book =
        OfferedBook::new("two-ways.kdl", include_str!("../../data/two-ways.kdl")).expect("the book is right");
    book.prose = Some(Arc::new(Prose::new(include_bytes!("../../data/two-ways.xml")).expect("its text is right")));
    start_with(Options { ceilings, books: vec![book], ..Options::default() }).await
}

/// The same over a book.
pub async fn start_with_book(name: &str, text: &str) -> String {
    let books = vec![OfferedBook::new(name, text).expect("the book is right")];
    start_with(Options { books, ..Options::default() }).await
}

pub async fn start_with(options: Options) -> String {
    let server = Server::bind(Options { port: 0, ..options }).await.expect("a port is free");
    let host = server.host().to_string();
    tokio::spawn(server.run());
    host
}

pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The message of an error, which must have the form of all errors.
    pub fn error(&self) -> String {
        let json = self.json();
        assert_eq!(json["format"], 1);
        assert_eq!(json["error"]["status"], self.status);
        assert!(!json["error"]["help"].as_str().expect("a help").is_empty());
        json["error"]["message"].as_str().expect("a message").to_owned()
    }
}

/// Opens a connection and sends a request. HTTP/1.0 has the answer end with the connection.
pub async fn open(host: &str, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> TcpStream {
    let own_host = headers.iter().all(|(name, _)| *name != "Host").then_some(("Host", host));
    let lines: String =
        headers.iter().chain(&own_host).map(|(name, value)| [name, ": ", value, "\r\n"].concat()).collect();
    let request = format!("{method} {path} HTTP/1.0\r\nContent-Length: {}\r\n{lines}\r\n", body.len());
    let mut stream = TcpStream::connect(host).await.expect("the server listens");
    stream.write_all(request.as_bytes()).await.expect("the server reads");
    // A server that has read enough may close before it has read all.
    let _ = stream.write_all(body).await;
    stream
}

pub async fn request(host: &str, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
    let mut stream = open(host, method, path, headers, body).await;
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes).await;
    let text = String::from_utf8(bytes).expect("text");
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status line");
    Reply { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
}

pub async fn get(host: &str, path: &str) -> Reply {
    request(host, "GET", path, &[], b"").await
}

pub const JSON: (&str, &str) = ("Content-Type", "application/json");

/// Asks an endpoint of version 1.
pub async fn ask(host: &str, path: &str, question: &str) -> Reply {
    request(host, "POST", &format!("/api/1/{path}"), &[JSON], question.as_bytes()).await
}

/// The answer to a question that has one.
pub async fn answer(host: &str, path: &str, question: &str) -> Value {
    let reply = ask(host, path, question).await;
    assert_eq!(reply.status, 200, "{}", reply.body);
    let json = reply.json();
    assert_eq!(json["format"], 1);
    json
}
