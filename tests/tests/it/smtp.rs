//! The bounded SMTP sender against a real SMTP server.

use std::sync::Arc;
use std::time::Duration;

use holdfast_tests::smtp_sink::{At, Behaviour, SinkSettings, SmtpSink, Tls};
use holdfast_worker::smtp::{
    Accepted, Address, EnhancedStatus, ErrorClass, Failure, SendError, Sender, SenderSettings,
    SetupError, SmtpUrl, Stage, Verdict,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::Instant;

const PATIENCE: Duration = Duration::from_secs(10);

/// More than the system buffers for a connection.
fn large_message() -> Vec<u8> {
    [MESSAGE, b"0123456789abcdef\r\n".repeat(500_000).as_slice()].concat()
}

const MESSAGE: &[u8] = b"Subject: x\r\n\r\nHello.\r\n";

fn settings(url: &str) -> SenderSettings {
    SenderSettings::new(SmtpUrl::parse(url).unwrap(), "client.test")
}

fn sender_to(sink: &SmtpSink) -> Sender {
    sender_with(sink, |_| {})
}

fn sender_with(sink: &SmtpSink, change: impl FnOnce(&mut SenderSettings)) -> Sender {
    let mut settings = settings(&sink.url());
    settings.extra_root_pem = Some(sink.root_pem().as_bytes().to_vec());
    change(&mut settings);
    Sender::new(settings).unwrap()
}

fn in_time() -> Instant {
    Instant::now() + PATIENCE
}

fn address(text: &str) -> Address {
    text.parse().unwrap()
}

async fn send_to(sender: &Sender, recipient: &str) -> Result<Accepted, SendError> {
    sender
        .send(
            &address("from@x.test"),
            &address(recipient),
            MESSAGE,
            in_time(),
        )
        .await
}

async fn send(sender: &Sender) -> Result<Accepted, SendError> {
    send_to(sender, "to@y.test").await
}

/// Sends within `limit`; tells the failure and how long it took.
async fn fail_within(sender: &Sender, message: &[u8], limit: Duration) -> (Failure, Duration) {
    let (from, to) = (address("from@x.test"), address("to@y.test"));
    let started = Instant::now();
    match sender.send(&from, &to, message, started + limit).await {
        Err(SendError::Failed(failure)) => (failure, started.elapsed()),
        other => panic!("{other:?}"),
    }
}

fn failure(outcome: Result<Accepted, SendError>) -> Failure {
    match outcome {
        Err(SendError::Failed(failure)) => failure,
        other => panic!("{other:?}"),
    }
}

fn status(text: &str) -> Option<EnhancedStatus> {
    EnhancedStatus::at_start_of(text)
}

/// A server that says its lines, one after each read, whatever it is told, and then hangs up.
async fn parrot(lines: &'static [&'static [u8]]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            for line in lines {
                stream.write_all(line).await.unwrap();
                if stream.read(&mut [0; 4096]).await.unwrap_or(0) == 0 {
                    break;
                }
            }
        }
    });
    url
}

#[tokio::test]
async fn mail_arrives_plain_by_starttls_and_by_implicit_tls() {
    for tls in [Tls::None, Tls::StartTls, Tls::Implicit] {
        let sink = SmtpSink::start_with(SinkSettings {
            tls,
            ..Default::default()
        })
        .await
        .unwrap();
        let sender = sender_to(&sink);
        for _ in 0..2 {
            let accepted = send(&sender).await.unwrap();
            assert_eq!(
                accepted,
                Accepted {
                    code: 250,
                    status: status("2.0.0")
                },
                "{tls:?}"
            );
        }
        let received = sink.take_after(2, PATIENCE).await.unwrap();
        for mail in received {
            assert_eq!(
                (mail.from.as_str(), mail.to.as_str()),
                ("from@x.test", "to@y.test")
            );
            assert_eq!(mail.data, MESSAGE, "{tls:?}");
            assert_eq!(
                mail.mail_parameters, "",
                "an ASCII message needs no parameters"
            );
            assert_eq!(mail.encrypted, tls != Tls::None, "{tls:?}");
            assert_eq!(mail.connection_no, 1, "{tls:?}: the connection is kept");
        }
    }
}

#[tokio::test]
async fn mail_arrives_where_no_extension_is_offered() {
    let sink = SmtpSink::start_with(SinkSettings {
        keywords: vec![],
        ..Default::default()
    })
    .await
    .unwrap();
    let sender = sender_to(&sink);
    send(&sender).await.unwrap();
    sink.behave_times(1, Behaviour::reply(At::Rcpt, "550 5.1.1 no"));
    assert_eq!(failure(send(&sender).await).stage, Stage::RcptTo);
    send(&sender).await.unwrap();
    assert_eq!((sink.count(), sink.connections()), (2, 1));
}

