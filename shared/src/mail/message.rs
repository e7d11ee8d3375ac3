//! The message (RFC 5322) with its invitation (RFC 6047), as bytes.

use std::{
    fmt,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use lettre::{
    Address, Message,
    address::Envelope,
    message::{
        Mailbox, MultiPart, SinglePart, SinglePartBuilder,
        header::{
            ContentDisposition, ContentTransferEncoding, ContentType, ContentTypeErr, MessageId,
        },
    },
};

use super::{
    header,
    invitation::Invitation,
    kind::Method,
    render::{Content, render},
    view::MailView,
};
use crate::instant::Instant;

/// A message that is ready for the mail server.
#[derive(Clone)]
pub struct Composed {
    /// Sender and the one recipient.
    pub envelope: Envelope,
    /// The same for every attempt at this mail.
    pub message_id: String,
    /// The message, ASCII throughout unless [`Composed::needs_smtputf8`].
    pub bytes: Vec<u8>,
    /// Whether an address holds letters that only SMTPUTF8 carries (RFC 6531).
    pub needs_smtputf8: bool,
    /// What it says.
    pub content: Content,
    /// The invitation that it carries.
    pub calendar: Option<String>,
}

impl fmt::Debug for Composed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Composed({}, {} bytes)",
            self.message_id,
            self.bytes.len()
        )
    }
}

/// Why a mail could not be made. None of these says an address or a name.
#[derive(Debug, thiserror::Error)]
pub enum NotComposed {
    /// `HOLDFAST_MAIL_FROM` has no form that travels.
    #[error("the sender's address cannot be written into a message")]
    Sender,
    /// The recipient's address has no form that travels.
    #[error("the recipient's address cannot be written into a message")]
    Recipient,
    /// A template failed.
    #[error("a mail template failed")]
    Template(#[from] askama::Error),
    /// A header that the code itself names was refused.
    #[error("a MIME header was refused")]
    Header(#[from] ContentTypeErr),
    /// The message was refused by its builder.
    #[error("the message was refused by its builder")]
    Builder(#[from] lettre::error::Error),
}

/// Makes the message of a view.
///
/// The same view gives the same bytes: nothing random, no clock.
///
/// # Errors
/// [`NotComposed`]
pub fn compose(view: &MailView) -> Result<Composed, NotComposed> {
    let from = header::sender(&view.from).ok_or(NotComposed::Sender)?;
    let to = header::person(&view.to).ok_or(NotComposed::Recipient)?;
    let envelope = Envelope::new(Some(from.email.clone()), vec![to.email.clone()])?;
    let content = render(view)?;
    let message_id = message_id(view);

    let mut builder = Message::builder()
        .envelope(envelope.clone())
        .date(system_time(view.sent_at))
        .header(MessageId::from(message_id.clone()))
        .from(from)
        .to(to)
        .raw_header(header::text("Subject", &content.subject))
        // No answering machine shall answer (RFC 3834), Exchange's neither; bounces still come.
        .raw_header(header::word("Auto-Submitted", "auto-generated"))
        .raw_header(header::word("X-Auto-Response-Suppress", "OOF, AutoReply"))
        .raw_header(header::word("Content-Language", view.locale.tag()));
    if let Some(reply_to) = reply_to(view, &envelope) {
        builder = builder.reply_to(reply_to);
    }

    let mut alternatives = multipart("alternative", view)?
        .singlepart(text_part(ContentType::TEXT_PLAIN, &content.text))
        .singlepart(text_part(ContentType::TEXT_HTML, &content.html));
    let mut calendar = None;
    let message = if let Some(invitation) = Invitation::in_mail(view) {
        let ics = invitation.to_ics();
        let method = invitation.method;
        let inline = format!("text/calendar; method={}; charset=utf-8", method.as_str());
        let attached = format!("application/ics; name=\"{}\"", file_name(method));
        alternatives =
            alternatives.singlepart(calendar_part(SinglePart::builder(), &inline, &ics)?);
        let attachment =
            SinglePart::builder().header(ContentDisposition::attachment(file_name(method)));
        let mixed = multipart("mixed", view)?
            .multipart(alternatives)
            .singlepart(calendar_part(attachment, &attached, &ics)?);
        calendar = Some(ics);
        builder.multipart(mixed)?
    } else {
        builder.multipart(alternatives)?
    };
    let bytes = message.formatted();
    Ok(Composed {
        envelope,
        message_id,
        needs_smtputf8: !bytes.is_ascii(),
        bytes,
        content,
        calendar,
    })
}

/// Whom an answer goes to, if the address can be written into this message.
///
/// One in letters that only SMTPUTF8 carries (RFC 6531) is left out of a message that needs no
/// SMTPUTF8 otherwise: it would keep the mail from a reader whose own address is plain. An answer then goes
/// to the sender.
fn reply_to(view: &MailView, envelope: &Envelope) -> Option<Mailbox> {
    let reply_to = view.reply_to.as_ref().and_then(header::person)?;
    let is_ascii = |address: &Address| AsRef::<str>::as_ref(address).is_ascii();
    let needs_smtputf8 = !envelope
        .from()
        .into_iter()
        .chain(envelope.to())
        .all(is_ascii);
    (needs_smtputf8 || is_ascii(&reply_to.email)).then_some(reply_to)
}

/// From the row's id, so that a repeat is recognised as one. `.invalid` (RFC 2606): the id is no
/// place on the net, and survives a change of the public address.
fn message_id(view: &MailView) -> String {
    format!("<{}@{}.holdfast.invalid>", view.mail_id, view.instance_id)
}

/// An empty multipart. Its boundary holds `=_`, which neither quoted-printable nor base64 ever
/// makes, so no part can contain it.
fn multipart(subtype: &str, view: &MailView) -> Result<MultiPart, ContentTypeErr> {
    let boundary = format!("=_{}_{}", &subtype[..1], view.mail_id.simple());
    let kind = format!("multipart/{subtype}; boundary=\"{boundary}\"");
    let kind = ContentType::parse(&kind)?;
    Ok(MultiPart::builder().header(kind).build())
}

/// Text as quoted-printable, or as base64 where most of it is not ASCII. Never 7bit: see the
/// boundary.
fn text_part(kind: ContentType, text: &str) -> SinglePart {
    let other = text.bytes().filter(|b| !b.is_ascii()).count();
    let encoding = if other > text.len() / 3 {
        ContentTransferEncoding::Base64
    } else {
        ContentTransferEncoding::QuotedPrintable
    };
    SinglePart::builder()
        .header(kind)
        .header(encoding)
        .body(text.to_owned())
}

/// The calendar as base64: no server on the way touches a byte of it.
fn calendar_part(
    part: SinglePartBuilder,
    kind: &str,
    ics: &str,
) -> Result<SinglePart, ContentTypeErr> {
    Ok(part
        .header(ContentType::parse(kind)?)
        .header(ContentTransferEncoding::Base64)
        .body(ics.to_owned()))
}

const fn file_name(method: Method) -> &'static str {
    match method {
        Method::Request => "invite.ics",
        Method::Cancel => "cancel.ics",
    }
}

/// For `Date`, in whole seconds; the epoch for what lies before it.
fn system_time(at: Instant) -> SystemTime {
    let seconds = u64::try_from(at.timestamp().as_second()).unwrap_or(0);
    UNIX_EPOCH + Duration::from_secs(seconds)
}
