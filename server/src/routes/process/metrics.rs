//! `GET /metrics`: figures for Prometheus.

use actix_web::{HttpResponse, get, web::Data};

use crate::app::App;

/// Figures for Prometheus.
///
/// The text exposition format. Holds no personal data; still, do not publish it.
#[utoipa::path(
    tag = "process", operation_id = "metrics",
    responses((status = 200, description = "Figures", body = String, content_type = "text/plain; version=0.0.4")),
)]
#[get("/metrics")]
pub async fn metrics(app: Data<App>) -> HttpResponse {
    let pool = &app.context.pool;
    ::metrics::gauge!("holdfast_db_pool_connections").set(f64::from(pool.size()));
    let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX);
    ::metrics::gauge!("holdfast_db_pool_idle_connections").set(f64::from(idle));
    HttpResponse::Ok()
        .content_type("text/plain; version=0.0.4")
        .body(app.metrics.render())
}
