//! Nothing that anybody types becomes a header, a recipient, a part or a second message: hostile
//! values in every field, over SMTP, opened by mail-parser and by Python's e-mail package.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use holdfast_tests::{
    Flow,
    flow::wish,
    letter::Letter,
    smtp_sink::{Received, SmtpSink},
};
use holdfast_worker::{
    Mailer,
    mailer::Sent,
    smtp::{Sender, SenderSettings, SmtpUrl},
};
use mail_parser::{Address, HeaderName, MessageParser};
use serde_json::json;
use shared::mail::view::{AnswerValue, MailView, Notice, Place, Reader};

use super::{
    Folder, Mail,
    hostile::{PIECES, Random, known},
    model,
    readers::Readers,
    write_life,
};

/// Every header of a message of ours; `Reply-To` may be missing.
const HEADERS: [&str; 11] = [
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
];

/// Each hostile value in every field of every mail of a life: one message a mail, for exactly its
/// reader, byte for byte as it was made, with our headers and no others.
///
/// Goes red when names reach headers as they were typed.
#[tokio::test]
async fn a_mail_goes_to_its_reader_alone_whatever_stands_in_its_fields() {
    let readers = Readers::find();
    let mut random = Random::new(0x5EED);
    let mut mails = Vec::new();
    for piece in PIECES {
        mails.extend(write_life(&mut random, |view| saturate(view, piece)));
    }
    assert!(mails.len() > PIECES.len() * 5);

    let sink = SmtpSink::start().await.unwrap();
    let settings = SenderSettings::new(SmtpUrl::parse(&sink.url()).unwrap(), "holdfast.test");
    let mailer = Mailer::Smtp(Arc::new(Sender::new(settings).unwrap()));
    for mail in &mails {
        let sent = mailer.send(&mail.composed, mail.view.sent_at).await;
        assert_eq!(sent, Sent::Accepted);
    }
    let received = sink.take_after(mails.len(), Duration::from_secs(60)).await;
    let received = received.unwrap();
    assert_eq!(received.len(), mails.len());

    let folder = Folder::new("injection");
    for (at, (mail, received)) in mails.iter().zip(&received).enumerate() {
        assert_delivered(mail, received);
        assert_by_mail_parser(mail, &received.data);
        folder.write(&format!("{at:05}.eml"), &received.data);
    }
    let by_python = readers.messages(&folder.0);
    for (at, mail) in mails.iter().enumerate() {
        let message = &by_python[format!("{at:05}.eml")];
        let found = || format!("{message:#}");
        model::assert_message(&mail.view, &mail.composed, message, &found);
    }
}

/// The value in every field that anybody fills in.
pub(super) fn saturate(view: &mut MailView, text: &str) {
    let named = || Some(text.to_owned());
    view.title = text.to_owned();
    view.description = text.to_owned();
    view.from.name = named();
    view.to.name = named();
    if let Some(party) = &mut view.reply_to {
        party.name = named();
    }
    view.host_names.fill(text.to_owned());
    view.place = match &view.place {
        Place::CallsBooker { .. } => Place::CallsBooker { phone: named() },
        Place::CallsHost { .. } => Place::CallsHost {
            phone: text.to_owned(),
        },
        Place::Link(_) => Place::Link(text.to_owned()),
        Place::None | Place::Text(_) => Place::Text(text.to_owned()),
    };
    if let Notice::Cancelled { reason, .. } = &mut view.notice {
        *reason = named();
    }
    match &mut view.reader {
        Reader::Booker { .. } => {}
        Reader::Guest { booker_name } => *booker_name = text.to_owned(),
        Reader::Host { booker, .. } => {
            booker.name = text.to_owned();
            booker.note = named();
            for answer in &mut booker.answers {
                answer.label = text.to_owned();
                match &mut answer.value {
                    AnswerValue::Text(value) => *value = text.to_owned(),
                    AnswerValue::Options(options) => options.fill(text.to_owned()),
                    AnswerValue::YesNo(_) => {}
                }
            }
            for guest in &mut booker.guests {
                guest.name = named();
            }
        }
    }
    if let Some(facts) = &mut view.invitation {
        let parties = [&mut facts.organizer, &mut facts.booker];
        for party in parties.into_iter().chain(&mut facts.hosts) {
            party.name = named();
        }
    }
}

fn assert_delivered(mail: &Mail, received: &Received) {
    let (_, _, to) = known(&mail.view.to.address);
    let (_, _, from) = known(&mail.view.from.address);
    assert_eq!((received.to.as_str(), received.from.as_str()), (to, from));
    assert_eq!(received.data, mail.composed.bytes, "to the byte");
    assert_eq!(
        received.mail_parameters.contains("SMTPUTF8"),
        mail.composed.needs_smtputf8
    );
}

