//! What mail carries through a booking's life, and what can be downloaded.

use std::sync::Arc;

use holdfast_tests::{
    Flow,
    flow::{SAM, id, wish},
    letter::{Ics, Letter},
};
use serde_json::json;
use shared::{config::Mailbox, locale::Locale, ops, seal::Place};

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

/// The organizer is pinned by the transition that confirms, with the host's name of that day. When
/// the installation's sender and the host's name change, the mail has the new ones, the invitation
/// keeps the old ones, and `SENT-BY` says who sends. So does the download. Goes red without
/// `SENT-BY`.
#[tokio::test]
async fn the_organizer_stays_when_the_sender_changes() {
    let mut flow = Flow::start().await;
    let host = flow.host("ana").name("Ana Novak").by_mail().make().await;
    let token = flow.link(&host, "2026-06-04T10:00:00Z", SAM).await;
    // While it is held nobody organizes it yet.
    flow.mail.post.context.mail_from = mailbox("First", "first@sender.test");
    let first = flow.mail.post.context.clone();
    ops::confirm(&first, &token, None).await.unwrap();
    let organizer = ":mailto:first@sender.test";
    let named = ";CN=\"Ana Novak\"";
    for letter in flow.mail.drain().await {
        let line = letter.ics().all("ORGANIZER").concat();
        assert_eq!(line, format!("{named}{organizer}"));
    }

    flow.mail.post.context.mail_from = mailbox("Second", "second@sender.test");
    rename(&flow, host.id, "Ana Horvat").await;
    let steps = [Step::Move, Step::Move, Step::Cancel];
    for (revision, step) in (1_i32..).zip(steps) {
        let answer = match step {
            Step::Move => {
                let start = format!("2026-06-04T{}:00:00Z", 10 + revision);
                flow.reschedule(&token, &start, revision).await
            }
            Step::Cancel => flow.cancel(&token).await,
        };
        assert_eq!(answer.status, 200, "{}", answer.text());
        let letters = flow.mail.drain().await;
        assert_eq!(letters.len(), 2);
        for letter in &letters {
            let head = String::from_utf8_lossy(&letter.bytes).into_owned();
            assert!(head.contains("<second@sender.test>"), "{head}");
            assert_eq!(
                letter.ics().all("ORGANIZER").concat(),
                format!("{named};SENT-BY=\"mailto:second@sender.test\"{organizer}")
            );
            assert!(!letter.ics().0.contains("Horvat"), "{}", letter.ics().0);
        }
        let booker = flow.mail.newest(SAM);
        assert!(booker.text.contains("Ana Horvat") && booker.subject.contains("Ana Horvat"));
        let file = ops::invitation(&flow.mail.post.context, &token)
            .await
            .unwrap();
        assert_eq!(file.as_ref(), Some(&booker.ics().0));
    }
    flow.end().await;
}

enum Step {
    Move,
    Cancel,
}

fn mailbox(name: &str, address: &str) -> Arc<Mailbox> {
    Arc::new(Mailbox {
        name: Some(name.to_owned()),
        address: address.parse().unwrap(),
    })
}

async fn rename(flow: &Flow, host: uuid::Uuid, name: &str) {
    let place = Place::new("hosts", "display_name", host);
    let context = &flow.context;
    let seal = &context.keys.seal;
    let sealed = seal.seal(place, name.as_bytes(), &context.random).unwrap();
    sqlx::query("UPDATE hosts SET display_name_sealed = $1 WHERE id = $2")
        .bind(sealed)
        .bind(host)
        .execute(&context.pool)
        .await
        .unwrap();
}

