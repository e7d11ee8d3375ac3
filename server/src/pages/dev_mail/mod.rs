//! `/dev/mail`: the development mailer's messages. Where that does not run, nothing is here.

pub(super) mod html;
pub(super) mod invite;
pub(super) mod list;
pub(super) mod message;

use shared::mail::dev_box::{DevBox, DevMessage};

use crate::{
    app::App,
    error::{ApiError, Code},
};

fn kept(app: &App) -> Result<&DevBox, ApiError> {
    app.dev_box
        .as_ref()
        .ok_or_else(|| ApiError::new(Code::NotFound))
}

fn find(app: &App, number: &str) -> Result<DevMessage, ApiError> {
    let number = number.parse().ok();
    let message = number.and_then(|number| kept(app).ok()?.find(number));
    message.ok_or_else(|| ApiError::new(Code::NotFound))
}
