//! Boards against a second implementation of the rules.

mod boards;
mod obstacles;
mod random_boards;
mod random_texts;
mod rules;
