//! A stream that is written while it is read: whatever the size of a calendar, a few chunks of it
//! are in memory.

use std::{
    task::{self, Poll},
    time::Duration,
};

use tokio::sync::mpsc;

use crate::{calendar::ics_write::IcsWriter, ops::Failure};

/// A chunk is sent when there is so much of it, in octets.
const CHUNK: usize = 32 * 1_024;
/// So many wait for whoever reads them.
const WAITING: usize = 8;
/// How long a whole stream may take: its reader holds a connection to the database.
const DEADLINE: Duration = Duration::from_secs(60);

/// What a stream consists of.
#[derive(Debug)]
pub enum Chunk {
    /// Some of it.
    Text(String),
    /// There is no more. A stream that ends without this was cut short.
    End,
    /// There is more, and it cannot be told.
    Failed(Failure),
}

/// The chunks of a stream.
#[derive(Debug)]
pub struct Chunks {
    first: Option<Chunk>,
    rest: mpsc::Receiver<Chunk>,
}

impl Chunks {
    /// The next one. [`Chunk::End`] or [`Chunk::Failed`] is the last.
    pub fn poll_next(&mut self, task: &mut task::Context<'_>) -> Poll<Chunk> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(first);
        }
        let next = self.rest.poll_recv(task);
        next.map(|chunk| chunk.unwrap_or(Chunk::Failed(Failure::Interrupted)))
    }
}

/// Why writing stopped.
pub(super) enum Stop {
    /// Nobody reads any more.
    Gone,
    Failure(Failure),
}

impl<E: Into<Failure>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failure(error.into())
    }
}

/// Where a stream is written.
pub(super) struct Sink {
    pub(super) ics: IcsWriter,
    out: mpsc::Sender<Chunk>,
}

impl Sink {
    /// Sends what there is, if it is enough for a chunk; waits while too much waits already.
    pub(super) async fn pass(&mut self) -> Result<(), Stop> {
        if self.ics.octets() < CHUNK {
            return Ok(());
        }
        self.send(Chunk::Text).await
    }

    async fn send(&mut self, chunk: impl FnOnce(String) -> Chunk) -> Result<(), Stop> {
        let text = self.ics.take();
        let sent = self.out.send(chunk(text)).await;
        sent.map_err(|_| Stop::Gone)
    }
}

/// Writes in a task of its own, which `permit` ends with. Answers when the first chunk is there: a
/// failure before it is this call's.
///
/// # Errors
/// [`Failure`].
pub(super) async fn write<F>(
    permit: impl Send + 'static,
    work: impl FnOnce(Sink) -> F,
) -> Result<Chunks, Failure>
where
    F: Future<Output = Result<Sink, Stop>> + Send + 'static,
{
    let (out, mut rest) = mpsc::channel(WAITING);
    let work = work(Sink {
        ics: IcsWriter::new(),
        out: out.clone(),
    });
    tokio::spawn(async move {
        let _permit = permit;
        let to_the_end = async {
            let mut sink = work.await?;
            sink.send(Chunk::Text).await?;
            sink.send(|_| Chunk::End).await
        };
        match tokio::time::timeout(DEADLINE, to_the_end).await {
            Ok(Ok(()) | Err(Stop::Gone)) => {}
            Ok(Err(Stop::Failure(failure))) => {
                // Whoever reads sees it, or is gone; a reader who does not come is cut short.
                let _ = tokio::time::timeout(DEADLINE, out.send(Chunk::Failed(failure))).await;
            }
            Err(_) => {}
        }
    });
    match rest.recv().await {
        Some(Chunk::Failed(failure)) => Err(failure),
        None => Err(Failure::Interrupted),
        first => Ok(Chunks { first, rest }),
    }
}
