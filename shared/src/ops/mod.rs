//! Verbs that several doors share. A verb owns its transaction: it begins and commits.
mod availability;
mod context;
mod create_host;
mod failure;
mod find_slots;
mod open_instance;
mod show_page;

pub use availability::LoadError;
pub use context::Context;
pub use create_host::{CreateHostError, CreatedHost, NewHost, NewPage, create_host};
pub use failure::{AvailabilityUnknown, Failure, WhyUnknown};
pub use find_slots::{FoundSlots, find_slots};
pub use open_instance::{CannotOpenInstance, open_instance};
pub use show_page::{ListedHost, ListedType, list_host, list_hosts, show_page};
