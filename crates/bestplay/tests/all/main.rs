//! The command, run as its users run it.

mod fighting_fantasy;
mod gamebook_check;
mod gamebook_import;
mod gamebook_map;
mod gamebook_play;
mod gamebook_solve;
mod licences;
mod lone_wolf;
mod mdp;
mod red_november;
mod serve;
mod slay_the_spire;
