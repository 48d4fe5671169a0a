//! The engine for Python, on which the package `bestplay` is built. It does not know the rules of any game or how models
//! are solved. Start reading at `game.rs`, for a game written in Python, and at `model.rs`, for models from files and arrays;
//! the package itself is the folder `bestplay` beside the sources.
//!
//! A workspace of its own, with a lock file of its own: the macros that let Python call Rust need `unsafe`, which the engine's
//! workspace forbids. This module, `bestplay._engine`, takes and gives numbers, arrays and tuples; the package has the types
//! and docstrings for its users. A game written in Python is explored on the calling thread: its states are keys of a
//! dictionary, its choices go into a `ModelBuilder`, and the result is a model like any other. `cluster.py` gives heroes to
//! Dask's workers and alone writes the results to the file of `gamebook heroes --state`.

mod answer;
mod book;
mod game;
mod graph;
mod hero_table;
mod model;
mod numbers;
mod proof;
mod session;
mod solution;
mod turn;
mod wrong;

/// The engine of the package `bestplay`, which its users never call directly.
#[pyo3::pymodule]
mod _engine {
    #[pymodule_export]
    use crate::answer::Answer;
    #[pymodule_export]
    use crate::book::{Book, SolvedBook, built_in_books};
    #[pymodule_export]
    use crate::game::explore;
    #[pymodule_export]
    use crate::graph::Graph;
    #[pymodule_export]
    use crate::hero_table::HeroTable;
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::proof::check_proof;
    #[pymodule_export]
    use crate::solution::{Solution, Space};
    #[pymodule_export]
    use crate::turn::Turn;
}
