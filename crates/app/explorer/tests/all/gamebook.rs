//! The endpoints about gamebooks, with good and bad input, over a book that is solved at once.

use crate::common::{JSON, answer, ask, get, open, request, start_with_book, start_with_two_ways};
use explorer::{Ceilings, OfferedBook, Prose};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};

#[tokio::test]
async fn a_book() {
    let host = start_with_two_ways(Ceilings::default()).await;
    let book = answer(&host, "gamebook/book", "{}").await;
    assert_eq!((&book["name"], &book["title"], &book["text"]), (&"two-ways".into(), &"Two Ways".into(), &true.into()));
    assert_eq!(book["hero"]["items"], json!(["sword"]));
    assert_eq!((&book["fixed"], &book["flags"], &book["learns"]), (&json!(["map"]), &json!(["known"]), &2.into()));
    let rolled = |plus: i32, least, most| json!({"sides": [10], "plus": plus, "least": least, "most": most});
    let expected = json!({"combat_skill": rolled(9, 10, 19), "endurance": rolled(19, 20, 29), "most_gold": 50});
    assert_eq!(book["rolled"], expected);
    let sections = book["sections"].as_array().unwrap();
    assert_eq!(sections.len(), 8);
    assert_eq!(sections[0]["to"], json!([2, 3, 7]));
    assert!(sections[0]["y"].as_f64() < sections[1]["y"].as_f64());
    let ways: Vec<_> = book["ways"].as_array().unwrap().iter().map(|way| (&way["from"], &way["to"])).collect();
    assert_eq!(ways.len(), 8);
    assert_eq!(ways[0], (&1.into(), &2.into()));
    assert_eq!((&sections[6]["deadly"], &sections[5]["victory"]), (&true.into(), &true.into()));
    assert_eq!(sections[3]["enemies"], json!([{"name": "Rat", "combat_skill": 1, "endurance": 1}]));
    assert_eq!(book, answer(&host, "gamebook/book", r#"{"book":"two-ways"}"#).await);
    for (question, message) in [
        (r#"{"book":"../two-ways.kdl"}"#, "there is no book"),
        (r#"{"book":7}"#, "invalid type"),
        (r#"{"title":"x"}"#, "unknown field"),
    ] {
        let reply = ask(&host, "gamebook/book", question).await;
        assert_eq!(reply.status, 422);
        assert!(reply.error().contains(message), "{}", reply.body);
    }
}

#[tokio::test]
async fn a_solved_book() {
    let host = start_with_two_ways(Ceilings::default()).await;
    let path = "gamebook/solve";
    let solved = answer(&host, path, "{}").await;
    // Seven of ten get through the ford, and the rat is no danger.
    assert_eq!(solved["win"]["decimal"], 0.7);
    assert!(solved["win"]["lower"].as_f64() <= Some(0.7) && solved["win"]["upper"].as_f64() >= Some(0.7));
    let deaths = solved["deaths"].as_array().unwrap();
    assert_eq!((deaths.len(), &deaths[0]["section"]), (1, &3.into()));
    assert!((deaths[0]["probability"].as_f64().unwrap() - 0.3).abs() < 1e-12);
    assert_eq!(solved["way"], json!([1, 3, 4, 5, 6]));
    let visit = |section: u64| {
        let sections = solved["sections"].as_array().unwrap();
        sections.iter().find(|visit| visit["section"] == section).map(|visit| visit["visited"].as_f64().unwrap())
    };
    assert_eq!((visit(1), visit(2), visit(8)), (Some(1.0), None, None));
    assert!((visit(4).unwrap() - 0.7).abs() < 1e-12);
    let edges = solved["edges"].as_array().unwrap();
    assert!(edges.iter().any(|edge| edge["from"] == 3 && edge["to"] == 4));
    assert_eq!(solved["first_choices"][0]["choices"].as_array().map(Vec::len), Some(3));
    assert_eq!(solved["finals"][0]["gold"], 4);
    assert_eq!(solved["finals"][0]["items"], json!([["sword", 1], ["map", 1]]));

    for (question, win) in [
        // Enough for the toll; a rope; a choice that is made whatever it is worth; another goal, another start.
        (r#"{"hero":{"gold":5}}"#, 1.0),
        (r#"{"hero":{"items":["rope"]}}"#, 1.0),
        (r#"{"insist":{"section":1,"to":2}}"#, 0.5),
        (r#"{"insist":{"section":1,"to":7}}"#, 0.0),
        (r#"{"goals":[2,7]}"#, 1.0),
        (r#"{"start":2,"insist":null}"#, 0.5),
        (
            r#"{"hero":{"combat_skill":10,"endurance":20,"disciplines":["weaponskill=spear","healing"],"lost":["map"]}}"#,
            0.7,
        ),
    ] {
        assert_eq!(answer(&host, path, question).await["win"]["decimal"], win, "{question}");
    }

    for (question, message) in [
        (r#"{"book":"x"}"#, "there is no book \"x\" here"),
        (r#"{"hero":{"combat_skill":9}}"#, "a combat skill of 9: a hero has 10 to 19"),
        (r#"{"hero":{"combat_skill":99999999999999999999999999999999999999999}}"#, "invalid type"),
        (r#"{"hero":{"endurance":0}}"#, "an endurance of 0"),
        (r#"{"hero":{"gold":51}}"#, "51 gold"),
        (r#"{"hero":{"disciplines":["flying"]}}"#, "there is no discipline `flying`"),
        (r#"{"hero":{"disciplines":["healing","healing"]}}"#, "the discipline of healing twice"),
        (r#"{"hero":{"disciplines":["healing","hunting","tracking"]}}"#, "3 disciplines: 2 at most"),
        (r#"{"hero":{"disciplines":["weaponskill"]}}"#, "weaponskill in no weapon"),
        (r#"{"hero":{"disciplines":["weaponskill=map"]}}"#, "weaponskill in map, which is no weapon"),
        (r#"{"hero":{"items":["anvil"]}}"#, "there is no item `anvil`"),
        (r#"{"hero":{"items":["rope=many"]}}"#, "`rope=many` is not a number of items"),
        (r#"{"hero":{"items":["rope=200"]}}"#, "200 of rope"),
        (r#"{"hero":{"items":["sword","sword","spear"]}}"#, "3 weapons: 2 at most"),
        (r#"{"start":99}"#, "there is no section 99 in this book"),
        (r#"{"start":-1}"#, "invalid value: integer `-1`"),
        (r#"{"goals":[6,99]}"#, "there is no section 99 in this book"),
        (r#"{"insist":{"section":99,"to":1}}"#, "there is no section 99"),
        (r#"{"insist":{"section":1,"to":8}}"#, "no choice of section 1 leads to 8"),
        (r#"{"hero":{"luck":9}}"#, "unknown field `luck`"),
    ] {
        let reply = ask(&host, path, question).await;
        assert_eq!(reply.status, 422, "{question}: {}", reply.body);
        assert!(reply.error().contains(message), "{question}: {}", reply.body);
    }
    let many = format!("{{\"goals\":[{}1]}}", "1,".repeat(300));
    assert_eq!(ask(&host, path, &many).await.error(), "there are too many goals");
    assert_eq!(ask(&host, path, "{\"hero\":").await.status, 400);
}

#[tokio::test]
async fn a_section() {
    let host = start_with_two_ways(Ceilings::default()).await;
    let path = "gamebook/section";
    let first = answer(&host, path, r#"{"section":1}"#).await;
    assert_eq!(first["text"][0], json!({"text": "A river\u{2026}", "to": null}));
    assert_eq!(first["text"][1]["to"], 2);
    let asked = &first["best_play"]["questions"][0];
    let answers = asked["answers"].as_array().unwrap().iter();
    for (answer, (label, win, taken)) in
        answers.zip([("over the bridge", 0.5, 0.0), ("through the ford", 0.7, 1.0), ("home", 0.0, 0.0)])
    {
        assert_eq!((&answer["label"], &answer["taken"]), (&label.into(), &taken.into()));
        assert_eq!(answer["best"], taken);
        assert!((answer["win"].as_f64().unwrap() - win).abs() < 1e-12, "{answer}");
    }
    assert_eq!(asked["situations"][0]["items"], json!([["sword", 1], ["map", 1]]));
    assert_eq!((&asked["situations"][0]["taken"], &asked["situations"][0]["endurance"]), (&1.into(), &json!([25, 25])));

    let ford = answer(&host, path, r#"{"section":3}"#).await;
    assert_eq!(
        (&ford["text"], &ford["best_play"]["from"]),
        (&Value::Null, &json!([{"section": 1, "probability": 1.0}]))
    );
    assert_eq!(ford["best_play"]["deaths"][0]["section"], 1);
    // Best play never comes to the bridge, unless it is made to.
    assert_eq!(answer(&host, path, r#"{"section":2}"#).await["best_play"], Value::Null);
    let insist = r#"{"section":2,"play":{"insist":{"section":1,"to":2}}}"#;
    assert_eq!(answer(&host, path, insist).await["best_play"]["visited"], 1.0);

    for (question, message) in [
        ("{}", "missing field `section`"),
        (r#"{"section":99}"#, "there is no section 99 in this book"),
        (r#"{"section":70000}"#, "there is no section 70000 in this book"),
        (r#"{"section":5000000000}"#, "invalid value: integer `5000000000`"),
        (r#"{"section":1,"play":{"hero":{"gold":99}}}"#, "99 gold"),
    ] {
        let reply = ask(&host, path, question).await;
        assert_eq!(reply.status, 422, "{question}");
        assert!(reply.error().contains(message), "{}", reply.body);
    }
}

#[tokio::test]
async fn advice() {
    let host = start_with_two_ways(Ceilings::default()).await;
    let path = "gamebook/advise";
    let bridge = answer(&host, path, r#"{"section":2,"hero":{"gold":7},"endurance":3}"#).await;
    assert_eq!(bridge["win"]["decimal"], 1.0);
    assert_eq!(bridge["choices"][0]["label"], "pay");
    assert_eq!((&bridge["choices"][0]["best"], &bridge["choices"][1]["win"]["decimal"]), (&true.into(), &0.5.into()));
    for (question, win) in [
        (r#"{"section":2}"#, 0.5),
        (r#"{"section":2,"flags":["known","known"]}"#, 1.0),
        (r#"{"section":2,"hero":{"has":["rope","spear=2"]}}"#, 1.0),
        (r#"{"section":3}"#, 0.7),
        (r#"{"section":6}"#, 1.0),
        (r#"{"section":7}"#, 0.0),
        (r#"{"section":7,"goals":[7]}"#, 1.0),
    ] {
        assert_eq!(answer(&host, path, question).await["win"]["decimal"], win, "{question}");
    }
    for (question, message) in [
        ("{}", "missing field `section`"),
        (r#"{"section":0}"#, "there is no section 0"),
        (r#"{"section":1,"endurance":0}"#, "an endurance of 0: the hero is dead"),
        (r#"{"section":1,"endurance":26}"#, "an endurance of 26: this hero can have 1 to 25"),
        (r#"{"section":1,"endurance":256}"#, "invalid value: integer `256`"),
        (r#"{"section":1,"flags":["tall"]}"#, "there is no flag `tall`"),
        (r#"{"section":1,"hero":{"items":["spear=2","sword"]}}"#, "3 weapons"),
        (r#"{"section":1,"hero":{"has":["map","anvil"]}}"#, "there is no item `anvil`"),
        (r#"{"section":1,"hero":{"has":["rope=9"]}}"#, "9 of rope: 8 at most"),
        (r#"{"section":1,"book":"y"}"#, "there is no book"),
    ] {
        let reply = ask(&host, path, question).await;
        assert_eq!(reply.status, 422, "{question}: {}", reply.body);
        assert!(reply.error().contains(message), "{question}: {}", reply.body);
    }
}

/// Three answers of equal worth, two of them to the same place, and one that is worth 10^-15 less or more.
#[tokio::test]
async fn all_best_answers_are_marked() {
    let best = |choices: &Value| -> Vec<String> {
        let choices = choices.as_array().expect("a list").iter();
        choices.filter(|own| own["best"] == true).map(|own| own["label"].as_str().unwrap().to_owned()).collect()
    };
    let host =
        start_with_book("equal-ways.kdl", include_str!("../../../../gamebook/gamebook/tests/books/equal-ways.kdl"))
            .await;
    let first = answer(&host, "gamebook/advise", r#"{"section":1}"#).await;
    assert_eq!(best(&first["choices"]), ["left", "middle", "right"]);
    let more = answer(&host, "gamebook/advise", r#"{"section":10}"#).await;
    assert_eq!(best(&more["choices"]), ["slightly more"]);
    let solved = answer(&host, "gamebook/solve", "{}").await;
    assert_eq!(best(&solved["first_choices"][0]["choices"]), ["left", "middle", "right"]);
    let section = answer(&host, "gamebook/section", r#"{"section":1}"#).await;
    let answers = section["best_play"]["questions"][0]["answers"].as_array().unwrap();
    let best: Vec<f64> = answers.iter().map(|own| own["best"].as_f64().unwrap()).collect();
    // Over a whole play floating point does not tell the fourth from the first three.
    assert_eq!(best, [1.0, 1.0, 1.0, 1.0, 0.0]);
}

#[tokio::test]
async fn limits_and_progress() {
    let host = start_with_two_ways(Ceilings { states: 3, shelf: 0, ..Ceilings::default() }).await;
    let reply = ask(&host, "gamebook/solve", "{}").await;
    assert_eq!(
        (reply.status, reply.error().contains("the limit of 3 states is reached")),
        (422, true),
        "{}",
        reply.body
    );

    // With and without a shelf, and as lines, the answer is the same.
    let host = start_with_two_ways(Ceilings { shelf: 0, ..Ceilings::default() }).await;
    let never_kept = answer(&host, "gamebook/solve", "{}").await;
    let host = start_with_two_ways(Ceilings::default()).await;
    for _ in 0..2 {
        let lines = [JSON, ("Accept", "application/x-ndjson")];
        let reply = request(&host, "POST", "/api/1/gamebook/solve", &lines, b"{}").await;
        assert!(reply.head.contains("application/x-ndjson"));
        let last: Value = serde_json::from_str(reply.body.lines().last().unwrap()).unwrap();
        assert_eq!((&last["format"], &last["answer"]), (&1.into(), &never_kept));
    }
}

#[tokio::test]
async fn the_chance_to_win_is_sent_before_the_rest() {
    let host = crate::common::start(Ceilings::default()).await;
    let lines = [JSON, ("Accept", "application/x-ndjson")];
    let question = br#"{"book":"flight-from-the-dark"}"#;
    let reply = request(&host, "POST", "/api/1/gamebook/solve", &lines, question).await;
    let lines: Vec<Value> = reply.body.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let wins: Vec<&Value> = lines.iter().filter_map(|line| line["progress"].get("win")).collect();
    let win = &lines.last().unwrap()["answer"]["win"];
    assert!(win["decimal"].as_f64() > Some(0.5), "{}", reply.body);
    assert!(wins.iter().all(|own| own.is_null() || *own == win), "{wins:?}");
    assert_eq!(wins.last(), Some(&win), "{wins:?}");
}

/// The built-in book takes its time; nobody waits for it here.
#[tokio::test]
async fn a_solve_whose_browser_went_away_stops() {
    let host = crate::common::start(Ceilings { solves: 1, ..Ceilings::default() }).await;
    let lines = [JSON, ("Accept", "application/x-ndjson")];
    let stream = open(&host, "POST", "/api/1/gamebook/solve", &lines, b"{}").await;
    let mut reader = BufReader::new(stream).lines();
    loop {
        let line = reader.next_line().await.unwrap().expect("it takes longer than to the first progress");
        let line: Value = serde_json::from_str(&line).unwrap_or_default();
        if line["progress"]["states"].as_u64() > Some(1000) {
            break;
        }
    }
    drop(reader);
    // The only place is free again, and what is asked now is not the stopped solve.
    let book = answer(&host, "gamebook/advise", r#"{"section":350}"#).await;
    assert_eq!(book["win"]["decimal"], 1.0);
}

#[test]
fn books_and_texts_that_are_none() {
    assert!(OfferedBook::new("x.kdl", "section 1 {").is_err());
    assert!(OfferedBook::new("x.kdl", &"{".repeat(100_000)).is_err());
    for xml in ["", "<", "<a b=>", "<gamebook><section class='numbered' id='sect1'", "plain words"] {
        let error = Prose::new(xml.as_bytes()).unwrap_err().to_string();
        assert!(!error.is_empty(), "{xml}");
    }
}

#[tokio::test]
async fn a_book_with_its_text() {
    let text = "book \"Drawn\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 2\nhero { combat-skill 15; endurance 25; }\n\
                section 1 { text \"<b>Night.</b>\"; text \"A door.\"; goto 2; }\nsection 2 { victory; }";
    let host = start_with_book("drawn.kdl", text).await;
    assert_eq!(answer(&host, "gamebook/book", "{}").await["text"], true);
    let section = answer(&host, "gamebook/section", r#"{"section":1,"play":{}}"#).await;
    assert_eq!(section["text"], json!([{"text": "<b>Night.</b>", "to": null}, {"text": "A door.", "to": null}]));
}

/// A system of rules of its own, named sections, and no `goal`.
const BOG: &str = r#"
book "Bog" format=1 system="none"
start "Gate"
stat body start=3 initial=#true vital=#true
counter coins max=9 start=1
item rope max=2 start=1
flags mapped
enemy-stat stamina vital=#true
fight-system { round { roll d6 { when 1 3 { enemy.stamina -1; }; else { body -1; }; }; }; }
section "Gate" {
    choice "pay" { require "coins >= 2"; coins -2; goto "End"; }
    choice "wade" { roll d2 { when 1 { goto "End"; }; else { death "a bog"; }; }; }
    choice "fight" { require "mapped"; fight "Orc" stamina=1; goto "End"; }
}
section "End" { victory; }
"#;

#[tokio::test]
async fn a_book_with_a_system_of_rules() {
    let host = start_with_book("bog.kdl", BOG).await;
    let book = answer(&host, "gamebook/book", "{}").await;
    assert_eq!(book["hero"], json!({"values": ["body=3", "body.initial=3", "coins=1", "rope=1"]}));
    assert_eq!(book["values"][0], json!({"name": "body", "kind": "stat", "least": 1, "most": 99, "start": 3}));
    let kinds: Vec<_> = book["values"].as_array().unwrap().iter().map(|own| own["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["stat", "initial", "counter", "item"]);
    assert_eq!((&book["flags"], &book["disciplines"]), (&json!(["mapped"]), &json!([])));
    let gate = &book["sections"][0];
    assert_eq!((&gate["name"], &gate["fights"]), (&"Gate".into(), &json!(["Orc, stamina 1"])));
    let number = gate["section"].as_u64().unwrap();

    let solved = answer(&host, "gamebook/solve", "{}").await;
    assert_eq!(solved["win"]["decimal"], 0.5);
    assert_eq!(solved["finals"][0]["stats"], json!([["body", 3], ["coins", 1]]));
    let rich = answer(&host, "gamebook/solve", r#"{"hero":{"values":["coins=2"]}}"#).await;
    assert_eq!(rich["win"]["decimal"], 1.0);
    assert_eq!(rich["finals"][0]["stats"], json!([["body", 3], ["coins", 0]]));

    // Of three wounds three rounds must be lost, each as likely as won.
    for (values, flags, win) in [
        (json!([]), json!([]), 0.5),
        (json!([]), json!(["mapped"]), 0.875),
        (json!(["body=2", "body.initial=3"]), json!(["mapped"]), 0.75),
        (json!(["coins=4"]), json!([]), 1.0),
    ] {
        let question = json!({"section": number, "hero": {"values": values}, "flags": flags});
        let advice = answer(&host, "gamebook/advise", &question.to_string()).await;
        assert_eq!(advice["win"]["decimal"], win, "{question}");
    }
    for (path, question, message) in [
        ("solve", json!({"hero": {"combat_skill": 15}}), "no heroes of Lone Wolf"),
        ("solve", json!({"hero": {"values": ["coin=1"]}}), "has no `coin`"),
        ("solve", json!({"hero": {"values": ["body=0"]}}), "this cannot be"),
        ("advise", json!({"section": number, "endurance": 3}), "no heroes of Lone Wolf"),
        ("advise", json!({"section": number, "flags": ["maped"]}), "no flag `maped`"),
    ] {
        let reply = ask(&host, &format!("gamebook/{path}"), &question.to_string()).await;
        assert_eq!(reply.status, 422, "{question}: {}", reply.body);
        assert!(reply.error().contains(message), "{}", reply.body);
    }
    let two_ways = start_with_two_ways(Ceilings::default()).await;
    let reply = ask(&two_ways, "gamebook/solve", r#"{"hero":{"values":["gold=3"]}}"#).await;
    assert!(reply.error().contains("one of Lone Wolf's"), "{}", reply.body);

    // The page has these in its address.
    let page = get(&host, "/gamebook").await;
    assert_eq!(page.status, 200, "{}", page.body);
    let address = "/gamebook?hero.values=body%3D2&hero.values=coins%3D3&here.flags=mapped&here.values=body%3D1";
    let page = get(&host, address).await;
    assert_eq!(page.status, 200, "{}", page.body);
    assert!(page.body.contains(r#""values":["body=2","coins=3"]"#), "{}", page.body);
    assert_eq!(get(&host, "/gamebook?hero.values=coins%3D30").await.status, 422);
}

/// Readings and policies of a question, and what is none of the book's.
#[tokio::test]
async fn a_book_is_read_and_played_as_the_question_says() {
    let text = r#"
        book "Ford" format=1 system="none"
        start 1
        reading depth shallow deep
        policy "brave" { never "walk around"; }
        section 1 {
            choice "wade" { if "reading depth deep" { death "the ford"; }; roll d2 { when 1 { goto 2; }; else { death "the ford"; }; }; }
            choice "walk around" { goto 2; }
        }
        section 2 { victory; }
    "#;
    let host = start_with_book("ford.kdl", text).await;
    let book = answer(&host, "gamebook/book", "{}").await;
    assert_eq!(book["readings"], json!([{"name": "depth", "values": ["shallow", "deep"]}]));
    assert_eq!(book["policies"], json!([{"name": "brave", "default": false}]));
    for (conduct, win) in [
        (json!({}), 1.0),
        (json!({"policy": "brave"}), 0.5),
        (json!({"policy": "brave", "readings": ["depth=deep"]}), 0.0),
    ] {
        let solved = answer(&host, "gamebook/solve", &json!({"conduct": conduct}).to_string()).await;
        assert_eq!(solved["win"]["decimal"], win, "{conduct}");
        let advice = answer(&host, "gamebook/advise", &json!({"section": 1, "conduct": conduct}).to_string()).await;
        assert_eq!(advice["win"]["decimal"], win, "{conduct}");
    }
    for (conduct, message) in [
        (json!({"policy": "braev"}), "there is no policy `braev`"),
        (json!({"readings": ["depth=wet"]}), "`depth` is not read as `wet`"),
        (json!({"readings": ["width=deep"]}), "no reading `width`"),
    ] {
        let reply = ask(&host, "gamebook/solve", &json!({"conduct": conduct}).to_string()).await;
        assert_eq!(reply.status, 422, "{}", reply.body);
        assert!(reply.error().contains(message), "{}", reply.body);
    }
    let page = get(&host, "/gamebook?conduct.policy=brave&conduct.readings=depth%3Ddeep").await;
    assert_eq!(page.status, 200, "{}", page.body);
    assert_eq!(get(&host, "/gamebook?conduct.policy=bold").await.status, 422);
}

/// What the book says by default about how it is played holds for advice, too.
#[tokio::test]
async fn advice_follows_the_policy_of_the_book() {
    let text = r#"
        book "Habit" format=1 system="none"
        start 1
        policy "habit" default=#true { never "pay"; }
        section 1 {
            choice "pay" { goto 2; }
            choice "wade" { roll d2 { when 1 { goto 2; }; else { death "a bog"; }; }; }
        }
        section 2 { victory; }
    "#;
    let host = start_with_book("habit.kdl", text).await;
    for (path, question) in [("gamebook/solve", "{}"), ("gamebook/advise", r#"{"section":1}"#)] {
        assert_eq!(answer(&host, path, question).await["win"]["decimal"], 0.5, "{path}");
    }
}
