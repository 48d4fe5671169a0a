//! Every endpoint, with good and bad input.

use crate::common::{JSON, answer, ask, get, open, request, start};
use explorer::Ceilings;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};

fn near(value: &Value, expected: f64) {
    let value = value.as_f64().expect("a number");
    assert!((value - expected).abs() < 5e-6, "{value} instead of {expected}");
}

#[tokio::test]
async fn fights() {
    let host = start(Ceilings::default()).await;
    let path = "fighting-fantasy/fight";
    let demon = answer(&host, path, r#"{"skill":12,"stamina":24,"luck":12,"enemies":["14/12"]}"#).await;
    near(&demon["win"]["decimal"], 0.77637);
    near(&demon["win_without_luck"]["decimal"], 0.28146);
    assert_eq!((&demon["on_lost_round"], &demon["on_won_round"]), (&"keep".into(), &"use-luck".into()));

    // Razaak against a hero without luck, draws left out: ten rounds won in time.
    let razaak = r#"{"skill":12,"stamina":24,"luck":12,"enemies":["12/20"],"sudden_death":2,"luck_allowed":false}"#;
    assert_eq!(answer(&host, path, razaak).await["win"]["exact"], "59049/1048576");

    let orcs = r#"{"skill":9,"stamina":16,"luck":8,"enemies":["5/5","6/4"],"together":true,"objective":"stamina"}"#;
    let orcs = answer(&host, path, orcs).await;
    assert_eq!(orcs["objective"], "expected stamina left");
    assert_eq!(orcs["opening"].as_array().map(Vec::len), Some(2));

    let keeping = r#"{"skill":10,"stamina":20,"luck":9,"enemies":["9/10"],"keep_stamina":10,"keep_luck":6}"#;
    let keeping = answer(&host, path, keeping).await;
    assert!(keeping["win"]["decimal"].as_f64() < keeping["probability_to_win"]["decimal"].as_f64());

    for (question, status, message) in [
        ("", 400, "EOF"),
        ("{", 400, "EOF"),
        ("nonsense", 400, "expected"),
        ("[]", 422, "invalid"),
        ("{}", 422, "missing field `skill`"),
        (r#"{"skill":12,"stamina":24,"luck":12,"enemies":["14/12"],"magic":1}"#, 422, "unknown field `magic`"),
        (r#"{"skill":12,"stamina":24,"luck":12,"enemies":[]}"#, 422, "there are 0 enemies"),
        (r#"{"skill":12,"stamina":24,"luck":12,"enemies":["dragon"]}"#, 422, "\"dragon\" is no enemy"),
        (r#"{"skill":12,"stamina":0,"luck":12,"enemies":["14/12"]}"#, 422, "the hero's stamina is 0"),
        (r#"{"skill":12,"stamina":500,"luck":12,"enemies":["14/12"]}"#, 422, "the hero's stamina is 500"),
        (r#"{"skill":12,"stamina":24,"luck":12,"enemies":["14/100"]}"#, 422, "an enemy's stamina is 100"),
        (r#"{"skill":-1,"stamina":24,"luck":12,"enemies":["14/12"]}"#, 422, "invalid value: integer `-1`"),
        (r#"{"skill":12,"stamina":24,"luck":12,"enemies":["14/12"],"amplify":5}"#, 422, "amplify is 5"),
        (
            r#"{"skill":12,"stamina":24,"luck":12,"enemies":["14/12"],"objective":"fame"}"#,
            422,
            "unknown variant `fame`",
        ),
        (r#"{"skill":99999999999999999999999999999999999999999,"stamina":1}"#, 422, "invalid type"),
    ] {
        let reply = ask(&host, path, question).await;
        assert_eq!(reply.status, status, "{question}: {}", reply.body);
        assert!(reply.error().contains(message), "{question}: {}", reply.body);
    }
}

#[tokio::test]
async fn maps() {
    let host = start(Ceilings::default()).await;
    let path = "fighting-fantasy/map";
    let map = answer(&host, path, r#"{"skill_difference":-3,"luck":12}"#).await;
    let cells = map["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 24 * 24);
    let dragon = &cells[23 * 24 + 21];
    assert_eq!((&dragon["stamina"], &dragon["enemy_stamina"]), (&24.into(), &22.into()));
    near(&dragon["win"], 0.04639);
    near(&dragon["win_without_luck"], 4.41e-4);
    assert_eq!(dragon["on_won_round"], "use-luck");
    for cell in cells {
        for round in ["lost", "won"] {
            let gain = cell[format!("gain_on_{round}_round")].as_f64().unwrap();
            let decision = cell[format!("on_{round}_round")].as_str().unwrap();
            assert_eq!(
                decision,
                if gain > 0.0 {
                    "use-luck"
                } else if gain < 0.0 {
                    "keep"
                } else {
                    "either"
                },
                "{cell}"
            );
        }
    }
    for (question, message) in [
        (r#"{"luck":12}"#, "missing field `skill_difference`"),
        (r#"{"skill_difference":12,"luck":12}"#, "skill_difference is 12"),
        (r#"{"skill_difference":0,"luck":100}"#, "luck is 100"),
        (r#"{"skill_difference":0,"luck":12,"max_stamina":1000}"#, "max_stamina is 1000"),
    ] {
        let reply = ask(&host, path, question).await;
        assert_eq!(reply.status, 422);
        assert!(reply.error().contains(message), "{}", reply.body);
    }
    // A map without cells is a map.
    assert_eq!(
        answer(&host, path, r#"{"skill_difference":0,"luck":0,"max_stamina":0}"#).await["cells"],
        Value::Array(vec![])
    );
}

/// The fight of the talk, as the page asks about it.
const TALK: &str = r#"{"fight":{"enemies":["cultist"],"enemy_hp":"50..=56","hp":68,"ascension":17,
    "deck":"strike=5,defend=4,bash=1,ascenders-bane=1"},"exact":true}"#;

#[tokio::test]
async fn odds_of_the_talks_fight() {
    let host = start(Ceilings::default()).await;
    let odds = answer(&host, "slay-the-spire/act-1/fight", TALK).await;
    assert_eq!(odds["value"]["exact"], "32627274131/513429840");
    assert_eq!(odds["survival"]["exact"], "1/1");
    assert_eq!(odds["final_health"][0]["probability"]["exact"], "5/51342984");
}

#[tokio::test]
async fn routes() {
    let host = start(Ceilings::default()).await;
    let path = "red-november/routes";
    let standard = answer(&host, path, "{}").await;
    let minutes: Vec<_> =
        standard["results"].as_array().unwrap().iter().map(|r| r["totalCost"].as_u64().unwrap()).collect();
    assert_eq!(minutes, [0, 1, 1, 2, 2, 3, 3, 3, 4, 4]);
    assert_eq!(standard["places"].as_array().map(Vec::len), Some(10));

    let own = r#"{"board":"rooms: 1, 2 high, 3\nhatches: 1-2, 2-3\nstart: 1","to":3}"#;
    let own = answer(&host, path, own).await;
    assert_eq!(own["results"].as_array().map(Vec::len), Some(1));
    assert_eq!(own["results"][0]["totalCost"], 3);

    let json = r#"{"board":{"rooms":[{"number":1,"state":"Fire"},{"number":2,"state":"HighFlood"}],
        "hatches":[{"number":"1-2","state":"Closed"}],"startRoom":1},"put_out":[1]}"#;
    assert_eq!(answer(&host, path, json).await["results"][0]["totalCost"], 1);

    let many = (1..=61).map(|room| room.to_string()).collect::<Vec<_>>().join(",");
    for (question, message) in [
        (r#"{"rooms":"ccc"}"#.to_owned(), "3 rooms are too few"),
        (r#"{"rooms":"ccccccccxc"}"#.into(), "room 9 is `x`"),
        (r#"{"start":11}"#.into(), "the start, room 11, is not on the board"),
        (r#"{"to":12}"#.into(), "to 12: room 12 is not on the board"),
        (r#"{"put_out":[4]}"#.into(), "put-out 4: room 4 is clear"),
        (r#"{"rooms":"cccfcccccc","put_out":[4],"avoid_flooding":true}"#.into(), "only running water does that"),
        (r#"{"board":{"rooms":[]}}"#.into(), "missing field `hatches`"),
        (r#"{"board":"rooms: 1, x\nstart: 1"}"#.into(), "`x` is not a room number"),
        (format!(r#"{{"board":"rooms: {many}\nstart: 1"}}"#), "the board has 61 rooms"),
        (r#"{"rooms":7}"#.into(), "invalid type"),
    ] {
        let reply = ask(&host, path, &question).await;
        assert_eq!(reply.status, 422, "{question}: {}", reply.body);
        assert!(reply.error().contains(message), "{}", reply.body);
    }
}

#[tokio::test]
async fn limits_of_a_request() {
    let host = start(Ceilings { body: 1000, states: 50, ..Ceilings::default() }).await;
    let path = "fighting-fantasy/fight";
    let question = r#"{"skill":12,"stamina":24,"luck":12,"enemies":["14/12"]}"#;
    let reply = ask(&host, path, question).await;
    assert_eq!(reply.status, 422);
    assert!(reply.error().contains("the limit of 50 states is reached"));
    let reply = ask(&host, path, &format!("{question}{}", " ".repeat(1000))).await;
    assert_eq!((reply.status, reply.error().as_str()), (413, "the body is too long"));

    let host = start(Ceilings { memory: 1000, ..Ceilings::default() }).await;
    assert!(ask(&host, path, question).await.error().contains("of memory is reached"));

    // Deep nesting and binary junk.
    let reply = ask(&host, "red-november/routes", &format!("{{\"board\":{}", "[".repeat(900))).await;
    assert_eq!((reply.status, reply.error().contains("recursion limit")), (400, true));
    let reply = request(&host, "POST", "/api/1/fighting-fantasy/fight", &[JSON], &[0xff, 0, 0x80]).await;
    assert_eq!(reply.status, 400);
}

#[tokio::test]
async fn methods_types_and_addresses() {
    let host = start(Ceilings::default()).await;
    let path = "/api/1/red-november/routes";
    assert_eq!(get(&host, path).await.error(), "this address does not take this method");
    assert_eq!(get(&host, "/api/1/nothing").await.error(), "there is nothing at this address");
    for content_type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        let reply = request(&host, "POST", path, &[("Content-Type", content_type)], b"{}").await;
        assert_eq!((reply.status, reply.error().as_str()), (415, "the body's type is not application/json"));
    }
    assert_eq!(request(&host, "POST", path, &[], b"{}").await.status, 415);
    let charset = [("Content-Type", "application/json; charset=utf-8")];
    assert_eq!(request(&host, "POST", path, &charset, b"{}").await.status, 200);
}

/// A fight whose states are far too many for any machine.
const ENDLESS: &str = r#"{"skill":9,"stamina":99,"luck":99,"enemies":["9/99","9/99","9/99","9/99"],"together":true}"#;

#[tokio::test]
async fn progress_line_by_line_and_stopped_when_the_browser_goes_away() {
    let host =
        start(Ceilings { solves: 1, states: u64::from(u32::MAX) - 1, memory: 3 << 30, ..Ceilings::default() }).await;
    let lines = ("Accept", "application/x-ndjson");

    let path = "/api/1/fighting-fantasy/fight";
    let small = br#"{"skill":12,"stamina":24,"luck":12,"enemies":["14/12"]}"#;
    let reply = request(&host, "POST", path, &[JSON, lines], small).await;
    assert!(reply.head.contains("application/x-ndjson"));
    let last: Value = serde_json::from_str(reply.body.lines().last().unwrap()).unwrap();
    near(&last["answer"]["win"]["decimal"], 0.77637);
    // What can be seen to be wrong at once has its status code.
    assert_eq!(request(&host, "POST", path, &[JSON, lines], b"{}").await.status, 422);

    let stream = open(&host, "POST", path, &[JSON, lines], ENDLESS.as_bytes()).await;
    let mut reader = BufReader::new(stream).lines();
    let mut seen = 0;
    while let Some(line) = reader.next_line().await.unwrap() {
        if let Ok(line) = serde_json::from_str::<Value>(&line)
            && line["progress"]["stage"] == "exploring"
            && line["progress"]["states"].as_u64() > Some(1000)
        {
            seen += 1;
        }
        if seen == 2 {
            break;
        }
    }
    assert_eq!(seen, 2, "lines of progress");
    // The only place is taken until the connection goes away.
    drop(reader);
    near(
        &answer(&host, "fighting-fantasy/fight", std::str::from_utf8(small).unwrap()).await["win"]["decimal"],
        0.77637,
    );

    // The same without lines: the answer is not even begun when the browser goes away.
    let stream = open(&host, "POST", path, &[JSON], ENDLESS.as_bytes()).await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    drop(stream);
    answer(&host, "fighting-fantasy/fight", std::str::from_utf8(small).unwrap()).await;
}

#[tokio::test]
async fn too_many_questions_are_refused_in_words() {
    let host = start(Ceilings { solves: 1, waiting: 1, states: u64::from(u32::MAX) - 1, ..Ceilings::default() }).await;
    let path = "/api/1/fighting-fantasy/fight";
    let first = open(&host, "POST", path, &[JSON], ENDLESS.as_bytes()).await;
    let second = open(&host, "POST", path, &[JSON], ENDLESS.as_bytes()).await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let reply = ask(&host, "fighting-fantasy/fight", ENDLESS).await;
    assert_eq!((reply.status, reply.error().as_str()), (503, "too many questions wait for their answers"));
    assert!(reply.head.contains("retry-after: 2"));
    drop((first, second));
}
