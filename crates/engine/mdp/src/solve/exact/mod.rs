//! Exact values: integers over known denominators.
//!
//! A state's value is a sum of products of weights, divided by the totals on the path. So its denominator is known
//! before the value is: the least common multiple, over the choices that could be best, of the choice's total times the
//! denominators of its targets. Values are stored as numerators in fixed runs of 64-bit limbs; states with the same
//! denominator (there are few denominators and many states) form one *class*. No greatest common divisor is taken in
//! the sweep.
//!
//! The floating-point bounds come first: only choices whose bounds overlap are computed exactly, and compared as
//! integers, so every tie is proved.
//!
//! A component is solved by policy iteration, each policy's equations exactly ([`crate::linear`]); its states then
//! share a class of their own.

mod chosen;
mod classes;
mod limbs;
mod options;
mod scc;
mod shelf;
mod sweep;
mod workspace;

pub(crate) use scc::exact_bounds;
pub(crate) use shelf::Shelf;
pub(crate) use sweep::Sweep;
