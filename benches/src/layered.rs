//! Layered models: random, of any size, the same from the same seed.

use mdp::{Built, ModelBuilder, Rational};

const LAYERS: u32 = 50;

/// Small, fast and good enough here: `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u32
    }
}

/// `states` states in 50 layers: three choices a state, four outcomes each into the next layer (one
/// in sixteen skips a layer), probabilities in sixteenths; the last layer is won or lost.
pub fn layered(states: u32, seed: u64) -> Built {
    let width = states / LAYERS;
    let mut random = Random(seed);
    let mut builder = ModelBuilder::with_capacity(states as usize, states as usize * 15);
    let mut outcomes: Vec<(u32, u64)> = Vec::new();
    for layer in 0..LAYERS - 1 {
        for _ in 0..width {
            for _ in 0..3 {
                // Four weights that sum to 16: three cuts.
                let mut cuts = [random.below(17), random.below(17), random.below(17)];
                cuts.sort_unstable();
                let weights = [cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], 16 - cuts[2]];
                outcomes.clear();
                for weight in weights {
                    let skip = u32::from(random.below(16) == 0 && layer + 2 < LAYERS);
                    let target = (layer + 1 + skip) * width + random.below(width);
                    match outcomes.iter_mut().find(|(other, _)| *other == target) {
                        _ if weight == 0 => {}
                        Some((_, sum)) => *sum += u64::from(weight),
                        None => outcomes.push((target, u64::from(weight))),
                    }
                }
                let weights: Vec<u64> = outcomes.iter().map(|(_, weight)| *weight).collect();
                let targets: Vec<u32> = outcomes.iter().map(|(target, _)| *target).collect();
                let weights = builder.weights(&weights).expect("positive weights");
                builder.choice(weights, &targets).expect("as many targets as weights");
            }
            builder.finish_state().expect("three choices");
        }
    }
    for _ in 0..width {
        builder.finished(&[Rational::from(random.below(2))]).expect("a last state");
    }
    builder.build().expect("a model")
}
