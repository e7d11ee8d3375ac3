//! Why a file was not taken over, as answers.

use shared::ops::import::ImportError;

use super::{ApiError, Code};

impl From<ImportError> for ApiError {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::NotFound => Self::new(Code::NotFound),
            ImportError::ReadOnly => Self::new(Code::CalendarReadOnly),
            ImportError::NotACalendar(why) => {
                Self::new(Code::ValidationFailed)
                    .detail(why)
                    .at("", "not_a_calendar", why)
            }
            ImportError::Damaged(problems) => {
                problems
                    .into_iter()
                    .fold(Self::new(Code::ValidationFailed), |error, problem| {
                        let words = format!("line {}: {}", problem.line, problem.text);
                        error.at("", "damaged_file", words)
                    })
            }
            ImportError::Locked {
                booking,
                field,
                line,
            } => {
                let words = format!(
                    "line {line}: the {field} of this event is its booking's; move or cancel the booking itself"
                );
                Self::new(Code::BookedEventLocked)
                    .detail(format_args!("{words} (booking {booking})"))
                    .at(field, "locked", words)
            }
            ImportError::Failure(failure) => failure.into(),
        }
    }
}
