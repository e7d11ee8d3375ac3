//! API keys: made and revoked by the operator, presented by programs that act for a host.
mod create;
mod list;
mod open;
mod revoke;

pub use create::{CreateKeyError, CreatedKey, MAX_NAME_CHARS, create_key};
pub use list::{ListedKey, list_keys};
pub use open::{KeyHolder, open_key};
pub use revoke::{Revoked, revoke_key};
