//! From a day to a cancelled booking: every link and form as the pages give them.
use holdfast_tests::{TestApp, app::Options};

#[tokio::test]
async fn a_booking_is_held_confirmed_moved_and_cancelled_by_the_pages_own_links_and_forms() {
    let app = TestApp::with(Options {
        dev_mail: true,
        ..Options::default()
    })
    .await;
    let host = app.host("ana").by_mail().make().await;

    let days = app.get(&host.page).await;
    assert_eq!(days.status, 200);
    let day = "day=2026-06-02";
    let link = days.links().into_iter().find(|link| link.ends_with(day));
    let times = app.get(&link.unwrap()).await;
    let start = "start=2026-06-02T10:00:00Z";
    let link = times.links().into_iter().find(|link| link.ends_with(start));
    let form = app.get(&link.unwrap()).await;
    assert_eq!(form.status, 200);
    let sent = form
        .form(&host.page)
        .with("name", "Sam Lee")
        .with("email", "sam@bookers.test")
        .send(&app)
        .await;
    assert_eq!(sent.status, 201, "{}", sent.text());
    assert!(sent.says("sam@bookers.test"));
    assert!(sent.says("08:30"), "when the hold lapses");

    let token = app.mailed_token("sam@bookers.test").await;
    let manage = format!("/book/m/{token}");
    let held = app.get(&format!("{manage}?action=confirm")).await;
    assert_eq!(held.texts("tag"), ["Held"]);
    let pressed = held.form("/confirm").send(&app).await;
    assert_eq!(pressed.status, 303);
    assert_eq!(
        pressed.header("location"),
        format!("{manage}?done=confirmed")
    );
    let confirmed = app.get(&pressed.header("location")).await;
    assert_eq!(confirmed.texts("tag"), ["Confirmed"]);
    assert!(confirmed.notice().starts_with("Confirmed."));

    let moving = confirmed
        .links()
        .into_iter()
        .find(|link| link.contains("action=reschedule"));
    let choose = app.get(&moving.unwrap()).await;
    let to = "start=2026-06-03T15:00:00Z";
    let day = choose
        .links()
        .into_iter()
        .find(|link| link.ends_with("day=2026-06-03"));
    let times = app.get(&day.unwrap()).await;
    let link = times.links().into_iter().find(|link| link.ends_with(to));
    let review = app.get(&link.unwrap()).await;
    let moved = review.form("/reschedule").send(&app).await;
    assert_eq!(moved.header("location"), format!("{manage}?done=moved"));
    let after = app.get(&moved.header("location")).await;
    assert!(after.says("Wednesday, 3 June 2026"));
    assert!(after.says("15:00–16:00"));

    let cancelling = after
        .links()
        .into_iter()
        .find(|link| link.contains("action=cancel"));
    let form = app.get(&cancelling.unwrap()).await;
    let cancelled = form
        .form("/cancel")
        .with("reason", "I am ill.")
        .send(&app)
        .await;
    assert_eq!(
        cancelled.header("location"),
        format!("{manage}?done=cancelled")
    );
    let over = app.get(&cancelled.header("location")).await;
    assert_eq!(over.texts("tag"), ["Cancelled"]);
    assert!(over.says("You cancelled it."));

    let subjects: Vec<_> = app
        .deliver()
        .await
        .into_iter()
        .filter(|message| message.to == "sam@bookers.test")
        .map(|message| message.subject)
        .collect();
    assert_eq!(
        subjects.len(),
        1,
        "only the cancellation was still owed: {subjects:?}"
    );
    app.end().await;
}

#[tokio::test]
async fn a_page_that_confirms_at_once_leads_on_to_the_booking() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let form = app
        .get(&format!("{}?start=2026-06-02T10:00:00Z", host.page))
        .await;
    let filled = form
        .form(&host.page)
        .with("name", "Sam Lee")
        .with("email", "sam@bookers.test");
    let booked = filled.send(&app).await;
    assert_eq!(booked.status, 303, "{}", booked.text());
    let location = booked.header("location");
    assert!(location.starts_with("/book/m/") && location.ends_with("?done=booked"));
    let page = app.get(&location).await;
    assert_eq!(page.texts("tag"), ["Confirmed"]);
    assert!(page.notice().starts_with("Booked."));
    // The same form pressed twice is one booking.
    let again = filled.send(&app).await;
    assert_eq!(again.status, 303);
    assert_eq!(again.header("idempotent-replayed"), "true");
    app.end().await;
}
