//! How a book is read and played.

use gamebook::{Book, Situation, policy_named, read_readings};
use serde::{Deserialize, Serialize};

use super::names::unlisted;
use crate::question::Problem;

/// How a book is read and played. The defaults are those of the book.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Conduct {
    /// How disputed passages are read, such as `lightning=costs`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    readings: Vec<String>,
    /// The book's policy that the player follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<String>,
}

impl Conduct {
    /// Puts it into a question.
    pub fn apply(&self, book: &Book, situation: &mut Situation) -> Result<(), Problem> {
        situation.readings = read_readings(book, &self.readings).map_err(unlisted)?;
        if let Some(name) = &self.policy {
            situation.policy = Some(policy_named(book, name).map_err(unlisted)?.clone());
        }
        Ok(())
    }
}
