//! Calendars that are read from an address.
mod merge;
mod read;
mod show;
mod subscribe;
mod sync_now;

pub use read::{Outcome, Source, UnreadableFile, claim, fail, not_modified, source, take_file};
pub use show::{Reading, SeenSubscription, show};
pub use subscribe::{MAX_SUBSCRIPTIONS, Subscription, SubscriptionError, subscribe};
pub use sync_now::sync_now;
