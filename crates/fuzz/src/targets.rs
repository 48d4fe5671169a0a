//! The readers. One file for each kind of input.

mod certificate;
mod drn;
mod expression;
mod umb;

use crate::Target;

/// All targets.
pub const TARGETS: &[Target] = &[drn::TARGET, umb::PARTS, umb::BYTES, expression::TARGET, certificate::TARGET];
