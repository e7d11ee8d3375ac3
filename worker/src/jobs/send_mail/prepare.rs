//! The transaction between claim and send: is the mail still true, is it its turn, is there budget
//! for it, and the token of its link.

use shared::{
    booking::link,
    fingerprint::{Fingerprint, Purpose},
    instant::Instant,
    mail::{
        budget::Suppression,
        domain::MailDomain,
        facts::{self, Filling, MailFacts},
        kind::MailKind,
        owed::Recipient,
        truth::{self, Claimed, Verdict},
        view::{MailView, ManageLinks},
    },
    ops::Failure,
    store::{
        begin::begin,
        bookings::{self, BookingKey},
        budget::{self, Reserved, Wish},
        hosts,
        mail_queue::{self, Cap, ClaimedMail},
    },
    token::ManageToken,
};
use sqlx::PgConnection;

use super::Post;
use crate::traffic::{Barrier, Pass};

/// What came of it.
pub enum Prepared {
    /// To be sent; it counts against its budgets from now on.
    Ready(Box<Ready>),
    /// No longer true.
    Skip,
    /// A budget is used up.
    Suppress(Suppressed),
    /// An earlier mail to the same reader is on its way.
    Defer,
    /// True, but its domain's mail cannot be sent at this moment.
    Barred(MailDomain, Barrier),
    /// The claim is gone.
    Lost,
}

/// What sending needs.
pub struct Ready {
    pub(super) view: MailView,
    pub(super) now: Instant,
    /// `None` for a recipient without an address, who is sent nothing.
    pub(super) pass: Option<Pass>,
}

/// Why a mail is held back for good, and from whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suppressed {
    pub why: Suppression,
    /// As the ledger has it; `None` for a host.
    pub recipient: Option<Fingerprint>,
}

/// Reads the booking again under its lock and decides. Reserves the budgets and mints the link's
/// token in the same transaction; a mail that is not sent does neither. `pass` is leave that it was
/// given before.
///
/// # Errors
/// [`Failure`].
pub async fn prepare(
    post: &Post,
    mail: &ClaimedMail,
    pass: Option<Pass>,
) -> Result<Prepared, Failure> {
    let pass = match attempt(post, mail, pass, false).await? {
        Attempt::Prepared(prepared) => return Ok(prepared),
        Attempt::AskAlone(pass) => pass,
    };
    match attempt(post, mail, pass, true).await? {
        Attempt::Prepared(prepared) => Ok(prepared),
        // Alone there is always an answer.
        Attempt::AskAlone(_) => Err(Failure::Stored("mail ledger")),
    }
}

enum Attempt {
    Prepared(Prepared),
    /// The installation's cap came near meanwhile: to be asked again with its lock taken alone.
    /// Nothing is kept.
    AskAlone(Option<Pass>),
}

async fn attempt(
    post: &Post,
    mail: &ClaimedMail,
    pass: Option<Pass>,
    alone: bool,
) -> Result<Attempt, Failure> {
    let context = &post.context;
    let kind: MailKind = mail
        .kind
        .parse()
        .map_err(|_| Failure::Stored("mail kind"))?;
    let recipient =
        Recipient::read(&mail.recipient, mail.recipient_id).ok_or(Failure::Stored("recipient"))?;
    let allowance = context.limits.mail.of_booking(recipient.role());
    let cap = Cap {
        per_hour: allowance.instance_per_hour,
        alone,
    };
    let came = |prepared| Ok(Attempt::Prepared(prepared));
    let mut tx = begin(&context.pool).await?;
    let standing = mail_queue::lock_and_look(&mut tx, mail, cap, context.clock.pinned()).await?;
    let Some(standing) = standing.filter(|standing| standing.held) else {
        return came(Prepared::Lost);
    };
    if standing.behind {
        return came(Prepared::Defer);
    }
    let Some(row) = bookings::find(&mut tx, BookingKey::Id(mail.booking_id)).await? else {
        return came(Prepared::Lost);
    };
    let mut facts = MailFacts::open(row, &context.keys.seal, &context.zones)?;
    let departed = match recipient {
        Recipient::Host(id) if id != facts.host => Some(id),
        _ => None,
    };
    let claimed = Claimed {
        kind,
        revision: mail.revision,
        offset_min: mail.offset_min,
        remind_at: mail.remind_at,
        departed: departed.is_some(),
    };
    let now = standing.place.now;
    let standing_now = &facts.booking.standing;
    if truth::judge(&claimed, standing_now, facts.ever_confirmed, now) == Verdict::Skip {
        return came(Prepared::Skip);
    }
    if departed.is_none() && facts.booking.host_email.is_none() {
        no_host(&mut tx, mail).await?;
        return came(Prepared::Skip);
    }
    if let Some(host) = departed
        && let Some(row) = hosts::find(&mut tx, host).await?
        && let Some(past) = bookings::at_revision(&mut tx, mail.booking_id, mail.revision).await?
    {
        let then = (mail.revision, &past);
        facts.depart(host, row, then, &context.keys.seal, &context.zones)?;
    }
    let pass = match enter(post, mail, &facts, recipient, pass) {
        Ok(pass) => pass,
        Err((domain, barrier)) => return came(Prepared::Barred(domain, barrier)),
    };
    let previous = if kind == MailKind::Rescheduled {
        mail_queue::span_before(&mut tx, mail.booking_id, mail.revision).await?
    } else {
        None
    };
    let token = match recipient {
        Recipient::Booker => Some(ManageToken::mint(&context.random)?),
        Recipient::Host(_) | Recipient::Guest(_) => None,
    };
    let filling = Filling {
        mail: mail.id,
        instance: context.instance,
        recipient,
        kind,
        public_url: &post.public_url,
        from: &context.mail_from,
        sent_at: now,
        links: token.as_ref().map(|token| links(&post.manage_url, token)),
        previous,
    };
    let Some(view) = facts::fill(&facts, filling) else {
        // It has no address any more.
        return came(Prepared::Skip);
    };
    // Hosts have no budget of their own.
    let counted = allowance.recipient.map(|_| {
        let keys = &context.keys.fingerprint;
        keys.of_address(Purpose::MailLedger, &view.to.address)
    });
    let hash = token.as_ref().map(ManageToken::hash);
    let wish = Wish {
        mail: mail.id,
        claim: mail.claim_id,
        recipient: counted.as_ref(),
        kind: kind.as_str(),
        allowance,
        link: hash.as_ref().map(|hash| (hash, mail.booking_id)),
    };
    match budget::reserve(&mut tx, standing.place, &wish).await? {
        Reserved::Yes => {}
        Reserved::AskAlone => return Ok(Attempt::AskAlone(pass)),
        Reserved::No(why) => {
            return came(Prepared::Suppress(Suppressed {
                why,
                recipient: counted,
            }));
        }
    }
    tx.commit().await?;
    came(Prepared::Ready(Box::new(Ready { view, now, pass })))
}

/// A booking that lost its last verified host sends nothing; that is said once a notice.
async fn no_host(conn: &mut PgConnection, mail: &ClaimedMail) -> Result<(), Failure> {
    if mail_queue::is_first(conn, mail).await? {
        tracing::warn!(booking.id = %mail.booking_id, mail.kind, mail.revision, "the booking has no host with a verified address: nobody is sent its mail");
    }
    Ok(())
}

fn links(template: &str, token: &ManageToken) -> ManageLinks {
    let to = |action| link::manage(template, token, action);
    ManageLinks {
        confirm: to("confirm"),
        reschedule: to("reschedule"),
        cancel: to("cancel"),
    }
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
