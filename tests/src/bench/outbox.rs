//! The outbox: how fast owed mail leaves, and how soon after its commit.

use std::{
    sync::Arc,
    time::{Duration, Instant as Stopwatch},
};

use super::{
    cpu,
    holdfast::{self, Holdfast},
    http::Connection,
    plan::Plan,
    report::{Limit, Report, median},
};
use crate::smtp_sink::{Received, SmtpSink};

/// Bookings whose mail is owed when the drain begins: two mails each.
const OWED_BOOKINGS: u64 = 10_000;
/// Mails in flight in the drained lane, each over a connection of its own.
const IN_FLIGHT: u32 = 8;
const ROUNDS: usize = 3;
const IDLE_BOOKINGS: u64 = 200;
const IDLE_ALREADY: u64 = 64;
/// Between two bookings of an idle worker.
const IDLE_PAUSE: Duration = Duration::from_millis(40);
const PATIENCE: Duration = Duration::from_secs(60);

/// Measures both.
pub async fn run(report: &mut Report) {
    drain(report).await;
    idle(report).await;
}

/// Mails a second of one worker, the mail server accepting at once.
async fn drain(report: &mut Report) {
    let original = Arc::new(Plan::new(1_000, true, OWED_BOOKINGS))
        .set_up()
        .await;
    let (mut rates, mut worker_us, mut postgres_us) = (Vec::new(), Vec::new(), Vec::new());
    let mut connections = 0;
    for _ in 0..ROUNDS {
        let database = original.copy_of().await;
        let postmaster = cpu::postmaster(&database.options()).await;
        let sink = SmtpSink::start().await.unwrap();
        let mut settings = holdfast::over(database.url());
        settings.extend(holdfast::without_limits());
        settings.push(("HOLDFAST_SMTP_URL", sink.url()));
        // Each of the two lanes has half.
        settings.push(("HOLDFAST_MAIL_CONCURRENCY", (2 * IN_FLIGHT).to_string()));
        settings.push(("HOLDFAST_DATABASE_CONNECTIONS", (2 * IN_FLIGHT).to_string()));
        let before = cpu::of_postgres(postmaster);
        let worker = Holdfast::start("worker", &settings).await;
        let times = arrivals(&sink, 2 * OWED_BOOKINGS).await;
        let mails = times.len() as f64;
        let cpu = (cpu::of(worker.pid()), cpu::of_postgres(postmaster) - before);
        let (first, last) = (times.iter().min().unwrap(), times.iter().max().unwrap());
        rates.push(mails / (*last - *first).as_secs_f64());
        worker_us.push(cpu.0.as_secs_f64() * 1e6 / mails);
        postgres_us.push(cpu.1.as_secs_f64() * 1e6 / mails);
        connections = connections.max(sink.connections());
        worker.stop().await;
        database.drop_it().await;
    }
    original.drop_it().await;
    report.must(
        "outbox.drain.rate",
        median(&mut rates),
        "/s",
        Limit::AtLeast(1_000.0),
    );
    report.tell("outbox.drain.connections", connections as f64, "");
    report.tell("outbox.drain.cpu_worker", median(&mut worker_us), "us");
    report.tell("outbox.drain.cpu_postgres", median(&mut postgres_us), "us");
}

/// When each of so many mails arrived. The messages themselves are thrown away on the way.
async fn arrivals(sink: &SmtpSink, wanted: u64) -> Vec<Stopwatch> {
    let mut times = Vec::new();
    let began = Stopwatch::now();
    while (times.len() as u64) < wanted {
        assert!(
            began.elapsed() < PATIENCE,
            "{} of {wanted} mails",
            times.len()
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
        times.extend(sink.take().into_iter().map(|mail| mail.at));
    }
    times
}

/// From a booking to the mail server's last byte of its mail, nothing else to do: in one process,
/// and with a worker of its own.
async fn idle(report: &mut Report) {
    for (name, roles) in [("one", &["all"][..]), ("two", &["web", "worker"])] {
        let plan = Arc::new(Plan::new(20, false, IDLE_ALREADY));
        let database = plan.set_up().await;
        let sink = SmtpSink::start().await.unwrap();
        let mut settings = holdfast::over(database.url());
        settings.extend(holdfast::without_limits());
        settings.push(("HOLDFAST_SMTP_URL", sink.url()));
        let mut processes = Vec::new();
        for role in roles {
            processes.push(Holdfast::start(role, &settings).await);
        }
        // The mail of the bookings that are there already goes first.
        let already = usize::try_from(plan.already).unwrap();
        sink.wait_for(already, PATIENCE).await.unwrap();
        drop(sink.take());
        let mut connection = Connection::open(processes[0].address).await.unwrap();
        let (mut since_request, mut since_answer) = (Vec::new(), Vec::new());
        for n in 0..IDLE_BOOKINGS {
            tokio::time::sleep(IDLE_PAUSE).await;
            let sent = Stopwatch::now();
            let (status, _) = connection.send(&plan.request(n)).await.unwrap();
            let answered = Stopwatch::now();
            assert_eq!(status, 201);
            let mail = the_next(&sink, already + since_request.len()).await;
            since_request.push(mail.at.duration_since(sent).as_secs_f64() * 1e3);
            // Before the answer, when the worker is faster than the answer's way.
            let late = mail.at.saturating_duration_since(answered);
            since_answer.push(late.as_secs_f64() * 1e3);
        }
        for process in processes {
            process.stop().await;
        }
        database.drop_it().await;
        // The commit lies between the two.
        report.must(
            format!("outbox.idle.{name}_process.since_request"),
            median(&mut since_request),
            "ms",
            Limit::AtMost(50.0),
        );
        report.tell(
            format!("outbox.idle.{name}_process.since_answer"),
            median(&mut since_answer),
            "ms",
        );
    }
}

async fn the_next(sink: &SmtpSink, already: usize) -> Received {
    sink.wait_for(already + 1, PATIENCE).await.unwrap();
    sink.take().pop().expect("one mail for a hold")
}
