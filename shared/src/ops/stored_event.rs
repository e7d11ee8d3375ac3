//! Events between their rows and what they mean: the words of the columns, and the seals.

use uuid::Uuid;

use super::Context;
use crate::{
    calendar::{
        content,
        event::{
            Answer, Attendee, Calendar, Event, Kind, Moment, Series, Status, Transparency,
            Unreadable,
        },
        extent::{Extent, extent, extent_within},
        opaque_uid,
        problem::Problem,
        recurrence::Budget,
        timing::Timing,
    },
    config::Keys,
    fingerprint::Purpose,
    id,
    instant::Instant,
    random::NoRandomness,
    seal::{CannotOpen, Place},
    store::events::NewEvent,
};

/// The steps that finding the ends of all series of a file may take: some seconds at the worst. A
/// series that is left over has no upper bound, and is found for every range.
const FILE_STEPS: u64 = 2_000_000;

/// The word of a kind.
#[must_use]
pub const fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Meeting => "meeting",
        Kind::Commitment => "commitment",
        Kind::OutOfOffice => "out_of_office",
        Kind::Note => "note",
    }
}

/// The kind of a word.
#[must_use]
pub fn kind(word: &str) -> Option<Kind> {
    [
        Kind::Meeting,
        Kind::Commitment,
        Kind::OutOfOffice,
        Kind::Note,
    ]
    .into_iter()
    .find(|kind| kind_word(*kind) == word)
}

/// The word of a transparency.
#[must_use]
pub const fn transparency_word(transparency: Transparency) -> &'static str {
    match transparency {
        Transparency::Opaque => "opaque",
        Transparency::Transparent => "transparent",
    }
}

/// The transparency of a word.
#[must_use]
pub fn transparency(word: &str) -> Option<Transparency> {
    [Transparency::Opaque, Transparency::Transparent]
        .into_iter()
        .find(|transparency| transparency_word(*transparency) == word)
}

/// The word of a status.
#[must_use]
pub const fn status_word(status: Status) -> &'static str {
    match status {
        Status::Tentative => "tentative",
        Status::Confirmed => "confirmed",
        Status::Cancelled => "cancelled",
    }
}

/// The status of a word.
#[must_use]
pub fn status(word: &str) -> Option<Status> {
    [Status::Tentative, Status::Confirmed, Status::Cancelled]
        .into_iter()
        .find(|status| status_word(*status) == word)
}

/// The word of an answer.
#[must_use]
pub const fn answer_word(answer: Answer) -> &'static str {
    match answer {
        Answer::NeedsAction => "needs_action",
        Answer::Accepted => "accepted",
        Answer::Declined => "declined",
        Answer::Tentative => "tentative",
        Answer::Delegated => "delegated",
    }
}

/// The answer of a word.
#[must_use]
pub fn answer(word: &str) -> Option<Answer> {
    [
        Answer::NeedsAction,
        Answer::Accepted,
        Answer::Declined,
        Answer::Tentative,
        Answer::Delegated,
    ]
    .into_iter()
    .find(|answer| answer_word(*answer) == word)
}

/// An attendee as it is stored, sealed.
#[derive(serde::Serialize, serde::Deserialize)]
struct StoredAttendee {
    address: String,
    name: Option<String>,
    answer: String,
}

/// A problem as it is stored, sealed, and as the host reads it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
pub struct StoredProblem {
    /// The line of the calendar file at which it stands.
    pub line: u32,
    /// What is wrong, in words.
    pub text: String,
    /// Whether it may decide when the host is busy: nothing is offered until the event is changed
    /// or marked free.
    pub blocking: bool,
}

impl From<&Problem> for StoredProblem {
    fn from(problem: &Problem) -> Self {
        Self {
            line: problem.line,
            text: problem.what.to_string(),
            blocking: problem.blocking,
        }
    }
}

