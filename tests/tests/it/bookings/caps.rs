//! Open holds and requests: each cap at its edge, with a `Retry-After` that is true.

use holdfast_tests::{Answer, Flow, app::Options, flow::wish, host::TestHost};
use jiff::SignedDuration;
use reqwest::Method;
use shared::{config::Limits, instant::Instant};

use super::refused;

/// With a limit of the defaults, and no other.
pub(super) async fn limited(set: impl FnOnce(&mut Limits)) -> Flow {
    let mut options = Options::default();
    set(&mut options.limits);
    Flow::with(options).await
}

/// Books as somebody at an IP.
pub(super) async fn book_from(
    flow: &Flow,
    host: &TestHost,
    start: Instant,
    email: &str,
    ip: &str,
) -> Answer {
    let request = flow
        .request(Method::POST, &format!("{}/bookings", host.api))
        .header("X-Forwarded-For", ip)
        .json(&wish(&start.to_string(), email));
    flow.send(request).await
}

/// A page that holds, with a slot every five minutes from 2026-06-02T00:00:00Z.
pub(super) async fn page(flow: &Flow, handle: &str) -> TestHost {
    flow.host(handle)
        .by_mail()
        .minutes(5, 5)
        .free("every day 0:00-24:00")
        .make()
        .await
}

pub(super) fn slot(number: i64) -> Instant {
    holdfast_tests::app::at("2026-06-02T00:00:00Z").plus_minutes(5 * number)
}

/// Refused with this code; comes back a second too early in vain, and in time not.
async fn assert_waits(flow: &Flow, refusal: &Answer, code: &str, again: impl AsyncFn() -> Answer) {
    assert_eq!(refused(refusal), (429, code.to_owned()));
    let seconds: i64 = refusal.header("retry-after").parse().unwrap();
    flow.context
        .clock
        .advance(SignedDuration::from_secs(seconds - 1));
    assert_eq!(
        refused(&again().await),
        (429, code.to_owned()),
        "a second too early"
    );
    flow.context.clock.advance(SignedDuration::from_secs(1));
    let answer = again().await;
    assert_eq!(answer.status, 201, "{seconds} s later: {}", answer.text());
}

#[tokio::test]
async fn the_sixth_open_hold_of_an_ip_waits_for_the_first_to_lapse() {
    let flow = limited(|limits| limits.open_holds_per_ip = 5).await;
    let (ana, bob) = (page(&flow, "ana").await, page(&flow, "bob").await);
    for number in 0..5 {
        let host = if number % 2 == 0 { &ana } else { &bob };
        let email = format!("n{number}@bookers.test");
        assert_eq!(
            book_from(&flow, host, slot(number), &email, "203.0.113.1")
                .await
                .status,
            201
        );
        flow.context.clock.advance(SignedDuration::from_secs(7));
    }
    let again = async || book_from(&flow, &ana, slot(20), "x@bookers.test", "203.0.113.1").await;
    let sixth = again().await;
    assert_eq!(sixth.header("retry-after"), (30 * 60 - 35).to_string());
    let other = book_from(&flow, &ana, slot(21), "x@bookers.test", "203.0.113.2").await;
    assert_eq!(other.status, 201, "another client");
    assert_waits(&flow, &sixth, "too_many_holds", again).await;
    flow.end().await;
}

#[tokio::test]
async fn the_21st_open_hold_of_a_page_waits_whoever_asks() {
    let flow = limited(|limits| limits.open_holds_per_event_type = 20).await;
    let (ana, bob) = (page(&flow, "ana").await, page(&flow, "bob").await);
    let ask = async |host: &TestHost, number: i64| {
        let (email, ip) = (
            format!("n{number}@bookers.test"),
            format!("203.0.113.{number}"),
        );
        book_from(&flow, host, slot(number), &email, &ip).await
    };
    for number in 0..20 {
        assert_eq!(ask(&ana, number).await.status, 201);
    }
    let refusal = ask(&ana, 20).await;
    assert_eq!(ask(&bob, 20).await.status, 201, "another page");
    assert_waits(&flow, &refusal, "too_many_holds", async || {
        ask(&ana, 21).await
    })
    .await;
    flow.end().await;
}

