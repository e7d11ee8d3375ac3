//! What a booker asks for, checked against the page: all faults at once.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    Page,
    answer::{self, Answer},
};
use crate::{
    address::EmailAddress,
    instant::Instant,
    locale::Locale,
    object,
    zone::{UnknownZone, Zone, Zones},
};

/// The most guests of one booking.
pub const MAX_GUESTS: usize = 10;
/// The longest name, in characters.
pub const MAX_NAME_CHARS: usize = 100;
/// The longest note, in characters.
pub const MAX_NOTE_CHARS: usize = 2_000;

/// A request as it came in.
#[derive(Clone, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RawBooking {
    /// The start of a slot, as `slots` gave it.
    pub start: Instant,
    /// The booker's zone, an IANA name: their mail and pages tell times in it.
    #[schema(example = "Europe/Paris", max_length = 64)]
    pub zone: String,
    /// The booker's name, 1 to 100 characters.
    #[schema(example = "Sam Lee", min_length = 1, max_length = 100)]
    pub name: String,
    /// The booker's address.
    #[schema(example = "sam@example.com", format = Email, max_length = 254)]
    pub email: String,
    /// A note to the host, at most 2,000 characters.
    #[serde(default)]
    #[schema(max_length = 2000)]
    pub note: Option<String>,
    /// Others to invite, where the page allows it; at most 10.
    #[serde(default, deserialize_with = "object::list")]
    #[schema(max_items = 10)]
    pub guests: Vec<RawGuest>,
    /// Answers by question id: a text, an option, a list of options, or true or false.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, Value>)]
    pub answers: BTreeMap<String, Value>,
    /// The language of the booker's mail. Default: `Accept-Language`, else English.
    #[serde(default, skip_serializing)]
    #[schema(example = "en")]
    pub locale: Option<String>,
}

/// A guest as they came in.
#[derive(Clone, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RawGuest {
    /// The guest's address.
    #[schema(example = "kim@example.com", format = Email, max_length = 254)]
    pub email: String,
    /// The guest's name.
    #[serde(default)]
    #[schema(max_length = 100)]
    pub name: Option<String>,
}

/// A guest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guest {
    pub email: EmailAddress,
    pub name: Option<String>,
}

/// A request that breaks no rule of its own.
#[derive(Clone)]
pub struct BookingRequest {
    pub start: Instant,
    pub zone: Zone,
    pub name: String,
    pub email: EmailAddress,
    pub note: Option<String>,
    pub guests: Vec<Guest>,
    pub answers: Vec<Answer>,
    pub locale: Locale,
}

/// One fault of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFault {
    /// A JSON Pointer into the request.
    pub pointer: String,
    /// A stable word.
    pub code: &'static str,
    /// A sentence.
    pub detail: String,
}

impl FieldFault {
    pub(super) fn new(
        pointer: impl Into<String>,
        code: &'static str,
        detail: impl Into<String>,
    ) -> Self {
        Self {
            pointer: pointer.into(),
            code,
            detail: detail.into(),
        }
    }
}

/// Why a request is refused as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidRequest {
    /// The zone cannot be read: 400.
    Zone(UnknownZone),
    /// The page takes no guests, and there are some.
    GuestsNotAllowed,
    /// Everything that breaks a rule: 422.
    Faults(Vec<FieldFault>),
}

