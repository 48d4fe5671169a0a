//! A problem with a request: a message and a help, shown as JSON or on a page.

use std::fmt::Display;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use budget::{Reason, Stopped};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// What is wrong with a request, what would be right, and the status code.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    pub status: StatusCode,
    pub message: String,
    pub help: String,
    /// Whether a limit was reached, so that with higher limits there would be an answer.
    pub is_a_limit: bool,
    /// The bounds that are known all the same.
    pub known: Option<Known>,
}

impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Problem", 5)?;
        fields.serialize_field("status", &self.status.as_u16())?;
        fields.serialize_field("message", &self.message)?;
        fields.serialize_field("help", &self.help)?;
        fields.serialize_field("limit", &self.is_a_limit)?;
        fields.serialize_field("known", &self.known)?;
        fields.end()
    }
}

/// The bounds of a probability.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Known {
    pub at_least: f64,
    pub at_most: f64,
}

/// The JSON of an error, the same for every endpoint.
#[derive(Serialize)]
struct ErrorJson<'a> {
    format: u32,
    error: &'a Problem,
}

/// The longest message, in characters; it may quote the input.
const LONGEST_MESSAGE: usize = 2000;

impl Problem {
    pub fn new(status: StatusCode, message: impl Display, help: impl Display) -> Self {
        let shown = |text: String| {
            let clean = |c: char| if c.is_control() && c != '\n' { '\u{fffd}' } else { c };
            text.chars().map(clean).take(LONGEST_MESSAGE).collect()
        };
        Self {
            status,
            message: shown(message.to_string()),
            help: shown(help.to_string()),
            is_a_limit: false,
            known: None,
        }
    }

    /// A request that cannot be read.
    pub fn unreadable(message: impl Display, help: impl Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message, help)
    }

    /// A request that can be read, and is wrong.
    pub fn impossible(message: impl Display, help: impl Display) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message, help)
    }

    /// A solve that was stopped.
    pub fn stopped(stopped: &Stopped) -> Self {
        let problem = match stopped.reason {
            Reason::Interrupted => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, stopped, "the solve was stopped; ask again")
            }
            Reason::States { .. } => {
                Self::impossible(stopped, "ask about less, or start the Explorer with a higher --max-states")
            }
            Reason::Memory { .. } => {
                Self::impossible(stopped, "ask about less, or start the Explorer with a higher --max-memory")
            }
            Reason::Time { .. } => Self::impossible(stopped, "ask about less"),
        };
        Self { is_a_limit: !matches!(stopped.reason, Reason::Interrupted), ..problem }
    }

    /// A fault of the server, whatever the request.
    pub fn internal(message: impl Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message, "please report this with the request")
    }

    /// The JSON of the error.
    pub fn to_json(&self) -> Vec<u8> {
        // Two strings and two numbers always become JSON.
        serde_json::to_vec(&ErrorJson { format: 1, error: self }).unwrap_or_default()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.status, self.to_json()).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
        }
        response
    }
}
