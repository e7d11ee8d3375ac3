//! What this process has learned of the ways its mail takes: whether the mail server works at all,
//! which domains asked to be left alone, and who has the sending slots.
//!
//! Nothing of it is stored. Another process learns for itself, and a restart begins anew.

mod breaker;
mod pauses;
mod slots;

use std::{
    hash::{BuildHasher as _, RandomState},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use shared::{
    address::EmailAddress,
    clock::Clock,
    mail::domain::MailDomain,
    store::mail_queue::{Lane, MAX_PAUSES},
};
use tokio::{
    sync::{Notify, futures::Notified},
    time::Instant as Stopwatch,
};

use self::{
    breaker::{Breaker, Change, Leave, Party, Sign},
    pauses::Pauses,
    slots::{Crowded, Slot, Slots},
};
use crate::smtp::{Failure, Stage, Verdict};

/// A mail of a quick domain waits so long for one of the domain's slots.
const PATIENCE: Duration = Duration::from_secs(1);

/// The traffic of a process. Cheap to clone.
#[derive(Clone)]
pub struct Traffic(Arc<Shared>);

struct Shared {
    clock: Clock,
    state: Mutex<State>,
    /// A slot was given back, or the breaker changed.
    changed: Notify,
    hasher: RandomState,
}

struct State {
    breaker: Breaker,
    pauses: Pauses,
    slots: Slots,
}

/// Why a mail cannot be sent at this moment. No mail server was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barrier {
    /// The mail server fails everybody. It is probed after so many seconds.
    Open { seconds: i64 },
    /// Its domain is paused for so many seconds more.
    Paused { seconds: i32 },
    /// Its domain has the slots that one may have, and gives none back in a moment.
    Crowded,
    /// Its domain has the slots that one may have, and is quick.
    Busy,
}

impl Barrier {
    fn open(ms: i64) -> Self {
        Self::Open {
            seconds: (ms + 999) / 1_000,
        }
    }
}

/// How a send ended, as far as traffic is concerned.
#[derive(Clone, Copy, Debug)]
pub enum Outcome<'a> {
    /// The mail server took the mail.
    Accepted,
    /// It did not.
    Failed(&'a Failure),
    /// It was not asked.
    NotTried,
}

impl Traffic {
    /// For lanes with so many slots each. The clock measures the waits of breaker and pauses.
    #[must_use]
    pub fn new(lane_slots: usize, clock: Clock) -> Self {
        Self(Arc::new(Shared {
            clock,
            state: Mutex::new(State {
                breaker: Breaker::default(),
                pauses: Pauses::default(),
                slots: Slots::new(lane_slots),
            }),
            changed: Notify::new(),
            hasher: RandomState::new(),
        }))
    }

    /// Leave to send a mail that pauses have held back `pauses` times.
    ///
    /// # Errors
    /// A [`Barrier`].
    pub fn enter(&self, lane: Lane, domain: MailDomain, pauses: i16) -> Result<Pass, Barrier> {
        let now = self.0.clock.now();
        let mut state = self.0.state();
        if pauses < MAX_PAUSES
            && let Some(seconds) = state.pauses.left_s(domain, now)
        {
            return Err(Barrier::Paused { seconds });
        }
        if let Some(ms) = state.breaker.wait_ms(now) {
            return Err(Barrier::open(ms));
        }
        let stopwatch = Stopwatch::now();
        let slot = state
            .slots
            .take(lane, domain, stopwatch)
            .map_err(|crowded| match crowded {
                Crowded::Quick => Barrier::Busy,
                Crowded::Slow => Barrier::Crowded,
            })?;
        match state.breaker.ask(now) {
            Leave::Wait => {
                state.slots.give_back(slot, false, stopwatch);
                Err(Barrier::open(1_000))
            }
            leave => Ok(Pass {
                traffic: self.clone(),
                domain,
                slot,
                is_probe: leave == Leave::Probe,
                ended: false,
            }),
        }
    }

    /// The same, waiting for a slot for up to a second while the domain is quick.
    ///
    /// # Errors
    /// A [`Barrier`], never [`Barrier::Busy`].
    pub async fn enter_soon(
        &self,
        lane: Lane,
        domain: MailDomain,
        pauses: i16,
    ) -> Result<Pass, Barrier> {
        let deadline = Stopwatch::now() + PATIENCE;
        loop {
            let changed = self.0.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            match self.enter(lane, domain, pauses) {
                Err(Barrier::Busy) => {}
                entered => return entered,
            }
            if tokio::time::timeout_at(deadline, changed).await.is_err() {
                return Err(Barrier::Crowded);
            }
        }
    }

    /// How long nothing may be sent at all; `None` if something may.
    #[must_use]
    pub fn closed_for(&self) -> Option<Duration> {
        let ms = self.0.state().breaker.wait_ms(self.0.clock.now())?;
        Some(Duration::from_millis(u64::try_from(ms).unwrap_or(1_000)))
    }

