//! The page of tables of heroes: which are best, what each thing is worth, and the table itself, sorted, filtered, a page at a time.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::registry::HeroTables;
use super::rows::RowsQuestion;
use super::summary::SummaryQuestion;
use crate::library::Library;
use crate::pages::{Addressed, Page, address, assets};
use crate::question::{Problem, Question};
use crate::site::{Site, asked};

pub const SITE: Site = Site {
    name: "Heroes",
    about: "Your tables of heroes: the best disciplines and items, what each of them is worth, and the best set for each roll.",
    is_listed: |library| !library.hero_tables.tables.is_empty(),
    pages: &[("/gamebook/heroes", page)],
    endpoints: &[("heroes/summary", asked::<SummaryQuestion>), ("heroes/rows", asked::<RowsQuestion>)],
    modules: assets!["heroes.js", "heroes-grid.js"],
};

const HELP: &[&str] = &[
    "This page shows a table of heroes that bestplay gamebook heroes or bestplay fighting-fantasy heroes has made, as CSV or in \
     the SQLite file of --state. It shows the sets of disciplines and items, best first, over all rolls, and for how many \
     rolls nobody is better; what each discipline, item and point is worth; the best with each roll; and every hero.",
    "Click a column to sort by it. A filter such as 15..19 is for numbers, and tracking -healing finds who has the one and not \
     the other. Fifty heroes are shown at a time. Each hero, set and roll is a link to the book's page as that hero.",
    "The numbers mean what they mean with the command, and come from the same code. A table that is not finished is shown as it \
     is: sets count by the rolls that are there.",
    "How likely a roll is depends on the book. An SQLite file names it; otherwise the page takes the first book that knows all \
     columns, disciplines and items, and you can choose another. Without a book all rolls count alike.",
    "A file has at most 250,000 heroes and 64 MiB. A file that a run has open just now cannot be read.",
];

/// The page's state at its bare address.
fn template(tables: &HeroTables) -> Value {
    let name = tables.tables.first().map_or("", |table| &table.name);
    json!({
        // The first table; the book that fits it best.
        "table": name, "book": "",
        // Nothing is sorted by yet: the order of the file.
        "sort": "", "descending": true, "filter": [], "from": 0,
    })
}

/// Refuses a state about something that cannot be.
fn check(state: &Value, tables: &HeroTables) -> Result<(), Problem> {
    let question = serde_json::from_value::<RowsQuestion>(state.clone());
    question.map_err(|error| Problem::impossible(error, "start from the page's bare address"))?.check(tables)
}

/// The page.
fn page(library: &Library, query: &str) -> Page {
    let tables = &*library.hero_tables;
    let (template, named) = (template(tables), address::word(query, "table"));
    let mut about = template.clone();
    if tables.tables.iter().any(|table| table.name == named) {
        about["table"] = named.into();
    }
    let addressed = Addressed::new(template, about, query, |state| check(state, tables));
    let lead = "Which disciplines and items are best, what is each worth, and who is best with your roll?";
    Page { module: "heroes.js", lead, help: HELP, addressed, content: content(tables) }
}

fn content(tables: &HeroTables) -> Markup {
    html! {
        section.card aria-label="The table" {
            @if tables.tables.is_empty() {
                p { "No table was given. Make one with " code { "bestplay gamebook heroes BOOK --csv heroes.csv" }
                    ", and start the Explorer with it: " code { "bestplay serve heroes.csv" } "." }
            } @else {
                div.row {
                    label for="table" { "Table" }
                    select #table {
                        @for table in &tables.tables { option value=(table.name) { (table.name) } }
                    }
                    label for="book" { "Heroes of" }
                    select #book {}
                }
                div #about {}
            }
        }
        div #heroes hidden[tables.tables.is_empty()] {
            section.card aria-labelledby="best-title" { h2 #best-title { "The best" } div #best {} }
            section.card aria-labelledby="worth-title" { h2 #worth-title { "What each is worth" } div #worth {} }
            section #grid-card .card aria-labelledby="grid-title" { h2 #grid-title { "The best with each roll" } div #grid {} }
            section.card aria-labelledby="rows-title" {
                h2 #rows-title { "Every hero" }
                form #filters autocomplete="off" novalidate aria-label="Which heroes" { div.fields {} }
                div.problem role="alert" hidden {}
                p #found role="status" {}
                div #rows {}
                div.row #pages role="group" aria-label="Pages of the table" {}
            }
        }
    }
}
