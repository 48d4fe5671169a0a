//! Stories in ink.
mod chance;
mod counts;
mod explored;
mod game;
mod goal;
mod live;
mod program;
mod quiet;
mod report;
mod runner;
mod situation;
mod source;
mod story;

pub use game::{Ending, Fault, InkGame, Situation, State};
pub use goal::Goal;
pub use report::{FoundFault, Report, ReportOptions, Shares};
pub use runner::StepLimits;
pub use source::SourceError;
pub use story::{Story, TOP};
