//! Books from their text to their odds.

mod advice;
mod closed_forms;
mod dice;
mod fire_on_the_water;
mod flight_from_the_dark;
mod guide;
mod limits;
mod made;
mod mistakes;
mod numbers;
mod policies;
mod random_book;
mod random_books;
mod random_system;
mod readers;
mod reference;
mod simulation;
mod slips;
mod strength;
mod sure;
mod system_warnings;
mod systems;
mod true_claims;
mod values;
mod variations;
mod warnings;
