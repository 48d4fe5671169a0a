//! Answers that are sent shorter, or not again: gzip for who takes it, and a tag by which a browser asks whether what it
//! has is still right.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Bytes: what is shorter fits into a packet as it is.
const WORTH_IT: u64 = 1400;

/// Compresses an answer that is there as a whole; answers to GET get a tag, and are not sent to who has them.
/// Lines of progress go through as they come.
pub async fn shorten(request: Request, next: Next) -> Response {
    let is_get = request.method() == Method::GET;
    let takes_gzip = takes_gzip(request.headers());
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let (mut head, body) = next.run(request).await.into_parts();
    // A stream has no size that is known before.
    if body.size_hint().exact().is_none() {
        return Response::from_parts(head, body);
    }
    let Ok(bytes) = axum::body::to_bytes(body, usize::MAX).await else {
        return Response::from_parts(head, Body::empty());
    };
    head.headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if is_get && head.status == StatusCode::OK {
        let tag = tag(&bytes);
        let is_known =
            known.is_some_and(|known| known.to_str().is_ok_and(|known| known.split(',').any(|one| one.trim() == tag)));
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            head.headers.insert(header::ETAG, tag);
        }
        if is_known {
            head.status = StatusCode::NOT_MODIFIED;
            head.headers.remove(header::CONTENT_LENGTH);
            head.headers.remove(header::CONTENT_TYPE);
            return Response::from_parts(head, Body::empty());
        }
    }
    if !takes_gzip || (bytes.len() as u64) < WORTH_IT {
        return Response::from_parts(head, bytes.into());
    }
    match gzip(&bytes) {
        Ok(short) => {
            head.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            head.headers.remove(header::CONTENT_LENGTH);
            Response::from_parts(head, short.into())
        }
        Err(_) => Response::from_parts(head, bytes.into()),
    }
}

/// A weak one: the same words, compressed or not.
fn tag(bytes: &Bytes) -> String {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    format!("W/\"{:016x}\"", hasher.finish())
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Whether a request says that its answer may come in gzip.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let is_taken = |part: &str| {
        let (name, weight) = part.split_once(';').unwrap_or((part, ""));
        let refused = weight.trim().strip_prefix("q=").is_some_and(|weight| weight.parse() == Ok(0.0));
        matches!(name.trim(), "gzip" | "*") && !refused
    };
    let encodings = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    encodings.flat_map(|value| value.split(',')).any(is_taken)
}

#[cfg(test)]
mod tests;
