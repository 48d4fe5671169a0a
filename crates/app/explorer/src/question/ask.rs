//! The way of a question: JSON is read, checked and answered with JSON; with lines of progress if the client accepts them.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::jobs::{Job, JobProgress, Jobs, Run, Size};
use super::problem::Problem;

/// A question of an endpoint, as its JSON has it.
pub trait Question: DeserializeOwned + Send + Sync + 'static {
    /// The part of the server's state that it needs; `()` if it needs none.
    type Context: Send + Sync + 'static;

    /// Its answer, which has a field `format`.
    type Answer: Serialize;

    /// Refuses a question that is wrong, as far as that shows without solving anything.
    fn check(&self, context: &Self::Context) -> Result<(), Problem>;

    /// Whether the answer always takes a moment. Such questions have a thread beside those that take long.
    fn is_small(&self) -> bool {
        false
    }

    /// Whether the answer may take a moment. Such questions are tried beside the small ones, and queue with the large ones if
    /// that fails.
    fn may_be_small(&self, _: &Self::Context) -> bool {
        false
    }

    /// The answer, if there is nothing to solve. Such questions never queue.
    fn at_once(&self, _: &Self::Context) -> Option<Self::Answer> {
        None
    }

    /// Answers, on a thread for solving.
    fn answer(&self, run: &Run<'_>, context: &Self::Context) -> Result<Self::Answer, Problem>;
}

/// The content type of an answer with progress: one JSON object on each line.
const LINES: &str = "application/x-ndjson";

/// The interval between lines of progress.
const EVERY: Duration = Duration::from_millis(100);

/// The endpoint of a question.
pub async fn ask<Q: Question>(
    State(jobs): State<Arc<Jobs>>,
    State(context): State<Arc<Q::Context>>,
    request: Request,
) -> Response {
    let headers = request.headers().clone();
    let arrival = jobs.ceilings().arrival;
    let Ok(body) = tokio::time::timeout(arrival, Bytes::from_request(request, &())).await else {
        let message = format_args!("the body did not arrive within {} seconds", arrival.as_secs_f64());
        return Problem::new(StatusCode::REQUEST_TIMEOUT, message, "send it again").into_response();
    };
    let question = match read::<Q>(&headers, body, &context) {
        Ok(question) => question,
        Err(problem) => return problem.into_response(),
    };
    let wants_lines = accepts_lines(&headers);
    if let Some(answer) = question.at_once(&context) {
        let json = serde_json::to_vec(&answer).map_err(Problem::internal);
        return if wants_lines { of_type(LINES, last_line(json)) } else { respond(json) };
    }
    let size = if question.is_small() { Size::Small } else { Size::Large };
    let may_be_small = size == Size::Large && question.may_be_small(&context);
    let question = Arc::new(question);
    let start = |size| {
        let (question, context) = (Arc::clone(&question), Arc::clone(&context));
        let work = move |run: &Run<'_>| {
            let answer = question.answer(run, &context)?;
            serde_json::to_vec(&answer).map_err(Problem::internal)
        };
        jobs.start(size, work)
    };
    if may_be_small && let Ok(mut trial) = start(Size::Trial) {
        match trial.result().await {
            Err(problem) if problem.is_a_limit => {}
            answer => return if wants_lines { of_type(LINES, last_line(answer)) } else { respond(answer) },
        }
    }
    let mut job = match start(size) {
        Ok(job) => job,
        Err(problem) => return problem.into_response(),
    };
    if wants_lines { of_type(LINES, Body::from_stream(lines(job))) } else { respond(job.result().await) }
}

fn respond(json: Result<Vec<u8>, Problem>) -> Response {
    match json {
        Ok(json) => of_type("application/json", json),
        Err(problem) => problem.into_response(),
    }
}

fn of_type(content_type: &'static str, body: impl Into<Body>) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static(content_type))], body.into()).into_response()
}

fn read<Q: Question>(
    headers: &HeaderMap,
    body: Result<Bytes, BytesRejection>,
    context: &Q::Context,
) -> Result<Q, Problem> {
    // A page of another site cannot send this type without a preflight request, which is refused.
    let is_json = |value: &HeaderValue| {
        value.to_str().is_ok_and(|value| value.split(';').next().is_some_and(|kind| kind.trim() == "application/json"))
    };
    if !headers.get(header::CONTENT_TYPE).is_some_and(is_json) {
        return Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the body's type is not application/json",
            "send a JSON object with the header Content-Type: application/json",
        ));
    }
    let body = body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "the body is too long",
            "send less, or start the Explorer with a higher --max-body",
        ),
        _ => Problem::unreadable("the body did not arrive", "send it again"),
    })?;
    // Serde would read an array as an object with its fields in order.
    if body.trim_ascii_start().first() == Some(&b'[') {
        return Err(Problem::impossible(
            "the body is invalid: it is an array",
            "send a JSON object; docs/explorer-endpoints.md leads to an example for every endpoint",
        ));
    }
    let question: Q = serde_json::from_slice(&body).map_err(|error| {
        let problem = if error.is_data() { Problem::impossible } else { Problem::unreadable };
        problem(error.to_string(), "docs/explorer-endpoints.md leads to an example for every endpoint".to_string())
    })?;
    question.check(context)?;
    Ok(question)
}

fn accepts_lines(headers: &HeaderMap) -> bool {
    headers.get_all(header::ACCEPT).iter().any(|value| value.to_str().is_ok_and(|value| value.contains(LINES)))
}

/// A line: one of the three is there.
#[derive(Serialize)]
struct Line<'a> {
    format: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<JobProgress>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a Problem>,
}

/// Lines of progress at intervals and as soon as the probability to win is known, then the answer or the error. When the
/// client goes away the stream is dropped, and the job with it.
fn lines(job: Job<Vec<u8>>) -> impl futures_util::Stream<Item = Result<Bytes, Infallible>> {
    stream::unfold(Some(job), |job| async {
        let mut job = job?;
        match job.result_or_win(EVERY).await {
            None => Some((Ok(line(&Line { progress: Some(job.progress()), ..EMPTY })), Some(job))),
            Some(result) => Some((Ok(last_line(result)), None)),
        }
    })
}

/// The line with the answer or the error.
fn last_line(json: Result<Vec<u8>, Problem>) -> Bytes {
    match json {
        Err(problem) => line(&Line { error: Some(&problem), ..EMPTY }),
        Ok(json) => match serde_json::from_slice::<&RawValue>(&json) {
            Ok(answer) => line(&Line { answer: Some(answer), ..EMPTY }),
            Err(error) => line(&Line { error: Some(&Problem::internal(error)), ..EMPTY }),
        },
    }
}

const EMPTY: Line<'static> = Line { format: 1, progress: None, answer: None, error: None };

fn line(line: &Line<'_>) -> Bytes {
    let mut bytes = serde_json::to_vec(line).unwrap_or_default();
    bytes.push(b'\n');
    bytes.into()
}
