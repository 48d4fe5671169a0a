//! Where pages could end: an address that is wrong, a book that is too large, a walk that is too long, one through a book that
//! was edited since.

use explorer::Ceilings;
use serde_json::{Value, json};

use crate::common::{answer, ask, get, start, start_with_book};

/// What a page holds as JSON in an element: `state` or `template`.
fn data(page: &str, id: &str) -> Value {
    let begin = format!("<script id=\"{id}\" type=\"application/json\">");
    let text = page.split(&begin).nth(1).and_then(|rest| rest.split("</script>").next()).expect("it is there");
    serde_json::from_str(text).expect("JSON")
}

/// The names of all parts of a state, with what they are.
fn parts(of: &Value, before: &str) -> Vec<(String, Value)> {
    let Value::Object(all) = of else { return vec![(before.trim_end_matches('.').into(), of.clone())] };
    all.iter().flat_map(|(name, part)| parts(part, &format!("{before}{name}."))).collect()
}

#[tokio::test]
async fn a_wrong_address_says_so_beside_what_it_is_about() {
    let host = start(Ceilings::default()).await;
    let long = format!("/gamebook/walk?book=the-caverns-of-kalte&steps={}1", "1,".repeat(2000));
    for (address, book) in [
        ("/gamebook?book=crypt-of-the-sorcerer&foo=1", "crypt-of-the-sorcerer"),
        ("/gamebook?book=the-chasm-of-doom&hero.combat_skill=99", "the-chasm-of-doom"),
        ("/gamebook?section=9999&book=the-chasm-of-doom", "the-chasm-of-doom"),
        ("/gamebook?book=the-chasm-of-doom&insist.section=9999", "the-chasm-of-doom"),
        ("/gamebook?book=the-chasm-of-doom&other.hero.endurance=3", "the-chasm-of-doom"),
        ("/gamebook?book=nobook", "fire-on-the-water"),
        ("/gamebook?book=the-chasm-of-doom&book=fire-on-the-water", "the-chasm-of-doom"),
        ("/gamebook/walk?book=warlock-of-firetop-mountain&odds=maybe", "warlock-of-firetop-mountain"),
        ("/gamebook/walk?book=warlock-of-firetop-mountain&mark=short", "warlock-of-firetop-mountain"),
        ("/gamebook/walk?book=warlock-of-firetop-mountain&hero.combat_skill=12", "warlock-of-firetop-mountain"),
        (&long, "the-caverns-of-kalte"),
    ] {
        let page = get(&host, address).await;
        assert!([400, 422].contains(&page.status), "{address:.80}");
        assert!(page.body.contains("id=\"wrong-address\""), "{address:.80}");
        let (state, template) = (data(&page.body, "state"), data(&page.body, "template"));
        assert_eq!(state["book"], book, "{address:.80}");
        // But for the book all is as at its bare address.
        let bare = address.split('?').next().unwrap();
        let own = get(&host, &format!("{bare}?book={book}")).await;
        assert_eq!((own.status, data(&own.body, "state")), (200, state.clone()), "{address:.80}");
        assert_eq!(data(&own.body, "template"), template, "{address:.80}");
    }
    let right = get(&host, "/gamebook?book=the-chasm-of-doom").await;
    assert!(!right.body.contains("wrong-address"));
}

/// Whatever a part of an address says: what is no such thing is refused, and the page is whole all the same.
#[tokio::test]
async fn every_part_of_every_address_can_be_wrong() {
    let host = start(Ceilings::default()).await;
    for page in [
        "/gamebook",
        "/gamebook?book=crypt-of-the-sorcerer",
        "/gamebook/walk",
        "/lone-wolf",
        "/fighting-fantasy",
        "/slay-the-spire",
        "/slay-the-spire/act-1",
        "/red-november",
        "/gamebook/heroes",
    ] {
        let bare = get(&host, page).await;
        assert_eq!(bare.status, 200);
        let (state, joint) = (data(&bare.body, "state"), if page.contains('?') { '&' } else { '?' });
        for (name, part) in parts(&data(&bare.body, "template"), "") {
            let wrong: &[&str] = match part {
                Value::Number(_) => &["x", "", "99999999999999999999", "1.5"],
                Value::Bool(_) => &["maybe", "", "1"],
                _ => &[],
            };
            for text in wrong {
                let address = format!("{page}{joint}{name}={text}");
                let reply = get(&host, &address).await;
                assert_eq!(reply.status, 400, "{address}");
                assert_eq!(data(&reply.body, "state"), state, "{address}");
            }
            if !part.is_array() && !part.is_null() {
                let value = part.as_str().map_or_else(|| part.to_string(), String::from);
                let twice = format!("{page}{joint}{name}={value}&{name}={value}");
                assert_eq!(get(&host, &twice).await.status, 400, "{twice}");
            }
        }
        let reply = get(&host, &format!("{page}{joint}no.such=1")).await;
        assert_eq!((reply.status, data(&reply.body, "state")), (400, state), "{page}");
    }
}

