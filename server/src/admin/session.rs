//! One command's work on the database, with everything that it needs begun before and ended after
//! it.

use shared::{
    config::Config, ops::Context, process::start as process_start, store::pool, wake::Wake,
};

use crate::start::{self, CannotStart};

/// Connects, fits the schema, does the work, and leaves everything as it was.
///
/// # Errors
/// [`CannotStart`], when there is nothing to work on.
pub(super) async fn with_context<T>(
    config: &mut Config,
    work: impl AsyncFnOnce(&Context) -> T,
) -> Result<T, CannotStart> {
    let mut connected = start::database_for_command(config).await?;
    let pool = pool::open(connected.pooled.clone(), 2);
    let outcome = async {
        process_start::fit_schema(config.auto_migrate, &connected.direct, &pool).await?;
        let keys = start::keys(config)?;
        let context =
            process_start::context(config, keys, pool.clone(), Wake::elsewhere(pool.clone()))
                .await?;
        Ok(work(&context).await)
    }
    .await;
    pool.close().await;
    if let Some(private) = connected.private.take() {
        private.stop().await?;
    }
    outcome
}
