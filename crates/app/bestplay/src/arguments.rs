//! Arguments shared by many commands, and output about the command line itself.

pub mod engine_args;
pub mod manual;
pub mod moved;
pub mod table_args;
