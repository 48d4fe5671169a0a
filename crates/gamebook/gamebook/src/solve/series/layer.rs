//! Layers: parts of a stage from which play leads only to later parts.

use std::hash::{Hash, Hasher};

use mdp::rows::{RowGame, RowTurns};
use mdp::{Distribution, Game, Rational, Turn};
use rustc_hash::FxHasher;

use crate::machine::Machine;
use crate::passes::layer;
use crate::program::{DEAD, State};

/// A part of a stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer {
    pub stage: usize,
    /// The rank layer from which on states lie beyond it.
    pub until: u32,
    /// The number of its non-terminal states.
    pub states: u64,
}

/// For a layer that reaches to the end of its stage.
pub(super) const WHOLE: u32 = u32::MAX;

impl Layer {
    /// Whether a state is non-terminal and lies in another layer.
    pub fn ends(self, machine: &Machine, state: &State) -> bool {
        state.place() < DEAD
            && (machine.program.stage(state.place()) != self.stage || layer(machine.rank(state)) >= self.until)
    }
}

/// A hash of these layers' cuts. The states found for a layer depend on the cuts before it, its values on all cuts.
pub(super) fn cut(layers: &[Layer]) -> u64 {
    let mut hasher = FxHasher::default();
    for Layer { stage, until, .. } in layers {
        (stage, until).hash(&mut hasher);
    }
    hasher.finish()
}

/// The game of one layer: states of other layers are terminal.
pub(super) struct LayerGame<'a> {
    pub machine: &'a Machine,
    pub layer: Layer,
}

impl Game for LayerGame<'_> {
    type State = State;
    type Action = String;

    fn starts(&self) -> Vec<Distribution<State>> {
        Vec::new()
    }

    fn rules(&self, state: &State, turn: &mut Turn<State, String>) {
        if self.layer.ends(self.machine, state) {
            turn.end(Rational::ZERO);
        } else {
            self.machine.rules(state, turn);
        }
    }
}

impl RowGame for LayerGame<'_> {
    fn row_length(&self) -> u32 {
        self.machine.row_length()
    }

    fn row_of(&self, state: &State) -> (State, u32) {
        self.machine.row_of(state)
    }

    fn in_row(&self, row: &State, position: u32) -> State {
        self.machine.in_row(row, position)
    }

    fn rank(&self, row: &State) -> u32 {
        self.machine.rank(row)
    }

    fn rules_of_row(&self, row: &State, positions: &[u32], turns: &mut RowTurns<State, String>) {
        if self.layer.ends(self.machine, row) {
            // Their payoffs are passed to the solver later.
            turns.together(0..positions.len()).end(Rational::ZERO);
        } else {
            self.machine.rules_of_row(row, positions, turns);
        }
    }
}
