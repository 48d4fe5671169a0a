//! The pages and their endpoints, asked over real connections.

mod api;
mod browser;
mod common;
mod connections;
mod gamebook;
mod journeys;
mod load;
mod pages;
