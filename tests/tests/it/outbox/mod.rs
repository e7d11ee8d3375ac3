//! The outbox and the worker that empties it.

mod atomic;
mod breaker;
mod budgets;
mod budgets_of_many;
mod claims;
mod figures;
mod invitations;
mod lanes;
mod leaks;
mod owed;
mod pauses;
mod refusals;
mod reminders;
mod stop;
mod truth;
mod undelivered;
mod wake;

use holdfast_tests::{Flow, flow::wish, host::TestHost};
use holdfast_worker::jobs::send_mail;
use serde_json::json;
use shared::store::mail_queue::{ClaimedMail, Lane};

/// A page that holds, is confirmed from the mailbox, and takes guests.
async fn page(flow: &Flow) -> TestHost {
    flow.host("ana").by_mail().guests().make().await
}

/// Books with a guest, confirms, and answers the booker's token. The mail of the hold is sent,
/// that of the confirmation is owed.
async fn confirmed(flow: &Flow, host: &TestHost, start: &str) -> String {
    let mut wish = wish(start, "sam@bookers.test");
    wish["guests"] = json!([{ "email": "kim@guests.test" }]);
    let answer = flow.ask(host, &wish).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    flow.mail.drain().await;
    let token = flow.mail.token("sam@bookers.test");
    assert_eq!(flow.confirm(&token).await.status, 200);
    token
}

/// Claims the next mail, which must be there.
async fn claim(flow: &Flow, lane: Lane) -> ClaimedMail {
    let claimed = send_mail::claim(&flow.context, lane).await.unwrap();
    claimed.expect("a mail that is due")
}

/// Kind, recipient and outcome of every row, in the order of sending.
async fn outcomes(flow: &Flow) -> Vec<String> {
    flow.texts(
        "SELECT concat_ws(' ', kind, recipient, coalesce(outcome, 'owed')) FROM mail_outbox ORDER BY revision, lane, priority, id",
    )
    .await
}
