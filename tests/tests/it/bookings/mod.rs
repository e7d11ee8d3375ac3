//! `POST /v1/pages/{handle}/{code}/bookings`: what is taken, what is refused, and why.

mod caps;
mod caps_by_day;
mod fields;
mod guests;
mod idempotency;
mod offered;
mod questions;
mod taking;
mod times;
mod trips;

use holdfast_tests::Answer;

/// Status and code of a refusal.
fn refused(answer: &Answer) -> (u16, String) {
    (answer.status.as_u16(), answer.code())
}

/// Pointers and codes of every fault of a refused request, in order.
fn faults(answer: &Answer) -> Vec<(String, String)> {
    assert_eq!(refused(answer), (422, "validation_failed".into()));
    let json = answer.json();
    let errors = json["errors"].as_array().unwrap().iter();
    errors
        .map(|error| {
            let text = |name: &str| error[name].as_str().unwrap().to_owned();
            assert!(!text("detail").is_empty());
            (text("pointer"), text("code"))
        })
        .collect()
}
