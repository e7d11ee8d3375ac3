//! `holdfast admin set-reminders`, and what changed rules mean for bookings.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use holdfast_tests::{
    Flow,
    flow::{SAM, wish},
    host::TestHost,
    process::{Said, Settings, holdfast},
};
use serde_json::{Value, json};
use shared::{mail::reminder::ReminderRules, ops};

/// The page's code.
fn code(host: &TestHost) -> &str {
    host.page.rsplit('/').next().unwrap()
}

async fn command(flow: &Flow, host: &TestHost, arguments: &[&str]) -> Said {
    let mut all = vec!["admin", "set-reminders", "--handle", &host.handle];
    all.extend(arguments);
    let settings = Settings::web(&flow.database).with(
        "HOLDFAST_KEYS",
        format!("test:{}", STANDARD.encode([7; 32])),
    );
    holdfast(&settings, &all).await
}

/// By the operation itself.
async fn set(flow: &Flow, host: &TestHost, rules: &[&str]) {
    let rules = rules.iter().map(|rule| rule.parse().unwrap()).collect();
    let rules = ReminderRules::new(rules).unwrap();
    let page = (host.handle.as_str(), code(host));
    let set = ops::set_reminders(&flow.context, page, Some(&rules)).await;
    assert!(set.unwrap().is_some());
}

/// Reminders that are owed: when, to whom.
async fn owed(flow: &Flow) -> Vec<String> {
    flow.texts(
        "SELECT concat_ws(' ', to_char(remind_at AT TIME ZONE 'UTC', 'DD HH24:MI'), offset_min, recipient) FROM mail_outbox
          WHERE kind = 'reminder' AND outcome IS NULL ORDER BY remind_at, priority",
    )
    .await
}

#[tokio::test]
async fn the_command_replaces_and_prints_the_rules() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let revision = async || flow.text("SELECT revision::text FROM event_types").await;
    let page = code(&host).to_owned();
    let said = command(&flow, &host, &["--page", &page]).await;
    assert_eq!(
        (said.code, said.stdout.as_str()),
        (Some(0), "1d:hosts,booker,guests\n"),
        "{said:?}"
    );
    assert_eq!(revision().await, "0", "only looked");
    let three = [
        "--page",
        &page,
        "--rule",
        "30:booker",
        "--rule",
        "7d:hosts",
        "--rule",
        "24h:guests,booker",
    ];
    let said = command(&flow, &host, &three).await;
    assert_eq!(
        (said.code, said.stdout.as_str()),
        (Some(0), "7d:hosts\n1d:booker,guests\n30m:booker\n"),
        "{said:?}"
    );
    assert_eq!(revision().await, "1");
    // By the slug, and as JSON.
    flow.sql("UPDATE event_types SET slug = 'intro-call'").await;
    let said = command(&flow, &host, &["--page", "intro-call", "--json"]).await;
    assert_eq!(
        serde_json::from_str::<Value>(&said.stdout).unwrap(),
        json!({ "status": "ok", "rules": [
            { "offset_min": 10_080, "to": ["hosts"] },
            { "offset_min": 1_440, "to": ["booker", "guests"] },
            { "offset_min": 30, "to": ["booker"] },
        ]})
    );
    let said = command(&flow, &host, &["--page", &page, "--none"]).await;
    assert_eq!(
        (said.code, said.stdout.as_str()),
        (Some(0), "nobody is reminded\n"),
        "{said:?}"
    );
    assert_eq!(revision().await, "2");
    assert_eq!(flow.count("reminder_rules").await, 0);
    flow.end().await;
}

