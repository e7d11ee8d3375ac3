//! What the mail server says, and what becomes of the row.

use holdfast_tests::{
    Flow,
    flow::SAM,
    smtp_sink::{At, Behaviour},
};
use holdfast_worker::jobs::send_mail::JobEnd;
use jiff::SignedDuration;

/// A hold whose one mail meets this.
async fn met(behaviour: Behaviour) -> (Flow, JobEnd) {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    flow.booked(&host, "2026-06-04T10:00:00Z").await;
    flow.mail.sink.behave(behaviour);
    let mut ends = flow.mail.ends().await;
    assert_eq!(ends.len(), 1);
    (flow, ends.remove(0))
}

async fn row(flow: &Flow) -> String {
    flow.text("SELECT concat_ws(' ', coalesce(outcome, 'owed'), attempts, uncertain, to_char(due_at AT TIME ZONE 'UTC', 'HH24:MI:SS'), error_class, smtp_stage, smtp_code, smtp_status) FROM mail_outbox").await
}

/// 5.1.x, 5.2.1, or a bare 550, 551 or 553 at RCPT: this address, for good.
#[tokio::test]
async fn an_address_refused_for_good_ends_the_row_and_its_link() {
    for (reply, codes) in [
        ("550 5.1.1 no such user", "550 5.1.1"),
        ("550 5.1.2 no such domain", "550 5.1.2"),
        ("554 5.1.10 null mx", "554 5.1.10"),
        ("550 5.2.1 disabled", "550 5.2.1"),
        ("550 no", "550"),
        ("551 no", "551"),
        ("553 no", "553"),
    ] {
        let (flow, end) = met(Behaviour::reply(At::Rcpt, reply)).await;
        assert!(matches!(end, JobEnd::Rejected(_)), "{reply}: {end:?}");
        let row = row(&flow).await;
        assert!(
            row.starts_with("rejected 1 0") && row.ends_with(codes) && row.contains(" rcpt_to "),
            "{reply}: {row}"
        );
        assert_eq!(flow.count("manage_tokens").await, 0, "{reply}");
        flow.mail.sink.behave(Behaviour::Accept);
        flow.context.clock.advance(SignedDuration::from_mins(20));
        assert!(flow.mail.drain().await.is_empty(), "never again");
        assert_eq!(
            flow.text("SELECT state FROM bookings").await,
            "held",
            "R13: nothing is freed"
        );
        flow.end().await;
    }
}

/// Everything else is tried again, and R13: nothing is freed because a send failed.
#[tokio::test]
async fn everything_else_is_tried_again_with_the_same_message_id_and_a_fresh_link() {
    for (behaviour, said) in [
        (
            Behaviour::reply(At::Rcpt, "450 4.2.1 greylisted"),
            "450 4.2.1",
        ),
        (Behaviour::reply(At::Rcpt, "452 4.2.2 full"), "452 4.2.2"),
        (Behaviour::reply(At::Rcpt, "552 5.2.2 full"), "552 5.2.2"),
        (Behaviour::reply(At::Rcpt, "550 5.7.1 policy"), "550 5.7.1"),
        (
            Behaviour::reply(At::Rcpt, "550 5.1.7 your sender"),
            "550 5.1.7",
        ),
        (
            Behaviour::reply(At::Rcpt, "550 5.1.8 your sender"),
            "550 5.1.8",
        ),
        (
            Behaviour::reply(At::Mail, "550 5.1.1 who are you"),
            "550 5.1.1",
        ),
        (Behaviour::reply(At::Data, "554 5.5.0 no"), "554 5.5.0"),
        (Behaviour::reply(At::Dot, "554 5.6.0 no"), "554 5.6.0"),
        (
            Behaviour::reply(At::Greeting, "421 4.3.2 closing"),
            "421 4.3.2",
        ),
        (Behaviour::DropAt(At::Rcpt), "rcpt_to"),
        (Behaviour::reply(At::Rcpt, "nonsense"), "rcpt_to"),
    ] {
        let (flow, end) = met(behaviour.clone()).await;
        assert!(matches!(end, JobEnd::Failed(_)), "{behaviour:?}: {end:?}");
        let row = row(&flow).await;
        assert!(
            row.starts_with("owed 1 0 08:01:00") && row.ends_with(said),
            "{behaviour:?}: {row}"
        );
        assert_eq!(flow.mail.sink.count(), 0);
        flow.mail.sink.behave(Behaviour::Accept);
        flow.at("2026-06-01T08:01:00Z");
        let letters = flow.mail.drain().await;
        assert_eq!(letters.len(), 1, "{behaviour:?}");
        assert_eq!(
            flow.look("", &letters[0].token().unwrap()).await.status,
            200
        );
        flow.end().await;
    }
}

