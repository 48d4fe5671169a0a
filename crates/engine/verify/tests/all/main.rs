//! Invalid certificates.

mod refusals;
