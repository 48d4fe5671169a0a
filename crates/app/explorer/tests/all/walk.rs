//! Walks through books: what each step says is held against the interpreter of books, and against itself: the odds at a
//! question are those of its best answer, the odds before a chance the mean of those after it.

use explorer::Ceilings;
use gamebook::read;
use serde_json::{Value, json};

use crate::common::{answer, ask, get, start_with_book, start_with_two_ways};

const CROSSING: &str = include_str!("../../../../gamebook/gamebook/tests/books/crossing.kdl");

/// A test of luck, a fight and a toll by Fighting Fantasy's rules.
const TOLL: &str = include_str!("../../../../gamebook/gamebook/tests/books/toll.kdl");

/// Small enough for the interpreter of books: a toll, a bet with the river, and a fight that can be left.
const GATE: &str = r#"
    book "Gate" format=1 rules="lone-wolf"
    start 1
    goal 3
    hero { combat-skill 13; endurance 20; gold 6; fixed backpack; items meal=1; }
    items { backpack-item meal food=#true; container backpack holds=4; }
    section 1 {
        choice "pay" { require "gold >= 10"; lose gold 10; goto 3; }
        choice "fight" { goto 2; }
        choice "dive" { pick { when 0 2 { goto 3; }; else { endurance -6; goto 2; }; }; }
    }
    section 2 {
        eat
        fight "Guard" skill=17 endurance=14 {
            evade from-round=2 { pick { when 0 2 { goto 3; }; else { death "arrows"; }; }; }
        }
        goto 3
    }
    section 3 { victory; }
"#;

/// A walk as a page has it: who began where, what was done, and how it stands.
struct Walk {
    host: String,
    here: Value,
    odds: bool,
    steps: Value,
    log: Vec<Value>,
    now: Value,
}

impl Walk {
    async fn begin(host: &str, here: Value, odds: bool) -> Self {
        let mut walk = Self { host: host.into(), here, odds, steps: json!([]), log: Vec::new(), now: Value::Null };
        walk.act(Value::Null).await;
        walk
    }

    fn question(&self, act: &Value, seed: u64) -> String {
        let (here, steps, odds) = (&self.here, &self.steps, self.odds);
        let question =
            json!({"here": here, "steps": steps, "act": act, "odds": odds, "since": self.log.len(), "seed": seed});
        question.to_string()
    }

    async fn act(&mut self, act: Value) {
        self.act_with(act, 1).await;
    }

    async fn act_with(&mut self, act: Value, seed: u64) {
        let mut reply = answer(&self.host, "gamebook/walk", &self.question(&act, seed)).await;
        self.steps = reply["steps"].take();
        self.log.extend(reply["log"].as_array().expect("a log").iter().cloned());
        self.now = reply["now"].take();
        assert_eq!(self.log.len(), self.steps.as_array().expect("steps").len() + 1);
        self.agrees();
    }

    /// What is wrong with an act.
    async fn refused(&self, act: Value) -> String {
        let reply = ask(&self.host, "gamebook/walk", &self.question(&act, 1)).await;
        assert_eq!(reply.status, 422, "{}", reply.body);
        reply.error()
    }

    fn phase(&self) -> &str {
        self.now["phase"].as_str().expect("a phase")
    }

    fn win(&self) -> f64 {
        self.now["win"]["decimal"].as_f64().expect("odds")
    }

    /// Says whether the odds here are those of what can follow.
    fn agrees(&self) {
        if !self.odds {
            assert!(self.now["win"].is_null());
            return;
        }
        let logged = self.log.last().expect("an entry")["win"]["decimal"].as_f64();
        assert_eq!(logged, self.now["win"]["decimal"].as_f64());
        let worth = |of: &Value| of["win"]["decimal"].as_f64();
        let list_of = |list: &Value| list.as_array().cloned().unwrap_or_default();
        match self.phase() {
            "question" => {
                let answers = list_of(&self.now["answers"]);
                let most = answers.iter().filter_map(worth).fold(0.0, f64::max);
                assert!((most - self.win()).abs() < 1e-12, "{most} and {}: {}", self.win(), self.now);
                for own in answers.iter().filter(|own| own["best"] == true) {
                    assert!(worth(own).is_none_or(|own| (own - most).abs() < 1e-12), "{}", self.now);
                }
                assert!(answers.iter().any(|own| own["best"] == true));
            }
            "chance" => {
                let prospects = list_of(&self.now["chance"]["prospects"]);
                let mean = |own: &Value| own["probability"].as_f64().expect("a number") * worth(own).expect("odds");
                let mean: f64 = prospects.iter().map(mean).sum();
                assert!(prospects.is_empty() || (mean - self.win()).abs() < 1e-12, "{mean} and {}", self.win());
            }
            "won" => assert!((self.win() - 1.0).abs() < 1e-15),
            _ => assert!(self.win() < 1e-15),
        }
    }
}

#[tokio::test]
async fn a_book_is_walked_to_its_end() {
    let host = start_with_two_ways(Ceilings::default()).await;
    let mut walk = Walk::begin(&host, json!({}), true).await;
    assert_eq!((walk.phase(), walk.win()), ("question", 0.7));
    assert_eq!(walk.now["answers"][1]["label"], "through the ford");
    assert!(walk.now["read"][0]["text"][0]["text"].as_str().expect("a text").len() > 3);
    // A mistake, taken back.
    walk.act(json!({"answer": 1})).await;
    assert_eq!((walk.now["section"].as_u64(), walk.win()), (Some(2), 0.5));
    walk.steps = json!([]);
    walk.log.truncate(1);
    walk.act(json!({"answer": 2})).await;
    assert_eq!((walk.phase(), walk.win()), ("chance", 0.7));
    assert_eq!(walk.now["chance"]["asks"], "Pick a number from 0 to 9.");
    assert!(walk.refused(json!({"typed": [10]})).await.contains("one number from 0 to 9"));
    assert!(walk.refused(json!({"typed": [1, 2]})).await.contains("one number from 0 to 9"));
    assert!(walk.refused(json!({"answer": 1})).await.contains("no question"));
    assert!(walk.refused(json!("fight")).await.contains("there is no fight here"));
    walk.act(json!({"typed": [5]})).await;
    assert_eq!((walk.now["fighting"].as_bool(), walk.win()), (Some(true), 1.0));
    assert_eq!(walk.now["enemies"][0]["name"], "Rat");
    walk.act(json!("fight")).await;
    assert_eq!((walk.phase(), walk.now["section"].as_u64()), ("won", Some(6)));
    assert!(walk.refused(json!("roll")).await.contains("nothing is left to chance"));
    assert!(walk.refused(json!({"correct": {"gold": 1}})).await.contains("play is over"));
    // All of it again, in one question.
    let again = json!({"here": {}, "steps": walk.steps}).to_string();
    let again = answer(&host, "gamebook/walk", &again).await;
    assert_eq!((again["log"].as_array(), &again["now"]), (Some(&walk.log), &walk.now));
    // And without odds nothing is solved.
    let plain = Walk::begin(&host, json!({}), false).await;
    assert!(plain.now["answers"][0]["best"].is_null());
}

#[tokio::test]
async fn walks_agree_with_the_interpreter_of_books() {
    let (book, _) = read(GATE).expect("the book is right");
    let host = start_with_book("gate.kdl", GATE).await;
    let exact = |gold: u8| {
        let hero = gamebook::Hero { gold, ..book.hero.clone() };
        mdp::nearest(&gamebook_reference::win(&book, &hero, 1_000_000).expect("a small book"))
    };
    let mut walk = Walk::begin(&host, json!({}), true).await;
    assert!((walk.win() - exact(6)).abs() < 1e-12, "{} and {}", walk.win(), exact(6));
    // A hero who is corrected is another hero.
    walk.act(json!({"correct": {"gold": 20}})).await;
    assert!((walk.win() - exact(20)).abs() < 1e-12, "{} and {}", walk.win(), exact(20));
    assert!((exact(20) - exact(6)).abs() > 1e-3, "a test that can fail");
    assert_eq!(walk.steps, json!(["gold:20"]));
    assert_eq!(walk.log[1]["changes"], json!(["gold +14"]));
}

/// By chance through a whole book; every step is looked at.
#[tokio::test]
async fn the_odds_of_every_step_agree_with_those_of_the_next() {
    let host = start_with_book("crossing.kdl", CROSSING).await;
    let mut steps = 0;
    for seed in 0..6 {
        let mut walk = Walk::begin(&host, json!({}), true).await;
        while ["question", "chance"].contains(&walk.phase()) && steps < 400 {
            let answers = walk.now["answers"].as_array().map_or(0, Vec::len);
            let act = match walk.phase() {
                "question" => json!({"answer": (seed + steps) % answers + 1}),
                _ => json!("roll"),
            };
            walk.act_with(act, (seed * 1000 + steps) as u64).await;
            steps += 1;
        }
    }
    assert!(steps > 40, "{steps}");
}

#[tokio::test]
async fn a_book_of_other_rules_is_walked() {
    let host = start_with_book("toll.kdl", TOLL).await;
    let here = json!({"hero": {"values": ["skill=9", "stamina=16", "luck=8", "provisions=0"]}});
    let mut walk = Walk::begin(&host, here, true).await;
    assert_eq!(walk.now["chance"]["typed"], "Type what the 2 dice show, or their sum.");
    assert!(walk.refused(json!({"typed": [7, 1]})).await.contains("dice"));
    walk.act(json!({"typed": [6, 5]})).await;
    assert_eq!(walk.steps, json!(["d6.5"]));
    assert_eq!(walk.now["enemies"][0], json!({"name": "Ogre", "stats": [["skill", 9], ["stamina", 6]]}));
    let luck = |walk: &Walk| {
        let lines = walk.now["sheet"].as_array().expect("a sheet").clone();
        lines.iter().find(|line| line["name"] == "luck").expect("luck")["now"].as_i64()
    };
    assert_eq!(luck(&walk), Some(7));
    // In the middle of a fight: who has more stamina has better odds.
    let before = walk.win();
    assert!(walk.refused(json!({"correct": {"stamina": 17}})).await.contains("more than its initial value"));
    walk.act(json!({"correct": {"stamina": 17, "stamina.initial": 20}})).await;
    assert!(walk.win() > before, "{} and {before}", walk.win());
    assert_eq!(walk.now["enemies"][0]["name"], "Ogre");
    walk.act(json!("fight")).await;
    if walk.phase() == "question" {
        assert_eq!(walk.now["section"], 2);
    }
    for wrong in ["stamina", "crown"] {
        assert!(!walk.refused(json!({"correct": {wrong: 999}})).await.is_empty());
    }
}

#[tokio::test]
async fn impossible_requests_are_refused() {
    let host = start_with_two_ways(Ceilings::default()).await;
    for (question, message) in [
        (json!({}), "missing field `here`"),
        (json!({"here": {"section": 99}}), "there is no section 99"),
        (json!({"here": {"book": "none"}}), "there is no book"),
        (json!({"here": {}, "steps": ["x"]}), "step 1: `x` is not a step of a play"),
        (json!({"here": {}, "steps": ["2", "p5", "p99"]}), "step 3: one number from 0 to 9"),
        (json!({"here": {}, "steps": ["9"]}), "step 1: there are answers 1 to 3"),
        (json!({"here": {}, "steps": vec!["1"; 2001]}), "a walk of 2001 steps"),
        (json!({"here": {}, "since": 2}), "since is 2"),
        (json!({"here": {}, "act": {"answer": 0}}), "there are answers 1 to 3"),
        (json!({"here": {}, "act": "dance"}), "unknown variant `dance`"),
        (json!({"here": {}, "act": {"correct": {"crown": 1}}}), "there is no `crown` on the sheet"),
        (json!({"here": {}, "act": {"correct": {"gold": 51}}}), "`gold` of 51"),
        (json!({"here": {}, "act": {"typed": vec![1; 201]}}), "there are too many numbers"),
        (json!({"here": {}, "luck": 1}), "unknown field `luck`"),
    ] {
        let reply = ask(&host, "gamebook/walk", &question.to_string()).await;
        assert_eq!(reply.status, 422, "{question}: {}", reply.body);
        assert!(reply.error().contains(message), "{question}: {}", reply.body);
    }
    for (path, status) in [
        ("/gamebook/walk", 200),
        ("/gamebook/walk?steps=2,p5&odds=false&here.section=2&here.gold=5", 200),
        ("/gamebook/walk?steps=dance", 422),
        ("/gamebook/walk?here.section=99", 422),
        ("/gamebook/walk?luck=1", 400),
        ("/gamebook/walk?book=none", 422),
    ] {
        let page = get(&host, path).await;
        assert_eq!(page.status, status, "{path}: {}", page.body);
    }
}
