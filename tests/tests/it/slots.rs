//! `GET /v1/pages/{handle}/{code}/slots`: zones, ranges, hours and what the rule says.

use holdfast_tests::{Answer, TestApp, app::at, host::TestHost};
use serde_json::{Value, json};

/// The starts of an answer as they stand in it.
pub fn times(answer: &Answer) -> Vec<String> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let json = answer.json();
    let days = json["days"].as_array().unwrap().iter();
    days.flat_map(|day| day["slots"].as_array().unwrap())
        .map(|slot| slot["start"].as_str().unwrap().to_owned())
        .collect()
}

/// The starts on one date of UTC, as `HH:MM`.
pub async fn on(app: &TestApp, host: &TestHost, date: &str) -> Vec<String> {
    let from = at(&format!("{date}T00:00:00Z"));
    let query = host.slots(
        &from.to_string(),
        &from.plus_minutes(24 * 60).to_string(),
        "UTC",
    );
    times(&app.get(&query).await)
        .iter()
        .map(|start| start[11..16].to_owned())
        .collect()
}

/// The dates and the number of their slots.
fn days(answer: &Value) -> Vec<(String, usize)> {
    let days = answer["days"].as_array().unwrap().iter();
    days.map(|day| {
        (
            day["date"].as_str().unwrap().to_owned(),
            day["slots"].as_array().unwrap().len(),
        )
    })
    .collect()
}

#[tokio::test]
async fn one_host_is_shown_right_in_tokyo_kathmandu_and_new_york_over_the_autumn_change() {
    let app = TestApp::start().await;
    app.context.clock.set(at("2026-10-25T12:00:00Z"));
    let host = app
        .host("ana")
        .zone("America/New_York")
        .free("every day 9:00-11:00")
        .make()
        .await;
    let ask = async |zone: &str| {
        app.get(&host.slots("2026-10-31T00:00:00Z", "2026-11-02T00:00:00Z", zone))
            .await
    };

    // Nine in New York is 13:00 UTC in summer time and 14:00 after the clocks went back.
    let want = [
        "2026-10-31T13:00:00Z",
        "2026-10-31T14:00:00Z",
        "2026-11-01T14:00:00Z",
        "2026-11-01T15:00:00Z",
    ];
    for zone in ["Asia/Tokyo", "Asia/Kathmandu", "America/New_York"] {
        assert_eq!(times(&ask(zone).await), want, "{zone}");
    }
    let of = |dates: &[(&str, usize)]| {
        dates
            .iter()
            .map(|(date, slots)| ((*date).to_owned(), *slots))
            .collect::<Vec<_>>()
    };
    let tokyo = ask("Asia/Tokyo").await.json();
    // 22:00 and 23:00, then 23:00 and, past midnight, 00:00.
    assert_eq!(
        days(&tokyo),
        of(&[("2026-10-31", 2), ("2026-11-01", 1), ("2026-11-02", 1)])
    );
    assert_eq!(tokyo["zone"], "Asia/Tokyo");
    assert_eq!(
        tokyo["days"][0]["slots"][0],
        json!({ "start": "2026-10-31T13:00:00Z", "end": "2026-10-31T14:00:00Z" })
    );
    for zone in ["Asia/Kathmandu", "America/New_York"] {
        assert_eq!(
            days(&ask(zone).await.json()),
            of(&[("2026-10-31", 2), ("2026-11-01", 2)]),
            "{zone}"
        );
    }
    app.end().await;
}

/// The pinned example of design 04: an hour that happens twice, and one that never does.
#[tokio::test]
async fn the_policy_decides_what_a_change_of_the_clocks_offers() {
    let app = TestApp::start().await;
    for (policy, day, now, window, want) in [
        // 00:00 EDT is 04:00 UTC; 02:00 EST is 07:00 UTC.
        (
            "strict",
            "2026-11-01",
            "2026-10-25T12:00:00Z",
            "00:00-04:00",
            vec!["04:00", "07:00", "07:30", "08:00", "08:30"],
        ),
        (
            "elapsed",
            "2026-11-01",
            "2026-10-25T12:00:00Z",
            "00:00-04:00",
            vec![
                "04:00", "04:30", "05:00", "05:30", "07:00", "07:30", "08:00", "08:30",
            ],
        ),
        // 01:00 EST is 06:00 UTC; 03:00 EDT is 07:00 UTC.
        (
            "strict",
            "2027-03-14",
            "2027-03-08T12:00:00Z",
            "01:00-04:00",
            vec!["06:00", "07:00", "07:30"],
        ),
        (
            "elapsed",
            "2027-03-14",
            "2027-03-08T12:00:00Z",
            "01:00-04:00",
            vec!["06:00", "06:30", "07:00", "07:30"],
        ),
    ] {
        app.context.clock.set(at(now));
        let handle = format!("{policy}-{day}");
        let host = app
            .host(&handle)
            .zone("America/New_York")
            .free(&format!("sun {window}"))
            .minutes(30, 30)
            .set("dst_policy", format!("'{policy}'"))
            .make()
            .await;
        assert_eq!(on(&app, &host, day).await, want, "{handle}");
    }
    app.end().await;
}

