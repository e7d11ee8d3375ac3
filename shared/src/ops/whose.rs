//! Whose time it is, for whatever is expanded as a host sees it.

use sqlx::PgConnection;
use uuid::Uuid;

use super::{Context, busy_time::Whose, failure::Failure};
use crate::{
    address::{EmailAddress, InvalidAddress},
    seal::Place,
    store::hosts,
};

/// The host's zone and address; `None` if there is no such host.
pub(super) async fn load(
    context: &Context,
    conn: &mut PgConnection,
    host: Uuid,
) -> Result<Option<Whose>, Failure> {
    let Some(row) = hosts::find(conn, host).await? else {
        return Ok(None);
    };
    let place = Place::new("hosts", "contact_email", host);
    let address: EmailAddress = context
        .keys
        .seal
        .open_text(place, &row.contact_email_sealed)?
        .parse()
        .map_err(|_: InvalidAddress| Failure::Stored("address"))?;
    Ok(Some(Whose {
        host,
        zone: context
            .zones
            .get(&row.zone)
            .map_err(|_| Failure::Stored("zone"))?,
        address: address.matching_key(),
    }))
}
