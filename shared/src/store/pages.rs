//! An event type with its host, schedule and questions: everything that a page shows and that a
//! slot is judged by, but for busy time. One round trip.

use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use crate::{instant::Day, mail::owed::ReminderRule};

/// The row, sealed as it is stored.
#[derive(Debug)]
pub struct PageRow {
    pub event_type_id: Uuid,
    pub type_revision: i32,
    pub code: String,
    pub slug: Option<String>,
    pub title_sealed: Vec<u8>,
    pub description_sealed: Vec<u8>,
    pub location_kind: String,
    pub location_sealed: Option<Vec<u8>>,
    pub duration_min: i32,
    pub step_min: i32,
    pub before_buffer_min: i32,
    pub after_buffer_min: i32,
    pub notice_min: i32,
    pub horizon_days: i32,
    pub bookable_from: Option<Day>,
    pub bookable_until: Option<Day>,
    pub confirmation: String,
    pub dst_policy: String,
    pub limit_per_day: Option<i32>,
    pub limit_per_week: Option<i32>,
    pub limit_per_month: Option<i32>,
    pub allow_guests: bool,
    pub published: bool,
    pub host_id: Uuid,
    pub handle: String,
    pub display_name_sealed: Vec<u8>,
    pub contact_email_sealed: Vec<u8>,
    pub contact_verified: bool,
    pub host_zone: String,
    pub host_locale: String,
    pub host_is_active: bool,
    pub schedule_id: Uuid,
    pub schedule_revision: i32,
    pub schedule_zone: Option<String>,
    pub cross_midnight: bool,
    /// `[weekday, start_min, end_min]` each.
    pub windows: Json<Vec<(u8, u16, u16)>>,
    pub overrides: Json<Vec<DateRanges>>,
    pub questions: Json<Vec<QuestionRow>>,
    pub reminders: Json<Vec<ReminderRule>>,
}

/// An override: `[date, [[start_min, end_min]…]]`.
pub type DateRanges = (jiff::civil::Date, Vec<(u16, u16)>);

/// A question, sealed; bytes in hexadecimal.
#[derive(Clone, Debug, serde::Deserialize)]
pub struct QuestionRow {
    pub id: Uuid,
    pub kind: String,
    pub required: bool,
    pub label: String,
    pub options: Option<String>,
}

/// Which event type.
#[derive(Clone, Copy, Debug)]
pub enum PageKey<'a> {
    /// By its public address; the second part is a code or a slug.
    Address(&'a str, &'a str),
    /// By its id, published or not: for a booking that stands.
    Id(Uuid),
}

