//! What mail servers do to those who send: each torment with what must come of it.

use std::time::Duration;

use super::{At, Behaviour, SinkSettings, Tls};

/// How long a send may take under a torment: silence is cut off by then.
pub const PATIENCE: Duration = Duration::from_millis(1_500);

/// One misbehaviour of a mail server.
#[derive(Clone, Debug)]
pub struct Torment {
    /// What it is, in a few words.
    pub name: String,
    pub sink: SinkSettings,
    /// Instead of the scheme that fits the sink.
    pub scheme: Option<&'static str>,
    /// `user:password@`, or nothing.
    pub account: &'static str,
    /// Whether the sink's certificate is trusted.
    pub trusted: bool,
    pub behaviour: Behaviour,
    pub end: End,
}

/// What must come of a send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It is sent all the same.
    Sent,
    /// It failed with these words of the row: class, stage, codes. The server has no copy.
    Failed(String),
    /// The same, but nobody can know whether the server took it: it counts as uncertain. Here the
    /// server has a copy.
    Taken(String),
    /// Uncertain as well, and the server has no copy.
    Unknown(String),
}

fn torment(name: impl Into<String>, behaviour: Behaviour, end: End) -> Torment {
    Torment {
        name: name.into(),
        sink: SinkSettings::default(),
        scheme: None,
        account: "",
        trusted: true,
        behaviour,
        end,
    }
}

/// All of them.
#[must_use]
pub fn torments() -> Vec<Torment> {
    let mut all = silence();
    all.extend(cuts());
    all.extend(refusals());
    all.extend(nonsense());
    all.extend(protection());
    all.extend(oddities());
    all
}

const AFTER_DOT: &str = "unknown_after_data after_dot";

/// The stages at which a plain sink can fall silent or hang up, and what the row says then.
const STAGES: [(At, &str); 5] = [
    (At::Greeting, "greeting"),
    (At::Ehlo, "ehlo"),
    (At::Mail, "mail_from"),
    (At::Rcpt, "rcpt_to"),
    (At::Data, "data"),
];

/// It says nothing, for ever.
fn silence() -> Vec<Torment> {
    let plain = STAGES.map(|(at, stage)| {
        let end = words("timeout", stage);
        torment(format!("silent at {at:?}"), Behaviour::StallAt(at), end)
    });
    let mut all = Vec::from(plain);
    // The message fits into the buffers of the system: it has left.
    for at in [At::Body, At::Dot] {
        let end = End::Unknown(AFTER_DOT.into());
        all.push(torment(
            format!("silent at {at:?}"),
            Behaviour::StallAt(at),
            end,
        ));
    }
    for tls in [Tls::StartTls, Tls::Implicit] {
        let silent = torment(
            format!("silent in the handshake of {tls:?}"),
            Behaviour::StallAt(At::Tls),
            End::Failed("timeout tls".into()),
        );
        all.push(with_tls(silent, tls));
    }
    let auth = torment(
        "silent at AUTH",
        Behaviour::StallAt(At::Auth),
        End::Failed("timeout auth".into()),
    );
    all.push(with_account(auth));
    all
}

/// It hangs up, politely or not.
fn cuts() -> Vec<Torment> {
    let mut all = Vec::new();
    for (at, stage) in STAGES {
        for behaviour in [Behaviour::DropAt(at), Behaviour::ResetAt(at)] {
            let end = words("connection_lost", stage);
            all.push(torment(format!("{behaviour:?}"), behaviour, end));
        }
        let half = Behaviour::CutAt(at, "2");
        all.push(torment(
            format!("{half:?}"),
            half,
            words("connection_lost", stage),
        ));
    }
    for behaviour in [Behaviour::DropAt(At::Dot), Behaviour::ResetAt(At::Dot)] {
        all.push(torment(
            format!("{behaviour:?}"),
            behaviour,
            End::Unknown(AFTER_DOT.into()),
        ));
    }
    for behaviour in [
        Behaviour::LoseAck,
        Behaviour::CutAt(At::Dot, "25"),
        Behaviour::CutAt(At::Dot, "250 2.0.0 que"),
        Behaviour::CutAt(At::Dot, "250-2.0.0 queued\r\n"),
    ] {
        all.push(torment(
            format!("{behaviour:?}"),
            behaviour,
            End::Taken(AFTER_DOT.into()),
        ));
    }
    let refused = Behaviour::CutAt(At::Dot, "5");
    all.push(torment(
        "cut in a refusal",
        refused,
        End::Unknown(AFTER_DOT.into()),
    ));
    all
}

