//! Our own words, one table a language. A test fills in both, so neither can miss one.
//!
//! Words that take a value take it as a whole phrase (a date with its zone) and hold no name that
//! a person typed: names stand on lines of their own, where they cannot change a sentence.

mod en;
mod zh_cn;

use crate::locale::Locale;

/// The words of one language.
pub(super) struct Words {
    pub(super) hello_before: &'static str,
    pub(super) hello_after: &'static str,

    /// Subjects begin with one of these, then title and name.
    pub(super) subject_hold: &'static str,
    pub(super) subject_confirmed: &'static str,
    pub(super) subject_confirmed_host: &'static str,
    pub(super) subject_confirmed_guest: &'static str,
    pub(super) subject_rescheduled: &'static str,
    pub(super) subject_new_host: &'static str,
    pub(super) subject_cancelled: &'static str,
    pub(super) subject_handover: &'static str,
    pub(super) subject_reminder: &'static str,
    /// A title and the name of whom it is with: also the invitation's `SUMMARY`.
    pub(super) with: fn(&str, &str) -> String,
    /// Between names.
    pub(super) and: &'static str,
    /// Between a label and its value, in text.
    pub(super) colon: &'static str,
    /// Between two sentences.
    pub(super) gap: &'static str,

    pub(super) heading_hold: &'static str,
    pub(super) heading_confirmed: &'static str,
    pub(super) heading_confirmed_host: &'static str,
    pub(super) heading_confirmed_guest: &'static str,
    pub(super) heading_rescheduled: &'static str,
    pub(super) heading_new_host: &'static str,
    pub(super) heading_cancelled: &'static str,
    pub(super) heading_handover: &'static str,
    pub(super) heading_reminder: &'static str,

    pub(super) hold_lead: &'static str,
    pub(super) hold_action: &'static str,
    pub(super) hold_lapses: fn(&str) -> String,
    pub(super) hold_ignore: &'static str,
    pub(super) guest_lead: &'static str,
    pub(super) handover_lead: &'static str,

    pub(super) meeting: &'static str,
    pub(super) when: &'static str,
    pub(super) new_time: &'static str,
    pub(super) earlier_time: &'static str,
    pub(super) planned_time: &'static str,
    pub(super) bookers_time: &'static str,
    pub(super) place: &'static str,
    pub(super) host: &'static str,
    pub(super) hosts: &'static str,
    pub(super) booked_by: &'static str,
    pub(super) address: &'static str,
    pub(super) guests: &'static str,
    pub(super) note: &'static str,
    pub(super) description: &'static str,
    pub(super) cancelled_by: &'static str,
    pub(super) reason: &'static str,

    pub(super) by_you: &'static str,
    pub(super) by_booker: &'static str,
    pub(super) by_host: &'static str,
    pub(super) by_coordinator: &'static str,

    /// The host calls; with the number, for those who may know it.
    pub(super) host_calls: fn(Option<&str>) -> String,
    /// The booker calls this number.
    pub(super) call_host: fn(&str) -> String,
    pub(super) yes: &'static str,
    pub(super) no: &'static str,

    pub(super) reschedule: &'static str,
    pub(super) cancel: &'static str,
    pub(super) dashboard: &'static str,

    /// In mail that carries a REQUEST, by the reader's role.
    pub(super) answer_booker: &'static str,
    pub(super) answer_host: &'static str,
    pub(super) answer_guest: &'static str,
    /// In mail about a change.
    pub(super) file_stays: &'static str,
    /// After it, where a file is attached.
    pub(super) file_attached_move: &'static str,
    pub(super) file_attached_host: &'static str,
    pub(super) file_attached_cancel: &'static str,

    pub(super) footer: fn(&str) -> String,

    /// `DESCRIPTION` of the invitation, by the reader's role.
    pub(super) ics_booker: &'static str,
    pub(super) ics_host: &'static str,
    pub(super) ics_guest: &'static str,
    /// Put before it when the meeting is cancelled.
    pub(super) ics_cancelled: &'static str,
}

impl Words {
    /// The table of a language.
    pub(super) const fn of(locale: Locale) -> &'static Self {
        match locale {
            Locale::En => &en::WORDS,
            Locale::ZhCn => &zh_cn::WORDS,
        }
    }
}
