//! The hosted pages, as a browser without scripts uses them.
mod main_flow;