/// It says no.
fn refusals() -> Vec<Torment> {
    let replies = [
        (
            At::Greeting,
            "554 5.7.1 blocked",
            "policy greeting 554 5.7.1",
        ),
        (
            At::Greeting,
            "421 4.3.2 closing",
            "server_deferred greeting 421 4.3.2",
        ),
        (At::Ehlo, "550 who?", "server_refused ehlo 550"),
        (
            At::Mail,
            "553 5.1.8 sender",
            "server_refused mail_from 553 5.1.8",
        ),
        (
            At::Mail,
            "452 4.3.1 disk full",
            "server_deferred mail_from 452 4.3.1",
        ),
        (At::Mail, "421 4.7.0 too many", "policy mail_from 421 4.7.0"),
        (At::Mail, "530 5.7.0 sign in", "auth mail_from 530 5.7.0"),
        (
            At::Mail,
            "552 5.3.4 too large",
            "server_refused mail_from 552 5.3.4",
        ),
        (
            At::Rcpt,
            "550 5.1.1 unknown",
            "recipient_refused rcpt_to 550 5.1.1",
        ),
        (
            At::Rcpt,
            "550 5.2.1 disabled",
            "recipient_refused rcpt_to 550 5.2.1",
        ),
        (At::Rcpt, "550 unknown", "recipient_refused rcpt_to 550"),
        (
            At::Rcpt,
            "550-5.1.1 un\r\n550 5.1.1 known",
            "recipient_refused rcpt_to 550 5.1.1",
        ),
        (
            At::Rcpt,
            "550 5.1.7 sender",
            "server_refused rcpt_to 550 5.1.7",
        ),
        (At::Rcpt, "550 #5.7.1 policy", "policy rcpt_to 550 5.7.1"),
        (
            At::Rcpt,
            "450 4.7.1 greylisted",
            "recipient_deferred rcpt_to 450 4.7.1",
        ),
        (
            At::Rcpt,
            "451 4.7.1 greylisted",
            "recipient_deferred rcpt_to 451 4.7.1",
        ),
        (
            At::Rcpt,
            "452 4.2.2 full",
            "recipient_deferred rcpt_to 452 4.2.2",
        ),
        (
            At::Rcpt,
            "552 5.2.2 full",
            "recipient_deferred rcpt_to 552 5.2.2",
        ),
        (At::Rcpt, "421 bye", "recipient_deferred rcpt_to 421"),
        (
            At::Rcpt,
            "421 4.7.0 limit",
            "domain_deferred rcpt_to 421 4.7.0",
        ),
        (
            At::Data,
            "451 4.7.1 limit",
            "domain_deferred data 451 4.7.1",
        ),
        (At::Data, "554 5.5.1 no", "server_refused data 554 5.5.1"),
        (
            At::Dot,
            "550 5.1.1 unknown",
            "recipient_refused after_dot 550 5.1.1",
        ),
        (
            At::Dot,
            "554 5.6.0 content",
            "server_refused after_dot 554 5.6.0",
        ),
        (At::Dot, "550 5.7.26 DMARC", "policy after_dot 550 5.7.26"),
        (
            At::Dot,
            "452 4.3.1 disk full",
            "server_deferred after_dot 452 4.3.1",
        ),
        (
            At::Dot,
            "421 4.7.28 limit",
            "domain_deferred after_dot 421 4.7.28",
        ),
    ];
    replies
        .map(|(at, reply, row)| {
            let name = format!("{reply:?} at {at:?}");
            torment(name, Behaviour::reply(at, reply), End::Failed(row.into()))
        })
        .into()
}

