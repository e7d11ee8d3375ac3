//! A calendar as a body that is written while it is sent.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use actix_web::{
    body::{BodySize, MessageBody},
    web::Bytes,
};
use shared::ops::feed::{Chunk, Chunks};

/// What every iCalendar answer is.
pub(super) const CONTENT_TYPE: &str = "text/calendar; charset=utf-8";

/// The chunks of a calendar. One that cannot be written to its end breaks the connection: nobody
/// must take half a calendar for a whole one.
pub(super) struct CalendarBody(Option<Chunks>);

impl CalendarBody {
    pub(super) const fn new(chunks: Chunks) -> Self {
        Self(Some(chunks))
    }
}

/// The rest of a calendar cannot be written.
#[derive(Debug)]
pub(super) struct CutShort;

impl fmt::Display for CutShort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the rest of the calendar cannot be written")
    }
}

impl std::error::Error for CutShort {}

impl MessageBody for CalendarBody {
    type Error = CutShort;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, CutShort>>> {
        let Some(chunks) = &mut self.0 else {
            return Poll::Ready(None);
        };
        let Poll::Ready(chunk) = chunks.poll_next(context) else {
            return Poll::Pending;
        };
        Poll::Ready(match chunk {
            Chunk::Text(text) => Some(Ok(Bytes::from(text))),
            Chunk::End => {
                self.0 = None;
                None
            }
            Chunk::Failed(why) => {
                self.0 = None;
                tracing::error!(%why, "a calendar was cut short");
                Some(Err(CutShort))
            }
        })
    }
}