#[tokio::test]
async fn the_command_says_what_is_wrong_and_changes_nothing() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let page = code(&host).to_owned();
    let before = flow.database.rows().await;
    for (arguments, status, words) in [
        (
            &["--page", &page, "--rule", "4:hosts", "--rule", "1h:nobody"][..],
            2,
            "holdfast: --rule 4:hosts: the offset must be 5 minutes to 30 days\n\
             --rule 1h:nobody: the readers must be of hosts, booker and guests, by commas\n",
        ),
        (
            &[
                "--page",
                &page,
                "--rule",
                "1h:hosts",
                "--rule",
                "60m:booker",
            ],
            2,
            "holdfast: --rule: two rules have the same offset\n",
        ),
        (
            &[
                "--page", &page, "--rule", "1h:hosts", "--rule", "2h:hosts", "--rule", "3h:hosts",
                "--rule", "4h:hosts", "--rule", "5h:hosts", "--rule", "6h:hosts",
            ],
            2,
            "holdfast: --rule: a page has at most 5 rules\n",
        ),
        (
            &["--page", "nowhere1", "--none"],
            1,
            "holdfast: there is no page /book/ana/nowhere1\n",
        ),
    ] {
        let said = command(&flow, &host, arguments).await;
        assert_eq!(
            (said.code, said.stderr.as_str()),
            (Some(status), words),
            "{said:?}"
        );
    }
    let both = ["--page", &page, "--none", "--rule", "1h:hosts"];
    assert_eq!(command(&flow, &host, &both).await.code, Some(2));
    assert_eq!(command(&flow, &host, &[]).await.code, Some(2));
    assert_eq!(flow.database.rows().await, before);
    flow.end().await;
}

/// What a booking owes was decided when it was confirmed; a move decides anew, by the rules of its
/// day.
#[tokio::test]
async fn bookings_keep_what_they_owe_until_they_move() {
    let flow = Flow::start().await;
    let host = flow.host("ana").guests().make().await;
    let mut wish = wish("2026-06-10T10:00:00Z", SAM);
    wish["guests"] = json!([{ "email": "kim@guests.test" }]);
    let token = flow.ask(&host, &wish).await.json()["manage_token"]
        .as_str()
        .unwrap()
        .to_owned();
    let all = [
        "09 10:00 1440 host",
        "09 10:00 1440 booker",
        "09 10:00 1440 guest",
    ];
    assert_eq!(owed(&flow).await, all);
    set(&flow, &host, &["2d:hosts", "45m:booker,guests"]).await;
    assert_eq!(owed(&flow).await, all, "kept");
    assert_eq!(
        flow.reschedule(&token, "2026-06-11T12:00:00Z", 0)
            .await
            .status,
        200
    );
    assert_eq!(
        owed(&flow).await,
        [
            "09 12:00 2880 host",
            "11 11:15 45 booker",
            "11 11:15 45 guest",
        ]
    );
    set(&flow, &host, &[]).await;
    assert_eq!(
        flow.reschedule(&token, "2026-06-11T13:00:00Z", 1)
            .await
            .status,
        200
    );
    assert!(owed(&flow).await.is_empty());
    flow.end().await;
}

/// Every rule of a page at its edges: five minutes to thirty days, elapsed time.
#[tokio::test]
async fn the_shortest_and_the_longest_rule_remind_in_time() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    set(&flow, &host, &["5:booker", "30d:booker"]).await;
    flow.link(&host, "2026-07-15T10:00:00Z", SAM).await;
    assert_eq!(
        owed(&flow).await,
        ["15 10:00 43200 booker", "15 09:55 5 booker"]
    );
    for (at, sent) in [
        ("2026-06-15T09:59:59Z", 0),
        ("2026-06-15T10:00:00Z", 1),
        ("2026-07-15T09:54:59Z", 0),
        ("2026-07-15T09:55:00Z", 1),
    ] {
        flow.at(at);
        assert_eq!(flow.mail.drain().await.len(), sent, "{at}");
    }
    flow.end().await;
}

/// A booking that was about to be made by the old rules is made by the new ones: the page has
/// another revision. Red if the command does not count the page's revision up.
#[tokio::test]
async fn a_booking_made_meanwhile_owes_by_the_new_rules() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    // The booking has looked at the page, and waits for the host.
    let mut lock = shared::store::begin::begin(&flow.context.pool)
        .await
        .unwrap();
    sqlx::query("SELECT FROM hosts FOR UPDATE")
        .execute(&mut *lock)
        .await
        .unwrap();
    let booking = flow.book(&host, "2026-06-10T10:00:00Z", SAM);
    let changing = async {
        flow.somebody_waits().await;
        set(&flow, &host, &["45m:hosts"]).await;
        lock.rollback().await.unwrap();
    };
    let (answer, ()) = tokio::join!(booking, changing);
    assert_eq!(answer.status, 201, "{}", answer.text());
    assert_eq!(owed(&flow).await, ["10 09:15 45 host"]);
    flow.end().await;
}