/// It says what is not SMTP, or not here.
fn nonsense() -> Vec<Torment> {
    let raw = |at, bytes: &[u8]| Behaviour::RawAt(at, bytes.to_vec());
    let long_line = [b"250 ".as_slice(), &[b'x'; 5_000], b"\r\n"].concat();
    let many_lines = [b"250-x\r\n".repeat(20_000).as_slice(), b"250 x\r\n"].concat();
    let before_dot = [
        (
            raw(At::Greeting, b"HTTP/1.1 400 Bad Request\r\n\r\n"),
            "greeting",
        ),
        (raw(At::Greeting, b"SSH-2.0-OpenSSH_9.2\r\n"), "greeting"),
        (
            raw(At::Greeting, b"\x16\x03\x01\x00\xa5\x01\r\n"),
            "greeting",
        ),
        (raw(At::Greeting, b"220 caf\xe9\r\n"), "greeting"),
        (raw(At::Greeting, b"\r\n"), "greeting"),
        (raw(At::Greeting, b"354 go ahead\r\n"), "greeting 354"),
        (raw(At::Ehlo, b"banana\r\n"), "ehlo"),
        (raw(At::Ehlo, &many_lines), "ehlo"),
        (raw(At::Mail, b"250 o\0k\r\n25 ok\r\n"), "rcpt_to"),
        (raw(At::Mail, b"354 go ahead\r\n"), "mail_from 354"),
        (raw(At::Rcpt, b"999 what\r\n"), "rcpt_to"),
        (raw(At::Rcpt, b"2500 ok\r\n"), "rcpt_to"),
        (raw(At::Rcpt, b"250-ok\r\n550 or not\r\n"), "rcpt_to"),
        (raw(At::Rcpt, &long_line), "rcpt_to"),
        (raw(At::Data, b"250 ok\r\n"), "data 250"),
        // An answer too many puts all that follow in the wrong place.
        (raw(At::Greeting, b"220 sink\r\n250 sink\r\n"), "mail_from"),
        (raw(At::Mail, b"250 ok\r\n250 ok\r\n"), "data 250 2.1.5"),
        (raw(At::Data, b"354 go\r\n250 2.0.0 queued\r\n"), "data"),
        (
            Behaviour::FloodAt(At::Greeting, b"220-more\r\n"),
            "greeting",
        ),
        (Behaviour::FloodAt(At::Ehlo, b"x"), "ehlo"),
        (Behaviour::FloodAt(At::Rcpt, b"550 "), "rcpt_to"),
    ];
    let mut all: Vec<Torment> = before_dot
        .into_iter()
        .map(|(behaviour, stage)| {
            let mut name = format!("{behaviour:?}");
            name.truncate(60);
            torment(name, behaviour, words("protocol", stage))
        })
        .collect();
    for (bytes, end) in [
        (b"banana\r\n".as_slice(), End::Unknown(AFTER_DOT.into())),
        (
            b"354 more\r\n",
            End::Unknown("unknown_after_data after_dot 354".into()),
        ),
        (b"199 hm\r\n", End::Unknown(AFTER_DOT.into())),
        (
            b"250-2.0.0 queued\r\n550 or not\r\n",
            End::Taken(AFTER_DOT.into()),
        ),
        (b"2500 ok\r\n", End::Taken(AFTER_DOT.into())),
    ] {
        let name = format!("{:?} at the dot", String::from_utf8_lossy(bytes));
        all.push(torment(name, raw(At::Dot, bytes), end));
    }
    for bytes in [b"x".as_slice(), b"250-more\r\n"] {
        let flood = Behaviour::FloodAt(At::Dot, bytes);
        all.push(torment(
            format!("{flood:?}"),
            flood,
            End::Unknown(AFTER_DOT.into()),
        ));
    }
    all
}

