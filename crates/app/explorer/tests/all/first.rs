//! The first page: something solved without a click, within the limits of the server, and small.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::common::{get, start, start_with, start_with_two_ways};
use explorer::{Ceilings, File, OfferedBook, Options};

/// The page once the solver is done.
async fn first_page(host: &str) -> String {
    for _ in 0..600 {
        let reply = get(host, "/").await;
        assert_eq!(reply.status, 200);
        if !reply.body.contains("id=\"at-work\"") {
            return reply.body;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the first page is never solved");
}

/// What a page loads: what it names, and what its modules import.
async fn loaded(host: &str, page: &str) -> Vec<(String, String)> {
    let names = |text: &str, before: &str| {
        let found = text.split(before).skip(1).filter_map(|rest| rest.split('"').next());
        found.map(String::from).collect::<Vec<_>>()
    };
    let (mut known, mut all) = (BTreeSet::new(), Vec::new());
    let mut waiting = names(page, "\"/assets/");
    while let Some(name) = waiting.pop() {
        if known.insert(name.clone()) {
            let reply = get(host, &format!("/assets/{name}")).await;
            assert_eq!(reply.status, 200, "{name}");
            waiting.extend(names(&reply.body, "from \"./"));
            all.push((name, reply.body));
        }
    }
    all
}

const MOST_BYTES: usize = 120_000;

#[tokio::test(flavor = "multi_thread")]
async fn a_book_a_fight_and_a_hand_are_solved() {
    let host = start_with(Options { ready_first_page: true, ..Options::default() }).await;
    let page = first_page(&host).await;
    for words in [
        "<strong>81 of 100</strong> die in section 106",
        "7 of 100 win <cite>Fire on the Water</cite> by best play: combat skill 15, endurance 25.",
        "<circle id=\"s106\"",
        "Roll me a hero",
        "You win, with luck used best",
        "Strike, Defend, Defend</td><td class=\"number\">25.67",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let assets = loaded(&host, &page).await;
    assert!(assets.len() >= 7, "{}", assets.len());
    let bytes = page.len() + assets.iter().map(|(_, text)| text.len()).sum::<usize>();
    assert!(bytes <= MOST_BYTES, "the first page and what it loads have {bytes} bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_book_is_shown_where_it_is_small() {
    let host = start_with_two_ways(Ceilings::default()).await;
    let page = first_page(&host).await;
    assert!(page.contains("70 of 100 win <cite>Two Ways</cite> by best play"), "{page}");
    assert!(page.contains("data-book=\"two-ways\"") && page.contains("<circle id=\"s1\""), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_of_the_server_hold() {
    let host = start(Ceilings { states: 10, ..Ceilings::default() }).await;
    let page = first_page(&host).await;
    assert!(!page.contains("id=\"book-card\"") && page.contains("Everything that can be asked"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_were_given_come_first() {
    let text = r#"book "Doors" format=1 rules="lone-wolf"; start 1; goal 2
        hero { combat-skill 15; endurance 25; }
        section 1 { goto 2; }
        section 2 { victory; }"#;
    let doors = OfferedBook::new("doors.kdl", text).expect("the book is right");
    let board = File::new("board.txt", "rooms: 1, 2 high, 3\nhatches: 1-2, 2-3\nstart: 1").expect("a board");
    let books = [doors].into_iter().chain(OfferedBook::built_in()).collect();
    let host = start_with(Options { books, files: vec![board], ..Options::default() }).await;
    let page = first_page(&host).await;
    let (given, rest) = page.split_once("id=\"book-card\"").expect("a book is shown");
    assert!(given.contains(">Doors</a>") && given.contains(">board.txt</a>"), "{given}");
    assert!(!given.contains(">Fire on the Water</a>"));
    // Nobody dies there.
    assert!(rest.contains("<strong>100 of 100</strong> win"), "{rest}");
}
