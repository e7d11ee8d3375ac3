//! The only SQL of the product: plain functions over a connection. Whoever composes them begins
//! and commits.
pub mod begin;
pub mod bookings;
pub mod busy;
pub mod constraint;
pub mod hosts;
pub mod idempotency;
pub mod instance;
pub mod locks;
pub mod outbox;
pub mod pages;
pub mod pool;
pub mod retry;
pub mod sweeps;
pub mod taking;
pub mod transitions;
pub mod wake;