/// The attendees of a row.
pub(super) fn open_attendees(
    keys: &Keys,
    event: Uuid,
    sealed: Option<&[u8]>,
) -> Result<Vec<Attendee>, super::failure::Failure> {
    let broken = super::failure::Failure::Stored("attendee");
    let Some(sealed) = sealed else {
        return Ok(Vec::new());
    };
    let json = keys
        .seal
        .open_text(Place::new("events", "attendees", event), sealed)?;
    let Ok(stored) = serde_json::from_str::<Vec<StoredAttendee>>(&json) else {
        return Err(broken);
    };
    stored
        .into_iter()
        .map(|attendee| {
            Ok(Attendee {
                address: attendee.address,
                name: attendee.name,
                answer: answer(&attendee.answer)
                    .ok_or(super::failure::Failure::Stored("attendee"))?,
            })
        })
        .collect()
}

/// The problems of a row.
///
/// # Errors
/// A seal that does not open.
pub fn open_problems(
    keys: &Keys,
    event: Uuid,
    sealed: Option<&[u8]>,
) -> Result<Vec<StoredProblem>, CannotOpen> {
    let Some(sealed) = sealed else {
        return Ok(Vec::new());
    };
    let json = keys
        .seal
        .open_text(Place::new("events", "problems", event), sealed)?;
    Ok(serde_json::from_str(&json).unwrap_or_default())
}

/// The booking of this installation that a UID names, if it names one.
#[must_use]
pub fn copy_of(uid: &str, instance: Uuid) -> Option<Uuid> {
    let (booking, of) = uid.trim().split_once('@')?;
    let same = of.parse::<Uuid>().ok()? == instance;
    same.then(|| booking.parse().ok()).flatten()
}

/// The rows of a whole calendar, series before their overrides. Faults of the file itself become
/// an event without times, so that its host sees them and can decide.
///
/// # Errors
/// Without random bytes.
pub fn rows(
    context: &Context,
    calendar: &Calendar,
    now: Instant,
) -> Result<Vec<NewEvent>, NoRandomness> {
    let mut rows = Vec::new();
    let mut overrides = Vec::new();
    let mut steps = Budget::new(FILE_STEPS);
    for series in &calendar.series {
        let reach = extent_within(series, &mut steps);
        let mut master = row(context, &series.master, None, reach, now)?;
        master.content_fp = Some(content_fp(context, &content::of_series(series)));
        for change in &series.overrides {
            let replaces = (change.original.clone(), change.and_future);
            let mut row = row(
                context,
                &change.event,
                Some(replaces),
                Extent::EVERYWHERE,
                now,
            )?;
            row.series_id = Some(master.id);
            overrides.push(row);
        }
        rows.push(master);
    }
    for unreadable in &calendar.unreadable {
        rows.push(unreadable_row(context, unreadable, now)?);
    }
    let faults: Vec<Problem> = calendar
        .problems
        .iter()
        .filter(|problem| problem.blocking)
        .cloned()
        .collect();
    if let Some(first) = faults.first() {
        let file = Unreadable {
            uid: None,
            line: first.line,
            title: String::new(),
            busy: true,
            verbatim: String::new(),
            problems: faults,
        };
        rows.push(unreadable_row(context, &file, now)?);
    }
    rows.append(&mut overrides);
    Ok(rows)
}

/// The row of a series' master; its reach is that of the whole series.
///
/// # Errors
/// Without random bytes.
pub fn master_row(
    context: &Context,
    series: &Series,
    now: Instant,
) -> Result<NewEvent, NoRandomness> {
    row(context, &series.master, None, extent(series), now)
}

