//! Fingerprints of models.

use std::fmt::Write;

use budget::{Budget, Stage, Stopped};
use sha2::{Digest, Sha256};

use crate::distributions::Weights;
use crate::explicit::{ExplicitModel, Kind};
use crate::state_set::StateSet;

/// SHA-256 of a model's content, in hexadecimal: its kind, states, choices, outcomes, exact probabilities, initial
/// states, labels and rewards. Names of actions do not count, nor does the format of the file: a model has the same
/// fingerprint in DRN and in UMB if its states, choices and outcomes are in the same order.
///
/// ```
/// use budget::Budget;
/// use model_files::{fingerprint, layered};
///
/// let budget = Budget::default();
/// let model = layered(500, 1)?;
/// assert_eq!(fingerprint(&model, &budget), fingerprint(&model.clone(), &budget));
/// assert_ne!(fingerprint(&model, &budget), fingerprint(&layered(500, 2)?, &budget));
/// # Ok::<(), model_files::BuildError>(())
/// ```
///
/// # Errors
/// When the budget stops the run.
pub fn fingerprint(model: &ExplicitModel, budget: &Budget<'_>) -> Result<String, Stopped> {
    let step = || budget.step(Stage::Checking, 0, 0);
    let mut hash = Hash { digest: Sha256::new(), buffer: Vec::new() };
    hash.text("bestplay model 1");
    hash.number(match model.kind() {
        Kind::Mdp => 1,
        Kind::Dtmc => 0,
    });
    hash.number(u64::from(model.states()));
    for array in [&model.first_choice, &model.first_target, &model.weights, &model.targets] {
        hash.number(array.len() as u64);
        for block in array.chunks(BLOCK) {
            budget.check()?;
            for entry in block {
                hash.bytes(&entry.to_le_bytes());
            }
        }
    }
    hash.number(model.distributions().len() as u64);
    for weights in model.distributions().iter() {
        hash.number(weights.outcomes() as u64);
        for outcome in 0..weights.outcomes() {
            step()?;
            match weights {
                Weights::Small { weights, .. } => hash.text(&weights[outcome].to_string()),
                Weights::Large { weights, .. } => hash.text(&weights[outcome].to_string()),
            }
        }
    }
    hash.set(model.initial());
    hash.number(model.labels().len() as u64);
    for (name, states) in model.labels() {
        budget.check()?;
        hash.text(name);
        hash.set(states);
    }
    hash.number(model.rewards().len() as u64);
    for reward in model.rewards() {
        hash.text(reward.name());
        for state in 0..model.states() {
            step()?;
            hash.text(&reward.of_state(state).to_string());
        }
        for choice in 0..model.choice_count() {
            step()?;
            hash.text(&reward.of_choice(choice).to_string());
        }
    }
    Ok(hash.finish())
}

/// Entries that are hashed between two checks of the budget.
const BLOCK: usize = 1 << 16;

/// Feeds the digest so that different contents give different streams: every list is preceded by its length.
struct Hash {
    digest: Sha256,
    buffer: Vec<u8>,
}

impl Hash {
    fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    fn set(&mut self, states: &StateSet) {
        self.number(u64::from(states.len()));
        for state in states.iter() {
            self.bytes(&state.to_le_bytes());
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= 1 << 16 {
            self.digest.update(&self.buffer);
            self.buffer.clear();
        }
    }

    fn finish(mut self) -> String {
        self.digest.update(&self.buffer);
        let mut text = String::new();
        for byte in self.digest.finalize() {
            let _ = write!(text, "{byte:02x}");
        }
        text
    }
}
