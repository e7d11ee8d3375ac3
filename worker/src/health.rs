//! The worker's own small HTTP face: health, readiness, figures; everything else is 404.

use std::net::SocketAddr;

use actix_web::{
    App, HttpResponse, HttpServer,
    dev::ServerHandle,
    web::{self, Data},
};
use metrics_exporter_prometheus::PrometheusHandle;
use serde_json::{Map, Value, json};
use shared::{
    ops::Context,
    process::migrate::{self, Schema},
};

use crate::pulse::{Loop, Pulse};

/// What the face shows.
#[derive(Clone)]
pub struct Face {
    pub context: Context,
    pub pulse: Pulse,
    pub metrics: PrometheusHandle,
}

/// Serves the face on a thread of its own.
///
/// # Errors
/// The address cannot be listened on.
pub fn serve(listen: SocketAddr, face: Face) -> std::io::Result<ServerHandle> {
    let server = HttpServer::new(move || {
        App::new()
            .app_data(Data::new(face.clone()))
            .route(
                "/healthz",
                web::get().to(|| async { HttpResponse::Ok().json(json!({ "status": "ok" })) }),
            )
            .route("/readyz", web::get().to(readyz))
            .route(
                "/metrics",
                web::get().to(|face: Data<Face>| async move {
                    HttpResponse::Ok()
                        .content_type("text/plain; version=0.0.4")
                        .body(face.metrics.render())
                }),
            )
            .default_service(web::to(HttpResponse::NotFound))
    })
    .workers(1)
    .disable_signals()
    .shutdown_timeout(2)
    .bind(listen)?
    .run();
    let handle = server.handle();
    tokio::spawn(server);
    Ok(handle)
}

async fn readyz(face: Data<Face>) -> HttpResponse {
    let context = &face.context;
    let schema = match migrate::check(&context.pool).await {
        Ok(Schema::Fits) => "fits",
        Ok(Schema::Older(_)) => "older",
        Ok(Schema::Newer(_)) => "newer",
        Err(_) => "unknown",
    };
    let ready = matches!(schema, "fits" | "newer") && face.pulse.is_alive(context.clock.now());
    let body = json!({
        "status": if ready { "ready" } else { "not_ready" },
        "version": env!("CARGO_PKG_VERSION"),
        "schema": schema,
        "zones": { "version": context.zones.version(), "source": context.zones.source().word() },
        "loops": loops(&face.pulse),
    });
    if ready {
        HttpResponse::Ok().json(body)
    } else {
        HttpResponse::ServiceUnavailable().json(body)
    }
}

/// When each loop last ran.
#[must_use]
pub fn loops(pulse: &Pulse) -> Value {
    let each = Loop::ALL.iter().map(|of| {
        (
            of.name().to_owned(),
            pulse
                .last(*of)
                .map_or(Value::Null, |at| at.to_string().into()),
        )
    });
    Value::Object(each.collect::<Map<_, _>>())
}
