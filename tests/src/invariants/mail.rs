//! I4 to I8: mail owed, mail sent, and what it said when.

use std::collections::BTreeMap;

use shared::instant::{Instant, Span};
use sqlx::{FromRow, PgConnection};
use uuid::Uuid;

use super::Evidence;
use crate::letter::Letter;

#[derive(Debug, FromRow)]
struct Row {
    id: Uuid,
    booking_id: Uuid,
    kind: String,
    recipient: String,
    recipient_id: Option<Uuid>,
    revision: i32,
    offset_min: i32,
    due_at: Instant,
    attempts: i16,
    uncertain: i16,
    outcome: Option<String>,
}

#[derive(Debug, FromRow)]
struct Past {
    booking_id: Uuid,
    revision: i32,
    at: Instant,
    to_state: String,
    new_span: Span,
    old_host: Option<Uuid>,
}

/// A booking and somebody who hears of it.
type Reader<'a> = (Uuid, &'a str, Option<Uuid>);
/// A row and what arrived of it.
type Told<'a> = (&'a Row, &'a Letter);

pub(super) async fn faults(
    conn: &mut PgConnection,
    evidence: &Evidence<'_>,
    faults: &mut Vec<String>,
) {
    let rows: Vec<Row> = sqlx::query_as("SELECT id, booking_id, kind, recipient, recipient_id, revision, offset_min, due_at, attempts, uncertain, outcome FROM mail_outbox ORDER BY id")
        .fetch_all(&mut *conn)
        .await
        .unwrap();
    let past: Vec<Past> = sqlx::query_as("SELECT booking_id, revision, at, to_state, new_span, old_host FROM booking_history ORDER BY booking_id, revision")
        .fetch_all(conn)
        .await
        .unwrap();
    let mut histories: BTreeMap<Uuid, Vec<Past>> = BTreeMap::new();
    for revision in past {
        histories
            .entry(revision.booking_id)
            .or_default()
            .push(revision);
    }
    let mut copies: BTreeMap<Uuid, usize> = BTreeMap::new();
    for letter in evidence.letters {
        *copies.entry(letter.row).or_default() += 1;
    }
    for row in &rows {
        let copies = copies.get(&row.id).copied().unwrap_or_default();
        owed(row, copies, evidence.now, faults);
    }
    let by_id: BTreeMap<Uuid, &Row> = rows.iter().map(|row| (row.id, row)).collect();
    let mut readers: BTreeMap<Reader<'_>, Vec<Told<'_>>> = BTreeMap::new();
    for letter in evidence.letters {
        let Some(row) = by_id.get(&letter.row) else {
            faults.push(format!("I6: mail {} has no row", letter.message_id));
            continue;
        };
        let reader = (row.booking_id, row.recipient.as_str(), row.recipient_id);
        readers.entry(reader).or_default().push((row, letter));
        said(row, letter, &histories[&row.booking_id], faults);
    }
    for letters in readers.values() {
        in_order(letters, faults);
    }
    let mut by_booking: BTreeMap<Uuid, Vec<&Row>> = BTreeMap::new();
    for row in &rows {
        by_booking.entry(row.booking_id).or_default().push(row);
    }
    for (booking, history) in &histories {
        let rows = by_booking.get(booking).map_or(&[][..], Vec::as_slice);
        current(history, rows, faults);
    }
}

/// I4 and I5: how often a row's mail must have arrived.
fn owed(row: &Row, copies: usize, now: Instant, faults: &mut Vec<String>) {
    let uncertain = usize::try_from(row.uncertain).unwrap();
    let (least, most) = match row.outcome.as_deref() {
        Some("sent") => (1, 1 + uncertain),
        None if row.kind == "reminder" && row.due_at > now => (0, uncertain),
        None => {
            faults.push(format!("I4: still owed: {row:?}"));
            (0, uncertain)
        }
        Some("skipped" | "exhausted" | "rejected") if row.attempts > 0 => (0, 1 + uncertain),
        // Decided before a send: only an earlier attempt can have been delivered.
        Some("suppressed") => (0, uncertain),
        Some(_) => (0, 0),
    };
    if !(least..=most).contains(&copies) {
        faults.push(format!("I4, I5: {copies} copies of {row:?}"));
    }
}

