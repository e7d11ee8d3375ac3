//! A whole installation in one process: the HTTP half, a worker that a test drives by calls, and a
//! mail server. Its end checks what must hold whatever happened.

use std::{ops::Deref, time::Duration};

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use shared::{ops::Authority, seal::Place};
use uuid::Uuid;

use crate::{
    Answer, TestApp, TestMail,
    app::Options,
    host::TestHost,
    invariants::{self, Evidence},
};

/// Who books unless somebody else is named.
pub const SAM: &str = "sam@bookers.test";

/// The installation. It is a [`TestApp`] with mail.
pub struct Flow {
    pub app: TestApp,
    pub mail: TestMail,
}

impl Deref for Flow {
    type Target = TestApp;

    fn deref(&self) -> &TestApp {
        &self.app
    }
}

/// A request to book, as JSON.
pub fn wish(start: &str, email: &str) -> Value {
    json!({ "start": start, "zone": "Europe/Paris", "name": "Sam Lee", "email": email })
}

impl Flow {
    /// With generous limits.
    pub async fn start() -> Self {
        Self::with(Options::default()).await
    }

    /// As asked.
    pub async fn with(options: Options) -> Self {
        let app = TestApp::with(options).await;
        let mail = TestMail::start(&app.context).await;
        Self { app, mail }
    }

    /// Sets the clock.
    pub fn at(&self, instant: &str) {
        self.context.clock.set(instant.parse().unwrap());
    }

    /// Asks for a slot.
    pub async fn book(&self, host: &TestHost, start: &str, email: &str) -> Answer {
        self.ask(host, &wish(start, email)).await
    }

    /// Asks for a slot, in the caller's words.
    pub async fn ask(&self, host: &TestHost, wish: &Value) -> Answer {
        self.send(self.asking(host, wish)).await
    }

    /// The request, from an IP of the booker's own: the locks that count strangers must not be what
    /// keeps two of them apart.
    fn asking(&self, host: &TestHost, wish: &Value) -> RequestBuilder {
        let email = wish["email"].as_str().unwrap_or_default();
        let [a, b, c] = email.bytes().fold([1_u8; 3], |[a, b, c], byte| {
            [b, c, a.wrapping_mul(31).wrapping_add(byte)]
        });
        self.request(Method::POST, &format!("{}/bookings", host.api))
            .header("X-Forwarded-For", format!("10.{a}.{b}.{c}"))
            .json(wish)
    }

    /// The same under an idempotency key.
    pub async fn ask_once(&self, host: &TestHost, wish: &Value, key: &str) -> Answer {
        let request = self.asking(host, wish);
        self.send(request.header("Idempotency-Key", key)).await
    }

    /// Books; answers the booking.
    pub async fn booked(&self, host: &TestHost, start: &str) -> Value {
        let answer = self.book(host, start, SAM).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()
    }

    /// Books, sends the mail, and answers the token in the booker's.
    pub async fn link(&self, host: &TestHost, start: &str, email: &str) -> String {
        let answer = self.book(host, start, email).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        self.mail.drain().await;
        self.mail.token(email)
    }

    /// `GET /v1/manage<path>`.
    pub async fn look(&self, path: &str, token: &str) -> Answer {
        let request = self.request(Method::GET, &format!("/v1/manage{path}"));
        self.send(request.header("X-Manage-Token", token)).await
    }

    /// `POST /v1/manage/<verb>`.
    pub async fn manage(&self, verb: &str, token: &str, body: &Value) -> Answer {
        let request = self.request(Method::POST, &format!("/v1/manage/{verb}"));
        self.send(request.header("X-Manage-Token", token).json(body))
            .await
    }

    /// Confirms.
    pub async fn confirm(&self, token: &str) -> Answer {
        self.manage("confirm", token, &json!({})).await
    }

    /// Cancels.
    pub async fn cancel(&self, token: &str) -> Answer {
        self.manage("cancel", token, &json!({})).await
    }

    /// Moves.
    pub async fn reschedule(&self, token: &str, start: &str, revision: i32) -> Answer {
        let body = json!({ "start": start, "expected_revision": revision });
        self.manage("reschedule", token, &body).await
    }