/// The one duplicate window: the mail server took it and its answer was lost. The repeat has the
/// same Message-ID and a link of its own, and is counted.
#[tokio::test]
async fn a_lost_answer_after_the_dot_is_uncertain_and_repeats_the_message_id() {
    let (flow, end) = met(Behaviour::LoseAck).await;
    assert!(
        matches!(&end, JobEnd::Failed(codes) if codes.uncertain),
        "{end:?}"
    );
    assert!(row(&flow).await.starts_with("owed 1 1 08:01:00"));
    let first = flow.mail.newest(SAM);
    flow.mail.sink.behave(Behaviour::Accept);
    flow.at("2026-06-01T08:01:00Z");
    let again = flow.mail.drain().await.remove(0);
    assert_eq!(again.message_id, first.message_id);
    assert_ne!(again.token(), first.token());
    for letter in [&first, &again] {
        assert_eq!(
            flow.look("", &letter.token().unwrap()).await.status,
            200,
            "both work"
        );
    }
    assert!(row(&flow).await.starts_with("sent 2 1"));
    flow.end().await;
}

/// An invitation that goes out twice is the same one.
#[tokio::test]
async fn a_repeated_invitation_is_the_same_to_the_byte() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    flow.booked(&host, "2026-06-04T10:00:00Z").await;
    flow.mail.sink.behave_times(1, Behaviour::LoseAck);
    flow.mail.drain().await;
    flow.at("2026-06-01T08:01:00Z");
    flow.mail.drain().await;
    let letters = flow.mail.letters();
    let to_host: Vec<_> = letters
        .iter()
        .filter(|letter| letter.to == "ana@hosts.test")
        .collect();
    assert_eq!(to_host.len(), 2);
    assert_eq!(to_host[0].message_id, to_host[1].message_id);
    assert_eq!(to_host[0].ics(), to_host[1].ics());
    flow.end().await;
}

/// One recipient a message: one refused guest leaves everybody else's mail alone.
#[tokio::test]
async fn one_refused_address_holds_up_nobody_else() {
    let flow = Flow::start().await;
    let host = super::page(&flow).await;
    super::confirmed(&flow, &host, "2026-06-04T10:00:00Z").await;
    flow.mail
        .sink
        .behave_for(SAM, Behaviour::reply(At::Rcpt, "550 5.1.1 gone"));
    flow.mail.sink.behave_for(
        "ana@hosts.test",
        Behaviour::reply(At::Rcpt, "451 4.3.0 later"),
    );
    let to: Vec<String> = flow.mail.drain().await.into_iter().map(|l| l.to).collect();
    assert_eq!(to, ["kim@guests.test"]);
    flow.mail
        .sink
        .behave_for("ana@hosts.test", Behaviour::Accept);
    flow.at("2026-06-01T08:01:00Z");
    assert_eq!(flow.mail.drain().await.len(), 1);
    // The link of the refused mail is dead; the hold's own still opens the booking.
    assert_eq!(flow.count("manage_tokens").await, 1);
    let held = flow
        .mail
        .letters()
        .into_iter()
        .find(|letter| letter.to == SAM)
        .unwrap();
    assert_eq!(flow.look("", &held.token().unwrap()).await.status, 200);
    flow.end().await;
}
