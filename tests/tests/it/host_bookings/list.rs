//! `GET /v1/bookings`: order, pages, filters.

use holdfast_tests::{
    Flow, TestApp, TestMail, Wire,
    app::{Options, TestKey},
    database::TestDatabase,
    host::TestHost,
};
use serde_json::{Value, json};

/// `GET /v1/bookings<query>`, which must succeed.
async fn listed(flow: &Flow, key: &TestKey, query: &str) -> Value {
    let answer = flow.get_signed(key, &format!("/v1/bookings{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.text());
    answer.json()
}

/// What a page has, by one field.
fn column(page: &Value, field: &str) -> Vec<String> {
    let data = page["data"].as_array().unwrap().iter();
    data.map(|booking| booking[field].as_str().unwrap().to_owned())
        .collect()
}

/// Every page of a list, one after the other.
async fn pages(flow: &Flow, key: &TestKey, filter: &str, limit: u32) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = listed(flow, key, &format!("?limit={limit}{filter}{cursor}")).await;
        pages.push(column(&page, "id"));
        assert!(pages.len() < 100, "the list does not end");
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return pages,
        }
    }
}

/// Ana, with a key, and bookings of three days, some of them cancelled and booked again at the
/// same hour, of two pages whose buffers differ.
async fn busy_week() -> (Flow, TestHost, TestKey) {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let buffered = flow.second_page(&host, 30).await;
    flow.sql(&format!(
        "UPDATE event_types SET before_buffer_min = 30, step_min = 30 WHERE id = '{}'",
        buffered.event_type
    ))
    .await;
    let key = flow.key(&host).await;
    for day in 2..5 {
        for hour in [13, 9, 15] {
            let start = format!("2026-06-0{day}T{hour:02}:00:00Z");
            for _ in 0..2 {
                let booking = flow.booked(&host, &start).await;
                flow.cancel(booking["manage_token"].as_str().unwrap()).await;
            }
            flow.booked(&host, &start).await;
        }
        // Blocked from half an hour before: its blocked span begins before that of an earlier start.
        let start = format!("2026-06-0{day}T11:30:00Z");
        flow.booked(&buffered, &start).await;
        flow.booked(&host, &format!("2026-06-0{day}T10:00:00Z"))
            .await;
    }
    (flow, host, key)
}

#[tokio::test]
async fn the_latest_start_comes_first_and_of_equal_starts_the_latest_booking() {
    let (flow, _, key) = busy_week().await;
    let page = listed(&flow, &key, "?limit=100").await;
    let (starts, ids) = (column(&page, "start"), column(&page, "id"));
    assert_eq!(starts.len(), 33);
    let places: Vec<_> = starts.iter().zip(&ids).collect();
    let mut sorted = places.clone();
    sorted.sort_by(|a, b| b.cmp(a));
    assert_eq!(places, sorted);
    assert_eq!(
        starts[..9],
        [
            "2026-06-04T15:00:00Z",
            "2026-06-04T15:00:00Z",
            "2026-06-04T15:00:00Z",
            "2026-06-04T13:00:00Z",
            "2026-06-04T13:00:00Z",
            "2026-06-04T13:00:00Z",
            "2026-06-04T11:30:00Z",
            "2026-06-04T10:00:00Z",
            "2026-06-04T09:00:00Z",
        ]
    );
    assert!(page.get("next_cursor").is_none());
    // Twenty unless another number is asked for.
    let page = listed(&flow, &key, "").await;
    assert_eq!(column(&page, "id"), ids[..20]);
    assert!(page["next_cursor"].is_string());
    flow.end().await;
}

/// Red when the cursor compares the start alone: bookings that start at once would be lost.
#[tokio::test]
async fn pages_of_any_length_are_the_whole_list_each_booking_once() {
    let (flow, _, key) = busy_week().await;
    for filter in [
        "",
        "&state=cancelled",
        "&state=confirmed,cancelled&from=2026-06-02T13:00:00Z&to=2026-06-04T13:00:00Z",
    ] {
        let whole = pages(&flow, &key, filter, 100).await;
        assert_eq!(whole.len(), 1);
        for limit in [1, 2, 3, 7, 11] {
            let pages = pages(&flow, &key, filter, limit).await;
            let (last, full) = pages.split_last().unwrap();
            let length = usize::try_from(limit).unwrap();
            assert!(full.iter().all(|page| page.len() == length));
            assert!(
                !last.is_empty() && last.len() <= length,
                "no empty last page"
            );
            assert_eq!(pages.concat(), whole[0], "{limit} {filter}");
        }
    }
    flow.end().await;
}

