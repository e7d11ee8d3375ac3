//! One database a test, copied from a template.

use std::{
    str::FromStr as _,
    sync::atomic::{AtomicU32, Ordering},
};

use shared::process::migrate::{self, MIGRATIONS};
use sqlx::{
    AssertSqlSafe, Connection as _, Executor as _, PgConnection, postgres::PgConnectOptions,
};

/// Names the cluster; `with-postgres` sets it.
pub const CLUSTER: &str = "HOLDFAST_TEST_DATABASE_URL";

/// A database of one test; dropped by [`TestDatabase::drop_it`].
#[derive(Clone, Debug)]
pub struct TestDatabase {
    name: String,
    options: PgConnectOptions,
    /// In a cluster of its own.
    url: Option<String>,
}

/// The cluster's administrative connection.
///
/// # Panics
/// Without [`CLUSTER`]: tests never touch `DATABASE_URL`.
pub fn cluster() -> PgConnectOptions {
    let url =
        std::env::var(CLUSTER).expect("run tests with `make test`, or under `with-postgres --`");
    PgConnectOptions::from_str(&url).unwrap()
}

impl TestDatabase {
    /// A migrated database.
    pub async fn create() -> Self {
        let template = template().await;
        Self::copy(&template).await
    }

    /// A database without a schema.
    pub async fn empty() -> Self {
        Self::copy("template0").await
    }

    /// A copy of it as it is now. Nobody may be connected meanwhile.
    pub async fn copy_of(&self) -> Self {
        Self::copy(&self.name).await
    }

    async fn copy(template: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "test_{}_{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let mut admin = PgConnection::connect_with(&cluster()).await.unwrap();
        admin
            .execute(AssertSqlSafe(format!(
                "CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY"
            )))
            .await
            .unwrap();
        Self {
            options: cluster().database(&name),
            name,
            url: None,
        }
    }

    /// One of another cluster, which goes away with that.
    pub fn elsewhere(options: PgConnectOptions, url: String) -> Self {
        Self {
            name: options.get_database().unwrap().to_owned(),
            options,
            url: Some(url),
        }
    }

    /// How to connect to it.
    pub fn options(&self) -> PgConnectOptions {
        self.options.clone()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A URL that a process of its own can connect by.
    pub fn url(&self) -> String {
        if let Some(url) = &self.url {
            return url.clone();
        }
        let cluster = std::env::var(CLUSTER).unwrap();
        let (base, query) = cluster
            .split_once('?')
            .map_or((cluster.as_str(), String::new()), |(base, query)| {
                (base, format!("?{query}"))
            });
        let (head, _) = base.rsplit_once('/').unwrap();
        format!("{head}/{}{query}", self.name)
    }

    /// Every row of every table, as text, by table: bytes stand in hexadecimal.
    pub async fn rows(&self) -> Vec<(String, Vec<String>)> {
        let mut conn = PgConnection::connect_with(&self.options).await.unwrap();
        let tables: Vec<String> = sqlx::query_scalar("SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1")
            .fetch_all(&mut conn)
            .await
            .unwrap();
        let mut all = Vec::with_capacity(tables.len());
        for table in tables {
            let sql = AssertSqlSafe(format!("SELECT t::text FROM \"{table}\" t ORDER BY 1"));
            all.push((
                table,
                sqlx::query_scalar(sql).fetch_all(&mut conn).await.unwrap(),
            ));
        }
        conn.close().await.unwrap();
        all
    }

    /// Runs SQL as the tests' superuser, past the program's pool.
    pub async fn run(&self, sql: &str) {
        let mut conn = PgConnection::connect_with(&self.options).await.unwrap();
        conn.execute(AssertSqlSafe(sql.to_owned())).await.unwrap();
        conn.close().await.unwrap();
    }

    /// Drops it, whoever is still connected.
    pub async fn drop_it(&self) {
        let mut admin = PgConnection::connect_with(&cluster()).await.unwrap();
        admin
            .execute(AssertSqlSafe(format!(
                "DROP DATABASE IF EXISTS {} WITH (FORCE)",
                self.name
            )))
            .await
            .unwrap();
    }
}

/// The template for this set of migrations, made once a cluster under an advisory lock.
async fn template() -> String {
    let checksum: u64 = MIGRATIONS
        .iter()
        .flat_map(|migration| migration.checksum.iter())
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
    let name = format!("template_{checksum:016x}");
    let mut admin = PgConnection::connect_with(&cluster()).await.unwrap();
    admin
        .execute("SELECT pg_advisory_lock(7001)")
        .await
        .unwrap();
    let there: bool =
        sqlx::query_scalar("SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)")
            .bind(&name)
            .fetch_one(&mut admin)
            .await
            .unwrap();
    if !there {
        let making = format!("{name}_making");
        admin
            .execute(AssertSqlSafe(format!("DROP DATABASE IF EXISTS {making}")))
            .await
            .unwrap();
        admin
            .execute(AssertSqlSafe(format!(
                "CREATE DATABASE {making} TEMPLATE template0"
            )))
            .await
            .unwrap();
        migrate::migrate(&cluster().database(&making))
            .await
            .unwrap();
        admin
            .execute(AssertSqlSafe(format!(
                "ALTER DATABASE {making} RENAME TO {name}"
            )))
            .await
            .unwrap();
    }
    admin
        .execute("SELECT pg_advisory_unlock(7001)")
        .await
        .unwrap();
    name
}
