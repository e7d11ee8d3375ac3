//! What happens to a request while it waits for its locks.
//!
//! Checked by taking guards away: each test says which.

use std::time::Duration;

use futures::future::join_all;
use holdfast_tests::{
    Answer, Flow,
    app::Options,
    flow::{SAM, wish},
    host::TestHost,
};
use reqwest::Method;
use shared::store::begin::begin;

/// Holds the host's lock, lets somebody ask, changes something, and lets go.
async fn meanwhile(
    flow: &Flow,
    asks: impl Future<Output = Answer>,
    change: &'static str,
) -> Answer {
    let mut lock = begin(&flow.context.pool).await.unwrap();
    sqlx::query("SELECT id FROM hosts FOR NO KEY UPDATE")
        .fetch_all(&mut *lock)
        .await
        .unwrap();
    let changes = async {
        flow.somebody_waits().await;
        sqlx::raw_sql(change).execute(&mut *lock).await.unwrap();
        lock.commit().await.unwrap();
    };
    tokio::join!(asks, changes).0
}

/// What was read before the locks is read again under them. Goes red if the second look is taken
/// away, or if it does not compare the revisions.
#[tokio::test]
async fn a_page_that_changes_while_a_booking_waits_is_read_again() {
    for (change, status, code) in [
        (
            "UPDATE event_types SET published_at = NULL, revision = revision + 1",
            404,
            "not_found",
        ),
        ("UPDATE hosts SET is_active = false", 404, "not_found"),
        (
            "UPDATE hosts SET contact_verified_at = NULL",
            404,
            "not_found",
        ),
        (
            "DELETE FROM schedule_windows; UPDATE schedules SET revision = revision + 1",
            422,
            "slot_not_offered",
        ),
        (
            "UPDATE event_types SET step_min = 45, revision = revision + 1",
            422,
            "slot_not_offered",
        ),
        (
            "UPDATE event_types SET allow_guests = false, revision = revision + 1",
            422,
            "guests_not_allowed",
        ),
        (
            "INSERT INTO host_exceptions (id, host_id, kind, span) SELECT gen_random_uuid(), id, 'blocked', '[2026-06-02 10:30+00,2026-06-02 10:31+00)' FROM hosts",
            409,
            "slot_taken",
        ),
        (
            "UPDATE event_types SET duration_min = 30, after_buffer_min = 15, revision = revision + 1",
            201,
            "",
        ),
    ] {
        let flow = Flow::start().await;
        let host = flow.host("ana").guests().make().await;
        let mut wish = wish("2026-06-02T10:00:00Z", SAM);
        wish["guests"] = serde_json::json!([{ "email": "kim@guests.test" }]);
        let answer = meanwhile(&flow, flow.ask(&host, &wish), change).await;
        assert_eq!(answer.status, status, "{change}: {}", answer.text());
        if status == 201 {
            assert_eq!(
                answer.json()["end"],
                "2026-06-02T10:30:00Z",
                "the page as it is now"
            );
            let blocked = "SELECT upper(blocked) - lower(blocked) = interval '45 min' AS fits FROM booking_hosts";
            assert_eq!(flow.count(&format!("({blocked}) b WHERE fits")).await, 1);
        } else {
            assert_eq!(answer.code(), code, "{change}");
            assert_eq!(flow.count("events").await, 0, "{change}");
        }
        flow.end().await;
    }
}

/// A move that waits sees what its booking has become.
#[tokio::test]
async fn a_booking_that_changes_while_its_move_waits_is_read_again() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    let asks = flow.reschedule(&token, "2026-06-02T14:00:00Z", 0);
    let answer = meanwhile(&flow, asks, "UPDATE hosts SET is_active = false").await;
    assert_eq!(
        (answer.status.as_u16(), answer.code().as_str()),
        (409, "host_inactive")
    );
    flow.sql("UPDATE hosts SET is_active = true").await;
    let asks = flow.reschedule(&token, "2026-06-02T14:00:00Z", 0);
    let answer = meanwhile(&flow, asks, "DELETE FROM schedule_windows").await;
    assert_eq!(
        (answer.status.as_u16(), answer.code().as_str()),
        (422, "slot_not_offered")
    );
    assert_eq!(flow.cancel(&token).await.status, 200);
    flow.end().await;
}

/// A limit counts bookings at other times: no constraint stands behind it, only the host's lock and
/// its calendar's. Goes red without both.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_who_fill_a_day_at_once_the_limit_admits_as_many_as_it_says() {
    let flow = Flow::start().await;
    let host = flow
        .host("ana")
        .set("limit_per_day", "2".into())
        .make()
        .await;
    for day in 2..6 {
        let asks = (9..17).map(|hour| {
            let (flow, host) = (&flow, &host);
            async move {
                let start = format!("2026-06-0{day}T{hour:02}:00:00Z");
                flow.book(host, &start, &format!("n{hour}@bookers.test"))
                    .await
            }
        });
        let answers = join_all(asks).await;
        let booked = answers.iter().filter(|answer| answer.status == 201).count();
        assert_eq!(booked, 2);
        assert!(
            answers
                .iter()
                .all(|answer| [201, 409].contains(&answer.status.as_u16()))
        );
    }
    flow.end().await;
}

async fn ask_from(flow: &Flow, host: &TestHost, email: &str, ip: &str) -> Answer {
    let request = flow
        .request(Method::POST, &format!("{}/bookings", host.api))
        .header("X-Forwarded-For", ip)
        .json(&wish("2026-06-02T10:00:00Z", email));
    flow.send(request).await
}

/// Caps of strangers span hosts, whose locks do not meet: the fingerprints have locks of their own.
/// Goes red without them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn caps_hold_for_many_at_once_at_different_hosts() {
    for by_address in [true, false] {
        let mut options = Options::default();
        options.limits.open_holds_per_ip = 3;
        options.limits.open_holds_per_address = 3;
        let flow = Flow::with(options).await;
        let mut hosts = Vec::new();
        for number in 0..12 {
            hosts.push(flow.host(&format!("host-{number}")).by_mail().make().await);
        }
        let asks = hosts.iter().enumerate().map(|(number, host)| {
            let flow = &flow;
            let own = format!("n{number}");
            async move {
                if by_address {
                    ask_from(flow, host, SAM, &format!("203.0.113.{number}")).await
                } else {
                    ask_from(flow, host, &format!("{own}@bookers.test"), "203.0.113.1").await
                }
            }
        });
        let answers = join_all(asks).await;
        let held = answers.iter().filter(|answer| answer.status == 201).count();
        let refused = answers.iter().filter(|answer| answer.status == 429).count();
        assert_eq!((held, refused), (3, 9), "by address: {by_address}");
        flow.end().await;
    }
}

/// Bookings of different hosts do not wait for each other.
#[tokio::test]
async fn a_host_that_is_locked_holds_up_no_other() {
    let flow = Flow::start().await;
    let (ana, bob) = (flow.host("ana").make().await, flow.host("bob").make().await);
    let mut lock = begin(&flow.context.pool).await.unwrap();
    sqlx::query("SELECT id FROM hosts WHERE handle = 'ana' FOR NO KEY UPDATE")
        .fetch_all(&mut *lock)
        .await
        .unwrap();
    let quick = flow.book(&bob, "2026-06-02T10:00:00Z", SAM);
    let answer = tokio::time::timeout(Duration::from_secs(10), quick)
        .await
        .unwrap();
    assert_eq!(answer.status, 201);
    lock.rollback().await.unwrap();
    assert_eq!(
        flow.book(&ana, "2026-06-02T10:00:00Z", SAM).await.status,
        201
    );
    flow.end().await;
}
