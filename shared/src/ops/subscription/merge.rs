//! From what stands on a calendar to what its server says: what is the same stays where it is, and
//! with it what its host decided.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use crate::{
    calendar::content,
    ops::{
        Context, Failure,
        stored_event::{content_fp, open_problems},
    },
    seal::Place,
    store::events::{HeldRow, NewEvent},
};

/// What to write.
#[derive(Debug, Default)]
pub(super) struct Change {
    pub remove: Vec<Uuid>,
    /// Series before their overrides.
    pub add: Vec<NewEvent>,
}

impl Change {
    /// Whether the server says what it said before.
    pub fn is_none(&self) -> bool {
        self.remove.is_empty() && self.add.is_empty()
    }
}

/// The difference between what is held and what was read, and which of the new events a host has
/// already called free.
pub(super) fn change(
    context: &Context,
    held: &[HeldRow],
    new: &[NewEvent],
) -> Result<Change, Failure> {
    let mut standing: HashMap<&[u8], Vec<Uuid>> = HashMap::new();
    let mut kept: HashSet<Uuid> = HashSet::new();
    let masters = held.iter().filter(|row| row.series_id.is_none());
    for row in masters.clone() {
        if let Some(content) = &row.content_fp {
            standing.entry(content).or_default().push(row.id);
        }
    }
    let mut added: HashSet<Uuid> = HashSet::new();
    for event in new.iter().filter(|event| event.series_id.is_none()) {
        let same = event.content_fp.as_deref();
        let same = same.and_then(|content| standing.get_mut(content)?.pop());
        match same {
            Some(id) => {
                kept.insert(id);
            }
            None => {
                added.insert(event.id);
            }
        }
    }
    let freed = Freed::new(context, held)?;
    let add = new
        .iter()
        .filter(|event| added.contains(&event.series_id.unwrap_or(event.id)))
        .map(|event| {
            let mut event = event.clone();
            event.marked_free = freed.covers(context, &event)?;
            Ok(event)
        })
        .collect::<Result<_, Failure>>()?;
    Ok(Change {
        remove: masters
            .map(|row| row.id)
            .filter(|id| !kept.contains(id))
            .collect(),
        add,
    })
}

/// What a host has called free: by UID and the start that it replaces, or by its text.
struct Freed {
    by_uid: HashSet<(Vec<u8>, Option<String>)>,
    by_text: HashSet<Vec<u8>>,
}

impl Freed {
    fn new(context: &Context, held: &[HeldRow]) -> Result<Self, Failure> {
        let mut by_uid = HashSet::new();
        let mut by_text = HashSet::new();
        let mut others = HashSet::new();
        for row in held {
            let key = row.uid_fp.clone().map(|uid| (uid, row.replaces.clone()));
            if !row.marked_free {
                others.extend(key);
                continue;
            }
            by_uid.extend(key);
            let problems = open_problems(&context.keys, row.id, row.problems_sealed.as_deref())?;
            if problems.is_empty() {
                continue;
            }
            let place = Place::new("events", "verbatim", row.id);
            let verbatim = match row.verbatim_sealed.as_deref() {
                Some(sealed) => context.keys.seal.open_text(place, sealed)?,
                None => String::new(),
            };
            let problems = problems.iter().map(|problem| problem.text.as_str());
            by_text.insert(content_fp(context, &content::of_text(&verbatim, problems)));
        }
        // Where a careless writer gave two events one UID, a decision about one is none about the
        // other.
        by_uid.retain(|key| !others.contains(key));
        Ok(Self { by_uid, by_text })
    }

    fn covers(&self, context: &Context, event: &NewEvent) -> Result<bool, Failure> {
        if self.by_uid.is_empty() && self.by_text.is_empty() {
            return Ok(false);
        }
        if let Some(uid) = &event.uid_fp {
            let replaces = event
                .timing
                .as_ref()
                .and_then(|timing| timing.get("replaces")?.as_str())
                .map(str::to_owned);
            if self.by_uid.contains(&(uid.clone(), replaces)) {
                return Ok(true);
            }
        }
        let problems = open_problems(&context.keys, event.id, event.problems_sealed.as_deref())?;
        if problems.is_empty() {
            return Ok(false);
        }
        let place = Place::new("events", "verbatim", event.id);
        let verbatim = match event.verbatim_sealed.as_deref() {
            Some(sealed) => context.keys.seal.open_text(place, sealed)?,
            None => String::new(),
        };
        let problems = problems.iter().map(|problem| problem.text.as_str());
        let text = content_fp(context, &content::of_text(&verbatim, problems));
        Ok(self.by_text.contains(&text))
    }
}
