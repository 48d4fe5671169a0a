//! The Explorer: a local web page over everything that bestplay can do.
//!
//! The server renders the pages and answers their JSON endpoints; small ES modules, embedded in the
//! binary like the style sheet, do what needs interaction. Nothing is fetched from elsewhere.
//!
//! ```no_run
//! # async fn example() -> std::io::Result<()> {
//! let server = explorer::Server::bind(explorer::Options::default()).await?;
//! println!("{}", server.address());
//! server.run().await
//! # }
//! ```
//!
//! Where to look: `games` is the list of all games, `app` the table of routes that is read off it, `guard` what protects
//! them, `jobs` how many solves run and when they stop, `ask` the way of a question from its JSON to its answer,
//! `address` a page's whole state as an address, `frame` what stands around every page; each game has a module with its
//! questions, its page and the `Site` that registers them.

mod address;
mod app;
mod ask;
mod assets;
mod compress;
mod distinct_names;
mod fighting_fantasy;
mod files;
mod frame;
mod gamebook;
mod games;
mod guard;
mod heroes;
mod jobs;
mod library;
mod lone_wolf;
mod model;
mod object;
mod options;
mod page;
mod problem;
mod red_november;
mod server;
mod shared;
mod shelf;
mod site;
mod slay_the_spire;
mod steps;

pub use files::{File, NoPage};
pub use gamebook::OfferedBook;
pub use heroes::HeroTable;
pub use import::{Paragraph, Prose};
pub use jobs::Ceilings;
pub use model::OfferedModel;
pub use options::Options;
pub use server::Server;
