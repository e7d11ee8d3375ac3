//! `holdfast admin openapi`: the document that `openapi/openapi.json` is compared with.

use std::process::ExitCode;

use super::output;
use crate::router;

pub(super) fn run() -> ExitCode {
    match router::document().to_pretty_json() {
        Ok(json) => {
            output::line(&json);
            ExitCode::SUCCESS
        }
        Err(error) => output::finding(false, error),
    }
}
