//! Answers to a page's questions: checked, and kept with the question as it was asked.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    Question, QuestionKind,
    request::{FieldFault, check_prose, question_id},
};

/// The longest answer of one line, in characters.
pub const MAX_SHORT_CHARS: usize = 500;
/// The longest answer of several lines, in characters.
pub const MAX_LONG_CHARS: usize = 5_000;
/// The longest phone number, in characters.
pub const MAX_PHONE_CHARS: usize = 40;

/// A question and its answer, as they were when it was booked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub question: Uuid,
    pub label: String,
    pub kind: QuestionKind,
    pub value: AnswerValue,
}

/// What was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum AnswerValue {
    /// Yes or no.
    YesNo(bool),
    /// A text, a phone number or one option.
    Text(String),
    /// Several options.
    Options(Vec<String>),
}

/// Checks the answers against the questions; unanswered ones that need no answer are left out.
pub(super) fn parse(
    raw: &BTreeMap<String, Value>,
    questions: &[Question],
    faults: &mut Vec<FieldFault>,
) -> Vec<Answer> {
    for key in raw.keys() {
        if !question_id(key).is_some_and(|id| questions.iter().any(|question| question.id == id)) {
            faults.push(FieldFault::new(
                pointer(key),
                "unknown_question",
                "this page asks no such question",
            ));
        }
    }
    let mut answers = Vec::new();
    for question in questions {
        let key = question.id.to_string();
        let given = raw
            .iter()
            .find(|(held, _)| question_id(held) == Some(question.id))
            .map(|(_, value)| value);
        let value = match given {
            None | Some(Value::Null) => Ok(None),
            Some(value) => read(question, value),
        };
        match value {
            Ok(Some(value)) => answers.push(Answer {
                question: question.id,
                label: question.label.clone(),
                kind: question.kind,
                value,
            }),
            Ok(None) if question.required => faults.push(FieldFault::new(
                pointer(&key),
                "missing",
                "an answer is needed",
            )),
            Ok(None) => {}
            Err(Wrong(code, detail)) => faults.push(FieldFault::new(pointer(&key), code, detail)),
        }
    }
    answers
}

struct Wrong(&'static str, String);

fn pointer(key: &str) -> String {
    format!("/answers/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// The answer, or `None` for an empty one.
fn read(question: &Question, value: &Value) -> Result<Option<AnswerValue>, Wrong> {
    let wrong = |what: &str| Wrong("invalid_answer", what.to_owned());
    match question.kind {
        QuestionKind::ShortText => text(value, MAX_SHORT_CHARS, true),
        QuestionKind::LongText => text(value, MAX_LONG_CHARS, false),
        QuestionKind::Phone => match text(value, MAX_PHONE_CHARS, true)? {
            Some(AnswerValue::Text(phone)) if !is_phone(&phone) => Err(Wrong(
                "invalid_phone",
                "a phone number has 5 to 20 digits".to_owned(),
            )),
            other => Ok(other),
        },
        QuestionKind::YesNo => value
            .as_bool()
            .map(|yes| Some(AnswerValue::YesNo(yes)))
            .ok_or_else(|| wrong("answer true or false")),
        QuestionKind::Choice => match value.as_str() {
            None => Err(wrong("answer with one of the options")),
            Some("") => Ok(None),
            Some(option) if question.options.iter().any(|held| held == option) => {
                Ok(Some(AnswerValue::Text(option.to_owned())))
            }
            Some(_) => Err(Wrong(
                "not_an_option",
                "answer with one of the options".to_owned(),
            )),
        },
        QuestionKind::MultipleChoice => {
            let list = value
                .as_array()
                .ok_or_else(|| wrong("answer with a list of options"))?;
            let mut chosen = Vec::with_capacity(list.len());
            for item in list {
                let option = item
                    .as_str()
                    .ok_or_else(|| wrong("answer with a list of options"))?;
                if !question.options.iter().any(|held| held == option)
                    || chosen.iter().any(|held| held == option)
                {
                    return Err(Wrong(
                        "not_an_option",
                        "answer with different ones of the options".to_owned(),
                    ));
                }
                chosen.push(option.to_owned());
            }
            Ok((!chosen.is_empty()).then_some(AnswerValue::Options(chosen)))
        }
    }
}

fn text(value: &Value, max_chars: usize, one_line: bool) -> Result<Option<AnswerValue>, Wrong> {
    let text = value
        .as_str()
        .ok_or_else(|| Wrong("invalid_answer", "answer with a text".to_owned()))?
        .trim();
    if text.is_empty() {
        return Ok(None);
    }
    let mut faults = Vec::new();
    check_prose("", text, max_chars, &mut faults);
    if one_line && text.chars().any(char::is_control) {
        faults.push(FieldFault::new(
            "",
            "control_characters",
            "control characters and line breaks are not allowed",
        ));
    }
    match faults.into_iter().next() {
        Some(fault) => Err(Wrong(fault.code, fault.detail)),
        None => Ok(Some(AnswerValue::Text(text.to_owned()))),
    }
}

/// Digits with the usual marks between them.
fn is_phone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    (5..=20).contains(&digits)
        && text
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '+' | ' ' | '-' | '.' | '(' | ')' | '/'))
}
