//! How a send ends: accepted, not tried, or failed at a stage for a reason.

use std::fmt;

use super::refusal::{self, Verdict};
use super::status::EnhancedStatus;

/// The server took the message and is answerable for it (RFC 5321, section 4.2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The reply code, 250 with almost every server.
    pub code: u16,
    /// The enhanced status code, if the reply had one.
    pub status: Option<EnhancedStatus>,
}

/// Where a send stood when it failed, in the order of a dialogue. The strings are stored; they do not
/// change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Looking the host up and opening the TCP connection.
    Connect,
    /// STARTTLS and the TLS handshake.
    Tls,
    /// The server's first line (RFC 5321, section 3.1).
    Greeting,
    /// EHLO.
    Ehlo,
    /// AUTH (RFC 4954).
    Auth,
    /// MAIL FROM, or the RSET that goes before it on a used connection.
    MailFrom,
    /// RCPT TO.
    RcptTo,
    /// DATA, until the server asks for the message.
    Data,
    /// The message, before its last byte left this process: the server cannot have accepted it.
    Body,
    /// The final dot left this process and its answer is due: the server may have accepted.
    AfterDot,
}

impl Stage {
    /// Every stage, in the order of a dialogue.
    pub const ALL: [Self; 10] = [
        Self::Connect,
        Self::Tls,
        Self::Greeting,
        Self::Ehlo,
        Self::Auth,
        Self::MailFrom,
        Self::RcptTo,
        Self::Data,
        Self::Body,
        Self::AfterDot,
    ];

    /// The stage as the database keeps it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Greeting => "greeting",
            Self::Ehlo => "ehlo",
            Self::Auth => "auth",
            Self::MailFrom => "mail_from",
            Self::RcptTo => "rcpt_to",
            Self::Data => "data",
            Self::Body => "body",
            Self::AfterDot => "after_dot",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a send failed, in one word for rows, logs and metrics. The strings are stored; they do not
/// change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorClass {
    /// The mail server's name has no address.
    Dns,
    /// The mail server's port is closed.
    ConnectRefused,
    /// No connection for another reason: no route, network down.
    Unreachable,
    /// No answer in time.
    Timeout,
    /// The connection broke or was closed where an answer was due.
    ConnectionLost,
    /// An answer that is not SMTP, or not one that belongs there.
    Protocol,
    /// No STARTTLS, a failed handshake, a certificate that is not trusted.
    Tls,
    /// The server wants a sign-in, or refused ours.
    Auth,
    /// This address, for good.
    RecipientRefused,
    /// This address, for now: greylisting, a full mailbox.
    RecipientDeferred,
    /// The recipient's domain, for now: a rate limit.
    DomainDeferred,
    /// A policy of the server (x.7.x).
    Policy,
    /// Another refusal by the server that may pass (4yz).
    ServerDeferred,
    /// Another refusal by the server (5yz).
    ServerRefused,
    /// No clear answer after the final dot: the message may have been accepted.
    UnknownAfterData,
    /// An address or a header field is not ASCII and the server does not offer SMTPUTF8
    /// (RFC 6531). Nothing was sent.
    Smtputf8Missing,
    /// The message is not ASCII and the server does not offer 8BITMIME (RFC 6152). Nothing was
    /// sent.
    EightBitMissing,
    /// The message has a CR or LF of its own (RFC 5321, section 2.3.8). Nothing was sent.
    MessageMalformed,
}

impl ErrorClass {
    /// Every class.
    pub const ALL: [Self; 18] = [
        Self::Dns,
        Self::ConnectRefused,
        Self::Unreachable,
        Self::Timeout,
        Self::ConnectionLost,
        Self::Protocol,
        Self::Tls,
        Self::Auth,
        Self::RecipientRefused,
        Self::RecipientDeferred,
        Self::DomainDeferred,
        Self::Policy,
        Self::ServerDeferred,
        Self::ServerRefused,
        Self::UnknownAfterData,
        Self::Smtputf8Missing,
        Self::EightBitMissing,
        Self::MessageMalformed,
    ];

    /// The class as the database keeps it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dns => "dns",
            Self::ConnectRefused => "connect_refused",
            Self::Unreachable => "unreachable",
            Self::Timeout => "timeout",
            Self::ConnectionLost => "connection_lost",
            Self::Protocol => "protocol",
            Self::Tls => "tls",
            Self::Auth => "auth",
            Self::RecipientRefused => "recipient_refused",
            Self::RecipientDeferred => "recipient_deferred",
            Self::DomainDeferred => "domain_deferred",
            Self::Policy => "policy",
            Self::ServerDeferred => "server_deferred",
            Self::ServerRefused => "server_refused",
            Self::UnknownAfterData => "unknown_after_data",
            Self::Smtputf8Missing => "smtputf8_missing",
            Self::EightBitMissing => "eight_bit_missing",
            Self::MessageMalformed => "message_malformed",
        }
    }
}

