//! `?action=reschedule`: choosing another time, and with `start=` comparing both before the one
//! button that moves the meeting.

use askama::Template;
use shared::{instant::Instant, zone::Zone};

use super::{
    days::{Choice, Chooser},
    facts::{Booking, Reader},
    frame::Frame,
    link::{Hidden, Link},
    manage::{Shown, revision_fields},
    notice::{Notice, Said},
    when::When,
};

/// The facts of the page that offers times.
#[derive(Clone, Copy, Debug)]
pub struct MovePage<'a> {
    /// Who reads it.
    pub reader: Reader,
    /// The booking.
    pub booking: Booking<'a>,
    /// The times.
    pub choice: Choice<'a>,
    /// What just happened.
    pub notice: Option<Notice>,
}

#[derive(Template)]
#[template(path = "move.html")]
struct ChooseView<'a> {
    frame: Frame,
    notice: Option<Said>,
    about: Shown<'a>,
    now: When,
    chooser: Chooser,
    booking: String,
}

/// The facts of the page that compares the old time with the new one.
#[derive(Clone, Copy, Debug)]
pub struct ReviewPage<'a> {
    /// Who reads it.
    pub reader: Reader,
    /// The booking.
    pub booking: Booking<'a>,
    /// The zone that both times are shown in; it becomes the booking's.
    pub zone: &'a Zone,
    /// The new start.
    pub start: Instant,
    /// The new end.
    pub end: Instant,
    /// The key that makes a second press the same move.
    pub idempotency_key: &'a str,
    /// Why the press changed nothing.
    pub notice: Option<Notice>,
}

#[derive(Template)]
#[template(path = "review.html")]
struct ReviewView<'a> {
    frame: Frame,
    notice: Option<Said>,
    about: Shown<'a>,
    old: When,
    new: When,
    action: String,
    hidden: Vec<Hidden>,
    other: String,
    booking: String,
}

impl MovePage<'_> {
    /// The page, for 200, or for 409 with the times that are left.
    #[must_use]
    pub fn html(&self) -> String {
        let (reader, booking) = (self.reader, &self.booking);
        let locale = reader.locale;
        let base = move_link(booking);
        let frame = Frame::new(reader, "").switchable(reader, &self.choice.here(base.clone()));
        super::html(&ChooseView {
            notice: self.notice.map(|notice| notice.said(frame.words)),
            about: Shown::new(locale, booking, true),
            now: When::new(locale, self.choice.zone, booking.start, booking.end),
            chooser: Chooser::new(locale, &self.choice, &reader.keep(base), false),
            booking: reader.keep(booking.link()).href(),
            frame: Frame {
                title: frame.words.manage.move_title.to_owned(),
                ..frame
            },
        })
    }
}

impl ReviewPage<'_> {
    /// The page, for 200.
    #[must_use]
    pub fn html(&self) -> String {
        let (reader, booking) = (self.reader, &self.booking);
        let locale = reader.locale;
        let day = self.zone.date(self.start).to_string();
        let of_day = move_link(booking)
            .with("zone", self.zone.name())
            .with("day", day);
        let here = of_day.clone().with("start", self.start.to_string());
        let frame = Frame::new(reader, "").switchable(reader, &here);
        let mut hidden = revision_fields(reader, booking);
        hidden.extend([
            Hidden::new("zone", self.zone.name()),
            Hidden::new("start", self.start.to_string()),
            Hidden::new("idempotency_key", self.idempotency_key),
        ]);
        super::html(&ReviewView {
            notice: self.notice.map(|notice| notice.said(frame.words)),
            about: Shown::new(locale, booking, true),
            old: When::new(locale, self.zone, booking.start, booking.end),
            new: When::new(locale, self.zone, self.start, self.end),
            action: booking.step("reschedule"),
            hidden,
            other: reader.keep(of_day).href(),
            booking: reader.keep(booking.link()).href(),
            frame: Frame {
                title: frame.words.manage.review.title.to_owned(),
                ..frame
            },
        })
    }
}

fn move_link(booking: &Booking<'_>) -> Link {
    booking.link().with("action", "reschedule")
}
