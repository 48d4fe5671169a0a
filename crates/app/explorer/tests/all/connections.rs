//! Connections that say little, slowly or nothing.

use std::time::Duration;

use crate::common::{JSON, get, open, start};
use explorer::Ceilings;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

const SOON: Duration = Duration::from_millis(300);
const PATIENCE: Duration = Duration::from_secs(20);

/// What the server says until it closes the connection.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("the server closes the connection");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test]
async fn slow_requests_are_given_up() {
    let host = start(Ceilings { arrival: SOON, ..Ceilings::default() }).await;
    // Silence, half a head, and a head after which the body does not come.
    let mut silent = TcpStream::connect(&host).await.unwrap();
    assert!(!rest(&mut silent).await.contains("200"));
    let mut slow = TcpStream::connect(&host).await.unwrap();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: ").await.unwrap();
    assert!(!rest(&mut slow).await.contains("200"));
    let mut bodiless = TcpStream::connect(&host).await.unwrap();
    let head = format!(
        "POST /api/1/gamebook/book HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{{"
    );
    bodiless.write_all(head.as_bytes()).await.unwrap();
    let answer = rest(&mut bodiless).await;
    assert!(answer.contains("408") && answer.contains("the body did not arrive within 0.3 seconds"), "{answer}");
}

#[tokio::test]
async fn connections_wait_for_a_place() {
    let host = start(Ceilings { connections: 2, arrival: PATIENCE, ..Ceilings::default() }).await;
    let first = TcpStream::connect(&host).await.unwrap();
    let _second = TcpStream::connect(&host).await.unwrap();
    // Until both are taken, this one may be before them.
    tokio::time::sleep(SOON).await;
    assert!(timeout(SOON, get(&host, "/")).await.is_err(), "a third is answered while two are open");
    drop(first);
    assert_eq!(timeout(PATIENCE, get(&host, "/")).await.expect("there is a place").status, 200);
    // Its place is free again once it has been answered.
    let mut third = open(&host, "POST", "/api/1/gamebook/book", &[JSON], b"{}").await;
    assert!(rest(&mut third).await.contains("200 OK"));
}
