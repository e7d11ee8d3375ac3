//! Calendars that other programs read: feeds and files.

mod busy_only;
mod calls;
mod etag;
mod full;
mod large;
mod own;
mod random;
mod readers;
mod round_trip;
mod unknown;

use holdfast_tests::{Answer, Flow, app::TestKey, calendar::personal, host::TestHost};
use serde_json::json;
use uuid::Uuid;

/// Makes a feed of a calendar; answers its id and its path.
async fn feed(flow: &Flow, key: &TestKey, calendar: Uuid, detail: &str) -> (String, String) {
    let body = json!({ "name": "For my phone", "detail": detail });
    let path = format!("/v1/calendars/{calendar}/feeds");
    let answer = flow.post_signed(key, &path, &body).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let made = answer.json();
    let url = made["url"].as_str().unwrap();
    let path = url.strip_prefix("https://book.holdfast.test").unwrap();
    (made["id"].as_str().unwrap().to_owned(), path.to_owned())
}

/// A host with a key and a feed of their own calendar.
async fn published(flow: &Flow, handle: &str, detail: &str) -> (TestHost, TestKey, Uuid, String) {
    let host = flow.host(handle).make().await;
    let key = flow.key(&host).await;
    let calendar = personal(&flow.context, &host).await;
    let (_, path) = feed(flow, &key, calendar, detail).await;
    (host, key, calendar, path)
}

/// A feed's text, unfolded.
async fn text(flow: &Flow, path: &str) -> String {
    let answer = flow.get(path).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    unfolded(&answer)
}

/// A host's calendar as a file, unfolded.
async fn file(flow: &Flow, key: &TestKey, calendar: Uuid) -> String {
    unfolded(&download(flow, key, calendar).await)
}

async fn download(flow: &Flow, key: &TestKey, calendar: Uuid) -> Answer {
    let path = format!("/v1/calendars/{calendar}/export.ics");
    let answer = flow.get_signed(key, &path).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer
}

/// The lines as one: every physical line is as the standard has it.
fn unfolded(answer: &Answer) -> String {
    let text = answer.text();
    assert!(text.starts_with("BEGIN:VCALENDAR\r\n"), "{text}");
    assert!(text.ends_with("\r\nEND:VCALENDAR\r\n"), "{text}");
    for line in text.split_terminator("\r\n") {
        assert!(line.len() <= 75 && !line.is_empty(), "{line}");
        let unfit = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        assert!(!line.contains(unfit), "{line:?}");
    }
    let text = text.replace("\r\n ", "").replace("\r\n", "\n");
    assert_eq!(times(&text, "END:VCALENDAR"), 1);
    text
}

/// How often a whole line stands there.
fn times(text: &str, line: &str) -> usize {
    text.lines().filter(|found| *found == line).count()
}
