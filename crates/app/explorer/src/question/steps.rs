//! The steps of a walk. Each request repeats all steps of the last answer, and says how much of the log the client has.

use std::fmt::Display;
use std::str::FromStr;

use super::problem::Problem;

/// The steps of the longest walk.
pub const MOST: usize = 2_000;
/// A request with at most so many new steps is answered without queueing.
const FEW: usize = 8;

/// Reads the steps, to which another one is added if `acts`. `help` explains their format.
pub fn read<S: FromStr<Err: Display>>(
    steps: &[String],
    since: usize,
    acts: bool,
    help: &str,
) -> Result<Vec<S>, Problem> {
    let all = steps.len() + usize::from(acts);
    if all > MOST {
        let help = format_args!("a walk has {MOST} at most: undo some, or begin another walk here");
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

/// Whether the client lacks only a few entries of the log.
pub const fn are_few(steps: &[String], since: usize) -> bool {
    steps.len().saturating_sub(since) <= FEW
}
