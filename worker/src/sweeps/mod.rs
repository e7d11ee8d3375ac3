//! Sweeps: a timer each, idempotent, safe to run in every worker.

use std::time::Duration;

use shared::{
    ops::{self, Context, Failure},
    store::{
        budget, calendar_syncs, idempotency,
        mail_queue::{self, Lane},
        sweeps,
    },
};
use tokio_util::sync::CancellationToken;

use crate::pulse::{Loop, Pulse};

/// IPs forgotten in one pass.
const IPS: i64 = 500;
/// Idempotency keys purged in one pass.
const KEYS: i64 = 1_000;
/// Rows of the mail ledger purged in one pass.
const LEDGER: i64 = 10_000;
/// How often a sweep looks when nothing tells it an earlier time.
const PAUSE: Duration = Duration::from_secs(15);

/// One pass of every sweep, cheap work first. Answers how many holds lapsed.
///
/// # Errors
/// [`Failure`]; what was done before stands.
pub async fn pass(context: &Context) -> Result<u64, Failure> {
    let fixed = context.clock.pinned();
    let expired = ops::expire_holds(context).await?;
    let mut conn = context.pool.acquire().await?;
    let forgotten = sweeps::forget_ips(&mut conn, fixed, IPS).await?;
    let dead = mail_queue::exhaust_dead(&mut conn, fixed).await?;
    let purged = idempotency::purge(&mut conn, context.clock.now(), KEYS).await?;
    let counted = budget::purge(&mut conn, fixed, LEDGER).await?;
    for mail in &dead {
        metrics::counter!("holdfast_mail_total", "outcome" => "exhausted", "class" => "worker_died")
            .increment(1);
        metrics::counter!("holdfast_mail_uncertain_total").increment(1);
        tracing::error!(booking.id = %mail.booking_id, mail.id = %mail.id, error.class = "worker_died", "attempts used up: this mail was not delivered");
    }
    for (sweep, done) in [
        ("expire_holds", expired),
        ("forget_ips", forgotten),
        (
            "exhaust_dead",
            u64::try_from(dead.len()).unwrap_or(u64::MAX),
        ),
        ("purge_keys", purged),
        ("purge_mail_ledger", counted),
    ] {
        metrics::counter!("holdfast_sweeps_total", "sweep" => sweep).increment(done);
    }
    let calendars = calendar_syncs::standing(&mut conn, fixed).await?;
    for lane in Lane::ALL {
        let backlog = mail_queue::backlog(&mut conn, lane).await?;
        #[expect(clippy::cast_precision_loss, reason = "a gauge")]
        {
            metrics::gauge!("holdfast_mail_owed", "lane" => lane.word()).set(backlog.owed as f64);
            metrics::gauge!("holdfast_mail_oldest_owed_seconds", "lane" => lane.word())
                .set(backlog.oldest_s as f64);
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "a gauge")]
    {
        metrics::gauge!("holdfast_calendars_failing").set(calendars.failing as f64);
        metrics::gauge!("holdfast_calendar_oldest_sync_seconds").set(calendars.oldest_s as f64);
    }
    Ok(expired)
}

/// Sweeps until the worker closes.
pub(crate) async fn run(context: Context, pulse: Pulse, closing: CancellationToken) {
    while !closing.is_cancelled() {
        pulse.beat(Loop::Sweeps, context.clock.now());
        let again = match pass(&context).await {
            // A full batch: there may be more.
            Ok(expired) if expired >= u64::try_from(ops::BATCH).unwrap_or(u64::MAX) => {
                Duration::from_millis(50)
            }
            Ok(_) => until_lapse(&context).await,
            Err(error) => {
                tracing::warn!(%error, "a sweep failed");
                PAUSE
            }
        };
        tokio::select! {
            () = tokio::time::sleep(again) => {}
            () = closing.cancelled() => {}
        }
    }
}

/// Until the next hold lapses, if that is before the next pass.
async fn until_lapse(context: &Context) -> Duration {
    let asked = async {
        let mut conn = context.pool.acquire().await?;
        sweeps::next_lapse(&mut conn).await
    };
    let Ok(Some(lapse)) = asked.await else {
        return PAUSE;
    };
    let ms = lapse.since(context.clock.now()).as_millis();
    PAUSE.min(Duration::from_millis(
        u64::try_from(ms).unwrap_or(0).saturating_add(50),
    ))
}
