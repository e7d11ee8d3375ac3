//! What the HTTP half holds: the operations' context, and its own gates and settings.

use std::sync::Arc;

use holdfast_worker::Pulse;
use metrics_exporter_prometheus::PrometheusHandle;
use shared::{config::Config, mail::dev_box::DevBox, ops::Context};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use crate::{
    error::{ApiError, Code},
    gate::Gate,
};

/// Files that are taken over at once in one process: each may take a core for a second.
const IMPORTS: usize = 2;
/// Calendars that are written at once in one process: each holds a connection while it is sent.
const EXPORTS: usize = 4;

/// The state behind every handler, one a process.
pub struct App {
    /// What operations work on.
    pub context: Context,
    /// Settings that only the HTTP half needs.
    pub settings: Settings,
    /// Public requests, by client.
    pub gate: Gate,
    /// Booking requests, by client, refused ones included.
    pub booking_gate: Gate,
    /// Signed-in requests, by API key.
    pub key_gate: Gate,
    /// Slot computations at once.
    pub slot_permits: Semaphore,
    /// Files that are taken over at once. Each permit belongs to its work.
    pub import_permits: Arc<Semaphore>,
    /// Calendars that are written at once.
    pub export_permits: Arc<Semaphore>,
    /// Renders `/metrics`.
    pub metrics: PrometheusHandle,
    /// The development mailer's messages, where that runs.
    pub dev_box: Option<DevBox>,
    /// When the worker half's loops last ran, where it runs in this process.
    pub worker: Option<Pulse>,
}

/// Settings that only the HTTP half needs.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Links are built from it, never from `Host`.
    pub public_url: String,
    /// A booking's link, with `{token}` and `{action}`.
    pub manage_url: String,
    /// How many proxies may append to `X-Forwarded-For`.
    pub trusted_proxy_hops: u32,
    /// Origins that may call the public API; empty means any.
    pub cors_origins: Vec<String>,
}

impl Settings {
    /// The HTTP half's part of the configuration.
    #[must_use]
    pub fn of(config: &Config) -> Self {
        Self {
            public_url: config.public_url.clone(),
            manage_url: config.manage_url.clone(),
            trusted_proxy_hops: config.trusted_proxy_hops,
            cors_origins: config.cors_origins.clone(),
        }
    }
}

impl App {
    /// The state for one process.
    #[must_use]
    pub fn new(
        context: Context,
        settings: Settings,
        slot_concurrency: u32,
        metrics: PrometheusHandle,
    ) -> Self {
        let limits = context.limits;
        Self {
            context,
            settings,
            gate: Gate::new(limits.requests_per_minute),
            booking_gate: Gate::new(limits.booking_requests_per_minute),
            key_gate: Gate::new(limits.key_requests_per_minute),
            slot_permits: Semaphore::new(usize::try_from(slot_concurrency).unwrap_or(1)),
            import_permits: Arc::new(Semaphore::new(IMPORTS)),
            export_permits: Arc::new(Semaphore::new(EXPORTS)),
            metrics,
            dev_box: None,
            worker: None,
        }
    }

    /// A permit to compute slots; while all are taken the answer is 503, never a partial list.
    ///
    /// # Errors
    /// `overloaded`, to be tried again in five seconds.
    pub fn slot_permit(&self) -> Result<SemaphorePermit<'_>, ApiError> {
        self.slot_permits
            .try_acquire()
            .map_err(|_| ApiError::new(Code::Overloaded).retry_after(5))
    }

    /// A permit to take a file over; while all are taken the answer is 503.
    ///
    /// # Errors
    /// `overloaded`, to be tried again in five seconds.
    pub fn import_permit(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        owned(&self.import_permits)
    }

    /// A permit to write a calendar; while all are taken the answer is 503.
    ///
    /// # Errors
    /// `overloaded`, to be tried again in five seconds.
    pub fn export_permit(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        owned(&self.export_permits)
    }
}

fn owned(permits: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, ApiError> {
    let permit = permits.clone().try_acquire_owned();
    permit.map_err(|_| ApiError::new(Code::Overloaded).retry_after(5))
}
