//! Fights of Act 1: their page, what they are worth, and a walk through one.

use explorer::Ceilings;
use serde_json::{Value, json};

use crate::common::{answer, ask, get, start};

const FIGHT: &str = "slay-the-spire/act-1/fight";
const WALK: &str = "slay-the-spire/act-1/walk";

fn small() -> Value {
    json!({"enemies": ["red-louse"], "enemy_hp": "6", "curl_up": "3", "deck": "strike=3,defend=2,bash", "hp": 20, "potions": ["fire"]})
}

async fn walk(host: &str, steps: &Value, since: usize, act: Value) -> Value {
    let question = json!({"fight": small(), "steps": steps, "since": since, "act": act, "seed": 3});
    answer(host, WALK, &question.to_string()).await
}

fn decimal(number: &Value) -> f64 {
    number["decimal"].as_f64().expect("a number")
}

#[tokio::test]
async fn what_a_fight_is_worth() {
    let host = start(Ceilings::default()).await;
    // As published for the starting deck.
    let told = answer(&host, FIGHT, r#"{"fight":{"enemies":["cultist"]}}"#).await;
    assert!((decimal(&told["value"]) - 40_517_009.0 / 518_616.0).abs() < 1e-9, "{told}");
    assert!(told.get("stopped").is_none() && decimal(&told["survival"]) > 0.99);
    let told = answer(&host, FIGHT, &json!({"fight": small(), "seconds": 5}).to_string()).await;
    assert!(decimal(&told["value"]) > 15.0 && decimal(&told["value"]) <= 20.0, "{told}");
}

#[tokio::test]
async fn bounds_are_told_where_the_search_does_not_end() {
    let host = start(Ceilings { states: 50, ..Ceilings::default() }).await;
    let told = answer(&host, FIGHT, r#"{"fight":{"enemies":["jaw-worm"]}}"#).await;
    let (lower, upper) = (told["value"]["lower"].as_f64().unwrap(), told["value"]["upper"].as_f64().unwrap());
    assert!(told["stopped"].is_string() && 0.0 <= lower && lower + 1.0 < upper && upper <= 80.0, "{told}");
    let told = answer(&host, WALK, r#"{"fight":{"enemies":["jaw-worm"]}}"#).await;
    assert!(told["stopped"].is_string() && told["now"]["chance"]["count"] == 5, "{told}");
}

#[tokio::test]
async fn a_fight_from_its_start_to_its_end() {
    let host = start(Ceilings::default()).await;
    let worth = answer(&host, FIGHT, &json!({"fight": small()}).to_string()).await;
    let (mut steps, mut log) = (json!([]), Vec::new());
    let mut act = Value::Null;
    let now = loop {
        let told = walk(&host, &steps, log.len(), act).await;
        log.extend(told["log"].as_array().expect("a log").iter().cloned());
        steps = told["steps"].clone();
        assert_eq!(log.len(), steps.as_array().expect("steps").len() + 1);
        let now = told["now"].clone();
        assert_eq!(now["win"], log.last().expect("an entry")["win"]);
        act = match now["look"].as_str().expect("a look") {
            "chance" => json!("roll"),
            "play" => {
                let best = &now["plays"][0];
                assert!(best["best"] == true && (decimal(&best["win"]) - decimal(&now["win"])).abs() < 1e-9, "{now}");
                assert!(now["table"]["enemies"][0]["intends"].is_string());
                json!({"play": best["play"]})
            }
            _ => break now,
        };
        assert!(log.len() < 60);
    };
    assert!((decimal(&log[0]["win"]) - decimal(&worth["value"])).abs() < 1e-9);
    assert_eq!(now["look"], "won");
    assert!((decimal(&now["win"]) - now["health"].as_f64().unwrap()).abs() < 1e-12, "{now}");
    // All at once it is the same log.
    let again = walk(&host, &steps, 0, Value::Null).await;
    for (one, other) in again["log"].as_array().expect("a log").iter().zip(&log) {
        assert_eq!((&one["step"], &one["told"], &one["health"]), (&other["step"], &other["told"], &other["health"]));
        assert!((decimal(&one["win"]) - decimal(&other["win"])).abs() < 1e-9);
    }
}

#[tokio::test]
async fn what_cannot_be_is_told() {
    let host = start(Ceilings::default()).await;
    for (path, question, message) in [
        (FIGHT, json!({"fight": {"enemies": []}}), "name an enemy"),
        (FIGHT, json!({"fight": {"enemies": ["jaw-wurm"]}}), "did you mean jaw-worm?"),
        (FIGHT, json!({"fight": {"enemies": ["cultist"], "deck": "strike=61"}}), "more than 60 cards"),
        (FIGHT, json!({"fight": {"enemies": ["cultist"], "hp": 81}}), "hp: it goes from 1 to max_hp, 80 here"),
        (
            FIGHT,
            json!({"fight": {"enemies": ["red-louse", "red-louse"], "enemy_hp": "1..=999,1..=999"}}),
            "narrower ranges",
        ),
        (FIGHT, json!({"fight": {"enemies": ["cultist"]}, "seconds": 0}), "seconds are out of range"),
        (FIGHT, json!({"fight": ["cultist"]}), "expected a map"),
        (WALK, json!({"fight": {"enemies": ["cultist"], "objective": "loss"}}), "the player can die"),
        (WALK, json!({"fight": small(), "steps": ["p1"]}), "step 1: nothing can be played now"),
        (WALK, json!({"fight": small(), "act": {"came": 500}}), "there are 1 to"),
        (WALK, json!({"fight": small(), "act": {"play": 0}}), "counted from 1"),
        (WALK, json!({"fight": small(), "steps": ["x"]}), "is no step"),
    ] {
        let reply = ask(&host, path, &question.to_string()).await;
        assert_eq!(reply.status, 422, "{question}: {}", reply.body);
        assert!(reply.error().contains(message), "{question}: {}", reply.body);
    }
}

#[tokio::test]
async fn its_page() {
    let host = start(Ceilings::default()).await;
    assert!(get(&host, "/slay-the-spire").await.body.contains("href=\"/slay-the-spire/act-1\""));
    for query in [
        "",
        "?enemies=two-louses&hp=60&deck=strike%3D5&deck=bash%2B&relics=vajra&solve=true",
        "?enemies=&enemies=cultist&walk=true&steps=o1",
    ] {
        assert_eq!(get(&host, &format!("/slay-the-spire/act-1{query}")).await.status, 200, "{query}");
    }
    for query in
        ["?enemies=nobody", "?hp=0", "?seconds=0", "?objective=gold", "?objective=loss&walk=true", "?walk=true&steps=x"]
    {
        assert_eq!(get(&host, &format!("/slay-the-spire/act-1{query}")).await.status, 422, "{query}");
    }
}