#[tokio::test]
async fn the_account_is_used_with_plain_and_login() {
    for mechanisms in ["PLAIN LOGIN", "LOGIN"] {
        let account = Some(("me@x.test".to_owned(), "p/a s%ü".to_owned()));
        let settings = SinkSettings {
            tls: Tls::StartTls,
            account,
            mechanisms,
            ..Default::default()
        };
        let sink = SmtpSink::start_with(settings).await.unwrap();
        let with = |user_info: &str| {
            let url = sink.url().replace("://", &format!("://{user_info}@"));
            sender_with(&sink, |settings| {
                settings.url = SmtpUrl::parse(&url).unwrap()
            })
        };
        send(&with("me%40x.test:p%2Fa%20s%25%C3%BC")).await.unwrap();
        assert!(sink.take()[0].signed_in);

        let wrong = failure(send(&with("me%40x.test:wrong")).await);
        assert_eq!(
            (
                wrong.stage,
                wrong.code,
                wrong.status,
                wrong.class,
                wrong.uncertain
            ),
            (
                Stage::Auth,
                Some(535),
                status("5.7.8"),
                ErrorClass::Auth,
                false
            )
        );
        assert_eq!(wrong.verdict(), Verdict::ServerOrSettings);

        let none = failure(send(&sender_to(&sink)).await);
        assert_eq!(
            (none.stage, none.code, none.class),
            (Stage::MailFrom, Some(530), ErrorClass::Auth)
        );
        assert_eq!(sink.count(), 1);
    }
}

#[tokio::test]
async fn an_account_that_the_server_has_no_use_for_is_a_failure_to_sign_in() {
    let sink = SmtpSink::start().await.unwrap();
    let url = sink.url().replace("://", "://u:p@");
    let sender = sender_with(&sink, |settings| {
        settings.url = SmtpUrl::parse(&url).unwrap()
    });
    let failure = failure(send(&sender).await);
    assert_eq!(
        (failure.stage, failure.class),
        (Stage::Auth, ErrorClass::Auth)
    );
    assert_eq!(sink.count(), 0);
}

/// Red when certificates or their names are not checked.
#[tokio::test]
async fn a_certificate_that_is_not_trusted_is_refused_before_anything_is_said() {
    for tls in [Tls::StartTls, Tls::Implicit] {
        let account = Some(("u".to_owned(), "p".to_owned()));
        let own = SinkSettings {
            tls,
            account: account.clone(),
            ..Default::default()
        };
        let sink = SmtpSink::start_with(own).await.unwrap();
        let names = vec!["other.test".to_owned()];
        let other = SinkSettings {
            tls,
            account,
            certificate_names: names,
            ..Default::default()
        };
        let misnamed = SmtpSink::start_with(other).await.unwrap();
        let cases = [
            (&sink, Some(misnamed.root_pem()), "another root"),
            (&sink, None, "no root"),
            (&misnamed, Some(misnamed.root_pem()), "another name"),
        ];
        for (sink, root, case) in cases {
            let url = sink.url().replace("://", "://u:p@");
            let mut settings = settings(&url);
            settings.extra_root_pem = root.map(|root| root.as_bytes().to_vec());
            let failure = failure(send(&Sender::new(settings).unwrap()).await);
            assert_eq!(
                (
                    failure.stage,
                    failure.code,
                    failure.class,
                    failure.uncertain
                ),
                (Stage::Tls, None, ErrorClass::Tls, false),
                "{tls:?} {case}"
            );
            assert_eq!(failure.verdict(), Verdict::ServerOrSettings);
            assert_eq!(sink.count(), 0);
        }
    }
}

/// Red when STARTTLS is taken when offered instead of required.
#[tokio::test]
async fn a_server_without_starttls_gets_no_mail_in_the_clear() {
    let sink = SmtpSink::start().await.unwrap();
    let url = sink.url().replace("smtp://", "smtp+starttls://");
    let failure = failure(send(&Sender::new(settings(&url)).unwrap()).await);
    assert_eq!(
        (failure.stage, failure.class),
        (Stage::Tls, ErrorClass::Tls)
    );
    assert_eq!(sink.count(), 0);
}

/// Red when the wire reads on after the answer to STARTTLS: the injected lines would then answer
/// the EHLO that is said inside the encryption.
#[tokio::test]
async fn lines_slipped_in_behind_the_answer_to_starttls_are_not_believed() {
    let sink = SmtpSink::start_with(SinkSettings {
        tls: Tls::StartTls,
        ..Default::default()
    })
    .await
    .unwrap();
    sink.behave(Behaviour::reply(
        At::Tls,
        "220 2.0.0 go ahead\r\n250 injected",
    ));
    let failure = failure(send(&sender_to(&sink)).await);
    assert_eq!(
        (failure.stage, failure.class),
        (Stage::Tls, ErrorClass::Tls)
    );
    assert_eq!(sink.count(), 0);
}

