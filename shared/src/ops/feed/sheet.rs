//! A calendar as one host may show it.

use sqlx::PgConnection;
use uuid::Uuid;

use super::FeedError;
use crate::{
    address::{EmailAddress, InvalidAddress},
    locale::Locale,
    ops::{
        Context, Failure,
        busy_time::{SeenCalendar, Whose},
    },
    seal::Place,
    store::exports,
};

/// A calendar as one host may show it.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    /// What it is called; a personal calendar goes by its owner's name.
    pub(super) name: String,
    pub(super) seen: SeenCalendar,
    pub(super) whose: Whose,
    /// The host's public name.
    pub(super) host_name: String,
    pub(super) host_address: EmailAddress,
    pub(super) locale: Locale,
}

/// Reads it.
///
/// # Errors
/// [`FeedError::NotFound`] if the host does not see the calendar.
pub(super) async fn load(
    context: &Context,
    conn: &mut PgConnection,
    host: Uuid,
    calendar: Uuid,
) -> Result<Sheet, FeedError> {
    let row = exports::calendar(conn, calendar, host)
        .await?
        .ok_or(FeedError::NotFound)?;
    let open = |table, column, id, sealed: &[u8]| {
        let place = Place::new(table, column, id);
        context.keys.seal.open_text(place, sealed)
    };
    let name = match &row.name_sealed {
        Some(name) => open("calendars", "name", calendar, name)?,
        None => open(
            "hosts",
            "display_name",
            row.owner_host_id,
            &row.owner_name_sealed,
        )?,
    };
    let host_address: EmailAddress = open("hosts", "contact_email", host, &row.host_email_sealed)?
        .parse()
        .map_err(|_: InvalidAddress| Failure::Stored("address"))?;
    let zone = context.zones.get(&row.zone);
    Ok(Sheet {
        name,
        seen: SeenCalendar {
            id: calendar,
            revision: row.revision,
            stale_at: row.stale_at,
            never_read: row.never_read,
        },
        whose: Whose {
            host,
            zone: zone.map_err(|_| Failure::Stored("zone"))?,
            address: host_address.matching_key(),
        },
        host_name: open("hosts", "display_name", host, &row.host_name_sealed)?,
        host_address,
        locale: Locale::from_tag(&row.locale),
    })
}
