//! Two hundred bookings live their lives while something is struck again and again.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use holdfast_tests::{
    app,
    cluster::{End, TestCluster},
    database::TestDatabase,
    flow,
    host::{HostBuilder, TestHost},
    invariants::{self, Attempt, Evidence, Outcome},
    letter::Letter,
    process::{Running, Settings, free_port},
    smtp_sink::{Behaviour, SmtpSink},
};
use serde_json::{Value, json};
use shared::{
    instant::Instant,
    ops::Context,
    random::Random,
    store::{bookings, pool},
    token::ManageToken,
};
use sqlx::Connection as _;

const LIVES: usize = 200;
const CLIENTS: usize = 8;

struct Installation {
    database: TestDatabase,
    sink: SmtpSink,
    web: Settings,
    worker: Settings,
}

/// What is struck.
pub(super) enum Target {
    /// `kill -9` of the worker and the server by turns.
    Processes,
    /// PostgreSQL stops, in an orderly way and as in a crash by turns, and starts again.
    Database(Box<TestCluster>),
}

/// Strikes at seeded instants; at the end nothing is lost, nobody is booked twice, and every mail
/// arrived.
pub(super) async fn burst(strikes: u32, behaviour: Behaviour, mut target: Target) {
    let database = match &target {
        Target::Processes => TestDatabase::create().await,
        Target::Database(cluster) => cluster.database().await,
    };
    let sink = SmtpSink::start().await.unwrap();
    let (pages, context) = pages(&database).await;
    let mut web = Settings::web(&database).with("HOLDFAST_DATABASE_CONNECTIONS", "10");
    for name in [
        "HOLDFAST_MAX_BOOKING_REQUESTS_PER_MINUTE",
        "HOLDFAST_MAX_OPEN_HOLDS_PER_IP",
        "HOLDFAST_MAX_OPEN_HOLDS_PER_EVENT_TYPE",
        "HOLDFAST_MAX_OPEN_HOLDS_PER_ADDRESS",
        "HOLDFAST_MAX_BOOKINGS_PER_DAY_PER_IP",
        "HOLDFAST_MAX_BOOKINGS_PER_DAY_PER_ADDRESS",
    ] {
        web = web.with(name, "1000000");
    }
    // The keys of the context that made the pages.
    web = web.with(
        "HOLDFAST_KEYS",
        format!("test:{}", STANDARD.encode([7; 32])),
    );
    let worker = web
        .clone()
        .without("HOLDFAST_ROLE")
        .with("HOLDFAST_LISTEN", format!("127.0.0.1:{}", free_port()))
        .with("HOLDFAST_SMTP_URL", sink.url());
    let site = Installation {
        database,
        sink,
        web,
        worker,
    };
    site.sink.behave(behaviour);
    let mut server = Running::start(&site.web);
    let mut sender = Running::start_worker(&site.worker);
    server.ready().await;
    sender.ready().await;

    let next = Arc::new(AtomicUsize::new(0));
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let (url, pages, next) = (server.url.clone(), pages.clone(), next.clone());
            tokio::spawn(live(url, pages, context.clone(), next))
        })
        .collect();
    let random = Random::seeded(u64::from(strikes));
    for turn in 0..strikes {
        let [a, b] = random.bytes().unwrap();
        let pause = 20 + u64::from(u16::from_be_bytes([a, b])) % 250;
        tokio::time::sleep(Duration::from_millis(pause)).await;
        target = match target {
            Target::Processes if turn % 2 == 0 => {
                sender.signal("KILL");
                sender.ended().await;
                sender = Running::start_worker(&site.worker);
                sender.ready().await;
                Target::Processes
            }
            Target::Processes => {
                server.signal("KILL");
                server.ended().await;
                server = Running::start(&site.web);
                server.ready().await;
                Target::Processes
            }
            Target::Database(cluster) => {
                let end = if turn % 2 == 0 {
                    End::Fast
                } else {
                    End::Immediate
                };
                let cluster = cluster.restart(end, Duration::from_millis(pause)).await;
                // No process was restarted: each finds its way back by itself.
                server.ready().await;
                sender.ready().await;
                Target::Database(Box::new(cluster))
            }
        };
    }
    let mut attempts = Vec::new();
    for client in clients {
        attempts.extend(client.await.unwrap());
    }
    assert_eq!(attempts.len(), LIVES);
    settle(&site, sender).await;
    server.stop().await;

    let letters: Vec<Letter> = site.sink.take().iter().map(Letter::open).collect();
    let mut conn = sqlx::PgConnection::connect_with(&site.database.options())
        .await
        .unwrap();
    let evidence = Evidence {
        now: context.clock.now(),
        letters: &letters,
    };
    let mut faults = invariants::faults(&mut conn, &evidence).await;
    faults.extend(invariants::answer_faults(&mut conn, &attempts).await);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let booked = attempts
        .iter()
        .filter(|attempt| matches!(attempt.outcome, Outcome::Booked { .. }))
        .count();
    assert!(
        booked > LIVES / 4,
        "too few were booked to prove anything: {booked}"
    );
    conn.close().await.unwrap();
    context.pool.close().await;
    match target {
        Target::Processes => site.database.drop_it().await,
        Target::Database(cluster) => cluster.stop().await,
    }
}

