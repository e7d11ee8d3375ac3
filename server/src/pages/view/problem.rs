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
        /// How many are allowed.
        max: usize,
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
    /// A line of the guests is no address.
    LineMalformed {
        /// Which, from 1.
        line: usize,
    },
    /// A line of the guests repeats another, the booker or the host.
    LineRepeated {
        /// Which, from 1.
        line: usize,
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
            (Fault::LineMalformed { line }, _) => (said.guest_malformed)(line),
            (Fault::LineRepeated { line }, _) => (said.guest_repeated)(line),
            (Fault::NotAnOption, _) => said.not_an_option.to_owned(),
            (Fault::NotOffered, _) => said.start_not_offered.to_owned(),
        }
    }
}
