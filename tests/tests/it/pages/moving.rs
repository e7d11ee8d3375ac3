//! Moving a booking by its pages: the times, the comparison, and what stands in the way.
use holdfast_tests::{Answer, TestApp, app::Options, host::TestHost, page::Form};
use shared::config::Limits;

use super::{ELEVEN, TEN, at, booked, filled, manage_page};

/// A Wednesday's ten o'clock.
const WEDNESDAY: &str = "2026-06-03T10:00:00Z";

async fn review(app: &TestApp, token: &str, start: &str) -> Form {
    let page = manage_page(app, token, &format!("?action=reschedule&start={start}")).await;
    assert_eq!(page.status, 200, "{}", page.text());
    page.form("/reschedule")
}

/// The page that offers other times, with the booking where it was.
fn offers_times(answer: &Answer, status: u16, notice: &str) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert!(answer.notice().starts_with(notice), "{}", answer.notice());
    assert!(answer.says("Choose a new time"));
    assert!(answer.says("Tuesday, 2 June 2026"), "where it is");
    let links = answer.links();
    assert!(
        links
            .iter()
            .any(|link| link.contains("action=reschedule") && link.contains("day="))
    );
}

#[tokio::test]
async fn times_are_told_in_the_bookers_zone_without_the_own_one() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    let page = manage_page(&app, &token, "?action=reschedule&day=2026-06-02").await;
    assert_eq!(page.status, 200);
    // 09:00 to 16:00 UTC in Paris, without 10:00 UTC.
    let want = [
        "11:00", "13:00", "14:00", "15:00", "16:00", "17:00", "18:00",
    ];
    assert_eq!(page.texts("time"), want);
    let tokyo = "?action=reschedule&day=2026-06-02&zone=Asia/Tokyo";
    let page = manage_page(&app, &token, tokyo).await;
    // The first two are on the first of June in UTC.
    assert_eq!(page.texts("time")[..3], ["00:00", "01:00", "18:00"]);
    let unknown = "?action=reschedule&day=2026-06-02&zone=Mars/Base";
    assert_eq!(manage_page(&app, &token, unknown).await.texts("time"), want);
    app.end().await;
}

#[tokio::test]
async fn the_calendar_of_a_move_ends_where_the_host_stops_offering_times() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    let page =
        async |query: &str| manage_page(&app, &token, &format!("?action=reschedule{query}")).await;
    let first = page("").await;
    let later = first
        .links()
        .into_iter()
        .find(|link| link.contains("from=2026-07-13"));
    assert!(later.is_some(), "{:?}", first.links());
    let second = app.get(&later.unwrap()).await;
    assert_eq!(second.status, 200);
    assert!(
        second
            .links()
            .iter()
            .all(|link| !link.contains("from=2026-08-24"))
    );
    // A hand-made address beyond the end shows the last weeks.
    let far = page("&from=2031-01-01").await;
    assert_eq!(far.status, 200);
    assert!(far.says("July 2026"));
    for (query, status) in [
        ("&day=2026-07-31", 200),
        ("&day=2026-08-01", 404),
        ("&day=2026-05-31", 404),
        ("&day=9999-12-31", 404),
        ("&day=x", 404),
        ("&from=x", 404),
        ("&start=x", 404),
        ("&start=2031-01-01T10:00:00Z", 404),
        ("&start=2026-05-01T10:00:00Z", 404),
    ] {
        assert_eq!(page(query).await.status, status, "{query}");
    }
    app.end().await;
}

/// Red when the horizon is asked of the page as strangers see it.
#[tokio::test]
async fn a_booking_moves_although_its_page_is_no_longer_offered() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    app.database
        .run("UPDATE event_types SET published_at = NULL")
        .await;
    let moved = review(&app, &token, WEDNESDAY).await.send(&app).await;
    assert_eq!(moved.status, 303, "{}", moved.text());
    let page = manage_page(&app, &token, "?done=moved").await;
    assert!(page.says("Wednesday, 3 June 2026"));
    app.end().await;
}

