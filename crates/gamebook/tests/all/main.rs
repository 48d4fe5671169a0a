//! Books from their text to their odds.

mod closed_forms;
mod dice;
mod guide;
mod limits;
mod mistakes;
mod random_book;
mod random_books;
mod simulation;
mod true_claims;
mod values;
mod warnings;