    /// The barrier that this is to every mail.
    #[must_use]
    pub fn barrier(&self) -> Option<Barrier> {
        let ms = self.0.state().breaker.wait_ms(self.0.clock.now())?;
        Some(Barrier::open(ms))
    }

    /// The domains whose mail a lane's claims must pass over, for there is no slot for it.
    #[must_use]
    pub fn passed_over(&self, lane: Lane) -> Vec<MailDomain> {
        self.0.state().slots.crowded_domains(lane, Stopwatch::now())
    }

    /// Until a slot is given back or the breaker changes.
    pub fn changed(&self) -> Notified<'_> {
        self.0.changed.notified()
    }

    /// Sets the gauges.
    pub fn show(&self) {
        self.0.show(&self.0.state());
    }

    fn party(&self, failure: &Failure, to: &EmailAddress, domain: MailDomain) -> Party {
        let silent_about_recipient = failure.code.is_none() && failure.stage >= Stage::RcptTo;
        Party(if silent_about_recipient {
            self.0.hasher.hash_one(domain)
        } else {
            self.0.hasher.hash_one(to.matching_key())
        })
    }

    fn sign(&self, outcome: Outcome<'_>, to: &EmailAddress, domain: MailDomain) -> Sign {
        let failure = match outcome {
            Outcome::Accepted => return Sign::Took,
            Outcome::NotTried => return Sign::None,
            Outcome::Failed(failure) => failure,
        };
        match failure.verdict() {
            // Silence after the final dot of several domains: each attempt may be a copy more.
            Verdict::ServerOrSettings | Verdict::Unknown => {
                Sign::Failed(self.party(failure, to, domain))
            }
            // This message does not fit this server: it was not asked.
            _ if failure.code.is_none() => Sign::None,
            Verdict::RecipientForGood | Verdict::RecipientForNow | Verdict::DomainForNow => {
                Sign::Answered
            }
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing in here panics with the lock held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, state: &State) {
        let now = self.clock.now();
        metrics::gauge!("holdfast_mail_breaker_state").set(state.breaker.figure(now));
        #[expect(clippy::cast_precision_loss, reason = "a gauge")]
        metrics::gauge!("holdfast_mail_paused_domains").set(state.pauses.count(now) as f64);
    }
}

/// Leave to send one mail, with a slot of its lane. Dropped, it gives the slot back as if no mail
/// server had been asked.
pub struct Pass {
    traffic: Traffic,
    domain: MailDomain,
    slot: Slot,
    is_probe: bool,
    ended: bool,
}

impl Pass {
    /// Whether it is for this domain.
    #[must_use]
    pub fn is_for(&self, domain: MailDomain) -> bool {
        self.domain == domain
    }

    /// Tells how the send ended. True if the attempt must not count: it was the probe of an open
    /// breaker, and failed before the recipient was named, so that nothing was learned of the mail.
    pub fn end(mut self, outcome: Outcome<'_>, to: &EmailAddress) -> bool {
        self.ended = true;
        let sign = self.traffic.sign(outcome, to, self.domain);
        self.tell(outcome, sign);
        let before_recipient =
            matches!(outcome, Outcome::Failed(failure) if failure.stage < Stage::RcptTo);
        self.is_probe && before_recipient && matches!(sign, Sign::Failed(_))
    }

    fn tell(&self, outcome: Outcome<'_>, sign: Sign) {
        let shared = &self.traffic.0;
        let now = shared.clock.now();
        let mut state = shared.state();
        let answered = match outcome {
            Outcome::Accepted => true,
            Outcome::Failed(failure) => failure.code.is_some(),
            Outcome::NotTried => false,
        };
        state.slots.give_back(self.slot, answered, Stopwatch::now());
        let change = state.breaker.note(sign, self.is_probe, now);
        if let Outcome::Failed(failure) = outcome {
            if failure.verdict() == Verdict::DomainForNow && state.pauses.begin(self.domain, now) {
                metrics::counter!("holdfast_mail_domain_pauses_total").increment(1);
                tracing::warn!(smtp.stage = %failure.stage, smtp.code = failure.code, smtp.status = failure.status.map(tracing::field::display), "a recipient's domain is limited by the mail server: its mail waits ten minutes");
            }
            if let Some(Change::Opened { wait_s }) = change {
                metrics::counter!("holdfast_mail_breaker_opened_total").increment(1);
                tracing::warn!(error.class = %failure.class, smtp.stage = %failure.stage, smtp.code = failure.code, smtp.status = failure.status.map(tracing::field::display), wait_s, "the mail server takes no mail, or our settings are wrong: mail waits");
            }
        }
        if change == Some(Change::Closed) {
            tracing::info!("the mail server answers again: mail is sent");
        }
        shared.show(&state);
        drop(state);
        shared.changed.notify_waiters();
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        if !self.ended {
            self.tell(Outcome::NotTried, Sign::None);
        }
    }
}
