//! What a refusal means: whom it concerns, and for how long.
//!
//! The stage, the first digit of the reply and the enhanced code (RFC 3463) decide together. The
//! text of a reply never does.

use super::failure::{ErrorClass, Stage};
use super::status::EnhancedStatus;

/// Whom a failed send concerns, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// This address, for good: SMTP itself calls the refusal of the recipient permanent.
    RecipientForGood,
    /// This address, for now: greylisting, a busy or full mailbox.
    RecipientForNow,
    /// The recipient's domain, for now: a rate or connection limit.
    DomainForNow,
    /// The mail server or our settings: policy, sign-in, TLS, an unreachable server, a malformed
    /// reply.
    ServerOrSettings,
    /// The server may have accepted the message: no clear answer after the final dot.
    Unknown,
}

impl Verdict {
    /// True if this address must never be tried again.
    #[must_use]
    pub const fn rejects_recipient(self) -> bool {
        matches!(self, Self::RecipientForGood)
    }
}

/// The meaning of a failure at `stage` with reply `code` (none if the server did not answer) and
/// enhanced `status` (none if the reply had none).
#[must_use]
pub fn classify(stage: Stage, code: Option<u16>, status: Option<EnhancedStatus>) -> Verdict {
    let Some(code) = code.filter(|code| (400..600).contains(code)) else {
        return if stage == Stage::AfterDot {
            Verdict::Unknown
        } else {
            Verdict::ServerOrSettings
        };
    };
    if !knows_recipient(stage) || asks_for_sign_in(code) {
        return Verdict::ServerOrSettings;
    }
    let at_recipient = stage == Stage::RcptTo;
    let status = status.map(|status| (status.class, status.subject, status.detail));
    if code >= 500 {
        return match status {
            // The sender's address (RFC 3463, section 3.2), not the recipient's.
            Some((5, 1, 7 | 8)) => Verdict::ServerOrSettings,
            Some((5, 1, _) | (5, 2, 1)) => Verdict::RecipientForGood,
            None if at_recipient && matches!(code, 550 | 551 | 553) => Verdict::RecipientForGood,
            // A full mailbox, or another trouble of the mailbox that nobody calls final.
            Some((_, 2, _)) => Verdict::RecipientForNow,
            None if code == 552 => Verdict::RecipientForNow,
            // Also a status that contradicts the reply code (RFC 2034, section 4): not definite.
            _ => Verdict::ServerOrSettings,
        };
    }
    match status {
        // Greylisting is a 450 or 451 at RCPT; a limit that closes the connection is a 421.
        Some((4, 7, _)) if code == 421 || (code == 451 && !at_recipient) => Verdict::DomainForNow,
        Some((_, 2, _)) => Verdict::RecipientForNow,
        None if code == 452 => Verdict::RecipientForNow,
        _ if at_recipient => Verdict::RecipientForNow,
        _ => Verdict::ServerOrSettings,
    }
}

/// The reason in one word for a refusal by the server's answer.
pub(super) fn class_of(stage: Stage, code: u16, status: Option<EnhancedStatus>) -> ErrorClass {
    match (classify(stage, Some(code), status), stage) {
        (Verdict::RecipientForGood, _) => ErrorClass::RecipientRefused,
        (Verdict::RecipientForNow, _) => ErrorClass::RecipientDeferred,
        (Verdict::DomainForNow, _) => ErrorClass::DomainDeferred,
        (Verdict::Unknown, _) => ErrorClass::UnknownAfterData,
        (Verdict::ServerOrSettings, _) if !(400..600).contains(&code) => ErrorClass::Protocol,
        (Verdict::ServerOrSettings, Stage::Tls) => ErrorClass::Tls,
        (Verdict::ServerOrSettings, Stage::Auth) => ErrorClass::Auth,
        (Verdict::ServerOrSettings, _) if asks_for_sign_in(code) => ErrorClass::Auth,
        (Verdict::ServerOrSettings, _) if status.is_some_and(|status| status.subject == 7) => {
            ErrorClass::Policy
        }
        (Verdict::ServerOrSettings, _) if code < 500 => ErrorClass::ServerDeferred,
        (Verdict::ServerOrSettings, _) => ErrorClass::ServerRefused,
    }
}

/// Before RCPT the server has not heard of the recipient: its answer cannot be about them.
const fn knows_recipient(stage: Stage) -> bool {
    matches!(
        stage,
        Stage::RcptTo | Stage::Data | Stage::Body | Stage::AfterDot
    )
}

