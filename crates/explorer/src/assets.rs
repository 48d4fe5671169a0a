//! The style sheet, the modules and the icon, embedded in the binary.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;

macro_rules! assets {
    ($($name:literal: $kind:ident),* $(,)?) => {
        &[$(($name, $kind, include_str!(concat!("../assets/", $name)))),*]
    };
}

const CSS: &str = "text/css; charset=utf-8";
const SVG: &str = "image/svg+xml";
const JS: &str = "text/javascript; charset=utf-8";

/// Name, type, contents.
const ASSETS: &[(&str, &str, &str)] = assets![
    "style.css": CSS,
    "icon.svg": SVG,
    "address.js": JS,
    "api.js": JS,
    "dom.js": JS,
    "fighting-fantasy.js": JS,
    "gamebook.js": JS,
    "gamebook-conduct.js": JS,
    "gamebook-fold.js": JS,
    "gamebook-hero.js": JS,
    "gamebook-map.js": JS,
    "red-november.js": JS,
    "walk.js": JS,
    "walk-line.js": JS,
    "walk-link.js": JS,
    "slay-the-spire.js": JS,
    "wrong.js": JS,
];

/// One of them, by its name. Names are compared with a list; nothing of the request becomes a path.
pub async fn asset(Path(name): Path<String>) -> Response {
    match ASSETS.iter().find(|(known, ..)| *known == name) {
        Some((_, kind, contents)) => ([(header::CONTENT_TYPE, *kind)], *contents).into_response(),
        None => Problem::new(StatusCode::NOT_FOUND, "there is no such file", "start at the first page").into_response(),
    }
}
