//! What just happened to a booking, at the top of its pages.

use crate::pages::words::Words;

/// What just happened, or why nothing did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Booked at once (policy `instant`).
    Booked,
    /// Confirmed by this press.
    Confirmed,
    /// A second press: it was confirmed already.
    AlreadyConfirmed,
    /// Moved by this press.
    Moved,
    /// Cancelled by this press.
    Cancelled,
    /// A second press: it was cancelled already.
    AlreadyCancelled,
    /// The hold was given up by this press.
    GivenUp,
    /// The form was stale (`revision_conflict`); the page shows the current state.
    Changed,
    /// `hold_expired`
    HoldLapsed,
    /// The hold was to be given up, and is confirmed meanwhile.
    ConfirmedMeanwhile,
    /// `already_started`
    Started,
    /// `booking_finished`
    Finished,
    /// `reschedule_limit`
    MoveLimit,
    /// `slot_taken`
    Taken,
    /// `slot_not_offered`
    NotOffered,
    /// `unchanged`
    Unchanged,
    /// `host_inactive`
    HostInactive,
    /// `availability_unknown`
    TimesUnknown,
    /// 429
    TooMany {
        /// As in `Retry-After`.
        retry_after_s: u64,
    },
    /// `idempotency_key_reused`
    SentBefore,
}

/// What the macro `notice` shows.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) text: String,
    /// Something was done, as asked.
    pub(super) done: bool,
}

impl Notice {
    pub(super) fn said(self, words: &Words) -> Said {
        let said = &words.notice;
        let text = match self {
            Self::Booked => said.booked,
            Self::Confirmed => said.confirmed,
            Self::AlreadyConfirmed => said.already_confirmed,
            Self::Moved => said.moved,
            Self::Cancelled => said.cancelled,
            Self::AlreadyCancelled => said.already_cancelled,
            Self::GivenUp => said.given_up,
            Self::Changed => said.changed,
            Self::HoldLapsed => said.hold_lapsed,
            Self::ConfirmedMeanwhile => said.confirmed_meanwhile,
            Self::Started => said.started,
            Self::Finished => said.finished,
            Self::MoveLimit => said.move_limit,
            Self::Taken => said.taken,
            Self::NotOffered => said.not_offered,
            Self::Unchanged => said.unchanged,
            Self::HostInactive => said.host_inactive,
            Self::TimesUnknown => said.times_unknown,
            Self::SentBefore => said.sent_before,
            Self::TooMany { retry_after_s } => {
                return Said {
                    text: (said.too_many)(retry_after_s),
                    done: false,
                };
            }
        };
        Said {
            text: text.to_owned(),
            done: matches!(
                self,
                Self::Booked | Self::Confirmed | Self::Moved | Self::Cancelled | Self::GivenUp
            ),
        }
    }
}
