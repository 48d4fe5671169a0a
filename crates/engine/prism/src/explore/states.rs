//! The values of a model's variables in its states.

use std::fmt::Write as _;

use super::space::BitField;

/// The values of all variables in all states of a model, packed in the order of discovery.
#[derive(Clone, Debug)]
pub struct States {
    /// The variables' names, and whether each is a truth value and not a number.
    pub(crate) names: Vec<(String, bool)>,
    pub(crate) fields: Vec<BitField>,
    /// The number of words of a state.
    pub(crate) width: usize,
    pub(crate) words: Vec<u64>,
}

impl States {
    /// The variables and their values in a state: `x=1, ready=true`.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn describe(&self, state: u32) -> String {
        let begin = state as usize * self.width;
        let words = &self.words[begin..begin + self.width];
        let mut text = String::new();
        for ((name, truth), field) in self.names.iter().zip(&self.fields) {
            let before = if text.is_empty() { "" } else { ", " };
            let value = field.value(words);
            // Writing to a string does not fail.
            let _ = if *truth {
                write!(text, "{before}{name}={}", value != 0)
            } else {
                write!(text, "{before}{name}={value}")
            };
        }
        text
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        (self.words.capacity() * 8) as u64
    }
}
