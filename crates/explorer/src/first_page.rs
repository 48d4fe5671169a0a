//! The first page: what there is to choose from.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Html;
use maud::html;

use crate::files::File;
use crate::page::{PAGES, layout};

/// The first page.
pub async fn page(State(files): State<Arc<[File]>>) -> Html<String> {
    let body = html! {
        h1 { "What are my odds, and what is best now?" }
        p.lead { "Pick a game. Every page keeps its whole state in its address, so that you can bookmark it or send it to somebody." }
        ul.games {
            @for (address, name, text) in PAGES {
                li { a href=(address) { h2 { (name) } p { (text) } } }
            }
        }
        @if !files.is_empty() {
            h2 { "Your files" }
            ul { @for file in files.iter() { li { a href=(file.address) { (file.name) } } } }
        }
    };
    layout("", None, None, &body)
}
