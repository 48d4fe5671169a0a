//! What requests share: each handler takes the part that it needs.

use std::sync::Arc;

use axum::extract::FromRef;

use crate::gamebook::Gamebooks;
use crate::heroes::HeroTables;
use crate::library::Library;
use crate::model::Models;
use crate::question::Jobs;

/// What requests share.
#[derive(Clone)]
pub struct Shared {
    pub jobs: Arc<Jobs>,
    pub library: Arc<Library>,
}

impl FromRef<Shared> for Arc<Jobs> {
    fn from_ref(shared: &Shared) -> Self {
        Self::clone(&shared.jobs)
    }
}

impl FromRef<Shared> for Arc<Library> {
    fn from_ref(shared: &Shared) -> Self {
        Self::clone(&shared.library)
    }
}

impl FromRef<Shared> for Arc<Gamebooks> {
    fn from_ref(shared: &Shared) -> Self {
        Self::clone(&shared.library.gamebooks)
    }
}

impl FromRef<Shared> for Arc<HeroTables> {
    fn from_ref(shared: &Shared) -> Self {
        Self::clone(&shared.library.hero_tables)
    }
}

impl FromRef<Shared> for Arc<Models> {
    fn from_ref(shared: &Shared) -> Self {
        Self::clone(&shared.library.models)
    }
}

/// For questions that are about nothing that the server has.
impl FromRef<Shared> for Arc<()> {
    fn from_ref(_: &Shared) -> Self {
        Self::new(())
    }
}
