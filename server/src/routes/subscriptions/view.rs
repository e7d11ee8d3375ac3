//! Subscribed calendars as JSON.

use serde::Serialize;
use shared::{instant::Instant, ops::subscription::SeenSubscription};
use utoipa::ToSchema;
use uuid::Uuid;

/// A subscribed calendar as its owner sees it.
#[derive(Serialize, ToSchema)]
pub struct SubscriptionView {
    /// Its id.
    pub id: Uuid,
    /// Always `subscribed`.
    #[schema(example = "subscribed")]
    pub kind: &'static str,
    /// Its name.
    #[schema(example = "Work")]
    pub name: String,
    /// The server that it is read from. The rest of the address may be a secret and is not shown.
    #[schema(example = "calendar.example.com")]
    pub address_host: String,
    /// Whether its events make its owner busy.
    pub counts_as_busy: bool,
    /// Moves whenever a reading changed something.
    #[schema(example = 3)]
    pub revision: i64,
    /// How its readings go.
    pub sync: SyncReport,
}

/// How the readings of a subscribed calendar go.
#[derive(Serialize, ToSchema)]
pub struct SyncReport {
    /// When it was last read well; null before the first time.
    pub last_good_at: Option<Instant>,
    /// From which age of `last_good_at` on nothing is offered, in minutes.
    #[schema(example = 1440)]
    pub max_age_min: i32,
    /// Whether it is being read.
    pub is_running: bool,
    /// When it is read next; while it is being read, when another worker may take it over.
    pub due_at: Option<Instant>,
    /// Why the last reading failed, if it did. What was read before stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<SyncError>,
}

/// Why a reading failed.
#[derive(Serialize, ToSchema)]
pub struct SyncError {
    /// A stable word.
    #[schema(example = "http_404")]
    pub class: String,
    /// In a sentence.
    #[schema(example = "The server answers with status 404.")]
    pub detail: String,
    /// Since when every reading has failed.
    pub since: Instant,
    /// When the last one did.
    pub last_at: Instant,
}

impl From<SeenSubscription> for SubscriptionView {
    fn from(seen: SeenSubscription) -> Self {
        let reading = seen.reading;
        Self {
            id: seen.id,
            kind: "subscribed",
            name: seen.name,
            address_host: seen.address_host,
            counts_as_busy: seen.counts_as_busy,
            revision: seen.revision,
            sync: SyncReport {
                last_good_at: reading.last_good_at,
                max_age_min: reading.max_age_min,
                is_running: reading.is_running,
                due_at: reading.due_at,
                error: reading.failure.map(|(class, since, last_at)| SyncError {
                    detail: sentence(&class),
                    class,
                    since,
                    last_at,
                }),
            },
        }
    }
}

fn sentence(class: &str) -> String {
    let words = match class {
        "bad_address" => "The address, or one that it leads to, cannot be used.",
        "redirect_to_http" => "The address leads from https to http.",
        "no_such_name" => "The server's name does not resolve.",
        "forbidden_address" => {
            "The address leads into a network that is not public. The operator can allow it."
        }
        "no_connection" => "The server does not answer.",
        "tls" => "The server has no certificate that is good for its name.",
        "timed_out" => "The server took too long.",
        "too_large" => "The calendar is larger than 5 MiB.",
        "encoding" => "The server's answer cannot be unpacked.",
        "too_many_redirects" => "The address leads on more than three times.",
        "not_a_calendar" => "What the server sends is no calendar.",
        other => match other.strip_prefix("http_") {
            Some("401" | "403") => {
                "The server asks for a permission that the address does not have."
            }
            Some(status) => return format!("The server answers with status {status}."),
            None => "The server's answer cannot be read.",
        },
    };
    words.to_owned()
}
