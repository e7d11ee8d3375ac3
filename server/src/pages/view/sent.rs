//! The answer to a hold, 201: check your mail.

use askama::Template;
use shared::{instant::Instant, zone::Zone};

use super::{
    days::About,
    facts::{PublicPage, Reader},
    frame::Frame,
    when::{Until, When},
};

/// The facts of the page.
#[derive(Clone, Copy, Debug)]
pub struct SentPage<'a> {
    /// Who reads it.
    pub reader: Reader,
    /// What is held.
    pub page: PublicPage<'a>,
    /// The booker's zone.
    pub zone: &'a Zone,
    /// When the meeting starts.
    pub start: Instant,
    /// When it ends.
    pub end: Instant,
    /// The address that the link goes to.
    pub email: &'a str,
    /// When the hold lapses.
    pub lapses_at: Instant,
    /// Whether the mail is kept at `/dev/mail` instead of being sent.
    pub dev_mail: bool,
}

#[derive(Template)]
#[template(path = "sent.html")]
struct View<'a> {
    frame: Frame,
    about: About<'a>,
    when: When,
    email: &'a str,
    until: Until,
    dev_mail: bool,
    again: String,
}

impl SentPage<'_> {
    /// The page, for 201.
    #[must_use]
    pub fn html(&self) -> String {
        let locale = self.reader.locale;
        let frame = Frame::new(self.reader, "");
        let zoned = self.page.address.link().with("zone", self.zone.name());
        super::html(&View {
            about: About::new(locale, &self.page),
            when: When::new(locale, self.zone, self.start, self.end),
            email: self.email,
            until: Until::new(locale, self.zone, self.lapses_at),
            dev_mail: self.dev_mail,
            again: self.reader.keep(zoned).href(),
            frame: Frame {
                title: frame.words.book.sent_title.to_owned(),
                ..frame
            },
        })
    }
}
