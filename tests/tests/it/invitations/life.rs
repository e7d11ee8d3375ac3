//! Random lives of random bookings: every mail of each step, to every reader.

use shared::{
    instant::{Instant, Span},
    locale::Locale,
    mail::view::{
        Answer, AnswerValue, BookerView, Canceller, InvitationView, MailView, ManageLinks, Notice,
        Party, Place, Reader,
    },
    zone::Zone,
};
use uuid::Uuid;

use super::hostile::{Random, same_mailbox};

/// A booking and what does not change in its life.
struct Cast {
    booking: Uuid,
    instance: Uuid,
    booker: Party,
    guests: Vec<Party>,
    title: String,
    description: String,
    place: Place,
    note: Option<String>,
    answers: Vec<Answer>,
    /// Booker and guests.
    locale: Locale,
    zone: Zone,
    organizer: Party,
}

/// A host, with what is theirs alone.
#[derive(Clone)]
struct Host {
    pinned: Party,
    locale: Locale,
    zone: Zone,
    /// Whether a calendar of theirs has its own copy.
    has_copy: bool,
}

/// The booking as it is at one moment.
struct Now {
    hosts: Vec<Host>,
    from: Party,
    span: Span,
    revision: u32,
    revised_at: Instant,
}

/// The mails of a booking's life, in the order in which they are sent: perhaps a hold, a
/// confirmation, up to three moves, perhaps another host in between, reminders, and perhaps the end
/// of it. Now and then the installation's sender changes.
pub(super) fn life(random: &mut Random) -> Vec<MailView> {
    let mut now = Now {
        hosts: vec![host(random, &[])],
        from: random.party(),
        span: random.span(),
        revision: 0,
        revised_at: random.instant(),
    };
    while random.one_in(6) {
        let host = host(random, &now.hosts);
        now.hosts.push(host);
    }
    let cast = cast(random, &now);
    let mut mails = Vec::new();
    if random.one_in(2) {
        let expires_at = now.revised_at.plus_minutes(30);
        mails.push(cast.to_booker(random, &now, Notice::Hold { expires_at }));
        now.next(random);
    }
    mails.extend(cast.to_all(random, &now, &Notice::Confirmed));
    if random.one_in(6) {
        mails.extend(cast.to_all(random, &now, &Notice::Reminder));
    }
    let mut former = now.hosts.clone();
    for _ in 0..random.below(4) {
        if random.one_in(5) {
            now.from = random.party();
        }
        let previous = now.span;
        now.span = random.span();
        now.next(random);
        if random.one_in(8) {
            let new = host(random, &former);
            former.push(new.clone());
            mails.extend(cast.hand_over(random, &mut now, new, previous));
        } else {
            mails.extend(cast.to_all(random, &now, &Notice::Rescheduled { previous }));
        }
        if random.one_in(8) {
            mails.extend(cast.to_all(random, &now, &Notice::Reminder));
        }
    }
    if random.one_in(2) {
        now.next(random);
        let by = *random.pick(&[Canceller::Booker, Canceller::Host, Canceller::Coordinator]);
        let reason = random.maybe_text(8);
        mails.extend(cast.to_all(random, &now, &Notice::Cancelled { by, reason }));
    }
    mails
}

impl Now {
    fn next(&mut self, random: &mut Random) {
        self.revision += 1;
        let minutes = i64::try_from(random.below(10_000)).unwrap();
        self.revised_at = self.revised_at.plus_minutes(minutes);
    }
}

/// One more host, who is none of those.
fn host(random: &mut Random, others: &[Host]) -> Host {
    let mut pinned = random.party();
    while others
        .iter()
        .any(|other| same_mailbox(&other.pinned.address, &pinned.address))
    {
        pinned = random.party();
    }
    Host {
        pinned,
        locale: *random.pick(&Locale::ALL),
        zone: random.zone(),
        has_copy: random.one_in(12),
    }
}

fn cast(random: &mut Random, now: &Now) -> Cast {
    let booker = random.party();
    let mut guests: Vec<Party> = Vec::new();
    for _ in 0..random.below(3) {
        let guest = random.party();
        // A request that names one of them twice is refused.
        let is_known = |party: &Party| party.address.matching_key() == guest.address.matching_key();
        if !is_known(&booker) && !guests.iter().any(is_known) {
            guests.push(guest);
        }
    }
    Cast {
        booking: random.uuid(),
        instance: random.uuid(),
        booker,
        guests,
        title: random.text(6),
        description: random.text(12),
        place: random.place(),
        note: random.maybe_text(12),
        answers: vec![
            Answer {
                label: random.text(3),
                value: AnswerValue::Text(random.text(8)),
            },
            Answer {
                label: random.text(3),
                value: AnswerValue::YesNo(random.one_in(2)),
            },
            Answer {
                label: random.text(3),
                value: AnswerValue::Options(vec![random.text(2), random.text(2)]),
            },
        ],
        locale: *random.pick(&Locale::ALL),
        zone: random.zone(),
        // Pinned by the transition that confirms.
        organizer: Party {
            name: now.hosts[0].pinned.name.clone(),
            address: now.from.address.clone(),
        },
    }
}

