//! I2, I3 and I12: what clients were told, against what there is.

use std::collections::{BTreeMap, BTreeSet};

use shared::{fingerprint::Purpose, instant::Instant};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::app::keys;

/// One request to book, by an address that asks but once.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub address: String,
    pub outcome: Outcome,
}

/// What became of it, as its client saw it.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// 201, with that booking at that time.
    Booked {
        id: Uuid,
        start: Instant,
        end: Instant,
    },
    /// Another status.
    Refused(u16),
    /// The connection broke.
    Unknown,
}

/// Everything that clients were told and that is not so.
pub async fn answer_faults(conn: &mut PgConnection, attempts: &[Attempt]) -> Vec<String> {
    let mut faults = Vec::new();
    let rows: Vec<(Uuid, Vec<u8>, Instant, Instant)> = sqlx::query_as(
        "SELECT b.id, b.booker_email_fp, lower(h.new_span), upper(h.new_span)
           FROM bookings b JOIN booking_history h ON h.booking_id = b.id AND h.revision = 0",
    )
    .fetch_all(conn)
    .await
    .unwrap();
    let fingerprints = keys().fingerprint;
    let by_address: BTreeMap<Vec<u8>, &Attempt> = attempts
        .iter()
        .map(|attempt| {
            let address = attempt.address.parse().unwrap();
            let fingerprint = fingerprints.of_address(Purpose::Address, &address);
            (fingerprint.to_vec(), attempt)
        })
        .collect();
    let mut found = BTreeSet::new();
    for (id, address, from, to) in rows {
        let attempt = by_address.get(&address);
        match attempt.map(|attempt| &attempt.outcome) {
            Some(Outcome::Booked {
                id: told,
                start,
                end,
            }) if *told == id => {
                found.insert(id);
                if (*start, *end) != (from, to) {
                    faults.push(format!("I2: {id} was not booked for what was answered"));
                }
            }
            Some(Outcome::Unknown) => {}
            other => faults.push(format!("I3: {id} exists, and its client heard {other:?}")),
        }
    }
    for attempt in attempts {
        match &attempt.outcome {
            Outcome::Booked { id, .. } if !found.contains(id) => {
                faults.push(format!("I2: {id} was answered with 201 and is not there"));
            }
            Outcome::Refused(status) if *status >= 500 && *status != 503 => {
                faults.push(format!("I12: {} got {status}", attempt.address));
            }
            _ => {}
        }
    }
    faults
}
