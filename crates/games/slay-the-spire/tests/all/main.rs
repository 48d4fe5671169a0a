//! The fight of the talk and the fights of Act 1, against references and brute force.

mod act1_bosses;
mod act1_exact;
mod act1_moves;
mod act1_naive;
mod act1_reference;
mod act1_replay;
mod act1_rules;
mod act1_scene;
mod act1_upgrades;
mod act1_walk;
mod brute_force;
mod reference;
