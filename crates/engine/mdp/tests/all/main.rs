//! The engine, against classics, enumeration and plain recursion.

mod advise;
mod attained;
mod blocks;
mod bounds;
mod classics;
mod common;
mod evaluate;
mod examples;
mod extremes;
mod gambling;
mod limits;
mod partial;
mod random_games;
mod rewards;
mod rows;
mod shared_weights;
mod simulate;
mod solved;
mod threads;
mod variants;
mod visits;
