//! R12: mail says the current state. What a transition makes false is skipped; a row that is
//! claimed already is decided by its worker, which reads the booking again before it sends.

use holdfast_tests::Flow;
use holdfast_worker::jobs::send_mail::{self, JobEnd};
use shared::store::mail_queue::Lane;

use super::{claim, confirmed, outcomes, page};

/// Claims a confirmation, changes the booking, and lets the worker go on.
async fn between_claim_and_send(change: impl AsyncFnOnce(&Flow, &str)) -> (Flow, JobEnd) {
    let flow = Flow::start().await;
    let host = page(&flow).await;
    let token = confirmed(&flow, &host, "2026-06-04T10:00:00Z").await;
    let mail = claim(&flow, Lane::Prompt).await;
    assert_eq!(
        (mail.kind.as_str(), mail.recipient.as_str()),
        ("confirmed", "host")
    );
    change(&flow, &token).await;
    let before = flow.count("manage_tokens").await;
    let end = send_mail::run(&flow.mail.post, &mail, || {}).await;
    send_mail::finish(&flow.context, &mail, &end).await.unwrap();
    assert_eq!(
        flow.count("manage_tokens").await,
        before,
        "what is not sent mints no token"
    );
    (flow, end)
}

/// Goes red if the worker does not read the booking again: the host would get a REQUEST for a
/// meeting that is off, after which the CANCEL comes out of order.
#[tokio::test]
async fn a_cancel_between_claim_and_send_skips_the_claimed_row() {
    let (flow, end) = between_claim_and_send(async |flow, token| {
        assert_eq!(flow.cancel(token).await.status, 200);
        let left = flow
            .text("SELECT coalesce(outcome, 'owed') FROM mail_outbox WHERE claim_id IS NOT NULL")
            .await;
        assert_eq!(left, "owed", "a claimed row is its worker's");
    })
    .await;
    assert_eq!(end, JobEnd::Skipped);
    let letters = flow.mail.drain().await;
    assert_eq!(letters.len(), 3);
    assert!(
        letters
            .iter()
            .all(|letter| letter.ics().value("METHOD") == "CANCEL")
    );
    assert_eq!(
        outcomes(&flow).await,
        [
            "hold booker sent",
            "confirmed host skipped",
            "confirmed booker skipped",
            "confirmed guest skipped",
            "reminder host skipped",
            "reminder booker skipped",
            "reminder guest skipped",
            "cancelled host sent",
            "cancelled booker sent",
            "cancelled guest sent",
        ]
    );
    flow.end().await;
}

#[tokio::test]
async fn a_move_between_claim_and_send_skips_the_claimed_row() {
    let (flow, end) = between_claim_and_send(async |flow, token| {
        assert_eq!(
            flow.reschedule(token, "2026-06-04T12:00:00Z", 1)
                .await
                .status,
            200
        );
    })
    .await;
    assert_eq!(end, JobEnd::Skipped);
    let letters = flow.mail.drain().await;
    assert!(letters.iter().all(|letter| letter.ics().sequence() == 2));
    flow.end().await;
}

#[tokio::test]
async fn a_meeting_that_began_between_claim_and_send_is_not_confirmed_any_more() {
    let (flow, end) = between_claim_and_send(async |flow, _| {
        flow.sql("UPDATE mail_outbox SET due_at = '2026-06-05' WHERE claim_id IS NOT NULL")
            .await;
        flow.at("2026-06-04T10:00:00Z");
    })
    .await;
    assert_eq!(end, JobEnd::Skipped);
    flow.mail.drain().await;
    flow.end().await;
}

