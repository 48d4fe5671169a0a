//! Books in a row: their page, their odds, and a walk through them. What each step says is held against closed forms.

use budget::Budget;
use explorer::{Ceilings, OfferedBook, Options};
use gamebook::{Series, read_series};
use serde_json::{Value, json};

use crate::common::{answer, ask, get, start_with};

/// Half of the heroes bring gold.
const PURSE: &str = include_str!("../data/purse.kdl");

/// Gold pays; who climbs falls with 0 to 5, or with 0 to 2 who has learned hunting.
const CLIFF: &str = include_str!("../data/cliff.kdl");

fn series() -> Series {
    let books = |name: &str| Ok(if name == "purse.kdl" { PURSE } else { CLIFF }.to_string());
    read_series(include_str!("../data/over.kdl"), &books, &|_| Err("no other file".into()), &Budget::unlimited())
        .expect("the series is right")
        .0
}

async fn start(ceilings: Ceilings) -> String {
    let book = OfferedBook::new("cliff.kdl", CLIFF).expect("the book is right");
    let books = vec![book, OfferedBook::series("over.kdl", series())];
    start_with(Options { books, ceilings, ..Options::default() }).await
}

async fn walk(host: &str, steps: &Value, act: Value) -> Value {
    let question = json!({"here": {"book": "over"}, "steps": steps, "act": act, "since": 0, "seed": 1});
    answer(host, "gamebook/walk", &question.to_string()).await
}

#[track_caller]
fn near(win: &Value, right: f64) {
    let decimal = win["decimal"].as_f64().expect("odds");
    assert!((decimal - right).abs() < 1e-12, "{decimal} is not {right}");
}

/// A book of a series: its title, its name alone, what is before it, how many disciplines one can know, what one can have.
fn volume(own: &Value) -> Value {
    let items = own["items"].as_array().expect("items").iter().map(|item| item["name"].clone());
    let items: Vec<Value> = items.filter(|item| item != "backpack" && item != "other things").collect();
    json!([own["title"], own["name"], own["before"], own["learns"], items])
}

