//! The way of a question: JSON in, checked, solved, JSON out; with lines of progress for those who want them.

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

use super::jobs::{Job, Jobs, Run, Size, Told};
use super::problem::Problem;

/// A question of an endpoint, as its JSON has it.
pub trait Question: DeserializeOwned + Send + Sync + 'static {
    /// What it is about, as far as the server has it; nothing where all is in the question.
    type Context: Send + Sync + 'static;

    /// Its answer; carries its own `format` field.
    type Answer: Serialize;

    /// Refuses what can be seen to be wrong without solving anything.
    fn check(&self, context: &Self::Context) -> Result<(), Problem>;

    /// Whether it is answered in a moment, whatever it says: then it has a place of its own beside those that take long.
    fn is_small(&self) -> bool {
        false
    }

    /// Whether it can be answered in a moment, though nobody knows before: then that is tried beside the small ones, and it
    /// goes to the large ones where it was not so.
    fn may_be_small(&self, _: &Self::Context) -> bool {
        false
    }

    /// The answer, where there is nothing to solve: such questions do not wait behind those that have.
    fn at_once(&self, _: &Self::Context) -> Option<Self::Answer> {
        None
    }

    /// Answers, on a thread for solving.
    fn answer(&self, run: &Run<'_>, context: &Self::Context) -> Result<Self::Answer, Problem>;
}

/// The type of an answer that tells its progress: one JSON object on each line.
const LINES: &str = "application/x-ndjson";

/// How often progress is told.
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
    // Pages of other sites cannot send this type without asking first, and they are told no.
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
    // An array with the right things in the right order would pass for an object.
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
    progress: Option<Told>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a Problem>,
}

/// Progress at intervals and as soon as the probability to win is known, then the answer or the error. When the browser
/// goes away this is dropped, and with it the job.
fn lines(job: Job<Vec<u8>>) -> impl futures_util::Stream<Item = Result<Bytes, Infallible>> {
    stream::unfold(Some(job), |job| async {
        let mut job = job?;
        match job.result_or_win(EVERY).await {
            None => Some((Ok(line(&Line { progress: Some(job.told()), ..EMPTY })), Some(job))),
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