#[tokio::test]
async fn the_comparison_shows_both_times_in_one_zone_which_becomes_the_bookings() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    let query = format!("?action=reschedule&start={WEDNESDAY}&zone=Asia/Tokyo");
    let page = manage_page(&app, &token, &query).await;
    assert!(page.says("19:00–20:00") && page.says("Asia/Tokyo (UTC+9)"));
    let form = page.form("/reschedule");
    assert_eq!(form.value("zone"), "Asia/Tokyo");
    assert_eq!(form.value("expected_revision"), "0");
    assert_eq!(form.send(&app).await.status, 303);
    let page = manage_page(&app, &token, "").await;
    assert!(page.says("Asia/Tokyo (UTC+9)") && page.says("19:00–20:00"));
    app.end().await;
}

#[tokio::test]
async fn a_second_press_is_the_same_move_and_another_time_under_its_key_is_asked_again() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    let form = review(&app, &token, WEDNESDAY).await;
    assert_eq!(form.send(&app).await.status, 303);
    let before = app.database.rows().await;
    let again = form.send(&app).await;
    assert_eq!(again.status, 303, "{}", again.text());
    assert_eq!(app.database.rows().await, before);

    let other = form.with("start", "2026-06-04T10:00:00Z");
    let refused = other.send(&app).await;
    assert_eq!(refused.status, 422);
    assert!(refused.notice().starts_with("This form was sent before"));
    let back = refused.form("/reschedule");
    assert_ne!(
        back.value("idempotency_key"),
        other.value("idempotency_key")
    );
    assert_eq!(back.value("start"), "2026-06-04T10:00:00Z");
    assert_eq!(app.database.rows().await, before);
    // It carries the revision as it is now, so that pressing it moves the booking.
    assert_eq!(back.send(&app).await.status, 303);
    app.end().await;
}

#[tokio::test]
async fn a_move_from_a_stale_screen_is_refused_with_the_booking_as_it_is() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    let late = review(&app, &token, ELEVEN).await;
    let quick = review(&app, &token, WEDNESDAY).await;
    assert_eq!(quick.send(&app).await.status, 303);
    let before = app.database.rows().await;
    let answer = late.send(&app).await;
    assert_eq!(answer.status, 409);
    assert!(answer.notice().starts_with("The booking changed meanwhile"));
    assert!(answer.says("Wednesday, 3 June 2026"));
    assert_eq!(app.database.rows().await, before);
    app.end().await;
}

/// Red when the refusal shows the booking instead of times.
#[tokio::test]
async fn a_time_that_is_taken_off_the_grid_or_the_same_leads_back_to_the_days_times() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    let form = review(&app, &token, ELEVEN).await;
    let rival = filled(&app, &host, ELEVEN, "kit@bookers.test").await;
    assert_eq!(rival.send(&app).await.status, 303);
    let before = app.database.rows().await;
    let taken = form.send(&app).await;
    offers_times(&taken, 409, "That time has just been taken.");
    assert!(!taken.texts("time").contains(&"13:00".to_owned()));
    for (start, status, notice) in [
        ("2026-06-02T10:07:00Z", 422, "That time can't be booked."),
        ("2026-06-01T07:00:00Z", 422, "That time can't be booked."),
        ("2020-01-01T10:00:00Z", 422, "That time can't be booked."),
        ("2031-01-01T10:00:00Z", 422, "That time can't be booked."),
        (TEN, 409, "That is the time already booked."),
    ] {
        let answer = form.clone().with("start", start).send(&app).await;
        offers_times(&answer, status, notice);
    }
    // The same by the address of the comparison.
    let query = |start: &str| format!("?action=reschedule&start={start}");
    let gone = manage_page(&app, &token, &query(ELEVEN)).await;
    offers_times(&gone, 409, "That time has just been taken.");
    let own = manage_page(&app, &token, &query(TEN)).await;
    offers_times(&own, 409, "That is the time already booked.");
    assert_eq!(app.database.rows().await, before);
    app.end().await;
}

async fn with_booking(limits: Limits) -> (TestApp, TestHost, String) {
    let app = TestApp::with(Options {
        limits,
        slot_concurrency: 1,
        ..Options::default()
    })
    .await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    (app, host, token)
}

