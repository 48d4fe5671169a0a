//! Reference values: exact results of an independent program, compacted.

use mdp::Rational;
use serde_json::Value;

/// The cases of one file under `tests/data`; the file describes its columns.
pub fn cases(text: &str) -> Vec<Vec<Value>> {
    let file: Value = serde_json::from_str(text).expect("the reference file is JSON");
    file["cases"]
        .as_array()
        .expect("cases")
        .iter()
        .map(|case| case.as_array().expect("a case is a list").clone())
        .collect()
}

/// A whole number that is not negative.
pub fn number(value: &Value) -> u32 {
    u32::try_from(value.as_u64().expect("a number")).expect("a small number")
}

/// A whole number.
pub fn signed(value: &Value) -> i32 {
    i32::try_from(value.as_i64().expect("a number")).expect("a small number")
}

/// An exact fraction, `n/d`.
pub fn fraction(value: &Value) -> Rational {
    value.as_str().expect("a text").parse().expect("a fraction")
}
