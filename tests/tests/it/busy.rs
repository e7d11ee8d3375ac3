//! What takes a host's time away, through `GET /v1/pages/{handle}/{code}/slots`.

use holdfast_tests::{TestApp, app::at, host::TestHost};
use shared::instant::{Instant, Span};

use crate::slots::{on, times};

/// Adds an event and then changes its columns, by SQL.
async fn event(app: &TestApp, host: &TestHost, from: &str, to: &str, set: &str) {
    let id = host.busy(&app.context, from, to).await;
    app.database
        .run(&format!("UPDATE events SET {set} WHERE id = '{id}'; UPDATE calendars SET revision = revision + 1"))
        .await;
}

/// A booking of an hour as it stands in the database, its blocked span as given.
async fn booking(
    app: &TestApp,
    host: &TestHost,
    state: &str,
    start: Instant,
    blocked: Span,
    hold_expires_at: Option<Instant>,
) {
    let context = &app.context;
    let new = || shared::id::new(context.clock.now(), &context.random).unwrap();
    let (id, event) = (new(), new());
    let mut tx = shared::store::begin::begin(&context.pool).await.unwrap();
    sqlx::query(
        "INSERT INTO bookings (id, event_type_id, state, revised_at, title_sealed, description_sealed, booker_name_sealed, booker_email_sealed, booker_email_fp,
            booker_zone, booker_locale, host_name_sealed, organizer_sealed, duration_min, before_buffer_min, after_buffer_min, start_at, end_at, hold_expires_at,
            confirmed_at, cancelled_at, cancelled_by, created_by, created_at)
         VALUES ($1, $2, $3, now(), '', '', '', '', '', 'UTC', 'en', '', '', 60, 0, 0, $4, $5, $6,
            CASE WHEN $3 = 'confirmed' THEN now() END, CASE WHEN $3 = 'cancelled' THEN now() END, CASE WHEN $3 = 'cancelled' THEN 'booker' END, 'booker', now())",
    )
    .bind(id).bind(host.event_type).bind(state).bind(start).bind(start.plus_minutes(60)).bind(hold_expires_at)
    .execute(&mut *tx).await.unwrap();
    sqlx::query("INSERT INTO events (id, calendar_id, booking_id, title_sealed, start_local, end_local, tz, start_utc, end_utc) SELECT $1, c.id, $2, '', '2026-01-01', '2026-01-01', 'UTC', $3, $4 FROM calendars c WHERE c.owner_host_id = $5")
        .bind(event).bind(id).bind(start).bind(start.plus_minutes(60)).bind(host.id)
        .execute(&mut *tx).await.unwrap();
    let active = matches!(state, "held" | "confirmed");
    sqlx::query("INSERT INTO booking_hosts (booking_id, host_id, event_id, blocked, active) VALUES ($1, $2, $3, $4, $5)")
        .bind(id).bind(host.id).bind(event).bind(blocked).bind(active)
        .execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
}

fn span(from: &str, to: &str) -> Span {
    Span {
        from: at(from),
        to: at(to),
    }
}

#[tokio::test]
async fn an_event_takes_what_it_overlaps_and_not_what_it_touches() {
    let app = TestApp::start().await;
    let host = app.host("ana").free("every day 9:00-15:00").make().await;
    host.busy(&app.context, "2026-06-02T10:00:00Z", "2026-06-02T11:00:00Z")
        .await;
    host.busy(&app.context, "2026-06-02T12:59:00Z", "2026-06-02T13:01:00Z")
        .await;
    assert_eq!(
        on(&app, &host, "2026-06-02").await,
        ["09:00", "11:00", "14:00"]
    );
    app.end().await;
}

#[tokio::test]
async fn buffers_keep_their_distance_to_events() {
    let app = TestApp::start().await;
    let host = app
        .host("ana")
        .free("every day 12:00-15:00")
        .buffers(10, 0)
        .make()
        .await;
    host.busy(&app.context, "2026-06-02T11:00:00Z", "2026-06-02T11:55:00Z")
        .await;
    assert_eq!(on(&app, &host, "2026-06-02").await, ["13:00", "14:00"]);
    app.end().await;
}

