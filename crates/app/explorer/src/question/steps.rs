//! The steps of a walk, as its answers told them: who asks tells them all, and how much of the log he has.

use std::fmt::Display;
use std::str::FromStr;

use super::problem::Problem;

/// The steps of the longest walk.
pub const MOST: usize = 2_000;
/// So many steps are told without a turn in the queue.
const FEW: usize = 8;

/// Reads the steps, to which another is added where somebody `acts`; `help` says how they are written.
pub fn read<S: FromStr<Err: Display>>(
    steps: &[String],
    since: usize,
    acts: bool,
    help: &str,
) -> Result<Vec<S>, Problem> {
    let all = steps.len() + usize::from(acts);
    if all > MOST {
        let help = format_args!("a walk has {MOST} at most: take some back, or begin another where you stand");
        return Err(Problem::impossible(format_args!("a walk of {all} steps"), help));
    }
    if since > steps.len() + 1 {
        return Err(Problem::impossible(format_args!("since is {since}"), "it is at most one more than the steps"));
    }
    let read = |(place, word): (usize, &String)| {
        word.parse().map_err(|error| Problem::impossible(format_args!("step {}: {error}", place + 1), help))
    };
    steps.iter().enumerate().map(read).collect()
}

/// Whether what is not known yet is so little that it is told at once.
pub const fn are_few(steps: &[String], since: usize) -> bool {
    steps.len().saturating_sub(since) <= FEW
}