#[tokio::test]
async fn at_the_limit_an_open_form_is_refused() {
    let limits = Limits {
        booker_reschedules: 1,
        ..Options::default().limits
    };
    let (app, _, token) = with_booking(limits).await;
    assert_eq!(
        review(&app, &token, WEDNESDAY)
            .await
            .send(&app)
            .await
            .status,
        303
    );
    let form = Form {
        method: "post".into(),
        action: format!("/book/m/{token}/reschedule"),
        fields: Vec::new(),
        controls: Vec::new(),
        buttons: Vec::new(),
    };
    let form = form
        .with("expected_revision", "1")
        .with("start", ELEVEN)
        .with("zone", "UTC")
        .with("idempotency_key", "k");
    let answer = form.send(&app).await;
    assert_eq!(answer.status, 409);
    assert!(
        answer
            .notice()
            .starts_with("This booking can't be moved again.")
    );
    assert_eq!(answer.texts("tag"), ["Confirmed"]);
    app.end().await;
}

#[tokio::test]
async fn a_host_who_takes_no_bookings_keeps_the_meeting_where_it_is() {
    let (app, _, token) = with_booking(Options::default().limits).await;
    let form = review(&app, &token, WEDNESDAY).await;
    app.database.run("UPDATE hosts SET is_active = false").await;
    let said = "The host takes no bookings at present";
    let pressed = form.send(&app).await;
    assert_eq!(pressed.status, 409);
    assert!(pressed.notice().starts_with(said));
    let opened = manage_page(&app, &token, "?action=reschedule").await;
    assert_eq!(opened.status, 200);
    assert!(opened.notice().starts_with(said));
    assert!(!opened.says("Book another time"));
    app.end().await;
}

#[tokio::test]
async fn too_many_presses_a_minute_keep_the_comparison() {
    let limits = Limits {
        booking_requests_per_minute: 2,
        ..Options::default().limits
    };
    let (app, _, token) = with_booking(limits).await;
    let form = review(&app, &token, WEDNESDAY).await;
    let stale = form.clone().with("expected_revision", "9");
    assert_eq!(stale.send(&app).await.status, 409, "counted, too");
    let gated = form.send(&app).await;
    assert_eq!(gated.status, 429);
    let seconds: u32 = gated.header("retry-after").parse().unwrap();
    assert!((1..=31).contains(&seconds), "{seconds}");
    let back = gated.form("/reschedule");
    assert_eq!(back.value("start"), WEDNESDAY);
    at(&app, "2026-06-01T08:01:00Z");
    assert_eq!(back.send(&app).await.status, 303);
    app.end().await;
}

#[tokio::test]
async fn while_times_cannot_be_worked_out_the_comparison_or_the_booking_stays() {
    let (app, host, token) = with_booking(Options::default().limits).await;
    let form = review(&app, &token, WEDNESDAY).await;
    let rival = filled(&app, &host, WEDNESDAY, "kit@bookers.test").await;
    assert_eq!(rival.send(&app).await.status, 303);
    // The time is taken, and the others cannot be listed.
    let held = app.state.slot_permit().unwrap();
    let taken = form.send(&app).await;
    drop(held);
    assert_eq!(taken.status, 409);
    assert!(taken.notice().starts_with("That time has just been taken."));
    assert_eq!(taken.texts("tag"), ["Confirmed"]);
    // The type cannot be read.
    let free = review(&app, &token, "2026-06-04T10:00:00Z").await;
    app.database
        .run("UPDATE event_types SET title_sealed = description_sealed")
        .await;
    let unknown = free.send(&app).await;
    assert_eq!(unknown.status, 503);
    assert_eq!(unknown.header("retry-after"), "60");
    assert!(
        unknown
            .notice()
            .starts_with("Free times can't be worked out")
    );
    assert_eq!(
        unknown.form("/reschedule").value("start"),
        "2026-06-04T10:00:00Z"
    );
    let opened = manage_page(&app, &token, "?action=reschedule").await;
    assert_eq!(opened.status, 503);
    app.end().await;
}
