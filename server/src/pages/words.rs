//! Everything that pages say, one table per language.
//!
//! A table is a `static` of [`Words`], so a word that one language lacks does not compile. What a
//! person typed (names, titles, addresses) is never part of a word: a sentence that goes around
//! it is an [`Around`], and the template isolates the typed text from its direction.

use shared::locale::Locale;

mod en;
mod zh;

/// The table of a language.
#[must_use]
pub fn words(locale: Locale) -> &'static Words {
    match locale {
        Locale::En => &en::WORDS,
        Locale::ZhCn => &zh::WORDS,
    }
}

/// A sentence in two halves, to stand before and after something typed or emphasised.
#[derive(Debug)]
pub struct Around {
    /// What stands before it.
    pub before: &'static str,
    /// What stands after it.
    pub after: &'static str,
}

/// A heading and the sentence under it.
#[derive(Debug)]
pub struct Said {
    /// The short form.
    pub title: &'static str,
    /// The whole of it.
    pub text: &'static str,
}

/// Every word of every page.
#[derive(Debug)]
pub struct Words {
    /// The frame around every page.
    pub frame: Frame,
    /// The instance's page and a host's page.
    pub home: Home,
    /// Choosing a day and a time.
    pub choose: Choose,
    /// The form and what follows it.
    pub book: Book,
    /// What is wrong with a field.
    pub problem: Problem,
    /// The page of a booking.
    pub manage: Manage,
    /// What just happened, at the top of a page.
    pub notice: Notice,
    /// Pages that refuse.
    pub refusal: Refusal,
}

/// The frame around every page.
#[derive(Debug)]
pub struct Frame {
    /// The language's own name.
    pub own_name: &'static str,
    /// The link past the header.
    pub skip: &'static str,
    /// The name of the language menu.
    pub language: &'static str,
    /// The line at the foot.
    pub foot: &'static str,
    /// The link to the instance's page.
    pub to_start: &'static str,
}

/// The instance's page and a host's page.
#[derive(Debug)]
pub struct Home {
    /// Heading when there are hosts.
    pub title: &'static str,
    /// Sentence under it.
    pub lead: &'static str,
    /// What this is, when nobody is listed.
    pub nobody: Said,
    /// Sentence on a host's page.
    pub host_lead: &'static str,
}

/// Choosing a day and a time.
#[derive(Debug)]
pub struct Choose {
    /// Heading of the calendar.
    pub day: &'static str,
    /// Label of the zone select.
    pub zone: &'static str,
    /// Its button.
    pub zone_button: &'static str,
    /// Said with script, where choosing acts at once.
    pub zone_hint: &'static str,
    /// Group of the zones most likely meant.
    pub zone_near: &'static str,
    /// Group of the names without a place.
    pub zone_other: &'static str,
    /// The name of an area of the zone table; `None` keeps the table's own.
    pub area: fn(&str) -> Option<&'static str>,
    /// So many free times.
    pub times: fn(usize) -> String,
    /// To earlier weeks.
    pub earlier: &'static str,
    /// To later weeks.
    pub later: &'static str,
    /// No free time in the weeks shown.
    pub none: Said,
    /// Heading of the first free times.
    pub soonest: &'static str,
    /// Link to all times of the first free day.
    pub all_times: fn(usize) -> String,
    /// A day without a free time.
    pub day_none: Said,
    /// The time that the reader came for has gone.
    pub gone: &'static str,
    /// Back from a day to all of them.
    pub back: &'static str,
    /// 00:00 to 06:00.
    pub night: &'static str,
    /// 06:00 to 12:00.
    pub morning: &'static str,
    /// 12:00 to 18:00.
    pub afternoon: &'static str,
    /// 18:00 to 24:00.
    pub evening: &'static str,
    /// Added to the name of the day that is chosen.
    pub chosen: &'static str,
    /// Added to the name of today.
    pub today: &'static str,
}

