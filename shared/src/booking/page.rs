//! An event type with its host and schedule, opened.

use std::collections::BTreeMap;

use jiff::civil;
use uuid::Uuid;

use super::policy::{Confirmation, LocationKind, QuestionKind, UnknownWord};
use crate::{
    address::{EmailAddress, InvalidAddress},
    availability::Window,
    instant::Span,
    locale::Locale,
    mail::owed::ReminderRule,
    seal::{CannotOpen, Place, SealKeys},
    slots::{DstPolicy, Limits, Rule},
    store::pages::{PageRow, QuestionRow},
    zone::{UnknownZone, Zone, Zones},
};

/// Who is booked.
#[derive(Clone, Debug)]
pub struct PageHost {
    /// The row that bookings lock.
    pub id: Uuid,
    /// The first part of the page's address.
    pub handle: String,
    /// The public name.
    pub name: String,
    /// The contact address; used only once verified.
    pub email: EmailAddress,
    /// Whether the contact address is verified.
    pub verified: bool,
    /// Whether the host takes bookings.
    pub is_active: bool,
    /// The host's own zone.
    pub zone: Zone,
    /// The language of the host's mail.
    pub locale: Locale,
}

/// Something asked of the booker.
#[derive(Clone, Debug)]
pub struct Question {
    /// Names its answer.
    pub id: Uuid,
    /// What is asked.
    pub label: String,
    /// What an answer looks like.
    pub kind: QuestionKind,
    /// Whether it must be answered.
    pub required: bool,
    /// The options of a choice.
    pub options: Vec<String>,
}

/// An event type as its page shows it and as its slots are judged by.
#[derive(Clone, Debug)]
pub struct Page {
    pub event_type_id: Uuid,
    /// Moves with every change of the type.
    pub type_revision: i32,
    pub code: String,
    pub slug: Option<String>,
    pub title: String,
    pub description: String,
    pub location_kind: LocationKind,
    pub location: Option<String>,
    pub confirmation: Confirmation,
    pub allow_guests: bool,
    pub published: bool,
    pub host: PageHost,
    pub questions: Vec<Question>,
    /// When to remind whom.
    pub reminders: Vec<ReminderRule>,
    /// Moves with every change of the schedule, its windows or its overrides.
    pub schedule_revision: i32,
    /// The rule, but for available exceptions, which are read with busy time.
    pub rule: Rule,
}

