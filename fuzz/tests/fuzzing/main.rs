//! The fuzzer itself: its command, the inputs that it begins with, and what it does to them.

mod command;
mod committed;
mod damage;
