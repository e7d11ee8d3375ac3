//! Whose calendars count for whom.

use holdfast_tests::{
    Flow, TestApp,
    calendar::{join, personal, put, team},
    flow::{SAM, by_host, id},
};
use shared::{ops, seal::Place};

use crate::slots::on;

const TEN_TO_ELEVEN: &str =
    "BEGIN:VEVENT\nUID:1\nDTSTART:20260602T100000Z\nDTEND:20260602T110000Z\nEND:VEVENT";

/// Ruling R2. Each member decides for themselves, and nobody else is in the way of anybody.
#[tokio::test]
async fn a_team_event_is_in_the_way_of_every_member_who_lets_it_count() {
    let app = TestApp::start().await;
    let [ana, ben, cem] = [
        app.host("ana").free("every day 9:00-12:00").make().await,
        app.host("ben").free("every day 9:00-12:00").make().await,
        app.host("cem").free("every day 9:00-12:00").make().await,
    ];
    let calendar = team(&app.context, &ana, &[&ben]).await;
    put(&app.context, calendar, TEN_TO_ELEVEN).await;
    let (busy, free) = (["09:00", "11:00"], ["09:00", "10:00", "11:00"]);
    assert_eq!(on(&app, &ana, "2026-06-02").await, busy);
    assert_eq!(on(&app, &ben, "2026-06-02").await, busy);
    assert_eq!(on(&app, &cem, "2026-06-02").await, free);
    app.database
        .run(&format!(
            "UPDATE calendar_members SET counts_as_busy = false WHERE host_id = '{}' AND calendar_id = '{calendar}'",
            ben.id
        ))
        .await;
    assert_eq!(on(&app, &ben, "2026-06-02").await, free);
    assert_eq!(on(&app, &ana, "2026-06-02").await, busy);
    app.end().await;
}

/// What a host declined is free for them alone: the same event of one calendar, kept apart for
/// each who sees it.
#[tokio::test]
async fn a_declined_event_is_free_for_whoever_declined_it() {
    let app = TestApp::start().await;
    let ana = app.host("ana").free("every day 9:00-12:00").make().await;
    let ben = app.host("ben").free("every day 9:00-12:00").make().await;
    let calendar = team(&app.context, &ana, &[&ben]).await;
    put(
        &app.context,
        calendar,
        "BEGIN:VEVENT\nUID:1\nDTSTART:20260602T100000Z\nDTEND:20260602T110000Z\nATTENDEE;PARTSTAT=DECLINED:mailto:ANA@hosts.test\nATTENDEE;PARTSTAT=ACCEPTED:mailto:ben@hosts.test\nEND:VEVENT",
    )
    .await;
    assert_eq!(
        on(&app, &ana, "2026-06-02").await,
        ["09:00", "10:00", "11:00"]
    );
    assert_eq!(on(&app, &ben, "2026-06-02").await, ["09:00", "11:00"]);
    app.end().await;
}

/// Dates and floating times are those of the host who looks.
#[tokio::test]
async fn a_floating_event_is_at_each_hosts_own_hour() {
    let app = TestApp::start().await;
    let ana = app.host("ana").free("every day 9:00-12:00").make().await;
    let kim = app
        .host("kim")
        .zone("Asia/Seoul")
        .free("every day 9:00-12:00")
        .make()
        .await;
    let calendar = team(&app.context, &ana, &[&kim]).await;
    put(
        &app.context,
        calendar,
        "BEGIN:VEVENT\nUID:1\nDTSTART:20260602T100000\nDTEND:20260602T110000\nEND:VEVENT",
    )
    .await;
    assert_eq!(on(&app, &ana, "2026-06-02").await, ["09:00", "11:00"]);
    assert_eq!(on(&app, &kim, "2026-06-02").await, ["00:00", "02:00"]);
    app.end().await;
}

