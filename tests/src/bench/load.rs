//! Clients that each send one request after another, for a while.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant as Stopwatch},
};

use super::http::Connection;

/// Makes the n-th request of a run.
pub type Requests = Arc<dyn Fn(u64) -> Vec<u8> + Send + Sync>;

/// When clients stop.
#[derive(Clone, Copy, Debug)]
pub enum Until {
    /// After so long.
    After(Duration),
    /// When so many requests were made.
    Made(u64),
}

/// What came of it.
pub struct Outcome {
    /// Requests answered as they should be.
    pub done: u64,
    pub elapsed: Duration,
    /// Milliseconds each, ascending.
    latencies_ms: Vec<f64>,
}

impl Outcome {
    /// Answers a second.
    pub fn rate(&self) -> f64 {
        self.latencies_ms.len() as f64 / self.elapsed.as_secs_f64()
    }

    /// The latency that so much of the answers (0 to 1) stayed within, in milliseconds.
    pub fn quantile_ms(&self, part: f64) -> f64 {
        let last = self.latencies_ms.len() - 1;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an index of a list, from its length"
        )]
        let at = (last as f64 * part).round() as usize;
        self.latencies_ms[at]
    }

    /// Microseconds of a CPU time for each answer.
    pub fn us_each(&self, cpu: Duration) -> f64 {
        cpu.as_secs_f64() * 1e6 / self.done as f64
    }
}

/// Runs `clients` at once. Every answer must have the status `wanted`.
///
/// # Panics
/// At the first other answer.
pub async fn run(
    address: SocketAddr,
    clients: usize,
    until: Until,
    wanted: u16,
    requests: &Requests,
) -> Outcome {
    let count = Arc::new(AtomicU64::new(0));
    let began = Stopwatch::now();
    let tasks: Vec<_> = (0..clients)
        .map(|_| {
            let (requests, count) = (requests.clone(), count.clone());
            tokio::spawn(async move {
                let mut connection = Connection::open(address).await.unwrap();
                let mut latencies = Vec::new();
                loop {
                    let n = count.fetch_add(1, Ordering::Relaxed);
                    let over = match until {
                        Until::After(length) => began.elapsed() >= length,
                        Until::Made(wanted) => n >= wanted,
                    };
                    if over {
                        return latencies;
                    }
                    let request = requests(n);
                    let sent = Stopwatch::now();
                    let (status, body) = connection.send(&request).await.unwrap();
                    assert_eq!(status, wanted, "{}", String::from_utf8_lossy(body));
                    latencies.push(sent.elapsed().as_secs_f64() * 1e3);
                }
            })
        })
        .collect();
    let mut latencies_ms = Vec::new();
    for task in tasks {
        latencies_ms.extend(task.await.unwrap());
    }
    let elapsed = began.elapsed();
    latencies_ms.sort_by(f64::total_cmp);
    Outcome {
        done: latencies_ms.len() as u64,
        elapsed,
        latencies_ms,
    }
}
