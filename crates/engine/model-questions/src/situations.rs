//! The situations of a bounded question: a state of the file, and the remainder of each bound.

use mdp::{Built, Rational, Solution, StateId};

use crate::unfold::{LOST, UnfoldedAnswer};

/// An answer with bounds on steps or rewards, by the engine's states: each is a state of the file with the remainder of
/// every bound.
#[derive(Debug)]
pub struct Situations {
    answer: UnfoldedAnswer,
    /// For each state of the engine, its number in the unfolding.
    nodes: Vec<u32>,
}

impl UnfoldedAnswer {
    /// The answer by situations.
    pub fn situations(self) -> Situations {
        let Built { model, numbers } = &self.unfolded.built;
        let mut nodes: Vec<u32> = (0..model.states()).collect();
        for (node, number) in (0..).zip(numbers.iter().flatten()) {
            nodes[*number as usize] = node;
        }
        Situations { answer: self, nodes }
    }
}

impl Situations {
    /// The engine's solution: its states are the situations, its choices those of the file.
    pub fn solution(&self) -> &Solution {
        &self.answer.solution
    }

    /// The start of play in a state of the file, if its value was requested.
    pub fn start(&self, state: u32) -> Option<StateId> {
        self.answer.number_of(state)
    }

    /// The state of the file in a situation; `None` where a bound is exceeded.
    ///
    /// # Panics
    /// When there is no such situation.
    pub fn state(&self, situation: StateId) -> Option<u32> {
        let state = self.answer.unfolded.states[self.nodes[situation as usize] as usize];
        Some(state).filter(|state| *state != LOST)
    }

    /// The remainder of each bound in a situation, in the order of the bounds.
    ///
    /// # Panics
    /// When there is no such situation.
    pub fn left(&self, situation: StateId) -> Vec<Rational> {
        let unfolded = &self.answer.unfolded;
        let scales = &unfolded.scales;
        let begin = self.nodes[situation as usize] as usize * scales.len();
        let left = &unfolded.left[begin..begin + scales.len()];
        left.iter().zip(scales).map(|(left, scale)| Rational::from(*left) / scale).collect()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let UnfoldedAnswer { unfolded, solution } = &self.answer;
        let numbers = unfolded.built.numbers.as_ref().map_or(0, Vec::capacity);
        let words = numbers + self.nodes.capacity() + unfolded.states.capacity() + unfolded.starts.capacity();
        unfolded.built.model.bytes() + solution.bytes() + 4 * words as u64 + 8 * unfolded.left.capacity() as u64
    }
}
