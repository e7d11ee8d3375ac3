//! What the sink was told to do, and when it does it.

use std::collections::HashMap;
use std::time::Duration;

/// A point of the dialogue at which the sink can misbehave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Before the first line.
    Greeting,
    /// EHLO.
    Ehlo,
    /// STARTTLS, or the handshake of implicit TLS (where it can only stall or drop).
    Tls,
    /// AUTH.
    Auth,
    /// MAIL.
    Mail,
    /// RCPT.
    Rcpt,
    /// DATA.
    Data,
    /// The message, before any of it is read.
    Body,
    /// The final dot.
    Dot,
    /// RSET.
    Reset,
    /// QUIT.
    Quit,
}

/// What the sink does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// Accepts everything.
    Accept,
    /// Answers with this reply (without the line end; several lines are joined by CRLF) instead of
    /// its own. A 421 closes the connection after it, as does any reply at `At::Body`.
    ReplyAt(At, String),
    /// Never answers, and at `At::Body` never reads; the connection stays open.
    StallAt(At),
    /// Closes the connection instead of answering.
    DropAt(At),
    /// Breaks the connection off (RST) instead of answering.
    ResetAt(At),
    /// Writes these bytes as they are instead of its reply. If they begin with 2 or 3 it goes on as
    /// after a reply of its own.
    RawAt(At, Vec<u8>),
    /// Writes the beginning of a reply and closes the connection. If it begins with 2 the message, if
    /// there is one, is kept as accepted.
    CutAt(At, &'static str),
    /// Writes the same bytes again and again instead of a reply, until the client goes away.
    FloodAt(At, &'static [u8]),
    /// Answers as usual, so much later.
    DelayAt(At, Duration),
    /// Keeps the message as accepted, and closes the connection instead of saying so.
    LoseAck,
    /// Writes every byte of every reply by itself, this far apart.
    SlowBytes(Duration),
}

impl Behaviour {
    /// [`Behaviour::ReplyAt`] from a string slice.
    #[must_use]
    pub fn reply(at: At, reply: &str) -> Self {
        Self::ReplyAt(at, reply.to_owned())
    }

    fn is_at(&self, point: At) -> bool {
        match self {
            Self::ReplyAt(at, _)
            | Self::StallAt(at)
            | Self::DropAt(at)
            | Self::ResetAt(at)
            | Self::RawAt(at, _)
            | Self::CutAt(at, _)
            | Self::FloodAt(at, _)
            | Self::DelayAt(at, _) => *at == point,
            Self::LoseAck => point == At::Dot,
            Self::Accept | Self::SlowBytes(_) => false,
        }
    }
}

/// Decides anew at every point of every dialogue; the recipient is known from RCPT on.
pub(super) type Mood = Box<dyn FnMut(At, Option<&str>) -> Option<Behaviour> + Send>;

/// What the sink was told, for all and for some recipients.
#[derive(Default)]
pub(super) struct Script {
    /// Comes before the rules.
    mood: Option<Mood>,
    general: Option<Rule>,
    /// By the whole address, or by `@` and the domain.
    by_recipient: HashMap<String, Rule>,
}

struct Rule {
    behaviour: Behaviour,
    /// How often it still applies; without end if there is none.
    left: Option<usize>,
}

impl Script {
    /// Replaces what was told for `recipient`, or for all.
    pub(super) fn tell(
        &mut self,
        recipient: Option<&str>,
        behaviour: Behaviour,
        times: Option<usize>,
    ) {
        let rule = Rule {
            behaviour,
            left: times,
        };
        match recipient {
            Some(recipient) => {
                self.by_recipient.insert(recipient.to_owned(), rule);
            }
            None => (self.mood, self.general) = (None, Some(rule)),
        }
    }

    /// Replaces what was told for all.
    pub(super) fn follow(&mut self, mood: Mood) {
        (self.mood, self.general) = (Some(mood), None);
    }

    /// What was told for this point of the dialogue, and counts it as done.
    pub(super) fn at(&mut self, point: At, recipient: Option<&str>) -> Option<Behaviour> {
        if let Some(mood) = &mut self.mood {
            return mood(point, recipient);
        }
        let known = recipient.and_then(|recipient| {
            let domain = &recipient[recipient.rfind('@')?..];
            let keys = [recipient, domain];
            keys.into_iter()
                .find(|key| self.by_recipient.contains_key(*key))
        });
        match known.and_then(|known| self.by_recipient.get_mut(known)) {
            Some(rule) if rule.left != Some(0) => rule.apply(point),
            _ => self.general.as_mut()?.apply(point),
        }
    }

    pub(super) fn slow_bytes(&self) -> Option<Duration> {
        match self.general {
            Some(Rule {
                behaviour: Behaviour::SlowBytes(pause),
                ..
            }) => Some(pause),
            _ => None,
        }
    }
}

impl Rule {
    fn apply(&mut self, point: At) -> Option<Behaviour> {
        if !self.behaviour.is_at(point) {
            return None;
        }
        if let Some(left) = &mut self.left {
            *left = left.checked_sub(1)?;
        }
        Some(self.behaviour.clone())
    }
}