/// What is kept of a calendar is kept for a zone and an address: a host who moves, or who is known
/// by another address from now on, is looked at anew. Red when the cache does not compare them.
#[tokio::test]
async fn a_host_who_changes_zone_or_address_is_looked_at_anew() {
    let app = TestApp::start().await;
    let ana = app.host("ana").free("every day 9:00-12:00").make().await;
    let calendar = personal(&app.context, &ana).await;
    put(
        &app.context,
        calendar,
        "BEGIN:VEVENT\nUID:1\nDTSTART:20260602T100000\nDTEND:20260602T110000\nATTENDEE;PARTSTAT=DECLINED:mailto:other@hosts.test\nEND:VEVENT",
    )
    .await;
    assert_eq!(on(&app, &ana, "2026-06-02").await, ["09:00", "11:00"]);
    app.database
        .run("UPDATE schedules SET zone = 'Africa/Lagos', revision = revision + 1")
        .await;
    assert_eq!(on(&app, &ana, "2026-06-02").await, ["08:00", "10:00"]);
    let place = Place::new("hosts", "contact_email", ana.id);
    let keys = &app.context.keys.seal;
    let sealed = keys
        .seal(place, b"Other@hosts.test", &app.context.random)
        .unwrap();
    sqlx::query("UPDATE hosts SET contact_email_sealed = $1")
        .bind(sealed)
        .execute(&app.context.pool)
        .await
        .unwrap();
    assert_eq!(
        on(&app, &ana, "2026-06-02").await,
        ["08:00", "09:00", "10:00"]
    );
    app.end().await;
}

/// A meeting of another host's on a shared calendar counts without its buffers, one's own with
/// them and once; a hold of theirs that lapsed is free, and so is what they cancelled.
#[tokio::test]
async fn what_another_host_booked_on_a_shared_calendar_is_busy_without_buffers() {
    let flow = Flow::start().await;
    let ana = flow
        .host("ana")
        .free("every day 9:00-14:00")
        .buffers(30, 30)
        .make()
        .await;
    let ben = flow.host("ben").free("every day 9:00-14:00").make().await;
    join(&flow.context, personal(&flow.context, &ana).await, &ben).await;
    let booking = flow.booked(&ana, "2026-06-02T11:00:00Z").await;
    assert_eq!(
        on(&flow, &ben, "2026-06-02").await,
        ["09:00", "10:00", "12:00", "13:00"]
    );
    assert_eq!(on(&flow, &ana, "2026-06-02").await, ["09:00", "13:00"]);
    // It cannot be booked either: the look under the locks sees it too.
    let answer = flow
        .book(&ben, "2026-06-02T11:00:00Z", "kim@bookers.test")
        .await;
    assert_eq!(
        (answer.status.as_u16(), answer.code().as_str()),
        (409, "slot_taken")
    );
    ops::cancel(&flow.context, by_host(&ana, &booking), None, None)
        .await
        .unwrap();
    assert_eq!(on(&flow, &ben, "2026-06-02").await.len(), 5);

    let held = flow
        .host("cem")
        .free("every day 9:00-14:00")
        .by_mail()
        .make()
        .await;
    join(&flow.context, personal(&flow.context, &held).await, &ben).await;
    assert_eq!(
        flow.book(&held, "2026-06-02T11:00:00Z", SAM).await.status,
        201
    );
    assert_eq!(on(&flow, &ben, "2026-06-02").await.len(), 4);
    flow.at("2026-06-01T08:30:00Z");
    assert_eq!(on(&flow, &ben, "2026-06-02").await.len(), 5);
    flow.end().await;
}

/// A booking does not move the revision, so what is kept of the calendar stays good.
#[tokio::test]
async fn a_booking_leaves_the_calendars_revision_alone() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let revision = "SELECT revision::text FROM calendars";
    let before = flow.text(revision).await;
    let booking = flow.booked(&ana, "2026-06-02T11:00:00Z").await;
    ops::cancel(&flow.context, by_host(&ana, &booking), None, None)
        .await
        .unwrap();
    assert_eq!(flow.text(revision).await, before);
    put(
        &flow.context,
        personal(&flow.context, &ana).await,
        TEN_TO_ELEVEN,
    )
    .await;
    assert_ne!(flow.text(revision).await, before);
    assert_eq!(id(&booking).get_version_num(), 7);
    flow.end().await;
}
