//! `GET /v1/pages/{handle}/{code}/slots`: the free times, by the date in the asked zone.

use actix_web::{
    HttpResponse, get,
    web::{Data, Path},
};
use serde::{Deserialize, Serialize};
use shared::{
    instant::{Day, Instant, Span},
    ops,
    slots::{Slot, group_by_date},
    zone::Zone,
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    app::App,
    error::{ApiError, Code},
    extract::{Query, Visitor},
};

/// The longest range of one call.
pub const MAX_DAYS: i64 = 62;

/// Which slots.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SlotsQuery {
    /// The earliest start, RFC 3339. Default: now.
    #[param(example = "2026-12-01T00:00:00Z", format = DateTime)]
    from: Option<String>,
    /// Starts are before this, RFC 3339, at most 62 days after `from`. Default: 62 days after it.
    #[param(example = "2026-12-08T00:00:00Z", format = DateTime)]
    to: Option<String>,
    /// The zone whose dates the slots are grouped by, an IANA name. Default: the host's.
    #[param(example = "Europe/Paris")]
    zone: Option<String>,
}

/// Free times by date.
#[derive(Serialize, ToSchema)]
pub struct SlotDays {
    /// The zone of the dates: asked for, else the host's.
    #[schema(example = "Europe/Paris")]
    pub zone: String,
    /// Days with a free time, in order; the others are left out.
    pub days: Vec<SlotDay>,
}

/// The free times of one date.
#[derive(Serialize, ToSchema)]
pub struct SlotDay {
    /// The date in `zone`.
    pub date: Day,
    /// In order.
    pub slots: Vec<SlotView>,
}

/// One free time.
#[derive(Serialize, ToSchema)]
pub struct SlotView {
    /// Send this back to book it.
    pub start: Instant,
    /// The end of the meeting.
    pub end: Instant,
}

impl SlotDays {
    /// Groups slots by the date that they start on in `zone`.
    #[must_use]
    pub fn of(found: &[Slot], zone: &Zone) -> Self {
        let days = group_by_date(found, zone)
            .into_iter()
            .map(|(date, starts)| SlotDay {
                date: Day(date),
                slots: starts
                    .into_iter()
                    .map(|slot| SlotView {
                        start: slot.start,
                        end: slot.end,
                    })
                    .collect(),
            });
        Self {
            zone: zone.name().to_owned(),
            days: days.collect(),
        }
    }
}

/// An instant in a parameter of that name.
pub(crate) fn instant(name: &'static str, text: Option<&str>) -> Result<Option<Instant>, ApiError> {
    text.map(Instant::parse_rfc3339)
        .transpose()
        .map_err(|error| {
            ApiError::new(Code::InvalidParameter)
                .detail(format_args!("{name} is {error}"))
                .at(name, "invalid_instant", error)
        })
}

/// The asked range, checked.
pub(crate) fn parse_range(
    from: Option<&str>,
    to: Option<&str>,
    now: Instant,
) -> Result<Span, ApiError> {
    let from = instant("from", from)?.unwrap_or(now);
    let to = instant("to", to)?.unwrap_or_else(|| from.plus_minutes(MAX_DAYS * 24 * 60));
    if to <= from {
        return Err(ApiError::new(Code::RangeInverted));
    }
    if to > from.plus_minutes(MAX_DAYS * 24 * 60) {
        return Err(ApiError::new(Code::RangeTooLong));
    }
    Ok(Span { from, to })
}

impl SlotsQuery {
    /// The range and the zone, checked.
    pub(crate) fn parse(&self, app: &App) -> Result<(Span, Option<Zone>), ApiError> {
        let range = parse_range(
            self.from.as_deref(),
            self.to.as_deref(),
            app.context.clock.now(),
        )?;
        Ok((range, parse_zone(app, "zone", self.zone.as_deref())?))
    }
}

/// The asked zone, if one is asked for; `pointer` says where.
pub(crate) fn parse_zone(
    app: &App,
    pointer: &str,
    name: Option<&str>,
) -> Result<Option<Zone>, ApiError> {
    name.map(|name| app.context.zones.get(name))
        .transpose()
        .map_err(|error| {
            ApiError::new(Code::UnknownZone)
                .detail(&error)
                .at(pointer, "unknown_zone", &error)
        })
}

/// Find free times.
///
/// Times before the notice or after the horizon are never offered; a range outside them is an empty
/// list. When a calendar or a rule cannot be read the answer is 503, never a list from partial data.
#[utoipa::path(
    tag = "pages", operation_id = "findSlots",
    params(
        ("handle" = String, Path, description = "The host's handle", example = "ana"),
        ("code" = String, Path, description = "The page's code or slug", example = "k3x9q2ab"),
        SlotsQuery,
    ),
    responses((status = 200, description = "Free times by date", body = SlotDays)),
)]
#[get("/pages/{handle}/{code}/slots")]
pub async fn slots(
    app: Data<App>,
    _visitor: Visitor,
    path: Path<(String, String)>,
    query: Query<SlotsQuery>,
) -> Result<HttpResponse, ApiError> {
    let (handle, code) = path.into_inner();
    let now = app.context.clock.now();
    let (range, zone) = query.0.parse(&app)?;
    let _permit = app.slot_permit()?;
    let found = ops::find_slots(&app.context, &handle, &code, now, range).await?;
    let found = found.ok_or_else(|| ApiError::new(Code::NotFound))?;
    let zone = zone.unwrap_or_else(|| found.page.rule.zone.clone());
    Ok(HttpResponse::Ok().json(SlotDays::of(&found.slots, &zone)))
}
