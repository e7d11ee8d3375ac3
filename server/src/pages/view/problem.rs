//! What is wrong with a form, said beside the field and in the summary.

use crate::pages::words::Words;

/// A field of the booking form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// The chosen time.
    Start,
    /// `name`
    Name,
    /// `email`
    Email,
    /// `note`
    Note,
    /// `guests`
    Guests,
    /// `q.<id>`
    Question(String),
}

/// What is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is required and empty.
    Missing,
    /// It is no address, or no phone number.
    Malformed,
    /// It has more than `max` characters.
    TooLong {
        /// How many are allowed, if that is known.
        max: Option<usize>,
    },
    /// It has control characters or line breaks.
    Characters,
    /// There are guests, and this page allows none.
    NotAllowed,
    /// There are more than `max` guests.
    TooMany {
        /// How many are allowed.
        max: usize,
    },
    /// A guest's address is none.
    GuestMalformed {
        /// Which, from 1.
        nth: usize,
    },
    /// A guest's address is another guest's, or the booker's.
    GuestRepeated {
        /// Which, from 1.
        nth: usize,
    },
    /// It is none of the options.
    NotAnOption,
    /// The page does not offer this time.
    NotOffered,
    /// Anything else.
    Other,
}

/// One problem of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub at: At,
    /// What.
    pub fault: Fault,
}

impl Problem {
    /// The problem that a JSON Pointer and a code name, as a refused request has them; `limit` is
    /// the number that goes with `too_long` and `too_many`.
    #[must_use]
    pub fn of(pointer: &str, code: &str, limit: Option<usize>) -> Self {
        let mut parts = pointer.split('/').skip(1);
        let field = parts.next().unwrap_or_default();
        let rest = parts.next();
        // The guests' list counts from 0, people from 1.
        let nth = rest.and_then(|at| at.parse::<usize>().ok());
        let nth = nth.map(|at| at.saturating_add(1));
        let fault = match (code, nth.filter(|_| field == "guests")) {
            ("missing" | "invalid_email" | "too_long", Some(nth)) => Fault::GuestMalformed { nth },
            ("repeated", Some(nth)) => Fault::GuestRepeated { nth },
            ("missing", _) => Fault::Missing,
            ("invalid_email" | "invalid_phone", _) => Fault::Malformed,
            ("too_long", _) => Fault::TooLong { max: limit },
            ("control_characters", _) => Fault::Characters,
            ("too_many", _) => limit.map_or(Fault::Other, |max| Fault::TooMany { max }),
            ("guests_not_allowed", _) => Fault::NotAllowed,
            ("not_an_option", _) => Fault::NotAnOption,
            ("slot_not_offered", _) => Fault::NotOffered,
            _ => Fault::Other,
        };
        let at = match (field, rest) {
            ("name", _) => At::Name,
            ("email", _) => At::Email,
            ("note", _) => At::Note,
            ("guests", _) => At::Guests,
            ("answers", Some(id)) => At::Question(id.to_owned()),
            _ if fault == Fault::NotAllowed => At::Guests,
            _ => At::Start,
        };
        Self { at, fault }
    }

    pub(super) fn message(&self, words: &Words) -> String {
        let said = &words.problem;
        match (self.fault, &self.at) {
            (Fault::Missing, At::Name) => said.name_missing.to_owned(),
            (Fault::Missing, At::Email) => said.email_missing.to_owned(),
            (Fault::Missing, _) => said.answer_missing.to_owned(),
            (Fault::Malformed, At::Email | At::Guests) => said.email_malformed.to_owned(),
            (Fault::Malformed, At::Question(_)) => said.phone_malformed.to_owned(),
            (Fault::Malformed | Fault::Other, _) => said.other.to_owned(),
            (Fault::TooLong { max }, _) => (said.too_long)(max),
            (Fault::Characters, _) => said.characters.to_owned(),
            (Fault::NotAllowed, _) => said.guests_not_allowed.to_owned(),
            (Fault::TooMany { max }, _) => (said.too_many_guests)(max),
            (Fault::GuestMalformed { nth }, _) => (said.guest_malformed)(nth),
            (Fault::GuestRepeated { nth }, _) => (said.guest_repeated)(nth),
            (Fault::NotAnOption, _) => said.not_an_option.to_owned(),
            (Fault::NotOffered, _) => said.start_not_offered.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_and_codes_find_their_field_and_words() {
        let question = "0193a000-0000-7000-8000-000000000001";
        let answer = format!("/answers/{question}");
        let at_question = || At::Question(question.to_owned());
        let cases = [
            ("/name", "missing", None, At::Name, Fault::Missing),
            (
                "/name",
                "too_long",
                Some(100),
                At::Name,
                Fault::TooLong { max: Some(100) },
            ),
            ("/email", "invalid_email", None, At::Email, Fault::Malformed),
            (
                "/note",
                "control_characters",
                None,
                At::Note,
                Fault::Characters,
            ),
            (
                "/guests",
                "too_many",
                Some(10),
                At::Guests,
                Fault::TooMany { max: 10 },
            ),
            (
                "/guests/1/email",
                "invalid_email",
                None,
                At::Guests,
                Fault::GuestMalformed { nth: 2 },
            ),
            (
                "/guests/0/email",
                "repeated",
                None,
                At::Guests,
                Fault::GuestRepeated { nth: 1 },
            ),
            (
                "",
                "guests_not_allowed",
                None,
                At::Guests,
                Fault::NotAllowed,
            ),
            (
                &answer,
                "not_an_option",
                None,
                at_question(),
                Fault::NotAnOption,
            ),
            (&answer, "invalid_answer", None, at_question(), Fault::Other),
            (
                "/start",
                "slot_not_offered",
                None,
                At::Start,
                Fault::NotOffered,
            ),
        ];
        for (pointer, code, limit, at, fault) in cases {
            assert_eq!(
                Problem::of(pointer, code, limit),
                Problem { at, fault },
                "{pointer} {code}"
            );
        }
    }
}
