//! Models with published sizes and answers.

mod asked;
mod expressions;
mod models;
mod refusals;
