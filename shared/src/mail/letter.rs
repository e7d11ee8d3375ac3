//! What a mail says, part by part, in the reader's language: the one source of both its forms, so
//! that text and HTML cannot differ.

use super::{
    clean::{lines, one_line},
    dates,
    defuse::defuse,
    kind::{MailKind, Role},
    subject::{name, names, subject},
    view::{Answer, AnswerValue, BookerView, Canceller, MailView, Notice, Party, Place, Reader},
    words::Words,
};

/// The parts of one mail. The templates place them and add nothing to them.
pub(super) struct Letter {
    pub(super) lang: &'static str,
    pub(super) words: &'static Words,
    pub(super) subject: String,
    pub(super) heading: &'static str,
    /// Whom the mail greets.
    pub(super) name: Option<String>,
    pub(super) lead: Option<&'static str>,
    /// What, when, where, who.
    pub(super) facts: Vec<Fact>,
    /// What the reader may do, as links.
    pub(super) actions: Vec<Action>,
    /// When a hold lapses.
    pub(super) lapses: Option<String>,
    /// That answering the calendar does not cancel.
    pub(super) answer_note: Option<&'static str>,
    /// That a downloaded file does not update itself.
    pub(super) file_note: Vec<&'static str>,
    /// What the booker filled in, for hosts; the description.
    pub(super) blocks: Vec<Block>,
    pub(super) footer: String,
}

/// A label and what stands beside it, on one line.
pub(super) struct Fact {
    pub(super) label: &'static str,
    pub(super) value: String,
    /// Whether the value is an address on the web that the host gave.
    pub(super) is_link: bool,
}

/// A label and lines that a person wrote.
pub(super) struct Block {
    pub(super) label: String,
    pub(super) lines: Vec<String>,
}

/// A link of ours.
pub(super) struct Action {
    pub(super) label: &'static str,
    pub(super) url: String,
}

impl Letter {
    pub(super) fn new(view: &MailView) -> Self {
        let words = Words::of(view.locale);
        // Only a mail that really carries an invitation speaks of one.
        let carried = view
            .kind()
            .method()
            .filter(|_| view.invitation.is_some())
            .is_some();
        Self {
            lang: view.locale.tag(),
            words,
            subject: subject(view),
            heading: heading(view, words),
            name: view.to.name.as_deref().map(name).filter(|n| !n.is_empty()),
            lead: match (view.kind(), view.role()) {
                (MailKind::Hold, _) => Some(words.hold_lead),
                (MailKind::Confirmed, Role::Guest) => Some(words.guest_lead),
                (MailKind::Cancelled, _) if view.is_handover() => Some(words.handover_lead),
                _ => None,
            },
            facts: facts(view, words),
            actions: actions(view, words),
            lapses: match view.notice {
                Notice::Hold { expires_at } => {
                    let when = dates::moment(view.locale, &view.zone, expires_at);
                    Some((words.hold_lapses)(&when))
                }
                _ => None,
            },
            answer_note: match (view.kind(), view.role()) {
                (MailKind::Confirmed | MailKind::Rescheduled, role) if carried => {
                    Some(match role {
                        Role::Booker => words.answer_booker,
                        Role::Host => words.answer_host,
                        Role::Guest => words.answer_guest,
                    })
                }
                _ => None,
            },
            file_note: match view.kind() {
                MailKind::Rescheduled if carried && view.is_new_host() => {
                    vec![words.file_stays, words.file_attached_host]
                }
                MailKind::Rescheduled if carried => {
                    vec![words.file_stays, words.file_attached_move]
                }
                MailKind::Cancelled if carried => {
                    vec![words.file_stays, words.file_attached_cancel]
                }
                MailKind::Rescheduled | MailKind::Cancelled => vec![words.file_stays],
                _ => Vec::new(),
            },
            blocks: blocks(view, words),
            footer: (words.footer)(site(&view.public_url)),
        }
    }
}

