//! The table of routes, read off the list of games.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, RawQuery, State};
use axum::http::{StatusCode, Uri};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::compress::shorten;
use super::frame::Frame;
use super::guard::{Names, guard};
use crate::first::{self, FirstAnswers, given};
use crate::games::SITES;
use crate::library::Library;
use crate::options::Options;
use crate::pages::assets;
use crate::question::{Jobs, Problem};
use crate::shared::Shared;

/// The pages, the endpoints and what guards them; and what is kept of their answers.
pub fn router(options: Options) -> (Router, Arc<Library>) {
    let Options { books, tables, models, files, names, ceilings, ready_first_page, .. } = options;
    let library = Library::new(books, tables, models, &ceilings);
    let shared = Shared { jobs: Arc::new(Jobs::new(ceilings)), library: Arc::new(library) };
    let kept = Arc::clone(&shared.library);
    let files = given(&kept, &files);
    let answers = Arc::new(FirstAnswers::new(Arc::clone(&shared.jobs), Arc::clone(&kept.gamebooks)));
    if ready_first_page {
        answers.begin();
    }
    let first_page = move |State(library): State<Arc<Library>>| async move {
        let found = answers.soon().await;
        let frame = Frame::new(SITES, &library);
        frame.first(&first::page(&found, &library, &files, frame.listed()))
    };
    let mut router = Router::new().route("/", get(first_page)).route("/assets/{name}", get(asset));
    for site in SITES {
        for (address, page) in site.pages {
            let answer = move |State(library): State<Arc<Library>>, RawQuery(query): RawQuery| async move {
                let page = page(&library, query.as_deref().unwrap_or(""));
                Frame::new(SITES, &library).game(site, &page)
            };
            router = router.route(address, get(answer));
        }
        for (address, endpoint) in site.endpoints {
            router = router.route(&format!("/api/1/{address}"), endpoint());
        }
    }
    let router = router
        .fallback(nowhere)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(ceilings.body))
        .layer(from_fn(shorten))
        .layer(from_fn_with_state(Names::from(names), guard))
        .with_state(shared);
    (router, kept)
}

/// A file that pages load.
async fn asset(Path(name): Path<String>) -> Response {
    let all = assets::SHARED.iter().chain(first::MODULES).chain(SITES.iter().flat_map(|site| site.modules));
    assets::asset(all, &name)
}

/// The answer to an address that is none of ours.
async fn nowhere(State(library): State<Arc<Library>>, uri: Uri) -> Response {
    let problem = Problem::new(
        StatusCode::NOT_FOUND,
        "there is nothing at this address",
        "the pages are linked on the first one; docs/explorer-endpoints.md lists the endpoints",
    );
    if uri.path().starts_with("/api/") {
        problem.into_response()
    } else {
        Frame::new(SITES, &library).problem(&problem)
    }
}

/// The answer to a method that an address does not take.
async fn wrong_method() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "this address does not take this method",
        "pages are read with GET, endpoints are asked with POST",
    )
}
