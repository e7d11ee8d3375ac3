//! Names that hosts give to their things.

use crate::booking::FieldFault;

/// The longest one, in characters.
const MAX_CHARS: usize = 100;

/// A name that may be kept: 1 to 100 characters in one line, without the space around it.
///
/// # Errors
/// What is wrong with it, at `/name`.
pub(super) fn parse(name: &str) -> Result<String, FieldFault> {
    let name = name.trim();
    let unfit = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let (code, detail) = if name.is_empty() {
        ("missing", "a name is needed".to_owned())
    } else if name.chars().count() > MAX_CHARS {
        ("too_long", format!("at most {MAX_CHARS} characters"))
    } else if name.chars().any(unfit) {
        let words = "control characters and line breaks are not allowed";
        ("control_characters", words.to_owned())
    } else {
        return Ok(name.to_owned());
    };
    Err(FieldFault {
        pointer: "/name".to_owned(),
        code,
        detail,
    })
}
