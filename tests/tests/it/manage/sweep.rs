//! Sweeps: lapsed holds and client IPs.

use holdfast_tests::{
    Flow,
    app::{Options, at},
    flow::SAM,
};
use holdfast_worker::sweeps;
use jiff::SignedDuration;

#[tokio::test]
async fn a_sweep_expires_what_lapsed_and_nothing_else() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    flow.booked(&host, "2026-06-02T10:00:00Z").await;
    flow.at("2026-06-01T08:00:01Z");
    flow.booked(&host, "2026-06-02T11:00:00Z").await;
    let confirmed = flow.link(&host, "2026-06-02T12:00:00Z", SAM).await;
    assert_eq!(flow.confirm(&confirmed).await.status, 200);
    // The first one's mail was not sent: it is owed until the sweep.
    flow.sql("UPDATE mail_outbox SET outcome = NULL, outcome_at = NULL, due_at = '2026-06-01 08:40+00' WHERE kind = 'hold' AND booking_id = (SELECT id FROM bookings WHERE start_at = '2026-06-02 10:00+00')").await;
    flow.context.clock.set(at("2026-06-01T08:29:59.999999Z"));
    assert_eq!(sweeps::pass(&flow.context).await.unwrap(), 0);
    flow.at("2026-06-01T08:30:00Z");
    assert_eq!(sweeps::pass(&flow.context).await.unwrap(), 1);
    assert_eq!(
        flow.texts("SELECT concat_ws(' ', b.state, b.revision, h.active, e.status, e.deleted_at IS NOT NULL, m.outcome)
              FROM bookings b JOIN booking_hosts h ON h.booking_id = b.id JOIN events e ON e.booking_id = b.id
              JOIN mail_outbox m ON m.booking_id = b.id AND m.kind = 'hold' ORDER BY b.start_at").await,
        ["expired 1 f cancelled t skipped", "held 0 t tentative f sent", "confirmed 1 t confirmed f sent"]
    );
    assert_eq!(
        flow.book(&host, "2026-06-02T10:00:00Z", SAM).await.status,
        201
    );
    flow.at("2026-06-01T09:30:00Z");
    assert_eq!(sweeps::pass(&flow.context).await.unwrap(), 2);
    flow.end().await;
}

/// A pass is bounded, and several workers may sweep at once: each hold expires once.
#[tokio::test]
async fn passes_are_bounded_and_share_the_work() {
    let flow = Flow::start().await;
    for number in 0..3 {
        let host = flow
            .host(&format!("host-{number}"))
            .by_mail()
            .minutes(5, 5)
            .make()
            .await;
        let asks = (0..70).map(|slot| {
            let start = at("2026-06-02T09:00:00Z")
                .plus_minutes(5 * slot)
                .to_string();
            let (flow, host) = (&flow, &host);
            async move { assert_eq!(flow.book(host, &start, SAM).await.status, 201) }
        });
        futures::future::join_all(asks).await;
    }
    flow.at("2026-06-01T08:30:00Z");
    let one = sweeps::pass(&flow.context).await.unwrap();
    assert_eq!(one, 200);
    let rest = futures::future::join_all((0..4).map(|_| sweeps::pass(&flow.context))).await;
    let rest: u64 = rest.into_iter().map(Result::unwrap).sum();
    assert_eq!(rest, 10);
    assert_eq!(
        flow.count("booking_history WHERE action = 'expire'").await,
        210
    );
    flow.end().await;
}

#[tokio::test]
async fn an_ip_is_forgotten_after_a_day_whatever_became_of_the_booking() {
    let flow = Flow::with(Options {
        trusted_proxy_hops: 0,
        ..Options::default()
    })
    .await;
    let held = flow.host("ana").by_mail().make().await;
    let instant = flow.host("bob").make().await;
    flow.booked(&held, "2026-06-08T10:00:00Z").await;
    flow.booked(&instant, "2026-06-08T10:00:00Z").await;
    assert_eq!(flow.count("bookings WHERE ip_fp IS NOT NULL").await, 2);
    let day = at("2026-06-02T08:00:00Z");
    flow.context
        .clock
        .set(day.plus(SignedDuration::from_micros(-1)));
    sweeps::pass(&flow.context).await.unwrap();
    assert_eq!(flow.count("bookings WHERE ip_fp IS NOT NULL").await, 2);
    flow.context.clock.set(day);
    let before = flow
        .texts("SELECT state || revision || revised_at FROM bookings ORDER BY id")
        .await;
    sweeps::pass(&flow.context).await.unwrap();
    assert_eq!(
        flow.count("bookings WHERE ip_fp IS NULL AND ip_forget_at IS NULL")
            .await,
        2
    );
    assert_eq!(
        flow.texts("SELECT state || revision || revised_at FROM bookings ORDER BY id")
            .await,
        before,
        "no transition"
    );
    flow.end().await;
}
