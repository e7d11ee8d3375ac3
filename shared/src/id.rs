//! Ids: UUIDv7 (RFC 9562), made here from an instant and random bytes.

use uuid::{Builder, Uuid};

use crate::{
    instant::Instant,
    random::{NoRandomness, Random},
};

/// A new id. Ids sort by the millisecond they were made in.
///
/// # Errors
/// [`NoRandomness`] when the operating system's generator fails.
pub fn new(now: Instant, random: &Random) -> Result<Uuid, NoRandomness> {
    let millis = u64::try_from(now.timestamp().as_millisecond()).unwrap_or(0);
    Ok(Builder::from_unix_timestamp_millis(millis, &random.bytes()?).into_uuid())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn ids_are_version_7_and_sort_by_time() {
        let random = Random::seeded(1);
        let at = |s| Instant::from_second(s).unwrap();
        let (a, b) = (
            new(at(1_000), &random).unwrap(),
            new(at(1_001), &random).unwrap(),
        );
        assert_eq!(a.get_version_num(), 7);
        assert!(a < b);
    }
}
