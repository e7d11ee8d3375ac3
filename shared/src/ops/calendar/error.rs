//! Why a calendar was not changed.

use uuid::Uuid;

use crate::{
    booking::FieldFault, ops::Failure, random::NoRandomness, seal::CannotOpen,
    store::retry::DatabaseFault,
};

/// Why a calendar was not changed.
#[derive(Debug, thiserror::Error)]
pub enum CalendarError {
    /// There is none that this host sees, or no host with that handle.
    #[error("no such calendar or host")]
    NotFound,
    /// They see it and may not do that; here is why.
    #[error("{0}")]
    NotPermitted(&'static str),
    /// The personal one stays as long as its host.
    #[error("the personal calendar cannot be deleted")]
    Personal,
    /// These bookings have their events on it.
    #[error("bookings have their events on the calendar")]
    HasBookings(Vec<Uuid>),
    /// Everything that breaks a rule.
    #[error("the request breaks a rule")]
    Invalid(Vec<FieldFault>),
    /// Its members change faster than they can be locked.
    #[error("the calendar's members keep changing")]
    Changing,
    #[error(transparent)]
    Failure(#[from] Failure),
}

impl From<FieldFault> for CalendarError {
    fn from(fault: FieldFault) -> Self {
        Self::Invalid(vec![fault])
    }
}

impl From<sqlx::Error> for CalendarError {
    fn from(error: sqlx::Error) -> Self {
        Self::Failure(error.into())
    }
}

impl From<NoRandomness> for CalendarError {
    fn from(error: NoRandomness) -> Self {
        Self::Failure(error.into())
    }
}

impl From<CannotOpen> for CalendarError {
    fn from(error: CannotOpen) -> Self {
        Self::Failure(error.into())
    }
}

impl DatabaseFault for CalendarError {
    fn database_fault(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Failure(failure) => failure.database_fault(),
            _ => None,
        }
    }
}
