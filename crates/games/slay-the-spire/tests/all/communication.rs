//! Messages of `CommunicationMod` as positions.

use serde_json::{Value, json};
use slay_the_spire::{CommunicationMessage, CommunicationPosition, Named, PositionFile, Power};

fn card(id: &str, cost: i32) -> Value {
    json!({ "id": id, "name": id, "cost": cost, "upgrades": 0, "uuid": "x" })
}

/// A whole message: a Cultist that fell, and a Jaw Worm that lives.
fn message() -> Value {
    json!({
        "available_commands": ["play", "end"], "ready_for_command": true, "in_game": true,
        "game_state": {
            "class": "IRONCLAD", "ascension_level": 17, "act": 1, "floor": 6, "screen_type": "NONE",
            "relics": [{ "name": "Pen Nib", "id": "Pen Nib", "counter": 8 },
                       { "name": "Shuriken", "id": "Shuriken", "counter": 2 },
                       { "name": "Strawberry", "id": "Strawberry", "counter": -1 }],
            "potions": [{ "name": "Potion Slot", "id": "Potion Slot" }, { "name": "Fear Potion", "id": "FearPotion" }],
            "combat_state": {
                "turn": 3, "times_damaged": 2, "limbo": [], "exhaust_pile": [],
                "hand": [card("Strike_R", 1), card("Bash", 0),
                         { "id": "Defend_R", "name": "Defend+", "cost": 1, "upgrades": 1 }],
                "draw_pile": [card("Wound", -2), card("Strike_R", 1)], "discard_pile": [card("Defend_R", 1)],
                "player": { "current_hp": 41, "max_hp": 80, "block": 4, "energy": 2, "orbs": [],
                            "powers": [{ "id": "Strength", "amount": 3 }, { "id": "Flex", "amount": 2 },
                                       { "id": "Barricade", "amount": -1 }, { "id": "Weakened", "amount": 1 }] },
                "monsters": [
                    { "id": "Cultist", "name": "Cultist", "current_hp": 0, "max_hp": 50, "is_gone": true, "block": 0,
                      "move_id": 1, "powers": [] },
                    { "id": "JawWorm", "name": "Jaw Worm", "current_hp": 20, "max_hp": 44, "block": 5, "is_gone": false,
                      "move_id": 3, "last_move_id": 3, "second_last_move_id": 1,
                      "powers": [{ "id": "Strength", "amount": 5 }, { "id": "Vulnerable", "amount": 1 }] }]
            }
        }
    })
}

fn read(message: &Value) -> Result<CommunicationPosition, String> {
    serde_json::from_value::<CommunicationMessage>(message.clone()).expect("a message").position()
}

#[test]
fn a_message_is_the_position_that_it_describes() {
    let expected: PositionFile = serde_json::from_value(json!({
        "hp": 41, "max_hp": 80, "ascension": 17, "block": 4, "energy": 2, "strength": 3, "weak": 1,
        "relics": ["pen-nib", "shuriken"], "pen_nib": 8, "attacks_played": 2, "potions": { "fear": 1 },
        "powers": { "strength-to-be-lost": 2, "barricade": 1 },
        "hand": { "strike": 1, "bash": 1, "defend+": 1 }, "draw": { "wound": 1, "strike": 1 }, "discard": { "defend": 1 },
        "free": ["bash"],
        "enemies": [{ "kind": "jaw-worm", "hp": 20, "intent": "thrash", "run": 2, "block": 5, "strength": 5, "vulnerable": 1 }]
    }))
    .expect("a position");
    let expected = expected.position().expect("it can be");
    let whole = read(&message()).expect("it is modelled");
    assert_eq!((&whole.position.state, whole.position.health), (&expected.state, 41));
    assert_eq!(whole.position.state.player.has(Power::StrengthLoss), 2);
    assert!(whole.assumed.is_empty(), "{:?}", whole.assumed);
    // The state of the game alone is the same.
    assert_eq!(read(&message()["game_state"]).expect("it is modelled").position.state, expected.state);
}

