//! A booking's life after it was taken, by its booker over `/v1/manage` and by its host.

mod calendar;
mod cancel;
mod confirm;
mod finish;
mod limit;
mod lives;
mod order;
mod reschedule;
mod snapshot;
mod sweep;
mod table;
mod tokens;
mod zones;

use holdfast_tests::Answer;

/// Status and code of a refusal.
fn refused(answer: &Answer) -> (u16, String) {
    (answer.status.as_u16(), answer.code())
}
