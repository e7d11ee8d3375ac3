//! What the queue's statements cost when a lot is owed and a lot is done.

use std::time::Instant as Stopwatch;

use shared::{
    id,
    ops::Context,
    store::{
        mail_queue::{self, Lane, Looking},
        pool,
    },
};
use sqlx::{Connection as _, PgConnection};

use super::report::{Report, median};
use crate::{
    HostBuilder,
    app::{self, Options},
    database::TestDatabase,
};

const CLAIMS: usize = 1_000;

/// Four rows of each are finished and four owed: to the host, the booker and two guests.
const FILL: &[&str] = &[
    // The rows fit together by how they are made; checking a million of them proves nothing.
    "SET session_replication_role = replica",
    "INSERT INTO bookings (id, event_type_id, state, revised_at, title_sealed, description_sealed, booker_name_sealed,
            booker_email_sealed, booker_email_fp, booker_zone, booker_locale, host_name_sealed, organizer_sealed, duration_min,
            before_buffer_min, after_buffer_min, start_at, end_at, confirmed_at, created_by, created_at)
     SELECT gen_random_uuid(), t.id, 'confirmed', now(), '', '', '', '', sha256(int8send(n)), 'UTC', 'en', '', '', 30, 0, 0,
            now() + n * interval '1 hour', now() + n * interval '1 hour' + interval '30 minutes', now(), 'booker', now()
       FROM event_types t CROSS JOIN generate_series(1, $1::bigint) AS n",
    "INSERT INTO mail_outbox (id, booking_id, kind, recipient, recipient_id, revision, priority, due_at, attempts, outcome, outcome_at, created_at)
     SELECT gen_random_uuid(), b.id, 'confirmed', r.word, r.id, 0, r.priority, now() - interval '1 day', 1, 'sent', now(), now() - interval '1 day'
       FROM bookings b CROSS JOIN LATERAL (VALUES ('host', gen_random_uuid(), 0), ('booker', NULL, 1), ('guest', gen_random_uuid(), 2),
            ('guest', gen_random_uuid(), 2)) AS r (word, id, priority) CROSS JOIN (SELECT $1::bigint) AS unused",
    "INSERT INTO mail_outbox (id, booking_id, kind, recipient, recipient_id, revision, priority, due_at, created_at)
     SELECT gen_random_uuid(), o.booking_id, 'rescheduled', o.recipient, o.recipient_id, 1, o.priority,
            now() - random() * interval '1 hour', now() - interval '1 hour'
       FROM mail_outbox o CROSS JOIN (SELECT $1::bigint) AS unused",
];

/// Measures with a thousand and with a million rows of each.
pub async fn run(report: &mut Report) {
    for (name, bookings) in [("1k", 250_i64), ("1m", 250_000)] {
        let database = TestDatabase::create().await;
        let pool = pool::open(pool::tuned(database.options()), 2);
        let options = Options {
            system_clock: true,
            ..Options::default()
        };
        let context = app::context(pool.clone(), &options).await;
        HostBuilder::new(&context, "ana").make().await;
        let mut conn = PgConnection::connect_with(&database.options())
            .await
            .unwrap();
        for statement in FILL {
            let query = sqlx::query(*statement);
            let query = if statement.contains("$1") {
                query.bind(bookings)
            } else {
                query
            };
            query.execute(&mut conn).await.unwrap();
        }
        sqlx::query("VACUUM ANALYZE")
            .execute(&mut conn)
            .await
            .unwrap();
        measure(report, name, &context, &mut conn).await;
        conn.close().await.unwrap();
        pool.close().await;
        database.drop_it().await;
    }
}

async fn measure(report: &mut Report, name: &str, context: &Context, conn: &mut PgConnection) {
    let mut times = Vec::new();
    for _ in 0..CLAIMS {
        let claim_id = id::new(context.clock.now(), &context.random).unwrap();
        // Rolled back: every claim finds the same queue.
        let mut tx = conn.begin_with("BEGIN").await.unwrap();
        let watch = Stopwatch::now();
        let looking = Looking {
            lane: Lane::Prompt,
            from: None,
            passed_over: &[],
            worker: "bench",
        };
        let mail = mail_queue::claim(&mut tx, looking, claim_id, None).await;
        times.push(watch.elapsed().as_secs_f64() * 1e3);
        assert!(mail.unwrap().is_some());
        tx.rollback().await.unwrap();
    }
    report.tell(format!("outbox.{name}.claim"), median(&mut times), "ms");
    let watch = Stopwatch::now();
    let due = mail_queue::next_due_ms(conn, Lane::Prompt, None).await;
    assert!(due.unwrap().is_some());
    let took = watch.elapsed().as_secs_f64() * 1e3;
    report.tell(format!("outbox.{name}.next_due"), took, "ms");
    let watch = Stopwatch::now();
    let backlog = mail_queue::backlog(conn, Lane::Prompt).await.unwrap();
    assert!(backlog.owed > 0);
    let took = watch.elapsed().as_secs_f64() * 1e3;
    report.tell(format!("outbox.{name}.backlog"), took, "ms");
}
