//! What the booking page's views are told of a page.

use shared::booking::{Confirmation, Page, Question, QuestionKind, request::MAX_GUESTS};

use crate::pages::view::{self, PageAddress, PublicPage};

/// What a stranger may know of a page that was reached by this address.
pub(super) fn public<'a>(page: &'a Page, address: PageAddress<'a>) -> PublicPage<'a> {
    PublicPage {
        address,
        title: &page.title,
        description: Some(&page.description),
        host_name: &page.host.name,
        duration_min: page.rule.duration_min,
        by_mail: page.confirmation == Confirmation::EmailLink,
    }
}

/// A page's questions with their ids as text.
pub(super) struct Questions<'a>(Vec<(String, &'a Question)>);

impl<'a> Questions<'a> {
    pub(super) fn of(page: &'a Page) -> Self {
        let asked = page.questions.iter();
        Self(asked.map(|asked| (asked.id.to_string(), asked)).collect())
    }

    pub(super) fn view(&self) -> Vec<view::Question<'_>> {
        self.0
            .iter()
            .map(|(id, question)| view::Question {
                id,
                label: &question.label,
                kind: match question.kind {
                    QuestionKind::ShortText => view::QuestionKind::ShortText,
                    QuestionKind::LongText => view::QuestionKind::LongText,
                    QuestionKind::Choice => view::QuestionKind::Choice(&question.options),
                    QuestionKind::MultipleChoice => {
                        view::QuestionKind::MultipleChoice(&question.options)
                    }
                    QuestionKind::YesNo => view::QuestionKind::YesNo,
                    QuestionKind::Phone => view::QuestionKind::Phone,
                },
                required: question.required,
            })
            .collect()
    }
}

/// How many guests the page takes.
pub(super) fn guests_max(page: &Page) -> Option<usize> {
    page.allow_guests.then_some(MAX_GUESTS)
}
