//! What each transition owes, exactly.

use holdfast_tests::{
    Flow,
    app::Options,
    flow::{SAM, by_host, id, wish},
    logs,
};
use serde_json::json;
use shared::ops;

use super::{confirmed, page};

/// Every row of a revision.
async fn rows(flow: &Flow, revision: i32) -> Vec<String> {
    flow.texts(&format!(
        "SELECT concat_ws(' ', kind, recipient, recipient_id IS NOT NULL, offset_min, lane, priority,
                to_char(due_at AT TIME ZONE 'UTC', 'DD HH24:MI'), due_at = remind_at, attempts, uncertain, coalesce(outcome, 'owed'))
           FROM mail_outbox WHERE revision = {revision} ORDER BY lane, priority, id"
    ))
    .await
}

/// Rows of a notice to host, booker and guest, each ending the same.
fn notice(kind: &str, due: &str, outcome: &str) -> Vec<String> {
    [("host", "t", 0), ("booker", "f", 1), ("guest", "t", 2)]
        .map(|(who, has_id, priority)| {
            let (lane, offset, ending) = if kind == "reminder" {
                ("reminder", 1440, "t 0 0")
            } else if outcome == "sent" {
                ("prompt", 0, "1 0")
            } else {
                ("prompt", 0, "0 0")
            };
            // What was claimed is due at the end of its lease.
            let due = if outcome == "sent" {
                lease_end(due)
            } else {
                due.to_owned()
            };
            format!("{kind} {who} {has_id} {offset} {lane} {priority} {due} {ending} {outcome}")
        })
        .to_vec()
}

fn lease_end(due: &str) -> String {
    due.replacen(":00", ":10", 1)
}

#[tokio::test]
async fn each_transition_owes_its_rows_and_skips_what_it_makes_false() {
    let flow = Flow::start().await;
    let host = page(&flow).await;
    let token = confirmed(&flow, &host, "2026-06-04T10:00:00Z").await;
    assert_eq!(
        rows(&flow, 0).await,
        ["hold booker f 0 prompt 1 01 08:10 1 0 sent"]
    );
    let mut want = notice("confirmed", "01 08:00", "owed");
    want.extend(notice("reminder", "03 10:00", "owed"));
    assert_eq!(rows(&flow, 1).await, want);

    flow.at("2026-06-01T09:00:00Z");
    assert_eq!(
        flow.reschedule(&token, "2026-06-05T12:00:00Z", 1)
            .await
            .status,
        200
    );
    let mut skipped = notice("confirmed", "01 08:00", "skipped");
    skipped.extend(notice("reminder", "03 10:00", "skipped"));
    assert_eq!(rows(&flow, 1).await, skipped);
    let mut want = notice("rescheduled", "01 09:00", "owed");
    want.extend(notice("reminder", "04 12:00", "owed"));
    assert_eq!(rows(&flow, 2).await, want);

    // Nothing that was sent is touched.
    flow.mail.drain().await;
    flow.at("2026-06-01T10:00:00Z");
    assert_eq!(flow.cancel(&token).await.status, 200);
    let sent: Vec<String> = notice("rescheduled", "01 09:00", "sent");
    let mut want = sent;
    want.extend(notice("reminder", "04 12:00", "skipped"));
    assert_eq!(rows(&flow, 2).await, want);
    assert_eq!(
        rows(&flow, 3).await,
        notice("cancelled", "01 10:00", "owed")
    );
    flow.mail.drain().await;
    assert_eq!(flow.count("mail_outbox").await, 1 + 6 + 6 + 3);
    flow.end().await;
}

/// Hosts first, then the booker, then guests; what was owed before goes before.
#[tokio::test]
async fn mail_leaves_in_order() {
    let flow = Flow::start().await;
    let host = page(&flow).await;
    confirmed(&flow, &host, "2026-06-04T10:00:00Z").await;
    flow.at("2026-06-01T08:05:00Z");
    confirmed_later(&flow, &host).await;
    let to: Vec<String> = flow.mail.drain().await.into_iter().map(|l| l.to).collect();
    assert_eq!(
        to,
        [
            "ana@hosts.test",
            "sam@bookers.test",
            "kim@guests.test",
            "ana@hosts.test",
            "lea@bookers.test"
        ]
    );
    flow.end().await;
}

/// Another booking, confirmed by a page that does so at once.
async fn confirmed_later(flow: &Flow, host: &holdfast_tests::host::TestHost) {
    flow.sql("UPDATE event_types SET confirmation = 'instant', revision = revision + 1")
        .await;
    let answer = flow
        .book(host, "2026-06-04T12:00:00Z", "lea@bookers.test")
        .await;
    assert_eq!(answer.status, 201);
}

/// A host whose address is not verified gets nothing and is not named; the booking stands.
#[tokio::test]
async fn a_host_who_lost_their_address_is_not_written_to() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let booking = flow.booked(&host, "2026-06-04T10:00:00Z").await;
    flow.mail.drain().await;
    flow.sql("UPDATE hosts SET contact_verified_at = NULL")
        .await;
    ops::cancel(&flow.context, by_host(&host, &booking), None, None)
        .await
        .unwrap();
    assert_eq!(
        flow.texts("SELECT recipient FROM mail_outbox WHERE kind = 'cancelled'")
            .await,
        ["booker"]
    );
    assert!(flow.mail.drain().await.is_empty(), "nobody is left to name");
    assert_eq!(
        flow.text("SELECT outcome FROM mail_outbox WHERE kind = 'cancelled'")
            .await,
        "skipped"
    );
    flow.end().await;
}

/// A booking that lost its last verified host sends nothing, and says so once a notice. Red if each
/// of its mails says so.
#[tokio::test]
async fn a_booking_without_a_verified_host_sends_nothing_and_warns_once_a_notice() {
    let captured = logs::capture();
    // Of its own: the log is the whole process's, and other tests draw the same ids.
    let flow = Flow::with(Options {
        seed: 20_261_201,
        ..Options::default()
    })
    .await;
    let ana = flow.host("ana").guests().make().await;
    let mut wish = wish("2026-06-04T10:00:00Z", SAM);
    wish["guests"] = json!([{ "email": "kim@guests.test" }, { "email": "lea@guests.test" }]);
    let booking = flow.ask(&ana, &wish).await.json();
    flow.sql("UPDATE hosts SET contact_verified_at = NULL")
        .await;
    let lines = || {
        let text = captured.text();
        let of_this = text.lines().filter(|line| {
            line.contains(&id(&booking).to_string()) && line.contains("no host with a verified")
        });
        of_this.map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(flow.mail.drain().await.is_empty());
    let said = lines();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("\"WARN\"") && !said[0].contains('@'));
    assert_eq!(
        flow.count("manage_tokens WHERE mail_id IS NOT NULL").await,
        0
    );
    assert_eq!(flow.count("mail_ledger").await, 0);
    // The host's row was owed while they were verified; now none is, and the booker's says it.
    let token = booking["manage_token"].as_str().unwrap().to_owned();
    assert_eq!(flow.cancel(&token).await.status, 200);
    assert_eq!(
        flow.texts(
            "SELECT DISTINCT recipient FROM mail_outbox WHERE kind = 'cancelled' ORDER BY 1"
        )
        .await,
        ["booker", "guest"]
    );
    assert!(flow.mail.drain().await.is_empty());
    assert_eq!(lines().len(), 2);
    flow.end().await;
}
