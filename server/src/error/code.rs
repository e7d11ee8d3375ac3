//! Every code that an answer may carry, with its status and its title.

use actix_web::http::StatusCode;

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $code:literal, $status:ident, $title:literal;)*) => {
        /// A stable code of an error answer.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($(#[$doc])* $variant,)* }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The code as it stands in answers.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            /// The HTTP status that goes with it.
            #[must_use]
            pub const fn status(self) -> StatusCode {
                match self { $(Self::$variant => StatusCode::$status,)* }
            }

            /// One sentence for people; also the detail where there is nothing more to say.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }
        }
    };
}

codes! {
    /// The body is no JSON, or not of the documented shape.
    InvalidBody = "invalid_body", BAD_REQUEST, "The request body cannot be read.";
    /// A query or path parameter cannot be read.
    InvalidParameter = "invalid_parameter", BAD_REQUEST, "A request parameter cannot be read.";
    /// A header cannot be read.
    InvalidHeader = "invalid_header", BAD_REQUEST, "A request header cannot be read.";
    /// The zone is not in the IANA table.
    UnknownZone = "unknown_zone", BAD_REQUEST, "The time zone is not known.";
    /// No API key, or one that opens nothing: malformed, unknown, revoked, of an inactive host.
    Unauthenticated = "unauthenticated", UNAUTHORIZED, "A valid API key is needed.";
    /// A page form that another site sent.
    CrossSite = "cross_site", FORBIDDEN, "This form was not sent from its own page.";
    /// What may be known and not done: by a member of a calendar, what its owner alone may.
    NotPermitted = "not_permitted", FORBIDDEN, "You may not do this.";
    /// Unknown, malformed and missing tokens, unknown and unpublished pages, unknown paths.
    NotFound = "not_found", NOT_FOUND, "Nothing is here.";
    /// The path exists, the method does not.
    MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED, "This method is not allowed here.";
    /// Somebody else has the time.
    SlotTaken = "slot_taken", CONFLICT, "This time has just been taken.";
    /// The revision named is not the current one.
    RevisionConflict = "revision_conflict", CONFLICT, "The booking has changed since it was read.";
    /// The booking is cancelled.
    BookingCancelled = "booking_cancelled", CONFLICT, "The booking is cancelled.";
    /// The hold lapsed, or was released.
    HoldExpired = "hold_expired", CONFLICT, "The time was not confirmed and has been released.";
    /// The hold is not confirmed yet.
    NotConfirmed = "not_confirmed", CONFLICT, "The booking is not confirmed yet.";
    /// Completed, or a no-show.
    BookingFinished = "booking_finished", CONFLICT, "The meeting is over.";
    /// The meeting has begun.
    AlreadyStarted = "already_started", CONFLICT, "The meeting has already started.";
    /// The meeting has not begun: for its host alone.
    NotStarted = "not_started", CONFLICT, "The meeting has not started yet.";
    /// The booker moved it as often as they may.
    RescheduleLimit = "reschedule_limit", CONFLICT, "This booking cannot be moved again online.";
    /// A move to the time that it has.
    Unchanged = "unchanged", CONFLICT, "The booking is already at this time.";
    /// The host takes no bookings at present.
    HostInactive = "host_inactive", CONFLICT, "The host takes no bookings at present.";
    /// A subscribed calendar, or somebody else's personal one.
    CalendarReadOnly = "calendar_read_only", CONFLICT, "The events of this calendar cannot be written.";
    /// A change of what decides when a booked event takes place.
    BookedEventLocked = "booked_event_locked", CONFLICT, "The times of a booked event are its booking's.";
    /// The calendar is not read from an address.
    NotSubscribed = "not_subscribed", CONFLICT, "The calendar is not a subscribed one.";
    /// The host has as many calendars of the kind as one may have.
    TooManyCalendars = "too_many_calendars", CONFLICT, "There are too many calendars of this kind.";
    /// The personal calendar goes with its host.
    PersonalCalendar = "personal_calendar", CONFLICT, "The personal calendar cannot be deleted.";
    /// A calendar that bookings have their events on.
    CalendarHasBookings = "calendar_has_bookings", CONFLICT, "Bookings have their events on this calendar.";
    /// The host has as many feeds of the calendar as one may have.
    TooManyFeeds = "too_many_feeds", CONFLICT, "There are too many feeds of this calendar.";
    /// Over the body limit.
    BodyTooLarge = "body_too_large", PAYLOAD_TOO_LARGE, "The request body is too large.";
    /// Not `application/json`, or not a form on pages.
    UnsupportedMediaType = "unsupported_media_type", UNSUPPORTED_MEDIA_TYPE, "The content type is not supported.";
    /// What can be read breaks a rule; `errors` says which, all at once.
    ValidationFailed = "validation_failed", UNPROCESSABLE_ENTITY, "Some fields are not valid.";
    /// More than 62 days asked at once.
    RangeTooLong = "range_too_long", UNPROCESSABLE_ENTITY, "The range is longer than 62 days.";
    /// `to` is not after `from`.
    RangeInverted = "range_inverted", UNPROCESSABLE_ENTITY, "The range ends before it begins.";
    /// The rules never offer this start.
    SlotNotOffered = "slot_not_offered", UNPROCESSABLE_ENTITY, "This time is not offered.";
    /// The event type takes no guests.
    GuestsNotAllowed = "guests_not_allowed", UNPROCESSABLE_ENTITY, "This event type takes no guests.";
    /// The key was used with another request.
    IdempotencyKeyReused = "idempotency_key_reused", UNPROCESSABLE_ENTITY, "This idempotency key was used with another request.";
    /// Too many requests from this client.
    RateLimited = "rate_limited", TOO_MANY_REQUESTS, "Too many requests; please wait.";
    /// Too many holds wait for their confirmation.
    TooManyHolds = "too_many_holds", TOO_MANY_REQUESTS, "Too many times are waiting to be confirmed; confirm one or let it lapse.";
    /// Too many bookings in a day.
    TooManyBookings = "too_many_bookings", TOO_MANY_REQUESTS, "Too many bookings were made in a day.";
    /// A fault of ours.
    Internal = "internal", INTERNAL_SERVER_ERROR, "Something went wrong here.";
    /// A calendar or a rule cannot be read, so nothing is called free.
    AvailabilityUnknown = "availability_unknown", SERVICE_UNAVAILABLE, "Times cannot be shown right now.";
    /// Too many slot computations at once.
    Overloaded = "overloaded", SERVICE_UNAVAILABLE, "Too much is asked right now; please try again.";
    /// The database cannot be reached.
    Unavailable = "unavailable", SERVICE_UNAVAILABLE, "The service is not available right now.";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Code;

    #[test]
    fn codes_are_snake_case_and_stand_once() {
        let codes: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(codes.len(), Code::ALL.len());
        for code in codes {
            assert!(
                code.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'),
                "{code}"
            );
        }
    }

    #[test]
    fn every_code_is_an_error_with_a_sentence() {
        for code in Code::ALL {
            assert!(code.status().is_client_error() || code.status().is_server_error());
            assert!(code.title().ends_with('.'), "{code:?}");
        }
    }
}
