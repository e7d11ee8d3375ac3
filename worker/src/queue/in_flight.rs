//! What this process has claimed and not ended, so that a stop can give it back.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use shared::store::mail_queue::ClaimedMail;
use uuid::Uuid;

/// How far a claimed mail is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No mail server was asked.
    Preparing,
    /// A mail server may have it.
    Sending,
}

/// Claims of this process. Cheap to clone.
#[derive(Clone, Default)]
pub struct InFlight(Arc<Mutex<HashMap<Uuid, (ClaimedMail, Phase)>>>);

impl InFlight {
    /// A mail was claimed.
    pub fn add(&self, mail: &ClaimedMail) {
        self.map()
            .insert(mail.claim_id, (mail.clone(), Phase::Preparing));
    }

    /// The mail server is about to be asked.
    pub fn sending(&self, claim: Uuid) {
        if let Some((_, phase)) = self.map().get_mut(&claim) {
            *phase = Phase::Sending;
        }
    }

    /// It ended.
    pub fn remove(&self, claim: Uuid) {
        self.map().remove(&claim);
    }

    /// What is left.
    #[must_use]
    pub fn left(&self) -> Vec<(ClaimedMail, Phase)> {
        self.map().values().cloned().collect()
    }

    fn map(&self) -> std::sync::MutexGuard<'_, HashMap<Uuid, (ClaimedMail, Phase)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