impl BookingRequest {
    /// Checks a request against its page.
    ///
    /// # Errors
    /// [`InvalidRequest`].
    pub fn parse(
        raw: &RawBooking,
        page: &Page,
        zones: &Zones,
        wished: Locale,
    ) -> Result<Self, InvalidRequest> {
        let zone = zones.get(raw.zone.trim()).map_err(InvalidRequest::Zone)?;
        if !page.allow_guests && !raw.guests.is_empty() {
            return Err(InvalidRequest::GuestsNotAllowed);
        }
        let mut faults = Vec::new();
        let name = parse_name("/name", &raw.name, &mut faults);
        if raw.name.trim().is_empty() {
            faults.push(FieldFault::new("/name", "missing", "a name is needed"));
        }
        let email = match raw.email.parse::<EmailAddress>() {
            Ok(email) => Some(email),
            Err(error) => {
                faults.push(FieldFault::new(
                    "/email",
                    address_code(error),
                    error.to_string(),
                ));
                None
            }
        };
        let note = raw
            .note
            .as_deref()
            .map(str::trim)
            .filter(|note| !note.is_empty());
        if let Some(note) = note {
            check_prose("/note", note, MAX_NOTE_CHARS, &mut faults);
        }
        let guests = parse_guests(&raw.guests, email.as_ref(), &mut faults);
        let answers = answer::parse(&raw.answers, &page.questions, &mut faults);
        match (email, faults.is_empty()) {
            (Some(email), true) => Ok(Self {
                start: raw.start,
                zone,
                name,
                email,
                note: note.map(str::to_owned),
                guests,
                answers,
                locale: raw.locale.as_deref().map_or(wished, Locale::from_tag),
            }),
            _ => Err(InvalidRequest::Faults(faults)),
        }
    }
}

fn address_code(error: crate::address::InvalidAddress) -> &'static str {
    use crate::address::InvalidAddress;
    match error {
        InvalidAddress::Missing => "missing",
        InvalidAddress::TooLong => "too_long",
        InvalidAddress::Malformed => "invalid_email",
    }
}

fn parse_name(pointer: &str, name: &str, faults: &mut Vec<FieldFault>) -> String {
    let name = name.trim();
    if name.chars().count() > MAX_NAME_CHARS {
        faults.push(FieldFault::new(
            pointer,
            "too_long",
            format!("at most {MAX_NAME_CHARS} characters"),
        ));
    }
    if name
        .chars()
        .any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'))
    {
        faults.push(FieldFault::new(
            pointer,
            "control_characters",
            "control characters and line breaks are not allowed",
        ));
    }
    name.to_owned()
}

/// Text of several lines: bounded, and without control characters but breaks and tabs.
pub(super) fn check_prose(
    pointer: &str,
    text: &str,
    max_chars: usize,
    faults: &mut Vec<FieldFault>,
) {
    if text.chars().count() > max_chars {
        faults.push(FieldFault::new(
            pointer,
            "too_long",
            format!("at most {max_chars} characters"),
        ));
    }
    if text
        .chars()
        .any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
    {
        faults.push(FieldFault::new(
            pointer,
            "control_characters",
            "control characters are not allowed",
        ));
    }
}

fn parse_guests(
    raw: &[RawGuest],
    booker: Option<&EmailAddress>,
    faults: &mut Vec<FieldFault>,
) -> Vec<Guest> {
    if raw.len() > MAX_GUESTS {
        faults.push(FieldFault::new(
            "/guests",
            "too_many",
            format!("at most {MAX_GUESTS} guests"),
        ));
        return Vec::new();
    }
    let mut guests: Vec<Guest> = Vec::with_capacity(raw.len());
    for (position, guest) in raw.iter().enumerate() {
        let pointer = format!("/guests/{position}/email");
        let name = guest
            .name
            .as_deref()
            .map(|name| parse_name(&format!("/guests/{position}/name"), name, faults));
        match guest.email.parse::<EmailAddress>() {
            Err(error) => faults.push(FieldFault::new(
                pointer,
                address_code(error),
                error.to_string(),
            )),
            Ok(email) => {
                let key = email.matching_key();
                let known = booker.is_some_and(|booker| booker.matching_key() == key);
                if known || guests.iter().any(|held| held.email.matching_key() == key) {
                    faults.push(FieldFault::new(
                        pointer,
                        "repeated",
                        "this address stands twice",
                    ));
                }
                guests.push(Guest {
                    email,
                    name: name.filter(|name| !name.is_empty()),
                });
            }
        }
    }
    guests
}

/// The id of a question, from the key of an answer.
pub(super) fn question_id(key: &str) -> Option<Uuid> {
    key.parse().ok()
}
