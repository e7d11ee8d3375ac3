//! Where mail goes: a mail server, or the development box.

use std::{sync::Arc, time::Duration};

use shared::{
    config::Config,
    instant::Instant,
    mail::{
        dev_box::{DevBox, DevMessage},
        message::Composed,
    },
};

use crate::smtp::{Failure, SendError, Sender, SenderSettings, SetupError, SmtpUrl, SmtpUrlError};

/// A send ends within so long, whatever the mail server does.
pub const SEND_LIMIT: Duration = Duration::from_secs(20);

/// Sends one message.
#[derive(Clone)]
pub enum Mailer {
    /// Over SMTP.
    Smtp(Arc<Sender>),
    /// Into memory: development without a mail server.
    Box(DevBox),
}

/// How a send ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent {
    /// The mail server took it.
    Accepted,
    /// All senders were busy, or the sender is closing: nothing was asked of the mail server.
    NotTried,
    /// The mail server was asked and did not take it.
    Failed(Failure),
    /// The message has no sender, or not one recipient.
    NoEnvelope,
}

/// Why there is no sender.
#[derive(Debug, thiserror::Error)]
pub enum CannotSetUp {
    /// No `HOLDFAST_SMTP_URL`.
    #[error("HOLDFAST_SMTP_URL is not set")]
    NoServer,
    /// It cannot be read.
    #[error("HOLDFAST_SMTP_URL: {0}")]
    Url(#[from] SmtpUrlError),
    /// The sender refuses its settings.
    #[error(transparent)]
    Settings(#[from] SetupError),
}

impl Mailer {
    /// The sender over SMTP that the configuration says. It greets with the domain of the sender's
    /// address.
    ///
    /// # Errors
    /// [`CannotSetUp`].
    pub fn set_up(config: &Config) -> Result<Self, CannotSetUp> {
        let url = config.smtp_url.as_deref().ok_or(CannotSetUp::NoServer)?;
        let domain = config
            .mail_from
            .address
            .as_str()
            .rsplit('@')
            .next()
            .unwrap_or("localhost");
        let mut settings = SenderSettings::new(SmtpUrl::parse(url.trim())?, domain);
        settings.extra_root_pem.clone_from(&config.smtp_ca);
        settings.concurrency = usize::try_from(config.mail_concurrency).unwrap_or(4);
        settings.send_timeout = SEND_LIMIT;
        Ok(Self::Smtp(Arc::new(Sender::new(settings)?)))
    }

    /// Sends a message; `now` stamps what the development box keeps.
    pub async fn send(&self, mail: &Composed, now: Instant) -> Sent {
        match self {
            Self::Box(kept) => {
                kept.keep(in_memory(mail, now));
                print_link(mail);
                Sent::Accepted
            }
            Self::Smtp(sender) => over_smtp(sender, mail).await,
        }
    }

    /// Says goodbye to idle connections.
    pub async fn close(&self) {
        if let Self::Smtp(sender) = self {
            sender.close().await;
        }
    }
}

async fn over_smtp(sender: &Sender, mail: &Composed) -> Sent {
    let (Some(from), [to]) = (mail.envelope.from(), mail.envelope.to()) else {
        return Sent::NoEnvelope;
    };
    let deadline = tokio::time::Instant::now() + SEND_LIMIT;
    match sender.send(from, to, &mail.bytes, deadline).await {
        Ok(_) => Sent::Accepted,
        Err(SendError::Busy | SendError::Closed) => Sent::NotTried,
        Err(SendError::Failed(failure)) => Sent::Failed(failure),
    }
}

fn in_memory(mail: &Composed, now: Instant) -> DevMessage {
    let to = mail
        .envelope
        .to()
        .first()
        .map(ToString::to_string)
        .unwrap_or_default();
    DevMessage {
        number: 0,
        at: now,
        to,
        subject: mail.content.subject.clone(),
        text: mail.content.text.clone(),
        html: mail.content.html.clone(),
        calendar: mail.calendar.clone(),
    }
}

/// Development without a mail server prints the booker's link: the one exception to the rule that
/// no token is ever written down.
fn print_link(mail: &Composed) {
    use std::io::Write as _;
    for link in links(&mail.content.text) {
        let _ = writeln!(std::io::stdout().lock(), "mail link: {link}");
    }
}

/// The links that open a form. In Chinese a full-width colon stands right before one.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split_whitespace();
    let links = words.filter_map(|word| word.find("http").map(|at| &word[at..]));
    links.filter(|link| link.contains("action="))
}

#[cfg(test)]
mod tests {
    use super::links;

    #[test]
    fn links_are_found_in_both_languages() {
        for text in [
            "Confirm: http://b.test/m/1?action=confirm\nx",
            "确认：http://b.test/m/1?action=confirm\nx",
        ] {
            assert_eq!(
                links(text).collect::<Vec<_>>(),
                ["http://b.test/m/1?action=confirm"],
                "{text}"
            );
        }
    }
}