    /// One more page of a host, of another length and otherwise the same.
    pub async fn second_page(&self, host: &TestHost, minutes: u16) -> TestHost {
        let context = &self.context;
        let id = shared::id::new(context.clock.now(), &context.random).unwrap();
        let code = context.random.lower_alphanumeric(8).unwrap();
        self.sql(&format!(
            "INSERT INTO event_types SELECT * FROM jsonb_populate_record(NULL::event_types,
                (SELECT to_jsonb(t) FROM event_types t WHERE id = '{}')
                || '{{\"id\": \"{id}\", \"code\": \"{code}\", \"duration_min\": {minutes}}}')",
            host.event_type
        ))
        .await;
        // What is sealed for one row does not open in another.
        for (column, words) in [("title", "Review"), ("description", "")] {
            let place = Place::new("event_types", column, id);
            let sealed = context
                .keys
                .seal
                .seal(place, words.as_bytes(), &context.random)
                .unwrap();
            let sql = format!("UPDATE event_types SET {column}_sealed = $1 WHERE id = $2");
            sqlx::query(sqlx::AssertSqlSafe(sql))
                .bind(sealed)
                .bind(id)
                .execute(&context.pool)
                .await
                .unwrap();
        }
        TestHost {
            event_type: id,
            page: format!("/book/{}/{code}", host.handle),
            api: format!("/v1/pages/{}/{code}", host.handle),
            ..host.clone()
        }
    }

    /// How often a table's rows meet a condition.
    pub async fn count(&self, from: &str) -> i64 {
        let sql = sqlx::AssertSqlSafe(format!("SELECT count(*) FROM {from}"));
        sqlx::query_scalar(sql)
            .fetch_one(&self.context.pool)
            .await
            .unwrap()
    }

    /// One text.
    pub async fn text(&self, sql: &str) -> String {
        let found: Option<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql.to_owned()))
            .fetch_one(&self.context.pool)
            .await
            .unwrap();
        found.unwrap_or_default()
    }

    /// Texts, in the statement's order.
    pub async fn texts(&self, sql: &str) -> Vec<String> {
        sqlx::query_scalar(sqlx::AssertSqlSafe(sql.to_owned()))
            .fetch_all(&self.context.pool)
            .await
            .unwrap()
    }

    /// Whether, after a moment, nobody is in a transaction.
    pub async fn is_quiet(&self) -> bool {
        let mut conn = self.context.pool.acquire().await.unwrap();
        invariants::is_quiet(&mut conn).await
    }

    /// Until some session of this database waits for a lock.
    pub async fn somebody_waits(&self) {
        for _ in 0..3_000 {
            let waiting = self
                .count("pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
                .await;
            if waiting > 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("nobody waits for a lock");
    }

    /// How many deadlocks the database has broken.
    pub async fn deadlocks(&self) -> i64 {
        // Sessions report their figures late.
        self.sql("SELECT pg_stat_clear_snapshot()").await;
        sqlx::query_scalar(
            "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
        )
        .fetch_one(&self.context.pool)
        .await
        .unwrap()
    }

    /// Runs SQL.
    pub async fn sql(&self, sql: &str) {
        self.database.run(sql).await;
    }

    /// Everything that is not as it must be.
    pub async fn faults(&self) -> Vec<String> {
        let letters = self.mail.letters();
        let mut conn = self.context.pool.acquire().await.unwrap();
        let evidence = Evidence {
            now: self.context.clock.now(),
            letters: &letters,
        };
        invariants::faults(&mut conn, &evidence).await
    }

    /// Ends: what is due is sent, and then everything must be in order.
    pub async fn end(self) {
        self.mail.drain().await;
        let faults = self.faults().await;
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        self.app.end().await;
    }
}

/// A booking's id, from its JSON.
pub fn id(booking: &Value) -> Uuid {
    booking["id"].as_str().unwrap().parse().unwrap()
}

/// What a host proved elsewhere about a booking.
pub fn by_host(host: &TestHost, booking: &Value) -> Authority<'static> {
    Authority::Host {
        booking: id(booking),
        host: host.id,
    }
}