#[tokio::test]
async fn the_zone_asked_for_only_groups_and_any_spelling_of_it_will_do() {
    let app = TestApp::start().await;
    let host = app
        .host("ana")
        .zone("Asia/Kathmandu")
        .free("mon, tue 9:00-11:00")
        .make()
        .await;
    let range = "from=2026-06-01T00:00:00Z&to=2026-06-03T00:00:00Z";
    let own = app.get(&format!("{}/slots?{range}", host.api)).await;
    assert_eq!(own.json()["zone"], "Asia/Kathmandu");
    // 09:00 on Tuesday there; Monday's hours are over before 08:00 UTC.
    assert_eq!(
        times(&own),
        ["2026-06-02T03:15:00Z", "2026-06-02T04:15:00Z"]
    );
    let asked = app
        .get(&format!(
            "{}/slots?{range}&zone=america/los_angeles",
            host.api
        ))
        .await;
    assert_eq!(asked.json()["zone"], "America/Los_Angeles");
    assert_eq!(times(&asked), times(&own));
    assert_eq!(days(&asked.json()), [("2026-06-01".to_owned(), 2)]);

    // A schedule may have a zone of its own, which then is the page's.
    app.database
        .run("UPDATE schedules SET zone = 'Asia/Tokyo'")
        .await;
    let moved = app.get(&format!("{}/slots?{range}", host.api)).await;
    assert_eq!(moved.json()["zone"], "Asia/Tokyo");
    assert_eq!(
        times(&moved),
        ["2026-06-02T00:00:00Z", "2026-06-02T01:00:00Z"]
    );
    app.end().await;
}

#[tokio::test]
async fn without_a_range_the_next_62_days_are_meant() {
    let app = TestApp::start().await;
    let host = app
        .host("ana")
        .free("every day 07:00-09:00")
        .set("horizon_days", "365".into())
        .make()
        .await;
    let all = times(&app.get(&format!("{}/slots", host.api)).await);
    assert_eq!(
        all.first().unwrap(),
        "2026-06-01T08:00:00Z",
        "a start exactly now is offered"
    );
    assert_eq!(
        all.last().unwrap(),
        "2026-08-02T07:00:00Z",
        "the range ends before 08:00 on the 62nd day"
    );
    assert_eq!(all.len(), 1 + 61 * 2 + 1);
    let from = times(
        &app.get(&format!("{}/slots?from=2026-09-01T00:00:00Z", host.api))
            .await,
    );
    assert_eq!(from.first().unwrap(), "2026-09-01T07:00:00Z");
    assert_eq!(from.last().unwrap(), "2026-11-01T08:00:00Z");
    let until = times(
        &app.get(&format!("{}/slots?to=2026-06-01T08:00:01Z", host.api))
            .await,
    );
    assert_eq!(
        until,
        ["2026-06-01T08:00:00Z"],
        "the end of the range bounds starts"
    );
    app.end().await;
}

#[tokio::test]
async fn a_range_is_at_most_62_days_long_and_ends_after_it_begins() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let ask = async |from: &str, to: &str| app.get(&host.slots(from, to, "UTC")).await;
    assert_eq!(
        ask("2026-06-01T00:00:00Z", "2026-08-02T00:00:00Z")
            .await
            .status,
        200
    );
    let long = ask("2026-06-01T00:00:00Z", "2026-08-02T00:00:01Z").await;
    assert_eq!(
        (long.status.as_u16(), long.code().as_str()),
        (422, "range_too_long")
    );
    for to in ["2026-06-01T00:00:00Z", "2026-05-31T23:59:59Z"] {
        let inverted = ask("2026-06-01T00:00:00Z", to).await;
        assert_eq!(
            (inverted.status.as_u16(), inverted.code().as_str()),
            (422, "range_inverted"),
            "{to}"
        );
    }
    // Offsets other than Z name the same instants; the plus sign is %2B in a query.
    let shifted = ask("2026-06-02T02:00:00%2B02:00", "2026-06-02T11:30:00%2B02:00").await;
    assert_eq!(times(&shifted), ["2026-06-02T09:00:00Z"]);
    app.end().await;
}

