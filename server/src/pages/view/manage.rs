//! `GET /book/m/{token}`: a booking in each of its states, for the booker.

use askama::Template;
use shared::{instant::Instant, locale::Locale};

use super::{
    calendar_links::{CalendarLink, Meeting, calendar_links},
    facts::{Answered, AnsweredValue, Booking, Place, Reader, said},
    frame::Frame,
    link::{Hidden, encode},
    notice::{Notice, Said},
    when::{Until, When},
};
use crate::pages::{
    dates,
    words::{self, Words},
};

/// Who cancelled, in the booker's eyes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CancelledBy {
    /// The booker.
    Booker,
    /// The host.
    Host,
    /// Somebody who books for others.
    Coordinator,
}

/// The state that the page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Held until then.
    Held {
        /// When it lapses.
        lapses_at: Instant,
    },
    /// Confirmed, and not begun.
    Confirmed {
        /// How often the booker may still move it.
        moves_left: u32,
    },
    /// Confirmed, and begun: nothing can be changed.
    Started,
    /// `completed` or `no_show`: the booker sees that it took place.
    Finished,
    /// Cancelled.
    Cancelled {
        /// By whom.
        by: CancelledBy,
    },
    /// A hold that came to nothing.
    Expired {
        /// When it lapsed; `None` if it was given up before.
        lapsed_at: Option<Instant>,
    },
}

/// The facts of the page.
#[derive(Clone, Copy, Debug)]
pub struct ManagePage<'a> {
    /// Who reads it.
    pub reader: Reader,
    /// The booking.
    pub booking: Booking<'a>,
    /// Its state.
    pub state: State,
    /// What just happened.
    pub notice: Option<Notice>,
}

#[derive(Template)]
#[template(path = "manage.html")]
struct View<'a> {
    frame: Frame,
    notice: Option<Said>,
    tag: &'static str,
    /// `held`, `sure` or `over`: how the tag and the time look.
    tone: &'static str,
    said: &'static words::Said,
    about: Shown<'a>,
    held: Option<Held>,
    lapsed: Option<Until>,
    calendar: Option<AddTo>,
    cancel_file: Option<String>,
    change: Option<Change>,
    again: Option<String>,
}

/// What a booking page says of its booking.
#[derive(Debug)]
pub(super) struct Shown<'a> {
    pub(super) title: &'a str,
    pub(super) description: Option<&'a str>,
    pub(super) when: When,
    pub(super) host_time: Option<String>,
    pub(super) host_name: &'a str,
    pub(super) host_email: Option<&'a str>,
    pub(super) write_to_host: Option<String>,
    pub(super) place: Option<Place<'a>>,
    pub(super) booker_name: &'a str,
    pub(super) booker_email: &'a str,
    pub(super) guests: &'a [String],
    pub(super) answers: &'a [Answered<'a>],
    pub(super) note: Option<&'a str>,
}

struct Held {
    until: Until,
    confirm: String,
    decline: String,
    hidden: Vec<Hidden>,
}

struct AddTo {
    file: String,
    links: Vec<CalendarLink>,
}

struct Change {
    reschedule: Option<String>,
    cancel: String,
    moves: String,
}

impl<'a> Shown<'a> {
    /// `settled`: the meeting exists, or existed, for the booker, who may know the host's address
    /// and the place.
    pub(super) fn new(locale: Locale, booking: &Booking<'a>, settled: bool) -> Self {
        let host_email = booking.host_email.filter(|_| settled);
        Self {
            title: booking.title,
            description: said(booking.description),
            when: When::new(locale, booking.zone, booking.start, booking.end),
            host_time: host_time(locale, booking),
            host_name: booking.host_name,
            host_email,
            write_to_host: host_email.map(mailto),
            place: booking.place.filter(|_| settled).map(as_it_can_be_followed),
            booker_name: booking.booker_name,
            booker_email: booking.booker_email,
            guests: booking.guests,
            answers: booking.answers,
            note: said(booking.note),
        }
    }
}

