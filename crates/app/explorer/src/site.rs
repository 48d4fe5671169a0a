//! A game on the Explorer, registered: all that the table of routes, the navigation, the first page and the assets
//! know of it.

use std::sync::Arc;

use axum::extract::FromRef;
use axum::routing::{MethodRouter, post};

use crate::library::Library;
use crate::pages::{Asset, Page};
use crate::question::{Question, ask};
use crate::shared::Shared;

/// A game on the Explorer. Its module makes one, and `games.rs` lists them.
pub struct Site {
    /// How the navigation calls it.
    pub name: &'static str,
    /// What it is for, on the first page.
    pub about: &'static str,
    /// Whether the navigation and the first page have it: [`always`], or where the server was given what it shows.
    pub is_listed: fn(&Library) -> bool,
    /// Its pages, by their addresses without a query; the navigation leads to the first.
    pub pages: &'static [(&'static str, PageOf)],
    /// Its endpoints, by their addresses behind `/api/1/`.
    pub endpoints: &'static [(&'static str, Endpoint)],
    /// Its ES modules, beside those that all pages share.
    pub modules: &'static [Asset],
}

/// Makes a page from the query of its address.
pub type PageOf = fn(&Library, &str) -> Page;

/// Makes an endpoint: [`asked`] of its question.
pub type Endpoint = fn() -> MethodRouter<Shared>;

/// The endpoint of a question.
pub fn asked<Q: Question>() -> MethodRouter<Shared>
where
    Arc<Q::Context>: FromRef<Shared>,
{
    post(ask::<Q>)
}

/// Listed whatever the server was started with.
pub const fn always(_: &Library) -> bool {
    true
}

impl Site {
    /// Where the navigation leads.
    pub fn address(&self) -> &'static str {
        self.pages.first().map_or("/", |(address, _)| address)
    }
}
