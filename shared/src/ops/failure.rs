//! What can go wrong in any operation, whatever it does.

use crate::{
    booking::{page::BrokenPage, public::BrokenBooking},
    random::NoRandomness,
    seal::CannotOpen,
    store::retry::DatabaseFault,
};

/// A fault that is nobody's request's.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The database refused, or is away.
    #[error("the database")]
    Database(#[from] sqlx::Error),
    /// A sealed value does not open.
    #[error("a sealed value")]
    Sealed(#[from] CannotOpen),
    /// No random bytes.
    #[error(transparent)]
    Random(#[from] NoRandomness),
    /// A stored booking cannot be used.
    #[error("a stored booking")]
    Booking(#[from] BrokenBooking),
    /// A host has no personal calendar, or a list does not become JSON.
    #[error("a stored {0} cannot be used")]
    Stored(&'static str),
    /// The task that did the work ended before it.
    #[error("the work was interrupted")]
    Interrupted,
}

impl DatabaseFault for Failure {
    fn database_fault(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Database(error) => Some(error),
            _ => None,
        }
    }
}

/// Why nothing can be called free: the caller answers 503, and the host hears the reason.
#[derive(Debug, thiserror::Error)]
#[error("availability of event type {event_type} is unknown")]
pub struct AvailabilityUnknown {
    /// The event type's id, for the log.
    pub event_type: uuid::Uuid,
    /// Why.
    #[source]
    pub why: WhyUnknown,
}

/// The reason behind [`AvailabilityUnknown`].
#[derive(Debug, thiserror::Error)]
pub enum WhyUnknown {
    /// The stored type or schedule cannot be used.
    #[error(transparent)]
    Page(#[from] BrokenPage),
    /// The rule breaks a precondition.
    #[error(transparent)]
    Rule(#[from] crate::slots::SlotError),
    /// A calendar that the host sees cannot be judged exactly.
    #[error(transparent)]
    Calendar(#[from] super::busy_time::UnknownCalendar),
}
