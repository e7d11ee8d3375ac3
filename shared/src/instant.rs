//! Instants, civil dates and half-open spans as the domain and the database share them.
//!
//! PostgreSQL keeps microseconds, so an [`Instant`] is truncated to microseconds when it is made:
//! a value compares equal to itself after a round trip through the database.

use std::{fmt, ops::Bound, str::FromStr};

use jiff::{SignedDuration, Timestamp, civil};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sqlx::{
    Decode, Encode, Postgres, Type,
    encode::IsNull,
    error::BoxDynError,
    postgres::{
        PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueFormat, PgValueRef,
        types::{Oid, PgRange},
    },
};

/// Microseconds from the Unix epoch to PostgreSQL's own (2000-01-01).
const PG_EPOCH_US: i64 = 946_684_800_000_000;
/// PostgreSQL counts days of a `date` from here.
const PG_EPOCH_DAY: civil::Date = civil::date(2000, 1, 1);

/// A point in time, UTC, in whole microseconds. A `timestamptz` in the database, RFC 3339 in JSON.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(Timestamp);

impl Instant {
    /// The instant, truncated to microseconds.
    #[must_use]
    pub fn new(timestamp: Timestamp) -> Self {
        Self(Timestamp::from_microsecond(timestamp.as_microsecond()).unwrap_or(timestamp))
    }

    /// The instant so many microseconds after the Unix epoch; `None` outside jiff's range
    /// (years -9999 to 9999).
    #[must_use]
    pub fn from_microsecond(us: i64) -> Option<Self> {
        Timestamp::from_microsecond(us).ok().map(Self)
    }

    /// The instant so many seconds after the Unix epoch; `None` outside jiff's range.
    #[must_use]
    pub fn from_second(second: i64) -> Option<Self> {
        Timestamp::from_second(second).ok().map(Self)
    }

    /// Microseconds since the Unix epoch.
    #[must_use]
    pub fn as_microsecond(self) -> i64 {
        self.0.as_microsecond()
    }

    /// jiff's own type, for calendar arithmetic.
    #[must_use]
    pub const fn timestamp(self) -> Timestamp {
        self.0
    }

    /// Later (or, with a negative number, earlier) by whole minutes, held at the ends of time.
    #[must_use]
    pub fn plus_minutes(self, minutes: i64) -> Self {
        self.plus(SignedDuration::from_secs(minutes.saturating_mul(60)))
    }

    /// Later (or earlier) by a duration, held at the ends of time.
    #[must_use]
    pub fn plus(self, duration: SignedDuration) -> Self {
        self.0.saturating_add(duration).map_or(self, Self::new)
    }

    /// How long after `earlier` this is; negative if it is before.
    #[must_use]
    pub fn since(self, earlier: Self) -> SignedDuration {
        self.0.duration_since(earlier.0)
    }

    /// Reads RFC 3339 exactly: a full date, `T`, a time with seconds, and `Z` or a numeric
    /// offset. jiff alone would also take a space, `+02` or a bracketed zone.
    ///
    /// # Errors
    /// [`InvalidInstant`] for every other form, and for what lies outside the years 1 to 9999.
    pub fn parse_rfc3339(text: &str) -> Result<Self, InvalidInstant> {
        if !is_rfc3339(text.as_bytes()) {
            return Err(InvalidInstant);
        }
        text.parse().map(Self::new).map_err(|_| InvalidInstant)
    }
}

/// The text is no RFC 3339 date and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an RFC 3339 date and time such as 2026-03-29T01:30:00Z")]
pub struct InvalidInstant;

