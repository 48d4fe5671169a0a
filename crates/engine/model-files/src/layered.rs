//! Test models of any size: layers of states, each leading to the next at random.

use budget::Budget;

use crate::builder::{BuildError, Builder};
use crate::explicit::{ExplicitModel, Kind};
use crate::state_set::StateSet;

/// How many layers there are.
pub const LAYERS: u32 = 50;

const ACTIONS: u32 = 3;

/// `SplitMix64` (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014): the same
/// numbers from the same seed on every machine.
#[derive(Clone, Debug)]
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; the slight unevenness does not matter here.
    fn below(&mut self, bound: u32) -> u32 {
        let product = u128::from(self.next()) * u128::from(bound);
        u32::try_from(product >> 64).expect("less than the bound")
    }
}

/// A layered model for tests and measurements: [`LAYERS`] layers of `states / LAYERS` states. A state has three choices
/// of four outcomes each, in the next layer (one in sixteen skips a layer), with probabilities of whole sixteenths;
/// equal targets are added up, which leaves about 11.8 transitions a state. In the last layer every state leads to
/// itself: half of its states have the label `goal`. State 0 is the initial one.
///
/// The same arguments give the same model.
///
/// # Errors
/// When `states` is not a positive multiple of [`LAYERS`].
///
/// ```
/// let model = model_files::layered(5000, 1)?;
/// assert_eq!((model.states(), model.choice_count()), (5000, 14_800));
/// # Ok::<(), model_files::BuildError>(())
/// ```
pub fn layered(states: u32, seed: u64) -> Result<ExplicitModel, BuildError> {
    if states == 0 || !states.is_multiple_of(LAYERS) {
        return Err(BuildError::Invalid(format!(
            "{states} states; the number must be a positive multiple of {LAYERS}"
        )));
    }
    let width = states / LAYERS;
    let mut random = SplitMix64(seed);
    let budget = Budget::unlimited();
    let mut builder = Builder::new(Kind::Mdp, states, &budget)?;
    for layer in 0..LAYERS {
        for state in layer * width..(layer + 1) * width {
            builder.state()?;
            if layer + 1 == LAYERS {
                builder.choice(&[state], &[1])?;
                continue;
            }
            for _ in 0..ACTIONS {
                let (targets, weights, len) = outcomes(&mut random, layer, width);
                builder.choice(&targets[..len], &weights[..len])?;
            }
        }
    }
    builder.initial(StateSet::from_fn(states, |state| state == 0));
    builder.label("goal", StateSet::from_fn(states, |state| state >= states - width && random.below(2) == 0))?;
    builder.finish()
}

/// Up to four targets in increasing order, with weights that sum to 16.
fn outcomes(random: &mut SplitMix64, layer: u32, width: u32) -> ([u32; 4], [u64; 4], usize) {
    let mut drawn = [(0, 0); 4];
    // Three different cuts of 1..16 make four positive parts.
    let mut cuts = [0; 3];
    for place in 0..3 {
        loop {
            cuts[place] = 1 + u64::from(random.below(15));
            if !cuts[..place].contains(&cuts[place]) {
                break;
            }
        }
    }
    cuts.sort_unstable();
    let parts = [cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], 16 - cuts[2]];
    for (outcome, part) in drawn.iter_mut().zip(parts) {
        let skips = layer + 2 < LAYERS && random.below(16) == 0;
        let to = layer + 1 + u32::from(skips);
        *outcome = (to * width + random.below(width), part);
    }
    drawn.sort_unstable();
    let (mut targets, mut weights, mut len) = ([0; 4], [0; 4], 0);
    for (target, part) in drawn {
        if len > 0 && targets[len - 1] == target {
            weights[len - 1] += part;
        } else {
            (targets[len], weights[len]) = (target, part);
            len += 1;
        }
    }
    (targets, weights, len)
}
