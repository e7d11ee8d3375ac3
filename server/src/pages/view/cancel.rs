//! `?action=cancel`: giving the meeting up, with a reason or without.

use askama::Template;

use super::{
    facts::{Booking, Reader},
    field::{Control, Field},
    frame::Frame,
    link::Hidden,
    manage::{Shown, revision_fields},
    notice::{Notice, Said},
    problem::{At, Fault, Problem},
};

/// The facts of the page.
#[derive(Clone, Copy, Debug)]
pub struct CancelPage<'a> {
    /// Who reads it.
    pub reader: Reader,
    /// The booking.
    pub booking: Booking<'a>,
    /// The reason as it was typed; empty at first.
    pub reason: &'a str,
    /// What is wrong with the reason.
    pub fault: Option<Fault>,
    /// Why the press changed nothing.
    pub notice: Option<Notice>,
}

#[derive(Template)]
#[template(path = "cancel.html")]
struct View<'a> {
    frame: Frame,
    notice: Option<Said>,
    about: Shown<'a>,
    reason: Field<'a>,
    action: String,
    hidden: Vec<Hidden>,
    booking: String,
}

impl CancelPage<'_> {
    /// The page, for 200 or 422.
    #[must_use]
    pub fn html(&self) -> String {
        let (reader, booking) = (self.reader, &self.booking);
        let here = booking.link().with("action", "cancel");
        let frame = Frame::new(reader, "").switchable(reader, &here);
        let words = frame.words;
        let problem = self.fault.map(|fault| Problem {
            at: At::Note,
            fault,
        });
        super::html(&View {
            notice: self.notice.map(|notice| notice.said(words)),
            about: Shown::new(reader.locale, booking, true),
            reason: Field {
                id: "f-reason".to_owned(),
                name: "reason".to_owned(),
                label: words.manage.reason,
                hint: Some(words.manage.reason_hint.to_owned()),
                required: false,
                control: Control::Area {
                    value: self.reason,
                    rows: 3,
                },
                problems: problem.iter().map(|held| held.message(words)).collect(),
            },
            action: booking.step("cancel"),
            hidden: revision_fields(reader, booking),
            booking: reader.keep(booking.link()).href(),
            frame: Frame {
                title: words.manage.cancel_form.title.to_owned(),
                ..frame
            },
        })
    }
}
