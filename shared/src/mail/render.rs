//! The text and the HTML of a mail, from the templates in `templates/mail`.

use askama::Template as _;

use self::templates::{Html, Text};
use super::{kind::MailKind, letter::Letter, view::MailView};

/// What a mail says, in both its forms.
#[derive(Clone)]
pub struct Content {
    /// The subject line.
    pub subject: String,
    /// Plain text, lines ended by `\n`.
    pub text: String,
    /// A whole HTML document.
    pub html: String,
}

/// Renders a mail.
///
/// # Errors
/// A template that cannot be written out; none is known to fail.
pub fn render(view: &MailView) -> Result<Content, askama::Error> {
    let letter = Letter::new(view);
    let l = &letter;
    let (text, html) = match view.kind() {
        MailKind::Hold => (Text::Hold { l }, Html::Hold { l }),
        MailKind::Confirmed => (Text::Confirmed { l }, Html::Confirmed { l }),
        MailKind::Rescheduled => (Text::Rescheduled { l }, Html::Rescheduled { l }),
        MailKind::Cancelled => (Text::Cancelled { l }, Html::Cancelled { l }),
        MailKind::Reminder => (Text::Reminder { l }, Html::Reminder { l }),
    };
    let (text, html) = (text.render()?, html.render()?);
    Ok(Content {
        subject: letter.subject,
        text,
        html,
    })
}

mod templates {
    #![expect(
        unused_qualifications,
        reason = "askama's derive for enums writes full paths"
    )]
    use askama::Template;

    use super::Letter;

    /// The plain form of each kind.
    #[derive(Template)]
    pub(super) enum Text<'a> {
        #[template(path = "mail/hold.txt")]
        Hold { l: &'a Letter },
        #[template(path = "mail/confirmed.txt")]
        Confirmed { l: &'a Letter },
        #[template(path = "mail/rescheduled.txt")]
        Rescheduled { l: &'a Letter },
        #[template(path = "mail/cancelled.txt")]
        Cancelled { l: &'a Letter },
        #[template(path = "mail/reminder.txt")]
        Reminder { l: &'a Letter },
    }

    /// The HTML form of each kind; everything that is not of a template's own is escaped.
    #[derive(Template)]
    pub(super) enum Html<'a> {
        #[template(path = "mail/hold.html")]
        Hold { l: &'a Letter },
        #[template(path = "mail/confirmed.html")]
        Confirmed { l: &'a Letter },
        #[template(path = "mail/rescheduled.html")]
        Rescheduled { l: &'a Letter },
        #[template(path = "mail/cancelled.html")]
        Cancelled { l: &'a Letter },
        #[template(path = "mail/reminder.html")]
        Reminder { l: &'a Letter },
    }
}
