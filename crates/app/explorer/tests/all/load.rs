//! Many questions at once: all are answered, and memory stays bounded. What is bounded is how far the peak of the
//! process grows meanwhile, with room for the other tests in it.

use std::io::Write;

use crate::common::{ask, start, start_with_two_ways};
use explorer::Ceilings;

/// The most memory that this process has had, in bytes, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// Asks `question(number)` for 200 numbers at once.
async fn ask_all(host: &str, path: &'static str, question: fn(u16) -> String, list: &str) {
    let one = ask(host, path, &question(28)).await;
    assert_eq!(one.status, 200, "{}", one.body);
    let before = peak();
    let all: Vec<_> = (0..200)
        .map(|number| {
            let host = host.to_owned();
            tokio::spawn(async move { ask(&host, path, &question(number)).await })
        })
        .collect();
    for reply in all {
        let reply = reply.await.unwrap();
        assert_eq!(reply.status, 200, "{}", reply.body);
        assert!(reply.json()[list].as_array().is_some_and(|list| list.len() > 1), "{}", reply.body);
    }
    match before.zip(peak()) {
        Some((before, after)) => {
            let grown = (after - before) >> 20;
            assert!(grown < 256, "200 questions took {grown} MiB more than one");
        }
        None => {
            let _ = writeln!(std::io::stderr(), "SKIPPED: this system does not tell the memory of a process");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_hands_at_once() {
    let host = start(Ceilings::default()).await;
    let question = |number: u16| {
        format!(
            r#"{{"position":{{"hp":{},"max_hp":75,"ascension":17,
                "enemies":[{{"kind":"cultist","hp":{},"intent":"dark_strike"}}],
                "hand":{{"bash":1,"strike":2,"defend":1,"ascenders-bane":1}},
                "draw":{{"defend":1}},"discard":{{"strike":3,"defend":2}}}}}}"#,
            40 + number % 29,
            30 + number % 7
        )
    };
    ask_all(&host, "slay-the-spire/act-1/advise", question, "plays").await;
}

/// Heroes of many kinds at the start of the small book.
#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_heroes_at_once() {
    let host = start_with_two_ways(Ceilings::default()).await;
    let hero = |number: u16| {
        let (skill, endurance, gold) = (10 + number % 10, 20 + number % 5, number % 3 + 3);
        format!(
            r#"{{"section":1,"hero":{{"combat_skill":{skill},"endurance":{endurance},"gold":{gold}}},"endurance":{}}}"#,
            1 + number % 20
        )
    };
    ask_all(&host, "gamebook/advise", hero, "choices").await;
}