/// A hold's mail is not sent once the hold is over, whoever ended it.
#[tokio::test]
async fn the_mail_of_a_hold_that_is_over_is_not_sent() {
    for over in ["lapsed", "released", "confirmed"] {
        let flow = Flow::start().await;
        let host = page(&flow).await;
        let booking = flow.booked(&host, "2026-06-04T10:00:00Z").await;
        let mail = claim(&flow, Lane::Prompt).await;
        match over {
            "lapsed" => {
                flow.sql("UPDATE mail_outbox SET due_at = '2026-06-01 09:00+00'")
                    .await;
                flow.at("2026-06-01T08:30:00Z");
            }
            "released" => {
                let authority = holdfast_tests::flow::by_host(&host, &booking);
                shared::ops::cancel(&flow.context, authority, None, None)
                    .await
                    .unwrap();
            }
            _ => {
                // As if another copy of the mail had come through.
                let token = shared::token::ManageToken::mint(&flow.context.random).unwrap();
                let mut conn = flow.context.pool.acquire().await.unwrap();
                let id = holdfast_tests::flow::id(&booking);
                shared::store::bookings::add_token(&mut conn, &token.hash(), id, None)
                    .await
                    .unwrap();
                drop(conn);
                assert_eq!(flow.confirm(token.as_str()).await.status, 200);
            }
        }
        let end = send_mail::run(&flow.mail.post, &mail, || {}).await;
        assert_eq!(end, JobEnd::Skipped, "{over}");
        send_mail::finish(&flow.context, &mail, &end).await.unwrap();
        holdfast_worker::sweeps::pass(&flow.context).await.unwrap();
        flow.end().await;
    }
}

/// Order: nothing that was true earlier arrives after what is true now. Even a claim that passed
/// another one waits: the booking's lock decides. Red if the claim, or the look under the lock, does
/// not see the other.
#[tokio::test]
async fn an_earlier_mail_to_the_same_reader_that_is_on_its_way_defers_the_later_one() {
    let flow = Flow::start().await;
    let host = page(&flow).await;
    let token = confirmed(&flow, &host, "2026-06-04T10:00:00Z").await;
    let first = claim(&flow, Lane::Prompt).await;
    flow.cancel(&token).await;
    // The claim itself leaves the host's CANCEL alone while the other is on its way.
    let others = [
        claim(&flow, Lane::Prompt).await,
        claim(&flow, Lane::Prompt).await,
    ];
    assert_eq!(
        others.each_ref().map(|mail| mail.recipient.as_str()),
        ["booker", "guest"]
    );
    assert!(
        send_mail::claim(&flow.context, Lane::Prompt)
            .await
            .unwrap()
            .is_none()
    );
    // As two claims that saw nothing of each other leave it:
    flow.sql("UPDATE mail_outbox SET claim_id = gen_random_uuid(), claimed_at = '2026-06-01 08:00:01+00', due_at = '2026-06-01 08:10+00', attempts = 1 WHERE kind = 'cancelled' AND recipient = 'host'").await;
    let row = flow.text("SELECT id || ' ' || claim_id FROM mail_outbox WHERE kind = 'cancelled' AND recipient = 'host'").await;
    let (id, claim_id) = row.split_once(' ').unwrap();
    let mut second = first.clone();
    second.id = id.parse().unwrap();
    second.claim_id = claim_id.parse().unwrap();
    second.kind = "cancelled".into();
    second.revision = 2;
    second.claimed_at = "2026-06-01T08:00:01Z".parse().unwrap();
    assert_eq!(
        send_mail::run(&flow.mail.post, &second, || {}).await,
        JobEnd::Deferred
    );
    send_mail::finish(&flow.context, &second, &JobEnd::Deferred)
        .await
        .unwrap();
    for mail in others.iter().chain([&first]) {
        let end = send_mail::run(&flow.mail.post, mail, || {}).await;
        send_mail::finish(&flow.context, mail, &end).await.unwrap();
    }
    assert_eq!(flow.text("SELECT concat_ws(' ', attempts, due_at = '2026-06-01 08:00:30+00') FROM mail_outbox WHERE kind = 'cancelled' AND recipient = 'host'").await, "0 t");
    flow.at("2026-06-01T08:00:30Z");
    flow.mail.drain().await;
    assert_eq!(
        flow.mail.newest("ana@hosts.test").ics().value("METHOD"),
        "CANCEL"
    );
    flow.end().await;
}