/// Red when busy time is read from `from` on only.
#[tokio::test]
async fn what_ends_before_the_range_still_counts_when_a_buffer_reaches_it() {
    let app = TestApp::start().await;
    let host = app
        .host("ana")
        .free("every day 12:00-15:00")
        .buffers(10, 0)
        .make()
        .await;
    host.busy(&app.context, "2026-06-02T11:00:00Z", "2026-06-02T11:55:00Z")
        .await;
    // The longest blocked span there is, up to a minute before noon.
    let long = span("2026-06-02T23:59:00Z", "2026-06-03T11:59:00Z");
    booking(
        &app,
        &host,
        "confirmed",
        at("2026-06-03T01:59:00Z"),
        long,
        None,
    )
    .await;
    for (from, want) in [
        ("2026-06-02T12:00:00Z", 0),
        ("2026-06-03T12:00:00Z", 0),
        ("2026-06-03T13:00:00Z", 1),
    ] {
        let to = at(from).plus_minutes(60).to_string();
        let found = app.get(&host.slots(from, &to, "UTC")).await;
        assert_eq!(times(&found).len(), want, "{from}");
    }
    app.end().await;
}

#[tokio::test]
async fn only_opaque_events_that_stand_are_busy() {
    let app = TestApp::start().await;
    let host = app.host("ana").free("every day 9:00-11:00").make().await;
    let (from, to) = ("2026-06-02T09:00:00Z", "2026-06-02T10:00:00Z");
    for set in [
        "transparency = 'transparent'",
        "kind = 'note'",
        "status = 'cancelled'",
        "deleted_at = now()",
        "timing = jsonb_set(timing, '{end}', timing -> 'start')",
    ] {
        event(&app, &host, from, to, set).await;
    }
    assert_eq!(on(&app, &host, "2026-06-02").await, ["09:00", "10:00"]);
    for (date, set) in [
        ("2026-06-03", "status = 'tentative'"),
        ("2026-06-04", "kind = 'commitment'"),
        ("2026-06-05", "kind = 'out_of_office'"),
    ] {
        event(
            &app,
            &host,
            &from.replace("2026-06-02", date),
            &to.replace("2026-06-02", date),
            set,
        )
        .await;
        assert_eq!(on(&app, &host, date).await, ["10:00"], "{set}");
    }
    // A calendar that its host switched off counts for nothing.
    app.database
        .run("UPDATE calendar_members SET counts_as_busy = false")
        .await;
    assert_eq!(on(&app, &host, "2026-06-03").await, ["09:00", "10:00"]);
    app.end().await;
}

/// Red when an all-day event is read by its instants, which are those of another zone.
#[tokio::test]
async fn an_all_day_event_blocks_its_dates_as_the_host_lives_them() {
    let app = TestApp::start().await;
    let host = app
        .host("ana")
        .zone("America/Los_Angeles")
        .free("every day 9:00-19:00")
        .make()
        .await;
    // Written in UTC: from 17:00 on the 2nd to 17:00 on the 3rd for somebody in Los Angeles.
    event(
        &app,
        &host,
        "2026-06-03T00:00:00Z",
        "2026-06-04T00:00:00Z",
        r#"all_day = true, timing = '{"start":"2026-06-03","end":"2026-06-04"}'"#,
    )
    .await;
    let found = app
        .get(&host.slots(
            "2026-06-02T07:00:00Z",
            "2026-06-05T07:00:00Z",
            "America/Los_Angeles",
        ))
        .await
        .json();
    let days: Vec<(&str, usize)> = found["days"]
        .as_array()
        .unwrap()
        .iter()
        .map(|day| {
            (
                day["date"].as_str().unwrap(),
                day["slots"].as_array().unwrap().len(),
            )
        })
        .collect();
    assert_eq!(days, [("2026-06-02", 10), ("2026-06-04", 10)]);
    app.end().await;
}

#[tokio::test]
async fn exceptions_add_time_and_take_it_and_blocked_wins() {
    let app = TestApp::start().await;
    let host = app.host("ana").free("every day 9:00-11:00").make().await;
    host.except(
        &app.context,
        "available",
        "2026-06-02T19:30:00Z",
        "2026-06-02T22:00:00Z",
    )
    .await;
    host.except(
        &app.context,
        "blocked",
        "2026-06-02T09:30:00Z",
        "2026-06-02T09:31:00Z",
    )
    .await;
    assert_eq!(
        on(&app, &host, "2026-06-02").await,
        ["10:00", "19:30", "20:30"]
    );
    host.except(
        &app.context,
        "blocked",
        "2026-06-02T19:00:00Z",
        "2026-06-02T20:00:00Z",
    )
    .await;
    assert_eq!(on(&app, &host, "2026-06-02").await, ["10:00", "20:30"]);
    // Available time is no licence to meet somebody else.
    host.busy(&app.context, "2026-06-02T21:00:00Z", "2026-06-02T21:15:00Z")
        .await;
    assert_eq!(on(&app, &host, "2026-06-02").await, ["10:00"]);
    app.end().await;
}

