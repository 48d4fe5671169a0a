//! Drafts: pages and endpoints say of a book that is not finished that its odds are not the book's.

use explorer::{OfferedBook, Options};
use serde_json::{Value, json};

use crate::common::{answer, get, start_with};

const DRAFT: &str = "book \"Draft\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 2\n\
    hero { combat-skill 15; endurance 25; learns 1; disciplines hunting; }\nstub 4\n\
    section 1 { todo \"what the guard wants\"; choice \"left\" { goto 2; }; choice \"right\" { goto 4; }; }\n\
    section 2 { victory; }\nsection 3 { todo \"nobody comes here\"; goto 2; }\n";

#[tokio::test]
async fn every_answer_about_a_draft_says_that_it_is_one() {
    let draft = OfferedBook::new("draft.kdl", DRAFT).expect("the book is right");
    let finished = DRAFT.replace("todo \"what the guard wants\"; ", "").replace("todo \"nobody comes here\"; ", "");
    let finished = finished.replace("stub 4\n", "section 4 { death \"x\"; }\n");
    let finished = OfferedBook::new("finished.kdl", &finished).expect("the book is right");
    let host = start_with(Options { books: vec![draft, finished], ..Options::default() }).await;
    for name in ["draft", "finished"] {
        let questions = [
            ("gamebook/book", json!({"book": name})),
            ("gamebook/solve", json!({"book": name})),
            ("gamebook/section", json!({"section": 1, "play": {"book": name}})),
            ("gamebook/advise", json!({"book": name, "section": 1})),
            ("gamebook/walk", json!({"here": {"book": name}, "steps": [], "seed": 1})),
        ];
        for (endpoint, question) in questions {
            let reply = answer(&host, endpoint, &question.to_string()).await;
            let found = [&reply["draft"], &reply["todos"], &reply["stubs"]];
            let expected = if name == "draft" {
                [json!(true), json!(2), json!(1)]
            } else {
                [Value::Null, Value::Null, Value::Null]
            };
            assert_eq!(found, [&expected[0], &expected[1], &expected[2]], "{endpoint} {reply}");
        }
        let book = answer(&host, "gamebook/book", &json!({"book": name}).to_string()).await;
        let warning = json!("draft: 2 todos, 1 section not written yet; these odds are not the book's");
        assert_eq!(book["unfinished"], if name == "draft" { warning } else { Value::Null });
    }
    for page in ["/gamebook?book=draft", "/gamebook/walk?book=draft"] {
        let html = get(&host, page).await.body;
        assert!(html.contains("id=\"draft\""), "{page}: {html}");
    }
}
