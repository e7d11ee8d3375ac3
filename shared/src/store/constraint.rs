//! Constraints by name: errors are mapped where the query stands.

use sqlx::Error;

/// No two active bookings of a host overlap, buffers included.
pub const NO_OVERLAP: &str = "booking_hosts_no_overlap";
/// One row an idempotency key a scope.
pub const IDEMPOTENCY_KEY: &str = "idempotency_keys_pkey";
/// A handle belongs to one host.
pub const HOST_HANDLE: &str = "hosts_handle_key";

/// An address belongs to one person.
pub const USER_EMAIL: &str = "users_email_fp_key";
/// A person is one host.
pub const HOST_PERSON: &str = "hosts_human_user_key";

/// Whether the statement failed by that constraint.
#[must_use]
pub fn violates(error: &Error, name: &str) -> bool {
    error.as_database_error().and_then(|e| e.constraint()) == Some(name)
}

/// Whether the database chose this transaction to give way: deadlock (40P01) or serialization
/// failure (40001). Trying again is right.
#[must_use]
pub fn gave_way(error: &Error) -> bool {
    let code = error.as_database_error().and_then(|e| e.code());
    matches!(code.as_deref(), Some("40P01" | "40001"))
}

/// Whether the database cannot be reached, or is going down or coming up.
#[must_use]
pub fn unavailable(error: &Error) -> bool {
    match error {
        Error::PoolTimedOut
        | Error::PoolClosed
        | Error::Io(_)
        | Error::WorkerCrashed
        | Error::Tls(_) => true,
        Error::Database(error) => {
            matches!(error.code().as_deref(), Some(code) if code.starts_with("57P") || code.starts_with("08") || code.starts_with("53"))
        }
        _ => false,
    }
}