/// What is booked and cancelled between two pages neither repeats nor hides what was there.
#[tokio::test]
async fn a_cursor_holds_while_bookings_come_and_go() {
    let (flow, host, key) = busy_week().await;
    let before = pages(&flow, &key, "", 100).await.concat();
    let mut seen = Vec::new();
    let mut cursor = String::new();
    for hour in 9..17 {
        let page = listed(&flow, &key, &format!("?limit=5{cursor}")).await;
        seen.extend(column(&page, "id"));
        let Some(next) = page["next_cursor"].as_str() else {
            break;
        };
        cursor = format!("&cursor={next}");
        // Before the place, after it, and at it.
        for day in [1, 30] {
            let month = if day == 1 { 6 } else { 7 };
            let start = format!("2026-{month:02}-{day:02}T{hour:02}:00:00Z");
            flow.booked(&host, &start).await;
        }
        let token = flow
            .booked(&host, &format!("2026-06-05T{hour:02}:00:00Z"))
            .await;
        flow.cancel(token["manage_token"].as_str().unwrap()).await;
    }
    let kept: Vec<&String> = seen.iter().filter(|id| before.contains(id)).collect();
    assert_eq!(kept, before.iter().collect::<Vec<_>>());
    flow.end().await;
}

#[tokio::test]
async fn from_is_the_earliest_start_and_to_is_after_the_latest() {
    let (flow, _, key) = busy_week().await;
    let starts = async |query: &str| {
        let mut starts = column(&listed(&flow, &key, query).await, "start");
        starts.dedup();
        starts
    };
    assert_eq!(
        starts("?from=2026-06-03T11:30:00Z&to=2026-06-03T15:00:00Z").await,
        ["2026-06-03T13:00:00Z", "2026-06-03T11:30:00Z"]
    );
    assert_eq!(
        starts("?from=2026-06-03T11:30:00.000001Z&to=2026-06-03T15:00:00.000001Z").await,
        ["2026-06-03T15:00:00Z", "2026-06-03T13:00:00Z"]
    );
    assert_eq!(
        starts("?to=2026-06-02T10:00:00Z").await,
        ["2026-06-02T09:00:00Z"]
    );
    assert_eq!(
        starts("?from=2026-06-04T15:00:00%2B02:00&limit=100").await,
        ["2026-06-04T15:00:00Z", "2026-06-04T13:00:00Z"]
    );
    assert!(starts("?from=2026-06-05T00:00:00Z").await.is_empty());
    flow.end().await;
}

/// Red when the statement compares the stored state: a lapsed hold would be listed as `held`.
#[tokio::test]
async fn a_state_is_the_one_that_is_shown_before_any_sweep() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    let key = flow.key(&host).await;
    let token = flow
        .link(&host, "2026-06-02T10:00:00Z", "sam@bookers.test")
        .await;
    flow.confirm(&token).await;
    flow.booked(&host, "2026-06-02T11:00:00Z").await;
    // A hold lapses with its start at the latest.
    flow.at("2026-06-02T11:45:00Z");
    flow.booked(&host, "2026-06-02T12:00:00Z").await;
    let check = async |now: &str, wanted: [(&str, &[&str]); 3]| {
        flow.at(now);
        for (states, starts) in wanted {
            let page = listed(&flow, &key, &format!("?state={states}")).await;
            let hours: Vec<String> = column(&page, "start")
                .iter()
                .map(|start| start[11..13].to_owned())
                .collect();
            assert_eq!(hours, starts, "{now} {states}");
            for state in column(&page, "state") {
                assert!(states.contains(&state), "{now}: {state} among {states}");
            }
        }
    };
    check(
        "2026-06-02T11:59:59Z",
        [
            ("held", &["12"]),
            ("expired", &["11"]),
            ("held,confirmed", &["12", "10"]),
        ],
    )
    .await;
    assert_eq!(flow.count("bookings WHERE state = 'expired'").await, 0);
    check(
        "2026-06-02T12:00:00Z",
        [
            ("held", &[]),
            ("expired", &["12", "11"]),
            ("held,confirmed", &["10"]),
        ],
    )
    .await;
    flow.end().await;
}

