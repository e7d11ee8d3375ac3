//! Handles: the first part of a host's public addresses.

use std::str::FromStr;

/// 2 to 32 characters of `[a-z0-9-]`, and no word that the router knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Handle(String);

/// First path segments that are not free for hosts. A test derives the list from the router.
pub const RESERVED: &[&str] = &[
    "book",
    "dev",
    "docs",
    "feed",
    "healthz",
    "m",
    "mcp",
    "metrics",
    "new",
    "openapi-json",
    "readyz",
    "sign-in",
    "static",
    "v1",
    "widget",
];

/// The text is no usable handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidHandle {
    /// Too short, too long, or other characters.
    #[error("a handle is 2 to 32 lower-case letters, digits and hyphens")]
    Malformed,
    /// A word that this service uses in its own addresses.
    #[error("this handle is reserved")]
    Reserved,
}

impl Handle {
    /// The handle.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Handle {
    type Err = InvalidHandle;

    fn from_str(text: &str) -> Result<Self, InvalidHandle> {
        let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        if !(2..=32).contains(&text.len()) || !text.bytes().all(allowed) {
            return Err(InvalidHandle::Malformed);
        }
        if RESERVED.contains(&text) {
            return Err(InvalidHandle::Reserved);
        }
        Ok(Self(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_plain_and_not_reserved() {
        for good in ["ana", "ab", "a-1", &"a".repeat(32)] {
            assert!(good.parse::<Handle>().is_ok(), "{good}");
        }
        for bad in ["", "a", "Ana", "a b", "ä1", "a_b", &"a".repeat(33)] {
            assert_eq!(
                bad.parse::<Handle>(),
                Err(InvalidHandle::Malformed),
                "{bad}"
            );
        }
        for word in RESERVED.iter().filter(|word| word.len() > 1) {
            assert_eq!(
                word.parse::<Handle>(),
                Err(InvalidHandle::Reserved),
                "{word}"
            );
        }
    }
}
