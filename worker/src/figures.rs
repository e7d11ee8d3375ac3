//! The figures of mail, there from the worker's start.
//!
//! A series that appears with its first increment hides that increment from `rate()` and `increase()`,
//! and the first mail that is lost is the one to hear of. So all series whose labels are known begin
//! at zero.

use metrics::Unit;
use shared::{mail::budget::Suppression, store::mail_queue::Lane};

use crate::smtp::ErrorClass;

/// Counters without labels, and what they count.
const COUNTERS: [(&str, &str); 4] = [
    (
        "holdfast_mail_uncertain_total",
        "Attempts whose mail may have gone out unknown to us",
    ),
    (
        "holdfast_mail_breaker_opened_total",
        "How often the breaker opened, failed probes included",
    ),
    (
        "holdfast_mail_domain_pauses_total",
        "Pauses of recipients' domains",
    ),
    (
        "holdfast_smtp_connections_total",
        "Connections that were opened to the mail server",
    ),
];

/// Histograms, and what they measure.
const HISTOGRAMS: [(&str, Unit, &str); 4] = [
    (
        "holdfast_mail_attempts",
        Unit::Count,
        "Attempts of mail that was sent, rejected or exhausted",
    ),
    (
        "holdfast_mail_claim_seconds",
        Unit::Seconds,
        "From a claim to the ending that was written",
    ),
    (
        "holdfast_mail_delivery_seconds",
        Unit::Seconds,
        "From when a mail was owed until the mail server took it",
    ),
    (
        "holdfast_smtp_send_seconds",
        Unit::Seconds,
        "How long sends took",
    ),
];

/// How a claim can end, without a class.
const ENDINGS: [&str; 7] = [
    "sent",
    "skipped",
    "deferred",
    "held_back",
    "put_off",
    "stepped_back",
    "lost",
];
/// How a claim can end whose attempt failed.
const FAILURES: [&str; 3] = ["failed", "rejected", "exhausted"];
/// Failures that are no mail server's.
const OWN_CLASSES: [&str; 4] = ["not_prepared", "no_envelope", "panic", "runtime"];

/// Registers them, with what they mean.
pub(crate) fn announce() {
    for (name, meaning) in COUNTERS {
        metrics::describe_counter!(name, meaning);
        metrics::counter!(name).increment(0);
    }
    for (name, unit, meaning) in HISTOGRAMS {
        metrics::describe_histogram!(name, unit, meaning);
        // Made known without a record.
        drop(metrics::histogram!(name));
    }
    metrics::describe_counter!(
        "holdfast_mail_total",
        "Claims of mail by how they ended, and the class of a failure"
    );
    for outcome in ENDINGS {
        count(outcome, "");
    }
    for budget in Suppression::ALL {
        count("suppressed", budget.as_str());
    }
    let classes = ErrorClass::ALL.map(ErrorClass::as_str);
    for class in classes.into_iter().chain(OWN_CLASSES) {
        for outcome in FAILURES {
            count(outcome, class);
        }
    }
    count("exhausted", "worker_died");
    metrics::describe_counter!(
        "holdfast_smtp_sends_total",
        "Sends by their outcome: accepted, or the class of the failure"
    );
    for outcome in classes.into_iter().chain(["accepted"]) {
        metrics::counter!("holdfast_smtp_sends_total", "outcome" => outcome).increment(0);
    }
    gauges();
}

fn count(outcome: &'static str, class: &'static str) {
    metrics::counter!("holdfast_mail_total", "outcome" => outcome, "class" => class).increment(0);
}

fn gauges() {
    metrics::describe_gauge!(
        "holdfast_mail_breaker_state",
        "The circuit breaker of this process: 0 closed, 1 half-open, 2 open"
    );
    metrics::gauge!("holdfast_mail_breaker_state").set(0.0);
    metrics::describe_gauge!(
        "holdfast_mail_paused_domains",
        "Recipients' domains that are paused in this process"
    );
    metrics::gauge!("holdfast_mail_paused_domains").set(0.0);
    metrics::describe_gauge!("holdfast_mail_owed", "Mail that is due and not ended");
    metrics::describe_gauge!(
        "holdfast_mail_oldest_owed_seconds",
        Unit::Seconds,
        "Since the oldest mail that is due was owed"
    );
    for lane in Lane::ALL.map(Lane::word) {
        metrics::gauge!("holdfast_mail_owed", "lane" => lane).set(0.0);
        metrics::gauge!("holdfast_mail_oldest_owed_seconds", "lane" => lane).set(0.0);
    }
}
