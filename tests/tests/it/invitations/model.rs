//! What a mail and its invitation must say, worked out from the view alone.

use serde_json::{Value, json};
use shared::{
    address::EmailAddress,
    instant::Instant,
    locale::Locale,
    mail::{
        clean::one_line,
        defuse::defuse,
        kind::{MailKind, Role},
        message::Composed,
        view::{InvitationView, MailView, Party, Place},
    },
};

use super::hostile::{known, same_mailbox};

/// Checks a message as Python read it.
pub(super) fn assert_message(
    view: &MailView,
    mail: &Composed,
    facts: &Value,
    found: &dyn Fn() -> String,
) {
    let mut headers = vec![
        "auto-submitted",
        "content-language",
        "content-type",
        "date",
        "from",
        "message-id",
        "mime-version",
        "subject",
        "to",
        "x-auto-response-suppress",
    ];
    let reply_to = reply_to(view);
    if reply_to.is_some() {
        headers.insert(7, "reply-to");
    }
    let method = method(view);
    let mut structure = vec!["multipart/alternative", "text/plain", "text/html"];
    if method.is_some() {
        structure.insert(0, "multipart/mixed");
        structure.extend(["text/calendar", "application/ics"]);
    }
    let shown = |party: &Party| {
        let name = defuse(&one_line(party.name.as_deref().unwrap_or_default()));
        json!([name, wire(&party.address)])
    };
    let own_name = one_line(view.from.name.as_deref().unwrap_or_default());
    for (key, want) in [
        ("headers", json!(headers)),
        ("defects", json!([])),
        ("structure", json!(structure)),
        ("from", json!([[own_name, wire(&view.from.address)]])),
        ("to", json!([shown(&view.to)])),
        (
            "reply_to",
            json!(reply_to.into_iter().map(shown).collect::<Vec<_>>()),
        ),
        ("subject", json!(mail.content.subject)),
        ("message_id", json!(mail.message_id)),
        ("date", json!(second(view.sent_at))),
        ("auto_submitted", json!("auto-generated")),
        ("language", json!(view.locale.tag())),
        ("text", json!(mail.content.text.replace('\n', "\r\n"))),
        ("html", json!(mail.content.html.replace('\n', "\r\n"))),
    ] {
        assert_eq!(facts[key], want, "{key} of {}", found());
    }
    if let Some(method) = method {
        let file = if method == "CANCEL" {
            "cancel.ics"
        } else {
            "invite.ics"
        };
        for (key, want) in [
            ("calendar_charset", json!("utf-8")),
            ("calendar_method", json!(method)),
            ("attachment_equal", json!(true)),
            ("attachment_name", json!(file)),
            ("attachment_disposition", json!("attachment")),
        ] {
            assert_eq!(facts[key], want, "{key} of {}", found());
        }
    }
    let envelope: Vec<String> = mail.envelope.to().iter().map(ToString::to_string).collect();
    assert_eq!(envelope, [wire(&view.to.address)], "one recipient");
    assert_eq!(mail.needs_smtputf8, !mail.bytes.is_ascii());
    let text = &mail.content.text;
    assert!(
        !text.contains(['\u{202e}', '\u{2067}', '\r', '\u{7}']),
        "{}",
        found()
    );
    let links = text.matches("70c3n").count();
    let want = match (view.kind(), view.role()) {
        (MailKind::Cancelled, _) | (_, Role::Host | Role::Guest) => 0,
        (MailKind::Hold, _) => 1,
        (_, Role::Booker) => 2,
    };
    assert_eq!(links, want, "manage links in {}", found());
}

/// Whom an answer goes to: nobody, if that address alone would ask for SMTPUTF8.
fn reply_to(view: &MailView) -> Option<&Party> {
    let plain = |party: &Party| wire(&party.address).is_ascii();
    let others = plain(&view.from) && plain(&view.to);
    view.reply_to
        .as_ref()
        .filter(|party| plain(party) || !others)
}

/// The invitation that a view's mail must carry, but for its description.
pub(super) fn calendar(view: &MailView) -> Option<Value> {
    let method = method(view)?;
    let facts = view.invitation.as_ref()?;
    let location = location(view);
    let mut properties = vec![
        "ATTENDEE",
        "DESCRIPTION",
        "DTEND",
        "DTSTAMP",
        "DTSTART",
        "LOCATION",
        "ORGANIZER",
        "SEQUENCE",
        "STATUS",
        "SUMMARY",
        "TRANSP",
        "UID",
    ];
    properties.retain(|name| *name != "LOCATION" || location.is_some());
    let moved = !same_mailbox(&facts.organizer.address, &view.from.address);
    Some(json!({
        "method": method,
        "version": "2.0",
        "events": 1,
        "errors": [],
        "properties": properties,
        "uid": format!("{}@{}", view.booking_id, view.instance_id),
        "sequence": facts.revision,
        "dtstamp": second(facts.revised_at),
        "dtstart": second(view.span.from),
        "dtend": second(view.span.to),
        "status": if method == "CANCEL" { "CANCELLED" } else { "CONFIRMED" },
        "transp": "OPAQUE",
        "summary": summary(view, facts),
        "location": location,
        "organizer": {
            "address": uri(&facts.organizer.address),
            "cn": common_name(&facts.organizer),
            "role": null,
            "partstat": null,
            "rsvp": null,
            "sent_by": moved.then(|| uri(&view.from.address)),
        },
        "attendees": attendees(view, facts),
    }))
}

