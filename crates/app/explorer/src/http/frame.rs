//! The frame of every page: the head, the navigation, the foot; and pages that belong to no game.

use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

use crate::library::Library;
use crate::pages::{Addressed, Page, data};
use crate::question::Problem;
use crate::site::Site;

/// The frame over what is offered: it has the navigation.
pub struct Frame<'a> {
    listed: Vec<&'a Site>,
}

impl<'a> Frame<'a> {
    /// With these games in the navigation, as far as there is something for them to show.
    pub fn new(sites: &'a [Site], library: &Library) -> Self {
        Self { listed: sites.iter().filter(|site| (site.is_listed)(library)).collect() }
    }

    /// A page of a game, with the status that its address deserves.
    pub fn game(&self, site: &Site, page: &Page) -> Response {
        let Addressed { template, state, problem } = &page.addressed;
        let problem = problem.as_ref();
        let status = problem.map_or(StatusCode::OK, |problem| problem.status);
        let body = html! {
            div.title { h1 { (site.name) } }
            p.lead { (page.lead) }
            details.help {
                summary { "How to use this page" }
                @for paragraph in page.help { p { (paragraph) } }
            }
            noscript { p.problem { "This page needs JavaScript. What it shows can also be asked of the command, bestplay." } }
            // It stays until something on the page is changed, whatever is answered meanwhile.
            @if let Some(problem) = problem { div #wrong-address .problem role="alert" { (problem_text(problem)) } }
            div #problem .problem role="alert" hidden {}
            (page.content)
            (data("state", state))
            (data("template", template))
        };
        (status, self.around(site.name, Some(site.address()), Some(page.module), &body)).into_response()
    }

    /// The first page.
    pub fn first(&self, body: &Markup) -> Response {
        self.around("", None, Some("first.js"), body).into_response()
    }

    /// The games in the navigation.
    pub fn listed(&self) -> &[&'a Site] {
        &self.listed
    }

    /// A page that only says what is wrong.
    pub fn problem(&self, problem: &Problem) -> Response {
        let body = html! {
            h1 { "That did not work" }
            div.problem role="alert" { (problem_text(problem)) }
            p { a href="/" { "To the first page" } }
        };
        (problem.status, self.around("Problem", None, None, &body)).into_response()
    }

    fn around(&self, title: &str, here: Option<&str>, module: Option<&str>, body: &Markup) -> Html<String> {
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
                            @for site in &self.listed {
                                a href=(site.address()) aria-current=[(here == Some(site.address())).then_some("page")] { (site.name) }
                            }
                        }
                    }
                    main #main tabindex="-1" { (body) }
                    // Screen readers read this out: what has changed, in a few words.
                    div #announcement .unseen role="status" {}
                    footer { "Exact best play for single-player games of chance. Everything here is computed on this machine." }
                }
            }
        };
        Html(page.into_string())
    }
}

/// A problem in words.
fn problem_text(problem: &Problem) -> Markup {
    html! { strong { (problem.message) } " " span { (problem.help) } }
}
