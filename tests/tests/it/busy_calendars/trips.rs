//! What the slots of a host with full calendars cost in round trips.

use holdfast_tests::{
    Flow, TestApp, TestMail, Wire,
    app::Options,
    calendar::{put, team},
    database::TestDatabase,
    flow::SAM,
};

/// Statements and BEGIN or COMMIT, each a round trip.
fn executed(wire: &Wire) -> usize {
    wire.messages().matches(['E', 'Q']).count()
}

/// Three round trips at the first look, two once the calendars are known, and so under the locks.
#[tokio::test]
async fn slots_with_a_thousand_events_on_five_calendars_take_three_round_trips() {
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
    let ana = flow.host("ana").make().await;
    let ben = flow.host("ben").make().await;
    for calendar in 0..5 {
        let id = team(&flow.context, &ana, &[&ben]).await;
        let lines: Vec<String> = (0..200)
            .map(|event| {
                let day = 1 + event % 28;
                let rule = if event % 10 == 0 { "RRULE:FREQ=WEEKLY\n" } else { "" };
                format!("BEGIN:VEVENT\nUID:{calendar}-{event}\nDTSTART:202606{day:02}T070000Z\nDURATION:PT30M\n{rule}END:VEVENT")
            })
            .collect();
        put(&flow.context, id, &lines.join("\n")).await;
    }
    let query = |host: &holdfast_tests::host::TestHost| {
        host.slots("2026-06-02T00:00:00Z", "2026-07-02T00:00:00Z", "UTC")
    };
    // Prepares every statement.
    flow.get(&query(&ana)).await;
    let mut counted = Vec::new();
    for host in [&ben, &ben] {
        wire.forget();
        assert_eq!(flow.get(&query(host)).await.status, 200);
        counted.push(executed(&wire));
    }
    assert_eq!(counted, [3, 2]);
    wire.forget();
    assert_eq!(
        flow.book(&ben, "2026-06-02T10:00:00Z", SAM).await.status,
        201
    );
    let inside = executed(&wire);
    assert!(inside <= 11, "{inside}");
    flow.end().await;
}
