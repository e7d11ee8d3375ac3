//! `booking_history` is append-only, whoever asks.

use holdfast_tests::{Flow, flow::SAM};

use super::refusal;

#[tokio::test]
async fn history_refuses_update_delete_and_truncate() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    flow.booked(&host, "2026-06-02T10:00:00Z").await;
    flow.mail.drain().await;
    assert_eq!(flow.confirm(&flow.mail.token(SAM)).await.status, 200);
    let before = flow.database.rows().await;
    for sql in [
        "UPDATE booking_history SET at = now()",
        "UPDATE booking_history SET to_state = 'cancelled' WHERE revision = 1",
        "UPDATE booking_history SET at = at WHERE false",
        "DELETE FROM booking_history",
        "DELETE FROM booking_history WHERE false",
        "TRUNCATE booking_history",
        "TRUNCATE bookings CASCADE",
    ] {
        let (code, _) = refusal(&flow, sql).await.expect(sql);
        assert_eq!(code, "23001", "{sql}");
    }
    // A booking is not deleted from under its history.
    let (code, constraint) = refusal(
        &flow,
        "DELETE FROM booking_hosts; DELETE FROM events; DELETE FROM bookings",
    )
    .await
    .unwrap();
    assert_eq!(
        (code.as_str(), constraint.as_str()),
        ("23503", "booking_history_booking_id_fkey")
    );
    // One revision happens once.
    let (code, constraint) = refusal(
        &flow,
        "INSERT INTO booking_history (booking_id, revision, at, actor_kind, action, to_state)
         SELECT id, 1, now(), 'booker', 'confirm', 'confirmed' FROM bookings",
    )
    .await
    .unwrap();
    assert_eq!(
        (code.as_str(), constraint.as_str()),
        ("23505", "booking_history_pkey")
    );
    assert_eq!(flow.database.rows().await, before);
    flow.end().await;
}
