//! What every operation works on.

use std::sync::Arc;

use sqlx::PgPool;
use uuid::Uuid;

use super::BusyCache;
use crate::{
    clock::Clock,
    config::{Keys, Limits, Mailbox},
    random::{NoRandomness, Random},
    seal::Place,
    wake::Wake,
    zone::Zones,
};

/// The pool, the clock, the keys and the settings that operations need. Cheap to clone.
#[derive(Clone)]
pub struct Context {
    /// Connections.
    pub pool: PgPool,
    /// Time, as an argument.
    pub clock: Clock,
    /// Randomness, as an argument.
    pub random: Random,
    /// Sealing and fingerprint keys.
    pub keys: Arc<Keys>,
    /// The zone table.
    pub zones: Zones,
    /// Limits against strangers.
    pub limits: Limits,
    /// This installation's id, part of every invitation's UID.
    pub instance: Uuid,
    /// Wakes the worker after a commit.
    pub wake: Wake,
    /// What calendars take of their hosts' time, expanded.
    pub busy: BusyCache,
    /// The sender of mail, who is also the organizer of new invitations.
    pub mail_from: Arc<Mailbox>,
}

impl Context {
    /// Seals text for its place.
    pub(crate) fn seal(&self, place: Place, text: &str) -> Result<Vec<u8>, NoRandomness> {
        self.keys.seal.seal(place, text.as_bytes(), &self.random)
    }
}
