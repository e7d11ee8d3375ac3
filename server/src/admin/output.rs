//! What a command prints: words for people, or JSON for programs.

use std::{fmt, io::Write as _, process::ExitCode};

use serde_json::{Value, json};

/// Prints an answer and ends well.
pub(super) fn answer(as_json: bool, value: &Value, words: impl fmt::Display) -> ExitCode {
    line(&if as_json {
        value.to_string()
    } else {
        words.to_string()
    });
    ExitCode::SUCCESS
}

/// Prints a finding and ends with status 1.
pub(super) fn finding(as_json: bool, error: impl fmt::Display) -> ExitCode {
    if as_json {
        line(&json!({ "status": "error", "error": error.to_string() }).to_string());
    } else {
        let _ = writeln!(std::io::stderr().lock(), "holdfast: {error}");
    }
    ExitCode::from(1)
}

/// Prints what is wrong with the call and ends with status 2.
pub(super) fn misuse(as_json: bool, error: impl fmt::Display) -> ExitCode {
    finding(as_json, error);
    ExitCode::from(2)
}

/// Prints one line.
pub(super) fn line(text: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}
