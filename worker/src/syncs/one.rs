//! Reading one calendar.

use std::time::Duration;

use hyper::{
    HeaderMap, StatusCode,
    header::{
        ACCEPT, ETAG, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED,
        RETRY_AFTER,
    },
};
use shared::{
    calendar::ics_read::{MAX_BYTES, NotACalendar},
    ops::{
        Failure,
        subscription::{self, Outcome, Source, UnreadableFile},
    },
    store::calendar_syncs::{self, ClaimedSync},
};
use tokio_util::sync::CancellationToken;

use super::{Syncer, backoff};
use crate::http_out::{Answer, Limits, Request};

/// What reading one calendar may take.
const LIMITS: Limits = Limits {
    connect: Duration::from_secs(5),
    whole: Duration::from_secs(30),
    body_bytes: MAX_BYTES,
    redirects: 3,
};
/// The longest validator that is kept.
const VALIDATOR_BYTES: usize = 1_024;

/// Why a calendar was not read: a word for the row and the figures, and what the server asked for.
struct Refused {
    class: String,
    asked_s: Option<i64>,
}

impl Refused {
    fn new(class: impl Into<String>) -> Self {
        Self {
            class: class.into(),
            asked_s: None,
        }
    }
}

/// Reads a claimed calendar and ends its claim.
pub(super) async fn one(syncer: &Syncer, sync: ClaimedSync, closing: &CancellationToken) {
    let fetched = tokio::select! {
        fetched = fetch(syncer, &sync) => fetched,
        () = closing.cancelled() => {
            give_back(syncer, &sync).await;
            return;
        }
    };
    let chance = syncer.context.random.bytes::<1>().map_or(127, |[b]| b);
    let next_s = backoff::after_success(syncer.poll, chance);
    let context = &syncer.context;
    let ended = match fetched {
        Ok(Some(answer)) => take(syncer, &sync, answer, next_s).await,
        Ok(None) => {
            let ended = subscription::not_modified(context, &sync, next_s).await;
            ended
                .map(|outcome| (outcome, "not_modified"))
                .map_err(UnreadableFile::Failure)
        }
        Err(refused) => {
            failed(syncer, &sync, &refused, chance).await;
            return;
        }
    };
    match ended {
        Ok((Outcome::Lost, _)) => count("lost", ""),
        Ok((_, word)) => count(word, ""),
        Err(UnreadableFile::NotACalendar(error)) => {
            let class = match error {
                NotACalendar::TooLarge => "too_large",
                NotACalendar::NoCalendar => "not_a_calendar",
            };
            failed(syncer, &sync, &Refused::new(class), chance).await;
        }
        Err(UnreadableFile::Failure(error)) => {
            // Ours, not the server's: the lease ends by itself, and the next claim tries again.
            tracing::error!(calendar.id = %sync.calendar_id, error = %error, "what a calendar's server sent could not be written");
            count("failed", "internal");
        }
    }
}

/// What the server sent; `None` if it is what it sent before.
async fn fetch(syncer: &Syncer, sync: &ClaimedSync) -> Result<Option<Answer>, Refused> {
    let source = subscription::source(&syncer.context, sync)
        .map_err(|_| Refused::new("sealed"))?
        .map_err(|_| Refused::new("bad_address"))?;
    let request = request(&source);
    let asked_for_news = request.headers.contains_key(IF_NONE_MATCH)
        || request.headers.contains_key(IF_MODIFIED_SINCE);
    let answer = syncer
        .http
        .send(&request, &LIMITS)
        .await
        .map_err(|error| Refused::new(error.class()))?;
    match answer.status {
        StatusCode::OK => Ok(Some(answer)),
        StatusCode::NOT_MODIFIED if asked_for_news => Ok(None),
        status => Err(Refused {
            class: format!("http_{}", status.as_u16()),
            asked_s: text(&answer.headers, RETRY_AFTER).and_then(|s| s.trim().parse().ok()),
        }),
    }
}

fn request(source: &Source) -> Request {
    let mut request = Request::get(source.url.clone());
    let accept = HeaderValue::from_static("text/calendar, */*;q=0.1");
    request.headers.insert(ACCEPT, accept);
    for (name, value) in [
        (IF_NONE_MATCH, &source.etag),
        (IF_MODIFIED_SINCE, &source.last_modified),
    ] {
        let value = value
            .as_deref()
            .and_then(|text| HeaderValue::from_str(text).ok());
        if let Some(value) = value {
            request.headers.insert(name, value);
        }
    }
    request
}

async fn take(
    syncer: &Syncer,
    sync: &ClaimedSync,
    answer: Answer,
    next_s: i64,
) -> Result<(Outcome, &'static str), UnreadableFile> {
    let known_by = (
        text(&answer.headers, ETAG),
        text(&answer.headers, LAST_MODIFIED),
    );
    let context = &syncer.context;
    let outcome = subscription::take_file(context, sync, answer.body, known_by, next_s).await?;
    Ok(match outcome {
        Outcome::Changed => (outcome, "changed"),
        Outcome::Unchanged | Outcome::Lost => (outcome, "unchanged"),
    })
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let value = headers.get(name)?.to_str().ok()?;
    (value.len() <= VALIDATOR_BYTES).then_some(value)
}

async fn failed(syncer: &Syncer, sync: &ClaimedSync, refused: &Refused, chance: u8) {
    let next_s = backoff::after_failure(sync.attempts, refused.asked_s, chance);
    tracing::warn!(calendar.id = %sync.calendar_id, error.class = refused.class, attempts = sync.attempts, retry_s = next_s, "a subscribed calendar was not read");
    // Every status as a figure of its own would be a series of its own.
    let class = if refused.class.starts_with("http_") {
        "http_status"
    } else {
        refused.class.as_str()
    };
    count("failed", class);
    let ended = subscription::fail(&syncer.context, sync, &refused.class, next_s).await;
    if let Err(error) = ended {
        tracing::warn!(calendar.id = %sync.calendar_id, %error, "a failed reading was not written down; its lease ends by itself");
    }
}

async fn give_back(syncer: &Syncer, sync: &ClaimedSync) {
    let context = &syncer.context;
    let given = async {
        let mut conn = context.pool.acquire().await.map_err(Failure::from)?;
        calendar_syncs::give_back(&mut conn, sync, context.clock.pinned()).await?;
        Ok::<(), Failure>(())
    };
    if let Err(error) = given.await {
        tracing::warn!(calendar.id = %sync.calendar_id, %error, "a reading was not given back; its lease ends by itself");
    }
}

fn count(outcome: &'static str, class: &str) {
    metrics::counter!("holdfast_calendar_syncs_total", "outcome" => outcome, "class" => class.to_owned())
        .increment(1);
}
