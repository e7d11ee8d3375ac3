//! What mail carries through a booking's life, and what can be downloaded.

use holdfast_tests::{
    Flow,
    flow::{SAM, id, wish},
    letter::{Ics, Letter},
};
use serde_json::json;

/// Cases out-12, out-14, out-15 and out-17: UID, SEQUENCE, METHOD and DTSTAMP over a whole life.
#[tokio::test]
async fn out_14_each_change_raises_the_sequence_and_keeps_the_uid() {
    let flow = Flow::start().await;
    let host = flow.host("ana").guests().make().await;
    let mut wish = wish("2026-06-04T10:00:00Z", SAM);
    wish["guests"] = json!([{ "email": "kim@guests.test" }]);
    let booking = flow.ask(&host, &wish).await.json();
    let token = booking["manage_token"].as_str().unwrap();
    let mut lives: Vec<Vec<Letter>> = vec![flow.mail.drain().await];
    for (minute, start) in [(1, "2026-06-04T12:00:00Z"), (2, "2026-06-05T14:00:00Z")] {
        flow.at(&format!("2026-06-01T08:0{minute}:00Z"));
        assert_eq!(flow.reschedule(token, start, minute - 1).await.status, 200);
        lives.push(flow.mail.drain().await);
    }
    flow.at("2026-06-01T08:03:00Z");
    assert_eq!(flow.cancel(token).await.status, 200);
    lives.push(flow.mail.drain().await);
    let starts = [
        "20260604T100000Z",
        "20260604T120000Z",
        "20260605T140000Z",
        "20260605T140000Z",
    ];
    for (sequence, letters) in (0_i32..).zip(&lives) {
        assert_eq!(letters.len(), 3);
        let method = if sequence == 3 { "CANCEL" } else { "REQUEST" };
        for letter in letters {
            let calendar = letter.calendar.as_ref().unwrap();
            let ics = &calendar.ics;
            // Case out-17.
            assert_eq!(
                (
                    calendar.method.as_str(),
                    calendar.charset.to_lowercase().as_str()
                ),
                (method, "utf-8")
            );
            assert_eq!(ics.value("METHOD"), method);
            assert_eq!(ics.sequence(), sequence);
            assert_eq!(
                ics.value("UID"),
                format!("{}@{}", id(&booking), flow.context.instance)
            );
            // Case out-12.
            assert_eq!(ics.value("DTSTAMP"), format!("20260601T080{sequence}00Z"));
            assert_eq!(
                ics.value("DTSTART"),
                starts[usize::try_from(sequence).unwrap()]
            );
            assert_eq!(
                (ics.value("VERSION"), ics.all("PRODID").len()),
                ("2.0".into(), 1)
            );
            let file = if sequence == 3 {
                "cancel.ics"
            } else {
                "invite.ics"
            };
            assert_eq!(
                calendar.attachment,
                (file.to_owned(), ics.0.clone().into_bytes())
            );
            assert!(
                !ics.0.contains("http") && !ics.0.contains("/book/"),
                "R20: no link"
            );
        }
    }
    flow.end().await;
}

/// The booker's mail and the booker's download are one file.
#[tokio::test]
async fn the_download_is_what_the_mail_carried() {
    let flow = Flow::start().await;
    let host = flow
        .host("ana")
        .zone("Asia/Tokyo")
        .free("every day 0:00-24:00")
        .make()
        .await;
    let token = flow.link(&host, "2026-06-04T10:00:00Z", SAM).await;
    let same = async || {
        flow.mail.drain().await;
        let file = Ics(flow.look("/calendar.ics", &token).await.text());
        assert_eq!(*flow.mail.newest(SAM).ics(), file);
    };
    same().await;
    assert_eq!(
        flow.reschedule(&token, "2026-06-04T12:00:00Z", 0)
            .await
            .status,
        200
    );
    same().await;
    assert_eq!(flow.cancel(&token).await.status, 200);
    same().await;
    flow.end().await;
}

