//! The fight of the talk and the fights of Act 1, against references and brute force.

mod bosses;
mod brute_force;
mod communication;
mod exact;
mod limits;
mod moves;
mod naive;
mod newcomers;
mod order;
mod reference;
mod replay;
mod rules;
mod run_files;
mod scene;
mod simulated;
mod talk;
mod turns;
mod upgrades;
mod walk;