/// The description is ours alone: it says what it must in the reader's language, and no link.
pub(super) fn assert_description(view: &MailView, description: &str) {
    let (note, cancelled) = match view.locale {
        Locale::En => (
            "does not cancel or move the booking",
            "This booking is cancelled.",
        ),
        Locale::ZhCn => ("不会取消或更改预约", "此预约已取消。"),
    };
    assert!(description.contains(note), "{description}");
    let is_cancel = view.kind() == MailKind::Cancelled;
    assert_eq!(description.starts_with(cancelled), is_cancel);
    assert!(!description.contains("http") && !description.contains("70c3n"));
}

fn method(view: &MailView) -> Option<&'static str> {
    view.invitation.as_ref()?;
    match view.kind() {
        MailKind::Confirmed | MailKind::Rescheduled => Some("REQUEST"),
        MailKind::Cancelled => Some("CANCEL"),
        MailKind::Hold | MailKind::Reminder => None,
    }
}

fn attendees(view: &MailView, facts: &InvitationView) -> Vec<Value> {
    let mut people: Vec<(bool, &Party)> = facts.hosts.iter().map(|host| (true, host)).collect();
    if view.role() == Role::Host {
        people.push((true, &view.to));
    }
    people.push((false, &facts.booker));
    if view.role() == Role::Guest {
        people.push((false, &view.to));
    }
    let mut seen: Vec<String> = Vec::new();
    let mut attendees = Vec::new();
    for (is_host, party) in people {
        let address = uri(&party.address);
        let key = address.to_lowercase();
        if seen.contains(&key) {
            continue;
        }
        let chair = seen.is_empty();
        seen.push(key);
        attendees.push(json!({
            "address": address,
            "cn": common_name(party),
            "role": if chair { "CHAIR" } else { "REQ-PARTICIPANT" },
            "partstat": if is_host { "ACCEPTED" } else { "NEEDS-ACTION" },
            "rsvp": if is_host { Value::Null } else { json!("FALSE") },
            "sent_by": null,
        }));
    }
    attendees
}

fn summary(view: &MailView, facts: &InvitationView) -> String {
    let title = one_line(&view.title);
    let comma = match view.locale {
        Locale::En => ", ",
        Locale::ZhCn => "、",
    };
    let others = if view.role() == Role::Host {
        name(&facts.booker)
    } else {
        let names: Vec<String> = facts.hosts.iter().map(name).collect();
        names.join(comma)
    };
    assert!(!others.is_empty(), "a name or an address is always there");
    match (view.locale, title.is_empty()) {
        (Locale::En, false) => format!("{title} with {others}"),
        (Locale::En, true) => format!("Meeting with {others}"),
        (Locale::ZhCn, false) => format!("{title}（{others}）"),
        (Locale::ZhCn, true) => format!("会议（{others}）"),
    }
}

fn location(view: &MailView) -> Option<String> {
    let english = view.locale == Locale::En;
    let text = match &view.place {
        Place::None => String::new(),
        Place::Text(text) | Place::Link(text) => one_line(text),
        Place::CallsBooker { phone } => {
            let phone = defuse(&one_line(phone.as_deref().unwrap_or_default()));
            match (phone.is_empty() || view.role() == Role::Guest, english) {
                (true, true) => "By telephone: the host calls the person who booked".to_owned(),
                (true, false) => "电话：主持人将致电预约人".to_owned(),
                (false, true) => format!("By telephone: the host calls {phone}"),
                (false, false) => format!("电话：主持人将拨打 {phone}"),
            }
        }
        Place::CallsHost { phone } => match (defuse(&one_line(phone)), english) {
            (phone, _) if phone.is_empty() => String::new(),
            (phone, true) => format!("By telephone: call {phone}"),
            (phone, false) => format!("电话：请拨打 {phone}"),
        },
    };
    (!text.is_empty()).then_some(text)
}

/// A party's name as mail shows it, or the address as it was typed.
fn name(party: &Party) -> String {
    let name = defuse(&one_line(party.name.as_deref().unwrap_or_default()));
    if name.is_empty() {
        party.address.as_str().to_owned()
    } else {
        name
    }
}

/// The same in a parameter, where a backslash is one thing to one reader and another to the next.
fn common_name(party: &Party) -> String {
    name(party).replace('\\', "/")
}

fn second(at: Instant) -> String {
    at.timestamp().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn uri(address: &EmailAddress) -> &'static str {
    known(address).1
}

fn wire(address: &EmailAddress) -> &'static str {
    known(address).2
}
