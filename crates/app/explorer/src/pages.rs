//! What pages are made of: a page with its content, its state as an address, and the files that it loads.

pub mod address;
pub mod assets;
mod page;

pub use address::Addressed;
pub use assets::Asset;
pub(crate) use assets::assets;
pub use page::{Page, data, number_field, switch_field};
