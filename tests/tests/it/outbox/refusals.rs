//! What the mail server says, and what becomes of the row.

use holdfast_tests::{
    Flow,
    flow::SAM,
    logs,
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
const FOR_GOOD: [(&str, &str); 7] = [
    ("550 5.1.1 no such user", "550 5.1.1"),
    ("550 5.1.2 no such domain", "550 5.1.2"),
    ("554 5.1.10 null mx", "554 5.1.10"),
    ("550 5.2.1 disabled", "550 5.2.1"),
    ("550 no", "550"),
    ("551 no", "551"),
    ("553 no", "553"),
];

/// While no mail of the notice was accepted by anyone it may be the server's fault: two such answers
/// are failed attempts, the third is believed. Red if the refusals are not counted.
#[tokio::test]
async fn an_address_is_given_up_at_the_third_permanent_refusal() {
    for (reply, codes) in FOR_GOOD {
        let (flow, end) = met(Behaviour::reply(At::Rcpt, reply)).await;
        assert!(matches!(end, JobEnd::Refused(_)), "{reply}: {end:?}");
        let first = row(&flow).await;
        assert!(
            first.starts_with("owed 1 0 08:01:00 recipient_refused rcpt_to")
                && first.ends_with(codes),
            "{reply}: {first}"
        );
        flow.at("2026-06-01T08:01:00Z");
        flow.mail.drain().await;
        let second = row(&flow).await;
        assert!(
            second.starts_with("owed 2 0 08:03:00 "),
            "{reply}: {second}"
        );
        assert_eq!(
            flow.count("manage_tokens").await,
            2,
            "the links of copies that may have arrived work"
        );
        flow.at("2026-06-01T08:03:00Z");
        flow.mail.drain().await;
        let third = row(&flow).await;
        assert!(
            third.starts_with("rejected 3 0 ") && third.ends_with(codes),
            "{reply}: {third}"
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

/// Another recipient's copy was accepted: the server takes our mail, and the answer is believed at
/// once. Red without the look at the others.
#[tokio::test]
async fn an_address_is_given_up_at_once_if_another_copy_was_accepted() {
    for (reply, codes) in FOR_GOOD {
        let flow = Flow::start().await;
        let host = flow.host("ana").make().await;
        flow.booked(&host, "2026-06-04T10:00:00Z").await;
        flow.mail
            .sink
            .behave_for(SAM, Behaviour::reply(At::Rcpt, reply));
        assert_eq!(flow.mail.drain().await.len(), 1, "the host's");
        let row = flow.text("SELECT concat_ws(' ', outcome, attempts, refusals, smtp_code, smtp_status) FROM mail_outbox WHERE recipient = 'booker' AND kind = 'confirmed'").await;
        assert_eq!(row, format!("rejected 1 1 {codes}"));
        let log = logs::capture().text();
        assert!(log.contains("the address was refused for good"));
        flow.sql("DELETE FROM mail_outbox WHERE kind = 'reminder'")
            .await;
        flow.end().await;
    }
}

/// A copy of an earlier notice says nothing about the server of today: the kind and the revision
/// count. An answer in between does not undo the refusals before it.
#[tokio::test]
async fn refusals_are_counted_by_notice_and_over_other_failures() {
    let flow = Flow::start().await;
    let host = super::page(&flow).await;
    let token = super::confirmed(&flow, &host, "2026-06-04T10:00:00Z").await;
    flow.mail.drain().await;
    flow.sql("DELETE FROM mail_outbox WHERE kind = 'reminder'")
        .await;
    for address in ["ana@hosts.test", "kim@guests.test"] {
        flow.mail
            .sink
            .behave_for(address, Behaviour::reply(At::Rcpt, "450 4.2.0 later"));
    }
    assert_eq!(flow.cancel(&token).await.status, 200);
    let row = "SELECT concat_ws(' ', coalesce(outcome, 'owed'), attempts, refusals) FROM mail_outbox WHERE kind = 'cancelled' AND recipient = 'booker'";
    for (now, reply, want) in [
        ("2026-06-01T08:00:00Z", "550 5.1.1 no", "owed 1 1"),
        ("2026-06-01T08:01:00Z", "450 4.2.0 later", "owed 2 1"),
        ("2026-06-01T08:03:00Z", "550 5.1.1 no", "owed 3 2"),
        ("2026-06-01T08:07:00Z", "550 5.1.1 no", "rejected 4 3"),
    ] {
        flow.at(now);
        flow.mail
            .sink
            .behave_for(SAM, Behaviour::reply(At::Rcpt, reply));
        flow.mail.drain().await;
        assert_eq!(flow.text(row).await, want, "{now}");
    }
    for address in ["ana@hosts.test", "kim@guests.test"] {
        flow.mail.sink.behave_for(address, Behaviour::Accept);
    }
    flow.at("2026-06-01T08:20:00Z");
    flow.end().await;
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
        (
            Behaviour::reply(At::Mail, "535 5.7.8 sign in"),
            "auth mail_from 535 5.7.8",
        ),
        (
            Behaviour::reply(At::Mail, "530 5.7.0 sign in"),
            "auth mail_from 530 5.7.0",
        ),
        (
            Behaviour::reply(At::Rcpt, "451 4.7.1 greylisted"),
            "recipient_deferred rcpt_to 451 4.7.1",
        ),
        (
            Behaviour::reply(At::Rcpt, "550 5.4.1 no route"),
            "550 5.4.1",
        ),
        (
            Behaviour::reply(At::Dot, "452 4.2.2 full"),
            "recipient_deferred after_dot 452 4.2.2",
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
    // Nobody had a copy yet when the booker was refused; by now the guest has one.
    flow.at("2026-06-01T08:01:00Z");
    assert_eq!(flow.mail.drain().await.len(), 1);
    // The links of the refused mail are dead; the hold's own still opens the booking.
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
