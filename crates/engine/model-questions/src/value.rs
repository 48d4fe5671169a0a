//! A value in an answer: a number, or infinite.

use mdp::{Number, Value, decimal_text};
use serde::Serialize;

/// A value in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueJson {
    #[serde(flatten)]
    number: Number,
    infinite: bool,
}

impl ValueJson {
    /// `None`: infinite.
    ///
    /// ```
    /// use mdp::{Value, ratio};
    /// use model_questions::ValueJson;
    ///
    /// assert_eq!(ValueJson::new(Some(&Value::exactly(ratio(1, 2)))).text(), "0.5 = 1/2");
    /// assert_eq!(ValueJson::new(None).text(), "infinite");
    /// ```
    pub fn new(value: Option<&Value>) -> Self {
        Self { number: value.map_or(Number::INFINITE, Number::from), infinite: value.is_none() }
    }

    /// The value as text: with its exact fraction, or with its bounds.
    pub fn text(&self) -> String {
        let Number { decimal, lower, upper, exact } = &self.number;
        let decimal = decimal_text(*decimal);
        match exact {
            _ if self.infinite => "infinite".into(),
            Some(exact) => format!("{decimal} = {exact}"),
            None => format!("{decimal} (between {} and {})", decimal_text(*lower), decimal_text(*upper)),
        }
    }
}
