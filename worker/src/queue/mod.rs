//! The only apalis wiring: the outbox as a backend, its endings as acknowledgements.
pub mod ack;
pub mod backend;
mod front;
pub mod in_flight;
pub mod sent;