/// What held of a booking at some instant of the second in which a mail was prepared: the clock of
/// a mail counts whole seconds. A transition is stamped when it has its host's lock, and may then
/// wait for the mail that is being prepared under the booking's: until it commits, what was before
/// is true.
fn in_force<'a>(history: &'a [Past], letter: &Letter) -> impl Iterator<Item = &'a Past> {
    const STAMPED_BEFORE_COMMIT_S: i64 = 2;
    let from = letter
        .date
        .plus(jiff::SignedDuration::from_secs(-STAMPED_BEFORE_COMMIT_S));
    let to = letter.date.plus(jiff::SignedDuration::from_secs(1));
    history.iter().enumerate().filter_map(move |(place, past)| {
        let ends = history.get(place + 1).map(|next| next.at);
        (past.at < to && ends.is_none_or(|ends| ends >= from)).then_some(past)
    })
}

/// I8, and the same for every kind: a mail was true when it was prepared.
fn said(row: &Row, letter: &Letter, history: &[Past], faults: &mut Vec<String>) {
    let is_true = in_force(history, letter).any(|past| {
        let before_start = letter.date < past.new_span.from;
        match row.kind.as_str() {
            "hold" => past.to_state == "held",
            "confirmed" | "rescheduled" => {
                past.to_state == "confirmed" && past.revision == row.revision && before_start
            }
            // Or for a host who gave it to another.
            "cancelled" => {
                past.to_state == "cancelled"
                    || (row.recipient == "host"
                        && row.recipient_id == past.old_host
                        && past.revision >= row.revision)
            }
            _ => {
                let time = past.new_span.from.plus_minutes(-i64::from(row.offset_min));
                past.to_state == "confirmed"
                    && before_start
                    && letter.date >= time.plus(jiff::SignedDuration::from_secs(-1))
            }
        }
    });
    if !is_true {
        faults.push(format!(
            "I8: untrue when it was sent at {}: {row:?}",
            letter.date
        ));
    }
    let carries = matches!(row.kind.as_str(), "confirmed" | "rescheduled" | "cancelled");
    match &letter.calendar {
        Some(calendar) if carries => {
            let method = if row.kind == "cancelled" {
                "CANCEL"
            } else {
                "REQUEST"
            };
            if calendar.ics.sequence() != row.revision
                || calendar.method != method
                || calendar.ics.value("METHOD") != method
                || !calendar
                    .ics
                    .value("UID")
                    .starts_with(&row.booking_id.to_string())
                || calendar.attachment.1 != calendar.ics.0.as_bytes()
            {
                faults.push(format!(
                    "I7: the invitation in {row:?} says {}",
                    calendar.ics.0
                ));
            }
            let words = crate::ics_check::check(calendar.ics.0.as_bytes());
            faults.extend(words.into_iter().map(|word| format!("{row:?}: {word}")));
        }
        None if !carries => {}
        _ => faults.push(format!("I7: invitation or none in {row:?}")),
    }
}

/// I7: to one reader nothing goes back in time, and nothing follows a CANCEL but its own repeat.
fn in_order(letters: &[Told<'_>], faults: &mut Vec<String>) {
    for pair in letters.windows(2) {
        let [(before, _), (after, _)] = pair else {
            continue;
        };
        // A host who gave a booking away may get it back.
        let is_back = before.recipient == "host"
            && after.kind == "confirmed"
            && before.revision < after.revision;
        let follows_cancel = before.kind == "cancelled" && before.id != after.id && !is_back;
        if before.revision > after.revision || follows_cancel {
            faults.push(format!("I7: {after:?} came after {before:?}"));
        }
    }
}

/// The revision that a booking stands at told everybody of itself.
fn current(history: &[Past], rows: &[&Row], faults: &mut Vec<String>) {
    let Some(last) = history.last() else { return };
    let kind = match (last.to_state.as_str(), history.len()) {
        ("held", _) => "hold",
        ("cancelled", _) => "cancelled",
        ("confirmed", _) => match history.iter().rev().nth(1) {
            Some(before) if before.to_state == "confirmed" => "rescheduled",
            _ => "confirmed",
        },
        _ => return,
    };
    let told = rows
        .iter()
        .any(|row| row.revision == last.revision && row.kind == kind && row.recipient == "booker");
    if !told {
        faults.push(format!("I4: nothing is owed for {last:?}"));
    }
}
