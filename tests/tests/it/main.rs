//! One binary for everything that crosses HTTP or the database.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]

mod admin;
mod authority;
mod bookings;
mod busy;
mod busy_calendars;
mod calendars;
mod cases;
mod constraint;
mod demo;
mod errors;
mod faults;
mod fuzz;
mod gate;
mod headers;
mod hidden;
mod host_bookings;
mod hosts;
mod imports;
mod invariants_fail;
mod invitations;
mod keys;
mod leaks;
mod manage;
mod openapi;
mod outbox;
mod pages;
mod parse;
mod plans;
mod private_postgres;
mod process;
mod published;
mod races;
mod races_that_wait;
mod reassign;
mod recurrence;
mod reminder_rules;
mod slots;
mod smtp;
mod subscriptions;
mod tree;
mod zones_garbage;
