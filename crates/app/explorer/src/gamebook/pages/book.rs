//! The page of gamebooks.

use gamebook::SectionNumber;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::help;
use crate::gamebook::advise::AdviseQuestion;
use crate::gamebook::section::SectionQuestion;
use crate::gamebook::solve::SolveQuestion;
use crate::gamebook::{Gamebooks, OfferedBook, own_hero};
use crate::library::Library;
use crate::pages::{Addressed, Page, address, number_field};
use crate::question::{Problem, Question};

/// The page's state at its bare address, with the own hero of a book. Which book it is, is part of the address.
pub fn template(gamebooks: &Gamebooks, offered: &OfferedBook) -> Value {
    let book = &offered.book;
    let hero = json!(own_hero(book));
    // A hero in the middle of the book has what the hero has, except for these.
    let here = json!({"section": null, "endurance": null, "gold": null, "flags": [], "items": null, "values": null});
    // No choice is insisted upon: section 0.
    let insist = json!({"section": 0, "to": 0});
    // As the book has it: no policy is named.
    let conduct = json!({"readings": [], "policy": ""});
    json!({
        "book": gamebooks.books[0].name,
        "hero": hero, "start": null, "goals": book.goals, "insist": insist, "conduct": conduct,
        // Whether the book is to be solved, and compared with another hero.
        "solve": false, "compare": false, "other": {"hero": hero, "insist": insist, "conduct": conduct},
        // The section that is looked at, and the part of the map.
        "section": null, "map": {"x": 0, "y": 0, "zoom": 100, "of": "hero"},
        "here": here,
    })
}

/// How the book is read and played in a part of the state.
fn conduct(of: &Value) -> Value {
    let own = &of["conduct"];
    let policy = if own["policy"] == "" { &Value::Null } else { &own["policy"] };
    json!({"readings": own["readings"], "policy": policy})
}

/// The question that a part of the state asks.
fn solve_question(state: &Value, of: &Value) -> Value {
    let insist = &of["insist"];
    let insist = if insist["section"] == 0 || insist["to"] == 0 { &Value::Null } else { insist };
    let (start, goals) = (&state["start"], &state["goals"]);
    json!({"book": state["book"], "hero": of["hero"], "start": start, "goals": goals, "insist": insist, "conduct": conduct(of)})
}

/// The question about who stands somewhere.
pub fn advise_question(state: &Value, start: SectionNumber) -> Value {
    let here = &state["here"];
    // In an address a single element is a word, and an empty one stands for none.
    let list = |part: &Value| match part {
        Value::String(word) if word.is_empty() => json!([]),
        Value::String(word) => json!([word]),
        list => list.clone(),
    };
    let mut hero = state["hero"].clone();
    if !here["items"].is_null() {
        hero["items"] = Value::Null;
        hero["lost"] = Value::Null;
        hero["has"] = list(&here["items"]);
    }
    for (name, part) in [("gold", &here["gold"]), ("values", &list(&here["values"]))] {
        if !part.is_null() {
            hero[name] = part.clone();
        }
    }
    let section = if here["section"].is_null() { json!(start) } else { here["section"].clone() };
    json!({"book": state["book"], "section": section, "hero": hero, "endurance": here["endurance"], "flags": here["flags"],
        "conduct": conduct(state)})
}

/// Refuses a question that a page's state asks about something that cannot be.
pub fn read<Q: Question<Context = Gamebooks>>(question: Value, gamebooks: &Gamebooks) -> Result<(), Problem> {
    let question: Q = serde_json::from_value(question)
        .map_err(|error| Problem::impossible(error, "start from the page's bare address"))?;
    question.check(gamebooks)
}

/// Refuses a state about something that cannot be.
fn check(state: &Value, gamebooks: &Gamebooks) -> Result<(), Problem> {
    for player in [state, &state["other"]] {
        read::<SolveQuestion>(solve_question(state, player), gamebooks)?;
        // The form may be half filled in.
        for section in
            ["section", "to"].map(|part| &player["insist"][part]).into_iter().filter(|section| **section != 0)
        {
            read::<SectionQuestion>(json!({"section": section, "play": {"book": state["book"]}}), gamebooks)?;
        }
    }
    if !["hero", "other"].iter().any(|who| state["map"]["of"] == *who) {
        let message = format_args!("the address says map.of={}", state["map"]["of"].as_str().unwrap_or_default());
        return Err(Problem::unreadable(message, "map.of is hero or other"));
    }
    if !state["section"].is_null() {
        read::<SectionQuestion>(json!({"section": state["section"], "play": {"book": state["book"]}}), gamebooks)?;
    }
    let start = gamebooks.book(state["book"].as_str().unwrap_or_default())?.book.start;
    read::<AdviseQuestion>(advise_question(state, start), gamebooks)
}