impl fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A send that was tried and failed.
///
/// It holds codes only. The text of a reply repeats the address and is dropped where it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Where the dialogue stood.
    pub stage: Stage,
    /// The reply code, if the server answered.
    pub code: Option<u16>,
    /// The enhanced status code, if the answer had one.
    pub status: Option<EnhancedStatus>,
    /// The reason in one word.
    pub class: ErrorClass,
    /// True if the server may have accepted the message all the same.
    pub uncertain: bool,
}

impl Failure {
    /// A failure without an answer. After the final dot the outcome is unknown, whatever the
    /// reason.
    pub(super) fn unanswered(stage: Stage, reason: ErrorClass) -> Self {
        let uncertain = stage == Stage::AfterDot;
        let class = if uncertain {
            ErrorClass::UnknownAfterData
        } else {
            reason
        };
        Self {
            stage,
            code: None,
            status: None,
            class,
            uncertain,
        }
    }

    /// A failure by the server's own answer.
    pub(super) fn answered(stage: Stage, code: u16, status: Option<EnhancedStatus>) -> Self {
        Self {
            stage,
            code: Some(code),
            status,
            class: refusal::class_of(stage, code, status),
            uncertain: refusal::classify(stage, Some(code), status) == Verdict::Unknown,
        }
    }

    /// Whom the failure concerns, and for how long.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self.class {
            // This message does not fit this server: nothing was sent, and no other recipient is
            // touched by it.
            ErrorClass::Smtputf8Missing
            | ErrorClass::EightBitMissing
            | ErrorClass::MessageMalformed => Verdict::RecipientForNow,
            _ => refusal::classify(self.stage, self.code, self.status),
        }
    }

    /// True if the dialogue can go on after this answer (RFC 5321, section 3.8: 421 announces the
    /// end of the connection).
    pub(super) fn leaves_dialogue_open(&self) -> bool {
        self.code
            .is_some_and(|code| (400..600).contains(&code) && code != 421)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.class, self.stage)?;
        if let Some(code) = self.code {
            write!(f, ": {code}")?;
        }
        if let Some(status) = self.status {
            write!(f, " {status}")?;
        }
        Ok(())
    }
}

/// Why a send brought no acceptance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// Every sending slot is taken. No SMTP command was sent: give the attempt back.
    #[error("all sending slots are taken")]
    Busy,
    /// The sender is closed. No SMTP command was sent: give the attempt back.
    #[error("the sender is closed")]
    Closed,
    /// The send was tried.
    #[error("{0}")]
    Failed(Failure),
}

impl From<Failure> for SendError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{ErrorClass, Failure, Stage};
    use crate::smtp::{EnhancedStatus, Verdict};

    #[test]
    fn stored_words_are_distinct_snake_case() {
        let stages: HashSet<_> = Stage::ALL.map(Stage::as_str).into();
        let classes: HashSet<_> = ErrorClass::ALL.map(ErrorClass::as_str).into();
        assert_eq!(
            (stages.len(), classes.len()),
            (Stage::ALL.len(), ErrorClass::ALL.len())
        );
        for word in stages.iter().chain(&classes) {
            assert!(
                word.bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'),
                "{word}"
            );
        }
    }

    #[test]
    fn silence_is_uncertain_after_the_final_dot_and_only_there() {
        for stage in Stage::ALL {
            let failure = Failure::unanswered(stage, ErrorClass::Timeout);
            assert_eq!(failure.uncertain, stage == Stage::AfterDot, "{stage}");
            assert_eq!(
                failure.verdict() == Verdict::Unknown,
                failure.uncertain,
                "{stage}"
            );
        }
        let answer = Failure::answered(Stage::AfterDot, 451, None);
        assert!(!answer.uncertain, "a refusal after the dot is an answer");
        let nonsense = Failure::answered(Stage::AfterDot, 354, None);
        assert!(nonsense.uncertain && nonsense.class == ErrorClass::UnknownAfterData);
    }

    #[test]
    fn a_failure_is_told_in_codes() {
        let failure = Failure::answered(Stage::RcptTo, 550, Some(EnhancedStatus::new(5, 1, 1)));
        assert_eq!(
            failure.to_string(),
            "recipient_refused at rcpt_to: 550 5.1.1"
        );
        let silent = Failure::unanswered(Stage::Connect, ErrorClass::Dns);
        assert_eq!(silent.to_string(), "dns at connect");
    }

    #[test]
    fn what_was_never_sent_concerns_its_recipient_alone() {
        for class in [
            ErrorClass::Smtputf8Missing,
            ErrorClass::EightBitMissing,
            ErrorClass::MessageMalformed,
        ] {
            let failure = Failure::unanswered(Stage::MailFrom, class);
            assert_eq!(failure.verdict(), Verdict::RecipientForNow, "{class}");
        }
    }
}
