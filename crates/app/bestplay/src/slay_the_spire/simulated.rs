//! What is simulated where no search comes through: how far, and how it is told.

use clap::Args;
use mdp::Number;
use slay_the_spire::{Simulated, Simulating};

/// How a fight is simulated.
#[derive(Args, Clone, Copy)]
pub struct SimulatedArgs {
    /// Stop as soon as the interval is no wider than this, simulated where the search takes too long [default: as narrow as
    /// --max-time allows]
    #[arg(long, value_name = "WIDTH", value_parser = parse_width)]
    precision: Option<f64>,
    /// Simulate at most so many fights from below, and as many worlds from above: the same number gives the same interval
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    samples: Option<u64>,
}

fn parse_width(text: &str) -> Result<f64, String> {
    let width = text.parse::<f64>().ok().filter(|width| width.is_finite() && *width > 0.0);
    width.ok_or_else(|| "a number above 0 is expected, such as 0.5".into())
}

impl SimulatedArgs {
    /// The same for the library.
    pub(super) fn simulating(self) -> Simulating {
        Simulating { precision: self.precision, samples: self.samples, ..Simulating::default() }
    }
}

/// How rarely it is wrong.
pub(super) fn error_of(error: f64) -> String {
    format!("wrong in less than one run in {:.0}; nothing of it is proved", 1.0 / error)
}

/// The bounds of a number, for people.
pub(super) fn between(number: &Number) -> String {
    format!("{:.2} to {:.2}", number.lower, number.upper)
}

/// What was simulated, for people: apart from what is proved.
pub(super) fn told(simulated: &Simulated) -> String {
    let Simulated { value, played, plays, foreseen, worlds, error } = simulated;
    let (lower, upper, rarely) = (value.lower, value.upper, error_of(*error));
    format!(
        "{lower:.3} to {upper:.3}\n                 {rarely}\n                 {plays} fights were played, for {played:.3} on \
         average; {worlds} worlds foreseen, {foreseen:.3}"
    )
}
