//! Clients that leave in the middle of their request.

use std::time::Duration;

use holdfast_tests::{Flow, flow::wish};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// 10,000 clients leave at random points: before the request is whole, while it is worked on, or
/// after the first bytes of the answer. No connection is left inside a transaction, and later users
/// of the pool commit what they write.
///
/// Red with `pool.begin()` instead of `store::begin::begin` and without tasks of their own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_clients_that_vanish_leave_no_connection_in_a_transaction() {
    let flow = Flow::start().await;
    let host = flow.host("ana").minutes(15, 15).make().await;
    let address = flow.url.strip_prefix("http://").unwrap().to_owned();
    let mut workers = Vec::new();
    for worker in 0..16_u64 {
        let (address, api, random) = (
            address.clone(),
            host.api.clone(),
            shared::random::Random::seeded(worker),
        );
        workers.push(tokio::spawn(async move {
            for turn in 0..625_u64 {
                let [a, b, c] = random.bytes().unwrap();
                let (day, slot) = (2 + u64::from(a) % 20, u64::from(b) % 32);
                let start = format!("2026-06-{day:02}T{:02}:{:02}:00Z", 9 + slot / 4, slot % 4 * 15);
                let body = wish(&start, &format!("v{worker}-{turn}@bookers.test")).to_string();
                let request = format!(
                    "POST {api}/bookings HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                    body.len()
                );
                let Ok(mut stream) = TcpStream::connect(&address).await else { continue };
                let cut = if c < 32 { request.len() * usize::from(c) / 32 } else { request.len() };
                let _ = stream.write_all(&request.as_bytes()[..cut]).await;
                // Up to 6 ms: a booking takes about as long.
                tokio::time::sleep(Duration::from_micros(u64::from(c) * 24)).await;
                if c > 240 {
                    let _ = stream.read(&mut [0; 16]).await;
                }
            }
        }));
    }
    for worker in workers {
        worker.await.unwrap();
    }
    // The last ones may still be under way; `end` also looks for sessions in a transaction.
    let patient = flow
        .book(&host, "2026-06-30T09:00:00Z", "last@bookers.test")
        .await;
    assert_eq!(patient.status, 201, "{}", patient.text());
    let mut held = Vec::new();
    for _ in 0..10 {
        let mut conn = flow.context.pool.acquire().await.unwrap();
        // By the simple protocol: in the extended one the two clocks always differ.
        let row = sqlx::raw_sql("SELECT now() = statement_timestamp()")
            .fetch_one(&mut *conn)
            .await
            .unwrap();
        let inside = !sqlx::Row::get::<bool, _>(&row, 0);
        assert!(!inside, "a pooled connection is inside a transaction");
        held.push(conn);
    }
    drop(held);
    let booked = flow.count("bookings").await;
    assert!(
        booked > 100,
        "too few got through to prove anything: {booked}"
    );
    flow.end().await;
}
