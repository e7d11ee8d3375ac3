//! `GET /v1/bookings`: a host's bookings.

use actix_web::{HttpResponse, get, web::Data};
use serde::{Deserialize, Serialize};
use shared::{
    booking::State,
    ops::{self, BookingFilter, MAX_PAGE},
    store::host_bookings::Position,
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    app::App,
    error::{ApiError, Code},
    extract::{Keyed, Query},
    routes::{cursor, host_booking_view::HostBookingDetail, pages::slots::instant},
};

/// How many bookings a page has unless another number is asked for.
const DEFAULT_PAGE: u32 = 20;

/// Which bookings.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct BookingsQuery {
    /// Only bookings in one of these states, by commas. Default: all.
    #[param(example = "held,confirmed")]
    state: Option<String>,
    /// The earliest start, RFC 3339.
    #[param(example = "2026-12-01T00:00:00Z", format = DateTime)]
    from: Option<String>,
    /// Starts are before this, RFC 3339.
    #[param(example = "2027-01-01T00:00:00Z", format = DateTime)]
    to: Option<String>,
    /// How many bookings to answer, 1 to 100. Default: 20.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, example = 20)]
    limit: Option<String>,
    /// The `next_cursor` of the page before, with the same other parameters.
    #[param(example = "AAZFKtP5AAABkC8a7EBwAI1a3p7Y8Zkq")]
    cursor: Option<String>,
}

/// Some of a host's bookings.
#[derive(Serialize, ToSchema)]
pub struct BookingList {
    /// The latest start first.
    pub data: Vec<HostBookingDetail>,
    /// Ask for the next page by it. Missing on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// List bookings.
///
/// All of the host's, the latest start first; holds, cancelled and expired ones included. What is
/// booked or cancelled between two pages neither repeats nor hides another booking.
#[utoipa::path(
    tag = "host", operation_id = "listBookings", security(("api_key" = [])),
    params(BookingsQuery),
    responses((status = 200, description = "A page of bookings", body = BookingList)),
)]
#[get("/bookings")]
pub async fn list(
    app: Data<App>,
    Keyed(key, query): Keyed<Query<BookingsQuery>>,
) -> Result<HttpResponse, ApiError> {
    let (filter, after, limit) = query.0.parse()?;
    let page = ops::list_bookings(&app.context, key.host(), &filter, after, limit).await?;
    let now = app.context.clock.now();
    let data = page.bookings.into_iter();
    Ok(HttpResponse::Ok().json(BookingList {
        data: data
            .map(|booking| HostBookingDetail::of(booking, now))
            .collect(),
        next_cursor: page.next.map(cursor::write),
    }))
}

impl BookingsQuery {
    /// The filter, the place to go on from, and the length of a page.
    fn parse(self) -> Result<(BookingFilter, Option<Position>, u32), ApiError> {
        let filter = BookingFilter {
            states: states(self.state.as_deref())?,
            from: instant("from", self.from.as_deref())?,
            to: instant("to", self.to.as_deref())?,
        };
        if let (Some(from), Some(to)) = (filter.from, filter.to)
            && to <= from
        {
            return Err(ApiError::new(Code::RangeInverted));
        }
        let after = self.cursor.as_deref().map(cursor::read).transpose()?;
        Ok((filter, after, page_length(self.limit.as_deref())?))
    }
}

fn states(text: Option<&str>) -> Result<Vec<State>, ApiError> {
    let Some(text) = text else {
        return Ok(Vec::new());
    };
    let known: Result<Vec<State>, _> = text.split(',').map(str::parse).collect();
    known.map_err(|_| {
        let what =
            "states are held, confirmed, cancelled, expired, completed and no_show, by commas";
        ApiError::new(Code::InvalidParameter)
            .detail(format_args!("state: {what}"))
            .at("state", "unknown_state", what)
    })
}

fn page_length(text: Option<&str>) -> Result<u32, ApiError> {
    let Some(text) = text else {
        return Ok(DEFAULT_PAGE);
    };
    let length = text.parse().ok().filter(|n| (1..=MAX_PAGE).contains(n));
    length.ok_or_else(|| {
        let what = "a number from 1 to 100";
        ApiError::new(Code::InvalidParameter)
            .detail(format_args!("limit is {what}"))
            .at("limit", "invalid_limit", what)
    })
}
