//! Tables of heroes: which are best, what each thing is worth, and the table itself, sorted, filtered, a page at a time.

mod hero_link;
mod page;
mod registry;
mod rows;
mod summary;
mod table;

pub use page::SITE;
pub use registry::HeroTables;
pub use table::HeroTable;
