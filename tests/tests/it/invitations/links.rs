//! A stranger's link reaches nobody as a link: what looks like one in a name, a title or a telephone
//! number is no link to a finder of links, in any part of a mail that anybody gets.

use linkify::LinkFinder;
use shared::mail::{
    clean::one_line,
    view::{MailView, Notice, Place, Reader},
};

use super::{Mail, hostile::Random, injection::saturate, write_life};

/// What a browser or a mail program might open.
const LINKS: [&str; 26] = [
    "https://evil.example",
    "http://evil.example/a?b=c#d",
    "HTTPS://EVIL.EXAMPLE",
    "www.evil.example",
    "evil.com",
    "evil.com/login",
    "evil.com:8080",
    "sam@evil.example",
    "mailto:sam@evil.example",
    "ftp://evil.example/x",
    "//evil.com/x",
    "http:\\\\evil.com",
    "http://1.2.3.4/",
    "1.2.3.4/x",
    "http://[::1]/",
    "http://evil\u{3002}example/",
    "evil\u{ff0e}com",
    "evil\u{ff61}com",
    "xn--e1afmkfd.xn--p1ai",
    "пример.рф",
    "例子.公司",
    "evil.com.",
    "(evil.com)",
    "<evil.com>",
    "Re:evil.com,evil.net;evil.org",
    "evil.com\u{202e}moc.live",
];

#[test]
fn no_name_title_or_number_becomes_a_link() {
    let mut random = Random::new(7);
    let (mut mails, mut found) = (0, 0);
    for link in LINKS {
        found += usize::from(finds_any(link));
        for around in ["{}", "Win {} now", "win:{}", "名字{}"] {
            let text = around.replace("{}", link);
            for mail in write_life(&mut random, |view| only_short_fields(view, &text)) {
                mails += 1;
                assert_no_link(&mail);
            }
        }
    }
    // Not every finder links every one of them.
    assert!(found >= 18, "{found}");
    assert!(mails > LINKS.len() * 4 * 5);
}

/// The text in every field of one line; the host's own description and link, and what hosts alone
/// read at length, stay out.
fn only_short_fields(view: &mut MailView, text: &str) {
    saturate(view, text);
    view.description = String::new();
    if !matches!(
        view.place,
        Place::CallsBooker { .. } | Place::CallsHost { .. }
    ) {
        view.place = Place::None;
    }
    if let Reader::Host { booker, .. } = &mut view.reader {
        booker.note = None;
        booker.answers.clear();
    }
    if let Notice::Cancelled { reason, .. } = &mut view.notice {
        *reason = None;
    }
    view.from.name = Some("Example Booking".to_owned());
}

fn assert_no_link(mail: &Mail) {
    let content = &mail.composed.content;
    let message = mail_parser::MessageParser::default().parse(&mail.composed.bytes);
    let message = message.unwrap();
    let names = [message.to(), message.reply_to()].into_iter().flatten();
    let names = names.filter_map(|address| address.first()?.name().map(str::to_owned));
    let mut shown = vec![content.subject.clone()];
    shown.extend(names);
    // What is ours in the text: manage links, the dashboard, the site, and addresses of people.
    shown.extend(
        content
            .text
            .lines()
            .map(|line| without_ours(&mail.view, line)),
    );
    let ics = mail.composed.calendar.clone().unwrap_or_default();
    let ics = ics.replace("\r\n ", "");
    shown.extend(ics.lines().filter_map(|line| {
        match line.split_once(':') {
            // The title is the host's own, and stands in calendars as it was booked.
            Some(("SUMMARY", value)) => Some(value.replacen(&title(&mail.view), "", 1)),
            Some(("LOCATION" | "DESCRIPTION", value)) => Some(value.to_owned()),
            _ => line
                .split_once(";CN=\"")
                .and_then(|(_, rest)| Some(rest.split_once('"')?.0.to_owned())),
        }
    }));
    for text in &shown {
        assert!(!finds_any(text), "{text:?} in {shown:#?}");
    }
}

/// The title as it stands in a TEXT value.
fn title(view: &MailView) -> String {
    let title = one_line(&view.title);
    title
        .replace('\\', "\\\\")
        .replace(';', "\\;")
        .replace(',', "\\,")
}

fn finds_any(text: &str) -> bool {
    let mut finder = LinkFinder::new();
    finder.url_must_have_scheme(false);
    finder.links(text).next().is_some()
}

fn without_ours(view: &MailView, line: &str) -> String {
    let mut line = line.to_owned();
    if let Reader::Host { booker, .. } = &view.reader {
        for guest in &booker.guests {
            line = line.replace(guest.address.as_str(), "");
        }
        line = line.replace(booker.address.as_str(), "");
    }
    let ours = [
        "https://book.example.com/book/m/70c3n?action=reschedule",
        "https://book.example.com/book/m/70c3n?action=cancel",
        "https://book.example.com/book/m/70c3n",
        "https://book.example.com/dashboard/bookings/1",
        "book.example.com",
    ];
    for link in ours {
        line = line.replace(link, "");
    }
    line
}
