//! Models of other tools and games of one's own: solved, looked at state by state, walked through.

mod bounded;
mod engine;
mod file;
mod found;
mod game;
mod look;
mod named;
mod neighbourhood;
mod offered;
mod page;
mod question;
mod registry;
mod site;
mod solved;
mod source;
mod state_sets;
mod unsolved;
mod view;
mod walk;

pub use offered::OfferedModel;
pub use registry::Models;
pub use site::SITE;
