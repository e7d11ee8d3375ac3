//! R10: a booking never commits without its mail rows, and no mail row is there without its
//! booking.

use holdfast_tests::{Flow, flow::SAM};
use shared::store::begin::begin;

use super::{confirmed, page};

const BROKEN: &str =
    "CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$;
    CREATE TRIGGER break BEFORE INSERT ON mail_outbox FOR EACH STATEMENT EXECUTE FUNCTION break()";

/// Goes red if a transition commits before its rows are written.
#[tokio::test]
async fn a_failing_outbox_fails_the_whole_transition() {
    let flow = Flow::start().await;
    let host = page(&flow).await;
    let held = flow.link(&host, "2026-06-04T09:00:00Z", SAM).await;
    let token = confirmed(&flow, &host, "2026-06-04T10:00:00Z").await;
    flow.mail.drain().await;
    flow.sql(BROKEN).await;
    let before = flow.database.rows().await;
    for answer in [
        flow.ask_once(
            &host,
            &holdfast_tests::flow::wish("2026-06-04T12:00:00Z", SAM),
            "k",
        )
        .await,
        flow.confirm(&held).await,
        flow.reschedule(&token, "2026-06-04T14:00:00Z", 1).await,
        flow.cancel(&token).await,
    ] {
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (500, "internal")
        );
        assert!(!answer.text().contains("broken"), "nothing leaks");
    }
    assert_eq!(flow.database.rows().await, before);
    assert!(flow.mail.drain().await.is_empty());
    flow.sql("DROP TRIGGER break ON mail_outbox").await;
    assert_eq!(flow.confirm(&held).await.status, 200);
    assert_eq!(flow.cancel(&token).await.status, 200);
    flow.end().await;
}

/// Nothing can be seen before the commit, and nothing remains of what was rolled back.
#[tokio::test]
async fn nothing_of_a_booking_is_visible_before_its_commit() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let empty = flow.database.rows().await;
    // The booking's last statement waits for this.
    let mut lock = begin(&flow.context.pool).await.unwrap();
    sqlx::query("LOCK TABLE mail_outbox IN SHARE MODE")
        .execute(&mut *lock)
        .await
        .unwrap();
    let asked = async {
        let answer = flow.book(&host, "2026-06-04T10:00:00Z", SAM).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
    };
    let looked = async {
        flow.somebody_waits().await;
        assert_eq!(flow.database.rows().await, empty);
        lock.commit().await.unwrap();
    };
    tokio::join!(asked, looked);
    for table in [
        "bookings",
        "booking_hosts",
        "events",
        "booking_history",
        "manage_tokens",
    ] {
        assert_eq!(flow.count(table).await, 1, "{table}");
    }
    assert_eq!(flow.mail.drain().await.len(), 2);
    flow.end().await;
}
