//! Models of which others know the sizes and answers.

mod models;
mod refusals;
