//! What a solve of a series leaves behind as it goes, so that it can go on where it was stopped.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use mdp::rows::RowGame;
use rustc_hash::FxHasher;

use crate::machine::Machine;
use crate::program::Register;

/// Where finished parts are kept.
pub trait Shelf {
    /// A part that was kept.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String>;

    /// Keeps a part: it is there whole, or as before.
    ///
    /// # Errors
    /// When it cannot be written.
    fn keep(&self, name: &str, part: &[u8]) -> Result<(), String>;

    /// Hears that a part was loaded that does not fit, and is made anew; `why` says what it is instead.
    fn anew(&self, _name: &str, _why: &str) {}
}

/// Keeps parts in memory.
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

/// A number for a game: those with the same rules, the same start and the same way of telling states have the same.
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
