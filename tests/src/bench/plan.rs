//! What benchmarks book: hosts, and an endless list of bookings that do not collide.

use std::sync::Arc;

use serde_json::json;
use shared::{instant::Instant, store::pool};

use super::{
    holdfast::{self, Holdfast},
    http,
    load::{self, Until::Made},
};
use crate::{
    HostBuilder,
    app::{self, Options},
    database::TestDatabase,
};

/// Handles and codes are numbers, which pgbench can make; these are the first host's.
pub const BASE_HANDLE: u32 = 1_000;
pub const BASE_CODE: u32 = 10_000_000;
/// Length and distance of slots.
pub const SLOT_S: i64 = 1_800;
/// A host's bookings are spread over the days: each is so many slots after the one before. It has
/// no divisor in common with the number of slots.
pub const STRIDE: u32 = 7_919;
/// Bookable days of a host, day and night.
const DAYS: u32 = 360;

/// What is booked. One plan serves several copies of its database: each begins at the same booking.
pub struct Plan {
    pub hosts: u32,
    /// Bookings that the database has before anything is measured. Without any, PostgreSQL plans
    /// for empty tables and keeps those plans.
    pub already: u64,
    /// Confirmed at once, which writes four mail rows; else held, which writes one.
    pub instant: bool,
    /// The first slot, in seconds since 1970.
    pub base_s: i64,
    /// Slots of each host.
    pub slots: u32,
    /// Client addresses that take turns.
    pub clients_ips: u32,
}

impl Plan {
    /// A plan from the day after tomorrow on.
    pub fn new(hosts: u32, instant: bool, already: u64) -> Self {
        let now = shared::clock::Clock::system().now().timestamp().as_second();
        Self {
            hosts,
            already,
            instant,
            base_s: (now / 86_400 + 2) * 86_400,
            slots: DAYS * 48,
            clients_ips: 5_000,
        }
    }

    /// The n-th booking's request, counted from those that are there already.
    pub fn request(&self, n: u64) -> Vec<u8> {
        self.nth(self.already + n)
    }

    fn nth(&self, n: u64) -> Vec<u8> {
        let (hosts, slots) = (u64::from(self.hosts), u64::from(self.slots));
        let host = n % hosts;
        let slot = (n / hosts * u64::from(STRIDE)) % slots;
        let slot = i64::try_from(slot).unwrap();
        let start = Instant::from_second(self.base_s + slot * SLOT_S).unwrap();
        let client = n % u64::from(self.clients_ips);
        let headers = format!(
            "X-Forwarded-For: 10.0.{}.{}\r\nIdempotency-Key: booking-{n}\r\n",
            client / 250,
            client % 250
        );
        let path = format!(
            "/v1/pages/{}/{}/bookings",
            u64::from(BASE_HANDLE) + host,
            u64::from(BASE_CODE) + host
        );
        let body = json!({
            "start": start, "zone": "Europe/Paris", "name": "Sam Lee",
            "email": format!("sam-{n}@bookers.test"),
        });
        http::post(&path, &headers, &body)
    }

    /// A database with its hosts, and the bookings that are there already.
    pub async fn set_up(self: &Arc<Self>) -> TestDatabase {
        let database = TestDatabase::create().await;
        let pool = pool::open(pool::tuned(database.options()), 4);
        let options = Options {
            system_clock: true,
            ..Options::default()
        };
        let context = app::context(pool.clone(), &options).await;
        let policy = if self.instant {
            "'instant'"
        } else {
            "'email_link'"
        };
        for host in 0..self.hosts {
            HostBuilder::new(&context, &(BASE_HANDLE + host).to_string())
                .zone("Asia/Tokyo")
                .free("every day 0:00-24:00")
                .minutes(30, 30)
                .set("horizon_days", "365".to_owned())
                .set("confirmation", policy.to_owned())
                .set("code", format!("'{}'", BASE_CODE + host))
                .make()
                .await;
        }
        self.book(&database, 0, self.already).await;
        sqlx::query("VACUUM ANALYZE").execute(&pool).await.unwrap();
        pool.close().await;
        database
    }

    /// Makes bookings, `from` counted from the very first.
    pub async fn book(self: &Arc<Self>, database: &TestDatabase, from: u64, count: u64) {
        let mut settings = holdfast::over(database.url());
        settings.extend(holdfast::without_limits());
        let server = Holdfast::start("web", &settings).await;
        let plan = self.clone();
        let requests: load::Requests = Arc::new(move |n| plan.nth(from + n));
        load::run(server.address, 16, Made(count), 201, &requests).await;
        server.stop().await;
    }
}