/// The replies of RFC 4954, section 6, which are about our sign-in at any stage.
const fn asks_for_sign_in(code: u16) -> bool {
    matches!(code, 530 | 534 | 535 | 538)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

    use std::collections::HashSet;

    use super::Verdict::{ServerOrSettings, Unknown};
    use super::{EnhancedStatus, Stage, class_of, classify};
    use Stage::{AfterDot, Body, Connect, Data, RcptTo};

    /// Stage, reply code, enhanced code, verdict, class.
    const ROWS: &str = "
        # This address, for good.
        rcpt_to   550 5.1.0    RecipientForGood recipient_refused
        rcpt_to   550 5.1.1    RecipientForGood recipient_refused
        rcpt_to   553 5.1.2    RecipientForGood recipient_refused
        rcpt_to   501 5.1.3    RecipientForGood recipient_refused
        rcpt_to   551 5.1.6    RecipientForGood recipient_refused
        rcpt_to   556 5.1.10   RecipientForGood recipient_refused
        rcpt_to   550 5.2.1    RecipientForGood recipient_refused
        rcpt_to   550 -        RecipientForGood recipient_refused
        rcpt_to   551 -        RecipientForGood recipient_refused
        rcpt_to   553 -        RecipientForGood recipient_refused
        # Servers that look recipients up only when they have the message.
        data      550 5.1.1    RecipientForGood recipient_refused
        after_dot 550 5.1.10   RecipientForGood recipient_refused
        after_dot 550 5.2.1    RecipientForGood recipient_refused
        # The sender's address, not the recipient's.
        rcpt_to   550 5.1.7    ServerOrSettings server_refused
        rcpt_to   550 5.1.8    ServerOrSettings server_refused
        after_dot 550 5.1.8    ServerOrSettings server_refused
        # Nobody has named the recipient yet.
        mail_from 550 5.1.1    ServerOrSettings server_refused
        mail_from 550 -        ServerOrSettings server_refused
        mail_from 553 5.1.8    ServerOrSettings server_refused
        mail_from 452 4.3.1    ServerOrSettings server_deferred
        mail_from 421 4.7.0    ServerOrSettings policy
        greeting  554 -        ServerOrSettings server_refused
        greeting  421 4.7.0    ServerOrSettings policy
        ehlo      550 -        ServerOrSettings server_refused
        tls       454 4.7.0    ServerOrSettings tls
        auth      535 5.7.8    ServerOrSettings auth
        auth      454 4.7.0    ServerOrSettings auth
        mail_from 530 5.7.0    ServerOrSettings auth
        rcpt_to   530 -        ServerOrSettings auth
        rcpt_to   535 5.1.1    ServerOrSettings auth
        # A bare code is about the recipient at RCPT only, and only these three codes.
        rcpt_to   554 -        ServerOrSettings server_refused
        rcpt_to   503 -        ServerOrSettings server_refused
        data      550 -        ServerOrSettings server_refused
        body      550 -        ServerOrSettings server_refused
        after_dot 550 -        ServerOrSettings server_refused
        after_dot 554 5.6.0    ServerOrSettings server_refused
        # This address, for now.
        rcpt_to   450 -        RecipientForNow  recipient_deferred
        rcpt_to   450 4.2.0    RecipientForNow  recipient_deferred
        rcpt_to   450 4.7.1    RecipientForNow  recipient_deferred
        rcpt_to   451 4.7.1    RecipientForNow  recipient_deferred
        rcpt_to   451 4.3.0    RecipientForNow  recipient_deferred
        rcpt_to   452 4.5.3    RecipientForNow  recipient_deferred
        rcpt_to   421 -        RecipientForNow  recipient_deferred
        rcpt_to   450 4.1.1    RecipientForNow  recipient_deferred
        after_dot 452 4.2.2    RecipientForNow  recipient_deferred
        after_dot 450 4.2.1    RecipientForNow  recipient_deferred
        after_dot 452 -        RecipientForNow  recipient_deferred
        data      452 -        RecipientForNow  recipient_deferred
        rcpt_to   552 -        RecipientForNow  recipient_deferred
        rcpt_to   552 5.2.2    RecipientForNow  recipient_deferred
        rcpt_to   550 5.2.2    RecipientForNow  recipient_deferred
        rcpt_to   554 5.2.0    RecipientForNow  recipient_deferred
        after_dot 552 5.2.2    RecipientForNow  recipient_deferred
        after_dot 552 -        RecipientForNow  recipient_deferred
        # The recipient's domain, for now.
        rcpt_to   421 4.7.0    DomainForNow     domain_deferred
        rcpt_to   421 4.7.28   DomainForNow     domain_deferred
        data      421 4.7.0    DomainForNow     domain_deferred
        data      451 4.7.1    DomainForNow     domain_deferred
        after_dot 451 4.7.500  DomainForNow     domain_deferred
        # The mail server or our settings.
        rcpt_to   550 5.7.1    ServerOrSettings policy
        rcpt_to   554 5.7.1    ServerOrSettings policy
        after_dot 552 5.7.0    ServerOrSettings policy
        after_dot 450 4.7.26   ServerOrSettings policy
        rcpt_to   550 5.4.1    ServerOrSettings server_refused
        rcpt_to   503 5.5.1    ServerOrSettings server_refused
        after_dot 552 5.3.4    ServerOrSettings server_refused
        after_dot 452 4.3.1    ServerOrSettings server_deferred
        after_dot 451 -        ServerOrSettings server_deferred
        after_dot 421 -        ServerOrSettings server_deferred
        # A status that contradicts the reply code makes nothing definite.
        rcpt_to   550 4.1.1    ServerOrSettings server_refused
        rcpt_to   550 2.1.5    ServerOrSettings server_refused
        rcpt_to   450 5.1.1    RecipientForNow  recipient_deferred
        after_dot 450 5.1.1    ServerOrSettings server_deferred
        # An answer that does not belong there.
        rcpt_to   354 -        ServerOrSettings protocol
        data      250 2.0.0    ServerOrSettings protocol
        after_dot 354 -        Unknown          unknown_after_data
    ";

    #[test]
    fn every_row_of_the_table_of_refusals_holds() {
        let rows = ROWS
            .lines()
            .map(str::trim)
            .filter(|row| !row.is_empty() && !row.starts_with('#'));
        let mut verdicts = HashSet::new();
        for row in rows {
            let words: Vec<_> = row.split_whitespace().collect();
            let [stage, code, status, verdict, class] = words[..] else {
                panic!("{row}")
            };
            let stage = Stage::ALL
                .into_iter()
                .find(|known| known.as_str() == stage)
                .unwrap();
            let code = code.parse().unwrap();
            let status = (status != "-").then(|| EnhancedStatus::at_start_of(status).unwrap());
            let got = classify(stage, Some(code), status);
            assert_eq!(format!("{got:?}"), verdict, "{row}");
            assert_eq!(class_of(stage, code, status).as_str(), class, "{row}");
            verdicts.insert(got);
        }
        assert_eq!(verdicts.len(), 5, "every verdict has a row");
    }

    #[test]
    fn silence_is_unknown_after_the_dot_and_the_servers_fault_before() {
        for stage in Stage::ALL {
            let want = if stage == AfterDot {
                Unknown
            } else {
                ServerOrSettings
            };
            assert_eq!(classify(stage, None, None), want, "{stage}");
        }
        assert_eq!(classify(Connect, None, None), ServerOrSettings);
    }

    /// R13: only what SMTP itself calls permanent, about a recipient whom the server has heard of,
    /// may end an address. Every reply at every stage is tried.
    #[test]
    fn no_other_reply_rejects_a_recipient() {
        let mut rejecting = 0;
        for stage in Stage::ALL {
            for code in 200..600 {
                for class in [None, Some(2), Some(4), Some(5)] {
                    for (subject, detail) in (0..9).flat_map(|s| (0..40).map(move |d| (s, d))) {
                        let status = class.map(|class| EnhancedStatus::new(class, subject, detail));
                        if !classify(stage, Some(code), status).rejects_recipient() {
                            continue;
                        }
                        rejecting += 1;
                        assert!((500..600).contains(&code), "{stage} {code} {status:?}");
                        assert!(
                            matches!(stage, RcptTo | Data | Body | AfterDot),
                            "{stage} {code}"
                        );
                        match status {
                            None => assert!(stage == RcptTo && [550, 551, 553].contains(&code)),
                            Some(status) => assert!(
                                status.class == 5
                                    && ((status.subject == 1 && ![7, 8].contains(&status.detail))
                                        || (status.subject, status.detail) == (2, 1)),
                                "{stage} {code} {status}"
                            ),
                        }
                    }
                }
            }
        }
        assert!(rejecting > 0);
    }
}
