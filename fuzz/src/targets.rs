//! The readers. One file for each kind of input.

mod board;
mod book;
mod certificate;
mod drn;
mod duel;
mod expression;
mod fight;
mod hero_table;
mod prism;
mod project_aon;
mod question;
mod run_file;
mod running_story;
mod story;
mod umb;

use crate::Target;

/// All targets.
pub const TARGETS: &[Target] = &[
    drn::TARGET,
    drn::ARCHIVES,
    umb::PARTS,
    umb::BYTES,
    expression::TARGET,
    certificate::TARGET,
    prism::TARGET,
    prism::QUESTIONS,
    book::TARGET,
    board::TARGET,
    fight::TARGET,
    run_file::TARGET,
    duel::TARGET,
    question::TARGET,
    project_aon::TEXT,
    project_aon::MECHANICS,
    story::TWEE,
    running_story::TARGET,
    hero_table::TARGET,
];