/// `date-time` of RFC 3339, section 5.6, by form alone; values are jiff's to judge.
fn is_rfc3339(text: &[u8]) -> bool {
    let digits = |range: std::ops::Range<usize>| {
        text.get(range)
            .is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    let byte = |at: usize, want: u8| text.get(at) == Some(&want);
    let head = digits(0..4)
        && byte(4, b'-')
        && digits(5..7)
        && byte(7, b'-')
        && digits(8..10)
        && (byte(10, b'T') || byte(10, b't'))
        && digits(11..13)
        && byte(13, b':')
        && digits(14..16)
        && byte(16, b':')
        && digits(17..19);
    if !head {
        return false;
    }
    let mut at = 19;
    if byte(at, b'.') {
        let fraction = text[at + 1..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        if fraction == 0 || fraction > 9 {
            return false;
        }
        at += 1 + fraction;
    }
    match text.get(at) {
        Some(b'Z' | b'z') => text.len() == at + 1,
        Some(b'+' | b'-') => {
            text.len() == at + 6
                && digits(at + 1..at + 3)
                && byte(at + 3, b':')
                && digits(at + 4..at + 6)
        }
        _ => false,
    }
}

impl From<Timestamp> for Instant {
    fn from(timestamp: Timestamp) -> Self {
        Self::new(timestamp)
    }
}

impl FromStr for Instant {
    type Err = InvalidInstant;
    fn from_str(text: &str) -> Result<Self, InvalidInstant> {
        Self::parse_rfc3339(text)
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Instant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Instant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Self::parse_rfc3339(&text).map_err(serde::de::Error::custom)
    }
}

impl utoipa::PartialSchema for Instant {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .description(Some(
                "An instant, RFC 3339; answers are always in UTC (`Z`).",
            ))
            .examples(["2026-12-01T14:00:00Z"])
            .into()
    }
}

impl utoipa::ToSchema for Instant {
    fn name() -> std::borrow::Cow<'static, str> {
        "Instant".into()
    }
}

impl Type<Postgres> for Instant {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(1184))
    }
}

impl PgHasArrayType for Instant {
    fn array_type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(1185))
    }
}

impl Encode<'_, Postgres> for Instant {
    fn encode_by_ref(&self, buf: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        Encode::<Postgres>::encode(self.0.as_microsecond() - PG_EPOCH_US, buf)
    }
}

impl<'r> Decode<'r, Postgres> for Instant {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        match value.format() {
            PgValueFormat::Binary => <i64 as Decode<Postgres>>::decode(value)?
                .checked_add(PG_EPOCH_US)
                .and_then(Self::from_microsecond)
                .ok_or_else(|| "timestamptz out of range, or infinite".into()),
            PgValueFormat::Text => Ok(Self::new(value.as_str()?.parse()?)),
        }
    }
}

/// A civil date, without a zone. A `date` in the database, `YYYY-MM-DD` in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Day(pub civil::Date);

impl utoipa::PartialSchema for Day {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Date)))
            .description(Some("A civil date, `YYYY-MM-DD`."))
            .examples(["2026-12-01"])
            .into()
    }
}

impl utoipa::ToSchema for Day {
    fn name() -> std::borrow::Cow<'static, str> {
        "Day".into()
    }
}

impl Type<Postgres> for Day {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(1082))
    }
}

impl PgHasArrayType for Day {
    fn array_type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(1182))
    }
}

impl Encode<'_, Postgres> for Day {
    fn encode_by_ref(&self, buf: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let days = self.0.duration_since(PG_EPOCH_DAY).as_hours() / 24;
        Encode::<Postgres>::encode(i32::try_from(days)?, buf)
    }
}

impl<'r> Decode<'r, Postgres> for Day {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        match value.format() {
            PgValueFormat::Binary => {
                let days = <i32 as Decode<Postgres>>::decode(value)?;
                let since = SignedDuration::from_hours(i64::from(days) * 24);
                Ok(Self(PG_EPOCH_DAY.checked_add(since)?))
            }
            PgValueFormat::Text => Ok(Self(value.as_str()?.parse()?)),
        }
    }
}

/// A wall-clock time, without a zone. A `timestamp` in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Local(pub civil::DateTime);