/// Hold and reminder carry none; the host's reader sees the booker's name, the booker's the host's.
#[tokio::test]
async fn each_reader_gets_their_own_invitation() {
    let flow = Flow::start().await;
    let host = flow.host("ana").name("Ana Novak").by_mail().make().await;
    let token = flow.link(&host, "2026-06-04T10:00:00Z", SAM).await;
    assert!(flow.mail.newest(SAM).calendar.is_none());
    assert_eq!(flow.confirm(&token).await.status, 200);
    let letters = flow.mail.drain().await;
    let summaries: Vec<String> = letters
        .iter()
        .map(|letter| letter.ics().value("SUMMARY"))
        .collect();
    assert!(
        summaries[0].contains("Sam Lee") && summaries[1].contains("Ana Novak"),
        "{summaries:?}"
    );
    for letter in &letters {
        let attendees = letter.ics().all("ATTENDEE").join("\n");
        assert!(
            attendees.contains("ROLE=CHAIR") && attendees.contains("PARTSTAT=ACCEPTED"),
            "{attendees}"
        );
        assert!(
            attendees.contains("mailto:ana@hosts.test")
                && attendees.contains("mailto:sam@bookers.test")
        );
    }
    flow.at("2026-06-03T10:00:00Z");
    assert!(
        flow.mail
            .drain()
            .await
            .iter()
            .all(|letter| letter.calendar.is_none())
    );
    flow.end().await;
}

/// Somebody who books their own type gets both mails, and stands in the invitation once.
#[tokio::test]
async fn who_books_their_own_page_gets_both_mails() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let booking = flow
        .book(&host, "2026-06-04T10:00:00Z", "ana@hosts.test")
        .await;
    assert_eq!(booking.status, 201);
    let letters = flow.mail.drain().await;
    assert_eq!(letters.len(), 2);
    assert_ne!(letters[0].subject, letters[1].subject);
    for letter in &letters {
        assert_eq!(letter.to, "ana@hosts.test");
        let attendees = letter.ics().all("ATTENDEE");
        assert_eq!(attendees.len(), 1, "{attendees:?}");
        assert!(attendees[0].contains("ROLE=CHAIR"), "the host's part wins");
    }
    let token = booking.json()["manage_token"].as_str().unwrap().to_owned();
    assert_eq!(flow.cancel(&token).await.status, 200);
    assert_eq!(flow.mail.drain().await.len(), 2);
    flow.end().await;
}

/// A name with comma, quotes and colon leaves the address intact, in mail and invitation.
#[tokio::test]
async fn a_hostile_name_breaks_neither_header_nor_invitation() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    for (hour, name) in [
        (9, "Lee, \"Sam\": <evil@x.test>;"),
        (10, "Zoë Čapek"),
        (11, "Sam\u{202e}eoD"),
        (12, "=?utf-8?b?eA==?="),
        (13, "https://evil.test/click"),
    ] {
        let mut wish = wish(&format!("2026-06-04T{hour:02}:00:00Z"), SAM);
        wish["name"] = json!(name);
        let answer = flow.ask(&host, &wish).await;
        assert_eq!(answer.status, 201, "{name}: {}", answer.text());
        let letters = flow.mail.drain().await;
        assert_eq!(letters.len(), 2, "{name}");
        let attendee = letters[0]
            .ics()
            .all("ATTENDEE")
            .into_iter()
            .find(|line| line.ends_with("mailto:sam@bookers.test"));
        assert!(attendee.is_some(), "{name}: {}", letters[0].ics().0);
        let raw = String::from_utf8_lossy(&letters[1].bytes).into_owned();
        let head = raw.split("\r\n\r\n").next().unwrap();
        assert!(
            head.contains("<sam@bookers.test>") || head.contains("To: sam@bookers.test"),
            "{name}: {head}"
        );
        assert!(
            !letters[0].text.contains("https://evil"),
            "a name is no link"
        );
    }
    flow.end().await;
}