#[tokio::test]
async fn a_booking_blocks_its_span_while_it_is_active() {
    let app = TestApp::start().await;
    let host = app.host("ana").free("every day 9:00-13:00").make().await;
    let now = app.context.clock.now();
    let (start, blocked) = (
        at("2026-06-02T10:00:00Z"),
        span("2026-06-02T09:55:00Z", "2026-06-02T11:10:00Z"),
    );
    let later = |start: Instant, blocked: Span, days: i64| {
        let by = days * 24 * 60;
        (
            start.plus_minutes(by),
            Span {
                from: blocked.from.plus_minutes(by),
                to: blocked.to.plus_minutes(by),
            },
        )
    };
    let cases = [
        ("confirmed", None, vec!["12:00"]),
        ("held", Some(now.plus_minutes(1)), vec!["12:00"]),
        // It lapses at that instant, and no sweep is needed for the time to be free.
        ("held", Some(now), vec!["09:00", "10:00", "11:00", "12:00"]),
        ("cancelled", None, vec!["09:00", "10:00", "11:00", "12:00"]),
        ("expired", None, vec!["09:00", "10:00", "11:00", "12:00"]),
    ];
    for (days, (state, expires, want)) in (0..).zip(cases) {
        let (start, blocked) = later(start, blocked, days);
        booking(&app, &host, state, start, blocked, expires).await;
        let date = &start.to_string()[..10];
        assert_eq!(on(&app, &host, date).await, want, "{state} {expires:?}");
    }
    app.end().await;
}

#[tokio::test]
async fn limits_close_full_days_weeks_and_months() {
    let app = TestApp::start().await;
    // Wednesday, 10 June; the week begins on the 8th.
    let start = at("2026-06-10T09:00:00Z");
    let blocked = Span {
        from: start,
        to: start.plus_minutes(60),
    };
    for (column, closed, open) in [
        ("limit_per_day", "2026-06-10", "2026-06-11"),
        ("limit_per_week", "2026-06-14", "2026-06-15"),
        ("limit_per_month", "2026-06-30", "2026-07-01"),
    ] {
        let host = app
            .host(&column.replace('_', "-"))
            .free("every day 9:00-11:00")
            .set(column, "1".into())
            .make()
            .await;
        assert_eq!(on(&app, &host, closed).await.len(), 2, "{column}");
        booking(&app, &host, "confirmed", start, blocked, None).await;
        assert!(on(&app, &host, closed).await.is_empty(), "{column}");
        assert_eq!(on(&app, &host, open).await.len(), 2, "{column}");
        app.database.run("UPDATE bookings SET state = 'cancelled', cancelled_at = now(), cancelled_by = 'host'; UPDATE booking_hosts SET active = false").await;
        assert_eq!(
            on(&app, &host, closed).await.len(),
            2,
            "{column}: a cancelled booking counts for nothing"
        );
    }
    app.end().await;
}

#[tokio::test]
async fn a_host_is_not_in_the_way_of_another() {
    let app = TestApp::start().await;
    let ana = app.host("ana").free("every day 9:00-11:00").make().await;
    let ben = app.host("ben").free("every day 9:00-11:00").make().await;
    ana.busy(&app.context, "2026-06-02T09:00:00Z", "2026-06-02T11:00:00Z")
        .await;
    ana.except(
        &app.context,
        "blocked",
        "2026-06-03T09:00:00Z",
        "2026-06-03T11:00:00Z",
    )
    .await;
    for date in ["2026-06-02", "2026-06-03"] {
        assert_eq!(
            (
                on(&app, &ana, date).await.len(),
                on(&app, &ben, date).await.len()
            ),
            (0, 2),
            "{date}"
        );
    }
    app.end().await;
}
