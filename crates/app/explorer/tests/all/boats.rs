//! Red November: several wishes at once, and why a room cannot be reached.

use explorer::Ceilings;
use serde_json::{Value, json};

use crate::common::{answer, ask, get, start};

#[tokio::test]
async fn why_a_room_cannot_be_reached() {
    let host = start(Ceilings::default()).await;
    let path = "red-november/why";
    let row = "rooms: 1, 2 fire, 3\nhatches: 1-2, 2-3, 1-3 blocked\nstart: 1";
    let why = answer(&host, path, &json!({"board": row, "to": 3}).to_string()).await;
    assert_eq!(why["why"], "Room 3 cannot be reached: room 2 burns. If not, 2 minutes would do.");
    assert_eq!(why["obstacles"], json!([{"kind": "fire", "hatch": null, "room": 2}]));
    assert_eq!(why["minutes"], 2);
    let blocked = "rooms: 1, 2\nhatches: 1-2 blocked\nstart: 1";
    for (question, obstacles, minutes) in [
        (json!({"board": blocked, "to": 2}), json!([{"kind": "blocked", "hatch": "1-2", "room": null}]), json!(1)),
        (json!({"board": "rooms: 1, 2\nstart: 1", "to": 2}), json!([]), Value::Null),
        (json!({"to": 10, "within": 1}), json!([{"kind": "within", "hatch": null, "room": null}]), json!(4)),
        (json!({"to": 1}), json!([]), json!(0)),
    ] {
        let why = answer(&host, path, &question.to_string()).await;
        assert_eq!((&why["obstacles"], &why["minutes"]), (&obstacles, &minutes), "{question}");
    }
    for (question, message) in
        [(json!({"to": 77}), "to 77: room 77 is not on the board"), (json!({"from": 1}), "unknown field")]
    {
        let reply = ask(&host, path, &question.to_string()).await;
        assert_eq!((reply.status, reply.error().contains(message)), (422, true), "{question}: {}", reply.body);
    }
}

#[tokio::test]
async fn several_wishes_at_once() {
    let host = start(Ceilings::default()).await;
    let wish = async |start: u32, put_out: Value, drain: Value| {
        let question = json!({"rooms": "cchfhccccc", "start": start, "put_out": put_out, "drain": drain});
        let answer = answer(&host, "red-november/routes", &question.to_string()).await;
        let best = answer["results"][0].clone();
        let low = best["rooms"].as_array().unwrap().iter().filter(|room| room["state"] == "LowFlood");
        (low.map(|room| room["number"].as_u64().unwrap()).collect::<Vec<_>>(), best["totalCost"].as_u64().unwrap())
    };
    // Water from room 3 puts out the fire in room 4, and so both become low.
    assert_eq!(wish(3, json!([4]), json!([3])).await, (vec![3, 4], 1));
    let (one, both) = (wish(1, json!([]), json!([3])).await, wish(1, json!([]), json!([3, 5])).await);
    assert_eq!(one, (vec![1, 3], 1));
    // More wishes never cost less.
    assert!(both.0.contains(&3) && both.0.contains(&5) && both.1 > one.1, "{both:?}");
    assert_eq!(get(&host, "/red-november?put_out=4&drain=3&drain=5&beside=1").await.status, 200);
    assert_eq!(get(&host, "/red-november?put_out=5").await.status, 422);
}
