//! Everything that the process logs, at every level, kept for the leak tests.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use tracing_subscriber::{fmt::MakeWriter, prelude::*};

/// The captured text of this process.
#[derive(Clone, Default)]
pub struct Captured(Arc<Mutex<Vec<u8>>>);

/// Starts capturing; every call answers the same capture.
pub fn capture() -> Captured {
    static CAPTURED: OnceLock<Captured> = OnceLock::new();
    CAPTURED
        .get_or_init(|| {
            let captured = Captured::default();
            // sqlx's and hyper's own debug lines are not ours to print in production, yet they run
            // through the same filter when an operator asks for them.
            let layer = tracing_subscriber::fmt::layer()
                .json()
                .with_writer(captured.clone());
            let filter = tracing_subscriber::filter::LevelFilter::DEBUG;
            let _ = tracing_subscriber::registry()
                .with(filter)
                .with(layer)
                .try_init();
            captured
        })
        .clone()
}

impl Captured {
    /// What was logged so far.
    pub fn text(&self) -> String {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Captured {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}
