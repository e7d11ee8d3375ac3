//! Secrets that open something: made once, shown once, stored as a hash.

use ring::digest;

use crate::random::{NoRandomness, Random};

/// A manage token: 32 random bytes, written as 64 hex digits. Redacted in `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct ManageToken(String);

/// SHA-256 of a token: what the database keeps.
pub type TokenHash = [u8; 32];

impl ManageToken {
    /// A new token.
    ///
    /// # Errors
    /// [`NoRandomness`] when the operating system's generator fails.
    pub fn mint(random: &Random) -> Result<Self, NoRandomness> {
        let bytes: [u8; 32] = random.bytes()?;
        Ok(Self(hex(&bytes)))
    }

    /// The token as it stands in a link.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is stored of it.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        hash(&self.0)
    }
}

impl std::fmt::Debug for ManageToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ManageToken(…)")
    }
}

/// What every API key begins with, so that scanners can find one that leaked.
pub const API_KEY_PREFIX: &str = "hf_key_";

/// An API key: [`API_KEY_PREFIX`] and 32 random bytes, written as 64 hex digits. Redacted in
/// `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A new key.
    ///
    /// # Errors
    /// [`NoRandomness`] when the operating system's generator fails.
    pub fn mint(random: &Random) -> Result<Self, NoRandomness> {
        prefixed(API_KEY_PREFIX, random).map(Self)
    }

    /// The key as it is shown, once.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is stored of it.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        hash(&self.0)
    }
}

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

/// What every feed's token begins with, so that scanners can find one that leaked.
pub const FEED_TOKEN_PREFIX: &str = "hf_feed_";

/// The token of a calendar's feed: [`FEED_TOKEN_PREFIX`] and 32 random bytes, written as 64 hex
/// digits. Redacted in `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct FeedToken(String);

impl FeedToken {
    /// A new token.
    ///
    /// # Errors
    /// [`NoRandomness`] when the operating system's generator fails.
    pub fn mint(random: &Random) -> Result<Self, NoRandomness> {
        prefixed(FEED_TOKEN_PREFIX, random).map(Self)
    }

    /// The token as it stands in the feed's address, shown once.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is stored of it.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        hash(&self.0)
    }
}

impl std::fmt::Debug for FeedToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FeedToken(…)")
    }
}

fn prefixed(prefix: &str, random: &Random) -> Result<String, NoRandomness> {
    let bytes: [u8; 32] = random.bytes()?;
    Ok(format!("{prefix}{}", hex(&bytes)))
}

/// The hash that whatever a caller presents is looked up by. A malformed token gets one too, so
/// that it costs the same look-up as an unknown one.
#[must_use]
pub fn hash(presented: &str) -> TokenHash {
    let mut out = [0; 32];
    out.copy_from_slice(digest::digest(&digest::SHA256, presented.as_bytes()).as_ref());
    out
}

/// Lower-case hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble & 15)]);
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(*byte)])
        .collect()
}

/// The bytes of hexadecimal text; `None` if it is none.
#[must_use]
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| {
        char::from(byte)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs
        .iter()
        .map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?))
        .collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn a_token_is_64_hex_digits_and_is_not_shown_by_debug() {
        let token = ManageToken::mint(&Random::seeded(5)).unwrap();
        assert_eq!(token.as_str().len(), 64);
        assert!(
            token
                .as_str()
                .bytes()
                .all(|b| b.is_ascii_hexdigit() && !b.is_ascii_uppercase())
        );
        assert!(!format!("{token:?}").contains(token.as_str()));
        assert_ne!(hex(&token.hash()), token.as_str());
        assert_eq!(token.hash(), hash(token.as_str()));
    }

    #[test]
    fn an_api_key_has_its_prefix_and_is_not_shown_by_debug() {
        let key = ApiKey::mint(&Random::seeded(5)).unwrap();
        let digits = key.as_str().strip_prefix("hf_key_").unwrap();
        assert_eq!(digits.len(), 64);
        assert!(
            digits
                .bytes()
                .all(|b| b.is_ascii_hexdigit() && !b.is_ascii_uppercase())
        );
        assert!(!format!("{key:?}").contains(digits));
        assert_eq!(key.hash(), hash(key.as_str()));
        assert_ne!(key.hash(), hash(digits), "the prefix is part of the key");
    }

    #[test]
    fn a_feeds_token_has_its_prefix_and_is_not_shown_by_debug() {
        let token = FeedToken::mint(&Random::seeded(5)).unwrap();
        let digits = token.as_str().strip_prefix("hf_feed_").unwrap();
        assert_eq!(digits.len(), 64);
        assert!(!format!("{token:?}").contains(digits));
        assert_eq!(token.hash(), hash(token.as_str()));
    }

    #[test]
    fn the_hash_is_sha_256() {
        assert_eq!(
            hex(&hash("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
