//! The page of books in a row.

use maud::{Markup, html};
use serde_json::{Value, json};

use crate::address;
use crate::ask::Question;
use crate::gamebook::{SeriesQuestion, own_hero};
use crate::gamebook_page::named;
use crate::library::{Library, OfferedBook};
use crate::page::Page;
use crate::problem::Problem;

/// The page's state at its bare address, with the hero of the first book.
fn template(library: &Library, offered: &OfferedBook) -> Value {
    json!({
        "book": library.series.first().map_or("", |first| &first.name),
        "hero": own_hero(&offered.book), "conduct": {"readings": [], "policy": ""},
        // Whether the odds are wanted.
        "solve": false,
    })
}

/// Refuses a state about something that cannot be.
fn check(state: &Value, library: &Library) -> Result<(), Problem> {
    let policy = if state["conduct"]["policy"] == "" { &Value::Null } else { &state["conduct"]["policy"] };
    let question = json!({"book": state["book"], "hero": state["hero"],
        "conduct": {"readings": state["conduct"]["readings"], "policy": policy}});
    let question: SeriesQuestion = serde_json::from_value(question)
        .map_err(|error| Problem::impossible(error, "start from the page's bare address"))?;
    question.check(library)
}

/// The page.
pub fn page(library: &Library, query: &str) -> Page {
    let offered = library.series(&named(query));
    let template = template(library, offered.as_ref().map_or(&library.books[0], |offered| *offered));
    let state = offered.and_then(|_| address::read(&template, query)).and_then(|state| {
        check(&state, library)?;
        Ok(state)
    });
    let lead =
        "Books in a row: what the hero carries out of one he has in the next. How likely does he win all of them?";
    Page::new("gamebook-series.js", lead, template, state, content(library))
}

fn content(library: &Library) -> Markup {
    html! {
        section.card aria-label="Series and hero" {
            div.row {
                label for="book" { "Series" }
                select #book {
                    @for offered in &library.series { option value=(offered.name) { (offered.book.title) " (" (offered.name) ")" } }
                }
            }
            div #volumes {}
            form #hero autocomplete="off" novalidate aria-label="Who sets out" { h2 { "Who sets out" } }
            div.row {
                button #solve .main type="button" { "What are the odds?" }
                span #walk {}
            }
            div #progress role="status" {}
            div.problem role="alert" hidden {}
        }
        section #answer .card hidden tabindex="-1" aria-label="The answer" {}
    }
}
