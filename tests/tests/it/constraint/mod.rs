//! What the database refuses whatever the code above it does: raw SQL, no operation.

mod checks;
mod history;
mod overlap;

use holdfast_tests::Flow;

/// The SQLSTATE and the constraint that a statement fails by; `None` if it goes through. Nothing
/// of it stays.
async fn refusal(flow: &Flow, sql: &str) -> Option<(String, String)> {
    let mut tx = flow.context.pool.begin_with("BEGIN").await.unwrap();
    let outcome = sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned()))
        .execute(&mut *tx)
        .await;
    tx.rollback().await.unwrap();
    let error = outcome.err()?;
    let error = error.as_database_error().unwrap_or_else(|| {
        panic!("{sql}: {error}");
    });
    Some((
        error.code().unwrap().into_owned(),
        error.constraint().unwrap_or_default().to_owned(),
    ))
}
