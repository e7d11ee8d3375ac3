//! The booking form: `?day=&start=&zone=` (200), and the same form come back with problems (422),
//! with other times (409) or with a refusal on top (429, 503).

use askama::Template;
use shared::{instant::Instant, zone::Zone};

use super::{
    days::{About, DaySlots},
    facts::{PublicPage, Reader},
    field::{Control, Field, Question, Sent, Typed},
    frame::{Frame, titled},
    link::Hidden,
    problem::{At, Problem},
    times::DayTimes,
    when::When,
};
use crate::pages::words::Words;

/// What stands above a form that could not be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormNotice {
    /// 429: too many holds or requests; free again in so many seconds.
    TooMany {
        /// As in `Retry-After`.
        retry_after_s: u64,
    },
    /// 503: free times cannot be worked out.
    TimesUnknown,
    /// 422: the idempotency key was used with other contents; give the form a new one.
    SentBefore,
}

/// Why a form comes back.
#[derive(Clone, Copy, Debug)]
pub enum Trouble<'a> {
    /// It does not: it is new.
    None,
    /// Something about the whole of it.
    Notice(FormNotice),
    /// Fields with problems.
    Problems(&'a [Problem]),
    /// The time has gone; these are left on that day, and perhaps on the next free ones.
    Taken(&'a [DaySlots]),
}

/// The facts of the page.
#[derive(Clone, Copy, Debug)]
pub struct FormPage<'a> {
    /// Who reads it.
    pub reader: Reader,
    /// What is being booked.
    pub page: PublicPage<'a>,
    /// The zone that times are shown in.
    pub zone: &'a Zone,
    /// The chosen start.
    pub start: Instant,
    /// The end that goes with it.
    pub end: Instant,
    /// The page's questions, in order.
    pub questions: &'a [Question<'a>],
    /// How many guests may be added; `None` if the page allows none.
    pub guests_max: Option<usize>,
    /// What was typed so far.
    pub typed: &'a Typed,
    /// The key that makes a second press the same booking.
    pub idempotency_key: &'a str,
    /// Why it comes back.
    pub trouble: Trouble<'a>,
}

#[derive(Template)]
#[template(path = "form.html")]
struct View<'a> {
    frame: Frame,
    about: About<'a>,
    when: When,
    /// Back to the day's times.
    change: String,
    action: String,
    hidden: Vec<Hidden>,
    fields: Vec<Field<'a>>,
    summary: Vec<Line<'a>>,
    start_problems: Vec<String>,
    notice: Option<String>,
    /// The times that are left, when the chosen one has gone.
    left: Option<Vec<DayTimes>>,
}

/// A line of the summary: where it leads (nowhere, if its field is not on the form: a question that
/// was taken out meanwhile), the field's label, what is wrong.
struct Line<'a> {
    anchor: Option<String>,
    label: Option<&'a str>,
    message: String,
}

impl FormPage<'_> {
    /// The page, for 200, 409, 422, 429 or 503.
    #[must_use]
    pub fn html(&self) -> String {
        let (reader, locale) = (self.reader, self.reader.locale);
        let base = self.page.address.link();
        let day = self.zone.date(self.start).to_string();
        let zoned = base.clone().with("zone", self.zone.name());
        let here = zoned
            .clone()
            .with("day", &day)
            .with("start", self.start.to_string());
        let title = titled(&[self.page.title, self.page.host_name]);
        let mut frame = Frame::new(reader, title);
        let fresh = matches!(self.trouble, Trouble::None);
        if fresh {
            frame = frame.switchable(reader, &here);
        }
        let words = frame.words;
        let problems = match self.trouble {
            Trouble::Problems(problems) => problems,
            _ => &[],
        };
        let sent = Sent { words, problems };
        let fields = self.fields(&sent);
        let start_problems = sent.messages(&At::Start);
        let mut hidden = vec![
            Hidden::new("zone", self.zone.name()),
            Hidden::new("lang", locale.tag()),
            Hidden::new("idempotency_key", self.idempotency_key),
        ];
        let all_days = reader.keep(zoned);
        let (change, left) = match self.trouble {
            // The buttons name the start; a field beside them would name the one that has gone.
            Trouble::Taken(days) => {
                let left = days
                    .iter()
                    .filter(|day| !day.starts.is_empty())
                    .map(|day| DayTimes::all(locale, self.zone, day, &all_days))
                    .collect();
                (all_days.href(), Some(left))
            }
            _ => {
                hidden.push(Hidden::new("start", self.start.to_string()));
                (all_days.with("day", day).href(), None)
            }
        };
        super::html(&View {
            about: About::new(locale, &self.page),
            when: When::new(locale, self.zone, self.start, self.end),
            change,
            action: base.path().to_owned(),
            hidden,
            summary: summary(&start_problems, &fields, &sent),
            fields,
            start_problems,
            notice: self.notice(words),
            left,
            frame,
        })
    }

    fn fields<'f>(&'f self, sent: &Sent<'f>) -> Vec<Field<'f>> {
        let said = &sent.words.book;
        let line = |kind, autocomplete, value| Control::Line {
            kind,
            autocomplete,
            value,
        };
        let typed = self.typed;
        let email_hint = match self.page.by_mail {
            true => said.email_hint_hold,
            false => said.email_hint_book,
        };
        let name = line("text", "name", &typed.name);
        let email = line("email", "email", &typed.email);
        let mut fields = vec![
            Field::fixed("name", &At::Name, said.name, name, sent),
            Field::fixed("email", &At::Email, said.email, email, sent).hinted(email_hint),
        ];
        let asked = self.questions.iter();
        fields.extend(asked.map(|question| Field::question(question, typed, sent)));
        // Guests that were sent to a page that allows none have to be seen to be taken out.
        if self.guests_max.is_some() || !typed.guests.is_empty() {
            let area = Control::Area {
                value: &typed.guests,
                rows: 3,
            };
            let field = Field::fixed("guests", &At::Guests, said.guests, area, sent);
            fields.push(match self.guests_max {
                Some(most) => field.hinted((said.guests_hint)(most)),
                None => field,
            });
        }
        let note = Control::Area {
            value: &typed.note,
            rows: 3,
        };
        let field = Field::fixed("note", &At::Note, said.note, note, sent);
        fields.push(field.hinted(said.note_hint));
        fields
    }

    fn notice(&self, words: &Words) -> Option<String> {
        let Trouble::Notice(notice) = self.trouble else {
            return None;
        };
        Some(match notice {
            FormNotice::TooMany { retry_after_s } => (words.notice.too_many)(retry_after_s),
            FormNotice::TimesUnknown => words.notice.times_unknown.to_owned(),
            FormNotice::SentBefore => words.notice.sent_before.to_owned(),
        })
    }
}

fn summary<'a>(start: &[String], fields: &[Field<'a>], sent: &Sent<'_>) -> Vec<Line<'a>> {
    let of_start = start.iter().map(|message| Line {
        anchor: Some("f-start".to_owned()),
        label: None,
        message: message.clone(),
    });
    let of_fields = fields.iter().flat_map(|field| {
        field.problems.iter().map(|message| Line {
            anchor: Some(field.anchor().to_owned()),
            label: Some(field.label),
            message: message.clone(),
        })
    });
    let elsewhere = sent.problems.iter().filter(|problem| match &problem.at {
        At::Question(id) => !fields.iter().any(|field| field.asks(id)),
        _ => false,
    });
    let of_none = elsewhere.map(|problem| Line {
        anchor: None,
        label: None,
        message: problem.message(sent.words),
    });
    of_start.chain(of_fields).chain(of_none).collect()
}
