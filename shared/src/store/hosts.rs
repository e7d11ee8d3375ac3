//! Users, hosts, their schedules and event types: writing.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{availability::Window, instant::Instant, random::NoRandomness};

/// A person's row.
#[derive(Debug)]
pub struct UserRow<'a> {
    pub id: Uuid,
    pub email_fp: Vec<u8>,
    pub locale: &'a str,
    pub now: Instant,
}

/// Finds the user with that address, or makes them; answers their id. `sealed` makes the e-mail
/// and the name for a new row's id.
///
/// # Errors
/// The database's; a fault of `sealed` shows as an encoding error.
pub async fn insert_user(
    conn: &mut PgConnection,
    user: &UserRow<'_>,
    sealed: impl FnOnce(Uuid) -> Result<(Vec<u8>, Vec<u8>), NoRandomness>,
) -> Result<Uuid, sqlx::Error> {
    let found = sqlx::query_scalar!("SELECT id FROM users WHERE email_fp = $1", user.email_fp)
        .fetch_optional(&mut *conn)
        .await?;
    if let Some(id) = found {
        return Ok(id);
    }
    let (email, name) = sealed(user.id).map_err(|error| sqlx::Error::Encode(Box::new(error)))?;
    sqlx::query!(
        "INSERT INTO users (id, email_sealed, email_fp, email_verified_at, name_sealed, locale) VALUES ($1, $2, $3, $4, $5, $6)",
        user.id,
        email,
        user.email_fp,
        user.now as Instant,
        name,
        user.locale
    )
    .execute(conn)
    .await?;
    Ok(user.id)
}

/// A host's row, with the id of the personal calendar that comes with it.
#[derive(Debug)]
pub struct HostRow<'a> {
    pub id: Uuid,
    pub user_id: Uuid,
    pub handle: &'a str,
    pub display_name_sealed: Vec<u8>,
    pub contact_email_sealed: Vec<u8>,
    pub zone: &'a str,
    pub locale: &'a str,
    pub calendar_id: Uuid,
    pub now: Instant,
}

/// Writes a human host with a verified address, and their personal calendar.
///
/// # Errors
/// The database's; `hosts_handle_key` when the handle is taken.
pub async fn insert_host(conn: &mut PgConnection, host: &HostRow<'_>) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "WITH made AS (
            INSERT INTO hosts (id, kind, user_id, handle, display_name_sealed, contact_email_sealed, contact_verified_at, zone, locale)
            VALUES ($1, 'human', $2, $3, $4, $5, $6, $7, $8) RETURNING id
        ), calendar AS (
            INSERT INTO calendars (id, owner_host_id, kind) SELECT $9, id, 'personal' FROM made RETURNING id, owner_host_id
        )
        INSERT INTO calendar_members (calendar_id, host_id, role) SELECT id, owner_host_id, 'owner' FROM calendar",
        host.id,
        host.user_id,
        host.handle,
        host.display_name_sealed,
        host.contact_email_sealed,
        host.now as Instant,
        host.zone,
        host.locale,
        host.calendar_id
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A schedule's row.
#[derive(Debug)]
pub struct ScheduleRow {
    pub id: Uuid,
    pub host_id: Uuid,
    pub name_sealed: Vec<u8>,
    pub availability_text_sealed: Vec<u8>,
}

/// Writes a schedule with its windows.
///
/// # Errors
/// The database's.
pub async fn insert_schedule(
    conn: &mut PgConnection,
    schedule: &ScheduleRow,
    windows: &[Window],
) -> Result<(), sqlx::Error> {
    let minutes = |pick: fn(&Window) -> u16| -> Vec<i16> {
        windows
            .iter()
            .map(|window| i16::try_from(pick(window)).unwrap_or(i16::MAX))
            .collect()
    };
    let weekdays: Vec<i16> = windows
        .iter()
        .map(|window| i16::from(window.weekday))
        .collect();
    sqlx::query!(
        "WITH made AS (
            INSERT INTO schedules (id, host_id, name_sealed, availability_text_sealed) VALUES ($1, $2, $3, $4) RETURNING id
        )
        INSERT INTO schedule_windows (schedule_id, weekday, start_min, end_min)
        SELECT made.id, w.weekday, w.start_min, w.end_min
          FROM made, unnest($5::smallint[], $6::smallint[], $7::smallint[]) AS w (weekday, start_min, end_min)",
        schedule.id,
        schedule.host_id,
        schedule.name_sealed,
        schedule.availability_text_sealed,
        &weekdays,
        &minutes(|window| window.start_min),
        &minutes(|window| window.end_min)
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// An event type's row; what is not here has the schema's default.
#[derive(Debug)]
pub struct EventTypeRow<'a> {
    pub id: Uuid,
    pub host_id: Uuid,
    pub schedule_id: Uuid,
    pub code: &'a str,
    pub title_sealed: Vec<u8>,
    pub description_sealed: Vec<u8>,
    pub duration_min: i32,
    pub horizon_days: i32,
    pub confirmation: &'a str,
    pub locale: &'a str,
    pub reminder_rule_id: Uuid,
    pub now: Instant,
}

