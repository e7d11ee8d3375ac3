//! The cases of area `mail` (and `ics-out` where the message matters), and the shape of messages.
#![expect(clippy::unwrap_used, reason = "tests")]
use super::{
    kind::{MailKind, Role},
    message::compose,
    reading::{Part, read},
    sample::{address, every_view, party, view},
    view::{MailView, Party, Reader},
};
use crate::locale::Locale;

fn composed(view: &MailView) -> Part {
    read(&compose(view).unwrap().bytes)
}

fn header(view: &MailView, name: &str) -> Option<String> {
    composed(view).header(name).map(str::to_owned)
}

fn confirmed() -> MailView {
    view(MailKind::Confirmed, Role::Booker, Locale::En)
}

#[test]
fn mail_01_a_line_break_adds_no_header() {
    let hostile = "Ann\r\nBcc: victim@example.test\r\n\r\nbody\nX-Test: 1";
    for mut view in every_view() {
        view.to.name = Some(hostile.to_owned());
        view.reply_to = Some(party(hostile, "r@example.test"));
        view.from.name = Some(hostile.to_owned());
        view.title = format!("Hi\nX-Test: 1{hostile}");
        view.host_names = vec![hostile.to_owned()];
        match &mut view.reader {
            Reader::Host { booker, .. } => booker.name = hostile.to_owned(),
            Reader::Guest { booker_name } => *booker_name = hostile.to_owned(),
            Reader::Booker { .. } => {}
        }
        let message = composed(&view);
        assert!(message.header("Bcc").is_none());
        assert!(message.header("X-Test").is_none());
        assert!(
            message.header("Subject").is_some(),
            "once: the reader checks"
        );
        let mut names: Vec<&str> = message.headers.iter().map(|(name, _)| &**name).collect();
        names.sort_unstable();
        assert_eq!(
            names,
            [
                "Auto-Submitted",
                "Content-Language",
                "Content-Type",
                "Date",
                "From",
                "MIME-Version",
                "Message-ID",
                "Reply-To",
                "Subject",
                "To",
                "X-Auto-Response-Suppress",
            ]
        );
    }
}

#[test]
fn mail_04_the_address_stands_outside_of_the_encoded_name() {
    let mut view = confirmed();
    view.from = party("Zoë Čapek", "zoe@example.test");
    view.to = party("Zoë Čapek", "zoe@example.test");
    for name in ["From", "To"] {
        assert_eq!(
            header(&view, name).unwrap(),
            "=?utf-8?b?Wm/DqyDEjGFwZWs=?= <zoe@example.test>"
        );
    }
}

#[test]
fn mail_06_an_override_in_a_name_reaches_nobody() {
    for mut view in every_view() {
        let name = "Sam\u{202e}eoD\u{2066}".to_owned();
        view.to.name = Some(name.clone());
        view.title.clone_from(&name);
        view.host_names = vec![name.clone()];
        if let Reader::Host { booker, .. } = &mut view.reader {
            booker.name.clone_from(&name);
            booker.note = Some(name.clone());
        }
        if let Some(invitation) = &mut view.invitation {
            invitation.organizer.name = Some(name.clone());
            invitation.hosts[0].name = Some(name.clone());
            invitation.booker.name = Some(name.clone());
        }
        let mail = compose(&view).unwrap();
        let texts = [
            mail.content.subject,
            mail.content.text,
            mail.content.html,
            mail.calendar.unwrap_or_default(),
        ];
        for text in texts {
            assert!(!text.contains(['\u{202e}', '\u{2066}']), "{text}");
        }
    }
}

#[test]
fn mail_09_an_internationalised_domain_travels_as_ascii_and_is_shown_as_typed() {
    let mut booker = confirmed();
    booker.to = party("Sam", "sam@bücher.example");
    let mail = compose(&booker).unwrap();
    assert_eq!(
        mail.envelope.to()[0].to_string(),
        "sam@xn--bcher-kva.example"
    );
    assert_eq!(
        header(&booker, "To").unwrap(),
        "Sam <sam@xn--bcher-kva.example>"
    );
    assert!(mail.bytes.is_ascii() && !mail.needs_smtputf8);

    let mut host = view(MailKind::Confirmed, Role::Host, Locale::En);
    if let Reader::Host { booker, .. } = &mut host.reader {
        booker.address = address("sam@bücher.example");
    }
    let mail = compose(&host).unwrap();
    assert!(mail.content.text.contains("sam@bücher.example"));
}

#[test]
fn mail_11_new_domains_and_apostrophes_are_sent_to() {
    let long = format!("a@{}.{}.example", "d".repeat(60), "e".repeat(59));
    for text in [
        "a@shop.homes",
        "a@x.photography",
        "a@x.xn--vermgensberatung-pwb",
        "o'neil@example.test",
        long.as_str(),
    ] {
        let mut view = confirmed();
        view.to.address = address(text);
        let mail = compose(&view).unwrap();
        assert_eq!(mail.envelope.to()[0].to_string(), text);
    }
}

