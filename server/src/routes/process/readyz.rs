//! `GET /readyz`: everything that a request needs is there.

use actix_web::{HttpResponse, get, web::Data};
use holdfast_worker::health;
use serde::Serialize;
use shared::process::migrate::{self, Schema};
use utoipa::ToSchema;

use crate::app::App;

/// Whether requests can be served.
#[derive(Serialize, ToSchema)]
pub struct Readiness {
    /// `ready`, or `not_ready` with status 503.
    #[schema(example = "ready")]
    status: &'static str,
    /// The program's version.
    #[schema(example = "0.1.0")]
    version: &'static str,
    /// `reachable` or `unreachable`.
    #[schema(example = "reachable")]
    database: &'static str,
    /// How the schema compares: `fits`, `older`, `newer` or `unknown`.
    #[schema(example = "fits")]
    schema: &'static str,
    /// The time-zone table in use.
    zones: ZoneTable,
    /// When each loop of the worker half last ran, where it runs in this process.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    loops: Option<serde_json::Value>,
}

/// The time-zone table in use.
#[derive(Serialize, ToSchema)]
pub struct ZoneTable {
    /// The IANA release.
    #[schema(example = "2026f")]
    version: String,
    /// `bundled`, `system` or `configured`.
    #[schema(example = "bundled")]
    source: &'static str,
}

/// Is the process ready?
///
/// The database is reached, its schema is not older than this program, and the worker half's loops are alive.
#[utoipa::path(
    tag = "process", operation_id = "readyz",
    responses(
        (status = 200, description = "Ready", body = Readiness),
        (status = 503, description = "Not ready; the body says what is missing", body = Readiness),
    ),
)]
#[get("/readyz")]
pub async fn readyz(app: Data<App>) -> HttpResponse {
    let (database, schema) = match migrate::check(&app.context.pool).await {
        Ok(Schema::Fits) => ("reachable", "fits"),
        Ok(Schema::Older(_)) => ("reachable", "older"),
        Ok(Schema::Newer(_)) => ("reachable", "newer"),
        Err(_) => ("unreachable", "unknown"),
    };
    let alive = app
        .worker
        .as_ref()
        .is_none_or(|pulse| pulse.is_alive(app.context.clock.now()));
    // Migrations are additive: a process that runs serves on while newer ones take over.
    let ready = matches!(schema, "fits" | "newer") && alive;
    let zones = &app.context.zones;
    let answer = Readiness {
        status: if ready { "ready" } else { "not_ready" },
        version: env!("CARGO_PKG_VERSION"),
        database,
        schema,
        zones: ZoneTable {
            version: zones.version().to_owned(),
            source: zones.source().word(),
        },
        loops: app.worker.as_ref().map(health::loops),
    };
    let mut response = if ready {
        HttpResponse::Ok()
    } else {
        HttpResponse::ServiceUnavailable()
    };
    response
        .insert_header(("Cache-Control", "no-store"))
        .json(answer)
}
