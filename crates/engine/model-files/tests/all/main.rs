//! The formats, their damage, and what models are made of.

mod archive;
mod blocks;
mod damage;
mod drn;
mod umb;
