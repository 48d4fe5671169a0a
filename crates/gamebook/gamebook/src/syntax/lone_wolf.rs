//! Parsing what only Lone Wolf books have: top-level nodes, items, fights and picks.

mod fight;
mod goods;
mod hero;
mod items;
mod kai;
mod nodes;
mod pick;
mod table;
mod unused;

pub(crate) use kai::kai_rules;
pub(crate) use nodes::source;
