//! Why a file was not taken over. Nothing of it was, then.

use uuid::Uuid;

use crate::{
    calendar::ics_read::NotACalendar,
    ops::{Failure, stored_event::StoredProblem},
    random::NoRandomness,
    seal::CannotOpen,
    store::retry::DatabaseFault,
};

/// Why a file was not taken over. Nothing of it was, then.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// There is no calendar of that id that the host sees.
    #[error("no such calendar")]
    NotFound,
    /// The host may not write its events: it is somebody else's personal one, or a subscribed one.
    #[error("the calendar's events cannot be written")]
    ReadOnly,
    /// The bytes are no calendar.
    #[error(transparent)]
    NotACalendar(#[from] NotACalendar),
    /// What is wrong with the file outside its events.
    #[error("the file is damaged")]
    Damaged(Vec<StoredProblem>),
    /// It says otherwise of a booked event than the booking does.
    #[error("the file changes the {field} of a booked event")]
    Locked {
        booking: Uuid,
        /// What it changes.
        field: &'static str,
        /// The line of the file at which the event begins.
        line: u32,
    },
    #[error(transparent)]
    Failure(#[from] Failure),
}

impl From<sqlx::Error> for ImportError {
    fn from(error: sqlx::Error) -> Self {
        Self::Failure(error.into())
    }
}

impl From<NoRandomness> for ImportError {
    fn from(error: NoRandomness) -> Self {
        Self::Failure(error.into())
    }
}

impl From<CannotOpen> for ImportError {
    fn from(error: CannotOpen) -> Self {
        Self::Failure(error.into())
    }
}

impl DatabaseFault for ImportError {
    fn database_fault(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Failure(failure) => failure.database_fault(),
            _ => None,
        }
    }
}
