//! What every flow ends with can fail: each fault, planted, is found.

use holdfast_tests::{Flow, flow::SAM};

const FREE_FOR_ALL: &str = "ALTER TABLE booking_hosts DROP CONSTRAINT booking_hosts_no_overlap; ";
const NO_GUARD: &str = "DROP TRIGGER booking_history_append_only ON booking_history; ";

/// What is planted, and a part of the sentence that finds it.
const PLANTED: &[(&str, &str, &str)] = &[
    (
        FREE_FOR_ALL,
        "UPDATE booking_hosts SET blocked = '[2026-06-02 10:00+00,2026-06-02 11:00+00)', active = true",
        "I1: active bookings",
    ),
    (
        "",
        "UPDATE bookings SET after_buffer_min = 5",
        "I1: a blocked span",
    ),
    (
        "",
        "UPDATE booking_hosts SET active = false",
        "a span is held",
    ),
    (
        "",
        "UPDATE events SET booking_id = NULL, timing = '{}', reach = '(,)'",
        "no host or no event",
    ),
    (
        "",
        "UPDATE events SET start_local = start_local + interval '1 hour'",
        "five time columns",
    ),
    (
        "",
        "UPDATE events SET tz = 'Asia/Tokyo'",
        "five time columns",
    ),
    (
        "",
        "UPDATE events SET status = 'tentative'",
        "another state",
    ),
    ("", "UPDATE events SET sequence = 7", "another state"),
    (
        "",
        "UPDATE bookings SET revision = revision + 1",
        "a history has gaps",
    ),
    (
        NO_GUARD,
        "UPDATE booking_history SET from_state = 'held' WHERE revision = 1",
        "does not follow",
    ),
    (
        "",
        "UPDATE mail_outbox SET claim_id = gen_random_uuid(), claimed_at = now()",
        "I11: a lease",
    ),
    (
        "",
        "UPDATE mail_outbox SET outcome = 'rejected', outcome_at = now() WHERE recipient = 'booker'",
        "a link leads",
    ),
    (
        "",
        "UPDATE mail_outbox SET outcome = NULL, outcome_at = NULL",
        "I4: still owed",
    ),
    (
        "",
        "UPDATE mail_outbox SET outcome = 'sent', outcome_at = now() WHERE outcome = 'skipped' OR outcome IS NULL",
        "I4, I5: 0 copies",
    ),
    (
        "",
        "UPDATE mail_outbox SET attempts = 0, outcome = 'skipped', outcome_at = now()",
        "I4, I5: 1 copies",
    ),
    ("", "DELETE FROM mail_outbox", "I6: mail"),
    ("", "DELETE FROM mail_outbox", "I4: nothing is owed"),
    (
        "",
        "UPDATE mail_outbox SET revision = revision + 1 WHERE kind = 'cancelled'",
        "I7: the invitation",
    ),
    (
        "",
        "UPDATE mail_outbox SET kind = 'hold' WHERE kind = 'cancelled'",
        "I8: untrue",
    ),
    (
        NO_GUARD,
        "UPDATE booking_history SET at = at - interval '1 day'; UPDATE bookings SET revised_at = revised_at - interval '1 day'",
        "I8: untrue",
    ),
];

/// Two meetings; one is moved and cancelled, and everybody was told each time.
async fn lived() -> Flow {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    flow.link(&host, "2026-06-02T14:00:00Z", "kim@bookers.test")
        .await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    flow.at("2026-06-01T09:00:00Z");
    assert_eq!(
        flow.reschedule(&token, "2026-06-03T10:00:00Z", 0)
            .await
            .status,
        200
    );
    flow.mail.drain().await;
    flow.at("2026-06-01T10:00:00Z");
    assert_eq!(flow.cancel(&token).await.status, 200);
    flow.mail.drain().await;
    flow
}

#[tokio::test]
async fn each_planted_fault_is_found() {
    for (first, fault, words) in PLANTED {
        let flow = lived().await;
        assert_eq!(flow.faults().await, Vec::<String>::new());
        flow.sql(&format!("{first}{fault}")).await;
        let found = flow.faults().await;
        assert!(
            found.iter().any(|found| found.contains(words)),
            "{fault}: {found:?}"
        );
        flow.app.end().await;
    }
}

/// A session that stays in a transaction is found too.
#[tokio::test]
async fn a_session_in_a_transaction_is_found() {
    let flow = lived().await;
    let held = flow.context.pool.begin_with("BEGIN").await.unwrap();
    let found = flow.faults().await;
    assert!(
        found
            .iter()
            .any(|found| found.contains("idle in a transaction")),
        "{found:?}"
    );
    held.rollback().await.unwrap();
    flow.end().await;
}
