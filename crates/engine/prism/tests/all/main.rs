//! Models of which others know the sizes and answers.

mod asked;
mod expressions;
mod models;
mod refusals;
