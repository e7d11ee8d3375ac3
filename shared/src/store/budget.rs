//! Budgets of mail: counted from the ledger, reserved in the transaction that prepares a mail.
//!
//! Exact under any number of workers. Mail to one address is prepared one after the other, under
//! an advisory lock of that address. The installation's cap is kept by one more lock: while the cap
//! is far away many share it, and how far away it is follows from two ordinals of the ledger,
//! whatever lies between them; near the cap each takes it alone and counts.
//!
//! Both are taken by [`lock_and_look`](super::mail_queue::lock_and_look), after the booking's lock
//! and in that order (the cap's, then the address's), and end with the transaction, before any mail
//! server is asked. The counting statement comes after the locks: it sees what they waited for.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    fingerprint::Fingerprint,
    instant::Instant,
    mail::budget::{Allowance, Suppression},
    token::TokenHash,
};

/// The advisory lock of the installation's cap.
pub(super) const CAP_LOCK: i64 = 0x486f_6c64_6d61_696c;

/// What the locks found: where a reservation stands in the ledger.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Drawn before `now` was read.
    pub ordinal: i64,
    /// Nobody else reserves at this moment.
    pub alone: bool,
    /// After the locks were taken.
    pub now: Instant,
}

/// One mail that wants to leave.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    pub mail: Uuid,
    /// The claim that it would be sent under: a reservation is an attempt's.
    pub claim: Uuid,
    /// For the ledger's eyes alone; `None` for hosts.
    pub recipient: Option<&'a Fingerprint>,
    /// The kind of mail, or `sign_in`.
    pub kind: &'a str,
    pub allowance: Allowance,
    /// The manage token of its link, kept only if the mail may leave.
    pub link: Option<(&'a TokenHash, Uuid)>,
}

/// Whether it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reserved {
    /// It may, and counts from now on.
    Yes,
    /// A budget is used up.
    No(Suppression),
    /// The cap came near while many shared its lock: ask again, alone.
    AskAlone,
}

/// Reserves, and keeps the token of the mail's link with it. A mail's own earlier attempts that
/// may have been delivered count for others to its recipient, never for itself.
///
/// # Errors
/// The database's.
pub async fn reserve(
    conn: &mut PgConnection,
    place: Place,
    wish: &Wish<'_>,
) -> Result<Reserved, sqlx::Error> {
    // A bound on the rows of an hour is the distance from the first one's ordinal to the last that
    // was drawn. Ordinals are drawn before the clock is read, so what the bound leaves out was on
    // its way when that first one was drawn: at most one of each session.
    let refusal = sqlx::query_scalar!(
        r#"WITH recipient AS MATERIALIZED (
            SELECT count(*) FILTER (WHERE at > $2::timestamptz - interval '1 hour') AS hour, count(*) AS day
              FROM mail_ledger WHERE recipient_fp = $3 AND at > $2::timestamptz - interval '1 day' AND mail_id <> $4
        ), cap AS MATERIALIZED (
            SELECT CASE WHEN $5::bigint IS NULL THEN false
                        WHEN $6 THEN (SELECT count(*) FROM mail_ledger WHERE at > $2::timestamptz - interval '1 hour') >= $5
                        ELSE coalesce((SELECT seq.last_value FROM mail_ledger_ordinal_seq seq)
                                - (SELECT ordinal FROM mail_ledger WHERE at > $2::timestamptz - interval '1 hour' ORDER BY at, ordinal LIMIT 1) + 1, 0)
                             + current_setting('max_connections')::bigint > $5 END AS reached
        ), verdict AS MATERIALIZED (
            SELECT CASE WHEN recipient.hour >= $7 THEN 'recipient_hour' WHEN recipient.day >= $8 THEN 'recipient_day'
                        WHEN cap.reached AND $6 THEN 'instance_hour' WHEN cap.reached THEN 'ask_alone' END AS refusal
              FROM recipient, cap
        ), reserved AS (
            INSERT INTO mail_ledger (claim_id, ordinal, mail_id, recipient_fp, kind, at)
            SELECT $9, $1, $4, $3, $10, $2 FROM verdict WHERE refusal IS NULL
        ), link AS (
            INSERT INTO manage_tokens (token_hash, booking_id, mail_id)
            SELECT $11, $12, $4 FROM verdict WHERE refusal IS NULL AND $11::bytea IS NOT NULL
        )
        SELECT refusal FROM verdict"#,
        place.ordinal,
        place.now as Instant,
        wish.recipient.map(Fingerprint::as_slice),
        wish.mail,
        wish.allowance.instance_per_hour,
        place.alone,
        wish.allowance.recipient.map(|limits| limits.per_hour),
        wish.allowance.recipient.map(|limits| limits.per_day),
        wish.claim,
        wish.kind,
        wish.link.map(|(hash, _)| hash.as_slice()),
        wish.link.map(|(_, booking)| booking),
    )
    .fetch_one(conn)
    .await?;
    match refusal.as_deref() {
        None => Ok(Reserved::Yes),
        Some("ask_alone") => Ok(Reserved::AskAlone),
        Some(word) => word
            .parse()
            .map(Reserved::No)
            .map_err(|error| sqlx::Error::Decode(Box::new(error))),
    }
}

/// Takes the locks for a sign-in mail, which no booking stands behind, and says where its
/// reservation stands. The transaction ends before the mail is sent.
///
/// # Errors
/// The database's.
pub async fn lock_sign_in(
    conn: &mut PgConnection,
    recipient: &Fingerprint,
    allowance: Allowance,
    fixed: Option<Instant>,
) -> Result<Place, sqlx::Error> {
    let capped = allowance.instance_per_hour.is_some();
    // Few and far between: the cap's lock is taken alone.
    sqlx::query_as!(
        Place,
        r#"WITH cap AS MATERIALIZED (
            SELECT CASE WHEN $1 THEN pg_advisory_xact_lock($2) END
        ), recipient AS MATERIALIZED (
            SELECT pg_advisory_xact_lock($3) FROM cap
        ), drawn AS MATERIALIZED (
            SELECT nextval('mail_ledger_ordinal_seq') AS ordinal FROM recipient
        )
        SELECT ordinal AS "ordinal!", true AS "alone!", coalesce($4, clock_timestamp()) AS "now!" FROM drawn"#,
        capped,
        CAP_LOCK,
        crate::fingerprint::lock_key(recipient),
        fixed as Option<Instant>
    )
    .fetch_one(conn)
    .await
}

/// Gives a reservation back: the attempt reached nobody. Answers whether there was one.
///
/// # Errors
/// The database's.
pub async fn release(conn: &mut PgConnection, claim: Uuid) -> Result<bool, sqlx::Error> {
    let released = sqlx::query!("DELETE FROM mail_ledger WHERE claim_id = $1", claim)
        .execute(conn)
        .await?;
    Ok(released.rows_affected() == 1)
}

/// Purges rows that no budget counts any more, two days old; answers how many.
///
/// # Errors
/// The database's.
pub async fn purge(
    conn: &mut PgConnection,
    fixed: Option<Instant>,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let purged = sqlx::query!(
        // By place: found by a join the rest of the ledger would be read with them.
        "DELETE FROM mail_ledger WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM mail_ledger WHERE at < (SELECT coalesce($1, clock_timestamp())) - interval '2 days' ORDER BY at, ordinal LIMIT $2))",
        fixed as Option<Instant>,
        limit
    )
    .execute(conn)
    .await?;
    Ok(purged.rows_affected())
}
