//! `POST /book/{handle}/{code}`: the form sent. It books as the JSON API does, and comes back with
//! what was typed when it could not be taken.

use std::collections::BTreeMap;

use actix_web::{
    HttpRequest, HttpResponse,
    http::StatusCode,
    web::{Data, Path},
};
use serde_json::Value;
use shared::{
    booking::{
        Page, Question, QuestionKind, RawBooking, RawGuest, State,
        answer::{MAX_LONG_CHARS, MAX_PHONE_CHARS, MAX_SHORT_CHARS},
        request::{MAX_GUESTS, MAX_NAME_CHARS, MAX_NOTE_CHARS},
    },
    fingerprint::Fingerprint,
    instant::{Instant, Span},
    ops::{self, Take, Taken},
    zone::Zone,
};

use super::facts::{self, Questions};
use crate::{
    app::App,
    error::{ApiError, Code},
    extract::Visitor,
    pages::{
        answer,
        form::Form,
        manage, times,
        view::{
            Answer, At, DaySlots, Fault, FormNotice, FormPage, Notice, PageAddress, Problem,
            Reader, SentPage, Trouble, Typed,
        },
    },
};

/// The fields of the form, questions apart.
const FIELDS: [&str; 8] = [
    "zone",
    "lang",
    "idempotency_key",
    "start",
    "name",
    "email",
    "note",
    "guests",
];
/// When a time has gone, the next ones are looked for on so many days,
const DAYS_SEARCHED: i64 = 15;
/// and shown for so many.
const DAYS_OFFERED: usize = 2;

/// Holds or books. A hold is answered by 201; what is booked at once by its own page.
pub(in crate::pages) async fn post(
    app: Data<App>,
    request: HttpRequest,
    visitor: Visitor,
    path: Path<(String, String)>,
    form: Form,
) -> Result<HttpResponse, ApiError> {
    let (handle, code) = path.into_inner();
    // Counted whatever becomes of it.
    let passed = app.pass_booking_gate(&visitor);
    let now = app.context.clock.now();
    let page = ops::show_page(&app.context, &handle, &code, now).await?;
    let page = page.ok_or_else(|| ApiError::new(Code::NotFound))?;
    let sent = Sent::read(&app, &form)?;
    let door = Door {
        app: &app,
        reader: answer::reader(&request),
        page: &page,
        address: PageAddress {
            handle: &handle,
            code: &code,
        },
        sent,
    };
    let outcome = match passed {
        Ok(()) => app.book(door.take(&form, visitor.ip)).await,
        Err(error) => Err(error),
    };
    match outcome {
        Ok(taken) => door.taken(&taken),
        Err(error) => door.refused(error).await,
    }
}

/// What the form says.
struct Sent {
    zone: Zone,
    start: Instant,
    key: String,
    typed: Typed,
}

impl Sent {
    fn read(app: &App, form: &Form) -> Result<Self, ApiError> {
        form.expect(&FIELDS, true)?;
        let zone = app.context.zones.get(form.text("zone"));
        Ok(Self {
            zone: zone.map_err(|error| ApiError::new(Code::UnknownZone).detail(error))?,
            start: form.start()?,
            key: form.idempotency_key()?.to_owned(),
            typed: Typed {
                name: form.text("name").to_owned(),
                email: form.text("email").to_owned(),
                note: form.text("note").to_owned(),
                guests: form.text("guests").to_owned(),
                answers: form.answers(),
            },
        })
    }
}

/// A form at its page.
struct Door<'a> {
    app: &'a App,
    reader: Reader,
    page: &'a Page,
    address: PageAddress<'a>,
    sent: Sent,
}

