//! A fight against a Cultist that was played, told step by step.

use explorer::Ceilings;
use serde_json::{Value, json};

use crate::common::{answer, ask, start};

const PATH: &str = "slay-the-spire/replay";

fn fight() -> Value {
    let deck = json!({"strike": 5, "defend": 4, "bash": 1, "ascenders-bane": 1});
    json!({
        "start": {"cultist_hp": "50..=56", "hp": 68, "deck": deck}, "cultist_hp": 53,
        "turns": [{"draw": {"strike": 3, "defend": 2}, "play": ["defend", "strike", "strike"]}],
    })
}

#[tokio::test]
async fn luck_and_mistakes() {
    let host = start(Ceilings::default()).await;
    let told = answer(&host, PATH, &fight().to_string()).await;
    let steps = told["steps"].as_array().unwrap();
    let events: Vec<&str> = steps.iter().map(|step| step["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["start", "appears", "draw", "play"]);
    // What it was worth before is what the odds say, and what it is worth with the hand what the advice says.
    let odds = answer(&host, "slay-the-spire/odds", "{}").await;
    assert_eq!(steps[0]["value"]["exact"], odds["value"]["exact"]);
    let position = json!({
        "turn": 0, "energy": 3, "health": 68, "block": 0, "enemy": {"health": 53},
        "hand": {"strike": 3, "defend": 2}, "draw": {"strike": 2, "defend": 2, "bash": 1, "ascenders-bane": 1},
    });
    let advice = answer(&host, "slay-the-spire/advise", &position.to_string()).await;
    assert_eq!(steps[2]["value"]["exact"], advice["value"]["exact"]);
    assert_eq!(steps[3]["best"], json!(["strike", "strike", "strike"]));
    let number = |value: &Value| value["decimal"].as_f64().unwrap();
    assert!(number(&told["mistakes"]) < 0.0);
    assert!((number(&told["mistakes"]) - number(&steps[3]["change"])).abs() < 1e-12);
    let all = number(&steps[3]["value"]) - number(&steps[0]["value"]);
    assert!((number(&told["luck"]) + number(&told["mistakes"]) - all).abs() < 1e-9);

    let mut survival = fight();
    survival["objective"] = json!("survival");
    assert_eq!(answer(&host, PATH, &survival.to_string()).await["steps"].as_array().map(Vec::len), Some(4));
}

#[tokio::test]
async fn what_is_no_fight() {
    let host = start(Ceilings::default()).await;
    let with = |name: &str, value: Value| {
        let mut fight = fight();
        fight[name] = value;
        fight.to_string()
    };
    for (question, message) in [
        ("{}".to_owned(), "missing field"),
        (with("cultist_hp", json!(99)), "99"),
        (with("turns", json!([{"draw": {"bash": 5}}])), "turns[0].draw"),
        (with("turns", json!([{"draw": {"strike": 3, "defend": 2}, "play": ["bash"]}])), "turns[0].play"),
        (with("turns", json!(7)), "invalid type"),
        (with("loot", json!(1)), "unknown field"),
    ] {
        let reply = ask(&host, PATH, &question).await;
        assert_eq!((reply.status, reply.error().contains(message)), (422, true), "{question}: {}", reply.body);
    }
}
