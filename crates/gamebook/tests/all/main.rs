//! Books from their text to their odds.

mod dice;
mod guide;
mod mistakes;
mod random_book;
mod random_books;
mod simulation;
mod true_claims;
mod values;
mod warnings;
