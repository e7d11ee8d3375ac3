//! `GET /healthz`: the process answers.

use actix_web::{HttpResponse, get};
use serde::Serialize;
use utoipa::ToSchema;

/// The process is alive.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    #[schema(example = "ok")]
    status: &'static str,
}

/// Is the process alive?
///
/// Asks nothing of the database.
#[utoipa::path(
    tag = "process", operation_id = "healthz",
    responses((status = 200, description = "Alive", body = Health)),
)]
#[get("/healthz")]
pub async fn healthz() -> HttpResponse {
    HttpResponse::Ok().json(Health { status: "ok" })
}
