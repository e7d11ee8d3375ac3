//! The hosted pages, as a browser without scripts uses them.
//!
//! Each guard was seen red once: what was broken for it stands at its test.
mod booking_form;
mod calendar_file;
mod choosing;
mod dev_mail;
mod foreign;
mod hostile;
mod main_flow;
mod manage;
mod moving;
mod nothing_changes;
mod nothing_here;
mod presses;
mod refusals;

use holdfast_tests::{Answer, TestApp, app::Options, host::TestHost, page::Form};
use shared::{
    ops::{self, Authority},
    seal::Place,
};

/// Who books.
const SAM: &str = "sam@bookers.test";
/// A free time of every test host, the day after [`holdfast_tests::app::NOW`].
const TEN: &str = "2026-06-02T10:00:00Z";
/// Another one.
const ELEVEN: &str = "2026-06-02T11:00:00Z";

/// An installation in development mode, but for its clock.
async fn with_mail() -> TestApp {
    TestApp::with(Options {
        dev_mail: true,
        ..Options::default()
    })
    .await
}

/// The address of the form for a time.
fn form_path(host: &TestHost, start: &str) -> String {
    format!("{}?zone=Europe/Paris&start={start}", host.page)
}

/// The form for a time, filled in with what is needed.
async fn filled(app: &TestApp, host: &TestHost, start: &str, email: &str) -> Form {
    let page = app.get(&form_path(host, start)).await;
    assert_eq!(page.status, 200, "{}", page.text());
    page.form(&host.page)
        .with("name", "Sam Lee")
        .with("email", email)
}

/// Holds a time and answers the token in the mail. The app must have the development mailer.
async fn held(app: &TestApp, host: &TestHost, start: &str) -> String {
    let sent = filled(app, host, start, SAM).await.send(app).await;
    assert_eq!(sent.status, 201, "{}", sent.text());
    app.mailed_token(SAM).await
}

/// Books on a page that confirms at once and answers the token that the browser is led to.
async fn booked(app: &TestApp, host: &TestHost, start: &str) -> String {
    let answer = filled(app, host, start, SAM).await.send(app).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let location = answer.header("location");
    let (path, _) = location.split_once('?').unwrap();
    path.strip_prefix("/book/m/").unwrap().to_owned()
}

/// A booking's page; `query` with its question mark, or empty.
async fn manage_page(app: &TestApp, token: &str, query: &str) -> Answer {
    app.get(&format!("/book/m/{token}{query}")).await
}

/// The host of the one booking that there is cancels it.
async fn cancelled_by_host(app: &TestApp, host: &TestHost) {
    let booking = sqlx::query_scalar("SELECT id FROM bookings");
    let authority = Authority::Host {
        booking: booking.fetch_one(&app.context.pool).await.unwrap(),
        host: host.id,
    };
    let cancelled = ops::cancel(&app.context, authority, None, None).await;
    cancelled.unwrap();
}

/// Gives the host's page a place.
async fn located(app: &TestApp, host: &TestHost, kind: &str, text: &str) {
    let context = &app.context;
    let place = Place::new("event_types", "location", host.event_type);
    let sealed = context
        .keys
        .seal
        .seal(place, text.as_bytes(), &context.random);
    sqlx::query("UPDATE event_types SET location_kind = $2, location_sealed = $3 WHERE id = $1")
        .bind(host.event_type)
        .bind(kind)
        .bind(sealed.unwrap())
        .execute(&context.pool)
        .await
        .unwrap();
}

/// Sets the clock.
fn at(app: &TestApp, instant: &str) {
    app.context.clock.set(instant.parse().unwrap());
}
