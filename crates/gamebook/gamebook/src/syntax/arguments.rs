//! Errors in arguments, with suggestions.

use std::fmt;

use super::problem::did_you_mean;

/// An argument with an unknown name or an impossible number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentError {
    /// The error.
    pub message: String,
    /// A suggestion.
    pub help: String,
}

impl ArgumentError {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }

    /// An unknown name; suggests the nearest known name, or lists all.
    pub(crate) fn unknown<'a>(
        message: impl Into<String>,
        name: &str,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> Self {
        let help = did_you_mean(name, known.clone()).unwrap_or_else(|| {
            let known: Vec<&str> = known.collect();
            format!("there are {}", if known.is_empty() { "none".into() } else { known.join(", ") })
        });
        Self::new(message, help)
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ArgumentError {}
