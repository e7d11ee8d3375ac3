//! What every operation works on.

use std::sync::Arc;

use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    clock::Clock,
    config::{Keys, Limits, Mailbox},
    random::Random,
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
    /// The sender of mail, who is also the organizer of new invitations.
    pub mail_from: Arc<Mailbox>,
}
