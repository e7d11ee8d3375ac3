//! To which domain a mail goes, as a keyed fingerprint.

use crate::{
    address::EmailAddress,
    fingerprint::{FingerprintKey, Purpose, lock_key},
};

/// A recipient's domain: eight bytes of a keyed fingerprint, which say "the same" and nothing else.
/// Two domains in one would only share their pauses and their sending slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MailDomain(pub i64);

impl MailDomain {
    /// The domain of an address. Its letters' case and its written form (RFC 5890: `bücher.example`
    /// or `xn--bcher-kva.example`) make no difference.
    #[must_use]
    pub fn of(key: &FingerprintKey, address: &EmailAddress) -> Self {
        Self(lock_key(
            &key.of(Purpose::MailDomain, address.domain().as_bytes()),
        ))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use base64::{Engine as _, engine::general_purpose::STANDARD};

    use super::*;

    #[test]
    fn a_domain_is_the_same_in_every_form_and_for_every_mailbox() {
        let key = FingerprintKey::parse(&STANDARD.encode([1; 32])).unwrap();
        let of = |address: &str| MailDomain::of(&key, &address.parse().unwrap());
        assert_eq!(of("sam@Example.test"), of("kim@example.TEST"));
        assert_eq!(of("sam@bücher.example"), of("x@XN--bcher-kva.example"));
        assert_ne!(of("sam@example.test"), of("sam@sub.example.test"));
        let other = FingerprintKey::parse(&STANDARD.encode([2; 32])).unwrap();
        let sam = "sam@example.test".parse().unwrap();
        assert_ne!(MailDomain::of(&key, &sam), MailDomain::of(&other, &sam));
    }
}
