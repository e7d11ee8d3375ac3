//! R17: the booker sees the page as it was when they booked.

use holdfast_tests::{
    Flow,
    flow::{SAM, wish},
};
use serde_json::json;
use shared::seal::Place;
use uuid::Uuid;

/// Writes a sealed column anew, as the dashboard will.
async fn rewrite(flow: &Flow, table: &'static str, column: &'static str, row: Uuid, words: &str) {
    let seal = &flow.context.keys.seal;
    let sealed = seal
        .seal(
            Place::new(table, column, row),
            words.as_bytes(),
            &flow.context.random,
        )
        .unwrap();
    let sql = format!("UPDATE {table} SET {column}_sealed = $1 WHERE id = $2");
    sqlx::query(sqlx::AssertSqlSafe(sql))
        .bind(sealed)
        .bind(row)
        .execute(&flow.context.pool)
        .await
        .unwrap();
}

#[tokio::test]
async fn text_that_changed_after_the_hold_changes_neither_page_nor_mail_nor_invitation() {
    let flow = Flow::start().await;
    let host = flow
        .host("ana")
        .name("Ana Novak")
        .by_mail()
        .guests()
        .titled("Old title", "Old words.")
        .make()
        .await;
    rewrite(
        &flow,
        "event_types",
        "location",
        host.event_type,
        "Old Street 1",
    )
    .await;
    flow.sql("UPDATE event_types SET location_kind = 'text', revision = revision + 1")
        .await;
    let mut wish = wish("2026-06-02T10:00:00Z", SAM);
    wish["guests"] = json!([{ "email": "kim@guests.test" }]);
    assert_eq!(flow.ask(&host, &wish).await.status, 201);

    // Between the hold and everything after it the host edits the page, and the event.
    for (column, words) in [
        ("title", "Later title"),
        ("description", "Later words."),
        ("location", "Later Street 2"),
    ] {
        rewrite(&flow, "event_types", column, host.event_type, words).await;
    }
    flow.sql("UPDATE event_types SET revision = revision + 1, duration_min = 30")
        .await;
    let event: Uuid = flow
        .text("SELECT id::text FROM events")
        .await
        .parse()
        .unwrap();
    for column in ["title", "notes", "location"] {
        rewrite(&flow, "events", column, event, "Later in the calendar").await;
    }

    let mut letters = flow.mail.drain().await;
    let token = letters[0].token().unwrap();
    let mut shown = vec![flow.look("", &token).await.text()];
    shown.push(flow.confirm(&token).await.text());
    letters.extend(flow.mail.drain().await);
    shown.push(flow.look("/calendar.ics", &token).await.text());
    shown.push(
        flow.reschedule(&token, "2026-06-03T10:00:00Z", 1)
            .await
            .text(),
    );
    letters.extend(flow.mail.drain().await);
    flow.at("2026-06-02T10:00:00Z");
    letters.extend(flow.mail.drain().await);
    shown.push(flow.cancel(&token).await.text());
    letters.extend(flow.mail.drain().await);
    shown.push(flow.look("/calendar.ics", &token).await.text());
    assert_eq!(letters.len(), 1 + 4 * 3);
    for letter in &letters {
        assert!(letter.subject.contains("Old title"), "{}", letter.subject);
        shown.push(format!(
            "{} {} {}",
            letter.subject, letter.text, letter.html
        ));
        shown.extend(
            letter
                .calendar
                .iter()
                .map(|calendar| calendar.ics.0.replace("\r\n ", "")),
        );
    }
    for text in &shown {
        assert!(!text.contains("Later"), "{text}");
        assert!(text.contains("Old title"), "{text}");
    }
    let place = shown
        .iter()
        .filter(|text| text.contains("Old Street 1"))
        .count();
    assert!(place >= letters.len(), "{place}");
    assert_eq!(
        flow.look("", &token).await.json()["end"],
        "2026-06-03T11:00:00Z"
    );
    flow.end().await;
}

/// The host's name is today's in words, and that of the day in the invitation.
#[tokio::test]
async fn a_renamed_host_is_named_as_today_and_the_invitation_stays_pinned() {
    let flow = Flow::start().await;
    let host = flow.host("ana").name("Ana Alt").make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    rewrite(&flow, "hosts", "display_name", host.id, "Ana Neu").await;
    assert_eq!(
        flow.look("", &token).await.json()["host"]["name"],
        "Ana Neu"
    );
    assert_eq!(
        flow.reschedule(&token, "2026-06-02T14:00:00Z", 0)
            .await
            .status,
        200
    );
    let letter = flow.mail.drain().await.remove(1);
    assert!(letter.subject.contains("Ana Neu") && letter.text.contains("Ana Neu"));
    let organizer = &letter.ics().all("ORGANIZER")[0];
    assert!(
        organizer.contains("Ana Alt") && organizer.ends_with("mailto:book@holdfast.test"),
        "{organizer}"
    );
    flow.end().await;
}
