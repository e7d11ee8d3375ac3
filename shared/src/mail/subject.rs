//! The subject line.

use super::{
    clean::one_line,
    defuse::defuse,
    kind::{MailKind, Role},
    view::{MailView, Reader},
    words::Words,
};

/// The subject, in the reader's language: what happened, the title, and whom the meeting is with.
#[must_use]
pub fn subject(view: &MailView) -> String {
    let words = Words::of(view.locale);
    let prefix = match (view.kind(), view.role()) {
        (MailKind::Rescheduled, _) if view.is_new_host() => words.subject_new_host,
        (MailKind::Cancelled, _) if view.is_handover() => words.subject_handover,
        (MailKind::Hold, _) => words.subject_hold,
        (MailKind::Confirmed, Role::Booker) => words.subject_confirmed,
        (MailKind::Confirmed, Role::Host) => words.subject_confirmed_host,
        (MailKind::Confirmed, Role::Guest) => words.subject_confirmed_guest,
        (MailKind::Rescheduled, _) => words.subject_rescheduled,
        (MailKind::Cancelled, _) => words.subject_cancelled,
        (MailKind::Reminder, _) => words.subject_reminder,
    };
    let other = match &view.reader {
        Reader::Host { booker, .. } => name(&booker.name),
        Reader::Booker { .. } | Reader::Guest { .. } => names(words, &view.host_names),
    };
    let subject = format!("{prefix}{}", (words.with)(&name(&view.title), &other));
    // Nothing follows where there is neither title nor name.
    subject.trim_end().to_owned()
}

/// A name or a title in mail: on one line, and no link.
pub(super) fn name(text: &str) -> String {
    defuse(&one_line(text))
}

/// Several names as one phrase.
pub(super) fn names(words: &Words, all: &[String]) -> String {
    let all: Vec<String> = all.iter().map(|text| name(text)).collect();
    all.join(words.and)
}