#[test]
fn plays_are_commands() {
    let read = read(&message()).expect("it is modelled");
    let play = |text: Value| read.command(&serde_json::from_value::<Named>(text).expect("a play"));
    // The Jaw Worm is the second of the monsters.
    assert_eq!(play(json!({ "play": "bash", "target": 0 })).as_deref(), Some("play 2 1"));
    assert_eq!(play(json!({ "play": "defend+" })).as_deref(), Some("play 3"));
    assert_eq!(play(json!({ "use": "fear potion", "target": 0 })).as_deref(), Some("potion use 1 1"));
    assert_eq!(play(json!({ "end_turn": true })).as_deref(), Some("end"));
}

/// A change of a message, and words of the error that follows.
type Refused<'a> = (&'a dyn Fn(&mut Value), &'a [&'a str]);

#[test]
fn what_is_not_modelled_is_named() {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut message = message();
        change(&mut message["game_state"]);
        read(&message).map(|read| read.assumed)
    };
    let refused: [Refused<'_>; 7] = [
        (&|state| state["class"] = "DEFECT".into(), &["the class DEFECT"]),
        (
            &|state| {
                state["combat_state"]["hand"][0] = card("Zap", 1);
                state["relics"][2]["id"] = "Snecko Eye".into();
                state["relics"][2]["name"] = "Snecko Eye".into();
            },
            &["the card Zap", "the relic Snecko Eye"],
        ),
        (&|state| state["combat_state"]["monsters"][1]["id"] = "Champ".into(), &["the enemy Jaw Worm"]),
        (&|state| state["combat_state"]["monsters"][1]["move_id"] = 9.into(), &["the move 9 of Jaw Worm"]),
        (&|state| state["combat_state"]["player"]["powers"][0]["id"] = "Buffer".into(), &["power Buffer"]),
        (&|state| state["screen_type"] = "HAND_SELECT".into(), &["waits for a choice"]),
        (&|state| state["combat_state"] = Value::Null, &["no fight"]),
    ];
    for (change, words) in refused {
        let error = with(change).expect_err("it is not modelled");
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
    let assumed = with(&|state| state["potions"][1] = json!({ "name": "Skill Potion", "id": "SkillPotion" }));
    assert_eq!(assumed.expect("it is modelled"), ["Skill Potion is not used"]);
}

#[test]
fn enemies_remember_what_the_message_says() {
    let mut message = message();
    let turn = |message: &mut Value, turn: u16| message["game_state"]["combat_state"]["turn"] = turn.into();
    let monster = |message: &mut Value, own: Value| message["game_state"]["combat_state"]["monsters"] = json!([own]);
    monster(&mut message, json!({ "id": "Hexaghost", "current_hp": 250, "max_hp": 250, "move_id": 2, "powers": [] }));
    turn(&mut message, 4);
    assert_eq!(read(&message).unwrap().position.state.enemies[0].unwrap().intends(), Some("tackle"));
    // In the fifth turn it sears.
    turn(&mut message, 5);
    assert!(read(&message).unwrap_err().contains("Hexaghost's tackle in turn 5"));
    monster(&mut message, json!({ "id": "Lagavulin", "current_hp": 100, "max_hp": 110, "move_id": 5, "powers": [] }));
    turn(&mut message, 2);
    assert_eq!(read(&message).unwrap().position.state.enemies[0].unwrap().memory, 2);
    monster(
        &mut message,
        json!({ "id": "FuzzyLouseNormal", "current_hp": 10, "max_hp": 12, "move_id": 3, "move_base_damage": 6,
                "powers": [{ "id": "Curl Up", "amount": 9 }] }),
    );
    let louse = read(&message).unwrap().position.state.enemies[0].unwrap();
    assert_eq!((louse.bite, louse.special), (6, 9));
}
