//! The command, run as its users run it.

mod common;
#[cfg(unix)]
mod documents;
#[cfg(unix)]
mod endings;
mod fighting_fantasy;
mod fighting_fantasy_heroes;
mod gamebook_authors;
mod gamebook_check;
mod gamebook_compile;
mod gamebook_drafts;
mod gamebook_heroes;
mod gamebook_import;
mod gamebook_ink;
mod gamebook_language_server;
mod gamebook_map;
mod gamebook_play;
mod gamebook_series;
mod gamebook_solve;
mod licences;
mod lone_wolf;
mod manual;
mod mdp;
mod mdp_prism;
mod mdp_questions;
mod outputs;
mod packages;
mod red_november;
mod serve;
mod slay_the_spire;
mod slay_the_spire_limits;
mod slay_the_spire_runs;
mod states;
