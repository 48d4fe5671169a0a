//! Arguments that many commands share, and what the command line says of itself.

pub mod engine_args;
pub mod manual;
pub mod moved;
pub mod table_args;
