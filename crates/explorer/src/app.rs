//! The table of routes.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, FromRef};
use axum::http::{StatusCode, Uri};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::ask::ask;
use crate::compress::shorten;
use crate::files::File;
use crate::guard::{Names, guard};
use crate::jobs::Jobs;
use crate::library::Library;
use crate::options::Options;
use crate::problem::Problem;
use crate::{
    assets, fighting_fantasy, first_page, gamebook, gamebook_page, page, red_november, slay_the_spire, walk_page,
};

/// What requests share: each handler takes the part that it needs.
#[derive(Clone)]
struct App {
    jobs: Arc<Jobs>,
    library: Arc<Library>,
    files: Arc<[File]>,
}

impl FromRef<App> for Arc<Jobs> {
    fn from_ref(app: &App) -> Self {
        Self::clone(&app.jobs)
    }
}

impl FromRef<App> for Arc<Library> {
    fn from_ref(app: &App) -> Self {
        Self::clone(&app.library)
    }
}

impl FromRef<App> for Arc<[File]> {
    fn from_ref(app: &App) -> Self {
        Self::clone(&app.files)
    }
}

/// The pages, the endpoints and what guards them.
pub fn router(options: Options) -> Router {
    let Options { books, files, names, ceilings, .. } = options;
    let app = App {
        jobs: Arc::new(Jobs::new(ceilings)),
        library: Arc::new(Library::new(books, &ceilings)),
        files: files.into(),
    };
    Router::new()
        .route("/", get(first_page::page))
        .route("/fighting-fantasy", get(fighting_fantasy::page))
        .route("/slay-the-spire", get(slay_the_spire::page))
        .route("/red-november", get(red_november::page))
        .route("/gamebook", get(gamebook_page::page))
        .route("/gamebook/walk", get(walk_page::page))
        .route("/assets/{name}", get(assets::asset))
        .route("/api/1/fighting-fantasy/fight", post(ask::<fighting_fantasy::FightQuestion>))
        .route("/api/1/fighting-fantasy/map", post(ask::<fighting_fantasy::MapQuestion>))
        .route("/api/1/slay-the-spire/odds", post(ask::<slay_the_spire::OddsQuestion>))
        .route("/api/1/slay-the-spire/advise", post(ask::<slay_the_spire::AdviseQuestion>))
        .route("/api/1/slay-the-spire/draws", post(ask::<slay_the_spire::DrawsQuestion>))
        .route("/api/1/red-november/routes", post(ask::<red_november::RoutesQuestion>))
        .route("/api/1/gamebook/book", post(ask::<gamebook::BookQuestion>))
        .route("/api/1/gamebook/solve", post(ask::<gamebook::SolveQuestion>))
        .route("/api/1/gamebook/section", post(ask::<gamebook::SectionQuestion>))
        .route("/api/1/gamebook/advise", post(ask::<gamebook::AdviseQuestion>))
        .route("/api/1/gamebook/walk", post(ask::<gamebook::WalkQuestion>))
        .fallback(nowhere)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(ceilings.body))
        .layer(from_fn(shorten))
        .layer(from_fn_with_state(Names::from(names), guard))
        .with_state(app)
}

/// The answer to an address that is none of ours.
async fn nowhere(uri: Uri) -> Response {
    let problem = Problem::new(
        StatusCode::NOT_FOUND,
        "there is nothing at this address",
        "the pages are linked on the first one; docs/explorer.md lists the endpoints",
    );
    if uri.path().starts_with("/api/") { problem.into_response() } else { page::problem(&problem) }
}

/// The answer to a method that an address does not take.
async fn wrong_method() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "this address does not take this method",
        "pages are read with GET, endpoints are asked with POST",
    )
}