impl ManagePage<'_> {
    /// The page, for 200, or for 409 with the current state.
    #[must_use]
    pub fn html(&self) -> String {
        let (reader, booking) = (self.reader, &self.booking);
        let locale = reader.locale;
        let frame = Frame::new(reader, "").switchable(reader, &booking.link());
        let words = frame.words;
        let (tag, tone, said) = self.words(words);
        let settled = !matches!(self.state, State::Held { .. } | State::Expired { .. });
        let until = |at| Until::new(locale, booking.zone, at);
        let held = match self.state {
            State::Held { lapses_at } => Some(Held {
                until: until(lapses_at),
                confirm: booking.step("confirm"),
                decline: booking.step("cancel"),
                hidden: revision_fields(reader, booking),
            }),
            _ => None,
        };
        let lapsed = match self.state {
            State::Expired { lapsed_at } => lapsed_at.map(until),
            _ => None,
        };
        let over = matches!(self.state, State::Cancelled { .. } | State::Expired { .. });
        let cancelled = matches!(self.state, State::Cancelled { .. });
        let again = booking
            .again
            .map(|page| reader.keep(page.link().with("zone", booking.zone.name())));
        let page = View {
            notice: self.notice.map(|notice| notice.said(words)),
            tag,
            tone,
            said,
            about: Shown::new(locale, booking, settled),
            held,
            lapsed,
            calendar: self.calendar(),
            cancel_file: cancelled.then(|| booking.step("calendar.ics")),
            change: self.change(words),
            again: again.filter(|_| over).map(|link| link.href()),
            frame: Frame {
                title: said.title.to_owned(),
                ..frame
            },
        };
        super::html(&page)
    }

    fn words(&self, words: &'static Words) -> (&'static str, &'static str, &'static words::Said) {
        let said = &words.manage;
        match self.state {
            State::Held { .. } => (said.tag_held, "held", &said.held),
            State::Confirmed { .. } => (said.tag_confirmed, "sure", &said.confirmed),
            State::Started => (said.tag_started, "sure", &said.started),
            State::Finished => (said.tag_finished, "done", &said.finished),
            State::Cancelled { by } => {
                let by = match by {
                    CancelledBy::Booker => &said.cancelled_by_booker,
                    CancelledBy::Host => &said.cancelled_by_host,
                    CancelledBy::Coordinator => &said.cancelled_by_coordinator,
                };
                (said.tag_cancelled, "over", by)
            }
            State::Expired { lapsed_at: Some(_) } => (said.tag_expired, "over", &said.expired),
            State::Expired { lapsed_at: None } => (said.tag_expired, "over", &said.given_up),
        }
    }

    fn calendar(&self) -> Option<AddTo> {
        if !matches!(self.state, State::Confirmed { .. } | State::Started) {
            return None;
        }
        let booking = &self.booking;
        Some(AddTo {
            file: booking.step("calendar.ics"),
            links: calendar_links(&Meeting {
                title: booking.title,
                host_name: booking.host_name,
                location: booking.place.and_then(Place::text),
                start: booking.start,
                end: booking.end,
            }),
        })
    }

    fn change(&self, words: &Words) -> Option<Change> {
        let State::Confirmed { moves_left } = self.state else {
            return None;
        };
        let action = |name| {
            let link = self.booking.link().with("action", name);
            self.reader.keep(link).href()
        };
        Some(Change {
            reschedule: (moves_left > 0).then(|| action("reschedule")),
            cancel: action("cancel"),
            moves: match moves_left {
                0 => words.manage.no_moves.to_owned(),
                left => (words.manage.moves_left)(left),
            },
        })
    }
}

/// The hidden fields of every form that changes a booking.
pub(super) fn revision_fields(reader: Reader, booking: &Booking<'_>) -> Vec<Hidden> {
    let mut fields = vec![Hidden::new(
        "expected_revision",
        booking.revision.to_string(),
    )];
    if reader.lang_asked {
        fields.push(Hidden::new("lang", reader.locale.tag()));
    }
    fields
}

/// The meeting by the host's clock, where it differs from the booker's.
fn host_time(locale: Locale, booking: &Booking<'_>) -> Option<String> {
    let (start, end, zone) = (booking.start, booking.end, booking.host_zone);
    if zone.wall(start) == booking.zone.wall(start) {
        return None;
    }
    let date = dates::date_short(locale, zone.date(start));
    let times = dates::time_range(locale, zone, start, end);
    Some(format!(
        "{date}, {times}, {}",
        dates::zone_label(locale, zone, start)
    ))
}

fn mailto(address: &str) -> String {
    let mut href = "mailto:".to_owned();
    encode(address, b"@+", &mut href);
    href
}

/// A link that is no web address is shown as text.
fn as_it_can_be_followed(place: Place<'_>) -> Place<'_> {
    match place {
        Place::Link(text) if !is_web_address(text) => Place::Text(text),
        other => other,
    }
}

/// Whether a place is an address that may become a link: http or https, and nothing after it.
fn is_web_address(text: &str) -> bool {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        !rest.is_empty() && !rest.contains(|c: char| c.is_whitespace() || c.is_control())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_addresses_become_links() {
        for good in ["https://meet.example.com/x?y=1", "http://localhost:1/"] {
            assert!(is_web_address(good), "{good}");
        }
        for bad in [
            "javascript:alert(1)",
            "https://",
            "https://a b",
            "Room https://example.com",
            "HTTPS",
            "data:text/html,x",
            "//example.com",
            "",
        ] {
            assert!(!is_web_address(bad), "{bad}");
        }
    }

    #[test]
    fn an_address_cannot_add_to_its_mailto() {
        assert_eq!(
            mailto("a+b@example.com?cc=x&y\"z"),
            "mailto:a+b@example.com%3Fcc%3Dx%26y%22z"
        );
    }
}
