//! A reward model while it is being read.

use dashu_base::BitTest;
use dashu_ratio::RBig;

use super::index::Encoding;
use super::numbers::Numbers;
use crate::builder::RewardValues;
use crate::error::ReadError;
use crate::explicit::RewardModel;
use crate::memory::Memory;
use crate::numbers::Number;
use crate::weighing::LARGEST_DENOMINATOR;

/// The parts of a reward model read so far.
pub(super) struct Reward {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) encoding: Encoding,
    pub(super) applies_to: Vec<String>,
    pub(super) numbers: Numbers,
    pub(super) of_state: Vec<u32>,
    pub(super) of_choice: Vec<u32>,
    pub(super) of_branch: Vec<u32>,
}

impl Reward {
    /// The reward model. A reward of branches becomes its mean over the choice's branches, which
    /// changes no expected total.
    pub(super) fn finish(
        self,
        first_branch: &[u32],
        probabilities: &[u32],
        numbers: &[Number],
        memory: &Memory<'_>,
    ) -> Result<RewardModel, ReadError> {
        let mut values = RewardValues::default();
        let places = self.numbers.table.values.iter().map(|number| values.intern(&number.value, memory));
        let places = places.collect::<Result<Vec<u32>, _>>()?;
        let in_place = |mut ids: Vec<u32>| {
            for id in &mut ids {
                *id = places[*id as usize];
            }
            if ids.iter().all(|id| *id == 0) { Vec::new() } else { ids }
        };
        let of_state = in_place(self.of_state);
        let mut of_choice = in_place(self.of_choice);
        if !self.of_branch.is_empty() {
            let choices = first_branch.len() - 1;
            memory.grow_to(&mut of_choice, choices, choices)?;
            of_choice.resize(choices, 0);
            for (choice, range) in first_branch.windows(2).enumerate() {
                let (mut mean, mut total) = (RBig::ZERO, RBig::ZERO);
                for branch in range[0] as usize..range[1] as usize {
                    memory.step()?;
                    let probability = &numbers[probabilities[branch] as usize].value;
                    mean += probability * &self.numbers.table.values[self.of_branch[branch] as usize].value;
                    total += probability;
                    let bits = mean.denominator().bit_len().max(total.denominator().bit_len());
                    if bits > LARGEST_DENOMINATOR {
                        let problem = format!(
                            "the rewards of the branches of choice {choice} have too large a common denominator"
                        );
                        return Err(ReadError::file(problem, "use fewer digits"));
                    }
                }
                if !mean.is_zero() && !total.is_zero() {
                    let sum = values.values[of_choice[choice] as usize].clone() + mean / total;
                    of_choice[choice] = values.intern(&sum, memory)?;
                }
            }
        }
        Ok(RewardModel { name: self.name, values: values.values, of_state, of_choice })
    }
}
