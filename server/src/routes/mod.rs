//! The JSON API: `routes/<resource>/<verb>.rs`, as the URL has it.
pub mod availability;
pub mod pages;
pub mod process;