/// The form and what follows it.
#[derive(Debug)]
pub struct Book {
    /// How long a meeting takes.
    pub duration: &'static str,
    /// The link in the mail confirms.
    pub by_mail: &'static str,
    /// Submitting confirms.
    pub at_once: &'static str,
    /// Heading of the form.
    pub details: &'static str,
    /// Back to the day's times.
    pub change_time: &'static str,
    /// Beside what need not be filled in.
    pub optional: &'static str,
    /// Field: name.
    pub name: &'static str,
    /// Field: address.
    pub email: &'static str,
    /// Under the address when the mailbox confirms.
    pub email_hint_hold: &'static str,
    /// Under the address when it is booked at once.
    pub email_hint_book: &'static str,
    /// Field: note.
    pub note: &'static str,
    /// Under the note.
    pub note_hint: &'static str,
    /// Field: guests.
    pub guests: &'static str,
    /// Under the guests: at most so many.
    pub guests_hint: fn(usize) -> String,
    /// Answers of a yes-or-no question.
    pub yes: &'static str,
    /// See `yes`.
    pub no: &'static str,
    /// The empty answer of an optional choice.
    pub no_answer: &'static str,
    /// The button that holds.
    pub hold: &'static str,
    /// The button that books.
    pub book: &'static str,
    /// Under the button that holds.
    pub hold_hint: &'static str,
    /// Heading over the list of problems.
    pub problems: &'static str,
    /// The time has gone.
    pub taken: Said,
    /// Heading of the times that are left.
    pub taken_left: &'static str,
    /// Nothing is left.
    pub taken_none: &'static str,
    /// Link to all days.
    pub other_days: &'static str,
    /// Heading after a hold.
    pub sent_title: &'static str,
    /// Around the address.
    pub sent: Around,
    /// What to do with the mail.
    pub sent_next: &'static str,
    /// Around the address at which development mode keeps the mail.
    pub dev_mail: Around,
    /// Before the instant at which a hold lapses.
    pub held_until: &'static str,
    /// What happens then.
    pub held_then: &'static str,
    /// Heading of the advice.
    pub no_mail: &'static str,
    /// Advice: look in the spam folder.
    pub no_mail_spam: &'static str,
    /// Advice: check the address.
    pub no_mail_address: &'static str,
    /// Advice: book again.
    pub no_mail_again: &'static str,
    /// Link to the calendar.
    pub again: &'static str,
}

/// What is wrong with a field.
#[derive(Debug)]
pub struct Problem {
    /// A name is missing.
    pub name_missing: &'static str,
    /// An address is missing.
    pub email_missing: &'static str,
    /// A required answer is missing.
    pub answer_missing: &'static str,
    /// Not an address.
    pub email_malformed: &'static str,
    /// More characters than allowed, and how many are, if that is known.
    pub too_long: fn(Option<usize>) -> String,
    /// Control characters or line breaks.
    pub characters: &'static str,
    /// Guests where none are allowed.
    pub guests_not_allowed: &'static str,
    /// More guests than allowed.
    pub too_many_guests: fn(usize) -> String,
    /// The so-many-th guest is no address.
    pub guest_malformed: fn(usize) -> String,
    /// The so-many-th guest repeats another address.
    pub guest_repeated: fn(usize) -> String,
    /// Not one of the options.
    pub not_an_option: &'static str,
    /// Not a phone number.
    pub phone_malformed: &'static str,
    /// The time is not one that this page offers.
    pub start_not_offered: &'static str,
    /// Anything else.
    pub other: &'static str,
}

/// The page of a booking.
#[derive(Debug)]
pub struct Manage {
    /// A hold.
    pub held: Said,
    /// Before the instant by which to confirm.
    pub held_by: &'static str,
    /// The button.
    pub confirm: &'static str,
    /// Doing nothing lets it lapse.
    pub held_nothing: &'static str,
    /// The button that gives it up.
    pub decline: &'static str,
    /// Somebody else asked.
    pub decline_hint: &'static str,
    /// Confirmed.
    pub confirmed: Said,
    /// Begun.
    pub started: Said,
    /// Over.
    pub finished: Said,
    /// Cancelled by the booker.
    pub cancelled_by_booker: Said,
    /// Cancelled by the host.
    pub cancelled_by_host: Said,
    /// Cancelled by a coordinator.
    pub cancelled_by_coordinator: Said,
    /// A hold that lapsed.
    pub expired: Said,
    /// Before the instant at which it lapsed.
    pub expired_at: &'static str,
    /// A hold that was given up.
    pub given_up: Said,
    /// Short names of the states.
    pub tag_held: &'static str,
    /// See `tag_held`.
    pub tag_confirmed: &'static str,
    /// See `tag_held`.
    pub tag_started: &'static str,
    /// See `tag_held`.
    pub tag_finished: &'static str,
    /// See `tag_held`.
    pub tag_cancelled: &'static str,
    /// See `tag_held`.
    pub tag_expired: &'static str,
    /// Heading of the facts.
    pub facts: &'static str,
    /// Fact: when, for the host.
    pub host_time: &'static str,
    /// Fact: the host.
    pub host: &'static str,
    /// Fact: where.
    pub location: &'static str,
    /// Around the number that the host calls.
    pub host_calls: Around,
    /// The host calls a number that is not known here.
    pub host_calls_you: &'static str,
    /// Around the host's number.
    pub call_host: Around,
    /// Fact: who booked.
    pub booker: &'static str,
    /// Fact: guests.
    pub guests: &'static str,
    /// Fact: the note.
    pub note: &'static str,
    /// Heading of the calendar links.
    pub calendar: &'static str,
    /// The file.
    pub calendar_file: &'static str,
    /// Said where a calendar link leaves this site.
    pub calendar_hint: &'static str,
    /// The file of a cancellation.
    pub calendar_cancel: &'static str,
    /// Heading of moving and cancelling.
    pub change: &'static str,
    /// Moving.
    pub reschedule: &'static str,
    /// Cancelling.
    pub cancel: &'static str,
    /// Answering the invitation does not cancel.
    pub answering: &'static str,
    /// So many moves are left.
    pub moves_left: fn(u32) -> String,
    /// None is left.
    pub no_moves: &'static str,
    /// Writes to the host.
    pub contact: &'static str,
    /// Link to the calendar of the page.
    pub again: &'static str,
    /// Back to the booking.
    pub back: &'static str,
    /// Choosing another time.
    pub move_title: &'static str,
    /// Before the time as it is.
    pub move_now: &'static str,
    /// Comparing both times.
    pub review: Said,
    /// The old time.
    pub move_from: &'static str,
    /// The new time.
    pub move_to: &'static str,
    /// The button.
    pub move_button: &'static str,
    /// Another time instead.
    pub move_other: &'static str,
    /// Cancelling.
    pub cancel_form: Said,
    /// The reason.
    pub reason: &'static str,
    /// Who reads it.
    pub reason_hint: &'static str,
    /// The button.
    pub cancel_button: &'static str,
    /// Not cancelling.
    pub keep: &'static str,
}

