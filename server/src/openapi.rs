//! The OpenAPI 3.1 document: operations from the handlers, errors from one table.

use utoipa::{
    Modify, OpenApi,
    openapi::{
        ContentBuilder, OpenApi as Document, Ref, RefOr, ResponseBuilder,
        example::ExampleBuilder,
        path::Operation,
        security::{
            ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
        },
    },
};

use crate::error::{ApiError, Code, Problem};

/// The document before its operations.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Holdfast",
        description = "Self-hosted scheduling. Instants are RFC 3339 in UTC, zones IANA names, durations minutes. Errors are problem documents (RFC 9457) with a stable `code`. The request id is in `X-Request-Id`.",
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    tags(
        (name = "pages", description = "What can be booked, and when. No account."),
        (name = "bookings", description = "Booking a slot. No account."),
        (name = "manage", description = "What a booker does with a booking, by its manage token."),
        (name = "availability", description = "Availability in plain words. No account."),
        (name = "host", description = "What a host does, by an API key."),
        (name = "calendars", description = "A host's calendars and what is on them, by an API key."),
        (name = "process", description = "For operators and their machines."),
    ),
    components(schemas(Problem)),
    modifiers(&Schemes),
)]
pub struct Base;

struct Schemes;

impl Modify for Schemes {
    fn modify(&self, document: &mut Document) {
        let header =
            ApiKeyValue::with_description("X-Manage-Token", "The token in a booking's links.");
        let token = SecurityScheme::ApiKey(ApiKey::Header(header));
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .bearer_format("hf_key_ and 64 hexadecimal digits")
            .description(Some(
                "A host's API key, from `holdfast admin create-key`. It opens that host's things and nothing else.",
            ))
            .build();
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("manage_token", token);
        components.add_security_scheme("api_key", SecurityScheme::Http(bearer));
    }
}

/// Errors that any call may give.
const PUBLIC: &[Code] = &[Code::RateLimited, Code::Internal, Code::Unavailable];

/// Errors of ending a meeting, one way or the other.
const FINISH: &[Code] = &[
    Code::Unauthenticated,
    Code::InvalidBody,
    Code::BodyTooLarge,
    Code::UnsupportedMediaType,
    Code::NotFound,
    Code::NotConfirmed,
    Code::HoldExpired,
    Code::BookingCancelled,
    Code::BookingFinished,
    Code::NotStarted,
    Code::RevisionConflict,
];

