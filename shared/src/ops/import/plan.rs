//! From what stands and what a file says to what is written.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use crate::{
    instant::Instant,
    ops::{Context, Failure},
    seal::Place,
    store::{events::NewEvent, imports::StandingRow},
};

/// A row of the file, with what it replaces: the start of an override, by itself or in its series.
pub(super) struct Incoming {
    pub row: NewEvent,
    /// An override whose series the file does not have.
    pub is_stray: bool,
}

/// What to write.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Series before their overrides.
    pub add: Vec<NewEvent>,
    pub remove: Vec<Uuid>,
    /// Series that take the place of others, and inherit their overrides.
    pub succeed: Vec<(Uuid, Uuid)>,
    /// Standing series whose overrides reach further now.
    pub widen: HashMap<Uuid, (Option<Instant>, Option<Instant>)>,
    pub added: usize,
    pub updated: usize,
    pub unchanged: usize,
}

type Key = (Vec<u8>, Option<String>);

/// Compares a file with what stands: an event is the same by its UID and the start that it
/// replaces, or, without a UID, by all that it says. One that stands with a higher SEQUENCE stays.
pub(super) fn plan(
    context: &Context,
    standing: &[StandingRow],
    incoming: Vec<Incoming>,
) -> Result<Plan, Failure> {
    let mut by_key: HashMap<Key, Vec<&StandingRow>> = HashMap::new();
    let mut nameless: HashMap<&[u8], usize> = HashMap::new();
    for row in standing {
        match (&row.uid_fp, &row.content_fp) {
            (Some(uid), _) => {
                let key = (uid.clone(), row.replaces.clone());
                by_key.entry(key).or_default().push(row);
            }
            (None, Some(content)) => *nameless.entry(content).or_default() += 1,
            (None, None) => {}
        }
    }
    let mut plan = Plan::default();
    // The series that an override of the file belongs to in the end.
    let mut series: HashMap<Uuid, Uuid> = HashMap::new();
    let mut reaches: HashMap<Uuid, (Option<Instant>, Option<Instant>)> = HashMap::new();
    let mut taken: HashSet<Uuid> = HashSet::new();
    for Incoming { mut row, is_stray } in incoming {
        let Some(uid) = row.uid_fp.clone() else {
            let content = row.content_fp.as_deref().unwrap_or_default();
            match nameless.get_mut(content) {
                Some(left) if *left > 0 => {
                    *left -= 1;
                    plan.unchanged += 1;
                }
                _ => {
                    plan.added += 1;
                    plan.add.push(row);
                }
            }
            continue;
        };
        let replaces = row
            .timing
            .as_ref()
            .and_then(|timing| timing.get("replaces")?.as_str())
            .map(str::to_owned);
        // What lies where, before the row becomes part of a series that stands.
        let own_reach = (row.reach_from, row.reach_to);
        if is_stray {
            let owner = by_key
                .get(&(uid.clone(), None))
                .and_then(|owners| Some(owners.first()?.id));
            row.series_id = owner.map(|owner| *series.get(&owner).unwrap_or(&owner));
            if let Some(owner) = owner {
                widen(&mut plan, owner, own_reach);
            }
        } else if let Some(of) = row.series_id {
            row.series_id = Some(*series.get(&of).unwrap_or(&of));
            if let Some((owner, reach)) = row
                .series_id
                .and_then(|owner| Some((owner, *reaches.get(&of)?)))
            {
                widen(&mut plan, owner, reach);
            }
        } else {
            reaches.insert(row.id, own_reach);
        }
        let held = by_key.get(&(uid, replaces)).map_or(&[][..], Vec::as_slice);
        let Some((held, is_same)) = counterpart(context, held, &row, &taken)? else {
            plan.added += 1;
            plan.add.push(row);
            continue;
        };
        taken.insert(held.id);
        if row.sequence < held.sequence || is_same {
            plan.unchanged += 1;
            if held.series_id.is_none() {
                series.insert(row.id, held.id);
            }
            continue;
        }
        plan.updated += 1;
        row.marked_free = held.marked_free;
        plan.remove.push(held.id);
        if held.series_id.is_none() {
            plan.succeed.push((held.id, row.id));
            series.insert(held.id, row.id);
        }
        plan.add.push(row);
    }
    let added: HashSet<Uuid> = plan.add.iter().map(|row| row.id).collect();
    plan.widen.retain(|owner, _| !added.contains(owner));
    Ok(plan)
}

/// What stands for a row of the file, and whether it says the same: of several events that a
/// careless writer gave one UID, the one that does.
fn counterpart<'a>(
    context: &Context,
    held: &[&'a StandingRow],
    row: &NewEvent,
    taken: &HashSet<Uuid>,
) -> Result<Option<(&'a StandingRow, bool)>, Failure> {
    let mut first = None;
    for held in held
        .iter()
        .copied()
        .filter(|held| !taken.contains(&held.id))
    {
        if says_the_same(context, held, row)? {
            return Ok(Some((held, true)));
        }
        first.get_or_insert((held, false));
    }
    Ok(first)
}

fn widen(plan: &mut Plan, owner: Uuid, (from, to): (Option<Instant>, Option<Instant>)) {
    let held = plan.widen.entry(owner).or_insert((from, to));
    // Without a bound is further than any.
    held.0 = held.0.zip(from).map(|(a, b)| a.min(b));
    held.1 = held.1.zip(to).map(|(a, b)| a.max(b));
}

fn says_the_same(context: &Context, held: &StandingRow, new: &NewEvent) -> Result<bool, Failure> {
    let plain = held.kind == new.kind
        && held.transparency == new.transparency
        && held.status == new.status
        && held.sequence == new.sequence
        && held.timing.as_ref().map(|timing| &timing.0) == new.timing.as_ref();
    if !plain {
        return Ok(false);
    }
    let texts = [
        ("title", Some(&held.title_sealed), Some(&new.title_sealed)),
        (
            "notes",
            held.notes_sealed.as_ref(),
            new.notes_sealed.as_ref(),
        ),
        (
            "location",
            held.location_sealed.as_ref(),
            new.location_sealed.as_ref(),
        ),
        (
            "attendees",
            held.attendees_sealed.as_ref(),
            new.attendees_sealed.as_ref(),
        ),
    ];
    let open = |column, id, sealed: Option<&Vec<u8>>| {
        let place = Place::new("events", column, id);
        sealed
            .map(|sealed| context.keys.seal.open_text(place, sealed))
            .transpose()
    };
    for (column, old, fresh) in texts {
        if open(column, held.id, old)? != open(column, new.id, fresh)? {
            return Ok(false);
        }
    }
    Ok(true)
}
