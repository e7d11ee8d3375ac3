//! The HTTP half, started in this process on a port of its own.

use std::sync::{Arc, OnceLock};

use actix_web::{HttpServer, dev::ServerHandle, web::Data};
use holdfast_server::{
    app::{App, Settings},
    router::{self, Methods},
};
use metrics_exporter_prometheus::PrometheusHandle;
use reqwest::{Method, RequestBuilder, StatusCode, header::HeaderMap, redirect::Policy};
use serde_json::Value;
use shared::{
    clock::Clock,
    config::{Keys, Limits, Mailbox},
    fingerprint::FingerprintKey,
    instant::Instant,
    mail::{budget::MailBudgets, dev_box::DevBox},
    ops::{self, Context},
    process::telemetry,
    random::Random,
    seal::SealKeys,
    store::pool,
    wake::Wake,
    zone::Zones,
};
use sqlx::{PgPool, postgres::PgConnectOptions};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use uuid::Uuid;

use crate::{HostBuilder, database::TestDatabase, host::TestHost, logs};

/// Monday, 2026-06-01, 08:00 UTC: where every test's clock stands unless it is set.
pub const NOW: &str = "2026-06-01T08:00:00Z";

/// A running HTTP half with a database of its own.
pub struct TestApp {
    pub context: Context,
    pub state: Data<App>,
    pub database: TestDatabase,
    /// `http://127.0.0.1:<port>`
    pub url: String,
    pub client: reqwest::Client,
    server: ServerHandle,
}

/// What may be set before a start.
pub struct Options {
    pub limits: Limits,
    /// Without a slash at its end.
    pub public_url: String,
    pub trusted_proxy_hops: u32,
    pub cors_origins: Vec<String>,
    pub slot_concurrency: u32,
    /// Instead of the test's database: through a proxy, say.
    pub connect: Option<PgConnectOptions>,
    pub connections: u32,
    pub seed: u64,
    /// The machine's clock instead of a fixed one.
    pub system_clock: bool,
    /// With the development mailer's box, as a process in development mode has one.
    pub dev_mail: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limits: Limits {
                requests_per_minute: 1_000_000,
                booking_requests_per_minute: 1_000_000,
                key_requests_per_minute: 1_000_000,
                open_holds_per_ip: 1_000_000,
                open_holds_per_event_type: 1_000_000,
                open_holds_per_address: 1_000_000,
                bookings_per_day_per_ip: 1_000_000,
                bookings_per_day_per_address: 1_000_000,
                booker_reschedules: 5,
                booking_lead_hours: 0,
                mail: MailBudgets {
                    recipient_per_hour: 1_000_000,
                    recipient_per_day: 1_000_000,
                    sign_in_per_hour: 1_000_000,
                    sign_in_per_day: 1_000_000,
                    per_hour: 1_000_000,
                },
            },
            public_url: "https://book.holdfast.test".into(),
            trusted_proxy_hops: 1,
            cors_origins: Vec::new(),
            slot_concurrency: 64,
            connect: None,
            connections: 10,
            seed: 1,
            system_clock: false,
            dev_mail: false,
        }
    }
}

/// An API key.
#[derive(Clone, Debug)]
pub struct TestKey {
    pub id: Uuid,
    /// What its holder presents.
    pub text: String,
}

/// An answer, read whole.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    /// A problem document's code; the status is checked to be the document's.
    pub fn code(&self) -> String {
        assert_eq!(
            self.headers["content-type"],
            "application/problem+json",
            "{}",
            String::from_utf8_lossy(&self.body)
        );
        let json = self.json();
        assert_eq!(json["status"], self.status.as_u16());
        json["code"].as_str().unwrap().to_owned()
    }

    /// A header's value, empty if there is none.
    pub fn header(&self, name: &str) -> String {
        self.headers
            .get(name)
            .map(|value| value.to_str().unwrap().to_owned())
            .unwrap_or_default()
    }
}

/// Keys that every test shares.
pub fn keys() -> Keys {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    Keys {
        seal: SealKeys::parse(&format!("test:{}", STANDARD.encode([7; 32]))).unwrap(),
        fingerprint: FingerprintKey::parse(&STANDARD.encode([8; 32])).unwrap(),
    }
}

/// An instant from RFC 3339.
pub fn at(text: &str) -> Instant {
    text.parse().unwrap()
}

/// The figures of this process: one recorder, whatever the number of apps.
fn metrics() -> PrometheusHandle {
    static METRICS: OnceLock<PrometheusHandle> = OnceLock::new();
    METRICS
        .get_or_init(|| telemetry::start_metrics().unwrap())
        .clone()
}