/// Which codes an operation may answer, beside those of [`PUBLIC`]. A test goes through each row.
pub const OPERATION_ERRORS: &[(&str, &[Code])] = &[
    ("listPages", &[Code::NotFound]),
    ("showPage", &[Code::NotFound, Code::AvailabilityUnknown]),
    (
        "findSlots",
        &[
            Code::InvalidParameter,
            Code::UnknownZone,
            Code::NotFound,
            Code::RangeTooLong,
            Code::RangeInverted,
            Code::AvailabilityUnknown,
            Code::Overloaded,
        ],
    ),
    (
        "parseAvailability",
        &[
            Code::InvalidBody,
            Code::BodyTooLarge,
            Code::UnsupportedMediaType,
        ],
    ),
    (
        "createBooking",
        &[
            Code::InvalidBody,
            Code::InvalidHeader,
            Code::UnknownZone,
            Code::NotFound,
            Code::BodyTooLarge,
            Code::UnsupportedMediaType,
            Code::ValidationFailed,
            Code::GuestsNotAllowed,
            Code::SlotNotOffered,
            Code::SlotTaken,
            Code::IdempotencyKeyReused,
            Code::TooManyHolds,
            Code::TooManyBookings,
            Code::AvailabilityUnknown,
        ],
    ),
    ("showBooking", &[Code::NotFound]),
    (
        "confirmBooking",
        &[
            Code::InvalidBody,
            Code::BodyTooLarge,
            Code::UnsupportedMediaType,
            Code::NotFound,
            Code::HoldExpired,
            Code::BookingCancelled,
            Code::BookingFinished,
            Code::RevisionConflict,
        ],
    ),
    (
        "cancelBooking",
        &[
            Code::InvalidBody,
            Code::BodyTooLarge,
            Code::UnsupportedMediaType,
            Code::NotFound,
            Code::ValidationFailed,
            Code::HoldExpired,
            Code::BookingCancelled,
            Code::BookingFinished,
            Code::AlreadyStarted,
            Code::RevisionConflict,
        ],
    ),
    (
        "findMoveSlots",
        &[
            Code::InvalidParameter,
            Code::UnknownZone,
            Code::NotFound,
            Code::RangeTooLong,
            Code::RangeInverted,
            Code::NotConfirmed,
            Code::HoldExpired,
            Code::BookingCancelled,
            Code::BookingFinished,
            Code::AlreadyStarted,
            Code::RescheduleLimit,
            Code::HostInactive,
            Code::AvailabilityUnknown,
            Code::Overloaded,
        ],
    ),
    (
        "rescheduleBooking",
        &[
            Code::InvalidBody,
            Code::InvalidHeader,
            Code::BodyTooLarge,
            Code::UnsupportedMediaType,
            Code::UnknownZone,
            Code::NotFound,
            Code::NotConfirmed,
            Code::HoldExpired,
            Code::BookingCancelled,
            Code::BookingFinished,
            Code::AlreadyStarted,
            Code::RevisionConflict,
            Code::RescheduleLimit,
            Code::Unchanged,
            Code::HostInactive,
            Code::SlotTaken,
            Code::SlotNotOffered,
            Code::IdempotencyKeyReused,
            Code::AvailabilityUnknown,
        ],
    ),
    ("downloadInvitation", &[Code::NotFound]),
    ("showMe", &[Code::Unauthenticated]),
    (
        "listBookings",
        &[
            Code::Unauthenticated,
            Code::InvalidParameter,
            Code::RangeInverted,
        ],
    ),
    ("showHostBooking", &[Code::Unauthenticated, Code::NotFound]),
    (
        "cancelHostBooking",
        &[
            Code::Unauthenticated,
            Code::InvalidBody,
            Code::BodyTooLarge,
            Code::UnsupportedMediaType,
            Code::NotFound,
            Code::ValidationFailed,
            Code::HoldExpired,
            Code::BookingCancelled,
            Code::BookingFinished,
            Code::RevisionConflict,
        ],
    ),
    (
        "rescheduleHostBooking",
        &[
            Code::Unauthenticated,
            Code::InvalidBody,
            Code::InvalidHeader,
            Code::BodyTooLarge,
            Code::UnsupportedMediaType,
            Code::NotFound,
            Code::NotConfirmed,
            Code::HoldExpired,
            Code::BookingCancelled,
            Code::BookingFinished,
            Code::AlreadyStarted,
            Code::RevisionConflict,
            Code::Unchanged,
            Code::SlotTaken,
            Code::SlotNotOffered,
            Code::IdempotencyKeyReused,
            Code::AvailabilityUnknown,
        ],
    ),
    (
        "reassignBooking",
        &[
            Code::Unauthenticated,
            Code::InvalidBody,
            Code::BodyTooLarge,
            Code::UnsupportedMediaType,
            Code::NotFound,
            Code::ValidationFailed,
            Code::NotConfirmed,
            Code::HoldExpired,
            Code::BookingCancelled,
            Code::BookingFinished,
            Code::AlreadyStarted,
            Code::RevisionConflict,
            Code::HostInactive,
            Code::SlotTaken,
            Code::AvailabilityUnknown,
        ],
    ),
    ("completeBooking", FINISH),
    ("markNoShow", FINISH),
    (
        "importCalendar",
        &[
            Code::Unauthenticated,
            Code::InvalidBody,
            Code::BodyTooLarge,
            Code::UnsupportedMediaType,
            Code::NotFound,
            Code::ValidationFailed,
            Code::CalendarReadOnly,
            Code::BookedEventLocked,
            Code::Overloaded,
        ],
    ),
    (
        "createFeed",
        &[
            Code::Unauthenticated,
            Code::InvalidBody,
            Code::BodyTooLarge,
            Code::UnsupportedMediaType,
            Code::NotFound,
            Code::ValidationFailed,
            Code::TooManyFeeds,
        ],
    ),
    ("listFeeds", &[Code::Unauthenticated, Code::NotFound]),
    ("deleteFeed", &[Code::Unauthenticated, Code::NotFound]),
    (
        "exportCalendar",
        &[Code::Unauthenticated, Code::NotFound, Code::Overloaded],
    ),
    (
        "readFeed",
        &[Code::NotFound, Code::AvailabilityUnknown, Code::Overloaded],
    ),
    (
        "subscribeCalendar",
        &[
            Code::Unauthenticated,
            Code::InvalidBody,
            Code::BodyTooLarge,
            Code::UnsupportedMediaType,
            Code::ValidationFailed,
            Code::TooManyCalendars,
        ],
    ),
    (
        "showCalendarSync",
        &[Code::Unauthenticated, Code::NotFound, Code::NotSubscribed],
    ),
    (
        "syncCalendar",
        &[Code::Unauthenticated, Code::NotFound, Code::NotSubscribed],
    ),
    ("listCalendars", &[Code::Unauthenticated]),
    (
        "createCalendar",
        &[
            Code::Unauthenticated,
            Code::InvalidBody,
            Code::BodyTooLarge,
            Code::UnsupportedMediaType,
            Code::ValidationFailed,
        ],
    ),
    (
        "changeCalendar",
        &[
            Code::Unauthenticated,
            Code::InvalidBody,
            Code::BodyTooLarge,
            Code::UnsupportedMediaType,
            Code::NotFound,
            Code::NotPermitted,
            Code::ValidationFailed,
        ],
    ),
    (
        "deleteCalendar",
        &[
            Code::Unauthenticated,
            Code::NotFound,
            Code::NotPermitted,
            Code::PersonalCalendar,
            Code::CalendarHasBookings,
        ],
    ),
    (
        "addCalendarMember",
        &[Code::Unauthenticated, Code::NotFound, Code::NotPermitted],
    ),
    (
        "removeCalendarMember",
        &[Code::Unauthenticated, Code::NotFound, Code::NotPermitted],
    ),
    (
        "showBusy",
        &[
            Code::Unauthenticated,
            Code::InvalidParameter,
            Code::NotFound,
            Code::RangeTooLong,
            Code::RangeInverted,
            Code::AvailabilityUnknown,
        ],
    ),
    (
        "explainStart",
        &[
            Code::Unauthenticated,
            Code::InvalidParameter,
            Code::NotFound,
        ],
    ),
];

