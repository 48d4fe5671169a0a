//! Certificates that must be refused.

mod refusals;
