//! What mail says stays in mail: over a whole life, with failing sends whose replies repeat the
//! address, nothing personal reaches the database's bytes, the logs or the figures.

use holdfast_tests::{
    Flow, logs,
    smtp_sink::{At, Behaviour},
};
use serde_json::json;

use crate::leaks::assert_absent;

const HOST: &str = "Kanarienhost Mailbach";
const HOST_ADDRESS: &str = "canary-mailhost-81c7@hosts.test";
const TITLE: &str = "Canary mail title 2d9e";
const DESCRIPTION: &str = "Canary mail description b0c4";
const BOOKER: &str = "Kanarienbucher Postweg";
const BOOKER_ADDRESS: &str = "canary-mailbooker-5f02@bookers.test";
const GUEST: &str = "Kanariengast Briefholm";
const GUEST_ADDRESS: &str = "canary-mailguest-93aa@guests.test";
const NOTE: &str = "Canary mail note 7e61";
const ANSWER: &str = "Canary mail answer 4a3d";
const REASON: &str = "Canary mail reason c8f5";
const REPLY: &str = "canary-reply-text-1be0";

const ALL: [&str; 12] = [
    HOST,
    HOST_ADDRESS,
    TITLE,
    DESCRIPTION,
    BOOKER,
    BOOKER_ADDRESS,
    GUEST,
    GUEST_ADDRESS,
    NOTE,
    ANSWER,
    REASON,
    REPLY,
];

#[tokio::test]
async fn nothing_that_mail_says_is_anywhere_else() {
    let flow = Flow::start().await;
    let host = flow
        .host("mail-leaks")
        .name(HOST)
        .email(HOST_ADDRESS)
        .titled(TITLE, DESCRIPTION)
        .by_mail()
        .guests()
        .ask("What?", "long_text", false, &[])
        .make()
        .await;
    let wish = json!({
        "start": "2026-06-04T10:00:00Z", "zone": "Europe/Paris", "name": BOOKER, "email": BOOKER_ADDRESS, "note": NOTE,
        "guests": [{ "email": GUEST_ADDRESS, "name": GUEST }],
        "answers": { host.questions[0].to_string(): ANSWER },
    });
    let answer = flow.ask(&host, &wish).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    // Every kind of failure, each with a reply that repeats whom it is about.
    let words = |code: &str| format!("{code} <{BOOKER_ADDRESS}> {REPLY}");
    for behaviour in [
        Behaviour::ReplyAt(At::Rcpt, words("450 4.2.1")),
        Behaviour::ReplyAt(At::Mail, words("554 5.7.1")),
        Behaviour::ReplyAt(At::Data, words("554 5.5.0")),
        Behaviour::ReplyAt(At::Greeting, words("554")),
        Behaviour::ReplyAt(At::Ehlo, words("550")),
        Behaviour::DropAt(At::Dot),
        Behaviour::ReplyAt(At::Dot, format!("nonsense {REPLY}")),
    ] {
        flow.mail.sink.behave(behaviour);
        flow.mail.drain().await;
        flow.sql("UPDATE mail_outbox SET due_at = '2026-06-01 08:00+00' WHERE outcome IS NULL")
            .await;
    }
    flow.mail.sink.behave(Behaviour::Accept);
    flow.mail.drain().await;
    let token = flow.mail.token(BOOKER_ADDRESS);
    assert_eq!(flow.confirm(&token).await.status, 200);
    flow.mail.sink.behave_for(
        GUEST_ADDRESS,
        Behaviour::ReplyAt(At::Rcpt, format!("550 5.1.1 <{GUEST_ADDRESS}> {REPLY}")),
    );
    flow.mail.drain().await;
    assert_eq!(
        flow.reschedule(&token, "2026-06-04T12:00:00Z", 1)
            .await
            .status,
        200
    );
    flow.mail.drain().await;
    flow.at("2026-06-03T12:00:00Z");
    flow.mail.drain().await;
    assert_eq!(
        flow.manage("cancel", &token, &json!({ "reason": REASON }))
            .await
            .status,
        200
    );
    flow.mail.drain().await;
    // An attempt that cannot even be prepared is logged too, and says no more.
    flow.sql("UPDATE bookings SET title_sealed = note_sealed; UPDATE mail_outbox SET outcome = NULL, outcome_at = NULL, attempts = 12, due_at = '2026-06-03 12:00+00' WHERE kind = 'cancelled' AND recipient = 'host'").await;
    flow.mail.drain().await;

    let letters = flow.mail.letters();
    let all: String = letters
        .iter()
        .map(|letter| format!("{} {} {}", letter.to, letter.subject, letter.text))
        .collect();
    for canary in ALL
        .into_iter()
        .filter(|canary| ![REPLY, GUEST_ADDRESS].contains(canary))
    {
        assert!(all.contains(canary), "{canary} is where it belongs");
    }
    let tokens: Vec<String> = letters
        .iter()
        .filter_map(holdfast_tests::letter::Letter::token)
        .collect();
    assert!(tokens.len() >= 4);
    let canaries = || ALL.into_iter().chain(tokens.iter().map(String::as_str));
    for (table, rows) in flow.database.rows().await {
        for row in rows {
            assert_absent(&format!("table {table}"), &row, canaries());
        }
    }
    let log = logs::capture().text();
    for line in [
        "the address was refused for good",
        "attempts used up",
        "could not be prepared",
    ] {
        assert!(log.contains(line), "{line}");
    }
    assert_absent("the log", &log, canaries());
    let figures = flow.get("/metrics").await.text();
    assert!(figures.contains("holdfast_mail_total"), "{figures}");
    assert_absent("the figures", &figures, canaries());
    // Not the invariants: a title was broken on purpose.
    flow.app.end().await;
}