/// Every code that an operation may answer; none for those of operators.
#[must_use]
pub fn errors_of(operation: &str) -> Vec<Code> {
    OPERATION_ERRORS
        .iter()
        .find(|(name, _)| *name == operation)
        .map(|(_, codes)| {
            // Without a body and a database there is no fault of ours but a bug.
            let common = PUBLIC
                .iter()
                .filter(|code| operation != "parseAvailability" || **code == Code::RateLimited);
            codes.iter().chain(common).copied().collect()
        })
        .unwrap_or_default()
}

/// Adds to each operation its error answers, one a status, with an example for each code.
pub struct ErrorResponses;

impl Modify for ErrorResponses {
    fn modify(&self, document: &mut Document) {
        for item in document.paths.paths.values_mut() {
            for operation in [
                &mut item.get,
                &mut item.post,
                &mut item.put,
                &mut item.patch,
                &mut item.delete,
            ]
            .into_iter()
            .flatten()
            {
                add_errors(operation);
                // Said of every operation: one without a scheme is for everybody.
                operation
                    .security
                    .get_or_insert_with(|| vec![SecurityRequirement::default()]);
            }
        }
    }
}

fn add_errors(operation: &mut Operation) {
    let mut codes = errors_of(operation.operation_id.as_deref().unwrap_or_default());
    codes.sort_by_key(|code| (code.status().as_u16(), code.as_str()));
    for same_status in codes.chunk_by(|a, b| a.status() == b.status()) {
        let mut content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem")));
        let mut words = Vec::new();
        for code in same_status {
            let example = ExampleBuilder::new()
                .summary(code.title())
                .value(serde_json::to_value(ApiError::new(*code).problem()).ok());
            content = content.examples_from_iter([(code.as_str(), RefOr::T(example.build()))]);
            words.push(format!("`{}`: {}", code.as_str(), code.title()));
        }
        let response = ResponseBuilder::new()
            .description(words.join(" "))
            .content("application/problem+json", content.build());
        let status = same_status
            .first()
            .map(|code| code.status().as_str().to_owned())
            .unwrap_or_default();
        operation
            .responses
            .responses
            .insert(status, RefOr::T(response.build()));
    }
}
