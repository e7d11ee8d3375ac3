//! Sealing: personal prose is stored encrypted, each value bound to its place.
//!
//! AES-256-GCM under a key derived by HKDF-SHA-256 from the operator's key, a random 96-bit nonce
//! a value, and the table, column and row id as associated data, so that a value moved elsewhere
//! does not open. Stored as `length of key id | key id | nonce | ciphertext and tag`.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ring::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    hkdf,
};
use uuid::Uuid;

use crate::random::{NoRandomness, Random};

/// Where a sealed value stands. A value opens only there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The table's name.
    pub table: &'static str,
    /// The column's name, without `_sealed`.
    pub column: &'static str,
    /// The row's id.
    pub row: Uuid,
}

impl Place {
    /// A place, in the order that SQL names it.
    #[must_use]
    pub const fn new(table: &'static str, column: &'static str, row: Uuid) -> Self {
        Self { table, column, row }
    }

    fn associated_data(self) -> Vec<u8> {
        let mut data = Vec::with_capacity(self.table.len() + self.column.len() + 18);
        data.extend_from_slice(self.table.as_bytes());
        data.push(0);
        data.extend_from_slice(self.column.as_bytes());
        data.push(0);
        data.extend_from_slice(self.row.as_bytes());
        data
    }
}

/// The keys that open and the one that seals.
pub struct SealKeys {
    /// Never empty; the first seals.
    keys: Vec<(String, LessSafeKey)>,
}

/// What is wrong with `HOLDFAST_KEYS`. Never holds the key itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidKeys {
    /// No pair at all.
    #[error("needs at least one kid:base64 pair")]
    Empty,
    /// A part that is not `kid:base64` with a kid of 1-32 characters of `[A-Za-z0-9_-]`.
    #[error("pair {0} is not kid:base64 with a kid of 1-32 letters, digits, - or _")]
    Pair(usize),
    /// A key that is not 32 bytes of base64.
    #[error("key {0} is not 32 bytes in base64")]
    Length(String),
    /// The same key id twice.
    #[error("key id {0} stands twice")]
    Repeated(String),
}

/// A sealed value does not open.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotOpen {
    /// Sealed by a key that is not among `HOLDFAST_KEYS`.
    #[error("is sealed with key id {0}, which HOLDFAST_KEYS does not have")]
    UnknownKey(String),
    /// Damaged, moved from another place, or sealed by another key of the same id.
    #[error("does not open with key id {0}: damaged, moved, or another key under that id")]
    Refused(String),
    /// Too short to be a sealed value.
    #[error("is no sealed value")]
    Malformed,
}

impl SealKeys {
    /// Reads `kid:base64,kid:base64…`: the first seals, all open.
    ///
    /// # Errors
    /// [`InvalidKeys`] for the first fault.
    pub fn parse(text: &str) -> Result<Self, InvalidKeys> {
        let mut keys: Vec<(String, LessSafeKey)> = Vec::new();
        for (position, pair) in text
            .split([',', '\n'])
            .map(str::trim)
            .filter(|p| !p.is_empty())
            .enumerate()
        {
            let (kid, encoded) = pair
                .split_once(':')
                .ok_or(InvalidKeys::Pair(position + 1))?;
            let kid_ok = (1..=32).contains(&kid.len())
                && kid
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
            if !kid_ok {
                return Err(InvalidKeys::Pair(position + 1));
            }
            if keys.iter().any(|(held, _)| held == kid) {
                return Err(InvalidKeys::Repeated(kid.to_owned()));
            }
            let key = STANDARD
                .decode(encoded.trim())
                .ok()
                .filter(|bytes| bytes.len() == 32)
                .and_then(|secret| derive(&secret))
                .ok_or_else(|| InvalidKeys::Length(kid.to_owned()))?;
            keys.push((kid.to_owned(), key));
        }
        if keys.is_empty() {
            Err(InvalidKeys::Empty)
        } else {
            Ok(Self { keys })
        }
    }

    /// Seals a value for its place, with the first key.
    ///
    /// # Errors
    /// [`NoRandomness`] when the operating system's generator fails.
    pub fn seal(
        &self,
        place: Place,
        plain: &[u8],
        random: &Random,
    ) -> Result<Vec<u8>, NoRandomness> {
        let nonce: [u8; NONCE_LEN] = random.bytes()?;
        let (kid, key) = self.keys.first().ok_or(NoRandomness)?;
        let mut sealed = Vec::with_capacity(1 + kid.len() + NONCE_LEN + plain.len() + 16);
        sealed.push(u8::try_from(kid.len()).unwrap_or(0));
        sealed.extend_from_slice(kid.as_bytes());
        sealed.extend_from_slice(&nonce);
        let head = sealed.len();
        sealed.extend_from_slice(plain);
        let aad = Aad::from(place.associated_data());
        let tag = key
            .seal_in_place_separate_tag(
                Nonce::assume_unique_for_key(nonce),
                aad,
                &mut sealed[head..],
            )
            .map_err(|_| NoRandomness)?;
        sealed.extend_from_slice(tag.as_ref());
        Ok(sealed)
    }

