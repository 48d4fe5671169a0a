//! The choices of a state that could be best.

use crate::model::{Block, CHANCE, Choice, KIND, LOW, Model, REWARD, SHARED, StateId, Targets};
use crate::solution::ChoiceSets;

/// [`ChoiceSets::choices`] for the sweep, which cannot afford to decode choices that it skips.
pub(super) struct Chosen<'a> {
    model: &'a Model,
    set: &'a ChoiceSets,
    state: StateId,
    run: &'a [u32],
    lane: u32,
    number: u32,
}

impl<'a> Chosen<'a> {
    #[inline]
    pub(super) fn new(model: &'a Model, state: StateId, set: &'a ChoiceSets) -> Self {
        let Block { first, words, .. } = model.code.block(state);
        Self { model, set, state, run: words, lane: state - first, number: 0 }
    }

    #[inline]
    pub(super) fn next(&mut self) -> Option<(Choice<'a>, u32)> {
        let code = &self.model.code;
        let mut reward = None;
        loop {
            let (&header, rest) = self.run.split_first()?;
            self.run = rest;
            let (weights, targets) = match header & KIND {
                CHANCE => {
                    let (targets, rest) = rest.split_at(code.weights.count(header));
                    self.run = rest;
                    (header, targets)
                }
                SHARED => code.shared_node(header),
                REWARD => {
                    reward = Some(header & LOW);
                    continue;
                }
                _ => return None,
            };
            let number = self.number;
            self.number += 1;
            if self.set.contains(self.state, number) {
                let targets = Targets { words: targets, lane: self.lane };
                return Some((Choice { weights, targets, reward }, number));
            }
            reward = None;
        }
    }
}
