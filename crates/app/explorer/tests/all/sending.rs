//! How answers are sent: compressed, not again, and small ones not behind large ones.

use std::io::Read;
use std::time::Duration;

use explorer::{Ceilings, OfferedBook, Options};
use flate2::read::GzDecoder;
use tokio::io::AsyncReadExt;

use crate::common::{JSON, ask, get, open, request, start, start_with};

/// Head and body of an answer, as they come.
async fn raw(host: &str, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> (String, Vec<u8>) {
    let mut stream = open(host, method, path, headers, body).await;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    (String::from_utf8(bytes[..end].to_vec()).unwrap().to_ascii_lowercase(), bytes[end + 4..].to_vec())
}

#[tokio::test]
async fn a_map_is_sent_compressed_to_who_takes_it() {
    let host = start(Ceilings::default()).await;
    let (path, question) = ("fighting-fantasy/map", r#"{"skill_difference":-3,"luck":12}"#);
    let plain = ask(&host, path, question).await;
    assert!(!plain.head.contains("content-encoding"));
    let headers = [JSON, ("Accept-Encoding", "gzip, deflate, br")];
    let (head, body) = raw(&host, "POST", &format!("/api/1/{path}"), &headers, question.as_bytes()).await;
    assert!(head.contains("content-encoding: gzip") && head.contains("vary: accept-encoding"), "{head}");
    assert!(body.len() * 4 < plain.body.len(), "{} of {} bytes", body.len(), plain.body.len());
    let mut text = String::new();
    GzDecoder::new(&*body).read_to_string(&mut text).unwrap();
    assert_eq!(text, plain.body);
}

#[tokio::test]
async fn what_the_browser_has_is_not_sent_again() {
    let host = start(Ceilings::default()).await;
    for path in ["/assets/gamebook.js", "/fighting-fantasy?skill=9"] {
        let first = get(&host, path).await;
        let tag = first.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
        let again = request(&host, "GET", path, &[("If-None-Match", &tag.replace("w/", "W/"))], b"").await;
        assert_eq!((again.status, again.body.as_str()), (304, ""), "{path}");
        assert!(again.head.contains("content-security-policy"), "{path}");
        assert_eq!(request(&host, "GET", path, &[("If-None-Match", "W/\"0\"")], b"").await.status, 200);
    }
    // Errors have no tag.
    assert!(!get(&host, "/nowhere").await.head.contains("etag"));
}

#[tokio::test(flavor = "multi_thread")]
async fn small_questions_do_not_wait_behind_books() {
    let host = start(Ceilings { solves: 1, ..Ceilings::default() }).await;
    let mut books = Vec::new();
    for skill in [12, 15, 18] {
        let question = format!(r#"{{"hero":{{"combat_skill":{skill}}}}}"#);
        books.push(open(&host, "POST", "/api/1/gamebook/solve", &[JSON], question.as_bytes()).await);
    }
    // Until the first of them has its place.
    tokio::time::sleep(Duration::from_millis(50)).await;
    for (path, question) in [
        ("fighting-fantasy/fight", r#"{"skill":12,"stamina":24,"luck":12,"enemies":["14/12"]}"#),
        ("red-november/routes", "{}"),
    ] {
        assert_eq!(ask(&host, path, question).await.status, 200, "{path}");
    }
    // The last book is still not there.
    let mut byte = [0];
    let read = tokio::time::timeout(Duration::from_millis(1), books[2].read(&mut byte)).await;
    assert!(read.is_err(), "the books were faster than the small questions");
}

#[tokio::test(flavor = "multi_thread")]
async fn small_books_do_not_wait_behind_large_ones() {
    let small = OfferedBook::new("two-ways.kdl", include_str!("../data/two-ways.kdl")).expect("the book is right");
    let ceilings = Ceilings { solves: 1, ..Ceilings::default() };
    let books = OfferedBook::built_in().take(1).chain([small]).collect();
    let host = start_with(Options { books, ceilings, ..Options::default() }).await;
    let mut large = Vec::new();
    for skill in [12, 15, 18] {
        let question = format!(r#"{{"hero":{{"combat_skill":{skill}}}}}"#);
        large.push(open(&host, "POST", "/api/1/gamebook/solve", &[JSON], question.as_bytes()).await);
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    for (path, question) in [
        ("gamebook/advise", r#"{"book":"two-ways","section":1}"#),
        ("gamebook/solve", r#"{"book":"two-ways"}"#),
        ("gamebook/walk", r#"{"here":{"book":"two-ways"}}"#),
    ] {
        assert_eq!(ask(&host, path, question).await.status, 200, "{path}");
    }
    // What is not small after all is tried, and waits with the others.
    let question = r#"{"book":"fire-on-the-water","section":2}"#;
    let mut waiting = open(&host, "POST", "/api/1/gamebook/advise", &[JSON], question.as_bytes()).await;
    for socket in [&mut large[2], &mut waiting] {
        let read = tokio::time::timeout(Duration::from_millis(1), socket.read(&mut [0])).await;
        assert!(read.is_err(), "the large books were faster than the small one");
    }
}

#[tokio::test]
async fn an_array_is_no_object() {
    let host = start(Ceilings::default()).await;
    for (path, question) in [
        ("fighting-fantasy/map", "[-3,12,4,24]"),
        ("fighting-fantasy/map", " \n[-3,12]"),
        ("gamebook/book", r#"["fire-on-the-water"]"#),
        ("gamebook/solve", r#"{"hero":[15,25]}"#),
        ("gamebook/solve", r#"{"insist":[141,278]}"#),
        ("gamebook/solve", r#"{"conduct":[[],null]}"#),
        ("gamebook/section", r#"{"section":1,"play":["fire-on-the-water"]}"#),
        ("gamebook/advise", r#"{"section":1,"hero":[15,25]}"#),
        ("slay-the-spire/act-1/fight", r#"{"fight":[17,75]}"#),
        ("slay-the-spire/act-1/advise", r#"{"position":{"hp":68,"enemies":[["cultist",35]],"hand":{"bash":1}}}"#),
        ("slay-the-spire/act-1/advise", r#"{"position":{"hp":68,"enemies":[],"hand":[1,2]}}"#),
    ] {
        let reply = ask(&host, path, question).await;
        assert_eq!(reply.status, 422, "{path} {question}: {}", reply.body);
        assert!(!reply.error().is_empty());
    }
}
