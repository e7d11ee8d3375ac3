//! A calendar's name.

use super::CalendarError;
use crate::booking::FieldFault;

/// The longest name, in characters.
pub const MAX_NAME_CHARS: usize = 100;

/// A name that may be kept: 1 to 100 characters in one line.
pub(super) fn parse(name: &str) -> Result<String, CalendarError> {
    let name = name.trim();
    let fault = |code, detail: &str| {
        CalendarError::Invalid(vec![FieldFault {
            pointer: "/name".into(),
            code,
            detail: detail.to_owned(),
        }])
    };
    if name.is_empty() {
        return Err(fault("missing", "a name is needed"));
    }
    if name.chars().count() > MAX_NAME_CHARS {
        return Err(fault("too_long", "at most 100 characters"));
    }
    if name
        .chars()
        .any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'))
    {
        return Err(fault(
            "control_characters",
            "control characters and line breaks are not allowed",
        ));
    }
    Ok(name.to_owned())
}
