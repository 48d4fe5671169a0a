//! The Explorer: local web pages for everything that bestplay can do. It knows neither the rules of a game nor how one is
//! solved; it calls the crates that do. Start reading at `http/server.rs`, which receives a request, and at `games`, the list
//! of all pages and endpoints.
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
//! A request passes through these modules, from top to bottom:
//!
//! * `http`: the socket, what guards it (`guard`), the table of routes that is read off `games`, the frame around every page;
//! * `games`: the list of all games, each a `Site` with its pages, endpoints and modules;
//! * `gamebook`, `heroes`, `model` and a module for each other game: its questions, and its pages;
//! * `first`: the first page, with what it solves in advance;
//! * `library`: the books, tables and models that the server offers, in a registry for each; a question gets one of them;
//! * `pages`: the parts of pages, such as a page's whole state as an `address`;
//! * `question`: the way of a question from its JSON to its answer (`ask`), and the queue of solves (`jobs`).
//!
//! A question goes one way: a browser sends JSON (`question/ask.rs`), the guard looks at its origin (`http/guard.rs`), the
//! question checks itself, a job runs it on a thread of its own (`question/jobs.rs`), and the answer goes back as JSON, after
//! lines of progress if the client accepts them. A handler takes the part of the shared state that it needs (`shared.rs`), and
//! knows neither the list of games nor the routes. The JSON of answers that the command has in common is in the game's crate.
//!
//! # A new page
//!
//! Questions that implement `Question`, a template that has every part of the page's state, a skeleton (`pages/page.rs`), an ES
//! module in `assets`, a `Site` that names them, and a line in `games.rs`.

mod fighting_fantasy;
mod files;
mod first;
mod gamebook;
mod games;
mod heroes;
mod http;
mod library;
mod lone_wolf;
mod model;
mod options;
mod pages;
mod question;
mod red_november;
mod shared;
mod site;
mod slay_the_spire;

pub use files::{File, NoPage};
pub use gamebook::OfferedBook;
pub use heroes::HeroTable;
pub use http::Server;
pub use import::{Paragraph, Prose};
pub use model::OfferedModel;
pub use options::Options;
pub use question::Ceilings;
