//! Models and games of one's own: against Storm's answers, closed forms, Bellman's equation, and everything hostile.

use std::path::Path;

use budget::Budget;
use explorer::{Ceilings, OfferedModel, Options};
use mdp::{Distribution, Game, Rational, Turn, Weight, parse_fraction, ratio};
use serde_json::{Value, json};

use crate::common::{answer, ask, get, start_with};

fn data(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine/model-files/tests/data").join(name)
}

fn explicit(name: &str) -> OfferedModel {
    OfferedModel::explicit(name, model_files::read(&data(name), &Budget::default()).expect("the model is right"))
}

const COIN: &str = include_str!("../data/coin.prism");

async fn serve(models: Vec<OfferedModel>) -> String {
    start_with(Options { models, ..Options::default() }).await
}

/// Rolls a die; who does not like what comes rolls again, while rolls are left.
struct Dice {
    sides: u32,
    rolls: u8,
}

impl Game for Dice {
    type State = (u8, u32);
    type Action = &'static str;

    fn starts(&self) -> Vec<Distribution<(u8, u32)>> {
        vec![Distribution::certain((self.rolls, 0))]
    }

    fn rules(&self, &(left, shown): &(u8, u32), turn: &mut Turn<(u8, u32), &'static str>) {
        if left == 0 {
            return turn.end(shown);
        }
        turn.choice("roll").uniform((1..=self.sides).map(|eyes| (left - 1, eyes)));
        if shown > 0 {
            turn.choice("keep").to((0, shown));
        }
    }
}

/// A fair walk from 3 between 0 and 10, which pays at 10: by a closed form 3/10. Two starts, the second by chance.
struct Ruin;

impl Game for Ruin {
    type State = u8;
    type Action = ();

    fn starts(&self) -> Vec<Distribution<u8>> {
        let second = Distribution::weighted([(2, Weight(1u64)), (6, Weight(3))]).expect("weights are right");
        vec![Distribution::certain(3), second]
    }

    fn rules(&self, fortune: &u8, turn: &mut Turn<u8>) {
        match fortune {
            0 => turn.end(0),
            10 => turn.end(1),
            fortune => turn.uniform([fortune - 1, fortune + 1]),
        }
    }
}

fn exact(number: &Value) -> Rational {
    parse_fraction(number["exact"].as_str().unwrap_or_else(|| panic!("{number} is not exact"))).expect("a fraction")
}

#[tokio::test]
async fn values_are_storms_and_fulfil_bellmans_equation() {
    let text = std::fs::read_to_string(data("answers.json")).unwrap();
    let answers: Value = serde_json::from_str(&text).unwrap();
    let names: Vec<&String> = answers
        .as_object()
        .unwrap()
        .keys()
        .filter(|name| Path::new(name).extension().is_some_and(|ending| ending == "drn"))
        .collect();
    let host = serve(names.iter().map(|name| explicit(name)).collect()).await;
    for (name, question, expected) in names.iter().flat_map(|name| {
        answers[*name].as_object().unwrap().iter().map(move |(question, expected)| (*name, question, expected))
    }) {
        let (kind, sense) = question.split_once(' ').unwrap();
        let reward = if kind == "reward" { "cost" } else { "" };
        let question = json!({"model": name, "goal": "goal", "sense": sense, "reward": reward, "exact": true});
        let solved = answer(&host, "model/solve", &json!({"question": question}).to_string()).await;
        let value = &solved["starts"][0]["value"];
        let written = if value["infinite"] == true { "inf".into() } else { exact(value).to_string() };
        assert_eq!(&json!(written), expected, "{name}: {question}");
        for number in 0..solved["states"].as_u64().unwrap().min(12) {
            let state = json!({"question": question, "state": number}).to_string();
            keeps_bellman(&answer(&host, "model/state", &state).await, sense);
        }
    }
}

