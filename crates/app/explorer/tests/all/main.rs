//! The pages and their endpoints, asked over real connections.

mod api;
mod boats;
mod common;
mod connections;
mod drafts;
mod ends;
mod find;
mod first;
mod gamebook;
mod heroes;
mod load;
mod lone_wolf;
mod model;
mod pages;
mod sending;
mod series;
mod slay_the_spire;
mod walk;
