//! Properties of levels, and the size of a model.

use budget::{Budget, Stopped};
use dashu_int::UBig;
use rayon::prelude::*;

use super::scc::Family;
use super::stream::Code;
use super::weights::{WeightSlice, WeightTable};
use super::words::{CHANCE, FINAL, KIND, LOW, REWARD, SHARED, StateId};
use super::{Counts, Level};
use crate::support::{id, look};

/// The binary digits of a number.
fn bits(number: &UBig) -> u32 {
    use dashu_base::BitTest;
    u32::try_from(number.bit_len()).unwrap_or(u32::MAX)
}

/// For every weight vector, how many binary digits its smallest probability can take away.
fn digits(weights: &WeightTable) -> Vec<u32> {
    weights
        .ids()
        .map(|id| {
            let (total, least) = match weights.weights(id) {
                WeightSlice::Small(list, total) => {
                    (64 - total.leading_zeros(), list.iter().min().map_or(1, |least| 64 - least.leading_zeros()))
                }
                WeightSlice::Large(list, total) => (bits(total), list.iter().min().map_or(1, bits)),
            };
            if weights.count(id) == 1 { 0 } else { total - least + 1 }
        })
        .collect()
}

/// The outcomes and digits of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Measured {
    pub(crate) outcomes: u32,
    pub(crate) digits: u32,
}

/// Measures the choices and outcomes of levels and of the model.
pub(crate) fn measure(
    code: &Code,
    levels: &[Level],
    families: &[Family],
    budget: &Budget<'_>,
) -> Result<(Vec<Measured>, Counts), Stopped> {
    let digits = digits(&code.weights);
    let measured: Vec<Counted> = levels
        .par_iter()
        .map(|level| {
            const CHUNK: usize = 1 << 14;
            let chunk = |first: StateId| {
                let mut state = first;
                let mut measured = (0, 0, Counts::default());
                while state < level.states.end.min(first + id(CHUNK)) {
                    look(budget, state)?;
                    let block = code.block(state);
                    let next = (block.first + block.lanes).min(level.states.end);
                    // A block counts once, with its first state in the level.
                    if state == block.first.max(level.states.start) {
                        measured = both(measured, measure_block(code, block.words, next - state, &digits));
                    }
                    state = next;
                }
                Ok(measured)
            };
            let chunks: Vec<StateId> = level.states.clone().step_by(CHUNK).collect();
            chunks.into_par_iter().map(chunk).try_reduce(|| (0, 0, Counts::default()), |a, b| Ok(both(a, b)))
        })
        .collect::<Result<_, Stopped>>()?;
    let sum = measured.iter().fold(Counts::default(), |sum, (_, _, counts)| add(sum, *counts));
    let counts = Counts {
        states: u64::from(code.states()),
        levels: levels.len() as u64,
        sccs: families.iter().map(|family| u64::from(family.sccs)).sum(),
        largest_scc: families.iter().map(|family| u64::from(family.states)).max().unwrap_or(0),
        ..sum
    };
    Ok((measured.into_iter().map(|(outcomes, digits, _)| Measured { outcomes, digits }).collect(), counts))
}

/// The most outcomes of a state, the most digits, and the counts.
type Counted = (u32, u32, Counts);

/// The counts of a block of states with these words.
fn measure_block(code: &Code, words: &[u32], lanes: u32, digits: &[u32]) -> Counted {
    let lanes = u64::from(lanes);
    let (mut most, mut deepest, mut counts) = (0, 0, Counts::default());
    let mut at = 0;
    while at < words.len() {
        let header = words[at];
        at += 1;
        match header & KIND {
            FINAL => counts.finished += lanes,
            REWARD => {}
            kind => {
                let mut weights = header;
                if kind == SHARED {
                    let (owner, delta) = code.shared[(header & LOW) as usize];
                    weights = code.run(owner)[delta as usize];
                }
                let outcomes = code.weights.count(weights);
                if kind == CHANCE {
                    counts.outcomes += outcomes as u64;
                    at += outcomes;
                }
                counts.transitions += lanes * outcomes as u64;
                counts.choices += lanes;
                most = most.max(id(outcomes));
                deepest = deepest.max(digits[weights as usize]);
            }
        }
    }
    (most, deepest, counts)
}

fn both(a: Counted, b: Counted) -> Counted {
    (a.0.max(b.0), a.1.max(b.1), add(a.2, b.2))
}

fn add(a: Counts, b: Counts) -> Counts {
    Counts {
        finished: a.finished + b.finished,
        choices: a.choices + b.choices,
        outcomes: a.outcomes + b.outcomes,
        transitions: a.transitions + b.transitions,
        ..a
    }
}