/// What sections are called.
async fn names(host: &str) -> impl Fn(&Value) -> String {
    let book = answer(host, "gamebook/book", r#"{"book":"over"}"#).await;
    assert_eq!(book["title"], "Over the cliff");
    let volumes: Vec<Value> = book["series"].as_array().expect("books").iter().map(volume).collect();
    assert_eq!(volumes, [json!(["The Purse", null, 0, 5, ["rope"]]), json!(["The Cliff", "cliff", 3, 6, ["boots"]])]);
    let sections = book["sections"].as_array().expect("sections").clone();
    move |number: &Value| {
        let found = sections.iter().find(|own| own["section"] == *number).expect("a section");
        found["name"].as_str().expect("a name").to_owned()
    }
}

#[tokio::test]
async fn walked_from_the_first_section_of_the_first_book_to_the_end_of_the_last() {
    let host = start(Ceilings::default()).await;
    let called = names(&host).await;
    let reply = walk(&host, &json!([]), Value::Null).await;
    near(&reply["now"]["win"], 0.5 + 0.5 * 0.7);
    assert_eq!(called(&reply["now"]["section"]), "1 of The Purse");
    assert_eq!(reply["now"]["read"][0]["text"][0]["text"], "A purse lies here.");

    let reply = walk(&host, &reply["steps"], json!({"typed": [7]})).await;
    near(&reply["now"]["win"], 0.7);
    assert_eq!(called(&reply["now"]["section"]), "2 of The Purse");
    let answers = reply["now"]["answers"].as_array().expect("answers").clone();
    let place = answers.iter().position(|own| own["label"] == "learn hunting").expect("he can learn it");
    assert_eq!(answers[place]["best"], true);
    for other in answers.iter().filter(|own| own["label"] != "learn hunting") {
        near(&other["win"], 0.4);
    }

    let reply = walk(&host, &reply["steps"], json!({"answer": place + 1})).await;
    assert_eq!(called(&reply["now"]["section"]), "1 of The Cliff");
    assert_eq!(reply["now"]["read"][0]["text"][0]["text"], "A cliff.");
    // Of the book alone, where that is offered: the same hero stands at the same place of it.
    let alone = &reply["now"]["alone"];
    assert_eq!((&alone["book"], &alone["section"]), (&json!("cliff"), &json!(1)));
    assert_eq!(alone["hero"]["disciplines"], json!(["healing", "hunting"]));
    let single = answer(&host, "gamebook/walk", &json!({"here": alone}).to_string()).await;
    near(&single["now"]["win"], 0.7);
    let before = walk(&host, &json!(["p7"]), Value::Null).await;
    assert_eq!(before["now"]["alone"], Value::Null, "the first book is not offered alone");
    // The chart is that of the book at hand.
    let line = |reply: &Value, name: &str| {
        let sheet = reply["now"]["sheet"].as_array().expect("a sheet").clone();
        sheet.into_iter().find(|line| line["name"] == name)
    };
    assert!(line(&reply, "boots").is_some() && line(&reply, "gold").is_some_and(|line| line["now"] == 0));
    let rich = walk(&host, &reply["steps"], json!({"correct": {"gold": 3}})).await;
    near(&rich["now"]["win"], 1.0);
    assert_eq!(rich["now"]["answers"][0]["label"], "pay the guide");
    let paid = walk(&host, &rich["steps"], json!({"answer": 1})).await;
    assert_eq!(paid["now"]["phase"], "won");

    let reply = walk(&host, &reply["steps"], json!({"answer": 1})).await;
    let dead = walk(&host, &reply["steps"], json!({"typed": [2]})).await;
    assert_eq!(
        (dead["now"]["phase"].as_str(), called(&dead["now"]["section"])),
        (Some("dead"), "1 of The Cliff".into())
    );
    let reply = walk(&host, &reply["steps"], json!({"typed": [3]})).await;
    assert_eq!(
        (reply["now"]["phase"].as_str(), called(&reply["now"]["section"])),
        (Some("won"), "9 of The Cliff".into())
    );
    assert_eq!(reply["log"].as_array().map(Vec::len), Some(5));
}

#[tokio::test]
async fn odds_book_by_book() {
    let host = start(Ceilings::default()).await;
    let reply = answer(&host, "gamebook/series", "{}").await;
    near(&reply["win"], 0.85);
    let fares: Vec<(f64, f64)> = reply["books"]
        .as_array()
        .expect("books")
        .iter()
        .map(|own| (own["reached"].as_f64().expect("odds"), own["win"].as_f64().expect("odds")))
        .collect();
    for ((reached, win), (right, won)) in fares.into_iter().zip([(1.0, 1.0), (1.0, 0.85)]) {
        assert!((reached - right).abs() < 1e-12 && (win - won).abs() < 1e-12, "{reached} {win}");
    }
    // What is asked first, on the likeliest way: each answer is worth what a walk says that has come there.
    let called = names(&host).await;
    let first = reply["first_choices"].as_array().expect("questions");
    let asked: Vec<String> = first.iter().map(|own| called(&own["section"])).collect();
    // Who finds the purse may learn what he likes.
    assert_eq!(asked, ["1 of The Cliff"]);
    for own in first {
        let there = walk(&host, &own["steps"], Value::Null).await;
        assert_eq!(there["now"]["section"], own["section"]);
        for answer in own["choices"].as_array().expect("answers") {
            let walked = there["now"]["answers"].as_array().expect("answers").clone();
            let same = walked.iter().find(|walked| walked["label"] == answer["label"]).expect("it is asked there");
            assert_eq!((&same["win"], &same["best"]), (&answer["win"], &answer["best"]));
        }
    }
    // Who brings gold himself needs no luck.
    let rich = answer(&host, "gamebook/series", r#"{"book":"over","hero":{"gold":3}}"#).await;
    near(&rich["win"], 1.0);
}

#[tokio::test]
async fn walked_on_from_the_middle() {
    let host = start(Ceilings::default()).await;
    let called = names(&host).await;
    let walk = |here: Value, steps: Value, act: Value| {
        let question = json!({"here": here, "steps": steps, "act": act, "seed": 1}).to_string();
        let host = host.clone();
        async move { answer(&host, "gamebook/walk", &question).await }
    };
    // In the second book: what it is worth alone, with what he has and knows there; nothing is learned any more.
    for (hero, right) in [
        (json!({"disciplines": ["hunting"], "items": ["boots"]}), 0.7),
        (json!({"disciplines": ["healing"]}), 0.4),
        (json!({"gold": 3}), 1.0),
    ] {
        let here = json!({"book": "over", "section": 4, "hero": hero, "endurance": 7});
        let reply = walk(here, json!([]), Value::Null).await;
        near(&reply["now"]["win"], right);
        assert_eq!(called(&reply["now"]["section"]), "1 of The Cliff");
        let alone = walk(reply["now"]["alone"].clone(), json!([]), Value::Null).await;
        near(&alone["now"]["win"], right);
    }
    let here = json!({"book": "over", "section": 4, "hero": {"disciplines": ["hunting"]}, "endurance": 7});
    let reply = walk(here.clone(), json!([]), json!({"correct": {"gold": 3}})).await;
    near(&reply["now"]["win"], 1.0);
    let reply = walk(here, reply["steps"].clone(), json!({"answer": 1})).await;
    assert_eq!((&reply["now"]["phase"], called(&reply["now"]["section"])), (&json!("won"), "9 of The Cliff".into()));
    assert_eq!(reply["log"].as_array().map(Vec::len), Some(3));

    // In the first book's last section he has no purse and has still to learn something.
    let here = json!({"book": "over", "section": 2, "hero": {"disciplines": ["healing"]}, "endurance": 7});
    let reply = walk(here.clone(), json!([]), Value::Null).await;
    near(&reply["now"]["win"], 0.7);
    assert_eq!(reply["now"]["answers"].as_array().map(Vec::len), Some(8));
    // Without a section the walk begins at the beginning, and so does a walk that names the first one.
    let reply = walk(json!({"book": "over", "section": 1}), json!([]), Value::Null).await;
    near(&reply["now"]["win"], 0.85);
}

#[tokio::test]
async fn impossible_requests_are_refused() {
    let host = start(Ceilings::default()).await;
    for (path, question, message) in [
        ("gamebook/series", r#"{"book":"cliff"}"#, "there is no series \"cliff\" here"),
        ("gamebook/series", r#"{"hero":{"gold":99}}"#, "gold"),
        ("gamebook/solve", r#"{"book":"over"}"#, "\"over\" is a series of books"),
        ("gamebook/walk", r#"{"here":{"book":"over","section":3}}"#, "nobody stands in before The Cliff"),
        ("gamebook/walk", r#"{"here":{"book":"over","section":6}}"#, "there is no section 6"),
        ("gamebook/walk", r#"{"here":{"book":"over","section":99}}"#, "there is no section 99"),
        ("gamebook/walk", r#"{"here":{"book":"over","section":4,"hero":{"items":["rope"]}}}"#, "rope"),
        ("gamebook/walk", r#"{"here":{"book":"over","section":2,"hero":{"items":["boots"]}}}"#, "boots"),
        ("gamebook/walk", r#"{"here":{"book":"over","section":4,"hero":{"disciplines":["flying"]}}}"#, "flying"),
        (
            "gamebook/walk",
            r#"{"here":{"book":"over","section":4,"hero":{"disciplines":["hunting","healing","tracking","sixth-sense","camouflage","mindblast","mindshield"]}}}"#,
            "7 disciplines: 6 at most",
        ),
        ("gamebook/walk", r#"{"here":{"book":"over","section":4,"endurance":21}}"#, "an endurance of 21"),
        ("gamebook/walk", r#"{"here":{"book":"over","goals":[2]}}"#, "to its end"),
        ("gamebook/walk", r#"{"here":{"book":"over"},"act":{"correct":{"anchor":1}}}"#, "no `anchor` on the sheet"),
    ] {
        let reply = ask(&host, path, question).await;
        assert_eq!(reply.status, 422, "{question}: {}", reply.body);
        assert!(reply.error().contains(message), "{question}: {}", reply.body);
    }
    // Without the odds a series that is too large to be solved is walked through all the same.
    let host = start(Ceilings { states: 2, ..Ceilings::default() }).await;
    let reply = ask(&host, "gamebook/walk", r#"{"here":{"book":"over"}}"#).await;
    assert_eq!(reply.status, 422, "{}", reply.body);
    assert!(reply.error().contains("the whole series is too large for odds at every step"), "{}", reply.body);
    let reply = answer(&host, "gamebook/walk", r#"{"here":{"book":"over"},"odds":false,"act":{"typed":[7]}}"#).await;
    assert_eq!(reply["now"]["answers"].as_array().map(Vec::len), Some(8));
}

#[tokio::test]
async fn pages_of_a_series() {
    let host = start(Ceilings::default()).await;
    let page = get(&host, "/gamebook").await;
    assert!(page.body.contains("<a href=\"/gamebook/series?book=over\">Over the cliff</a>"), "{}", page.body);
    for address in [
        "/gamebook/series",
        "/gamebook/series?book=over&hero.gold=3&solve=true",
        "/gamebook/series?book=over&here.volume=2",
        "/gamebook/series?book=over&here.volume=2&here.section=9&here.hero.items=boots&here.hero.lost=",
        "/gamebook/walk?book=over",
        "/gamebook/walk?book=over&here.section=4&hero.items=boots",
    ] {
        assert_eq!(get(&host, address).await.status, 200, "{address}");
    }
    for address in [
        "/gamebook/series?book=cliff",
        "/gamebook/series?hero.gold=99",
        "/gamebook/series?book=over&here.volume=3",
        "/gamebook/series?book=over&here.volume=-1",
        "/gamebook/series?book=over&here.volume=1&here.section=4",
        "/gamebook/series?book=over&here.volume=2&here.section=word",
        "/gamebook/series?book=over&here.volume=2&here.hero.items=anchor",
        "/gamebook/walk?book=over&here.section=3",
        "/gamebook?book=over",
    ] {
        assert_eq!(get(&host, address).await.status, 422, "{address}");
    }
    // Without any series its page says so.
    let host = start_with(Options::default()).await;
    let page = get(&host, "/gamebook/series").await;
    assert_eq!(page.status, 422);
    assert!(page.body.contains("no series of books was given to this server"));
    assert!(!get(&host, "/gamebook").await.body.contains("Books in a row"));
}

/// A series gives the same reasons for deaths in a section as its books alone.
#[tokio::test]
async fn deaths_in_a_series_have_the_reasons_of_its_books() {
    let text = |title: &str, enemy: &str| {
        format!(
            "book \"{title}\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 9\nhero {{ combat-skill 15; endurance 20; }}\n\
             section 1 {{ fight \"{enemy}\" skill=16 endurance=12; goto 4; }}\n\
             section 4 {{ pick {{ when 0 1 {{ death \"a fall\"; }}; when 2 {{ death; }}; else {{ goto 9; }}; }}; }}\n\
             section 9 {{ victory; }}"
        )
    };
    let texts = [text("The Wood", "Wolf"), text("The Cave", "Bear")];
    let books = |name: &str| Ok(texts[usize::from(name == "cave.kdl")].clone());
    let outline = "series \"Wood and cave\" format=1\nbook \"wood.kdl\"\nbook \"cave.kdl\"\n";
    let read = read_series(outline, &books, &|_| Err("no other file".into()), &Budget::unlimited());
    let alone = ["wood.kdl", "cave.kdl"].into_iter().zip(&texts);
    let mut offered: Vec<OfferedBook> = alone.map(|(name, text)| OfferedBook::new(name, text).unwrap()).collect();
    offered.push(OfferedBook::series("both.kdl", read.expect("the series is right").0));
    let host = start_with(Options { books: offered, ..Options::default() }).await;
    let series = answer(&host, "gamebook/book", r#"{"book":"both"}"#).await;
    let found =
        |number: u64| series["sections"].as_array().unwrap().iter().find(|own| own["section"] == number).cloned();
    for (name, volume) in ["wood", "cave"].iter().zip(series["series"].as_array().unwrap()) {
        let before = volume["before"].as_u64().unwrap();
        let alone = answer(&host, "gamebook/book", &json!({"book": name}).to_string()).await;
        for section in alone["sections"].as_array().unwrap() {
            let own = found(before + section["section"].as_u64().unwrap()).expect("it is there");
            for what in ["deadly", "deaths", "victory", "enemies", "fights"] {
                assert_eq!(own[what], section[what], "{name} {what}");
            }
            let to: Vec<u64> =
                section["to"].as_array().unwrap().iter().map(|to| before + to.as_u64().unwrap()).collect();
            assert_eq!(own["to"], json!(to));
        }
    }
    let solved = answer(&host, "gamebook/series", r#"{"book":"both"}"#).await;
    for death in solved["deaths"].as_array().unwrap() {
        let own = found(death["section"].as_u64().unwrap()).expect("it is there");
        let many = |what: &str| own[what].as_array().map_or(0, Vec::len);
        assert!(many("enemies") + many("deaths") > 0, "nothing says how: {own}");
    }
}
