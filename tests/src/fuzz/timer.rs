//! How long the calls of a reader take.

use std::time::{Duration, Instant as Stopwatch};

/// Times calls and keeps the longest: what a target checks beside them is not the reader's cost.
#[derive(Debug, Default)]
pub struct Timer {
    longest: Duration,
}

impl Timer {
    /// Makes a call.
    pub fn of<T>(&mut self, call: impl FnOnce() -> T) -> T {
        let (began, had) = (Stopwatch::now(), processor_time());
        let answer = call();
        let mut took = began.elapsed();
        if let (Some(had), Some(has)) = (had, processor_time()) {
            took = took.min(has - had);
        }
        self.longest = self.longest.max(took);
        answer
    }

    /// The longest call.
    #[must_use]
    pub const fn longest(&self) -> Duration {
        self.longest
    }
}

/// What this thread had of the processor so far, without what it waited for, where the system says.
fn processor_time() -> Option<Duration> {
    let line = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = line.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