/// A local part in other letters needs a server that speaks SMTPUTF8; its domain is ASCII anyway.
#[test]
fn a_local_part_in_other_letters_is_marked() {
    let mut view = confirmed();
    view.to.address = address("用户@例子.example");
    let mail = compose(&view).unwrap();
    assert!(mail.needs_smtputf8);
    assert_eq!(
        mail.envelope.to()[0].to_string(),
        "用户@xn--fsqu00a.example"
    );
}

#[test]
fn names_with_comma_quotes_and_colon_leave_the_address_alone() {
    for name in [
        "Silva, Ana",
        "Ana \"the Boss\" Silva",
        "Ana: <evil@example.test>",
        "Ana\\",
        "(Ana)",
        "=?utf-8?q?Ana?=",
        &"Ana Maria ".repeat(10),
    ] {
        let mut view = confirmed();
        view.to.name = Some(name.to_owned());
        let to = header(&view, "To").unwrap();
        let (shown, rest) = to.rsplit_once(" <").unwrap();
        assert_eq!(rest, "ana@booker.example>", "{name}");
        let quoted = shown.starts_with('"') && shown.ends_with('"');
        let encoded = shown.starts_with("=?utf-8?b?") && shown.ends_with("?=");
        assert!(quoted || encoded, "{shown}");
    }
}

/// The longest names and titles that are taken, with and without a place to fold: no line is longer
/// than SMTP carries, no encoded word longer than RFC 2047 allows, and the address is left alone.
#[test]
fn very_long_names_are_folded() {
    for unit in ["x", "名", "👩‍👩‍👧‍👦", "Zoë ", "a b ", "\"", "=?", "e\u{301}"] {
        let text = |chars| unit.chars().cycle().take(chars).collect::<String>();
        for mut view in every_view() {
            view.title = text(200);
            view.from.name = Some(text(100));
            view.to.name = Some(text(100));
            view.reply_to = Some(party(&text(100), "r@example.test"));
            view.host_names = vec![text(100), text(100)];
            if let Reader::Host { booker, .. } = &mut view.reader {
                booker.name = text(100);
            }
            let to = view.to.address.as_str().to_owned();
            let mail = compose(&view).unwrap();
            assert!(mail.content.subject.chars().count() > 200);
            // The reader checks the length of every line.
            let message = read(&mail.bytes);
            let header = message.header("To").unwrap();
            assert!(header.ends_with(&format!(" <{to}>")), "{header}");
            for (_, value) in &message.headers {
                let words = value.split_whitespace();
                let mut encoded = words.filter(|word| word.starts_with("=?utf-8?b?"));
                assert!(encoded.all(|word| word.len() <= 75), "{value}");
            }
        }
    }
}

#[test]
fn headers_say_who_what_and_that_a_machine_wrote() {
    let view = confirmed();
    let message = composed(&view);
    for (name, want) in [
        ("From", "\"Example Booking\" <booking@sender.example>"),
        ("To", "\"Ana Silva\" <ana@booker.example>"),
        ("Reply-To", "\"Bo Li\" <bo@host.example>"),
        ("Date", "Fri, 01 Mar 2024 08:00:00 +0000"),
        ("Auto-Submitted", "auto-generated"),
        ("Content-Language", "en"),
        ("MIME-Version", "1.0"),
        (
            "Message-ID",
            "<01900000-0000-7000-8000-000000000001@01900000-0000-7000-8000-000000000002.holdfast.invalid>",
        ),
    ] {
        assert_eq!(message.header(name), Some(want), "{name}");
    }
    assert_eq!(message.header("List-Unsubscribe"), None);
    let envelope = compose(&view).unwrap().envelope;
    assert_eq!(
        envelope.from().unwrap().to_string(),
        "booking@sender.example"
    );
    assert_eq!(envelope.to().len(), 1);
}

#[test]
fn reply_to_is_left_out_when_there_is_nobody_to_answer() {
    let mut view = confirmed();
    view.reply_to = None;
    assert_eq!(header(&view, "Reply-To"), None);
}

/// An address in other letters would make the whole message one that only SMTPUTF8 carries, and so
/// keep it from a reader whose own address is plain.
#[test]
fn reply_to_is_left_out_where_it_would_keep_the_mail_from_its_reader() {
    let mut view = confirmed();
    view.reply_to = Some(party("Bo", "用户@host.example"));
    let mail = compose(&view).unwrap();
    assert!(!mail.needs_smtputf8);
    assert_eq!(read(&mail.bytes).header("Reply-To"), None);
    // The domain alone has a plain form.
    view.reply_to = Some(party("Bo", "bo@例子.example"));
    assert_eq!(
        header(&view, "Reply-To").unwrap(),
        "Bo <bo@xn--fsqu00a.example>"
    );
    // A reader who is reached by SMTPUTF8 anyway may answer by it.
    view.reply_to = Some(party("Bo", "用户@host.example"));
    view.to.address = address("测试@booker.example");
    assert_eq!(header(&view, "Reply-To").unwrap(), "Bo <用户@host.example>");
}

