//! `cargo bench -p benches --bench maps`

use budget::Budget;
use fighting_fantasy::{Amplify, Extent, HeuristicMap, LuckMap};

/// 21 skill differences, 13 lucks, 24 by 24 staminas.
fn extents() -> impl Iterator<Item = Extent> {
    (-10..=10).map(|skill_difference| Extent {
        skill_difference,
        max_luck: 12,
        max_stamina: 24,
        amplify: Amplify::Four,
    })
}

fn main() {
    divan::main();
}

/// The whole of supplementary figure 6.
#[divan::bench(sample_count = 20)]
fn every_map() -> Vec<LuckMap> {
    LuckMap::several(extents(), &Budget::unlimited()).unwrap_or_default()
}

/// Eight strategies with twelve thresholds each, over the same grid.
#[divan::bench(sample_count = 3)]
fn every_strategy() -> Vec<HeuristicMap> {
    HeuristicMap::several(extents(), &Budget::unlimited()).unwrap_or_default()
}