#[tokio::test]
async fn what_lies_before_now_or_past_the_horizon_is_an_empty_list() {
    let app = TestApp::start().await;
    let host = app.host("ana").zone("Asia/Tokyo").make().await;
    let ask = async |from: &str, to: &str| {
        let answer = app.get(&host.slots(from, to, "Europe/Paris")).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    };
    let nothing = json!({ "zone": "Europe/Paris", "days": [] });
    for (from, to) in [
        ("2026-05-01T00:00:00Z", "2026-06-01T08:00:00Z"),
        ("2026-07-31T08:00:00Z", "2026-09-01T00:00:00Z"),
        ("2026-09-01T00:00:00Z", "2026-10-01T00:00:00Z"),
        ("0001-01-01T00:00:00Z", "0001-02-01T00:00:00Z"),
        ("9999-11-01T00:00:00Z", "9999-12-01T00:00:00Z"),
    ] {
        assert_eq!(ask(from, to).await, nothing, "{from}");
    }
    // Sixty days ahead at the same wall time: 17:00 in Tokyo on 31 July is the latest end.
    let last = ask("2026-07-31T00:00:00Z", "2026-08-02T00:00:00Z").await;
    let slots = last["days"][0]["slots"].as_array().unwrap();
    assert_eq!(slots.last().unwrap()["end"], "2026-07-31T08:00:00Z");
    app.end().await;
}

#[tokio::test]
async fn notice_and_bookable_dates_bound_the_list() {
    let app = TestApp::start().await;
    let notice = app
        .host("notice")
        .free("every day 8:00-12:00")
        .set("notice_min", "120".into())
        .make()
        .await;
    assert_eq!(
        on(&app, &notice, "2026-06-01").await,
        ["10:00", "11:00"],
        "exactly two hours ahead is enough"
    );
    // A hold needs ten minutes to be confirmed, whatever the type says.
    let held = app
        .host("held")
        .free("every day 8:00-12:00")
        .by_mail()
        .make()
        .await;
    assert_eq!(
        on(&app, &held, "2026-06-01").await,
        ["09:00", "10:00", "11:00"]
    );
    let dates = app
        .host("dates")
        .set("bookable_from", "'2026-06-03'".into())
        .set("bookable_until", "'2026-06-04'".into())
        .make()
        .await;
    let all = app.get(&host_range(&dates)).await.json();
    assert_eq!(
        days(&all),
        [("2026-06-03".to_owned(), 8), ("2026-06-04".to_owned(), 8)]
    );
    app.end().await;
}

fn host_range(host: &TestHost) -> String {
    host.slots("2026-06-01T00:00:00Z", "2026-06-15T00:00:00Z", "UTC")
}

#[tokio::test]
async fn an_override_replaces_a_dates_hours() {
    let app = TestApp::start().await;
    let host = app
        .host("ana")
        .zone("America/New_York")
        .free("every day 9:00-11:00")
        .make()
        .await;
    host.override_date(&app.context, "2026-06-02", "{}").await;
    host.override_date(&app.context, "2026-06-03", "{[480,540),[1380,1440)}")
        .await;
    let found = app
        .get(&host.slots(
            "2026-06-02T00:00:00Z",
            "2026-06-05T00:00:00Z",
            "America/New_York",
        ))
        .await;
    // The second range ends at midnight there, which is the next date in UTC.
    let want = [
        "2026-06-03T12:00:00Z",
        "2026-06-04T03:00:00Z",
        "2026-06-04T13:00:00Z",
        "2026-06-04T14:00:00Z",
    ];
    assert_eq!(times(&found), want);
    app.end().await;
}

#[tokio::test]
async fn a_page_answers_under_its_code_and_its_slug() {
    let app = TestApp::start().await;
    let host = app
        .host("ana")
        .set("slug", "'first-talk'".into())
        .make()
        .await;
    let range = "slots?from=2026-06-02T00:00:00Z&to=2026-06-03T00:00:00Z";
    let by_code = app.get(&format!("{}/{range}", host.api)).await;
    let by_slug = app.get(&format!("/v1/pages/ana/first-talk/{range}")).await;
    assert_eq!(times(&by_code).len(), 8);
    assert_eq!(by_code.body, by_slug.body);
    let page = app.get("/v1/pages/ana/first-talk").await;
    assert_eq!(page.body, app.get(&host.api).await.body);
    app.end().await;
}
