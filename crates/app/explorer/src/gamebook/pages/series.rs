//! The page of books in a row.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::{book, help};
use crate::gamebook::series::{SeriesQuestion, number_in};
use crate::gamebook::walk::WalkQuestion;
use crate::gamebook::{Gamebooks, OfferedBook, own_hero};
use crate::library::Library;
use crate::pages::{Addressed, Page, address};
use crate::question::Problem;

/// The page's state at its bare address, with the hero of the first book.
fn template(gamebooks: &Gamebooks, offered: &OfferedBook) -> Value {
    let (hero, conduct) = (json!(own_hero(&offered.book)), json!({"readings": [], "policy": ""}));
    json!({
        "book": gamebooks.series.first().map_or("", |first| &first.name),
        "hero": hero, "conduct": conduct,
        // Who stands in the middle: in no book as long as the volume is 0.
        "here": {"volume": 0, "section": null, "endurance": null, "flags": [], "hero": hero, "conduct": conduct},
        // Whether the odds are wanted.
        "solve": false,
    })
}

/// Refuses a state about something that cannot be.
fn check(state: &Value, gamebooks: &Gamebooks) -> Result<(), Problem> {
    let policy = if state["conduct"]["policy"] == "" { &Value::Null } else { &state["conduct"]["policy"] };
    let question = json!({"book": state["book"], "hero": state["hero"],
        "conduct": {"readings": state["conduct"]["readings"], "policy": policy}});
    book::read::<SeriesQuestion>(question, gamebooks)?;
    let here = &state["here"];
    if here["volume"] == 0 {
        if !here["section"].is_null() {
            let message = format_args!("the address says here.section={}", here["section"]).to_string();
            return Err(Problem::impossible(message, "say as well in which book that is, such as here.volume=1"));
        }
        return Ok(());
    }
    let unread = |error| Problem::impossible(error, "start from the page's bare address");
    let volume = serde_json::from_value(here["volume"].clone()).map_err(unread)?;
    let section = serde_json::from_value(here["section"].clone()).map_err(unread)?;
    let offered = gamebooks.series(state["book"].as_str().unwrap_or_default())?;
    let standing = json!({"book": offered.name, "hero": here["hero"], "conduct": here["conduct"], "here": here});
    let mut question = book::advise_question(&standing, 0);
    question["section"] = json!(number_in(offered, volume, section)?);
    book::read::<WalkQuestion>(json!({"here": question}), gamebooks)
}

/// The page.
pub fn page(library: &Library, query: &str) -> Page {
    let gamebooks = &*library.gamebooks;
    let addressed = match gamebooks.series(&address::word(query, "book")) {
        Err(problem) => {
            let first = gamebooks.series.first().unwrap_or(&gamebooks.books[0]);
            Addressed::wrong(template(gamebooks, first), problem)
        }
        Ok(offered) => {
            let template = template(gamebooks, offered);
            let mut about = template.clone();
            about["book"] = offered.name.clone().into();
            Addressed::new(template, about, query, |state| check(state, gamebooks))
        }
    };
    let lead =
        "Books in a row: what the hero carries out of one he has in the next. How likely does he win all of them?";
    Page { module: "gamebook-series.js", lead, help: help::SERIES, addressed, content: content(gamebooks) }
}

fn content(gamebooks: &Gamebooks) -> Markup {
    html! {
        section.card aria-label="Series and hero" {
            div.row {
                label for="book" { "Series" }
                select #book {
                    @for offered in &gamebooks.series { option value=(offered.name) { (offered.book.title) " (" (offered.name) ")" } }
                }
                button #solve .main type="button" { "What are the odds?" }
                span #walk {}
            }
            div #progress role="status" {}
            div.problem role="alert" hidden {}
            div #volumes {}
            p #draft .draft role="note" hidden {}
            form #hero autocomplete="off" novalidate aria-label="Who sets out" { h2 { "Who sets out" } }
        }
        section #answer .card hidden tabindex="-1" aria-label="The answer" {}
        section.card aria-labelledby="here-title" {
            h2 #here-title { "I am here" }
            p.hint { "Already on the way? Say which book is in your hands, in which of its sections you are, and what you have now: \
                the walk goes from there to the end of the last book." }
            form #here autocomplete="off" novalidate aria-label="I am here" {
                div.fields {
                    div.field { label for="here-volume" { "Book" } select #here-volume {} }
                    div.field hidden {
                        label for="here-section" { "Section" }
                        input #here-section type="number" inputmode="numeric" min="1" max="65535" placeholder="number" required;
                    }
                    div.field hidden {
                        label for="here-endurance" { "Endurance now" }
                        input #here-endurance type="number" inputmode="numeric" min="1" required;
                    }
                }
                div #here-hero role="group" aria-label="Who you are, and what you have now" {}
                div #here-flags {}
                div #here-large {}
                div.row #here-walk {}
            }
        }
    }
}