/// TLS and signing in.
fn protection() -> Vec<Torment> {
    let accept = || Behaviour::Accept;
    let tls = || End::Failed("tls tls".into());
    let mut stripped = torment("STARTTLS is not offered", accept(), tls());
    stripped.scheme = Some("smtp+starttls");
    let mut all = vec![stripped];
    for kind in [Tls::StartTls, Tls::Implicit] {
        let mut untrusted = torment(format!("{kind:?} with an unknown root"), accept(), tls());
        untrusted.trusted = false;
        all.push(with_tls(untrusted, kind));
        let mut misnamed = torment(format!("{kind:?} with another name"), accept(), tls());
        misnamed.sink.certificate_names = vec!["other.test".to_owned()];
        all.push(with_tls(misnamed, kind));
        let cut = torment(
            format!("{kind:?} cut in the handshake"),
            Behaviour::DropAt(At::Tls),
            tls(),
        );
        all.push(with_tls(cut, kind));
        let unknown = torment(
            format!("the answer is lost under {kind:?}"),
            Behaviour::LoseAck,
            End::Taken(AFTER_DOT.into()),
        );
        all.push(with_tls(unknown, kind));
    }
    let mut plain = torment("plain where TLS is expected", accept(), tls());
    plain.scheme = Some("smtps");
    all.push(plain);
    let refused = torment(
        "STARTTLS refused",
        Behaviour::reply(At::Tls, "454 4.7.0 not now"),
        End::Failed("tls tls 454 4.7.0".into()),
    );
    all.push(with_tls(refused, Tls::StartTls));
    let injected = torment(
        "answers slipped in behind STARTTLS",
        Behaviour::reply(At::Tls, "220 2.0.0 go ahead\r\n250 injected"),
        tls(),
    );
    all.push(with_tls(injected, Tls::StartTls));

    let mut wrong = torment(
        "wrong password",
        accept(),
        End::Failed("auth auth 535 5.7.8".into()),
    );
    wrong = with_account(wrong);
    wrong.account = "u:wrong@";
    all.push(wrong);
    let later = torment(
        "AUTH refused for now",
        Behaviour::reply(At::Auth, "454 4.7.0 not now"),
        End::Failed("auth auth 454 4.7.0".into()),
    );
    all.push(with_account(later));
    let mut foreign = torment(
        "no AUTH in common",
        accept(),
        End::Failed("auth auth".into()),
    );
    foreign = with_account(foreign);
    foreign.sink.mechanisms = "CRAM-MD5 XOAUTH2";
    all.push(foreign);
    let mut missing = torment(
        "AUTH not offered",
        accept(),
        End::Failed("auth auth".into()),
    );
    missing.account = "u:p@";
    all.push(missing);
    let mut required = torment(
        "AUTH required",
        accept(),
        End::Failed("auth mail_from 530 5.7.0".into()),
    );
    required = with_account(required);
    required.account = "";
    all.push(required);
    all
}

/// What is unusual and no fault.
fn oddities() -> Vec<Torment> {
    let sent = |name: &str, behaviour| torment(name, behaviour, End::Sent);
    let mut bare = sent("no extension at all", Behaviour::Accept);
    bare.sink.keywords = Vec::new();
    let mut eight_bit = sent("neither 8BITMIME nor SMTPUTF8", Behaviour::Accept);
    eight_bit.sink.keywords = vec!["PIPELINING"];
    let mut once = sent("one message a connection, then 421", Behaviour::Accept);
    once.sink.most_messages = Some(1);
    let mut helo = torment(
        "HELO only",
        Behaviour::Accept,
        End::Failed("server_refused ehlo 502 5.5.1".into()),
    );
    helo.sink.helo_only = true;
    let slow = |pause| Behaviour::SlowBytes(Duration::from_micros(pause));
    vec![
        bare,
        eight_bit,
        once,
        helo,
        sent(
            "a greeting of many lines",
            Behaviour::reply(At::Greeting, "220-a\r\n220-b\r\n220 c"),
        ),
        sent(
            "250 and no more",
            Behaviour::RawAt(At::Dot, b"250\r\n".to_vec()),
        ),
        sent(
            "an answer of many lines",
            Behaviour::reply(At::Dot, "250-2.0.0 a\r\n250 2.0.0 b"),
        ),
        sent(
            "251 at RCPT",
            Behaviour::reply(At::Rcpt, "251 2.1.5 will forward"),
        ),
        sent(
            "252 at RCPT",
            Behaviour::reply(At::Rcpt, "252 2.1.5 perhaps"),
        ),
        sent("byte by byte", slow(300)),
        sent(
            "a tenth of a second late",
            Behaviour::DelayAt(At::Dot, Duration::from_millis(100)),
        ),
        torment(
            "byte by byte, too slow",
            slow(300_000),
            End::Failed("timeout greeting".into()),
        ),
    ]
}

fn words(class: &str, stage: &str) -> End {
    End::Failed(format!("{class} {stage}"))
}

fn with_tls(mut torment: Torment, tls: Tls) -> Torment {
    torment.sink.tls = tls;
    torment
}

fn with_account(mut torment: Torment) -> Torment {
    torment.sink.account = Some(("u".to_owned(), "p".to_owned()));
    torment.account = "u:p@";
    torment
}
