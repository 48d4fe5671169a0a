//! The style sheet, the modules and the icon, embedded in the binary.

use crate::question::Problem;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

/// A file of `assets`, embedded: its name and its contents.
pub type Asset = (&'static str, &'static str);

/// Files of `assets`, by their names.
macro_rules! assets {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/", $name)))),*]
    };
}
pub(crate) use assets;

/// Those of all pages.
pub const SHARED: &[Asset] =
    assets!["style.css", "icon.svg", "address.js", "again.js", "api.js", "dom.js", "download.js", "wrong.js"];

/// One of these files, by its name. Names are compared with a list; nothing of the request becomes a path.
pub fn asset<'a>(mut known: impl Iterator<Item = &'a Asset>, name: &str) -> Response {
    let found = known.find(|(known, _)| *known == name);
    let Some((_, contents)) = found else {
        return Problem::new(StatusCode::NOT_FOUND, "there is no such file", "start at the first page").into_response();
    };
    let kind = match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/javascript; charset=utf-8",
    };
    ([(header::CONTENT_TYPE, kind)], *contents).into_response()
}
