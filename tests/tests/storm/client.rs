//! The bookers' way to the servers: a request goes on until its outcome is known, and every answer
//! is judged.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::Value;

/// A server that is away so long does not come back.
const PATIENCE: Duration = Duration::from_secs(90);
/// One try.
const TRY: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(40);

/// A request of one booker.
pub struct Ask<'a> {
    /// Its name in figures.
    pub verb: &'static str,
    pub path: &'a str,
    pub token: Option<&'a str>,
    pub key: Option<&'a str>,
    pub body: &'a Value,
    /// The codes of refusals that may come: `slot_taken` where another may be faster.
    pub refusals: &'static [&'static str],
}

/// Some servers behind one client.
pub struct Client {
    http: reqwest::Client,
    urls: Vec<String>,
    next: AtomicUsize,
    heard: Mutex<Heard>,
}

#[derive(Default)]
struct Heard {
    /// How often, by the verb and what was answered.
    tally: BTreeMap<(&'static str, String), u64>,
    /// First answers by key, without tokens.
    first: HashMap<String, Value>,
    faults: Vec<String>,
}

impl Client {
    /// Over the servers at these addresses.
    pub fn new(urls: Vec<String>) -> Self {
        let http = reqwest::Client::builder().timeout(TRY).build().unwrap();
        Self {
            http,
            urls,
            next: AtomicUsize::new(0),
            heard: Mutex::default(),
        }
    }

    /// Asks, first one server and then the others, until the answer is known. A refusal is `Err`
    /// with its status and code.
    ///
    /// # Panics
    /// When no server answers for a long time.
    pub async fn ask(&self, ask: &Ask<'_>) -> Result<Value, (u16, String)> {
        let began = Instant::now();
        loop {
            assert!(began.elapsed() < PATIENCE, "{} is not answered", ask.verb);
            let place = self.next.fetch_add(1, Ordering::Relaxed) % self.urls.len();
            let mut request = self.http.post(format!("{}{}", self.urls[place], ask.path));
            if let Some(token) = ask.token {
                request = request.header("X-Manage-Token", token);
            }
            if let Some(key) = ask.key {
                request = request.header("Idempotency-Key", key);
            }
            let Ok(answer) = request.json(ask.body).send().await else {
                self.count(ask.verb, "broken");
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            let status = answer.status().as_u16();
            let waits = answer.headers().contains_key("retry-after");
            let Ok(body) = answer.json::<Value>().await else {
                self.count(ask.verb, "broken");
                continue;
            };
            let code = body["code"].as_str().unwrap_or_default().to_owned();
            if status >= 500 {
                self.count(ask.verb, &format!("{status} {code}"));
                // Overloaded is no fault when it says so.
                if status != 503 || !waits {
                    self.fault(format!("I12: {} got {status} {code}", ask.verb));
                }
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            if status < 300 {
                self.count(ask.verb, "done");
                self.compare(ask, &body);
                return Ok(body);
            }
            self.count(ask.verb, &code);
            if !ask.refusals.contains(&code.as_str()) {
                self.fault(format!("{} was refused: {status} {body}", ask.verb));
            }
            return Err((status, code));
        }
    }

    /// I10: one key, one answer, whoever gives it and however often, but for a fresh token.
    fn compare(&self, ask: &Ask<'_>, body: &Value) {
        let Some(key) = ask.key else { return };
        let mut body = body.clone();
        if let Some(fields) = body.as_object_mut() {
            fields.remove("manage_token");
            fields.remove("manage_url");
        }
        let mut heard = self.heard();
        let first = heard.first.entry(key.to_owned()).or_insert(body.clone());
        if *first != body {
            let fault = format!("I10: {key} was answered {first} and then {body}");
            heard.faults.push(fault);
        }
    }

    fn count(&self, verb: &'static str, what: &str) {
        *self
            .heard()
            .tally
            .entry((verb, what.to_owned()))
            .or_default() += 1;
    }

    /// Something that must not be.
    pub fn fault(&self, fault: String) {
        self.heard().faults.push(fault);
    }

    /// Everything that must not be.
    pub fn faults(&self) -> Vec<String> {
        self.heard().faults.clone()
    }

    /// What was answered, how often: a line for each.
    pub fn tally(&self) -> Vec<(String, u64)> {
        let heard = self.heard();
        let tally = heard.tally.iter();
        tally
            .map(|((verb, what), count)| (format!("{verb}: {what}"), *count))
            .collect()
    }

    fn heard(&self) -> std::sync::MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
