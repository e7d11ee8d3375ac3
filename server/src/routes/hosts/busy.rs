//! `GET /v1/hosts/{id}/busy`: when the host is busy.

use actix_web::{HttpResponse, get, web::Data};
use serde::{Deserialize, Serialize};
use shared::{
    instant::Instant,
    ops::{BusyUnknown, calendar::name_fault, host_busy},
};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    app::App,
    error::{ApiError, Code},
    extract::{Keyed, Query, Segments},
    routes::pages::slots::parse_range,
};

/// Which range.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct BusyQuery {
    /// From when, RFC 3339. Default: now.
    #[param(example = "2026-12-01T00:00:00Z", format = DateTime)]
    from: Option<String>,
    /// Until when, RFC 3339, at most 62 days after `from`. Default: 62 days after it.
    #[param(example = "2026-12-08T00:00:00Z", format = DateTime)]
    to: Option<String>,
}

/// When a host is busy.
#[derive(Serialize, ToSchema)]
pub struct BusyTimes {
    /// From when.
    pub from: Instant,
    /// Until when.
    pub to: Instant,
    /// In order, merged, and cut to the range: events of every calendar that counts, bookings with
    /// their buffers, blocked exceptions.
    pub busy: Vec<BusyTime>,
}

/// One stretch of time.
#[derive(Serialize, ToSchema)]
pub struct BusyTime {
    /// Its start.
    pub start: Instant,
    /// Its end.
    pub end: Instant,
}

/// Show when the host is busy.
///
/// What slots are kept clear of. While a calendar cannot be judged exactly nothing is told: the
/// answer is 503 and says which calendar, which event and why.
#[utoipa::path(
    tag = "calendars", operation_id = "showBusy", security(("api_key" = [])),
    params(("id" = Uuid, Path, description = "The host of the key", example = "0196f3c2-7d7c-7a52-9f3e-3f2b6d0c1a11"), BusyQuery),
    responses((status = 200, description = "Busy time", body = BusyTimes)),
)]
#[get("/hosts/{id}/busy")]
pub async fn busy(
    app: Data<App>,
    Keyed(key, (id, query)): Keyed<(Segments<Uuid>, Query<BusyQuery>)>,
) -> Result<HttpResponse, ApiError> {
    // Somebody else's is not told, nor whether there is somebody.
    if id.0 != key.host() {
        return Err(ApiError::new(Code::NotFound));
    }
    let now = app.context.clock.now();
    let range = parse_range(query.0.from.as_deref(), query.0.to.as_deref(), now)?;
    let spans = match host_busy(&app.context, key.host(), range).await {
        Ok(Some(spans)) => spans,
        Ok(None) => return Err(ApiError::new(Code::NotFound)),
        Err(BusyUnknown::Failure(failure)) => return Err(failure.into()),
        Err(BusyUnknown::Calendar(unknown)) => {
            let fault = name_fault(&app.context, key.host(), unknown).await?;
            return Err(ApiError::of_fault(&fault));
        }
    };
    let busy = spans.into_iter().map(|span| BusyTime {
        start: span.from,
        end: span.to,
    });
    Ok(HttpResponse::Ok().json(BusyTimes {
        from: range.from,
        to: range.to,
        busy: busy.collect(),
    }))
}