/// The row of one event. An override names what it replaces; its series is for the caller to set.
///
/// # Errors
/// Without random bytes.
pub fn row(
    context: &Context,
    event: &Event,
    replaces: Option<(Moment, bool)>,
    reach: Extent,
    now: Instant,
) -> Result<NewEvent, NoRandomness> {
    let id = id::new(now, &context.random)?;
    let attendees: Vec<StoredAttendee> = event
        .attendees
        .iter()
        .map(|attendee| StoredAttendee {
            address: attendee.address.clone(),
            name: attendee.name.clone(),
            answer: answer_word(attendee.answer).to_owned(),
        })
        .collect();
    let attendees = if attendees.is_empty() {
        None
    } else {
        serde_json::to_string(&attendees).ok()
    };
    let mut row = blank(
        context,
        id,
        event.uid.as_deref(),
        &event.title,
        &event.problems,
    )?;
    row.notes_sealed = sealed(context, id, "notes", Some(&event.notes))?;
    row.location_sealed = sealed(context, id, "location", Some(&event.location))?;
    row.attendees_sealed = sealed(context, id, "attendees", attendees.as_deref())?;
    row.verbatim_sealed = sealed(context, id, "verbatim", event.verbatim.as_deref())?;
    row.kind = kind_word(event.kind);
    row.transparency = transparency_word(event.transparency);
    row.status = status_word(event.status);
    row.sequence = i32::try_from(event.sequence).unwrap_or(i32::MAX);
    row.all_day = matches!(event.start, Moment::Date(_));
    row.timing = Some(Timing::of(event, replaces).to_json());
    row.reach_from = reach.from;
    row.reach_to = reach.to;
    row.blocks = event.blocking_problem().is_some();
    Ok(row)
}

fn unreadable_row(
    context: &Context,
    event: &Unreadable,
    now: Instant,
) -> Result<NewEvent, NoRandomness> {
    let id = id::new(now, &context.random)?;
    let mut row = blank(
        context,
        id,
        event.uid.as_deref(),
        &event.title,
        &event.problems,
    )?;
    row.verbatim_sealed = Some(seal(context, id, "verbatim", &event.verbatim)?);
    row.blocks = event.busy;
    row.content_fp = Some(content_fp(context, &content::of_unreadable(event)));
    Ok(row)
}

fn blank(
    context: &Context,
    id: Uuid,
    uid: Option<&str>,
    title: &str,
    problems: &[Problem],
) -> Result<NewEvent, NoRandomness> {
    let problems: Vec<StoredProblem> = problems.iter().map(StoredProblem::from).collect();
    let problems = if problems.is_empty() {
        None
    } else {
        serde_json::to_string(&problems).ok()
    };
    Ok(NewEvent {
        id,
        series_id: None,
        uid_sealed: uid.map(|uid| seal(context, id, "uid", uid)).transpose()?,
        uid_fp: uid.map(|uid| uid_fp(context, uid)),
        title_sealed: seal(context, id, "title", title)?,
        notes_sealed: None,
        location_sealed: None,
        attendees_sealed: None,
        kind: kind_word(Kind::Meeting),
        transparency: transparency_word(Transparency::Opaque),
        status: status_word(Status::Confirmed),
        sequence: 0,
        timing: None,
        all_day: false,
        reach_from: None,
        reach_to: None,
        copy_of: uid.and_then(|uid| {
            copy_of(uid, context.instance)
                .or_else(|| opaque_uid::booking(&context.keys.fingerprint, uid.trim()))
        }),
        problems_sealed: sealed(context, id, "problems", problems.as_deref())?,
        verbatim_sealed: None,
        blocks: false,
        marked_free: false,
        content_fp: None,
    })
}

/// What a UID is matched by.
#[must_use]
pub fn uid_fp(context: &Context, uid: &str) -> Vec<u8> {
    context
        .keys
        .fingerprint
        .of(Purpose::Uid, uid.as_bytes())
        .to_vec()
}

/// What an event's content is compared by.
pub(super) fn content_fp(context: &Context, content: &[u8]) -> Vec<u8> {
    context
        .keys
        .fingerprint
        .of(Purpose::EventContent, content)
        .to_vec()
}

fn sealed(
    context: &Context,
    id: Uuid,
    column: &'static str,
    text: Option<&str>,
) -> Result<Option<Vec<u8>>, NoRandomness> {
    text.filter(|text| !text.is_empty())
        .map(|text| seal(context, id, column, text))
        .transpose()
}

fn seal(
    context: &Context,
    id: Uuid,
    column: &'static str,
    text: &str,
) -> Result<Vec<u8>, NoRandomness> {
    context.seal(Place::new("events", column, id), text)
}
