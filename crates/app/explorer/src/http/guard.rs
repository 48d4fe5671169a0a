//! Which requests are answered, and the headers that restrict what browsers do with the answers.
//!
//! A page of any site can make a browser send requests to this machine, and a name server can make its own
//! name point here. So a request must name a host that is an address of its own right (not some site's
//! name), a browser's request must come from the Explorer's own pages, and answers forbid whatever could
//! mix the two.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use crate::question::Problem;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;

/// Headers of every answer.
const HEADERS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ("cache-control", "no-cache"),
];

/// Names, beside IP addresses and `localhost`, under which browsers may call the server.
pub type Names = Arc<[String]>;

/// Refuses requests that do not come from here, turns a panic into the error of its request, and puts the
/// headers on every answer.
pub async fn guard(State(names): State<Names>, request: Request, next: Next) -> Response {
    let mut response = match refusal(request.method(), request.uri().path(), request.headers(), &names) {
        Some(problem) => problem.into_response(),
        None => {
            let answered = AssertUnwindSafe(next.run(request)).catch_unwind().await;
            answered.unwrap_or_else(|_| Problem::internal("the answer broke down").into_response())
        }
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn refusal(method: &Method, path: &str, headers: &HeaderMap, names: &[String]) -> Option<Problem> {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let Some(host) = text("host").filter(|_| headers.get_all(header::HOST).iter().count() == 1) else {
        return Some(Problem::unreadable("the request names no host", "send one Host header, as every browser does"));
    };
    if !is_own(host, names) {
        return Some(Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            "this server is not known under the name of the request",
            "open it under its IP address or as localhost, or start the Explorer with --name NAME",
        ));
    }
    let foreign_origin = text("origin").is_some_and(|origin| origin.strip_prefix("http://") != Some(host));
    // A link on another page may lead to a page of ours; everything else is for our own pages.
    let is_page = method == Method::GET && !path.starts_with("/api/");
    let foreign_site = !is_page && text("sec-fetch-site").is_some_and(|site| !matches!(site, "same-origin" | "none"));
    (foreign_origin || foreign_site).then(|| {
        Problem::new(
            StatusCode::FORBIDDEN,
            "the request comes from another site",
            "ask from the Explorer's own pages, or without a browser",
        )
    })
}

/// Whether the host, with or without a port, is an IP address, `localhost` or one of `names`.
fn is_own(host: &str, names: &[String]) -> bool {
    let without_port = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((address, port)) if is_port(port) => address,
            _ => return false,
        },
        None => match host.split_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
            Some(_) => return false,
            None => host,
        },
    };
    without_port.parse::<IpAddr>().is_ok()
        || without_port.eq_ignore_ascii_case("localhost")
        || names.iter().any(|name| name.eq_ignore_ascii_case(without_port))
}

fn is_port(text: &str) -> bool {
    text.is_empty() || text.strip_prefix(':').is_some_and(|port| port.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests;
