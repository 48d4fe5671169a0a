//! The way of a question: from its JSON through a queue of jobs to its answer, which a shelf may keep.

mod ask;
mod distinct_names;
mod jobs;
mod object;
mod problem;
mod shelf;
pub mod steps;

pub use ask::{Question, ask};
pub use distinct_names::make_distinct;
pub use jobs::{Ceilings, Jobs, Run, Size};
pub use object::{object, object_or_null};
pub use problem::{Known, Problem};
pub use shelf::Shelf;
