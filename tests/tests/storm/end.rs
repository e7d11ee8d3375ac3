//! The end: every invariant, for everything that happened.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant as Stopwatch},
};

use holdfast_tests::{
    bench::{cpu, report::say},
    invariants::{self, Attempt, Evidence, Outcome},
    process::PATIENCE,
};
use shared::{instant::Instant, ops::Context};
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use crate::{
    booker::{Life, World},
    site::Site,
};

/// Of the lives that were to begin at least so many have to be booked (in a hundred), or nothing was
/// proved.
const ENOUGH: u64 = 5;
/// Mebibytes of a process after the drain, debug build included: what it sent must not stay.
const MOST_MIB: f64 = 150.0;
/// How many faults are told.
const TOLD: usize = 40;

/// Checks everything and drops the database if all is well.
pub async fn check(mut site: Site, world: &World, context: &Context, lives: &[Life], wanted: u64) {
    let mut faults = world.client.faults();
    let mut resident: f64 = 0.0;
    for program in site.programs() {
        resident = resident.max(cpu::resident_mib(program.pid()));
    }
    if resident > MOST_MIB {
        faults.push(format!(
            "I11: a process has {resident:.0} MiB after the drain"
        ));
    }
    site.stop().await;
    for program in site.programs() {
        faults.append(&mut program.faults);
    }
    // What came while they stopped.
    world.mailbox.collect(&site.sink);
    let letters = world.mailbox.take();
    let mut conn = PgConnection::connect_with(&site.database.options())
        .await
        .unwrap();
    context.pool.close().await;
    if !is_alone(&mut conn).await {
        faults.push("I11: connections outlived their processes".to_owned());
    }
    let evidence = Evidence {
        now: context.clock.now(),
        letters: &letters,
    };
    faults.extend(invariants::faults(&mut conn, &evidence).await);
    let attempts: Vec<Attempt> = lives.iter().map(|life| life.attempt.clone()).collect();
    faults.extend(invariants::answer_faults(&mut conn, &attempts).await);
    faults.extend(beliefs(&mut conn, lives).await);
    tell(&mut conn, &mut site, world, letters.len(), resident).await;
    let booked = attempts
        .iter()
        .filter(|attempt| matches!(attempt.outcome, Outcome::Booked { .. }))
        .count() as u64;
    if booked * 100 < wanted * ENOUGH {
        faults.push(format!("too few were booked to prove anything: {booked}"));
    }
    if !faults.is_empty() {
        let shown: Vec<&str> = faults.iter().take(TOLD).map(String::as_str).collect();
        let dossier = dossier(&mut conn, &faults[0], &letters).await;
        panic!(
            "seed {}: {} faults:\n{}\n\nthe first one's booking:\n{dossier}",
            world.seed,
            faults.len(),
            shown.join("\n")
        );
    }
    conn.close().await.unwrap();
    site.database.drop_it().await;
}

/// Whether nobody else is connected. A connection that was closed may take a moment to go.
async fn is_alone(conn: &mut PgConnection) -> bool {
    let begun = Stopwatch::now();
    while begun.elapsed() < PATIENCE {
        let others: i64 = sqlx::query_scalar("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'")
            .fetch_one(&mut *conn)
            .await
            .unwrap();
        if others == 0 {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    false
}

/// What bookers were told last is what is.
async fn beliefs(conn: &mut PgConnection, lives: &[Life]) -> Vec<String> {
    let rows: Vec<(Uuid, String, i32, Instant)> =
        sqlx::query_as("SELECT id, state, revision, start_at FROM bookings")
            .fetch_all(conn)
            .await
            .unwrap();
    let there: BTreeMap<Uuid, (String, i32, Instant)> = rows
        .into_iter()
        .map(|(id, state, revision, start)| (id, (state, revision, start)))
        .collect();
    let believed = lives.iter().filter_map(|life| life.believed.as_ref());
    believed
        .filter_map(|believed| match there.get(&believed.id) {
            None => Some(format!("I2: {} is gone", believed.id)),
            Some((state, revision, start)) => believed.fault(state, *revision, *start),
        })
        .collect()
}

/// The figures of the run.
async fn tell(
    conn: &mut PgConnection,
    site: &mut Site,
    world: &World,
    letters: usize,
    resident: f64,
) {
    let (killed, ready) = site.programs().fold((0, 0), |(killed, ready), program| {
        (killed + program.killed, ready + program.was_ready)
    });
    say(&format!(
        "storm: {killed} kills, {ready} of them of a process that was ready; {letters} mails; at most {resident:.0} MiB"
    ));
    for (what, count) in world.client.tally() {
        say(&format!("storm: {count:>7} {what}"));
    }
    let rows: Vec<(String, String, i64, i64)> = sqlx::query_as(
        "SELECT kind, coalesce(outcome, 'owed later'), count(*), sum(uncertain)::bigint FROM mail_outbox GROUP BY 1, 2 ORDER BY 1, 2",
    )
    .fetch_all(conn)
    .await
    .unwrap();
    for (kind, outcome, count, uncertain) in rows {
        say(&format!(
            "storm: {count:>7} {kind} mails {outcome}, {uncertain} times uncertain"
        ));
    }
}

/// Everything about the booking that a fault names.
async fn dossier(
    conn: &mut PgConnection,
    fault: &str,
    letters: &[holdfast_tests::letter::Letter],
) -> String {
    let ids = fault
        .split(|c: char| !(c.is_ascii_hexdigit() || c == '-'))
        .filter_map(|word| word.parse::<Uuid>().ok())
        .collect::<Vec<_>>();
    let mut lines: Vec<String> = Vec::new();
    for sql in [
        "SELECT b::text FROM (SELECT id, state, revision, start_at, revised_at FROM bookings) b WHERE id = ANY ($1)",
        "SELECT h::text FROM booking_history h WHERE booking_id = ANY ($1) ORDER BY revision",
        "SELECT m::text FROM mail_outbox m WHERE booking_id = ANY ($1) OR booking_id IN (SELECT booking_id FROM mail_outbox WHERE id = ANY ($1)) ORDER BY id",
    ] {
        let found: Vec<String> = sqlx::query_scalar(sql)
            .bind(&ids)
            .fetch_all(&mut *conn)
            .await
            .unwrap();
        lines.extend(found);
    }
    let mails: Vec<Uuid> = sqlx::query_scalar(
        "SELECT id FROM mail_outbox WHERE booking_id = ANY ($1) OR id = ANY ($1)",
    )
    .bind(&ids)
    .fetch_all(conn)
    .await
    .unwrap();
    lines.extend(
        letters
            .iter()
            .filter(|letter| mails.contains(&letter.row))
            .map(|letter| format!("mail {} to {} at {}", letter.row, letter.to, letter.date)),
    );
    lines.join("\n")
}
