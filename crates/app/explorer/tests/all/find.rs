//! Sections looked for by what they are called and by what they speak of.

use explorer::Ceilings;
use gamebook::{BUILT_IN, MentionKind};
use serde_json::{Value, json};

use crate::common::{answer, ask, start_with_book, start_with_two_ways};

/// The sections that are found, and the reasons of the first.
async fn found(host: &str, text: &str) -> (Vec<Value>, Value) {
    let answer = answer(host, "gamebook/find", &json!({"text": text}).to_string()).await;
    let found = answer["found"].as_array().unwrap();
    (
        found.iter().map(|own| own["section"].clone()).collect(),
        found.first().map_or(Value::Null, |own| own["why"].clone()),
    )
}

#[tokio::test]
async fn by_number_enemy_choice_item_note_and_death() {
    let host = start_with_two_ways(Ceilings::default()).await;
    let why = |kind: &str, text: &str| json!([{"kind": kind, "text": text}]);
    for (text, sections, reasons) in [
        ("3", vec![3], json!([])),
        ("rat", vec![4], why("enemy", "Rat")),
        ("  BRIDGE the ", vec![1], why("choice", "over the bridge")),
        ("rope", vec![2], why("demand", "rope")),
        ("known", vec![2], why("note", "known")),
        ("drown", vec![3], why("death", "drowned")),
        ("gold", vec![2], why("loss", "gold")),
        ("dragon", vec![], Value::Null),
        ("rat bridge", vec![], Value::Null),
    ] {
        let expected: Vec<Value> = sections.into_iter().map(Value::from).collect();
        assert_eq!(found(&host, text).await, (expected, reasons), "{text}");
    }
    let long = json!({"text": "a".repeat(201)}).to_string();
    for (question, message) in [
        ("{}", "missing field `text`"),
        (r#"{"text":"  "}"#, "nothing is looked for"),
        (long.as_str(), "a text of 201 bytes"),
        (r#"{"text":"x","book":"y"}"#, "there is no book \"y\" here"),
    ] {
        let reply = ask(&host, "gamebook/find", question).await;
        assert_eq!((reply.status, reply.error().contains(message)), (422, true), "{question}: {}", reply.body);
    }
}

#[tokio::test]
async fn in_a_book_with_a_system_of_rules_and_named_sections() {
    let book = r#"
book "Mire" format=1 system="none"
start "Old Gate"
stat body start=3 initial=#true vital=#true
item rope max=2 start=0
item silver-key max=1 start=0
flags mapped
counter coins max=9 start=1
enemy-stat stamina vital=#true
fight-system { round { roll d6 { when 1 3 { enemy.stamina -1; }; else { body -1; }; }; }; }
define loot { silver-key +1; }
section "Old Gate" {
    choice "bribe the guard" { require "coins >= 2"; coins -2; goto "Gate House"; }
    choice "fight" { use loot; fight "Mire Orc" stamina=1; goto "Gate House"; }
    choice "climb" { require "has rope"; rope -1; goto "Gate House"; }
    choice "look" { set mapped; death "a bog"; }
}
section "Gate House" { if "mapped" { goto "Old Gate"; }; victory; }
"#;
    let host = start_with_book("mire.kdl", book).await;
    let named = answer(&host, "gamebook/book", "{}").await;
    let number = |name: &str| {
        let sections = named["sections"].as_array().unwrap();
        sections.iter().find(|own| own["name"] == name).unwrap()["section"].clone()
    };
    let (gate, house) = (number("Old Gate"), number("Gate House"));
    for (text, sections, reason) in [
        ("gate house", vec![&house], Value::Null),
        ("gate", vec![&gate, &house], Value::Null),
        ("orc", vec![&gate], json!({"kind": "enemy", "text": "Mire Orc"})),
        ("bribe", vec![&gate], json!({"kind": "choice", "text": "bribe the guard"})),
        ("silver key", vec![&gate], json!({"kind": "gain", "text": "silver-key"})),
        ("rope", vec![&gate], json!({"kind": "loss", "text": "rope"})),
        ("coins", vec![&gate], json!({"kind": "note", "text": "coins"})),
        ("mapped", vec![&gate, &house], json!({"kind": "note", "text": "mapped"})),
        ("bog", vec![&gate], json!({"kind": "death", "text": "a bog"})),
        ("body", vec![], Value::Null),
    ] {
        let (found, why) = found(&host, text).await;
        assert_eq!((found.iter().collect::<Vec<_>>(), &why[0]), (sections, &reason), "{text}");
    }
}

/// Many hits are cut off, and counted.
#[tokio::test]
async fn too_many_are_counted() {
    let section = |number| format!("section {number} {{ choice \"on and on\" {{ goto 102; }}; }}");
    let sections = (2..=101).map(section).collect::<Vec<_>>().join("\n");
    let text = format!(
        "book \"Long\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 102\nhero {{ combat-skill 15; endurance 25; }}\n\
         section 1 {{ goto 2; }}\n{sections}\nsection 102 {{ victory; }}"
    );
    let host = start_with_book("long.kdl", &text).await;
    let answer = answer(&host, "gamebook/find", r#"{"text":"on"}"#).await;
    assert_eq!((answer["found"].as_array().unwrap().len(), &answer["left_out"]), (50, &json!(50)));
}

/// What is mentioned is what the outline, made in another way, tells of the same sections.
#[test]
fn all_built_in_books_speak_of_what_their_outlines_tell() {
    for (name, text) in BUILT_IN {
        let (book, _) = gamebook::read(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        for section in book.sections.keys() {
            let (mentions, outline) = (book.mentions(*section), book.outline(*section));
            let of =
                |kind| mentions.iter().filter(|own| own.kind == kind).map(|own| own.text.as_str()).collect::<Vec<_>>();
            let mut deaths: Vec<&str> = outline.deaths.iter().map(String::as_str).collect();
            deaths.sort_unstable();
            assert_eq!(of(MentionKind::Death), deaths, "{name}, section {section}");
            assert_eq!(of(MentionKind::Enemy).is_empty(), outline.fights.is_empty(), "{name}, section {section}");
            assert!(outline.enemies.iter().all(|(own, ..)| of(MentionKind::Enemy).contains(&own.as_str())));
        }
    }
}
