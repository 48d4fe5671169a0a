//! What a solution is asked: advice, simulated plays, how likely play comes to each state.

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
pub use reachability::{Forward, Groups, forward, forward_exact};
pub use resolve_ties::settle_values;
pub use simulate::{Dice, SimulateOptions, Simulation, simulate};
pub use standing::Standing;
