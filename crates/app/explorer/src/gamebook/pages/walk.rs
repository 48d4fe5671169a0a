//! The page of a walk through a gamebook.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::{book, help};
use crate::gamebook::walk::WalkQuestion;
use crate::gamebook::{Gamebooks, OfferedBook};
use crate::library::Library;
use crate::pages::Page;
use crate::question::{Problem, Question};

/// The page's state at its bare address. Who plays, and where he begins, is named as on the page of the book.
fn template(gamebooks: &Gamebooks, offered: &OfferedBook) -> Value {
    let own = book::template(gamebooks, offered);
    json!({
        "book": own["book"], "hero": own["hero"], "goals": own["goals"], "conduct": own["conduct"], "here": own["here"],
        // What was done, and whether the odds are shown; the player rolls at home and types it.
        "steps": "", "odds": true, "typed": false,
        // The mark of the book in which the steps were done.
        "mark": "",
    })
}

/// Refuses a state about something that cannot be.
fn check(state: &Value, gamebooks: &Gamebooks) -> Result<(), Problem> {
    let start = gamebooks.walked(state["book"].as_str().unwrap_or_default())?.book.start;
    let mut here = book::advise_question(state, start);
    here["goals"] = state["goals"].clone();
    if state["here"]["section"].is_null() {
        here =
            json!({"book": state["book"], "hero": state["hero"], "goals": state["goals"], "conduct": here["conduct"]});
    }
    let steps = state["steps"].as_str().unwrap_or_default().split(',').filter(|step| !step.is_empty());
    let question = json!({"here": here, "steps": steps.collect::<Vec<_>>(), "odds": state["odds"]});
    let mark = state["mark"].as_str().unwrap_or_default();
    let is_mark = mark.len() == 8 && mark.bytes().all(|own| own.is_ascii_hexdigit());
    if !mark.is_empty() && !is_mark {
        let message = format_args!("the address says mark={mark}");
        return Err(Problem::unreadable(message, "mark is eight hexadecimal digits, as the page writes them"));
    }
    let question: WalkQuestion = serde_json::from_value(question)
        .map_err(|error| Problem::impossible(error, "start from the page's bare address"))?;
    question.check(gamebooks)
}

/// The page.
pub fn page(library: &Library, query: &str) -> Page {
    let gamebooks = &*library.gamebooks;
    let addressed = book::addressed(gamebooks, query, |name| gamebooks.walked(name), template, check);
    let lead = "Walk through the book: click what you do, roll here or at your table, and see what each step is worth.";
    Page { module: "walk.js", lead, help: help::WALK, addressed, content: content() }
}

fn content() -> Markup {
    html! {
        section.card aria-labelledby="walk-title" {
            h2 #walk-title { "The walk" }
            p #who .hint {}
            p #draft .draft role="note" hidden {}
            div.row {
                label.switch { input #odds type="checkbox"; " Show the odds" }
                label.switch { input #typed type="checkbox"; " I roll at my table" }
            }
            div.row #walks {}
            p #edited .problem-note role="alert" hidden {
                strong { "The book has been edited since this walk was written down." }
                " Its steps may lead elsewhere now, or nowhere."
            }
            div #walk-progress role="status" {}
        }
        div.walk {
            section #now .card aria-labelledby="now-title" { h2 #now-title tabindex="-1" { "Where you are" } }
            section #sheet .card aria-labelledby="sheet-title" { h2 #sheet-title { "Action Chart" } }
        }
        section #log .card aria-labelledby="log-title" { h2 #log-title { "Steps so far" } }
    }
}