impl Cast {
    /// One notice to hosts, booker and guests.
    fn to_all(&self, random: &mut Random, now: &Now, notice: &Notice) -> Vec<MailView> {
        let mut mails = Vec::new();
        for host in &now.hosts {
            mails.push(self.to_host(random, now, host, notice.clone()));
        }
        mails.extend(self.to_others(random, now, notice));
        mails
    }

    /// The same to booker and guests.
    fn to_others(&self, random: &mut Random, now: &Now, notice: &Notice) -> Vec<MailView> {
        let mut mails = vec![self.to_booker(random, now, notice.clone())];
        for guest in &self.guests {
            let booker_name = self.booker.name.clone().unwrap_or_default();
            let reader = (guest, Reader::Guest { booker_name });
            mails.push(self.view(random, now, reader, &now.hosts[0].pinned, notice.clone()));
        }
        mails
    }

    fn to_booker(&self, random: &mut Random, now: &Now, notice: Notice) -> MailView {
        let links = ManageLinks {
            confirm: "https://book.example.com/book/m/70c3n".to_owned(),
            reschedule: "https://book.example.com/book/m/70c3n?action=reschedule".to_owned(),
            cancel: "https://book.example.com/book/m/70c3n?action=cancel".to_owned(),
        };
        let reader = (&self.booker, Reader::Booker { links });
        self.view(random, now, reader, &now.hosts[0].pinned, notice)
    }

    /// The first host's part goes to another one: who had it is told that it is off, who has it now
    /// that it is on, and everybody else that it moved.
    fn hand_over(
        &self,
        random: &mut Random,
        now: &mut Now,
        new: Host,
        previous: Span,
    ) -> Vec<MailView> {
        let former = std::mem::replace(&mut now.hosts[0], new);
        let off = Notice::Cancelled {
            by: Canceller::Coordinator,
            reason: None,
        };
        let moved = Notice::Rescheduled { previous };
        let mut mails = vec![self.to_host(random, now, &former, off)];
        for (at, host) in now.hosts.iter().enumerate() {
            let notice = if at == 0 {
                Notice::Confirmed
            } else {
                moved.clone()
            };
            mails.push(self.to_host(random, now, host, notice));
        }
        mails.extend(self.to_others(random, now, &moved));
        mails
    }

    fn to_host(&self, random: &mut Random, now: &Now, host: &Host, notice: Notice) -> MailView {
        let reader = Reader::Host {
            dashboard_url: (!random.one_in(3))
                .then(|| "https://book.example.com/dashboard/bookings/1".to_owned()),
            booker: Box::new(BookerView {
                name: self.booker.name.clone().unwrap_or_default(),
                address: self.booker.address.clone(),
                zone: self.zone.clone(),
                note: self.note.clone(),
                answers: self.answers.clone(),
                guests: self.guests.clone(),
            }),
        };
        let reader = (&host.pinned, reader);
        let mut view = self.view(random, now, reader, &self.booker, notice);
        view.locale = host.locale;
        view.zone = host.zone.clone();
        if host.has_copy {
            view.invitation = None;
        }
        view
    }

    fn view(
        &self,
        random: &mut Random,
        now: &Now,
        (to, reader): (&Party, Reader),
        reply_to: &Party,
        notice: Notice,
    ) -> MailView {
        let reply_to = (!random.one_in(6)).then(|| reply_to.clone());
        MailView {
            mail_id: random.uuid(),
            instance_id: self.instance,
            booking_id: self.booking,
            sent_at: now.revised_at,
            public_url: "https://book.example.com".to_owned(),
            from: now.from.clone(),
            to: to.clone(),
            reply_to,
            locale: self.locale,
            zone: self.zone.clone(),
            notice,
            reader,
            title: self.title.clone(),
            description: self.description.clone(),
            place: self.place.clone(),
            span: now.span,
            // Current names, which the invitation does not follow.
            host_names: now
                .hosts
                .iter()
                .map(|host| match random.one_in(4) {
                    true => random.text(3),
                    false => host.pinned.name.clone().unwrap_or_default(),
                })
                .collect(),
            invitation: Some(InvitationView {
                revision: now.revision,
                revised_at: now.revised_at,
                organizer: self.organizer.clone(),
                hosts: now.hosts.iter().map(|host| host.pinned.clone()).collect(),
                booker: self.booker.clone(),
            }),
        }
    }
}
