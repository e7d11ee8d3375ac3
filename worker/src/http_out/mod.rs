//! The one client for requests to servers of other people: calendars that somebody subscribed to,
//! and whatever else goes out. It reaches public addresses only (and what the operator allows),
//! and takes no more bytes and time than it is told.
//!
//! A name is resolved once; the address that was judged is the one that is connected to. Every
//! redirect is judged anew. There is no pool, no cookie and no proxy.
mod body;
mod client;
mod connect;
mod error;
mod exchange;
mod names;

pub use client::{HttpOut, Settings, SetupError};
pub use error::OutError;
pub use exchange::{Answer, Request};
pub use names::Names;

use std::time::Duration;

/// What one request may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For each address that is tried: connecting, TLS included.
    pub connect: Duration,
    /// For everything: names, redirects, the last byte of the body.
    pub whole: Duration,
    /// The most bytes of a body, after it is unpacked.
    pub body_bytes: usize,
    /// Redirects that are followed. With none a redirect is an answer like any other.
    pub redirects: u32,
}
