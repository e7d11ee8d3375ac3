//! Logs as JSON lines, and the recorder behind `/metrics`.
//!
//! Logs go to standard error, so that what the command line answers stays alone on standard
//! output.

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::{EnvFilter, filter::ParseError, fmt, prelude::*};

/// Latency buckets, in seconds: from a millisecond to ten seconds.
const SECONDS: &[f64] = &[
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0,
];

/// Attempts of a mail: thirteen at most.
const ATTEMPTS: &[f64] = &[1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0, 13.0];
/// Sends of mail, and claims around them: to the twenty seconds that a send may take, and beyond.
const MAIL_SECONDS: &[f64] = &[
    0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0, 600.0,
];

/// From when a mail was owed until the mail server took it: milliseconds, or the hours of retries.
const DELIVERY_SECONDS: &[f64] = &[
    0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3600.0,
    21600.0,
];

/// Starts logging by a `tracing` filter. A second call in one process does nothing.
///
/// # Errors
/// A filter that cannot be read.
pub fn start_logging(filter: &str) -> Result<(), ParseError> {
    let filter = EnvFilter::try_new(filter)?;
    let lines = fmt::layer()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_span_list(false)
        .with_writer(std::io::stderr);
    // Already set means that a test harness listens: it keeps its own.
    let _ = tracing_subscriber::registry()
        .with(filter)
        .with(lines)
        .try_init();
    Ok(())
}

/// Installs the metrics recorder of this process.
///
/// # Errors
/// Another recorder stands already.
pub fn start_metrics() -> Result<PrometheusHandle, BuildError> {
    PrometheusBuilder::new()
        .set_buckets(SECONDS)?
        .set_buckets_for_metric(Matcher::Suffix("mail_attempts".to_owned()), ATTEMPTS)?
        .set_buckets_for_metric(
            Matcher::Suffix("mail_claim_seconds".to_owned()),
            MAIL_SECONDS,
        )?
        .set_buckets_for_metric(
            Matcher::Suffix("mail_delivery_seconds".to_owned()),
            DELIVERY_SECONDS,
        )?
        .set_buckets_for_metric(
            Matcher::Suffix("smtp_send_seconds".to_owned()),
            MAIL_SECONDS,
        )?
        .install_recorder()
}