impl Door<'_> {
    /// The request that the JSON API would have had.
    fn take(&self, form: &Form, ip: Fingerprint) -> Take {
        let typed = &self.sent.typed;
        Take {
            handle: self.address.handle.to_owned(),
            code: self.address.code.to_owned(),
            request: RawBooking {
                start: self.sent.start,
                zone: self.sent.zone.name().to_owned(),
                name: typed.name.clone(),
                email: typed.email.clone(),
                note: Some(typed.note.clone()).filter(|note| !note.is_empty()),
                guests: guests(&typed.guests),
                answers: answers(&typed.answers, &self.page.questions),
                locale: form.language().map(|locale| locale.tag().to_owned()),
            },
            wished: self.reader.locale,
            ip: Some(ip),
            idempotency_key: Some(self.sent.key.clone()),
        }
    }

    fn taken(&self, taken: &Taken) -> Result<HttpResponse, ApiError> {
        let booking = &taken.booking;
        let mut response = match (&taken.token, booking.standing.state) {
            (Some(token), _) => {
                let path = manage::done_path(self.reader, token.as_str(), Notice::Booked);
                answer::see_other(path)
            }
            (None, State::Held) => {
                let span = booking.standing.span;
                let expires = booking.standing.hold_expires_at.unwrap_or(span.from);
                let sent = SentPage {
                    reader: self.reader,
                    page: facts::public(self.page, self.address),
                    zone: &self.sent.zone,
                    start: span.from,
                    end: span.to,
                    email: booking.email.as_str(),
                    lapses_at: expires.min(span.from),
                    dev_mail: self.app.dev_box.is_some(),
                };
                answer::page(StatusCode::CREATED, sent.html())
            }
            (None, _) => return Err(ApiError::new(Code::Internal)),
        };
        if taken.replayed {
            let name = actix_web::http::header::HeaderName::from_static("idempotent-replayed");
            let value = actix_web::http::header::HeaderValue::from_static("true");
            response.headers_mut().insert(name, value);
        }
        Ok(response)
    }

    /// The form again, with what was typed; or the refusal itself, where there is no form to show.
    async fn refused(&self, error: ApiError) -> Result<HttpResponse, ApiError> {
        let html = match error.code() {
            Code::ValidationFailed | Code::GuestsNotAllowed => {
                let problems: Vec<Problem> = error
                    .faults()
                    .iter()
                    .map(|fault| {
                        let limit = self.limit(&fault.pointer);
                        Problem::of(&fault.pointer, &fault.code, limit)
                    })
                    .collect();
                self.form(&self.sent.key, Trouble::Problems(&problems))
            }
            Code::SlotNotOffered => {
                let problem = Problem {
                    at: At::Start,
                    fault: Fault::NotOffered,
                };
                self.form(&self.sent.key, Trouble::Problems(&[problem]))
            }
            Code::SlotTaken => match self.left().await {
                Ok(days) => self.form(&self.sent.key, Trouble::Taken(&days)),
                Err(unknown) => {
                    let notice = FormNotice::TimesUnknown;
                    let html = self.form(&self.sent.key, Trouble::Notice(notice));
                    return Ok(answer::page_of(&unknown, html));
                }
            },
            Code::IdempotencyKeyReused => {
                let key = times::new_key(self.app)?;
                self.form(&key, Trouble::Notice(FormNotice::SentBefore))
            }
            Code::RateLimited | Code::TooManyHolds | Code::TooManyBookings => {
                let notice = FormNotice::TooMany {
                    retry_after_s: answer::retry_after_s(&error),
                };
                self.form(&self.sent.key, Trouble::Notice(notice))
            }
            Code::AvailabilityUnknown | Code::Unavailable => {
                let notice = FormNotice::TimesUnknown;
                self.form(&self.sent.key, Trouble::Notice(notice))
            }
            _ => return Err(error),
        };
        Ok(answer::page_of(&error, html))
    }

    fn form(&self, key: &str, trouble: Trouble<'_>) -> String {
        let length = i64::from(self.page.rule.duration_min);
        FormPage {
            reader: self.reader,
            page: facts::public(self.page, self.address),
            zone: &self.sent.zone,
            start: self.sent.start,
            end: self.sent.start.plus_minutes(length),
            questions: &Questions::of(self.page).view(),
            guests_max: facts::guests_max(self.page),
            typed: &self.sent.typed,
            idempotency_key: key,
            trouble,
        }
        .html()
    }

    /// The times that are left on the day of the one that has gone, and on the next free days.
    async fn left(&self) -> Result<Vec<DaySlots>, ApiError> {
        let (zone, now) = (&self.sent.zone, self.app.context.clock.now());
        let date = zone.date(self.sent.start);
        let from = zone.day_start(date).unwrap_or(now).max(now);
        let range = Span {
            from,
            to: from.plus_minutes(DAYS_SEARCHED * 24 * 60),
        };
        let _permit = self.app.slot_permit()?;
        let PageAddress { handle, code } = self.address;
        let found = ops::find_slots(&self.app.context, handle, code, now, range).await?;
        let found = found.ok_or_else(|| ApiError::new(Code::NotFound))?;
        let mut days = times::by_day(&found.slots, zone);
        days.truncate(DAYS_OFFERED);
        Ok(days)
    }

    /// The number that goes with "too long" and "too many" at a place.
    fn limit(&self, pointer: &str) -> Option<usize> {
        match pointer {
            "/name" => Some(MAX_NAME_CHARS),
            "/note" => Some(MAX_NOTE_CHARS),
            "/guests" => Some(MAX_GUESTS),
            _ => {
                let id = pointer.strip_prefix("/answers/")?;
                let asked = self.page.questions.iter();
                let kind = asked.map(|asked| (asked.id.to_string(), asked.kind));
                match kind.into_iter().find(|(held, _)| held == id)?.1 {
                    QuestionKind::ShortText => Some(MAX_SHORT_CHARS),
                    QuestionKind::LongText => Some(MAX_LONG_CHARS),
                    QuestionKind::Phone => Some(MAX_PHONE_CHARS),
                    QuestionKind::Choice | QuestionKind::MultipleChoice | QuestionKind::YesNo => {
                        None
                    }
                }
            }
        }
    }
}

