//! Makes sure that the database and the keys belong together, before anything is served.

use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    clock::Clock,
    config::Keys,
    fingerprint::Purpose,
    id,
    random::{NoRandomness, Random},
    seal::{CannotOpen, Place},
    store::instance::{self, Instance},
};

const PROBE: &[u8] = b"holdfast";

/// The keys do not fit the database.
#[derive(Debug, thiserror::Error)]
pub enum CannotOpenInstance {
    /// The sealing keys cannot open what this database holds.
    #[error("HOLDFAST_KEYS does not fit this database: it {0}")]
    Seal(CannotOpen),
    /// The fingerprint key is another than the one this database was filled with.
    #[error(
        "HOLDFAST_FINGERPRINT_KEY is not the key that this database's fingerprints were made with"
    )]
    Fingerprint,
    /// No random bytes for a new installation.
    #[error(transparent)]
    Random(#[from] NoRandomness),
    /// The database.
    #[error("the database cannot be read")]
    Database(#[from] sqlx::Error),
}

/// Reads this installation's id, making it on the first start, and proves the keys.
///
/// # Errors
/// [`CannotOpenInstance`], which names the key id that is missing or wrong.
pub async fn open_instance(
    pool: &PgPool,
    clock: &Clock,
    random: &Random,
    keys: &Keys,
) -> Result<Uuid, CannotOpenInstance> {
    let mut conn = pool.acquire().await?;
    let found = match instance::find(&mut conn).await? {
        Some(found) => found,
        None => {
            let id = id::new(clock.now(), random)?;
            let fresh = Instance {
                id,
                seal_probe: keys.seal.seal(place(id), PROBE, random)?,
                fingerprint_probe: keys.fingerprint.of(Purpose::Address, PROBE).to_vec(),
            };
            instance::insert_unless_present(&mut conn, &fresh).await?;
            instance::find(&mut conn).await?.unwrap_or(fresh)
        }
    };
    keys.seal
        .open(place(found.id), &found.seal_probe)
        .map_err(CannotOpenInstance::Seal)?;
    if keys.fingerprint.of(Purpose::Address, PROBE).as_slice() == found.fingerprint_probe {
        Ok(found.id)
    } else {
        Err(CannotOpenInstance::Fingerprint)
    }
}

const fn place(id: Uuid) -> Place {
    Place::new("instance", "seal_probe", id)
}
