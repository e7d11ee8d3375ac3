//! The storm: servers and workers are killed every second while bookings live their lives and the
//! mail server fails at random. Then everything heals, the mail drains, and every invariant is
//! checked.
//!
//! One minute in `make test`, ten in `make soak` (`HOLDFAST_SOAK`). `HOLDFAST_TEST_STORM_SECONDS`
//! and `HOLDFAST_TEST_STORM_SEED` say otherwise. A seed repeats what is wanted, what the mail server
//! does and when who is killed; which of those meet is the machine's to decide.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod booker;
mod client;
mod dice;
mod end;
mod mailbox;
mod site;
mod weather;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use holdfast_tests::{
    app::{self, Options},
    bench::report::say,
    database::TestDatabase,
    host::{HostBuilder, TestHost},
};
use shared::{ops::Context, store::pool};
use tokio::{sync::Semaphore, task::JoinSet};

use crate::{
    booker::{Life, Pages, World},
    client::Client,
    dice::Dice,
    mailbox::Mailbox,
    site::Site,
};

/// Lives that begin in a second.
const LIVES_A_SECOND: u64 = 50;
/// Requests on their way at once.
const ROOM: usize = 40;
/// Now and then both workers die at once, and their leases end.
const LEASES_END_EVERY: u64 = 10;
const LATER_HOSTS: u32 = 16;
const SOON_HOSTS: u32 = 12;

/// Every promise, whatever happened. Red when a lost acknowledgement of a mail server counts as sent
/// (I4), when bookings forget their idempotency keys (I10), and when a claimed mail is not judged
/// again before it is sent (I7).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_storm_every_promise_was_kept() {
    let (seed, length) = (seed(), length());
    say(&format!(
        "storm: seed {seed}, {length} s, {LIVES_A_SECOND} lives a second"
    ));
    let database = TestDatabase::create().await;
    let options = Options {
        system_clock: true,
        ..Options::default()
    };
    let pool = pool::open(pool::tuned(database.options()), 3);
    let context = app::context(pool, &options).await;
    let pages = pages(&context).await;
    database.run("VACUUM ANALYZE").await;
    let mut site = Site::start(database).await;
    let world = Arc::new(World {
        seed,
        client: Client::new(site.servers.iter().map(site::Program::url).collect()),
        mailbox: Mailbox::default(),
        pages,
        room: Semaphore::new(ROOM),
        clock: context.clock.clone(),
        first_day_s: booker::first_day_s(context.clock.now()),
    });

    site.sink.behave_by(weather::storm(seed));
    let begun = Instant::now();
    let mut lives = rage(&mut site, &world, seed, length).await;
    let raged = begun.elapsed();
    site.heal().await;
    let lives = calm(&site, &world, &context, &mut lives).await;
    let calmed = begun.elapsed() - raged;
    say(&format!(
        "storm: {} lives in {:.0} s, calm after {:.0} s more",
        lives.len(),
        raged.as_secs_f64(),
        calmed.as_secs_f64()
    ));
    end::check(site, &world, &context, &lives, length * LIVES_A_SECOND).await;
}

fn seed() -> u64 {
    number("HOLDFAST_TEST_STORM_SEED").unwrap_or(6)
}

/// In seconds.
fn length() -> u64 {
    let soak = std::env::var_os("HOLDFAST_SOAK").is_some();
    number("HOLDFAST_TEST_STORM_SECONDS").unwrap_or(if soak { 600 } else { 60 })
}

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap())
}

async fn pages(context: &Context) -> Pages {
    let mut later = Vec::new();
    for number in 0..LATER_HOSTS {
        let handle = format!("later-{number}");
        let host = HostBuilder::new(context, &handle)
            .minutes(15, 15)
            .free("every day 0:00-24:00")
            .guests()
            .set("horizon_days", "90".into());
        later.push(by_mail_or_not(host, number).make().await);
    }
    let mut soon = [const { Vec::new() }; 5];
    for (minute, pages) in soon.iter_mut().enumerate() {
        for number in 0..SOON_HOSTS {
            let handle = format!("soon-{minute}-{number}");
            let host = HostBuilder::new(context, &handle)
                .minutes(5, 5)
                .free(&format!("every day 0:0{minute}-24:00"))
                .guests();
            pages.push(remind_soon(context, by_mail_or_not(host, number).make().await).await);
        }
    }
    Pages { later, soon }
}

