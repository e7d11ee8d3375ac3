//! The fields of the booking form, with what was typed and what is wrong with it.

use super::problem::{At, Problem};
use crate::pages::words::Words;

/// A choice with more options than this is a select.
const RADIOS: usize = 7;

/// A question of the page.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Its id; the field is named `q.<id>`.
    pub id: &'a str,
    /// What it asks.
    pub label: &'a str,
    /// How it is answered.
    pub kind: QuestionKind<'a>,
    /// Whether it must be answered.
    pub required: bool,
}

/// How a question is answered.
#[derive(Clone, Copy, Debug)]
pub enum QuestionKind<'a> {
    /// A line.
    ShortText,
    /// Several lines.
    LongText,
    /// One of these.
    Choice(&'a [String]),
    /// Any of these; the field is repeated.
    MultipleChoice(&'a [String]),
    /// `yes` or `no`.
    YesNo,
    /// A phone number.
    Phone,
}

/// What was typed so far; the default is an empty form.
#[derive(Clone, Debug, Default)]
pub struct Typed {
    /// `name`
    pub name: String,
    /// `email`
    pub email: String,
    /// `note`
    pub note: String,
    /// `guests`, as it was typed.
    pub guests: String,
    /// `q.<id>`
    pub answers: Vec<Answer>,
}

/// The values that were sent for a question.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The question's id.
    pub question: String,
    /// One value, or several of a multiple choice.
    pub values: Vec<String>,
}

/// What the macro `field` shows.
#[derive(Debug)]
pub(super) struct Field<'a> {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) label: &'a str,
    pub(super) hint: Option<String>,
    pub(super) required: bool,
    pub(super) control: Control<'a>,
    pub(super) problems: Vec<String>,
}

/// How a field is filled in.
#[derive(Debug)]
pub(super) enum Control<'a> {
    Line {
        kind: &'static str,
        autocomplete: &'static str,
        value: &'a str,
    },
    Area {
        value: &'a str,
        rows: u8,
    },
    Select(Vec<Choosable<'a>>),
    Radios(Vec<Choosable<'a>>),
    Checks(Vec<Choosable<'a>>),
}

/// One option.
#[derive(Debug)]
pub(super) struct Choosable<'a> {
    pub(super) id: String,
    pub(super) value: &'a str,
    pub(super) label: &'a str,
    pub(super) chosen: bool,
}

impl<'a> Field<'a> {
    /// A field of every form: name, address, note or guests.
    pub(super) fn fixed(
        name: &'static str,
        at: &At,
        label: &'static str,
        control: Control<'a>,
        form: &Sent<'_>,
    ) -> Self {
        Self {
            id: format!("f-{name}"),
            name: name.to_owned(),
            label,
            hint: None,
            required: matches!(at, At::Name | At::Email),
            control,
            problems: form.messages(at),
        }
    }

    /// The field of a question.
    pub(super) fn question(question: &Question<'a>, typed: &'a Typed, form: &Sent<'a>) -> Self {
        let id = format!("q-{}", question.id);
        let values: &'a [String] = typed
            .answers
            .iter()
            .find(|answer| answer.question == question.id)
            .map_or(&[], |answer| &answer.values);
        let first = values.first().map_or("", String::as_str);
        let control = match question.kind {
            QuestionKind::ShortText => Control::Line {
                kind: "text",
                autocomplete: "off",
                value: first,
            },
            QuestionKind::Phone => Control::Line {
                kind: "tel",
                autocomplete: "tel",
                value: first,
            },
            QuestionKind::LongText => Control::Area {
                value: first,
                rows: 4,
            },
            QuestionKind::MultipleChoice(options) => {
                Control::Checks(choosable(&id, options.iter().map(|o| (o, o)), values))
            }
            QuestionKind::Choice(options) if options.len() > RADIOS => {
                let empty = Some(("", form.words.book.no_answer));
                let options = options.iter().map(|o| (o.as_str(), o.as_str()));
                Control::Select(choosable(&id, empty.into_iter().chain(options), values))
            }
            QuestionKind::Choice(options) => {
                let options = options.iter().map(|o| (o.as_str(), o.as_str()));
                let empty = (!question.required).then_some(("", form.words.book.no_answer));
                Control::Radios(choosable(&id, options.chain(empty), values))
            }
            QuestionKind::YesNo => {
                let (yes, no) = (form.words.book.yes, form.words.book.no);
                let empty = (!question.required).then_some(("", form.words.book.no_answer));
                let options = [("yes", yes), ("no", no)].into_iter().chain(empty);
                Control::Radios(choosable(&id, options, values))
            }
        };
        Self {
            name: format!("q.{}", question.id),
            label: question.label,
            hint: None,
            required: question.required,
            control,
            problems: form.messages(&At::Question(question.id.to_owned())),
            id,
        }
    }

    #[must_use]
    pub(super) fn hinted(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Whether it is the field of the question with this id.
    pub(super) fn asks(&self, question: &str) -> bool {
        self.name.strip_prefix("q.") == Some(question)
    }

    /// Where a link to the field leads: the control itself, or the first of its options.
    pub(super) fn anchor(&self) -> &str {
        match &self.control {
            Control::Radios(options) | Control::Checks(options) => {
                options.first().map_or(&self.id, |option| &option.id)
            }
            _ => &self.id,
        }
    }

    /// The value of `aria-describedby`: what stands under the field and what is wrong with it.
    pub(super) fn described(&self) -> Option<String> {
        let hint = self.hint.as_ref().map(|_| format!("{}-hint", self.id));
        let error = (!self.problems.is_empty()).then(|| format!("{}-error", self.id));
        let ids: Vec<String> = hint.into_iter().chain(error).collect();
        (!ids.is_empty()).then(|| ids.join(" "))
    }
}

/// A form that came back: the words for it and its problems.
pub(super) struct Sent<'a> {
    pub(super) words: &'static Words,
    pub(super) problems: &'a [Problem],
}

impl Sent<'_> {
    pub(super) fn messages(&self, at: &At) -> Vec<String> {
        self.problems
            .iter()
            .filter(|problem| problem.at == *at)
            .map(|problem| problem.message(self.words))
            .collect()
    }
}

fn choosable<'a, T: AsRef<str> + ?Sized + 'a>(
    id: &str,
    options: impl Iterator<Item = (&'a T, &'a T)>,
    chosen: &[String],
) -> Vec<Choosable<'a>> {
    options
        .enumerate()
        .map(|(at, (value, label))| Choosable {
            id: format!("{id}-{at}"),
            value: value.as_ref(),
            label: label.as_ref(),
            chosen: chosen.iter().any(|held| held == value.as_ref()),
        })
        .collect()
}
