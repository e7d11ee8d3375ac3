//! The slots endpoint over real HTTP, at one client and at sixteen.
//!
//! The page is the kernel's: Monday to Friday 9-12 and 1-5 in New York, 30 minutes, buffers of 5 and
//! 10, a daily limit, an override a week, and 200 events spread over 60 days. The same is asked of a
//! host who sees five more calendars with 1,000 events together, a tenth of them weekly.

use std::{sync::Arc, time::Duration};

use shared::{instant::Span, ops::Context, store::pool};

use super::{
    cpu,
    holdfast::{self, Holdfast},
    http,
    load::{
        self,
        Until::{After, Made},
    },
    report::{Limit, Report},
};
use crate::{
    HostBuilder,
    app::{self, Options},
    calendar,
    database::TestDatabase,
    host::TestHost,
};

const LENGTH: Duration = Duration::from_secs(5);
const BUSY: i64 = 200;
const DAY_MIN: i64 = 24 * 60;

/// Measures the answer of a week and the longest one.
pub async fn run(report: &mut Report) {
    let database = TestDatabase::create().await;
    let context_pool = pool::open(pool::tuned(database.options()), 2);
    let options = Options {
        system_clock: true,
        ..Options::default()
    };
    let context = app::context(context_pool.clone(), &options).await;
    let host = make_host(&context).await;
    sqlx::query("VACUUM ANALYZE")
        .execute(&context_pool)
        .await
        .unwrap();
    let postmaster = cpu::postmaster(&database.options()).await;
    let mut settings = holdfast::over(database.url());
    settings.extend(holdfast::without_limits());
    let server = Holdfast::start("web", &settings).await;
    let now = context.clock.now();
    for (days, calendars) in [(7, 0), (62, 0), (7, 5), (62, 5)] {
        if calendars > 0 && days == 7 {
            see_calendars(&context, &host, calendars).await;
        }
        let to = now.plus_minutes(days * DAY_MIN);
        let path = format!("{}/slots?from={now}&to={to}&zone=Europe/Paris", host.api);
        let request = http::get(&path);
        let requests: load::Requests = Arc::new(move |_| request.clone());
        if calendars > 0 {
            // The first look reads and expands them.
            let first = load::run(server.address, 1, Made(1), 200, &requests).await;
            let name = format!("slots.endpoint.{days}d.{calendars}calendars.cold");
            report.tell(name, first.quantile_ms(1.0), "ms");
        }
        for clients in [1, 16] {
            let before = (cpu::of(server.pid()), cpu::of_postgres(postmaster));
            let outcome = load::run(server.address, clients, After(LENGTH), 200, &requests).await;
            let after = (cpu::of(server.pid()), cpu::of_postgres(postmaster));
            let seen = if calendars > 0 {
                format!(".{calendars}calendars")
            } else {
                String::new()
            };
            if calendars > 0 {
                let ms = outcome.us_each(after.0 - before.0) / 1e3;
                let name = format!("slots.endpoint.{days}d{seen}.{clients}clients.server_time");
                report.must(name, ms, "ms", Limit::AtMost(3.0));
            }
            let mut tell = |what: &str, value: f64, unit: &'static str| {
                let name = format!("slots.endpoint.{days}d{seen}.{clients}clients.{what}");
                report.tell(name, value, unit);
            };
            tell("rate", outcome.rate(), "/s");
            tell("median", outcome.quantile_ms(0.5), "ms");
            tell("p99", outcome.quantile_ms(0.99), "ms");
            tell("cpu_server", outcome.us_each(after.0 - before.0), "us");
            tell("cpu_postgres", outcome.us_each(after.1 - before.1), "us");
        }
    }
    server.stop().await;
    context_pool.close().await;
    database.drop_it().await;
}

async fn make_host(context: &Context) -> TestHost {
    let host = HostBuilder::new(context, "ana")
        .zone("America/New_York")
        .free("mon-fri 9:00-12:00, 13:00-17:00")
        .minutes(30, 30)
        .buffers(5, 10)
        .set("limit_per_day", "8".to_owned())
        .make()
        .await;
    let now = context.clock.now();
    let mut conn = context.pool.acquire().await.unwrap();
    for at in 0..BUSY {
        let from = now.plus_minutes(at * 60 * DAY_MIN / BUSY);
        let to = from.plus_minutes(30);
        host.insert_event(context, &mut conn, Span { from, to })
            .await;
    }
    let dates = "INSERT INTO schedule_overrides (schedule_id, on_date, windows)
        SELECT schedule_id, current_date + 7 * week, '{[600,720),[840,1080)}'
          FROM event_types CROSS JOIN generate_series(1, 8) AS week WHERE id = $1";
    sqlx::query(dates)
        .bind(host.event_type)
        .execute(&mut *conn)
        .await
        .unwrap();
    host
}

/// Calendars of a team that the host sees, with 1,000 events together over the coming 60 days.
async fn see_calendars(context: &Context, host: &TestHost, calendars: i64) {
    let each = 1_000 / calendars;
    let now = context.clock.now();
    for number in 0..calendars {
        let id = calendar::team(context, host, &[]).await;
        let lines: Vec<String> = (0..each)
            .map(|event| {
                let at = now.plus_minutes((event * 60 * DAY_MIN) / each);
                let start: String = at.to_string()[..16].replace(['-', ':'], "");
                let rule = if event % 10 == 0 {
                    "RRULE:FREQ=WEEKLY\n"
                } else {
                    ""
                };
                format!("BEGIN:VEVENT\nUID:{number}-{event}\nDTSTART:{start}00Z\nDURATION:PT20M\n{rule}END:VEVENT")
            })
            .collect();
        calendar::put(context, id, &lines.join("\n")).await;
    }
}
