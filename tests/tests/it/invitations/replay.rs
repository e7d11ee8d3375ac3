//! What a life of invitations does to its readers' calendars, as the readers' programs understood
//! it.

use std::collections::BTreeMap;

use serde_json::Value;
use shared::mail::{
    kind::{MailKind, Role},
    view::{MailView, Reader},
};

use super::hostile::{known, same_mailbox};

/// A mail of a life and what a program read in it.
pub(super) struct Read<'a> {
    pub(super) view: &'a MailView,
    /// What `check_ics.py` says of the message.
    pub(super) message: &'a Value,
}

/// A calendar as RFC 5546 wants it: one entry a `UID`, and the highest `SEQUENCE` wins, whenever it
/// comes. `None` is a meeting that was taken out.
#[derive(Debug, Default, PartialEq)]
struct Calendar(BTreeMap<String, (u64, Option<String>)>);

impl Calendar {
    fn receive(&mut self, invitation: &Value) {
        let uid = invitation["uid"].as_str().expect("a UID").to_owned();
        let sequence = invitation["sequence"].as_u64().expect("a SEQUENCE");
        let start = invitation["dtstart"].as_str().map(str::to_owned);
        let entry = start.filter(|_| invitation["method"] == "REQUEST");
        let held = self.0.get(&uid);
        if held.is_none_or(|(held, _)| *held < sequence) {
            self.0.insert(uid, (sequence, entry));
        }
    }
}

/// One `UID`, one organizer, a `SEQUENCE` that rises with each change, and in each reader's calendar
/// what the last mail says, in whatever order the mails arrive.
pub(super) fn assert_life(life: &[Read<'_>]) {
    let mut readers: BTreeMap<(Role, &str), Vec<&Read<'_>>> = BTreeMap::new();
    let mut constant: Option<(&Value, &Value)> = None;
    for read in life {
        let invitation = &read.message["calendar"];
        if invitation.is_null() {
            continue;
        }
        let address = &invitation["organizer"]["address"];
        let found = (&invitation["uid"], address);
        assert_eq!(*constant.get_or_insert(found), found, "UID and organizer");
        let reader = (read.view.role(), read.view.to.address.as_str());
        readers.entry(reader).or_default().push(read);
    }
    for mails in readers.values() {
        let invitations: Vec<&Value> = mails.iter().map(|m| &m.message["calendar"]).collect();
        let sequences: Vec<_> = invitations.iter().map(|i| i["sequence"].as_u64()).collect();
        assert!(
            sequences.windows(2).all(|pair| pair[0] < pair[1]),
            "{sequences:?}"
        );
        let stamps: Vec<_> = invitations.iter().map(|i| i["dtstamp"].as_str()).collect();
        assert!(stamps.is_sorted(), "{stamps:?}");

        let (mut in_order, mut reversed) = (Calendar::default(), Calendar::default());
        invitations.iter().for_each(|mail| in_order.receive(mail));
        invitations
            .iter()
            .rev()
            .for_each(|mail| reversed.receive(mail));
        assert_eq!(in_order, reversed);
        let last = mails.last().expect("one at least").view;
        let start = last.span.from.timestamp().strftime("%Y-%m-%dT%H:%M:%SZ");
        let entry = (last.kind() != MailKind::Cancelled).then(|| start.to_string());
        let kept: Vec<_> = in_order.0.into_values().map(|(_, entry)| entry).collect();
        assert_eq!(kept, [entry], "one entry, at the last time");
    }
    for read in life {
        assert_no_other_guest(read, life);
    }
}

/// Nobody but hosts sees the address of a guest other than themselves: not in a header, in either
/// text or in the invitation.
fn assert_no_other_guest(read: &Read<'_>, life: &[Read<'_>]) {
    let view = read.view;
    if view.role() == Role::Host {
        return;
    }
    // Whom the reader may see: a guest of the same mailbox is there as one of these.
    let facts = view.invitation.iter();
    let parties = facts.flat_map(|facts| {
        let two = [&facts.organizer, &facts.booker];
        two.into_iter().chain(&facts.hosts)
    });
    let parties = parties.chain([&view.to, &view.from]).chain(&view.reply_to);
    let visible: Vec<_> = parties.map(|party| &party.address).collect();
    let everything = read.message.to_string().to_lowercase();
    for other in life {
        let Reader::Host { booker, .. } = &other.view.reader else {
            continue;
        };
        for guest in &booker.guests {
            if visible
                .iter()
                .any(|seen| same_mailbox(seen, &guest.address))
            {
                continue;
            }
            let (typed, uri, wire) = known(&guest.address);
            for spelling in [typed, uri, wire] {
                assert!(
                    !everything.contains(&spelling.to_lowercase()),
                    "{spelling} in a mail to {}: {everything}",
                    view.to.address.as_str()
                );
            }
        }
    }
}
