//! Clients that leave in the middle of their request.

use std::time::Duration;

use futures::{future::join_all, poll};
use holdfast_tests::{Flow, flow::wish};
use shared::{
    random::Random,
    store::{begin::begin, pool},
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

const ROUNDS: u64 = 40;
const CLIENTS: u64 = 16;
const TURNS: u64 = 16;

/// Somebody who asks for a random slot and leaves: before the request is whole, while it is worked
/// on, or after the first bytes of the answer. The connection is reset, not closed: a server goes
/// on for a client that only stopped sending.
async fn visitor(address: &str, api: &str, random: &Random, number: u64) {
    let [a, b, c] = random.bytes().unwrap();
    let (day, slot) = (2 + u64::from(a) % 20, u64::from(b) % 32);
    let start = format!(
        "2026-06-{day:02}T{:02}:{:02}:00Z",
        9 + slot / 4,
        slot % 4 * 15
    );
    let body = wish(&start, &format!("v{number}@bookers.test")).to_string();
    let request = format!(
        "POST {api}/bookings HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.1.{}.{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        number / 250 % 250,
        number % 250,
        body.len()
    );
    let Ok(mut stream) = TcpStream::connect(address).await else {
        return;
    };
    stream.set_zero_linger().unwrap();
    let cut = if c < 32 {
        request.len() * usize::from(c) / 32
    } else {
        request.len()
    };
    let _ = stream.write_all(&request.as_bytes()[..cut]).await;
    // Up to 15 ms: a booking takes about as long while so many ask.
    tokio::time::sleep(Duration::from_micros(u64::from(c) * 60)).await;
    if c > 240 {
        let _ = stream.read(&mut [0; 16]).await;
    }
}

/// 10,000 of them leave no connection inside a transaction, and later users of the pool commit what
/// they write. After each round nobody may be in a transaction: a connection that is would be put
/// right by the next BEGIN, and the fault not be seen.
///
/// Red with `pool.begin()` in place of `store::begin::begin`, without tasks of their own for the
/// transactions.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_clients_that_vanish_leave_no_connection_in_a_transaction() {
    let flow = Flow::start().await;
    let host = flow.host("ana").minutes(15, 15).make().await;
    let address = flow.url.strip_prefix("http://").unwrap();
    let random = Random::seeded(1);
    for round in 0..ROUNDS {
        let visitors = (0..CLIENTS).map(|client| {
            let (api, random) = (host.api.as_str(), &random);
            async move {
                for turn in 0..TURNS {
                    let number = (round * CLIENTS + client) * TURNS + turn;
                    visitor(address, api, random, number).await;
                }
            }
        });
        join_all(visitors).await;
        assert!(
            flow.is_quiet().await,
            "round {round}: a connection is in a transaction"
        );
    }
    let patient = flow
        .book(&host, "2026-06-30T09:00:00Z", "last@bookers.test")
        .await;
    assert_eq!(patient.status, 201, "{}", patient.text());
    let booked = flow.count("bookings").await;
    assert!(
        booked > 100,
        "too few got through to prove anything: {booked}"
    );
    flow.end().await;
}

/// The same at its root: whoever begins a transaction and is gone at any point of it leaves no
/// connection inside one. Red with `pool.begin()`, which sqlx 0.9.0 leaves open when it is dropped
/// between BEGIN and its answer.
#[tokio::test]
async fn a_begin_that_is_given_up_at_any_point_leaves_no_transaction() {
    let flow = Flow::start().await;
    let small = pool::open(pool::tuned(flow.database.options()), 1);
    let mut begun = 0;
    for polls in 1..=40 {
        let mut beginning = Box::pin(begin(&small));
        let mut tx = None;
        for _ in 0..polls % 8 + 1 {
            if let std::task::Poll::Ready(ready) = poll!(&mut beginning) {
                tx = Some(ready.unwrap());
                break;
            }
            tokio::task::yield_now().await;
        }
        begun += i32::from(tx.is_some());
        // Gone, at whatever point it was.
        drop(tx);
        drop(beginning);
        let mut conn = small.acquire().await.unwrap();
        // By the simple protocol: in the extended one the two clocks always differ.
        let row = sqlx::raw_sql("SELECT now() = statement_timestamp()")
            .fetch_one(&mut *conn)
            .await
            .unwrap();
        assert!(
            sqlx::Row::get::<bool, _>(&row, 0),
            "inside a transaction after {polls} polls"
        );
    }
    assert!(begun < 40, "some were given up");
    small.close().await;
    flow.end().await;
}
