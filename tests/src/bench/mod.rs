//! What `make bench` measures.
pub mod slots;
