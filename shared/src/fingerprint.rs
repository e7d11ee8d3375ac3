//! Keyed fingerprints: how addresses and client IPs are matched without being stored.
//!
//! HMAC-SHA-256 under a key of its own (`HOLDFAST_FINGERPRINT_KEY`, which the rotation of sealing
//! keys leaves alone), with a separate domain a purpose: two fingerprints of one address for two
//! purposes have nothing in common.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ring::hmac;

use crate::address::EmailAddress;

/// What a fingerprint is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Matching a booker's or user's address.
    Address,
    /// Counting requests and bookings by client IP.
    Ip,
    /// Mail accounting by recipient.
    MailLedger,
    /// Telling apart the domains that mail goes to.
    MailDomain,
    /// Accounting of sign-in mail by recipient.
    SignInLedger,
    /// Comparing a repeated request with the first under one idempotency key.
    Request,
    /// Recognising a calendar event by its UID.
    Uid,
    /// Telling whether a calendar event still says what it said.
    EventContent,
    /// The UID that an event goes by in a feed that shows busy time alone.
    FeedUid,
    /// Telling whether a feed is what it was when somebody last asked.
    FeedState,
}

impl Purpose {
    const fn domain(self) -> &'static [u8] {
        match self {
            Self::Address => b"address v1\0",
            Self::Ip => b"ip v1\0",
            Self::MailLedger => b"mail-ledger v1\0",
            Self::MailDomain => b"mail-domain v1\0",
            Self::SignInLedger => b"sign-in-ledger v1\0",
            Self::Request => b"request v1\0",
            Self::Uid => b"uid v1\0",
            Self::EventContent => b"event-content v1\0",
            Self::FeedUid => b"feed-uid v1\0",
            Self::FeedState => b"feed-state v1\0",
        }
    }
}

/// The key that fingerprints are made with.
pub struct FingerprintKey(hmac::Key);

/// `HOLDFAST_FINGERPRINT_KEY` is not 32 bytes in base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not 32 bytes in base64")]
pub struct InvalidFingerprintKey;

/// 32 bytes that say "the same" and nothing else.
pub type Fingerprint = [u8; 32];

impl FingerprintKey {
    /// Reads 32 bytes of base64.
    ///
    /// # Errors
    /// [`InvalidFingerprintKey`] for everything else.
    pub fn parse(text: &str) -> Result<Self, InvalidFingerprintKey> {
        let bytes = STANDARD
            .decode(text.trim())
            .map_err(|_| InvalidFingerprintKey)?;
        if bytes.len() == 32 {
            Ok(Self(hmac::Key::new(hmac::HMAC_SHA256, &bytes)))
        } else {
            Err(InvalidFingerprintKey)
        }
    }

    /// The fingerprint of some bytes for a purpose.
    #[must_use]
    pub fn of(&self, purpose: Purpose, bytes: &[u8]) -> Fingerprint {
        let mut context = hmac::Context::with_key(&self.0);
        context.update(purpose.domain());
        context.update(bytes);
        let mut out = [0; 32];
        out.copy_from_slice(context.sign().as_ref());
        out
    }

    /// The fingerprint of an address, trimmed and in lower case.
    #[must_use]
    pub fn of_address(&self, purpose: Purpose, address: &EmailAddress) -> Fingerprint {
        self.of(purpose, address.matching_key().as_bytes())
    }
}

impl std::fmt::Debug for FingerprintKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FingerprintKey(…)")
    }
}

/// The advisory lock that stands for a fingerprint: its first eight bytes.
#[must_use]
pub fn lock_key(fingerprint: &Fingerprint) -> i64 {
    let mut head = [0; 8];
    head.copy_from_slice(&fingerprint[..8]);
    i64::from_be_bytes(head)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn case_and_space_do_not_matter_purpose_and_key_do() {
        let key = FingerprintKey::parse(&STANDARD.encode([1; 32])).unwrap();
        let other = FingerprintKey::parse(&STANDARD.encode([2; 32])).unwrap();
        let address: EmailAddress = "Ana@Example.com".parse().unwrap();
        let same: EmailAddress = " ana@example.com".parse().unwrap();
        let fp = key.of_address(Purpose::Address, &address);
        assert_eq!(fp, key.of_address(Purpose::Address, &same));
        assert_ne!(fp, key.of_address(Purpose::MailLedger, &address));
        assert_ne!(fp, other.of_address(Purpose::Address, &address));
    }

    #[test]
    fn only_32_bytes_are_a_key() {
        for text in [
            "",
            "short",
            &STANDARD.encode([1; 31]),
            &STANDARD.encode([1; 33]),
        ] {
            assert!(FingerprintKey::parse(text).is_err());
        }
    }
}