fn assert_by_mail_parser(mail: &Mail, data: &[u8]) {
    let message = MessageParser::default().parse(data).unwrap();
    let found = String::from_utf8_lossy(data);
    let mut headers: Vec<&str> = message.headers().iter().map(|h| h.name.as_str()).collect();
    headers.sort_unstable();
    let wanted = HEADERS.into_iter();
    let wanted: Vec<&str> = wanted
        .filter(|name| *name != "Reply-To" || message.reply_to().is_some())
        .collect();
    assert_eq!(headers, wanted, "{found}");
    let one = |address: Option<&Address<'_>>| match address.and_then(Address::as_list) {
        Some([one]) => one.address().unwrap_or_default().to_owned(),
        other => panic!("not one address: {other:?} in {found}"),
    };
    assert_eq!(one(message.to()), known(&mail.view.to.address).2);
    assert_eq!(one(message.from()), known(&mail.view.from.address).2);
    if message.reply_to().is_some() {
        let reply_to = mail.view.reply_to.as_ref().unwrap();
        assert_eq!(one(message.reply_to()), known(&reply_to.address).2);
    }
    let id = format!("<{}>", message.message_id().unwrap_or_default());
    assert_eq!(id, mail.composed.message_id);
    assert_eq!(
        message.subject(),
        Some(mail.composed.content.subject.as_str())
    );
    assert!(message.header_values(HeaderName::Bcc).next().is_none());
    let parts = match mail.composed.calendar {
        // mixed(alternative(text, html, calendar), attachment), or alternative(text, html).
        Some(_) => 6,
        None => 3,
    };
    assert_eq!(message.parts.len(), parts, "{found}");
}

/// The same through the door: what is not refused goes to the readers of its booking and to nobody
/// else, one message a row.
#[tokio::test]
async fn one_envelope_a_row_whatever_was_typed() {
    let flow = Flow::start().await;
    let mut refused = 0;
    for (at, piece) in PIECES.into_iter().enumerate() {
        let handle = format!("host-{at}");
        let host = flow.host(&handle).name(piece).titled(piece, piece).guests();
        let host = host.ask(piece, "long_text", false, &[]).make().await;
        let (booker, guest) = (
            format!("o'neil+{at}@bookers.test"),
            format!("kim-{at}@guests.test"),
        );
        let mut wish = wish("2026-06-04T10:00:00Z", &booker);
        wish["name"] = json!(piece);
        wish["note"] = json!(piece);
        wish["answers"] = json!({ host.questions[0].to_string(): piece });
        wish["guests"] = json!([{ "email": guest, "name": piece }]);
        let mut answer = flow.ask(&host, &wish).await;
        if answer.status == 422 {
            // Control characters, or nothing but white space: the prose may still hold the piece.
            refused += 1;
            wish["name"] = json!("Sam Lee");
            wish["guests"][0]["name"] = json!("Kim");
            answer = flow.ask(&host, &wish).await;
        }
        if answer.status == 422 {
            wish["note"] = json!("x");
            wish["answers"] = json!({});
            answer = flow.ask(&host, &wish).await;
        }
        assert_eq!(answer.status, 201, "{piece:?}: {}", answer.text());
        let token = answer.json()["manage_token"].as_str().unwrap().to_owned();
        let contact = format!("{handle}@hosts.test");
        let readers = [contact.as_str(), &booker, &guest];
        assert_envelopes(piece, &readers, &flow.mail.drain().await);
        let reason = json!({ "reason": piece });
        let cancelled = flow.manage("cancel", &token, &reason).await;
        if cancelled.status == 422 {
            assert_eq!(flow.cancel(&token).await.status, 200);
        } else {
            assert_eq!(cancelled.status, 200, "{piece:?}: {}", cancelled.text());
        }
        assert_envelopes(piece, &readers, &flow.mail.drain().await);
    }
    assert!(refused > 5 && refused < PIECES.len() / 2, "{refused}");
    let sent = flow.count("mail_outbox WHERE outcome = 'sent'").await;
    let letters = flow.mail.letters();
    assert_eq!(sent, i64::try_from(letters.len()).unwrap());
    let rows: BTreeSet<_> = letters.iter().map(|letter| letter.row).collect();
    assert_eq!(rows.len(), letters.len(), "one message a row");
    flow.end().await;
}

fn assert_envelopes(piece: &str, readers: &[&str; 3], letters: &[Letter]) {
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(to, readers, "{piece:?}");
    for letter in letters {
        let message = MessageParser::default().parse(&letter.bytes).unwrap();
        let headers = message.headers().iter().map(|header| header.name.as_str());
        let headers: BTreeSet<&str> = headers.collect();
        assert_eq!(headers, BTreeSet::from(HEADERS), "{piece:?}");
        assert_eq!(
            message.headers().len(),
            HEADERS.len(),
            "each once: {piece:?}"
        );
        let listed = message.to().and_then(Address::as_list).unwrap();
        assert_eq!(listed.len(), 1);
        assert_eq!(listed[0].address(), Some(letter.to.as_str()), "{piece:?}");
    }
}