/// Whatever address is taken for a booking can be sent to: both crates agree on what one is.
#[test]
fn every_address_that_is_taken_has_a_form_that_travels() {
    let locals = [
        "a",
        "a.b",
        "o'neil+x",
        "a&b=c%d/e?f",
        "{a|b}^c`",
        "x_y-z~1!",
        "#$*",
        "用户",
        "é",
        "a-",
        "-a",
    ];
    let domains = [
        "example.com",
        "bücher.example",
        "例子.example",
        "localhost",
        "a.b-c.d.example",
        "1.example",
        "xn--bcher-kva.example",
        "EXAMPLE.Com",
        "a--b.example",
        "x.xn--vermgensberatung-pwb",
    ];
    let mut taken = 0;
    for local in locals {
        for domain in domains {
            let text = format!("{local}@{domain}");
            let Ok(address) = text.parse() else { continue };
            taken += 1;
            let mut view = confirmed();
            view.reply_to = None;
            view.to.address = address;
            let mail = compose(&view).unwrap();
            assert_eq!(mail.envelope.to().len(), 1, "{text}");
        }
    }
    assert!(taken > 100, "{taken} of 110");
}

/// A repeat must be recognised as one, so nothing in a message is random.
#[test]
fn the_same_view_gives_the_same_bytes() {
    for view in every_view() {
        let (once, again) = (compose(&view).unwrap(), compose(&view).unwrap());
        assert_eq!(once.bytes, again.bytes);
    }
}

/// Cases out-13 and out-17 in the message: one calendar, twice the same bytes, and the method of
/// the MIME parameter is that of the body.
#[test]
fn out_13_and_out_17_the_invitation_survives_the_message() {
    for view in every_view() {
        let mail = compose(&view).unwrap();
        let message = read(&mail.bytes);
        let leaves = message.leaves();
        let kinds: Vec<&str> = leaves.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(
            &kinds[..2],
            ["text/plain; charset=utf-8", "text/html; charset=utf-8"]
        );
        let crlf = |text: &str| text.replace('\n', "\r\n").into_bytes();
        assert_eq!(leaves[0].1, crlf(&mail.content.text));
        assert_eq!(leaves[1].1, crlf(&mail.content.html));
        let method = match view.kind() {
            MailKind::Hold | MailKind::Reminder => {
                assert_eq!(kinds.len(), 2, "no invitation");
                assert!(mail.calendar.is_none());
                let kind = message.header("Content-Type").unwrap();
                assert!(kind.starts_with("multipart/alternative;"), "{kind}");
                continue;
            }
            MailKind::Confirmed | MailKind::Rescheduled => "REQUEST",
            MailKind::Cancelled => "CANCEL",
        };
        let file = if method == "CANCEL" {
            "cancel.ics"
        } else {
            "invite.ics"
        };
        assert_eq!(
            &kinds[2..],
            [
                format!("text/calendar; method={method}; charset=utf-8"),
                format!("application/ics; name=\"{file}\""),
            ]
        );
        assert!(
            message
                .header("Content-Type")
                .unwrap()
                .starts_with("multipart/mixed;")
        );
        assert_eq!(message.parts.len(), 2);
        assert_eq!(message.parts[0].parts.len(), 3);
        assert_eq!(
            message.parts[1].header("Content-Disposition").unwrap(),
            format!("attachment; filename=\"{file}\"")
        );
        assert_eq!(leaves[2].1, leaves[3].1, "the attachment is the part");
        assert_eq!(leaves[2].1, mail.calendar.unwrap().as_bytes());
        let ics = std::str::from_utf8(leaves[2].1).unwrap();
        assert!(ics.contains(&format!("\r\nMETHOD:{method}\r\n")));
    }
}

/// Whoever has a copy in their own calendar, or none to get, is not told of an invitation.
#[test]
fn a_reader_without_an_invitation_gets_ordinary_mail() {
    for mut view in every_view() {
        view.invitation = None;
        let mail = compose(&view).unwrap();
        assert!(mail.calendar.is_none());
        assert_eq!(read(&mail.bytes).leaves().len(), 2);
        for word in ["calendar invitation", "日历邀请", "attached", "所附"] {
            assert!(!mail.content.text.contains(word), "{}", mail.content.text);
            assert!(!mail.content.html.contains(word));
        }
    }
}

#[test]
fn a_part_cannot_end_itself() {
    let mut view = view(MailKind::Confirmed, Role::Host, Locale::En);
    let boundary = format!("--=_a_{}--", view.mail_id.simple());
    if let Reader::Host { booker, .. } = &mut view.reader {
        booker.note = Some(format!("x\n{boundary}\nContent-Type: text/html\n\ny"));
    }
    let mail = compose(&view).unwrap();
    let message = read(&mail.bytes);
    let text = std::str::from_utf8(message.leaves()[0].1).unwrap();
    assert!(text.contains(&boundary), "shown, not obeyed");
}

#[test]
fn a_nameless_recipient_is_an_address_alone() {
    let mut view = confirmed();
    view.to = Party {
        name: None,
        address: address("ana@booker.example"),
    };
    assert_eq!(header(&view, "To").unwrap(), "ana@booker.example");
    let text = compose(&view).unwrap().content.text;
    assert!(!text.contains("Hello"), "{text}");
}
