//! Algorithms on directed graphs whose nodes are numbers and whose edges are computed on demand: strongly connected
//! components in topological order, and end components of graphs with choices. This crate knows neither the meaning of
//! nodes nor probabilities. Start reading at [`components()`], which is enough for most purposes, then at [`Search`],
//! on which everything here is based.
//!
//! ```
//! use budget::Budget;
//! use graph::components;
//!
//! // 0 -> 1 <-> 2 -> 3
//! let leads: [&[u32]; 4] = [&[1], &[2], &[1, 3], &[]];
//! let found = components(0..4, 0..4, |node| leads[node as usize].iter().copied(), &Budget::unlimited())?;
//! assert_eq!(found, [vec![0], vec![1, 2], vec![3]]);
//! # Ok::<(), budget::Stopped>(())
//! ```

mod choices;
mod components;
mod tarjan;

pub use choices::{Choices, EndComponents};
pub use components::components;
pub use tarjan::{Component, Edges, Graph, Search, UNKNOWN};