/// A moved booking is listed by its new start, and a cursor of another host's list opens nothing.
#[tokio::test]
async fn a_list_is_of_its_own_host_whatever_the_cursor() {
    let (flow, ana, key) = busy_week().await;
    let ben = flow.host("ben").make().await;
    let ben_key = flow.key(&ben).await;
    assert_eq!(
        listed(&flow, &ben_key, "").await,
        json!({ "data": [] }),
        "nothing at all"
    );
    let booking = flow.booked(&ben, "2026-06-03T10:00:00Z").await;
    let page = listed(&flow, &key, "?limit=1").await;
    let cursor = page["next_cursor"].as_str().unwrap();
    let seen = listed(&flow, &ben_key, &format!("?cursor={cursor}")).await;
    assert_eq!(column(&seen, "id"), [booking["id"].as_str().unwrap()]);
    let token = booking["manage_token"].as_str().unwrap();
    let moved = flow.reschedule(token, "2026-06-05T12:00:00Z", 0).await;
    assert_eq!(moved.status, 200);
    let seen = listed(&flow, &ben_key, &format!("?cursor={cursor}")).await;
    assert_eq!(
        seen,
        json!({ "data": [] }),
        "it stands before the place now"
    );
    let seen = listed(&flow, &ben_key, "?from=2026-06-05T12:00:00Z").await;
    assert_eq!(column(&seen, "start"), ["2026-06-05T12:00:00Z"]);
    let all = pages(&flow, &key, "", 100).await.concat();
    assert!(!all.contains(&booking["id"].as_str().unwrap().to_owned()));
    assert_ne!(ana.id, ben.id);
    flow.end().await;
}

#[tokio::test]
async fn what_cannot_be_read_is_named() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let key = flow.key(&host).await;
    for (query, pointer, code) in [
        ("limit=0", "limit", "invalid_limit"),
        ("limit=101", "limit", "invalid_limit"),
        ("limit=-1", "limit", "invalid_limit"),
        ("limit=many", "limit", "invalid_limit"),
        ("limit=", "limit", "invalid_limit"),
        ("state=booked", "state", "unknown_state"),
        ("state=", "state", "unknown_state"),
        ("state=held,,confirmed", "state", "unknown_state"),
        ("from=tomorrow", "from", "invalid_instant"),
        ("to=2026-06-01", "to", "invalid_instant"),
        ("cursor=", "cursor", "invalid_cursor"),
        ("cursor=abc", "cursor", "invalid_cursor"),
        (
            "cursor=f39_f39_f39_f39_f39_f39_f39_f39_",
            "cursor",
            "invalid_cursor",
        ),
        ("page=2", "page", "invalid_parameter"),
        ("limit=1&limit=2", "limit", "invalid_parameter"),
    ] {
        let answer = flow
            .get_signed(&key, &format!("/v1/bookings?{query}"))
            .await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (400, "invalid_parameter"),
            "{query}"
        );
        let error = &answer.json()["errors"][0];
        assert_eq!(
            (&error["pointer"], &error["code"]),
            (&json!(pointer), &json!(code)),
            "{query}"
        );
    }
    let inverted = "/v1/bookings?from=2026-06-02T00:00:00Z&to=2026-06-01T00:00:00Z";
    let answer = flow.get_signed(&key, inverted).await;
    assert_eq!(
        (answer.status.as_u16(), answer.code().as_str()),
        (422, "range_inverted")
    );
    flow.end().await;
}

/// However many bookings a page has: the key, and a snapshot with the places, the bookings, their
/// mail and their history.
#[tokio::test]
async fn a_page_costs_the_same_round_trips_whatever_its_length() {
    let database = TestDatabase::create().await;
    let wire = Wire::before(&database).await;
    let options = Options {
        connect: Some(wire.options()),
        connections: 1,
        ..Options::default()
    };
    let app = TestApp::on(database, options).await;
    let mail = TestMail::start(&app.context).await;
    let flow = Flow { app, mail };
    let host = flow.host("ana").make().await;
    let key = flow.key(&host).await;
    for hour in 9..17 {
        flow.booked(&host, &format!("2026-06-02T{hour:02}:00:00Z"))
            .await;
    }
    listed(&flow, &key, "").await;
    for (limit, length) in [(1, 1), (3, 3), (100, 8)] {
        wire.forget();
        let page = listed(&flow, &key, &format!("?limit={limit}")).await;
        assert_eq!(page["data"].as_array().unwrap().len(), length);
        // BEGIN and COMMIT are simple queries, everything else is an Execute and a Sync.
        let asked = wire.messages();
        let trips = asked.chars().filter(|kind| "QE".contains(*kind));
        assert_eq!(trips.count(), 7, "{asked}");
    }
    flow.end().await;
}
