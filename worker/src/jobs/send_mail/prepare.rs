//! The transaction between claim and send: is the mail still true, is it its turn, and the token
//! of its link.

use shared::{
    booking::link,
    instant::{Instant, Span},
    mail::{
        domain::MailDomain,
        facts::MailFacts,
        kind::MailKind,
        owed::Recipient,
        truth::{self, Claimed, Verdict},
        view::ManageLinks,
    },
    ops::Failure,
    store::{
        begin::begin,
        bookings::{self, BookingKey},
        mail_queue::{self, ClaimedMail},
    },
    token::ManageToken,
};

use super::Post;
use crate::traffic::{Barrier, Pass};

/// What came of it.
pub enum Prepared {
    /// To be sent.
    Ready(Box<Ready>),
    /// No longer true.
    Skip,
    /// An earlier mail to the same reader is on its way.
    Defer,
    /// True, but its domain's mail cannot be sent at this moment.
    Barred(MailDomain, Barrier),
    /// The claim is gone.
    Lost,
}

/// What sending needs.
pub struct Ready {
    pub(super) facts: MailFacts,
    pub(super) kind: MailKind,
    pub(super) recipient: Recipient,
    pub(super) links: Option<ManageLinks>,
    pub(super) previous: Option<Span>,
    pub(super) now: Instant,
    /// `None` for a recipient without an address, who is sent nothing.
    pub(super) pass: Option<Pass>,
}

/// Reads the booking again under its lock and decides. Mints the link's token in the same
/// transaction; a mail that is not sent mints none. `pass` is leave that it was given before.
///
/// # Errors
/// [`Failure`].
pub async fn prepare(
    post: &Post,
    mail: &ClaimedMail,
    pass: Option<Pass>,
) -> Result<Prepared, Failure> {
    let context = &post.context;
    let kind: MailKind = mail
        .kind
        .parse()
        .map_err(|_| Failure::Stored("mail kind"))?;
    let recipient =
        Recipient::read(&mail.recipient, mail.recipient_id).ok_or(Failure::Stored("recipient"))?;
    let mut tx = begin(&context.pool).await?;
    let standing = mail_queue::lock_and_look(&mut tx, mail, context.clock.pinned()).await?;
    let Some(standing) = standing.filter(|standing| standing.held) else {
        return Ok(Prepared::Lost);
    };
    if standing.behind {
        return Ok(Prepared::Defer);
    }
    let Some(row) = bookings::find(&mut tx, BookingKey::Id(mail.booking_id)).await? else {
        return Ok(Prepared::Lost);
    };
    let facts = MailFacts::open(row, &context.keys.seal, &context.zones)?;
    let claimed = Claimed {
        kind,
        revision: mail.revision,
        offset_min: mail.offset_min,
        remind_at: mail.remind_at,
    };
    if truth::judge(
        &claimed,
        &facts.booking.standing,
        facts.ever_confirmed,
        standing.now,
    ) == Verdict::Skip
    {
        return Ok(Prepared::Skip);
    }
    let pass = match enter(post, mail, &facts, recipient, pass) {
        Ok(pass) => pass,
        Err((domain, barrier)) => return Ok(Prepared::Barred(domain, barrier)),
    };
    let previous = if kind == MailKind::Rescheduled {
        mail_queue::span_before(&mut tx, mail.booking_id, mail.revision).await?
    } else {
        None
    };
    let links = if recipient == Recipient::Booker {
        let token = ManageToken::mint(&context.random)?;
        bookings::add_token(&mut tx, &token.hash(), mail.booking_id, Some(mail.id)).await?;
        let to = |action| link::manage(&post.manage_url, &token, action);
        Some(ManageLinks {
            confirm: to("confirm"),
            reschedule: to("reschedule"),
            cancel: to("cancel"),
        })
    } else {
        None
    };
    tx.commit().await?;
    Ok(Prepared::Ready(Box::new(Ready {
        facts,
        kind,
        recipient,
        links,
        previous,
        now: standing.now,
        pass,
    })))
}

/// Leave to send to the recipient's domain.
fn enter(
    post: &Post,
    mail: &ClaimedMail,
    facts: &MailFacts,
    recipient: Recipient,
    pass: Option<Pass>,
) -> Result<Option<Pass>, (MailDomain, Barrier)> {
    let Some(address) = facts.address_of(recipient) else {
        return Ok(None);
    };
    let domain = MailDomain::of(&post.context.keys.fingerprint, address);
    if let Some(pass) = pass.filter(|pass| pass.is_for(domain)) {
        return Ok(Some(pass));
    }
    match post.traffic.enter(mail.lane(), domain, mail.pauses) {
        Ok(pass) => Ok(Some(pass)),
        Err(barrier) => Err((domain, barrier)),
    }
}
