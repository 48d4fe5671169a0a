//! The pages and their endpoints, asked over real connections.

mod api;
mod boats;
mod common;
mod connections;
mod find;
mod gamebook;
mod heroes;
mod load;
mod model;
mod pages;
mod sending;
mod walk;