fn by_mail_or_not(host: HostBuilder<'_>, number: u32) -> HostBuilder<'_> {
    if number.is_multiple_of(2) {
        host.by_mail()
    } else {
        host
    }
}

async fn remind_soon(context: &Context, host: TestHost) -> TestHost {
    sqlx::query("UPDATE reminder_rules SET offset_min = 5 WHERE event_type_id = $1")
        .bind(host.event_type)
        .execute(&context.pool)
        .await
        .unwrap();
    host
}

/// Lives begin, and every second a server and a worker die.
async fn rage(site: &mut Site, world: &Arc<World>, seed: u64, length: u64) -> JoinSet<Life> {
    let dice = Dice::of(seed, u64::MAX - 1);
    let arrivals = tokio::spawn(arrive(world.clone(), length));
    let begun = tokio::time::Instant::now();
    let mut second = 0;
    while second < length {
        let moment = second * 1_000 + dice.below(900);
        tokio::time::sleep_until(begun + Duration::from_millis(moment)).await;
        let turn = usize::try_from(second % 2).unwrap();
        site::kill_one(&mut site.servers, turn).await;
        if second % LEASES_END_EVERY == LEASES_END_EVERY - 1 {
            site.end_leases_of_the_dead().await;
        } else {
            site::kill_one(&mut site.workers, turn).await;
        }
        // On a busy machine some are left out.
        second = (second + 1).max(begun.elapsed().as_secs());
        world.mailbox.collect(&site.sink);
    }
    arrivals.await.unwrap()
}

async fn arrive(world: Arc<World>, length: u64) -> JoinSet<Life> {
    let begun = tokio::time::Instant::now();
    let mut lives = JoinSet::new();
    for number in 0..length * LIVES_A_SECOND {
        let at = begun + Duration::from_micros(number * 1_000_000 / LIVES_A_SECOND);
        tokio::time::sleep_until(at).await;
        // When the machine is slower than the lives that want to begin, fewer begin.
        drop(world.room.acquire().await.unwrap());
        if begun.elapsed() >= Duration::from_secs(length) {
            break;
        }
        lives.spawn(booker::live(world.clone(), number));
    }
    lives
}

/// Waits until all mail has gone and everybody who waits for a link has lived on; then nobody waits
/// any more.
async fn calm(
    site: &Site,
    world: &World,
    context: &Context,
    lives: &mut JoinSet<Life>,
) -> Vec<Life> {
    let patience = Duration::from_secs(300) + Duration::from_secs(length());
    let begun = Instant::now();
    let mut lived = Vec::new();
    let mut still = 0;
    loop {
        assert!(
            begun.elapsed() < patience,
            "mail is still due, or bookers wait"
        );
        while let Some(life) = lives.try_join_next() {
            lived.push(life.unwrap());
        }
        site.pass_time().await;
        let owed: i64 = sqlx::query_scalar("SELECT count(*) FROM mail_outbox WHERE outcome IS NULL AND (due_at <= clock_timestamp() OR claim_id IS NOT NULL)")
            .fetch_one(&context.pool)
            .await
            .unwrap();
        let came = world.mailbox.collect(&site.sink);
        // Everybody who is not done waits for a mail that will not come.
        let quiet = owed == 0 && came == 0 && lives.len() == world.mailbox.waiting();
        still = if quiet { still + 1 } else { 0 };
        if lives.is_empty() && still >= 3 {
            return lived;
        }
        if still >= 3 {
            world.mailbox.close();
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
}
