//! `cargo bench -p benches --bench maps`

use budget::Budget;
use fighting_fantasy::{Amplify, HeuristicMap, LuckMap};

fn main() {
    divan::main();
}

/// The whole of supplementary figure 6: 21 skill differences, 13 lucks, 24 by 24 staminas.
#[divan::bench(sample_count = 20)]
fn every_map() -> Vec<LuckMap> {
    LuckMap::several(-10..=10, 12, 24, Amplify::Four, &Budget::unlimited()).unwrap_or_default()
}

/// Eight strategies with twelve thresholds each, over the same grid.
#[divan::bench(sample_count = 3)]
fn every_strategy() -> Vec<HeuristicMap> {
    HeuristicMap::several(-10..=10, 12, 24, Amplify::Four, &Budget::unlimited()).unwrap_or_default()
}
