//! The models that are offered, and the solved ones that are kept.

use std::time::Duration;

use super::offered::OfferedModel;
use super::solved::Solved;
use crate::question::{Ceilings, Problem, Shelf, make_distinct};

/// The models, and the shelf of those that are solved.
pub struct Models {
    pub models: Vec<OfferedModel>,
    pub solved: Shelf<Box<dyn Solved>>,
}

impl Models {
    /// Models of the same name get numbers, so that each can be named.
    pub fn new(mut models: Vec<OfferedModel>, ceilings: &Ceilings) -> Self {
        make_distinct(models.iter_mut().map(|model| &mut model.name));
        Self { models, solved: Shelf::new(ceilings.solved) }
    }

    /// The model of this name; the first for the empty name.
    pub fn model(&self, name: &str) -> Result<&OfferedModel, Problem> {
        if self.models.is_empty() {
            let help = "name a DRN, UMB or PRISM file to bestplay serve, or give a game to Options::models";
            return Err(Problem::impossible("no model was given to this server", help));
        }
        let found = self.models.iter().find(|model| name.is_empty() || model.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.models.iter().map(|model| model.name.as_str()).collect();
            Problem::impossible(
                format_args!("there is no model {name:?} here"),
                format_args!("there are {}; further ones are named to bestplay serve", names.join(", ")),
            )
        })
    }

    /// Gives back what is kept and nobody has asked for so long.
    pub fn expire(&self, idle: Duration) {
        self.solved.expire(idle);
    }
}
