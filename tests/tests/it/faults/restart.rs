//! PostgreSQL is restarted, and crashes, while bookings are made and mail is sent.

use std::time::{Duration, Instant};

use holdfast_tests::{
    cluster::TestCluster,
    database::cluster,
    process::Running,
    smtp_sink::{At, Behaviour},
};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};

use super::{
    burst::{Target, burst},
    owed, row, worker,
};

/// Processes find their way back by themselves: pools, LISTEN, the lanes. A claim that a crash forgot
/// sent nothing, and an acknowledged booking is there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_restarts_under_load_loses_nothing_and_needs_no_help() {
    let restarts = if std::env::var_os("HOLDFAST_SOAK").is_some() {
        12
    } else {
        4
    };
    let cluster = TestCluster::start().await;
    burst(
        restarts,
        Behaviour::Accept,
        Target::Database(Box::new(cluster)),
    )
    .await;
}

/// A mail that the server took while the database was away is not sent again: its ending waits for the
/// database. Red if an ending that cannot be written is left to its lease.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mail_that_was_sent_while_the_database_was_away_is_sent_once() {
    let flow = owed().await;
    let late = Behaviour::DelayAt(At::Dot, Duration::from_millis(1_500));
    flow.mail.sink.behave_times(1, late);
    let mut running = Running::start_worker(&worker(&flow));
    running.ready().await;
    flow.mail
        .sink
        .wait_for(1, Duration::from_secs(30))
        .await
        .unwrap();
    // The answer is on its way. Nobody gets in, and whoever is in is thrown out.
    let name = flow.database.name().to_owned();
    let mut admin = PgConnection::connect_with(&cluster()).await.unwrap();
    for sql in [
        format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false"),
        format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"),
    ] {
        admin.execute(AssertSqlSafe(sql)).await.unwrap();
    }
    let began = Instant::now();
    while !running
        .stderr()
        .contains("an ending could not be written; trying again")
    {
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "{}",
            running.stderr()
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let sql = format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true");
    admin.execute(AssertSqlSafe(sql)).await.unwrap();
    let mut conn = PgConnection::connect_with(&flow.database.options())
        .await
        .unwrap();
    loop {
        let owed: i64 =
            sqlx::query_scalar("SELECT count(*) FROM mail_outbox WHERE outcome IS NULL")
                .fetch_one(&mut conn)
                .await
                .unwrap();
        if owed == 0 {
            break;
        }
        assert!(
            began.elapsed() < Duration::from_secs(40),
            "{}",
            running.stderr()
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    running.stop().await;
    // The pool of this test lost its connections too.
    while flow
        .context
        .pool
        .acquire()
        .await
        .unwrap()
        .ping()
        .await
        .is_err()
    {}
    assert_eq!(row(&flow).await, "sent 1 0");
    assert_eq!(flow.mail.letters().len(), 1);
    flow.end().await;
}
