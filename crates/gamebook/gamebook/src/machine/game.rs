//! The machine as a game of the engine.

use mdp::rows::{RowGame, RowTurns};
use mdp::{Distribution, Game, Turn};

use super::run_cache::Buffers;
use super::{End, Machine};
use crate::program::State;

impl Machine {
    /// Adds the successors of a state without a choice to `turn`; returns whether the state is one.
    pub(super) fn go_on<A>(&self, state: &State, turn: &mut Turn<State, A>, buffers: &mut Buffers) -> bool {
        match Self::end(state) {
            Some(End::Won(_)) => turn.end(1),
            Some(End::Dead(_)) => turn.end(0),
            None => {
                let mut stepped = *state;
                if self.step(&mut stepped) {
                    turn.to(if self.analyses.straight {
                        buffers.advanced(self, &stepped)
                    } else {
                        self.project(&stepped)
                    });
                } else if self.is_left_to_chance(state) {
                    self.chance(state, turn, buffers);
                } else {
                    return false;
                }
            }
        }
        true
    }

    /// Adds the successors of `state`, which lies right after an answer to `question`.
    fn follow<A>(&self, question: &State, state: State, turn: &mut Turn<State, A>, buffers: &mut Buffers) {
        let stop = buffers.advanced(self, &state);
        if self.analyses.straight && !self.entering && self.joins_question(question, &stop) {
            self.chance(&stop, turn, buffers);
        } else {
            turn.to(stop);
        }
    }
}

impl Machine {
    /// Emits the actions and successors of a state.
    pub(super) fn expand(&self, state: &State, turn: &mut Turn<State, String>, buffers: &mut Buffers) {
        if self.go_on(state, turn, buffers) {
            return;
        }
        let mut choices = std::mem::take(&mut buffers.moves);
        self.choices(state, &mut choices, &mut buffers.seen);
        for answer in &choices {
            turn.choice_with(|| self.describe_action(state, answer.action));
            self.follow(state, answer.state, turn, buffers);
        }
        if choices.is_empty() {
            turn.end(0);
        }
        buffers.moves = choices;
    }
}

thread_local! {
    pub(super) static BUFFERS: std::cell::RefCell<Buffers> = std::cell::RefCell::default();
    /// The buffers of a second machine that follows the one being explored: with shared buffers each would evict the other's
    /// cache.
    static BESIDE: std::cell::RefCell<Buffers> = std::cell::RefCell::default();
}

impl Machine {
    /// The next stop, as found by [`advance`](Self::advance), cached apart from other machines.
    pub(crate) fn advance_beside(&self, state: &State) -> State {
        if Self::end(state).is_some() {
            return self.project(state);
        }
        BESIDE.with_borrow_mut(|buffers| buffers.advanced(self, state))
    }
}

impl Game for Machine {
    type State = State;
    /// The description of an answer; empty for a state without a choice.
    type Action = String;

    fn starts(&self) -> Vec<Distribution<State>> {
        vec![Distribution::certain(self.first())]
    }

    fn rules(&self, state: &State, turn: &mut Turn<State, String>) {
        BUFFERS.with_borrow_mut(|buffers| self.expand(state, turn, buffers));
    }

    /// Frees the caches of all threads, which would take memory that the arrays of a large book need. A busy thread frees its
    /// own later; this does not block.
    fn exploration_finished(&self) {
        rayon::spawn_broadcast(|_| drop(BUFFERS.take()));
        BUFFERS.take();
    }
}

impl RowGame for Machine {
    fn row_length(&self) -> u32 {
        self.row_field.map_or(1, |row_field| row_field.length)
    }

    fn row_of(&self, state: &State) -> (State, u32) {
        self.row_field.map_or((*state, 0), |row_field| row_field.split(state))
    }

    fn in_row(&self, row: &State, position: u32) -> State {
        self.row_field.map_or(*row, |row_field| row_field.at(row, position))
    }

    fn rank(&self, row: &State) -> u32 {
        self.ranks.get(row.place() as usize).copied().unwrap_or(u32::MAX)
    }

    fn rules_of_row(&self, row: &State, positions: &[u32], turns: &mut RowTurns<State, String>) {
        match &self.row_field {
            Some(row_field) => {
                BUFFERS.with_borrow_mut(|buffers| self.expand_row(row_field, row, positions, turns, buffers));
            }
            None => turns.alone(0, |turn| self.rules(row, turn), |next| (*next, 0)),
        }
    }
}