impl Type<Postgres> for Local {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(1114))
    }
}

impl Encode<'_, Postgres> for Local {
    fn encode_by_ref(&self, buf: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let since = self.0.duration_since(PG_EPOCH_DAY.at(0, 0, 0, 0));
        Encode::<Postgres>::encode(i64::try_from(since.as_micros())?, buf)
    }
}

impl<'r> Decode<'r, Postgres> for Local {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        match value.format() {
            PgValueFormat::Binary => {
                let since = SignedDuration::from_micros(<i64 as Decode<Postgres>>::decode(value)?);
                Ok(Self(PG_EPOCH_DAY.at(0, 0, 0, 0).checked_add(since)?))
            }
            PgValueFormat::Text => Ok(Self(value.as_str()?.parse()?)),
        }
    }
}

/// A half-open stretch of time, `[from, to)`: the only shape of range that the tables hold.
/// Two spans that touch do not overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first instant inside.
    pub from: Instant,
    /// The first instant after it.
    pub to: Instant,
}

impl Span {
    /// A span, if `from` is before `to`.
    #[must_use]
    pub fn new(from: Instant, to: Instant) -> Option<Self> {
        (from < to).then_some(Self { from, to })
    }

    /// Whether the two have an instant in common.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        self.from < other.to && other.from < self.to
    }
}

impl Type<Postgres> for Span {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(3910))
    }
}

impl PgHasArrayType for Span {
    fn array_type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(3911))
    }
}

impl Encode<'_, Postgres> for Span {
    fn encode_by_ref(&self, buf: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        PgRange {
            start: Bound::Included(self.from),
            end: Bound::Excluded(self.to),
        }
        .encode_by_ref(buf)
    }
}

impl<'r> Decode<'r, Postgres> for Span {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        match PgRange::<Instant>::decode(value)? {
            PgRange {
                start: Bound::Included(from),
                end: Bound::Excluded(to),
            } => Ok(Self { from, to }),
            other => Err(format!("not a half-open range: {other:?}").into()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn only_the_form_of_rfc_3339_is_read() {
        for good in [
            "2026-03-29T01:30:00Z",
            "2026-03-29t01:30:00z",
            "2026-03-29T01:30:00.123456789+02:00",
            "2026-03-29T01:30:00-11:30",
        ] {
            assert!(Instant::parse_rfc3339(good).is_ok(), "{good}");
        }
        for bad in [
            "2026-03-29 01:30:00Z",
            "2026-03-29T01:30Z",
            "2026-03-29T01:30:00",
            "2026-03-29T01:30:00+02",
            "2026-03-29T01:30:00+0200",
            "2026-03-29T01:30:00+02:00[Europe/Berlin]",
            "2026-03-29T01:30:00.Z",
            "2026-02-30T01:30:00Z",
            "+002026-03-29T01:30:00Z",
            "2026-03-29",
            "1790000000",
            "",
        ] {
            assert!(Instant::parse_rfc3339(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn nanoseconds_are_cut_when_the_instant_is_made() {
        let fine: Instant = "2026-03-29T00:59:59.123456789Z".parse().unwrap();
        assert_eq!(fine.to_string(), "2026-03-29T00:59:59.123456Z");
        let before_1970: Instant = "1969-12-31T23:59:59.999999500Z".parse().unwrap();
        assert_eq!(
            before_1970,
            Instant::from_microsecond(before_1970.as_microsecond()).unwrap()
        );
    }

    #[test]
    fn spans_that_touch_do_not_overlap() {
        let at = |s: i64| Instant::from_second(s).unwrap();
        let span = |a, b| Span::new(at(a), at(b)).unwrap();
        assert!(!span(0, 10).overlaps(span(10, 20)));
        assert!(span(0, 11).overlaps(span(10, 20)));
        assert!(Span::new(at(10), at(10)).is_none());
    }
}
