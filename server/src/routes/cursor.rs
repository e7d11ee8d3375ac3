//! Where a list goes on: a place by time and id, in a text that callers pass back as it is.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use shared::{instant::Instant, store::host_bookings::Position};
use uuid::Uuid;

use crate::error::{ApiError, Code};

/// The text of a place.
#[must_use]
pub fn write(place: Position) -> String {
    let mut bytes = [0; 24];
    bytes[..8].copy_from_slice(&place.start_at.as_microsecond().to_be_bytes());
    bytes[8..].copy_from_slice(place.booking_id.as_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The place of a text.
///
/// # Errors
/// 400 for what [`write`] never wrote.
pub fn read(text: &str) -> Result<Position, ApiError> {
    let place = || {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (at, id) = bytes.split_first_chunk::<8>()?;
        Some(Position {
            start_at: Instant::from_microsecond(i64::from_be_bytes(*at))?,
            booking_id: Uuid::from_slice(id).ok()?,
        })
    };
    place().ok_or_else(|| {
        let what = "send a next_cursor as it was answered";
        ApiError::new(Code::InvalidParameter)
            .detail(format_args!("cursor: {what}"))
            .at("cursor", "invalid_cursor", what)
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn a_place_comes_back_as_it_was() {
        for second in [-62_135_596_800, 0, 1_800_000_000] {
            let place = Position {
                start_at: Instant::from_second(second).unwrap(),
                booking_id: Uuid::from_u128(7),
            };
            let text = write(place);
            assert!(
                text.bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
            );
            assert_eq!(read(&text).unwrap(), place);
        }
    }

    #[test]
    fn what_is_no_place_is_refused() {
        let good = write(Position {
            start_at: Instant::from_second(0).unwrap(),
            booking_id: Uuid::nil(),
        });
        let beyond = URL_SAFE_NO_PAD.encode([0x7f; 24]);
        let padded = format!("{good}=");
        for text in [
            "",
            "x",
            &good[1..],
            &good[..31],
            &padded,
            "!!!",
            beyond.as_str(),
        ] {
            assert_eq!(
                read(text).unwrap_err().code(),
                Code::InvalidParameter,
                "{text}"
            );
        }
    }
}