/// One address a line; commas and semicolons do as well, as mail programs write them.
fn guests(text: &str) -> Vec<RawGuest> {
    text.split(['\n', ',', ';'])
        .map(str::trim)
        .filter(|email| !email.is_empty())
        .map(|email| RawGuest {
            email: email.to_owned(),
            name: None,
        })
        .collect()
}

/// What was sent as the JSON that each kind of question takes. What does not fit goes on as it
/// came, to be refused where it is judged.
fn answers(sent: &[Answer], questions: &[Question]) -> BTreeMap<String, Value> {
    let mut answers = BTreeMap::new();
    for answer in sent {
        let kind = questions
            .iter()
            .find(|asked| asked.id.to_string() == answer.question)
            .map(|asked| asked.kind);
        let value = match (kind, answer.values.as_slice()) {
            (Some(QuestionKind::MultipleChoice), values) => Value::from(values.to_vec()),
            (_, [one]) if one.is_empty() => continue,
            (Some(QuestionKind::YesNo), [one]) if one == "yes" => Value::Bool(true),
            (Some(QuestionKind::YesNo), [one]) if one == "no" => Value::Bool(false),
            (_, [one]) => Value::from(one.as_str()),
            (_, several) => Value::from(several.to_vec()),
        };
        answers.insert(answer.question.clone(), value);
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_stand_on_lines_or_between_commas() {
        let emails: Vec<_> = guests(" a@x.test\n\nb@x.test, c@x.test;d@x.test\n")
            .into_iter()
            .map(|guest| guest.email)
            .collect();
        assert_eq!(emails, ["a@x.test", "b@x.test", "c@x.test", "d@x.test"]);
        assert!(guests(" \n").is_empty());
    }

    #[test]
    fn answers_become_the_json_of_their_kind() {
        let question = |n: u128, kind| Question {
            id: uuid::Uuid::from_u128(n),
            label: String::new(),
            kind,
            required: false,
            options: Vec::new(),
        };
        let questions = [
            question(1, QuestionKind::YesNo),
            question(2, QuestionKind::MultipleChoice),
            question(3, QuestionKind::ShortText),
        ];
        let id = |n: u128| uuid::Uuid::from_u128(n).to_string();
        let cases = [
            (id(1), vec!["yes"], Some(Value::Bool(true))),
            (id(1), vec!["no"], Some(Value::Bool(false))),
            (id(1), vec![""], None),
            (id(1), vec!["perhaps"], Some(Value::from("perhaps"))),
            (id(2), vec!["a"], Some(Value::from(vec!["a"]))),
            (id(2), vec!["a", "b"], Some(Value::from(vec!["a", "b"]))),
            (id(3), vec!["text"], Some(Value::from("text"))),
            (id(3), vec!["a", "b"], Some(Value::from(vec!["a", "b"]))),
            ("unknown".into(), vec!["x"], Some(Value::from("x"))),
        ];
        for (question, values, want) in cases {
            let sent = Answer {
                question: question.clone(),
                values: values.into_iter().map(str::to_owned).collect(),
            };
            let mapped = answers(std::slice::from_ref(&sent), &questions);
            assert_eq!(mapped.get(&question), want.as_ref(), "{sent:?}");
        }
    }
}
