//! What is taken: calendar events, blocked exceptions and bookings.

use std::ops::ControlFlow;

use serde::Serialize;

use crate::instant::{Instant, Span};

use super::judge::Occupied;

/// What is taken of a host's time, made ready for the engine.
#[derive(Clone, Debug, Default)]
pub struct Busy {
    /// In order; no two overlap.
    spans: Vec<Span>,
    /// In order.
    starts: Vec<Instant>,
}

impl Busy {
    /// Gathers what a slot must keep its buffers clear of, and what limits count.
    ///
    /// `busy` are calendar occurrences and blocked exceptions, `blocked` the blocked spans of
    /// active bookings (their own buffers inside), `starts` the starts of the bookings that count
    /// for limits. Order does not matter, but sorted input that does not overlap is taken as it
    /// is, in one pass. Empty spans take nothing.
    #[must_use]
    pub fn new(mut busy: Vec<Span>, blocked: Vec<Span>, mut starts: Vec<Instant>) -> Self {
        if busy.is_empty() {
            busy = blocked;
        } else {
            busy.extend(blocked);
        }
        if !in_order(&busy) {
            merge(&mut busy);
        }
        if !starts.is_sorted() {
            starts.sort_unstable();
        }
        Self {
            spans: busy,
            starts,
        }
    }

    /// Whether anything is taken in a span.
    #[must_use]
    pub fn overlaps(&self, span: Span) -> bool {
        let at = self.spans.partition_point(|held| held.to <= span.from);
        self.spans.get(at).is_some_and(|held| held.from < span.to)
    }

    pub(super) fn starts(&self) -> &[Instant] {
        &self.starts
    }

    pub(super) fn cursor(&self) -> Cursor<'_> {
        Cursor {
            spans: &self.spans,
            at: 0,
            last: i64::MAX,
        }
    }
}

/// Whether the spans are sorted, none is empty and no two overlap.
fn in_order(spans: &[Span]) -> bool {
    let mut free_from = None;
    spans.iter().all(|span| {
        let after = free_from.is_none_or(|end| end <= span.from);
        free_from = Some(span.to);
        after && span.from < span.to
    })
}

fn merge(spans: &mut Vec<Span>) {
    spans.retain(|span| span.from < span.to);
    // The stable sort joins a few sorted lists, which is what callers have, in linear time.
    spans.sort();
    spans.dedup_by(|next, held| {
        let joined = next.from <= held.to;
        if joined {
            held.to = held.to.max(next.to);
        }
        joined
    });
}

/// A walk along the spans beside a walk along candidates.
pub(super) struct Cursor<'a> {
    spans: &'a [Span],
    /// Everything before ends by `last`.
    at: usize,
    last: i64,
}

impl Occupied for Cursor<'_> {
    type Found = ();

    #[inline]
    fn overlaps(
        &mut self,
        from: i64,
        to: i64,
        mut found: impl FnMut(()) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if from < self.last {
            // The first question, or the first one about an exception, which follow the windows.
            self.at = self
                .spans
                .partition_point(|span| span.to.as_microsecond() <= from);
        }
        self.last = from;
        while let Some(span) = self.spans.get(self.at)
            && span.to.as_microsecond() <= from
        {
            self.at += 1;
        }
        match self.spans.get(self.at) {
            Some(span) if span.from.as_microsecond() < to => found(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// What made a span busy. Only ever told to the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// An event of a calendar.
    Event {
        /// The calendar's name, where it is known.
        calendar: Option<String>,
    },
    /// A blocked exception.
    Exception,
    /// A booking, with its own buffers.
    Booking,
}

/// A busy span and what made it so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledSpan {
    /// When.
    pub span: Span,
    /// What.
    pub source: Source,
}

/// [`Busy`] with the source of each span kept, for explaining.
#[derive(Clone, Debug, Default)]
pub struct LabelledBusy {
    /// Events, blocked exceptions and blocked spans of bookings, in any order.
    pub spans: Vec<LabelledSpan>,
    /// The starts of the bookings that count for limits, in any order.
    pub starts: Vec<Instant>,
}

impl LabelledBusy {
    /// The same without labels.
    #[must_use]
    pub fn unlabelled(&self) -> Busy {
        let spans = self.spans.iter().map(|held| held.span).collect();
        Busy::new(spans, Vec::new(), self.starts.clone())
    }
}

/// Looks at every labelled span.
pub(super) struct Labels<'a>(pub &'a [LabelledSpan]);

impl<'a> Occupied for Labels<'a> {
    type Found = &'a LabelledSpan;

    fn overlaps(
        &mut self,
        from: i64,
        to: i64,
        mut found: impl FnMut(Self::Found) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for held in self.0 {
            let (busy_from, busy_to) = (
                held.span.from.as_microsecond(),
                held.span.to.as_microsecond(),
            );
            if busy_from < to && from < busy_to && busy_from < busy_to {
                found(held)?;
            }
        }
        ControlFlow::Continue(())
    }
}
