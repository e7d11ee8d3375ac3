//! What every process needs at its start and end: logs, the schema, signals.
pub mod migrate;
pub mod signals;
pub mod start;
pub mod telemetry;
