//! Calendars and events as they stand in the database, from iCalendar text.

use shared::{
    calendar::ics_read,
    instant::Instant,
    ops::{Context, stored_event},
    seal::Place,
    store::{begin::begin, calendars, events},
};
use uuid::Uuid;

use crate::host::TestHost;

/// An id of the test's own.
fn new(context: &Context) -> Uuid {
    shared::id::new(context.clock.now(), &context.random).unwrap()
}

/// The host's own calendar.
pub async fn personal(context: &Context, host: &TestHost) -> Uuid {
    sqlx::query_scalar("SELECT id FROM calendars WHERE owner_host_id = $1 AND kind = 'personal'")
        .bind(host.id)
        .fetch_one(&context.pool)
        .await
        .unwrap()
}

/// A calendar of a team, named `Team`, that the first host owns.
pub async fn team(context: &Context, owner: &TestHost, members: &[&TestHost]) -> Uuid {
    let id = new(context);
    insert(context, id, owner, "team", None).await;
    for member in members {
        join(context, id, member).await;
    }
    id
}

/// A subscribed calendar, named `Feed`, last read well at that instant.
pub async fn subscribed(context: &Context, owner: &TestHost, last_good: Option<Instant>) -> Uuid {
    let id = new(context);
    let source = seal(context, "source", id, "https://feeds.test/calendar.ics");
    insert(context, id, owner, "subscribed", Some(source)).await;
    read_at(context, id, last_good).await;
    id
}

/// Sets when a subscribed calendar was last read well.
pub async fn read_at(context: &Context, calendar: Uuid, last_good: Option<Instant>) {
    sqlx::query("UPDATE calendars SET last_good_sync_at = $2 WHERE id = $1")
        .bind(calendar)
        .bind(last_good)
        .execute(&context.pool)
        .await
        .unwrap();
}

/// Lets a host see a calendar.
pub async fn join(context: &Context, calendar: Uuid, host: &TestHost) {
    sqlx::query(
        "INSERT INTO calendar_members (calendar_id, host_id, role) VALUES ($1, $2, 'member')",
    )
    .bind(calendar)
    .bind(host.id)
    .execute(&context.pool)
    .await
    .unwrap();
}

/// Adds the events of iCalendar lines, which need no VCALENDAR around them.
pub async fn put(context: &Context, calendar: Uuid, lines: &str) {
    let mut tx = begin(&context.pool).await.unwrap();
    assert!(calendars::lock(&mut tx, calendar).await.unwrap());
    write(context, &mut tx, calendar, lines).await;
    tx.commit().await.unwrap();
}

/// The same inside a transaction that has locked the calendar.
pub async fn write(context: &Context, conn: &mut sqlx::PgConnection, calendar: Uuid, lines: &str) {
    let file = format!("BEGIN:VCALENDAR\n{lines}\nEND:VCALENDAR\n");
    let parsed = ics_read::read(file.as_bytes(), &context.zones).unwrap();
    let now = context.clock.now();
    let rows = stored_event::rows(context, &parsed, now).unwrap();
    assert!(!rows.is_empty(), "no event in {lines}");
    events::insert(conn, calendar, &rows, now).await.unwrap();
    calendars::bump(conn, calendar).await.unwrap();
}

async fn insert(
    context: &Context,
    id: Uuid,
    owner: &TestHost,
    kind: &str,
    source: Option<Vec<u8>>,
) {
    let name = if kind == "team" { "Team" } else { "Feed" };
    sqlx::query("WITH made AS (INSERT INTO calendars (id, owner_host_id, kind, name_sealed, source_sealed) VALUES ($1, $2, $3, $4, $5))
        INSERT INTO calendar_members (calendar_id, host_id, role) VALUES ($1, $2, 'owner')")
        .bind(id).bind(owner.id).bind(kind).bind(seal(context, "name", id, name)).bind(source)
        .execute(&context.pool).await.unwrap();
}

fn seal(context: &Context, column: &'static str, id: Uuid, text: &str) -> Vec<u8> {
    context
        .keys
        .seal
        .seal(
            Place::new("calendars", column, id),
            text.as_bytes(),
            &context.random,
        )
        .unwrap()
}
