//! Tables of heroes: summed up, sorted, filtered, and each hero on the page of his book.

use explorer::{Ceilings, HeroTable, OfferedBook, Options};
use serde_json::{Value, json};
use solved_table::read_csv;

use crate::common::{answer, ask, get, start, start_with};

/// Heroes of the small book of the tests: two sets, with two of the numbers that its rules roll, each of the ten alike.
const TABLE: &str = "combat_skill,endurance,disciplines,weaponskill,gold,items,win,lower,upper
15,20,hunting weaponskill=sword,sword,4,sword,0.5,0.5,0.5
15,21,hunting weaponskill=sword,sword,4,sword,0.6,0.6,0.6
16,20,hunting weaponskill=sword,sword,4,sword,0.7,0.7,0.7
16,21,hunting weaponskill=sword,sword,4,sword,0.8,0.8,0.8
15,20,tracking healing,,4,sword rope=2,0.4,0.4,0.4
15,21,tracking healing,,4,sword rope=2,0.7,0.7,0.7
16,20,tracking healing,,4,sword rope=2,0.5,0.5,0.5
16,21,tracking healing,,4,sword rope=2,0.6,0.6,0.6
";

async fn start_with_heroes(tables: &[(&str, &str)]) -> String {
    let books = vec![
        OfferedBook::new("two-ways.kdl", include_str!("../data/two-ways.kdl")).unwrap(),
        OfferedBook::new("warlock.kdl", gamebook::built_in("warlock-of-firetop-mountain").unwrap()).unwrap(),
    ];
    let tables = tables.iter().map(|(name, text)| HeroTable::new(name, read_csv(text).unwrap())).collect();
    start_with(Options { books, tables, ..Options::default() }).await
}

