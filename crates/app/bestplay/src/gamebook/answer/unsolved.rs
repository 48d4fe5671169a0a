//! Failures for books that were not solved, with the bounds known so far.

use gamebook::{CompileError, SolveBookError};
use mdp::{Value, decimal_text, fraction_text};

use crate::output::Failure;

/// The failure of a book that was not solved.
pub fn unsolved(error: &SolveBookError) -> Failure {
    unsolved_draft(None, error)
}

/// The same, with a warning if the book is a draft.
pub fn unsolved_draft(draft: Option<String>, error: &SolveBookError) -> Failure {
    match error {
        SolveBookError::Stopped(stopped) => Failure::from(*stopped),
        SolveBookError::StoppedWithBounds { stopped, win } => {
            let draft = draft.map(|warning| format!(" ({warning})")).unwrap_or_default();
            Failure::from(*stopped).knowing(&format!("the probability to win is {}{draft}", bounds_text(win)))
        }
        SolveBookError::Engine(_) => Failure::failed(error, "please report this book"),
        SolveBookError::Shelf(_) => Failure::failed(
            error,
            "leave the folder of --state where it is, with room on its disk: the same command goes on there",
        ),
        SolveBookError::Hero(_) => Failure::bad_input(error, "see --help for what a hero can be"),
        SolveBookError::NoSection(_) => Failure::bad_input(error, "name a section of the book"),
        SolveBookError::NoBook { .. } => Failure::bad_input(error, "name a book of the series"),
        SolveBookError::Endurance { .. } => {
            Failure::bad_input(error, "use --max-endurance for a hero who began with more")
        }
        SolveBookError::Compile(CompileError::StateTooLarge(_)) => {
            Failure::bad_input(error, "declare fewer items, flags and counters")
        }
        SolveBookError::Compile(_) => Failure::bad_input(error, "let the section do less"),
    }
}

/// The bounds of a value, with the digits in which they agree and a few more.
pub fn bounds_text(value: &Value) -> String {
    match &value.exact {
        Some(exact) => fraction_text(exact),
        None => format!("between {} and {}", decimal_text(value.lower), decimal_text(value.upper)),
    }
}
