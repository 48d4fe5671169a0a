//! Options of simulations, for fights that no search finishes, and their results as text.

use std::fmt::{Display, Write};

use clap::Args;
use mdp::Number;
use slay_the_spire::{Interval, Simulated, SimulatedGain, Simulating};

/// Options of simulations.
#[derive(Args, Clone, Copy)]
pub struct SimulatedArgs {
    /// Stop as soon as the interval is no wider than this, simulated where the search takes too long [default: as narrow as
    /// --max-time allows]
    #[arg(long, value_name = "WIDTH", value_parser = parse_width)]
    precision: Option<f64>,
    /// Simulate at most this many fights from below, and as many worlds from above: the same number gives the same interval
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    samples: Option<u64>,
}

fn parse_width(text: &str) -> Result<f64, String> {
    let width = text.parse::<f64>().ok().filter(|width| width.is_finite() && *width > 0.0);
    width.ok_or_else(|| "a number above 0 is expected, such as 0.5".into())
}

impl SimulatedArgs {
    /// The options for the library.
    pub(super) fn simulating(self) -> Simulating {
        Simulating { precision: self.precision, samples: self.samples, ..Simulating::default() }
    }
}

/// The error probability, in words.
pub(super) fn error_of(error: f64) -> String {
    format!("wrong in less than one run in {:.0}; nothing of it is proved", 1.0 / error)
}

/// The bounds of a number, formatted.
fn between(number: &Number) -> String {
    bounds_text(Interval { lower: number.lower, upper: number.upper })
}

/// The same of an interval.
pub(super) fn bounds_text(Interval { lower, upper }: Interval) -> String {
    format!("{lower:.2} to {upper:.2}")
}

/// The results of a simulation as text, apart from what is proved.
pub(super) fn text(simulated: &Simulated) -> String {
    let Simulated { value, played, plays, foreseen, worlds, error } = simulated;
    let (lower, upper, rarely) = (value.lower, value.upper, error_of(*error));
    let played = match plays {
        0 => "no fight was played".into(),
        _ => format!("{plays} fights were played, for {played:.3} on average"),
    };
    let foreseen = match worlds {
        0 => "no world foreseen".into(),
        _ => format!("{worlds} worlds foreseen, {foreseen:.3}"),
    };
    format!("{lower:.3} to {upper:.3}\n                 {rarely}\n                 {played}; {foreseen}")
}

/// The simulated results of several options side by side; `note` says what they are compared with, `what` what they are. Empty
/// if nothing was simulated.
pub(super) fn table<'a, W: Display + 'a>(
    gains: impl IntoIterator<Item = (&'a W, &'a SimulatedGain)>,
    note: &str,
    what: &str,
) -> String {
    let mut gains = gains.into_iter().peekable();
    let Some((_, first)) = gains.peek() else { return String::new() };
    let mut out = format!(
        "\nSimulated: {}. Those of one rank were played as well.\n{note}\n{:>4}  {:>16}  {:>17}  {:>16}  {what}\n",
        error_of(first.wrong_in_less_than),
        "Rank",
        "Gain as played",
        "Gain by best play",
        "Value"
    );
    for (name, own) in gains {
        let (played, gain, value) = (between(&own.played_gain), between(&own.gain), between(&own.value));
        let _ = writeln!(out, "{:>4}  {played:>16}  {gain:>17}  {value:>16}  {name}", own.rank);
    }
    out
}