/// Through a whole life no mail to a guest or to the booker holds another guest's address or name:
/// not in a header, in either text or in the invitation. Hosts see them all.
#[tokio::test]
async fn guests_never_see_each_other() {
    let flow = Flow::start().await;
    let host = flow.host("ana").guests().make().await;
    let guests = [
        ("Kim Ode", "kim@guests.test"),
        ("Lea Poe", "lea@guests.test"),
        ("Max Qua", "max@guests.test"),
    ];
    let mut wish = wish("2026-06-04T10:00:00Z", SAM);
    let list = guests.map(|(name, email)| json!({ "name": name, "email": email }));
    wish["guests"] = json!(list);
    let booking = flow.ask(&host, &wish).await;
    assert_eq!(booking.status, 201, "{}", booking.text());
    let token = booking.json()["manage_token"].as_str().unwrap().to_owned();
    flow.mail.drain().await;
    let moved = flow.reschedule(&token, "2026-06-05T10:00:00Z", 0).await;
    assert_eq!(moved.status, 200, "{}", moved.text());
    flow.mail.drain().await;
    flow.at("2026-06-04T10:00:00Z");
    flow.mail.drain().await;
    assert_eq!(flow.cancel(&token).await.status, 200);
    flow.mail.drain().await;
    let letters = flow.mail.letters();
    assert_eq!(letters.len(), 4 * 5, "four notices to five readers");
    for letter in &letters {
        let mut all = format!(
            "{}\n{}\n{}\n{}",
            String::from_utf8_lossy(&letter.bytes),
            letter.subject,
            letter.text,
            letter.html
        );
        if letter.calendar.is_some() {
            all.push_str(&letter.ics().0.replace("\r\n ", ""));
        }
        for (name, email) in guests {
            let sees = letter.to == email || letter.to == "ana@hosts.test";
            let of_host = letter.to == "ana@hosts.test";
            assert_eq!(letter.text.contains(name), sees, "{name}: {}", letter.text);
            if !sees {
                assert!(
                    !all.contains(email) && !all.contains(name),
                    "{email}: {all}"
                );
            }
            if of_host {
                assert!(letter.text.contains(email), "{}", letter.text);
                // Not even theirs: a host's calendar may be shared.
                let invited = letter.calendar.as_ref().map(|c| c.ics.0.contains(email));
                assert_ne!(invited, Some(true));
            }
        }
    }
    flow.end().await;
}

/// Each reader's language and clock: the host's own, the booker's as they booked, and the guests'
/// as the booker's. A move in another language changes nothing of it.
#[tokio::test]
async fn grp_06_each_reader_is_written_to_in_their_language_and_zone() {
    let flow = Flow::start().await;
    let host = flow.host("ana").name("Ana").guests().locale(Locale::ZhCn);
    let host = host
        .zone("Asia/Shanghai")
        .free("every day 0:00-24:00")
        .titled("Yes or No", "See you on Thursday.")
        .ask("Vegetarian?", "yes_no", false, &[])
        .make()
        .await;
    let mut wish = wish("2026-06-04T16:30:00Z", SAM);
    wish["zone"] = json!("America/New_York");
    wish["locale"] = json!("en-GB");
    wish["note"] = json!("Thursday is Friday.");
    wish["answers"] = json!({ host.questions[0].to_string(): true });
    wish["guests"] = json!([{ "email": "kim@guests.test" }]);
    flow.sql("UPDATE event_types SET step_min = 30").await;
    let booking = flow.ask(&host, &wish).await;
    assert_eq!(booking.status, 201, "{}", booking.text());
    let token = booking.json()["manage_token"].as_str().unwrap().to_owned();
    let assert_languages = |letters: &[Letter], [shanghai, new_york, english]: [&str; 3]| {
        let [host, booker, guest] = letters else {
            panic!("{} letters", letters.len());
        };
        assert!(host.html.contains("<html lang=\"zh-CN\""), "{}", host.html);
        assert!(
            host.text.contains(&format!("时间：{shanghai}")),
            "{}",
            host.text
        );
        let local = format!("预约人当地时间：{new_york}");
        assert!(host.text.contains(&local), "{}", host.text);
        assert!(
            host.text.contains("Vegetarian?\r\n  是\r\n"),
            "{}",
            host.text
        );
        assert!(
            host.text.contains("Thursday is Friday."),
            "as it was written"
        );
        let ics = host.ics();
        assert_eq!(ics.value("SUMMARY"), "Yes or No（Sam Lee）");
        assert!(ics.value("DESCRIPTION").contains("回复此日历邀请"));
        for letter in [booker, guest] {
            assert!(letter.html.contains("<html lang=\"en\""), "{}", letter.html);
            assert!(letter.text.contains(english), "{}", letter.text);
            assert_eq!(letter.ics().value("SUMMARY"), "Yes or No with Ana");
        }
    };
    assert_languages(
        &flow.mail.drain().await,
        [
            "2026年6月5日星期五 00:30–01:30（Asia/Shanghai，UTC+8）",
            "2026年6月4日星期四 12:30–13:30（America/New York，UTC−4）",
            "When: Thursday, 4 June 2026, 12:30–13:30 (America/New York, UTC−4)",
        ],
    );
    // Who moves it may read another language; the booker's stays.
    let body = json!({ "start": "2026-06-05T16:30:00Z", "expected_revision": 0 });
    let request = flow.request(reqwest::Method::POST, "/v1/manage/reschedule");
    let request = request.header("X-Manage-Token", &token).json(&body);
    let moved = flow.send(request.header("Accept-Language", "zh-CN")).await;
    assert_eq!(moved.status, 200, "{}", moved.text());
    assert_languages(
        &flow.mail.drain().await,
        [
            "2026年6月6日星期六 00:30–01:30（Asia/Shanghai，UTC+8）",
            "2026年6月5日星期五 12:30–13:30（America/New York，UTC−4）",
            "New time: Friday, 5 June 2026, 12:30–13:30 (America/New York, UTC−4)",
        ],
    );
    flow.end().await;
}

