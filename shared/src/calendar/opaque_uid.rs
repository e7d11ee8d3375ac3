//! UIDs of a feed that shows busy time alone: they lead nobody to a booking but this installation
//! itself, which must know its own bookings when the feed comes back to it.

use uuid::Uuid;

use crate::{
    fingerprint::{FingerprintKey, Purpose},
    instant::Span,
    token::{hex, unhex},
};

/// The UID of a booking: its id, encrypted so that the same booking always has the same UID. Half
/// of it is a keyed hash of the id, by which the key for the other half is made.
#[must_use]
pub fn of_booking(key: &FingerprintKey, booking: Uuid) -> String {
    let tag = tag(key, booking);
    let id = masked(key, tag, *booking.as_bytes());
    format!("{}{}", hex(&tag), hex(&id))
}

/// The booking that a UID stands for; `None` for every other text.
#[must_use]
pub fn booking(key: &FingerprintKey, uid: &str) -> Option<Uuid> {
    let bytes: [u8; 32] = unhex(uid)?.try_into().ok()?;
    let (tag_bytes, id) = bytes.split_first_chunk::<16>()?;
    let id = Uuid::from_bytes(masked(key, *tag_bytes, id.try_into().ok()?));
    (tag(key, id) == *tag_bytes).then_some(id)
}

/// The UID of a stretch of busy time of a calendar; it looks like that of a booking.
#[must_use]
pub fn of_span(key: &FingerprintKey, calendar: Uuid, span: Span) -> String {
    let mut bytes = b"span ".to_vec();
    bytes.extend_from_slice(calendar.as_bytes());
    for at in [span.from, span.to] {
        bytes.extend_from_slice(&at.as_microsecond().to_be_bytes());
    }
    hex(&key.of(Purpose::FeedUid, &bytes))
}

fn tag(key: &FingerprintKey, booking: Uuid) -> [u8; 16] {
    half(key, b"booking ", booking.as_bytes())
}

fn masked(key: &FingerprintKey, tag: [u8; 16], id: [u8; 16]) -> [u8; 16] {
    let mut out = half(key, b"mask ", &tag);
    for (byte, plain) in out.iter_mut().zip(id) {
        *byte ^= plain;
    }
    out
}

fn half(key: &FingerprintKey, label: &[u8], bytes: &[u8]) -> [u8; 16] {
    let whole = key.of(Purpose::FeedUid, &[label, bytes].concat());
    let mut half = [0; 16];
    half.copy_from_slice(&whole[..16]);
    half
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use base64::{Engine as _, engine::general_purpose::STANDARD};

    use super::*;

    fn key(byte: u8) -> FingerprintKey {
        FingerprintKey::parse(&STANDARD.encode([byte; 32])).unwrap()
    }

    #[test]
    fn only_the_key_leads_from_a_uid_to_its_booking() {
        let id = Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001);
        let uid = of_booking(&key(1), id);
        assert_eq!(uid.len(), 64);
        assert_eq!(uid, of_booking(&key(1), id), "always the same");
        assert_eq!(booking(&key(1), &uid), Some(id));
        assert_eq!(booking(&key(2), &uid), None);
        assert!(!uid.contains(&id.simple().to_string()[..8]));
        let next = of_booking(&key(1), Uuid::from_u128(id.as_u128() + 1));
        assert_ne!(uid[..32], next[..32]);
        assert_ne!(
            uid[32..],
            next[32..],
            "two ids under one mask would show how they differ"
        );
        for other in [
            "",
            "00",
            &uid[1..],
            &next.replace('0', "1"),
            &"z".repeat(64),
        ] {
            assert_eq!(booking(&key(1), other), None, "{other}");
        }
    }

    #[test]
    fn a_stretch_of_time_looks_like_a_booking_and_is_none() {
        let at = |text: &str| text.parse().unwrap();
        let span = Span::new(at("2026-06-02T09:00:00Z"), at("2026-06-02T10:00:00Z")).unwrap();
        let uid = of_span(&key(1), Uuid::nil(), span);
        assert_eq!(uid.len(), 64);
        assert_eq!(booking(&key(1), &uid), None);
        assert_ne!(uid, of_span(&key(1), Uuid::max(), span));
        let later = Span::new(span.from, span.to.plus_minutes(1)).unwrap();
        assert_ne!(uid, of_span(&key(1), Uuid::nil(), later));
    }
}
