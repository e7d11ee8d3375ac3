//! `/dev/mail`: what the development mailer kept. For developers alone, so in English.

use askama::Template;
use shared::{locale::Locale, mail::dev_box::DevMessage};

use super::{facts::Reader, frame::Frame};
use crate::pages::dates;

/// The messages, newest first.
#[derive(Clone, Copy, Debug)]
pub struct DevMailPage<'a> {
    /// What is kept.
    pub messages: &'a [DevMessage],
}

#[derive(Template)]
#[template(path = "dev_mail.html")]
struct ListView<'a> {
    frame: Frame,
    messages: Vec<Row<'a>>,
}

struct Row<'a> {
    href: String,
    subject: &'a str,
    to: &'a str,
    at: String,
}

/// One message.
#[derive(Clone, Copy, Debug)]
pub struct DevMessagePage<'a> {
    /// It.
    pub message: &'a DevMessage,
}

#[derive(Template)]
#[template(path = "dev_message.html")]
struct MessageView<'a> {
    frame: Frame,
    subject: &'a str,
    to: &'a str,
    at: String,
    html: String,
    invite: Option<String>,
    text: Vec<Piece<'a>>,
}

/// A piece of a text, and whether it is an address to follow.
#[derive(Debug, PartialEq, Eq)]
struct Piece<'a> {
    text: &'a str,
    is_link: bool,
}

impl DevMailPage<'_> {
    /// The page, for 200.
    #[must_use]
    pub fn html(&self) -> String {
        let rows = self.messages.iter().map(|message| Row {
            href: path(message, ""),
            subject: &message.subject,
            to: &message.to,
            at: at(message),
        });
        super::html(&ListView {
            frame: frame("Mail"),
            messages: rows.collect(),
        })
    }
}

impl DevMessagePage<'_> {
    /// The page, for 200.
    #[must_use]
    pub fn html(&self) -> String {
        let message = self.message;
        let invite = message.calendar.as_ref();
        super::html(&MessageView {
            frame: frame(&message.subject),
            subject: &message.subject,
            to: &message.to,
            at: at(message),
            html: path(message, "/html"),
            invite: invite.map(|_| path(message, "/invite.ics")),
            text: pieces(&message.text),
        })
    }
}

fn frame(title: &str) -> Frame {
    let reader = Reader {
        locale: Locale::En,
        lang_asked: false,
    };
    Frame::new(reader, super::frame::titled(&[title]))
}

fn path(message: &DevMessage, rest: &str) -> String {
    format!("/dev/mail/{}{rest}", message.number)
}

fn at(message: &DevMessage) -> String {
    let zone = shared::zone::Zone::utc();
    let wall = zone.wall(message.at);
    let date = dates::date_short(Locale::En, wall.date());
    format!("{date}, {}:{:02} UTC", dates::time(wall), wall.second())
}

/// Cuts a text at its web addresses. In Chinese nothing but a colon stands before one.
fn pieces(mut text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let link_at = |text: &str| {
        let found = ["https://", "http://"].iter();
        found.filter_map(|scheme| text.find(scheme)).min()
    };
    while let Some(at) = link_at(text) {
        let (before, rest) = text.split_at(at);
        let ends = |c: char| !c.is_ascii_graphic() || matches!(c, '<' | '>' | '"');
        let (link, after) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
        for (text, is_link) in [(before, false), (link, true)] {
            pieces.push(Piece { text, is_link });
        }
        text = after;
    }
    pieces.push(Piece {
        text,
        is_link: false,
    });
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_its_addresses_and_loses_nothing() {
        let text = "确认：https://book.test/book/m/ab?action=confirm\n\nOr not <http://x>.";
        let cut = pieces(text);
        let whole: String = cut.iter().map(|piece| piece.text).collect();
        assert_eq!(whole, text);
        let links: Vec<_> = cut
            .iter()
            .filter(|piece| piece.is_link)
            .map(|piece| piece.text)
            .collect();
        assert_eq!(
            links,
            ["https://book.test/book/m/ab?action=confirm", "http://x"]
        );
        assert!(pieces("javascript:alert(1)").iter().all(|p| !p.is_link));
    }
}