/// Writes a published event type with the default reminder, a day before.
///
/// # Errors
/// The database's.
pub async fn insert_event_type(
    conn: &mut PgConnection,
    row: &EventTypeRow<'_>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "WITH made AS (
            INSERT INTO event_types (id, owner_host_id, schedule_id, code, title_sealed, description_sealed,
                duration_min, step_min, horizon_days, confirmation, locale, published_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10, $11) RETURNING id
        )
        INSERT INTO reminder_rules (id, event_type_id, offset_min) SELECT $12, id, 1440 FROM made",
        row.id,
        row.host_id,
        row.schedule_id,
        row.code,
        row.title_sealed,
        row.description_sealed,
        row.duration_min,
        row.horizon_days,
        row.confirmation,
        row.locale,
        row.now as Instant,
        row.reminder_rule_id
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Whether a host has that handle.
///
/// # Errors
/// The database's.
pub async fn handle_exists(conn: &mut PgConnection, handle: &str) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM hosts WHERE handle = $1) AS "exists!""#,
        handle
    )
    .fetch_one(conn)
    .await
}

/// Whose handle it is.
#[derive(Clone, Copy, Debug)]
pub struct HandleRow {
    pub id: Uuid,
    pub is_active: bool,
}

/// Finds a host by its handle.
///
/// # Errors
/// The database's.
pub async fn by_handle(
    conn: &mut PgConnection,
    handle: &str,
) -> Result<Option<HandleRow>, sqlx::Error> {
    sqlx::query_as!(
        HandleRow,
        "SELECT id, is_active FROM hosts WHERE handle = $1",
        handle
    )
    .fetch_optional(conn)
    .await
}

/// A host, sealed as it is stored.
#[derive(Debug)]
pub struct FoundHost {
    pub handle: String,
    pub display_name_sealed: Vec<u8>,
    pub contact_email_sealed: Vec<u8>,
    pub contact_verified: bool,
    pub zone: String,
    pub locale: String,
}

/// Finds a host by id.
///
/// # Errors
/// The database's.
pub async fn find(conn: &mut PgConnection, host: Uuid) -> Result<Option<FoundHost>, sqlx::Error> {
    sqlx::query_as!(
        FoundHost,
        r#"SELECT handle, display_name_sealed, contact_email_sealed, contact_verified_at IS NOT NULL AS "contact_verified!", zone, locale FROM hosts WHERE id = $1"#,
        host
    )
    .fetch_optional(conn)
    .await
}

/// A host who may take over bookings of a type, sealed as it is stored.
#[derive(Debug)]
pub struct SubstituteRow {
    pub id: Uuid,
    pub is_active: bool,
    pub is_verified: bool,
    pub display_name_sealed: Vec<u8>,
    pub contact_email_sealed: Vec<u8>,
    pub zone: String,
}

/// Finds a host who may take over bookings of a type: its owner, or whoever was added to it.
///
/// # Errors
/// The database's.
pub async fn substitute(
    conn: &mut PgConnection,
    event_type: Uuid,
    handle: &str,
) -> Result<Option<SubstituteRow>, sqlx::Error> {
    sqlx::query_as!(
        SubstituteRow,
        r#"SELECT h.id, h.is_active, h.contact_verified_at IS NOT NULL AS "is_verified!", h.display_name_sealed, h.contact_email_sealed, h.zone
             FROM hosts h
            WHERE h.handle = $2
              AND (EXISTS (SELECT FROM event_types t WHERE t.id = $1 AND t.owner_host_id = h.id)
                   OR EXISTS (SELECT FROM event_type_hosts m WHERE m.event_type_id = $1 AND m.host_id = h.id))"#,
        event_type,
        handle
    )
    .fetch_optional(conn)
    .await
}

/// Lets a host take over bookings of a page of another's, or no more. Answers whether there is such
/// a page and such a host.
///
/// # Errors
/// The database's.
pub async fn set_substitute(
    conn: &mut PgConnection,
    page: (&str, &str),
    handle: &str,
    may: bool,
) -> Result<bool, sqlx::Error> {
    let found = sqlx::query_scalar!(
        r#"WITH pair AS (
            SELECT t.id AS event_type_id, h.id AS host_id
              FROM hosts o JOIN event_types t ON t.owner_host_id = o.id, hosts h
             WHERE o.handle = $1 AND (t.code = $2 OR t.slug = $2) AND h.handle = $3 AND h.id <> o.id
        ), added AS (
            INSERT INTO event_type_hosts (event_type_id, host_id) SELECT event_type_id, host_id FROM pair WHERE $4 ON CONFLICT DO NOTHING
        ), removed AS (
            DELETE FROM event_type_hosts m USING pair WHERE NOT $4 AND m.event_type_id = pair.event_type_id AND m.host_id = pair.host_id
        )
        SELECT EXISTS (SELECT FROM pair) AS "found!""#,
        page.0,
        page.1,
        handle,
        may
    )
    .fetch_one(conn)
    .await?;
    Ok(found)
}
