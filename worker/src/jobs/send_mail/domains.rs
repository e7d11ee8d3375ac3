//! Room for other mail when a domain hangs or is paused.

use shared::{
    address::EmailAddress,
    mail::{domain::MailDomain, owed::Recipient},
    ops::{Context, Failure},
    seal::Place,
    store::mail_queue::{self, Lane, Unsorted},
};

use crate::traffic::Barrier;

/// Mails that are told apart at a time.
const BATCH: i64 = 1_000;

/// A mail met a barrier of its domain. Whatever else is due is told apart by domain, so that claims
/// pass over this one; the mail of a paused domain is put off. If that fails, the next mail that meets
/// the barrier tries again.
pub(super) async fn make_way(context: &Context, lane: Lane, domain: MailDomain, barrier: Barrier) {
    let seconds = match barrier {
        Barrier::Open { .. } => return,
        Barrier::Paused { seconds } => Some(seconds),
        Barrier::Crowded | Barrier::Busy => None,
    };
    if let Err(error) = tell_apart(context, lane, domain, seconds).await {
        tracing::warn!(%error, lane = lane.word(), "due mail could not be told apart by domain");
    }
}

async fn tell_apart(
    context: &Context,
    lane: Lane,
    domain: MailDomain,
    put_off_s: Option<i32>,
) -> Result<(), Failure> {
    let fixed = context.clock.pinned();
    let mut conn = context.pool.acquire().await?;
    let unsorted = mail_queue::unsorted(&mut conn, lane, fixed, BATCH).await?;
    let (mut ids, mut domains) = (Vec::new(), Vec::new());
    for mail in &unsorted {
        // What cannot be opened is found out when its own turn comes.
        if let Some(address) = open(context, mail) {
            ids.push(mail.id);
            domains.push(MailDomain::of(&context.keys.fingerprint, &address));
        }
    }
    mail_queue::sort(&mut conn, &ids, &domains).await?;
    if let Some(seconds) = put_off_s {
        let mails = mail_queue::postpone(&mut conn, domain, seconds, fixed).await?;
        metrics::counter!("holdfast_mail_total", "outcome" => "put_off", "class" => "")
            .increment(mails);
    }
    Ok(())
}

fn open(context: &Context, mail: &Unsorted) -> Option<EmailAddress> {
    let place = match Recipient::read(&mail.recipient, mail.recipient_id)? {
        Recipient::Host(id) => Place::new("hosts", "contact_email", id),
        Recipient::Booker => Place::new("bookings", "booker_email", mail.booking_id),
        Recipient::Guest(id) => Place::new("booking_guests", "email", id),
    };
    let sealed = mail.sealed.as_deref()?;
    let text = context.keys.seal.open_text(place, sealed).ok()?;
    text.parse().ok()
}