/// A state is worth what its best choices are, and a choice what its outcomes are on average, and what it earns.
fn keeps_bellman(state: &Value, sense: &str) {
    let choices = state["choices"].as_array().unwrap();
    if choices.is_empty() || state["value"]["infinite"] == true {
        return;
    }
    let value = exact(&state["value"]);
    assert!(choices.iter().any(|choice| choice["best"] == true));
    for choice in choices.iter().filter(|choice| choice["value"]["infinite"] == false) {
        let own = exact(&choice["value"]);
        let outcomes = choice["outcomes"].as_array().unwrap();
        assert_eq!(choice["count"], outcomes.len());
        let earned = if choice["earns"].is_null() { Rational::ZERO } else { exact(&choice["earns"]) };
        let mean = outcomes.iter().map(|to| exact(&to["probability"]) * exact(&to["value"]));
        assert_eq!(mean.fold(earned, |sum, part| sum + part), own, "{state}");
        assert_eq!(choice["best"] == true, own == value, "{state}");
        assert!(if sense == "max" { own <= value } else { own >= value }, "{state}");
    }
}

#[tokio::test]
async fn a_game_of_ones_own() {
    let dice = OfferedModel::game("Dice", Dice { sides: 5000, rolls: 1 });
    let host =
        serve(vec![dice, OfferedModel::game("Ruin", Ruin), OfferedModel::game("Dice", Dice { sides: 6, rolls: 2 })])
            .await;
    assert_eq!(answer(&host, "model/about", r#"{"model":"Dice"}"#).await["kind"], "game");

    // Six sides: 4, 5, 6 are kept, which is 17/4.
    let six = json!({"model": "Dice-2", "exact": true});
    let solved = answer(&host, "model/solve", &json!({"question": six}).to_string()).await;
    assert_eq!(solved["starts"][0]["value"]["exact"], "17/4");
    let start = solved["starts"][0]["states"][0]["state"].as_u64().unwrap();
    let state = answer(&host, "model/state", &json!({"question": six, "state": start}).to_string()).await;
    assert_eq!((&state["described"], &state["choices"][0]["name"]), (&json!("(2, 0)"), &json!("\"roll\"")));
    keeps_bellman(&state, "max");
    let found = answer(&host, "model/find", &json!({"question": six, "find": "(1, 3)"}).to_string()).await;
    assert_eq!(found["states"].as_array().map(Vec::len), Some(1));
    let three = &found["states"][0]["state"];
    let state = answer(&host, "model/state", &json!({"question": six, "state": three}).to_string()).await;
    assert_eq!((&state["value"]["exact"], &state["choices"][0]["name"]), (&json!("7/2"), &json!("\"roll\"")));
    assert_eq!(state["choices"][1]["value"]["exact"], "3/1");
    let least = json!({"model": "Dice-2", "exact": true, "sense": "min"});
    let solved = answer(&host, "model/solve", &json!({"question": least}).to_string()).await;
    assert_eq!(solved["starts"][0]["value"]["exact"], "11/4");

    // Five thousand outcomes come in pages, each state once.
    let many = json!({"model": "Dice"});
    let solved = answer(&host, "model/solve", &json!({"question": many}).to_string()).await;
    let start = &solved["starts"][0]["states"][0]["state"];
    let state = answer(&host, "model/state", &json!({"question": many, "state": start}).to_string()).await;
    assert_eq!(state["choices"][0]["count"], 5000);
    assert_eq!(state["choices"][0]["outcomes"].as_array().map(Vec::len), Some(10));
    let mut seen = std::collections::BTreeSet::new();
    for from in [0, 100, 4900, 4950, 5000] {
        let page = json!({"question": many, "state": start, "choice": 0, "from": from});
        let page = answer(&host, "model/outcomes", &page.to_string()).await;
        seen.extend(page["outcomes"].as_array().unwrap().iter().map(|to| to["state"].as_u64().unwrap()));
    }
    assert_eq!(seen.len(), 300);
    let around = json!({"question": many, "state": start, "steps": 2}).to_string();
    let around = answer(&host, "model/around", &around).await;
    assert!(around["states"].as_array().unwrap().len() <= 24 && around.to_string().len() < 40_000);
    assert_eq!(around["choices"][0]["left_out"], 4994);

    // A random walk with a cycle: the chance at k is k/10, and the second start is 1/4 of 2 and 3/4 of 6.
    let ruin = json!({"model": "Ruin", "exact": true});
    let solved = answer(&host, "model/solve", &json!({"question": ruin}).to_string()).await;
    assert_eq!(solved["starts"][0]["value"]["exact"], "3/10");
    assert_eq!(solved["starts"][1]["value"]["exact"], "1/2");
    let begun = answer(&host, "model/walk", &json!({"question": ruin, "start": 1}).to_string()).await;
    assert_eq!((&begun["now"]["phase"], &begun["log"][0]["win"]["exact"]), (&json!("chance"), &json!("1/2")));
    // In bounds, which hold.
    let loose = json!({"question": {"model": "Ruin"}}).to_string();
    let loose = &answer(&host, "model/solve", &loose).await["starts"][1]["value"];
    assert!(loose["exact"].is_null() && loose["lower"].as_f64() <= Some(0.5) && loose["upper"].as_f64() >= Some(0.5));
}

#[tokio::test]
async fn a_prism_model_is_asked_about_its_variables_and_walked() {
    let host = serve(vec![OfferedModel::prism("coin.prism", COIN, &[("N", "3")]).unwrap()]).await;
    let about = answer(&host, "model/about", "{}").await;
    assert_eq!(
        (&about["labels"], &about["rewards"], &about["states"]),
        (&json!(["done"]), &json!(["tosses"]), &Value::Null)
    );

    // Heads three times in a row takes 14 throws on average; with a cheat for the last one 6, and without goal none.
    for (goal, sense, expected) in [("done", "min", "6/1"), ("heads=3 & !cheated", "min", "14/1")] {
        let question = json!({"goal": goal, "sense": sense, "reward": "tosses", "exact": true});
        let solved = answer(&host, "model/solve", &json!({"question": question}).to_string()).await;
        assert_eq!(solved["starts"][0]["value"]["exact"], expected, "{goal}");
    }
    let most = json!({"goal": "done", "reward": "tosses"});
    let solved = answer(&host, "model/solve", &json!({"question": most}).to_string()).await;
    assert_eq!(
        (&solved["starts"][0]["value"]["infinite"], &solved["starts"][0]["value"]["decimal"]),
        (&json!(true), &Value::Null)
    );
    let state = answer(&host, "model/state", &json!({"question": most, "state": 0}).to_string()).await;
    assert!(
        state["choices"]
            .as_array()
            .unwrap()
            .iter()
            .any(|choice| choice["best"] == true && choice["value"]["infinite"] == true)
    );

    // Two heads, then the cheat. What was earned and what is expected go on together.
    let question = json!({"goal": "done", "sense": "min", "reward": "tosses", "exact": true});
    let mut steps: Vec<Value> = Vec::new();
    let mut won = Vec::new();
    for act in [json!(null), json!({"choose": 0}), json!("roll"), json!({"choose": 0}), json!("roll")] {
        let walk = json!({"question": question, "steps": steps, "act": act, "since": won.len(), "seed": 5});
        let walk = answer(&host, "model/walk", &walk.to_string()).await;
        steps = walk["steps"].as_array().unwrap().clone();
        let entries = walk["log"].as_array().unwrap();
        assert_eq!(entries.len(), 1);
        won.push(exact(&entries[0]["win"]));
    }
    assert_eq!(steps.len(), 4);
    assert_eq!((won[0].clone(), won[1].clone()), (ratio(6, 1), ratio(6, 1)));
    // Heads came twice or not: with so many tosses paid for.
    let heads = |tosses: i64, left: i64| ratio(tosses + left, 1);
    assert!([heads(1, 4), heads(1, 6)].contains(&won[2]), "{}", won[2]);
    let whole = answer(&host, "model/walk", &json!({"question": question, "steps": steps}).to_string()).await;
    assert_eq!(whole["log"].as_array().map(Vec::len), Some(5));
    assert_eq!(whole["now"]["earned"]["exact"], "2/1");
    // To the end: a state that came is typed.
    let state = |heads: u32, cheated: bool| {
        let find = format!("heads={heads}, cheated={cheated}, stopped=false");
        let (host, question) = (host.clone(), question.clone());
        async move {
            let found = json!({"question": question, "find": find}).to_string();
            answer(&host, "model/find", &found).await["states"][0]["state"].as_u64().unwrap()
        }
    };
    let (one, two, three) = (state(1, false).await, state(2, false).await, state(3, true).await);
    let typed = json!({"question": question, "steps": ["c0", format!("s{one}"), "c0"], "act": {"came": two}});
    let typed = answer(&host, "model/walk", &typed.to_string()).await;
    let cheats = typed["now"]["state"]["choices"][0].clone();
    assert_eq!((&cheats["name"], &cheats["best"]), (&json!("cheat"), &json!(true)));
    let over = json!({"question": question, "steps": ["c0", format!("s{one}"), "c0", format!("s{two}")], "act": {"choose": cheats["choice"]}});
    let over = answer(&host, "model/walk", &over.to_string()).await;
    assert_eq!((&over["now"]["phase"], &over["now"]["state"]["over"]), (&json!("over"), &json!("The goal is reached")));
    assert_eq!((&over["now"]["state"]["state"], &over["now"]["win"]["exact"]), (&json!(three), &json!("2/1")));
}

/// The best chance that the coin of N = 3 is done within so many choices and so many tosses, by going through all of them.
fn done_within(choices: u32, tosses: u32, heads: u32, cheated: bool) -> Rational {
    if heads == 3 {
        return Rational::ONE;
    }
    let Some(choices) = choices.checked_sub(1) else { return Rational::ZERO };
    let toss = tosses.checked_sub(1).map_or(Rational::ZERO, |tosses| {
        let mean = done_within(choices, tosses, heads + 1, cheated) + done_within(choices, tosses, 0, cheated);
        mean / Rational::from(2)
    });
    if cheated { toss } else { toss.max(done_within(choices, tosses, heads + 1, true)) }
}

#[tokio::test]
async fn steps_and_rewards_are_bounded() {
    let host = serve(vec![OfferedModel::prism("coin.prism", COIN, &[("N", "3")]).unwrap()]).await;
    for (within, tosses) in (0..7).map(|within| (Some(within), None)).chain([
        (None, Some(2)),
        (None, Some(5)),
        (Some(6), Some(4)),
        (Some(5), Some(0)),
    ]) {
        let bounds: Vec<String> = tosses.map(|tosses| format!("tosses={tosses}")).into_iter().collect();
        let question = json!({"goal": "done", "exact": true, "within": within, "bounds": bounds});
        let solved = answer(&host, "model/solve", &json!({"question": question}).to_string()).await;
        // More choices than tosses and the cheat are never needed.
        let expected = done_within(within.unwrap_or(7), tosses.unwrap_or(7), 0, false);
        assert_eq!(exact(&solved["starts"][0]["value"]), expected, "{question}");
        for number in 0..solved["states"].as_u64().unwrap().min(30) {
            let state = json!({"question": question, "state": number}).to_string();
            keeps_bellman(&answer(&host, "model/state", &state).await, "max");
        }
    }
    // Each state says what is left of the bounds, in a walk, too; where nothing is left play is over.
    let question = json!({"goal": "done", "exact": true, "within": 2, "bounds": ["tosses=1"]});
    let solved = answer(&host, "model/solve", &json!({"question": question}).to_string()).await;
    let start = &solved["starts"][0]["states"][0];
    assert_eq!(start["described"], "heads=0, cheated=false, stopped=false; left: steps 2, tosses 1");
    let state = answer(&host, "model/state", &json!({"question": question, "state": start["state"]}).to_string()).await;
    let choice = |name: &str| {
        let choices = state["choices"].as_array().unwrap();
        choices.iter().find(|choice| choice["name"] == name).expect("a choice").clone()
    };
    let tossed = &choice("toss")["outcomes"][0];
    let described = tossed["described"].as_str().unwrap();
    assert!(described.ends_with("left: steps 1, tosses 0"), "{described}");
    let cheated = json!({"question": question, "steps": [format!("c{}", choice("cheat")["choice"])]});
    let cheated = answer(&host, "model/walk", &cheated.to_string()).await;
    assert!(cheated["now"]["state"]["described"].as_str().unwrap().ends_with("left: steps 1, tosses 1"));
    let none = json!({"goal": "done", "within": 0});
    let solved = answer(&host, "model/solve", &json!({"question": none}).to_string()).await;
    let start = &solved["starts"][0]["states"][0]["state"];
    let state = answer(&host, "model/state", &json!({"question": none, "state": start}).to_string()).await;
    assert_eq!(state["over"], "Nothing is left of a bound");
    // The most tosses within four choices, infinite without them: three if they are all heads, else four.
    let question = json!({"goal": "done", "reward": "tosses", "within": 4, "exact": true});
    let solved = answer(&host, "model/solve", &json!({"question": question}).to_string()).await;
    assert_eq!(solved["starts"][0]["value"]["exact"], "31/8");
}

/// A model, a game, and a model in the PRISM language.
fn three_models() -> Vec<OfferedModel> {
    vec![
        explicit("random-2.drn"),
        OfferedModel::game("Ruin", Ruin),
        OfferedModel::prism("coin.prism", COIN, &[("N", "3")]).unwrap(),
    ]
}

#[tokio::test]
async fn impossible_requests_are_refused() {
    let host = serve(three_models()).await;
    let long = "a|".repeat(3000);
    let steps = format!(r#"{{"question":{{"model":"Ruin"}},"steps":[{}]}}"#, vec![r#""c0""#; 2001].join(","));
    for (path, question, status, message) in [
        ("model/about", r#"{"model":"none"}"#.into(), 422, "there is no model \"none\" here"),
        ("model/solve", "{}".into(), 422, "missing field `question`"),
        ("model/solve", r#"{"question":[]}"#.into(), 422, "invalid type"),
        ("model/solve", r#"{"question":{}}"#.into(), 422, "there is no goal"),
        ("model/solve", r#"{"question":{"goal":"here"}}"#.into(), 422, "here"),
        ("model/solve", r#"{"question":{"goal":"((("}}"#.into(), 422, "goal, column"),
        ("model/solve", format!(r#"{{"question":{{"goal":"{long}"}}}}"#), 422, "too long"),
        (
            "model/solve",
            r#"{"question":{"goal":"goal","until":"!goal","reward":"cost"}}"#.into(),
            422,
            "until cannot be asked",
        ),
        ("model/solve", r#"{"question":{"goal":"goal","reward":"gold"}}"#.into(), 422, "no reward model `gold`"),
        ("model/solve", r#"{"question":{"goal":"goal","sense":"mean"}}"#.into(), 422, "unknown variant `mean`"),
        ("model/solve", r#"{"question":{"goal":"goal","depth":3}}"#.into(), 422, "unknown field `depth`"),
        ("model/solve", r#"{"question":{"model":"Ruin","goal":"x"}}"#.into(), 422, "a game has no goal"),
        ("model/solve", r#"{"question":{"model":"coin.prism","goal":"heads=="}}"#.into(), 422, "column 7: `=`"),
        ("model/solve", r#"{"question":{"model":"coin.prism","goal":"tails=1"}}"#.into(), 422, "tails"),
        ("model/solve", r#"{"question":{"goal":"goal","within":-1}}"#.into(), 422, "invalid value"),
        ("model/solve", r#"{"question":{"goal":"goal","bounds":["cost"]}}"#.into(), 422, "expected NAME=MOST"),
        ("model/solve", r#"{"question":{"goal":"goal","bounds":["cost=-1"]}}"#.into(), 422, "a bound is at least 0"),
        ("model/solve", r#"{"question":{"goal":"goal","bounds":["gold=1"]}}"#.into(), 422, "no reward model `gold`"),
        ("model/solve", r#"{"question":{"goal":"goal","bounds":["cost=1e40"]}}"#.into(), 422, "more than 64 bits"),
        ("model/solve", r#"{"question":{"model":"Ruin","within":3}}"#.into(), 422, "a game has no goal"),
        ("model/state", r#"{"question":{"goal":"goal"},"state":3}"#.into(), 422, "there is no state 3"),
        ("model/state", r#"{"question":{"goal":"goal"},"state":-1}"#.into(), 422, "invalid value"),
        ("model/state", r#"{"question":{"goal":"goal"},"state":4294967296}"#.into(), 422, "invalid value"),
        ("model/outcomes", r#"{"question":{"goal":"goal"},"state":0,"choice":2}"#.into(), 422, "there is no choice 2"),
        ("model/outcomes", r#"{"question":{"goal":"goal"},"state":1,"choice":0}"#.into(), 422, "there is no choice 0"),
        ("model/around", r#"{"question":{"goal":"goal"},"state":0,"steps":3}"#.into(), 422, "steps is 3"),
        ("model/around", r#"{"question":{"goal":"goal"},"state":9}"#.into(), 422, "there is no state 9"),
        ("model/find", format!(r#"{{"question":{{"goal":"goal"}},"find":"{long}"}}"#), 422, "too long"),
        ("model/walk", steps, 422, "a walk of 2001 steps"),
        ("model/walk", r#"{"question":{"model":"Ruin"},"since":2}"#.into(), 422, "since is 2"),
        ("model/walk", r#"{"question":{"model":"Ruin"},"start":2}"#.into(), 422, "there is no start 2"),
        ("model/walk", r#"{"question":{"model":"Ruin"},"state":99}"#.into(), 422, "there is no state 99"),
        ("model/walk", r#"{"question":{"model":"Ruin"},"steps":["x3"]}"#.into(), 422, "is no step"),
        ("model/walk", r#"{"question":{"model":"Ruin"},"steps":["c+0"]}"#.into(), 422, "is no step"),
        ("model/walk", r#"{"question":{"model":"Ruin"},"steps":["c1"]}"#.into(), 422, "step 1: there is no choice 1"),
        (
            "model/walk",
            r#"{"question":{"model":"Ruin"},"steps":["c0","c0"]}"#.into(),
            422,
            "step 2: chance has to decide",
        ),
        ("model/walk", r#"{"question":{"model":"Ruin"},"steps":["c0","s0"]}"#.into(), 422, "cannot come up here"),
        ("model/walk", r#"{"question":{"model":"Ruin"},"act":"roll"}"#.into(), 422, "nothing is left to chance"),
        ("model/walk", r#"{"question":{"model":"Ruin"},"act":"fly"}"#.into(), 422, "unknown variant `fly`"),
    ] {
        let reply = ask(&host, path, &question).await;
        assert_eq!(reply.status, status, "{path} {question}: {}", reply.body);
        assert!(reply.error().contains(message), "{path} {question}: {}", reply.body);
    }
}

/// Addresses that are right, and those that are not.
#[tokio::test]
async fn pages_report_wrong_addresses() {
    let host = serve(three_models()).await;
    for (address, status, words) in [
        ("/model", 200, "The question"),
        ("/model?goal=goal&solve=true&state=0&steps=2", 200, "\"goal\":\"goal\""),
        ("/model?model=Ruin", 200, "\"solve\":true"),
        ("/model/walk?goal=goal&solve=true&steps=c0", 200, "The walk"),
        ("/model?model=none", 422, "there is no model"),
        ("/model?solve=true", 422, "there is no goal"),
        ("/model?goal=goal&solve=true&state=-1", 400, "the address says state=-1"),
        ("/model?goal=goal&solve=true&steps=3", 400, "steps is 1 or 2"),
        ("/model?sense=mean", 422, "unknown variant `mean`"),
        ("/model?find=%3Cscript%3E", 200, "u003cscript>"),
        ("/model/walk?goal=goal&solve=true&steps=x", 422, "is no step"),
        ("/model/walk?state=x", 422, "invalid type"),
        ("/model?goal=goal&solve=true&within=9&bounds=cost%3D12", 200, "\"bounds\":[\"cost=12\"]"),
        ("/model?goal=goal&solve=true&bounds=cost", 422, "expected NAME=MOST"),
    ] {
        let reply = get(&host, address).await;
        assert_eq!(reply.status, status, "{address}: {}", reply.body);
        assert!(reply.body.contains(words), "{address}: {}", reply.body);
        assert!(!reply.body.contains("<script>"), "{address}");
    }
    assert!(get(&host, "/").await.body.contains("href=\"/model\""));

    // Limits hold, and without a model there is none.
    let ceilings = Ceilings { states: 5, ..Ceilings::default() };
    let narrow = start_with(Options { models: three_models(), ceilings, ..Options::default() }).await;
    for question in [r#"{"question":{"model":"Ruin"}}"#, r#"{"question":{"model":"coin.prism","goal":"done"}}"#] {
        let reply = ask(&narrow, "model/solve", question).await;
        assert_eq!(reply.status, 422, "{}", reply.body);
        assert!(reply.error().contains("states"), "{}", reply.body);
    }
    let none = serve(Vec::new()).await;
    assert_eq!(get(&none, "/model").await.status, 422);
    assert!(!get(&none, "/").await.body.contains("href=\"/model\""));
    assert!(ask(&none, "model/about", "{}").await.error().contains("no model was given"));
}
