//! Games under a fixed policy: one answer is followed.

use mdp::Turn;

use super::Machine;
use super::action::Move;
use super::game::BUFFERS;
use super::run_cache::Buffers;
use crate::program::{Instruction, State};

impl Machine {
    /// Adds the successor of the answer that `choose` picks.
    pub(crate) fn follow_one(&self, state: &State, turn: &mut Turn<State>, choose: &dyn Fn(&State, &[Move]) -> usize) {
        BUFFERS.with_borrow_mut(|buffers| {
            if self.merges_chances() && self.is_chance(state) && !self.large[state.place() as usize] {
                // The answers after a chance are merged into it.
                let mut outcomes = std::mem::take(&mut buffers.outcomes);
                self.merged_outcomes(state, buffers, &mut outcomes);
                for (_, next) in &mut outcomes {
                    *next = self.answered(*next, choose, buffers);
                }
                turn.chance(outcomes.iter().map(|(weight, next)| (*next, mdp::Weight(*weight))));
                buffers.outcomes = outcomes;
                return;
            }
            if self.go_on(state, turn, buffers) {
                return;
            }
            let mut moves = std::mem::take(&mut buffers.moves);
            moves.clear();
            self.moves(state, usize::MAX, &mut moves);
            match moves.get(choose(state, &moves)) {
                Some(answer) => turn.to(self.project(&self.run(answer.state, &mut buffers.inner))),
                None => turn.end(0),
            }
            buffers.moves = moves;
        });
    }

    /// The state after a question, and the questions after it, as `choose` answers.
    fn answered(&self, mut state: State, choose: &dyn Fn(&State, &[Move]) -> usize, buffers: &mut Buffers) -> State {
        const QUESTIONS: usize = 16;
        for _ in 0..QUESTIONS {
            if !matches!(self.instruction(&state), Some(Instruction::Ask(_))) {
                break;
            }
            let mut moves = std::mem::take(&mut buffers.moves);
            moves.clear();
            self.moves(&state, usize::MAX, &mut moves);
            let answer = moves.get(choose(&state, &moves)).map(|answer| answer.state);
            buffers.moves = moves;
            match answer {
                Some(answer) => state = self.project(&self.run(answer, &mut buffers.inner)),
                None => break,
            }
        }
        state
    }
}
