//! What operators and their machines ask: is it alive, is it ready, how is it doing.
pub mod healthz;
pub mod metrics;
pub mod readyz;
