//! `GET /v1/pages/{handle}/{code}/explain`: why a start is not offered, for the page's host.

use actix_web::{HttpResponse, get, web::Data};
use serde::{Deserialize, Serialize};
use shared::{
    instant::Instant,
    ops::{CalendarFault, Explained, WhyNothing, explain_start},
    slots::Reason,
};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    app::App,
    error::{ApiError, Code},
    extract::{Keyed, Query, Segments},
};

/// Which start.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ExplainQuery {
    /// The start, RFC 3339.
    #[param(example = "2026-12-01T09:00:00Z", format = DateTime)]
    start: String,
}

/// A page's path.
type PagePath = Segments<(String, String)>;

/// What is known of a start.
#[derive(Serialize, ToSchema)]
pub struct Explanation {
    /// The start that was asked about.
    pub start: Instant,
    /// Whether it is offered and free.
    pub offered: bool,
    /// Everything that speaks against it, if the page offers anything.
    pub reasons: Vec<Reason>,
    /// Why the page offers nothing at all, if it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed: Option<ClosedView>,
}

/// Why a page offers nothing.
#[derive(Serialize, ToSchema)]
pub struct ClosedView {
    /// The calendar that cannot be judged, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calendar_id: Option<Uuid>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "Team")]
    pub calendar: Option<String>,
    /// The event that is in the way, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_id: Option<Uuid>,
    /// What is wrong with the calendar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<CalendarFault>,
    /// In words.
    #[schema(example = "its last good sync is too old")]
    pub detail: String,
}

impl From<WhyNothing> for ClosedView {
    fn from(why: WhyNothing) -> Self {
        match why {
            WhyNothing::Calendar {
                id,
                name,
                event,
                why,
            } => Self {
                calendar_id: Some(id),
                calendar: name,
                event_id: event,
                why: Some(why),
                detail: why.to_string(),
            },
            WhyNothing::Page(detail) => Self {
                calendar_id: None,
                calendar: None,
                event_id: None,
                why: None,
                detail,
            },
        }
    }
}

/// Explain why a time is or is not offered.
///
/// For the page's host alone: it names calendars, and times that others do not learn.
#[utoipa::path(
    tag = "calendars", operation_id = "explainStart", security(("api_key" = [])),
    params(
        ("handle" = String, Path, description = "The host's handle", example = "ana"),
        ("code" = String, Path, description = "The page's code", example = "k3x9q2ab"),
        ExplainQuery,
    ),
    responses((status = 200, description = "What is known of the start", body = Explanation)),
)]
#[get("/pages/{handle}/{code}/explain")]
pub async fn explain(
    app: Data<App>,
    Keyed(key, (names, query)): Keyed<(PagePath, Query<ExplainQuery>)>,
) -> Result<HttpResponse, ApiError> {
    let (handle, code) = names.0;
    let start = Instant::parse_rfc3339(&query.0.start).map_err(|error| {
        ApiError::new(Code::InvalidParameter)
            .detail(format_args!("start is {error}"))
            .at("start", "invalid_instant", error)
    })?;
    let explained = explain_start(&app.context, key.host(), &handle, &code, start)
        .await?
        .ok_or_else(|| ApiError::new(Code::NotFound))?;
    let explanation = match explained {
        Explained::Reasons(reasons) => Explanation {
            start,
            offered: reasons.is_empty(),
            reasons,
            closed: None,
        },
        Explained::Nothing(why) => Explanation {
            start,
            offered: false,
            reasons: Vec::new(),
            closed: Some(why.into()),
        },
    };
    Ok(HttpResponse::Ok().json(explanation))
}
