//! What several pages need to know.

use shared::{instant::Instant, locale::Locale, zone::Zone};

use super::link::Link;

/// Who reads a page, as far as its address and headers say.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    /// The language to write in.
    pub locale: Locale,
    /// Whether the address names the language (`lang=`), so that links keep naming it.
    pub lang_asked: bool,
}

impl Reader {
    /// A link that keeps the language that was asked for.
    pub(super) fn keep(self, link: Link) -> Link {
        link.maybe("lang", self.lang_asked.then(|| self.locale.tag()))
    }
}

/// The address of a booking page: `/book/{handle}/{code}`.
#[derive(Clone, Copy, Debug)]
pub struct PageAddress<'a> {
    /// The host's handle.
    pub handle: &'a str,
    /// The page's code or slug, as the reader came by it.
    pub code: &'a str,
}

impl PageAddress<'_> {
    pub(super) fn link(self) -> Link {
        Link::to(["book", self.handle, self.code])
    }
}

/// A text that says something; an empty one is none.
pub(super) fn said(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}

/// What a stranger may know of a booking page.
#[derive(Clone, Copy, Debug)]
pub struct PublicPage<'a> {
    /// Where it is.
    pub address: PageAddress<'a>,
    /// Its title.
    pub title: &'a str,
    /// Its description, if there is one; line breaks are kept.
    pub description: Option<&'a str>,
    /// The host's public name.
    pub host_name: &'a str,
    /// The length of a meeting in minutes.
    pub duration_min: u32,
    /// Whether the mailbox confirms (policy `email_link`); else it is booked at once.
    pub by_mail: bool,
}

/// What the page behind a manage link may show: the booking's snapshot and the booker's own
/// details.
#[derive(Clone, Copy, Debug)]
pub struct Booking<'a> {
    /// The manage token, from the address; it is repeated in the page's own links alone.
    pub token: &'a str,
    /// The revision that the forms carry.
    pub revision: i64,
    /// The title as it was when it was booked.
    pub title: &'a str,
    /// The description as it was when it was booked.
    pub description: Option<&'a str>,
    /// When it starts.
    pub start: Instant,
    /// When it ends.
    pub end: Instant,
    /// The zone to show times in: the booker's.
    pub zone: &'a Zone,
    /// The host's zone; its times are added where the clocks differ.
    pub host_zone: &'a Zone,
    /// The host's public name.
    pub host_name: &'a str,
    /// The host's address, if it is verified.
    pub host_email: Option<&'a str>,
    /// Where the meeting takes place.
    pub place: Option<Place<'a>>,
    /// The booker's name.
    pub booker_name: &'a str,
    /// The booker's address.
    pub booker_email: &'a str,
    /// The guests' addresses that the booker gave.
    pub guests: &'a [String],
    /// The booker's answers, with the questions as they were asked.
    pub answers: &'a [Answered<'a>],
    /// The booker's note.
    pub note: Option<&'a str>,
    /// The page it was booked on, if it is still offered, for "book another time".
    pub again: Option<PageAddress<'a>>,
}

/// Where a meeting takes place.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// As the host wrote it.
    Text(&'a str),
    /// A fixed link; an `https:` or `http:` address can be followed.
    Link(&'a str),
    /// The host calls the booker, at this number if it is known.
    HostCalls(Option<&'a str>),
    /// The booker calls this number.
    CallHost(&'a str),
}

impl<'a> Place<'a> {
    /// What another calendar is told of it.
    pub(super) const fn text(self) -> Option<&'a str> {
        match self {
            Self::Text(text) | Self::Link(text) | Self::CallHost(text) => Some(text),
            Self::HostCalls(_) => None,
        }
    }
}

/// A question and its answer, as they were when it was booked.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a> {
    /// What was asked.
    pub label: &'a str,
    /// What was answered.
    pub value: AnsweredValue<'a>,
}

/// What was answered.
#[derive(Clone, Copy, Debug)]
pub enum AnsweredValue<'a> {
    /// Yes or no, said in the reader's language.
    YesNo(bool),
    /// A text, a phone number or one option.
    Text(&'a str),
    /// Several options.
    Options(&'a [String]),
}

impl Booking<'_> {
    /// `/book/m/{token}`
    pub(super) fn link(&self) -> Link {
        Link::to(["book", "m", self.token])
    }

    /// `/book/m/{token}/{step}`, where a form is sent or a file is fetched.
    pub(super) fn step(&self, step: &str) -> String {
        Link::to(["book", "m", self.token, step]).href()
    }
}