/// What just happened, at the top of a page.
#[derive(Debug)]
pub struct Notice {
    /// Booked at once.
    pub booked: &'static str,
    /// Confirmed now.
    pub confirmed: &'static str,
    /// Confirmed before.
    pub already_confirmed: &'static str,
    /// Moved now.
    pub moved: &'static str,
    /// Cancelled now.
    pub cancelled: &'static str,
    /// Cancelled before.
    pub already_cancelled: &'static str,
    /// The hold was given up now.
    pub given_up: &'static str,
    /// Something else changed it.
    pub changed: &'static str,
    /// The hold lapsed before the press.
    pub hold_lapsed: &'static str,
    /// Confirmed meanwhile: it needs cancelling.
    pub confirmed_meanwhile: &'static str,
    /// It has begun.
    pub started: &'static str,
    /// It is over.
    pub finished: &'static str,
    /// No move is left.
    pub move_limit: &'static str,
    /// The new time has gone.
    pub taken: &'static str,
    /// The new time is not offered.
    pub not_offered: &'static str,
    /// The new time is the old one.
    pub unchanged: &'static str,
    /// The host takes no bookings now.
    pub host_inactive: &'static str,
    /// Times can't be worked out.
    pub times_unknown: &'static str,
    /// Too many requests or holds.
    pub too_many: fn(u64) -> String,
    /// The form was sent before, with other contents.
    pub sent_before: &'static str,
}

/// Pages that refuse.
#[derive(Debug)]
pub struct Refusal {
    /// 404
    pub not_found: Said,
    /// 400
    pub malformed: Said,
    /// 403
    pub foreign: Said,
    /// 405
    pub method: Said,
    /// 413
    pub too_large: Said,
    /// 415
    pub content_type: Said,
    /// 429
    pub too_many: Said,
    /// 429: when to try again, in so many seconds.
    pub retry_in: fn(u64) -> String,
    /// 500
    pub internal: Said,
    /// 503: times cannot be worked out.
    pub times_unknown: Said,
    /// 503: too busy, or the database is away.
    pub busy: Said,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_its_own_table() {
        let (en, zh) = (words(Locale::En), words(Locale::ZhCn));
        assert_eq!(en.frame.own_name, "English");
        assert_eq!(zh.frame.own_name, "中文");
        assert_ne!(en.manage.confirm, zh.manage.confirm);
    }

    #[test]
    fn no_english_word_was_left_in_chinese() {
        let table = format!("{:?}", words(Locale::ZhCn));
        let letters = |text: &str| text.chars().filter(char::is_ascii_alphabetic).count();
        for said in table.split('"').skip(1).step_by(2) {
            // Names that stay as they are: Holdfast, the product; .ics, the file.
            let rest = said.replace("Holdfast", "").replace(".ics", "");
            assert_eq!(letters(&rest), 0, "{said}");
            assert!(!said.is_empty());
        }
    }

    #[test]
    fn counts_agree_with_their_nouns() {
        let en = words(Locale::En);
        assert_eq!((en.choose.times)(1), "1 free time");
        assert_eq!((en.choose.times)(2), "2 free times");
        assert_eq!((en.manage.moves_left)(1), "You can move it once more.");
        assert_eq!((en.refusal.retry_in)(1), "Try again in 1 second.");
        assert_eq!((en.refusal.retry_in)(90), "Try again in 2 minutes.");
        assert_eq!((en.refusal.retry_in)(7200), "Try again in 2 hours.");
        assert_eq!((words(Locale::ZhCn).choose.times)(3), "3 个空闲时间");
    }
}
