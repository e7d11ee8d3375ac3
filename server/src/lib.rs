//! Holdfast's HTTP half: the JSON API, the hosted pages, the command line.
pub mod admin;
pub mod app;
pub mod error;
pub mod extract;
pub mod gate;
mod observe;
pub mod openapi;
pub mod pages;
pub mod private_postgres;
pub mod router;
pub mod routes;
pub mod serve;
pub mod start;
