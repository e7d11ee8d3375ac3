//! The booker's own details.

use holdfast_tests::{
    Flow,
    flow::{SAM, wish},
};
use serde_json::json;

use super::faults;

#[tokio::test]
async fn every_fault_is_named_at_once_and_nothing_is_stored() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let mut wish = wish("2026-06-02T10:00:00Z", "sam@@bookers.test");
    wish["name"] = json!(" \t ");
    wish["note"] = json!(format!("{}\u{0}", "n".repeat(2001)));
    wish["answers"] = json!({ "x": 1 });
    let found = faults(&flow.ask(&host, &wish).await);
    let want = [
        ("/name", "missing"),
        ("/email", "invalid_email"),
        ("/note", "too_long"),
        ("/note", "control_characters"),
        ("/answers/x", "unknown_question"),
    ];
    let want = want.map(|(pointer, code)| (pointer.to_owned(), code.to_owned()));
    assert_eq!(found, want);
    assert_eq!(flow.count("bookings").await, 0);
    flow.end().await;
}

/// Cases mail-01, mail-11 and mail-12.
#[tokio::test]
async fn addresses_and_names_are_taken_as_people_have_them_and_no_further() {
    let flow = Flow::start().await;
    let host = flow.host("ana").minutes(5, 5).make().await;
    let label = "d".repeat(60);
    let long = format!(
        "a@{}.example",
        [
            "b".repeat(63),
            "c".repeat(63),
            "d".repeat(63),
            "e".repeat(55)
        ]
        .join(".")
    );
    assert!(long.len() > 254);
    let emails = [
        ("a@shop.homes", ""),
        ("a@x.photography", ""),
        ("a@x.xn--vermgensberatung-pwb", ""),
        ("o'neil@example.test", ""),
        ("  spaced@example.test ", ""),
        (&format!("a@{label}.{}.example", "e".repeat(60)), ""),
        ("sam@bücher.example", ""),
        (&format!("{}@example.test", "a".repeat(65)), "too_long"),
        (&long, "too_long"),
        ("sam", "invalid_email"),
        ("sam@", "invalid_email"),
        ("Sam <sam@bookers.test>", "invalid_email"),
        ("\"sam lee\"@bookers.test", "invalid_email"),
        ("sam@bookers.test, kim@bookers.test", "invalid_email"),
        ("sam@bookers.test\r\nBcc: x@y.test", "invalid_email"),
        ("", "missing"),
    ];
    for (position, (email, fault)) in emails.into_iter().enumerate() {
        let start = format!(
            "2026-06-02T{:02}:{:02}:00Z",
            9 + position / 12,
            position % 12 * 5
        );
        let answer = flow.book(&host, &start, email).await;
        if fault.is_empty() {
            assert_eq!(answer.status, 201, "{email}: {}", answer.text());
        } else {
            assert_eq!(
                faults(&answer),
                [("/email".into(), fault.into())],
                "{email}"
            );
        }
    }
    let hundred = "名".repeat(100);
    for (position, (name, fault)) in [
        (hundred.as_str(), ""),
        (&format!("{hundred}名"), "too_long"),
        (
            "Ann\r\nBcc: victim@example.test\r\n\r\nbody",
            "control_characters",
        ),
        ("Ann\u{2028}X-Test: 1", "control_characters"),
        ("Zoë \"Z\" Čapek, Dr.: <x>", ""),
    ]
    .into_iter()
    .enumerate()
    {
        let mut wish = wish(&format!("2026-06-03T09:{:02}:00Z", position * 5), SAM);
        wish["name"] = json!(name);
        let answer = flow.ask(&host, &wish).await;
        if fault.is_empty() {
            assert_eq!(answer.status, 201, "{name}: {}", answer.text());
        } else {
            assert_eq!(faults(&answer), [("/name".into(), fault.into())], "{name}");
        }
    }
    // Case mail-09: the envelope carries the ASCII form.
    let to: Vec<String> = flow.mail.drain().await.into_iter().map(|l| l.to).collect();
    assert!(
        to.iter().any(|to| to == "sam@xn--bcher-kva.example"),
        "{to:?}"
    );
    flow.end().await;
}
