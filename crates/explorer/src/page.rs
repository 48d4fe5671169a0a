//! What all pages share.

use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use crate::problem::Problem;

/// The pages in the navigation: address, name, what it is for.
pub const PAGES: [(&str, &str, &str); 4] = [
    (
        "/gamebook",
        "Gamebook",
        "A whole book of numbered sections, solved for your hero: a map of it, and the best choice wherever you are.",
    ),
    (
        "/fighting-fantasy",
        "Fighting Fantasy",
        "The odds of a fight with the best use of luck, and a map that shows where luck is worth it.",
    ),
    (
        "/slay-the-spire",
        "Slay the Spire",
        "The Ironclad against a Cultist: every play of a hand with its expected health, turn by turn.",
    ),
    ("/red-november", "Red November", "Set up the submarine and see every cheapest way through it, step by step."),
];

/// A page of a game.
pub struct Page<'a> {
    /// Its address without a query: one of [`PAGES`].
    pub path: &'a str,
    /// Its ES module.
    pub module: &'a str,
    /// One sentence under its title.
    pub lead: &'a str,
    pub content: Markup,
}

impl Page<'_> {
    /// The page in the state that its address names, or in that of its bare address, `template`, where what the address
    /// names cannot be; with the status that the address deserves.
    pub fn respond(self, template: &Value, state: &Result<Value, Problem>) -> Response {
        let problem = state.as_ref().err();
        let name = PAGES.iter().find(|(path, ..)| *path == self.path).map_or("", |(_, name, _)| name);
        let status = problem.map_or(StatusCode::OK, |problem| problem.status);
        let body = html! {
            h1 { (name) }
            p.lead { (self.lead) }
            noscript { p.problem { "This page needs JavaScript. What it shows can also be asked of the command, bestplay." } }
            div #problem .problem role="alert" hidden[problem.is_none()] {
                @if let Some(problem) = problem { (told(problem)) }
            }
            (self.content)
            (data("state", state.as_ref().unwrap_or(template)))
            (data("template", template))
        };
        (status, layout(name, Some(self.path), Some(self.module), &body)).into_response()
    }
}

/// A problem in words.
fn told(problem: &Problem) -> Markup {
    html! { strong { (problem.message) } " " span { (problem.help) } }
}

/// JSON for the page's module. Browsers do not run it; `<` is written so that it cannot end the element.
fn data(id: &str, value: &Value) -> Markup {
    let json = value.to_string().replace('<', "\\u003c");
    html! { script #(id) type="application/json" { (PreEscaped(json)) } }
}

/// A whole page around its body.
pub fn layout(title: &str, path: Option<&str>, module: Option<&str>, body: &Markup) -> Html<String> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { @if title.is_empty() { "bestplay" } @else { (title) " · bestplay" } }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/style.css";
                @if let Some(module) = module { script type="module" src={ "/assets/" (module) } {} }
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                header {
                    a.brand href="/" { "bestplay" }
                    nav aria-label="Games" {
                        @for (address, name, _) in PAGES {
                            a href=(address) aria-current=[(path == Some(address)).then_some("page")] { (name) }
                        }
                    }
                }
                main #main tabindex="-1" { (body) }
                // What changed, in a few words, for those who do not see it.
                div #said .unseen role="status" {}
                footer { "Exact best play for single-player games of chance. Everything here is computed on this machine." }
            }
        }
    };
    Html(page.into_string())
}

/// A page that only says what is wrong.
pub fn problem(problem: &Problem) -> Response {
    let body = html! {
        h1 { "That did not work" }
        div.problem role="alert" { (told(problem)) }
        p { a href="/" { "To the first page" } }
    };
    (problem.status, layout("Problem", None, None, &body)).into_response()
}

/// A field for a whole number.
pub fn number_field(name: &str, label: &str, least: u32, most: u32) -> Markup {
    html! {
        div.field {
            label for=(name) { (label) }
            input id=(name) name=(name) type="number" inputmode="numeric" min=(least) max=(most) required;
        }
    }
}

/// A field for yes or no.
pub fn switch_field(name: &str, label: &str) -> Markup {
    html! { label.switch { input id=(name) name=(name) type="checkbox"; " " (label) } }
}
