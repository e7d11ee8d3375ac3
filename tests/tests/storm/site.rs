//! Two servers and two workers, killed and started again.

use std::time::{Duration, Instant};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use holdfast_tests::{
    database::TestDatabase,
    process::{Running, Settings, free_port},
    smtp_sink::{Behaviour, SmtpSink},
};

/// Mails in flight at once in a worker: some hang.
const IN_FLIGHT: &str = "24";

/// A start takes a fifth of a second where the machine has nothing else to do.
const TO_SERVE: Duration = Duration::from_secs(2);

/// The installation.
pub struct Site {
    pub database: TestDatabase,
    pub sink: SmtpSink,
    pub servers: [Program; 2],
    pub workers: [Program; 2],
}

/// `kill -9` of one of two, and a new start at once. The other one serves meanwhile.
pub async fn kill_one(two: &mut [Program; 2], turn: usize) {
    two[1 - turn].serves().await;
    two[turn].kill().await;
    two[turn].begin();
}

/// A program and how it is started.
pub struct Program {
    settings: Settings,
    start: fn(&Settings) -> Running,
    running: Running,
    /// How often it was killed, and how often it had been ready then.
    pub killed: u32,
    pub was_ready: u32,
    /// What it said that it never should.
    pub faults: Vec<String>,
}

impl Site {
    /// Starts everything over a database.
    pub async fn start(database: TestDatabase) -> Self {
        let sink = SmtpSink::start().await.unwrap();
        let server = || {
            let mut settings = Settings::web(&database)
                .with("HOLDFAST_LOG", "warn")
                .with("HOLDFAST_DATABASE_CONNECTIONS", "10")
                .with("HOLDFAST_SLOT_CONCURRENCY", "1000")
                // The keys of the context that made the pages.
                .with(
                    "HOLDFAST_KEYS",
                    format!("test:{}", STANDARD.encode([7; 32])),
                );
            for limit in [
                "HOLDFAST_MAX_BOOKING_REQUESTS_PER_MINUTE",
                "HOLDFAST_MAX_OPEN_HOLDS_PER_IP",
                "HOLDFAST_MAX_OPEN_HOLDS_PER_EVENT_TYPE",
                "HOLDFAST_MAX_OPEN_HOLDS_PER_ADDRESS",
                "HOLDFAST_MAX_BOOKINGS_PER_DAY_PER_IP",
                "HOLDFAST_MAX_BOOKINGS_PER_DAY_PER_ADDRESS",
            ] {
                settings = settings.with(limit, "1000000");
            }
            settings
        };
        let worker = || {
            server()
                .without("HOLDFAST_ROLE")
                .with("HOLDFAST_SMTP_URL", sink.url())
                .with("HOLDFAST_MAIL_CONCURRENCY", IN_FLIGHT)
        };
        let (servers, workers) = (
            [server(), server()].map(|settings| Program::start(settings, Running::start)),
            [worker(), worker()].map(|settings| Program::start(settings, Running::start_worker)),
        );
        let mut site = Self {
            database,
            sink,
            servers,
            workers,
        };
        for program in site.programs() {
            program.running.ready().await;
        }
        site
    }

    /// All four.
    pub fn programs(&mut self) -> impl Iterator<Item = &mut Program> {
        self.servers.iter_mut().chain(&mut self.workers)
    }

    /// Kills both workers and lets their leases end, as if ten minutes had passed; every mail that
    /// waits for its next try is due.
    pub async fn end_leases_of_the_dead(&mut self) {
        for worker in &mut self.workers {
            worker.kill().await;
        }
        // What they had said is read to its end before anybody says more.
        self.sink.close_idle(None).await;
        self.make_due("true").await;
        for worker in &mut self.workers {
            worker.begin();
        }
    }

    /// Everything heals: the mail server accepts, and fresh workers begin after the old ones ended
    /// as they should.
    pub async fn heal(&mut self) {
        self.sink.behave(Behaviour::Accept);
        self.sink.close_idle(None).await;
        for worker in &mut self.workers {
            worker.running.ready().await;
            worker.running.signal("TERM");
        }
        for worker in &mut self.workers {
            let status = worker.running.ended().await;
            assert_eq!(status.code(), Some(0), "{}", worker.running.stderr());
            worker.look();
        }
        self.make_due("true").await;
        for worker in &mut self.workers {
            worker.begin();
            worker.running.ready().await;
        }
    }

    /// Lets the time pass that mail without a claim waits for its next try.
    pub async fn pass_time(&self) {
        self.make_due("claim_id IS NULL").await;
    }

    async fn make_due(&self, which: &str) {
        // Whoever has a row at this moment is not waited for.
        let sql = format!(
            "UPDATE mail_outbox SET due_at = clock_timestamp() WHERE id IN (
                SELECT id FROM mail_outbox WHERE outcome IS NULL AND due_at > clock_timestamp()
                   AND (kind <> 'reminder' OR remind_at <= clock_timestamp()) AND {which}
                   FOR UPDATE SKIP LOCKED)"
        );
        self.database.run(&sql).await;
    }

    /// Everybody stops as asked.
    pub async fn stop(&mut self) {
        for program in self.programs() {
            program.running.signal("TERM");
            let status = program.running.ended().await;
            assert_eq!(status.code(), Some(0), "{}", program.running.stderr());
            program.look();
        }
    }
}

impl Program {
    fn start(mut settings: Settings, start: fn(&Settings) -> Running) -> Self {
        settings = settings.with("HOLDFAST_LISTEN", format!("127.0.0.1:{}", free_port()));
        Self {
            running: start(&settings),
            settings,
            start,
            killed: 0,
            was_ready: 0,
            faults: Vec::new(),
        }
    }

    /// `http://127.0.0.1:<port>`
    pub fn url(&self) -> String {
        self.running.url.clone()
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.running.pid()
    }

    async fn kill(&mut self) {
        assert!(
            self.running.runs(),
            "it ended by itself: {}",
            self.running.stderr()
        );
        self.killed += 1;
        if self.is_ready().await {
            self.was_ready += 1;
        }
        self.running.kill().await;
        self.look();
    }

    /// Waits a little until it can serve: on a busy machine it may take longer than it has to live.
    async fn serves(&mut self) {
        let begun = Instant::now();
        while begun.elapsed() < TO_SERVE && self.running.runs() && !self.is_ready().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    fn begin(&mut self) {
        self.running = (self.start)(&self.settings);
    }

    async fn is_ready(&self) -> bool {
        let answer = reqwest::get(format!("{}/readyz", self.running.url));
        let answer = tokio::time::timeout(Duration::from_millis(300), answer).await;
        answer.is_ok_and(|answer| answer.is_ok_and(|answer| answer.status() == 200))
    }

    /// Reads what it said until its end.
    fn look(&mut self) {
        let said = self.running.stderr();
        let bad = said
            .lines()
            .filter(|line| line.contains("panicked") || line.contains("\"level\":\"ERROR\""));
        self.faults
            .extend(bad.map(|line| format!("it said: {line}")));
    }
}
