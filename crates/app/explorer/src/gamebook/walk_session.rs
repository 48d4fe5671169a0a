//! The book of a walk: solved, or only made ready to be played. The gamebooks keep both on shelves.

use std::sync::Arc;

use gamebook::{Machine, Play, Solved};

use super::known_bounds;
use super::names::unsolved_of;
use super::registry::{Gamebooks, OfferedBook, Origin};
use crate::question::{Problem, Run};

/// The book of a walk.
pub enum WalkSession {
    Ready(Arc<Machine>),
    Solved(Arc<Solved>),
}

impl WalkSession {
    /// A play of it, from the beginning of the walk.
    pub fn play(&self, seed: u64) -> Play<'_> {
        match self {
            Self::Ready(machine) => Play::of(machine, seed),
            Self::Solved(solved) => Play::with_hints(solved, seed),
        }
    }
}

/// Where the session of a walk comes from.
#[derive(Clone, Copy)]
pub enum Finding<'a> {
    /// Only from the shelves.
    Kept(&'a Gamebooks),
    /// From the shelves, or otherwise solved or made ready now.
    Now(&'a Gamebooks, &'a Run<'a>),
}

impl Finding<'_> {
    /// The session of this key, solved if `odds`; `None` if only the shelves are searched and do not have it.
    pub fn find(
        self,
        key: &str,
        offered: &OfferedBook,
        origin: &Origin<'_>,
        odds: bool,
    ) -> Result<Option<WalkSession>, Problem> {
        match (self, odds) {
            (Self::Kept(gamebooks), true) => Ok(gamebooks.solved.kept(key).map(WalkSession::Solved)),
            (Self::Kept(gamebooks), false) => Ok(gamebooks.ready.kept(key).map(WalkSession::Ready)),
            (Self::Now(gamebooks, run), true) => {
                let solved = gamebooks.solved.get(key, run, || {
                    if let Origin::Question(question) = origin {
                        known_bounds::refuse(offered, question, run)?;
                    }
                    let solved = offered.solved(origin, &run.options);
                    let solved = solved.map_err(|error| unsolved_of(offered, &error))?;
                    let bytes = solved.bytes();
                    Ok((solved, bytes))
                });
                Ok(Some(WalkSession::Solved(solved?)))
            }
            (Self::Now(gamebooks, run), false) => {
                let ready = gamebooks.ready.get(key, run, || {
                    let machine = offered.ready(origin, run.budget);
                    let machine = machine.map_err(|error| unsolved_of(offered, &error))?;
                    let bytes = machine.bytes();
                    Ok((machine, bytes))
                });
                Ok(Some(WalkSession::Ready(ready?)))
            }
        }
    }
}

/// The key of a question about a book on the shelves.
pub fn key(offered: &OfferedBook, question: &gamebook::Question) -> String {
    format!("{} {question:?}", offered.name)
}

/// A solved book from the shelf, or solved now.
pub fn solved(
    gamebooks: &Gamebooks,
    offered: &OfferedBook,
    question: &gamebook::Question,
    run: &Run<'_>,
) -> Result<Arc<Solved>, Problem> {
    let finding = Finding::Now(gamebooks, run);
    match finding.find(&key(offered, question), offered, &Origin::Question(question), true)? {
        Some(WalkSession::Solved(solved)) => Ok(solved),
        _ => Err(Problem::internal("a book that was to be solved is not")),
    }
}
