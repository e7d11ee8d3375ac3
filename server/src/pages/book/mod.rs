//! `/book/{handle}/{code}`: choosing a time, and the form.

mod facts;
pub(super) mod get;
pub(super) mod post;
