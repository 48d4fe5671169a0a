//! Shelves: storage for finished parts of a solution, so that a run can be continued.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use mdp::rows::RowGame;
use rustc_hash::FxHasher;

use crate::machine::Machine;
use crate::program::Register;

/// A store of finished parts.
pub trait Shelf {
    /// Loads a part.
    ///
    /// # Errors
    /// If it exists and cannot be read.
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String>;

    /// Stores a part atomically.
    ///
    /// # Errors
    /// If it cannot be written.
    fn keep(&self, name: &str, part: &[u8]) -> Result<(), String>;

    /// Called when a loaded part does not fit and is computed again; `why` describes the part.
    fn anew(&self, _name: &str, _why: &str) {}
}

/// A shelf in memory.
#[derive(Debug, Default)]
pub struct InMemory(Mutex<BTreeMap<String, Vec<u8>>>);

impl Shelf for InMemory {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned())
    }

    fn keep(&self, name: &str, part: &[u8]) -> Result<(), String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.into(), part.into());
        Ok(())
    }
}

/// A hash of a game: its rules, its start and the representation of its states.
pub(super) fn game_number(machine: &Machine) -> u64 {
    let program = &machine.program;
    let mut hasher = FxHasher::default();
    program.steps.hash(&mut hasher);
    program.sections.hash(&mut hasher);
    for stage in &program.stages {
        stage.first.hash(&mut hasher);
    }
    machine.start().hash(&mut hasher);
    for register in 0..program.layout.registers() {
        program.layout.range(Register::try_from(register).unwrap_or(Register::MAX)).hash(&mut hasher);
    }
    machine.analyses().hash(&mut hasher);
    machine.row_length().hash(&mut hasher);
    hasher.finish()
}
