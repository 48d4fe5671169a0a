//! `heuristics`: compares simple strategies (rules of thumb) with best play.

mod args;
mod many_fights;
mod one_fight;
mod thresholds;

use budget::Budget;
use fighting_fantasy::Fighters;

use crate::output::Failure;

pub use args::{EXAMPLES, HeuristicsArgs};

/// Prints the comparison for one fight, for a map of fights, or for all of them.
pub fn run(args: &HeuristicsArgs) -> Result<(), Failure> {
    args.run.run(|run| heuristics(args, run.budget))
}

fn heuristics(args: &HeuristicsArgs, budget: &Budget<'_>) -> Result<(), Failure> {
    if args.all {
        return many_fights::all(args, budget);
    }
    let (Some(skill_difference), Some(luck)) = (args.skill_difference, args.luck) else {
        return thresholds::run(args, budget);
    };
    if let (Some(hero_stamina), Some(enemy_stamina)) = (args.stamina, args.enemy_stamina) {
        return one_fight::run(args, Fighters { skill_difference, luck, hero_stamina, enemy_stamina }, budget);
    }
    many_fights::one_map(args, skill_difference, luck, budget)
}
