//! The only SQL of the product: plain functions over a connection. Whoever composes them begins
//! and commits.
pub mod begin;
pub mod busy;
pub mod constraint;
pub mod hosts;
pub mod instance;
pub mod pages;
pub mod pool;
pub mod retry;