#[tokio::test]
async fn a_table_summed_up() {
    let host = start_with_heroes(&[("some/heroes.csv", TABLE)]).await;
    let all = answer(&host, "heroes/summary", "{}").await;
    assert_eq!(
        (&all["table"], &all["book"], &all["title"]),
        (&json!("heroes"), &json!("two-ways"), &json!("Two Ways"))
    );
    assert_eq!(all["books"], json!([["two-ways", "Two Ways"]]));
    assert_eq!(
        (&all["heroes"], &all["missing"], &all["rolls"], &all["is_chance"]),
        (&json!(8), &json!(0), &json!(4), &json!(true))
    );
    let near = |value: &Value, wanted: f64| {
        assert!((value.as_f64().unwrap() - wanted).abs() < 1e-12, "{value} is not {wanted}");
    };
    near(&all["mean"], 0.6);
    let groups = &all["groups"];
    near(&groups[0]["win"], 0.65);
    near(&groups[1]["win"], 0.55);
    assert_eq!((&groups[0]["best_for"], &groups[1]["best_for"]), (&json!(3), &json!(1)));
    assert_eq!(groups[1]["name"], "tracking healing; sword rope=2");
    let gains: Vec<(&str, f64)> = all["gains"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| (own["what"].as_str().unwrap(), own["gain"].as_f64().unwrap()))
        .collect();
    // Who has a discipline less who has not; all have a sword and as much gold.
    let expected = [
        ("hunting", 0.1),
        ("weaponskill", 0.1),
        ("healing", -0.1),
        ("tracking", -0.1),
        ("rope", -0.1),
        ("a point of combat_skill", 0.1),
        ("a point of endurance", 0.15),
    ];
    assert_eq!(gains.len(), expected.len(), "{gains:?}");
    for ((what, gain), (own, wanted)) in gains.iter().zip(expected) {
        assert!(*what == own && (gain - wanted).abs() < 1e-12, "{what} {gain}: {own} {wanted}");
    }
    let grid = &all["grid"];
    assert_eq!(
        (&grid["down"], &grid["across"]),
        (&json!({"name": "combat_skill", "values": [15, 16]}), &json!({"name": "endurance", "values": [20, 21]}))
    );
    let wins: Vec<&Value> = grid["cells"].as_array().unwrap().iter().map(|cell| &cell["win"]).collect();
    assert_eq!(wins, [&json!(0.5), &json!(0.7), &json!(0.7), &json!(0.8)]);

    // A hero's link is a page that can be had, and is about him.
    let address = grid["cells"][1]["address"].as_str().unwrap();
    let page = get(&host, address).await;
    assert_eq!(page.status, 200, "{address}");
    let state = page.body.split_once(r#"<script id="state" type="application/json">"#).unwrap().1;
    let state: Value = serde_json::from_str(state.split_once("</script>").unwrap().0).unwrap();
    assert_eq!(
        state["hero"],
        json!({"combat_skill": 15, "endurance": 21, "disciplines": ["tracking", "healing"], "items": ["sword", "rope=2"], "lost": [], "gold": 4})
    );
}

#[tokio::test]
async fn a_table_sorted_filtered_and_turned() {
    let host = start_with_heroes(&[("heroes.csv", TABLE)]).await;
    let wins = async |question: Value| -> (Value, Vec<f64>) {
        let answer = answer(&host, "heroes/rows", &question.to_string()).await;
        let rows = answer["rows"].as_array().unwrap().iter().map(|row| row["win"].as_f64().unwrap()).collect();
        (answer["found"].clone(), rows)
    };
    for (question, found, rows) in [
        (json!({}), 8, vec![0.5, 0.6, 0.7, 0.8, 0.4, 0.7, 0.5, 0.6]),
        (json!({"sort": "win", "descending": true, "count": 3}), 8, vec![0.8, 0.7, 0.7]),
        (json!({"sort": "win", "from": 6}), 8, vec![0.7, 0.8]),
        (json!({"from": 100}), 8, vec![]),
        (json!({"sort": "combat_skill", "filter": ["endurance=21"]}), 4, vec![0.6, 0.7, 0.8, 0.6]),
        (json!({"filter": ["disciplines=tracking", "combat_skill=16..19"]}), 2, vec![0.5, 0.6]),
        (json!({"filter": ["disciplines=weaponskill -tracking", "endurance=20"]}), 2, vec![0.5, 0.7]),
        (json!({"filter": ["disciplines=weaponskill=axe"]}), 0, vec![]),
        (json!({"filter": ["items=-rope", "combat_skill=15"]}), 2, vec![0.5, 0.6]),
    ] {
        assert_eq!(wins(question.clone()).await, (json!(found), rows), "{question}");
    }
    for (question, message) in [
        (json!({"table": "x"}), "there is no table \"x\" here"),
        (json!({"book": "warlock"}), "these are no heroes of \"warlock\""),
        (json!({"sort": "luck"}), "there is no column \"luck\""),
        (json!({"filter": ["luck=7"]}), "there is no column \"luck\""),
        (json!({"filter": ["gold"]}), "the filter \"gold\" has no `=`"),
        (json!({"filter": ["gold=much"]}), "the filter \"gold=much\" is about a number"),
        (json!({"filter": vec!["gold=1"; 41]}), "there are too many filters"),
        (json!({"count": 5001}), "5001 heroes at once"),
        (json!({"rows": 2}), "unknown field"),
    ] {
        let reply = ask(&host, "heroes/rows", &question.to_string()).await;
        assert_eq!((reply.status, reply.error().contains(message)), (422, true), "{question}: {}", reply.body);
    }
    assert_eq!(get(&host, "/gamebook/heroes?sort=luck").await.status, 422);
    assert_eq!(get(&host, "/gamebook/heroes?sort=win&filter=gold%3D4&from=3").await.status, 200);
}

#[tokio::test]
async fn heroes_of_a_system_of_rules_and_of_no_book() {
    let warlock = "skill,stamina,luck,win,lower,upper\n7,14,7,0.1,0.1,0.1\n12,24,12,0.9,0.9,0.9\n";
    let fight = "skill,stamina,bravery,value,lower,upper\n7,14,7,3.5,3.5,3.5\n8,14,7,4.5,4.5,4.5\n";
    let host = start_with_heroes(&[("a.csv", warlock), ("a.csv", fight)]).await;
    let summary = answer(&host, "heroes/summary", "{}").await;
    assert_eq!((&summary["book"], &summary["missing"]), (&json!("warlock"), &json!(0)));
    let rows = answer(&host, "heroes/rows", "{}").await;
    let address = rows["rows"][1]["address"].as_str().unwrap();
    assert!(address.contains("hero.values=skill%3D12") && address.contains("stamina.initial%3D24"), "{address}");
    assert_eq!(get(&host, address).await.status, 200);
    let other = answer(&host, "heroes/summary", r#"{"table":"a-2"}"#).await;
    assert_eq!((&other["book"], &other["is_chance"], &other["title"]), (&Value::Null, &json!(false), &json!("a-2")));
    assert_eq!(answer(&host, "heroes/rows", r#"{"table":"a-2"}"#).await["rows"][0]["address"], Value::Null);
    assert!(get(&host, "/").await.body.contains("/gamebook/heroes"));
}

#[tokio::test]
async fn without_a_table() {
    let host = start(Ceilings::default()).await;
    assert!(!get(&host, "/").await.body.contains("/gamebook/heroes"));
    let page = get(&host, "/gamebook/heroes").await;
    assert_eq!((page.status, page.body.contains("bestplay serve heroes.csv")), (200, true));
    assert_eq!(ask(&host, "heroes/summary", "{}").await.status, 422);
}
