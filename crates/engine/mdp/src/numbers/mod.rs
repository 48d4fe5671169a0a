//! Numbers: fractions, values with their bounds, probabilities.

mod arithmetic;
mod modular;
mod number;
mod probability;
mod rational;
mod value;

pub(crate) use arithmetic::{Arithmetic, Floats};
pub(crate) use modular::{Modulo, primes};
pub use number::Number;
pub use probability::Probability;
pub(crate) use rational::enclose_parts;
pub use rational::{Rational, decimal_text, enclose, exactly, fraction_text, nearest, parse_fraction, ratio};
pub use value::Value;