/// Finds an event type. By its address only a published one of an active host whose contact
/// address is verified is found. Overrides are those of `from..=to`.
///
/// # Errors
/// The database's.
pub async fn find(
    conn: &mut PgConnection,
    key: PageKey<'_>,
    from: Day,
    to: Day,
) -> Result<Option<PageRow>, sqlx::Error> {
    let (handle, code, id) = match key {
        PageKey::Address(handle, code) => (Some(text(handle)), Some(text(code)), None),
        PageKey::Id(id) => (None, None, Some(id)),
    };
    // One id either way, so that one plan serves both; with OR it would be made anew every time.
    sqlx::query_as!(
        PageRow,
        r#"SELECT t.id AS event_type_id, t.revision AS type_revision, t.code, t.slug, t.title_sealed,
            t.description_sealed, t.location_kind, t.location_sealed, t.duration_min, t.step_min,
            t.before_buffer_min, t.after_buffer_min, t.notice_min, t.horizon_days, t.bookable_from,
            t.bookable_until, t.confirmation, t.dst_policy, t.limit_per_day, t.limit_per_week,
            t.limit_per_month, t.allow_guests, t.published_at IS NOT NULL AS "published!",
            h.id AS host_id, h.handle, h.display_name_sealed, h.contact_email_sealed,
            h.contact_verified_at IS NOT NULL AS "contact_verified!", h.zone AS host_zone,
            h.locale AS host_locale, h.is_active AS host_is_active, s.id AS schedule_id,
            s.revision AS schedule_revision, s.zone AS schedule_zone, s.cross_midnight,
            (SELECT coalesce(json_agg(json_build_array(w.weekday, w.start_min, w.end_min)), '[]')
               FROM schedule_windows w WHERE w.schedule_id = s.id) AS "windows!: Json<Vec<(u8, u16, u16)>>",
            (SELECT coalesce(json_agg(json_build_array(o.on_date,
                    (SELECT coalesce(json_agg(json_build_array(lower(r), upper(r))), '[]') FROM unnest(o.windows) r))), '[]')
               FROM schedule_overrides o
              WHERE o.schedule_id = s.id AND o.on_date BETWEEN $4 AND $5)
              AS "overrides!: Json<Vec<DateRanges>>",
            (SELECT coalesce(json_agg(json_build_object('id', q.id, 'kind', q.kind, 'required', q.required,
                    'label', encode(q.label_sealed, 'hex'), 'options', encode(q.options_sealed, 'hex')) ORDER BY q.position), '[]')
               FROM questions q WHERE q.event_type_id = t.id) AS "questions!: Json<Vec<QuestionRow>>",
            (SELECT coalesce(json_agg(json_build_object('offset_min', r.offset_min, 'to_hosts', r.to_hosts,
                    'to_booker', r.to_booker, 'to_guests', r.to_guests)), '[]')
               FROM reminder_rules r WHERE r.event_type_id = t.id) AS "reminders!: Json<Vec<ReminderRule>>"
        FROM event_types t
        JOIN hosts h ON h.id = t.owner_host_id
        JOIN schedules s ON s.id = t.schedule_id
        WHERE t.id = coalesce($3, (
            SELECT p.id FROM hosts o JOIN event_types p ON p.owner_host_id = o.id
             WHERE o.handle = $1 AND (p.code = $2 OR p.slug = $2) AND p.published_at IS NOT NULL
               AND o.is_active AND o.contact_verified_at IS NOT NULL))"#,
        handle,
        code,
        id,
        from as Day,
        to as Day,
    )
    .fetch_optional(conn)
    .await
}

/// PostgreSQL's text holds no NUL, and no address has one: such a name is looked up as the empty
/// one, which nothing has either.
fn text(name: &str) -> &str {
    if name.contains('\0') { "" } else { name }
}

/// What a host's own page lists of one type.
#[derive(Debug)]
pub struct ListedRow {
    pub event_type_id: Uuid,
    pub code: String,
    pub slug: Option<String>,
    pub title_sealed: Vec<u8>,
    pub description_sealed: Vec<u8>,
    pub duration_min: i32,
    pub host_id: Uuid,
    pub display_name_sealed: Vec<u8>,
}

/// The published types of a host that are marked listed, oldest first.
///
/// # Errors
/// The database's.
pub async fn listed(conn: &mut PgConnection, handle: &str) -> Result<Vec<ListedRow>, sqlx::Error> {
    sqlx::query_as!(
        ListedRow,
        r#"SELECT t.id AS event_type_id, t.code, t.slug, t.title_sealed, t.description_sealed, t.duration_min,
                  h.id AS host_id, h.display_name_sealed
             FROM event_types t JOIN hosts h ON h.id = t.owner_host_id
            WHERE h.handle = $1 AND h.is_active AND h.contact_verified_at IS NOT NULL
              AND t.listed AND t.published_at IS NOT NULL
            ORDER BY t.id"#,
        text(handle)
    )
    .fetch_all(conn)
    .await
}

/// A host on the instance page.
#[derive(Debug)]
pub struct ListedHostRow {
    pub host_id: Uuid,
    pub handle: String,
    pub display_name_sealed: Vec<u8>,
}

/// Active hosts who opted in to the instance page and have a listed type, at most 200.
///
/// # Errors
/// The database's.
pub async fn listed_hosts(conn: &mut PgConnection) -> Result<Vec<ListedHostRow>, sqlx::Error> {
    sqlx::query_as!(
        ListedHostRow,
        r#"SELECT h.id AS host_id, h.handle, h.display_name_sealed
             FROM hosts h
            WHERE h.listed AND h.is_active AND h.contact_verified_at IS NOT NULL
              AND EXISTS (SELECT FROM event_types t WHERE t.owner_host_id = h.id AND t.listed AND t.published_at IS NOT NULL)
            ORDER BY h.handle LIMIT 200"#
    )
    .fetch_all(conn)
    .await
}
