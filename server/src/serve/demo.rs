//! The demo host and page of development mode, made once.

use shared::{
    address::EmailAddress,
    locale::Locale,
    ops::{self, Context, CreateHostError, NewHost, NewPage},
    store::hosts,
};

use crate::start::CannotStart;

/// The demo page.
pub(super) const PATH: &str = "/book/demo/intro30m";

/// Makes the demo host and page unless they are there. Several processes may try at once.
pub(super) async fn make_once(context: &Context) -> Result<(), CannotStart> {
    let mut conn = context.pool.acquire().await?;
    if hosts::handle_exists(&mut conn, "demo").await? {
        return Ok(());
    }
    drop(conn);
    let other =
        |error: String| CannotStart::Other(format!("the demo page cannot be made: {error}"));
    let new = NewHost {
        handle: "demo"
            .parse()
            .map_err(|error: shared::handle::InvalidHandle| other(error.to_string()))?,
        name: "Demo Host".to_owned(),
        email: EmailAddress::at_localhost("demo"),
        zone: context
            .zones
            .get_for_host("America/New_York")
            .map_err(|error| other(error.to_string()))?,
        locale: Locale::En,
        availability: "weekdays 9-12, 1-5".to_owned(),
        page: NewPage {
            code: Some("intro30m".to_owned()),
            title: "Introduction".to_owned(),
            description: "Thirty minutes to get to know each other.".to_owned(),
            duration_min: 30,
            horizon_days: 60,
            instant: false,
        },
    };
    match ops::create_host(context, &new).await {
        Ok(_) | Err(CreateHostError::HandleTaken(_) | CreateHostError::PersonHasHost) => Ok(()),
        Err(error) => Err(other(error.to_string())),
    }
}
