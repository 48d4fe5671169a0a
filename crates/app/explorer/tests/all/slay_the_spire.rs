//! Fights of Act 1: their page, what they are worth, and a walk through one.

use std::time::Duration;

use explorer::Ceilings;
use serde_json::{Value, json};

use crate::common::{answer, ask, get, start};

const FIGHT: &str = "slay-the-spire/act-1/fight";
const WALK: &str = "slay-the-spire/act-1/walk";
const REWARD: &str = "slay-the-spire/act-1/reward";
const ADVISE: &str = "slay-the-spire/act-1/advise";

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
async fn the_value_of_a_fight() {
    let host = start(Ceilings::default()).await;
    // As published for the starting deck.
    let reply = answer(&host, FIGHT, r#"{"fight":{"enemies":["cultist"]}}"#).await;
    assert!((decimal(&reply["value"]) - 40_517_009.0 / 518_616.0).abs() < 1e-9, "{reply}");
    assert!(reply.get("stopped").is_none() && decimal(&reply["survival"]) > 0.99);
    let reply = answer(&host, FIGHT, &json!({"fight": small(), "seconds": 5}).to_string()).await;
    assert!(decimal(&reply["value"]) > 15.0 && decimal(&reply["value"]) <= 20.0, "{reply}");
}

#[tokio::test]
async fn a_search_that_is_stopped_gives_bounds() {
    let host = start(Ceilings { states: 50, ..Ceilings::default() }).await;
    let reply = answer(&host, FIGHT, r#"{"fight":{"enemies":["jaw-worm"]}}"#).await;
    let (lower, upper) = (reply["value"]["lower"].as_f64().unwrap(), reply["value"]["upper"].as_f64().unwrap());
    assert!(reply["stopped"].is_string() && 0.0 <= lower && lower + 1.0 < upper && upper <= 80.0, "{reply}");
    let reply = answer(&host, WALK, r#"{"fight":{"enemies":["jaw-worm"]}}"#).await;
    assert!(reply["stopped"].is_string() && reply["now"]["chance"]["count"] == 5, "{reply}");
}

#[tokio::test]
async fn the_solve_of_a_closed_connection_stops() {
    let host = start(Ceilings { solves: 1, ..Ceilings::default() }).await;
    // Each of its many beginnings takes a while, and the client has closed the connection.
    let deck = "strike=5,defend=4,bash,pommel-strike,shrug-it-off,inflame";
    let long =
        json!({"fight": {"enemies": ["spike-slime-s", "acid-slime-m"], "deck": deck}, "seconds": 600}).to_string();
    assert!(tokio::time::timeout(Duration::from_secs(2), ask(&host, FIGHT, &long)).await.is_err());
    let begun = std::time::Instant::now();
    answer(&host, FIGHT, &json!({"fight": small()}).to_string()).await;
    // One beginning takes seconds here; the whole solve would take ten minutes.
    assert!(begun.elapsed() < Duration::from_secs(150), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_fight_from_its_start_to_its_end() {
    let host = start(Ceilings::default()).await;
    let worth = answer(&host, FIGHT, &json!({"fight": small()}).to_string()).await;
    let (mut steps, mut log) = (json!([]), Vec::new());
    let mut act = Value::Null;
    let now = loop {
        let reply = walk(&host, &steps, log.len(), act).await;
        log.extend(reply["log"].as_array().expect("a log").iter().cloned());
        steps = reply["steps"].clone();
        assert_eq!(log.len(), steps.as_array().expect("steps").len() + 1);
        let now = reply["now"].clone();
        assert_eq!(now["win"], log.last().expect("an entry")["win"]);
        act = match now["phase"].as_str().expect("a phase") {
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
    assert_eq!(now["phase"], "won");
    assert!((decimal(&now["win"]) - now["health"].as_f64().unwrap()).abs() < 1e-12, "{now}");
    // The whole walk in one request has the same log.
    let again = walk(&host, &steps, 0, Value::Null).await;
    for (one, other) in again["log"].as_array().expect("a log").iter().zip(&log) {
        assert_eq!((&one["step"], &one["text"], &one["health"]), (&other["step"], &other["text"], &other["health"]));
        assert!((decimal(&one["win"]) - decimal(&other["win"])).abs() < 1e-9);
    }
}

/// The small fight with other things in it.
fn small_with(changes: &Value) -> Value {
    let mut fight = small();
    for (name, value) in changes.as_object().expect("an object") {
        fight[name] = value.clone();
    }
    fight
}

async fn worth(host: &str, fight: &Value) -> f64 {
    decimal(&answer(host, FIGHT, &json!({"fight": fight}).to_string()).await["value"])
}

#[tokio::test]
async fn a_card_is_worth_what_the_fight_is_with_it() {
    let host = start(Ceilings::default()).await;
    let question = json!({"fight": small(), "cards": ["pommel-strike", "wound"], "also": ["remove", "upgrade"]});
    let reply = answer(&host, REWARD, &question.to_string()).await;
    let rows = reply["rewards"].as_array().expect("rows");
    let as_it_is = worth(&host, &small()).await;
    let decks = [
        ("none", "strike=3,defend=2,bash"),
        ("pommel-strike", "strike=3,defend=2,bash,pommel-strike"),
        ("wound", "strike=3,defend=2,bash,wound"),
        ("remove strike", "strike=2,defend=2,bash"),
        ("remove defend", "strike=3,defend,bash"),
        ("remove bash", "strike=3,defend=2"),
        ("upgrade strike", "strike=2,strike+,defend=2,bash"),
        ("upgrade defend", "strike=3,defend,defend+,bash"),
        ("upgrade bash", "strike=3,defend=2,bash+"),
    ];
    assert_eq!(rows.len(), decks.len());
    for (name, deck) in decks {
        let row = rows.iter().find(|row| row["take"] == name).unwrap_or_else(|| panic!("{name} is missing: {reply}"));
        let with = worth(&host, &small_with(&json!({"deck": deck}))).await;
        assert!((decimal(&row["value"]) - with).abs() < 1e-9, "{name}: {row}, not {with}");
        assert!((decimal(&row["gain"]) - (with - as_it_is)).abs() < 1e-9, "{name}: {row}");
    }
    assert!(rows.windows(2).all(|two| decimal(&two[0]["gain"]) >= decimal(&two[1]["gain"])));
    // Each fight has its share of the time; one that is not solved by then has bounds, and is simulated.
    let long = json!({"fight": {"enemies": ["large-slime"]}, "cards": ["pommel-strike"], "seconds": 1});
    let begun = std::time::Instant::now();
    let reply = answer(&host, REWARD, &long.to_string()).await;
    assert!(reply["stopped"].is_string() && reply["rewards"].as_array().map(Vec::len) == Some(2), "{reply}");
    assert!(reply["rewards"][0]["simulated"]["gain"]["lower"].is_number(), "{reply}");
    assert!(begun.elapsed().as_secs() < 120, "{:?}", begun.elapsed());
}

#[tokio::test]
async fn groups_of_a_file_and_every_health_at_the_start() {
    let host = start(Ceilings::default()).await;
    let louse = json!({"kind": "red_louse", "hp": [6, 6], "curl_up": [3, 3]});
    let cultist = json!({"kind": "cultist", "hp": [12, 12]});
    let groups = json!([{"weight": 1, "enemies": [louse]}, {"weight": "1/2", "enemies": [cultist]}]);
    let none = Value::Null;
    let both = small_with(&json!({"groups": groups, "enemy_hp": none, "curl_up": none}));
    let other = small_with(&json!({"enemies": ["cultist"], "enemy_hp": "12", "curl_up": none}));
    let right = (2.0 * worth(&host, &small()).await + worth(&host, &other).await) / 3.0;
    assert!((worth(&host, &both).await - right).abs() < 1e-9);

    let question = json!({"fight": small(), "by_health": true});
    let reply = answer(&host, FIGHT, &question.to_string()).await;
    let rows = reply["by_health"].as_array().expect("rows");
    assert_eq!((rows.len(), &rows[0]["health"]), (80, &json!(80)));
    for health in [1, 7, 20, 80] {
        let row = rows.iter().find(|row| row["health"] == health).expect("every health");
        let alone = worth(&host, &small_with(&json!({"hp": health}))).await;
        assert!((decimal(&row["value"]) - alone).abs() < 1e-9, "{row}, not {alone}");
    }
}

#[tokio::test]
async fn a_position_of_a_file() {
    let host = start(Ceilings::default()).await;
    // One Strike kills: nothing is lost.
    let position = |hand: Value| {
        json!({"hp": 30, "hand": hand, "draw": {"defend": 3},
            "enemies": [{"kind": "cultist", "hp": 6, "intent": "dark_strike", "strength": 3}]})
    };
    let reply =
        answer(&host, ADVISE, &json!({"position": position(json!({"strike": 1, "defend": 1}))}).to_string()).await;
    assert!((decimal(&reply["value"]) - 30.0).abs() < 1e-9, "{reply}");
    assert_eq!(reply["plays"][0]["cards"], json!(["strike"]));
    let question = json!({"position": position(json!({"defend": 1})), "objective": "survival", "seconds": 2});
    let reply = answer(&host, ADVISE, &question.to_string()).await;
    assert!(decimal(&reply["value"]) <= 1.0, "{reply}");
}

/// A message of `CommunicationMod` that its game would write: a Strike kills the Jaw Worm.
fn message() -> Value {
    let card = |id: &str, cost: i8| json!({"id": id, "name": id, "cost": cost, "upgrades": 0, "uuid": "1-2-3", "type": "ATTACK"});
    json!({"available_commands": ["play", "end"], "ready_for_command": true, "in_game": true, "game_state": {
        "class": "IRONCLAD", "ascension_level": 3, "floor": 2, "screen_type": "NONE", "map": [{"x": 0, "y": 0}],
        "relics": [{"id": "Burning Blood", "name": "Burning Blood", "counter": -1}],
        "potions": [{"id": "Potion Slot", "name": "Potion Slot"}],
        "combat_state": {"turn": 2, "hand": [card("Defend_R", 1), card("Strike_R", 1)], "draw_pile": [],
            "discard_pile": [card("Bash", 2)], "exhaust_pile": [],
            "player": {"current_hp": 31, "max_hp": 80, "block": 0, "energy": 1, "powers": [], "orbs": []},
            "monsters": [{"id": "JawWorm", "name": "Jaw Worm", "current_hp": 6, "max_hp": 42, "block": 0, "move_id": 1,
                "last_move_id": 3, "intent": "ATTACK", "is_gone": false, "half_dead": false, "powers": []}]}}})
}

#[tokio::test]
async fn a_message_of_communication_mod() {
    let host = start(Ceilings::default()).await;
    let alone = message()["game_state"].clone();
    for position in [message(), alone] {
        let reply = answer(&host, ADVISE, &json!({"position": position}).to_string()).await;
        // Burning Blood heals 6.
        assert!((decimal(&reply["value"]) - 37.0).abs() < 1e-9, "{reply}");
        assert_eq!((&reply["first"][0]["play"], &reply["command"]), (&json!("strike"), &json!("play 2 0")), "{reply}");
    }
    // What a message does not say is listed.
    let mut unsure = message();
    unsure["game_state"]["relics"][0]["id"] = json!("Art of War");
    let reply = answer(&host, ADVISE, &json!({"position": unsure}).to_string()).await;
    assert!(reply["assumed"][0].as_str().is_some_and(|text| text.contains("Art of War")), "{reply}");
    // What is not modelled is named, all of it.
    let mut outside = message();
    outside["game_state"]["class"] = json!("DEFECT");
    outside["game_state"]["combat_state"]["hand"][0] = json!({"id": "Zap", "name": "Zap", "cost": 1, "upgrades": 0});
    let mut no_fight = message();
    no_fight["game_state"]["combat_state"] = Value::Null;
    for (position, message) in [
        (outside, "not modelled: the class DEFECT; the card Zap"),
        (no_fight, "there is no fight in this message"),
        (json!({"combat_state": {"hand": 3}}), "invalid type"),
    ] {
        let reply = ask(&host, ADVISE, &json!({"position": position}).to_string()).await;
        assert_eq!(reply.status, 422, "{position}: {}", reply.body);
        assert!(reply.error().contains(message), "{position}: {}", reply.body);
    }
    let text = message().to_string();
    let address = explorer::File::new("message.json", &text).expect("a message").address;
    assert_eq!(get(&host, &address).await.status, 200, "{address}");
}

#[tokio::test]
async fn impossible_requests_are_refused() {
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
        (FIGHT, json!({"fight": {"groups": []}}), "groups: there are no groups"),
        (FIGHT, json!({"fight": {"groups": [{"weight": 0, "enemies": []}]}}), "a weight is a number above 0"),
        (FIGHT, json!({"fight": {"groups": [{"weight": 1, "enemies": []}]}}), "a group has no enemies"),
        (
            FIGHT,
            json!({"fight": {"groups": [{"weight": 1, "enemies": [{"kind": "cultist", "hp": [9, 8]}]}]}}),
            "hp goes from 1",
        ),
        (
            FIGHT,
            json!({"fight": {"groups": [{"weight": 1, "enemies": [{"kind": "cultist"}]}], "enemy_hp": "9"}}),
            "each group sets",
        ),
        (REWARD, json!({"fight": small()}), "nothing is offered"),
        (REWARD, json!({"fight": small(), "cards": ["angst"]}), "no card is called 'angst'"),
        (
            REWARD,
            json!({"fight": small(), "cards": ["each", "each", "each"], "also": ["burn"]}),
            "unknown variant `burn`",
        ),
        (REWARD, json!({"fight": small(), "cards": vec!["each"; 101]}), "too many cards"),
        (REWARD, json!({"fight": small(), "cards": vec!["each"; 40]}), "these are"),
        (ADVISE, json!({"position": {}}), "missing field"),
        (ADVISE, json!({"position": []}), "invalid"),
        (ADVISE, json!({"position": {"hp": 0, "enemies": []}, "objective": "gold"}), "no objective is called 'gold'"),
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
        "?groups=%5B%7B%22weight%22%3A1%2C%22enemies%22%3A%5B%7B%22kind%22%3A%22cultist%22%7D%5D%7D%5D&cards=anger&remove=true",
    ] {
        assert_eq!(get(&host, &format!("/slay-the-spire/act-1{query}")).await.status, 200, "{query}");
    }
    for query in
        ["?enemies=nobody", "?hp=0", "?seconds=0", "?objective=gold", "?objective=loss&walk=true", "?walk=true&steps=x"]
    {
        assert_eq!(get(&host, &format!("/slay-the-spire/act-1{query}")).await.status, 422, "{query}");
    }
    assert_eq!(get(&host, "/slay-the-spire/act-1?groups=%5B").await.status, 400);
}
