//! What is wrong with an argument, and what would be right.

use std::fmt;

use super::problem::did_you_mean;

/// An argument that names what there is not, or a number that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentError {
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
}

impl ArgumentError {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }

    /// There is no such name; the help is the nearest of those that there are, or all of them.
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
