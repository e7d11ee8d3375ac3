//! What a booker does with a booking, by its manage token in `X-Manage-Token`.
pub mod calendar;
pub mod cancel;
pub mod confirm;
pub mod reschedule;
pub mod show;
pub mod slots;

use shared::ops;

use crate::{
    app::App,
    error::{ApiError, Code},
    extract::PresentedToken,
};

/// What is wrong with a request is for whoever holds its token: to anybody else nothing is here.
/// The token is looked up only once there is something to refuse.
pub(crate) async fn refusal(app: &App, token: &PresentedToken, error: ApiError) -> ApiError {
    match ops::show_booking(&app.context, &token.0).await {
        Ok(Some(_)) => error,
        Ok(None) => ApiError::new(Code::NotFound),
        Err(failure) => failure.into(),
    }
}
