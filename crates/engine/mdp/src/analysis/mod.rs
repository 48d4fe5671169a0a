//! Questions about a solution: advice, simulated plays, the probability of visiting each state.
//!
//! Solutions and policies hold their model, which they share with the state space, so every answer is about the model
//! that was solved.
//!
//! [`visit_probabilities`] pushes probability through the model along a policy, in floating point or exactly (in integers over the start's
//! denominator, where every division is even). Each strongly connected component of the policy's moves is eliminated once,
//! without a subtraction (`scc_visits.rs`): the expected visits and, from the same factors, the returns to each state give the
//! probabilities of ever visiting a state. The exact version lifts the visits and finds the returns modulo as many primes as a
//! bound asks for. A `Probability` is never above 1. [`advise`] lists the choices of one state; near-ties of a floating-point
//! solution are resolved by an exact solution of what can be reached from there (`resolve_ties.rs`).

mod advise;
mod flow;
mod induced_chain;
mod mass;
mod pending;
mod reachability;
mod resolve_ties;
mod scc_visits;
mod simulate;
mod standing;

pub use advise::{Advice, advise};
pub use reachability::{Groups, VisitProbabilities, exact_visit_probabilities, visit_probabilities};
pub use resolve_ties::exact_values_of;
pub use simulate::{Dice, SimulateOptions, Simulation, simulate};
pub use standing::Standing;
