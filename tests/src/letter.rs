//! A mail as its reader's program shows it.

use mail_parser::{Message, MessageParser, MessagePart, MimeHeaders as _, PartType};
use shared::instant::Instant;
use uuid::Uuid;

use crate::smtp_sink::Received;

/// A mail that the sink accepted, opened.
#[derive(Clone, Debug)]
pub struct Letter {
    /// The envelope's one recipient.
    pub to: String,
    pub message_id: String,
    /// The row of `mail_outbox` that `message_id` is made from.
    pub row: Uuid,
    /// `Date`: when it was prepared, in whole seconds.
    pub date: Instant,
    pub subject: String,
    pub text: String,
    pub html: String,
    pub calendar: Option<Calendar>,
    /// As it came over the wire.
    pub bytes: Vec<u8>,
}

/// The invitation in a mail.
#[derive(Clone, Debug)]
pub struct Calendar {
    /// `method` and `charset` of the part's `Content-Type`.
    pub method: String,
    pub charset: String,
    pub ics: Ics,
    /// The attachment's name and bytes.
    pub attachment: (String, Vec<u8>),
}

/// An iCalendar stream, for looking single properties up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ics(pub String);

impl Ics {
    /// The lines of a property, unfolded: what stands behind its name.
    pub fn all(&self, name: &str) -> Vec<String> {
        let unfolded = self.0.replace("\r\n ", "");
        unfolded
            .split("\r\n")
            .filter_map(|line| line.strip_prefix(name))
            .filter(|rest| rest.starts_with([':', ';']))
            .map(str::to_owned)
            .collect()
    }

    /// The value of a property that stands once and has no parameters.
    pub fn value(&self, name: &str) -> String {
        match self.all(name).as_slice() {
            [one] => one.strip_prefix(':').unwrap_or(one).to_owned(),
            lines => panic!("{name} stands {} times in {}", lines.len(), self.0),
        }
    }

    /// `SEQUENCE`.
    pub fn sequence(&self) -> i32 {
        self.value("SEQUENCE").parse().unwrap()
    }

    /// An instant such as `20260602T100000Z`.
    pub fn instant(&self, name: &str) -> Instant {
        let value = self.value(name);
        let (date, time) = (&value[..8], &value[9..]);
        format!(
            "{}-{}-{}T{}:{}:{}",
            &date[..4],
            &date[4..6],
            &date[6..],
            &time[..2],
            &time[2..4],
            &time[4..]
        )
        .parse()
        .unwrap()
    }
}

impl Letter {
    /// Opens what the sink received.
    pub fn open(received: &Received) -> Self {
        let message = MessageParser::default().parse(&received.data).unwrap();
        let message_id = message.message_id().unwrap().to_owned();
        let row = message_id.split('@').next().unwrap().parse().unwrap();
        let date = message.date().unwrap().to_timestamp();
        Self {
            to: received.to.clone(),
            row,
            date: Instant::from_second(date).unwrap(),
            subject: message.subject().unwrap().to_owned(),
            text: body(&message, "plain"),
            html: body(&message, "html"),
            calendar: calendar(&message),
            message_id,
            bytes: received.data.clone(),
        }
    }

    /// The manage token in its links, if it has any.
    pub fn token(&self) -> Option<String> {
        let (_, rest) = self.text.split_once("/book/m/")?;
        Some(rest.chars().take(64).collect())
    }

    /// The link with that action, if it has it.
    pub fn link(&self, action: &str) -> Option<String> {
        let ending = format!("?action={action}");
        let mut words = self.text.split_whitespace();
        words
            .find(|word| word.ends_with(&ending))
            .map(str::to_owned)
    }

    /// The invitation that it carries.
    pub fn ics(&self) -> &Ics {
        let calendar = self.calendar.as_ref();
        &calendar
            .unwrap_or_else(|| panic!("no invitation in {:?}", self.subject))
            .ics
    }
}

fn is(part: &MessagePart<'_>, kind: &str, subtype: &str) -> bool {
    part.content_type().is_some_and(|found| {
        found.ctype().eq_ignore_ascii_case(kind)
            && found
                .subtype()
                .is_some_and(|found| found.eq_ignore_ascii_case(subtype))
    })
}

fn part<'a>(message: &'a Message<'a>, kind: &str, subtype: &str) -> Option<&'a MessagePart<'a>> {
    message.parts.iter().find(|part| is(part, kind, subtype))
}

fn content(part: &MessagePart<'_>) -> Vec<u8> {
    match &part.body {
        PartType::Text(text) | PartType::Html(text) => text.as_bytes().to_vec(),
        PartType::Binary(bytes) | PartType::InlineBinary(bytes) => bytes.to_vec(),
        PartType::Message(_) | PartType::Multipart(_) => panic!("no leaf"),
    }
}

fn body(message: &Message<'_>, subtype: &str) -> String {
    let part = part(message, "text", subtype).unwrap_or_else(|| panic!("no text/{subtype}"));
    String::from_utf8(content(part)).unwrap()
}

fn calendar(message: &Message<'_>) -> Option<Calendar> {
    let inline = part(message, "text", "calendar")?;
    let attached = part(message, "application", "ics").unwrap();
    let parameter = |name| {
        let kind = inline.content_type().unwrap();
        kind.attribute(name).unwrap_or_default().to_owned()
    };
    Some(Calendar {
        method: parameter("method"),
        charset: parameter("charset"),
        ics: Ics(String::from_utf8(content(inline)).unwrap()),
        attachment: (
            attached.attachment_name().unwrap_or_default().to_owned(),
            content(attached),
        ),
    })
}