fn heading(view: &MailView, words: &Words) -> &'static str {
    match (view.kind(), view.role()) {
        (MailKind::Hold, _) => words.heading_hold,
        (MailKind::Confirmed, Role::Booker) => words.heading_confirmed,
        (MailKind::Confirmed, Role::Host) => words.heading_confirmed_host,
        (MailKind::Confirmed, Role::Guest) => words.heading_confirmed_guest,
        (MailKind::Rescheduled, _) if view.is_new_host() => words.heading_new_host,
        (MailKind::Rescheduled, _) => words.heading_rescheduled,
        (MailKind::Cancelled, _) if view.is_handover() => words.heading_handover,
        (MailKind::Cancelled, _) => words.heading_cancelled,
        (MailKind::Reminder, _) => words.heading_reminder,
    }
}

fn facts(view: &MailView, words: &'static Words) -> Vec<Fact> {
    let mut facts = Facts(Vec::new());
    let when = dates::span(view.locale, &view.zone, view.span);
    facts.add(words.meeting, name(&view.title));
    match &view.notice {
        Notice::Rescheduled { .. } if view.is_new_host() => facts.add(words.when, when),
        Notice::Rescheduled { previous } => {
            facts.add(words.new_time, when);
            let before = dates::span(view.locale, &view.zone, *previous);
            facts.add(words.earlier_time, before);
        }
        Notice::Cancelled { .. } if view.is_handover() => facts.add(words.when, when),
        Notice::Cancelled { .. } => facts.add(words.planned_time, when),
        Notice::Hold { .. } | Notice::Confirmed | Notice::Reminder => facts.add(words.when, when),
    }
    if let Reader::Host { booker, .. } = &view.reader
        && booker.zone != view.zone
    {
        let theirs = dates::span(view.locale, &booker.zone, view.span);
        facts.add(words.bookers_time, theirs);
    }
    if let Notice::Cancelled { by, .. } = view.notice
        && let Some(by) = canceller(by, view.role(), words)
    {
        facts.add(words.cancelled_by, by.to_owned());
    }
    facts.add_place(view, words);
    let several = view.host_names.len() > 1;
    if several || view.role() != Role::Host {
        let label = if several { words.hosts } else { words.host };
        facts.add(label, names(words, &view.host_names));
    }
    match &view.reader {
        Reader::Host { booker, .. } => {
            facts.add(words.booked_by, name(&booker.name));
            facts.add(words.address, booker.address.as_str().to_owned());
        }
        Reader::Guest { booker_name } => facts.add(words.booked_by, name(booker_name)),
        Reader::Booker { .. } => {}
    }
    facts.0
}

/// Facts as they gather.
struct Facts(Vec<Fact>);

impl Facts {
    /// Adds a fact, unless there is nothing to say.
    fn add(&mut self, label: &'static str, value: String) {
        self.push(label, value, false);
    }

    /// Where a meeting will be. Mail about a hold has one link, the one that confirms, so there a
    /// meeting link is left to the page and words are kept from becoming one.
    fn add_place(&mut self, view: &MailView, words: &'static Words) {
        let place = place(&view.place, view.role(), words);
        let is_link = is_web_address(&place);
        match view.kind() {
            MailKind::Cancelled => {}
            MailKind::Hold if is_link => {}
            MailKind::Hold => self.push(words.place, defuse(&place), false),
            _ => self.push(words.place, place, is_link),
        }
    }

    fn push(&mut self, label: &'static str, value: String, is_link: bool) {
        if !value.is_empty() {
            self.0.push(Fact {
                label,
                value,
                is_link,
            });
        }
    }
}

const fn canceller(by: Canceller, reader: Role, words: &Words) -> Option<&'static str> {
    Some(match (by, reader) {
        (Canceller::Booker, Role::Booker) => words.by_you,
        (Canceller::Booker, Role::Host | Role::Guest) => words.by_booker,
        (Canceller::Host, _) => words.by_host,
        (Canceller::Coordinator, _) => words.by_coordinator,
        (Canceller::Handover, _) => return None,
    })
}