#[tokio::test]
async fn a_caller_beyond_the_concurrency_is_told_busy_at_once() {
    let sink = SmtpSink::start().await.unwrap();
    let sender = Arc::new(sender_to(&sink));
    sink.behave(Behaviour::StallAt(At::Dot));
    let four: Vec<_> = (0..4)
        .map(|_| {
            let sender = Arc::clone(&sender);
            tokio::spawn(async move { send(&sender).await })
        })
        .collect();
    while sink.open_connections() < 4 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let started = Instant::now();
    assert_eq!(send(&sender).await, Err(SendError::Busy));
    assert!(
        started.elapsed() < Duration::from_secs(1),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(sink.connections(), 4, "the fifth made no connection");

    for task in &four {
        task.abort();
    }
    for task in four {
        assert!(task.await.unwrap_err().is_cancelled());
    }
    sink.behave(Behaviour::Accept);
    send(&sender)
        .await
        .expect("a cancelled send gives its slot back");
}

#[tokio::test]
async fn each_refusal_has_its_stage_codes_class_and_verdict() {
    use ErrorClass as Class;
    use Verdict::{DomainForNow, RecipientForGood, RecipientForNow, ServerOrSettings};
    let cases = [
        (
            At::Greeting,
            Stage::Greeting,
            "554 5.7.1 go away",
            Class::Policy,
            ServerOrSettings,
        ),
        (
            At::Greeting,
            Stage::Greeting,
            "421 busy",
            Class::ServerDeferred,
            ServerOrSettings,
        ),
        (
            At::Ehlo,
            Stage::Ehlo,
            "550 who?",
            Class::ServerRefused,
            ServerOrSettings,
        ),
        (
            At::Mail,
            Stage::MailFrom,
            "553 5.1.8 sender",
            Class::ServerRefused,
            ServerOrSettings,
        ),
        (
            At::Mail,
            Stage::MailFrom,
            "452 4.3.1 full",
            Class::ServerDeferred,
            ServerOrSettings,
        ),
        (
            At::Rcpt,
            Stage::RcptTo,
            "550 5.1.1 unknown",
            Class::RecipientRefused,
            RecipientForGood,
        ),
        (
            At::Rcpt,
            Stage::RcptTo,
            "550 5.2.1 disabled",
            Class::RecipientRefused,
            RecipientForGood,
        ),
        (
            At::Rcpt,
            Stage::RcptTo,
            "550 unknown",
            Class::RecipientRefused,
            RecipientForGood,
        ),
        (
            At::Rcpt,
            Stage::RcptTo,
            "550-5.1.1 a\r\n550 5.1.1 b",
            Class::RecipientRefused,
            RecipientForGood,
        ),
        (
            At::Rcpt,
            Stage::RcptTo,
            "450 4.7.1 greylisted",
            Class::RecipientDeferred,
            RecipientForNow,
        ),
        (
            At::Rcpt,
            Stage::RcptTo,
            "452 4.2.2 full",
            Class::RecipientDeferred,
            RecipientForNow,
        ),
        (
            At::Rcpt,
            Stage::RcptTo,
            "421 4.7.0 slow down",
            Class::DomainDeferred,
            DomainForNow,
        ),
        (
            At::Rcpt,
            Stage::RcptTo,
            "554 5.7.1 relaying",
            Class::Policy,
            ServerOrSettings,
        ),
        (
            At::Data,
            Stage::Data,
            "451 4.7.1 later",
            Class::DomainDeferred,
            DomainForNow,
        ),
        (
            At::Data,
            Stage::Data,
            "554 5.5.1 no",
            Class::ServerRefused,
            ServerOrSettings,
        ),
        (
            At::Dot,
            Stage::AfterDot,
            "550 5.1.10 unknown",
            Class::RecipientRefused,
            RecipientForGood,
        ),
        (
            At::Dot,
            Stage::AfterDot,
            "552 5.2.2 full",
            Class::RecipientDeferred,
            RecipientForNow,
        ),
        (
            At::Dot,
            Stage::AfterDot,
            "554 5.7.1 spam",
            Class::Policy,
            ServerOrSettings,
        ),
        (
            At::Dot,
            Stage::AfterDot,
            "421 4.3.2 closing",
            Class::ServerDeferred,
            ServerOrSettings,
        ),
    ];
    for keywords in [vec!["PIPELINING"], vec![]] {
        let sink = SmtpSink::start_with(SinkSettings {
            keywords,
            ..Default::default()
        })
        .await
        .unwrap();
        for (at, stage, reply, class, verdict) in cases {
            let sender = sender_to(&sink);
            sink.behave_times(1, Behaviour::reply(at, reply));
            let failure = failure(send(&sender).await);
            let code = reply[..3].parse().ok();
            assert_eq!((failure.stage, failure.code), (stage, code), "{reply}");
            assert_eq!(failure.status, status(&reply[4..]), "{reply}");
            assert_eq!(
                (failure.class, failure.verdict()),
                (class, verdict),
                "{reply}"
            );
            assert!(!failure.uncertain, "{reply}: the server has answered");
            // Whatever was left of the transaction does not spoil the next one.
            let before = sink.count();
            send(&sender).await.unwrap();
            assert_eq!(sink.count(), before + 1, "{reply}");
        }
    }
}

#[tokio::test]
async fn a_refusal_keeps_the_connection_and_421_ends_it() {
    let sink = SmtpSink::start().await.unwrap();
    let sender = sender_to(&sink);
    for (reply, connections) in [("550 5.1.1 no", 1), ("450 4.2.0 later", 1), ("421 bye", 2)] {
        sink.behave_times(1, Behaviour::reply(At::Rcpt, reply));
        failure(send(&sender).await);
        send(&sender).await.unwrap();
        assert_eq!(sink.connections(), connections, "{reply}");
    }
}

#[tokio::test]
async fn one_bad_address_is_refused_among_good_ones() {
    let sink = SmtpSink::start().await.unwrap();
    let sender = sender_to(&sink);
    sink.behave_for("gone@y.test", Behaviour::reply(At::Rcpt, "550 5.1.1 gone"));
    sink.behave_times_for(
        "grey@y.test",
        1,
        Behaviour::reply(At::Rcpt, "451 4.7.1 later"),
    );
    assert!(send_to(&sender, "a@y.test").await.is_ok());
    assert_eq!(
        failure(send_to(&sender, "gone@y.test").await).verdict(),
        Verdict::RecipientForGood
    );
    assert_eq!(
        failure(send_to(&sender, "grey@y.test").await).verdict(),
        Verdict::RecipientForNow
    );
    assert!(send_to(&sender, "grey@y.test").await.is_ok());
    assert_eq!(
        failure(send_to(&sender, "gone@y.test").await).verdict(),
        Verdict::RecipientForGood
    );
    let to: Vec<_> = sink.take().into_iter().map(|mail| mail.to).collect();
    assert_eq!(to, ["a@y.test", "grey@y.test"]);
}

/// A send that stalls at `at` fails at `stage`, by its deadline and not before.
async fn assert_stall(tls: Tls, at: At, stage: Stage, message: &[u8], limit: Duration) {
    let account = (at == At::Auth).then(|| ("u".to_owned(), "p".to_owned()));
    let user_info = if account.is_some() { "u:p@" } else { "" };
    let sink = SmtpSink::start_with(SinkSettings {
        tls,
        account,
        ..Default::default()
    })
    .await
    .unwrap();
    let url = sink.url().replace("://", &format!("://{user_info}"));
    let sender = sender_with(&sink, |settings| {
        settings.url = SmtpUrl::parse(&url).unwrap()
    });
    sink.behave(Behaviour::StallAt(at));
    let (failure, took) = fail_within(&sender, message, limit).await;
    let case = format!("{tls:?} {at:?}: {failure} after {took:?}");
    assert_eq!((failure.stage, failure.code), (stage, None), "{case}");
    assert_eq!(failure.uncertain, stage == Stage::AfterDot, "{case}");
    let class = if failure.uncertain {
        ErrorClass::UnknownAfterData
    } else {
        ErrorClass::Timeout
    };
    assert_eq!(failure.class, class, "{case}");
    assert!(
        took >= limit && took < limit + Duration::from_secs(2),
        "{case}"
    );
    if at != At::Body {
        assert!(
            sink.wait_for_open(0, PATIENCE).await,
            "{case}: its connection is dropped"
        );
    }
}

#[tokio::test]
async fn a_stall_at_any_stage_ends_by_the_deadline() {
    let cases = [
        (Tls::None, At::Greeting, Stage::Greeting),
        (Tls::None, At::Ehlo, Stage::Ehlo),
        (Tls::Implicit, At::Tls, Stage::Tls),
        (Tls::StartTls, At::Tls, Stage::Tls),
        (Tls::None, At::Auth, Stage::Auth),
        (Tls::None, At::Mail, Stage::MailFrom),
        (Tls::None, At::Rcpt, Stage::RcptTo),
        (Tls::None, At::Data, Stage::Data),
        (Tls::None, At::Dot, Stage::AfterDot),
        (Tls::StartTls, At::Dot, Stage::AfterDot),
        (Tls::Implicit, At::Dot, Stage::AfterDot),
    ];
    let all: JoinSet<_> = cases
        .into_iter()
        .map(|(tls, at, stage)| assert_stall(tls, at, stage, MESSAGE, Duration::from_secs(1)))
        .collect();
    all.join_all().await;
}

/// What fits into the buffers of the system has left: only a large message gets stuck.
#[tokio::test]
async fn a_stall_within_a_large_message_is_certain() {
    let large: &'static [u8] = large_message().leak();
    let all: JoinSet<_> = [Tls::None, Tls::StartTls, Tls::Implicit]
        .into_iter()
        .map(|tls| assert_stall(tls, At::Body, Stage::Body, large, Duration::from_secs(4)))
        .collect();
    all.join_all().await;
}

#[tokio::test]
async fn each_timeout_ends_what_it_is_for() {
    let sink = SmtpSink::start().await.unwrap();
    let short = Duration::from_millis(700);
    let by_command = sender_with(&sink, |settings| settings.command_timeout = short);
    let by_send = sender_with(&sink, |settings| settings.send_timeout = short);
    sink.behave(Behaviour::StallAt(At::Rcpt));
    for sender in [&by_command, &by_send] {
        let (failure, took) = fail_within(sender, MESSAGE, PATIENCE).await;
        assert_eq!(
            (failure.stage, failure.class),
            (Stage::RcptTo, ErrorClass::Timeout)
        );
        assert!(took < PATIENCE / 4, "{took:?}");
    }
    // The answer to the final dot is worth waiting for.
    sink.behave(Behaviour::StallAt(At::Dot));
    let (failure, took) = fail_within(&by_command, MESSAGE, short * 3).await;
    assert!(
        failure.uncertain && took >= short * 3,
        "{failure} after {took:?}"
    );
}

#[tokio::test]
async fn a_deadline_that_has_passed_makes_no_connection() {
    let sink = SmtpSink::start().await.unwrap();
    let (failure, _) = fail_within(&sender_to(&sink), MESSAGE, Duration::ZERO).await;
    assert_eq!(
        (failure.stage, failure.class),
        (Stage::Connect, ErrorClass::Timeout)
    );
    assert_eq!(sink.connections(), 0);
}

/// Red when a broken first command on a kept connection is not sent again over a new one.
#[tokio::test]
async fn a_kept_connection_that_the_server_closed_is_no_error() {
    for tls in [Tls::None, Tls::StartTls, Tls::Implicit] {
        for last_words in [None, Some("421 4.4.2 idle too long")] {
            let sink = SmtpSink::start_with(SinkSettings {
                tls,
                ..Default::default()
            })
            .await
            .unwrap();
            let sender = sender_to(&sink);
            for round in 1..=3 {
                send(&sender)
                    .await
                    .unwrap_or_else(|error| panic!("{tls:?} {error}"));
                assert_eq!((sink.count(), sink.connections()), (round, round as u64));
                sink.close_idle(last_words).await;
            }
            // Also when what comes first is the RSET after a refusal.
            sink.behave_times(1, Behaviour::reply(At::Rcpt, "550 5.1.1 no"));
            failure(send(&sender).await);
            sink.close_idle(last_words).await;
            send(&sender).await.unwrap();
        }
    }
}

/// The second chance is for kept connections alone, and there is one.
#[tokio::test]
async fn a_new_connection_that_breaks_is_an_error() {
    let sink = SmtpSink::start().await.unwrap();
    let sender = sender_to(&sink);
    sink.behave(Behaviour::DropAt(At::Mail));
    let first = failure(send(&sender).await);
    assert_eq!(
        (first.stage, first.class),
        (Stage::MailFrom, ErrorClass::ConnectionLost)
    );
    assert_eq!(sink.connections(), 1);
    sink.behave(Behaviour::Accept);
    send(&sender).await.unwrap();
    sink.behave(Behaviour::DropAt(At::Mail));
    let kept = failure(send(&sender).await);
    assert_eq!(
        (kept.stage, kept.class),
        (Stage::MailFrom, ErrorClass::ConnectionLost)
    );
    assert_eq!(sink.connections(), 3, "the kept one, and one new one");
}

#[tokio::test]
async fn a_cut_is_uncertain_after_the_final_dot_and_only_there() {
    let cases = [
        (Tls::None, At::Greeting, Stage::Greeting),
        (Tls::None, At::Ehlo, Stage::Ehlo),
        (Tls::Implicit, At::Tls, Stage::Tls),
        (Tls::StartTls, At::Tls, Stage::Tls),
        (Tls::None, At::Mail, Stage::MailFrom),
        (Tls::None, At::Rcpt, Stage::RcptTo),
        (Tls::None, At::Data, Stage::Data),
        (Tls::None, At::Dot, Stage::AfterDot),
        (Tls::StartTls, At::Dot, Stage::AfterDot),
        (Tls::Implicit, At::Dot, Stage::AfterDot),
    ];
    for (tls, at, stage) in cases {
        let sink = SmtpSink::start_with(SinkSettings {
            tls,
            ..Default::default()
        })
        .await
        .unwrap();
        sink.behave(Behaviour::DropAt(at));
        let failure = failure(send(&sender_to(&sink)).await);
        assert_eq!(
            (failure.stage, failure.code),
            (stage, None),
            "{tls:?} {at:?}"
        );
        assert_eq!(
            failure.uncertain,
            stage == Stage::AfterDot,
            "{tls:?} {at:?}"
        );
        assert_eq!(sink.count(), 0);
    }
}

/// Red when a send that may have been accepted is sent again by the sender itself.
#[tokio::test]
async fn a_lost_acknowledgement_is_uncertain_and_never_sent_again() {
    let sink = SmtpSink::start().await.unwrap();
    let sender = sender_to(&sink);
    send(&sender).await.unwrap();
    sink.behave(Behaviour::LoseAck);
    let failure = failure(send(&sender).await);
    assert!(failure.uncertain);
    assert_eq!(
        (failure.stage, failure.class),
        (Stage::AfterDot, ErrorClass::UnknownAfterData)
    );
    assert_eq!(failure.verdict(), Verdict::Unknown);
    assert_eq!(sink.count(), 2, "the server has it once");
}

#[tokio::test]
async fn a_cut_in_the_middle_of_a_large_message_is_certain_and_tells_the_servers_reason() {
    let large = large_message();
    for tls in [Tls::None, Tls::StartTls, Tls::Implicit] {
        let sink = SmtpSink::start_with(SinkSettings {
            tls,
            ..Default::default()
        })
        .await
        .unwrap();
        sink.behave(Behaviour::DropAt(At::Body));
        let (cut, _) = fail_within(&sender_to(&sink), &large, PATIENCE).await;
        assert_eq!(
            (cut.stage, cut.code, cut.uncertain),
            (Stage::Body, None, false),
            "{tls:?}"
        );
        assert_eq!(cut.class, ErrorClass::ConnectionLost, "{tls:?}");
    }
    let sink = SmtpSink::start().await.unwrap();
    sink.behave(Behaviour::reply(At::Body, "552 5.3.4 too large"));
    let (refused, _) = fail_within(&sender_to(&sink), &large, PATIENCE).await;
    assert_eq!(
        (
            refused.stage,
            refused.code,
            refused.status,
            refused.uncertain
        ),
        (Stage::Body, Some(552), status("5.3.4"), false)
    );
    sink.behave(Behaviour::reply(At::Body, "250 2.0.0 queued"));
    let (early, _) = fail_within(&sender_to(&sink), &large, PATIENCE).await;
    assert_eq!(
        (early.stage, early.class),
        (Stage::Body, ErrorClass::Protocol),
        "no acceptance"
    );
}

#[tokio::test]
async fn messages_arrive_to_the_byte() {
    let long = "x".repeat(200_000);
    let messages = [
        "S: x\r\n\r\nplain\r\n".to_owned(),
        "S: x\r\n\r\n.\r\n".to_owned(),
        "S: x\r\n\r\n.\r\n..\r\n...three\r\n.x\r\nmid.dle\r\n. \r\n".to_owned(),
        ".S: x\r\n\r\nthe first line begins with a dot\r\n".to_owned(),
        "S: x\r\n\r\nan empty last line\r\n\r\n".to_owned(),
        "S: x\r\n\r\nTuesday, 日本, ünï\r\n".to_owned(),
        "S: x\r\n\r\nRSET\r\nQUIT\r\nMAIL FROM:<a@x.test>\r\n".to_owned(),
        "S: x\r\n\r\n".to_owned(),
        format!("S: x\r\n\r\n{long}\r\n.{long}\r\n"),
    ];
    for tls in [Tls::None, Tls::StartTls, Tls::Implicit] {
        let sink = SmtpSink::start_with(SinkSettings {
            tls,
            ..Default::default()
        })
        .await
        .unwrap();
        let sender = sender_to(&sink);
        let (from, to) = (address("from@x.test"), address("to@y.test"));
        for message in &messages {
            sender
                .send(&from, &to, message.as_bytes(), in_time())
                .await
                .unwrap();
            let received = sink.take();
            assert!(
                received[0].data == message.as_bytes(),
                "{tls:?} {:.60}",
                message
            );
            let eight_bit = if message.is_ascii() {
                ""
            } else {
                "BODY=8BITMIME"
            };
            assert_eq!(received[0].mail_parameters, eight_bit);
        }
        sender
            .send(&from, &to, b"S: x\r\n\r\nno end", in_time())
            .await
            .unwrap();
        assert_eq!(sink.take()[0].data, b"S: x\r\n\r\nno end\r\n");
        assert_eq!(sink.connections(), 1);
    }
}

#[tokio::test]
async fn a_local_part_outside_ascii_needs_smtputf8() {
    let sink = SmtpSink::start().await.unwrap();
    send_to(&sender_to(&sink), "jürgen@y.test").await.unwrap();
    let received = sink.take();
    assert_eq!(received[0].to, "jürgen@y.test");
    assert_eq!(received[0].mail_parameters, "SMTPUTF8");

    let keywords = vec!["PIPELINING", "8BITMIME"];
    let sink = SmtpSink::start_with(SinkSettings {
        keywords,
        ..Default::default()
    })
    .await
    .unwrap();
    let sender = sender_to(&sink);
    let failure = failure(send_to(&sender, "jürgen@y.test").await);
    assert_eq!(
        (failure.class, failure.code),
        (ErrorClass::Smtputf8Missing, None)
    );
    assert_eq!(failure.verdict(), Verdict::RecipientForNow);
    send_to(&sender, "b@xn--mnchen-3ya.test").await.unwrap();
    assert_eq!(
        (sink.count(), sink.connections()),
        (1, 1),
        "the connection is unharmed"
    );
}

#[tokio::test]
async fn a_message_with_a_bare_line_feed_is_not_sent() {
    let sink = SmtpSink::start().await.unwrap();
    let (failure, _) = fail_within(
        &sender_to(&sink),
        b"S: x\r\n\r\na\n.\nMAIL FROM:<a@x.test>\r\n",
        PATIENCE,
    )
    .await;
    assert_eq!(failure.class, ErrorClass::MessageMalformed);
    assert_eq!(sink.count(), 0);
}

/// Red when a connection is put back before its send has ended.
#[tokio::test]
async fn a_cancelled_send_leaves_no_half_connection_behind() {
    let sink = SmtpSink::start().await.unwrap();
    let sender = sender_to(&sink);
    for at in [At::Mail, At::Rcpt, At::Data, At::Body, At::Dot] {
        send(&sender).await.unwrap();
        let connections = sink.connections();
        sink.behave(Behaviour::StallAt(at));
        let cancelled = tokio::time::timeout(Duration::from_millis(100), send(&sender)).await;
        assert!(cancelled.is_err(), "{at:?}: cancelled on its way");
        sink.behave(Behaviour::Accept);
        if at == At::Body {
            sink.close_idle(None).await;
        }
        assert!(
            sink.wait_for_open(0, PATIENCE).await,
            "{at:?}: its connection is dropped"
        );
        let before = sink.count();
        send(&sender).await.unwrap();
        assert_eq!(
            (sink.count(), sink.connections()),
            (before + 1, connections + 1),
            "{at:?}"
        );
    }
}

#[tokio::test]
async fn idle_connections_are_closed_with_quit_at_the_idle_limit() {
    let sink = SmtpSink::start().await.unwrap();
    let sender = sender_with(&sink, |settings| {
        settings.idle_limit = Duration::from_secs(1)
    });
    send(&sender).await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!((sink.open_connections(), sink.quits()), (1, 0));
    assert!(sink.wait_for_open(0, PATIENCE).await);
    assert_eq!(sink.quits(), 1);
    send(&sender).await.unwrap();
    assert_eq!(sink.connections(), 2);
    assert!(
        sink.wait_for_open(0, PATIENCE).await,
        "the sweep has started again"
    );
    assert_eq!(sink.quits(), 2);
}

#[tokio::test]
async fn closing_says_quit_and_refuses_further_sends() {
    let sink = SmtpSink::start().await.unwrap();
    let sender = sender_to(&sink);
    let (one, two) = tokio::join!(send(&sender), send(&sender));
    assert!(one.is_ok() && two.is_ok() && sink.open_connections() == 2);
    sender.close().await;
    assert_eq!(sink.quits(), 2);
    assert!(sink.wait_for_open(0, PATIENCE).await);
    assert_eq!(send(&sender).await, Err(SendError::Closed));
}

/// Red when the pool keeps a connection that comes back after the sender was closed.
#[tokio::test]
async fn closing_lets_a_send_finish_and_does_not_keep_its_connection() {
    let sink = SmtpSink::start().await.unwrap();
    let sender = Arc::new(sender_to(&sink));
    send(&sender).await.unwrap();
    sink.behave(Behaviour::SlowBytes(Duration::from_millis(20)));
    let under_way = tokio::spawn({
        let sender = Arc::clone(&sender);
        async move { send(&sender).await }
    });
    tokio::time::sleep(Duration::from_millis(30)).await;
    sender.close().await;
    assert_eq!(
        (sink.count(), sink.open_connections()),
        (1, 1),
        "it is still on its way"
    );
    under_way.await.unwrap().unwrap();
    assert_eq!(sink.count(), 2);
    assert!(sink.wait_for_open(0, Duration::from_secs(2)).await);
}

#[tokio::test]
async fn closing_does_not_wait_for_a_server_that_does_not_answer() {
    let sink = SmtpSink::start().await.unwrap();
    let sender = sender_to(&sink);
    send(&sender).await.unwrap();
    sink.behave(Behaviour::StallAt(At::Quit));
    let started = Instant::now();
    sender.close().await;
    assert!(
        started.elapsed() < Duration::from_secs(3),
        "{:?}",
        started.elapsed()
    );
    assert!(sink.wait_for_open(0, PATIENCE).await);
}

#[tokio::test]
async fn bytes_that_trickle_in_are_read_as_replies() {
    let sink = SmtpSink::start().await.unwrap();
    sink.behave(Behaviour::SlowBytes(Duration::from_millis(1)));
    let sender = sender_to(&sink);
    send(&sender).await.unwrap();
    send(&sender).await.unwrap();
    assert_eq!((sink.count(), sink.connections()), (2, 1));
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_is_told_by_kind() {
    let sink = SmtpSink::start().await.unwrap();
    let closed = sink.url();
    drop(sink);
    tokio::task::yield_now().await;
    let cases = [
        (closed.as_str(), ErrorClass::ConnectRefused),
        ("smtp://no-such-host.invalid", ErrorClass::Dns),
    ];
    for (url, class) in cases {
        let mut settings = settings(url);
        // A resolver without a network takes its time to give up.
        let patience = Duration::from_secs(40);
        (settings.connect_timeout, settings.send_timeout) = (patience, patience);
        let sender = Sender::new(settings).unwrap();
        let (failure, _) = fail_within(&sender, MESSAGE, patience).await;
        assert_eq!(
            (failure.stage, failure.class),
            (Stage::Connect, class),
            "{url}"
        );
        assert_eq!(failure.verdict(), Verdict::ServerOrSettings);
    }
}

#[tokio::test]
async fn what_is_not_smtp_is_a_protocol_error_and_uncertain_after_the_dot() {
    let sink = SmtpSink::start().await.unwrap();
    let cases = [
        (At::Greeting, Stage::Greeting, "HTTP/1.1 400 Bad Request"),
        (At::Ehlo, Stage::Ehlo, "banana"),
        (At::Mail, Stage::MailFrom, "354 go ahead"),
        (At::Rcpt, Stage::RcptTo, "999 what"),
        (At::Rcpt, Stage::RcptTo, "250-ok\r\n550 or not"),
        (At::Data, Stage::Data, "250 ok"),
    ];
    for (at, stage, reply) in cases {
        sink.behave_times(1, Behaviour::reply(at, reply));
        let failure = failure(send(&sender_to(&sink)).await);
        assert_eq!(
            (failure.stage, failure.class),
            (stage, ErrorClass::Protocol),
            "{reply}"
        );
        assert!(!failure.uncertain, "{reply}");
    }
    for reply in ["banana", "354 more", "199 hm"] {
        sink.behave_times(1, Behaviour::reply(At::Dot, reply));
        let failure = failure(send(&sender_to(&sink)).await);
        assert_eq!(failure.stage, Stage::AfterDot, "{reply}");
        assert!(
            failure.uncertain && failure.class == ErrorClass::UnknownAfterData,
            "{reply}"
        );
    }
    let latin_1: &[&[u8]] = &[b"220 caf\xe9\r\n"];
    let url = format!("smtp://{}", parrot(latin_1).await);
    let failure = failure(send(&Sender::new(settings(&url)).unwrap()).await);
    assert_eq!(
        (failure.stage, failure.class),
        (Stage::Greeting, ErrorClass::Protocol)
    );
}

/// RFC 2920, section 3.1: a server may answer 354 to DATA though it refused the recipient. Red
/// when the connection is kept: the next message would be taken for the content of this one.
#[tokio::test]
async fn a_server_that_wants_data_after_a_refusal_gets_none() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"220 sink\r\n").await.unwrap();
        let mut heard = vec![0; 4096];
        for _ in 0..2 {
            assert!(stream.read(&mut heard).await.unwrap() > 0);
            stream
                .write_all(b"250-sink\r\n250 PIPELINING\r\n")
                .await
                .unwrap();
        }
        let count = stream.read(&mut heard).await.unwrap();
        let commands = String::from_utf8_lossy(&heard[..count]).into_owned();
        stream
            .write_all(b"250 ok\r\n550 5.1.1 no\r\n354 go ahead\r\n")
            .await
            .unwrap();
        let mut rest = Vec::new();
        let closed = stream.read_to_end(&mut rest);
        let closed = tokio::time::timeout(Duration::from_secs(2), closed).await;
        (commands, rest, closed.is_ok())
    });
    let sender = Sender::new(settings(&url)).unwrap();
    let failure = failure(send(&sender).await);
    assert_eq!(
        (failure.stage, failure.verdict()),
        (Stage::RcptTo, Verdict::RecipientForGood)
    );
    let (commands, rest, closed) = server.await.unwrap();
    assert_eq!(
        commands, "MAIL FROM:<from@x.test>\r\nRCPT TO:<to@y.test>\r\nDATA\r\n",
        "one write"
    );
    assert!(closed && rest.is_empty(), "closed at once, without a word");
}