/// Mail, invitation and page each say that answering the calendar does not cancel.
#[tokio::test]
async fn answering_does_not_cancel_and_everything_says_so() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    for (hour, locale, [mail, ics, page]) in [
        (
            9,
            "en",
            [
                "Answering the calendar invitation (yes, no or maybe) does not move or cancel",
                "Answering this calendar invitation does not cancel or move",
                "Answering the calendar invitation does not cancel the booking.",
            ],
        ),
        (
            10,
            "zh-CN",
            [
                "不会更改或取消此预约，只有上面的链接可以。",
                "回复此日历邀请不会取消或更改预约。",
                "回复日历邀请并不会取消预约。",
            ],
        ),
    ] {
        let mut wish = wish(&format!("2026-06-04T{hour:02}:00:00Z"), SAM);
        wish["locale"] = json!(locale);
        assert_eq!(flow.ask(&host, &wish).await.status, 201);
        flow.mail.drain().await;
        let letter = flow.mail.newest(SAM);
        assert!(letter.text.contains(mail), "{}", letter.text);
        assert!(letter.html.contains(mail), "{}", letter.html);
        assert!(letter.ics().value("DESCRIPTION").contains(ics));
        let path = format!("/book/m/{}", letter.token().unwrap());
        let request = flow.request(reqwest::Method::GET, &path);
        let shown = flow.send(request.header("Accept-Language", locale)).await;
        assert!(shown.text().contains(page), "{}", shown.text());
    }
    flow.end().await;
}

/// A host of whose name nothing is left to show is called by the handle.
#[tokio::test]
async fn a_host_without_a_name_that_shows_is_called_by_the_handle() {
    let flow = Flow::start().await;
    let host = flow.host("ana").name("\u{202e}\u{2066} ").make().await;
    flow.booked(&host, "2026-06-04T10:00:00Z").await;
    flow.mail.drain().await;
    let letter = flow.mail.newest(SAM);
    assert_eq!(letter.subject, "Confirmed: Introduction with ana");
    assert!(letter.text.contains("Host: ana\r\n"), "{}", letter.text);
    flow.end().await;
}