/// A context over a database, its clock fixed at [`NOW`].
pub async fn context(pool: PgPool, options: &Options) -> Context {
    let clock = if options.system_clock {
        Clock::system()
    } else {
        Clock::fixed(at(NOW))
    };
    let random = Random::seeded(options.seed);
    let keys = keys();
    let instance = ops::open_instance(&pool, &clock, &random, &keys)
        .await
        .unwrap();
    Context {
        pool,
        clock,
        random,
        keys: Arc::new(keys),
        zones: Zones::bundled(),
        limits: options.limits,
        instance,
        wake: Wake::here(),
        busy: ops::BusyCache::default(),
        mail_from: Arc::new(Mailbox {
            name: Some("Holdfast".into()),
            address: "book@holdfast.test".parse().unwrap(),
        }),
    }
}

impl TestApp {
    /// Starts with generous limits.
    pub async fn start() -> Self {
        Self::with(Options::default()).await
    }

    /// Starts as asked.
    pub async fn with(options: Options) -> Self {
        Self::on(TestDatabase::create().await, options).await
    }

    /// Starts over a database that is there.
    pub async fn on(database: TestDatabase, options: Options) -> Self {
        logs::capture();
        let connect = options
            .connect
            .clone()
            .unwrap_or_else(|| database.options());
        let pool = pool::open(pool::tuned(connect), options.connections);
        let context = context(pool, &options).await;
        let settings = Settings {
            manage_url: format!("{}/book/m/{{token}}?action={{action}}", options.public_url),
            public_url: options.public_url.clone(),
            trusted_proxy_hops: options.trusted_proxy_hops,
            cors_origins: options.cors_origins.clone(),
        };
        let mut state = App::new(
            context.clone(),
            settings,
            options.slot_concurrency,
            metrics(),
        );
        state.dev_box = options.dev_mail.then(DevBox::default);
        let state = Data::new(state);
        let document = router::document();
        let methods = Arc::new(Methods::new(&document));
        let shared_state = state.clone();
        let server = HttpServer::new(move || {
            router::build(shared_state.clone(), &document, methods.clone())
        })
        .workers(2)
        .shutdown_timeout(1)
        .disable_signals()
        .bind(("127.0.0.1", 0))
        .unwrap();
        let url = format!("http://{}", server.addrs()[0]);
        let running = server.run();
        let server = running.handle();
        tokio::spawn(running);
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .build()
            .unwrap();
        Self {
            context,
            state,
            database,
            url,
            client,
            server,
        }
    }

    /// A host to make.
    pub fn host(&self, handle: &str) -> HostBuilder<'_> {
        HostBuilder::new(&self.context, handle)
    }

    /// A request to this app.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url))
    }

    /// A new API key of a host.
    pub async fn key(&self, host: &TestHost) -> TestKey {
        let handle = host.handle.parse().unwrap();
        let made = ops::create_key(&self.context, &handle, None).await.unwrap();
        TestKey {
            id: made.id,
            text: made.key.as_str().to_owned(),
        }
    }

    /// A request with an API key.
    pub fn signed(&self, key: &TestKey, method: Method, path: &str) -> RequestBuilder {
        self.request(method, path).bearer_auth(&key.text)
    }

    /// GET with an API key.
    pub async fn get_signed(&self, key: &TestKey, path: &str) -> Answer {
        self.send(self.signed(key, Method::GET, path)).await
    }

    /// POST of JSON with an API key.
    pub async fn post_signed(&self, key: &TestKey, path: &str, body: &Value) -> Answer {
        self.send(self.signed(key, Method::POST, path).json(body))
            .await
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path)).await
    }

    /// POST of JSON.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request(Method::POST, path).json(body)).await
    }

    /// POST of a page's form, as a browser sends it from its own page.
    pub async fn post_form(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let request = self
            .request(Method::POST, path)
            .header("Sec-Fetch-Site", "same-origin");
        self.send(request.form(fields)).await
    }

    /// Sends and reads the answer whole.
    pub async fn send(&self, request: RequestBuilder) -> Answer {
        let response = request.send().await.unwrap();
        Answer {
            status: response.status(),
            headers: response.headers().clone(),
            body: response.bytes().await.unwrap().to_vec(),
        }
    }

    /// Sends bytes as they are over a connection of their own, and reads what comes back first.
    pub async fn raw(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.url.strip_prefix("http://").unwrap())
            .await
            .unwrap();
        // The server may answer and hang up before it has read all.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut answer = vec![0; 64 * 1024];
        let length = stream.read(&mut answer).await.unwrap_or(0);
        String::from_utf8_lossy(&answer[..length]).into_owned()
    }

    /// Stops the server, closes the pool and drops the database.
    pub async fn end(self) {
        // A graceful stop looks once a second whether connections that are kept open have gone.
        self.server.stop(false).await;
        self.context.pool.close().await;
        self.database.drop_it().await;
    }
}