#[tokio::test]
async fn no_address_of_a_hostile_reply_appears_in_an_error() {
    let sink = SmtpSink::start().await.unwrap();
    let canary = "canary@leak.test";
    let replies = [
        "550 5.1.1 <canary@leak.test>: unknown",
        "550 <canary@leak.test>: unknown",
        "550 canary@leak.test",
        "550-5.1.1 canary@leak.test\r\n550 5.1.1 canary@leak.test",
        "451 4.7.1 canary@leak.test",
        "canary@leak.test",
        "5501 canary@leak.test",
    ];
    for at in [
        At::Greeting,
        At::Ehlo,
        At::Mail,
        At::Rcpt,
        At::Data,
        At::Dot,
    ] {
        for reply in replies {
            sink.behave_times(1, Behaviour::reply(at, reply));
            let outcome = send_to(&sender_to(&sink), canary).await;
            let error = match outcome {
                Err(error) => error,
                Ok(accepted) => panic!("{at:?} {reply:?}: {accepted:?}"),
            };
            let mut told = format!("{error:?} {error}");
            let mut source = std::error::Error::source(&error);
            while let Some(inner) = source {
                told += &format!(" {inner:?} {inner}");
                source = inner.source();
            }
            assert!(!told.contains("canary") && !told.contains("leak"), "{told}");
        }
    }
}

#[tokio::test]
async fn settings_that_make_no_sender_are_refused_by_name() {
    type Change = fn(&mut SenderSettings);
    let cases: [(Change, SetupError); 6] = [
        (|settings| settings.concurrency = 0, SetupError::Concurrency),
        (
            |settings| settings.concurrency = usize::MAX,
            SetupError::Concurrency,
        ),
        (
            |settings| settings.hello = "two words".to_owned(),
            SetupError::Hello,
        ),
        (
            |settings| settings.hello = "x\r\nMAIL".to_owned(),
            SetupError::Hello,
        ),
        (
            |settings| settings.extra_root_pem = Some(b"no PEM".to_vec()),
            SetupError::RootCertificate,
        ),
        (
            |settings| {
                let pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
                settings.extra_root_pem = Some(pem.into());
            },
            SetupError::RootCertificate,
        ),
    ];
    for (change, want) in cases {
        for url in [
            "smtp://mail.test",
            "smtp+starttls://mail.test",
            "smtps://mail.test",
        ] {
            let mut settings = settings(url);
            change(&mut settings);
            assert_eq!(Sender::new(settings).err(), Some(want), "{url}");
        }
    }
}
