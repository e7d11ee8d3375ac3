//! What `make bench` measures, each in a section of its own.
//!
//! Figures of one machine mean little on another: ratios within one run, and medians of several
//! rounds, are what can be compared. `docs/benchmarks.md` tells more.

pub mod booking;
pub mod claim;
pub mod cpu;
pub mod holdfast;
pub mod http;
pub mod load;
pub mod outbox;
pub mod pgbench;
pub mod plan;
pub mod process;
pub mod recurrence;
pub mod report;
pub mod slots;
pub mod slots_endpoint;