/// Where the meeting is, as this reader may know it; empty if that was not said.
pub(super) fn place(place: &Place, reader: Role, words: &Words) -> String {
    // A stranger typed it, so it is no link either.
    let known = |phone: &str| Some(name(phone)).filter(|phone| !phone.is_empty());
    match place {
        Place::None => String::new(),
        Place::Text(text) | Place::Link(text) => one_line(text),
        Place::CallsBooker { phone } => {
            let phone = phone
                .as_deref()
                .and_then(known)
                .filter(|_| reader != Role::Guest);
            (words.host_calls)(phone.as_deref())
        }
        Place::CallsHost { phone } => {
            known(phone).map_or_else(String::new, |phone| (words.call_host)(&phone))
        }
    }
}

/// Whether the text is one address that may stand in a link: never `javascript:` or the like.
fn is_web_address(text: &str) -> bool {
    (text.starts_with("https://") || text.starts_with("http://"))
        && !text.contains(char::is_whitespace)
}

fn actions(view: &MailView, words: &'static Words) -> Vec<Action> {
    let action = |label, url: &str| Action {
        label,
        url: url.to_owned(),
    };
    match (&view.reader, view.kind()) {
        (Reader::Booker { links }, MailKind::Hold) => {
            vec![action(words.hold_action, &links.confirm)]
        }
        (Reader::Booker { .. }, MailKind::Cancelled) | (Reader::Guest { .. }, _) => Vec::new(),
        (Reader::Booker { links }, _) => vec![
            action(words.reschedule, &links.reschedule),
            action(words.cancel, &links.cancel),
        ],
        (Reader::Host { dashboard_url, .. }, _) => dashboard_url
            .iter()
            .map(|url| action(words.dashboard, url))
            .collect(),
    }
}

fn blocks(view: &MailView, words: &Words) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut add = |label: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            let label = label.to_owned();
            blocks.push(Block { label, lines });
        }
    };
    if let Notice::Cancelled {
        by,
        reason: Some(reason),
    } = &view.notice
        && may_know_reason(*by, view.role())
    {
        add(words.reason, lines(reason));
    }
    if let Reader::Host { booker, .. } = &view.reader {
        let BookerView {
            note,
            answers,
            guests,
            ..
        } = booker.as_ref();
        add(words.guests, guests.iter().map(guest).collect());
        for answer in answers {
            add(&one_line(&answer.label), answer_lines(answer, words));
        }
        add(words.note, note.as_deref().map(lines).unwrap_or_default());
    }
    // Mail about a hold has one link; what the description links to is on the page behind it.
    if view.kind() != MailKind::Hold {
        add(words.description, lines(&view.description));
    }
    blocks
}

/// Who reads the canceller's words. A booker is not sent their own: with somebody else's address a
/// stranger could book, cancel, and so mail that address what they like.
const fn may_know_reason(by: Canceller, reader: Role) -> bool {
    match (by, reader) {
        (Canceller::Booker, Role::Booker) | (Canceller::Handover, _) | (_, Role::Guest) => false,
        (_, Role::Host) | (Canceller::Host | Canceller::Coordinator, Role::Booker) => true,
    }
}

fn guest(guest: &Party) -> String {
    match guest.name.as_deref().map(name).filter(|n| !n.is_empty()) {
        Some(name) => format!("{name} <{}>", guest.address.as_str()),
        None => guest.address.as_str().to_owned(),
    }
}

fn answer_lines(answer: &Answer, words: &Words) -> Vec<String> {
    match &answer.value {
        AnswerValue::Text(text) => lines(text),
        AnswerValue::Options(options) => options.iter().map(|option| one_line(option)).collect(),
        AnswerValue::YesNo(true) => vec![words.yes.to_owned()],
        AnswerValue::YesNo(false) => vec![words.no.to_owned()],
    }
}

/// The host (and port) of an address on the web.
fn site(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}
