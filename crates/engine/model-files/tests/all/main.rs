//! The formats, damaged files, and the models that are built.

mod archive;
mod blocks;
mod damage;
mod drn;
mod umb;
