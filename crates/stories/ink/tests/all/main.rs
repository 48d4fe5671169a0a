//! Small stories whose values are known by hand, and those that were read wrongly before.

mod common;
mod constructs;
mod ends;
mod faults;
mod leaps;
mod public;
mod published;
mod simulated;
mod situations;
mod spellings;
