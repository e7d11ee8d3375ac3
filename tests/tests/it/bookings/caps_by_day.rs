//! Bookings made in 24 hours, whatever became of them.

use holdfast_tests::{Flow, host::TestHost};
use jiff::SignedDuration;

use super::{
    caps::{book_from, limited, page, slot},
    refused,
};

/// Books and lets the hold go at once, so that none is open.
async fn book_and_release(flow: &Flow, host: &TestHost, number: i64, email: &str, ip: &str) {
    let answer = book_from(flow, host, slot(number), email, ip).await;
    assert_eq!(answer.status, 201, "{number}: {}", answer.text());
    flow.mail.drain().await;
    assert_eq!(flow.cancel(&flow.mail.token(email)).await.status, 200);
}

#[tokio::test]
async fn the_21st_booking_of_an_ip_in_a_day_waits_with_none_open() {
    let flow = limited(|limits| limits.bookings_per_day_per_ip = 20).await;
    let host = page(&flow, "ana").await;
    for number in 0..20 {
        book_and_release(
            &flow,
            &host,
            number,
            &format!("n{number}@bookers.test"),
            "203.0.113.1",
        )
        .await;
        flow.context.clock.advance(SignedDuration::from_secs(60));
    }
    let again = async |ip: &str| book_from(&flow, &host, slot(100), "x@bookers.test", ip).await;
    let refusal = again("203.0.113.1").await;
    assert_eq!(refused(&refusal), (429, "too_many_bookings".into()));
    let seconds: i64 = refusal.header("retry-after").parse().unwrap();
    assert_eq!(
        seconds,
        24 * 60 * 60 - 20 * 60,
        "until the first is a day old"
    );
    assert_eq!(again("203.0.113.2").await.status, 201);
    flow.context
        .clock
        .advance(SignedDuration::from_secs(seconds - 1));
    let again = async || book_from(&flow, &host, slot(700), "y@bookers.test", "203.0.113.1").await;
    assert_eq!(again().await.status, 429);
    flow.context.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(again().await.status, 201);
    flow.end().await;
}

#[tokio::test]
async fn the_seventh_booking_of_an_address_in_a_day_waits_from_any_ip() {
    let flow = limited(|limits| limits.bookings_per_day_per_address = 6).await;
    let host = page(&flow, "ana").await;
    for number in 0..6 {
        book_and_release(
            &flow,
            &host,
            number,
            "sam@bookers.test",
            &format!("203.0.113.{number}"),
        )
        .await;
    }
    let again =
        async || book_from(&flow, &host, slot(700), "SAM@bookers.test", "203.0.113.99").await;
    let refusal = again().await;
    assert_eq!(refused(&refusal), (429, "too_many_bookings".into()));
    assert_eq!(refusal.header("retry-after"), (24 * 60 * 60).to_string());
    flow.context.clock.advance(SignedDuration::from_hours(24));
    assert_eq!(again().await.status, 201);
    flow.end().await;
}

/// The wait that is told is enough for every cap that is reached, not for the first alone.
#[tokio::test]
async fn with_two_caps_reached_the_longer_wait_is_told() {
    let flow = limited(|limits| {
        limits.open_holds_per_ip = 1;
        limits.bookings_per_day_per_ip = 1;
    })
    .await;
    let host = page(&flow, "ana").await;
    let ask = async |number: i64| {
        book_from(
            &flow,
            &host,
            slot(number),
            "sam@bookers.test",
            "203.0.113.1",
        )
        .await
    };
    assert_eq!(ask(0).await.status, 201);
    let seconds: i64 = ask(700).await.header("retry-after").parse().unwrap();
    flow.context
        .clock
        .advance(SignedDuration::from_secs(seconds));
    assert_eq!(ask(700).await.status, 201, "after {seconds} s");
    flow.end().await;
}
