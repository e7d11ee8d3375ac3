//! Why there is no feed, or nothing in it.

use super::MAX_FEEDS;
use crate::{
    booking::FieldFault,
    ops::{Failure, UnknownCalendar, busy_time::BusyError},
    random::NoRandomness,
    seal::CannotOpen,
    store::retry::DatabaseFault,
};

/// Why there is no feed, or nothing in it.
#[derive(Debug, thiserror::Error)]
pub enum FeedError {
    /// What breaks a rule.
    #[error("the request breaks a rule")]
    Invalid(FieldFault),
    /// The host sees no such calendar, or has no such feed; nothing has that token.
    #[error("no such calendar or feed")]
    NotFound,
    /// The host has [`MAX_FEEDS`] of the calendar already.
    #[error("a host has at most {MAX_FEEDS} feeds of a calendar")]
    TooMany,
    /// When the host is busy is not known exactly: a feed of busy time says nothing then.
    #[error(transparent)]
    Unknown(#[from] UnknownCalendar),
    #[error(transparent)]
    Failure(#[from] Failure),
}

impl From<BusyError> for FeedError {
    fn from(error: BusyError) -> Self {
        match error {
            BusyError::Unknown(unknown) => Self::Unknown(unknown),
            BusyError::Failure(failure) => Self::Failure(failure),
        }
    }
}

impl From<sqlx::Error> for FeedError {
    fn from(error: sqlx::Error) -> Self {
        Self::Failure(error.into())
    }
}

impl From<NoRandomness> for FeedError {
    fn from(error: NoRandomness) -> Self {
        Self::Failure(error.into())
    }
}

impl From<CannotOpen> for FeedError {
    fn from(error: CannotOpen) -> Self {
        Self::Failure(error.into())
    }
}

impl DatabaseFault for FeedError {
    fn database_fault(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Failure(failure) => failure.database_fault(),
            _ => None,
        }
    }
}
