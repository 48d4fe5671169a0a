//! What requests share: each handler takes the part that it needs.

use std::sync::Arc;

use axum::extract::FromRef;

use crate::jobs::Jobs;
use crate::library::Library;

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