/// What the address of a page about a book says: `find` finds the book, `template` and `check` are the page's own.
pub fn addressed<'l>(
    gamebooks: &'l Gamebooks,
    query: &str,
    find: impl FnOnce(&str) -> Result<&'l OfferedBook, Problem>,
    template: impl FnOnce(&Gamebooks, &OfferedBook) -> Value,
    check: impl FnOnce(&Value, &Gamebooks) -> Result<(), Problem>,
) -> Addressed {
    match find(&address::word(query, "book")) {
        Err(problem) => Addressed::wrong(template(gamebooks, &gamebooks.books[0]), problem),
        Ok(offered) => {
            let template = template(gamebooks, offered);
            let mut about = template.clone();
            about["book"] = offered.name.clone().into();
            Addressed::new(template, about, query, |state| check(state, gamebooks))
        }
    }
}

/// The page.
pub fn page(library: &Library, query: &str) -> Page {
    let gamebooks = &*library.gamebooks;
    let addressed = addressed(gamebooks, query, |name| gamebooks.book(name), template, check);
    let lead = "Choose a book and a hero: how likely can it be won, which choices are best, and where do heroes die?";
    Page { module: "gamebook.js", lead, help: help::BOOK, addressed, content: content(gamebooks) }
}

fn hero_card(id: &str, title: &str) -> Markup {
    html! {
        form id=(id) autocomplete="off" novalidate aria-label=(title) { h2 { (title) } }
    }
}

fn content(gamebooks: &Gamebooks) -> Markup {
    html! {
        (book_and_hero(gamebooks))
        section #answer .card hidden tabindex="-1" aria-label="The answer" {}
        (map_and_section())
        (i_am_here())
    }
}

fn book_and_hero(gamebooks: &Gamebooks) -> Markup {
    html! {
        section.card aria-label="Book and hero" {
            div.row {
                label for="book" { "Book" }
                select #book {
                    @for offered in &gamebooks.books { option value=(offered.name) { (offered.book.title) " (" (offered.name) ")" } }
                }
                button #solve .main type="button" { "Solve the book" }
            }
            div #progress role="status" {}
            div.problem role="alert" hidden {}
            @if !gamebooks.series.is_empty() {
                p.hint { "Books in a row: "
                    @for (place, series) in gamebooks.series.iter().enumerate() {
                        @if place > 0 { ", " }
                        a href=(series.address()) { (series.book.title) }
                    }
                }
            }
            p #draft .draft role="note" hidden {}
            details #setup open {
                summary { strong #set-up { "The hero" } " " span.hint { "change" } }
                div.heroes {
                    (hero_card("hero", "The hero"))
                    (hero_card("other", "Compared with"))
                }
                form #from-to autocomplete="off" novalidate aria-label="From where to where" {
                    div.fields {
                        div.field { label for="start" { "From section" } input #start type="text"; }
                        div.field { label for="goals" { "To one of these sections" } input #goals type="text"; }
                    }
                }
                label.switch { input #compare type="checkbox"; " Compare with another hero, or with another choice" }
            }
        }
    }
}

fn map_and_section() -> Markup {
    html! {
        div #solved hidden {
            section.card aria-labelledby="map-title" {
                h2 #map-title { "The map" }
                form #search role="search" autocomplete="off" aria-label="Find a section" {
                    div.row {
                        label for="find" { "Find" }
                        input #find type="search" maxlength="200" placeholder="section, enemy, choice or item" enterkeyhint="go";
                    }
                    div #found {}
                }
                div.row {
                    button #zoom-in type="button" aria-label="Closer" { "+" }
                    button #zoom-out type="button" aria-label="Farther" { "−" }
                    button #zoom-all type="button" { "Whole map" }
                    button #zoom-best type="button" { "To the section" }
                    div.row #of-row hidden {
                        label for="of" { "Painted for" }
                        select #of { option value="hero" { "the hero" } option value="other" { "the other" } }
                    }
                }
                div #map {}
                div.ramp {}
                div.ends { span { "0 % to win from there" } span #ramp-middle {} span { "100 %" } }
                p.hint { "Thicker: more heroes visit it. A cross: the story can end there; a bold cross: heroes of best play die \
                    there. A dashed ring: best play never comes. Lines that end at the end of a row go on in \
                    another. Drag to move, press Ctrl and turn the wheel to zoom; on a phone both with two fingers; with the \
                    keyboard: arrows from section to section, + and −, 0 for the whole map, Enter to look at one." }
                div #map-files {}
            }
            section #section .card aria-label="The section" {}
        }
    }
}

fn i_am_here() -> Markup {
    html! {
        section.card aria-labelledby="here-title" {
            h2 #here-title { "I am here" }
            p.hint { "Say where you are in the book, and what you have now. What is not asked for here is as with the hero above." }
            form #here autocomplete="off" novalidate aria-label="I am here" {
                div.fields {
                    div.field {
                        label for="here-section" { "Section" }
                        input #here-section type="number" inputmode="numeric" min="1" max="65535" placeholder="number" required;
                    }
                    (number_field("here-endurance", "Endurance now", 1, 99))
                    (number_field("here-gold", "Gold", 0, 50))
                }
                div #here-items {}
                div #here-flags {}
                div.row {
                    button #advise .main type="submit" { "What now?" }
                    button #from-start type="button" { "As at the start" }
                }
            }
            div.problem role="alert" hidden {}
            div #advice {}
        }
    }
}