    /// Opens a value at its place.
    ///
    /// # Errors
    /// [`CannotOpen`], which names the key id and never the value.
    pub fn open(&self, place: Place, sealed: &[u8]) -> Result<Vec<u8>, CannotOpen> {
        let (&length, rest) = sealed.split_first().ok_or(CannotOpen::Malformed)?;
        let (kid, rest) = rest
            .split_at_checked(usize::from(length))
            .ok_or(CannotOpen::Malformed)?;
        let (nonce, ciphertext) = rest
            .split_at_checked(NONCE_LEN)
            .ok_or(CannotOpen::Malformed)?;
        let kid = std::str::from_utf8(kid).map_err(|_| CannotOpen::Malformed)?;
        let (_, key) = self
            .keys
            .iter()
            .find(|(held, _)| held == kid)
            .ok_or_else(|| CannotOpen::UnknownKey(kid.to_owned()))?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| CannotOpen::Malformed)?;
        let mut buffer = ciphertext.to_vec();
        let aad = Aad::from(place.associated_data());
        let plain = key
            .open_in_place(nonce, aad, &mut buffer)
            .map_err(|_| CannotOpen::Refused(kid.to_owned()))?
            .len();
        buffer.truncate(plain);
        Ok(buffer)
    }

    /// Opens a value that is text.
    ///
    /// # Errors
    /// [`CannotOpen`], also when what was sealed is no UTF-8.
    pub fn open_text(&self, place: Place, sealed: &[u8]) -> Result<String, CannotOpen> {
        String::from_utf8(self.open(place, sealed)?).map_err(|_| CannotOpen::Malformed)
    }
}

impl std::fmt::Debug for SealKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.keys.iter().map(|(kid, _)| kid))
            .finish()
    }
}

/// The operator's key is never used itself: each purpose has a key derived from it.
fn derive(secret: &[u8]) -> Option<LessSafeKey> {
    let salt = hkdf::Salt::new(hkdf::HKDF_SHA256, b"holdfast");
    let derived = salt.extract(secret);
    let key = derived.expand(&[b"seal v1"], &AES_256_GCM).ok()?;
    Some(LessSafeKey::new(UnboundKey::from(key)))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn keys(kids: &[(&str, u8)]) -> SealKeys {
        let pairs: Vec<String> = kids
            .iter()
            .map(|(kid, fill)| format!("{kid}:{}", STANDARD.encode([*fill; 32])))
            .collect();
        SealKeys::parse(&pairs.join(",")).unwrap()
    }

    const ROW: Uuid = Uuid::from_u128(7);
    const NAME: Place = Place::new("bookings", "booker_name", ROW);

    #[test]
    fn a_value_opens_at_its_place_and_nowhere_else() {
        let keys = keys(&[("a", 1)]);
        let sealed = keys
            .seal(NAME, "Zoë".as_bytes(), &Random::seeded(1))
            .unwrap();
        assert_eq!(keys.open_text(NAME, &sealed).unwrap(), "Zoë");
        for elsewhere in [
            Place {
                table: "hosts",
                ..NAME
            },
            Place {
                column: "note",
                ..NAME
            },
            Place {
                row: Uuid::from_u128(8),
                ..NAME
            },
        ] {
            assert_eq!(
                keys.open(elsewhere, &sealed),
                Err(CannotOpen::Refused("a".into()))
            );
        }
    }

    #[test]
    fn every_value_has_its_own_nonce_and_hides_its_text() {
        let keys = keys(&[("a", 1)]);
        let random = Random::system();
        let (one, two) = (
            keys.seal(NAME, b"Ana Novak", &random).unwrap(),
            keys.seal(NAME, b"Ana Novak", &random).unwrap(),
        );
        assert_ne!(one, two);
        assert!(!one.windows(3).any(|w| w == b"Ana"));
    }

    #[test]
    fn rotation_seals_with_the_first_key_and_opens_with_all() {
        let random = Random::seeded(2);
        let old = keys(&[("a", 1)]).seal(NAME, b"x", &random).unwrap();
        let both = keys(&[("b", 2), ("a", 1)]);
        assert_eq!(both.open(NAME, &old).unwrap(), b"x");
        let new = both.seal(NAME, b"x", &random).unwrap();
        assert_eq!(
            keys(&[("a", 1)]).open(NAME, &new),
            Err(CannotOpen::UnknownKey("b".into()))
        );
        assert_eq!(
            keys(&[("a", 9)]).open(NAME, &old),
            Err(CannotOpen::Refused("a".into()))
        );
    }

    #[test]
    fn damaged_and_cut_values_are_refused_without_a_panic() {
        let keys = keys(&[("a", 1)]);
        let sealed = keys.seal(NAME, b"hello", &Random::seeded(3)).unwrap();
        for cut in 0..sealed.len() {
            assert!(keys.open(NAME, &sealed[..cut]).is_err(), "{cut}");
        }
        for at in 0..sealed.len() {
            let mut bent = sealed.clone();
            bent[at] ^= 1;
            assert!(keys.open(NAME, &bent).is_err(), "{at}");
        }
    }

    #[test]
    fn faults_in_the_setting_are_named_without_the_key() {
        let good = STANDARD.encode([1; 32]);
        let fault = |text: &str| SealKeys::parse(text).unwrap_err();
        assert_eq!(fault(" , "), InvalidKeys::Empty);
        assert_eq!(fault("nokid"), InvalidKeys::Pair(1));
        assert_eq!(fault(&format!("a:{good},b c:{good}")), InvalidKeys::Pair(2));
        assert_eq!(fault("a:c2hvcnQ="), InvalidKeys::Length("a".into()));
        assert_eq!(
            fault(&format!("a:{good},a:{good}")),
            InvalidKeys::Repeated("a".into())
        );
    }
}
