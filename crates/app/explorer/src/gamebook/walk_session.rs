//! What a walk goes over: a book that is solved, or only made ready to be played; kept on the gamebooks's shelves.

use std::sync::Arc;

use gamebook::{Machine, Play, Solved};

use super::known_bounds;
use super::names::unsolved_of;
use super::registry::{Gamebooks, OfferedBook, Origin};
use crate::question::{Problem, Run};

/// What a walk goes over.
pub enum WalkSession {
    Ready(Arc<Machine>),
    Solved(Arc<Solved>),
}

impl WalkSession {
    /// A play over it, from where it begins.
    pub fn play(&self, seed: u64) -> Play<'_> {
        match self {
            Self::Ready(machine) => Play::of(machine, seed),
            Self::Solved(solved) => Play::with_hints(solved, seed),
        }
    }
}

/// How a walk comes by what it goes over.
#[derive(Clone, Copy)]
pub enum Finding<'a> {
    /// Only from the shelves.
    Kept(&'a Gamebooks),
    /// Solved or made ready now, where it does not lie there.
    Now(&'a Gamebooks, &'a Run<'a>),
}

impl Finding<'_> {
    /// What this key stands for, solved or not; `None` where it is not kept, and only that is looked for.
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

/// What the shelves call a question of a book.
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
