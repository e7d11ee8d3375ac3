//! Whom an API key stands for.
pub mod show;
