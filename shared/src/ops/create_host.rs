//! Makes a person, their host, a schedule and one published page in one transaction.

use sqlx::PgConnection;
use uuid::Uuid;

use super::{Context, failure::Failure};
use crate::{
    address::EmailAddress,
    availability::{Problem, Window, parse},
    fingerprint::Purpose,
    handle::Handle,
    id,
    locale::Locale,
    seal::Place,
    store::{
        begin::begin,
        constraint::{HOST_HANDLE, HOST_PERSON, USER_EMAIL, violates},
        hosts,
    },
    zone::Zone,
};

/// What a new host needs.
#[derive(Clone, Debug)]
pub struct NewHost {
    pub handle: Handle,
    pub name: String,
    pub email: EmailAddress,
    pub zone: Zone,
    pub locale: Locale,
    /// In plain words, such as "weekdays 9-12, 1-5".
    pub availability: String,
    pub page: NewPage,
}

/// The host's first page.
#[derive(Clone, Debug)]
pub struct NewPage {
    /// Drawn at random if not given.
    pub code: Option<String>,
    pub title: String,
    pub description: String,
    pub duration_min: u16,
    pub horizon_days: u16,
    pub instant: bool,
}

/// What was made.
#[derive(Clone, Debug)]
pub struct CreatedHost {
    pub host_id: Uuid,
    pub event_type_id: Uuid,
    /// The page's path, `/book/<handle>/<code>`.
    pub path: String,
}

/// Why no host was made.
#[derive(Debug, thiserror::Error)]
pub enum CreateHostError {
    /// The handle is another host's.
    #[error("the handle {0} is taken")]
    HandleTaken(String),
    /// The address belongs to a person who is a host already.
    #[error("this address already has a host")]
    PersonHasHost,
    /// The availability text has problems.
    #[error("the availability text has problems")]
    Availability(Vec<Problem>),
    /// The availability text names no hours at all.
    #[error("the availability text names no hours")]
    NoHours,
    #[error(transparent)]
    Failure(#[from] Failure),
}

impl From<sqlx::Error> for CreateHostError {
    fn from(error: sqlx::Error) -> Self {
        Self::Failure(error.into())
    }
}

impl From<crate::random::NoRandomness> for CreateHostError {
    fn from(error: crate::random::NoRandomness) -> Self {
        Self::Failure(error.into())
    }
}

/// Creates the host and publishes the page. The operator vouches for the address: it counts as
/// verified.
///
/// # Errors
/// [`CreateHostError`]; nothing is kept then.
pub async fn create_host(context: &Context, new: &NewHost) -> Result<CreatedHost, CreateHostError> {
    let parsed = parse(&new.availability);
    if !parsed.problems.is_empty() {
        return Err(CreateHostError::Availability(parsed.problems));
    }
    if parsed.windows.is_empty() {
        return Err(CreateHostError::NoHours);
    }
    let mut tx = begin(&context.pool).await?;
    let created = insert(context, &mut tx, new, &parsed.windows).await?;
    tx.commit().await?;
    Ok(created)
}

async fn insert(
    context: &Context,
    conn: &mut PgConnection,
    new: &NewHost,
    windows: &[Window],
) -> Result<CreatedHost, CreateHostError> {
    let now = context.clock.now();
    let random = &context.random;
    let seal = |table, column, row, text: &str| {
        context
            .keys
            .seal
            .seal(Place::new(table, column, row), text.as_bytes(), random)
    };
    let host_id = id::new(now, random)?;
    let user_id = hosts::insert_user(
        conn,
        &hosts::UserRow {
            id: id::new(now, random)?,
            email_fp: context
                .keys
                .fingerprint
                .of_address(Purpose::Address, &new.email)
                .to_vec(),
            locale: new.locale.tag(),
            now,
        },
        |user| {
            Ok((
                seal("users", "email", user, new.email.as_str())?,
                seal("users", "name", user, &new.name)?,
            ))
        },
    )
    .await
    .map_err(|error| {
        // Somebody is making the same person at this moment, and their host with them.
        if violates(&error, USER_EMAIL) {
            CreateHostError::PersonHasHost
        } else {
            error.into()
        }
    })?;
    let host = hosts::HostRow {
        id: host_id,
        user_id,
        handle: new.handle.as_str(),
        display_name_sealed: seal("hosts", "display_name", host_id, &new.name)?,
        contact_email_sealed: seal("hosts", "contact_email", host_id, new.email.as_str())?,
        zone: new.zone.name(),
        locale: new.locale.tag(),
        calendar_id: id::new(now, random)?,
        now,
    };
    hosts::insert_host(conn, &host).await.map_err(|error| {
        if violates(&error, HOST_HANDLE) {
            CreateHostError::HandleTaken(new.handle.as_str().to_owned())
        } else if violates(&error, HOST_PERSON) {
            CreateHostError::PersonHasHost
        } else {
            error.into()
        }
    })?;
    let schedule_id = id::new(now, random)?;
    let schedule = hosts::ScheduleRow {
        id: schedule_id,
        host_id,
        name_sealed: seal("schedules", "name", schedule_id, "Working hours")?,
        availability_text_sealed: seal(
            "schedules",
            "availability_text",
            schedule_id,
            &new.availability,
        )?,
    };
    hosts::insert_schedule(conn, &schedule, windows).await?;
    let event_type_id = id::new(now, random)?;
    let code = match &new.page.code {
        Some(code) => code.clone(),
        None => random.lower_alphanumeric(8)?,
    };
    let page = hosts::EventTypeRow {
        id: event_type_id,
        host_id,
        schedule_id,
        code: &code,
        title_sealed: seal("event_types", "title", event_type_id, &new.page.title)?,
        description_sealed: seal(
            "event_types",
            "description",
            event_type_id,
            &new.page.description,
        )?,
        duration_min: i32::from(new.page.duration_min),
        horizon_days: i32::from(new.page.horizon_days),
        confirmation: if new.page.instant {
            "instant"
        } else {
            "email_link"
        },
        locale: new.locale.tag(),
        reminder_rule_id: id::new(now, random)?,
        now,
    };
    hosts::insert_event_type(conn, &page).await?;
    Ok(CreatedHost {
        host_id,
        event_type_id,
        path: format!("/book/{}/{code}", new.handle.as_str()),
    })
}
