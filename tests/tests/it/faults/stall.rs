//! A mail server that hangs holds up mail alone.

use std::time::Duration;

use holdfast_tests::{
    Flow,
    flow::SAM,
    smtp_sink::{At, Behaviour},
};
use holdfast_worker::jobs::send_mail;
use shared::store::mail_queue::Lane;

/// No transaction is open while a mail is sent: the booking is confirmed, moved and cancelled
/// meanwhile. Red if `prepare` commits after the send.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stalled_send_holds_up_no_confirm_move_or_cancel() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    assert_eq!(flow.confirm(&token).await.status, 200);
    flow.mail.sink.behave(Behaviour::StallAt(At::Dot));
    let mail = send_mail::claim(&flow.context, Lane::Prompt)
        .await
        .unwrap()
        .unwrap();
    let post = flow.mail.post.clone();
    let (told, tell) = tokio::sync::oneshot::channel();
    let sending = tokio::spawn(async move {
        let end = send_mail::run(&post, &mail, || {
            let _ = told.send(());
        })
        .await;
        (mail, end)
    });
    tell.await.unwrap();
    let quick = async {
        assert_eq!(
            flow.reschedule(&token, "2026-06-02T12:00:00Z", 1)
                .await
                .status,
            200
        );
        assert_eq!(flow.cancel(&token).await.status, 200);
    };
    tokio::time::timeout(Duration::from_secs(10), quick)
        .await
        .expect("a send holds a lock");
    // The stalled one ends by itself, uncertain, and is not tried again: the booking is off.
    flow.mail.sink.behave(Behaviour::Accept);
    let (mail, end) = sending.await.unwrap();
    send_mail::finish(&flow.context, &mail, &end).await.unwrap();
    flow.context
        .clock
        .advance(jiff::SignedDuration::from_mins(2));
    flow.mail.drain().await;
    let outcomes = flow
        .texts("SELECT DISTINCT kind || ' ' || outcome FROM mail_outbox ORDER BY 1")
        .await;
    assert_eq!(
        outcomes,
        [
            "cancelled sent",
            "confirmed skipped",
            "hold sent",
            "reminder skipped",
            "rescheduled skipped"
        ]
    );
    flow.end().await;
}