/// A stored event type that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BrokenPage {
    /// A sealed value does not open.
    #[error("a sealed value {0}")]
    Sealed(#[from] CannotOpen),
    /// A word of another version of the program.
    #[error(transparent)]
    Word(#[from] UnknownWord),
    /// The zone is not in the table in use.
    #[error("the zone cannot be used: {0}")]
    Zone(#[from] UnknownZone),
    /// The contact address is none.
    #[error("the contact address cannot be used")]
    Address(#[from] InvalidAddress),
    /// A number or list that the schema does not allow.
    #[error("a stored {0} is out of range")]
    OutOfRange(&'static str),
}

impl Page {
    /// Opens a row.
    ///
    /// # Errors
    /// [`BrokenPage`]: the page then shows no times rather than wrong ones.
    pub fn open(row: PageRow, keys: &SealKeys, zones: &Zones) -> Result<Self, BrokenPage> {
        let id = row.event_type_id;
        let of_type =
            |column, sealed: &[u8]| keys.open_text(Place::new("event_types", column, id), sealed);
        let of_host = |column, sealed: &[u8]| {
            keys.open_text(Place::new("hosts", column, row.host_id), sealed)
        };
        let host_zone = zones.get(&row.host_zone)?;
        let zone = row
            .schedule_zone
            .as_deref()
            .map_or_else(|| Ok(host_zone.clone()), |name| zones.get(name))?;
        let minutes =
            |value: i32, what| u32::try_from(value).map_err(|_| BrokenPage::OutOfRange(what));
        let limit = |value: Option<i32>| value.map(|n| minutes(n, "limit")).transpose();
        let windows = row.windows.0.iter();
        let rule = Rule {
            zone,
            windows: windows
                .map(|&(weekday, start_min, end_min)| Window {
                    weekday,
                    start_min,
                    end_min,
                })
                .collect(),
            overrides: row
                .overrides
                .0
                .into_iter()
                .collect::<BTreeMap<civil::Date, _>>(),
            available: Vec::new(),
            cross_midnight: row.cross_midnight,
            duration_min: minutes(row.duration_min, "duration")?,
            step_min: minutes(row.step_min, "step")?,
            before_buffer_min: minutes(row.before_buffer_min, "buffer")?,
            after_buffer_min: minutes(row.after_buffer_min, "buffer")?,
            notice_min: minutes(row.notice_min, "notice")?,
            horizon_days: minutes(row.horizon_days, "horizon")?,
            bookable_from: row.bookable_from.map(|day| day.0),
            bookable_until: row.bookable_until.map(|day| day.0),
            dst_policy: if row.dst_policy == "elapsed" {
                DstPolicy::Elapsed
            } else {
                DstPolicy::Strict
            },
            limits: Limits {
                per_day: limit(row.limit_per_day)?,
                per_week: limit(row.limit_per_week)?,
                per_month: limit(row.limit_per_month)?,
            },
        };
        Ok(Self {
            event_type_id: id,
            type_revision: row.type_revision,
            title: of_type("title", &row.title_sealed)?,
            description: of_type("description", &row.description_sealed)?,
            location_kind: row.location_kind.parse()?,
            location: row
                .location_sealed
                .as_deref()
                .map(|sealed| of_type("location", sealed))
                .transpose()?,
            confirmation: row.confirmation.parse()?,
            allow_guests: row.allow_guests,
            published: row.published,
            host: PageHost {
                id: row.host_id,
                name: of_host("display_name", &row.display_name_sealed)?,
                email: of_host("contact_email", &row.contact_email_sealed)?.parse()?,
                verified: row.contact_verified,
                is_active: row.host_is_active,
                zone: host_zone,
                locale: Locale::from_tag(&row.host_locale),
                handle: row.handle,
            },
            questions: row
                .questions
                .0
                .into_iter()
                .map(|question| open_question(question, keys))
                .collect::<Result<_, _>>()?,
            reminders: row.reminders.0,
            code: row.code,
            slug: row.slug,
            schedule_revision: row.schedule_revision,
            rule,
        })
    }

    /// The rule with the host's available exceptions, and with the notice raised to what holds
    /// whatever the type says: the instance's lead, and ten minutes where a hold needs time to be
    /// confirmed.
    #[must_use]
    pub fn rule_with(&self, available: Vec<Span>, lead_hours: u32) -> Rule {
        const CONFIRM_MIN: u32 = 10;
        let mut rule = self.rule.clone();
        rule.available = available;
        rule.notice_min = rule.notice_min.max(lead_hours.saturating_mul(60));
        if self.confirmation == Confirmation::EmailLink {
            rule.notice_min = rule.notice_min.max(CONFIRM_MIN);
        }
        rule
    }

    /// The page's address below the public one: `/book/<handle>/<slug or code>`.
    #[must_use]
    pub fn path(&self) -> String {
        format!(
            "/book/{}/{}",
            self.host.handle,
            self.slug.as_deref().unwrap_or(&self.code)
        )
    }
}

fn open_question(row: QuestionRow, keys: &SealKeys) -> Result<Question, BrokenPage> {
    let open = |column, hex: &str| -> Result<String, BrokenPage> {
        let sealed = crate::token::unhex(hex).ok_or(BrokenPage::OutOfRange("question"))?;
        Ok(keys.open_text(Place::new("questions", column, row.id), &sealed)?)
    };
    let options = match row.options.as_deref() {
        None => Vec::new(),
        Some(hex) => serde_json::from_str(&open("options", hex)?)
            .map_err(|_| BrokenPage::OutOfRange("list of options"))?,
    };
    Ok(Question {
        id: row.id,
        label: open("label", &row.label)?,
        kind: row.kind.parse()?,
        required: row.required,
        options,
    })
}