/// Four hosts, one of whom is booked from the mailbox, and a context that reads what the processes write.
async fn pages(database: &TestDatabase) -> (Vec<TestHost>, Context) {
    let options = app::Options {
        system_clock: true,
        ..app::Options::default()
    };
    let context = app::context(pool::open(pool::tuned(database.options()), 3), &options).await;
    let mut pages = Vec::new();
    for handle in ["ana", "ben", "cai", "dee"] {
        let host = HostBuilder::new(&context, handle)
            .minutes(15, 15)
            .free("every day 0:00-24:00");
        let host = if handle == "dee" {
            host.by_mail()
        } else {
            host
        };
        pages.push(host.make().await);
    }
    (pages, context)
}

/// A client: it books, confirms, moves and cancels until all lives are lived. A broken connection ends a
/// life: its client does not know what became of it.
async fn live(
    url: String,
    pages: Vec<TestHost>,
    context: Context,
    next: Arc<AtomicUsize>,
) -> Vec<Attempt> {
    let client = reqwest::Client::builder()
        .timeout(Duration::from_secs(20))
        .build()
        .unwrap();
    let midnight = shared::clock::Clock::system().now().timestamp().as_second() / 86_400 * 86_400;
    let mut attempts = Vec::new();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= LIVES {
            return attempts;
        }
        let page = &pages[number % pages.len()];
        // Half of the lives want a time that another wants too.
        let quarter = i64::try_from(number / 8 * 2).unwrap();
        let at =
            |quarter: i64| Instant::from_second(midnight + 2 * 86_400 + quarter * 900).unwrap();
        let address = format!("life{number}@bookers.test");
        let wish = json!({ "start": at(quarter), "zone": "Europe/Paris", "name": "Sam Lee", "email": address });
        let answer = send(&client, &format!("{url}{}/bookings", page.api), None, &wish).await;
        let outcome = match &answer {
            None => Outcome::Unknown,
            Some((201, booking)) => Outcome::Booked {
                id: flow::id(booking),
                start: booking["start"].as_str().unwrap().parse().unwrap(),
                end: booking["end"].as_str().unwrap().parse().unwrap(),
            },
            Some((status, _)) => Outcome::Refused(*status),
        };
        attempts.push(Attempt { address, outcome });
        let Some((201, booking)) = answer else {
            continue;
        };
        let manage = async |verb: &str, token: &str, body: Value| {
            let url = format!("{url}/v1/manage/{verb}");
            send(&client, &url, Some(token), &body).await
        };
        let (token, revision) = match booking["manage_token"].as_str() {
            Some(token) => (token.to_owned(), 0),
            None => {
                let token = link(&context, &booking).await;
                manage("confirm", &token, json!({})).await;
                (token, 1)
            }
        };
        if !number.is_multiple_of(3) {
            let to = json!({ "start": at(quarter + 1 + 200), "expected_revision": revision });
            manage("reschedule", &token, to).await;
        }
        if number % 5 < 2 {
            manage("cancel", &token, json!({})).await;
        }
    }
}

/// A link of a hold's own, for a booker who does not wait for the mail.
async fn link(context: &Context, booking: &Value) -> String {
    let token = ManageToken::mint(&context.random).unwrap();
    let add = async || {
        let mut conn = context.pool.acquire().await?;
        bookings::add_token(&mut conn, &token.hash(), flow::id(booking), None).await
    };
    while add().await.is_err() {
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    token.as_str().to_owned()
}

/// Sends a request; `None` if its client cannot know what became of it: the connection broke, or the
/// server lost its database. A server that is down took nothing: the client waits for it.
async fn send(
    client: &reqwest::Client,
    url: &str,
    token: Option<&str>,
    body: &Value,
) -> Option<(u16, Value)> {
    loop {
        let mut request = client.post(url).json(body);
        if let Some(token) = token {
            request = request.header("X-Manage-Token", token);
        }
        match request.send().await {
            Ok(answer) => {
                let status = answer.status().as_u16();
                if status == 503 {
                    until_ready(client, url).await;
                    return None;
                }
                return Some((status, answer.json().await.ok()?));
            }
            Err(error) if error.is_connect() => tokio::time::sleep(Duration::from_millis(30)).await,
            Err(_) => return None,
        }
    }
}

/// Until the server has its database again.
async fn until_ready(client: &reqwest::Client, url: &str) {
    let (server, _) = url.split_once("/v1/").unwrap();
    let ready = async || {
        let answer = client.get(format!("{server}/readyz")).send().await;
        answer.is_ok_and(|answer| answer.status() == 200)
    };
    while !ready().await {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Lets leases of the dead end, and waits until everything that is due has gone.
async fn settle(site: &Installation, sender: Running) {
    // Nobody holds a claim but the dead: the living one stops first.
    sender.stop().await;
    site.sink.behave(Behaviour::Accept);
    site.database.run("UPDATE mail_outbox SET due_at = now() WHERE outcome IS NULL AND (claim_id IS NOT NULL OR (attempts > 0 AND kind <> 'reminder'))").await;
    let mut sender = Running::start_worker(&site.worker);
    sender.ready().await;
    // The context's own connections may be from before a restart.
    let mut conn = sqlx::PgConnection::connect_with(&site.database.options())
        .await
        .unwrap();
    for _ in 0..600 {
        let due: i64 = sqlx::query_scalar("SELECT count(*) FROM mail_outbox WHERE outcome IS NULL AND (due_at <= now() OR claim_id IS NOT NULL)")
            .fetch_one(&mut conn)
            .await
            .unwrap();
        if due == 0 {
            sender.stop().await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("mail is still due: {}", sender.stderr());
}