#[tokio::test]
async fn no_built_in_book_ends_in_a_wall() {
    let host = start(Ceilings::default()).await;
    // As the page says it, with all that the hero has, in whatever order.
    let own = json!({"combat_skill": 15, "endurance": 25, "gold": 15, "lost": [], "items": ["shield", "meal=2", "sword",
        "potion-of-laumspur"], "disciplines": ["weaponskill=sword", "hunting", "mindblast", "sixth-sense", "mindshield"]});
    for (path, question) in [
        ("gamebook/solve", json!({"book": "shadow-on-the-sand"})),
        ("gamebook/solve", json!({"book": "shadow-on-the-sand", "hero": own, "goals": [400]})),
        ("gamebook/advise", json!({"book": "shadow-on-the-sand", "section": 1})),
        ("gamebook/walk", json!({"here": {"book": "shadow-on-the-sand"}})),
    ] {
        let reply = ask(&host, path, &question.to_string()).await;
        let error = &reply.json()["error"];
        assert_eq!((reply.status, &error["limit"]), (422, &json!(true)), "{path}: {}", reply.body);
        // Nobody tries what is known to be in vain.
        assert!(reply.body.contains("more situations than the limit"), "{path}: {}", reply.body);
        assert!(reply.body.contains("66.98299 % to 66.98327 %"), "{path}: {}", reply.body);
        let known = |name: &str| error["known"][name].as_f64().expect("a number");
        assert!(0.6698 < known("at_least") && known("at_least") < known("at_most") && known("at_most") < 0.6699);
    }
    // Without the odds it is walked through.
    let walk = json!({"here": {"book": "shadow-on-the-sand"}, "odds": false});
    assert_eq!(answer(&host, "gamebook/walk", &walk.to_string()).await["now"]["section"], 1);
    // And both of its halves are solved.
    let book = answer(&host, "gamebook/book", r#"{"book": "shadow-on-the-sand"}"#).await;
    let waist = book["waist"].as_u64().expect("it has two parts");
    assert!((200..=201).contains(&waist), "{waist}");
    for part in [json!({"goals": [waist]}), json!({"start": waist})] {
        let mut question = part.clone();
        question["book"] = json!("shadow-on-the-sand");
        let found = answer(&host, "gamebook/solve", &question.to_string()).await;
        let win = found["win"]["decimal"].as_f64().expect("a number");
        assert!(if part["start"].is_null() { win > 0.99 } else { (0.4..0.5).contains(&win) }, "{part}: {win}");
    }
    // What is known is known of the book's own hero alone.
    let small = start(Ceilings { states: 1000, ..Ceilings::default() }).await;
    let other = json!({"book": "shadow-on-the-sand", "hero": {"combat_skill": 16}});
    let error = ask(&small, "gamebook/solve", &other.to_string()).await.json()["error"].clone();
    assert_eq!((&error["limit"], &error["known"]), (&json!(true), &Value::Null));
}

#[tokio::test]
async fn a_walk_is_as_long_as_its_address_may_be() {
    let text = "book \"Round\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 2\nhero { combat-skill 15; endurance 25; }\n\
        section 1 { choice \"again\" { goto 1; }; choice \"on\" { goto 2; }; }\nsection 2 { victory; }";
    let host = start_with_book("round.kdl", text).await;
    let steps: Vec<&str> = vec!["1"; 2000];
    let question = |steps: &[&str], act: Value| json!({"here": {}, "steps": steps, "since": steps.len(), "act": act});
    let reply = answer(&host, "gamebook/walk", &question(&steps[1..], json!({"answer": 1})).to_string()).await;
    assert_eq!(reply["steps"].as_array().map(Vec::len), Some(2000));
    let whole = answer(&host, "gamebook/walk", &question(&steps, Value::Null).to_string()).await;
    assert_eq!(whole["now"]["section"], 1);
    let beyond = ask(&host, "gamebook/walk", &question(&steps, json!({"answer": 1})).to_string()).await;
    assert_eq!(beyond.status, 422);
    assert!(beyond.error().contains("a walk of 2001 steps"), "{}", beyond.body);
}

#[tokio::test]
async fn a_book_that_says_something_else_has_another_mark() {
    let text = include_str!("../data/two-ways.kdl");
    let mut marks = Vec::new();
    for text in [
        text.to_string(),
        // What says nothing does not count.
        format!("// Another comment.\n\n{}", text.replace("combat-skill 15", "combat-skill   15 // as rolled")),
        text.replace("combat-skill 15", "combat-skill 16"),
        text.replace("over the bridge", "across the bridge"),
    ] {
        let host = start_with_book("two-ways.kdl", &text).await;
        let mark = answer(&host, "gamebook/book", "{}").await["mark"].as_str().expect("a mark").to_owned();
        assert!(mark.len() == 8 && mark.bytes().all(|own| own.is_ascii_hexdigit()), "{mark}");
        marks.push(mark);
    }
    assert_eq!(marks[0], marks[1]);
    assert!(marks[0] != marks[2] && marks[0] != marks[3] && marks[2] != marks[3], "{marks:?}");
}