#[tokio::test]
async fn the_third_open_hold_of_an_address_waits_however_it_is_written() {
    let flow = limited(|limits| limits.open_holds_per_address = 2).await;
    let (ana, bob) = (page(&flow, "ana").await, page(&flow, "bob").await);
    for (number, email) in [(0, "sam@bookers.test"), (1, " SAM@Bookers.Test ")] {
        assert_eq!(
            book_from(
                &flow,
                &ana,
                slot(number),
                email,
                &format!("203.0.113.{number}")
            )
            .await
            .status,
            201
        );
    }
    let again = async || book_from(&flow, &bob, slot(3), "Sam@bookers.test", "203.0.113.9").await;
    let refusal = again().await;
    assert_eq!(refusal.header("retry-after"), "1800");
    let other = book_from(&flow, &bob, slot(4), "sam+x@bookers.test", "203.0.113.9").await;
    assert_eq!(other.status, 201, "another address");
    assert_waits(&flow, &refusal, "too_many_holds", again).await;
    flow.end().await;
}

/// A confirmed hold, and one that was let go, are open no more.
#[tokio::test]
async fn a_hold_that_is_settled_counts_no_more() {
    let flow = limited(|limits| limits.open_holds_per_address = 2).await;
    let host = page(&flow, "ana").await;
    let mut tokens = Vec::new();
    for number in 0..2 {
        tokens.push(
            flow.link(&host, &slot(number).to_string(), "sam@bookers.test")
                .await,
        );
    }
    let ask = async |number| {
        flow.book(&host, &slot(number).to_string(), "sam@bookers.test")
            .await
            .status
    };
    assert_eq!(ask(5).await, 429);
    assert_eq!(flow.confirm(&tokens[0]).await.status, 200);
    assert_eq!(ask(5).await, 201);
    assert_eq!(ask(6).await, 429);
    assert_eq!(flow.cancel(&tokens[1]).await.status, 200);
    assert_eq!(ask(6).await, 201);
    flow.end().await;
}

/// Case lim-01, on the gate before bookings: refused requests count too, and forged headers earn
/// no new bucket.
#[tokio::test]
async fn the_11th_booking_request_of_a_minute_waits_whatever_became_of_the_others() {
    let mut options = Options {
        trusted_proxy_hops: 0,
        ..Options::default()
    };
    options.limits.booking_requests_per_minute = 10;
    let flow = Flow::with(options).await;
    let host = page(&flow, "ana").await;
    let ask = async |number: i64| {
        let request = flow
            .request(Method::POST, &format!("{}/bookings", host.api))
            .header("X-Forwarded-For", format!("203.0.113.{number}"))
            .header("X-Real-IP", format!("203.0.113.{number}"))
            .json(&wish(&slot(number).to_string(), "sam@bookers.test"));
        flow.send(request).await
    };
    for number in 0..10 {
        // Three go through, the others ask for the same slots again.
        let status = ask(number % 3).await.status.as_u16();
        assert_eq!(status, if number < 3 { 201 } else { 409 });
    }
    let refusal = ask(10).await;
    assert_eq!(refused(&refusal), (429, "rate_limited".into()));
    let seconds: i64 = refusal.header("retry-after").parse().unwrap();
    assert!((1..=7).contains(&seconds), "{seconds}");
    assert_eq!(
        flow.get(&host.api).await.status,
        200,
        "looking is still free"
    );
    flow.context
        .clock
        .advance(SignedDuration::from_secs(seconds));
    assert_eq!(ask(10).await.status, 201);
    flow.end().await;
}

/// The IP is the trusted proxy's word, not the client's.
#[tokio::test]
async fn a_forged_forwarded_header_earns_no_new_hold() {
    let flow = limited(|limits| limits.open_holds_per_ip = 1).await;
    let host = page(&flow, "ana").await;
    for (number, forwarded) in [
        "203.0.113.1",
        "198.51.100.1, 203.0.113.1",
        "10.0.0.1, ::1,203.0.113.1",
    ]
    .into_iter()
    .enumerate()
    {
        let answer = book_from(
            &flow,
            &host,
            slot(i64::try_from(number).unwrap()),
            "sam@bookers.test",
            forwarded,
        )
        .await;
        assert_eq!(
            answer.status,
            if number == 0 { 201 } else { 429 },
            "{forwarded}"
        );
    }
    flow.end().await;
}
