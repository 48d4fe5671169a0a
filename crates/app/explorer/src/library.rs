//! All that is offered: the gamebooks, the tables of heroes, the models.

use std::sync::Arc;
use std::time::Duration;

use crate::gamebook::{Gamebooks, OfferedBook};
use crate::heroes::{HeroTable, HeroTables};
use crate::model::{Models, OfferedModel};
use crate::question::Ceilings;

/// All that is offered. A page looks at all of it, a question at the part that it is about.
pub struct Library {
    pub gamebooks: Arc<Gamebooks>,
    pub hero_tables: Arc<HeroTables>,
    pub models: Arc<Models>,
}

impl Library {
    /// Each kind is numbered by itself where names are the same.
    pub fn new(
        books: Vec<OfferedBook>,
        tables: Vec<HeroTable>,
        models: Vec<OfferedModel>,
        ceilings: &Ceilings,
    ) -> Self {
        let gamebooks = Arc::new(Gamebooks::new(books, ceilings));
        let hero_tables = Arc::new(HeroTables::new(tables, Arc::clone(&gamebooks)));
        Self { gamebooks, hero_tables, models: Arc::new(Models::new(models, ceilings)) }
    }

    /// Gives back what is kept and nobody has asked for so long.
    pub fn expire(&self, idle: Duration) {
        self.gamebooks.expire(idle);
        self.models.expire(idle);
    }
}
